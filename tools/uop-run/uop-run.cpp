//===- uop-run.cpp - Run a kernel or a host function on arrays ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function of a file on .npy files and generated arrays, on the CPU
// emulator of a GPU, as plain loops of a CPU, or on the reference interpreter,
// and keeps, compares and times what comes out. Exit status 1 on any error and
// on any mismatch, 3 where --check has found something.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Check.h"
#include "CheckedRun.h"
#include "CountedRun.h"
#include "EntryResult.h"
#include "Failure.h"
#include "Options.h"
#include "Outputs.h"
#include "Progress.h"
#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Interpreter/Interpreter.h"
#include "Uop/Version.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdio>
#include <optional>

using namespace mlir;
using namespace uop;
using namespace uop::run;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static std::string listNames(ArrayRef<FunctionOpInterface> functions) {
  return llvm::join(llvm::map_range(functions,
                                    [](FunctionOpInterface function) {
                                      return "@" + function.getName().str();
                                    }),
                    ", ");
}

/// The function to run; null, with an error printed, if it is not clear which.
static FunctionOpInterface findEntry(ModuleOp module, StringRef name) {
  SmallVector<FunctionOpInterface> kernels, functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (isa<KernelOp>(function))
      kernels.push_back(function);
    else if (isa<func::FuncOp>(function) && !function.isExternal())
      functions.push_back(function);
  }
  SmallVector<FunctionOpInterface> all(functions);
  llvm::append_range(all, kernels);
  if (all.empty()) {
    bool hasDeviceCode = !module.getOps<gpu::GPUModuleOp>().empty();
    return (void)fail(hasDeviceCode
                          ? "the file has a gpu.module and no host function; "
                            "write a func.func that launches its kernel"
                          : "the file has no kernel and no host function"),
           nullptr;
  }
  if (!name.empty()) {
    for (FunctionOpInterface function : all)
      if (function.getName() == name.ltrim('@'))
        return function;
    return (void)fail("there is no kernel or host function @" +
                      name.ltrim('@') + "; there is " + listNames(all)),
           nullptr;
  }
  ArrayRef<FunctionOpInterface> choice =
      functions.empty() ? kernels : functions;
  if (choice.size() == 1)
    return choice.front();
  return (void)fail("the file has several functions: choose one with -e, of " +
                    listNames(all)),
         nullptr;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Runs `once` the given number of times, on the same input; the times are
/// returned in ascending order.
static LogicalResult repeat(unsigned runs, MutableArrayRef<Argument> arguments,
                            function_ref<LogicalResult()> once,
                            std::vector<double> &times) {
  if (runs > 1)
    for (Argument &argument : arguments)
      argument.save();
  for (unsigned run = 0; run < runs; ++run) {
    if (run > 0)
      for (Argument &argument : arguments)
        argument.restore();
    Clock::time_point start = Clock::now();
    if (failed(once()))
      return failure();
    times.push_back(millisecondsSince(start));
  }
  llvm::sort(times);
  return success();
}

static void printTimes(ArrayRef<double> times, StringRef threads) {
  size_t half = times.size() / 2;
  double median =
      times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
  llvm::outs() << "run: " << llvm::format("%.3f", median) << " ms (median of "
               << times.size() << ", least "
               << llvm::format("%.3f", times.front()) << ", " << threads
               << ")\n";
}

namespace {

/// How far a run is, up to the first diagnostic, which has a line of its own.
/// Nothing is shown where standard error is no terminal.
class ShownProgress {
public:
  ShownProgress(MLIRContext *context, StringRef what, const Options &options) {
    if (!llvm::errs().is_displayed())
      return;
    progress.emplace(llvm::errs(), what,
                     Progress::Milliseconds(options.progressDelay));
    handler.emplace(context, [this](Diagnostic &) {
      progress->end();
      return failure();
    });
  }
  Progress *get() { return progress ? &*progress : nullptr; }
  void end() {
    if (progress)
      progress->end();
  }

private:
  std::optional<Progress> progress;
  std::optional<ScopedDiagnosticHandler> handler;
};

} // namespace

