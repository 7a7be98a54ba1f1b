# Writes kernels that reduce over the threads of a block, and what NumPy makes
# of them: a directory of NAME.mlir, its arguments NAME.<index>.npy and the
# expected NAME.out.npy, which is the last argument.

import sys

import numpy as np

directory = sys.argv[1]
random = np.random.default_rng(7)


def save(name, text, inputs, expected):
    with open(f"{directory}/{name}.mlir", "w") as file:
        file.write(text)
    for index, value in enumerate(inputs):
        np.save(f"{directory}/{name}.{index}.npy", value)
    np.save(f"{directory}/{name}.out.npy", expected)


def integers(*shape):
    return random.integers(-100, 100, shape, dtype=np.int32)


# Rows of every length: a part of a warp, a warp, some warps, a whole block.
for n in [1, 2, 3, 7, 16, 31, 32, 33, 48, 64, 100, 256, 1000, 1024]:
    x = integers(5, n)
    save(f"sum_{n}", f"""
uop.kernel @k(%in: memref<5x{n}xi32>, %out: memref<2x5xi32>) {{
  %r = uop.range global<x> 5
  %g = uop.range group_reduce<x> {n}
  %x = uop.load %in[%r, %g] : memref<5x{n}xi32>
  %s = uop.reduce add %x over(%g) : i32
  %m = uop.reduce maxsi %x over(%g) : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  uop.store %s, %out[%c0, %r] : memref<2x5xi32>
  uop.store %m, %out[%c1, %r] : memref<2x5xi32>
}}
""", [x], np.stack([x.sum(1, dtype=np.int32), x.max(1)]))

# The place of the largest element, the first of several. Seven values only, so
# that there are several; the order of the points is that of the memory.
ARGMAX = """
  %j = arith.index_cast %p : index to i32
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %best, %at = uop.reduce (%x, %j) init(%lowest, %none) over(OVER)
      combine (%b0: f32, %a0: i32, %y: f32, %k0: i32) {
    %more = arith.cmpf ogt, %y, %b0 : f32
    %b1 = arith.select %more, %y, %b0 : f32
    %a1 = arith.select %more, %k0, %a0 : i32
    uop.yield %b1, %a1 : f32, i32
  } : f32, i32"""
for name, d, n, k, over, stride in [
    ("lanes", "x", 20, 1, "%g, %k", (1, 1)),
    ("warps", "x", 96, 3, "%g, %k", (3, 1)),
    ("columns", "y", 12, 2, "%g, %k", (2, 1)),
    # The thread's own loop is the outer one: exchanges in each iteration.
    ("inner", "x", 40, 3, "%k, %g", (1, 40)),
]:
    x = random.integers(0, 7, (6, n * k)).astype(np.float32)
    save(f"argmax_{name}", f"""
uop.kernel @k(%in: memref<6x{n * k}xf32>, %out: memref<6xi32>) {{
  %r = uop.range serial 6
  %g = uop.range group_reduce<{d}> {n}
  %k = uop.range reduce {k}
  %cg = arith.constant {stride[0]} : index
  %ck = arith.constant {stride[1]} : index
  %pg = arith.muli %g, %cg : index
  %pk = arith.muli %k, %ck : index
  %p = arith.addi %pg, %pk : index
  %x = uop.load %in[%r, %p] : memref<6x{n * k}xf32>
{ARGMAX.replace("OVER", over)}
  uop.store %at, %out[%r] : memref<6xi32>
}}
""", [x], x.argmax(1).astype(np.int32))

# Four copies a thread, three rows of threads a block, 17 of which reduce; the
# threads along x that store are more than those that reduce.
x = integers(2, 3, 4, 17)
save("copies", """
uop.kernel @k(%in: memref<2x3x4x17xi32>, %out: memref<2x3x4x40xi32>) {
  %b = uop.range global<x> 2
  %y = uop.range local<y> 3
  %c = uop.range upcast 4
  %g = uop.range group_reduce<x> 17
  %l = uop.range local<x> 40
  %x = uop.load %in[%b, %y, %c, %g] : memref<2x3x4x17xi32>
  %s = uop.reduce add %x over(%g) : i32
  %l32 = arith.index_cast %l : index to i32
  %t = arith.addi %s, %l32 : i32
  uop.store %t, %out[%b, %y, %c, %l] : memref<2x3x4x40xi32>
}
""", [x], x.sum(3, dtype=np.int32)[..., None] + np.arange(40, dtype=np.int32))

