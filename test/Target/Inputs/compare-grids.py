"""Compares the grids of a manifest with those of launches.

Usage: compare-grids.py UOP-RUN FILE.mlir FILE.json [NUMBERS]

Each kernel of the manifest is run on a few combinations of numbers and sizes,
always the same ones, with NUMBERS, if any, for the scalars. What it then
says of its launch must be what the expressions of the manifest come to: nothing
for a grid without blocks, an error for one beyond the limits.
"""

import itertools
import json
import random
import re
import subprocess
import sys

run, source, manifest = sys.argv[1:4]
with open(manifest) as file:
    kernels = json.load(file)["kernels"]

# A scalar i1, other scalars, and the sizes of arrays.
bits, numbers, sizes = (0, 1), (-100, -7, 5, 1000), (0, 3, 64, 97)
if sys.argv[4:]:
    numbers = [int(text) for text in sys.argv[4:]]
limits = (2**31 - 1, 65535, 65535)

for kernel in kernels:
    variables = [
        argument["name"]
        for argument in kernel["arguments"]
        if argument["kind"] in ("scalar", "size")
    ]
    choices = [
        sizes if argument["kind"] == "size" else bits if argument["type"] == "i1" else numbers
        for argument in kernel["arguments"]
        if argument["kind"] in ("scalar", "size")
    ]
    combinations = list(itertools.product(*choices))
    for values in random.Random(3).sample(combinations, min(8, len(combinations))):
        names = dict(zip(variables, values))
        grid = [eval(str(extent), {"min": min, "max": max}, names) for extent in kernel["grid"]]
        beyond = [dim for dim in range(3) if min(grid) > 0 and grid[dim] > limits[dim]]
        launched = min(grid) > 0 and not beyond
        expected = [str(tuple(int(extent) for extent in grid))] if launched else []

        texts = []
        for argument in kernel["arguments"]:
            if argument["kind"] == "scalar":
                texts.append(str(names[argument["name"]]))
            elif argument["kind"] == "memref":
                shape = (str(names.get(size, size)) for size in argument["shape"])
                texts.append("zeros:" + "x".join(shape))
        command = [run, source, "-e", kernel["name"], "--print-launch", *texts]
        result = subprocess.run(command, capture_output=True, text=True)
        got = re.findall(r"grid (\([^)]*\))", result.stdout)
        assert got == expected, f"{command}: expected {expected}, but got {got}"
        assert result.returncode == bool(beyond), f"{command}: {result.stderr}"
        if beyond:
            message = f"expected at most {limits[beyond[0]]} blocks along {'xyz'[beyond[0]]}"
            assert message in result.stderr, f"{command}: expected {message}"
