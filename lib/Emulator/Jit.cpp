//===- Jit.cpp - Run emulated gpu code in this process --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Jit.h"
#include "AsyncThreads.h"
#include "Faults.h"

#include "Uop/Emulator/Check.h"
#include "Uop/Emulator/Count.h"
#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// MemRefArgument
//===----------------------------------------------------------------------===//

MemRefArgument::MemRefArgument(void *data, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  build(data, 0, shape, strides);
}

MemRefArgument::MemRefArgument(void *data, int64_t offset,
                               ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> strides) {
  build(data, offset, shape, strides);
}

void MemRefArgument::build(void *data, int64_t offset, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> strides) {
  auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(data));
  words = {address, address, offset};
  words.append(shape.begin(), shape.end());
  words.append(strides.begin(), strides.end());
}

//===----------------------------------------------------------------------===//
// Jit
//===----------------------------------------------------------------------===//

// Makes the symbols of LLVM's OpenMP runtime visible. GCC's has other ones.
static bool loadOpenMP() {
  static constexpr const char *candidates[] = {
      UOP_LLVM_LIBRARY_DIR "/libomp.so", "libomp.so", "libomp.so.5",
      "libomp.dylib"};
  if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol("__kmpc_fork_call"))
    return true;
  return llvm::any_of(candidates, [](const char *name) {
    return !llvm::sys::DynamicLibrary::LoadLibraryPermanently(name);
  });
}

// One multiplication and one addition stay two roundings.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(unsigned optLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  if (std::optional<llvm::CodeGenOptLevel> level =
          llvm::CodeGenOpt::getLevel(optLevel))
    builder->setCodeGenOptLevel(*level);
  return builder->createTargetMachine();
}

static bool isInProcess(StringRef name) {
  // The process itself is one of the libraries once it has been opened.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str());
}

// The functions that are given to the code by name.
static void
forEachGivenFunction(const JitOptions &options,
                     llvm::function_ref<void(StringRef, void *)> visit) {
  if (options.recover)
    forEachFaultFunction(visit);
  if (options.checked)
    forEachCheckFunction(visit);
  if (options.counted)
    forEachCountFunction(visit);
}

// What the lowered module only declares and uses, and no library has.
static SmallVector<Operation *> findUnknownSymbols(ModuleOp module,
                                                   const JitOptions &options) {
  SmallVector<Operation *> unknown;
  llvm::StringSet<> given;
  forEachGivenFunction(options,
                       [&](StringRef name, void *) { given.insert(name); });
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<LLVM::LLVMFuncOp>(op);
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    bool isDeclared = (func && func.isExternal()) ||
                      (global && !global.getValueOrNull() &&
                       global.getInitializerRegion().empty() &&
                       global.getLinkage() == LLVM::Linkage::External);
    if (!isDeclared)
      continue;
    StringRef name = SymbolTable::getSymbolName(&op).getValue();
    if (!name.starts_with("llvm.") && !given.contains(name) &&
        !isInProcess(name) && !SymbolTable::symbolKnownUseEmpty(&op, module))
      unknown.push_back(&op);
  }
  return unknown;
}

// The libraries for code of MLIR's other runners: what prints memrefs, numbers
// and vectors, copies, and runs asynchronous code.
static constexpr const char *runnerLibraries[] = {
    "libmlir_c_runner_utils", "libmlir_runner_utils", "libmlir_async_runtime"};

static bool loadRunnerLibrary(StringRef name) {
#ifdef __APPLE__
  constexpr const char *suffix = ".dylib";
#else
  constexpr const char *suffix = ".so";
#endif
  for (StringRef folder : {UOP_LLVM_LIBRARY_DIR "/", ""})
    if (!llvm::sys::DynamicLibrary::LoadLibraryPermanently(
            (folder + name + suffix).str().c_str()))
      return true;
  return false;
}

// Loads the libraries that the code needs. Those of MLIR are looked for only
// where something is missing.
static LogicalResult loadLibraries(ModuleOp module, const JitOptions &options) {
  for (const std::string &path : options.sharedLibs) {
    std::string message;
    if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(path.c_str(),
                                                          &message))
      return emitError(module.getLoc())
             << "cannot load the library '" << path << "': " << message;
  }
  SmallVector<Operation *> unknown = findUnknownSymbols(module, options);
  for (const char *library : runnerLibraries) {
    if (unknown.empty())
      break;
    if (loadRunnerLibrary(library))
      unknown = findUnknownSymbols(module, options);
  }
  if (unknown.empty())
    return success();
  StringRef name = SymbolTable::getSymbolName(unknown.front()).getValue();
  name.consume_front("_mlir_ciface_");
  return emitError(unknown.front()->getLoc())
         << "expected a definition of @" << name
         << ", which no library of this process has";
}

