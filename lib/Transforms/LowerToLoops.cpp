//===- LowerToLoops.cpp - From graph form to loop form --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in graph form has no order: this pass gives it one. Hardware ranges
// are always open. A value is emitted in the innermost open serial loop whose
// range is free in it, before the loop that is open inside that one, so that
// nothing is computed more often than it varies. A store opens the serial
// ranges of its domain; a reduction opens the ranges that it closes, with its
// accumulators as iter_args. Upcast and unroll ranges are copies of the code:
// a value exists once for each combination of the unrolled ranges in which it
// is free, and so copies share what does not differ between them.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Speculation.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace uop {
#define GEN_PASS_DEF_LOWERTOLOOPS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

/// An open loop, or the top of the kernel.
struct Level {
  /// The range that the loop runs over; null at the top.
  RangeOp range;
  Value inductionVar;
  Block *block;
  /// The loop of the next level, before which later values are emitted.
  Operation *openChild = nullptr;
  /// What has been emitted here, by the positions of the unrolled ranges in
  /// which it is free.
  llvm::DenseMap<Value, std::map<SmallVector<int64_t>, Value>> emitted;
};

/// One index of the hardware, which all ranges of its dimension share.
struct Slot {
  RangeList ranges;
  /// The largest extent, where all are static.
  std::optional<int64_t> extent;
  Value value;
};

/// A slot's place: block indices, then thread indices, then CPU threads.
using SlotKey = std::pair<unsigned, unsigned>;

class LoopLowering {
public:
  explicit LoopLowering(KernelOp kernel)
      : kernel(kernel), builder(kernel.getContext()) {}

  LogicalResult run();

private:
  LogicalResult refuseUnsupported();
  LogicalResult refuseManyCopies(Operation *op);
  void emitSlots();
  void emitStores(ArrayRef<StoreOp> group);
  void emitStore(StoreOp store);
  void emitReductions(ReduceOp reduce);
  void emitOverOf(ArrayRef<ReduceOp> group, ArrayRef<RangeOp> over,
                  SmallVectorImpl<Value> &accumulators);
  void combine(ArrayRef<ReduceOp> group, SmallVectorImpl<Value> &accumulators);
  SmallVector<Value> combineOnce(ReduceOp reduce, ValueRange accumulators);
  Value markAccumulator(Value value);

  Value emit(Value value);
  void emitOperation(Operation *op);
  void emitLoad(LoadOp load);
  Value lookup(Value value);
  void remember(Value value, Value emitted);
  Value getRangeValue(RangeOp range);
  Value getExtent(RangeOp range);
  Value getConstant(int64_t value);

  scf::ForOp openLoop(RangeOp range, ValueRange initArgs);
  void closeLoop(ValueRange yielded);
  Level &getHome(Value value);
  void insertAt(Level &level);

  Value conjoin(Value lhs, Value rhs);
  Value getGuard(RangeOp range);
  Value getGuardOfAny(Operation *op);
  Value getGuardOfInPlace(Operation *op);
  Value getStoreGuard(StoreOp store);

  RangeList getUnrolled(ArrayRef<RangeOp> ranges);
  void forEachCopy(ArrayRef<RangeOp> unrolled, function_ref<void()> body);

