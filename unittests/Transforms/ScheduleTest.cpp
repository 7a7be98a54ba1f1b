//===- ScheduleTest.cpp - Primitives and opts -----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Mapping.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop;

namespace {

/// A module with a kernel, and the messages that came up.
class ScheduleTest : public ::testing::Test {
protected:
  ScheduleTest()
      : handler(&context, [this](Diagnostic &diag) {
          messages.push_back(diag.str());
          return success();
        }) {
    context.loadDialect<UopDialect, arith::ArithDialect>();
  }

  KernelOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    return *module->getOps<KernelOp>().begin();
  }

  RangeOp getRange(KernelOp kernel, unsigned number) {
    return *std::next(kernel.getBodyBlock().getOps<RangeOp>().begin(), number);
  }

  StoreOp getStore(KernelOp kernel) {
    return *kernel.getBodyBlock().getOps<StoreOp>().begin();
  }

  AxisAttr getAxis(AxisKind kind,
                   std::optional<Dimension> dimension = std::nullopt) {
    return AxisAttr::get(&context, kind, dimension);
  }

  ScheduleAttr getSchedule(StringRef text) {
    return dyn_cast_or_null<ScheduleAttr>(
        parseAttribute(("#uop.schedule<" + text + ">").str(), &context));
  }

  MLIRContext context;
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// The value of an index expression, given those of ranges.
static int64_t evaluate(Value value,
                        const llvm::DenseMap<Value, int64_t> &ranges) {
  if (auto it = ranges.find(value); it != ranges.end())
    return it->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  int64_t lhs = evaluate(op->getOperand(0), ranges);
  int64_t rhs = evaluate(op->getOperand(1), ranges);
  // Ranges and extents are not negative.
  if (isa<FloorDivOp>(op))
    return lhs / rhs;
  if (isa<FloorModOp>(op))
    return lhs % rhs;
  return isa<arith::AddIOp>(op) ? lhs + rhs : lhs * rhs;
}

/// The values that an index takes over a list of ranges, first outermost.
static std::vector<int64_t> listValues(Value index, ArrayRef<RangeOp> over) {
  std::vector<int64_t> values;
  llvm::DenseMap<Value, int64_t> point;
  std::function<void(unsigned)> visit = [&](unsigned depth) {
    if (depth == over.size()) {
      values.push_back(evaluate(index, point));
      return;
    }
    RangeOp range = over[depth];
    for (int64_t i = 0; i < *range.getConstantExtent(); ++i) {
      point[range.getResult()] = i;
      visit(depth + 1);
    }
  };
  visit(0);
  return values;
}

static const char kFill12[] = R"mlir(
  uop.kernel @fill(%out: memref<12xi32>) {
    %i = uop.range loop 12
    %one = arith.constant 1 : i32
    uop.store %one, %out[%i] : memref<12xi32>
  }
)mlir";

