//===- Run.cpp - Run kernels through the C API ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop-c/Run.h"
#include "Handles.h"
#include "Parameters.h"
#include "RunArguments.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Emulator/CheckedProgram.h"
#include "Uop/Emulator/Count.h"
#include "Uop/Report/PrintReport.h"
#include "Uop/Report/RunReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

struct UopExecutable {
  explicit UopExecutable(FunctionOpInterface function) : signature(function) {}
  ~UopExecutable() {
    std::lock_guard<std::recursive_mutex> lock(state->mutex);
    program.reset();
    checked.reset();
    module = nullptr;
  }

  std::shared_ptr<ContextState> state;
  Sources sources;
  Signature signature;
  bool isKernel = false;
  UopRunMode mode = UOP_MODE_RUN;
  /// Of uopExecutableCheck and uopExecutableCount.
  CheckOptions checkOptions;
  std::string chip;
  std::string note;
  /// What runs: one of these.
  std::unique_ptr<CompiledProgram> program;
  std::unique_ptr<CheckedProgram> checked;
  /// For the reference interpreter.
  OwningOpRef<ModuleOp> module;
  bool contract = true;
};

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static UopExecutableOptions getDefaults() {
  UopExecutableOptions options = {};
  options.size = sizeof(options);
  options.optLevel = 3;
  options.fpContract = true;
  options.placeShared = true;
  options.splitReductions = true;
  options.subgroupSize = 32;
  options.strictExits = true;
  return options;
}

void uopExecutableOptionsInit(UopExecutableOptions *options, size_t size) {
  initOptions(options, size, getDefaults());
}

/// What is wrong with the options; empty for nothing.
static std::string findWrongOption(const UopExecutableOptions &options) {
  unsigned device = getBits(options.device), mode = getBits(options.mode);
  if (device > UOP_DEVICE_REFERENCE)
    return llvm::formatv("expected a device of UopDevice, but got {0}", device);
  if (mode > UOP_MODE_COUNT)
    return llvm::formatv("expected a mode of UopRunMode, but got {0}", mode);
  if (device != UOP_DEVICE_EMULATOR && mode != UOP_MODE_RUN)
    return "expected UOP_DEVICE_EMULATOR, for checked and counted mode are of "
           "the emulator, but got another device";
  if (options.optLevel > 3)
    return llvm::formatv("expected an optLevel of 0 to 3, but got {0}",
                         options.optLevel);
  if (options.vectorWidth > 64 ||
      (options.vectorWidth && !llvm::isPowerOf2_32(options.vectorWidth)))
    return llvm::formatv("expected a vectorWidth that is a power of two up to "
                         "64, or 0, but got {0}",
                         options.vectorWidth);
  if (options.subgroupSize != 32 && options.subgroupSize != 64)
    return llvm::formatv("expected a subgroupSize of 32 or 64, but got {0}",
                         options.subgroupSize);
  if (options.numLibraries && !options.libraries)
    return "expected libraries, but got NULL";
  for (size_t i = 0; i < options.numLibraries; ++i)
    if (!options.libraries[i])
      return llvm::formatv("expected the path of library #{0}, but got NULL",
                           i);
  return "";
}

