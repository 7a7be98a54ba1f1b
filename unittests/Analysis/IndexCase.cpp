//===- IndexCase.cpp - Cases of index algebra, and smaller ones -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexCase.h"
#include "gtest/gtest.h"

using namespace uop;
using namespace uop::test;

Tree uop::test::toTree(IndexExpr expr) {
  Tree tree{expr->getOp(), expr->getValue()};
  for (IndexExpr operand : expr->getOperands())
    tree.operands.push_back(toTree(operand));
  return tree;
}

static bool isSymbol(const Tree &tree) {
  return tree.op == IndexOp::Symbol || tree.op == IndexOp::BoolSymbol;
}

/// Calls the function with each node, operations before their operands.
template <typename Function>
static void forEachNode(const Tree &tree, Function visit) {
  visit(tree);
  for (const Tree &operand : tree.operands)
    forEachNode(operand, visit);
}

/// Whether a symbol is used, and then as what.
static std::vector<std::optional<IndexOp>> findUsed(const Case &source) {
  std::vector<std::optional<IndexOp>> used(source.symbols.size());
  auto visit = [&](const Tree &node) {
    if (isSymbol(node))
      used[node.value] = node.op;
  };
  forEachNode(source.expr, visit);
  if (source.condition)
    forEachNode(*source.condition, visit);
  // What a symbol is less than is older.
  for (size_t i = used.size(); i-- != 0;)
    if (used[i] && source.symbols[i].limit)
      used[*source.symbols[i].limit] = IndexOp::Symbol;
  return used;
}

//===----------------------------------------------------------------------===//
// Building and writing
//===----------------------------------------------------------------------===//

static IndexExpr buildExpr(BuiltCase &built, const Tree &tree) {
  switch (tree.op) {
  case IndexOp::Constant:
    return built.context.getConstant(tree.value);
  case IndexOp::BoolConstant:
    return built.context.getBool(tree.value);
  case IndexOp::Symbol:
  case IndexOp::BoolSymbol:
    return built.context.getSymbol(tree.value);
  default:
    break;
  }
  std::vector<IndexExpr> operands;
  for (const Tree &operand : tree.operands)
    operands.push_back(buildExpr(built, operand));
  return built.context.get(tree.op, operands);
}

BuiltCase::BuiltCase(const Case &source) {
  std::vector<std::optional<IndexOp>> used = findUsed(source);
  for (size_t i = 0; i < used.size(); ++i) {
    const CaseSymbol &symbol = source.symbols[i];
    symbols.names.push_back(std::string(1, char('a' + i)));
    // An unused symbol does not make the space larger.
    symbols.bounds.push_back(
        used[i] ? symbol.bounds : IndexBounds::exactly(*symbol.bounds.low));
    symbols.byName[symbols.names.back()] =
        used[i] == IndexOp::BoolSymbol ? context.createBoolSymbol()
        : symbol.isDeclared            ? context.createSymbol(symbol.bounds)
                                       : context.createSymbol({});
  }
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i] == IndexOp::Symbol && source.symbols[i].limit)
      context.setLimit(i, context.getSymbol(*source.symbols[i].limit));
  expr = buildExpr(*this, source.expr);
  condition = source.condition ? buildExpr(*this, *source.condition) : nullptr;
}

std::string uop::test::toString(const Case &source) {
  BuiltCase built(source);
  std::string text = toString(built.expr, built.symbols);
  if (built.condition)
    text += " under " + toString(built.condition, built.symbols);
  const char *separator = ", where ";
  std::vector<std::optional<IndexOp>> used = findUsed(source);
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] != IndexOp::Symbol)
      continue;
    const CaseSymbol &symbol = source.symbols[i];
    text += separator + built.symbols.names[i] +
            (symbol.isDeclared ? " in [" : " among [") +
            std::to_string(*symbol.bounds.low) + "," +
            std::to_string(*symbol.bounds.high) + "]";
    if (symbol.limit)
      text += " below " + built.symbols.names[*symbol.limit];
    separator = ", ";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

bool uop::test::isWithinLimits(const Case &source,
                               llvm::ArrayRef<int64_t> point) {
  for (size_t i = 0; i < point.size(); ++i)
    if (std::optional<size_t> limit = source.symbols[i].limit)
      if (point[i] >= point[*limit])
        return false;
  return true;
}

