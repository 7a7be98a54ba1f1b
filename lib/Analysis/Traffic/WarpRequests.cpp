//===- WarpRequests.cpp - Every memory request of a kernel ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/WarpRequests.h"
#include "Evaluate.h"
#include "IterationClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

namespace {

class WarpRunner {
public:
  WarpRunner(const WarpProgram &program, ArrayRef<WarpAccess> accesses,
             const IterationClasses &classes, const RequestOptions &options,
             function_ref<void(const WarpRequest &)> handle)
      : program(program), accesses(accesses), classes(classes),
        options(options), handle(handle), budget(options.maxRequests),
        slots(program.widths.size()) {
    for (auto [slot, value] : program.constants)
      slots[slot].fill(value);
  }

  FailureOr<EnumerationStatus> run();

private:
  /// What ends a run.
  enum class Stop { No, TooMany, Failed };

  void runBlocks(unsigned dimension, uint64_t weight);
  void runWarps(uint64_t weight);
  void runSteps(ArrayRef<Step> steps, LaneMask active, uint64_t weight);
  void runCompute(const Step &step, LaneMask active);
  void runAccess(const Step &step, LaneMask active, uint64_t weight);
  void runIf(const Step &step, LaneMask active, uint64_t weight);
  void runFor(const Step &step, LaneMask active, uint64_t weight);
  void runWhile(const Step &step, LaneMask active, uint64_t weight);
  void copy(const Copies &copies, LaneMask active);
  LaneMask getTrue(unsigned slot) const;
  void fail(const Step &step, const Twine &what);
  ArrayRef<IterationSegment> getSegments(unsigned variable) const {
    static constexpr int64_t all = std::numeric_limits<int64_t>::max();
    static const IterationSegment each = {0, all, all};
    bool isEach = options.executesAll || (options.executesAllIterations &&
                                          variable >= kFirstLoopVariable);
    return isEach ? ArrayRef(each) : classes.getSegments(variable);
  }
  bool spend() {
    if (--budget < 0 && stop == Stop::No)
      stop = Stop::TooMany;
    return stop == Stop::No;
  }

  const WarpProgram &program;
  ArrayRef<WarpAccess> accesses;
  const IterationClasses &classes;
  const RequestOptions &options;
  const unsigned warpSize = options.warpSize;
  function_ref<void(const WarpRequest &)> handle;
  int64_t budget;
  Stop stop = Stop::No;
  std::vector<Lanes> slots;
  std::array<int64_t, 3> block = {0, 0, 0};
  int64_t firstThread = 0;
};

} // namespace

/// Calls with one of each class of iterations before `count`, and with how many
/// there are of it, until the callee says false.
static void forEachClass(ArrayRef<IterationSegment> segments, int64_t count,
                         function_ref<bool(int64_t, uint64_t)> handle) {
  for (const IterationSegment &segment : segments) {
    int64_t end = std::min(segment.end, count);
    if (segment.begin >= end)
      return;
    int64_t length = end - segment.begin;
    int64_t period = std::min(segment.period, length);
    for (int64_t first = 0; first < period; ++first)
      if (!handle(segment.begin + first, (length - 1 - first) / period + 1))
        return;
  }
}

LaneMask WarpRunner::getTrue(unsigned slot) const {
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    mask |= LaneMask(slots[slot][lane] != 0) << lane;
  return mask;
}

void WarpRunner::copy(const Copies &copies, LaneMask active) {
  auto move = [&](Lanes &to, const Lanes &from) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      to[lane] = active >> lane & 1 ? from[lane] : to[lane];
  };
  if (copies.toFrom.size() == 1)
    return move(slots[copies.toFrom[0].first], slots[copies.toFrom[0].second]);
  // A source may be the target of another.
  SmallVector<Lanes, 4> values;
  for (auto [to, from] : copies.toFrom)
    values.push_back(slots[from]);
  for (auto [index, pair] : llvm::enumerate(copies.toFrom))
    move(slots[pair.first], values[index]);
}

/// What is assumed may be at fault for it, and is then no error of the kernel.
void WarpRunner::fail(const Step &step, const Twine &what) {
  if (options.assumesUnknown)
    return;
  if (stop == Stop::No)
    emitError(step.op->getLoc())
        << "cannot count the memory requests: a thread " << what
        << ", on which an address or a condition depends";
  stop = Stop::Failed;
}

void WarpRunner::runCompute(const Step &step, LaneMask active) {
  Fault fault =
      evaluate(step.operation, slots[step.operands[0]], slots[step.operands[1]],
               slots[step.operands[2]], warpSize, active, slots[step.result]);
  if (fault == Fault::DivisionByZero)
    fail(step, "divides by zero");
  else if (fault == Fault::ShiftTooFar)
    fail(step, "shifts by the width of the value or more");
}

