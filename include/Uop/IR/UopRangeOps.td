//===- UopRangeOps.td - Ranges and index arithmetic --------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPRANGEOPS
#define UOP_IR_UOPRANGEOPS

include "Uop/IR/UopOpBase.td"

def Uop_RangeOp : Uop_Op<"range", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface,
                              ["populateBoundsForIndexValue"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A loop as a value: each integer from 0 to an extent";
  let description = [{
    Yields an `index` in [0, extent). Two ranges of equal extent are two loops,
    which common subexpression elimination does not merge. In graph form a range
    without uses goes away; in loop form it stays, since it says how many threads
    or blocks execute the kernel. The axis says what executes the range.

    The extent of a `local`, `warp`, `group_reduce`, `upcast`, `unroll` or
    `fragment` range is static; other extents are constants, scalar arguments,
    memref dimensions, or arithmetic on these. A range of extent 0 has no
    points. An extent is not negative: the reference interpreter reports one
    that is, and a launch takes it for 0.

    In graph form a range stands anywhere in the kernel. In loop form only
    hardware ranges exist, at the top of the kernel or directly in a phase.

    ```mlir
    uop.kernel @fill(%n: index, %out: memref<1024xi32>) {
      %b = uop.range global<x> 8
      %t = uop.range local<x> 128
      %size = arith.constant 128 : index
      %base = arith.muli %b, %size : index
      %i = arith.addi %base, %t : index
      %r = uop.range reduce %n
      %one = arith.constant 1 : i32
      %v = uop.reduce add %one over(%r) : i32
      uop.store %v, %out[%i] : memref<1024xi32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Uop_AxisAttr, "what executes the range">:$axis,
    Arg<Optional<Index>, "the extent, where it is not static">:$extent,
    Arg<OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>,
        "the extent, where it is static">:$static_extent);
  let results = (outs
    Res<Index, "each integer from 0 to the extent">:$result);
  let assemblyFormat = [{
    custom<Axis>($axis) custom<Extent>($extent, $static_extent) attr-dict
  }];
  let builders = [
    OpBuilder<(ins "AxisAttr":$axis, "int64_t":$extent)>,
    OpBuilder<(ins "AxisAttr":$axis, "::mlir::OpFoldResult":$extent)>
  ];
  let extraClassDeclaration = [{
    /// The extent where it is known when compiling: static, or a constant.
    std::optional<int64_t> getConstantExtent();
    /// The extent: an attribute where static, else a value.
    ::mlir::OpFoldResult getMixedExtent();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

class Uop_FloorOp<string opMnemonic>
    : Uop_Op<opMnemonic, [
        NoMemoryEffect, SameOperandsAndResultType,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<InferIntRangeInterface,
                                  ["inferResultRanges"]>,
        DeclareOpInterfaceMethods<ValueBoundsOpInterface,
                                  ["populateBoundsForIndexValue"]>]> {
  let arguments = (ins Arg<Index, "the numerator">:$lhs,
                       Arg<Index, "the divisor, not zero">:$rhs);
  let results = (outs Res<Index, "">:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Uop_FloorDivOp : Uop_FloorOp<"floordiv"> {
  let summary = "Divide indices, rounding towards negative infinity";
  let description = [{
    Indices are mathematical integers: -7 floordiv 2 is -4, 7 floordiv -2 is -4.
    A divisor of zero is undefined; a constant one is rejected.

    ```mlir
    func.func @row(%i: index) -> index {
      %width = arith.constant 32 : index
      %row = uop.floordiv %i, %width
      return %row : index
    }
    ```
  }];
}

def Uop_FloorModOp : Uop_FloorOp<"floormod"> {
  let summary = "The remainder of uop.floordiv, with the sign of the divisor";
  let description = [{
    floormod(a, b) = a - b * floordiv(a, b): -7 floormod 2 is 1, 7 floormod -2
    is -1. A divisor of zero is undefined; a constant one is rejected.

    ```mlir
    func.func @column(%i: index) -> index {
      %width = arith.constant 32 : index
      %column = uop.floormod %i, %width
      return %column : index
    }
    ```
  }];
}

#endif // UOP_IR_UOPRANGEOPS
