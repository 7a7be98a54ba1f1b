//===- IndexExpr.cpp - Index expressions as they are written --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace uop;

bool uop::isBoolean(IndexOp op) {
  return op == IndexOp::BoolConstant || op == IndexOp::BoolSymbol ||
         op >= IndexOp::Less;
}

void IndexNode::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(unsigned(op));
  id.AddInteger(value);
  for (const IndexNode *operand : getOperands())
    id.AddPointer(operand);
}

IndexExpr IndexContext::unique(const IndexNode &node) {
  llvm::FoldingSetNodeID id;
  node.Profile(id);
  void *position;
  if (IndexNode *known = nodes.FindNodeOrInsertPos(id, position))
    return known;
  auto *created = new (allocator.Allocate<IndexNode>()) IndexNode(node);
  created->hash = id.ComputeHash();
  nodes.InsertNode(created, position);
  return created;
}

IndexExpr IndexContext::getConstant(int64_t value) {
  IndexNode node;
  node.op = IndexOp::Constant;
  node.value = value;
  return unique(node);
}

IndexExpr IndexContext::getBool(bool value) {
  IndexNode node;
  node.op = IndexOp::BoolConstant;
  node.value = value;
  return unique(node);
}

IndexExpr IndexContext::createSymbol(IndexBounds symbolBounds) {
  IndexNode node;
  node.op = IndexOp::Symbol;
  node.value = bounds.size();
  bounds.push_back(symbolBounds);
  symbols.push_back(unique(node));
  return symbols.back();
}

IndexExpr IndexContext::createBoolSymbol() {
  IndexNode node;
  node.op = IndexOp::BoolSymbol;
  node.value = bounds.size();
  bounds.push_back({0, 1});
  symbols.push_back(unique(node));
  return symbols.back();
}

IndexExpr IndexContext::get(IndexOp op, llvm::ArrayRef<IndexExpr> operands) {
  IndexNode node;
  node.op = op;
  node.numOperands = operands.size();
  uint64_t size = 1;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    node.operands[index] = operand;
    size += operand->getTreeSize();
  }
  node.treeSize =
      std::min<uint64_t>(size, std::numeric_limits<uint32_t>::max());
  return unique(node);
}

unsigned IndexContext::countOps(llvm::ArrayRef<IndexExpr> exprs) {
  llvm::DenseSet<IndexExpr> seen;
  llvm::SmallVector<IndexExpr> stack(exprs);
  unsigned count = 0;
  while (!stack.empty()) {
    IndexExpr expr = stack.pop_back_val();
    if (expr->isLeaf() || !seen.insert(expr).second)
      continue;
    ++count;
    llvm::append_range(stack, expr->getOperands());
  }
  return count;
}

/// Quotient and remainder rounded towards negative infinity.
static std::pair<int64_t, int64_t> divideFloor(int64_t a, int64_t b) {
  // The one quotient that leaves 64 bits; it is also no quotient of hardware.
  if (b == -1)
    return {int64_t(-uint64_t(a)), 0};
  int64_t quotient = a / b, remainder = a % b;
  bool isBelow = remainder != 0 && (remainder < 0) != (b < 0);
  return {quotient - isBelow, remainder + (isBelow ? b : 0)};
}

/// The value of an operation, wrapped, and whether it is exact; none where it
/// divides by zero.
static std::optional<std::pair<int64_t, bool>> apply(IndexOp op, int64_t a,
                                                     int64_t b, int64_t c) {
  int64_t result = 0;
  bool isExact = true;
  switch (op) {
  case IndexOp::Add:
    isExact = !__builtin_add_overflow(a, b, &result);
    break;
  case IndexOp::Sub:
    isExact = !__builtin_sub_overflow(a, b, &result);
    break;
  case IndexOp::Mul:
    isExact = !__builtin_mul_overflow(a, b, &result);
    break;
  case IndexOp::FloorDiv:
  case IndexOp::FloorMod:
  case IndexOp::CeilDiv: {
    if (b == 0)
      return std::nullopt;
    auto [quotient, remainder] = divideFloor(a, b);
    bool isMod = op == IndexOp::FloorMod;
    isExact = isMod || b != -1 || a != std::numeric_limits<int64_t>::min();
    bool roundsUp = op == IndexOp::CeilDiv && remainder != 0;
    result = isMod ? remainder : quotient + roundsUp;
    break;
  }
  case IndexOp::Min:
    result = std::min(a, b);
    break;
  case IndexOp::Max:
    result = std::max(a, b);
    break;
  case IndexOp::Select:
    result = a ? b : c;
    break;
  case IndexOp::Less:
    result = a < b;
    break;
  case IndexOp::LessEqual:
    result = a <= b;
    break;
  case IndexOp::Greater:
    result = a > b;
    break;
  case IndexOp::GreaterEqual:
    result = a >= b;
    break;
  case IndexOp::Equal:
    result = a == b;
    break;
  case IndexOp::NotEqual:
    result = a != b;
    break;
  case IndexOp::And:
    result = a && b;
    break;
  case IndexOp::Or:
    result = a || b;
    break;
  case IndexOp::Not:
    result = !a;
    break;
  case IndexOp::Constant:
  case IndexOp::Symbol:
  case IndexOp::BoolConstant:
  case IndexOp::BoolSymbol:
    return std::nullopt;
  }
  return std::pair(result, isExact);
}

