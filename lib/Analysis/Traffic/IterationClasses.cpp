//===- IterationClasses.cpp - Iterations of equal cost --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationClasses.h"
#include "Recurrences.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

/// Segments of one variable, and attempts to find them. What is left is then
/// one segment without a period.
static constexpr size_t kMaxSegments = 256;
static constexpr unsigned kMaxAttempts = 2000;
static constexpr int64_t kNoPeriod = std::numeric_limits<int64_t>::max();

static int64_t clamp(__int128 value) {
  constexpr __int128 least = std::numeric_limits<int64_t>::min();
  constexpr __int128 most = std::numeric_limits<int64_t>::max();
  return int64_t(std::clamp(value, least, most));
}

static ConstantIntRanges getRange(__int128 low, __int128 high) {
  return ConstantIntRanges::fromSigned(APInt(64, clamp(low), true),
                                       APInt(64, clamp(high), true));
}

static int64_t getLow(const ConstantIntRanges &range) {
  return range.smin().getSExtValue();
}
static int64_t getHigh(const ConstantIntRanges &range) {
  return range.smax().getSExtValue();
}

//===----------------------------------------------------------------------===//
// What depends on what
//===----------------------------------------------------------------------===//

void IterationClasses::addDependence(unsigned slot,
                                     const llvm::SmallBitVector &variables,
                                     bool &hasChanged) {
  if (!variables.test(dependences[slot]))
    return;
  dependences[slot] |= variables;
  hasChanged = true;
}

/// What a loop carries depends on all that decides how often it runs.
void IterationClasses::findDependences(const Step &loop,
                                       ArrayRef<const Copies *> copies,
                                       bool &hasChanged) {
  llvm::SmallBitVector control(program.numVariables);
  if (loop.kind == Step::Kind::For)
    control.set(loop.variable);
  unsigned numOperands = loop.kind == Step::Kind::For ? 3 : 1;
  for (unsigned index = 0; index < numOperands; ++index)
    control |= dependences[loop.operands[index]];
  for (const Copies *list : copies)
    for (auto [to, from] : list->toFrom) {
      addDependence(to, dependences[from], hasChanged);
      addDependence(to, control, hasChanged);
    }
}

void IterationClasses::findDependences(ArrayRef<Step> steps, bool &hasChanged) {
  for (const Step &step : steps) {
    switch (step.kind) {
    case Step::Kind::Access:
    case Step::Kind::Enter:
      continue;
    case Step::Kind::Compute:
      for (unsigned operand : step.getOperands())
        addDependence(step.result, dependences[operand], hasChanged);
      continue;
    case Step::Kind::For: {
      llvm::SmallBitVector own(program.numVariables);
      own.set(step.variable);
      addDependence(step.result, own, hasChanged);
      for (unsigned index : {0u, 2u})
        addDependence(step.result, dependences[step.operands[index]],
                      hasChanged);
      break;
    }
    default:
      break;
    }
    if (step.kind != Step::Kind::Threads)
      findDependences(step,
                      {&step.entryCopies, &step.bodyCopies,
                       &step.otherwiseCopies, &step.exitCopies},
                      hasChanged);
    findDependences(step.body, hasChanged);
    findDependences(step.otherwise, hasChanged);
  }
}

void IterationClasses::findLoops(ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::For) {
      loops[step.variable] = &step;
      if (!step.entryCopies.toFrom.empty())
        isCarrying.set(step.variable);
      for (unsigned operand : step.operands)
        for (unsigned dim = 0; dim < 3; ++dim)
          if (dependences[operand].test(kFirstThreadVariable + dim))
            hasThreadBounds.set(step.variable);
    }
    findLoops(step.body);
    findLoops(step.otherwise);
  }
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