static ProgramOptions getProgramOptions(const UopExecutableOptions &options) {
  ProgramOptions program;
  program.device = options.device == UOP_DEVICE_CPU ? ProgramDevice::CPU
                                                    : ProgramDevice::Emulator;
  if (options.chip)
    program.chip = options.chip;
  program.vectorWidth = options.vectorWidth;
  program.placeShared = options.placeShared;
  program.splitReductions = options.splitReductions;
  program.contract = options.fpContract;
  program.openmp = options.parallel;
  program.optLevel = options.optLevel;
  program.recover = true;
  for (size_t i = 0; i < options.numLibraries; ++i)
    program.sharedLibs.push_back(options.libraries[i]);
  program.check = options.mode == UOP_MODE_CHECK;
  program.count = options.mode == UOP_MODE_COUNT;
  program.subgroupSize = options.subgroupSize;
  program.sample = options.sample;
  program.stepLimit = options.stepLimit;
  return program;
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

/// Whether the operation is a function that can be an entry.
static bool isEntry(Operation *op) {
  if (auto function = dyn_cast_or_null<func::FuncOp>(op))
    return !function.isExternal();
  return isa_and_nonnull<KernelOp>(op);
}

static std::string listEntries(ModuleOp module) {
  std::vector<std::string> names;
  for (Operation &op : module.getOps())
    if (isEntry(&op))
      names.push_back("@" + SymbolTable::getSymbolName(&op).str());
  return names.empty() ? "none" : llvm::join(names, ", ");
}

/// What is wrong with the types of an entry; empty for nothing.
static std::string findWrongType(const Signature &signature, UopDevice device) {
  for (auto [index, argument] : llvm::enumerate(signature.arguments))
    if (argument->info.kind == UOP_ARGUMENT_OTHER)
      return llvm::formatv(
          "argument #{0} of @{1}: expected a memref with a strided layout, or "
          "a scalar, of i1, i8, i16, i32, i64, index, f16, bf16, f32, f64 or "
          "an 8-bit floating-point type, but got {2}",
          index, signature.name, argument->text);
  if (signature.results.empty())
    return "";
  if (device == UOP_DEVICE_REFERENCE)
    return llvm::formatv("expected @{0} to return nothing, for the reference "
                         "interpreter, but it returns {1}",
                         signature.name, signature.results.front()->text);
  if (signature.results.size() == 1 &&
      signature.results.front()->info.kind == UOP_ARGUMENT_SCALAR)
    return "";
  return llvm::formatv("expected @{0} to return nothing, or one scalar, but "
                       "it returns {1} values, the first of {2}; store them "
                       "to an argument",
                       signature.name, signature.results.size(),
                       signature.results.front()->text);
}

UopExecutable *uopExecutableCreate(const UopModule *module, const char *entry,
                                   const UopExecutableOptions *given,
                                   UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  if (!entry)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected the name of a function, but got NULL");
  UopExecutableOptions options = getDefaults();
  if (!readOptions(given, options))
    return failOptions(error, "uopExecutableOptions");
  if (std::string wrong = findWrongOption(options); !wrong.empty())
    return fail(error, UOP_ERROR_ARGUMENT, wrong);

  Call call(*module, error);
  ModuleOp source = module->module;
  StringRef name = StringRef(entry).ltrim('@');
  Operation *op = source.lookupSymbol(name);
  if (!isEntry(op))
    return fail(error, UOP_ERROR_ARGUMENT,
                "there is no kernel or host function @" + name + "; there is " +
                    listEntries(source));
  auto executable =
      std::make_unique<UopExecutable>(cast<FunctionOpInterface>(op));
  executable->state = module->state;
  executable->sources = module->sources;
  executable->isKernel = isa<KernelOp>(op);
  executable->mode = options.mode;
  executable->contract = options.fpContract;
  executable->chip = getText(options.chip);
  executable->checkOptions.policy = options.strictExits
                                        ? CheckOptions::Policy::Strict
                                        : CheckOptions::Policy::CUDA;
  executable->checkOptions.stepLimit = options.stepLimit;
  std::string wrong = findWrongType(executable->signature, options.device);
  if (!wrong.empty())
    return fail(error, UOP_ERROR_ARGUMENT, wrong);

  OwningOpRef<ModuleOp> copy(source.clone());
  if (options.device == UOP_DEVICE_REFERENCE) {
    executable->module = std::move(copy);
    return executable.release();
  }
  ProgramOptions program = getProgramOptions(options);
  if (options.mode == UOP_MODE_CHECK) {
    executable->checked = CheckedProgram::create(*copy, name, program);
  } else {
    executable->program = CompiledProgram::create(*copy, name, program);
    if (executable->program)
      executable->note = executable->program->getNote().str();
  }
  if (!executable->checked && !executable->program)
    return call.fail(UOP_ERROR_COMPILE, "the function cannot be compiled");
  return executable.release();
}

void uopExecutableDestroy(UopExecutable *executable) { delete executable; }

size_t uopExecutableGetNumArguments(const UopExecutable *executable) {
  return executable ? executable->signature.arguments.size() : 0;
}

const UopParameter *uopExecutableGetArgument(const UopExecutable *executable,
                                             size_t index) {
  return index < uopExecutableGetNumArguments(executable)
             ? &executable->signature.arguments[index]->info
             : nullptr;
}

const UopParameter *uopExecutableGetResult(const UopExecutable *executable) {
  return executable && !executable->signature.results.empty()
             ? &executable->signature.results.front()->info
             : nullptr;
}

const char *uopExecutableGetNote(const UopExecutable *executable) {
  return executable ? executable->note.c_str() : nullptr;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static const char *getCallName(UopRunMode mode) {
  return mode == UOP_MODE_CHECK   ? "uopExecutableCheck"
         : mode == UOP_MODE_COUNT ? "uopExecutableCount"
                                  : "uopExecutableRun";
}

/// Checks the call and takes the arguments.
static bool begin(const UopExecutable *executable, UopRunMode mode,
                  const UopArgument *arguments, size_t numArguments,
                  RunArguments &result, UopError **error) {
  if (!executable)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected an executable, but got NULL");
  if (executable->mode != mode)
    return fail(error, UOP_ERROR_ARGUMENT,
                Twine("expected an executable of the mode for ") +
                    getCallName(mode) + ", but got one for " +
                    getCallName(executable->mode));
  if (llvm::Error wrong = result.set(
          executable->signature, executable->isKernel, arguments, numArguments))
    return fail(error, UOP_ERROR_ARGUMENT, llvm::toString(std::move(wrong)));
  return true;
}

/// Runs a program, and gives the caller what it returns.
static llvm::Error invoke(const UopExecutable &executable,
                          CompiledProgram &program,
                          const RunArguments &arguments, void *result) {
  uint64_t bits = 0;
  const UopParameter *returned = uopExecutableGetResult(&executable);
  if (llvm::Error error =
          program.run(arguments.getPacked(), returned ? &bits : nullptr))
    return error;
  if (returned && result)
    std::memcpy(result, &bits, uopElementTypeGetBytes(returned->elementType));
  return llvm::Error::success();
}

static bool interpret(UopExecutable &executable, const RunArguments &arguments,
                      UopError **error) {
  Call call(executable.state, executable.sources, error);
  Operation *op = executable.module->lookupSymbol(executable.signature.name);
  auto function = cast<FunctionOpInterface>(op);
  std::vector<KernelArgument> values =
      arguments.getKernelArguments(function.getArgumentTypes());
  InterpreterOptions options;
  options.contract = executable.contract;
  auto kernel = dyn_cast<KernelOp>(op);
  LogicalResult result =
      kernel ? interpretKernel(kernel, values, options)
             : interpretFunction(cast<func::FuncOp>(op), values, options);
  if (failed(result))
    return call.fail(UOP_ERROR_RUN, "the function is at fault");
  return true;
}

bool uopExecutableRun(UopExecutable *executable, const UopArgument *arguments,
                      size_t numArguments, void *result, UopError **error) {
  if (hasFailed(error))
    return Failure();
  RunArguments values;
  if (!begin(executable, UOP_MODE_RUN, arguments, numArguments, values, error))
    return false;
  if (executable->module)
    return interpret(*executable, values, error);
  if (llvm::Error fault =
          invoke(*executable, *executable->program, values, result))
    return fail(error, UOP_ERROR_RUN, llvm::toString(std::move(fault)));
  return true;
}

UopString *uopExecutableCheck(UopExecutable *executable,
                              const UopArgument *arguments, size_t numArguments,
                              void *result, size_t *numFaults,
                              UopError **error) {
  if (hasFailed(error))
    return Failure();
  RunArguments values;
  if (!begin(executable, UOP_MODE_CHECK, arguments, numArguments, values,
             error))
    return nullptr;
  Call call(executable->state, executable->sources, error);
  CheckedRun how;
  how.run = [&](CompiledProgram &program) {
    return invoke(*executable, program, values, result);
  };
  how.save = [&] { values.save(); };
  how.restore = [&] { values.restore(); };
  llvm::Expected<std::vector<Finding>> findings =
      executable->checked->run(how, executable->checkOptions);
  if (!findings)
    return call.fail(call.hasError() ? UOP_ERROR_COMPILE : UOP_ERROR_RUN,
                     llvm::toString(findings.takeError()));
  if (numFaults)
    *numFaults = llvm::count_if(
        *findings, [](const Finding &finding) { return !finding.isWarning; });
  auto text = std::make_unique<UopString>();
  llvm::raw_string_ostream os(text->text);
  printFindingsAsJSON(os, *findings, [&](const Finding &finding) {
    return report::nameBuffer(*executable->sources, finding);
  });
  return text.release();
}

UopString *uopExecutableCount(UopExecutable *executable,
                              const UopArgument *arguments, size_t numArguments,
                              void *result, UopError **error) {
  if (hasFailed(error))
    return Failure();
  RunArguments values;
  if (!begin(executable, UOP_MODE_COUNT, arguments, numArguments, values,
             error))
    return nullptr;
  Call call(executable->state, executable->sources, error);
  CountSession session;
  {
    CountSession::Scope scope(session);
    if (llvm::Error fault =
            invoke(*executable, *executable->program, values, result))
      return call.fail(UOP_ERROR_RUN, llvm::toString(std::move(fault)));
  }
  std::vector<report::KernelReport> reports = report::buildRunReports(
      session.takeLaunches(), executable->chip, *executable->sources);
  auto text = std::make_unique<UopString>();
  llvm::raw_string_ostream(text->text) << llvm::formatv(
      "{0:2}\n", llvm::json::Value(report::buildJSON(reports)));
  return text.release();
}
