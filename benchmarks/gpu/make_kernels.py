#===- make_kernels.py - Makes the kernels that sgemm.py times ---------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Writes PTX and a manifest for an SGEMM of each size and chip into a folder, and
# beside them what runs them. The folder can be taken to a machine with a GPU that
# has only the driver, Python and PyTorch:
#
#   make_kernels.py [--output=build/gpu-bench] [--bin-dir=build/release/bin]
#   python3 build/gpu-bench/sgemm.py          (there)
#
#===-------------------------------------------------------------------------===#

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIZES = (1024, 2048, 4096, 8192)
CHIPS = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
RUNNER = ("sgemm.py", "driver.py", "manifest.py")

KERNEL = """\
uop.kernel @gemm(%A: memref<{n}x{n}xf32>, %B: memref<{n}x{n}xf32>,
                 %C: memref<{n}x{n}xf32>) {{
  %m = uop.range loop {n}
  %n = uop.range loop {n}
  %k = uop.range reduce {n}
  %a = uop.load %A[%m, %k] : memref<{n}x{n}xf32>
  %b = uop.load %B[%k, %n] : memref<{n}x{n}xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<{n}x{n}xf32>
}}
"""


def fail(message):
    sys.exit(f"make_kernels: {message}")


def main():
    parser = argparse.ArgumentParser(description="Makes the kernels that sgemm.py times.")
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "build" / "gpu-bench",
        help="folder to write to (default: build/gpu-bench)",
    )
    parser.add_argument(
        "--bin-dir",
        type=Path,
        default=ROOT / "build" / "release" / "bin",
        help="folder of uop-translate (default: build/release/bin)",
    )
    parser.add_argument(
        "--size",
        type=int,
        action="append",
        help=f"rows and columns, may be repeated (default: {', '.join(map(str, SIZES))})",
    )
    parser.add_argument(
        "--chip",
        action="append",
        help=f"chip to compile for, may be repeated (default: {', '.join(CHIPS)})",
    )
    arguments = parser.parse_args()
    for size in arguments.size or []:
        if size < 1:
            fail(f"expected a size of 1 or more, but got {size}")

    translate = arguments.bin_dir / "uop-translate"
    arguments.output.mkdir(parents=True, exist_ok=True)
    # Kernels of an earlier run would be timed beside the new ones.
    for pattern in ("sgemm_*.ptx", "sgemm_*.json"):
        for old in arguments.output.glob(pattern):
            old.unlink()
    for size in arguments.size or SIZES:
        for chip in arguments.chip or CHIPS:
            output = arguments.output / f"sgemm_{size}.{chip}.ptx"
            command = [translate, "-", "--uop-to-ptx", f"--chip={chip}", "-o", output]
            command.append(f"--manifest={output.with_suffix('.json')}")
            try:
                done = subprocess.run(
                    command, input=KERNEL.format(n=size), text=True, capture_output=True
                )
            except OSError as error:
                fail(f"cannot run {translate}: {error.strerror}; build it, or say --bin-dir=")
            if done.returncode:
                sys.stderr.write(done.stderr)
                fail(f"exit status {done.returncode} from: {' '.join(map(str, command))}")
    for name in RUNNER:
        if arguments.output.resolve() != HERE:
            shutil.copy(HERE / name, arguments.output)
    print(f"kernels and sgemm.py are in {arguments.output}")


if __name__ == "__main__":
    main()
