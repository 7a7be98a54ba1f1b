//===- ConflictEnumeration.cpp - All threads and iterations ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index arithmetic and the control flow around two accesses are executed
// for every thread. What the first one accesses is kept by element; for each
// element two threads are enough, since of these one is not the second one.
//
//===----------------------------------------------------------------------===//

#include "ConflictQuestion.h"
#include "ThreadExecution.h"

using namespace mlir;
using namespace uop;

namespace uop {

class ConflictEnumeration : ThreadExecution {
public:
  ConflictEnumeration(ConflictQuestion &question, int64_t &total,
                      int64_t budget)
      : ThreadExecution(question.forms, question.acrossBlocks),
        question(question), meeting(question.meeting), total(total),
        budget(budget) {}

  std::optional<Conflict> run();

private:
  struct Entry {
    AccessInstance instance;
    int64_t identity, count;
  };
  struct Entries {
    std::optional<Entry> earliest, other;
  };

  bool visitThreads(bool isSecond);
  bool descend(ArrayRef<Operation *> chain, bool isSecond);
  bool descendLoop(scf::ForOp loop, ArrayRef<Operation *> rest, bool isSecond);
  bool descendLoop(scf::WhileOp loop, ArrayRef<Operation *> rest,
                   bool isSecond);
  Number getPin(Operation *loop, int64_t trips, bool isSecond) const;
  bool visitPoint(bool isSecond);
  bool visitElement(ArrayRef<int64_t> key, ArrayRef<int64_t> element,
                    bool isSecond);
  AccessInstance describe(bool isSecond);
  bool spend() { return --budget >= 0 && --total >= 0; }

  ConflictQuestion &question;
  const Meeting &meeting;
  int64_t &total;
  int64_t budget;

  std::map<SmallVector<int64_t, 8>, Entries> entries;
  std::optional<Conflict> found;
};

} // namespace uop

//===----------------------------------------------------------------------===//
// Threads and iterations. Each returns whether it went well and there is no
// reason to stop.
//===----------------------------------------------------------------------===//

/// The iteration of a loop that an access is in, of so many.
std::optional<int64_t> ConflictEnumeration::getPin(Operation *loop,
                                                   int64_t trips,
                                                   bool isSecond) const {
  for (const PinnedLoops *pinned = isSecond ? meeting.secondPins
                                            : meeting.firstPins;
       pinned; pinned = pinned->outer)
    if (pinned->loop == loop)
      return pinned->iteration + (pinned->iteration < 0 ? trips : 0);
  return std::nullopt;
}

bool ConflictEnumeration::visitThreads(bool isSecond) {
  Operation *op = (isSecond ? meeting.second : meeting.first)->op;
  SmallVector<Operation *> chain;
  for (Operation *inner = op; !isa<KernelOp>(inner);
       inner = inner->getParentOp())
    chain.insert(chain.begin(), inner);
  const LaunchShape &launch = forms.getLaunch();
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t cpuThreads = 1;
  if (question.acrossBlocks) {
    grid = launch.grid;
    Number last = forms.getAtom(forms.getBlockAtom(3)).bounds.high;
    if (llvm::is_contained(grid, ShapedType::kDynamic) || !last)
      return false;
    cpuThreads = *last + 1;
  }
  for (cpuThread = 0; cpuThread < cpuThreads; ++cpuThread)
    for (block[2] = 0; block[2] < grid[2]; ++block[2])
      for (block[1] = 0; block[1] < grid[1]; ++block[1])
        for (block[0] = 0; block[0] < grid[0]; ++block[0])
          for (thread[2] = 0; thread[2] < launch.block[2]; ++thread[2])
            for (thread[1] = 0; thread[1] < launch.block[1]; ++thread[1])
              for (thread[0] = 0; thread[0] < launch.block[0]; ++thread[0]) {
                memo.clear();
                states.clear();
                if (!descend(chain, isSecond))
                  return false;
              }
  return true;
}

bool ConflictEnumeration::descend(ArrayRef<Operation *> chain, bool isSecond) {
  if (!spend())
    return false;
  Operation *op = chain.front();
  // The threads that a phase, or the kernel, has.
  if (isa<KernelOp, PhaseOp>(op->getParentOp())) {
    bool isPhase = isa<PhaseOp>(op->getParentOp());
    std::array<int64_t, 3> extents = forms.getLaunch().block;
    if (isPhase)
      extents = {1, 1, 1};
    for (auto range : op->getBlock()->getOps<RangeOp>())
      if (range.getAxis().isThreadIndex())
        extents[unsigned(range.getAxis().getThreadDimension())] =
            range.getConstantExtent().value_or(1);
    for (unsigned dim = 0; dim < 3; ++dim)
      if (thread[dim] >= extents[dim])
        return true;
  }
  ArrayRef<Operation *> rest = chain.drop_front();
  if (rest.empty())
    return visitPoint(isSecond);
  Region *region = rest.front()->getParentRegion();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return descendLoop(loop, rest, isSecond);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return descendLoop(loop, rest, isSecond);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Number condition = evaluate(branch.getCondition());
    if (!condition)
      uncertain = op;
    else if (bool(*condition) != (region == &branch.getThenRegion()))
      return true;
  } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    if (Number argument = evaluate(choice.getArg())) {
      const auto *it = llvm::find(choice.getCases(), *argument);
      unsigned taken = it == choice.getCases().end()
                           ? 0
                           : it - choice.getCases().begin() + 1;
      if (taken != region->getRegionNumber())
        return true;
    } else {
      uncertain = op;
    }
  }
  return descend(rest, isSecond);
}

