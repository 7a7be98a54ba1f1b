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
#include "Compare.h"
#include "Compile.h"
#include "EntryResult.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/IR/Uop.h"
#include "Uop/Interpreter/Interpreter.h"
#include "Uop/Target/OutputFiles.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdio>

using namespace mlir;
using namespace uop;
using namespace uop::run;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

namespace {
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
  llvm::cl::opt<Device> device{
      "device", llvm::cl::init(Device::Emulator), llvm::cl::cat(category),
      llvm::cl::desc("What the kernels are compiled for (default: emulator)"),
      llvm::cl::values(
          clEnumValN(Device::Emulator, "emulator",
                     "a GPU, emulated: its grid, blocks, barriers, and memory"),
          clEnumValN(Device::CPU, "cpu",
                     "a CPU: plain loops, parallel over the axis thread"))};
  llvm::cl::opt<std::string> chip{
      "chip", llvm::cl::init(kDefaultGPUTarget.str()), llvm::cl::cat(category),
      llvm::cl::value_desc("sm_N"),
      llvm::cl::desc(
          "The chip that is emulated: how much shared memory a block "
          "may have (default: sm_80)")};
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
  llvm::cl::opt<bool> sample{
      "sample", llvm::cl::cat(category),
      llvm::cl::desc("With --check: run the first and the last block of each "
                     "grid only")};
  llvm::cl::opt<uint64_t> stepLimit{
      "step-limit", llvm::cl::value_desc("n"), llvm::cl::init(100000000),
      llvm::cl::cat(category),
      llvm::cl::desc("With --check: the most iterations of loops that a thread "
                     "makes; 0: no limit (default: 100000000)")};
  llvm::cl::opt<uint64_t> seed{
      "seed", llvm::cl::value_desc("n"), llvm::cl::init(0),
      llvm::cl::cat(category),
      llvm::cl::desc("The seed of rand for argument #i is n + i (default: 0)")};
};
} // namespace

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
)";

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-run") << message << "\n";
  return failure();
}

static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

/// A negative number would be taken for an option: a blank in front hides it.
static bool isNegativeNumber(StringRef text) {
  return text.consume_front("-") && !text.empty() &&
         (llvm::isDigit(text[0]) || text[0] == '.' ||
          text.equals_insensitive("inf") || text.equals_insensitive("nan"));
}

static LogicalResult parseCommandLine(int argc, char **argv, Options &options) {
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
// Outputs
//===----------------------------------------------------------------------===//

namespace {
/// An argument that is written to a file, or compared with one.
struct Output {
  unsigned index;
  StringRef path;
  std::optional<NpyArray> expected;
};
} // namespace

/// Reads [IDX=]file.npy.
static LogicalResult parseOutput(StringRef text, StringRef option,
                                 FunctionOpInterface function,
                                 SmallVectorImpl<Output> &outputs) {
  Output &output = outputs.emplace_back();
  auto [number, path] = text.split('=');
  bool hasNumber = path.data() != nullptr && text.contains('=') &&
                   !number.empty() && llvm::all_of(number, llvm::isDigit);
  output.path = hasNumber ? path : text;
  if (output.path.empty())
    return fail("expected " + option + "=[index=]file.npy, but got '" + text +
                "'");
  if (!hasNumber) {
    SmallVector<unsigned> stored = findStoredArguments(function);
    if (stored.size() == 1) {
      output.index = stored.front();
      return success();
    }
    std::string numbers = llvm::join(
        llvm::map_range(stored,
                        [](unsigned index) { return std::to_string(index); }),
        ", ");
    if (stored.empty())
      return fail("@" + function.getName() +
                  " writes no argument: say which "
                  "one " +
                  option + " is about, as in " + option + "=0=" + output.path);
    return fail("@" + function.getName() + " writes the arguments " + numbers +
                ": say which one " + option + " is about, as in " + option +
                "=" + Twine(stored.front()) + "=" + output.path);
  }
  if (number.getAsInteger(10, output.index) ||
      output.index >= function.getNumArguments())
    return fail(option + ": expected an argument from 0 to " +
                Twine(static_cast<int64_t>(function.getNumArguments()) - 1) +
                ", but got " + number);
  if (!isa<MemRefType>(function.getArgument(output.index).getType())) {
    std::string type;
    llvm::raw_string_ostream(type)
        << function.getArgument(output.index).getType();
    return fail(option + ": expected a memref, but argument #" + number +
                " is of type " + type);
  }
  return success();
}

static LogicalResult readExpected(Output &output, const Argument &argument) {
  llvm::Expected<NpyArray> array = readNpy(output.path);
  if (!array)
    return fail(array.takeError());
  const Element &element = argument.getElement();
  if (!element.accepts(array->dtype))
    return fail("cannot compare argument #" + Twine(output.index) +
                ": expected " + element.getExpectedDtype() + ", but '" +
                output.path + "' holds " + array->dtype.getName());
  if (ArrayRef(array->shape) != argument.getShape())
    return fail("cannot compare argument #" + Twine(output.index) +
                ": expected shape " + formatNpyShape(argument.getShape()) +
                ", but '" + output.path + "' has shape " +
                formatNpyShape(array->shape));
  output.expected = std::move(*array);
  return success();
}

/// The file that a path means, with all links and dots resolved.
static std::string resolve(StringRef path) {
  llvm::SmallString<128> file, folder;
  if (!llvm::sys::fs::real_path(path, file))
    return file.str().str();
  StringRef parent = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::real_path(parent.empty() ? "." : parent, folder))
    return path.str();
  llvm::sys::path::append(folder, llvm::sys::path::filename(path));
  return folder.str().str();
}