// The new range is the inner one: index = outer * 4 + inner, ascending.
TEST_F(ScheduleTest, SplitsInner) {
  KernelOp kernel = parse(kFill12);
  IRRewriter rewriter(&context);
  FailureOr<SplitRanges> parts =
      splitRange(rewriter, getRange(kernel, 0), 4, getAxis(AxisKind::Upcast),
                 SplitPosition::Inner);
  ASSERT_TRUE(succeeded(parts));
  EXPECT_EQ(parts->outer.getConstantExtent(), 3);
  EXPECT_EQ(parts->outer.getAxis().str(), "loop");
  EXPECT_EQ(parts->inner.getConstantExtent(), 4);
  EXPECT_EQ(parts->inner.getAxis().str(), "upcast");
  StoreOp store = getStore(kernel);
  RangeList domain = getRanges(store.getOver());
  ASSERT_EQ(domain.size(), 2u);
  EXPECT_EQ(domain[0], parts->outer);
  EXPECT_EQ(domain[1], parts->inner);
  EXPECT_EQ(listValues(store.getIndices()[0], domain),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_TRUE(succeeded(verify(*module)));
}

// The new range is the outer one, and has the amount as its extent.
TEST_F(ScheduleTest, SplitsOuter) {
  KernelOp kernel = parse(kFill12);
  IRRewriter rewriter(&context);
  FailureOr<SplitRanges> parts =
      splitRange(rewriter, getRange(kernel, 0), 4,
                 getAxis(AxisKind::Global, Dimension::X), SplitPosition::Outer);
  ASSERT_TRUE(succeeded(parts));
  EXPECT_EQ(parts->outer.getConstantExtent(), 4);
  EXPECT_EQ(parts->outer.getAxis().str(), "global<x>");
  EXPECT_EQ(parts->inner.getConstantExtent(), 3);
  EXPECT_EQ(parts->inner.getAxis().str(), "loop");
  StoreOp store = getStore(kernel);
  EXPECT_EQ(listValues(store.getIndices()[0], getRanges(store.getOver())),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_TRUE(succeeded(verify(*module)));
}

// The whole extent changes the axis only; an amount of 1 changes nothing.
TEST_F(ScheduleTest, SplitsOffAllOrNothing) {
  KernelOp kernel = parse(kFill12);
  IRRewriter rewriter(&context);
  RangeOp range = getRange(kernel, 0);
  FailureOr<SplitRanges> none = splitRange(
      rewriter, range, 1, getAxis(AxisKind::Upcast), SplitPosition::Inner);
  ASSERT_TRUE(succeeded(none));
  EXPECT_EQ(none->outer, range);
  EXPECT_FALSE(none->inner);
  EXPECT_EQ(range.getAxis().str(), "loop");

  FailureOr<SplitRanges> all = splitRange(
      rewriter, range, 12, getAxis(AxisKind::Upcast), SplitPosition::Inner);
  ASSERT_TRUE(succeeded(all));
  EXPECT_FALSE(all->outer);
  EXPECT_EQ(all->inner, range);
  EXPECT_EQ(range.getAxis().str(), "upcast");
}

// What does not divide is refused, and the kernel stays as it was.
TEST_F(ScheduleTest, RefusesToSplitUnevenly) {
  KernelOp kernel = parse(kFill12);
  IRRewriter rewriter(&context);
  RangeOp range = getRange(kernel, 0);
  EXPECT_TRUE(failed(splitRange(rewriter, range, 5, getAxis(AxisKind::Upcast),
                                SplitPosition::Inner)));
  EXPECT_TRUE(failed(splitRange(rewriter, range, 0, getAxis(AxisKind::Upcast),
                                SplitPosition::Inner)));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0], "expected an amount that divides the extent 12, but "
                         "got 5; choose 4 or 6, or pad the range");
  EXPECT_EQ(messages[1], "expected to split off at least 1 point, but got 0");
  EXPECT_EQ(getStore(kernel).getOver().size(), 1u);
}

TEST_F(ScheduleTest, RefusesDynamicExtents) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @fill(%n: index, %out: memref<?xi32>) {
      %i = uop.range loop %n
      %one = arith.constant 1 : i32
      uop.store %one, %out[%i] : memref<?xi32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  RangeOp range = getRange(kernel, 0);
  EXPECT_TRUE(failed(splitRange(rewriter, range, 2, getAxis(AxisKind::Upcast),
                                SplitPosition::Inner)));
  EXPECT_TRUE(failed(setAxis(rewriter, range, getAxis(AxisKind::Upcast))));
  EXPECT_TRUE(succeeded(setAxis(rewriter, range, getAxis(AxisKind::Serial))));
  EXPECT_EQ(messages.size(), 2u);
}

// A reduction over (r, s) with r split goes over (outer, inner, s), and so
// combines the same points in the same order.
TEST_F(ScheduleTest, KeepsTheOrderOfReductions) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @sum(%in: memref<6x5xf32>, %out: memref<f32>) {
      %r = uop.range reduce 6
      %s = uop.range reduce 5
      %x = uop.load %in[%r, %s] : memref<6x5xf32>
      %y = uop.reduce add %x over(%r, %s) : f32
      uop.store %y, %out[] : memref<f32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  ASSERT_TRUE(
      succeeded(splitRange(rewriter, getRange(kernel, 0), 2,
                           getAxis(AxisKind::Unroll), SplitPosition::Inner)));
  auto reduce = *kernel.getBodyBlock().getOps<ReduceOp>().begin();
  auto load = *kernel.getBodyBlock().getOps<LoadOp>().begin();
  RangeList over = getRanges(reduce.getOver());
  std::vector<int64_t> rows, columns;
  for (int64_t row = 0; row < 6; ++row)
    for (int64_t column = 0; column < 5; ++column) {
      rows.push_back(row);
      columns.push_back(column);
    }
  EXPECT_EQ(listValues(load.getIndices()[0], over), rows);
  EXPECT_EQ(listValues(load.getIndices()[1], over), columns);
}

