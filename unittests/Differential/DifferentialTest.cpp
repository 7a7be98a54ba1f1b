//===- DifferentialTest.cpp - The run path against the reference ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels under random schedules, mapped, lowered and compiled for the
// emulator, leave every byte of memory as the reference interpreter does (a NaN
// is any NaN): gaps of strided memory and elements that nothing stores keep
// what they held. Only sums and products of floats that a group reduction takes
// in another order may differ, by a bound on what that does. Stock passes, and
// --uop-simplify, in between change nothing. The schedule that a mapped kernel
// prints, in this order of its opts or another, maps the kernel to the same.
//
// Variables of the environment ask for more: UOP_DIFFERENTIAL_SEED, the first
// seed (default 1), UOP_DIFFERENTIAL_KERNELS, how many kernels, and
// UOP_DIFFERENTIAL_SPLITS, how many of which a reduction may be split. With
// UOP_DIFFERENTIAL_PRINT each kernel is printed before it runs. A failure names
// a seed: with that one and one kernel it fails again.
//
//===----------------------------------------------------------------------===//

#include "DynamicKernel.h"
#include "KernelCase.h"
#include "RandomKernel.h"
#include "RandomSchedule.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace uop;

namespace {

/// How kernels are compiled.
struct Mode {
  bool contract = false;
  bool openmp = false;
  unsigned optLevel = 1;
  /// Whether kernels learn sizes, strides and extents as they run.
  bool isDynamic = false;
  /// Seed of the passes that run in between; without one there are none.
  std::optional<uint64_t> passes;
};

struct NamedKernel {
  uint64_t seed;
  RandomKernel kernel;
};

/// One kernel on its way.
struct Item {
  uint64_t seed;
  std::string name, text;
  KernelCase arguments;
  std::vector<Buffer> expected;
  ScheduleAttr schedule;
};

class DifferentialTest : public ::testing::Test {
protected:
  DifferentialTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<UopDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  unsigned check(ArrayRef<NamedKernel> kernels, const Mode &mode,
                 bool skipInvalid = false);
  unsigned checkSplits(ArrayRef<NamedKernel> kernels, const Mode &mode);
  void checkKernel(StringRef text, ArrayRef<ArgumentRule> rules = {});

  static uint64_t getVariable(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    uint64_t value;
    if (!text || StringRef(text).getAsInteger(0, value))
      return otherwise;
    return value;
  }

private:
  std::vector<Item> parse(ArrayRef<NamedKernel> kernels, const Mode &mode,
                          bool skipInvalid, ModuleOp module);
  void chooseSchedules(std::vector<Item> &items, ModuleOp module);
  void checkReplay(ArrayRef<Item> items, ModuleOp original, ModuleOp mapped);
  void diagnose(const Item &item, const Mode &mode, StringRef what,
                ModuleOp mapped, ArrayRef<Buffer> actual);
  std::string describe(const Item &item, const Mode &mode);

  MLIRContext context;
};

} // namespace

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Some of the passes that should change no result. What is a product in a sum,
/// and so becomes one operation, is seen after stock passes have folded what is
/// between the two: until then `mayFold` is not set.
static void addNeutralPasses(PassManager &pm, std::mt19937_64 &random,
                             bool mayFold) {
  for (unsigned count = random() % 4; count != 0; --count)
    switch (mayFold ? random() % 4 : 1) {
    case 0:
      pm.addPass(createCanonicalizerPass());
      break;
    case 1:
      pm.addPass(createCSEPass());
      break;
    case 2:
      pm.addPass(arith::createIntRangeOptimizationsPass());
      break;
    default:
      pm.addNestedPass<KernelOp>(createSimplify());
    }
}

