"""place_shared.py WORK UOP_RUN: tiles in shared memory give NumPy's results.

Matrix products of all orders of axes and of sizes that divide nothing, a batch
of them, a convolution, the scores of attention, and transpositions, with small
integers, so that sums are exact in any order. Prints a line for each kernel.
"""

import subprocess
import sys

import numpy as np

work, uop_run = sys.argv[1:]
random = np.random.default_rng(3)
TYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64, "i8": np.int8}


def run(name, source, inputs, expected):
    path = f"{work}/{name}"
    with open(path + ".mlir", "w") as file:
        file.write(source)
    files = []
    for index, array in enumerate(inputs):
        files.append(f"{path}.{index}.npy")
        np.save(files[-1], np.ascontiguousarray(array))
    # A sentinel, which no result has.
    np.save(path + ".out.npy", np.full(expected.shape, 99, expected.dtype))
    np.save(path + ".expected.npy", expected)
    command = [uop_run, path + ".mlir", *files, path + ".out.npy",
               "--compare", f"{len(inputs)}={path}.expected.npy",
               "--print-launch"]
    result = subprocess.run(command, capture_output=True, text=True)
    launch = result.stdout.splitlines()[0] if result.stdout else ""
    is_staged = "shared 0 bytes" not in launch
    print(name, "ok" if result.returncode == 0 else "FAILED " + result.stderr,
          "staged" if is_staged else "plain")


def integers(shape, type):
    return random.integers(-4, 5, shape).astype(TYPES[type])


def memref(shape, type):
    return "memref<" + "".join(f"{size}x" for size in shape) + type + ">"


def gemm(name, m, n, k, type="f32", transposed=""):
    a, b = integers((m, k), type), integers((k, n), type)
    left, right = memref((m, k), type), memref((k, n), type)
    if "a" in transposed:
        left = memref((k, m), type)
    if "b" in transposed:
        right = memref((n, k), type)
    out = memref((m, n), type)
    at = "%k, %m" if "a" in transposed else "%m, %k"
    bt = "%n, %k" if "b" in transposed else "%k, %n"
    multiply = "arith.muli" if type == "i8" else "arith.mulf"
    run(name, f"""
uop.kernel @gemm(%A: {left}, %B: {right}, %C: {out}) {{
  %m = uop.range loop {m}
  %n = uop.range loop {n}
  %k = uop.range reduce {k}
  %a = uop.load %A[{at}] : {left}
  %b = uop.load %B[{bt}] : {right}
  %p = {multiply} %a, %b : {type}
  %c = uop.reduce add %p over(%k) : {type}
  uop.store %c, %C[%m, %n] : {out}
}}""", [a.T if "a" in transposed else a, b.T if "b" in transposed else b],
        (a @ b).astype(TYPES[type]))


for size in (1, 15, 16, 17, 31, 33, 64, 100, 127, 129, 257):
    gemm(f"gemm_{size}", size, size, size)
gemm("gemm_rows", 129, 17, 100)
gemm("gemm_columns", 16, 257, 33)
for transposed in ("a", "b", "ab"):
    gemm(f"gemm_t{transposed}", 65, 66, 67, transposed=transposed)
    gemm(f"gemm_t{transposed}_64", 64, 128, 64, transposed=transposed)
for type in ("f16", "f64", "i8"):
    gemm(f"gemm_{type}", 64, 48, 32, type)
    gemm(f"gemm_{type}_odd", 33, 65, 19, type)

q, k = integers((2, 3, 33, 16), "f32"), integers((2, 3, 33, 16), "f32")
run("attention_scores", """
!qk = memref<2x3x33x16xf32>
uop.kernel @scores(%q: !qk, %k: !qk, %s: memref<2x3x33x33xf32>) {
  %b = uop.range loop 2
  %h = uop.range loop 3
  %i = uop.range loop 33
  %j = uop.range loop 33
  %d = uop.range reduce 16
  %x = uop.load %q[%b, %h, %i, %d] : !qk
  %y = uop.load %k[%b, %h, %j, %d] : !qk
  %p = arith.mulf %x, %y : f32
  %sum = uop.reduce add %p over(%d) : f32
  uop.store %sum, %s[%b, %h, %i, %j] : memref<2x3x33x33xf32>
}""", [q, k], q @ k.swapaxes(-1, -2))

x, w = integers((3, 16, 16), "f32"), integers((16, 3, 3, 3), "f32")
padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
bias = integers((16,), "f32")
convolved = np.einsum("cijde,ocde->oij", windows, w) + bias[:, None, None]
run("convolution", """
uop.kernel @conv(%x: memref<3x16x16xf32>, %w: memref<16x3x3x3xf32>,
                 %bias: memref<16xf32>, %out: memref<16x16x16xf32>) {
  %o = uop.range loop 16
  %i = uop.range loop 16
  %j = uop.range loop 16
  %c = uop.range reduce 3
  %di = uop.range reduce 3
  %dj = uop.range reduce 3
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.addi %i, %di : index
  %j1 = arith.addi %j, %dj : index
  %row = arith.subi %i1, %c1 : index
  %column = arith.subi %j1, %c1 : index
  %above = arith.cmpi sge, %row, %c0 : index
  %below = arith.cmpi slt, %row, %c16 : index
  %left = arith.cmpi sge, %column, %c0 : index
  %right = arith.cmpi slt, %column, %c16 : index
  %rows = arith.andi %above, %below : i1
  %columns = arith.andi %left, %right : i1
  %inside = arith.andi %rows, %columns : i1
  %a = uop.load %x[%c, %row, %column] mask %inside : memref<3x16x16xf32>
  %b = uop.load %w[%o, %c, %di, %dj] : memref<16x3x3x3xf32>
  %p = arith.mulf %a, %b : f32
  %sum = uop.reduce add %p over(%c, %di, %dj) : f32
  %add = uop.load %bias[%o] : memref<16xf32>
  %y = arith.addf %sum, %add : f32
  uop.store %y, %out[%o, %i, %j] : memref<16x16x16xf32>
}""", [x, w, bias], convolved.astype(np.float32))

for type in TYPES:
    for rows, columns in ((64, 96), (33, 31), (100, 257)):
        t = integers((rows, columns), type)
        source, target = memref(t.shape, type), memref(t.T.shape, type)
        run(f"transpose_{type}_{rows}", f"""
uop.kernel @transpose(%x: {source}, %y: {target}) {{
  %i = uop.range loop {columns}
  %j = uop.range loop {rows}
  %v = uop.load %x[%j, %i] : {source}
  uop.store %v, %y[%i, %j] : {target}
}}""", [t], np.ascontiguousarray(t.T))
