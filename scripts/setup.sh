#!/bin/bash
# Installs what Uop needs to build and to run its tests, and says what.
#
#   scripts/setup.sh [--asan] [--benchmarks]
#
# Debian packages come through apt-get, as root or with sudo; the parts of the
# CUDA toolkit that compile PTX (ptxas, libdevice) come from NVIDIA's packages
# on PyPI, into build/cuda, unless a toolkit is there already. With everything
# in place nothing is run and nothing is printed.
#
#   MLIR_DIR    another LLVM 22: the folder with its MLIRConfig.cmake
#   CUDA_HOME   another CUDA toolkit
#   SETUP=no    install nothing, check nothing

set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
cuda_version=13.0.88 # The first ptxas that knows every chip LLVM 22 knows.

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

[ "${SETUP:-}" = no ] && exit 0

packages=(clang-22 lld-22 cmake ninja-build libgtest-dev libgmock-dev
  python3-numpy python3-jsonschema dpkg-dev)
for option in "$@"; do
  case $option in
  --asan) packages+=(libclang-rt-22-dev llvm-22) ;; # llvm-22: the symboliser.
  --benchmarks) # Only to compare with.
    packages+=(libopenblas0-pthread pocl-opencl-icd ocl-icd-libopencl1) ;;
  *) fail "unknown option '$option', expected --asan or --benchmarks" ;;
  esac
done

if [ -n "${MLIR_DIR:-}" ]; then
  [ -e "$MLIR_DIR/MLIRConfig.cmake" ] ||
    fail "expected MLIRConfig.cmake in MLIR_DIR, but found none in '$MLIR_DIR'"
  command -v lit-22 lit >/dev/null || packages+=(llvm-22-tools)
else
  packages+=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools)
fi

# The emulator's JIT loads the OpenMP run time as a shared library, and any
# version serves; libomp-22-dev would remove an older one.
have_openmp() {
  compgen -G '/usr/lib/llvm-*/lib/libomp.so' >/dev/null ||
    [[ $(ldconfig -p 2>/dev/null || /sbin/ldconfig -p) == *libomp.so* ]]
}
have_openmp || packages+=(libomp-22-dev)

# The toolkit is checked by its files, so that any way to install it will do.
cuda_missing=
if [ -n "${CUDA_HOME:-}" ] && [ "$(scripts/cuda-home.sh)" != "$CUDA_HOME" ]; then
  echo "setup: CUDA_HOME=$CUDA_HOME lacks bin/ptxas or nvvm/libdevice: looking elsewhere"
fi
if ! scripts/cuda-home.sh >/dev/null; then
  cuda_missing=1
  "$python" -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)
fi

command -v dpkg-query >/dev/null || fail \
  "expected a Debian system, but found no dpkg-query" \
  "install what these packages hold by other means, then pass SETUP=no:" \
  "  ${packages[*]}"

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}"
  if [ "$(id -u)" = 0 ]; then
    as_root=(env DEBIAN_FRONTEND=noninteractive)
  elif command -v sudo >/dev/null; then
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
  else
    fail "cannot install packages: neither root nor sudo" \
      "as root, run: apt-get install --no-install-recommends ${missing[*]}"
  fi

  # Prints the missing packages that apt cannot install.
  without_candidate() {
    for package in "${missing[@]}"; do
      [[ $(LC_ALL=C apt-cache policy "$package") == *Candidate:\ [!\(]* ]] ||
        echo "$package"
    done
  }
  install() {
    "${as_root[@]}" apt-get install -y -q --no-install-recommends \
      -o Dpkg::Use-Pty=0 "${missing[@]}"
  }

  # The lists are fetched only where they are absent or out of date.
  updated=
  update() {
    "${as_root[@]}" apt-get update -q || fail "apt-get update failed"
    updated=1
  }
  [ -z "$(without_candidate)" ] || update
  unknown=$(without_candidate)
  if [ -n "$unknown" ]; then
    fail "no package named: $(echo $unknown)" \
      "LLVM 22 is in Debian 12's security archive (bookworm-security main);" \
      "add it to the sources, or pass MLIR_DIR= for an LLVM 22 built elsewhere"
  fi
  if ! install; then
    [ -z "$updated" ] || fail "apt-get could not install: ${missing[*]}"
    update
    install || fail "apt-get could not install: ${missing[*]}"
  fi
fi

if [ -n "$cuda_missing" ]; then
  echo "setup: installing ptxas and libdevice (NVIDIA CUDA $cuda_version, from PyPI, under NVIDIA's licence) into build/cuda"
  wheels=$(mktemp -d)
  trap 'rm -rf "$wheels"' EXIT
  "$python" -m pip download -q --no-deps --only-binary :all: -d "$wheels" \
    "nvidia-cuda-nvcc==$cuda_version" "nvidia-nvvm==$cuda_version" ||
    fail "could not download the CUDA compiler" \
      "install a CUDA 13 toolkit and pass CUDA_HOME= for it"
  rm -rf build/cuda
  mkdir -p build
  # Only what compiles PTX, and the fatbinary that upstream's gpu-module-to-binary
  # calls: 39 of 210 MB.
  "$python" - "$wheels" build/cuda.part <<'END'
import pathlib, shutil, sys, zipfile

prefix = "nvidia/cu13/"
wanted = ("bin/ptxas", "bin/fatbinary", "nvvm/libdevice/")
output = pathlib.Path(sys.argv[2])
shutil.rmtree(output, ignore_errors=True)
for wheel in pathlib.Path(sys.argv[1]).glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith("License.txt"):
                target = output / "License.txt"
            elif name.startswith(tuple(prefix + w for w in wanted)):
                target = output / name[len(prefix):]
            else:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
            if target.parent.name == "bin":
                target.chmod(0o755)
END
  mv build/cuda.part build/cuda
  CUDA_HOME= CUDA_PATH= scripts/cuda-home.sh >/dev/null || fail \
    "nvidia-cuda-nvcc and nvidia-nvvm $cuda_version hold no ptxas and libdevice here" \
    "install a CUDA 13 toolkit and pass CUDA_HOME= for it"
fi
