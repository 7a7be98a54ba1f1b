//===- Interpreter.cpp - Running a kernel in graph form -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At each point of a store the steps that it needs are done in order, those
// that are up to date excepted: a result is up to date while no range in which
// it is free has changed. Reductions and stages also remember their results at
// other points, so that an order of the ranges that comes back to a point does
// not repeat whole loops.
//
//===----------------------------------------------------------------------===//

#include "Uop/Interpreter/Interpreter.h"
#include "Memory.h"
#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// How many results (or elements of tiles) are remembered at once.
constexpr int64_t kMaxKnown = 1 << 20;
/// Elements of one tile: far more than any memory of a block holds.
constexpr int64_t kMaxTileElements = 1 << 24;
/// Points between two reports of progress.
constexpr int64_t kProgressPoints = 256;

/// The memory of a stage; an element that was not written is empty.
struct uop::Tile {
  std::vector<Scalar> elements;
};

namespace {

class Interpreter {
public:
  Interpreter(KernelOp kernel, ArrayRef<KernelArgument> arguments,
              const InterpreterOptions &options)
      : kernel(kernel), arguments(arguments), options(options) {}

  LogicalResult run();

private:
  // Ranges.
  LogicalResult computeExtents();
  void setRange(unsigned number, int64_t value);
  LogicalResult forEachPoint(ArrayRef<unsigned> over,
                             llvm::function_ref<LogicalResult()> fn);
  FailureOr<int64_t> countPoints(ArrayRef<unsigned> over) const;
  SmallVector<int64_t> getPoint(ArrayRef<unsigned> over, int64_t number) const;

  // Steps.
  LogicalResult executeAll(ArrayRef<Step *> steps);
  bool isUpToDate(const Step &step) const;
  LogicalResult execute(Step &step);
  LogicalResult executeScalar(Step &step);
  LogicalResult executeLoad(Step &step);
  LogicalResult executeReduce(Step &step);
  LogicalResult combine(Step &step);
  LogicalResult executeStage(Step &step);
  LogicalResult executeStore(Step &step, unsigned number);
  LogicalResult checkWriter(Step &step, unsigned number, int64_t point,
                            int64_t offset, ArrayRef<int64_t> indices);
  void remember(Step &step, int64_t key);

  // Values.
  LogicalResult requireDefined(const Step &step, Slot slot, const Twine &what);
  FailureOr<bool> getMask(const Step &step);
  FailureOr<SmallVector<int64_t, 4>> getIndices(const Step &step,
                                                ArrayRef<int64_t> shape);
  InFlightDiagnostic refuse(const Step &step);
  std::string at(const Step &step) const {
    return describePoint(program.ranges, step.point);
  }

