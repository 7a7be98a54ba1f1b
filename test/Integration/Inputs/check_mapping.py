"""Runs one kernel of a file under several schedules, and as plain loops.

check_mapping.py FILE KERNEL WORK INPUT... [--opts OPTS]... [--tolerance T]

The inputs are WORK/INPUT.npy, the output is the last argument, and what it has
to be is WORK/KERNEL.npy. The output is NaN, or -128 for integers, before.

* Under each OPTS, those of --uop-gpu-map, it is as expected on the emulator.
  OPTS may end in "-> GX,GY,GZ BX,BY,BZ": the launch shape.
* So it is without a GPU: as the plain loops of --device=cpu, and on the
  reference interpreter.
"""

import argparse
import os
import re
import subprocess

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("kernel")
parser.add_argument("work")
parser.add_argument("inputs", nargs="*")
parser.add_argument("--opts", action="append", default=[])
parser.add_argument("--tolerance", type=float, default=0)
args = parser.parse_args()


def path(file):
    return os.path.join(args.work, file)


def tool(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"
    return result.stdout, result.stderr


with open(args.file) as file:
    text = file.read()
kernel = re.search(r"^uop\.kernel @%s\(.*?^}\n" % args.kernel, text, re.M | re.S)
with open(path("kernel.mlir"), "w") as file:
    file.write(kernel.group(0))

expected = np.load(path(f"{args.kernel}.npy"))
sentinel = "nan" if expected.dtype.kind == "f" else "fill:-128"
inputs = [path(f"{name}.npy") for name in args.inputs]


def run(what, file, *options):
    tool("uop-run", path(file), *inputs, sentinel,
         "--save", f"{len(inputs)}={path('out.npy')}", *options)  # fmt: skip
    result = np.load(path("out.npy"))
    assert result.shape == expected.shape, (what, result.shape)
    if args.tolerance:
        # False for NaN, which was there before.
        right = np.abs(result - expected) <= args.tolerance * np.abs(expected)
    else:
        right = result == expected
    wrong = np.argwhere(~right)
    assert right.all(), f"{what}: {len(wrong)} wrong, such as {wrong[:4].tolist()}"


for entry in args.opts:
    opts, _, launch = (part.strip() for part in entry.partition("->"))
    mapped, remark = tool("uop-opt", path("kernel.mlir"), f"--uop-gpu-map={opts}",
                          "--uop-print-launch")  # fmt: skip
    if launch:
        grid, block = launch.split()
        shape = f"@{args.kernel}: grid ({grid}), block ({block}),"
        assert shape in remark, f"{opts}: expected {shape}, but got {remark}"
    with open(path("mapped.mlir"), "w") as file:
        file.write(mapped)
    run(opts, "mapped.mlir")
run("plain loops", "kernel.mlir", "--device=cpu")
run("reference", "kernel.mlir", "--reference")