// Two blocks g, U = 2 copies c and L = 3 threads l of 12 points, in the order
// (g, c, l) and (g, l, c) in which the ranges are defined.
TEST_F(ScheduleTest, LaysOutUpcastCopies) {
  auto getIndexOf = [&](StringRef layout) {
    KernelOp kernel = parse(kFill12);
    IRRewriter rewriter(&context);
    EXPECT_TRUE(succeeded(applySchedule(
        rewriter, kernel,
        getSchedule(
            ("[LOCAL 0:3, UPCAST 0:2], upcast_layout = " + layout).str()))));
    StoreOp store = getStore(kernel);
    // Thread by thread: block, then thread, then copy.
    RangeList order;
    for (AxisKind kind : {AxisKind::Global, AxisKind::Local, AxisKind::Upcast})
      for (RangeOp range : getRanges(store.getOver()))
        if (range.getAxis().getKind() == kind)
          order.push_back(range);
    return listValues(store.getIndices()[0], order);
  };
  EXPECT_EQ(getIndexOf("gpu"),
            (std::vector<int64_t>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  EXPECT_EQ(getIndexOf("cpu"),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

// Axes are numbered in order of definition, whatever the order in the domain;
// a folded range keeps the place that it has in the list.
TEST_F(ScheduleTest, NumbersOutputAxes) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @fill(%out: memref<8x1x4xi32>) {
      %i = uop.range loop 4
      %j = uop.range loop 8
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : i32
      uop.store %one, %out[%j, %zero, %i] over(%j, %zero, %i)
        : memref<8x1x4xi32>
    }
  )mlir");
  SmallVector<ScheduleAxis> axes = getOutputAxes(kernel);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].size, 4);
  EXPECT_EQ(axes[1].size, 1);
  EXPECT_FALSE(axes[1].range);
  EXPECT_EQ(axes[2].size, 8);
}

// A refused schedule leaves the kernel as it was, also where a part of it could
// be applied.
TEST_F(ScheduleTest, AppliesAllOptsOrNone) {
  KernelOp kernel = parse(kFill12);
  IRRewriter rewriter(&context);
  EXPECT_TRUE(failed(
      applySchedule(rewriter, kernel, getSchedule("[LOCAL 0:3, UNROLL 0:2]"))));
  EXPECT_FALSE(kernel.getScheduleAttr());
  EXPECT_EQ(getStore(kernel).getOver().size(), 1u);
  EXPECT_EQ(getRange(kernel, 0).getAxis().str(), "loop");
}

// Ranges of one dimension share it: the larger one counts; lanes are whole
// warps; a grid with a dynamic extent is dynamic.
TEST_F(ScheduleTest, ComputesLaunchShapes) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @f(%n: index, %out: memref<?x3x2xi32>, %p: memref<7x2xi32>,
                  %q: memref<20xi32>) {
      %one = arith.constant 1 : i32
      %b = uop.range global<x> %n
      %d = uop.range global<z> 3
      %t = uop.range local<y> 2
      uop.store %one, %out[%b, %d, %t] : memref<?x3x2xi32>
      %c = uop.range global<x> 7
      %e = uop.range global<z> 2
      uop.store %one, %p[%c, %e] : memref<7x2xi32>
      %l = uop.range warp 20
      uop.store %one, %q[%l] : memref<20xi32>
    }
  )mlir");
  ASSERT_TRUE(kernel);
  LaunchShape shape = computeLaunchShape(kernel);
  EXPECT_EQ(shape.grid, (std::array<int64_t, 3>{ShapedType::kDynamic, 1, 3}));
  EXPECT_EQ(shape.block, (std::array<int64_t, 3>{32, 2, 1}));
  EXPECT_EQ(shape.gridRanges[0].size(), 2u);
  EXPECT_EQ(shape.gridRanges[2].size(), 2u);
  EXPECT_EQ(shape.getNumBlocks(), std::nullopt);
  EXPECT_EQ(shape.getNumWarpsPerBlock(), 2);
  EXPECT_EQ(shape.getUsefulLaneShare(), 1.0);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The bound that the mask of an op compares a range with; -1 without a mask.
