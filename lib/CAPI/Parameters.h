//===- Parameters.h - What functions take, for the C API --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CAPI_PARAMETERS_H
#define UOP_LIB_CAPI_PARAMETERS_H

#include "Uop-c/Module.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <memory>
#include <string>
#include <vector>

namespace uop::capi {

/// What `info` says; it points into this object, which stays where it is.
struct Parameter {
  explicit Parameter(mlir::Type type);
  Parameter(const Parameter &) = delete;

  UopParameter info = {};
  std::string text;
  llvm::SmallVector<int64_t> sizes, strides;
};

/// What a function takes and returns, without the function.
struct Signature {
  explicit Signature(mlir::FunctionOpInterface function);

  std::string name;
  std::vector<std::unique_ptr<Parameter>> arguments, results;
};

std::string print(mlir::Type type);

} // namespace uop::capi

#endif // UOP_LIB_CAPI_PARAMETERS_H
