//===- SimtTest.cpp - The emulator against the interpreter ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels in the gpu dialect run in four ways: compiled by the emulator,
// compiled in checked mode and in counted mode, and by the interpreter of this
// folder with its threads in random order. All leave the same bits in memory,
// and checked mode finds nothing but what the interpreter has seen, too:
// shuffles from lanes without a thread, and threads that return before a
// barrier. Counted mode counts as many accesses as the interpreter makes.
//
// Variables of the environment ask for more: UOP_SIMT_SEED, the first seed
// (default 1), and UOP_SIMT_PROGRAMS, how many programs. With UOP_SIMT_PRINT
// each program is printed before it runs, one program a module: the last one
// printed is the one that ended the process. A failure names a seed: with that
// one and one program it fails again. To make it smaller by hand, UOP_SIMT_TEXT
// names a file whose module takes the place of the program's.
//
//===----------------------------------------------------------------------===//

#include "ProgramData.h"
#include "RandomProgram.h"
#include "Uop/Emulator/Check.h"
#include "Uop/Emulator/Count.h"
#include "Uop/Emulator/Jit.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <optional>

using namespace mlir;
using namespace uop;
using namespace uop::simt;

namespace {

struct Item {
  RandomProgram program;
  ProgramData expected;
  Outcome outcome;
};

class SimtTest : public ::testing::Test {
protected:
  SimtTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Runs a program by the interpreter; null, with a failure, if it is at
  /// fault.
  std::optional<Item> interpret(RandomProgram program, ModuleOp module,
                                Order order);
  OwningOpRef<ModuleOp> parse(llvm::ArrayRef<RandomProgram> programs);
  /// Runs the programs of one module in all ways.
  void check(std::vector<RandomProgram> programs, JitOptions options);

  static uint64_t getVariable(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    uint64_t value;
    if (!text || llvm::StringRef(text).getAsInteger(0, value))
      return otherwise;
    return value;
  }

private:
  std::string invoke(Jit &jit, const Item &item);
  void checkFindings(const Item &item, CheckSession &session);
  void checkCounts(llvm::ArrayRef<RandomProgram> programs,
                   llvm::ArrayRef<Item> items, JitOptions options);

protected:
  /// Programs of which code that only detects has said that they are right.
  unsigned numSeenRight = 0;

private:
  MLIRContext context;
};

std::string describe(const RandomProgram &program) {
  return "seed " + std::to_string(program.seed) +
         ": again by UOP_SIMT_PROGRAMS=1 UOP_SIMT_SEED=" +
         std::to_string(program.seed) + "\n" + program.getText();
}

std::string getModuleText(llvm::ArrayRef<RandomProgram> programs) {
  std::string text = "module attributes {gpu.container_module} {\n";
  for (const RandomProgram &program : programs)
    text += program.getText();
  return text + "}\n";
}

} // namespace

OwningOpRef<ModuleOp> SimtTest::parse(llvm::ArrayRef<RandomProgram> programs) {
  std::string text = getModuleText(programs);
  auto module =
      std::getenv("UOP_SIMT_TEXT")
          ? parseSourceFile<ModuleOp>(std::getenv("UOP_SIMT_TEXT"), &context)
          : parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return module;
}

std::optional<Item> SimtTest::interpret(RandomProgram program, ModuleOp module,
                                        Order order) {
  ProgramData data(program);
  Launch launch;
  launch.grid = program.grid;
  launch.block = program.block;
  launch.cluster = program.cluster.value_or(Dim3{1, 1, 1});
  launch.order = order;
  launch.seed = program.seed;
  for (auto [number, parameter] : llvm::enumerate(program.parameters))
    launch.arguments.push_back(
        Argument::memref(data.get(number), parameter.shape));
  auto kernels = module.lookupSymbol<gpu::GPUModuleOp>("m_" + program.name);
  llvm::Expected<Outcome> outcome =
      run(kernels.lookupSymbol<gpu::GPUFuncOp>("k"), launch);
  if (outcome)
    return Item{std::move(program), std::move(data), *outcome};
  ADD_FAILURE() << llvm::toString(outcome.takeError()) << "\n"
                << describe(program);
  return std::nullopt;
}

// What is wrong with the results, or nothing.
std::string SimtTest::invoke(Jit &jit, const Item &item) {
  const RandomProgram &program = item.program;
  ProgramData data(program);
  std::vector<MemRefArgument> memrefs;
  for (auto [number, parameter] : llvm::enumerate(program.parameters))
    memrefs.emplace_back(data.get(number), parameter.shape);
  llvm::SmallVector<void *> arguments;
  for (MemRefArgument &memref : memrefs)
    arguments.push_back(memref.descriptor());
  std::vector<Dim3> launch = {program.grid, program.block};
  if (program.cluster)
    launch.push_back(*program.cluster);
  if (program.isDynamicLaunch)
    for (Dim3 &sizes : launch)
      for (int64_t &size : sizes)
        arguments.push_back(&size);
  if (llvm::Error error = jit.invoke("run_" + program.name, arguments))
    return llvm::toString(std::move(error));
  return data.compare(const_cast<Item &>(item).expected, program);
}

void SimtTest::checkFindings(const Item &item, CheckSession &session) {
  bool readsInactiveLane = false;
  for (const Finding &finding : session.takeFindings()) {
    readsInactiveLane |= finding.kind == FindingKind::InactiveLane;
    bool isExpected = finding.kind == FindingKind::InactiveLane ||
                      (finding.kind == FindingKind::ExitBeforeBarrier &&
                       finding.isWarning && item.outcome.exitsBeforeBarrier);
    EXPECT_TRUE(isExpected)
        << "checked mode says: " << describeFinding(finding, finding.buffer)
        << "\n"
        << describe(item.program);
  }
  EXPECT_EQ(readsInactiveLane, item.outcome.readsInactiveLane)
      << "shuffles from lanes without a thread\n"
      << describe(item.program);
}

