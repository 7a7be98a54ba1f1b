//===- MemoryAccess.cpp - What the ops of a kernel access -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryAccess.h"
#include "Uop/Analysis/LaunchShape.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

/// The memrefs that a memref may be, one step back; nothing where it is where
/// memory begins.
static SmallVector<Value, 2> getSources(Value memref) {
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    Operation *parent = argument.getOwner()->getParentOp();
    // Carried by a loop: what it starts with, and what each region hands on.
    if (isa<KernelOp>(parent))
      return {};
    SmallVector<Value, 2> sources;
    for (Value operand : parent->getOperands())
      if (operand.getType() == memref.getType())
        sources.push_back(operand);
    for (Region &region : parent->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          if (operand.getType() == memref.getType())
            sources.push_back(operand);
    return sources;
  }
  Operation *op = memref.getDefiningOp();
  if (isa<AllocOp>(op))
    return {};
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return {view.getViewSource()};
  SmallVector<Value, 2> sources;
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()))
      sources.push_back(operand);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          sources.push_back(operand);
  return sources;
}

/// The allocations and arguments that a memref may lie in.
static SmallVector<Value, 1> findRoots(Value memref) {
  SetVector<Value> reached;
  reached.insert(memref);
  SmallVector<Value, 1> roots;
  for (size_t i = 0; i < reached.size(); ++i) {
    SmallVector<Value, 2> sources = getSources(reached[i]);
    if (sources.empty())
      roots.push_back(reached[i]);
    reached.insert_range(sources);
  }
  return roots;
}

bool uop::mayExecuteAfter(Operation *later, Operation *earlier) {
  for (Operation *loop = earlier->getParentOp(); !isa<KernelOp>(loop);
       loop = loop->getParentOp())
    if (isa<LoopLikeOpInterface>(loop) && loop->isAncestor(later))
      return true;
  for (Operation *inner = earlier; !isa<KernelOp>(inner);
       inner = inner->getParentOp())
    if (Operation *other = inner->getBlock()->findAncestorOpInBlock(*later))
      return inner->isBeforeInBlock(other);
  return false;
}

static bool isPrivate(Value root) {
  auto type = dyn_cast<BaseMemRefType>(root.getType());
  auto space =
      type ? dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace())
           : nullptr;
  return space && space.getValue() == gpu::AddressSpace::Private;
}

void MemoryAccesses::add(MemoryAccess access) {
  Value memref = access.memref;
  auto [it, isNew] = rootsOf.try_emplace(memref);
  if (isNew)
    it->second = findRoots(memref);
  bool isKnown = it->second.size() == 1;
  for (Value root : it->second) {
    if (isPrivate(root))
      continue;
    access.root = root;
    if (!isKnown)
      access.memref = {};
    access.number = all.size();
    all.push_back(access);
  }
}

/// The shape that a vector covers of a memref of `rank` dimensions, the last
/// ones; `-1` where it is scalable.
static SmallVector<int64_t, 4> getVectorSizes(VectorType type, int64_t rank) {
  SmallVector<int64_t, 4> sizes(rank, 1);
  ArrayRef<int64_t> shape = type.getShape();
  for (size_t i = 0; i < shape.size() && int64_t(i) < rank; ++i)
    sizes[rank - 1 - i] = shape[shape.size() - 1 - i];
  return sizes;
}

