//===- KernelAnalysis.cpp - What the barrier split must know --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAnalysis.h"

#include "Collectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace uop;

namespace {

// Beyond this many ops a stored value is cheaper than a recomputed one.
constexpr unsigned recomputeBudget = 8;

bool isBlockWideId(Operation *op) {
  return isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op);
}

} // namespace

bool uop::isExit(Operation *op) {
  return isa<gpu::BarrierOp>(op) && op->hasAttr(exitAttrName);
}

bool uop::isStop(Operation *op) {
  return (isa<gpu::BarrierOp, NVVM::SyncWarpOp>(op) || isCollective(op)) &&
         !isExit(op);
}

bool uop::isSubgroupStop(Operation *stop) {
  return isa<NVVM::SyncWarpOp>(stop) ||
         (isCollective(stop) && !isBlockCollective(stop));
}

StringRef uop::describeStop(Operation *stop) {
  if (isa<gpu::BarrierOp, NVVM::SyncWarpOp>(stop))
    return "barrier";
  if (isa<gpu::ShuffleOp>(stop))
    return "shuffle";
  return "operation";
}

KernelAnalysis::KernelAnalysis(gpu::GPUFuncOp kernel) : func(kernel) {
  findSplits();
  findVarying();
  if (!stopList.empty())
    findRemembered();
}

void KernelAnalysis::findSplits() {
  SmallVector<Operation *> ofBlock;
  func.walk<WalkOrder::PreOrder>([&](Operation *stop) {
    if (!isStop(stop) && !isExit(stop))
      return;
    for (Operation *op = stop; op != func; op = op->getParentOp()) {
      splits.insert(op);
      if (isStop(stop))
        holders.insert(op);
      if (isStop(stop) && !isSubgroupStop(stop))
        blockHolders.insert(op);
    }
    anyExit |= isExit(stop);
    if (isExit(stop))
      return;
    (isSubgroupStop(stop) ? stopList : ofBlock).push_back(stop);
  });
  llvm::append_range(stopList, ofBlock);
  for (auto [number, stop] : llvm::enumerate(stopList))
    stopNumbers[stop] = number;
  llvm::DenseSet<Block *> blocks;
  for (Operation *op : splits)
    blocks.insert(op->getBlock());
  for (Block *block : blocks) {
    unsigned count = 0;
    for (Operation &op : *block) {
      splitsBefore[&op] = count;
      count += holders.contains(&op);
    }
  }
}

bool KernelAnalysis::subgroupsDiverge() const {
  for (Operation *stop : stopList) {
    if (!isSubgroupStop(stop))
      continue;
    for (Operation *op = stop->getParentOp(); op != func;
         op = op->getParentOp())
      if (!isDecisionUniform(op))
        return true;
  }
  return false;
}

bool KernelAnalysis::isDecisionUniform(Operation *op) const {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return isUniform(ifOp.getCondition());
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return isUniform(forOp.getInductionVar()) &&
           isUniform(forOp.getUpperBound());
  auto whileOp = cast<scf::WhileOp>(op);
  return isUniform(whileOp.getConditionOp().getCondition());
}

bool KernelAnalysis::alwaysReachesStop(Block *block) const {
  for (Operation &op : *block) {
    if (!isSplit(&op))
      continue;
    if (isStop(&op) || isExit(&op))
      return true;
    auto ifOp = dyn_cast<scf::IfOp>(op);
    if (ifOp && ifOp.elseBlock() && alwaysReachesStop(ifOp.thenBlock()) &&
        alwaysReachesStop(ifOp.elseBlock()))
      return true;
  }
  return false;
}

// One step of the analysis: marks what `op` defines; true if that changed.
bool KernelAnalysis::markVarying(Operation *op) {
  bool changed = false;
  auto mark = [&](Value value) { changed |= varying.insert(value).second; };
  auto markIf = [&](Value target, Value source) {
    if (varying.contains(source))
      mark(target);
  };
  auto markAll = [&](ValueRange values) {
    for (Value value : values)
      mark(value);
  };

  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    markIf(forOp.getInductionVar(), forOp.getLowerBound());
    markIf(forOp.getInductionVar(), forOp.getStep());
    for (auto [result, arg, init, yield] :
         llvm::zip(forOp.getResults(), forOp.getRegionIterArgs(),
                   forOp.getInitArgs(), forOp.getYieldedValues())) {
      markIf(arg, init);
      markIf(arg, yield);
      markIf(result, arg);
      // Threads that leave at different times hold different values.
      for (Value bound :
           {forOp.getLowerBound(), forOp.getUpperBound(), forOp.getStep()})
        markIf(result, bound);
    }
    return changed;
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    for (auto [index, result] : llvm::enumerate(ifOp.getResults())) {
      markIf(result, ifOp.getCondition());
      markIf(result, ifOp.thenYield().getOperand(index));
      markIf(result, ifOp.elseYield().getOperand(index));
    }
    return changed;
  }
  if (auto whileOp = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp condition = whileOp.getConditionOp();
    for (auto [arg, init, yield] :
         llvm::zip(whileOp.getBeforeArguments(), whileOp.getInits(),
                   whileOp.getYieldOp().getOperands())) {
      markIf(arg, init);
      markIf(arg, yield);
    }
    for (auto [result, arg, value] :
         llvm::zip(whileOp.getResults(), whileOp.getAfterArguments(),
                   condition.getArgs())) {
      markIf(arg, value);
      markIf(result, value);
      markIf(result, condition.getCondition());
    }
    return changed;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      markAll(block.getArguments());
  if (isBlockWideId(op) || isa<memref::GetGlobalOp>(op) ||
      isBlockCollective(op))
    return changed;
  bool fromUniform = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                     !isa<gpu::ThreadIdOp>(op) && !isStop(op) &&
                     llvm::none_of(op->getOperands(), [&](Value operand) {
                       return varying.contains(operand);
                     });
  if (!fromUniform)
    markAll(op->getResults());
  return changed;
}

