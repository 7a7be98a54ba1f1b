//===- HostFunction.cpp - Running host code that launches kernels ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace uop;

namespace {

class HostFunction {
public:
  HostFunction(func::FuncOp function, const InterpreterOptions &options)
      : function(function), options(options) {}

  LogicalResult run(ArrayRef<KernelArgument> arguments);

private:
  LogicalResult check();
  LogicalResult allocate(memref::AllocOp alloc);
  LogicalResult readDimension(memref::DimOp dim);
  LogicalResult launch(LaunchOp op);

  func::FuncOp function;
  const InterpreterOptions &options;
  llvm::DenseMap<Value, KernelArgument> values;
  /// What is allocated and not yet given back.
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  llvm::DenseMap<Value, std::unique_ptr<void, Free>> allocations;
};

} // namespace

/// Refuses what the interpreter does not run, before anything runs.
LogicalResult HostFunction::check() {
  if (function.isExternal())
    return function.emitOpError("expected a function with a body");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a function of one block");
  if (function.getNumResults() != 0)
    return function.emitOpError("expected a function without results; store "
                                "them to an argument");
  for (Operation &op : function.getBody().front()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      MemRefType type = alloc.getType();
      if (!type.getLayout().isIdentity() || type.getMemorySpace() ||
          getElementBytes(type.getElementType()) == 0)
        return alloc.emitOpError()
               << "expected a memref of signless integers or floating-point "
                  "numbers with the default layout and memory space, but got "
               << type;
      continue;
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      if (!dealloc.getMemref().getDefiningOp<memref::AllocOp>())
        return dealloc.emitOpError("expected memory that a memref.alloc of the "
                                   "function allocates");
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (!isa<IntegerAttr, FloatAttr>(constant.getValue()))
        return constant.emitOpError("expected a scalar constant");
      continue;
    }
    if (auto cast = dyn_cast<memref::CastOp>(op)) {
      if (!isa<MemRefType>(cast.getSource().getType()) ||
          !isa<MemRefType>(cast.getType()))
        return cast.emitOpError("expected ranked memrefs");
      continue;
    }
    if (!isa<memref::DimOp, LaunchOp, func::ReturnOp>(op))
      return op.emitOpError("is not run by the reference interpreter: expected "
                            "memref.alloc, memref.dealloc, memref.cast, "
                            "memref.dim, arith.constant, uop.launch or return");
  }
  return success();
}

LogicalResult HostFunction::run(ArrayRef<KernelArgument> arguments) {
  if (failed(check()) ||
      failed(checkArguments(function, function.getArgumentTypes(), arguments)))
    return failure();
  for (auto [value, argument] :
       llvm::zip_equal(function.getArguments(), arguments))
    values.try_emplace(value, argument);
  for (Operation &op : function.getBody().front()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      values.try_emplace(constant.getResult(), constant.getValue());
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (failed(allocate(alloc)))
        return failure();
    } else if (auto cast = dyn_cast<memref::CastOp>(op)) {
      KernelArgument source = values.at(cast.getSource());
      if (failed(checkArguments(cast, cast.getType(), source)))
        return failure();
      values.try_emplace(cast.getResult(), std::move(source));
    } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
      if (failed(readDimension(dim)))
        return failure();
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      if (!allocations.erase(dealloc.getMemref()))
        return dealloc.emitOpError("gives memory back a second time");
    } else if (auto launchOp = dyn_cast<LaunchOp>(op)) {
      if (failed(launch(launchOp)))
        return failure();
    }
  }
  return success();
}

LogicalResult HostFunction::allocate(memref::AllocOp alloc) {
  BufferArgument buffer;
  buffer.elementType = alloc.getType().getElementType();
  auto dynamicSize = alloc.getDynamicSizes().begin();
  for (int64_t size : alloc.getType().getShape()) {
    if (ShapedType::isDynamic(size)) {
      auto attr = std::get<TypedAttr>(values.at(*dynamicSize++));
      size = cast<IntegerAttr>(attr).getInt();
      if (size < 0)
        return alloc.emitOpError()
               << "expected sizes of 0 or more, but got " << size;
    }
    buffer.shape.push_back(size);
  }
  buffer.strides.resize(buffer.shape.size());
  int64_t count = 1, bytes;
  for (size_t dim = buffer.shape.size(); dim-- > 0;) {
    buffer.strides[dim] = count;
    if (llvm::MulOverflow(count, buffer.shape[dim], count))
      return alloc.emitOpError("expected a size that fits 64 bits");
  }
  buffer.allocatedElements = count;
  if (llvm::MulOverflow(count, getElementBytes(buffer.elementType), bytes))
    return alloc.emitOpError("expected a size that fits 64 bits");
  buffer.data = std::malloc(std::max<int64_t>(bytes, 1));
  if (!buffer.data)
    return alloc.emitOpError() << "cannot allocate " << bytes << " bytes";
  std::memset(buffer.data, 0xFF, bytes);
  allocations[alloc].reset(buffer.data);
  values[alloc] = std::move(buffer);
  return success();
}

LogicalResult HostFunction::readDimension(memref::DimOp dim) {
  const auto &buffer = std::get<BufferArgument>(values.at(dim.getSource()));
  auto number = std::get<TypedAttr>(values.at(dim.getIndex()));
  int64_t index = cast<IntegerAttr>(number).getInt();
  int64_t rank = buffer.shape.size();
  if (index < 0 || index >= rank)
    return dim.emitOpError()
           << "expected a dimension below " << rank << ", but got " << index;
  values.try_emplace(
      dim.getResult(),
      Builder(dim.getContext()).getIndexAttr(buffer.shape[index]));
  return success();
}

/// What the memref is a view of.
static Value getWhole(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref;
}

LogicalResult HostFunction::launch(LaunchOp op) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<KernelOp>(op, op.getKernelAttr());
  if (!kernel)
    return op.emitOpError() << "expected @" << op.getKernel()
                            << " to be a uop.kernel, but there is none";
  SmallVector<KernelArgument> arguments;
  for (auto [index, value] : llvm::enumerate(op.getArgs())) {
    Value whole = getWhole(value);
    if (whole.getDefiningOp<memref::AllocOp>() && !allocations.contains(whole))
      return op.emitOpError()
             << "uses argument #" << index << ", which was given back before";
    arguments.push_back(values.at(value));
  }
  if (succeeded(interpretKernel(kernel, arguments, options)))
    return success();
  return op.emitError() << "the launch of @" << op.getKernel() << " failed";
}

LogicalResult uop::interpretFunction(func::FuncOp function,
                                     MutableArrayRef<KernelArgument> arguments,
                                     const InterpreterOptions &options) {
  return HostFunction(function, options).run(arguments);
}
