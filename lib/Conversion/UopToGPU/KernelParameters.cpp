//===- KernelParameters.cpp - From arguments to parameters ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/KernelParameters.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace uop;

std::string KernelParameter::getName() const {
  std::string name = "arg" + std::to_string(argument);
  switch (kind) {
  case Kind::Argument:
    return name;
  case Kind::Size:
    return name + "_size" + std::to_string(dimension);
  case Kind::Stride:
    return name + "_stride" + std::to_string(dimension);
  case Kind::Offset:
    return name + "_offset";
  }
  return name;
}

bool uop::hasDynamicLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return false;
  if (!memref.hasStaticShape())
    return true;
  // Upstream has no strides for an array of shape 4x0, and nobody needs them.
  if (memref.getLayout().isIdentity())
    return false;
  auto [strides, offset] = memref.getStridesAndOffset();
  return ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides);
}

Type uop::getDeviceArgumentType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type;
  if (hasDynamicLayout(type))
    return MemRefType::get({}, memref.getElementType(),
                           MemRefLayoutAttrInterface(),
                           memref.getMemorySpace());
  if (memref.getNumElements() != 0 || !memref.getLayout().isIdentity())
    return type;
  SmallVector<int64_t> strides(memref.getRank(), 1);
  for (int64_t dim = memref.getRank() - 2; dim >= 0; --dim)
    strides[dim] =
        strides[dim + 1] * std::max<int64_t>(memref.getDimSize(dim + 1), 1);
  auto layout =
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides);
  return MemRefType::Builder(memref).setLayout(layout);
}

SmallVector<KernelParameter>
uop::getKernelParameters(ArrayRef<Type> arguments) {
  using Kind = KernelParameter::Kind;
  SmallVector<KernelParameter> result;
  for (auto [index, type] : llvm::enumerate(arguments)) {
    unsigned argument = index;
    auto add = [&, context = type.getContext()](Kind kind, unsigned dimension) {
      result.push_back({kind, argument, dimension, IndexType::get(context)});
    };
    result.push_back(
        {Kind::Argument, argument, 0, getDeviceArgumentType(type)});
    if (!hasDynamicLayout(type))
      continue;
    auto memref = cast<MemRefType>(type);
    for (auto [dimension, size] : llvm::enumerate(memref.getShape()))
      if (ShapedType::isDynamic(size))
        add(Kind::Size, dimension);
    if (memref.getLayout().isIdentity())
      continue;
    auto [strides, offset] = memref.getStridesAndOffset();
    for (auto [dimension, stride] : llvm::enumerate(strides))
      if (ShapedType::isDynamic(stride))
        add(Kind::Stride, dimension);
    if (ShapedType::isDynamic(offset))
      add(Kind::Offset, 0);
  }
  return result;
}