  KernelOp kernel;
  OpBuilder builder;
  FreeRanges freeRanges;
  Block *body = nullptr;
  IRMapping arguments;
  std::vector<std::unique_ptr<Level>> levels;
  std::map<SlotKey, Slot> slots;
  llvm::DenseMap<Operation *, int64_t> positions;
  std::map<int64_t, Value> constants;
  /// Guards of the ranges that are shorter than their slot, and of stores.
  llvm::DenseMap<Operation *, Value> guards;
  /// The stores to a buffer that is loaded as well, by buffer.
  llvm::DenseMap<Value, StoreOp> storeOf;
  /// The reductions that the stores being emitted need.
  SetVector<ReduceOp> neededReductions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops and where values live
//===----------------------------------------------------------------------===//

/// Whether the range is a loop of one thread. A range that is not mapped yet
/// is one, too.
static bool isSerial(RangeOp range) {
  AxisAttr axis = range.getAxis();
  return !axis.isHardware() && !axis.isUnrolled();
}

void LoopLowering::insertAt(Level &level) {
  if (level.openChild)
    builder.setInsertionPoint(level.openChild);
  else
    builder.setInsertionPointToEnd(level.block);
}

Level &LoopLowering::getHome(Value value) {
  for (auto &level : llvm::reverse(levels))
    if (level->range && freeRanges.isFreeIn(value, level->range))
      return *level;
  return *levels.front();
}

/// Opens a loop in the innermost level.
scf::ForOp LoopLowering::openLoop(RangeOp range, ValueRange initArgs) {
  Value extent = getExtent(range);
  Value zero = getConstant(0), one = getConstant(1);
  Level &parent = *levels.back();
  insertAt(parent);
  auto loop =
      scf::ForOp::create(builder, range.getLoc(), zero, extent, one, initArgs,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  parent.openChild = loop;
  auto level = std::make_unique<Level>();
  level->range = range;
  level->inductionVar = loop.getInductionVar();
  level->block = loop.getBody();
  levels.push_back(std::move(level));
  return loop;
}

void LoopLowering::closeLoop(ValueRange yielded) {
  insertAt(*levels.back());
  scf::YieldOp::create(builder, levels.back()->range.getLoc(), yielded);
  levels.pop_back();
  levels.back()->openChild = nullptr;
}

/// Constants stand at the beginning of the kernel, above everything.
Value LoopLowering::getConstant(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    constant = arith::ConstantIndexOp::create(builder, kernel.getLoc(), value);
  }
  return constant;
}

Value LoopLowering::getExtent(RangeOp range) {
  if (std::optional<int64_t> extent = range.getConstantExtent())
    return getConstant(*extent);
  return emit(range.getExtent());
}

RangeList LoopLowering::getUnrolled(ArrayRef<RangeOp> ranges) {
  RangeList unrolled;
  for (RangeOp range : ranges)
    if (range.getAxis().isUnrolled())
      unrolled.push_back(range);
  return unrolled;
}

/// Calls `body` once for each combination of the positions of the ranges, the
/// last one fastest.
void LoopLowering::forEachCopy(ArrayRef<RangeOp> unrolled,
                               function_ref<void()> body) {
  if (unrolled.empty())
    return body();
  RangeOp range = unrolled.front();
  for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
    positions[range] = i;
    forEachCopy(unrolled.drop_front(), body);
  }
  positions.erase(range);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value LoopLowering::getRangeValue(RangeOp range) {
  if (range.getAxis().isUnrolled())
    return getConstant(positions.lookup(range));
  for (auto &level : llvm::reverse(levels))
    if (level->range == range)
      return level->inductionVar;
  for (auto &[key, slot] : slots)
    if (llvm::is_contained(slot.ranges, range))
      return slot.value;
  llvm_unreachable("a value is emitted only where its serial ranges are open");
}

/// What stands for the value at the current positions, if it has been emitted.
Value LoopLowering::lookup(Value value) {
  if (isa<BlockArgument>(value))
    return arguments.lookup(value);
  if (auto range = value.getDefiningOp<RangeOp>())
    return getRangeValue(range);
  auto &emitted = getHome(value).emitted;
  auto it = emitted.find(value);
  if (it == emitted.end())
    return {};
  SmallVector<int64_t> copy;
  for (RangeOp range : getUnrolled(freeRanges.of(value)))
    copy.push_back(positions.lookup(range));
  auto found = it->second.find(copy);
  return found == it->second.end() ? Value() : found->second;
}

void LoopLowering::remember(Value value, Value emitted) {
  SmallVector<int64_t> copy;
  for (RangeOp range : getUnrolled(freeRanges.of(value)))
    copy.push_back(positions.lookup(range));
  getHome(value).emitted[value][copy] = emitted;
}

/// Emits a value, and what it needs, in post-order on a stack of its own:
/// expressions may be deep. A reduction takes its values inside its loops.
Value LoopLowering::emit(Value root) {
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (lookup(value)) {
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    auto reduce = dyn_cast<ReduceOp>(op);
    ValueRange needed = reduce ? ValueRange(reduce.getIdentities())
                               : ValueRange(op->getOperands());
    size_t height = stack.size();
    for (Value operand : llvm::reverse(needed))
      if (!lookup(operand))
        stack.push_back(operand);
    if (stack.size() != height)
      continue;
    if (reduce)
      emitReductions(reduce);
    else
      emitOperation(op);
    stack.pop_back();
  }
  return lookup(root);
}

void LoopLowering::emitOperation(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return emitLoad(load);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, lookup(operand));
  Value guard;
  if (!isSafeToSpeculate(op)) {
    guard = getGuardOfAny(op);
    Value inPlace = getGuardOfInPlace(op);
    insertAt(*levels.front());
    guard = conjoin(guard, inPlace);
  }
  insertAt(getHome(op->getResult(0)));
  ValueRange emitted;
  if (guard) {
    // Beyond a range an operand is nothing to divide by.
    auto guarded = scf::IfOp::create(
        builder, op->getLoc(), guard,
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, b.clone(*op, mapping)->getResults());
        },
        [&](OpBuilder &b, Location loc) {
          SmallVector<Value> zeros;
          for (Type type : op->getResultTypes())
            zeros.push_back(arith::getZeroConstant(b, loc, type));
          scf::YieldOp::create(b, loc, zeros);
        });
    emitted = guarded.getResults();
  } else {
    emitted = builder.clone(*op, mapping)->getResults();
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), emitted))
    remember(result, value);
}