/// What is between the map and the emulator.
static void buildLowering(PassManager &pm, const Mode &mode) {
  if (!mode.passes) {
    LowerToGPUOptions lower;
    lower.fpContract = mode.contract ? FPContract::On : FPContract::Off;
    buildLowerToGPUPipeline(pm, lower);
    return;
  }
  std::mt19937_64 random(*mode.passes);
  addNeutralPasses(pm, random, !mode.contract);
  pm.addNestedPass<KernelOp>(createLowerToLoops());
  addNeutralPasses(pm, random, !mode.contract);
  if (mode.contract)
    pm.addNestedPass<KernelOp>(createContractFMA());
  addNeutralPasses(pm, random, /*mayFold=*/true);
  pm.addPass(createConvertUopToGPU());
  addNeutralPasses(pm, random, /*mayFold=*/true);
}

static void buildPreparation(PassManager &pm, const Mode &mode) {
  if (!mode.passes)
    return;
  std::mt19937_64 random(*mode.passes + 1);
  addNeutralPasses(pm, random, !mode.contract);
}

static std::string printPipeline(PassManager &pm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  return text;
}

static bool isPrinting() { return std::getenv("UOP_DIFFERENTIAL_PRINT"); }

static KernelOp findKernel(ModuleOp module, const Item &item) {
  return module.lookupSymbol<KernelOp>(item.name);
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

std::string DifferentialTest::describe(const Item &item, const Mode &mode) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "UOP_DIFFERENTIAL_SEED=" << item.seed
     << " UOP_DIFFERENTIAL_KERNELS=1, fp-contract "
     << (mode.contract ? "on" : "off");
  if (item.schedule)
    os << ", " << item.schedule;
  if (mode.passes) {
    PassManager before(&context), after(&context);
    buildPreparation(before, mode);
    buildLowering(after, mode);
    os << "\n"
       << printPipeline(before) << ", the map, " << printPipeline(after);
  }
  os << "\n" << item.text;
  return text;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Moves the kernels to one module, with what the interpreter makes of them.
std::vector<Item> DifferentialTest::parse(ArrayRef<NamedKernel> kernels,
                                          const Mode &mode, bool skipInvalid,
                                          ModuleOp module) {
  std::vector<Item> items;
  for (const NamedKernel &given : kernels) {
    std::string message;
    OwningOpRef<ModuleOp> parsed;
    {
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
        message += diag.str() + "\n";
        return success();
      });
      parsed = parseSourceString<ModuleOp>(given.kernel.text, &context);
    }
    if (!parsed) {
      if (!skipInvalid || isPrinting())
        ADD_FAILURE() << "seed " << given.seed << ": " << message
                      << given.kernel.text;
      continue;
    }
    KernelOp kernel = *parsed->getOps<KernelOp>().begin();
    Item item{given.seed,
              kernel.getName().str(),
              given.kernel.text,
              KernelCase(kernel, given.seed, given.kernel.arguments),
              {},
              {}};
    if (failed(
            item.arguments.interpret(kernel, mode.contract, item.expected))) {
      ADD_FAILURE() << describe(item, mode);
      continue;
    }
    std::mt19937_64 random(given.seed);
    if (mode.isDynamic && makeDynamic(kernel, random)) {
      item.text.clear();
      llvm::raw_string_ostream(item.text) << kernel << "\n";
    }
    kernel->moveBefore(module.getBody(), module.getBody()->end());
    items.push_back(std::move(item));
  }
  return items;
}

/// The schedule of a kernel that does not say is random, or left to the map.
void DifferentialTest::chooseSchedules(std::vector<Item> &items,
                                       ModuleOp module) {
  for (Item &item : items) {
    KernelOp kernel = findKernel(module, item);
    std::mt19937_64 random(item.seed);
    if (!kernel.isMapped() && !kernel.getScheduleAttr()) {
      // A schedule that is refused is the business of other tests.
      ScopedDiagnosticHandler handler(&context,
                                      [](Diagnostic &) { return success(); });
      bool mayReorder = llvm::any_of(item.expected, [](const Buffer &buffer) {
        return buffer.rule.terms.has_value();
      });
      ScheduleAttr schedule;
      if (random() % 8 != 0)
        schedule = chooseRandomSchedule(kernel, mayReorder, random);
      // The default heuristic reorders.
      if (!schedule && !mayReorder && hasOrderedTerms(kernel))
        schedule = chooseBasicSchedule(kernel, UpcastLayout::GPU,
                                       [](const Twine &) {});
      if (schedule)
        kernel.setScheduleAttr(schedule);
    }
    item.schedule = kernel.getScheduleAttr();
  }
}

