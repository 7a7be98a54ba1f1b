// An editor opens this file in a session with the server, asks about it, and
// changes it. What it asks and expects is in the script; it counts on the
// kernels and the function below as they are written.
// RUN: %python %S/Inputs/lsp_session.py %s uop-lsp-server

uop.kernel @gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>,
                 %C: memref<64x32xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 32
  %k = uop.range reduce 48
  %a = uop.load %A[%m, %k] : memref<64x48xf32>
  %b = uop.load %B[%k, %n] : memref<48x32xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x32xf32>
}

!tile = memref<32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @reverse(%x: memref<32xf32>, %y: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c31 = arith.constant 31 : index
  %s = uop.alloc : !tile
  %v = memref.load %x[%t] : memref<32xf32>
  memref.store %v, %s[%t] : !tile
  uop.barrier
  %r = arith.subi %c31, %t : index
  %w = memref.load %s[%r] : !tile
  memref.store %w, %y[%t] : memref<32xf32>
}

func.func @main(%X: memref<64x48xf32>, %Y: memref<48x32xf32>,
                %Z: memref<64x32xf32>) {
  uop.launch @gemm(%X, %Y, %Z)
    : memref<64x48xf32>, memref<48x32xf32>, memref<64x32xf32>
  return
}