// Programs may be compiled in several threads.
static void initializeNativeTarget() {
  static llvm::once_flag once;
  llvm::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

Jit::Jit() = default;

Jit::~Jit() {
  if (isAsynchronous)
    waitForAsyncThreads();
}

std::unique_ptr<Jit> Jit::create(ModuleOp module, const JitOptions &options) {
  auto fail = [&](llvm::Error error) {
    emitError(module.getLoc()) << "cannot compile for this machine: "
                               << llvm::toString(std::move(error));
    return nullptr;
  };
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  initializeNativeTarget();

  std::unique_ptr<Jit> jit(new Jit());
  bool hasSession = options.checked || options.counted;
  bool openmp = options.openmp && !hasSession;
  jit->parallel = openmp && loadOpenMP();
  if (openmp && !jit->parallel)
    jit->message = "no OpenMP runtime found (libomp.so, package libomp-dev): "
                   "blocks and CPU threads run one after another";
  // Names of the module are its own: a kernel may be called malloc.
  SymbolTable symbols(module);
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (func.isDeclaration())
      continue;
    std::string name = func.getName().str();
    if (failed(symbols.rename(func, "uop." + name)))
      return nullptr;
    if (!func.isPublic())
      continue;
    func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                  UnitAttr::get(context));
    Signature &signature = jit->functions[name];
    for (Type type : func.getArgumentTypes())
      signature.isMemRef.push_back(isa<BaseMemRefType>(type));
    signature.numResults = func.getNumResults();
  }

  PassManager pm(context);
  EmulationPipelineOptions pipeline;
  pipeline.openmp = jit->parallel;
  pipeline.subgroupSize = options.subgroupSize;
  pipeline.chip = options.chip;
  pipeline.checked = options.checked;
  pipeline.counted = options.counted;
  pipeline.sample = options.sample;
  pipeline.detect = options.detect;
  pipeline.stepLimit = options.stepLimit;
  pipeline.vectorWidth = options.vectorWidth;
  buildEmulationPipeline(pm, pipeline);
  if (failed(pm.run(module)) || failed(loadLibraries(module, options)))
    return nullptr;

  jit->isAsynchronous =
      llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [](auto func) {
        return func.getName().starts_with("mlirAsyncRuntime");
      });
  // Whoever waits for asynchronous code may not leave it behind.
  jit->recovers = options.recover && !jit->isAsynchronous;

  auto machine = createTargetMachine(options.optLevel);
  if (!machine)
    return fail(machine.takeError());
  jit->machine = std::move(*machine);
  auto codegen = createTargetMachine(options.optLevel);
  if (!codegen)
    return fail(codegen.takeError());
  jit->transformer =
      makeOptimizingTransformer(options.optLevel, 0, jit->machine.get());
  SmallVector<StringRef> libs(options.sharedLibs.begin(),
                              options.sharedLibs.end());
  ExecutionEngineOptions engineOptions;
  // The engine keeps a reference: the callable is a member for that reason.
  engineOptions.transformer = jit->transformer;
  engineOptions.sharedLibPaths = libs;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(module, engineOptions, std::move(*codegen));
  if (!engine)
    return fail(engine.takeError());
  jit->engine = std::move(*engine);
  JitOptions given = options;
  given.recover = jit->recovers;
  if (hasSession || given.recover)
    jit->engine->registerSymbols([&](llvm::orc::MangleAndInterner interner) {
      llvm::orc::SymbolMap symbols;
      forEachGivenFunction(given, [&](StringRef name, void *address) {
        symbols[interner(name)] = llvm::orc::ExecutorSymbolDef(
            llvm::orc::ExecutorAddr::fromPtr(address),
            llvm::JITSymbolFlags::Exported);
      });
      return symbols;
    });
  return jit;
}

llvm::Error Jit::invoke(StringRef name, ArrayRef<void *> args, void *result) {
  auto it = functions.find(name);
  if (it == functions.end())
    return llvm::createStringError("no public function '" + name + "'");
  auto &[isMemRef, numResults, address] = it->second;
  if (isMemRef.size() != args.size())
    return llvm::createStringError("expected " + llvm::Twine(isMemRef.size()) +
                                   " arguments of '" + name + "', but got " +
                                   llvm::Twine(args.size()));
  if (numResults != (result ? 1 : 0))
    return llvm::createStringError("expected room for the results of '" + name +
                                   "', which has " + llvm::Twine(numResults) +
                                   ", but got it for " + (result ? "1" : "0"));
  // The packed function reads each argument through a pointer; a memref is
  // handed on as a pointer to its descriptor.
  SmallVector<void *> values(args);
  SmallVector<void *> packed;
  for (auto [value, memref] : llvm::zip(values, isMemRef))
    packed.push_back(memref ? static_cast<void *>(&value) : value);
  if (result)
    packed.push_back(result);
  void (*function)(void **) = address;
  if (!function) {
    auto found = engine->lookupPacked(("_mlir_ciface_uop." + name).str());
    if (!found)
      return found.takeError();
    address = function = *found;
  }
  if (recovers)
    return callCatchingFaults(function, packed.data());
  function(packed.data());
  return llvm::Error::success();
}

llvm::Expected<void *> Jit::lookup(StringRef name) {
  return engine->lookup(("uop." + name).str());
}