/// Which threads have read the buffers that are overwritten in place and that
/// the op depends on; null if all have.
Value LoopLowering::getGuardOfInPlace(Operation *op) {
  if (storeOf.empty())
    return {};
  Value condition;
  SetVector<Value> reached(op->operand_begin(), op->operand_end());
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *definition = reached[i].getDefiningOp();
    if (!definition)
      continue;
    if (auto load = dyn_cast<LoadOp>(definition))
      if (StoreOp store = storeOf.lookup(load.getSource())) {
        Value guard = getStoreGuard(store);
        insertAt(*levels.front());
        condition = conjoin(condition, guard);
      }
    reached.insert(definition->operand_begin(), definition->operand_end());
  }
  return condition;
}

/// Where the indices of the hardware are within all ranges in which the
/// operands of the op are free; null if everywhere.
Value LoopLowering::getGuardOfAny(Operation *op) {
  Value condition;
  for (RangeOp range : freeRanges.ofAny(op->getOperands())) {
    Value guard = getGuard(range);
    insertAt(*levels.front());
    condition = conjoin(condition, guard);
  }
  return condition;
}

/// A load reads where its own mask holds, and in no thread that is beyond the
/// extent of a range in which it is free.
void LoopLowering::emitLoad(LoadOp load) {
  Location loc = load.getLoc();
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(lookup(index));
  Value source = lookup(load.getSource());
  Value condition = getGuardOfAny(load);
  // What is overwritten in place is read only by the thread that writes it.
  if (StoreOp store = storeOf.lookup(load.getSource()))
    condition = conjoin(condition, getStoreGuard(store));
  insertAt(getHome(load));
  if (load.getMask())
    condition = conjoin(condition, lookup(load.getMask()));
  if (!condition)
    return remember(load,
                    memref::LoadOp::create(builder, loc, source, indices));
  Value other = load.getOther()
                    ? lookup(load.getOther())
                    : arith::getZeroConstant(builder, loc, load.getType());
  auto guarded = scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &b, Location loc) {
        Value element = memref::LoadOp::create(b, loc, source, indices);
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, other); });
  remember(load, guarded.getResult(0));
}

//===----------------------------------------------------------------------===//
// Hardware ranges and guards
//===----------------------------------------------------------------------===//

static SlotKey getSlotKey(AxisAttr axis) {
  if (axis.isBlockIndex())
    return {0, unsigned(*axis.getDimension())};
  if (axis.isThreadIndex())
    return {1, unsigned(axis.getThreadDimension())};
  return {2, 0};
}

static AxisAttr getSlotAxis(MLIRContext *context, SlotKey key) {
  static constexpr AxisKind kinds[] = {AxisKind::Global, AxisKind::Local,
                                       AxisKind::Thread};
  if (key.first == 2)
    return AxisAttr::get(context, AxisKind::Thread);
  return AxisAttr::get(context, kinds[key.first], Dimension(key.second));
}