static LogicalResult checkOutputs(MutableArrayRef<Output> saves,
                                  MutableArrayRef<Output> compares,
                                  ArrayRef<Argument> arguments) {
  for (Output &output : compares)
    if (failed(readExpected(output, arguments[output.index])))
      return failure();
  for (auto [i, output] : llvm::enumerate(saves)) {
    if (llvm::Error error = checkOutputFile(output.path))
      return fail(std::move(error));
    for (Output &other : saves.take_front(i))
      if (resolve(other.path) == resolve(output.path))
        return fail("arguments #" + Twine(other.index) + " and #" +
                    Twine(output.index) + " are both saved as '" + output.path +
                    "'");
  }
  return success();
}

static LogicalResult save(ArrayRef<Output> saves,
                          ArrayRef<Argument> arguments) {
  // All the bytes first: the files are written together, or none is.
  std::vector<std::string> headers;
  std::vector<std::vector<char>> data;
  for (const Output &output : saves) {
    const Argument &argument = arguments[output.index];
    headers.push_back(makeNpyHeader(argument.getDtype(), argument.getShape()));
    data.push_back(argument.gather());
  }
  std::vector<OutputFile> files;
  for (auto [output, header, bytes] : llvm::zip_equal(saves, headers, data))
    files.push_back(
        {output.path.str(), {header, StringRef(bytes.data(), bytes.size())}});
  if (llvm::Error error = writeOutputFiles(files))
    return fail(std::move(error));
  return success();
}

