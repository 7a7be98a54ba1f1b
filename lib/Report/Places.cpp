//===- Places.cpp - Places in source files, and names ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

SourcePlace report::getPlace(Location loc) {
  SourcePlace place;
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    place.file = file.getFilename().getValue().str();
    place.line = file.getLine();
    place.column = file.getColumn();
  }
  return place;
}

std::string report::describeBuffer(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    if (isa<KernelOp>(argument.getOwner()->getParentOp()))
      return "argument #" + std::to_string(argument.getArgNumber());
    return "a buffer that a loop carries";
  }
  if (auto global = buffer.getDefiningOp<memref::GetGlobalOp>())
    return "@" + global.getName().str();
  if (buffer.getDefiningOp<AllocOp>())
    return "the shared buffer";
  return "the buffer";
}