/// Maps the kernels again, by the schedules that the mapped ones print.
void DifferentialTest::checkReplay(ArrayRef<Item> items, ModuleOp original,
                                   ModuleOp mapped) {
  for (bool isShuffled : {false, true}) {
    OwningOpRef<ModuleOp> again = original.clone();
    for (const Item &item : items) {
      ScheduleAttr done = findKernel(mapped, item).getScheduleAttr();
      if (!done)
        continue;
      auto schedule =
          dyn_cast_or_null<ScheduleAttr>(parseAttribute(print(done), &context));
      ASSERT_TRUE(schedule);
      std::mt19937_64 random(item.seed);
      if (isShuffled)
        schedule = shuffleOpts(schedule, random);
      findKernel(*again, item).setScheduleAttr(schedule);
    }
    PassManager pm(&context);
    pm.addPass(createGPUMap());
    EXPECT_TRUE(succeeded(pm.run(*again)));
    for (const Item &item : items) {
      KernelOp first = findKernel(mapped, item);
      KernelOp second = findKernel(*again, item);
      ScheduleAttr schedule = second.getScheduleAttr();
      if (isShuffled)
        second.setScheduleAttr(first.getScheduleAttr());
      EXPECT_EQ(print(first), print(second))
          << "mapped again with " << print(schedule) << "\n"
          << describe(item, {});
    }
  }
}

/// Reports a failure, and which half of the road it is on.
void DifferentialTest::diagnose(const Item &item, const Mode &mode,
                                StringRef what, ModuleOp mapped,
                                ArrayRef<Buffer> actual) {
  std::vector<Buffer> between;
  KernelOp kernel = findKernel(mapped, item);
  bool isReordered = hasGroups(item.schedule);
  std::string half;
  if (failed(item.arguments.interpret(kernel, mode.contract, between)))
    half = "the reference interpreter refuses the mapped kernel";
  else if (KernelCase::findDifference(item.expected, between, isReordered)
               .empty())
    half = "the mapped kernel is right on the reference interpreter";
  else
    half = "the mapped kernel is wrong on the reference interpreter as well";
  ADD_FAILURE() << what.str() << "\n"
                << half << "\n"
                << describe(item, mode) << "mapped:\n"
                << print(kernel);
}

/// Compares the kernels, all in one module. Returns how many of them there
/// are: what the verifier refuses is left out where `skipInvalid`.
unsigned DifferentialTest::check(ArrayRef<NamedKernel> kernels,
                                 const Mode &mode, bool skipInvalid) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Item> items = parse(kernels, mode, skipInvalid, *module);
  if (items.empty())
    return 0;

  // Which one it is.
  auto checkEach = [&](StringRef problem) {
    if (kernels.size() > 1)
      for (const NamedKernel &kernel : kernels)
        check(kernel, mode, skipInvalid);
    else
      ADD_FAILURE() << problem.str() << ": " << describe(items[0], mode);
    return 0;
  };
  PassManager prepare(&context), map(&context), lower(&context);
  buildPreparation(prepare, mode);
  if (failed(prepare.run(*module)))
    return checkEach("is not prepared");
  chooseSchedules(items, *module);
  OwningOpRef<ModuleOp> original = module->clone();
  map.addPass(createGPUMap());
  if (failed(map.run(*module)))
    return checkEach("does not map");
  OwningOpRef<ModuleOp> mapped = module->clone();
  for (Item &item : items)
    item.schedule = findKernel(*mapped, item).getScheduleAttr();
  checkReplay(items, *original, *mapped);

  buildLowering(lower, mode);
  JitOptions options;
  options.openmp = mode.openmp;
  options.optLevel = mode.optLevel;
  std::unique_ptr<Jit> jit;
  if (failed(lower.run(*module)) || !(jit = Jit::create(*module, options)))
    return checkEach("does not compile");
  for (const Item &item : items) {
    if (isPrinting())
      llvm::errs() << describe(item, mode);
    std::vector<Buffer> actual;
    std::string problem = item.arguments.emulate(*jit, item.name, actual);
    if (problem.empty())
      problem = KernelCase::findDifference(item.expected, actual,
                                           hasGroups(item.schedule));
    if (!problem.empty())
      diagnose(item, mode, problem, *mapped, actual);
  }
  return items.size();
}

