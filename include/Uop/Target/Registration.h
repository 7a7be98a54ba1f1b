//===- Registration.h - What a host must register ---------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_REGISTRATION_H
#define UOP_TARGET_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace uop {

/// Registers all that the way from the gpu dialect to device code needs beside
/// the passes: the conversion interfaces of the dialects, their translations to
/// LLVM IR, the NVVM target interface and LLVM's NVPTX back end. A host that
/// leaves one out gets an error from upstream, or a crash.
void registerDeviceTargets(mlir::DialectRegistry &registry);

} // namespace uop

#endif // UOP_TARGET_REGISTRATION_H