void SimtTest::checkCounts(llvm::ArrayRef<RandomProgram> programs,
                           llvm::ArrayRef<Item> items, JitOptions options) {
  options.counted = true;
  options.optLevel = 0;
  OwningOpRef<ModuleOp> module = parse(programs);
  std::unique_ptr<Jit> counted = Jit::create(*module, options);
  ASSERT_TRUE(counted) << getModuleText(programs);
  for (const Item &item : items) {
    CountSession session;
    CountSession::Scope scope(session);
    std::string wrong = invoke(*counted, item);
    EXPECT_TRUE(wrong.empty()) << "counted: " << wrong << "\n"
                               << describe(item.program);
    uint64_t elements = 0;
    for (const CountedLaunch &launch : session.takeLaunches()) {
      elements += launch.getNumAccesses();
      for (const CountedAccess &access : launch.accesses) {
        EXPECT_TRUE(access.isCounted()) << access.reason;
        EXPECT_LE(access.sums.requests, access.sums.elements);
      }
    }
    EXPECT_EQ(elements, item.outcome.elements) << describe(item.program);
  }
}

void SimtTest::check(std::vector<RandomProgram> programs, JitOptions options) {
  OwningOpRef<ModuleOp> module = parse(programs);
  if (!module)
    return;
  std::vector<Item> items;
  for (const RandomProgram &program : programs)
    if (auto item = interpret(program, *module, Order::Random))
      items.push_back(std::move(*item));
  std::unique_ptr<Jit> fast = Jit::create(*module, options);
  ASSERT_TRUE(fast) << getModuleText(programs);
  for (const Item &item : items) {
    std::string wrong = invoke(*fast, item);
    EXPECT_TRUE(wrong.empty()) << "compiled: " << wrong << "\n"
                               << describe(item.program);
  }

  checkCounts(programs, items, options);

  // What is said to be right is, and has computed what it should.
  options.checked = options.detect = true;
  OwningOpRef<ModuleOp> third = parse(programs);
  std::unique_ptr<Jit> detecting = Jit::create(*third, options);
  ASSERT_TRUE(detecting) << getModuleText(programs);
  for (const Item &item : items) {
    CheckSession session;
    CheckSession::Scope scope(session);
    std::string wrong = invoke(*detecting, item);
    if (session.hasFired())
      continue;
    ++numSeenRight;
    EXPECT_TRUE(wrong.empty()) << "detecting: " << wrong << "\n"
                               << describe(item.program);
    EXPECT_FALSE(item.outcome.readsInactiveLane ||
                 item.outcome.exitsBeforeBarrier)
        << describe(item.program);
  }

  OwningOpRef<ModuleOp> again = parse(programs);
  options.detect = false;
  options.optLevel = 0;
  std::unique_ptr<Jit> checked = Jit::create(*again, options);
  ASSERT_TRUE(checked) << getModuleText(programs);
  for (const Item &item : items) {
    CheckOptions checks;
    checks.policy = CheckOptions::Policy::CUDA;
    CheckSession session(checks);
    CheckSession::Scope scope(session);
    std::string wrong = invoke(*checked, item);
    EXPECT_TRUE(wrong.empty()) << "checked: " << wrong << "\n"
                               << describe(item.program);
    checkFindings(item, session);
  }
}

// The programs have no races: what they do does not depend on who comes first.
TEST_F(SimtTest, AnyOrderOfThreads) {
  uint64_t first = getVariable("UOP_SIMT_SEED", 1);
  uint64_t count = getVariable("UOP_SIMT_PROGRAMS", 200);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    RandomProgram program = createRandomProgram(seed, "p");
    OwningOpRef<ModuleOp> module = parse(program);
    ASSERT_TRUE(module);
    std::optional<Item> forward = interpret(program, *module, Order::Forward);
    for (Order order : {Order::Reverse, Order::Random}) {
      std::optional<Item> item = interpret(program, *module, order);
      if (!forward || !item)
        continue;
      std::string wrong = item->expected.compare(forward->expected, program);
      EXPECT_TRUE(wrong.empty()) << "in another order: " << wrong << "\n"
                                 << describe(program);
    }
  }
}

TEST_F(SimtTest, RandomPrograms) {
  uint64_t first = getVariable("UOP_SIMT_SEED", 1);
  uint64_t count = getVariable("UOP_SIMT_PROGRAMS", 60);
  bool isPrinted = std::getenv("UOP_SIMT_PRINT");
  // How a program is compiled depends on its seed alone.
  constexpr uint64_t batch = 15;
  for (uint64_t seed = first, end; seed < first + count; seed = end) {
    end = std::min(isPrinted ? seed + 1 : (seed / batch + 1) * batch,
                   first + count);
    std::vector<RandomProgram> programs;
    for (uint64_t i = seed; i < end; ++i)
      programs.push_back(createRandomProgram(i, std::to_string(i)));
    if (isPrinted)
      llvm::errs() << describe(programs.front()) << "\n";
    JitOptions options;
    options.openmp = seed / batch % 2 == 0;
    options.optLevel = seed / batch % 4;
    // That of the machine, none, and others.
    constexpr int64_t widths[] = {0, 4, 1, 16, 2};
    options.vectorWidth = widths[seed / batch % 5];
    check(std::move(programs), options);
  }
  if (count >= batch)
    EXPECT_GT(numSeenRight, 0u);
}