void MemoryAccesses::addAccesses(Operation *op) {
  auto access = [&](Value memref, ValueRange indices, bool isWrite) {
    MemoryAccess result;
    result.op = op;
    result.memref = memref;
    result.isWrite = isWrite;
    result.indices.assign(indices.begin(), indices.end());
    return result;
  };
  auto addVector = [&](Value memref, ValueRange indices, VectorType type,
                       bool isWrite) {
    MemoryAccess result = access(memref, indices, isWrite);
    auto memrefType = cast<MemRefType>(memref.getType());
    // A vector of vectors of elements covers the elements of the memref.
    if (isa<VectorType>(memrefType.getElementType()) || type.isScalable())
      type = VectorType::get({1}, type.getElementType());
    result.sizes = getVectorSizes(type, memrefType.getRank());
    add(result);
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return add(access(load.getMemRef(), load.getIndices(), false));
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    MemoryAccess result = access(store.getMemRef(), store.getIndices(), true);
    result.stored = store.getValue();
    return add(result);
  }
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return addVector(load.getBase(), load.getIndices(), load.getVectorType(),
                     false);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return addVector(store.getBase(), store.getIndices(), store.getVectorType(),
                     true);
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return addVector(load.getBase(), load.getIndices(), load.getVectorType(),
                     false);
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return addVector(store.getBase(), store.getIndices(), store.getVectorType(),
                     true);
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
    MemoryAccess result = access(update.getMemref(), update.getIndices(), true);
    result.isAtomic = true;
    return add(result);
  }
  if (auto update = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    MemoryAccess result = access(update.getMemref(), update.getIndices(), true);
    result.isAtomic = true;
    return add(result);
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    for (auto [memref, isWrite] :
         {std::pair(copy.getSource(), false), {copy.getTarget(), true}}) {
      MemoryAccess result = access(memref, {}, isWrite);
      if (auto type = dyn_cast<MemRefType>(memref.getType()))
        result.sizes.assign(type.getShape().begin(), type.getShape().end());
      else
        result.sizes = {ShapedType::kDynamic};
      add(result);
    }
    return;
  }
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    auto type = VectorType::get({copy.getDstElements().getSExtValue()},
                                getElementTypeOrSelf(copy.getDst()));
    addVector(copy.getSrc(), copy.getSrcIndices(), type, false);
    addVector(copy.getDst(), copy.getDstIndices(), type, true);
    copies.push_back(copy);
    return;
  }
  // Whatever else has effects on memory: anywhere in it.
  if (isa<ViewLikeOpInterface, AllocOp, RangeOp, BarrierOp, PhaseOp>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isMemoryEffectFree(op))
    return;
  auto effects = getEffectsRecursively(op);
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    bool reads = !effects, writes = !effects;
    if (effects)
      for (const MemoryEffects::EffectInstance &effect : *effects)
        if (!effect.getValue() || effect.getValue() == operand) {
          reads |= isa<MemoryEffects::Read>(effect.getEffect());
          writes |= isa<MemoryEffects::Write>(effect.getEffect());
        }
    for (bool isWrite : {false, true}) {
      if (!(isWrite ? writes : reads))
        continue;
      MemoryAccess result = access(operand, {}, isWrite);
      result.sizes.assign(1, ShapedType::kDynamic);
      add(result);
    }
  }
}

MemoryAccesses::MemoryAccesses(KernelOp kernel) {
  // A wait may also complete what is issued after it, an iteration before.
  SmallVector<nvgpu::DeviceAsyncWaitOp> waits;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == kernel)
      return;
    unsigned first = all.size();
    addAccesses(op);
    if (all.size() != first)
      ranges[op] = {first, unsigned(all.size()) - first};
    if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
      waits.push_back(wait);
  });
  for (nvgpu::DeviceAsyncWaitOp wait : waits) {
    unsigned begin = all.size();
    for (Operation *copy : copies)
      addCompletion(wait, copy);
    ranges[wait] = {begin, unsigned(all.size()) - begin};
  }
}

/// Whether the wait is the one that completes the copy: the next one in its
/// block, which waits for everything, and each is executed once.
static bool isCompletedBy(Operation *copy, nvgpu::DeviceAsyncWaitOp wait) {
  if (copy->getBlock() != wait->getBlock() || wait.getNumGroups().value_or(0))
    return false;
  for (Operation *parent = copy->getParentOp(); !isa<KernelOp>(parent);
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      return false;
  for (Operation *op = copy->getNextNode(); op; op = op->getNextNode()) {
    if (op == wait)
      return true;
    bool waits = op->walk([](nvgpu::DeviceAsyncWaitOp) {
                     return WalkResult::interrupt();
                   }).wasInterrupted();
    if (waits)
      return false;
  }
  return false;
}

void MemoryAccesses::addCompletion(Operation *wait, Operation *copy) {
  if (!mayExecuteAfter(wait, copy))
    return;
  for (const MemoryAccess &issued : SmallVector<MemoryAccess>(of(copy))) {
    if (!issued.isWrite)
      continue;
    MemoryAccess completed = issued;
    completed.op = wait;
    completed.issue = copy;
    completed.isCompletionCertain =
        isCompletedBy(copy, cast<nvgpu::DeviceAsyncWaitOp>(wait));
    completed.number = all.size();
    all.push_back(completed);
  }
}
