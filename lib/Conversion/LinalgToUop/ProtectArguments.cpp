//===- ProtectArguments.cpp - Tensor arguments that are not overwritten ---===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is a value, and whoever calls a function from outside expects the
// array that he passes for one to stay as it is. Bufferisation only copies what
// the module itself still needs.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace uop {
#define GEN_PASS_DEF_PROTECTARGUMENTS
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;
using bufferization::BufferizationDialect;

namespace {

class ProtectArguments
    : public uop::impl::ProtectArgumentsBase<ProtectArguments> {
public:
  void runOnOperation() override {
    StringRef name = BufferizationDialect::kWritableAttrName;
    Builder builder(&getContext());
    getOperation().walk([&](FunctionOpInterface function) {
      if (!function.isPublic() || function.isExternal())
        return;
      for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
        if (isa<TensorType>(type) && !function.getArgAttr(index, name))
          function.setArgAttr(index, name, builder.getBoolAttr(false));
    });
  }
};

} // namespace
