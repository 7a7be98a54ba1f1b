//===- RaceOracleTest.cpp - Verdicts against executed kernels -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small kernels in loop form. A simulator executes the index arithmetic
// and the control flow of every thread, counts barriers, and so knows exactly
// which accesses are in one interval. It shares no code with the analysis.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Races.h"
#include "Uop/Transforms/Barriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace uop;

namespace {

//===----------------------------------------------------------------------===//
// The simulator
//===----------------------------------------------------------------------===//

struct Touch {
  Operation *op;
  unsigned thread, block;
  bool isWrite, isAtomic;
};

/// What the threads of a kernel do, by interval and element.
class Simulator {
public:
  explicit Simulator(KernelOp kernel) : kernel(kernel) {
    LaunchShape shape = computeLaunchShape(kernel);
    block = shape.block;
    for (gx = 0; gx < shape.grid[0]; ++gx)
      for (thread = 0; thread < unsigned(shape.getNumThreadsPerBlock());
           ++thread) {
        values.clear();
        interval = 0;
        execute(kernel.getBodyBlock());
        barriers[gx].insert(interval);
      }
  }

  using Pair = std::pair<Operation *, Operation *>;
  static Pair makePair(Operation *a, Operation *b) {
    return std::less<Operation *>()(a, b) ? Pair(a, b) : Pair(b, a);
  }

  /// Whether all threads of a block come to equally many barriers.
  bool isUniform() const {
    return llvm::all_of(barriers,
                        [](const auto &of) { return of.second.size() == 1; });
  }

  std::set<Pair> findRaces(bool shared) const {
    std::set<Pair> races;
    for (const auto &[key, list] : touches)
      if (isShared(key) == shared)
        for (const Touch &a : list)
          for (const Touch &b : list)
            if (isRace(a, b, shared))
              races.insert(makePair(a.op, b.op));
    if (!shared)
      findCrossBlock(races);
    return races;
  }

  /// Whether two threads really access the element with these ops.
  bool isReal(const Race &race) const {
    auto number = [&](const AccessInstance &instance) {
      return unsigned(instance.thread[0] +
                      block[0] *
                          (instance.thread[1] + block[1] * instance.thread[2]));
    };
    bool isCross = race.relation == RaceRelation::CrossBlock;
    std::vector<std::pair<int64_t, unsigned>> first, second;
    auto matches = [&](const Touch &touch, const MemoryAccess &access,
                       const AccessInstance &instance) {
      return touch.op == access.op && touch.thread == number(instance) &&
             (!isCross || touch.block == instance.block[0]);
    };
    for (const auto &[key, list] : touches) {
      if (key.root != race.first->root.getAsOpaquePointer() ||
          !hasElement(key.element, race))
        continue;
      for (const Touch &touch : list) {
        if (matches(touch, *race.first, race.witness.first))
          first.push_back({key.interval, touch.block});
        if (matches(touch, *race.second, race.witness.second))
          second.push_back({key.interval, touch.block});
      }
    }
    for (auto a : first)
      for (auto b : second)
        if (isCross || (a.first == b.first && a.second == b.second))
          return true;
    return false;
  }

private:
  struct Key {
    int64_t interval;
    void *root;
    int64_t element;
    unsigned block;
    bool operator<(const Key &other) const {
      return std::tie(interval, root, element, block) <
             std::tie(other.interval, other.root, other.element, other.block);
    }
  };

  static bool isShared(const Key &key) {
    return bool(Value::getFromOpaquePointer(key.root).getDefiningOp());
  }

  static bool isRace(const Touch &a, const Touch &b, bool) {
    return a.thread != b.thread && (a.isWrite || b.isWrite) &&
           !(a.isAtomic && b.isAtomic);
  }

  void findCrossBlock(std::set<Pair> &races) const {
    std::map<std::pair<void *, int64_t>, std::vector<Touch>> byElement;
    for (const auto &[key, list] : touches)
      if (!isShared(key))
        llvm::append_range(byElement[{key.root, key.element}], list);
    for (const auto &[key, list] : byElement)
      for (const Touch &a : list)
        for (const Touch &b : list)
          if (a.block != b.block && (a.isWrite || b.isWrite) &&
              !(a.isAtomic && b.isAtomic))
            races.insert(makePair(a.op, b.op));
  }

  bool hasElement(int64_t element, const Race &race) const {
    auto type = cast<MemRefType>(race.first->root.getType());
    int64_t linear = 0;
    if (race.witness.isByte)
      return element == race.witness.element.front() / 4;
    for (auto [index, size] :
         llvm::zip_equal(race.witness.element, type.getShape()))
      linear = linear * size + index;
    return element == linear;
  }

  int64_t get(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    auto it = values.find(value);
    EXPECT_TRUE(it != values.end());
    return it == values.end() ? 0 : it->second;
  }

  void touch(Operation *op, Value memref, ValueRange indices, int64_t count,
             bool isWrite, bool isAtomic) {
    auto type = cast<MemRefType>(memref.getType());
    int64_t linear = 0;
    for (auto [index, size] : llvm::zip_equal(indices, type.getShape())) {
      EXPECT_GE(get(index), 0);
      EXPECT_LT(get(index), size);
      linear = linear * size + get(index);
    }
    while (memref.getDefiningOp() && !isa<AllocOp>(memref.getDefiningOp()))
      memref = memref.getDefiningOp()->getOperand(0);
    for (int64_t i = 0; i < count; ++i)
      touches[{interval, memref.getAsOpaquePointer(), linear + i, unsigned(gx)}]
          .push_back({op, thread, unsigned(gx), isWrite, isAtomic});
  }

  void execute(Block &code) {
    for (Operation &op : code)
      execute(&op);
  }

