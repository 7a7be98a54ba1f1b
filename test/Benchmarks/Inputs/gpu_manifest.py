"""Binds arguments to kernels that uop-translate described.

Usage: gpu_manifest.py SOURCE DYNAMIC.json GRIDS.json

The first has the kernel @shift of gpu.test, the second those of
test/Target/manifest-grids.mlir, whose expressions Python's own evaluation judges.
"""

import itertools
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "benchmarks" / "gpu"))

from manifest import Array, Manifest, ManifestError, evaluate

# x is 5 x 40 elements from [2, 3] on of a matrix with rows of 64, y a matrix of its
# own. Blocks of 32 threads along the rows: ceil(40 / 32) = 2 by 5.
kernel = Manifest(sys.argv[2]).kernels["shift"]
x = Array(0x7F0000000000, (5, 40), (64, 1), 4, offset=2 * 64 + 3)
y = Array.row_major(0x7F0000100000, (5, 40), 4)
launch = kernel.bind([x, 2.5, y])
assert launch.grid == (2, 5, 1), launch.grid
assert launch.block == (32, 1, 1), launch.block
expected = [
    struct.pack("<Q", 0x7F0000000000),
    struct.pack("<q", 5),
    struct.pack("<q", 40),
    struct.pack("<q", 64),
    struct.pack("<q", 131),
    struct.pack("<f", 2.5),
    struct.pack("<Q", 0x7F0000100000),
    struct.pack("<q", 5),
    struct.pack("<q", 40),
]
assert list(launch.parameters) == expected, launch.parameters
try:
    kernel.bind([x, 2.5, Array(0x7F0000100000, (5, 40), (64, 1), 4)])
    raise AssertionError("rows with a gap are not row-major")
except ManifestError as error:
    assert "expected strides of [40, 1], but got [64, 1]" in str(error), error

count = 0
for kernel in Manifest(sys.argv[3]).kernels.values():
    names = [a["name"] for a in kernel.arguments if a["kind"] in ("scalar", "size")]
    for numbers in itertools.product((1, 3, 64, -7), repeat=len(names)):
        values = dict(zip(names, numbers))
        for extent in kernel.grid:
            if isinstance(extent, str):
                value = eval(extent, {"min": min, "max": max}, values)
                assert evaluate(extent, values) == value, (extent, values)
                count += 1
assert count > 100, count
print("bound")
