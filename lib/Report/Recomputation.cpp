//===- Recomputation.cpp - What several threads compute alike -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a loop is a function of what it uses: integers that are
// computed from the indices of block and thread, and memory at addresses that
// are. Threads for which all of these integers are equal compute the same.
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Places.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace mlir;
using namespace uop;
using namespace uop::report;

//===----------------------------------------------------------------------===//
// The values of one thread
//===----------------------------------------------------------------------===//

namespace {

/// Folds integer arithmetic for a thread of block 0.
class ThreadValues {
public:
  explicit ThreadValues(std::array<int64_t, 3> thread) : thread(thread) {}

  std::optional<int64_t> get(Value value) {
    auto [it, isNew] = known.try_emplace(value);
    if (isNew) {
      Attribute result = evaluate(value);
      known[value] = result;
    }
    if (auto integer = dyn_cast_or_null<IntegerAttr>(known[value]))
      return integer.getValue().getSExtValue();
    return std::nullopt;
  }

private:
  Attribute evaluate(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    if (auto range = dyn_cast<RangeOp>(op)) {
      AxisAttr axis = range.getAxis();
      int64_t index = 0;
      if (axis.isThreadIndex())
        index = thread[unsigned(axis.getThreadDimension())];
      return IntegerAttr::get(IndexType::get(op->getContext()), index);
    }
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      if (!get(operand) && !known[operand])
        return {};
      operands.push_back(known[operand]);
    }
    SmallVector<OpFoldResult> results;
    if (op->getNumResults() != 1 || failed(op->fold(operands, results)))
      return {};
    if (results.empty())
      return {};
    if (auto attribute = dyn_cast<Attribute>(results.front()))
      return attribute;
    Value same = cast<Value>(results.front());
    return get(same) || known[same] ? known[same] : Attribute();
  }

  std::array<int64_t, 3> thread;
  llvm::DenseMap<Value, Attribute> known;
};

/// What the result of an op depends on.
class Inputs {
public:
  explicit Inputs(Operation *op) : op(op) {}

  /// False where it depends on something that is a thread's own.
  bool collect();

  /// Integers that are computed from indices of the thread.
  SetVector<Value> integers;

private:
  bool visit(Value value);

  Operation *op;
  llvm::DenseSet<Value> seen;
};

} // namespace

/// Whether it is made of indices of block and thread, and constants, only.
static bool isIndexArithmetic(Value value, llvm::DenseMap<Value, bool> &memo) {
  auto it = memo.find(value);
  if (it != memo.end())
    return it->second;
  memo[value] = false;
  Operation *op = value.getDefiningOp();
  bool is = op && (isa<RangeOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
                   (value.getType().isIntOrIndex() &&
                    op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                    llvm::all_of(op->getOperands(), [&](Value operand) {
                      return isIndexArithmetic(operand, memo);
                    })));
  return memo[value] = is;
}

bool Inputs::visit(Value value) {
  if (!seen.insert(value).second)
    return true;
  if (Operation *constant = value.getDefiningOp())
    if (constant->hasTrait<OpTrait::ConstantLike>())
      return true;
  llvm::DenseMap<Value, bool> memo;
  if (isIndexArithmetic(value, memo)) {
    integers.insert(value);
    return true;
  }
  Operation *defining = value.getDefiningOp();
  if (!defining) {
    Operation *parent = value.getParentBlock()->getParentOp();
    // Arguments of the kernel are the same for all; variables of a loop are
    // made of what the loop uses, which is visited with it.
    if (isa<KernelOp>(parent))
      return true;
    return op->isAncestor(parent) ||
           (isa<scf::ForOp>(parent) && visit(parent->getOperand(0)));
  }
  if (op->isAncestor(defining))
    return true;
  if (auto alloc = dyn_cast<AllocOp>(defining)) {
    auto type = cast<MemRefType>(alloc.getType());
    return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
  }
  if (defining->getNumRegions() > 0 ||
      !(isMemoryEffectFree(defining) ||
        isa<memref::LoadOp, vector::LoadOp>(defining)))
    return false;
  return llvm::all_of(defining->getOperands(),
                      [&](Value operand) { return visit(operand); });
}

