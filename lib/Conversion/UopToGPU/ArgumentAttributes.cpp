//===- ArgumentAttributes.cpp - What is known of a kernel's arguments -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With noalias and readonly LLVM may read an argument through the read-only
// cache and reorder its loads with stores to others; with the alignment it may
// use wide accesses.
//
//===----------------------------------------------------------------------===//

#include "UopToGPU.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Whether an op may write to the memref that it uses, directly or through a
/// view, or passes it on to where it cannot be followed.
static bool mayWrite(Operation *user, Value memref);

/// Whether the kernel may write through the memref or a view of it.
static bool isWritten(Value memref) {
  return llvm::any_of(memref.getUsers(),
                      [&](Operation *user) { return mayWrite(user, memref); });
}

static bool mayWrite(Operation *user, Value memref) {
  // What is not known to look only, such as a branch or loop that hands the
  // memref on, counts as a write.
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects || user->getNumRegions() != 0)
    return true;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  if (llvm::any_of(instances, [&](const auto &instance) {
        return !isa<MemoryEffects::Read>(instance.getEffect()) &&
               (!instance.getValue() || instance.getValue() == memref);
      }))
    return true;
  // An address as a number may become a memref again, unseen.
  if (user->hasTrait<OpTrait::IsTerminator>() ||
      isa<memref::ExtractAlignedPointerAsIndexOp>(user))
    return true;
  return llvm::any_of(user->getResults(), [](Value result) {
    return isa<BaseMemRefType>(result.getType()) && isWritten(result);
  });
}

/// The alignment that an element type has of itself, in bytes.
static int64_t getElementAlignment(MemRefType type) {
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  return llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
}

SmallVector<DictionaryAttr>
uop::getDeviceArgumentAttrs(KernelOp kernel,
                            ArrayRef<KernelParameter> parameters) {
  Builder builder(kernel.getContext());
  SmallVector<DictionaryAttr> result;
  for (const KernelParameter &parameter : parameters) {
    if (parameter.kind != KernelParameter::Kind::Argument) {
      result.push_back(builder.getDictionaryAttr({}));
      continue;
    }
    BlockArgument argument =
        kernel.getBodyBlock().getArgument(parameter.argument);
    NamedAttrList attrs(kernel.getArgAttrDict(parameter.argument));
    if (auto type = dyn_cast<MemRefType>(argument.getType())) {
      // Distinct arguments do not overlap, unless nothing writes to them, which
      // noalias allows as well.
      attrs.set("llvm.noalias", builder.getUnitAttr());
      if (!isWritten(argument))
        attrs.set("llvm.readonly", builder.getUnitAttr());
      if (!attrs.get("llvm.align"))
        attrs.set("llvm.align",
                  builder.getI64IntegerAttr(getElementAlignment(type)));
    }
    result.push_back(attrs.getDictionary(kernel.getContext()));
  }
  return result;
}
