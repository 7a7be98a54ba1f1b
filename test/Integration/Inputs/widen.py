"""widen.py WORK: kernels in loop form whose threads copy adjacent elements.

Each of 32 threads takes 16 bytes of each of two rows of x, one element at a
time, leaves them in shared memory, takes those of its opposite and stores them
to y; on a CPU it reads back, from private memory, what it left. WORK/gpu.mlir
and WORK/cpu.mlir have a kernel for each type; WORK/NAME.{x,y,out}.npy are their
arrays.
"""

import sys

import numpy as np

work = sys.argv[1]
head = """
uop.kernel loops @{name}(%x: {mem} {{llvm.align = 16 : i64}}, %y: {mem} {{llvm.align = 16 : i64}}) {{
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %n = arith.constant {n} : index
"""
for_gpu = """
  %b = uop.range global<x> 2
  %t = uop.range local<x> 32
  %opposite = arith.subi %c31, %t : index
  %i0 = arith.muli %t, %n : index
  %o0 = arith.muli %opposite, %n : index
  %s = uop.alloc : memref<{columns}x{type}, #gpu.address_space<workgroup>>
"""
for_cpu = """
  %b = uop.range thread 2
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %c32 step %c1 {{
  %opposite = arith.subi %c31, %t : index
  %i0 = arith.muli %t, %n : index
  %o0 = arith.muli %opposite, %n : index
  %s = uop.alloc : memref<{columns}x{type}, #gpu.address_space<private>>
"""
indices = """
  %i{next} = arith.addi %i{e}, %c1 : index
  %o{next} = arith.addi %o{e}, %c1 : index
"""
copy_in = """
  %x{e} = memref.load %x[%b, %i{e}] : {mem}
  memref.store %x{e}, %s[%{at}{e}] : memref<{columns}x{type}, #gpu.address_space<{space}>>
"""
copy_out = """
  %y{e} = memref.load %s[%o{e}] : memref<{columns}x{type}, #gpu.address_space<{space}>>
  memref.store %y{e}, %y[%b, %i{e}] : {mem}
"""
types = {"f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
random = np.random.default_rng(5)
for device in ("gpu", "cpu"):
    with open(f"{work}/{device}.mlir", "w") as file:
        for type, dtype in types.items():
            n = 16 // np.dtype(dtype).itemsize
            columns = 32 * n
            mem = f"memref<2x{columns}x{type}>"
            name = f"{device}_{type}"
            values = dict(name=name, n=n, columns=columns, mem=mem, type=type, next=None, e=None,
                          space="workgroup" if device == "gpu" else "private", at="i" if device == "gpu" else "o")
            text = head + (for_gpu if device == "gpu" else for_cpu)
            file.write(text.format(**values))
            for e in range(n - 1):
                file.write(indices.format(**{**values, "e": e, "next": e + 1}))
            for e in range(n):
                file.write(copy_in.format(**{**values, "e": e}))
            if device == "gpu":
                file.write("  uop.barrier\n")
            for e in range(n):
                file.write(copy_out.format(**{**values, "e": e}))
            file.write("}\n" if device == "gpu" else "}\n}\n")
            x = random.integers(0, 100, (2, columns)).astype(dtype)
            y = np.full_like(x, 77)
            out = x.reshape(2, 32, n)[:, ::-1].reshape(2, columns) if device == "gpu" else x
            for key, array in (("x", x), ("y", y), ("out", out)):
                np.save(f"{work}/{name}.{key}.npy", array)
            print(name)
