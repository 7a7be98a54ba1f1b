//===- Functions.cpp - What functions take, for the C API -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Uop/Analysis/StoredArguments.h"
#include "Uop/IR/Uop.h"

#include "Parameters.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct ElementTypeInfo {
  const char *name;
  size_t bytes;
};
} // namespace

/// In the order of UopElementType.
static constexpr ElementTypeInfo elementTypes[] = {{"", 0},
                                                   {"i1", 1},
                                                   {"i8", 1},
                                                   {"i16", 2},
                                                   {"i32", 4},
                                                   {"i64", 8},
                                                   {"index", 8},
                                                   {"f16", 2},
                                                   {"bf16", 2},
                                                   {"f32", 4},
                                                   {"f64", 8},
                                                   {"f8E5M2", 1},
                                                   {"f8E4M3", 1},
                                                   {"f8E4M3FN", 1},
                                                   {"f8E5M2FNUZ", 1},
                                                   {"f8E4M3FNUZ", 1},
                                                   {"f8E4M3B11FNUZ", 1},
                                                   {"f8E3M4", 1},
                                                   {"f8E8M0FNU", 1}};
static_assert(std::size(elementTypes) == UOP_TYPE_F8E8M0FNU + 1);

static const ElementTypeInfo &getInfo(UopElementType type) {
  unsigned bits = getBits(type);
  return elementTypes[bits < std::size(elementTypes) ? bits : 0];
}

size_t uopElementTypeGetBytes(UopElementType type) {
  return getInfo(type).bytes;
}

const char *uopElementTypeGetName(UopElementType type) {
  return getInfo(type).name;
}

UopElementType capi::getElementType(Type type) {
  // Only these print as one of the names.
  if (!isa<IndexType, FloatType>(type) && !type.isSignlessInteger())
    return UOP_TYPE_OTHER;
  std::string text = print(type);
  for (unsigned i = 1; i < std::size(elementTypes); ++i)
    if (text == elementTypes[i].name)
      return static_cast<UopElementType>(i);
  return UOP_TYPE_OTHER;
}

std::string capi::print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Parameter::Parameter(Type type) : text(print(type)) {
  info.type = text.c_str();
  info.kind = UOP_ARGUMENT_OTHER;
  info.elementType = getElementType(type);
  info.alignment = 1;
  if (info.elementType != UOP_TYPE_OTHER) {
    info.kind = UOP_ARGUMENT_SCALAR;
    info.alignment = uopElementTypeGetBytes(info.elementType);
    return;
  }
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return;
  static_assert(ShapedType::kDynamic == UOP_DYNAMIC);
  info.elementType = getElementType(memref.getElementType());
  if (info.elementType == UOP_TYPE_OTHER ||
      failed(memref.getStridesAndOffset(strides, info.offset))) {
    info.elementType = UOP_TYPE_OTHER;
    info.offset = 0;
    return;
  }
  info.kind = UOP_ARGUMENT_MEMREF;
  info.alignment = uopElementTypeGetBytes(info.elementType);
  sizes = SmallVector<int64_t>(memref.getShape());
  info.isRowMajor = memref.getLayout().isIdentity();
  info.rank = sizes.size();
  info.sizes = sizes.data();
  info.strides = strides.data();
}

Signature::Signature(FunctionOpInterface function)
    : name(function.getName().str()) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto &argument = arguments.emplace_back(std::make_unique<Parameter>(type));
    auto align = function.getArgAttrOfType<IntegerAttr>(index, "llvm.align");
    if (align && align.getValue().isPowerOf2())
      argument->info.alignment = std::max<uint64_t>(
          argument->info.alignment, align.getValue().getZExtValue());
  }
  for (Type type : function.getResultTypes())
    results.push_back(std::make_unique<Parameter>(type));
  for (unsigned index : findStoredArguments(function))
    arguments[index]->info.isStored = true;
}

//===----------------------------------------------------------------------===//
// Lists of functions
//===----------------------------------------------------------------------===//

namespace {
struct Function {
  UopFunctionKind kind;
  Signature signature;
};
} // namespace

struct UopFunctionList {
  std::vector<Function> functions;
};

UopFunctionList *uopModuleGetFunctions(const UopModule *module,
                                       UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  Call call(*module, error);
  auto list = std::make_unique<UopFunctionList>();
  auto add = [&](UopFunctionKind kind, FunctionOpInterface function) {
    list->functions.push_back({kind, Signature(function)});
  };
  ModuleOp operations = module->module;
  for (Operation &op : operations.getOps()) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      add(kernel.getLoops() ? UOP_FUNCTION_LOOP_KERNEL : UOP_FUNCTION_KERNEL,
          kernel);
    } else if (auto function = dyn_cast<func::FuncOp>(op)) {
      if (!function.isExternal())
        add(UOP_FUNCTION_HOST, function);
    } else if (auto device = dyn_cast<gpu::GPUModuleOp>(op)) {
      for (auto kernel : device.getOps<gpu::GPUFuncOp>()) {
        if (!kernel.isKernel())
          continue;
        add(UOP_FUNCTION_GPU_KERNEL, kernel);
        std::string &name = list->functions.back().signature.name;
        name = (device.getName() + "::" + name).str();
      }
    }
  }
  return list.release();
}

void uopFunctionListDestroy(UopFunctionList *list) { delete list; }

size_t uopFunctionListGetSize(const UopFunctionList *list) {
  return list ? list->functions.size() : 0;
}

static const Function *get(const UopFunctionList *list, size_t index) {
  return index < uopFunctionListGetSize(list) ? &list->functions[index]
                                              : nullptr;
}

const char *uopFunctionListGetName(const UopFunctionList *list, size_t index) {
  const Function *function = get(list, index);
  return function ? function->signature.name.c_str() : nullptr;
}

UopFunctionKind uopFunctionListGetKind(const UopFunctionList *list,
                                       size_t index) {
  const Function *function = get(list, index);
  return function ? function->kind : static_cast<UopFunctionKind>(0);
}

size_t uopFunctionListGetNumArguments(const UopFunctionList *list,
                                      size_t index) {
  const Function *function = get(list, index);
  return function ? function->signature.arguments.size() : 0;
}

const UopParameter *uopFunctionListGetArgument(const UopFunctionList *list,
                                               size_t index, size_t argument) {
  return argument < uopFunctionListGetNumArguments(list, index)
             ? &get(list, index)->signature.arguments[argument]->info
             : nullptr;
}

size_t uopFunctionListGetNumResults(const UopFunctionList *list, size_t index) {
  const Function *function = get(list, index);
  return function ? function->signature.results.size() : 0;
}

const UopParameter *uopFunctionListGetResult(const UopFunctionList *list,
                                             size_t index, size_t result) {
  return result < uopFunctionListGetNumResults(list, index)
             ? &get(list, index)->signature.results[result]->info
             : nullptr;
}
