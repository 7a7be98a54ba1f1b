//===- UopTypes.td - The tile type -------------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPTYPES
#define UOP_IR_UOPTYPES

include "Uop/IR/UopAttributes.td"

def Uop_TileType : TypeDef<Uop_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "a materialised value of a block or a thread";
  let description = [{
    What `uop.stage` yields and only `uop.load` reads: a static shape, an
    element type and the memory that holds it, as in
    `!uop.tile<16x16xf32, workgroup>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "::uop::MemorySpace":$memorySpace);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
  }];
}

#endif // UOP_IR_UOPTYPES
