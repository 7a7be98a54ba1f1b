// What is left of bf16 when its arithmetic is done moves as 16 bits: values,
// constants, and memory of several elements. f32 stays.
// RUN: uop-opt %s --uop-bfloat16-to-bits | FileCheck %s

// CHECK-NOT: bf16
// CHECK: llvm.mlir.global internal @table(dense<[16256, -16448]> : tensor<2xi16>)
llvm.mlir.global internal @table(dense<[1.0, -1.5]> : tensor<2xbf16>) : !llvm.array<2 x bf16>

// CHECK-LABEL: llvm.func @move(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i16, %[[SINGLE:.*]]: f32) -> f32
llvm.func @move(%p: !llvm.ptr, %x: bf16, %single: f32) -> f32 {
  // CHECK: llvm.mlir.constant(32640 : i16) : i16
  %infinity = llvm.mlir.constant(0x7F80 : bf16) : bf16
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> i16
  %y = llvm.load %p : !llvm.ptr -> bf16
  %c = llvm.mlir.constant(true) : i1
  // CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i16
  %z = llvm.select %c, %y, %infinity : i1, bf16
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr
  llvm.store %z, %p : bf16, !llvm.ptr
  llvm.return %single : f32
}
