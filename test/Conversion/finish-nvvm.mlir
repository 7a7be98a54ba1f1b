// The block size is required, not only an upper bound, where it is known; the
// user's own bound stays.
// RUN: uop-opt %s --pass-pipeline="builtin.module(gpu.module(uop-finish-nvvm))" | FileCheck %s

// CHECK: llvm.func @known()
// CHECK-NOT: nvvm.maxntid
// CHECK-SAME: nvvm.reqntid = array<i32: 32, 1, 1>
// CHECK: llvm.func @bound() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>}
gpu.module @m {
  llvm.func @known() attributes {nvvm.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, nvvm.maxntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
  llvm.func @bound() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>} {
    llvm.return
  }
}