/// Compares one kernel in both modes.
void DifferentialTest::checkKernel(StringRef text,
                                   ArrayRef<ArgumentRule> rules) {
  NamedKernel kernel{1, {text.str(), rules}};
  check(kernel, {/*contract=*/false,
                 /*openmp=*/false,
                 /*optLevel=*/1,
                 /*isDynamic=*/false,
                 {}});
  check(kernel, {/*contract=*/true,
                 /*openmp=*/false,
                 /*optLevel=*/3,
                 /*isDynamic=*/false,
                 {}});
}

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

// Seeds have places in batches, so that each is always treated in one way.
TEST_F(DifferentialTest, RandomKernels) {
  constexpr uint64_t batch = 50;
  uint64_t first = getVariable("UOP_DIFFERENTIAL_SEED", 1);
  uint64_t end = first + getVariable("UOP_DIFFERENTIAL_KERNELS", 2000);
  uint64_t valid = 0;
  for (uint64_t seed = first; seed < end;) {
    uint64_t number = seed / batch;
    std::vector<NamedKernel> kernels;
    for (; seed < end && seed / batch == number; ++seed)
      kernels.push_back(
          {seed, makeRandomKernel(seed, "k" + std::to_string(seed))});
    Mode mode;
    mode.contract = number % 2;
    mode.openmp = number % 3 == 2;
    // Most of the time goes to LLVM.
    mode.isDynamic = number % 5 == 4;
    mode.optLevel = number % 10 == 3 ? 3 : number % 10 == 6 ? 1 : 0;
    if (number % 4 != 0)
      mode.passes = number;
    valid += check(kernels, mode, /*skipInvalid=*/true);
  }
  // What the verifier cannot prove is left out: little.
  EXPECT_GE(valid * 10, (end - first) * 9);
}

/// Divides a random reduce axis into random parts, by the schedule; whether the
/// kernel may be split so.
static bool chooseSplit(KernelOp kernel, bool mayReorder,
                        std::mt19937_64 &random) {
  SmallVector<ScheduleAxis> axes = getReduceAxes(kernel);
  if (axes.empty() || (!mayReorder && hasOrderedTerms(kernel)))
    return false;
  int64_t axis = random() % axes.size();
  int64_t size = axes[axis].size.value_or(20);
  if (size < 2)
    return false;
  auto opt = OptAttr::get(kernel.getContext(), OptKind::SplitK, axis,
                          2 + random() % (size - 1));
  kernel.setScheduleAttr(
      ScheduleAttr::get(kernel.getContext(), opt, UpcastLayout::GPU));
  OwningOpRef<ModuleOp> alone = ModuleOp::create(kernel.getLoc());
  alone->getBody()->push_back(kernel->clone());
  PassManager pm(kernel.getContext());
  pm.addPass(createSplitReductions());
  return succeeded(pm.run(*alone));
}

