//===- CompiledRegisters.h - Registers as ptxas counts them -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_COMPILEDREGISTERS_H
#define UOP_LIB_REPORT_COMPILEDREGISTERS_H

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Report/KernelReport.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace uop::report {

/// What ptxas says of the kernels of a module.
class CompiledRegisters {
public:
  /// Compiles a copy of the module. A failure is kept, and no diagnostic.
  void measure(mlir::ModuleOp module, const LowerToGPUOptions &lowering,
               llvm::StringRef chip, llvm::StringRef cudaPath);

  std::optional<RegisterReport> get(llvm::StringRef kernel) const;
  /// Why there are none; empty where nothing failed.
  llvm::StringRef getFailure() const { return failure; }

private:
  llvm::StringMap<RegisterReport> registers;
  std::string failure;
};

} // namespace uop::report

#endif // UOP_LIB_REPORT_COMPILEDREGISTERS_H
