//===- RandomSchedule.cpp - Schedules that nobody thought of --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSchedule.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uop;

/// Whether GROUP and GROUPTOP, which map, are lowered as well.
static constexpr bool kHasGroups = true;

namespace {

class ScheduleChooser {
public:
  ScheduleChooser(KernelOp kernel, bool mayReorderFloats,
                  std::mt19937_64 &random)
      : kernel(kernel), context(kernel.getContext()),
        mayReorderFloats(mayReorderFloats), random(random) {}

  ScheduleAttr choose();

private:
  int64_t pick(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  void add(OptKind kind, int64_t axis, int64_t amount) {
    opts.push_back(OptAttr::get(context, kind, axis, amount));
  }

  int64_t pickAmount(int64_t size, int64_t most);
  int64_t pickCopies(int64_t most);
  bool afford(int64_t size, int64_t padded);
  void addMerges();
  void addOutput(int64_t number, const ScheduleAxis &axis, bool hasLocals);
  void addReduce(int64_t number, int64_t numOutputs, const ScheduleAxis &axis);
  bool addWarpTile();
  ScheduleAttr chooseOpts();

  KernelOp kernel;
  MLIRContext *context;
  bool mayReorderFloats;
  std::mt19937_64 &random;

  SmallVector<OptAttr> opts;
  /// What is left of the copies and of the padding that a quick test affords.
  int64_t copies = 0, padding = 0;
};

} // namespace

/// Divides the size, or is any number, or a power of two.
int64_t ScheduleChooser::pickAmount(int64_t size, int64_t most) {
  most = std::max<int64_t>(most, 1);
  switch (pick(0, 3)) {
  case 0:
    return std::min<int64_t>(int64_t(1) << pick(0, 6), most);
  case 1:
    return pick(1, std::min(size + 3, most));
  default:
    for (unsigned tries = 0; tries < 20; ++tries)
      if (int64_t amount = pick(1, std::min(std::max<int64_t>(size, 1), most));
          size % amount == 0)
        return amount;
    return 1;
  }
}

int64_t ScheduleChooser::pickCopies(int64_t most) {
  int64_t amount = pick(1, std::min(most, copies));
  copies /= amount;
  return amount;
}

/// Whether an axis may run on so far: padding of several axes multiplies.
bool ScheduleChooser::afford(int64_t size, int64_t padded) {
  int64_t factor =
      (padded + std::max<int64_t>(size, 1) - 1) / std::max<int64_t>(size, 1);
  if (factor > padding)
    return false;
  padding /= factor;
  return true;
}

void ScheduleChooser::addMerges() {
  if (chance(50))
    for (OptAttr merge : findMerges(kernel))
      if (chance(80))
        opts.push_back(merge);
}

void ScheduleChooser::addOutput(int64_t number, const ScheduleAxis &axis,
                                bool hasLocals) {
  if (!axis.isKind(AxisKind::Loop))
    return;
  // For a dynamic axis any number is as good.
  int64_t size = axis.size.value_or(pick(1, 20));
  if (size == 0 && chance(50))
    return;
  int64_t tile = 1;
  auto take = [&](OptKind kind, int64_t amount) {
    if (amount == 1 || !afford(size, tile * amount))
      return;
    tile *= amount;
    add(kind, number, amount);
  };
  if (hasLocals && chance(70))
    take(OptKind::Local, pickAmount(size, 128));
  if (chance(40))
    take(OptKind::Upcast, pickCopies(4));
  if (chance(25))
    take(OptKind::Vectorize, pickCopies(4));
  if (int64_t amount = pick(2, 40); chance(15) && afford(size, amount))
    add(OptKind::PadTo, number, amount);
}

void ScheduleChooser::addReduce(int64_t number, int64_t numOutputs,
                                const ScheduleAxis &axis) {
  if (!axis.isKind(AxisKind::Reduce))
    return;
  int64_t size = axis.size.value_or(pick(1, 20));
  if (chance(50))
    if (int64_t amount = std::min(pickAmount(size, 16), copies); amount > 1) {
      copies /= amount;
      add(OptKind::Unroll, number, amount);
    }
  if (int64_t amount = pick(2, 40); chance(15) && afford(size, amount))
    add(OptKind::PadTo, numOutputs + number, amount);
  if (!kHasGroups ||
      (!mayReorderFloats && hasOrderedTerms(kernel, axis.range)) || !chance(60))
    return;
  OptKind kind = chance(50) ? OptKind::Group : OptKind::GroupTop;
  for (unsigned count = chance(15) ? 2 : 1; count != 0; --count)
    if (int64_t amount = pickAmount(size, chance(10) ? 200 : 64); amount > 1)
      add(kind, number, amount);
}

/// A warp of any shape: the threads along axes are made multiples of its parts,
/// and there are no group reductions. Whether the kernel affords it.
bool ScheduleChooser::addWarpTile() {
  SmallVector<OptAttr *> locals;
  for (OptAttr &opt : opts)
    if (opt.getKind() == OptKind::Local)
      locals.push_back(&opt);
  if (locals.empty())
    return false;
  SmallVector<int64_t> lanes(locals.size(), 1);
  for (int64_t rest = 32; rest > 1; rest /= 2)
    lanes[pick(0, int64_t(locals.size()) - 1)] *= 2;
  int64_t threads = 1;
  SmallVector<OptAttr> warps;
  for (auto [local, amount] : llvm::zip_equal(locals, lanes)) {
    int64_t own = local->getAmount();
    if (own % amount != 0) {
      // What other opts make of the axis grows along with it.
      int64_t more = amount * pick(1, 2);
      if (!afford(own, more))
        return false;
      own = more;
    }
    threads *= own;
    *local = OptAttr::get(context, OptKind::Local, local->getAxis(), own);
    warps.push_back(
        OptAttr::get(context, OptKind::Warp, local->getAxis(), amount));
  }
  if (threads > kMaxThreadsPerBlock)
    return false;
  llvm::erase_if(opts, [](OptAttr opt) {
    return opt.getKind() == OptKind::Group ||
           opt.getKind() == OptKind::GroupTop;
  });
  llvm::append_range(opts, warps);
  return true;
}

ScheduleAttr ScheduleChooser::chooseOpts() {
  opts.clear();
  copies = chance(10) ? 16 : 4, padding = 12;
  UpcastLayout layout = chance(50) ? UpcastLayout::GPU : UpcastLayout::CPU;
  addMerges();
  FailureOr<MappingPlan> merged =
      planMapping(kernel, ScheduleAttr::get(context, opts, layout));
  if (failed(merged))
    return {};
  int64_t numOutputs = merged->outputs.size();
  bool hasLocals = chance(90);
  for (auto [number, output] : llvm::enumerate(merged->outputs)) {
    ScheduleAxis axis = output.axis;
    addOutput(number, axis, hasLocals);
  }
  for (auto [number, axis] : llvm::enumerate(getReduceAxes(kernel)))
    addReduce(number, numOutputs, axis);
  if (hasLocals && chance(50))
    for (unsigned tries = 0; tries < 4 && !addWarpTile(); ++tries)
      continue;
  if (!hasLocals && chance(50))
    opts.push_back(OptAttr::get(context, OptKind::NoLocals, 0, 0));
  if (numOutputs > 1 && chance(30))
    for (int64_t count = pick(1, 3); count != 0; --count)
      add(OptKind::Swap, pick(0, numOutputs - 1), pick(0, numOutputs - 1));
  return shuffleOpts(ScheduleAttr::get(context, opts, layout), random);
}

ScheduleAttr ScheduleChooser::choose() {
  if (chance(15)) {
    UpcastLayout layout = chance(50) ? UpcastLayout::GPU : UpcastLayout::CPU;
    ScheduleAttr basic =
        chooseBasicSchedule(kernel, layout, [](const Twine &) {});
    if (chance(30))
      return basic;
    FailureOr<ScheduleAttr> filled =
        fillMachine(kernel, basic, pick(1, 200), [](const Twine &) {});
    if (succeeded(filled))
      return *filled;
  }
  for (unsigned tries = 0; tries < 8; ++tries)
    if (ScheduleAttr schedule = chooseOpts();
        schedule && succeeded(planMapping(kernel, schedule)))
      return schedule;
  return {};
}

ScheduleAttr uop::chooseRandomSchedule(KernelOp kernel, bool mayReorderFloats,
                                       std::mt19937_64 &random) {
  return ScheduleChooser(kernel, mayReorderFloats, random).choose();
}

ScheduleAttr uop::shuffleOpts(ScheduleAttr schedule, std::mt19937_64 &random) {
  SmallVector<OptAttr> opts(schedule.getOpts());
  for (size_t i = opts.size(); i > 1; --i)
    std::swap(opts[i - 1], opts[random() % i]);
  // The SWAPs, as they were, in the places that these have now.
  auto isSwap = [](OptAttr opt) { return opt.getKind() == OptKind::Swap; };
  auto swaps = llvm::make_filter_range(schedule.getOpts(), isSwap);
  auto next = swaps.begin();
  for (OptAttr &opt : opts)
    if (isSwap(opt))
      opt = *next++;
  return ScheduleAttr::get(schedule.getContext(), opts,
                           schedule.getUpcastLayout());
}

bool uop::hasOrderedTerms(KernelOp kernel, RangeOp range) {
  // Integers and extrema have no order, and the general form keeps it.
  return llvm::any_of(
      kernel.getBodyBlock().getOps<ReduceOp>(), [&](ReduceOp reduce) {
        if (reduce.isGeneral() ||
            !isa<FloatType>(reduce.getResult(0).getType()) ||
            (range && !llvm::is_contained(reduce.getOver(), range.getResult())))
          return false;
        return *reduce.getKind() == vector::CombiningKind::ADD ||
               *reduce.getKind() == vector::CombiningKind::MUL;
      });
}

bool uop::hasGroups(ScheduleAttr schedule) {
  return schedule && llvm::any_of(schedule.getOpts(), [](OptAttr opt) {
           return opt.getKind() == OptKind::Group ||
                  opt.getKind() == OptKind::GroupTop;
         });
}
