//===- Translate.h - From kernels to device code ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole road from a module, whose kernels may be in any form, to device
// code and what a launcher must know of it: `uop-translate` without its files.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_TRANSLATE_H
#define UOP_TARGET_TRANSLATE_H

#include "Uop/Conversion/Passes.h"
#include "Uop/Target/DeviceCode.h"

namespace uop {

struct TranslateOptions {
  /// How kernels are lowered.
  ConvertToNVVMOptions lowering;
  /// What they become.
  DeviceCodeOptions code;
  /// What the manifest calls the file with the code; empty for none.
  std::string codeFile;
};

struct Translation {
  DeviceCode code;
  /// JSON (Manifest.h), which ends with a line break.
  std::string manifest;
};

/// Lowers the kernels of `module` in place and compiles them. The context needs
/// what Registration.h registers.
///
/// Fails with a diagnostic where a kernel cannot be lowered or compiled, and
/// where there is none.
mlir::FailureOr<Translation>
translateModule(mlir::ModuleOp module, const TranslateOptions &options = {});

} // namespace uop

#endif // UOP_TARGET_TRANSLATE_H
