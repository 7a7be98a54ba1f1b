"""Compares the grids of a manifest with those of launches.

Usage: compare-grids.py UOP-RUN FILE.mlir FILE.json

Each kernel of the manifest is run on a few combinations of numbers and sizes,
always the same ones. What it then
says of its launch must be what the expressions of the manifest come to.
"""

import itertools
import json
import random
import re
import subprocess
import sys

run, source, manifest = sys.argv[1:]
with open(manifest) as file:
    kernels = json.load(file)["kernels"]

# A scalar i1, other scalars, and the sizes of arrays.
bits, numbers, sizes = (0, 1), (-100, -7, 5, 1000), (0, 3, 64, 97)

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
        expected = [str(tuple(int(extent) for extent in grid))] if min(grid) > 0 else []

        texts = []
        for argument in kernel["arguments"]:
            if argument["kind"] == "scalar":
                texts.append(str(names[argument["name"]]))
            elif argument["kind"] == "memref":
                shape = (str(names.get(size, size)) for size in argument["shape"])
                texts.append("zeros:" + "x".join(shape))
        command = [run, source, "-e", kernel["name"], "--print-launch", *texts]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        got = re.findall(r"grid (\([^)]*\))", output)
        assert got == expected, f"{command}: expected {expected}, but got {got}"