bool ConflictEnumeration::descendLoop(scf::ForOp loop,
                                      ArrayRef<Operation *> rest,
                                      bool isSecond) {
  Number low = evaluate(loop.getLowerBound());
  Number high = evaluate(loop.getUpperBound());
  Number step = evaluate(loop.getStep());
  if (!low || !high || !step || *step <= 0 || loop.getUnsignedCmp()) {
    if (neededLoops.contains(loop) || loop == meeting.carrier)
      return false;
    uncertain = loop;
    return descend(rest, isSecond);
  }
  LoopState state;
  state.arguments.resize(loop.getInitArgs().size());
  for (auto [init, argument, number] : llvm::zip_equal(
           loop.getInitArgs(), loop.getRegionIterArgs(), state.arguments))
    if (needed.contains(argument))
      number = evaluate(init);
  bool isNeeded = neededLoops.contains(loop);
  int64_t trips = *high > *low ? (*high - *low - 1) / *step + 1 : 0;
  Number pin = getPin(loop, trips, isSecond);
  if (!isNeeded && !pin)
    trips = std::min<int64_t>(
        trips, loop == meeting.carrier ? meeting.distance.value_or(1) + 1 : 1);
  for (int64_t count = 0; count < trips; ++count) {
    state.count = count;
    state.index = *low + count * *step;
    states[loop] = state;
    memo.clear();
    if ((!pin || count == *pin) && !descend(rest, isSecond))
      return false;
    if (pin && count >= *pin)
      break;
    if (!spend())
      return false;
    states[loop] = state;
    memo.clear();
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (needed.contains(argument))
        state.arguments[index] = evaluate(loop.getYieldedValues()[index]);
  }
  states.erase(loop);
  memo.clear();
  return true;
}