void KernelAnalysis::findVarying() {
  for (BlockArgument arg : func.getPrivateAttributions())
    varying.insert(arg);
  // Optimistic: everything is uniform until shown otherwise, so that the
  // variables of a uniform loop stay uniform.
  bool changed = true;
  while (changed) {
    changed = false;
    func.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { changed |= markVarying(op); });
  }
}

bool KernelAnalysis::isInvariant(Value value) const {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg.getOwner()->getParentOp() == func && !varying.contains(value);
  if (varying.contains(value))
    return false;
  auto it = invariant.find(value);
  if (it != invariant.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool result = isBlockWideId(op) || isa<memref::GetGlobalOp>(op) ||
                (op->getNumRegions() == 0 && isPure(op) &&
                 llvm::all_of(op->getOperands(), [&](Value operand) {
                   return isInvariant(operand);
                 }));
  invariant[value] = result;
  return result;
}

unsigned KernelAnalysis::recomputeCost(Value value, unsigned budget) const {
  constexpr unsigned never = recomputeBudget + 1;
  if (isInvariant(value))
    return 0;
  Operation *op = value.getDefiningOp();
  // A variable of a loop that is split is remembered anyway.
  if (!op)
    return splits.contains(value.getParentBlock()->getParentOp()) ? 1 : never;
  if (isa<gpu::ThreadIdOp>(op))
    return 0;
  if (budget == 0 || op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isPure(op) || !isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      !value.getType().isIntOrIndex())
    return never;
  unsigned cost = 1;
  for (Value operand : op->getOperands()) {
    cost += recomputeCost(operand, budget - 1);
    if (cost > recomputeBudget)
      return never;
  }
  return cost;
}

bool KernelAnalysis::isRecomputed(Value value) const {
  if (isInvariant(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  // A view cannot be stored; what it is made of can.
  if (isa<BaseMemRefType>(value.getType()))
    return op->getNumRegions() == 0 && isPure(op);
  return recomputeCost(value, recomputeBudget) <= recomputeBudget;
}

void KernelAnalysis::remember(Value value) {
  if (isInvariant(value) || !visited.insert(value).second)
    return;
  if (isa_and_nonnull<gpu::ThreadIdOp>(value.getDefiningOp()))
    return;
  if (!isRecomputed(value)) {
    slots.insert(value);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    remember(operand);
}

// True when a barrier may run between the definition of the value and the use.
bool KernelAnalysis::crossesBarrier(Value value, Operation *user) const {
  Block *home = value.getParentBlock();
  Operation *op = user;
  while (op->getBlock() != home) {
    Operation *parent = op->getParentOp();
    if (splitsBefore.lookup(op) != 0)
      return true;
    if (holdsStop(parent) && isa<LoopLikeOpInterface>(parent))
      return true;
    op = parent;
  }
  unsigned before = 0;
  if (Operation *def = value.getDefiningOp())
    before = splitsBefore.lookup(def) + holdsStop(def);
  return splitsBefore.lookup(op) > before;
}

void KernelAnalysis::findRemembered() {
  func.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!isInvariant(operand) && crossesBarrier(operand, op))
        remember(operand);
    // Who reads from whom is asked when all have written.
    if (isCollective(op))
      for (Value operand : getTakeOperands(op))
        remember(operand);
    auto forOp = dyn_cast<scf::ForOp>(op);
    if (!forOp || !isSplit(op))
      return;
    // The back edge reads these.
    for (Value value :
         {forOp.getInductionVar(), forOp.getUpperBound(), forOp.getStep()})
      remember(value);
  });
}

//===----------------------------------------------------------------------===//
// Divergence that is visible at compile time
//===----------------------------------------------------------------------===//

namespace {

// Evaluates values that are built from thread ids and constants for one thread.
class ThreadEvaluator {
public:
  ThreadEvaluator(ArrayRef<int64_t> thread, ArrayRef<int64_t> blockSize)
      : thread(thread), blockSize(blockSize) {}

  std::optional<int64_t> evaluate(Value value) {
    auto attr = dyn_cast_or_null<IntegerAttr>(fold(value));
    if (!attr || attr.getValue().getBitWidth() > 64)
      return std::nullopt;
    return attr.getType().isInteger(1) ? attr.getValue().getZExtValue()
                                       : attr.getValue().getSExtValue();
  }

private:
  Attribute fold(Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    Attribute attr = compute(value);
    known[value] = attr;
    return attr;
  }

  Attribute compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || op->getNumResults() != 1)
      return {};
    auto index = [&](int64_t number) {
      return IntegerAttr::get(IndexType::get(op->getContext()), number);
    };
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return index(thread[static_cast<unsigned>(id.getDimension())]);
    if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
      return index(blockSize[static_cast<unsigned>(dim.getDimension())]);
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant;
    if (!isPure(op) || op->getNumOperands() == 0)
      return {};
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      Attribute attr = fold(operand);
      if (!attr)
        return {};
      operands.push_back(attr);
    }
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return {};
    if (auto attr = dyn_cast<Attribute>(results.front()))
      return attr;
    return fold(cast<Value>(results.front()));
  }

  ArrayRef<int64_t> thread, blockSize;
  llvm::DenseMap<Value, Attribute> known;
};

