//===- UopOpBase.td - What all ops of the dialect share ----*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPOPBASE
#define UOP_IR_UOPOPBASE

include "Uop/IR/UopTypes.td"
include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"

class Uop_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Uop_Dialect, opMnemonic, traits>;

/// A number of tiles, at most kMaxBuffers: the code has a copy of what fills a
/// tile for each.
def Uop_BuffersAttr : ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<64>]>;

/// Data of a kernel: what memory holds and reductions combine.
def Uop_Data : AnyTypeOf<[AnySignlessInteger, AnyFloat],
                         "signless integer or floating-point">;

/// A scalar of graph form: data, or an address.
def Uop_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index],
                           "signless integer, floating-point or index">;

#endif // UOP_IR_UOPOPBASE