/// All that the ops inside use, from outside or of the launch.
bool Inputs::collect() {
  WalkResult walk = op->walk([&](Operation *inner) {
    if (isa<RangeOp, BarrierOp>(inner))
      return WalkResult::interrupt();
    bool isKnown = inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                   isMemoryEffectFree(inner) ||
                   isa<memref::LoadOp, vector::LoadOp>(inner);
    if (!isKnown)
      return WalkResult::interrupt();
    for (Value operand : inner->getOperands())
      if (!visit(operand))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether the conditions around an op keep a thread from it, as far as they
/// are known.
static bool isKept(Operation *op, ThreadValues &values) {
  for (; !isa<KernelOp>(op->getParentOp()); op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
    std::optional<int64_t> condition =
        branch ? values.get(branch.getCondition()) : std::nullopt;
    if (condition &&
        (*condition != 0) != (op->getParentRegion() == &branch.getThenRegion()))
      return true;
  }
  return false;
}

/// How many threads of a block compute each distinct result, on average.
static double countAlike(Operation *op, const SetVector<Value> &integers,
                         const LaunchShape &launch) {
  std::set<SmallVector<int64_t, 4>> distinct;
  int64_t numThreads = 0;
  auto [x, y, z] = launch.block;
  for (int64_t thread = 0; thread < launch.getNumThreadsPerBlock(); ++thread) {
    ThreadValues values({thread % x, thread / x % y, thread / x / y});
    if (isKept(op, values))
      continue;
    ++numThreads;
    SmallVector<int64_t, 4> key;
    for (Value integer : integers) {
      std::optional<int64_t> value = values.get(integer);
      // One that does not fold is taken to be another one for each thread.
      key.push_back(value.value_or(thread));
    }
    distinct.insert(key);
  }
  return numThreads == 0 ? 0 : double(numThreads) / double(distinct.size());
}

/// The operations inside that threads execute, each as often as it is.
static double countOperations(Operation *top, const KernelCounts &counts) {
  double sum = 0;
  top->walk([&](Operation *op) {
    std::optional<uint64_t> threads = counts.getThreads(op->getBlock());
    if (op != top && threads && !op->hasTrait<OpTrait::IsTerminator>() &&
        !op->hasTrait<OpTrait::ConstantLike>())
      sum += double(*threads);
  });
  return sum;
}

/// The operations of a reduction that are no floating-point sums or products,
/// such as a maximum, count as well here.
static bool hasArithmetic(Operation *loop) {
  WalkResult walk = loop->walk([&](Operation *op) {
    bool is =
        op != loop && op->getNumResults() == 1 &&
        isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) &&
        op->getDialect() != nullptr &&
        (op->getDialect()->getNamespace() == "arith" ||
         op->getDialect()->getNamespace() == "math");
    return is ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

std::vector<RecomputationReport>
report::findRecomputations(KernelOp kernel, const KernelCounts &counts) {
  std::vector<RecomputationReport> found;
  double all = std::max(countOperations(kernel, counts), 1.0);
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp, scf::WhileOp>(op) || op->getNumResults() == 0 ||
        !hasArithmetic(op))
      return WalkResult::advance();
    Inputs inputs(op);
    if (!inputs.collect())
      return WalkResult::advance();
    double times = countAlike(op, inputs.integers, counts.launch);
    if (times <= 1)
      return WalkResult::advance();
    found.push_back({getPlace(op->getLoc()), op->getName().getStringRef().str(),
                     times, countOperations(op, counts) / all});
    // What is inside is part of it.
    return WalkResult::skip();
  });
  return found;
}
