//===- Refill.cpp - Whether memory is filled before it is read ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the indices of accesses for every thread of a block and every
// iteration of the loops inside of it. What depends on anything else (the block
// of the grid, outer loops, memory) is not known: a write of which something is
// not known counts for nothing, and such a read could be of any element.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedLifetimes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace uop;

/// More work than this is not done; the answer is then no.
static constexpr int64_t kMaxEvaluations = 1 << 18;
static constexpr int64_t kMaxElements = 1 << 20;

namespace {

class Enumerator {
public:
  Enumerator(AllocOp alloc, Block *block, const LaunchShape &launch)
      : type(cast<MemRefType>(alloc.getType())), alloc(alloc), block(block),
        launch(launch) {}

  /// Calls `visit` with the linear number of every element of the access, until
  /// it returns false. Returns whether all of them are known and visited.
  bool forEachElement(const MemoryAccess &access,
                      function_ref<bool(int64_t)> visit);

private:
  bool visitThread(const MemoryAccess &access,
                   function_ref<bool(int64_t)> visit);
  bool visitPath(const MemoryAccess &access, size_t depth,
                 function_ref<bool(int64_t)> visit);
  bool visitElements(const MemoryAccess &access,
                     function_ref<bool(int64_t)> visit);
  std::optional<int64_t> evaluate(Value value);
  Attribute fold(Value value);

  MemRefType type;
  AllocOp alloc;
  Block *block;
  const LaunchShape &launch;
  std::array<int64_t, 3> thread = {0, 0, 0};
  /// The ops around the access, from the block inwards.
  SmallVector<Operation *> path;
  llvm::DenseMap<Value, int64_t> inductionVars;
  llvm::DenseMap<Value, Attribute> known;
  int64_t evaluations = 0;
};

} // namespace

Attribute Enumerator::fold(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (++evaluations > kMaxEvaluations)
    return {};
  Builder builder(value.getContext());
  Attribute &result = known[value];
  if (auto it = inductionVars.find(value); it != inductionVars.end())
    return result = builder.getIntegerAttr(value.getType(), it->second);
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto range = dyn_cast<RangeOp>(op)) {
    if (range.getAxis().getKind() != AxisKind::Local)
      return {};
    unsigned dimension = unsigned(range.getAxis().getThreadDimension());
    return result = builder.getIndexAttr(thread[dimension]);
  }
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return {};
  SmallVector<Attribute, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(fold(operand));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult, 1> folded;
  if (failed(op->fold(operands, folded)))
    return {};
  Attribute attr;
  if (folded.empty())
    return {};
  if (auto constant = dyn_cast<Attribute>(folded.front()))
    attr = constant;
  else
    attr = fold(cast<Value>(folded.front()));
  // The map may have grown.
  return known[value] = attr;
}

std::optional<int64_t> Enumerator::evaluate(Value value) {
  auto attr = dyn_cast_or_null<IntegerAttr>(fold(value));
  if (!attr || attr.getValue().getBitWidth() > 64)
    return std::nullopt;
  return attr.getType().isInteger(1) ? attr.getValue().getZExtValue()
                                     : attr.getValue().getSExtValue();
}

bool Enumerator::visitElements(const MemoryAccess &access,
                               function_ref<bool(int64_t)> visit) {
  int64_t first = 0;
  for (auto [index, size] : llvm::zip_equal(access.indices, type.getShape())) {
    std::optional<int64_t> position = evaluate(index);
    if (!position || *position < 0 || *position >= size)
      return false;
    first = first * size + *position;
  }
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(access.sizes)) {
    // Of more than a part of a row nothing is known.
    if (size <= 0 || (size != 1 && dim + 1 != access.sizes.size()))
      return false;
    count = size;
  }
  for (int64_t i = 0; i < count && first + i < type.getNumElements(); ++i)
    if (!visit(first + i))
      return false;
  return true;
}

bool Enumerator::visitPath(const MemoryAccess &access, size_t depth,
                           function_ref<bool(int64_t)> visit) {
  if (depth == path.size())
    return visitElements(access, visit);
  Operation *op = path[depth];
  Block *inner = depth + 1 < path.size() ? path[depth + 1]->getBlock()
                                         : access.op->getBlock();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> condition = evaluate(branch.getCondition());
    if (!condition)
      // A read may be of this element, a write need not.
      return !access.isWrite && visitPath(access, depth + 1, visit);
    return (*condition != 0) != (inner == branch.thenBlock()) ||
           visitPath(access, depth + 1, visit);
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getUnsignedCmp())
    return false;
  std::optional<int64_t> begin = evaluate(loop.getLowerBound());
  std::optional<int64_t> end = evaluate(loop.getUpperBound());
  std::optional<int64_t> step = evaluate(loop.getStep());
  if (!begin || !end || !step || *step <= 0)
    return false;
  for (int64_t i = *begin; i < *end; i += *step) {
    known.clear();
    inductionVars[loop.getInductionVar()] = i;
    if (!visitPath(access, depth + 1, visit))
      return false;
  }
  inductionVars.erase(loop.getInductionVar());
  known.clear();
  return true;
}

bool Enumerator::forEachElement(const MemoryAccess &access,
                                function_ref<bool(int64_t)> visit) {
  if (access.memref != alloc.getResult() ||
      access.indices.size() != size_t(type.getRank()))
    return false;
  path.clear();
  for (Operation *op = access.op; op->getBlock() != block;)
    path.push_back(op = op->getParentOp());
  std::reverse(path.begin(), path.end());
  const std::array<int64_t, 3> &size = launch.block;
  for (thread[2] = 0; thread[2] < size[2]; ++thread[2])
    for (thread[1] = 0; thread[1] < size[1]; ++thread[1])
      for (thread[0] = 0; thread[0] < size[0]; ++thread[0]) {
        known.clear();
        inductionVars.clear();
        if (!visitPath(access, 0, visit) || evaluations > kMaxEvaluations)
          return false;
      }
  return true;
}

bool uop::isRefilled(AllocOp alloc, Block *block,
                     ArrayRef<const MemoryAccess *> accesses,
                     const LaunchShape &launch) {
  auto type = cast<MemRefType>(alloc.getType());
  if (type.getNumElements() > kMaxElements)
    return false;
  Operation *firstRead = nullptr;
  for (const MemoryAccess *access : accesses) {
    if (access->isWrite && !access->isAtomic)
      continue;
    Operation *op = block->findAncestorOpInBlock(*access->op);
    if (!op)
      return false;
    if (!firstRead || op->isBeforeInBlock(firstRead))
      firstRead = op;
  }
  if (!firstRead)
    return true;
  Enumerator enumerator(alloc, block, launch);
  llvm::BitVector written(type.getNumElements());
  for (const MemoryAccess *access : accesses) {
    Operation *op = block->findAncestorOpInBlock(*access->op);
    if (!op)
      return false;
    // Also where not all of its elements are known, these are written.
    if (op->isBeforeInBlock(firstRead) &&
        isa<memref::StoreOp, vector::StoreOp>(access->op))
      enumerator.forEachElement(*access, [&](int64_t element) {
        written.set(element);
        return true;
      });
  }
  if (written.all())
    return true;
  return llvm::all_of(accesses, [&](const MemoryAccess *access) {
    return (access->isWrite && !access->isAtomic) ||
           enumerator.forEachElement(
               *access, [&](int64_t element) { return written.test(element); });
  });
}
