//===- uop-translate.cpp - From kernels to device code --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an .mlir file, lowers its kernels, and writes PTX, device LLVM IR or a
// cubin, and beside it a JSON manifest for a launcher.
//
// Not built on mlir-translate's main: that one opens the output before the
// work, and has no place for a second file.
//
//===----------------------------------------------------------------------===//

#include "Uop/InitAll.h"
#include "Uop/Target/OutputFiles.h"
#include "Uop/Target/Translate.h"
#include "Uop/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("uop-translate options");

static cl::opt<std::string> inputName(cl::Positional, cl::desc("<input file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputName("o",
                                       cl::desc("Output file (default: -)"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<std::string> manifestName(
    "manifest",
    cl::desc("File for the manifest (default: the output file with the "
             "extension .json; none when the output is no "
             "file)"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<uop::DeviceFormat>
    format(cl::desc("What to write, one of:"), cl::init(uop::DeviceFormat::PTX),
           cl::values(clEnumValN(uop::DeviceFormat::PTX, "uop-to-ptx", "PTX"),
                      clEnumValN(uop::DeviceFormat::LLVMIR, "uop-to-llvmir",
                                 "Device LLVM IR, linked and optimised"),
                      clEnumValN(uop::DeviceFormat::Cubin, "uop-to-cubin",
                                 "A cubin, through ptxas")),
           cl::cat(category));
static cl::opt<std::string>
    chip("chip",
         cl::desc("Chip to compile for (default: the one that a gpu.module "
                  "names, else sm_80)"),
         cl::value_desc("sm_NN"), cl::cat(category));
static cl::opt<std::string>
    features("features",
             cl::desc("PTX version (default: the lowest that has the chip)"),
             cl::value_desc("+ptxNN"), cl::cat(category));
static cl::opt<unsigned> optLevel("O",
                                  cl::desc("Optimisation, 0 to 3 (default: 3)"),
                                  cl::Prefix, cl::init(3), cl::cat(category));
static cl::opt<bool>
    fastMath("fast-math",
             cl::desc("Approximate division, square root and functions"),
             cl::cat(category));
static cl::opt<std::string> indexWidth(
    "index-width",
    cl::desc("auto: 32-bit index arithmetic where it is proved to fit; 64: "
             "none (default: auto)"),
    cl::init("auto"), cl::cat(category));
static cl::opt<uop::FPContract> fpContract(
    "fp-contract",
    cl::desc("Fuse products with the sums that they enter (default: on)"),
    cl::init(uop::FPContract::On),
    cl::values(clEnumValN(uop::FPContract::On, "on",
                          "one rounding, as nvcc does"),
               clEnumValN(uop::FPContract::Off, "off", "two roundings")),
    cl::cat(category));
static cl::opt<bool> placeShared(
    "place-shared",
    cl::desc("Stage what a block reads several times in shared memory, in "
             "kernels that are not mapped (default: true)"),
    cl::init(true), cl::cat(category));
static cl::opt<bool> splitReductions(
    "split-reductions",
    cl::desc("Reduce in parts that a second kernel combines, in kernels with "
             "few outputs that are not mapped (default: true)"),
    cl::init(true), cl::cat(category));
static cl::opt<std::string> cudaPath(
    "cuda-path",
    cl::desc("Root of the CUDA toolkit (default: $CUDA_HOME, $CUDA_PATH, that "
             "of a ptxas or nvcc on PATH, /usr/local/cuda)"),
    cl::value_desc("dir"), cl::cat(category));

/// Errors that have no place in the input.
static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-translate") << message << "\n";
  return 1;
}

static std::string chooseManifestName() {
  if (manifestName.getNumOccurrences())
    return manifestName;
  // Beside a device there is no place for it.
  if (!uop::isRegularOutput(outputName))
    return "";
  llvm::SmallString<128> path(outputName);
  llvm::sys::path::replace_extension(path, "json");
  return std::string(path);
}

/// LLVM's back end ends the process where it knows no instruction; this at
/// least says so and leaves nothing behind.
static void onFatalError(void *, const char *reason, bool) {
  llvm::WithColor::error(llvm::errs(), "uop-translate")
      << "LLVM's back end cannot compile this module: " << reason << "\n";
  exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "From kernels to device code\n");
  if (format.getNumOccurrences() != 1)
    return fail("expected exactly one of --uop-to-ptx, --uop-to-llvmir and "
                "--uop-to-cubin, but got " +
                llvm::Twine(format.getNumOccurrences()));
  llvm::install_fatal_error_handler(onFatalError);

  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);

  std::string openError;
  auto sources = std::make_shared<llvm::SourceMgr>();
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(inputName, &openError);
  if (!buffer)
    return fail(openError);
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);

  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;

  uop::TranslateOptions options;
  options.lowering.chip = chip;
  options.lowering.features = features;
  options.lowering.optLevel = optLevel;
  options.lowering.fastMath = fastMath;
  options.lowering.indexWidth = indexWidth;
  options.lowering.fpContract = fpContract;
  options.lowering.placeShared = placeShared;
  options.lowering.splitReductions = splitReductions;
  options.code.format = format;
  options.code.cudaPath = cudaPath;
  if (outputName != "-")
    options.codeFile = llvm::sys::path::filename(outputName);
  FailureOr<uop::Translation> translation =
      uop::translateModule(*module, options);
  if (failed(translation))
    return 1;

  std::string manifest = chooseManifestName();
  SmallVector<uop::OutputFile> outputs = {
      {outputName, {translation->code.code}}};
  if (!manifest.empty())
    outputs.push_back({manifest, {translation->manifest}});
  if (llvm::Error error = uop::writeOutputFiles(outputs))
    return fail(llvm::toString(std::move(error)));
  return 0;
}
