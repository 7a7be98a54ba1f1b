//===- uop-reduce.cpp - Makes files that fail small -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a file smaller for as long as a test of the user's finds it
// interesting, with the reduction patterns of the dialects.
//
// Not upstream's mlir-reduce: that one knows neither a time limit nor an error
// of the test, writes its output also where nothing is interesting, and its
// passes are no match for kernels (lib/Reduce/ReduceModule.cpp says why).
//
//===----------------------------------------------------------------------===//

#include "InterestingTest.h"
#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Reduce/ReduceModule.h"
#include "Uop/Target/OutputFiles.h"
#include "Uop/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using uop::reduce::InterestingTest;
namespace cl = llvm::cl;

namespace {

struct Options {
  cl::OptionCategory category{"uop-reduce options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Output file (default: -)"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category)};
  cl::opt<std::string> test{
      "test",
      cl::desc("Program that exits with status 0 when the file that is its "
               "last argument is interesting"),
      cl::value_desc("program"), cl::cat(category)};
  cl::list<std::string> testArgs{
      "test-arg", cl::desc("An argument of the program, before the file"),
      cl::value_desc("argument"), cl::cat(category)};
  cl::opt<bool> testMustFail{
      "test-must-fail",
      cl::desc("Files are interesting where the program fails or crashes"),
      cl::cat(category)};
  cl::opt<unsigned> timeout{
      "timeout",
      cl::desc("Seconds after which a run of the program is ended, and the "
               "file is not interesting; 0 for no limit (default: 60)"),
      cl::value_desc("seconds"), cl::init(60), cl::cat(category)};
  cl::opt<bool> allowUnregistered{
      "allow-unregistered-dialect",
      cl::desc("Accept operations of unknown dialects"), cl::cat(category)};
};

/// A line on a terminal that says how far the reduction is, and at its end what
/// it has done.
class ProgressLine {
public:
  ~ProgressLine() { end(); }

  void show(const ReductionProgress &progress) {
    if (!isTerminal)
      return;
    if (!isShown)
      original = progress.ops;
    isShown = true;
    write("reducing: " + std::to_string(progress.ops) + " of " +
          std::to_string(original) + " operations, " +
          std::to_string(progress.tests) + " tests");
  }

  /// Leaves the line as it is.
  void end() {
    if (isShown)
      llvm::errs() << "\n";
    isShown = false;
  }

private:
  void write(const std::string &text) {
    size_t left = width > text.size() ? width - text.size() : 0;
    llvm::errs() << "\r" << text << std::string(left, ' ');
    llvm::errs().flush();
    width = text.size();
  }

  bool isTerminal = llvm::errs().is_displayed();
  bool isShown = false;
  int64_t original = 0;
  size_t width = 0;
};

} // namespace

/// Errors that have no place in the input.
static LogicalResult fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-reduce") << message << "\n";
  return failure();
}

static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

static OwningOpRef<ModuleOp> parse(StringRef name, MLIRContext &context) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(name, &error);
  if (!buffer) {
    (void)fail(error);
    return {};
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  return parseSourceFile<ModuleOp>(sources, &context);
}

static LogicalResult run(Options &options, MLIRContext &context) {
  if (options.test.empty())
    return fail("expected a program that says what is interesting, "
                "--test=PROGRAM");
  if (llvm::Error error = checkOutputFile(options.output))
    return fail(std::move(error));
  llvm::Expected<InterestingTest> test = InterestingTest::create(
      options.test, options.testArgs, options.timeout, options.testMustFail);
  if (!test)
    return fail(test.takeError());
  if (options.allowUnregistered)
    context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = parse(options.input, context);
  if (!module)
    return failure();

  auto print = [](ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    os << "\n";
    return text;
  };
  llvm::Expected<InterestingTest::Outcome> first = test->run(print(*module));
  if (!first)
    return fail(first.takeError());
  if (!first->isInteresting)
    return fail("expected '" + options.input + "' to be interesting, but '" +
                options.test + "' " + first->text +
                "; the program is given the file as uop-opt prints it");

  ProgressLine line;
  auto isInteresting = [&](ModuleOp, StringRef text) -> FailureOr<bool> {
    llvm::Expected<InterestingTest::Outcome> outcome = test->run(text);
    if (outcome)
      return outcome->isInteresting;
    line.end();
    return fail(outcome.takeError());
  };
  if (failed(reduceModule(
          module, isInteresting,
          [&](const ReductionProgress &progress) { line.show(progress); })))
    return failure();
  line.end();
  std::string text = print(*module);
  if (llvm::Error error = writeOutputFiles({{options.output, {text}}}))
    return fail(std::move(error));
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  MLIRContext context(registry);
  // Its patterns are for files of other dialects, too.
  context.getOrLoadDialect<UopDialect>();
  context.printOpOnDiagnostic(false);
  static Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Makes files that fail small\n");
  return failed(run(options, context));
}