void IterationClasses::inferRange(const Step &step) {
  unsigned width = program.widths[step.result];
  ranges[step.result] = ConstantIntRanges::maxRange(width);
  if (!step.op) {
    ranges[step.result] = ranges[step.operands[0]];
    return;
  }
  auto inferrable = dyn_cast<InferIntRangeInterface>(step.op);
  if (!inferrable)
    return;
  SmallVector<ConstantIntRanges, 3> operands;
  for (unsigned operand : step.getOperands())
    operands.push_back(ranges[operand]);
  inferrable.inferResultRanges(operands,
                               [&](Value, const ConstantIntRanges &range) {
                                 ranges[step.result] = range;
                               });
}

void IterationClasses::setFullRanges(const Copies &copies) {
  for (auto [to, from] : copies.toFrom)
    ranges[to] = ConstantIntRanges::maxRange(program.widths[to]);
}

/// That of the induction variable in some iterations.
void IterationClasses::setLoopRange(const Step &loop, int64_t first,
                                    int64_t last) {
  const ConstantIntRanges &lower = ranges[loop.operands[0]];
  const ConstantIntRanges &upper = ranges[loop.operands[1]];
  const ConstantIntRanges &step = ranges[loop.operands[2]];
  __int128 low =
      getLow(lower) + __int128(std::max<int64_t>(getLow(step), 0)) * first;
  __int128 high = getHigh(lower) + __int128(getHigh(step)) * (last - 1);
  high = std::min<__int128>(high, __int128(getHigh(upper)) - 1);
  unsigned width = program.widths[loop.result];
  if (width < 64)
    ranges[loop.result] = ConstantIntRanges::maxRange(width);
  else
    ranges[loop.result] = getRange(low, std::max(low, high));
}

void IterationClasses::inferRanges(ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::Compute)
      inferRange(step);
    if (step.kind == Step::Kind::For)
      setLoopRange(step, 0, kNoPeriod);
    for (const Copies *copies : {&step.entryCopies, &step.bodyCopies})
      setFullRanges(*copies);
    inferRanges(step.body);
    inferRanges(step.otherwise);
    for (const Copies *copies :
         {&step.bodyCopies, &step.otherwiseCopies, &step.exitCopies})
      setFullRanges(*copies);
  }
}

//===----------------------------------------------------------------------===//
// Following a variable
//===----------------------------------------------------------------------===//

bool IterationClasses::isConstant(unsigned slot, int64_t &value) const {
  value = getLow(ranges[slot]);
  return value == getHigh(ranges[slot]);
}

bool IterationClasses::demand(int64_t other) {
  std::optional<int64_t> common = leastCommonMultiple(period, other);
  if (common)
    period = *common;
  return common.has_value();
}

std::optional<Recurrence> IterationClasses::getRecurrence(unsigned slot) const {
  return isDependent(slot) ? recurrences[slot] : Recurrence{};
}

bool IterationClasses::demandRepeating(unsigned slot) {
  std::optional<Recurrence> recurrence = getRecurrence(slot);
  return recurrence && recurrence->step == 0 && demand(recurrence->period);
}

bool IterationClasses::demandAddress(unsigned access) {
  const std::optional<AddressedAccess> &addressed = program.addresses[access];
  if (!addressed)
    return true;
  if (addressed->count && !demandRepeating(*addressed->count))
    return false;
  Recurrence sum;
  for (auto [slot, bytes] : addressed->address.terms) {
    std::optional<Recurrence> term = getRecurrence(slot);
    std::optional<int64_t> common =
        term ? leastCommonMultiple(sum.period, term->period) : std::nullopt;
    if (!common)
      return false;
    sum = {*common,
           scale(sum, *common).step + bytes * scale(*term, *common).step};
  }
  std::optional<int64_t> moved = getPeriod(sum, shifts[access]);
  return moved && demand(*moved);
}

/// What a loop carries is not followed.
void IterationClasses::carry(const Copies &copies) {
  for (auto [to, from] : copies.toFrom)
    if (isDependent(to)) {
      recurrences[to] = std::nullopt;
      ranges[to] = ConstantIntRanges::maxRange(program.widths[to]);
    }
}