  KernelOp kernel;
  ArrayRef<KernelArgument> arguments;
  const InterpreterOptions &options;
  Program program;
  SmallVector<std::unique_ptr<Buffer>> buffers;
  uint64_t clock = 0;
  int64_t numKnown = 0;
  int64_t pointsDone = 0, pointsTotal = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// The whole kernel
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::run() {
  SmallVector<bool> isStored(arguments.size(), false);
  for (StoreOp store : kernel.getBodyBlock().getOps<StoreOp>())
    isStored[cast<BlockArgument>(store.getTarget()).getArgNumber()] = true;
  if (failed(checkArguments(kernel, kernel.getArgumentTypes(), arguments)) ||
      failed(checkOverlap(kernel, arguments, isStored)) ||
      failed(program.build(kernel, arguments, options.contract)))
    return failure();
  for (auto [argument, stored] : llvm::zip_equal(arguments, isStored)) {
    buffers.emplace_back();
    if (const auto *buffer = std::get_if<BufferArgument>(&argument)) {
      buffers.back() = std::make_unique<Buffer>(*buffer);
      if (stored)
        buffers.back()->prepareStores();
    }
  }
  if (failed(computeExtents()))
    return failure();

  for (Step &store : program.stores) {
    FailureOr<int64_t> points = countPoints(store.over);
    pointsTotal = failed(points)
                      ? std::numeric_limits<int64_t>::max()
                      : llvm::SaturatingAdd<uint64_t>(pointsTotal, *points);
  }
  // A load is in bounds at each point of its free ranges. Where no range is
  // empty the stores see to that.
  if (llvm::any_of(program.ranges,
                   [](const RangeState &range) { return range.extent == 0; }))
    for (auto &[load, steps] : program.usedLoads)
      if (failed(forEachPoint(load->free, [&, load = load, &steps = steps] {
            return failure(failed(executeAll(steps)) || failed(execute(*load)));
          })))
        return failure();

  for (auto [number, store] : llvm::enumerate(program.stores))
    if (failed(executeStore(store, number)))
      return failure();
  for (std::unique_ptr<Buffer> &buffer : buffers)
    if (buffer)
      buffer->commit();
  if (options.progress)
    options.progress(pointsDone, pointsTotal);
  return success();
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::computeExtents() {
  if (failed(executeAll(program.extentSteps)))
    return failure();
  for (RangeState &range : program.ranges) {
    if (std::optional<int64_t> extent = range.op.getConstantExtent()) {
      range.extent = *extent;
      continue;
    }
    const Scalar &extent = program.slots[program.getSlot(range.op.getExtent())];
    if (isPoison(extent)) {
      const Poison &poison = *std::get<PoisonPtr>(extent);
      InFlightDiagnostic diag = poison.op->emitOpError() << poison.why;
      diag.attachNote(range.op.getLoc()) << "it is used here, as an extent";
      return diag;
    }
    range.extent = std::get<llvm::APInt>(extent).getSExtValue();
    if (range.extent < 0)
      return range.op.emitOpError()
             << "expected an extent of 0 or more, but got " << range.extent;
  }
  for (Step &step : program.steps)
    step.isKnowable = succeeded(countPoints(step.free));
  return success();
}

/// Fails if there are more points than 64 bits can number.
FailureOr<int64_t> Interpreter::countPoints(ArrayRef<unsigned> over) const {
  int64_t count = 1;
  if (llvm::any_of(over, [&](unsigned number) {
        return program.ranges[number].extent == 0;
      }))
    return 0;
  for (unsigned number : over)
    if (llvm::MulOverflow(count, program.ranges[number].extent, count))
      return failure();
  return count;
}

void Interpreter::setRange(unsigned number, int64_t value) {
  RangeState &range = program.ranges[number];
  if (range.changedAt != 0 && range.value == value)
    return;
  range.value = value;
  range.changedAt = ++clock;
  program.slots[range.slot] = llvm::APInt(64, value);
}

/// In ascending order, the first range outermost.
LogicalResult
Interpreter::forEachPoint(ArrayRef<unsigned> over,
                          llvm::function_ref<LogicalResult()> fn) {
  for (unsigned number : over)
    if (program.ranges[number].extent == 0)
      return success();
  for (unsigned number : over)
    setRange(number, 0);
  while (true) {
    if (failed(fn()))
      return failure();
    int64_t dim = int64_t(over.size()) - 1;
    for (; dim >= 0; --dim) {
      const RangeState &range = program.ranges[over[dim]];
      if (range.value + 1 < range.extent) {
        setRange(over[dim], range.value + 1);
        break;
      }
      setRange(over[dim], 0);
    }
    if (dim < 0)
      return success();
  }
}

/// The values of the ranges at a point, by its number in the order of
/// forEachPoint.
SmallVector<int64_t> Interpreter::getPoint(ArrayRef<unsigned> over,
                                           int64_t number) const {
  SmallVector<int64_t> point(over.size());
  for (size_t dim = over.size(); dim-- > 0;) {
    int64_t extent = program.ranges[over[dim]].extent;
    point[dim] = number % extent;
    number /= extent;
  }
  return point;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

InFlightDiagnostic Interpreter::refuse(const Step &step) {
  return step.op->emitOpError();
}

LogicalResult Interpreter::requireDefined(const Step &step, Slot slot,
                                          const Twine &what) {
  const auto *poison = std::get_if<PoisonPtr>(&program.slots[slot]);
  if (!poison)
    return success();
  InFlightDiagnostic diag = (*poison)->op->emitOpError() << (*poison)->why;
  diag.attachNote(step.op->getLoc())
      << "it is used here, as " << what << at(step);
  return diag;
}

FailureOr<bool> Interpreter::getMask(const Step &step) {
  if (step.mask == kNoSlot)
    return true;
  if (failed(requireDefined(step, step.mask, "the mask")))
    return failure();
  return std::get<llvm::APInt>(program.slots[step.mask]).isOne();
}

/// The indices of an access, within the shape.
FailureOr<SmallVector<int64_t, 4>>
Interpreter::getIndices(const Step &step, ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> indices;
  for (auto [dim, slot, size] : llvm::enumerate(step.operands, shape)) {
    if (failed(requireDefined(step, slot, "index #" + Twine(dim))))
      return failure();
    int64_t index = std::get<llvm::APInt>(program.slots[slot]).getSExtValue();
    if (index < 0 || index >= size)
      return refuse(step) << "index #" << dim
                          << " is out of bounds: expected 0 or more and less "
                             "than "
                          << size << ", but got " << index << at(step);
    indices.push_back(index);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool Interpreter::isUpToDate(const Step &step) const {
  return step.computedAt != 0 && llvm::all_of(step.free, [&](unsigned number) {
           return program.ranges[number].changedAt < step.computedAt;
         });
}

LogicalResult Interpreter::executeAll(ArrayRef<Step *> steps) {
  for (Step *step : steps) {
    if (isUpToDate(*step))
      continue;
    if (failed(execute(*step)))
      return failure();
    step->computedAt = ++clock;
  }
  return success();
}

LogicalResult Interpreter::execute(Step &step) {
  if (isa<LoadOp>(step.op))
    return executeLoad(step);
  if (!isa<ReduceOp, StageOp>(step.op))
    return executeScalar(step);

  bool isLookedUp = step.isKnowable && !step.free.empty();
  int64_t key = 0;
  if (isLookedUp) {
    for (unsigned number : step.free)
      key = key * program.ranges[number].extent + program.ranges[number].value;
    if (auto it = step.known.find(key); it != step.known.end()) {
      for (auto [slot, value] : llvm::zip_equal(step.results, it->second))
        program.slots[slot] = value;
      return success();
    }
  }
  if (failed(isa<ReduceOp>(step.op) ? executeReduce(step) : executeStage(step)))
    return failure();
  if (isLookedUp)
    remember(step, key);
  return success();
}

void Interpreter::remember(Step &step, int64_t key) {
  SmallVector<Scalar, 1> results;
  for (Slot slot : step.results) {
    results.push_back(program.slots[slot]);
    const auto *tile = std::get_if<TilePtr>(&results.back());
    numKnown += tile ? (*tile)->elements.size() : 1;
  }
  if (numKnown > kMaxKnown) {
    for (Step &other : program.steps)
      other.known.clear();
    numKnown = 0;
  }
  step.known[key] = std::move(results);
}

/// Whether an undefined divisor is an error at once.
static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp, FloorDivOp, FloorModOp>(op);
}

LogicalResult Interpreter::executeScalar(Step &step) {
  if (isa<arith::SelectOp>(step.op)) {
    const Scalar &condition = program.slots[step.operands[0]];
    if (isPoison(condition)) {
      program.slots[step.results[0]] = condition;
      return success();
    }
    bool isTrue = std::get<llvm::APInt>(condition).isOne();
    program.slots[step.results[0]] =
        program.slots[step.operands[isTrue ? 1 : 2]];
    return success();
  }
  SmallVector<const Scalar *, 4> operands;
  for (Slot slot : step.operands)
    operands.push_back(&program.slots[slot]);
  for (const Scalar *operand : operands) {
    if (!isPoison(*operand))
      continue;
    if (isDivision(step.op) && operand == operands[1])
      return requireDefined(step, step.operands[1], "the divisor");
    Scalar poison = *operand;
    for (Slot slot : step.results)
      program.slots[slot] = poison;
    return success();
  }
  Outcome outcome = step.function(operands);
  if (outcome.why.empty()) {
    for (auto [slot, result] : llvm::zip_equal(step.results, outcome.results))
      program.slots[slot] = std::move(result);
    return success();
  }
  std::string why = outcome.why + at(step);
  if (outcome.isAtOnce)
    return refuse(step) << why;
  Scalar poison = std::make_shared<const Poison>(Poison{step.op, why});
  for (Slot slot : step.results)
    program.slots[slot] = poison;
  return success();
}

LogicalResult Interpreter::executeLoad(Step &step) {
  Scalar &result = program.slots[step.results[0]];
  FailureOr<bool> mask = getMask(step);
  if (failed(mask))
    return failure();
  if (!*mask) {
    result = program.slots[step.value];
    return success();
  }
  ArrayRef<int64_t> shape = step.tile == kNoSlot
                                ? buffers[step.buffer]->getShape()
                                : cast<LoadOp>(step.op).getSourceShape();
  FailureOr<SmallVector<int64_t, 4>> indices = getIndices(step, shape);
  if (failed(indices))
    return failure();
  if (step.tile == kNoSlot) {
    const Buffer &buffer = *buffers[step.buffer];
    result = buffer.loadEntry(buffer.getOffset(*indices));
    return success();
  }
  int64_t position = 0;
  for (auto [index, size] : llvm::zip_equal(*indices, shape))
    position = position * size + index;
  const Tile &tile = *std::get<TilePtr>(program.slots[step.tile]);
  if (std::holds_alternative<std::monostate>(tile.elements[position]))
    return refuse(step) << "reads element [" << ArrayRef<int64_t>(*indices)
                        << "] of a tile, which its uop.stage does not write"
                        << at(step);
  result = tile.elements[position];
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions and stages
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::executeReduce(Step &step) {
  for (auto [index, slot] : llvm::enumerate(step.accumulators))
    program.slots[slot] = step.identitySlots.empty()
                              ? step.identities[index]
                              : program.slots[step.identitySlots[index]];
  if (failed(forEachPoint(step.over, [&] { return combine(step); })))
    return failure();
  for (auto [slot, accumulator] :
       llvm::zip_equal(step.results, step.accumulators))
    program.slots[slot] = program.slots[accumulator];
  return success();
}

/// Takes one point into a reduction.
LogicalResult Interpreter::combine(Step &step) {
  if (failed(executeAll(step.body)))
    return failure();
  FailureOr<bool> mask = getMask(step);
  if (failed(mask))
    return failure();
  if (!*mask)
    return success();
  for (Step &combine : step.combiner)
    if (failed(executeScalar(combine)))
      return failure();
  // All at once: a combiner may yield its accumulators in another order.
  SmallVector<Scalar, 2> next;
  for (Slot slot : step.yielded)
    next.push_back(program.slots[slot]);
  for (auto [slot, value] : llvm::zip_equal(step.accumulators, next))
    program.slots[slot] = std::move(value);
  return success();
}

LogicalResult Interpreter::executeStage(Step &step) {
  auto type = cast<StageOp>(step.op).getType();
  auto tile = std::make_shared<Tile>();
  int64_t count = 1;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count) || count > kMaxTileElements)
      return refuse(step) << "expected a tile of at most " << kMaxTileElements
                          << " elements, but got " << type;
  tile->elements.resize(count);
  if (failed(forEachPoint(step.over, [&]() -> LogicalResult {
        if (failed(executeAll(step.body)))
          return failure();
        FailureOr<SmallVector<int64_t, 4>> indices =
            getIndices(step, type.getShape());
        if (failed(indices))
          return failure();
        int64_t position = 0;
        for (auto [index, size] : llvm::zip_equal(*indices, type.getShape()))
          position = position * size + index;
        Scalar &element = tile->elements[position];
        if (!std::holds_alternative<std::monostate>(element))
          return refuse(step)
                 << "writes element [" << ArrayRef<int64_t>(*indices)
                 << "] of its tile at two points, the second" << at(step);
        element = program.slots[step.value];
        return success();
      })))
    return failure();
  program.slots[step.results[0]] = TilePtr(std::move(tile));
  return success();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Prints a point of ranges as `(0, 3)`.
static std::string print(ArrayRef<int64_t> point) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "(";
  llvm::interleaveComma(point, stream);
  stream << ")";
  return text;
}

/// Checks that nobody has written the element but another store at this point.
LogicalResult Interpreter::checkWriter(Step &step, unsigned number,
                                       int64_t point, int64_t offset,
                                       ArrayRef<int64_t> indices) {
  Buffer::Writer &writer = buffers[step.buffer]->getWriter(offset);
  Buffer::Writer earlier = std::exchange(writer, {int(number), point});
  if (earlier.store < 0)
    return success();
  Step &other = program.stores[earlier.store];
  SmallVector<int64_t> otherPoint = getPoint(other.over, earlier.point);
  SmallVector<int64_t> thisPoint = getPoint(step.over, point);
  auto sorted = [](const Step &store, ArrayRef<int64_t> values) {
    SmallVector<std::pair<unsigned, int64_t>> pairs;
    for (auto [range, value] : llvm::zip_equal(store.over, values))
      pairs.push_back({range, value});
    llvm::sort(pairs);
    return pairs;
  };
  if (&other != &step && sorted(other, otherPoint) == sorted(step, thisPoint))
    return success();
  InFlightDiagnostic diag = refuse(step);
  diag << "writes element [" << indices << "] at point " << print(thisPoint)
       << " of its domain, which " << (&other == &step ? "it" : "another store")
       << " also writes at point " << print(otherPoint)
       << "; expected no two points to write one element: accumulate with a "
          "kind such as 'add', or make the indices injective";
  if (&other != &step)
    diag.attachNote(other.op->getLoc()) << "the other store is here";
  return diag;
}

LogicalResult Interpreter::executeStore(Step &step, unsigned number) {
  Buffer &buffer = *buffers[step.buffer];
  int64_t point = -1;
  return forEachPoint(step.over, [&]() -> LogicalResult {
    ++point;
    if (options.progress && pointsDone % kProgressPoints == 0)
      options.progress(pointsDone, pointsTotal);
    ++pointsDone;
    if (failed(executeAll(step.body)))
      return failure();
    FailureOr<bool> mask = getMask(step);
    if (failed(mask))
      return failure();
    if (!*mask)
      return success();
    if (failed(requireDefined(step, step.value, "the value to store")))
      return failure();
    FailureOr<SmallVector<int64_t, 4>> indices =
        getIndices(step, buffer.getShape());
    if (failed(indices))
      return failure();
    int64_t offset = buffer.getOffset(*indices);
    const Scalar &value = program.slots[step.value];
    if (step.function) {
      Scalar element = buffer.loadExit(offset);
      Outcome sum = step.function({&element, &value});
      buffer.storeExit(offset, sum.results.front());
      return success();
    }
    if (options.checkUnique &&
        failed(checkWriter(step, number, point, offset, *indices)))
      return failure();
    buffer.storeExit(offset, value);
    return success();
  });
}

LogicalResult uop::interpretKernel(KernelOp kernel,
                                   MutableArrayRef<KernelArgument> arguments,
                                   const InterpreterOptions &options) {
  if (!kernel.isGraphForm())
    return kernel.emitOpError("expected a kernel in graph form: the reference "
                              "interpreter does not run loop form");
  return Interpreter(kernel, arguments, options).run();
}
