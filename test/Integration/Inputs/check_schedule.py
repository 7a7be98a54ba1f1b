"""Maps one kernel of a file, and checks what each tool says of it and gives.

check_schedule.py FILE KERNEL OPTS GX,GY,GZ BX,BY,BZ WORK INPUT... [--OPTION]

OPTS are those of --uop-gpu-map, or "loops" for a kernel in loop form. The
inputs are WORK/INPUT.npy, the output is the last argument, and what it has to
be is WORK/KERNEL.on.npy with contraction, WORK/KERNEL.off.npy without.

* The launch shape is the same in the mapped kernel, the device code, the host
  code, the PTX, the manifest and the run.
* A thread or block index is read exactly along the axes that have several
  threads or blocks, in the gpu dialect and in PTX.
* The output, which is NaN before, is as expected, and so is that of the
  reference interpreter for graph form.
* ptxas takes the PTX, which calls nothing outside.
"""

import argparse
import json
import os
import re
import subprocess

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("kernel")
parser.add_argument("opts")
parser.add_argument("grid", type=lambda s: [int(n) for n in s.split(",")])
parser.add_argument("block", type=lambda s: [int(n) for n in s.split(",")])
parser.add_argument("work")
parser.add_argument("inputs", nargs="*")
parser.add_argument("--expect", help="instead of KERNEL in the expected files")
parser.add_argument("--shared", type=int, default=0)
parser.add_argument("--ulps", type=int, default=0)
parser.add_argument("--accumulators", type=int)
parser.add_argument("--no-loop", action="store_true")
args = parser.parse_args()
name, grid, block = args.kernel, args.grid, args.block
loop_form = args.opts == "loops"


def tool(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"
    return result.stdout, result.stderr


def expect(what, got, expected):
    assert got == expected, f"@{name}: {what} is {got}, expected {expected}"


def path(file):
    return os.path.join(args.work, file)


# Only this kernel, so that a launch is found without its name.
with open(args.file) as file:
    text = file.read()
aliases = "".join(re.findall(r"^!.*\n", text, re.M))
kernel = re.search(r"^uop\.kernel (?:loops )?@%s\(.*?^}\n" % name, text, re.M | re.S)
with open(path("kernel.mlir"), "w") as file:
    file.write(aliases + kernel.group(0))

# The kernel, mapped: the extents of its hardware ranges.
map_kernel = [] if loop_form else [f"--uop-gpu-map={args.opts}"]
mapped, remark = tool(
    "uop-opt", path("kernel.mlir"), *map_kernel, "--uop-print-launch"
)
with open(path("mapped.mlir"), "w") as file:
    file.write(mapped)
triple = lambda sizes: "(" + ",".join(map(str, sizes)) + ")"
assert f"@{name}: grid {triple(grid)}, block {triple(block)}," in remark, remark
for axis, sizes in ("global", grid), ("local", block):
    extents = dict(re.findall(r"uop.range %s<(.)> (\d+)" % axis, mapped))
    expect(f"{axis} ranges", [int(extents.get(d, 1)) for d in "xyz"], sizes)

# The gpu dialect.
gpu, _ = tool("uop-opt", path("mapped.mlir"), "--uop-lower-to-gpu-pipeline")
for what, sizes in ("block", block), ("grid", grid):
    stated = re.search(rf"known_{what}_size = array<i32: ([\d, ]+)>", gpu).group(1)
    expect(f"known {what} size", [int(n) for n in stated.split(",")], sizes)
for op, sizes in ("block_id", grid), ("thread_id", block):
    used = set(re.findall(rf"gpu\.{op} +(.)", gpu))
    expect(op, used, {d for d, n in zip("xyz", sizes) if n > 1})
device = gpu[: gpu.index("func.func")]
if args.no_loop:
    assert "scf.for" not in device, device
if args.accumulators:
    lists = re.findall(r"iter_args\((.*?)\)", device)
    expect("accumulators", [l.count("=") for l in lists], [args.accumulators])
    assert "memref.alloc" not in device and "private(" not in device, device

# The host code, which --convert-to-nvvm leaves as it is.
nvvm, _ = tool("uop-opt", path("mapped.mlir"), "--convert-to-nvvm")
assert "#nvvm.target" in nvvm
for host in gpu, nvvm:
    host = host[host.index("func.func") :]
    constants = dict(re.findall(r"(%\w+) = arith.constant (\d+) : index", host))
    launch = re.search(r"blocks in \((.*?)\) threads in \((.*?)\)", host)
    for values, sizes in zip(launch.groups(), (grid, block)):
        expect("launch", [int(constants[v]) for v in values.split(", ")], sizes)

# PTX and the manifest.
for chip in "sm_80", "sm_90a":
    ptx_file = path(f"{chip}.ptx")
    tool("uop-translate", path("mapped.mlir"), "--uop-to-ptx", f"--chip={chip}",
         "-o", ptx_file)  # fmt: skip
    with open(ptx_file) as file:
        ptx = file.read()
    expect("reqntid", re.findall(r"\.reqntid (.*)", ptx), [", ".join(map(str, block))])
    assert ".extern .func" not in ptx and ".local" not in ptx, ptx
    for register, sizes in ("ctaid", grid), ("tid", block):
        used = set(re.findall(rf"%{register}\.(.)", ptx))
        expect(register, used, {d for d, n in zip("xyz", sizes) if n > 1})
    with open(path(f"{chip}.json")) as file:
        (entry,) = json.load(file)["kernels"]
    expect("name", entry["name"], name)
    expect("grid of the manifest", entry["grid"], grid)
    expect("block of the manifest", entry["block"], block)
    expect("shared bytes of the manifest", entry["shared_bytes"], args.shared)
    ptxas = os.path.join(os.environ.get("CUDA_HOME", ""), "bin", "ptxas")
    if os.path.exists(ptxas):
        tool(ptxas, f"-arch={chip}", ptx_file, "-o", path(f"{chip}.cubin"))

# The run.
inputs = [path(f"{input}.npy") for input in args.inputs]
output = len(inputs)
for contract in "on", "off":
    expected = np.atleast_1d(np.load(path(f"{args.expect or name}.{contract}.npy")))
    runs = [[], ["--reference"]]
    results = []
    for run in runs[:1] if loop_form else runs:
        out, _ = tool("uop-run", path("mapped.mlir"), *inputs, "nan",
                      f"--fp-contract={contract}", "--save", f"{output}={path('out.npy')}",
                      *(run or ["--print-launch"]))  # fmt: skip
        if not run:
            spaced = [triple(s).replace(",", ", ") for s in (grid, block)]
            expect("run", out, f"launch: @{name} grid {spaced[0]} block {spaced[1]} "
                   f"shared {args.shared} bytes\n")  # fmt: skip
        results.append(np.atleast_1d(np.load(path("out.npy"))))
        # A NaN is a mismatch: it was there before.
        if args.ulps:
            apart = np.abs(results[-1].view(np.int32).astype(np.int64) - expected.view(np.int32))
            assert not np.isnan(results[-1]).any() and apart.max() <= args.ulps, apart.max()
        else:
            wrong = results[-1].view(np.uint8) != expected.view(np.uint8)
            assert not wrong.any(), f"@{name} {run} {contract}: {np.argwhere(wrong)[:4]}"