static int64_t getBound(Value mask) {
  if (!mask)
    return -1;
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
      !compare.getLhs().getDefiningOp<RangeOp>() ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return -1;
  return bound.getSExtValue();
}

// What is free in the range, stores to it or closes it gets the mask, and
// nothing else does.
TEST_F(ScheduleTest, PadsWithMasks) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%a: memref<6xf32>, %b: memref<5xf32>, %out: memref<6xf32>,
                  %sum: memref<f32>) {
      %i = uop.range loop 6
      %k = uop.range reduce 5
      %x = uop.load %a[%i] : memref<6xf32>
      %y = uop.load %b[%k] : memref<5xf32>
      %s = uop.reduce add %y over(%k) : f32
      uop.store %x, %out[%i] : memref<6xf32>
      uop.store %s, %sum[] : memref<f32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  RangeOp i = getRange(kernel, 0), k = getRange(kernel, 1);
  FailureOr<bool> changed = padRange(rewriter, i, 4);
  ASSERT_TRUE(succeeded(changed) && *changed);
  EXPECT_EQ(i.getConstantExtent(), 8);
  changed = padRange(rewriter, k, 8);
  ASSERT_TRUE(succeeded(changed) && *changed);
  EXPECT_EQ(k.getConstantExtent(), 8);
  EXPECT_TRUE(succeeded(verify(*module)));
  Block &body = kernel.getBodyBlock();
  SmallVector<LoadOp> loads(body.getOps<LoadOp>());
  SmallVector<StoreOp> stores(body.getOps<StoreOp>());
  EXPECT_EQ(getBound(loads[0].getMask()), 6);
  EXPECT_EQ(getBound(loads[1].getMask()), 5);
  EXPECT_EQ(getBound((*body.getOps<ReduceOp>().begin()).getMask()), 5);
  EXPECT_EQ(getBound(stores[0].getMask()), 6);
  EXPECT_FALSE(stores[1].getMask());
  // A multiple already.
  changed = padRange(rewriter, i, 2);
  ASSERT_TRUE(succeeded(changed));
  EXPECT_FALSE(*changed);
}

// A mask that was there before holds as well.
TEST_F(ScheduleTest, PadsUnderAMask) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%where: memref<6xi1>, %out: memref<6xi32>) {
      %i = uop.range loop 6
      %m = uop.load %where[%i] : memref<6xi1>
      %one = arith.constant 1 : i32
      uop.store %one, %out[%i] mask %m : memref<6xi32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  ASSERT_TRUE(succeeded(padRange(rewriter, getRange(kernel, 0), 4)));
  auto both = getStore(kernel).getMask().getDefiningOp<arith::AndIOp>();
  ASSERT_TRUE(both);
  EXPECT_TRUE(both.getLhs().getDefiningOp<LoadOp>());
  EXPECT_EQ(getBound(both.getRhs()), 6);
}