bool ConflictEnumeration::descendLoop(scf::WhileOp loop,
                                      ArrayRef<Operation *> rest,
                                      bool isSecond) {
  // All states first: which one is the last shows only then.
  std::vector<LoopState> sequence;
  LoopState state;
  auto evaluateNeeded = [&](ValueRange sources, auto targets, auto &numbers) {
    SmallVector<Number, 4> values;
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      values.push_back(needed.contains(target) ? evaluate(source) : Number());
    numbers = values;
  };
  evaluateNeeded(loop.getInits(), loop.getBeforeArguments(), state.arguments);
  while (true) {
    if (!spend())
      return false;
    states[loop] = state;
    memo.clear();
    Number condition = evaluate(loop.getConditionOp().getCondition());
    if (!condition)
      return false;
    evaluateNeeded(loop.getConditionOp().getArgs(), loop.getAfterArguments(),
                   state.afterArguments);
    sequence.push_back(state);
    if (!*condition)
      break;
    states[loop] = state;
    memo.clear();
    evaluateNeeded(loop.getYieldOp().getOperands(), loop.getBeforeArguments(),
                   state.arguments);
    ++state.count;
  }
  bool isAfter = rest.front()->getBlock() == loop.getAfterBody();
  // The region after the condition is not executed the last time.
  size_t visits = sequence.size() - (isAfter ? 1 : 0);
  Number pin = getPin(loop, visits, isSecond);
  for (size_t count = 0; count < visits; ++count) {
    if (pin && int64_t(count) != *pin)
      continue;
    states[loop] = sequence[count];
    memo.clear();
    if (!descend(rest, isSecond))
      return false;
  }
  states.erase(loop);
  memo.clear();
  return true;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

AccessInstance ConflictEnumeration::describe(bool isSecond) {
  AccessInstance instance;
  instance.thread = thread;
  instance.block = block;
  instance.cpuThread = cpuThread;
  Operation *op = (isSecond ? meeting.second : meeting.first)->op;
  for (Operation *loop = op->getParentOp(); !isa<KernelOp>(loop);
       loop = loop->getParentOp())
    if (auto it = states.find(loop); it != states.end())
      if (neededLoops.contains(loop) || loop == meeting.carrier)
        instance.iterations.insert(instance.iterations.begin(),
                                   {loop, isa<scf::ForOp>(loop)
                                              ? it->second.index
                                              : it->second.count});
  return instance;
}

bool ConflictEnumeration::visitPoint(bool isSecond) {
  const AccessAddress &address = isSecond ? question.second : question.first;
  // Iterations that are the same ones, and warps that are.
  SmallVector<int64_t, 8> key;
  for (Operation *loop : meeting.sameIteration) {
    bool isUsed = neededLoops.contains(loop);
    key.push_back(isUsed ? states[loop].count : 0);
  }
  if (meeting.carrier && meeting.distance)
    key.push_back(states[meeting.carrier].count -
                  (isSecond ? *meeting.distance : 0));
  const LaunchShape &launch = forms.getLaunch();
  int64_t linear =
      thread[0] + launch.block[0] * (thread[1] + launch.block[1] * thread[2]);
  if (question.apart == Apart::SameWarp)
    key.push_back(linear / kWarpSize);
  // Every element that is covered.
  SmallVector<int64_t, 4> start, element;
  for (FormNumber form : address.starts) {
    Number number = evaluateForm(form);
    if (!number)
      return false;
    start.push_back(*number);
  }
  SmallVector<std::pair<int64_t, std::pair<unsigned, int64_t>>, 4> digits;
  if (address.isInBytes)
    for (auto [count, stride] : address.spans)
      digits.push_back({count, {0, stride}});
  else
    for (auto [dim, size] : llvm::enumerate(address.sizes)) {
      if (!size)
        return false;
      if (*size != 1)
        digits.push_back({*size, {unsigned(dim), 1}});
    }
  SmallVector<int64_t, 4> position(digits.size(), 0);
  while (true) {
    if (!spend())
      return false;
    element = start;
    for (auto [digit, at] : llvm::zip_equal(digits, position))
      element[digit.second.first] += at * digit.second.second;
    if (!visitElement(key, element, isSecond))
      return false;
    size_t next = 0;
    while (next < digits.size() && ++position[next] == digits[next].first)
      position[next++] = 0;
    if (next == digits.size())
      return true;
  }
}

bool ConflictEnumeration::visitElement(ArrayRef<int64_t> key,
                                       ArrayRef<int64_t> element,
                                       bool isSecond) {
  SmallVector<int64_t, 8> full(key);
  llvm::append_range(full, element);
  const LaunchShape &launch = forms.getLaunch();
  int64_t identity =
      thread[0] + launch.block[0] * (thread[1] + launch.block[1] * thread[2]);
  if (question.apart == Apart::OtherWarp)
    identity /= kWarpSize;
  if (question.apart == Apart::Blocks) {
    identity = cpuThread;
    for (unsigned dim : {2u, 1u, 0u})
      identity = identity * launch.grid[dim] + block[dim];
  }
  bool isLater = meeting.carrier && !meeting.distance;
  int64_t count = isLater ? states[meeting.carrier].count : 0;
  if (isSecond) {
    auto it = entries.find(full);
    if (it == entries.end())
      return true;
    for (const std::optional<Entry> *entry :
         {&it->second.earliest, &it->second.other}) {
      if (!*entry || (*entry)->identity == identity ||
          (isLater && (*entry)->count >= count))
        continue;
      found.emplace();
      found->kind = Conflict::Kind::Found;
      found->hasWitness = true;
      found->first = (*entry)->instance;
      found->second = describe(isSecond);
      found->element.assign(element.begin(), element.end());
      found->isByte = question.first.isInBytes;
      return false;
    }
    return true;
  }
  Entries &known = entries[full];
  auto make = [&] { return Entry{describe(isSecond), identity, count}; };
  if (!known.earliest) {
    known.earliest = make();
  } else if (known.earliest->identity == identity) {
    if (count < known.earliest->count)
      known.earliest = make();
  } else if (count < known.earliest->count) {
    known.other = std::move(known.earliest);
    known.earliest = make();
  } else if (!known.other || count < known.other->count) {
    known.other = make();
  }
  return true;
}

std::optional<Conflict> ConflictEnumeration::run() {
  for (const AccessAddress *address : {&question.first, &question.second})
    for (FormNumber form : address->starts)
      if (!collect(form))
        return std::nullopt;
  if (!collectControl(meeting.first->op, meeting.carrier) ||
      !collectControl(meeting.second->op, meeting.carrier))
    return std::nullopt;
  // Not control flow, but elements that are covered and may not be accessed.
  for (const AccessAddress *address : {&question.first, &question.second})
    if (address->uncertain && address->uncertain->getNumRegions() == 0 &&
        !address->isInBytes)
      uncertain = address->uncertain;
  // Nor how often other loops are executed.
  if (meeting.trips)
    uncertain = meeting.trips->loop;
  bool completed = visitThreads(/*isSecond=*/false);
  if (completed)
    completed = visitThreads(/*isSecond=*/true);
  if (!found) {
    if (!completed)
      return std::nullopt;
    Conflict impossible;
    impossible.kind = Conflict::Kind::Impossible;
    return impossible;
  }
  if (uncertain || !meeting.isCertain) {
    found->kind = Conflict::Kind::Unknown;
    found->reasonOp = uncertain ? uncertain : meeting.second->op;
    found->reason = uncertain ? "whether the access is executed is not known"
                              : question.getWhyUncertain().str();
  }
  return found;
}

std::optional<Conflict> ConflictQuestion::enumerate(int64_t numPoints) {
  if (!first.isKnown || !second.isKnown || isDetached())
    return std::nullopt;
  // What is covered without being accessed is not a counterexample.
  return ConflictEnumeration(*this, conflicts.budget.inAll,
                             std::min(numPoints, conflicts.budget.perQuestion))
      .run();
}
