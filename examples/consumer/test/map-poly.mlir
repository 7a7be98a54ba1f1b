// RUN: consumer-opt --convert-poly-to-uop --map-poly=threads=64 %s | FileCheck %s
// RUN: consumer-opt --convert-poly-to-uop --map-poly --convert-to-nvvm %s \
// RUN:   | FileCheck %s --check-prefix=NVVM
// RUN: consumer-opt --convert-poly-to-uop --map-poly %s | uop-translate --uop-to-ptx \
// RUN:   | FileCheck %s --check-prefix=PTX

// Rows are blocks along y; 100 elements are two blocks of 64 threads, the last
// of which do nothing.

// CHECK-LABEL: uop.kernel @poly(
// CHECK-DAG:     uop.range global<y> 7
// CHECK-DAG:     uop.range global<x> 2
// CHECK-DAG:     uop.range local<x> 64
// CHECK:         uop.load {{.*}} mask
// CHECK:         uop.store {{.*}} mask

// NVVM: gpu.module
// NVVM: llvm.func @poly({{.*}}gpu.kernel
// PTX: .entry poly(
func.func @rows(%x: memref<7x100xf32>, %y: memref<7x100xf32>) {
  poly.eval [1.0, 2.0, 3.0] of %x into %y : memref<7x100xf32>
  return
}