/// Makes one range for each dimension of the hardware that the kernel uses, as
/// long as the longest that it stands for. Lanes are along x, in whole warps.
void LoopLowering::emitSlots() {
  for (auto range : kernel.getBody().front().getOps<RangeOp>())
    if (range.getAxis().isHardware())
      slots[getSlotKey(range.getAxis())].ranges.push_back(range);
  for (auto &[key, slot] : slots) {
    slot.extent = 0;
    for (RangeOp range : slot.ranges) {
      std::optional<int64_t> extent = range.getConstantExtent();
      if (extent && range.getAxis().getKind() == AxisKind::Warp)
        extent = kWarpSize;
      slot.extent = extent && slot.extent
                        ? std::optional(std::max(*slot.extent, *extent))
                        : std::nullopt;
    }
    if (slot.extent == 1) {
      slot.value = getConstant(0);
      continue;
    }
    AxisAttr axis = getSlotAxis(kernel.getContext(), key);
    Location loc = slot.ranges.front().getLoc();
    if (slot.extent) {
      insertAt(*levels.front());
      slot.value = RangeOp::create(builder, loc, axis, *slot.extent);
      continue;
    }
    Value largest;
    for (RangeOp range : slot.ranges) {
      Value extent = getExtent(range);
      insertAt(*levels.front());
      largest = largest && largest != extent
                    ? arith::MaxSIOp::create(builder, loc, largest, extent)
                    : extent;
    }
    slot.value = RangeOp::create(builder, loc, axis, OpFoldResult(largest));
  }
}

/// The conjunction of two conditions, either of which may be absent.
Value LoopLowering::conjoin(Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, lhs.getLoc(), lhs, rhs);
}

/// Where the index of the hardware is within the range; null if everywhere.
Value LoopLowering::getGuard(RangeOp range) {
  if (!range.getAxis().isHardware())
    return {};
  auto [it, isNew] = guards.try_emplace(range);
  if (!isNew)
    return it->second;
  Slot &slot = slots[getSlotKey(range.getAxis())];
  std::optional<int64_t> extent = range.getConstantExtent();
  bool isWhole =
      slot.extent ? *extent == *slot.extent
                  : llvm::all_of(slot.ranges, [&](RangeOp other) {
                      return other.getMixedExtent() == range.getMixedExtent();
                    });
  if (isWhole)
    return {};
  Value bound = getExtent(range);
  OpBuilder::InsertionGuard insertionGuard(builder);
  insertAt(*levels.front());
  Value guard = arith::CmpIOp::create(
      builder, range.getLoc(), arith::CmpIPredicate::slt, slot.value, bound);
  return guards[range] = guard;
}

