//===- InterpreterTest.h - Running kernels given as text --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
#define UOP_UNITTESTS_INTERPRETER_INTERPRETERTEST_H

#include "Uop/Interpreter/Interpreter.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <string>
#include <vector>

namespace uop {

/// Parses kernels and runs them on C++ vectors.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest()
      : handler(&context, [this](mlir::Diagnostic &diag) {
          messages += diag.str() + "\n";
          for (mlir::Diagnostic &note : diag.getNotes())
            messages += "note: " + note.str() + "\n";
        }) {
    context.printOpOnDiagnostic(false);
    context.loadDialect<UopDialect, mlir::func::FuncDialect>();
  }

  /// A row-major memref on a vector, of the type's text, as in "f32".
  template <typename T>
  BufferArgument buffer(std::vector<T> &data, const char *elementType,
                        llvm::ArrayRef<int64_t> shape) {
    BufferArgument argument;
    argument.data = data.data();
    argument.elementType = type(elementType);
    argument.shape.assign(shape.begin(), shape.end());
    argument.strides.resize(shape.size());
    int64_t stride = 1;
    for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
      argument.strides[dim] = stride;
    argument.allocatedElements = data.size();
    return argument;
  }
  BufferArgument f32(std::vector<float> &data, llvm::ArrayRef<int64_t> shape) {
    return buffer(data, "f32", shape);
  }
  BufferArgument i32(std::vector<int32_t> &data,
                     llvm::ArrayRef<int64_t> shape) {
    return buffer(data, "i32", shape);
  }

  mlir::Type type(const char *text) { return mlir::parseType(text, &context); }

  mlir::TypedAttr index(int64_t value) {
    return mlir::Builder(&context).getIndexAttr(value);
  }

  /// Runs the kernel in the text.
  mlir::LogicalResult run(llvm::StringRef text,
                          std::vector<KernelArgument> arguments,
                          const InterpreterOptions &options = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return mlir::failure();
    for (KernelOp kernel : module->getOps<KernelOp>())
      return interpretKernel(kernel, arguments, options);
    return mlir::failure();
  }

  /// The error of running the kernel in the text; "no error" if it succeeds.
  std::string error(llvm::StringRef text, std::vector<KernelArgument> arguments,
                    const InterpreterOptions &options = {}) {
    messages.clear();
    if (succeeded(run(text, std::move(arguments), options)))
      return "no error";
    return messages;
  }

  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler;
};

/// A part of a message.
#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_PRED2(                                                                \
      [](const std::string &whole, const std::string &piece) {                 \
        return whole.find(piece) != std::string::npos;                         \
      },                                                                       \
      text, part)

} // namespace uop

#endif // UOP_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
