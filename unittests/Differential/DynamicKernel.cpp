//===- DynamicKernel.cpp - A kernel that knows less -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace uop;

static SmallVector<int64_t> forgetSome(ArrayRef<int64_t> numbers,
                                       std::mt19937_64 &random) {
  SmallVector<int64_t> result(numbers);
  for (int64_t &number : result)
    if (random() % 2)
      number = ShapedType::kDynamic;
  return result;
}

static MemRefType forgetSome(MemRefType type, std::mt19937_64 &random) {
  MemRefType::Builder builder(type);
  SmallVector<int64_t> shape = forgetSome(type.getShape(), random);
  builder.setShape(shape);
  auto [strides, offset] = type.getStridesAndOffset();
  // A row-major memref may stay one, or be one of those with its strides.
  bool isRowMajor = type.getLayout().isIdentity();
  if (!isRowMajor || (random() % 3 == 0 && type.getNumElements() != 0))
    builder.setLayout(StridedLayoutAttr::get(
        type.getContext(),
        forgetSome(ArrayRef<int64_t>(offset), random).front(),
        forgetSome(strides, random)));
  return builder;
}

/// Sets the extent of the range to a dimension of its size, if there is one.
static void forgetExtent(RangeOp range, Block &body, std::mt19937_64 &random) {
  std::optional<int64_t> extent = range.getConstantExtent();
  AxisKind kind = range.getAxis().getKind();
  if (!extent || (kind != AxisKind::Loop && kind != AxisKind::Serial &&
                  kind != AxisKind::Global && kind != AxisKind::Reduce))
    return;
  SmallVector<std::pair<Value, int64_t>> choices;
  for (BlockArgument argument : body.getArguments())
    if (auto memref = dyn_cast<MemRefType>(argument.getType()))
      for (auto [dim, size] : llvm::enumerate(memref.getShape()))
        if (size == *extent)
          choices.push_back({argument, dim});
  if (choices.empty())
    return;
  auto [memref, dim] = choices[random() % choices.size()];
  OpBuilder builder(range);
  Value number = arith::ConstantIndexOp::create(builder, range.getLoc(), dim);
  Value size = memref::DimOp::create(builder, range.getLoc(), memref, number);
  range.getExtentMutable().assign(size);
  range.removeStaticExtentAttr();
}

bool uop::makeDynamic(KernelOp kernel, std::mt19937_64 &random) {
  KernelOp changed = kernel.clone();
  Block &body = changed.getBodyBlock();
  for (RangeOp range : llvm::make_early_inc_range(body.getOps<RangeOp>()))
    if (random() % 3 == 0)
      forgetExtent(range, body, random);
  SmallVector<Type> types;
  for (BlockArgument argument : body.getArguments()) {
    if (auto memref = dyn_cast<MemRefType>(argument.getType()))
      argument.setType(forgetSome(memref, random));
    types.push_back(argument.getType());
  }
  changed.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
  bool isValid;
  {
    ScopedDiagnosticHandler handler(kernel.getContext(),
                                    [](Diagnostic &) { return success(); });
    isValid = succeeded(verify(changed));
  }
  if (isValid) {
    kernel.getBody().takeBody(changed.getBody());
    kernel.setFunctionType(changed.getFunctionType());
  }
  changed.erase();
  return isValid;
}
