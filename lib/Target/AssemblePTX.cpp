//===- AssemblePTX.cpp - From PTX to cubin through ptxas ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/DeviceCode.h"
#include "Uop/Target/Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;

namespace {

/// A file in the system's temporary directory that goes with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    error = llvm::sys::fs::createTemporaryFile("uop", suffix, path);
    if (!error)
      remover.setFile(path);
  }

  std::error_code error;
  llvm::SmallString<128> path;

private:
  llvm::FileRemover remover;
};

} // namespace

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The cubin, and what ptxas says about it.
static FailureOr<std::pair<std::string, std::string>>
runPtxas(StringRef ptx, StringRef chip, int optLevel, StringRef cudaPath,
         function_ref<InFlightDiagnostic()> emitError) {
  Toolkit toolkit(cudaPath);
  std::optional<std::string> ptxas = toolkit.findPtxas();
  if (!ptxas) {
    InFlightDiagnostic diagnostic =
        emitError() << "expected ptxas, which makes a cubin, but found none in "
                    << toolkit.describePlaces();
    diagnostic.attachNote() << getPtxasPackages();
    return diagnostic;
  }

  TemporaryFile input("ptx"), output("cubin"), messages("txt");
  for (const TemporaryFile *file : {&input, &output, &messages})
    if (file->error)
      return emitError() << "cannot create a temporary file: "
                         << file->error.message();
  {
    std::error_code error;
    llvm::raw_fd_ostream os(input.path, error);
    os << ptx;
    os.close();
    if (error || os.has_error()) {
      error = error ? error : os.error();
      os.clear_error();
      return emitError() << "cannot write the temporary file " << input.path
                         << ": " << error.message();
    }
  }

  std::string arch = "-arch=" + chip.str();
  std::string level = "-O" + llvm::itostr(optLevel);
  SmallVector<StringRef> arguments = {*ptxas,     arch, level,      "-v",
                                      input.path, "-o", output.path};
  std::string failure;
  int status = llvm::sys::ExecuteAndWait(
      *ptxas, arguments, /*Env=*/std::nullopt,
      /*Redirects=*/
      {StringRef(""), StringRef(messages.path), StringRef(messages.path)},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &failure);
  if (status != 0) {
    InFlightDiagnostic diagnostic = emitError()
                                    << "ptxas refused the PTX for " << chip;
    std::string text = readFile(messages.path);
    if (text.empty())
      text = failure;
    if (!text.empty())
      diagnostic.attachNote() << "ptxas says: " << StringRef(text).rtrim();
    return diagnostic;
  }
  return std::pair(readFile(output.path), readFile(messages.path));
}

FailureOr<std::string>
uop::assemblePTX(StringRef ptx, StringRef chip, int optLevel,
                 StringRef cudaPath,
                 function_ref<InFlightDiagnostic()> emitError) {
  auto result = runPtxas(ptx, chip, optLevel, cudaPath, emitError);
  if (failed(result))
    return failure();
  return std::move(result->first);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// The number before a word: 128 of "Used 128 registers, used 1 barriers" for
/// "registers"; 0 where the word is not there.
static int64_t getNumberBefore(StringRef text, StringRef word) {
  size_t end = text.find(word);
  int64_t number = 0;
  if (end != StringRef::npos)
    (void)text.take_front(end).rtrim().rsplit(' ').second.getAsInteger(10,
                                                                       number);
  return number;
}

SmallVector<uop::KernelResources> uop::parseKernelResources(StringRef text) {
  SmallVector<KernelResources> kernels;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.contains("Compiling entry function")) {
      StringRef name = line.split('\'').second.split('\'').first;
      kernels.emplace_back().name = name.str();
    } else if (kernels.empty()) {
      continue;
    } else if (line.contains("stack frame")) {
      kernels.back().stackBytes = getNumberBefore(line, "bytes stack frame");
      kernels.back().spillStoreBytes =
          getNumberBefore(line, "bytes spill stores");
      kernels.back().spillLoadBytes =
          getNumberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ")) {
      kernels.back().registers = getNumberBefore(line, "registers");
      kernels.back().sharedBytes = getNumberBefore(line, "bytes smem");
    }
  }
  return kernels;
}

FailureOr<SmallVector<uop::KernelResources>>
uop::measureKernelResources(StringRef ptx, StringRef chip, int optLevel,
                            StringRef cudaPath,
                            function_ref<InFlightDiagnostic()> emitError) {
  auto result = runPtxas(ptx, chip, optLevel, cudaPath, emitError);
  if (failed(result))
    return failure();
  return parseKernelResources(result->second);
}
