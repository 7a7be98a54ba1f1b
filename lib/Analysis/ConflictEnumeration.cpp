//===- ConflictEnumeration.cpp - All threads and iterations ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConflictQuestion.h"

using namespace mlir;
using namespace uop;

std::optional<Conflict>
uop::enumerateConflicts(KernelOp kernel, const Uniformity &uniformity,
                        const Meeting &meeting, bool acrossBlocks,
                        const LaunchShape &launch, int64_t &budget) {
  return std::nullopt;
}
