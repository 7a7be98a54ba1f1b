//===- UopAttributes.td - Axis kinds, opts and schedules ---*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPATTRIBUTES
#define UOP_IR_UOPATTRIBUTES

include "Uop/IR/UopDialect.td"
include "Uop/IR/UopEnums.td"
include "mlir/IR/AttrTypeBase.td"

//===----------------------------------------------------------------------===//
// Axis
//===----------------------------------------------------------------------===//

class Uop_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Uop_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Uop_AxisAttr : Uop_Attr<"Axis", "axis"> {
  let summary = "the axis kind of a range, with its hardware dimension";
  let description = [{
    | kind | executed by |
    |---|---|
    | `loop` | not decided yet |
    | `serial` | a loop of one thread, over outputs |
    | `global<x\|y\|z>` | the blocks of the grid along a dimension |
    | `local<x\|y\|z>` | the threads of a block along a dimension |
    | `warp` | the lanes of a warp (linear thread id mod warp size) |
    | `thread` | the threads of a CPU |
    | `reduce` | a loop of one thread, over the points of a reduction |
    | `group_reduce<x\|y\|z>` | the threads of a block, which all get the result |
    | `upcast` | copies of the code, over outputs |
    | `unroll` | copies of the code, over the points of a reduction |
    | `fragment` | reserved for tensor cores |

    `global`, `local` and `group_reduce` name a dimension, the others do not.
  }];
  let parameters = (ins EnumParameter<Uop_AxisKind>:$kind,
                        "std::optional<::uop::Dimension>":$dimension);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "AxisKind":$kind,
                     CArg<"std::optional<Dimension>", "std::nullopt">:$dim), [{
      return $_get($_ctxt, kind, dim);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// Whether the range is executed by the hardware's own indices (blocks,
    /// threads, lanes), and so is always open.
    bool isHardware() const {
      return isBlockIndex() || isThreadIndex() ||
             getKind() == AxisKind::Thread;
    }
    /// Whether the range is a block index of the grid.
    bool isBlockIndex() const { return getKind() == AxisKind::Global; }
    /// Whether the range is a function of the thread index in the block.
    bool isThreadIndex() const {
      return getKind() == AxisKind::Local || getKind() == AxisKind::Warp ||
             getKind() == AxisKind::GroupReduce;
    }
    /// The dimension of the block that a thread index uses: its own, or x for
    /// `warp` (lanes are consecutive along x).
    Dimension getThreadDimension() const {
      return getDimension().value_or(Dimension::X);
    }
    /// Whether a reduction may close the range.
    bool isReduction() const {
      return getKind() == AxisKind::Reduce || getKind() == AxisKind::Unroll ||
             getKind() == AxisKind::GroupReduce;
    }
    /// Whether the range may be in the domain of a store.
    bool isOutput() const {
      return !isReduction() && getKind() != AxisKind::Fragment;
    }
    /// Whether the range is repeated as copies of the code.
    bool isUnrolled() const {
      return getKind() == AxisKind::Upcast || getKind() == AxisKind::Unroll;
    }
    /// Whether the extent has to be known when compiling.
    bool needsStaticExtent() const {
      return isThreadIndex() || isUnrolled() ||
             getKind() == AxisKind::Fragment;
    }
    /// The axis as written in the assembly, such as `global<x>`.
    std::string str() const;
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Uop_OptAttr : Uop_Attr<"Opt", "opt"> {
  let summary = "one scheduling step: a kind, an axis and an amount";
  let description = [{
    Written `KIND axis:amount`, as in `LOCAL 1:16`:

    | kind | counts | does |
    |---|---|---|
    | `MERGE` | output axes | makes one axis of `amount` adjacent ones, from `axis` on; the other opts count the axes after that |
    | `LOCAL` | output axes | `amount` threads of a block |
    | `UPCAST` | output axes | `amount` copies of the code |
    | `VECTORIZE` | output axes | `amount` adjacent elements in each copy, for one wide access |
    | `UNROLL` | reduce axes | `amount` copies of the code |
    | `GROUP` | reduce axes | `amount` threads of a block, on interleaved points |
    | `GROUPTOP` | reduce axes | `amount` threads of a block, on consecutive points each |
    | `PADTO` | output, then reduce axes | runs on to a multiple of `amount` |
    | `SWAP` | output axes | exchanges the places of `axis` and axis `amount` in the grid, or in the nest of loops on a CPU |
    | `NOLOCALS` | | one thread a block; has neither axis nor amount |
    | `THREAD` | output axes | `amount` threads of a CPU, each with consecutive points |
    | `TILE` | output axes | an inner loop of `amount` points on a CPU, inside of the loops over tiles |
    | `KSTEP` | reduce axes | makes an outer loop, of which each iteration has `amount` consecutive points |
    | `STAGE` | loads, in program order | stages what a block reads in a tile of shared memory, `amount` tiles deep |
    | `SPLITK` | reduce axes | divides the axis into `amount` parts of consecutive points, which blocks of a kernel of their own reduce, and a second kernel combines; at most one (`--uop-split-reductions`) |
    | `WARP` | output axes | `amount` of the threads of a warp lie side by side along the axis, and one along an axis without it; the amounts divide those of LOCAL, and make 32 together. All threads are then along x |
    | `TC` | | reserved |
  }];
  let parameters = (ins EnumParameter<Uop_OptKind>:$kind, "int64_t":$axis,
                        "int64_t":$amount);
  let hasCustomAssemblyFormat = 1;
}

def Uop_ScheduleAttr : Uop_Attr<"Schedule", "schedule"> {
  let summary = "the list of scheduling steps of a kernel";
  let description = [{
    On a kernel that is not mapped yet it says what `--uop-gpu-map` is to do; on
    a mapped one, what has been done. Example:
    `#uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 1:2]>`.

    `upcast_layout` places element c of the U copies, for block g and thread l
    of L: `gpu` (the default) at (g*U + c)*L + l, so that neighbouring threads
    stay adjacent in memory; `cpu` at (g*L + l)*U + c, so that the copies do.
  }];
  let parameters = (ins
    ArrayRefParameter<"::uop::OptAttr">:$opts,
    DefaultValuedParameter<"::uop::UpcastLayout",
                           "::uop::UpcastLayout::GPU">:$upcastLayout);
  let hasCustomAssemblyFormat = 1;
}

def Uop_TileLayoutAttr : Uop_Attr<"TileLayout", "tile_layout"> {
  let summary = "where the elements of a tile lie, so that banks do not conflict";
  let description = [{
    A tile is a list of rows along its last dimension; row r is the linear index
    of the others. A row is a list of chunks of `chunk` elements, which stay
    together (as one wide access needs them):

    * `plain`: row after row. Has no chunk.
    * `pad`: every row is followed by `chunk` elements that nothing uses.
    * `xor`: chunk c of row r is at c ^ ((r // period) mod n), n the chunks of a
      row, a power of two.
    * `rotate`: chunk c of row r is at (c + r // period) mod n.

    Written `#uop.tile_layout<plain>`, `#uop.tile_layout<pad 1>`,
    `#uop.tile_layout<xor 4>` or, with a period that is not 1,
    `#uop.tile_layout<rotate 4, 2>`.
  }];
  let parameters = (ins EnumParameter<Uop_TileLayoutKind>:$kind,
                        DefaultValuedParameter<"int64_t", "1">:$chunk,
                        DefaultValuedParameter<"int64_t", "1">:$period);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // UOP_IR_UOPATTRIBUTES
