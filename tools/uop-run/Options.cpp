//===- Options.cpp - What is asked for on the command line ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Failure.h"
#include "Uop/Target/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::run;

static const char *const overview =
    R"(Runs a kernel or a host function of FILE.mlir on the CPU.

An argument ARG, one for each of the function's, in order, is
  a.npy          an array: little-endian, row-major; bf16 and 8-bit floating-
                 point numbers as their bit patterns in uint16 and uint8
  rand           numbers in [-1, 1), integers from 0 to 15; rand:seed=3
  zeros, ones    all 0, all 1
  nan            a sentinel: NaN, or bytes 0xA5
  iota           0, 1, 2, ... in row-major order
  fill:2.5       all 2.5
  3, -0x1p-3     a scalar: a number, inf, nan, true or false
A generated array with dynamic sizes is given its shape, as in rand:64x48.

A function without arguments runs as with mlir-runner: what it prints is shown,
and its result, if it has one, is printed at the end.

With --device=cpu a kernel that is not mapped runs as plain loops, whatever
schedule it asks for; one with the axis thread runs on all cores.

A kernel that divides an integer by zero, or whose threads disagree about a
barrier, ends the run with a message and status 1.

With --check kernels in loop form and in the gpu dialect run as they are written,
block after block. What is found is reported with the pair of operations, the
threads and the element; an access that is out of bounds is not made.

With --report kernels run as they are written, too, and each launch is followed by
what every operation asked of memory.
)";

/// A negative number would be taken for an option: a blank in front hides it.
static bool isNegativeNumber(StringRef text) {
  return text.consume_front("-") && !text.empty() &&
         (llvm::isDigit(text[0]) || text[0] == '.' ||
          text.equals_insensitive("inf") || text.equals_insensitive("nan"));
}

LogicalResult run::parseCommandLine(int argc, char **argv, Options &options) {
  std::vector<std::string> hidden;
  hidden.reserve(argc);
  std::vector<const char *> texts;
  for (StringRef text : ArrayRef(argv, argc))
    texts.push_back(isNegativeNumber(text)
                        ? hidden.emplace_back((" " + text).str()).c_str()
                        : text.data());
  llvm::cl::HideUnrelatedOptions(options.category);
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (!llvm::cl::ParseCommandLineOptions(argc, texts.data(), overview,
                                         &errors)) {
    StringRef text = StringRef(message).trim();
    text.consume_front("uop-run: ");
    return fail(text);
  }
  return success();
}

/// Of --report and what is about it.
static LogicalResult checkReport(const Options &options) {
  if (!options.report) {
    for (const llvm::cl::Option *option :
         {static_cast<const llvm::cl::Option *>(&options.reportJSON),
          static_cast<const llvm::cl::Option *>(&options.reportHTML)})
      if (option->getNumOccurrences())
        return fail("--" + option->ArgStr +
                    " is about --report, which is missing");
    return success();
  }
  if (options.check)
    return fail("--report counts a run that goes on past a fault: run --check "
                "on its own first");
  if (options.reference)
    return fail("--report: the reference interpreter has no warps; leave out "
                "--reference");
  if (options.device == ProgramDevice::CPU)
    return fail("--report: plain CPU loops have no warps; leave out "
                "--device=cpu");
  if (options.time.getNumOccurrences())
    return fail("--report runs once, and slowly: leave out --time");
  if (options.reportJSON == "-" && options.reportHTML == "-")
    return fail("expected at most one of --report-json and --report-html to be "
                "-");
  for (StringRef file :
       {StringRef(options.reportJSON), StringRef(options.reportHTML)})
    if (!file.empty())
      if (llvm::Error error = checkOutputFile(file))
        return fail(std::move(error));
  return success();
}

LogicalResult run::checkOptions(const Options &options) {
  int64_t width = options.vectorWidth;
  if (width < 0 || width > 64 || (width > 1 && !llvm::isPowerOf2_64(width)))
    return fail("--vector-width: expected a power of two up to 64, 1 for no "
                "vectors, or 0 for what suits this machine, but got " +
                Twine(width));
  if (options.subgroupSize != 32 && options.subgroupSize != 64)
    return fail("--subgroup-size: expected 32 or 64, but got " +
                Twine(options.subgroupSize));
  if (failed(checkReport(options)))
    return failure();
  if (options.check) {
    if (options.reference)
      return fail("--check: the reference interpreter has no threads; leave "
                  "out --reference");
    if (options.device == ProgramDevice::CPU)
      return fail("--check: plain CPU loops have no blocks and barriers; leave "
                  "out --device=cpu");
    if (options.time.getNumOccurrences())
      return fail("--check runs once, and slowly: leave out --time");
    if (!options.checkJSON.empty())
      if (llvm::Error error = checkOutputFile(options.checkJSON))
        return fail(std::move(error));
    return success();
  }
  const llvm::cl::Option *others[] = {&options.checkPolicy, &options.checkJSON,
                                      &options.sample, &options.stepLimit};
  for (const llvm::cl::Option *option : others)
    if (option->getNumOccurrences())
      return fail("--" + option->ArgStr +
                  " is about --check, which is missing");
  return success();
}
