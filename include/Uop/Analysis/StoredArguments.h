//===- StoredArguments.h - What a function may write ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_STOREDARGUMENTS_H
#define UOP_ANALYSIS_STOREDARGUMENTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace uop {

/// The numbers of the memref arguments that the function, or what it calls, may
/// write.
llvm::SmallVector<unsigned>
findStoredArguments(mlir::FunctionOpInterface function);

} // namespace uop

#endif // UOP_ANALYSIS_STOREDARGUMENTS_H
