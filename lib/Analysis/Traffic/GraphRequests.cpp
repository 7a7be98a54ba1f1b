//===- GraphRequests.cpp - Memory requests of a mapped graph --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the address and the mask of an access depend on is a list of steps over
// slots, which is executed for all lanes of a warp at a time.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GraphRequests.h"
#include "Evaluate.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

/// Copies of an access that are executed, one by one.
static constexpr int64_t kMaxPoints = 8;
/// Index arithmetic of an access that is executed.
static constexpr size_t kMaxSteps = 512;

/// How to find where an access is, and how often it is made.
struct GraphRequests::Program {
  struct Step {
    IntegerOp operation;
    unsigned result;
    unsigned operands[3] = {0, 0, 0};
  };
  /// A copy range, its slot, and the distance of the points that are executed.
  struct Copy {
    RangeOp range;
    unsigned slot;
    int64_t step = 1;
    bool isExecuted = false;
  };

  std::vector<Step> steps;
  std::vector<Lanes> slots;
  DenseMap<Value, unsigned> slotOf;
  std::array<std::vector<unsigned>, 3> threadSlots;
  SmallVector<Copy> copies;
  /// Slots times bytes; and the slot of the mask.
  SmallVector<std::pair<unsigned, int64_t>> terms;
  std::optional<unsigned> mask;
  /// Threads beyond these make no request.
  std::array<int64_t, 3> extents = {1, 1, 1};
  /// How often a lane accesses an element.
  uint64_t executions = 1;

  unsigned createSlot(Value value, int64_t constant = 0);
  std::string read(ArrayRef<Value> roots, int64_t dynamicSize);
  void run();
  Lanes getOffsets() const;
};

unsigned GraphRequests::Program::createSlot(Value value, int64_t constant) {
  auto [it, isNew] = slotOf.try_emplace(value, slots.size());
  if (isNew) {
    slots.emplace_back();
    slots.back().fill(constant);
  }
  return it->second;
}

static std::optional<int64_t> getSize(memref::DimOp dim, int64_t dynamicSize) {
  auto type = dyn_cast<MemRefType>(dim.getSource().getType());
  std::optional<int64_t> number = dim.getConstantIndex();
  if (!type || !number || *number < 0 || *number >= type.getRank())
    return std::nullopt;
  int64_t size = type.getDimSize(*number);
  return ShapedType::isDynamic(size) ? dynamicSize : size;
}

/// Makes slots and steps for all that the values depend on; or says why that
/// cannot be executed.
std::string GraphRequests::Program::read(ArrayRef<Value> roots,
                                         int64_t dynamicSize) {
  SetVector<Operation *> slice;
  SmallVector<Value> stack(roots);
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op)
      return "it depends on an argument";
    if (!slice.insert(op) || isa<RangeOp, memref::DimOp>(op) ||
        getConstantIntValue(value))
      continue;
    if (!getOpcode(op))
      return ("it depends on " + op->getName().getStringRef()).str();
    if (slice.size() > kMaxSteps)
      return "its index is long";
    llvm::append_range(stack, op->getOperands());
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered) {
    Value result = op->getResult(0);
    // The values of another call may depend on it, too: it is there once, for
    // two copies of one range would count for ever.
    if (slotOf.contains(result))
      continue;
    if (auto range = dyn_cast<RangeOp>(op)) {
      unsigned slot = createSlot(result);
      AxisAttr axis = range.getAxis();
      if (axis.isThreadIndex())
        threadSlots[unsigned(axis.getThreadDimension())].push_back(slot);
      else if (axis.isUnrolled())
        copies.push_back({range, slot});
    } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
      std::optional<int64_t> size = getSize(dim, dynamicSize);
      if (!size)
        return "it depends on a size that is not known";
      createSlot(result, *size);
    } else if (std::optional<int64_t> constant = getConstantIntValue(result)) {
      createSlot(result, *constant);
    } else {
      Step step = {describeOperation(op, *getOpcode(op)), createSlot(result)};
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        step.operands[index] = slotOf.lookup(operand);
      steps.push_back(step);
    }
  }
  return "";
}

