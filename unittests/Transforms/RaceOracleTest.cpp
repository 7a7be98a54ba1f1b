//===- RaceOracleTest.cpp - Verdicts against executed kernels -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small kernels in loop form, and loops that fill buffers ahead by
// asynchronous copies, right ones and wrong ones, beside what is found where
// they are executed.
//
//===----------------------------------------------------------------------===//

#include "RaceSimulator.h"
#include "Uop/Transforms/Barriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetOperations.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace uop;

namespace {

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

/// Writes one kernel. Every index is known to be in [0, most].
class Generator {
public:
  explicit Generator(unsigned seed, bool hasCopies)
      : random(seed), hasCopies(hasCopies), os(text) {}

  std::string generate() {
    int64_t x = pick({2, 4, 8}), y = pick({1, 2, 3}), g = pick({1, 1, 2});
    os << "!flat = memref<64xf32, #gpu.address_space<workgroup>>\n"
       << "!rows = memref<8x8xf32, #gpu.address_space<workgroup>>\n"
       << "uop.kernel loops @k(%m: memref<64xf32>) {\n"
       << "  %f = arith.constant 1.0 : f32\n"
       << "  %v = arith.constant dense<1.0> : vector<2xf32>\n";
    for (int64_t i = 0; i <= 9; ++i)
      os << "  %c" << i << " = arith.constant " << i << " : index\n";
    for (int64_t i : {16, 32, 63, 64})
      os << "  %c" << i << " = arith.constant " << i << " : index\n";
    os << "  %g = uop.range global<x> " << g << "\n"
       << "  %x = uop.range local<x> " << x << "\n"
       << "  %y = uop.range local<y> " << y << "\n"
       << "  %s = uop.alloc : !flat\n  %t = uop.alloc : !rows\n"
       << "  %u = memref.collapse_shape %t [[0, 1]] : !rows into !flat\n";
    if (hasCopies)
      os << "  %group = nvgpu.device_async_create_group {u}\n";
    names = {{"%x", x - 1}, {"%y", y - 1}};
    threadNames = names;
    if (chance(4))
      names.push_back({"%g", g - 1});
    emitBlock(2, /*isUniform=*/true, "  ");
    os << "}\n";
    return os.str();
  }

private:
  struct Name {
    std::string name;
    int64_t most;
  };

  int64_t pick(std::initializer_list<int64_t> from) {
    return *(from.begin() + random() % from.size());
  }
  bool chance(unsigned of) { return random() % of == 0; }
  std::string fresh() { return "%n" + std::to_string(next++); }

  Name binary(const char *op, Name a, Name b, int64_t most,
              const std::string &indent) {
    std::string name = fresh();
    os << indent << name << " = " << op << " " << a.name << ", " << b.name
       << (StringRef(op).starts_with("uop") ? "\n" : " : index\n");
    return {name, most};
  }
  static Name constant(int64_t value) {
    return {"%c" + std::to_string(value), value};
  }

  /// An index within [0, limit - 1].
  Name emitIndex(int64_t limit, const std::string &indent) {
    Name sum = constant(random() % 4);
    unsigned count = 1 + random() % 3;
    for (unsigned i = 0; i < count; ++i) {
      Name part = names[random() % names.size()];
      if (chance(2)) {
        int64_t factor = pick({2, 3, 4, 8});
        part = binary("arith.muli", part, constant(factor), part.most * factor,
                      indent);
      } else if (chance(4)) {
        int64_t by = pick({2, 3});
        part =
            binary("uop.floordiv", part, constant(by), part.most / by, indent);
      } else if (chance(5)) {
        part = binary("uop.floormod", part, constant(2),
                      std::min<int64_t>(part.most, 1), indent);
      }
      if (chance(6)) {
        Name other = names[random() % names.size()];
        int64_t most =
            int64_t(llvm::NextPowerOf2(std::max(part.most, other.most))) - 1;
        part = binary("arith.xori", part, other, most, indent);
      }
      sum = binary("arith.addi", sum, part, sum.most + part.most, indent);
    }
    if (sum.most >= limit)
      sum = binary("uop.floormod", sum, constant(limit), limit - 1, indent);
    return sum;
  }