std::optional<std::string> uop::test::findFault(const Case &source,
                                                const Rewrite &rewrite) {
  BuiltCase built(source);
  IndexExpr expr = built.expr, condition = built.condition;
  IndexExpr result = rewrite(built.context, expr, condition);
  // Names are for the symbols of the case: a rewrite uses no others.
  auto describe = [&](IndexExpr other) {
    return "'" + toString(other, built.symbols) + "'";
  };
  if (IndexContext::countOps(result) > IndexContext::countOps(expr))
    return "grows to " + describe(result);
  if (IndexExpr again = rewrite(built.context, result, condition);
      again != result)
    return "becomes " + describe(result) + ", and then " + describe(again);

  if (result == expr)
    return std::nullopt;

  std::optional<std::string> fault;
  std::mt19937_64 random(1);
  IndexEvaluator before(expr), after(result);
  std::optional<IndexEvaluator> holds;
  if (condition)
    holds.emplace(condition);
  forEachPoint(built.symbols.bounds, 20000, random, [&](auto point) {
    if (!isWithinLimits(source, point))
      return true;
    std::optional<int64_t> expected = before(point);
    if (!expected)
      return true;
    std::optional<int64_t> value = after(point, /*wraps=*/true);
    // Where the value does not matter it is computed all the same.
    if (holds && (*holds)(point) != 1 && value)
      return true;
    if (value == expected)
      return true;
    fault = "becomes " + describe(result) + ", which is " +
            (value ? std::to_string(*value) : "nothing") + " in place of " +
            std::to_string(*expected) + " at " +
            testing::PrintToString(point.vec());
    return false;
  });
  return fault;
}

//===----------------------------------------------------------------------===//
// Smaller cases
//===----------------------------------------------------------------------===//

/// What may stand in place of a node: each is smaller.
static std::vector<Tree> findSmaller(const Tree &node) {
  std::vector<Tree> smaller;
  if (node.operands.empty()) {
    if (node.op != IndexOp::Constant || node.value == 0)
      return smaller;
    smaller.push_back({IndexOp::Constant, 0});
    if (node.value < 0 && node.value != std::numeric_limits<int64_t>::min())
      smaller.push_back({IndexOp::Constant, -node.value});
    if (node.value / 2 != 0)
      smaller.push_back({IndexOp::Constant, node.value / 2});
    int64_t step = node.value < 0 ? 1 : -1;
    if (node.value + step != 0)
      smaller.push_back({IndexOp::Constant, node.value + step});
    return smaller;
  }
  if (isBoolean(node.op)) {
    smaller.push_back({IndexOp::BoolConstant, 0});
    smaller.push_back({IndexOp::BoolConstant, 1});
  } else {
    smaller.push_back({IndexOp::Constant, 0});
    smaller.push_back({IndexOp::Constant, 1});
  }
  for (const Tree &operand : node.operands)
    if (isBoolean(operand.op) == isBoolean(node.op))
      smaller.push_back(operand);
  return smaller;
}

/// Tries each smaller tree in place of each node of `tree`, which is in
/// `source`. Returns whether one was kept.
static bool shrinkTree(Case &source, Tree &tree,
                       const std::function<bool(const Case &)> &fails) {
  for (Tree &candidate : findSmaller(tree)) {
    std::swap(tree, candidate);
    if (fails(source))
      return true;
    std::swap(tree, candidate);
  }
  for (Tree &operand : tree.operands)
    if (shrinkTree(source, operand, fails))
      return true;
  return false;
}

static bool shrinkBounds(Case &source,
                         const std::function<bool(const Case &)> &fails) {
  std::vector<std::optional<IndexOp>> used = findUsed(source);
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] != IndexOp::Symbol)
      continue;
    IndexBounds &bounds = source.symbols[i].bounds;
    int64_t low = *bounds.low, high = *bounds.high;
    int64_t width = high - low;
    int64_t inside = low > 0 ? low : high < 0 ? high : 0;
    for (IndexBounds candidate :
         {IndexBounds{inside, high}, IndexBounds{low, inside},
          IndexBounds{low, low + width / 2},
          IndexBounds{high - width / 2, high}, IndexBounds{low, high - 1},
          IndexBounds{low + 1, high}}) {
      if (width == 0 || *candidate.high - *candidate.low >= width)
        continue;
      bounds = candidate;
      if (fails(source))
        return true;
    }
    bounds = {low, high};
    std::optional<size_t> limit =
        std::exchange(source.symbols[i].limit, std::nullopt);
    if (limit && fails(source))
      return true;
    source.symbols[i].limit = limit;
  }
  return false;
}

Case uop::test::shrink(Case source,
                       const std::function<bool(const Case &)> &fails) {
  while (true) {
    if (source.condition) {
      Case without = source;
      without.condition.reset();
      if (fails(without)) {
        source = without;
        continue;
      }
    }
    if (shrinkTree(source, source.expr, fails))
      continue;
    if (source.condition && shrinkTree(source, *source.condition, fails))
      continue;
    if (!shrinkBounds(source, fails))
      return source;
  }
}
