//===- CPUScheduleTest.cpp - Plain loops against the reference ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels as plain loops of a CPU, under random schedules and those of
// the heuristic, leave every byte of memory as the reference interpreter does:
// no reduction is reordered on a CPU. DifferentialTest.cpp says how to ask for
// more kernels, and for one of them.
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "RandomKernel.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Transforms/Mapping.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace uop;

namespace {

struct Item {
  uint64_t seed;
  std::string name, text;
  KernelCase arguments;
  std::vector<Buffer> expected;
  ScheduleAttr schedule;
};

class CPUScheduleTest : public ::testing::Test {
protected:
  CPUScheduleTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<UopDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  unsigned check(uint64_t first, uint64_t end, bool contract,
                 const JitOptions &options);

  MLIRContext context;
};

/// Chooses opts whose amounts need not divide.
class Chooser {
public:
  Chooser(KernelOp kernel, std::mt19937_64 &random)
      : kernel(kernel), context(kernel.getContext()), random(random) {}

  /// Null where nothing is found in some tries.
  ScheduleAttr choose() {
    for (unsigned tries = 0; tries < 8; ++tries)
      if (ScheduleAttr schedule = chooseOpts();
          schedule &&
          succeeded(planMapping(kernel, schedule, MappingTarget::CPU)))
        return schedule;
    return {};
  }

private:
  int64_t pick(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  void add(OptKind kind, int64_t axis, int64_t amount) {
    opts.push_back(OptAttr::get(context, kind, axis, amount));
  }
  /// Padding of several axes multiplies; so do copies.
  void take(OptKind kind, int64_t axis, int64_t amount, int64_t &budget) {
    if (amount > budget)
      return;
    budget /= amount;
    add(kind, axis, amount);
  }

  ScheduleAttr chooseOpts() {
    opts.clear();
    auto get = [&] {
      return ScheduleAttr::get(
          context, opts, chance(50) ? UpcastLayout::GPU : UpcastLayout::CPU);
    };
    if (chance(50))
      for (OptAttr merge : findMerges(kernel))
        opts.push_back(merge);
    FailureOr<MappingPlan> merged =
        planMapping(kernel, get(), MappingTarget::CPU);
    if (failed(merged))
      return {};
    int64_t numOutputs = merged->outputs.size();
    int64_t copies = 12, points = 200;
    for (int64_t axis = 0; axis < numOutputs; ++axis) {
      if (!merged->outputs[axis].isOpen())
        continue;
      if (chance(30))
        take(OptKind::Thread, axis, pick(2, 9), points);
      if (chance(30))
        take(OptKind::Tile, axis, pick(2, 9), points);
      if (chance(50))
        take(OptKind::Upcast, axis, pick(2, 6), copies);
      if (chance(10))
        take(OptKind::PadTo, axis, pick(2, 24), points);
    }
    for (auto [number, axis] : llvm::enumerate(getReduceAxes(kernel))) {
      if (!axis.isKind(AxisKind::Reduce))
        continue;
      if (chance(50))
        take(OptKind::Unroll, number, pick(2, 6), copies);
      if (chance(10))
        take(OptKind::PadTo, numOutputs + number, pick(2, 24), points);
    }
    if (numOutputs > 1 && chance(30))
      for (int64_t count = pick(1, 3); count != 0; --count)
        add(OptKind::Swap, pick(0, numOutputs - 1), pick(0, numOutputs - 1));
    return get();
  }

  KernelOp kernel;
  MLIRContext *context;
  std::mt19937_64 &random;
  SmallVector<OptAttr> opts;
};

} // namespace

/// Whether the kernel is mapped by hand for a GPU.
static bool isForGPU(KernelOp kernel) {
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>())
    if (stage.getType().getMemorySpace() == MemorySpace::Workgroup)
      return true;
  return llvm::any_of(kernel.getBodyBlock().getOps<RangeOp>(),
                      [](RangeOp range) {
                        switch (range.getAxis().getKind()) {
                        case AxisKind::Global:
                        case AxisKind::Local:
                        case AxisKind::Warp:
                        case AxisKind::GroupReduce:
                          return true;
                        default:
                          return false;
                        }
                      });
}