bool IterationClasses::followIf(const Step &step) {
  unsigned condition = step.operands[0];
  int64_t constant;
  bool isDecided = isDependent(condition) && isConstant(condition, constant);
  if (isDecided) {
    bool isTaken = constant != 0;
    if (!follow(isTaken ? step.body : step.otherwise))
      return false;
    const Copies &copies = isTaken ? step.bodyCopies : step.otherwiseCopies;
    for (auto [to, from] : copies.toFrom) {
      recurrences[to] = getRecurrence(from);
      ranges[to] = ranges[from];
    }
    return true;
  }
  if (!demandRepeating(condition) || !follow(step.body) ||
      !follow(step.otherwise))
    return false;
  IntegerOp choice{Opcode::Select, arith::CmpIPredicate::eq, 64, 64};
  for (auto [first, second] :
       llvm::zip_equal(step.bodyCopies.toFrom, step.otherwiseCopies.toFrom)) {
    unsigned to = first.first, a = first.second, b = second.second;
    if (!isDependent(to))
      continue;
    ranges[to] = ranges[a].rangeUnion(ranges[b]);
    recurrences[to] = combine(choice,
                              {{getRecurrence(condition), &ranges[condition]},
                               {getRecurrence(a), &ranges[a]},
                               {getRecurrence(b), &ranges[b]}},
                              ranges[to]);
  }
  return true;
}

/// An inner loop has to run equally often. Its bounds may move, both alike.
bool IterationClasses::followFor(const Step &step) {
  unsigned lower = step.operands[0], upper = step.operands[1];
  bool areBoundsDependent = isDependent(lower) || isDependent(upper);
  if (areBoundsDependent && getHigh(ranges[upper]) <= getLow(ranges[lower])) {
    carryLoop(step);
    return true;
  }
  if (!demandRepeating(step.operands[2]))
    return false;
  if (areBoundsDependent) {
    std::optional<Recurrence> a = getRecurrence(lower),
                              b = getRecurrence(upper);
    if (!a || !b || !demand(a->period) || !demand(b->period) ||
        scale(*a, period).step != scale(*b, period).step)
      return false;
  }
  if (isDependent(step.result)) {
    recurrences[step.result] = getRecurrence(lower);
    setLoopRange(step, 0, kNoPeriod);
  }
  carryLoop(step);
  return follow(step.body);
}

void IterationClasses::carryLoop(const Step &step) {
  for (const Copies *copies : {&step.entryCopies, &step.bodyCopies,
                               &step.otherwiseCopies, &step.exitCopies})
    carry(*copies);
}

bool IterationClasses::followWhile(const Step &step) {
  carryLoop(step);
  return follow(step.body) && demandRepeating(step.operands[0]) &&
         follow(step.otherwise);
}

