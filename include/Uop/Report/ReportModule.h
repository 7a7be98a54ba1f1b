//===- ReportModule.h - The reports of the kernels of a file ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_REPORTMODULE_H
#define UOP_REPORT_REPORTMODULE_H

#include "Uop/Report/BuildReport.h"

namespace uop::report {

struct ModuleReportOptions {
  ReportOptions report;
  /// Only the kernel of this name; empty for all.
  std::string kernel;
  /// How kernels in graph form are lowered (LowerToGPUOptions).
  bool placeShared = true, splitReductions = true, contract = true;
  /// Sizes of the launch of gpu.funcs, where the file does not say.
  std::optional<std::array<int64_t, 3>> grid, block;
  /// Compile the kernels and ask ptxas how many registers they take, if it is
  /// there; else they are estimated.
  bool usesPtxas = true;
  /// Root of the CUDA toolkit; empty: see Toolkit.h.
  std::string cudaPath;
};

/// The reports of the kernels of a module, which may be in graph form, mapped
/// or not, in loop form, or of the gpu dialect, one a kernel and shape of
/// launch, in the order of the file. The module is not changed. Fails with a
/// diagnostic for what cannot be lowered or counted, and where there is no such
/// kernel.
mlir::FailureOr<std::vector<KernelReport>>
reportModule(mlir::ModuleOp module, const ModuleReportOptions &options);

} // namespace uop::report

#endif // UOP_REPORT_REPORTMODULE_H