# Threads along two dimensions, while the third stores.
x = integers(6, 3, 10)
save("plane", """
uop.kernel @k(%in: memref<6x3x10xi32>, %out: memref<3xi32>) {
  %z = uop.range group_reduce<z> 6
  %y = uop.range local<y> 3
  %g = uop.range group_reduce<x> 10
  %x = uop.load %in[%z, %y, %g] : memref<6x3x10xi32>
  %s = uop.reduce add %x over(%z, %g) : i32
  uop.store %s, %out[%y] : memref<3xi32>
}
""", [x], x.sum((0, 2), dtype=np.int32))

# A maximum over five points of sums over 64 threads, both in a loop.
x = integers(4, 5, 64)
save("nested", """
uop.kernel @k(%in: memref<4x5x64xi32>, %out: memref<4xi32>) {
  %r = uop.range serial 4
  %k = uop.range reduce 5
  %g = uop.range group_reduce<x> 64
  %x = uop.load %in[%r, %k, %g] : memref<4x5x64xi32>
  %s = uop.reduce add %x over(%g) : i32
  %m = uop.reduce maxsi %s over(%k) : i32
  uop.store %m, %out[%r] : memref<4xi32>
}
""", [x], x.sum(2, dtype=np.int32).max(1))

# A softmax: two reductions over the threads, the second of what depends on the
# first. In f64, where sums in any order agree to 1e-12.
x = random.standard_normal((9, 96))
e = np.exp2(x - x.max(1, keepdims=True))
save("softmax", """
uop.kernel @k(%in: memref<9x96xf64>, %out: memref<9x96xf64>) {
  %r = uop.range serial 9
  %g = uop.range group_reduce<x> 96
  %h = uop.range group_reduce<x> 96
  %l = uop.range local<x> 96
  %x = uop.load %in[%r, %g] : memref<9x96xf64>
  %m = uop.reduce maximumf %x over(%g) : f64
  %y = uop.load %in[%r, %h] : memref<9x96xf64>
  %dy = arith.subf %y, %m : f64
  %ey = math.exp2 %dy : f64
  %s = uop.reduce add %ey over(%h) : f64
  %z = uop.load %in[%r, %l] : memref<9x96xf64>
  %dz = arith.subf %z, %m : f64
  %ez = math.exp2 %dz : f64
  %q = arith.divf %ez, %s : f64
  uop.store %q, %out[%r, %l] : memref<9x96xf64>
}
""", [x], e / e.sum(1, keepdims=True))

# Online softmax of the first 20 of 48 elements: 28 threads have no point, and
# what the combiner makes of two of them would be no number.
x = random.standard_normal((1, 48))
e = np.exp2(x[:, :20] - x[:, :20].max(1, keepdims=True))
save("online", """
uop.kernel @k(%in: memref<1x48xf64>, %out: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %g = uop.range group_reduce<x> 48
  %some = arith.cmpi slt, %g, %c20 : index
  %x = uop.load %in[%c0, %g] mask %some : memref<1x48xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %m, %s = uop.reduce (%x, %one) init(%lowest, %zero) over(%g) mask %some
      combine (%m1: f64, %s1: f64, %m2: f64, %s2: f64) {
    %max = arith.maximumf %m1, %m2 : f64
    %d1 = arith.subf %m1, %max : f64
    %d2 = arith.subf %m2, %max : f64
    %e1 = math.exp2 %d1 : f64
    %e2 = math.exp2 %d2 : f64
    %p1 = arith.mulf %s1, %e1 : f64
    %p2 = arith.mulf %s2, %e2 : f64
    %sum = arith.addf %p1, %p2 : f64
    uop.yield %max, %sum : f64, f64
  } : f64, f64
  uop.store %s, %out[%c0] : memref<1xf64>
}
""", [x], e.sum(1))

# Each element times the sum of four others, in place.
x, y = integers(6), integers(4)
save("in_place", """
uop.kernel @k(%y: memref<4xi32>, %x: memref<6xi32>) {
  %r = uop.range serial 6
  %g = uop.range group_reduce<x> 4
  %a = uop.load %x[%r] : memref<6xi32>
  %b = uop.load %y[%g] : memref<4xi32>
  %p = arith.muli %a, %b : i32
  %s = uop.reduce add %p over(%g) : i32
  uop.store %s, %x[%r] : memref<6xi32>
}
""", [y, x], x * y.sum(dtype=np.int32))
