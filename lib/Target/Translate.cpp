//===- Translate.cpp - From kernels to device code ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/Translate.h"
#include "Uop/Target/Manifest.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;

FailureOr<Translation> uop::translateModule(ModuleOp module,
                                            const TranslateOptions &options) {
  PassManager pm(module.getContext());
  pm.addPass(createConvertToNVVM(options.lowering));
  if (failed(pm.run(module)))
    return failure();

  auto modules = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  FailureOr<DeviceCode> code = compileDeviceCode(modules, options.code);
  if (failed(code))
    return failure();
  if (code->kernels.empty())
    return module.emitError()
           << "expected at least one kernel, but got none; a kernel "
              "is a gpu.func with the attribute kernel in a "
              "gpu.module (--gpu-kernel-outlining makes one of each "
              "gpu.launch, --uop-lower-linalg-to-gpu-pipeline of linalg)";

  Translation translation;
  llvm::raw_string_ostream os(translation.manifest);
  os << llvm::formatv("{0:2}\n",
                      llvm::json::Value(buildManifest(module, modules, *code,
                                                      options.codeFile)));
  translation.code = std::move(*code);
  return translation;
}