// What a masked load gives is nothing to divide by: also for the divisions that
// upstream takes to be total. One by a constant stays.
TEST_F(ScheduleTest, PadsDivisors) {
  for (StringRef op : {"divsi", "divui", "remsi", "remui", "floordivsi",
                       "ceildivsi", "ceildivui"}) {
    KernelOp kernel = parse(("uop.kernel @k(%a: memref<6xi32>, "
                             "%out: memref<6xi32>) {\n"
                             "%i = uop.range loop 6\n"
                             "%three = arith.constant 3 : i32\n"
                             "%x = uop.load %a[%i] : memref<6xi32>\n"
                             "%y = arith." +
                             op +
                             " %three, %x : i32\n"
                             "%z = arith." +
                             op +
                             " %y, %three : i32\n"
                             "uop.store %z, %out[%i] : memref<6xi32>\n}")
                                .str());
    ASSERT_TRUE(kernel) << op.str();
    IRRewriter rewriter(&context);
    ASSERT_TRUE(succeeded(padRange(rewriter, getRange(kernel, 0), 4)));
    Operation *last = getStore(kernel).getValue().getDefiningOp();
    Operation *first = last->getOperand(0).getDefiningOp();
    EXPECT_TRUE(matchPattern(last->getOperand(1), m_Constant())) << op.str();
    auto safe = first->getOperand(1).getDefiningOp<arith::SelectOp>();
    ASSERT_TRUE(safe) << op.str();
    EXPECT_EQ(getBound(safe.getCondition()), 6);
    EXPECT_TRUE(safe.getTrueValue().getDefiningOp<LoadOp>());
    EXPECT_TRUE(matchPattern(safe.getFalseValue(), m_One()));
  }
}

static const char kDynamicFill[] = R"mlir(
  uop.kernel @fill(%n: index, %out: memref<?xi32>) {
    %i = uop.range loop %n
    %one = arith.constant 1 : i32
    uop.store %one, %out[%i] : memref<?xi32>
  }
)mlir";

/// An extent for a value of the only scalar argument.
static int64_t evaluateExtent(Value value, int64_t argument) {
  APInt constant;
  if (isa<BlockArgument>(value))
    return argument;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  int64_t a = evaluateExtent(op->getOperand(0), argument);
  int64_t b = evaluateExtent(op->getOperand(1), argument);
  return isa<arith::AddIOp>(op)    ? a + b
         : isa<arith::MulIOp>(op)  ? a * b
         : isa<arith::MaxSIOp>(op) ? std::max(a, b)
                                   : a / b;
}

// A dynamic extent is rounded up, and divided again without a division.
TEST_F(ScheduleTest, PadsAndSplitsDynamicExtents) {
  KernelOp kernel = parse(kDynamicFill);
  IRRewriter rewriter(&context);
  RangeOp range = getRange(kernel, 0);
  FailureOr<bool> changed = padRange(rewriter, range, 12);
  ASSERT_TRUE(succeeded(changed) && *changed);
  for (auto [n, padded] : {std::pair(0, 0), {1, 12}, {12, 12}, {13, 24}})
    EXPECT_EQ(evaluateExtent(range.getExtent(), n), padded);
  auto bound = getStore(kernel).getMask().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(bound);
  EXPECT_TRUE(isa<BlockArgument>(bound.getRhs()));

  FailureOr<SplitRanges> parts = splitRange(
      rewriter, range, 4, getAxis(AxisKind::Upcast), SplitPosition::Inner);
  ASSERT_TRUE(succeeded(parts));
  EXPECT_EQ(parts->inner.getConstantExtent(), 4);
  EXPECT_EQ(evaluateExtent(parts->outer.getExtent(), 13), 6);
  // Three are left of the twelve.
  parts = splitRange(rewriter, parts->outer, 3, getAxis(AxisKind::Upcast),
                     SplitPosition::Inner);
  ASSERT_TRUE(succeeded(parts));
  EXPECT_EQ(evaluateExtent(parts->outer.getExtent(), 13), 2);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_TRUE(
      failed(splitRange(rewriter, parts->outer, 2, getAxis(AxisKind::Upcast),
                        SplitPosition::Inner)));
  EXPECT_EQ(messages.size(), 1u);
}

// A range that other stores lack keeps a point where it has none.
TEST_F(ScheduleTest, PadsToOnePoint) {
  KernelOp kernel = parse(kDynamicFill);
  IRRewriter rewriter(&context);
  RangeOp range = getRange(kernel, 0);
  FailureOr<bool> changed =
      padRange(rewriter, range, 1, /*needsOnePoint=*/true);
  ASSERT_TRUE(succeeded(changed) && *changed);
  for (auto [n, padded] : {std::pair(0, 1), {1, 1}, {7, 7}})
    EXPECT_EQ(evaluateExtent(range.getExtent(), n), padded);
  EXPECT_TRUE(getStore(kernel).getMask());
}

