// What a kernel states of the alignment of an argument is held against what it
// is given, on a GPU and as plain loops.
// RUN: uop-opt %s --uop-lower-to-gpu-pipeline | FileCheck %s
// RUN: uop-opt %s --uop-split-tails --convert-uop-to-func | FileCheck %s --check-prefix=CPU
// RUN: uop-run %s -e at ones zeros 16 | count 0
// RUN: not uop-run %s -e at ones zeros 4 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: uop-run %s -e far iota zeros

// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-NEXT:    %[[MASK:.*]] = arith.constant 15 : index
// CHECK-NEXT:    %[[REST:.*]] = arith.andi %[[ADDRESS]], %[[MASK]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[REST]],
// CHECK-NEXT:    cf.assert %[[OK]], "launch of @copy: expected argument 0 to begin at a multiple of 16 bytes, as its llvm.align says"
// CHECK-NOT:     extract_aligned
// CHECK:         gpu.launch_func
uop.kernel loops @copy(%x: memref<64xf32> {llvm.align = 16 : i64}, %y: memref<64xf32> {llvm.align = 4 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = memref.load %x[%c0] : memref<64xf32>
  %b = memref.load %x[%c1] : memref<64xf32>
  %c = memref.load %x[%c2] : memref<64xf32>
  %d = memref.load %x[%c3] : memref<64xf32>
  memref.store %d, %y[%c0] : memref<64xf32>
  memref.store %c, %y[%c1] : memref<64xf32>
  memref.store %b, %y[%c2] : memref<64xf32>
  memref.store %a, %y[%c3] : memref<64xf32>
}

// The line of the kernel, which states it.
// ERR: argument-alignment.mlir:[[#@LINE-16]]:1: error: launch of @copy: expected argument 0 to begin at a multiple of 16 bytes, as its llvm.align says
func.func @at(%bytes: memref<512xi8>, %y: memref<64xf32>, %shift: index) {
  %x = memref.view %bytes[%shift][] : memref<512xi8> to memref<64xf32>
  uop.launch @copy(%x, %y) : memref<64xf32>, memref<64xf32>
  return
}

// uop-run aligns as it is asked to. 0 says nothing.
// CPU-LABEL: func.func @far(
// CPU:         arith.constant 4095 : index
// CPU:         cf.assert %{{.*}}, "launch of @far: expected argument 0 to begin at a multiple of 4096 bytes, as its llvm.align says"
// CPU-NOT:     cf.assert
// CPU:         return
uop.kernel loops @far(%x: memref<64xf32> {llvm.align = 4096 : i64}, %y: memref<64xf32> {llvm.align = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<64xf32>
  memref.store %a, %y[%c0] : memref<64xf32>
}