/// Which threads of which blocks execute the store: those within the ranges of
/// its domain, at index 0 of every dimension that its domain lacks.
Value LoopLowering::getStoreGuard(StoreOp store) {
  auto [it, isNew] = guards.try_emplace(store);
  if (!isNew)
    return it->second;
  RangeList domain = getRanges(store.getOver());
  Value guard;
  OpBuilder::InsertionGuard insertionGuard(builder);
  for (RangeOp range : domain) {
    Value within = getGuard(range);
    insertAt(*levels.front());
    guard = conjoin(guard, within);
  }
  for (auto &[key, slot] : slots) {
    bool isUsed =
        llvm::any_of(domain, [&, &ranges = slot.ranges](RangeOp range) {
          return llvm::is_contained(ranges, range);
        });
    if (isUsed || slot.extent == 1)
      continue;
    Value zero = getConstant(0);
    insertAt(*levels.front());
    Value isFirst = arith::CmpIOp::create(
        builder, store.getLoc(), arith::CmpIPredicate::eq, slot.value, zero);
    guard = conjoin(guard, isFirst);
  }
  return guards[store] = guard;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Emits all copies of a reduction, and of those that can share its loops:
/// which close the same ranges in the same order and are free in the same
/// serial ranges. That they are independent is a rule of graph form: nothing
/// that is free in a range depends on a result that closed it.
void LoopLowering::emitReductions(ReduceOp reduce) {
  auto getSerial = [&](ReduceOp op) {
    RangeList serial;
    for (RangeOp range : freeRanges.of(op.getResult(0)))
      if (isSerial(range))
        serial.push_back(range);
    return serial;
  };
  RangeList over = getRanges(reduce.getOver());
  RangeList serial = getSerial(reduce);
  SmallVector<ReduceOp> group;
  for (ReduceOp other : neededReductions)
    if (other == reduce ||
        (!over.empty() && getRanges(other.getOver()) == over &&
         getSerial(other) == serial && !lookup(other.getResult(0))))
      group.push_back(other);

  // The loops go to the home of the results, whatever is open inside it: set
  // the deeper levels aside.
  size_t home = 0;
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].get() == &getHome(reduce.getResult(0)))
      home = i;
  std::vector<std::unique_ptr<Level>> deeper(
      std::make_move_iterator(levels.begin() + home + 1),
      std::make_move_iterator(levels.end()));
  levels.resize(home + 1);
  Operation *openChild = levels.back()->openChild;
  llvm::DenseMap<Operation *, int64_t> outerPositions = positions;

  SmallVector<Value> accumulators;
  for (ReduceOp member : group)
    forEachCopy(getUnrolled(freeRanges.of(member.getResult(0))), [&] {
      for (auto [index, input] : llvm::enumerate(member.getInputs())) {
        if (member.isGeneral()) {
          accumulators.push_back(emit(member.getIdentities()[index]));
          continue;
        }
        insertAt(*levels.front());
        accumulators.push_back(arith::ConstantOp::create(
            builder, member.getLoc(),
            getReductionIdentity(*member.getKind(), input.getType())));
      }
    });
  emitOverOf(group, over, accumulators);
  levels.back()->openChild = openChild;

  auto *next = accumulators.begin();
  for (ReduceOp member : group)
    forEachCopy(getUnrolled(freeRanges.of(member.getResult(0))), [&] {
      for (Value result : member.getResults())
        remember(result, *next++);
    });
  positions = std::move(outerPositions);
  std::move(deeper.begin(), deeper.end(), std::back_inserter(levels));
}

/// Emits the loops over the ranges, outermost first, and the combination of
/// all copies inside; `accumulators` go from their values before to after.
void LoopLowering::emitOverOf(ArrayRef<ReduceOp> group, ArrayRef<RangeOp> over,
                              SmallVectorImpl<Value> &accumulators) {
  if (over.empty())
    return combine(group, accumulators);
  RangeOp range = over.front();
  if (range.getAxis().isUnrolled()) {
    for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
      positions[range] = i;
      emitOverOf(group, over.drop_front(), accumulators);
    }
    positions.erase(range);
    return;
  }
  Operation *openChild = levels.back()->openChild;
  scf::ForOp loop = openLoop(range, accumulators);
  accumulators.assign(loop.getRegionIterArgs().begin(),
                      loop.getRegionIterArgs().end());
  emitOverOf(group, over.drop_front(), accumulators);
  closeLoop(accumulators);
  levels.back()->openChild = openChild;
  accumulators.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Combines the value of one point into the accumulators of all copies.
void LoopLowering::combine(ArrayRef<ReduceOp> group,
                           SmallVectorImpl<Value> &accumulators) {
  auto *next = accumulators.begin();
  for (ReduceOp reduce : group)
    forEachCopy(getUnrolled(freeRanges.of(reduce.getResult(0))), [&] {
      size_t count = reduce.getInputs().size();
      SmallVector<Value> before(next, next + count);
      for (Value combined : combineOnce(reduce, before))
        *next++ = combined;
    });
}

/// Keeps a product that is an accumulator from being contracted with what the
/// next copy of the code, or the user of the reduction, adds to it: in a loop
/// it would be an iter_arg, and unrolling must not change a rounding.
Value LoopLowering::markAccumulator(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return value;
  Operation *accumulator =
      product->use_empty() ? product : builder.clone(*product);
  accumulator->setDiscardableAttr(kAccumulatorAttrName, builder.getUnitAttr());
  return accumulator->getResult(0);
}