unsigned DifferentialTest::checkSplits(ArrayRef<NamedKernel> kernels,
                                       const Mode &mode) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Item> items, split;
  items = parse(kernels, mode, /*skipInvalid=*/true, *module);
  for (Item &item : items) {
    KernelOp kernel = findKernel(*module, item);
    std::mt19937_64 random(item.seed);
    bool mayReorder = llvm::any_of(item.expected, [](const Buffer &buffer) {
      return buffer.rule.terms.has_value();
    });
    // What is refused is the business of other tests.
    ScopedDiagnosticHandler handler(&context,
                                    [](Diagnostic &) { return success(); });
    if (kernel.isMapped() || !chooseSplit(kernel, mayReorder, random)) {
      kernel.erase();
      continue;
    }
    item.schedule = kernel.getScheduleAttr();
    split.push_back(std::move(item));
  }
  OwningOpRef<ModuleOp> original = module->clone();
  LowerToGPUOptions lower;
  lower.fpContract = mode.contract ? FPContract::On : FPContract::Off;
  PassManager pm(&context);
  buildLowerToGPUPipeline(pm, lower);
  JitOptions options;
  options.optLevel = mode.optLevel;
  std::unique_ptr<Jit> jit;
  if (failed(pm.run(*module)) || !(jit = Jit::create(*module, options))) {
    if (kernels.size() > 1)
      for (const NamedKernel &kernel : kernels)
        checkSplits(kernel, mode);
    else
      ADD_FAILURE() << "does not compile: " << describe(split[0], mode);
    return 0;
  }
  for (const Item &item : split) {
    std::vector<Buffer> actual;
    std::string problem = item.arguments.emulate(*jit, item.name, actual);
    if (problem.empty())
      problem = KernelCase::findDifference(item.expected, actual,
                                           /*isReordered=*/true);
    if (!problem.empty())
      diagnose(item, mode, problem, *original, actual);
  }
  return split.size();
}

// Reductions in two kernels, of which the map chooses the schedules.
TEST_F(DifferentialTest, RandomSplits) {
  constexpr uint64_t batch = 50;
  uint64_t first = getVariable("UOP_DIFFERENTIAL_SEED", 1);
  uint64_t end = first + getVariable("UOP_DIFFERENTIAL_SPLITS", 1000);
  uint64_t valid = 0;
  for (uint64_t seed = first; seed < end;) {
    uint64_t number = seed / batch;
    std::vector<NamedKernel> kernels;
    for (; seed < end && seed / batch == number; ++seed)
      kernels.push_back(
          {seed, makeRandomKernel(seed, "k" + std::to_string(seed))});
    Mode mode;
    mode.contract = number % 2;
    mode.openmp = false;
    mode.isDynamic = number % 5 == 4;
    mode.optLevel = 0;
    valid += checkSplits(kernels, mode);
  }
  // Of most kernels the floats must not be reordered, or nothing is reduced.
  EXPECT_GE(valid * 10, end - first);
}

//===----------------------------------------------------------------------===//
// Kernels that once went wrong
//===----------------------------------------------------------------------===//

// A reduction of maxnumf and one of minnumf: a number beats NaN, and the zeros
// are in the order of their signs.
TEST_F(DifferentialTest, NumbersBeatNaN) {
  checkKernel(R"mlir(
    uop.kernel @k(%a: memref<16x8xf32>, %most: memref<16xf32>,
                  %least: memref<16xf32>) {
      %i = uop.range loop 16
      %j = uop.range reduce 8
      %x = uop.load %a[%i, %j] : memref<16x8xf32>
      %zero = arith.constant -0.0 : f32
      %y = arith.mulf %x, %zero : f32
      %max = uop.reduce maxnumf %y over(%j) : f32
      %min = uop.reduce minnumf %y over(%j) : f32
      uop.store %max, %most[%i] : memref<16xf32>
      uop.store %min, %least[%i] : memref<16xf32>
    }
  )mlir");
}

