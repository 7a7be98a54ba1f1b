//===- uop-lsp-server.cpp - The language server of Uop --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics, hover, completion, definitions and references for .mlir files in
// an editor: upstream's server, which speaks the Language Server Protocol on
// standard input and output, with all dialects that `uop-opt` knows.
//
//===----------------------------------------------------------------------===//

#include "Uop/InitAll.h"
#include "Uop/Version.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  // The server's own options come with the call below; those that are there
  // already are LLVM's.
  static llvm::cl::OptionCategory none("");
  llvm::cl::HideUnrelatedOptions(none);

  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  // An editor shows where an error is; the op in generic form says no more.
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    context->printOpOnDiagnostic(false);
  });
  return failed(MlirLspServerMain(argc, argv, registry));
}
