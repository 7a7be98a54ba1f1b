//===- Chip.h - The NVIDIA chips that can be compiled for -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's NVPTX back end knows about chips and PTX versions. The back end
// ends the process on a PTX version that is too low for a chip and ignores a
// name that it does not know, so both are asked for here first.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_GPUTONVVM_CHIP_H
#define UOP_CONVERSION_GPUTONVVM_CHIP_H

#include "Uop/Analysis/GPUTarget.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace uop {

/// The chip that is compiled for when nobody names one.
inline constexpr llvm::StringLiteral kDefaultChip = kDefaultGPUTarget;

/// The triple of all device code.
inline constexpr llvm::StringLiteral kNVPTXTriple = "nvptx64-nvidia-cuda";

/// Makes LLVM's NVPTX back end known to the process; may be called often.
void initializeNVPTX();

/// The names of all chips that LLVM knows (`sm_80`, `sm_90a`, ...), by age.
llvm::SmallVector<std::string> getKnownChips();

/// The lowest PTX version, times ten (78 for 7.8), that has `chip`, which must
/// be a known one.
unsigned getMinPTXVersion(llvm::StringRef chip);

/// Checks that `chip` is known and that `features` is empty or a list of
/// features of the form `+ptx78`, at least one of them not too low for `chip`.
/// What is wrong goes to `emitError`, with the names or versions that exist.
llvm::LogicalResult
checkChip(llvm::StringRef chip, llvm::StringRef features,
          llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace uop

#endif // UOP_CONVERSION_GPUTONVVM_CHIP_H