// A tile has no masks.
TEST_F(ScheduleTest, RefusesToPadAStage) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%a: memref<6xf32>, %out: memref<6xf32>) {
      %i = uop.range loop 6
      %j = uop.range loop 6
      %x = uop.load %a[%j] : memref<6xf32>
      %t = uop.stage %x[%j] over(%j) : !uop.tile<6xf32, workgroup>
      %y = uop.load %t[%i] : !uop.tile<6xf32, workgroup>
      uop.store %y, %out[%i] : memref<6xf32>
    }
  )mlir");
  ASSERT_TRUE(kernel);
  IRRewriter rewriter(&context);
  EXPECT_TRUE(failed(padRange(rewriter, getRange(kernel, 1), 4)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0],
            "cannot be padded: a stage closes the range, and a tile has no "
            "mask; choose an amount that divides it");
  EXPECT_EQ(getRange(kernel, 1).getConstantExtent(), 6);
}

//===----------------------------------------------------------------------===//
// Folding and merging
//===----------------------------------------------------------------------===//

// A reduction whose extent an argument gives, defined after the other range:
// what computes it moves before the folded one.
TEST_F(ScheduleTest, FoldsDynamicExtentsDefinedLate) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%n: index, %out: memref<4x64xi32>) {
      %i = uop.range loop 4
      %c2 = arith.constant 2 : index
      %m = arith.muli %n, %c2 : index
      %j = uop.range loop %m
      %one = arith.constant 1 : i32
      uop.store %one, %out[%i, %j] unique : memref<4x64xi32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  FailureOr<RangeOp> folded =
      foldRanges(rewriter, {getRange(kernel, 0), getRange(kernel, 1)},
                 getAxis(AxisKind::Global, Dimension::X));
  ASSERT_TRUE(succeeded(folded));
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_EQ(evaluateExtent(folded->getExtent(), 5), 40);
  EXPECT_EQ(getStore(kernel).getOver().size(), 1u);
}

// A store that lacks a range runs where that is 0.
TEST_F(ScheduleTest, FoldsPartialDomains) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%out: memref<4x6xi32>, %rows: memref<4xi32>) {
      %i = uop.range loop 4
      %j = uop.range loop 6
      %one = arith.constant 1 : i32
      uop.store %one, %out[%i, %j] : memref<4x6xi32>
      uop.store %one, %rows[%i] : memref<4xi32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  FailureOr<RangeOp> folded =
      foldRanges(rewriter, {getRange(kernel, 0), getRange(kernel, 1)},
                 getAxis(AxisKind::Loop));
  ASSERT_TRUE(succeeded(folded));
  EXPECT_EQ(folded->getConstantExtent(), 24);
  SmallVector<StoreOp> stores(kernel.getBodyBlock().getOps<StoreOp>());
  EXPECT_FALSE(stores[0].getMask());
  auto isFirst = stores[1].getMask().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(isFirst);
  EXPECT_EQ(isFirst.getPredicate(), arith::CmpIPredicate::eq);
  EXPECT_TRUE(isFirst.getLhs().getDefiningOp<FloorModOp>());
}

// A reduction is closed as a whole.
TEST_F(ScheduleTest, RefusesToFoldPartOfAReduction) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%a: memref<4x6xi32>, %out: memref<i32>) {
      %i = uop.range reduce 4
      %j = uop.range reduce 6
      %x = uop.load %a[%i, %j] : memref<4x6xi32>
      %y = uop.reduce add %x over(%j) : i32
      %z = uop.reduce add %y over(%i) : i32
      uop.store %z, %out[] : memref<i32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  EXPECT_TRUE(
      failed(foldRanges(rewriter, {getRange(kernel, 0), getRange(kernel, 1)},
                        getAxis(AxisKind::Reduce))));
  EXPECT_FALSE(messages.empty());
  EXPECT_EQ(getReduceAxes(kernel).size(), 2u);
}

