//===- Options.h - What is asked for on the command line --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_OPTIONS_H
#define UOP_TOOLS_UOP_RUN_OPTIONS_H

#include "EntryResult.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Emulator/Check.h"
#include "Uop/Emulator/Program.h"
#include "llvm/Support/CommandLine.h"

namespace uop::run {

/// How a product and the sum that it enters are rounded.
enum class Contract { Off, On };

struct Options {
  llvm::cl::OptionCategory category{"uop-run options"};
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::Required,
                                  llvm::cl::desc("FILE.mlir"),
                                  llvm::cl::cat(category)};
  llvm::cl::list<std::string> arguments{
      llvm::cl::Positional, llvm::cl::ZeroOrMore, llvm::cl::desc("ARG..."),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> entry{
      "e", llvm::cl::value_desc("name"), llvm::cl::cat(category),
      llvm::cl::desc(
          "The kernel or host function to run (default: the only host "
          "function, else the only kernel)")};
  llvm::cl::opt<EntryResult> entryResult{
      "entry-point-result", llvm::cl::init(EntryResult::Any),
      llvm::cl::cat(category),
      llvm::cl::desc("The result that the function must have, which is printed "
                     "(default: none, or one number)"),
      llvm::cl::values(clEnumValN(EntryResult::Void, "void", "none"),
                       clEnumValN(EntryResult::I32, "i32", "an i32"),
                       clEnumValN(EntryResult::I64, "i64", "an i64"),
                       clEnumValN(EntryResult::F32, "f32", "an f32"))};
  llvm::cl::list<std::string> sharedLibs{
      "shared-libs", llvm::cl::CommaSeparated,
      llvm::cl::value_desc("library,..."), llvm::cl::cat(category),
      llvm::cl::desc("Libraries whose functions the program calls, beside "
                     "MLIR's runner libraries, which are found")};
  llvm::cl::list<std::string> save{
      "save", llvm::cl::value_desc("[index=]file.npy"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Write an argument to a file after the run (default: the only "
          "one that is written)")};
  llvm::cl::list<std::string> compare{
      "compare", llvm::cl::value_desc("[index=]file.npy"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Compare an argument with a file after the run; a NaN equals "
          "only a NaN, and -0 equals +0")};
  llvm::cl::opt<std::string> tolerance{
      "tolerance", llvm::cl::value_desc("atol[,rtol]"), llvm::cl::init("0"),
      llvm::cl::cat(category),
      llvm::cl::desc("How far elements may be apart: atol + rtol * |expected| "
                     "(default: 0)")};
  llvm::cl::opt<std::string> time{
      "time", llvm::cl::ValueOptional, llvm::cl::value_desc("runs"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Print the time of the compilation, and the median time of some "
          "runs (default: 10), each on the same input")};
  llvm::cl::opt<bool> printLaunch{
      "print-launch", llvm::cl::cat(category),
      llvm::cl::desc("Print grid, block and shared memory of each launch")};
  llvm::cl::opt<bool> reference{
      "reference", llvm::cl::cat(category),
      llvm::cl::desc(
          "Run on the reference interpreter of graph form, which is slow "
          "and lowers nothing")};
  llvm::cl::opt<ProgramDevice> device{
      "device", llvm::cl::init(ProgramDevice::Emulator),
      llvm::cl::cat(category),
      llvm::cl::desc("What the kernels are compiled for (default: emulator)"),
      llvm::cl::values(
          clEnumValN(ProgramDevice::Emulator, "emulator",
                     "a GPU, emulated: its grid, blocks, barriers, and memory"),
          clEnumValN(ProgramDevice::CPU, "cpu",
                     "a CPU: plain loops, parallel over the axis thread"))};
  llvm::cl::opt<std::string> chip{
      "chip", llvm::cl::init(kDefaultGPUTarget.str()), llvm::cl::cat(category),
      llvm::cl::value_desc("sm_N"),
      llvm::cl::desc(
          "The chip that is emulated: how much shared memory a block "
          "may have (default: sm_80)")};
  llvm::cl::opt<int64_t> vectorWidth{
      "vector-width", llvm::cl::init(0), llvm::cl::cat(category),
      llvm::cl::value_desc("n"),
      llvm::cl::desc(
          "How many threads the emulator runs as one vector: a power "
          "of two up to 64, 1 for none (default: 0, what suits this "
          "machine); results do not depend on it")};
  llvm::cl::opt<bool> placeShared{
      "place-shared", llvm::cl::init(true), llvm::cl::cat(category),
      llvm::cl::desc("Stage what a block reads several times in shared memory, "
                     "in kernels that are not mapped (default: true)")};
  llvm::cl::opt<bool> splitReductions{
      "split-reductions", llvm::cl::init(true), llvm::cl::cat(category),
      llvm::cl::desc(
          "Reduce in parts that a second kernel combines, in kernels "
          "with few outputs that are not mapped (default: true)")};
  llvm::cl::opt<Contract> contract{
      "fp-contract", llvm::cl::init(Contract::On), llvm::cl::cat(category),
      llvm::cl::desc(
          "Round a product and the sum that it enters once (default: on)"),
      llvm::cl::values(clEnumValN(Contract::On, "on", "once, as one fma"),
                       clEnumValN(Contract::Off, "off", "each on its own"))};
  llvm::cl::opt<bool> check{
      "check", llvm::cl::cat(category),
      llvm::cl::desc(
          "Look for data races, accesses out of bounds, misaligned ones, reads "
          "of uninitialized shared memory and barrier divergence in kernels as "
          "they are written; exit status 3 if something is found")};
  llvm::cl::opt<CheckOptions::Policy> checkPolicy{
      "check-policy", llvm::cl::init(CheckOptions::Policy::Strict),
      llvm::cl::cat(category),
      llvm::cl::desc("Whether threads may return before a barrier for which "
                     "others wait (default: strict)"),
      llvm::cl::values(
          clEnumValN(CheckOptions::Policy::Strict, "strict", "no: an error"),
          clEnumValN(CheckOptions::Policy::CUDA, "cuda",
                     "yes, as in CUDA: a warning"))};
  llvm::cl::opt<std::string> checkJSON{
      "check-json", llvm::cl::value_desc("file.json"), llvm::cl::cat(category),
      llvm::cl::desc("Write what --check has found to a file, as JSON")};
  llvm::cl::opt<unsigned> progressDelay{
      "progress-delay",
      llvm::cl::value_desc("ms"),
      llvm::cl::init(2000),
      llvm::cl::Hidden,
      llvm::cl::cat(category),
      llvm::cl::desc("After how many milliseconds a terminal shows how far "
                     "--check and --reference are (default: 2000)")};
  llvm::cl::opt<bool> sample{
      "sample", llvm::cl::cat(category),
      llvm::cl::desc("With --check: run the first and the last block of each "
                     "grid only")};
  llvm::cl::opt<uint64_t> stepLimit{
      "step-limit", llvm::cl::value_desc("n"), llvm::cl::init(100000000),
      llvm::cl::cat(category),
      llvm::cl::desc("With --check: the most iterations of loops that a thread "
                     "makes; 0: no limit (default: 100000000)")};
  llvm::cl::opt<bool> report{
      "report", llvm::cl::cat(category),
      llvm::cl::desc(
          "Print what each launch asked of memory: the requests of warps, by "
          "operation, with their sectors and shared-memory wavefronts, of "
          "kernels as they are written")};
  llvm::cl::opt<std::string> reportJSON{
      "report-json", llvm::cl::value_desc("file.json"), llvm::cl::cat(category),
      llvm::cl::desc("Write what --report counts to a file, as JSON; to "
                     "standard output (-) instead of the text")};
  llvm::cl::opt<std::string> reportHTML{
      "report-html", llvm::cl::value_desc("file.html"), llvm::cl::cat(category),
      llvm::cl::desc("Write what --report counts to a file, as a page with "
                     "pictures")};
  llvm::cl::opt<int64_t> subgroupSize{
      "subgroup-size", llvm::cl::value_desc("n"), llvm::cl::init(32),
      llvm::cl::cat(category),
      llvm::cl::desc("Threads in a subgroup (a warp): 32, or 64 as on some AMD "
                     "chips (default: 32)")};
  llvm::cl::opt<uint64_t> seed{
      "seed", llvm::cl::value_desc("n"), llvm::cl::init(0),
      llvm::cl::cat(category),
      llvm::cl::desc("The seed of rand for argument #i is n + i (default: 0)")};
};

/// Reads the command line. Fails, with a message, where it is not understood.
llvm::LogicalResult parseCommandLine(int argc, char **argv, Options &options);

/// Refuses options that say nothing together.
llvm::LogicalResult checkOptions(const Options &options);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_OPTIONS_H
