//===- Overlap.cpp - Do two memrefs have elements in common? --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of a kernel do not overlap, while the operands of a linalg op
// may be one memref, or two views of one.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uop;

/// Without casts and reshapes, which change no element's place.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::MemorySpaceCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

Value uop::getViewedMemRef(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether two values are computed alike, and so are equal. Looks at a few
/// operations only: what is written twice without CSE, such as a view.
static bool areEqual(Value first, Value second, unsigned depth = 4) {
  if (first == second)
    return true;
  Operation *firstOp = first.getDefiningOp();
  Operation *secondOp = second.getDefiningOp();
  if (depth == 0 || !firstOp || !secondOp || !isPure(firstOp) ||
      !isPure(secondOp) || firstOp->getNumRegions() != 0 ||
      cast<OpResult>(first).getResultNumber() !=
          cast<OpResult>(second).getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
      firstOp, secondOp,
      [&](Value x, Value y) { return success(areEqual(x, y, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether nothing else is known to be the memory of the memref.
static bool isOrigin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return value.getDefiningOp<memref::AllocOp>() ||
         value.getDefiningOp<memref::AllocaOp>() ||
         value.getDefiningOp<memref::GetGlobalOp>();
}

//===----------------------------------------------------------------------===//
// Arguments of functions
//===----------------------------------------------------------------------===//

Memory::Memory(ModuleOp module) {
  SymbolTableCollection tables;
  module.walk([&](Operation *table) {
    if (!table->hasTrait<OpTrait::SymbolTable>())
      return;
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(&table->getRegion(0));
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses)
      if (auto function = tables.lookupNearestSymbolFrom<FunctionOpInterface>(
              use.getUser(), use.getSymbolRef()))
        users[function].push_back(use.getUser());
  });
}

/// Of two answers, the one that allows less.
static Overlap combine(Overlap first, Overlap second) {
  auto isSome = [](Overlap overlap) {
    return overlap == Overlap::Some || overlap == Overlap::Same;
  };
  if (isSome(first) || isSome(second))
    return Overlap::Some;
  return first == Overlap::Unknown ? first : second;
}

/// Compares an argument of a function with another one, or with a global, by
/// what is passed to them.
Overlap Memory::compareAtCalls(BlockArgument argument, Value other) {
  Operation *function = argument.getOwner()->getParentOp();
  auto [known, isNew] = atCalls.try_emplace(
      {argument, other.getAsOpaquePointer()}, Overlap::Unknown);
  // In a recursion nothing is known.
  if (!isNew)
    return known->second;
  Overlap result = Overlap::None;
  for (Operation *user : users.lookup(function)) {
    auto call = dyn_cast<CallOpInterface>(user);
    if (!call || call.getArgOperands().size() !=
                     cast<FunctionOpInterface>(function).getNumArguments()) {
      result = combine(result, Overlap::Unknown);
      continue;
    }
    auto getPassed = [&](Value value) {
      auto passed = dyn_cast<BlockArgument>(value);
      return passed ? call.getArgOperands()[passed.getArgNumber()] : value;
    };
    result = combine(result, compare(getPassed(argument), getPassed(other)));
  }
  return atCalls[{argument, other.getAsOpaquePointer()}] = result;
}

static bool isConstantGlobal(Value memref) {
  auto get = memref.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}

Overlap Memory::compareOrigins(Value first, Value second) {
  if (!isOrigin(first) || !isOrigin(second))
    return Overlap::Unknown;
  auto firstGlobal = first.getDefiningOp<memref::GetGlobalOp>();
  auto secondGlobal = second.getDefiningOp<memref::GetGlobalOp>();
  if (firstGlobal && secondGlobal)
    return firstGlobal.getNameAttr() == secondGlobal.getNameAttr()
               ? Overlap::Unknown
               : Overlap::None;
  auto firstArgument = dyn_cast<BlockArgument>(first);
  auto secondArgument = dyn_cast<BlockArgument>(second);
  if (firstArgument && (secondArgument || secondGlobal))
    return isConstantGlobal(second) ? Overlap::None
                                    : compareAtCalls(firstArgument, second);
  if (secondArgument && firstGlobal)
    return compareOrigins(second, first);
  // An allocation is apart from what was there before.
  return Overlap::None;
}

//===----------------------------------------------------------------------===//
// Any two memrefs
//===----------------------------------------------------------------------===//

Overlap Memory::compare(Value first, Value second) {
  if (areEqual(first, second))
    return Overlap::Same;
  Value firstBase = getViewedMemRef(first);
  Value secondBase = getViewedMemRef(second);
  if (!areEqual(firstBase, secondBase))
    return compareOrigins(firstBase, secondBase);

  Value firstPart = skipReshapes(first), secondPart = skipReshapes(second);
  if (areEqual(firstPart, secondPart) || firstPart == firstBase ||
      secondPart == secondBase)
    return Overlap::Some;
  auto firstSlice = firstPart.getDefiningOp<memref::SubViewOp>();
  auto secondSlice = secondPart.getDefiningOp<memref::SubViewOp>();
  if (!firstSlice || !secondSlice ||
      !areEqual(skipReshapes(firstSlice.getSource()),
                skipReshapes(secondSlice.getSource())) ||
      firstSlice.getSourceType().getShape() !=
          secondSlice.getSourceType().getShape())
    return Overlap::Unknown;
  HyperrectangularSlice firstArea(firstSlice), secondArea(secondSlice);
  MLIRContext *context = first.getContext();
  if (FailureOr<bool> equal = ValueBoundsConstraintSet::areEquivalentSlices(
          context, firstArea, secondArea);
      succeeded(equal) && *equal)
    return first.getType() == second.getType() ? Overlap::Same : Overlap::Some;
  FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
      context, firstArea, secondArea);
  if (succeeded(overlap) && !*overlap)
    return Overlap::None;
  // Slices with strides may lie between each other's elements.
  auto isDense = [](const HyperrectangularSlice &slice) {
    return llvm::all_of(slice.getMixedStrides(), [](OpFoldResult stride) {
      return isConstantIntValue(stride, 1);
    });
  };
  return succeeded(overlap) && isDense(firstArea) && isDense(secondArea)
             ? Overlap::Some
             : Overlap::Unknown;
}

/// Whether an op that does not name the memref cannot know it: of an
/// allocation that is passed to nobody.
static bool isUnknownTo(Operation *op, Value memref) {
  return memref.getDefiningOp<memref::AllocOp>() &&
         llvm::all_of(memref.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (op->isAncestor(user))
             return false;
           if (auto store = dyn_cast<memref::StoreOp>(user))
             return store.getMemRef() == memref;
           return isa<linalg::LinalgOp, memref::DeallocOp, memref::DimOp,
                      memref::LoadOp>(user);
         });
}

/// Whether the op has an effect on the memref for which `isOf` holds.
bool Memory::hasEffect(Operation *op, Value memref,
                       function_ref<bool(MemoryEffects::Effect *)> isOf) {
  // Its effect is that it is not moved.
  if (isa<cf::AssertOp>(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects)
    return !isUnknownTo(op, memref);
  return llvm::any_of(*effects, [&](MemoryEffects::EffectInstance &effect) {
    if (!isOf(effect.getEffect()))
      return false;
    Value other = effect.getValue();
    return other && isa<MemRefType>(other.getType())
               ? compare(other, memref) != Overlap::None
               : !isUnknownTo(op, memref);
  });
}

bool Memory::readsInPayload(Operation *op, Value memref) {
  return op
      ->walk([&](memref::LoadOp load) {
        return compare(load.getMemRef(), memref) == Overlap::None
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool Memory::mayAccess(Operation *op, Value memref) {
  // Linalg ops tell of their operands, not of their payloads.
  return readsInPayload(op, memref) ||
         hasEffect(op, memref, [](MemoryEffects::Effect *effect) {
           return !isa<MemoryEffects::Allocate>(effect);
         });
}

bool Memory::mayWrite(Operation *op, Value memref) {
  return !isConstantGlobal(memref) &&
         hasEffect(op, memref, [](MemoryEffects::Effect *effect) {
           return isa<MemoryEffects::Write, MemoryEffects::Free>(effect);
         });
}

bool uop::isKernelArgument(MemRefType type) {
  Type element = type.getElementType();
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return (element.isSignlessInteger() || isa<FloatType>(element)) &&
         type.isStrided() &&
         (!type.getMemorySpace() ||
          (space && space.getValue() == gpu::AddressSpace::Global));
}