SmallVector<Value> LoopLowering::combineOnce(ReduceOp reduce,
                                             ValueRange accumulators) {
  Location loc = reduce.getLoc();
  SmallVector<Value> inputs;
  for (Value input : reduce.getInputs())
    inputs.push_back(emit(input));
  Value mask = reduce.getMask() ? emit(reduce.getMask()) : Value();
  insertAt(*levels.back());
  SmallVector<Value> combined;
  if (reduce.isGeneral()) {
    IRMapping mapping;
    Block &combiner = reduce.getCombiner().front();
    for (auto [argument, value] : llvm::zip_equal(
             combiner.getArguments(),
             llvm::concat<Value>(SmallVector<Value>(accumulators), inputs)))
      mapping.map(argument, value);
    for (Operation &op : combiner.without_terminator())
      builder.clone(op, mapping);
    for (Value value : combiner.getTerminator()->getOperands())
      combined.push_back(mapping.lookupOrDefault(value));
  } else {
    combined.push_back(vector::makeArithReduction(
        builder, loc, *reduce.getKind(), accumulators.front(), inputs.front()));
  }
  for (Value &value : combined)
    value = markAccumulator(value);
  // A masked point takes no part.
  if (mask)
    for (auto [value, before] : llvm::zip_equal(combined, accumulators))
      value = arith::SelectOp::create(builder, loc, mask, value, before);
  return combined;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static arith::AtomicRMWKind getAtomicKind(vector::CombiningKind kind,
                                          Type type) {
  using vector::CombiningKind;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case CombiningKind::MUL:
    return isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
  case CombiningKind::MINUI:
    return arith::AtomicRMWKind::minu;
  case CombiningKind::MINSI:
    return arith::AtomicRMWKind::mins;
  case CombiningKind::MAXUI:
    return arith::AtomicRMWKind::maxu;
  case CombiningKind::MAXSI:
    return arith::AtomicRMWKind::maxs;
  case CombiningKind::AND:
    return arith::AtomicRMWKind::andi;
  case CombiningKind::OR:
    return arith::AtomicRMWKind::ori;
  case CombiningKind::XOR:
    return arith::AtomicRMWKind::xori;
  case CombiningKind::MINNUMF:
    return arith::AtomicRMWKind::minnumf;
  case CombiningKind::MAXNUMF:
    return arith::AtomicRMWKind::maxnumf;
  case CombiningKind::MINIMUMF:
    return arith::AtomicRMWKind::minimumf;
  case CombiningKind::MAXIMUMF:
    return arith::AtomicRMWKind::maximumf;
  }
  llvm_unreachable("all kinds are handled");
}

