// Kernels that a script has mapped compute what the reference interpreter does:
// at every size, with reductions by the threads of a block, and folded axes.
// REQUIRES: numpy, ptxas
// RUN: split-file %s %t
// RUN: cat %t/scripted.mlir %t/script.mlir > %t/in.mlir
// RUN: uop-opt %t/in.mlir --transform-interpreter -o %t/mapped.mlir
// RUN: %python %t/run.py %t uop-run | FileCheck %s --implicit-check-not=FAILED

// CHECK: scale 0 ok
// CHECK-NEXT: scale 1 ok
// CHECK-NEXT: scale 31 ok
// CHECK-NEXT: scale 64 ok
// CHECK-NEXT: scale 1009 ok
// CHECK-NEXT: rows ok
// CHECK-NEXT: box ok
// CHECK-NEXT: first 1 ok
// CHECK-NEXT: first 37 ok

// RUN: uop-opt %t/mapped.mlir --uop-print-launch -o %t/ignored 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: @scale
// LAUNCH-SAME: block (32,1,1)
// LAUNCH: @rows
// LAUNCH-SAME: grid (7,1,1), block (16,1,1)

// RUN: uop-translate --uop-to-ptx --chip=sm_80 %t/mapped.mlir -o %t/80.ptx
// RUN: %ptxas -arch=sm_80 %t/80.ptx -o %t/cubin
// RUN: uop-translate --uop-to-ptx --chip=sm_90a %t/mapped.mlir -o %t/90.ptx
// RUN: %ptxas -arch=sm_90a %t/90.ptx -o %t/cubin

//--- scripted.mlir
!h = !transform.any_op
uop.kernel @scale(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %i = uop.range loop %n
  %v = uop.load %x[%i] : memref<?xf32>
  %two = arith.constant 2.0 : f32
  %w = arith.mulf %v, %two : f32
  uop.store %w, %y[%i] : memref<?xf32>
}
// 101 points by 16 threads, 2 at a time: all sizes are padded.
uop.kernel @rows(%x: memref<7x101xi32>, %y: memref<7xi32>) {
  %i = uop.range loop 7
  %k = uop.range reduce 101
  %v = uop.load %x[%i, %k] : memref<7x101xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %y[%i] : memref<7xi32>
}
uop.kernel @box(%x: memref<3x5x2x11xi32>, %y: memref<11x2x5x3xi32>) {
  %a = uop.range loop 3
  %b = uop.range loop 5
  %c = uop.range loop 2
  %d = uop.range loop 11
  %v = uop.load %x[%a, %b, %c, %d] : memref<3x5x2x11xi32>
  uop.store %v, %y[%d, %c, %b, %a] : memref<11x2x5x3xi32>
}
// The second store lacks the axis.
uop.kernel @first(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<i32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %i = uop.range loop %n
  %v = uop.load %x[%i] : memref<?xi32>
  %u = uop.load %x[%c0] : memref<?xi32>
  uop.store %v, %y[%i] : memref<?xi32>
  uop.store %u, %z[] : memref<i32>
}
//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @linear(%kernel: !h {transform.readonly}) {
    %i = transform.uop.axis %kernel output 0 : (!h) -> !h
    transform.uop.pad %i to_multiple_of 64 : (!h) -> ()
    %outer, %threads = transform.uop.split %i by 32 to local<x> inner : (!h) -> (!h, !h)
    %blocks, %copies = transform.uop.unroll %outer by 2 : (!h) -> (!h, !h)
    transform.uop.map %blocks to global<x> : !h
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernels = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %scale, %rows, %box, %first = transform.split_handle %kernels : (!h) -> (!h, !h, !h, !h)
    transform.include @linear failures(propagate) (%scale) : (!h) -> ()
    transform.include @linear failures(propagate) (%first) : (!h) -> ()

    %i, %k = transform.uop.get_axes %rows : (!h) -> (!h, !h)
    transform.uop.map %i to global<x> : !h
    transform.uop.pad %k to_multiple_of 32 : (!h) -> ()
    %points, %group = transform.uop.group %k by 16 outermost : (!h) -> (!h, !h)
    %steps, %pairs = transform.uop.unroll %points by 2 : (!h) -> (!h, !h)

    %axes, %none = transform.uop.get_axes %box : (!h) -> (!h, !h)
    %all = transform.uop.fold %axes to loop : (!h) -> !h
    transform.uop.pad %all to_multiple_of 32 : (!h) -> ()
    %blocks, %threads = transform.uop.split %all by 32 to local<x> inner : (!h) -> (!h, !h)
    transform.uop.map %blocks to global<y> : !h
    transform.yield
  }
}
//--- run.py
import subprocess
import sys

import numpy as np

folder, tool = sys.argv[1:]


def run(what, kernel, inputs, outputs, expected):
    """Runs a kernel of the mapped module, and compares its outputs."""
    words = []
    for number, array in enumerate(inputs + outputs):
        path = f"{folder}/{number}.npy"
        np.save(path, array)
        words.append(path)
    for number, array in enumerate(expected):
        np.save(f"{folder}/e{number}.npy", array)
        words += ["--compare", f"{len(inputs) + number}={folder}/e{number}.npy"]
    done = subprocess.run(
        [tool, f"{folder}/mapped.mlir", "-e", kernel, *words], capture_output=True, text=True
    )
    print(what, "ok" if done.returncode == 0 else f"FAILED {done.stdout}{done.stderr}")


for n in (0, 1, 31, 64, 1009):
    x = np.arange(n, dtype=np.float32) - 5
    run(f"scale {n}", "scale", [x], [np.full(n, np.nan, np.float32)], [2 * x])
random = np.random.default_rng(1)
x = random.integers(-100, 100, (7, 101), dtype=np.int32)
run("rows", "rows", [x], [np.full(7, 12345, np.int32)], [x.sum(axis=1, dtype=np.int32)])
x = random.integers(-100, 100, (3, 5, 2, 11), dtype=np.int32)
transposed = np.ascontiguousarray(x.transpose(3, 2, 1, 0))
run("box", "box", [x], [np.full_like(transposed, 12345)], [transposed])
for n in (1, 37):
    x = random.integers(-100, 100, n, dtype=np.int32)
    run(f"first {n}", "first", [x], [np.full(n, 12345, np.int32), np.array(12345, np.int32)], [x, x[0]])