void GraphRequests::Program::run() {
  for (const Step &step : steps) {
    // What divides by zero is masked, as far as it is right.
    Lanes result;
    evaluate(step.operation, slots[step.operands[0]], slots[step.operands[1]],
             slots[step.operands[2]], kWarpSize, kAllLanes, result);
    slots[step.result] = result;
  }
}

Lanes GraphRequests::Program::getOffsets() const {
  Lanes offsets = {};
  for (auto [slot, bytes] : terms)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      offsets[lane] += slots[slot][lane] * bytes;
  return offsets;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The elements between neighbours along each dimension; nothing where the
/// type does not say.
static std::optional<SmallVector<int64_t>> getStrides(Type buffer,
                                                      int64_t dynamicSize) {
  ArrayRef<int64_t> shape;
  if (auto tile = dyn_cast<TileType>(buffer)) {
    shape = tile.getShape();
  } else {
    auto memref = cast<MemRefType>(buffer);
    shape = memref.getShape();
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memref.getLayout().isIdentity()) {
      if (failed(memref.getStridesAndOffset(strides, offset)) ||
          llvm::any_of(strides, ShapedType::isDynamic))
        return std::nullopt;
      return strides;
    }
  }
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t dimension = shape.size(); dimension-- > 0;) {
    strides[dimension] = stride;
    int64_t size = shape[dimension];
    stride =
        int64_t(uint64_t(stride) *
                uint64_t(ShapedType::isDynamic(size) ? dynamicSize : size));
  }
  return strides;
}

/// The alignment of all rows of a buffer, as far as wide accesses need it.
static int64_t getRowAlignment(Value buffer, int64_t elementBytes) {
  auto memref = dyn_cast<MemRefType>(buffer.getType());
  if (!memref)
    return kWidestAccessBytes;
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto kernel = argument
                    ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                    : KernelOp();
  if (!kernel || !memref.hasStaticShape())
    return elementBytes;
  auto align = kernel.getArgAttrOfType<IntegerAttr>(
      argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
  return align ? std::max(align.getInt(), elementBytes) : elementBytes;
}

static int64_t getExtent(RangeOp range, int64_t dynamicSize) {
  return std::max<int64_t>(getStaticExtent(range).value_or(dynamicSize), 1);
}

GraphRequests::GraphRequests(KernelOp kernel, int64_t dynamicSize)
    : kernel(kernel), dynamicSize(dynamicSize),
      launch(computeLaunchShape(kernel)) {
  llvm::SmallPtrSet<Operation *, 8> staged;
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>())
    for (RangeOp range : getRanges(stage.getOver()))
      staged.insert(range);
  for (Operation &op : kernel.getBodyBlock()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      ArrayRef<RangeOp> free = freeRanges.of(load.getResult());
      if (llvm::none_of(free,
                        [&](RangeOp range) { return staged.contains(range); }))
        addAccess(load, load.getSource(), load.getIndices(), load.getMask(),
                  SmallVector<RangeOp>(free));
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      addAccess(store, store.getTarget(), store.getIndices(), store.getMask(),
                getRanges(store.getOver()));
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      addFill(stage);
    }
  }
}

GraphRequests::~GraphRequests() = default;

static WarpAccess describe(Operation *op, Value buffer) {
  WarpAccess access = {};
  access.op = op;
  access.kind = AccessKind::Load;
  if (auto store = dyn_cast<StoreOp>(op))
    access.kind = store.getKind() ? AccessKind::Atomic : AccessKind::Store;
  if (isa<StageOp>(op))
    access.kind = AccessKind::Store;
  access.buffer = buffer;
  auto tile = dyn_cast<TileType>(buffer.getType());
  access.isShared = tile != nullptr;
  access.elementType =
      tile ? tile.getElementType()
           : cast<MemRefType>(buffer.getType()).getElementType();
  access.elementBytes = getStoredBytes(access.elementType);
  if (tile && tile.getMemorySpace() != MemorySpace::Workgroup)
    access.reason = "it is private";
  return access;
}

