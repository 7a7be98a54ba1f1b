//===- UopGraphOps.td - The ops of graph form --------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPGRAPHOPS
#define UOP_IR_UOPGRAPHOPS

include "Uop/IR/UopOpBase.td"

def Uop_Buffer : AnyTypeOf<[AnyMemRef, Uop_TileType], "memref or tile">;

def Uop_LoadOp : Uop_Op<"load", [
    NoMemoryEffect, AttrSizedOperandSegments, HasParent<"::uop::KernelOp">]> {
  let summary = "Read an element as it was when the kernel began";
  let description = [{
    Reads a memref argument as on entry to the kernel, or a tile. It reads at
    every point of its free ranges, whatever the mask of the store that uses
    it: indices are in bounds wherever the load's own mask holds. Where the
    mask does not hold nothing is read, and the result is `else`, or zero.

    A load has no effect, and is not speculatable: only its mask guards it.

    ```mlir
    uop.kernel @pad(%in: memref<6xf32>, %out: memref<8xf32>) {
      %i = uop.range loop 8
      %c6 = arith.constant 6 : index
      %inside = arith.cmpi slt, %i, %c6 : index
      %one = arith.constant 1.0 : f32
      %x = uop.load %in[%i] mask %inside else %one : memref<6xf32>
      uop.store %x, %out[%i] : memref<8xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Uop_Buffer, "the memref or tile to read">:$source,
    Arg<Variadic<Index>, "an index per dimension">:$indices,
    Arg<Optional<I1>, "where to read">:$mask,
    Arg<Optional<Uop_Data>, "the result where nothing is read">:$other);
  let results = (outs Res<Uop_Data, "the element">:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$indices,
                   CArg<"::mlir::Value", "{}">:$mask,
                   CArg<"::mlir::Value", "{}">:$other)>
  ];
  let extraClassDeclaration = [{
    /// The shape of the memref or tile that is read.
    ::llvm::ArrayRef<int64_t> getSourceShape();
  }];
}

def Uop_StoreOp : Uop_Op<"store", [
    AttrSizedOperandSegments, HasParent<"::uop::KernelOp">,
    MemoryEffects<[MemWrite]>]> {
  let summary = "Write a value at every point of a domain";
  let description = [{
    Writes once for each point of `over` at which the mask holds. The domain is
    what the store says, also where its value does not vary. When it is left
    out, it is the ranges in which the operands are free, in the order in which
    they are defined. Constant 0 in `over` stands for a range of extent 1.

    Without a kind, no two points write one element: the verifier proves that
    the indices are injective over the domain, or the store says `unique`
    (which checked execution tests). Of several stores to one element at one
    point, the last in program order counts.

    With a kind (`add`, `maxsi`, `minimumf`, …; see `uop.reduce`) each point
    combines the value with the element atomically, in no particular order; the
    buffer is then neither loaded nor stored in another way.

    ```mlir
    uop.kernel @histogram(%in: memref<256xi32>, %bins: memref<10xi32>) {
      %i = uop.range loop 256
      %v = uop.load %in[%i] : memref<256xi32>
      %bin = arith.index_cast %v : i32 to index
      %one = arith.constant 1 : i32
      uop.store add %one, %bins[%bin] : memref<10xi32>
    }
    ```

    ```mlir
    uop.kernel @fill(%out: memref<16x16xf32>) {
      %i = uop.range loop 16
      %j = uop.range loop 16
      %zero = arith.constant 0.0 : f32
      %diagonal = arith.cmpi eq, %i, %j : index
      uop.store %zero, %out[%j, %i] over(%j, %i) mask %diagonal
        : memref<16x16xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Uop_Data, "the value to write">:$value,
    Arg<AnyMemRef, "the argument of the kernel to write to">:$target,
    Arg<Variadic<Index>, "an index per dimension">:$indices,
    Arg<Variadic<Index>, "the domain, outermost first">:$over,
    Arg<Optional<I1>, "where to write">:$mask,
    Arg<OptionalAttr<Vector_CombiningKindAttr>,
        "how to accumulate, instead of replacing">:$kind,
    Arg<UnitAttr, "no two points write one element">:$unique);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Uop_ReduceOp : Uop_Op<"reduce", [
    NoMemoryEffect, AttrSizedOperandSegments, IsolatedFromAbove,
    HasParent<"::uop::KernelOp">]> {
  let summary = "Combine values over the points of ranges, which it closes";
  let description = [{
    Combines the value at every point of `over` at which the mask holds, in
    ascending order with the first range outermost, beginning with the identity.
    A point whose mask does not hold takes no part.

    The kinds are upstream's `vector.CombiningKind`s: `add`, `mul`, `minsi`,
    `minui`, `maxsi`, `maxui`, `and`, `or`, `xor`, `minimumf` and `maximumf`
    (NaN if an operand is), `minnumf` and `maxnumf` (the number if one operand
    is NaN). Identities, which are also the result over no points: 0 for `add`,
    `or`, `xor`, `maxui`; 1 for `mul`; all ones for `and`, `minui`; the least and
    the greatest integer for `maxsi`, `minsi`; -inf and +inf for `maximumf`,
    `minimumf`; NaN for `maxnumf`, `minnumf`.

    The general form has N values, N identities and a combiner, a region that
    takes the N accumulators, then the N values, and yields the N accumulators.
    It is pure `arith` and `math`, associative, and refers to nothing outside.

    Constant 0 in `over` stands for a range of extent 1.

    ```mlir
    uop.kernel @argmax(%in: memref<8x10xf32>, %out: memref<8xi32>) {
      %i = uop.range loop 8
      %j = uop.range reduce 10
      %x = uop.load %in[%i, %j] : memref<8x10xf32>
      %j32 = arith.index_cast %j : index to i32
      %lowest = arith.constant 0xFF800000 : f32
      %none = arith.constant -1 : i32
      %best, %at = uop.reduce (%x, %j32) init(%lowest, %none) over(%j)
          combine (%b: f32, %a: i32, %y: f32, %k: i32) {
        %more = arith.cmpf ogt, %y, %b : f32
        %b1 = arith.select %more, %y, %b : f32
        %a1 = arith.select %more, %k, %a : i32
        uop.yield %b1, %a1 : f32, i32
      } : f32, i32
      uop.store %at, %out[%i] : memref<8xi32>
    }
    ```
  }];
  let arguments = (ins
    Arg<OptionalAttr<Vector_CombiningKindAttr>,
        "how to combine, without a combiner">:$kind,
    Arg<Variadic<Uop_Data>, "the values to combine">:$inputs,
    Arg<Variadic<Uop_Data>, "the identities of the combiner">:$identities,
    Arg<Variadic<Index>, "the ranges to close, outermost first">:$over,
    Arg<Optional<I1>, "which points take part">:$mask);
  let results = (outs Variadic<Uop_Data>:$results);
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "::mlir::vector::CombiningKind":$kind, "::mlir::Value":$input,
                   "::mlir::ValueRange":$over,
                   CArg<"::mlir::Value", "{}">:$mask)>
  ];
  let extraClassDeclaration = [{
    /// Whether the reduction is given by a combiner, not by a kind.
    bool isGeneral() { return !getCombiner().empty(); }
  }];
}

def Uop_YieldOp : Uop_Op<"yield", [
    Pure, Terminator, HasParent<"::uop::ReduceOp">]> {
  let summary = "Yield the accumulators of a combiner";
  let description = [{
    Ends the combiner of a `uop.reduce`, with one value per accumulator.
  }];
  let arguments = (ins
    Arg<Variadic<Uop_Data>, "the accumulators, combined">:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Uop_StageOp : Uop_Op<"stage", [
    NoMemoryEffect, AttrSizedOperandSegments, HasParent<"::uop::KernelOp">]> {
  let summary = "Materialise a value as a tile of shared or private memory";
  let description = [{
    Evaluates the value at every point of `over`, which it closes, and writes
    it at the indices (by default the ranges themselves), which are injective
    over these ranges and within the tile. `uop.load` reads the tile at any
    index. Split, padding, swizzle and buffer number are substitutions in the
    indices of the writer and of the readers. An element that no point writes is
    undefined: a load of it is an error, which checked execution reports.

    The closed ranges stay `loop`: the copy divides them among the threads of
    the block. A workgroup stage is free in no `local`, `warp`, `thread` or
    `group_reduce` range, and no group reduction or workgroup stage inside it is
    free in a range that it closes.

    A tile is a value. Who copies what, and where barriers go, is derived. How
    it is copied does not change what it is: `buffers` is the number of tiles
    that a loop around the stage may fill ahead, `vector` the elements along the
    last closed range that a thread copies at a time, and `layout` how the tile
    lies in memory (without it, the one with the fewest bank conflicts).

    ```mlir
    uop.kernel @rows(%in: memref<4x16xf32>, %out: memref<4x16xf32>) {
      %b = uop.range global<x> 4
      %i = uop.range loop 16
      %x = uop.load %in[%b, %i] : memref<4x16xf32>
      %t = uop.stage %x[%i] over(%i) : !uop.tile<16xf32, workgroup>
      %l = uop.range local<x> 16
      %c15 = arith.constant 15 : index
      %r = arith.subi %c15, %l : index
      %y = uop.load %t[%r] : !uop.tile<16xf32, workgroup>
      uop.store %y, %out[%b, %l] : memref<4x16xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Uop_Data, "the value to materialise">:$value,
    Arg<Variadic<Index>, "where to write it in the tile">:$indices,
    Arg<Variadic<Index>, "the ranges to close, outermost first">:$over,
    Arg<DefaultValuedOptionalAttr<Uop_BuffersAttr, "1">,
        "the tiles to rotate through">:$buffers,
    Arg<DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">,
        "the elements that a thread copies at a time">:$vector,
    Arg<OptionalAttr<Uop_TileLayoutAttr>,
        "how the tile lies in memory">:$layout);
  let results = (outs Res<Uop_TileType, "the tile">:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::uop::TileType":$type, "::mlir::Value":$value,
                   "::mlir::ValueRange":$indices, "::mlir::ValueRange":$over)>
  ];
}

#endif // UOP_IR_UOPGRAPHOPS