  void execute(Operation *op) {
    if (isa<BarrierOp>(op)) {
      ++interval;
    } else if (auto range = dyn_cast<RangeOp>(op)) {
      Dimension dim = range.getAxis().getThreadDimension();
      values[range] = range.getAxis().isBlockIndex() ? gx
                      : dim == Dimension::X          ? thread % block[0]
                                                     : thread / block[0];
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      touch(op, load.getMemRef(), load.getIndices(), 1, false, false);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      touch(op, store.getMemRef(), store.getIndices(), 1, true, false);
    } else if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
      touch(op, update.getMemref(), update.getIndices(), 1, true, true);
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      touch(op, load.getBase(), load.getIndices(), 2, false, false);
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      touch(op, store.getBase(), store.getIndices(), 2, true, false);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (get(branch.getCondition()))
        execute(*branch.thenBlock());
      else if (branch.elseBlock())
        execute(*branch.elseBlock());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      SmallVector<int64_t> carried;
      for (Value init : loop.getInitArgs())
        carried.push_back(get(init));
      int64_t end = get(loop.getUpperBound()), step = get(loop.getStep());
      for (int64_t i = get(loop.getLowerBound()); i < end; i += step) {
        values[loop.getInductionVar()] = i;
        for (auto [argument, value] :
             llvm::zip_equal(loop.getRegionIterArgs(), carried))
          values[argument] = value;
        execute(*loop.getBody());
        for (auto [value, yielded] :
             llvm::zip_equal(carried, loop.getYieldedValues()))
          value = get(yielded);
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      SmallVector<int64_t> carried;
      for (Value init : loop.getInits())
        carried.push_back(get(init));
      while (true) {
        for (auto [argument, value] :
             llvm::zip_equal(loop.getBeforeArguments(), carried))
          values[argument] = value;
        execute(*loop.getBeforeBody());
        if (!get(loop.getConditionOp().getCondition()))
          break;
        for (auto [argument, value] : llvm::zip_equal(
                 loop.getAfterArguments(), loop.getConditionOp().getArgs()))
          values[argument] = get(value);
        execute(*loop.getAfterBody());
        for (auto [value, yielded] :
             llvm::zip_equal(carried, loop.getYieldOp().getOperands()))
          value = get(yielded);
      }
    } else if (op->getNumResults() == 1 && op->getNumOperands() == 2) {
      int64_t a = get(op->getOperand(0)), b = get(op->getOperand(1));
      int64_t result = 0;
      if (isa<arith::AddIOp>(op))
        result = a + b;
      else if (isa<arith::MulIOp>(op))
        result = a * b;
      else if (isa<arith::XOrIOp>(op))
        result = a ^ b;
      else if (isa<FloorModOp>(op))
        result = a % b;
      else if (isa<FloorDivOp>(op))
        result = a / b;
      else if (auto compare = dyn_cast<arith::CmpIOp>(op))
        result =
            compare.getPredicate() == arith::CmpIPredicate::eq ? a == b : a < b;
      else
        ADD_FAILURE() << "not simulated: "
                      << op->getName().getStringRef().str();
      values[op->getResult(0)] = result;
    }
  }

  KernelOp kernel;
  std::array<int64_t, 3> block;
  int64_t gx = 0;
  unsigned thread = 0;
  int64_t interval = 0;
  std::map<int64_t, std::set<int64_t>> barriers;
  llvm::DenseMap<Value, int64_t> values;
  std::map<Key, std::vector<Touch>> touches;
};

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

/// Writes one kernel. Every index is known to be in [0, most].
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed), os(text) {}

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
                        memref::MemRefDialect, scf::SCFDialect,
                        vector::VectorDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context;
};

unsigned getNumber(const char *name, unsigned otherwise) {
  const char *value = std::getenv(name);
  return value ? unsigned(std::atol(value)) : otherwise;
}

using Pairs = std::set<Simulator::Pair>;

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
      pairs.insert(Simulator::makePair(race.first->op, race.second->op));
  for (const UnprovenPair &pair : report.unproven)
    if (pair.first->isShared() == shared &&
        !(onlyUnorderable && pair.isOrderable))
      pairs.insert(Simulator::makePair(pair.first->op, pair.second->op));
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

TEST_F(RaceOracle, VerdictsAreThoseOfTheExecution) {
  unsigned first = getNumber("UOP_FUZZ_SEED", 1);
  unsigned count = getNumber("UOP_FUZZ_COUNT", 200);
  unsigned numPairs = 0, numUnproven = 0, numDerived = 0, numReal = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::string text = Generator(seed).generate();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<KernelOp>().begin();
    {
      Simulator simulator(kernel);
      ASSERT_TRUE(simulator.isUniform());
      std::unique_ptr<RaceReport> report = findRaces(kernel);
      for (const Race &race : report->races)
        ASSERT_TRUE(!race.isCertain || simulator.isReal(race))
            << "no such race: " << print(race);
      for (bool shared : {true, false}) {
        Pairs real = simulator.findRaces(shared);
        Pairs known = getPairs(*report, shared, false);
        for (Simulator::Pair pair : real) {
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
    Simulator simulator(kernel);
    ASSERT_TRUE(simulator.isUniform());
    std::unique_ptr<RaceReport> report = findRaces(kernel);
    Pairs unorderable = getPairs(*report, true, true);
    for (Simulator::Pair pair : simulator.findRaces(true))
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
      numReal += Simulator(kernel).findRaces(true).size() > numLeft;
      next->getBlock()->getOperations().insert(Block::iterator(next), barrier);
    }
  }
  std::cout << numPairs << " racing pairs, " << numUnproven
            << " pairs not decided, " << numDerived
            << " barriers derived, of which " << numReal
            << " order pairs that race without; seeds " << first << " to "
            << first + count - 1 << "\n";
}

} // namespace
