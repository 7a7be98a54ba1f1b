//===- Jit.cpp - Run emulated gpu code in this process --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Jit.h"

#include "Uop/Emulator/Check.h"
#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
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

// Whether the process has a function that the module only declares, or nobody
// calls it.
static bool isKnown(func::FuncOp declaration) {
  if (SymbolTable::symbolKnownUseEmpty(
          declaration, declaration->getParentOfType<ModuleOp>()))
    return true;
  std::string name = declaration.getName().str();
  if (declaration->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName()))
    name = "_mlir_ciface_" + name;
  // The process itself is one of the libraries once it has been opened.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name);
}

Jit::Jit() = default;
Jit::~Jit() = default;

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
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();

  std::unique_ptr<Jit> jit(new Jit());
  bool openmp = options.openmp && !options.checked;
  jit->parallel = openmp && loadOpenMP();
  if (openmp && !jit->parallel)
    jit->message = "no OpenMP runtime found (libomp.so, package libomp-dev): "
                   "blocks and CPU threads run one after another";
  // Names of the module are its own: a kernel may be called malloc.
  SymbolTable symbols(module);
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (func.isDeclaration()) {
      if (options.sharedLibs.empty() && !isKnown(func)) {
        func.emitError() << "expected a definition of @" << func.getName()
                         << ", which no library of this process has";
        return nullptr;
      }
      continue;
    }
    std::string name = func.getName().str();
    if (failed(symbols.rename(func, "uop." + name)))
      return nullptr;
    if (!func.isPublic())
      continue;
    func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                  UnitAttr::get(context));
    SmallVector<bool> &isMemRef = jit->functions[name];
    for (Type type : func.getArgumentTypes())
      isMemRef.push_back(isa<BaseMemRefType>(type));
  }

  PassManager pm(context);
  EmulationPipelineOptions pipeline;
  pipeline.openmp = jit->parallel;
  pipeline.subgroupSize = options.subgroupSize;
  pipeline.chip = options.chip;
  pipeline.checked = options.checked;
  pipeline.sample = options.sample;
  buildEmulationPipeline(pm, pipeline);
  if (failed(pm.run(module)))
    return nullptr;

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
  if (options.checked)
    jit->engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
      llvm::orc::SymbolMap symbols;
      forEachCheckFunction([&](StringRef name, void *address) {
        symbols[interner(name)] = llvm::orc::ExecutorSymbolDef(
            llvm::orc::ExecutorAddr::fromPtr(address),
            llvm::JITSymbolFlags::Exported);
      });
      return symbols;
    });
  return jit;
}

llvm::Error Jit::invoke(StringRef name, ArrayRef<void *> args) {
  auto it = functions.find(name);
  if (it == functions.end())
    return llvm::createStringError("no public function '" + name + "'");
  const SmallVector<bool> &isMemRef = it->second;
  if (isMemRef.size() != args.size())
    return llvm::createStringError("expected " + llvm::Twine(isMemRef.size()) +
                                   " arguments of '" + name + "', but got " +
                                   llvm::Twine(args.size()));
  // The packed function reads each argument through a pointer; a memref is
  // handed on as a pointer to its descriptor.
  SmallVector<void *> values(args);
  SmallVector<void *> packed;
  for (auto [value, memref] : llvm::zip(values, isMemRef))
    packed.push_back(memref ? static_cast<void *>(&value) : value);
  return engine->invokePacked(("_mlir_ciface_uop." + name).str(), packed);
}

llvm::Expected<void *> Jit::lookup(StringRef name) {
  return engine->lookup(("uop." + name).str());
}
