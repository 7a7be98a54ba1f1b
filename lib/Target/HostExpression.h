//===- HostExpression.h - Arithmetic of the host, as text -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TARGET_HOSTEXPRESSION_H
#define UOP_LIB_TARGET_HOSTEXPRESSION_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace uop {

/// An integer as an expression of `names`, in the syntax and with the meaning
/// of Python's integers; parts in it that are used twice stand there twice.
/// Nothing if it depends on anything else, or if the text would be unreasonably
/// long.
std::optional<std::string>
describeValue(mlir::Value value,
              const llvm::DenseMap<mlir::Value, std::string> &names);

} // namespace uop

#endif // UOP_LIB_TARGET_HOSTEXPRESSION_H