static LogicalResult compare(const Output &output, const Argument &argument,
                             Tolerance tolerance) {
  const Element &element = argument.getElement();
  bool isUnsigned = output.expected->dtype.kind == 'u';
  Comparison comparison =
      compareArrays(element, argument.getShape(), argument.gather().data(),
                    output.expected->data.data(), tolerance, isUnsigned);
  if (comparison.mismatches)
    return fail("argument #" + Twine(output.index) + " differs from '" +
                output.path + "' in " +
                describeMismatch(comparison, element, isUnsigned));
  llvm::outs() << "equal: argument #" << output.index << " and '" << output.path
               << "', " << comparison.elements << " elements (max abs error "
               << llvm::format("%g", comparison.maxAbsolute)
               << ", max rel error "
               << llvm::format("%g", comparison.maxRelative) << ")\n";
  return success();
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
  bool shown = false;
  if (llvm::errs().is_displayed())
    interpreter.progress = [&](int64_t done, int64_t total) {
      llvm::errs() << "\rreference: "
                   << llvm::format("%3.0f", 100.0 * done / total) << " %";
      shown = true;
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
  if (shown)
    llvm::errs() << "\r                \r";
  if (failed(result))
    return failure();
  if (options.time.getNumOccurrences())
    printTimes(times, "reference interpreter");
  return success();
}

/// Runs once, and reports what is found; `found` says whether there is
/// anything.
static LogicalResult runChecked(Program &program, const Options &options,
                                MutableArrayRef<Argument> arguments,
                                ResultBits *result, CheckReport &report,
                                bool &found) {
  auto emit = [&](CheckSession &session) -> LogicalResult {
    std::vector<Finding> findings = session.takeFindings();
    report.emit(findings);
    found = CheckReport::isFailure(findings);
    if (!options.checkJSON.empty())
      if (llvm::Error error = report.write(findings, options.checkJSON))
        return fail(std::move(error));
    return success();
  };
  for (Argument &argument : arguments)
    argument.save();
  CheckOptions check;
  check.policy = options.checkPolicy;
  check.stepLimit = options.stepLimit;
  bool shown = false;
  auto clear = [&]() {
    if (shown)
      llvm::errs() << "\r              \r";
    shown = false;
  };
  if (llvm::errs().is_displayed())
    check.progress = [&](int64_t done, int64_t total) {
      llvm::errs() << "\rcheck: " << llvm::format("%3.0f", 100.0 * done / total)
                   << " %";
      shown = true;
    };
  while (true) {
    std::optional<CheckSession> session;
    // Emulated code has no way out.
    check.stop = [&]() {
      clear();
      (void)emit(*session);
      llvm::outs().flush();
      std::_Exit(3);
    };
    session.emplace(check);
    {
      CheckSession::Scope scope(*session);
      if (llvm::Error error = program.run(arguments, result))
        return fail(std::move(error));
    }
    clear();
    if (check.logEverything || !session->needsFullLog())
      return emit(*session);
    // Two arguments are one memory, which is written.
    check.logEverything = true;
    for (Argument &argument : arguments)
      argument.restore();
  }
}

static LogicalResult runProgram(ModuleOp module, StringRef entry, Type type,
                                const Options &options, unsigned runs,
                                MutableArrayRef<Argument> arguments,
                                CheckReport &report, bool &found) {
  CompileOptions compile;
  compile.device = options.device;
  compile.contract = options.contract == Contract::On;
  compile.recordLaunches = options.printLaunch;
  compile.chip = options.chip;
  compile.placeShared = options.placeShared;
  compile.splitReductions = options.splitReductions;
  compile.sharedLibs.assign(options.sharedLibs.begin(),
                            options.sharedLibs.end());
  compile.check = options.check;
  compile.sample = options.sample;
  Clock::time_point start = Clock::now();
  std::unique_ptr<Program> program = Program::compile(module, entry, compile);
  if (!program)
    return failure();
  double compileTime = millisecondsSince(start);
  std::vector<double> times;
  ResultBits result;
  auto once = [&]() -> LogicalResult {
    if (options.check)
      return runChecked(*program, options, arguments, type ? &result : nullptr,
                        report, found);
    if (llvm::Error error = program->run(arguments, type ? &result : nullptr))
      return fail(std::move(error));
    return success();
  };
  if (failed(repeat(runs, arguments, once, times)))
    return failure();
  // What the program printed comes first.
  std::fflush(nullptr);
  if (type)
    printResult(type, result);

  auto shape = [](std::array<int64_t, 3> sizes) {
    return "(" +
           llvm::join(llvm::map_range(
                          sizes, [](int64_t n) { return std::to_string(n); }),
                      ", ") +
           ")";
  };
  for (const Launch &launch : program->getLaunches())
    llvm::outs() << "launch: @" << launch.kernel << " grid "
                 << shape(launch.grid) << " block " << shape(launch.block)
                 << " shared " << launch.sharedBytes << " bytes\n";
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

/// Refuses options that say nothing together.
static LogicalResult checkOptions(const Options &options) {
  if (options.check) {
    if (options.reference)
      return fail("--check: the reference interpreter has no threads; leave "
                  "out --reference");
    if (options.device == Device::CPU)
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
  bool isCPU = options.device == Device::CPU;
  if (options.reference && options.device.getNumOccurrences())
    return fail("--reference lowers nothing: leave out --device");
  if (isCPU && options.printLaunch)
    return fail("--print-launch: plain CPU loops launch nothing; leave out "
                "--device=cpu");
  llvm::Expected<Tolerance> tolerance = Tolerance::parse(options.tolerance);
  if (!tolerance)
    return fail(tolerance.takeError());

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<UopDialect>();
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
                              report, found)))
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
  Options options;
  bool found = false;
  if (failed(parseCommandLine(argc, argv, options)) ||
      failed(runTool(options, found)))
    return 1;
  return found ? 3 : 0;
}