/// The elements that a lane accesses at once along a range, by which the
/// offset moves.
static int64_t findWidth(llvm::function_ref<Lanes(int64_t)> getOffsets,
                         int64_t extent, int64_t elementBytes,
                         int64_t alignment) {
  Lanes first = getOffsets(0);
  for (int64_t point = 1; point < extent; ++point) {
    Lanes offsets = getOffsets(point);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (offsets[lane] != first[lane] + point * elementBytes)
        return 1;
  }
  int64_t width = 1;
  while (extent % (2 * width) == 0 &&
         2 * width * elementBytes <= std::min(kWidestAccessBytes, alignment) &&
         llvm::all_of(first, [&](int64_t offset) {
           return offset % (2 * width * elementBytes) == 0;
         }))
    width *= 2;
  return width;
}

void GraphRequests::addAccess(Operation *op, Value buffer, ValueRange indices,
                              Value mask, ArrayRef<RangeOp> executed) {
  accesses.push_back(describe(op, buffer));
  programs.push_back(std::make_unique<Program>());
  WarpAccess &access = accesses.back();
  Program &program = *programs.back();
  std::optional<SmallVector<int64_t>> strides =
      getStrides(buffer.getType(), dynamicSize);
  if (!strides && access.reason.empty())
    access.reason = "its strides are not known";
  if (access.reason.empty())
    access.reason = program.read(SmallVector<Value>(indices), dynamicSize);
  if (!access.reason.empty())
    return;
  // A mask that depends on data is taken to hold.
  size_t numSteps = program.steps.size(), numCopies = program.copies.size();
  if (mask && program.read(mask, dynamicSize).empty()) {
    program.mask = program.slotOf.lookup(mask);
  } else {
    program.steps.resize(numSteps);
    program.copies.truncate(numCopies);
  }
  for (auto [index, stride] : llvm::zip_equal(indices, *strides))
    program.terms.push_back(
        {program.slotOf.lookup(index), stride * access.elementBytes});

  program.extents = launch.block;
  std::array<int64_t, 3> listed = {0, 0, 0};
  for (RangeOp range : executed) {
    AxisAttr axis = range.getAxis();
    if (axis.isThreadIndex())
      listed[unsigned(axis.getThreadDimension())] =
          getExtent(range, dynamicSize);
    else if (!axis.isBlockIndex())
      program.executions = llvm::SaturatingMultiply<uint64_t>(
          program.executions, getExtent(range, dynamicSize));
  }
  // A store that lacks a dimension runs at its index 0; a load, everywhere.
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (isa<StoreOp>(op) || listed[dimension] != 0)
      program.extents[dimension] = std::max<int64_t>(listed[dimension], 1);

  for (unsigned dimension = 0; dimension < 3; ++dimension)
    for (unsigned slot : program.threadSlots[dimension])
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        program.slots[slot][lane] = lane % launch.block[dimension];
  Program::Copy *widest = nullptr;
  int64_t alignment = getRowAlignment(buffer, access.elementBytes);
  for (Program::Copy &copy : program.copies) {
    if (mask && freeRanges.isFreeIn(mask, copy.range))
      continue;
    int64_t width = findWidth(
        [&](int64_t point) {
          program.slots[copy.slot].fill(point);
          program.run();
          return program.getOffsets();
        },
        getExtent(copy.range, dynamicSize), access.elementBytes, alignment);
    program.slots[copy.slot].fill(0);
    if (width <= access.elements)
      continue;
    access.elements = width;
    widest = &copy;
  }
  if (widest)
    widest->step = access.elements;
  int64_t points = 1;
  for (Program::Copy &copy : llvm::reverse(program.copies)) {
    int64_t own = getExtent(copy.range, dynamicSize) / copy.step;
    copy.isExecuted = points * own <= kMaxPoints;
    if (copy.isExecuted)
      points *= own;
  }
  program.executions /= uint64_t(access.elements * points);
}

