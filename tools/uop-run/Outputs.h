//===- Outputs.h - What becomes of the arguments ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_OUTPUTS_H
#define UOP_TOOLS_UOP_RUN_OUTPUTS_H

#include "Arguments.h"
#include "Compare.h"
#include "Npy.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace uop::run {

/// An argument that is written to a file, or compared with one.
struct Output {
  unsigned index;
  llvm::StringRef path;
  std::optional<NpyArray> expected;
};

/// Reads `[IDX=]file.npy`, the text of an option. All functions here print an
/// error where they fail.
llvm::LogicalResult parseOutput(llvm::StringRef text, llvm::StringRef option,
                                mlir::FunctionOpInterface function,
                                llvm::SmallVectorImpl<Output> &outputs);

/// Before the run: reads what is expected, and looks whether all that is saved
/// can be written, each to a file of its own.
llvm::LogicalResult checkOutputs(llvm::MutableArrayRef<Output> saves,
                                 llvm::MutableArrayRef<Output> compares,
                                 llvm::ArrayRef<Argument> arguments);

/// Writes all files, or none.
llvm::LogicalResult save(llvm::ArrayRef<Output> saves,
                         llvm::ArrayRef<Argument> arguments);

/// Prints how an argument compares with what is expected; fails where it
/// differs.
llvm::LogicalResult compare(const Output &output, const Argument &argument,
                            Tolerance tolerance);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_OUTPUTS_H
