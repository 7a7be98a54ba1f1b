//===- DeviceCode.cpp - From NVVM to PTX, LLVM IR and cubin ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's target interface makes one object a gpu.module, leaves calls to
// missing functions in the PTX, and returns no more than text. Hence the same
// steps here, one by one: translate, link, optimise, check, emit.
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/DeviceCode.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Conversion/GPUToNVVM/Chip.h"
#include "Uop/Target/Registration.h"
#include "Uop/Target/Toolkit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

/// LLVM's number of the address space of shared memory.
static constexpr unsigned kSharedAddressSpace = 3;

namespace {

/// The steps from some gpu.modules to one piece of code.
class DeviceCompiler {
public:
  DeviceCompiler(ArrayRef<gpu::GPUModuleOp> modules,
                 const uop::DeviceCodeOptions &options)
      : modules(modules), options(options) {}

  FailureOr<uop::DeviceCode> run();

private:
  LogicalResult chooseTarget();
  LogicalResult checkNames();
  LogicalResult translate();
  LogicalResult linkLibdevice();
  LogicalResult checkDefined();
  LogicalResult optimise();
  LogicalResult collectKernels();
  LogicalResult emit();

  /// An error at the first module, for what concerns them all.
  InFlightDiagnostic emitError() { return modules.front()->emitError(); }
  /// The operation that defines or declares `name`, else the first module.
  Operation *lookUp(StringRef name);

  ArrayRef<gpu::GPUModuleOp> modules;
  const uop::DeviceCodeOptions &options;
  NVVM::NVVMTargetAttr target;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  uop::DeviceCode result;
  bool failedInLLVM = false;
};

} // namespace

FailureOr<uop::DeviceCode> DeviceCompiler::run() {
  // LLVM ends the process on an error that nobody handles.
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *self) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        std::string text;
        llvm::raw_string_ostream os(text);
        llvm::DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
        auto *compiler = static_cast<DeviceCompiler *>(self);
        compiler->failedInLLVM = true;
        compiler->emitError() << "LLVM cannot compile this module: " << text;
      },
      this);

  if (failed(chooseTarget()) || failed(checkNames()) || failed(translate()) ||
      failed(linkLibdevice()) || failed(checkDefined()) || failed(optimise()) ||
      failed(collectKernels()) || failed(emit()))
    return failure();
  return std::move(result);
}

LogicalResult DeviceCompiler::chooseTarget() {
  gpu::GPUModuleOp first;
  for (gpu::GPUModuleOp gpuModule : modules) {
    ArrayAttr targets = gpuModule.getTargetsAttr();
    if (!targets || targets.size() != 1 ||
        !isa<NVVM::NVVMTargetAttr>(targets[0]))
      return gpuModule.emitError()
             << "expected exactly one target, an #nvvm.target; "
                "convert-to-nvvm attaches it";
    auto own = cast<NVVM::NVVMTargetAttr>(targets[0]);
    if (target && own != target) {
      InFlightDiagnostic diagnostic =
          gpuModule.emitError()
          << "expected all gpu.modules to have one target, but got " << own
          << " and " << target
          << "; name a chip for all, or compile the modules one by one";
      diagnostic.attachNote(first.getLoc()) << "the other module is here";
      return diagnostic;
    }
    target = own;
    first = gpuModule;
  }
  if (failed(uop::checkChip(target.getChip(), target.getFeatures(),
                            [&] { return emitError(); })))
    return failure();
  result.chip = target.getChip().str();

  llvm::Triple triple(uop::kNVPTXTriple);
  std::string error;
  const llvm::Target *backEnd =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backEnd)
    return emitError() << error;
  llvm::TargetOptions machineOptions;
  machine.reset(backEnd->createTargetMachine(
      triple, target.getChip(), target.getFeatures(), machineOptions,
      /*RM=*/std::nullopt, /*CM=*/std::nullopt,
      static_cast<llvm::CodeGenOptLevel>(target.getO())));
  return success();
}

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

LogicalResult DeviceCompiler::checkNames() {
  llvm::StringMap<Operation *> defined;
  for (gpu::GPUModuleOp gpuModule : modules)
    for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>()) {
      if (!isKernel(function))
        continue;
      auto [it, isNew] = defined.insert({function.getName(), function});
      if (isNew)
        continue;
      InFlightDiagnostic diagnostic =
          function.emitError()
          << "expected names that differ between gpu.modules compiled "
             "together, but got two kernels @"
          << function.getName();
      diagnostic.attachNote(it->second->getLoc()) << "the other one is here";
      return diagnostic;
    }
  return success();
}

Operation *DeviceCompiler::lookUp(StringRef name) {
  for (gpu::GPUModuleOp gpuModule : modules)
    if (Operation *op = SymbolTable::lookupSymbolIn(gpuModule, name))
      return op;
  return modules.front();
}

LogicalResult DeviceCompiler::translate() {
  for (gpu::GPUModuleOp gpuModule : modules) {
    std::unique_ptr<llvm::Module> part =
        translateModuleToLLVMIR(gpuModule, context, gpuModule.getName());
    if (!part)
      return failure();
    part->setTargetTriple(machine->getTargetTriple());
    part->setDataLayout(machine->createDataLayout());
    // Nobody but a kernel calls them, and two modules may use one name.
    for (llvm::Function &function : *part)
      if (!function.isDeclaration() &&
          function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!module)
      module = std::move(part);
    else if (llvm::Linker::linkModules(*module, std::move(part)))
      return failure();
  }
  return success();
}

