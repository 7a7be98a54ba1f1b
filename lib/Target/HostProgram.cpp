//===- HostProgram.cpp - Host functions of several launches ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uop;
namespace json = llvm::json;

/// The kernel that a function launches with its own arguments; empty for a
/// function that launches none or several.
static StringRef findOnlyKernel(func::FuncOp function) {
  SmallVector<gpu::LaunchFuncOp> launches;
  function.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  return launches.size() == 1 ? launches.front().getKernelName().getValue()
                              : StringRef();
}

/// The object of a function that only allocates, calls functions that launch
/// one kernel each, and frees; nothing for another one.
static std::optional<json::Object> describeFunction(func::FuncOp function) {
  llvm::DenseMap<Value, std::string> names;
  for (BlockArgument argument : function.getArguments())
    names[argument] = "arg" + std::to_string(argument.getArgNumber());
  json::Array arguments, workspaces, launches;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(names[argument]);
  for (Operation &op : function.getBody().front()) {
    if (isa<func::ReturnOp, gpu::DeallocOp>(op))
      continue;
    if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
      MemRefType type = alloc.getType();
      if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
          !type.getElementType().isIntOrIndexOrFloat())
        return std::nullopt;
      std::string name = "workspace" + std::to_string(workspaces.size());
      Type element = type.getElementType();
      int64_t bytes =
          element.isIndex()
              ? 8
              : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
      workspaces.push_back(json::Object{
          {"name", name}, {"bytes", type.getNumElements() * bytes}});
      names[alloc.getMemref()] = name;
      continue;
    }
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                             call, call.getCalleeAttr())
                       : func::FuncOp();
    StringRef kernel = callee && !callee.isDeclaration()
                           ? findOnlyKernel(callee)
                           : StringRef();
    if (kernel.empty())
      return std::nullopt;
    json::Array passed;
    for (Value operand : call.getOperands()) {
      auto name = names.find(operand);
      if (name == names.end())
        return std::nullopt;
      passed.push_back(name->second);
    }
    launches.push_back(
        json::Object{{"kernel", kernel}, {"arguments", std::move(passed)}});
  }
  if (launches.empty())
    return std::nullopt;
  return json::Object{{"name", function.getName()},
                      {"arguments", std::move(arguments)},
                      {"workspaces", std::move(workspaces)},
                      {"launches", std::move(launches)}};
}

json::Array uop::describeHostFunctions(ModuleOp module) {
  json::Array functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isDeclaration() &&
        function.getBody().hasOneBlock() && function.getNumResults() == 0)
      if (std::optional<json::Object> object = describeFunction(function))
        functions.push_back(std::move(*object));
  return functions;
}