void WarpRunner::runAccess(const Step &step, LaneMask active, uint64_t weight) {
  const AddressedAccess &addressed = *program.addresses[step.access];
  const WarpAccess &access = accesses[step.access];
  Lanes addresses;
  addresses.fill(addressed.address.offset);
  for (auto [slot, bytes] : addressed.address.terms)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] += slots[slot][lane] * bytes;
  // The rest of a row that only some lanes access in full.
  Lanes left;
  left.fill(access.elementBytes * access.elements);
  if (addressed.count)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      left[lane] = std::clamp<int64_t>(slots[*addressed.count][lane], 0,
                                       access.elements) *
                   access.elementBytes;
  for (int64_t rest = access.elementBytes * access.elements; rest > 0;) {
    int64_t width =
        std::min<int64_t>(kWidestAccessBytes, llvm::bit_floor(uint64_t(rest)));
    Lanes bytes;
    LaneMask touching = 0;
    bool isUniform = true;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      bytes[lane] = std::clamp<int64_t>(left[lane], 0, width);
      if (!(active >> lane & 1) || bytes[lane] == 0)
        continue;
      touching |= LaneMask(1) << lane;
      isUniform &= bytes[lane] == width;
    }
    if (touching && spend())
      handle({step.access, weight, touching, width,
              ArrayRef(addresses).take_front(warpSize),
              isUniform ? ArrayRef<int64_t>()
                        : ArrayRef(bytes).take_front(warpSize),
              block, firstThread});
    rest -= width;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      // Lanes that are done may hold any number.
      addresses[lane] = int64_t(uint64_t(addresses[lane]) + uint64_t(width));
      left[lane] -= width;
    }
  }
}

void WarpRunner::runIf(const Step &step, LaneMask active, uint64_t weight) {
  LaneMask taken = active & getTrue(step.operands[0]);
  if (options.handleBranch)
    options.handleBranch(step.op, active, taken, weight);
  if (taken) {
    runSteps(step.body, taken, weight);
    copy(step.bodyCopies, taken);
  }
  if (LaneMask others = active & ~taken) {
    runSteps(step.otherwise, others, weight);
    copy(step.otherwiseCopies, others);
  }
}

void WarpRunner::runFor(const Step &step, LaneMask active, uint64_t weight) {
  // A copy: an inner op may write where the bounds are.
  const Lanes lower = slots[step.operands[0]], upper = slots[step.operands[1]],
              by = slots[step.operands[2]];
  copy(step.entryCopies, active);
  Lanes counts = {};
  int64_t count = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(active >> lane & 1))
      continue;
    if (by[lane] <= 0)
      return fail(step, "runs a loop with a step that is not positive");
    __int128 distance = __int128(upper[lane]) - lower[lane];
    if (distance > 0)
      counts[lane] = int64_t((distance + by[lane] - 1) / by[lane]);
    count = std::max(count, counts[lane]);
  }
  forEachClass(getSegments(step.variable), count,
               [&](int64_t iteration, uint64_t times) {
                 LaneMask running = 0;
                 for (unsigned lane = 0; lane < warpSize; ++lane) {
                   slots[step.result][lane] =
                       int64_t(uint64_t(lower[lane]) +
                               uint64_t(by[lane]) * uint64_t(iteration));
                   running |= LaneMask(iteration < counts[lane]) << lane;
                 }
                 if (!spend())
                   return false;
                 uint64_t total = llvm::SaturatingMultiply(weight, times);
                 if (options.handleBranch)
                   options.handleBranch(step.op, active, running, total);
                 runSteps(step.body, running, total);
                 copy(step.bodyCopies, running);
                 return stop == Stop::No;
               });
  copy(step.exitCopies, active);
}

void WarpRunner::runWhile(const Step &step, LaneMask active, uint64_t weight) {
  copy(step.entryCopies, active);
  for (LaneMask running = active; running && spend();) {
    runSteps(step.body, running, weight);
    LaneMask going = running & getTrue(step.operands[0]);
    if (options.handleBranch)
      options.handleBranch(step.op, running, going, weight);
    copy(step.exitCopies, running & ~going);
    copy(step.bodyCopies, going);
    runSteps(step.otherwise, going, weight);
    copy(step.otherwiseCopies, going);
    running = going;
  }
}

