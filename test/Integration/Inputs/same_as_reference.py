"""same_as_reference.py FILE WORK [--only REGEX] [--skip REGEX] [--run=OPTION]

Runs the kernels in graph form of a file on generated arguments, once on the
reference interpreter and once with the option, and compares the bits of all
that is left in memory. A NaN equals any NaN.
"""

import argparse
import os
import re
import subprocess
import sys

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("work")
parser.add_argument("--only", default="")
parser.add_argument("--skip", default="(?!)")
parser.add_argument("--run")
args = parser.parse_args()

with open(args.file) as file:
    text = file.read()
aliases = dict(re.findall(r"^(!\w+) = (.*)$", text, re.M))
header = "".join(f"{name} = {type}\n" for name, type in aliases.items())
single = os.path.join(args.work, "kernel.mlir")


def make_arguments(signature, body):
    """What the kernel is run on, and the numbers of the arguments it stores."""
    values, outputs = [], []
    types = re.findall(r"%(\w+): ([^%]*?)(?:,\s*(?=%)|$)", signature, re.S)
    for index, (name, type) in enumerate(types):
        type = aliases.get(type.strip(), type.strip())
        if not type.startswith("memref"):
            values.append({"i": "7", "b": "1.5", "f": "1.5"}[type[0]] if type != "i1" else "1")
            continue
        # An accumulating store reads what is there.
        read = rf"uop\.load %{name}\[|uop\.store \w+ %\w+, %{name}\["
        values.append("rand" if re.search(read, body) else "nan")
        if re.search(rf"uop\.store [^\n]*%{name}\[", body):
            outputs.append(index)
    return values, outputs


def run(what, values, outputs, *options):
    saved = [os.path.join(args.work, f"{what}{index}.npy") for index in outputs]
    saves = [f"--save={index}={path}" for index, path in zip(outputs, saved)]
    command = ["uop-run", single, *values, *saves, *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return [np.load(path) for path in saved]


def is_same(a, b):
    # Two opaque bytes are bf16.
    if a.dtype == np.dtype("V2"):
        a, b = ((x.view(np.uint16).astype(np.uint32) << 16).view(np.float32) for x in (a, b))
    if a.dtype.kind != "f":
        return a == b
    return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)


failures = kernels = 0
for kernel in re.finditer(r"^uop\.kernel @(\w+)\((.*?)\)[^\n]*\{\n(.*?)^}\n", text, re.M | re.S):
    name, signature, body = kernel.groups()
    if not re.search(args.only, name) or re.search(args.skip, name):
        continue
    kernels += 1
    with open(single, "w") as file:
        file.write(header + kernel.group(0))
    values, outputs = make_arguments(signature, body)
    expected = run("reference", values, outputs, "--reference")
    got = run("run", values, outputs, *([args.run] if args.run else []))
    for index, a, b in zip(outputs, expected, got):
        same = is_same(a, b)
        if not same.all():
            failures += 1
            print(f"@{name}, argument #{index}: {np.argwhere(~same)[:4]}, {a[~same][:4]}, {b[~same][:4]}")
print(f"{kernels} kernels")
sys.exit(failures != 0 or kernels == 0)
