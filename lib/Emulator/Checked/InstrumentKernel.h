//===- InstrumentKernel.h - A kernel that tells what it does ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked mode: before a kernel is cut at its barriers, every access of memory
// gets a test that it is inside of its buffer and aligned, and a call that
// reports it (Session.h). An access that fails the test is reported as well and
// not made; what it would have loaded is zero.
//
// The program must be as it was written: an optimiser deletes dead stores that
// race, and merges barriers that are apart. Later passes may do what they like,
// because the calls have effects that are not known.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_INSTRUMENTKERNEL_H
#define UOP_LIB_EMULATOR_CHECKED_INSTRUMENTKERNEL_H

#include "../RuntimeCalls.h"
#include "HostViews.h"
#include "SiteTable.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// The position of a location in a file.
SourcePosition getSourcePosition(mlir::Location loc);

/// Instruments a kernel whose control flow is structured and whose memrefs
/// still have their memory spaces. `blockSize` is what is known of it, and
/// `given` are the buffers of arguments that are views. Returns what the code
/// refers to. Fails with a located error for an access that it does not know.
mlir::FailureOr<SiteTable>
instrumentKernel(mlir::gpu::GPUFuncOp kernel,
                 llvm::ArrayRef<std::optional<int64_t>> blockSize,
                 int64_t subgroupSize, llvm::ArrayRef<GivenBuffer> given,
                 RuntimeCalls &runtime);

/// Calls a function of the run-time. Indices become 64-bit integers. `fixed` is
/// the number of operands before those that vary in number, if any do.
mlir::Value callCheck(mlir::ImplicitLocOpBuilder &b, RuntimeCalls &runtime,
                      llvm::StringRef name, mlir::ValueRange operands,
                      bool hasResult = false, unsigned fixed = 0);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_INSTRUMENTKERNEL_H
