//===- UopEnums.td - The enumerations of the dialect -------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPENUMS
#define UOP_IR_UOPENUMS

include "mlir/IR/EnumAttr.td"

def Uop_AxisKind : I32Enum<"AxisKind", "what executes a range", [
    I32EnumCase<"Loop", 0, "loop">,
    I32EnumCase<"Serial", 1, "serial">,
    I32EnumCase<"Global", 2, "global">,
    I32EnumCase<"Local", 3, "local">,
    I32EnumCase<"Warp", 4, "warp">,
    I32EnumCase<"Thread", 5, "thread">,
    I32EnumCase<"Reduce", 6, "reduce">,
    I32EnumCase<"GroupReduce", 7, "group_reduce">,
    I32EnumCase<"Upcast", 8, "upcast">,
    I32EnumCase<"Unroll", 9, "unroll">,
    I32EnumCase<"Fragment", 10, "fragment">]> {
  let cppNamespace = "::uop";
}

def Uop_Dimension : I32Enum<"Dimension", "a dimension of a grid or a block", [
    I32EnumCase<"X", 0, "x">,
    I32EnumCase<"Y", 1, "y">,
    I32EnumCase<"Z", 2, "z">]> {
  let cppNamespace = "::uop";
}

def Uop_MemorySpace : I32Enum<"MemorySpace", "where a tile lives", [
    I32EnumCase<"Workgroup", 0, "workgroup">,
    I32EnumCase<"Private", 1, "private">]> {
  let cppNamespace = "::uop";
}

def Uop_OptKind : I32Enum<"OptKind", "a scheduling step", [
    I32EnumCase<"Local", 0, "LOCAL">,
    I32EnumCase<"Upcast", 1, "UPCAST">,
    I32EnumCase<"Group", 2, "GROUP">,
    I32EnumCase<"GroupTop", 3, "GROUPTOP">,
    I32EnumCase<"Unroll", 4, "UNROLL">,
    I32EnumCase<"PadTo", 5, "PADTO">,
    I32EnumCase<"Swap", 6, "SWAP">,
    I32EnumCase<"NoLocals", 7, "NOLOCALS">,
    I32EnumCase<"Stage", 8, "STAGE">,
    I32EnumCase<"TensorCore", 9, "TC">,
    I32EnumCase<"Thread", 10, "THREAD">,
    I32EnumCase<"Merge", 11, "MERGE">,
    I32EnumCase<"Vectorize", 12, "VECTORIZE">,
    I32EnumCase<"Tile", 13, "TILE">,
    I32EnumCase<"KStep", 14, "KSTEP">,
    I32EnumCase<"SplitK", 15, "SPLITK">,
    I32EnumCase<"Warp", 16, "WARP">]> {
  let cppNamespace = "::uop";
}

def Uop_UpcastLayout : I32Enum<"UpcastLayout",
                               "where the copies of an upcast axis lie", [
    I32EnumCase<"GPU", 0, "gpu">,
    I32EnumCase<"CPU", 1, "cpu">]> {
  let cppNamespace = "::uop";
}

def Uop_TileLayoutKind : I32Enum<"TileLayoutKind",
                                 "how the rows of a tile lie in memory", [
    I32EnumCase<"Plain", 0, "plain">,
    I32EnumCase<"Pad", 1, "pad">,
    I32EnumCase<"Xor", 2, "xor">,
    I32EnumCase<"Rotate", 3, "rotate">]> {
  let cppNamespace = "::uop";
}

#endif // UOP_IR_UOPENUMS
