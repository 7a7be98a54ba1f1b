#!/bin/bash
# Configures a preset, where that is needed, and builds it.
#
#   scripts/build.sh PRESET [TARGET...]
#
# A build folder is configured anew only when what it was configured with has
# changed. With CI=true warnings are errors.
#
#   MLIR_DIR   another LLVM 22: the folder with its MLIRConfig.cmake
#   JOBS       how many compilers at once; by default one a core

set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
folder=build/$preset

options=("-DPython3_EXECUTABLE=${PYTHON:-/usr/bin/python3}")
[ -z "${MLIR_DIR:-}" ] || options+=("-DMLIR_DIR=$MLIR_DIR")
[ "${CI:-}" != true ] || options+=(-DUOP_WARNINGS_AS_ERRORS=ON)

# Two checkouts of the project share what ccache keeps.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

stamp=$folder/configured-with
wanted="${options[*]} $(cksum CMakePresets.json)"
if [ ! -e "$folder/build.ninja" ] || [ "$wanted" != "$(cat "$stamp" 2>/dev/null)" ]; then
  rm -f "$stamp"
  cmake --preset "$preset" --fresh "${options[@]}"
  echo "$wanted" >"$stamp"
fi
exec cmake --build "$folder" -j "${JOBS:-$(nproc)}" ${@:+--target "$@"}