  void emitAccess(const std::string &indent) {
    bool isVector = chance(6), isAtomic = !isVector && chance(8);
    bool isWrite = chance(2);
    std::string place;
    unsigned memory = random() % 8;
    // A vector of two elements begins at an even or an odd one.
    int64_t rest = isVector ? 1 : 0;
    if (memory < 3)
      place = "%s[" + emitIndex(64 - rest, indent).name + "] : !flat";
    else if (memory < 4)
      place = "%u[" + emitIndex(64 - rest, indent).name + "] : !flat";
    else if (memory < 7) {
      std::string row = emitIndex(8, indent).name;
      place =
          "%t[" + row + ", " + emitIndex(8 - rest, indent).name + "] : !rows";
    } else
      place = "%m[" + emitIndex(64 - rest, indent).name + "] : memref<64xf32>";
    if (isAtomic) {
      size_t colon = place.find(" : ");
      os << indent << fresh() << " = memref.atomic_rmw addf %f, "
         << place.substr(0, colon) << " : (f32, " << place.substr(colon + 3)
         << ") -> f32\n";
    } else if (isVector) {
      if (isWrite)
        os << indent << "vector.store %v, " << place << ", vector<2xf32>\n";
      else
        os << indent << fresh() << " = vector.load " << place
           << ", vector<2xf32>\n";
    } else if (isWrite) {
      os << indent << "memref.store %f, " << place << "\n";
    } else {
      os << indent << fresh() << " = memref.load " << place << "\n";
    }
  }

  /// A copy, or the group of those before, or a wait for groups.
  void emitCopy(const std::string &indent) {
    unsigned what = random() % 4;
    if (what == 0) {
      os << indent << fresh() << " = nvgpu.device_async_create_group {u}\n";
    } else if (what == 1) {
      os << indent
         << "nvgpu.device_async_wait %group {numGroups = " << pick({0, 0, 1, 2})
         << " : i32}\n";
    } else {
      int64_t count = pick({1, 1, 2});
      std::string from = emitIndex(64 - count + 1, indent).name;
      std::string to = emitIndex(64 - count + 1, indent).name;
      os << indent << fresh() << " = nvgpu.device_async_copy %m[" << from
         << "], " << (chance(4) ? "%u" : "%s") << "[" << to << "], " << count
         << " : memref<64xf32> to !flat\n";
    }
  }

  void emitCondition(bool isUniform, const std::string &indent,
                     std::string &name) {
    std::vector<Name> from;
    for (const Name &candidate : names)
      if (!isUniform || uniformNames.count(candidate.name))
        from.push_back(candidate);
    if (from.empty())
      from.push_back(constant(1));
    Name value = from[random() % from.size()];
    name = fresh();
    if (!isUniform && chance(3))
      value = binary("uop.floormod", value, constant(2), 1, indent);
    os << indent << name << " = arith.cmpi " << (chance(2) ? "slt" : "eq")
       << ", " << value.name << ", %c" << random() % 4 << " : index\n";
  }