// The decision that a thread takes at `op`: a condition, or a trip count.
std::optional<int64_t> evaluateDecision(Operation *op, ThreadEvaluator &eval) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return eval.evaluate(ifOp.getCondition());
  auto forOp = dyn_cast<scf::ForOp>(op);
  if (!forOp || forOp.getUnsignedCmp())
    return std::nullopt;
  std::optional<int64_t> lower = eval.evaluate(forOp.getLowerBound());
  std::optional<int64_t> upper = eval.evaluate(forOp.getUpperBound());
  std::optional<int64_t> step = eval.evaluate(forOp.getStep());
  int64_t span;
  if (!lower || !upper || !step || *step < 1 ||
      llvm::SubOverflow(*upper, *lower, span))
    return std::nullopt;
  return span <= 0 ? 0 : (span - 1) / *step + 1;
}

} // namespace

LogicalResult uop::checkStaticDivergence(const KernelAnalysis &analysis,
                                         ArrayRef<int64_t> blockSize) {
  SmallVector<Operation *> decisions;
  analysis.kernel().walk([&](Operation *op) {
    if (op != analysis.kernel() && isa<scf::IfOp, scf::ForOp>(op) &&
        analysis.holdsBlockStop(op))
      decisions.push_back(op);
  });
  // Of the threads that come to a decision after an exit is not known here.
  if (decisions.empty() || analysis.hasExits())
    return success();
  // A decision of all threads: the first one's, how many share it, and the
  // first thread that differs.
  struct Vote {
    std::optional<int64_t> first, other;
    int64_t same = 0, differ = 0;
    SmallVector<int64_t, 3> differing;
    bool unknown = false;
  };
  SmallVector<Vote> votes(decisions.size());
  for (int64_t z = 0; z < blockSize[2]; ++z)
    for (int64_t y = 0; y < blockSize[1]; ++y)
      for (int64_t x = 0; x < blockSize[0]; ++x) {
        int64_t thread[] = {x, y, z};
        ThreadEvaluator eval(thread, blockSize);
        bool open = false;
        for (auto [op, vote] : llvm::zip(decisions, votes)) {
          if (vote.unknown)
            continue;
          std::optional<int64_t> decision = evaluateDecision(op, eval);
          if (!decision) {
            vote.unknown = true;
            continue;
          }
          open = true;
          if (!vote.first)
            vote.first = decision;
          if (decision == vote.first) {
            ++vote.same;
          } else {
            if (vote.differ++ == 0) {
              vote.other = decision;
              vote.differing.assign({x, y, z});
            }
          }
        }
        if (!open)
          return success();
      }

  LogicalResult result = success();
  for (auto [op, vote] : llvm::zip(decisions, votes)) {
    if (vote.unknown || vote.differ == 0)
      continue;
    bool isLoop = isa<scf::ForOp>(op);
    auto describe = [&](int64_t decision) -> std::string {
      if (isLoop)
        return "run it " + std::to_string(decision) + " times";
      return decision ? "take it" : "do not take it";
    };
    Operation *stop = nullptr;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      bool isBlockStop = isStop(inner) && !isSubgroupStop(inner);
      stop = isBlockStop ? inner : nullptr;
      return stop ? WalkResult::interrupt() : WalkResult::advance();
    });
    StringRef noun = describeStop(stop);
    InFlightDiagnostic diag = op->emitOpError();
    diag << "expected all threads of a block to agree at an op that contains a "
         << stop->getName() << ", but got " << vote.same << " threads that "
         << describe(*vote.first) << ", the first is (0, 0, 0), and "
         << vote.differ << " others, the first is (" << vote.differing[0]
         << ", " << vote.differing[1] << ", " << vote.differing[2]
         << "); move the " << noun
         << " out of the thread-dependent control flow";
    diag.attachNote(stop->getLoc()) << "the " << noun << " is here";
    result = failure();
  }
  return result;
}