// Atomic products, bits, and extrema of floats: LLVM has no instruction for
// these, or one with another meaning.
TEST_F(DifferentialTest, Accumulates) {
  std::vector<NamedKernel> kernels;
  for (StringRef type :
       {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"})
    for (StringRef kind :
         {"add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui",
          "minimumf", "maximumf", "minnumf", "maxnumf"}) {
      bool isFloat = type.contains('f');
      // Sums and products of floats depend on the order, which is open.
      if (isFloat != kind.ends_with("f"))
        continue;
      std::string text = ("uop.kernel @" + kind + "_" + type +
                          "(%a: memref<20xT>, %out: memref<3xT>) {\n"
                          "  %i = uop.range loop 20\n"
                          "  %c3 = arith.constant 3 : index\n"
                          "  %r = uop.floormod %i, %c3\n"
                          "  %x = uop.load %a[%i] : memref<20xT>\n"
                          "  uop.store " +
                          kind +
                          " %x, %out[%r] : memref<3xT>\n"
                          "}\n")
                             .str();
      for (size_t at; (at = text.find("xT>")) != std::string::npos;)
        text.replace(at + 1, 1, type.str());
      kernels.push_back({1, {text, {}}});
    }
  check(kernels, {/*contract=*/false,
                  /*openmp=*/true,
                  /*optLevel=*/1,
                  /*isDynamic=*/false,
                  {}});
}

// Beyond the end of an axis the divisor is what a masked load gives, zero: also
// for divisions that upstream takes to be total.
TEST_F(DifferentialTest, DividesByWhatIsLoaded) {
  for (StringRef op : {"divsi", "divui", "remsi", "remui", "floordivsi",
                       "ceildivsi", "ceildivui"})
    checkKernel(("uop.kernel @k(%a: memref<13xi32>, %b: memref<13xi32>, "
                 "%out: memref<13xi32>) attributes {schedule = "
                 "#uop.schedule<[LOCAL 0:8, UPCAST 0:3]>} {\n"
                 "  %i = uop.range loop 13\n"
                 "  %x = uop.load %a[%i] : memref<13xi32>\n"
                 "  %y = uop.load %b[%i] : memref<13xi32>\n"
                 "  %q = arith." +
                 op +
                 " %x, %y : i32\n"
                 "  uop.store %q, %out[%i] : memref<13xi32>\n"
                 "}\n")
                    .str(),
                {{}, {ArgumentRule::Divisors, 0, {}, {}}});
}

// A store with an empty domain does not keep others, which lack its axis, from
// running: the grid is not empty.
TEST_F(DifferentialTest, EmptyAndOtherDomains) {
  for (StringRef schedule : {"", "LOCAL 0:4", "LOCAL 1:8", "UPCAST 0:2"})
    for (StringRef extent : {"0", "%n"})
      checkKernel(("uop.kernel @k(%n: index, %a: memref<8x5xi32>, "
                   "%b: memref<5xi32>) attributes {schedule = #uop.schedule<[" +
                   schedule + "]>} {\n  %i = uop.range loop " + extent +
                   "\n"
                   "  %j = uop.range loop 5\n"
                   "  %one = arith.constant 1 : i32\n"
                   "  uop.store %one, %a[%i, %j] : memref<8x5xi32>\n"
                   "  uop.store %one, %b[%j] : memref<5xi32>\n"
                   "}\n")
                      .str(),
                  {{ArgumentRule::Exactly, 0, {}, {}}});
}

// Whether an axis needs a block index is asked before the axis is replaced.
TEST_F(DifferentialTest, MergedAndCopied) {
  checkKernel(R"mlir(
    uop.kernel @k(%a: memref<3x7x2xi32>, %out: memref<3x7x2xi32>)
        attributes {schedule = #uop.schedule<[MERGE 0:3, UPCAST 0:4]>} {
      %i = uop.range loop 3
      %j = uop.range loop 7
      %k = uop.range loop 2
      %x = uop.load %a[%i, %j, %k] : memref<3x7x2xi32>
      uop.store %x, %out[%i, %j, %k] : memref<3x7x2xi32>
    }
  )mlir");
}

// No blocks of an inner axis: nothing divides by their number.
TEST_F(DifferentialTest, FoldsEmptyAxes) {
  for (StringRef extents : {"0 2 2 2", "2 0 2 2", "2 2 2 0", "%n 2 0 %n"}) {
    SmallVector<StringRef> sizes;
    extents.split(sizes, ' ');
    std::string ranges;
    for (auto [number, size] : llvm::enumerate(sizes))
      ranges +=
          ("  %i" + Twine(number) + " = uop.range loop " + size + "\n").str();
    checkKernel("uop.kernel @k(%n: index, %a: memref<2x2x2x2xi32>) attributes "
                "{schedule = #uop.schedule<[]>} {\n" +
                    ranges +
                    "  %one = arith.constant 1 : i32\n"
                    "  uop.store %one, %a[%i0, %i1, %i2, %i3] : "
                    "memref<2x2x2x2xi32>\n}\n",
                {{ArgumentRule::Exactly, 2, {}, {}}});
  }
}

// A number beats NaN, also where LLVM knows that it is one.
TEST_F(DifferentialTest, ConvertedIntegersBeatNaN) {
  for (StringRef kind : {"maxnumf", "minnumf"})
    checkKernel(("uop.kernel @k(%a: memref<64xf32>, %b: memref<64xi32>, "
                 "%out: memref<64xf32>) {\n"
                 "  %i = uop.range loop 64\n"
                 "  %x = uop.load %a[%i] : memref<64xf32>\n"
                 "  %zero = arith.constant 0.0 : f32\n"
                 "  %nan = arith.divf %zero, %zero : f32\n"
                 "  %less = arith.cmpf olt, %x, %zero : f32\n"
                 "  %w = arith.select %less, %x, %nan : f32\n"
                 "  %y = uop.load %b[%i] : memref<64xi32>\n"
                 "  %z = arith.sitofp %y : i32 to f32\n"
                 "  %r = arith." +
                 kind +
                 " %w, %z : f32\n"
                 "  uop.store %r, %out[%i] : memref<64xf32>\n"
                 "}\n")
                    .str());
}

// A load that nobody uses is free in an axis with threads and in one whose
// threads reduce: the two are not the same threads.
TEST_F(DifferentialTest, GroupsBesideUnusedOps) {
  for (StringRef schedule :
       {"", "attributes {schedule = #uop.schedule<[LOCAL 0:8, GROUP 0:8]>}"})
    checkKernel(("uop.kernel @k(%a: memref<64x64xi32>, %b: memref<64xi32>, "
                 "%out: memref<64xi32>) " +
                 schedule +
                 " {\n"
                 "  %i = uop.range loop 64\n"
                 "  %k = uop.range reduce 64\n"
                 "  %x = uop.load %a[%i, %k] : memref<64x64xi32>\n"
                 "  %y = uop.load %b[%k] : memref<64xi32>\n"
                 "  %s = uop.reduce add %y over(%k) : i32\n"
                 "  uop.store %s, %out[%i] : memref<64xi32>\n"
                 "}\n")
                    .str());
}

// Nor do two ranges of one reduction, also where each takes many threads.
TEST_F(DifferentialTest, GroupsOneOfTwoLongRanges) {
  checkKernel(R"mlir(
    uop.kernel @k(%n: index, %a: memref<64x64xi32>, %out: memref<64xi32>) {
      %i = uop.range loop %n
      %k = uop.range reduce %n
      %l = uop.range reduce %n
      %x = uop.load %a[%k, %l] : memref<64x64xi32>
      %s = uop.reduce add %x over(%k, %l) : i32
      uop.store %s, %out[%i] : memref<64xi32>
    }
  )mlir",
              {{ArgumentRule::Exactly, 64, {}, {}}});
}