  void emitBlock(unsigned depth, bool isUniform, const std::string &indent) {
    unsigned count = 2 + random() % 4;
    std::vector<Name> scope = names;
    for (unsigned i = 0; i < count; ++i) {
      if (hasCopies && chance(3)) {
        emitCopy(indent);
        continue;
      }
      unsigned what = random() % 12;
      if (what < 6 || depth == 0) {
        if (isUniform && chance(4))
          os << indent << "uop.barrier\n";
        else
          emitAccess(indent);
        continue;
      }
      if (what < 8) {
        bool isUniformIf = isUniform && chance(2);
        std::string condition;
        emitCondition(isUniformIf, indent, condition);
        os << indent << "scf.if " << condition << " {\n";
        emitBlock(depth - 1, isUniformIf, indent + "  ");
        if (chance(3)) {
          names = scope;
          os << indent << "} else {\n";
          emitBlock(depth - 1, isUniformIf, indent + "  ");
        }
        os << indent << "}\n";
      } else if (what < 9) {
        // 1, 2, 4, ... as in a tree.
        int64_t end = pick({2, 4, 8});
        std::string iv = fresh(), go = fresh(), out = fresh();
        os << indent << fresh() << " = scf.while (" << iv
           << " = %c1) : (index) -> index {\n"
           << indent << "  " << go << " = arith.cmpi slt, " << iv << ", %c"
           << end << " : index\n"
           << indent << "  scf.condition(" << go << ") " << iv << " : index\n"
           << indent << "} do {\n"
           << indent << "^bb0(" << out << ": index):\n";
        names.push_back({out, end / 2});
        if (isUniform)
          uniformNames.insert(out);
        emitBlock(depth - 1, isUniform, indent + "  ");
        std::string twice = fresh();
        os << indent << "  " << twice << " = arith.addi " << out << ", " << out
           << " : index\n"
           << indent << "  scf.yield " << twice << " : index\n"
           << indent << "}\n";
      } else {
        bool isUniformLoop = isUniform && !chance(4);
        int64_t trips = pick({0, 1, 2, 3, 4}), step = pick({1, 1, 2});
        Name end = constant(trips);
        if (!isUniformLoop)
          end = threadNames[random() % threadNames.size()];
        std::string iv = fresh();
        os << indent << "scf.for " << iv << " = %c0 to " << end.name
           << " step %c" << step << " {\n";
        names.push_back({iv, std::max<int64_t>(end.most - 1, 0)});
        if (isUniformLoop)
          uniformNames.insert(iv);
        emitBlock(depth - 1, isUniformLoop, indent + "  ");
        os << indent << "}\n";
      }
      names = scope;
    }
    names = scope;
  }

  std::mt19937 random;
  bool hasCopies;
  std::string text;
  llvm::raw_string_ostream os;
  unsigned next = 0;
  std::vector<Name> names, threadNames;
  std::set<std::string> uniformNames;
};

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

class RaceOracle : public ::testing::Test {
protected:
  RaceOracle() {
    context.loadDialect<UopDialect, arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, nvgpu::NVGPUDialect,
                        scf::SCFDialect, vector::VectorDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  void compareRandom(bool hasCopies);

  MLIRContext context;
};

unsigned getNumber(const char *name, unsigned otherwise) {
  const char *value = std::getenv(name);
  return value ? unsigned(std::atol(value)) : otherwise;
}

using Pairs = std::set<RaceSimulator::Pair>;

/// The ops and the witness of a race.
std::string print(const Race &race) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [access, instance] :
       {std::pair(race.first, &race.witness.first),
        std::pair(race.second, &race.witness.second)}) {
    access->op->print(os);
    os << " by thread ";
    llvm::interleaveComma(instance->thread, os);
    os << " of block " << instance->block[0];
    for (auto [loop, value] : instance->iterations)
      os << ", at " << value;
    os << "; ";
  }
  os << "element ";
  llvm::interleaveComma(race.witness.element, os);
  return text;
}

Pairs getPairs(const RaceReport &report, bool shared, bool onlyUnorderable) {
  Pairs pairs;
  for (const Race &race : report.races)
    if (race.first->isShared() == shared &&
        !(onlyUnorderable && race.isOrderable))
      pairs.insert(RaceSimulator::makePair(race.first->op, race.second->op));
  for (const UnprovenPair &pair : report.unproven)
    if (pair.first->isShared() == shared &&
        !(onlyUnorderable && pair.isOrderable))
      pairs.insert(RaceSimulator::makePair(pair.first->op, pair.second->op));
  return pairs;
}