static LogicalResult runReference(FunctionOpInterface function,
                                  const Options &options, unsigned runs,
                                  MutableArrayRef<Argument> arguments) {
  if (options.printLaunch)
    return fail("--print-launch: the reference interpreter launches nothing; "
                "leave out --reference");
  if (function.getNumResults() != 0)
    return function->emitError()
           << "expected a function without results for the reference "
              "interpreter, but got "
           << function.getResultTypes();
  std::vector<KernelArgument> values;
  for (Argument &argument : arguments) {
    Type type = argument.getType();
    if (argument.isMemRef()) {
      BufferArgument buffer;
      buffer.data = argument.getData();
      buffer.elementType = argument.getElement().getType();
      buffer.shape = SmallVector<int64_t>(argument.getShape());
      buffer.strides = SmallVector<int64_t>(argument.getStrides());
      buffer.offset = argument.getOffset();
      buffer.allocatedElements = argument.getAllocatedElements();
      values.emplace_back(buffer);
    } else if (argument.getElement().isFloat()) {
      values.emplace_back(TypedAttr(FloatAttr::get(
          type, argument.getElement().toFloat(argument.getBits()))));
    } else {
      values.emplace_back(TypedAttr(IntegerAttr::get(
          type, APInt(argument.getElement().getWidth(), argument.getBits()))));
    }
  }
  InterpreterOptions interpreter;
  interpreter.contract = options.contract == Contract::On;
  ShownProgress shown(function->getContext(), "reference", options);
  if (Progress *progress = shown.get())
    interpreter.progress = [progress](int64_t done, int64_t total) {
      progress->report(done, total);
    };
  std::vector<double> times;
  LogicalResult result = repeat(
      runs, arguments,
      [&]() {
        if (auto kernel = dyn_cast<KernelOp>(*function))
          return interpretKernel(kernel, values, interpreter);
        return interpretFunction(cast<func::FuncOp>(*function), values,
                                 interpreter);
      },
      times);
  shown.end();
  if (failed(result))
    return failure();
  if (options.time.getNumOccurrences())
    printTimes(times, "reference interpreter");
  return success();
}

static void printLaunches(ArrayRef<ProgramLaunch> launches) {
  auto shape = [](std::array<int64_t, 3> sizes) {
    return "(" +
           llvm::join(llvm::map_range(
                          sizes, [](int64_t n) { return std::to_string(n); }),
                      ", ") +
           ")";
  };
  for (const ProgramLaunch &launch : launches)
    llvm::outs() << "launch: @" << launch.kernel << " grid "
                 << shape(launch.grid) << " block " << shape(launch.block)
                 << " shared " << launch.sharedBytes << " bytes\n";
}

