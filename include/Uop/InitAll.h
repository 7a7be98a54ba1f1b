//===- InitAll.h - Everything that a host must register ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three functions, after which a host can parse every file of this project, run
// every pass, compile to PTX, and emulate. A host that needs less registers
// less: `registry.insert<uop::UopDialect>()` to parse, the `register...Passes`
// of the `Passes.h` of a room for its passes, and what
// Uop/Target/Registration.h says for device code.
//
//   mlir::DialectRegistry registry;
//   uop::registerAllDialects(registry);
//   uop::registerAllExtensions(registry);
//   uop::registerAllPasses();
//   mlir::MLIRContext context(registry);
//
//===----------------------------------------------------------------------===//

#ifndef UOP_INITALL_H
#define UOP_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace uop {

/// The uop dialect, and all of upstream's, which kernels and host code consist
/// of after lowering.
void registerAllDialects(mlir::DialectRegistry &registry);

/// The interfaces of these dialects that passes and back ends ask for:
/// upstream's conversions to LLVM and buffer interfaces, the translations to
/// LLVM IR, the NVVM target, and LLVM's back end for it. Without them the
/// passes to the CPU fail with an error from upstream, or crash. And upstream's
/// ops of the transform dialect with the `transform.uop` ones, by which a
/// schedule is a script, and the patterns of test-case reduction.
void registerAllExtensions(mlir::DialectRegistry &registry);

/// The passes and pipelines of this project, for pipelines by name. Upstream's
/// are registered by `mlir::registerAllPasses`. Further calls do nothing; any
/// thread may make them.
void registerAllPasses();

} // namespace uop

#endif // UOP_INITALL_H