/// Whether two accesses of one interval, between which a barrier could be, are
/// not provably apart.
bool hasHazard(KernelOp kernel) {
  MemoryAccesses accesses(kernel);
  Uniformity uniformity(kernel);
  ThreadConflicts conflicts(kernel, accesses, uniformity, {});
  bool isFound = false;
  BarrierIntervals(kernel, accesses, uniformity)
      .visit([&](const Meeting &meeting) {
        isFound |= meeting.isOrderable &&
                   conflicts.decide(meeting).kind != Conflict::Kind::Impossible;
        return false;
      });
  return isFound;
}

/// Verdicts of random kernels, and the barriers that are put into them.
void RaceOracle::compareRandom(bool hasCopies) {
  unsigned first = getNumber("UOP_FUZZ_SEED", 1);
  unsigned count = getNumber("UOP_FUZZ_COUNT", 200);
  unsigned numPairs = 0, numUnproven = 0, numDerived = 0, numReal = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::string text = Generator(seed, hasCopies).generate();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<KernelOp>().begin();
    {
      RaceSimulator simulator(kernel);
      ASSERT_TRUE(simulator.isUniform());
      std::unique_ptr<RaceReport> report = findRaces(kernel);
      for (const Race &race : report->races)
        ASSERT_TRUE(!race.isCertain || simulator.isReal(race))
            << "no such race: " << print(race);
      for (bool shared : {true, false}) {
        Pairs real = simulator.findRaces(shared);
        Pairs known = getPairs(*report, shared, false);
        for (RaceSimulator::Pair pair : real) {
          std::string ops;
          llvm::raw_string_ostream os(ops);
          pair.first->print(os);
          os << " and ";
          pair.second->print(os);
          ASSERT_TRUE(known.count(pair)) << "missed: " << ops;
        }
        numPairs += real.size();
      }
      numUnproven += report->unproven.size();
    }
    // With the barriers that are needed no race is left that a barrier could
    // order, and each of them is needed.
    ASSERT_TRUE(succeeded(placeBarriers(kernel)));
    ASSERT_TRUE(succeeded(verify(*module)));
    std::string placed;
    llvm::raw_string_ostream(placed) << *module;
    SCOPED_TRACE(placed);
    RaceSimulator simulator(kernel);
    ASSERT_TRUE(simulator.isUniform());
    std::unique_ptr<RaceReport> report = findRaces(kernel);
    Pairs unorderable = getPairs(*report, true, true);
    for (RaceSimulator::Pair pair : simulator.findRaces(true))
      ASSERT_TRUE(unorderable.count(pair)) << "left without an order";
    SmallVector<BarrierOp> derived;
    kernel.walk([&](BarrierOp barrier) {
      if (barrier.getDerived())
        derived.push_back(barrier);
    });
    numDerived += derived.size();
    size_t numLeft = simulator.findRaces(true).size();
    for (BarrierOp barrier : derived) {
      Operation *next = barrier->getNextNode();
      barrier->remove();
      bool isNeeded = hasHazard(kernel);
      EXPECT_TRUE(isNeeded) << "a barrier that nothing needs, before "
                            << next->getName().getStringRef().str();
      numReal += RaceSimulator(kernel).findRaces(true).size() > numLeft;
      next->getBlock()->getOperations().insert(Block::iterator(next), barrier);
    }
  }
  std::cout << numPairs << " racing pairs, " << numUnproven
            << " pairs not decided, " << numDerived
            << " barriers derived, of which " << numReal
            << " order pairs that race without; seeds " << first << " to "
            << first + count - 1 << "\n";
}

TEST_F(RaceOracle, VerdictsAreThoseOfTheExecution) { compareRandom(false); }

TEST_F(RaceOracle, VerdictsOnCopiesAreThoseOfTheExecution) {
  compareRandom(true);
}

/// A loop that fills buffers ahead and reads those before, or tries to.
struct AheadCase {
  int64_t numBuffers, numAhead, numLeft, trips;
  bool hasBarrier, readsFirst, isGuardedGroup;

  std::string print() const;
};

