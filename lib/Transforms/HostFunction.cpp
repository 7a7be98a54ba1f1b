//===- HostFunction.cpp - What stands for a kernel on the host ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/HostFunction.h"

using namespace mlir;
using namespace uop;

bool uop::isDeviceAttr(NamedAttribute attr) {
  StringRef dialect = attr.getName().getValue().split('.').first;
  return dialect == "gpu" || dialect == "nvvm" || dialect == "rocdl";
}

/// Whether an attribute of an argument is about the parameter that the device
/// gets. The host's function checks its own.
static bool isParameterAttr(NamedAttribute attr) {
  return attr.getName().getValue().starts_with("llvm.");
}

func::FuncOp uop::buildHostFunction(KernelOp kernel, OpBuilder &builder) {
  auto host = func::FuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), kernel.getFunctionType());
  SymbolTable::setSymbolVisibility(host,
                                   SymbolTable::getSymbolVisibility(kernel));
  for (NamedAttribute attr : kernel->getDiscardableAttrs())
    if (!isDeviceAttr(attr) &&
        attr.getName() != SymbolTable::getVisibilityAttrName())
      host->setAttr(attr.getName(), attr.getValue());
  Block *body = host.addEntryBlock();
  for (BlockArgument argument : kernel.getBodyBlock().getArguments()) {
    unsigned index = argument.getArgNumber();
    body->getArgument(index).setLoc(argument.getLoc());
    NamedAttrList attrs;
    for (NamedAttribute attr : NamedAttrList(kernel.getArgAttrDict(index)))
      if (!isParameterAttr(attr))
        attrs.append(attr);
    host.setArgAttrs(index, attrs);
  }
  return host;
}
