//===- DynamicArguments.cpp - Memrefs of dynamic shape or layout ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host takes such an argument apart, and the device puts it together again
// (see KernelParameters.h for the parts). A descriptor as upstream passes it
// has the parts as well, but loses that its pointer aliases no other.
//
//===----------------------------------------------------------------------===//

#include "UopToGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

/// The values as they stand in a type, with `parts` in place of the dynamic
/// ones, which are taken from its front.
static SmallVector<OpFoldResult> mix(ArrayRef<int64_t> values,
                                     ValueRange &parts, Builder &builder) {
  SmallVector<OpFoldResult> mixed;
  for (int64_t value : values) {
    if (!ShapedType::isDynamic(value)) {
      mixed.push_back(builder.getIndexAttr(value));
      continue;
    }
    mixed.push_back(parts.front());
    parts = parts.drop_front();
  }
  return mixed;
}

/// The strides of a row-major memref.
static SmallVector<OpFoldResult>
buildRowMajorStrides(ImplicitLocOpBuilder &builder, MemRefType type,
                     ArrayRef<OpFoldResult> sizes) {
  auto [known, offset] = type.getStridesAndOffset();
  SmallVector<OpFoldResult> strides(type.getRank());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (!ShapedType::isDynamic(known[dim]))
      stride = builder.getIndexAttr(known[dim]);
    strides[dim] = stride;
    if (dim == 0 || !ShapedType::isDynamic(known[dim - 1]))
      continue;
    if (getConstantIntValue(stride) == 1) {
      stride = sizes[dim];
      continue;
    }
    Value inner =
        getValueOrCreateConstantIndexOp(builder, builder.getLoc(), stride);
    Value size =
        getValueOrCreateConstantIndexOp(builder, builder.getLoc(), sizes[dim]);
    stride = arith::MulIOp::create(builder, inner, size).getResult();
  }
  return strides;
}

Value uop::buildDimension(ImplicitLocOpBuilder &builder, Value index,
                          ArrayRef<OpFoldResult> sizes) {
  auto toValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, builder.getLoc(), size);
  };
  int64_t rank = sizes.size();
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return *number >= 0 && *number < rank ? toValue(sizes[*number]) : Value();
  // Upstream would keep the sizes in memory, to index them.
  Value result = rank == 0 ? Value() : toValue(sizes.front());
  for (int64_t i = 1; i < rank; ++i) {
    Value number = arith::ConstantIndexOp::create(builder, i);
    Value isThis =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, index, number);
    result =
        arith::SelectOp::create(builder, isThis, toValue(sizes[i]), result);
  }
  return result;
}

SmallVector<OpFoldResult> uop::getSizes(MemRefType type, ValueRange parts) {
  ValueRange rest = parts.drop_front();
  Builder builder(type.getContext());
  return mix(type.getShape(), rest, builder);
}

SmallVector<Value> uop::takeApart(ImplicitLocOpBuilder &builder, Value memref) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref);
  SmallVector<Value> parts;
  for (const KernelParameter &parameter : getKernelParameters(memref.getType()))
    switch (parameter.kind) {
    case KernelParameter::Kind::Argument:
      parts.push_back(metadata.getBaseBuffer());
      break;
    case KernelParameter::Kind::Size:
      parts.push_back(metadata.getSizes()[parameter.dimension]);
      break;
    case KernelParameter::Kind::Stride:
      parts.push_back(metadata.getStrides()[parameter.dimension]);
      break;
    case KernelParameter::Kind::Offset:
      parts.push_back(metadata.getOffset());
      break;
    }
  return parts;
}

Value uop::putTogether(ImplicitLocOpBuilder &builder, MemRefType type,
                       ValueRange parts) {
  SmallVector<OpFoldResult> sizes = getSizes(type, parts);
  ValueRange rest = parts.drop_front(1 + type.getNumDynamicDims());
  SmallVector<OpFoldResult> strides;
  OpFoldResult offset = builder.getIndexAttr(0);
  if (type.getLayout().isIdentity()) {
    strides = buildRowMajorStrides(builder, type, sizes);
  } else {
    auto [typeStrides, typeOffset] = type.getStridesAndOffset();
    strides = mix(typeStrides, rest, builder);
    offset = mix(typeOffset, rest, builder).front();
  }
  return memref::ReinterpretCastOp::create(builder, type, parts.front(), offset,
                                           sizes, strides);
}
