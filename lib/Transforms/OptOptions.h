//===- OptOptions.h - Opts as the options of a pass -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_OPTOPTIONS_H
#define UOP_LIB_TRANSFORMS_OPTOPTIONS_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Appends the opts of a list of pairs axis:amount, with or without braces
/// around the whole list. Fails with an error that names the pass and the
/// option.
llvm::LogicalResult parseOpts(mlir::MLIRContext *context, llvm::StringRef pass,
                              llvm::StringRef option,
                              llvm::ArrayRef<std::string> pairs, OptKind kind,
                              llvm::SmallVectorImpl<OptAttr> &opts);

/// Refuses a schedule with opts that only a GPU has and opts that only a CPU
/// has, which neither could carry out.
llvm::LogicalResult checkOneTarget(KernelOp kernel, ScheduleAttr schedule);

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_OPTOPTIONS_H