static LogicalResult runProgram(ModuleOp module, StringRef entry, Type type,
                                const Options &options, unsigned runs,
                                MutableArrayRef<Argument> arguments,
                                llvm::SourceMgr &sources, CheckReport &report,
                                bool &found) {
  ProgramOptions compile;
  compile.device = options.device;
  compile.contract = options.contract == Contract::On;
  compile.recordLaunches = options.printLaunch;
  compile.chip = options.chip;
  compile.vectorWidth = options.vectorWidth;
  compile.placeShared = options.placeShared;
  compile.splitReductions = options.splitReductions;
  compile.sharedLibs.assign(options.sharedLibs.begin(),
                            options.sharedLibs.end());
  compile.check = options.check;
  compile.count = options.report;
  compile.subgroupSize = options.subgroupSize;
  compile.sample = options.sample;
  std::optional<ShownProgress> shown;
  Progress *progress = nullptr;
  if (options.check || options.report) {
    shown.emplace(module.getContext(), options.check ? "check" : "report",
                  options);
    progress = shown->get();
  }
  ResultBits result;
  if (options.check) {
    std::vector<ProgramLaunch> launches;
    std::optional<std::vector<Finding>> findings =
        runChecked(module, entry, compile, options, arguments,
                   type ? &result : nullptr, launches, report, progress);
    shown->end();
    if (!findings)
      return failure();
    found = CheckReport::isFailure(*findings);
    if (!findings->empty() &&
        failed(reportFindings(*findings, options, report)))
      return failure();
    std::fflush(nullptr);
    if (type)
      printResult(type, result);
    printLaunches(launches);
    return findings->empty() ? reportFindings({}, options, report) : success();
  }
  Clock::time_point start = Clock::now();
  std::unique_ptr<CompiledProgram> program =
      CompiledProgram::create(module, entry, compile);
  if (!program)
    return failure();
  double compileTime = millisecondsSince(start);
  std::vector<double> times;
  std::vector<CountedLaunch> counted;
  auto once = [&]() -> LogicalResult {
    if (options.report)
      return runCounted(*program, arguments, type ? &result : nullptr, counted,
                        progress);
    if (llvm::Error error =
            invoke(*program, arguments, type ? &result : nullptr))
      return fail(std::move(error));
    return success();
  };
  if (failed(repeat(runs, arguments, once, times)))
    return failure();
  // What the program printed comes first.
  std::fflush(nullptr);
  if (type)
    printResult(type, result);

  printLaunches(program->getLaunches());
  if (options.report && failed(reportCounts(counted, options, sources)))
    return failure();
  if (options.time.getNumOccurrences()) {
    llvm::outs() << "compile: " << llvm::format("%.3f", compileTime) << " ms\n";
    printTimes(times,
               program->isParallel()
                   ? std::to_string(
                         llvm::hardware_concurrency().compute_thread_count()) +
                         " threads"
                   : "1 thread");
  }
  if (!program->getNote().empty())
    llvm::WithColor::note(llvm::errs(), "uop-run")
        << program->getNote() << "\n";
  return success();
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

static LogicalResult runTool(const Options &options, bool &found) {
  unsigned runs = 1;
  if (options.time.getNumOccurrences()) {
    runs = options.reference ? 1 : 10;
    if (!options.time.empty() &&
        (StringRef(options.time).getAsInteger(10, runs) || runs == 0))
      return fail("expected --time=N with a number of runs from 1, but got '" +
                  options.time + "'");
  }
  if (failed(checkOptions(options)))
    return failure();
  bool isCPU = options.device == ProgramDevice::CPU;
  if (options.reference && options.device.getNumOccurrences())
    return fail("--reference lowers nothing: leave out --device");
  if (isCPU && options.printLaunch)
    return fail("--print-launch: plain CPU loops launch nothing; leave out "
                "--device=cpu");
  llvm::Expected<Tolerance> tolerance = Tolerance::parse(options.tolerance);
  if (!tolerance)
    return fail(tolerance.takeError());

  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!file)
    return fail("cannot read '" + options.file +
                "': " + file.getError().message());
  sources.AddNewSourceBuffer(std::move(*file), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();

  FunctionOpInterface function = findEntry(*module, options.entry);
  if (!function || failed(checkResult(function, options.entryResult)))
    return failure();
  SmallVector<Output> saves, compares;
  for (const std::string &text : options.save)
    if (failed(parseOutput(text, "--save", function, saves)))
      return failure();
  for (const std::string &text : options.compare)
    if (failed(parseOutput(text, "--compare", function, compares)))
      return failure();
  std::vector<std::string> texts;
  for (StringRef text : options.arguments)
    texts.push_back(text.trim().str());
  llvm::Expected<std::vector<Argument>> arguments =
      makeArguments(function, texts, options.seed);
  if (!arguments)
    return fail(arguments.takeError());
  if (failed(checkOutputs(saves, compares, *arguments)))
    return failure();

  CheckReport report(context, sources);
  std::string entry = function.getName().str();
  Type result = function.getResultTypes().empty()
                    ? Type()
                    : function.getResultTypes().front();
  if (failed(options.reference
                 ? runReference(function, options, runs, *arguments)
                 : runProgram(*module, entry, result, options, runs, *arguments,
                              sources, report, found)))
    return failure();

  // What is saved may show why a comparison fails: it comes first.
  if (failed(save(saves, *arguments)))
    return failure();
  bool equal = true;
  for (const Output &output : compares)
    equal &= succeeded(compare(output, (*arguments)[output.index], *tolerance));
  return success(equal);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  Options options;
  bool found = false;
  if (failed(parseCommandLine(argc, argv, options)) ||
      failed(runTool(options, found)))
    return 1;
  return found ? 3 : 0;
}