std::string AheadCase::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!s = memref<" << numBuffers << "x4xf32, "
     << "#gpu.address_space<workgroup>>\n"
     << "uop.kernel loops @k(%x: memref<8x4xf32>, %y: memref<8x4xf32>) {\n"
     << "  %t = uop.range local<x> 4\n";
  for (int64_t i = 0; i <= 8; ++i)
    os << "  %c" << i << " = arith.constant " << i << " : index\n";
  os << "  %t1 = arith.addi %t, %c1 : index\n"
     << "  %r = uop.floormod %t1, %c4\n"
     << "  %s = uop.alloc : !s\n"
     << "  %g = nvgpu.device_async_create_group {u}\n";
  auto emitCopy = [&](const std::string &row, const std::string &slot) {
    os << "nvgpu.device_async_copy %x[" << row << ", %t], %s[" << slot
       << ", %t], 1 : memref<8x4xf32> to !s\n";
  };
  for (int64_t i = 0; i < numAhead; ++i) {
    std::string number = std::to_string(i);
    os << "  %p" << i << " = ";
    emitCopy("%c" + number, "%c" + std::to_string(i % numBuffers));
    os << "  %g" << i << " = nvgpu.device_async_create_group {u}\n";
  }
  auto emitRead = [&] {
    os << "    %from = uop.floormod %k, %c" << numBuffers << "\n"
       << "    %v = memref.load %s[%from, %r] : !s\n"
       << "    memref.store %v, %y[%k, %t] : memref<8x4xf32>\n";
  };
  os << "  scf.for %k = %c0 to %c" << trips << " step %c1 {\n"
     << "    nvgpu.device_async_wait %g {numGroups = " << numLeft
     << " : i32}\n";
  if (hasBarrier)
    os << "    uop.barrier\n";
  if (readsFirst)
    emitRead();
  os << "    %next = arith.addi %k, %c" << numAhead << " : index\n"
     << "    %to = uop.floormod %next, %c" << numBuffers << "\n"
     << "    %in = arith.cmpi slt, %next, %c" << trips << " : index\n"
     << "    scf.if %in {\n      %c = ";
  emitCopy("%next", "%to");
  if (!isGuardedGroup)
    os << "    }\n";
  os << "    %h = nvgpu.device_async_create_group {u}\n";
  if (isGuardedGroup)
    os << "    }\n";
  if (!readsFirst)
    emitRead();
  os << "  }\n}\n";
  return os.str();
}

// Every such loop: what is under way, what is not waited for, and what is
// overwritten too early is found, and nothing else.
TEST_F(RaceOracle, LoopsThatFillAheadAreDecided) {
  unsigned numProven = 0, numRacing = 0;
  for (int64_t numBuffers : {1, 2, 3, 4})
    for (int64_t numAhead : {1, 2, 3})
      for (int64_t numLeft : {0, 1, 2, 3})
        for (int64_t trips : {1, 3, 5})
          for (unsigned flags = 0; flags < 8; ++flags) {
            std::string text =
                AheadCase{numBuffers,      numAhead,         numLeft,
                          trips,           (flags & 1) != 0, (flags & 2) != 0,
                          (flags & 4) != 0}
                    .print();
            SCOPED_TRACE(text);
            OwningOpRef<ModuleOp> module = parse(text);
            ASSERT_TRUE(module);
            auto kernel = *module->getOps<KernelOp>().begin();
            RaceSimulator simulator(kernel);
            std::unique_ptr<RaceReport> report = findRaces(kernel);
            for (const Race &race : report->races)
              ASSERT_TRUE(!race.isCertain || simulator.isReal(race))
                  << "no such race: " << print(race);
            Pairs real = simulator.findRaces(true);
            Pairs known = getPairs(*report, true, false);
            // Whether a group is made under a condition may be left open.
            if (flags & 4) {
              EXPECT_TRUE(llvm::set_is_subset(real, known));
              continue;
            }
            EXPECT_EQ(known, real);
            EXPECT_TRUE(report->unproven.empty());
            (real.empty() ? numProven : numRacing) += 1;
          }
  std::cout << numProven << " loops proved, " << numRacing << " with races\n";
}

} // namespace
