//===- Compile.cpp - Device code through the C API ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Uop/Target/Translate.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

struct UopDeviceCode {
  Translation translation;
};

static UopCompileOptions getDefaults() {
  UopCompileOptions options = {};
  options.size = sizeof(options);
  options.format = UOP_CODE_PTX;
  options.optLevel = 3;
  options.fpContract = true;
  options.placeShared = true;
  options.splitReductions = true;
  return options;
}

void uopCompileOptionsInit(UopCompileOptions *options, size_t size) {
  initOptions(options, size, getDefaults());
}

UopDeviceCode *uopModuleCompile(const UopModule *module,
                                const UopCompileOptions *given,
                                UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  UopCompileOptions options = getDefaults();
  if (!readOptions(given, options))
    return failOptions(error, "uopCompileOptions");
  unsigned format = getBits(options.format);
  if (format > UOP_CODE_CUBIN)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected a format of UopCodeFormat, but got " + Twine(format));
  if (options.optLevel > 3)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected an optLevel of 0 to 3, but got " +
                    Twine(options.optLevel));
  if (options.indexWidth != 0 && options.indexWidth != 64)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected an indexWidth of 0 or 64, but got " +
                    Twine(options.indexWidth));

  TranslateOptions translate;
  translate.lowering.chip = getText(options.chip);
  translate.lowering.features = getText(options.features);
  translate.lowering.optLevel = options.optLevel;
  translate.lowering.fastMath = options.fastMath;
  translate.lowering.indexWidth = options.indexWidth == 64 ? "64" : "auto";
  translate.lowering.fpContract =
      options.fpContract ? FPContract::On : FPContract::Off;
  translate.lowering.placeShared = options.placeShared;
  translate.lowering.splitReductions = options.splitReductions;
  translate.code.format = static_cast<DeviceFormat>(format);
  static_assert(int(DeviceFormat::PTX) == UOP_CODE_PTX &&
                int(DeviceFormat::LLVMIR) == UOP_CODE_LLVMIR &&
                int(DeviceFormat::Cubin) == UOP_CODE_CUBIN);
  translate.code.cudaPath = getText(options.cudaPath);
  translate.codeFile = getText(options.codeFile);

  Call call(*module, error);
  ModuleOp operation = module->module;
  OwningOpRef<ModuleOp> copy = operation.clone();
  FailureOr<Translation> translation = translateModule(*copy, translate);
  if (failed(translation))
    return call.fail(UOP_ERROR_COMPILE, "the module cannot be compiled");
  return new UopDeviceCode{std::move(*translation)};
}

void uopDeviceCodeDestroy(UopDeviceCode *code) { delete code; }

static const char *getText(const std::string &text, size_t *size) {
  if (size)
    *size = text.size();
  return text.c_str();
}

static const char *getNothing(size_t *size) {
  if (size)
    *size = 0;
  return nullptr;
}

const char *uopDeviceCodeGetCode(const UopDeviceCode *code, size_t *size) {
  return code ? getText(code->translation.code.code, size) : getNothing(size);
}

const char *uopDeviceCodeGetManifest(const UopDeviceCode *code, size_t *size) {
  return code ? getText(code->translation.manifest, size) : getNothing(size);
}

const char *uopDeviceCodeGetChip(const UopDeviceCode *code) {
  return code ? code->translation.code.chip.c_str() : nullptr;
}

size_t uopDeviceCodeGetNumKernels(const UopDeviceCode *code) {
  return code ? code->translation.code.kernels.size() : 0;
}

const char *uopDeviceCodeGetKernelName(const UopDeviceCode *code,
                                       size_t index) {
  return index < uopDeviceCodeGetNumKernels(code)
             ? code->translation.code.kernels[index].name.c_str()
             : nullptr;
}

int64_t uopDeviceCodeGetSharedBytes(const UopDeviceCode *code, size_t index) {
  return index < uopDeviceCodeGetNumKernels(code)
             ? code->translation.code.kernels[index].sharedBytes
             : 0;
}
