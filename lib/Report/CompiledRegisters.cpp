//===- CompiledRegisters.cpp - Registers as ptxas counts them -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledRegisters.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Target/DeviceCode.h"
#include "Uop/Target/Toolkit.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

static constexpr int kOptLevel = 3;

void CompiledRegisters::measure(ModuleOp module,
                                const LowerToGPUOptions &lowering,
                                StringRef chip, StringRef cudaPath) {
  if (!lookUpGPUTarget(chip)) {
    failure = ("kernels are not compiled for " + chip).str();
    return;
  }
  if (!Toolkit(cudaPath).findPtxas()) {
    failure = "there is no ptxas in " + Toolkit(cudaPath).describePlaces();
    return;
  }
  // The first error says it all.
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (failure.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          failure = diagnostic.str();
        return success();
      });
  OwningOpRef<ModuleOp> copy(module.clone());
  ConvertToNVVMOptions options;
  options.chip = chip.str();
  options.placeShared = lowering.placeShared;
  options.splitReductions = lowering.splitReductions;
  options.fpContract = lowering.fpContract;
  PassManager pm(module.getContext());
  pm.addPass(createConvertToNVVM(options));
  if (failed(pm.run(*copy)))
    return;
  SmallVector<gpu::GPUModuleOp> modules(copy->getOps<gpu::GPUModuleOp>());
  if (modules.empty())
    return;
  DeviceCodeOptions device;
  device.cudaPath = cudaPath.str();
  FailureOr<DeviceCode> code = compileDeviceCode(modules, device);
  if (failed(code))
    return;
  auto resources =
      measureKernelResources(code->code, code->chip, kOptLevel, cudaPath,
                             [&] { return emitError(module.getLoc()); });
  if (failed(resources))
    return;
  for (const KernelResources &kernel : *resources)
    registers[kernel.name] =
        RegisterReport{kernel.registers, RegisterSource::Ptxas,
                       kernel.spillStoreBytes, kernel.spillLoadBytes};
}

std::optional<RegisterReport> CompiledRegisters::get(StringRef kernel) const {
  auto it = registers.find(kernel);
  if (it == registers.end())
    return std::nullopt;
  return it->second;
}