/// A fill has no program beyond how often it is made.
void GraphRequests::addFill(StageOp stage) {
  accesses.push_back(describe(stage, stage.getResult()));
  programs.push_back(std::make_unique<Program>());
  WarpAccess &access = accesses.back();
  auto shape = cast<TileType>(stage.getResult().getType()).getShape();
  SmallVector<int64_t> extents;
  for (RangeOp range : getRanges(stage.getOver()))
    extents.push_back(getStaticExtent(range).value_or(0));
  if (!llvm::equal(stage.getIndices(), stage.getOver()) ||
      ArrayRef(extents) != shape)
    access.reason = "it is not filled in order";
  access.elements = stage.getVector();
  if (access.elements * access.elementBytes > kWidestAccessBytes)
    access.reason = "it is filled by several accesses at a time";
  for (RangeOp range : freeRanges.of(stage.getResult()))
    if (!range.getAxis().isHardware())
      programs.back()->executions = llvm::SaturatingMultiply<uint64_t>(
          programs.back()->executions, getExtent(range, dynamicSize));
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void GraphRequests::enumerateFill(
    size_t number, function_ref<void(const WarpRequest &)> handle) {
  const WarpAccess &access = accesses[number];
  int64_t points = ShapedType::getNumElements(
      cast<TileType>(access.buffer.getType()).getShape());
  int64_t threads =
      llvm::alignTo(launch.getNumThreadsPerBlock(), uint64_t(kWarpSize));
  for (int64_t first = 0; first < points;
       first += kWarpSize * access.elements) {
    int64_t thread = first / access.elements % threads;
    Lanes addresses;
    LaneMask active = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      int64_t point = first + lane * access.elements;
      addresses[lane] = point * access.elementBytes;
      if (point < points && thread + lane < threads)
        active |= LaneMask(1) << lane;
    }
    handle({unsigned(number), programs[number]->executions, active,
            access.elements * access.elementBytes,
            llvm::ArrayRef(addresses).take_front(kWarpSize)});
  }
}

void GraphRequests::enumerate(ThreadOrderFn order,
                              function_ref<void(const WarpRequest &)> handle) {
  int64_t numThreads = launch.getNumThreadsPerBlock();
  for (int64_t begin = 0; begin < numThreads; begin += kWarpSize) {
    std::array<Lanes, 3> threads = {};
    LaneMask exists = 0;
    for (int64_t lane = 0; lane < kWarpSize && begin + lane < numThreads;
         ++lane) {
      std::array<int64_t, 3> thread = order(begin + lane);
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        threads[dimension][lane] = thread[dimension];
      exists |= LaneMask(1) << lane;
    }
    for (size_t number = 0; number < accesses.size(); ++number) {
      const WarpAccess &access = accesses[number];
      if (!access.reason.empty() || isa<StageOp>(access.op))
        continue;
      Program &program = *programs[number];
      LaneMask active = exists;
      for (unsigned dimension = 0; dimension < 3; ++dimension) {
        for (unsigned slot : program.threadSlots[dimension])
          program.slots[slot] = threads[dimension];
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          if (threads[dimension][lane] >= program.extents[dimension])
            active &= ~(LaneMask(1) << lane);
      }
      // Counts through the copies, the last one fastest.
      while (active != 0) {
        program.run();
        LaneMask served = active;
        if (program.mask)
          for (unsigned lane = 0; lane < kWarpSize; ++lane)
            if (program.slots[*program.mask][lane] == 0)
              served &= ~(LaneMask(1) << lane);
        if (served != 0) {
          Lanes offsets = program.getOffsets();
          handle({unsigned(number), program.executions, served,
                  access.elements * access.elementBytes,
                  llvm::ArrayRef(offsets).take_front(kWarpSize)});
        }
        auto next = llvm::find_if(
            llvm::reverse(program.copies), [&](const Program::Copy &copy) {
              if (!copy.isExecuted)
                return false;
              int64_t point = program.slots[copy.slot][0] + copy.step;
              bool isWithin = point < getExtent(copy.range, dynamicSize);
              program.slots[copy.slot].fill(isWithin ? point : 0);
              return isWithin;
            });
        if (next == llvm::reverse(program.copies).end())
          break;
      }
    }
  }
  for (size_t number = 0; number < accesses.size(); ++number)
    if (isa<StageOp>(accesses[number].op) && accesses[number].reason.empty())
      enumerateFill(number, handle);
}
