// The product as what is to be computed, without a schedule: the default one is
// taken. C = A * B of $N rows and columns.
!mat = memref<$Nx$Nxf32>
uop.kernel @gemm(%A: !mat, %B: !mat, %C: !mat) {
  %m = uop.range loop $N
  %n = uop.range loop $N
  %k = uop.range reduce $N
  %a = uop.load %A[%m, %k] : !mat
  %b = uop.load %B[%k, %n] : !mat
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !mat
}
