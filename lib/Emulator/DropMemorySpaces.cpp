//===- DropMemorySpaces.cpp - One memory for all memrefs ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace uop {
#define GEN_PASS_DEF_DROPMEMORYSPACES
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

// As the gpu dialect names it, or as a number: those from 256 on mean something
// to CPUs.
static bool isDeviceSpace(Attribute space) {
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return isa_and_nonnull<gpu::AddressSpaceAttr>(space) ||
         (number && number.getValue().ult(256));
}

namespace {
class DropMemorySpaces
    : public uop::impl::DropMemorySpacesBase<DropMemorySpaces> {
public:
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> Type {
      if (!isDeviceSpace(type.getMemorySpace()))
        return type;
      return MemRefType::Builder(type).setMemorySpace({});
    });
    replacer.addReplacement([](UnrankedMemRefType type) -> Type {
      if (!isDeviceSpace(type.getMemorySpace()))
        return type;
      return UnrankedMemRefType::get(type.getElementType(), {});
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    getOperation()->walk([](memref::MemorySpaceCastOp op) {
      if (op.getSource().getType() != op.getResult().getType())
        return;
      op.getResult().replaceAllUsesWith(op.getSource());
      op.erase();
    });
  }
};
} // namespace
