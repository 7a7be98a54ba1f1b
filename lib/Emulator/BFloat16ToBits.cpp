//===- BFloat16ToBits.cpp - bf16 is data ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace uop {
#define GEN_PASS_DEF_BFLOAT16TOBITS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {
class BFloat16ToBits : public uop::impl::BFloat16ToBitsBase<BFloat16ToBits> {
public:
  using BFloat16ToBitsBase::BFloat16ToBitsBase;

  void runOnOperation() override {
    auto bits = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](BFloat16Type) -> Type { return bits; });
    replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
      if (!attr.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(bits, attr.getValue().bitcastToAPInt());
    });
    replacer.addReplacement(
        [=](DenseElementsAttr attr) -> std::optional<Attribute> {
          if (!attr.getElementType().isBF16())
            return std::nullopt;
          return attr.bitcast(bits);
        });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};
} // namespace