IndexEvaluator::IndexEvaluator(IndexExpr root) {
  llvm::DenseMap<IndexExpr, unsigned> places;
  llvm::SmallVector<IndexExpr> stack{root};
  while (!stack.empty()) {
    IndexExpr expr = stack.back();
    if (places.contains(expr)) {
      stack.pop_back();
      continue;
    }
    Step step{expr->getOp(), unsigned(values.size()), {}};
    bool isReady = true;
    for (auto [index, operand] : llvm::enumerate(expr->getOperands())) {
      auto it = places.find(operand);
      if (it != places.end()) {
        step.operands[index] = it->second;
        continue;
      }
      stack.push_back(operand);
      isReady = false;
    }
    if (!isReady)
      continue;
    stack.pop_back();
    places[expr] = step.result;
    // A constant is there from the start.
    values.push_back(expr->getValue());
    if (step.op == IndexOp::Symbol || step.op == IndexOp::BoolSymbol)
      symbols.push_back({expr->getValue(), step.result});
    else if (!expr->isLeaf())
      steps.push_back(step);
  }
}

std::optional<int64_t> IndexEvaluator::operator()(llvm::ArrayRef<int64_t> point,
                                                  bool wraps) {
  for (auto [symbol, place] : symbols)
    values[place] = point[symbol];
  for (const Step &step : steps) {
    auto result = apply(step.op, values[step.operands[0]],
                        values[step.operands[1]], values[step.operands[2]]);
    if (!result || (!wraps && !result->second))
      return std::nullopt;
    values[step.result] = result->first;
  }
  return values.back();
}

static llvm::StringRef getSpelling(IndexOp op) {
  switch (op) {
  case IndexOp::Add:
    return "+";
  case IndexOp::Sub:
    return "-";
  case IndexOp::Mul:
    return "*";
  case IndexOp::FloorDiv:
    return "//";
  case IndexOp::FloorMod:
    return "%";
  case IndexOp::CeilDiv:
    return "ceildiv";
  case IndexOp::Less:
    return "<";
  case IndexOp::LessEqual:
    return "<=";
  case IndexOp::Greater:
    return ">";
  case IndexOp::GreaterEqual:
    return ">=";
  case IndexOp::Equal:
    return "==";
  case IndexOp::NotEqual:
    return "!=";
  case IndexOp::Min:
    return "min";
  case IndexOp::Max:
    return "max";
  case IndexOp::Select:
    return "select";
  case IndexOp::And:
    return "and";
  case IndexOp::Or:
    return "or";
  case IndexOp::Not:
    return "not";
  case IndexOp::Constant:
  case IndexOp::Symbol:
  case IndexOp::BoolConstant:
  case IndexOp::BoolSymbol:
    break;
  }
  return "";
}

void uop::print(IndexExpr expr, llvm::raw_ostream &os,
                llvm::function_ref<void(int64_t)> printSymbol) {
  switch (expr->getOp()) {
  case IndexOp::Constant:
    os << expr->getValue();
    return;
  case IndexOp::BoolConstant:
    os << (expr->getValue() ? "true" : "false");
    return;
  case IndexOp::Symbol:
  case IndexOp::BoolSymbol:
    printSymbol(expr->getValue());
    return;
  case IndexOp::CeilDiv:
  case IndexOp::Min:
  case IndexOp::Max:
  case IndexOp::Select:
  case IndexOp::And:
  case IndexOp::Or:
  case IndexOp::Not:
    os << getSpelling(expr->getOp()) << "(";
    llvm::interleaveComma(expr->getOperands(), os, [&](IndexExpr operand) {
      print(operand, os, printSymbol);
    });
    os << ")";
    return;
  default:
    break;
  }
  auto printOperand = [&](IndexExpr operand) {
    bool isInfix =
        operand->getOperands().size() == 2 &&
        operand->getOp() != IndexOp::CeilDiv &&
        operand->getOp() != IndexOp::Min && operand->getOp() != IndexOp::Max &&
        operand->getOp() != IndexOp::And && operand->getOp() != IndexOp::Or;
    os << (isInfix ? "(" : "");
    print(operand, os, printSymbol);
    os << (isInfix ? ")" : "");
  };
  printOperand(expr->getOperands()[0]);
  os << " " << getSpelling(expr->getOp()) << " ";
  printOperand(expr->getOperands()[1]);
}
