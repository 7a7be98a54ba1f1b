//===- softmax.mlir - The numerator of a softmax --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Y = exp2(X - rowmax(X)). The maximum closes its own range over the columns;
// the output has another one, because it needs the finished maximum.
//
//===----------------------------------------------------------------------===//

uop.kernel @numerator(%X: memref<16x32xf32>, %Y: memref<16x32xf32>) {
  %i = uop.range loop 16
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %candidate = uop.load %X[%i, %k] : memref<16x32xf32>
  %max = uop.reduce maximumf %candidate over(%k) : f32
  %x = uop.load %X[%i, %j] : memref<16x32xf32>
  %shifted = arith.subf %x, %max : f32
  %y = math.exp2 %shifted : f32
  uop.store %y, %Y[%i, %j] : memref<16x32xf32>
}
