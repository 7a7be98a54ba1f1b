//===- Program.cpp - A kernel made ready to be walked ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Thread.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uop::simt;

static Datum getConstant(Attribute attribute) {
  Datum datum;
  auto add = [&](Attribute element) {
    if (auto integer = dyn_cast<IntegerAttr>(element))
      datum.lanes.push_back(integer.getValue().getZExtValue());
    else if (auto number = dyn_cast<FloatAttr>(element))
      datum.lanes.push_back(number.getValue().bitcastToAPInt().getZExtValue());
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute)) {
    for (Attribute element : elements.getValues<Attribute>())
      add(element);
  } else {
    add(attribute);
  }
  return datum;
}

unsigned Program::addSlot(Value value) {
  auto [it, isNew] = slots.try_emplace(value, numSlots);
  numSlots += isNew;
  return it->second;
}

llvm::Error Program::add(Step &step) {
  Operation *op = step.op;
  StringRef name = op->getName().getStringRef();
  for (Value value : op->getOperands()) {
    if (getWidth(value.getType()) > 64)
      return llvm::createStringError(
          "expected at most 64 bits in operands of " + name);
    step.operands.push_back(addSlot(value));
  }
  for (Value value : op->getResults()) {
    if (getWidth(value.getType()) > 64)
      return llvm::createStringError("expected at most 64 bits in results of " +
                                     name);
    step.results.push_back(addSlot(value));
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    step.constant = getConstant(constant.getValue());
  step.compute = findScalarFunction(name);
  step.run = step.compute ? &Thread::runScalar : findHandler(name);
  if (!step.run)
    return llvm::createStringError("this interpreter does not know " + name);
  if (step.compute)
    step.types.emplace(op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        op, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return llvm::createStringError("expected a function with a body: @" +
                                     call.getCallee());
    if (!codes.contains(&callee.getFunctionBody().front()))
      return add(callee.getFunctionBody());
  }
  for (Region &region : op->getRegions())
    if (llvm::Error error = add(region))
      return error;
  return llvm::Error::success();
}

llvm::Error Program::add(Region &region) {
  for (Block &block : region) {
    Code &code = storage.emplace_back();
    codes[&block] = &code;
    for (Value argument : block.getArguments())
      code.arguments.push_back(addSlot(argument));
    code.steps.reserve(block.getOperations().size());
    for (Operation &op : block) {
      positions.try_emplace(&op, positions.size());
      code.steps.emplace_back(&op);
      if (llvm::Error error = add(code.steps.back()))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Program> Program::create(gpu::GPUFuncOp kernel) {
  Program program;
  program.kernel = kernel;
  if (llvm::Error error = program.add(kernel.getBody()))
    return error;
  return program;
}