/// Writes one copy of a store, whose operands have been emitted.
void LoopLowering::emitStore(StoreOp store) {
  Location loc = store.getLoc();
  Value value = lookup(store.getValue());
  Value target = lookup(store.getTarget());
  SmallVector<Value> indices;
  for (Value index : store.getIndices())
    indices.push_back(lookup(index));
  Value condition = getStoreGuard(store);
  insertAt(*levels.back());
  if (store.getMask())
    condition = conjoin(condition, lookup(store.getMask()));
  auto write = [&](OpBuilder &b, Location loc) {
    if (store.getKind())
      memref::AtomicRMWOp::create(
          b, loc, value.getType(),
          getAtomicKind(*store.getKind(), value.getType()), value, target,
          indices);
    else
      memref::StoreOp::create(b, loc, value, target, indices);
  };
  if (!condition)
    return write(builder, loc);
  scf::IfOp::create(builder, loc, condition, [&](OpBuilder &b, Location loc) {
    write(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

/// Emits stores whose domains have the same serial ranges in one nest: first
/// all values, since loads read memory as on entry, then the writes.
void LoopLowering::emitStores(ArrayRef<StoreOp> group) {
  neededReductions.clear();
  SetVector<Value> reached;
  for (StoreOp store : group)
    reached.insert(store->operand_begin(), store->operand_end());
  for (size_t i = 0; i < reached.size(); ++i)
    if (Operation *op = reached[i].getDefiningOp()) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        neededReductions.insert(reduce);
      reached.insert(op->operand_begin(), op->operand_end());
    }

  StoreOp leader = group.front();
  size_t depth = 0;
  for (RangeOp range : getRanges(leader.getOver()))
    if (isSerial(range)) {
      openLoop(range, {});
      ++depth;
    }
  for (StoreOp store : group)
    forEachCopy(getUnrolled(getRanges(store.getOver())), [&] {
      emit(store.getValue());
      for (Value index : store.getIndices())
        emit(index);
      if (store.getMask())
        emit(store.getMask());
    });
  for (StoreOp store : group)
    forEachCopy(getUnrolled(getRanges(store.getOver())),
                [&] { emitStore(store); });
  while (depth-- > 0)
    closeLoop({});
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Refuses more copies of an op than a thread has any use for: it has at most
/// 255 registers, and a compiler takes minutes for what is far beyond.
LogicalResult LoopLowering::refuseManyCopies(Operation *op) {
  constexpr int64_t maxCopies = 4096;
  RangeList unrolled = getUnrolled(freeRanges.ofAny(op->getOperands()));
  if (llvm::any_of(unrolled, [](RangeOp range) {
        return *range.getConstantExtent() == 0;
      }))
    return success();
  int64_t copies = 1;
  for (RangeOp range : unrolled) {
    int64_t extent = *range.getConstantExtent();
    if (extent <= maxCopies / copies) {
      copies *= extent;
      continue;
    }
    InFlightDiagnostic diag =
        op->emitOpError() << "expected at most " << maxCopies
                          << " copies of an op, but its upcast and unroll axes "
                             "make "
                          << copies << " times " << extent
                          << "; use a serial or reduce axis for a part of them";
    diag.attachNote(range.getLoc()) << "one of the axes is here";
    return diag;
  }
  return success();
}

LogicalResult LoopLowering::refuseUnsupported() {
  for (Operation &op : kernel.getBodyBlock()) {
    if (isa<StageOp>(op))
      return op.emitOpError("is not lowered to loops yet; write the tile by "
                            "hand, in loop form with uop.alloc");
    if (failed(refuseManyCopies(&op)))
      return failure();
    auto range = dyn_cast<RangeOp>(op);
    if (!range)
      continue;
    AxisKind kind = range.getAxis().getKind();
    if (kind == AxisKind::GroupReduce || kind == AxisKind::Fragment)
      return op.emitOpError()
             << "axis '" << range.getAxis().str()
             << "' is not lowered to loops yet; use "
             << (kind == AxisKind::GroupReduce ? "reduce" : "local")
             << " instead";
  }
  return success();
}

LogicalResult LoopLowering::run() {
  if (failed(refuseUnsupported()))
    return failure();
  Block &graph = kernel.getBodyBlock();
  body = new Block();
  kernel.getBody().push_back(body);
  for (BlockArgument argument : graph.getArguments())
    arguments.map(argument,
                  body->addArgument(argument.getType(), argument.getLoc()));
  levels.push_back(std::make_unique<Level>());
  levels.front()->block = body;

  llvm::SmallPtrSet<Value, 4> loaded;
  for (auto load : graph.getOps<LoadOp>())
    loaded.insert(load.getSource());
  SmallVector<
      std::pair<llvm::SmallPtrSet<Operation *, 4>, SmallVector<StoreOp>>>
      groups;
  for (auto store : graph.getOps<StoreOp>()) {
    if (loaded.contains(store.getTarget()))
      storeOf.try_emplace(store.getTarget(), store);
    llvm::SmallPtrSet<Operation *, 4> serial;
    for (RangeOp range : getRanges(store.getOver()))
      if (isSerial(range))
        serial.insert(range);
    auto *group = llvm::find_if(
        groups, [&](auto &candidate) { return candidate.first == serial; });
    if (group == groups.end()) {
      groups.push_back({serial, {}});
      group = std::prev(groups.end());
    }
    group->second.push_back(store);
  }

  emitSlots();
  for (auto &[serial, stores] : groups)
    emitStores(stores);

  graph.dropAllDefinedValueUses();
  graph.erase();
  kernel.setLoops(true);
  return success();
}

namespace {
struct LowerToLoopsPass : uop::impl::LowerToLoopsBase<LowerToLoopsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.isGraphForm() && failed(LoopLowering(kernel).run()))
      signalPassFailure();
  }
};
} // namespace