// A reduction combines its points in the order of its list: with others in
// between, or the other way round, they are not one range.
TEST_F(ScheduleTest, FoldsReductionsInOrder) {
  KernelOp kernel = parse(R"mlir(
    uop.kernel @k(%a: memref<2x3x4xf32>, %out: memref<f32>) {
      %i = uop.range reduce 2
      %j = uop.range reduce 3
      %k = uop.range reduce 4
      %x = uop.load %a[%i, %j, %k] : memref<2x3x4xf32>
      %y = uop.reduce add %x over(%i, %j, %k) : f32
      uop.store %y, %out[] : memref<f32>
    }
  )mlir");
  IRRewriter rewriter(&context);
  auto fold = [&](unsigned first, unsigned second) {
    return foldRanges(rewriter,
                      {getRange(kernel, first), getRange(kernel, second)},
                      getAxis(AxisKind::Reduce));
  };
  EXPECT_TRUE(failed(fold(0, 2)));
  EXPECT_TRUE(failed(fold(1, 0)));
  EXPECT_EQ(messages.size(), 2u);
  ASSERT_TRUE(succeeded(fold(1, 2)));
  EXPECT_TRUE(succeeded(verify(*module)));
  auto reduce = *kernel.getBodyBlock().getOps<ReduceOp>().begin();
  auto load = *kernel.getBodyBlock().getOps<LoadOp>().begin();
  RangeList over = getRanges(reduce.getOver());
  ASSERT_EQ(over.size(), 2u);
  std::vector<int64_t> columns, depths;
  for (int64_t point = 0; point < 24; ++point) {
    columns.push_back(point / 4 % 3);
    depths.push_back(point % 4);
  }
  EXPECT_EQ(listValues(load.getIndices()[1], over), columns);
  EXPECT_EQ(listValues(load.getIndices()[2], over), depths);
}

/// The merges of a kernel, such as "0:3 4:2".
static std::string listMerges(KernelOp kernel) {
  std::string text;
  for (OptAttr opt : findMerges(kernel))
    text += (text.empty() ? "" : " ") + std::to_string(opt.getAxis()) + ":" +
            std::to_string(opt.getAmount());
  return text;
}

// Axes merge where every access walks through them in steps of one size: not
// across a gap, a transposition, or a value that is an index itself.
TEST_F(ScheduleTest, FindsMerges) {
  auto copy = [&](StringRef type, StringRef indices, StringRef more = "") {
    std::string a = "memref<2x3x4x5xi32" + type.str() + ">";
    return parse(("uop.kernel @k(%a: " + a +
                  ", %out: memref<2x3x4x5xi32>, %p: memref<5xi32>) {\n"
                  "%i = uop.range loop 2\n%j = uop.range loop 3\n"
                  "%k = uop.range loop 4\n%l = uop.range loop 5\n"
                  "%x = uop.load %a[" +
                  indices + "] : " + a +
                  "\n"
                  "uop.store %x, %out[%i, %j, %k, %l] : memref<2x3x4x5xi32>\n" +
                  more + "}")
                     .str());
  };
  EXPECT_EQ(listMerges(copy("", "%i, %j, %k, %l")), "0:4");
  // Rows of 5 in memory with room for 6.
  EXPECT_EQ(listMerges(copy(", strided<[72, 24, 6, 1]>", "%i, %j, %k, %l")),
            "0:3");
  EXPECT_EQ(listMerges(copy(", strided<[100, 20, 5, 1]>", "%i, %j, %k, %l")),
            "1:3");
  // Along the last two a load is the same everywhere.
  EXPECT_EQ(listMerges(parse(R"mlir(
    uop.kernel @k(%a: memref<2x3xi32>, %out: memref<2x3x4x5xi32>) {
      %i = uop.range loop 2
      %j = uop.range loop 3
      %k = uop.range loop 4
      %l = uop.range loop 5
      %x = uop.load %a[%i, %j] : memref<2x3xi32>
      uop.store %x, %out[%i, %j, %k, %l] : memref<2x3x4x5xi32>
    }
  )mlir")),
            "0:2 2:2");
  EXPECT_EQ(listMerges(copy("", "%i, %j, %k, %l",
                            "%v = arith.index_cast %l : index to i32\n"
                            "uop.store %v, %p[%l] : memref<5xi32>\n")),
            "0:3");
}