static uint64_t getVariable(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  uint64_t value;
  if (!text || StringRef(text).getAsInteger(0, value))
    return otherwise;
  return value;
}

/// Compares the kernels of the seeds, all in one module. Returns how many there
/// are: what is for a GPU, or is not valid, is left out.
unsigned CPUScheduleTest::check(uint64_t first, uint64_t end, bool contract,
                                const JitOptions &options) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Item> items;
  auto describe = [&](const Item &item) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "UOP_DIFFERENTIAL_SEED=" << item.seed
       << " UOP_DIFFERENTIAL_KERNELS=1, fp-contract "
       << (contract ? "on" : "off");
    if (item.schedule)
      os << ", " << item.schedule;
    os << "\n" << item.text;
    return text;
  };
  for (uint64_t seed = first; seed < end; ++seed) {
    RandomKernel made = makeRandomKernel(seed, "k" + std::to_string(seed));
    OwningOpRef<ModuleOp> parsed;
    std::mt19937_64 random(seed);
    // Kernels and schedules that are refused are the business of other tests.
    ScopedDiagnosticHandler handler(&context,
                                    [](Diagnostic &) { return success(); });
    parsed = parseSourceString<ModuleOp>(made.text, &context);
    if (!parsed)
      continue;
    KernelOp kernel = *parsed->getOps<KernelOp>().begin();
    if (isForGPU(kernel))
      continue;
    Item item{seed,      kernel.getName().str(),
              made.text, KernelCase(kernel, seed, made.arguments),
              {},        {}};
    if (failed(item.arguments.interpret(kernel, contract, item.expected))) {
      ADD_FAILURE() << describe(item);
      continue;
    }
    if (!isAlreadyMapped(kernel)) {
      if (random() % 3 != 0) {
        item.schedule = Chooser(kernel, random).choose();
      } else {
        FailureOr<ScheduleAttr> best =
            chooseCPUSchedule(kernel, 1 + random() % 8, [](const Twine &) {});
        if (succeeded(best))
          item.schedule = *best;
        else
          ADD_FAILURE() << "no schedule: " << describe(item);
      }
      if (item.schedule)
        kernel.setScheduleAttr(item.schedule);
    }
    kernel->moveBefore(module->getBody(), module->getBody()->end());
    items.push_back(std::move(item));
  }
  if (items.empty())
    return 0;

  PassManager pm(&context);
  LowerToCPULoopsOptions lower;
  lower.fpContract = contract ? FPContract::On : FPContract::Off;
  buildLowerToCPULoopsPipeline(pm, lower);
  std::unique_ptr<Jit> jit;
  if (failed(pm.run(*module)) || !(jit = Jit::create(*module, options))) {
    // Which one it is.
    if (end - first > 1)
      for (const Item &item : items)
        check(item.seed, item.seed + 1, contract, options);
    else
      ADD_FAILURE() << "does not compile: " << describe(items[0]);
    return 0;
  }
  for (const Item &item : items) {
    std::vector<Buffer> actual;
    std::string problem = item.arguments.emulate(*jit, item.name, actual);
    if (problem.empty())
      problem = KernelCase::findDifference(item.expected, actual,
                                           /*isReordered=*/false);
    if (!problem.empty())
      ADD_FAILURE() << problem << "\n" << describe(item);
  }
  return items.size();
}

TEST_F(CPUScheduleTest, RandomKernels) {
  constexpr uint64_t batch = 50;
  uint64_t first = getVariable("UOP_DIFFERENTIAL_SEED", 1);
  uint64_t end = first + getVariable("UOP_DIFFERENTIAL_KERNELS", 600);
  uint64_t valid = 0;
  for (uint64_t seed = first; seed < end;) {
    uint64_t number = seed / batch;
    uint64_t next = std::min(end, (number + 1) * batch);
    JitOptions options;
    options.openmp = number % 2;
    options.optLevel = number % 6 == 1 ? 3 : number % 6 == 4 ? 1 : 0;
    valid += check(seed, next, /*contract=*/number % 3 == 1, options);
    seed = next;
  }
  // Some are mapped by hand for a GPU.
  EXPECT_GE(valid * 2, end - first);
}