/// The functions of libdevice that `module` calls.
static SmallVector<StringRef> getLibdeviceCalls(const llvm::Module &module) {
  SmallVector<StringRef> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with("__nv_"))
      names.push_back(function.getName());
  return names;
}

LogicalResult DeviceCompiler::linkLibdevice() {
  SmallVector<StringRef> calls = getLibdeviceCalls(*module);
  if (calls.empty())
    return success();

  uop::Toolkit toolkit(options.cudaPath);
  std::optional<std::string> path = toolkit.findLibdevice();
  if (!path) {
    InFlightDiagnostic diagnostic =
        lookUp(calls.front())->emitError()
        << "the kernel needs the function " << calls.front()
        << " of libdevice, which was not found in " << toolkit.describePlaces();
    diagnostic.attachNote() << uop::getLibdevicePackages();
    return diagnostic;
  }

  llvm::SMDiagnostic parseError;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(*path, parseError, context);
  if (!library)
    return emitError() << "cannot read " << *path << ": "
                       << parseError.getMessage();
  library->setTargetTriple(module->getTargetTriple());
  library->setDataLayout(module->getDataLayout());
  bool failedToLink = llvm::Linker::linkModules(
      *module, std::move(library), llvm::Linker::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &names) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !names.contains(value.getName());
        });
      });
  if (failedToLink)
    return emitError() << "cannot link " << *path;
  return success();
}

/// True for the functions that the driver has on the device.
static bool isSystemCall(StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" ||
         name == "__assertfail" || name == "__nvvm_reflect";
}

LogicalResult DeviceCompiler::checkDefined() {
  for (const llvm::Function &function : *module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !isSystemCall(function.getName()))
      return lookUp(function.getName())->emitError()
             << "the function @" << function.getName()
             << " is called by device code, but not defined";
  return success();
}

LogicalResult DeviceCompiler::optimise() {
  auto transformer = makeOptimizingTransformer(
      static_cast<unsigned>(target.getO()), /*sizeLevel=*/0, machine.get());
  if (llvm::Error error = transformer(module.get()))
    return emitError() << "LLVM cannot optimise this module: "
                       << llvm::toString(std::move(error));
  return success(!failedInLLVM);
}

/// Adds the shared variables that `value` uses to `variables`, through
/// constants and calls.
static void
collectShared(const llvm::Value *value,
              llvm::SmallSetVector<const llvm::GlobalVariable *, 8> &variables,
              llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  if (!seen.insert(value).second)
    return;
  if (auto *variable = dyn_cast<llvm::GlobalVariable>(value)) {
    if (variable->getAddressSpace() == kSharedAddressSpace &&
        !variable->isDeclaration())
      variables.insert(variable);
    return;
  }
  if (auto *function = dyn_cast<llvm::Function>(value)) {
    for (const llvm::BasicBlock &block : *function)
      for (const llvm::Instruction &instruction : block)
        for (const llvm::Use &operand : instruction.operands())
          if (isa<llvm::Constant>(operand))
            collectShared(operand, variables, seen);
    return;
  }
  if (auto *constant = dyn_cast<llvm::Constant>(value))
    for (const llvm::Use &operand : constant->operands())
      collectShared(operand, variables, seen);
}

LogicalResult DeviceCompiler::collectKernels() {
  const llvm::DataLayout &layout = module->getDataLayout();
  for (gpu::GPUModuleOp gpuModule : modules)
    for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>()) {
      if (!isKernel(function))
        continue;
      llvm::SmallSetVector<const llvm::GlobalVariable *, 8> variables;
      llvm::SmallPtrSet<const llvm::Value *, 32> seen;
      collectShared(module->getFunction(function.getName()), variables, seen);
      int64_t bytes = 0;
      for (const llvm::GlobalVariable *variable : variables) {
        bytes = llvm::alignTo(bytes, variable->getAlign().valueOrOne().value());
        bytes += layout.getTypeAllocSize(variable->getValueType());
      }
      if (bytes > uop::kMaxStaticSharedBytes)
        return function.emitError()
               << "expected at most " << uop::kMaxStaticSharedBytes
               << " bytes of static shared memory a block, but kernel @"
               << function.getName() << " has " << bytes;
      result.kernels.push_back({function.getName().str(), bytes});
    }
  return success();
}

LogicalResult DeviceCompiler::emit() {
  if (options.format == uop::DeviceFormat::LLVMIR) {
    llvm::raw_string_ostream os(result.code);
    module->print(os, nullptr);
    return success();
  }

  FailureOr<SmallString<0>> ptx = LLVM::ModuleToObject::translateModuleToISA(
      *module, *machine, [&] { return emitError(); });
  if (failed(ptx) || failedInLLVM)
    return failure();
  if (options.format == uop::DeviceFormat::PTX) {
    result.code = ptx->str().str();
    return success();
  }

  FailureOr<std::string> cubin =
      uop::assemblePTX(*ptx, target.getChip(), target.getO(), options.cudaPath,
                       [&] { return emitError(); });
  if (failed(cubin))
    return failure();
  result.code = std::move(*cubin);
  return success();
}

FailureOr<uop::DeviceCode>
uop::compileDeviceCode(ArrayRef<gpu::GPUModuleOp> modules,
                       const DeviceCodeOptions &options) {
  if (modules.empty())
    return DeviceCode();
  // What the host may not have registered.
  DialectRegistry registry;
  registerDeviceTargets(registry);
  gpu::GPUModuleOp first = modules.front();
  first.getContext()->appendDialectRegistry(registry);
  return DeviceCompiler(modules, options).run();
}
