//===- uop-opt.cpp - The optimiser driver of Uop --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs passes on a module: all of upstream MLIR's, and Uop's.
//
// Upstream's main function opens the output before the work, and so loses what
// was in it when the work fails. Here it is written at the end.
//
//===----------------------------------------------------------------------===//

#include "Uop/InitAll.h"
#include "Uop/Target/OutputFiles.h"
#include "Uop/Version.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static LogicalResult fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-opt") << message << "\n";
  return failure();
}

static LogicalResult run(StringRef inputName, StringRef outputName,
                         DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: "
                 << llvm::join(registry.getDialectNames(), ",") << "\n";
    return success();
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return success();
  }

  // As upstream's: otherwise one may wait and not know what for.
  if (inputName == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input)
    return fail(error);
  // The chunks of a split input appear as they are done.
  if (outputName == "-") {
    llvm::raw_fd_ostream &os = llvm::outs();
    LogicalResult result = MlirOptMain(os, std::move(input), registry, config);
    os.flush();
    if (!os.has_error())
      return result;
    error = os.error().message();
    os.clear_error();
    return fail("cannot write '-': " + error);
  }

  if (llvm::Error error = uop::checkOutputFile(outputName))
    return fail(llvm::toString(std::move(error)));
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(input), registry, config)))
    return failure();
  if (llvm::Error error = uop::writeOutputFiles({{outputName.str(), {text}}}))
    return fail(llvm::toString(std::move(error)));
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  mlir::registerAllPasses();
  uop::registerAllPasses();
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "Uop optimiser driver\n", registry);
  return asMainReturnCode(run(inputName, outputName, registry));
}
