//===- FreeRangesTest.cpp - Free ranges against their definition ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "GraphBuilder.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>
#include <set>

using namespace mlir;
using namespace uop;

/// The definition: a range is free in itself, an op in whatever its operands
/// are, without what it closes.
static std::set<Operation *> computeNaively(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<RangeOp>(op))
    return {op};
  std::set<Operation *> free;
  for (Value operand : op->getOperands()) {
    std::set<Operation *> operandFree = computeNaively(operand);
    free.insert(operandFree.begin(), operandFree.end());
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    for (Value closed : reduce.getOver())
      free.erase(closed.getDefiningOp());
  return free;
}

TEST(FreeRangesTest, AgreesWithTheDefinitionOnRandomGraphs) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto pick = [&](size_t count) { return size_t(random() % count); };
    GraphBuilder graph;
    Type i32 = graph.builder.getI32Type();
    SmallVector<Value> indices, data;
    SmallVector<RangeOp> reductions;
    for (unsigned i = 0; i < 4; ++i) {
      indices.push_back(graph.range(AxisKind::Loop, 4));
      reductions.push_back(graph.range(AxisKind::Reduce, 4));
      indices.push_back(reductions.back());
    }
    indices.push_back(graph.constant(3));
    indices.push_back(graph.argument(0));
    for (unsigned i = 0; i < 14; ++i) {
      indices.push_back(graph.make<arith::AddIOp>(
          indices[pick(indices.size())], indices[pick(indices.size())]));
      Value value = arith::IndexCastOp::create(graph.builder, graph.loc, i32,
                                               indices[pick(indices.size())]);
      if (!data.empty())
        value = graph.make<arith::AddIOp>(value, data[pick(data.size())]);
      if (pick(3) == 0)
        value = ReduceOp::create(graph.builder, graph.loc,
                                 vector::CombiningKind::ADD, value,
                                 ValueRange{reductions[pick(4)]})
                    .getResult(0);
      data.push_back(value);
    }
    FreeRanges freeRanges;
    for (Operation &op : graph.kernel.getBodyBlock()) {
      std::set<Operation *> expected = computeNaively(op.getResult(0));
      ArrayRef<RangeOp> actual = freeRanges.of(op.getResult(0));
      EXPECT_EQ(std::set<Operation *>(actual.begin(), actual.end()), expected);
      // Each once, in the order of their definition.
      for (size_t i = 1; i < actual.size(); ++i)
        EXPECT_TRUE(RangeOp(actual[i - 1])->isBeforeInBlock(actual[i]));
    }
  }
}

// A hundred thousand ops deep: neither recursion nor quadratic time, in the
// analysis, the verifier and the printer.
TEST(FreeRangesTest, IsLinearInTheDepth) {
  GraphBuilder graph;
  graph.kernel.setFunctionType(graph.builder.getFunctionType(
      {graph.builder.getIndexType(), graph.builder.getIndexType(),
       MemRefType::get({8}, graph.builder.getI32Type())},
      {}));
  Value out = graph.kernel.getBodyBlock().addArgument(
      MemRefType::get({8}, graph.builder.getI32Type()), graph.loc);
  RangeOp range = graph.range(AxisKind::Loop, 8);
  Value value = arith::IndexCastOp::create(graph.builder, graph.loc,
                                           graph.builder.getI32Type(), range);
  for (unsigned i = 0; i < 100000; ++i)
    value = graph.make<arith::AddIOp>(value, value);
  StoreOp::create(graph.builder, graph.loc, value, out, ValueRange{range},
                  ValueRange{range}, Value(), vector::CombiningKindAttr(),
                  UnitAttr());
  auto start = std::chrono::steady_clock::now();
  FreeRanges freeRanges;
  EXPECT_EQ(freeRanges.of(value).size(), 1u);
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  // A hundred times what it takes, so that a busy machine passes.
  EXPECT_LT(elapsed.count(), 5.0);
  EXPECT_TRUE(succeeded(verify(graph.module)));
  std::string text;
  llvm::raw_string_ostream stream(text);
  graph.module.print(stream);
  // The domain of a large expression is stated.
  EXPECT_NE(text.find("over(%loop)"), std::string::npos);
}

// The parser meets cycles before the verifier refuses them.
TEST(FreeRangesTest, EndsOnCycles) {
  GraphBuilder graph;
  RangeOp range = graph.range(AxisKind::Loop, 8);
  Value first = graph.make<arith::AddIOp>(range, range);
  Value second = graph.make<arith::AddIOp>(first, range);
  first.getDefiningOp()->setOperand(1, second);
  FreeRanges freeRanges;
  EXPECT_EQ(freeRanges.of(second).size(), 1u);
  EXPECT_EQ(freeRanges.of(first).size(), 1u);
  first.getDefiningOp()->setOperand(1, range);
}