void WarpRunner::runSteps(ArrayRef<Step> steps, LaneMask active,
                          uint64_t weight) {
  if (!active)
    return;
  for (const Step &step : steps) {
    if (stop != Stop::No)
      return;
    switch (step.kind) {
    case Step::Kind::Compute:
      runCompute(step, active);
      break;
    case Step::Kind::Access:
      runAccess(step, active, weight);
      break;
    case Step::Kind::Enter:
      options.handleBlock(*step.block, active, weight);
      break;
    case Step::Kind::Threads: {
      LaneMask inside = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        bool isInside = true;
        for (unsigned dim = 0; dim < 3; ++dim)
          isInside &=
              slots[kFirstThreadVariable + dim][lane] < step.extents[dim];
        inside |= LaneMask(isInside) << lane;
      }
      runSteps(step.body, active & inside, weight);
      break;
    }
    case Step::Kind::If:
      runIf(step, active, weight);
      break;
    case Step::Kind::For:
      runFor(step, active, weight);
      break;
    case Step::Kind::While:
      runWhile(step, active, weight);
      break;
    }
  }
}

void WarpRunner::runWarps(uint64_t weight) {
  int64_t threads = program.launch.getNumThreadsPerBlock();
  auto [sizeX, sizeY, sizeZ] = program.launch.block;
  for (int64_t first = 0; first < threads && spend(); first += warpSize) {
    firstThread = first;
    LaneMask active = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      int64_t thread = first + lane;
      slots[kFirstThreadVariable][lane] = thread % sizeX;
      slots[kFirstThreadVariable + 1][lane] = thread / sizeX % sizeY;
      slots[kFirstThreadVariable + 2][lane] = thread / sizeX / sizeY;
      active |= LaneMask(thread < threads) << lane;
    }
    runSteps(program.steps, active, weight);
  }
}

/// The blocks along a dimension and those before it.
void WarpRunner::runBlocks(unsigned dimension, uint64_t weight) {
  auto runAt = [&](int64_t index, uint64_t times) {
    slots[dimension].fill(index);
    block[dimension] = index;
    uint64_t total = llvm::SaturatingMultiply(weight, times);
    if (dimension == 0)
      runWarps(total);
    else
      runBlocks(dimension - 1, total);
    return stop == Stop::No;
  };
  if (options.block)
    runAt((*options.block)[dimension], 1);
  else
    forEachClass(getSegments(dimension), program.launch.grid[dimension], runAt);
}

FailureOr<EnumerationStatus> WarpRunner::run() {
  runBlocks(2, 1);
  if (stop == Stop::Failed)
    return failure();
  return stop == Stop::TooMany ? EnumerationStatus::TooMany
                               : EnumerationStatus::Complete;
}

static LogicalResult checkForm(KernelOp kernel) {
  if (!kernel.isGraphForm())
    return success();
  return emitError(kernel.getLoc())
         << "cannot count the memory requests of @" << kernel.getSymName()
         << ": expected loop form, but got graph form; run --uop-gpu-map and "
            "--uop-lower-to-loops before";
}

FailureOr<LaunchShape> uop::resolveLaunch(KernelOp kernel,
                                          const RequestOptions &options) {
  if (failed(checkForm(kernel)))
    return failure();
  SmallVector<WarpAccess> accesses;
  FailureOr<WarpProgram> program = buildWarpProgram(kernel, options, accesses);
  if (failed(program))
    return failure();
  return program->launch;
}

FailureOr<EnumerationStatus>
uop::enumerateRequests(KernelOp kernel, const RequestOptions &options,
                       SmallVectorImpl<WarpAccess> &accesses,
                       function_ref<void(const WarpRequest &)> handle) {
  if (failed(checkForm(kernel)))
    return failure();
  FailureOr<WarpProgram> program = buildWarpProgram(kernel, options, accesses);
  if (failed(program))
    return failure();
  if (program->launch.getNumBlocks() == 0)
    return EnumerationStatus::Complete;
  if (options.block)
    for (unsigned dim = 0; dim < 3; ++dim)
      if ((*options.block)[dim] < 0 ||
          (*options.block)[dim] >= program->launch.grid[dim])
        return emitError(kernel.getLoc())
               << "expected a block within the grid of @" << kernel.getSymName()
               << ", which has " << program->launch.grid[dim]
               << " blocks along dimension #" << dim << ", but got index "
               << (*options.block)[dim];
  SmallVector<int64_t> shifts;
  for (const WarpAccess &access : accesses)
    shifts.push_back(options.getInvariantShift
                         ? options.getInvariantShift(access)
                         : (access.isShared ? kBankBytes : kLineBytes));
  IterationClasses classes(*program, shifts);
  return WarpRunner(*program, accesses, classes, options, handle).run();
}
