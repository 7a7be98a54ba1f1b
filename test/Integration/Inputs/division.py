"""division.py FOLDER: a kernel for each integer width that divides by 2, 3, 5,
7, 8, 641 and their negatives in every way that arith and uop have; its inputs,
with the extremes of the width; and the quotients and remainders of Python.
"""

import os
import sys

import numpy as np

folder = sys.argv[1]
DIVISORS = [sign * d for d in (2, 3, 5, 7, 8, 641) for sign in (1, -1)]


def truncated(x, d):
    return abs(x) // abs(d) * (1 if (x < 0) == (d < 0) else -1)


# Of the signed x and d, and of the same bits as unsigned numbers.
OPS = {
    "arith.divsi": lambda x, d, ux, ud: truncated(x, d),
    "arith.remsi": lambda x, d, ux, ud: x - truncated(x, d) * d,
    "arith.floordivsi": lambda x, d, ux, ud: x // d,
    "arith.ceildivsi": lambda x, d, ux, ud: -(-x // d),
    "arith.divui": lambda x, d, ux, ud: ux // ud,
    "arith.remui": lambda x, d, ux, ud: ux % ud,
    "arith.ceildivui": lambda x, d, ux, ud: -(-ux // ud),
}
INDEX_OPS = {
    "uop.floordiv": lambda x, d, ux, ud: x // d,
    "uop.floormod": lambda x, d, ux, ud: x % d,
}


def write(name, data, compute, width, ops, numbers):
    low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
    divisors = [d for d in DIVISORS if low <= d <= high]
    shape = (len(divisors), len(ops), len(numbers))
    out = "memref<%dx%dx%dx%s>" % (*shape, data)
    memref = f"memref<{len(numbers)}x{data}>"
    convert = data != compute
    lines = [f"uop.kernel @{name}(%x: {memref}, %y: {out}) {{"]
    lines += [f"  %i = uop.range loop {len(numbers)}", f"  %v = uop.load %x[%i] : {memref}"]
    if convert:
        lines += [f"  %w = arith.index_cast %v : {data} to {compute}"]
    x = "%w" if convert else "%v"
    for n in range(max(shape[:2])):
        lines += [f"  %c{n} = arith.constant {n} : index"]
    expected = np.zeros(shape, f"i{width // 8}")
    for row, d in enumerate(divisors):
        lines += [f"  %d{row} = arith.constant {d} : {compute}"]
        for column, (op, function) in enumerate(ops.items()):
            result = f"%r{row}_{column}"
            type = "" if convert else f" : {compute}"
            lines += [f"  {result} = {op} {x}, %d{row}{type}"]
            if convert:
                lines += [f"  {result}d = arith.index_cast {result} : {compute} to {data}"]
                result += "d"
            lines += [f"  uop.store {result}, %y[%c{row}, %c{column}, %i] : {out}"]
            for i, number in enumerate(numbers):
                value = function(number, d, number % 2**width, d % 2**width) % 2**width
                expected[row, column, i] = value - 2**width if value > high else value
    save = lambda part, array: np.save(os.path.join(folder, f"{name}.{part}.npy"), array)
    save("x", np.array(numbers, f"i{width // 8}"))
    save("y", expected)
    return "\n".join(lines + ["}", ""])


text = ""
for width in 8, 16, 32, 64:
    low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
    special = [low, low + 1, low + 2, high - 1, high, *range(-9, 10)]
    drawn = np.random.default_rng(width).integers(low, high, 40, np.int64, True)
    numbers = special + [int(n) for n in drawn]
    text += write(f"i{width}", f"i{width}", f"i{width}", width, OPS, numbers)
text += write("index", "i64", "index", 64, INDEX_OPS, numbers)
with open(os.path.join(folder, "division.mlir"), "w") as file:
    file.write(text)