bool IterationClasses::follow(ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    bool isMet = true;
    switch (step.kind) {
    case Step::Kind::Compute: {
      if (!isDependent(step.result))
        break;
      inferRange(step);
      SmallVector<Operand, 3> operands;
      for (unsigned operand : step.getOperands())
        operands.push_back({getRecurrence(operand), &ranges[operand]});
      recurrences[step.result] =
          combine(step.operation, operands, ranges[step.result]);
      break;
    }
    case Step::Kind::Access:
      isMet = demandAddress(step.access);
      break;
    case Step::Kind::Threads:
      isMet = follow(step.body);
      break;
    case Step::Kind::If:
      isMet = followIf(step);
      break;
    case Step::Kind::For:
      isMet = followFor(step);
      break;
    case Step::Kind::Enter:
      break;
    case Step::Kind::While:
      isMet = followWhile(step);
      break;
    }
    if (!isMet)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// After how many iterations the cost of those from `begin` to before `end`
/// repeats, if that can be proved.
std::optional<int64_t> IterationClasses::findPeriod(int64_t begin,
                                                    int64_t end) {
  if (end - begin == 1)
    return 1;
  ranges = fullRanges;
  period = 1;
  if (variable < kFirstThreadVariable) {
    ranges[variable] = getRange(begin, end - 1);
    recurrences[variable] = Recurrence{1, 1};
    return follow(program.steps) ? std::optional(period) : std::nullopt;
  }
  const Step &loop = *loops[variable];
  setLoopRange(loop, begin, end);
  int64_t distance;
  recurrences[loop.result] = std::nullopt;
  if (isConstant(loop.operands[2], distance))
    recurrences[loop.result] = Recurrence{1, distance};
  // Where threads run it differently often they have to agree in the segment.
  if (!isUniform(variable)) {
    __int128 last = __int128(getHigh(ranges[loop.operands[0]])) +
                    __int128(getHigh(ranges[loop.operands[2]])) * (end - 1);
    if (last >= getLow(ranges[loop.operands[1]]))
      return std::nullopt;
  }
  return follow(loop.body) ? std::optional(period) : std::nullopt;
}

void IterationClasses::planVariable(unsigned planned, int64_t count) {
  variable = planned;
  auto &list = segments[planned];
  unsigned attempts = 0;
  auto attempt = [&](int64_t begin, int64_t end) {
    ++attempts;
    return findPeriod(begin, end);
  };
  for (int64_t begin = 0; begin < count;) {
    if (list.size() >= kMaxSegments || attempts >= kMaxAttempts) {
      list.push_back({begin, count, kNoPeriod});
      return;
    }
    if (std::optional<int64_t> all = attempt(begin, count)) {
      list.push_back({begin, count, *all});
      return;
    }
    // The longest segment: lengths double until one fails, then it lies between
    // that and the last.
    int64_t good = begin + 1, bad = count;
    int64_t goodPeriod = 1;
    for (int64_t length = 2; length < count - begin; length *= 2) {
      std::optional<int64_t> found = attempt(begin, begin + length);
      if (!found) {
        bad = begin + length;
        break;
      }
      good = begin + length;
      goodPeriod = *found;
    }
    while (bad - good > 1) {
      int64_t middle = good + (bad - good) / 2;
      if (std::optional<int64_t> found = attempt(begin, middle)) {
        good = middle;
        goodPeriod = *found;
      } else {
        bad = middle;
      }
    }
    list.push_back({begin, good, goodPeriod});
    begin = good;
  }
}

IterationClasses::IterationClasses(const WarpProgram &program,
                                   ArrayRef<int64_t> shifts)
    : program(program), shifts(shifts),
      dependences(program.widths.size(),
                  llvm::SmallBitVector(program.numVariables)),
      loops(program.numVariables), hasThreadBounds(program.numVariables),
      isCarrying(program.numVariables), segments(program.numVariables),
      recurrences(program.widths.size()) {
  for (unsigned slot = 0; slot < kFirstLoopVariable; ++slot)
    dependences[slot].set(slot);
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    findDependences(program.steps, hasChanged);
  }
  findLoops(program.steps);

  ranges.reserve(program.widths.size());
  for (unsigned width : program.widths)
    ranges.push_back(ConstantIntRanges::maxRange(width));
  for (unsigned dim = 0; dim < 3; ++dim) {
    ranges[dim] =
        getRange(0, std::max<int64_t>(program.launch.grid[dim], 1) - 1);
    ranges[kFirstThreadVariable + dim] =
        getRange(0, program.launch.block[dim] - 1);
  }
  for (auto [slot, value] : program.constants)
    ranges[slot] = ConstantIntRanges::constant(APInt(program.widths[slot],
                                                     value, /*isSigned=*/true,
                                                     /*implicitTrunc=*/true));
  inferRanges(program.steps);
  fullRanges = ranges;

  for (unsigned dim = 0; dim < 3; ++dim)
    planVariable(dim, program.launch.grid[dim]);
  for (unsigned loop = kFirstLoopVariable; loop < program.numVariables;
       ++loop) {
    const Step &step = *loops[loop];
    __int128 distance = __int128(getHigh(fullRanges[step.operands[1]])) -
                        getLow(fullRanges[step.operands[0]]);
    int64_t by = std::max<int64_t>(getLow(fullRanges[step.operands[2]]), 1);
    int64_t count = clamp((std::max<__int128>(distance, 0) + by - 1) / by);
    if (isCarrying.test(loop))
      segments[loop].push_back({0, count, kNoPeriod});
    else
      planVariable(loop, count);
  }
}
