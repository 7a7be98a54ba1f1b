"""vectorize.py WORK: kernels whose threads have adjacent elements, and arrays.

For each type and row length N: rows of x minus one row z, into rows that are 5
elements longer, which have to stay. The row lengths are multiples of all
amounts, of the adjacent elements alone, of nothing, and less than one access.
Writes WORK/vectorize.mlir, and WORK/NAME.{x,z,y,out}.npy for each kernel, whose
names it prints.
"""

import sys

import numpy as np

work = sys.argv[1]
kernel = """
uop.kernel @{name}(%x: memref<6x{n}x{type}> {{llvm.align = 16 : i64}},
                   %z: memref<{n}x{type}> {{llvm.align = 16 : i64}},
                   %y: memref<6x{longer}x{type}> {{llvm.align = 16 : i64}}) attributes {{
    schedule = #uop.schedule<[LOCAL 1:8, UPCAST 1:2, UPCAST 0:4, VECTORIZE 1:{vector}]>}} {{
  %i = uop.range loop 6
  %j = uop.range loop {n}
  %a = uop.load %x[%i, %j] : memref<6x{n}x{type}>
  %b = uop.load %z[%j] : memref<{n}x{type}>
  %c = arith.{sub} %a, %b : {type}
  uop.store %c, %y[%i, %j] : memref<6x{longer}x{type}>
}}
"""
random = np.random.default_rng(3)
with open(f"{work}/vectorize.mlir", "w") as file:
    for type, dtype, vector in (("f16", "f2", 8), ("f32", "f4", 4), ("f64", "f8", 2), ("i8", "i1", 16)):
        for n in (2 * 8 * 2 * vector, 19 * vector, 17 * vector + 1, vector - 1):
            name = f"{type}_{n}"
            sub = "sub" + type[0]
            file.write(kernel.format(name=name, type=type, n=n, longer=n + 5, vector=vector, sub=sub))
            x, z = ((30 * random.standard_normal(shape)).astype(dtype) for shape in ((6, n), n))
            y = np.full((6, n + 5), 77, dtype)
            out = y.copy()
            out[:, :n] = x - z
            for key, array in (("x", x), ("z", z), ("y", y), ("out", out)):
                np.save(f"{work}/{name}.{key}.npy", array)
            print(name)
