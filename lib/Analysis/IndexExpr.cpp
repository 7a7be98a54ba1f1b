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

static std::optional<WideInt> apply(IndexOp op, llvm::ArrayRef<WideInt> args) {
  WideInt a = args[0], b = args[1];
  switch (op) {
  case IndexOp::Add:
    return a + b;
  case IndexOp::Sub:
    return a - b;
  case IndexOp::Mul:
    return a * b;
  case IndexOp::FloorDiv:
    return b == 0 ? std::nullopt : std::optional(floorDiv(a, b));
  case IndexOp::FloorMod:
    return b == 0 ? std::nullopt : std::optional(floorMod(a, b));
  case IndexOp::CeilDiv:
    return b == 0 ? std::nullopt : std::optional(ceilDiv(a, b));
  case IndexOp::Min:
    return std::min(a, b);
  case IndexOp::Max:
    return std::max(a, b);
  case IndexOp::Select:
    return a ? b : args[2];
  case IndexOp::Less:
    return a < b;
  case IndexOp::LessEqual:
    return a <= b;
  case IndexOp::Greater:
    return a > b;
  case IndexOp::GreaterEqual:
    return a >= b;
  case IndexOp::Equal:
    return a == b;
  case IndexOp::NotEqual:
    return a != b;
  case IndexOp::And:
    return a && b;
  case IndexOp::Or:
    return a || b;
  case IndexOp::Not:
    return !a;
  case IndexOp::Constant:
  case IndexOp::Symbol:
  case IndexOp::BoolConstant:
  case IndexOp::BoolSymbol:
    break;
  }
  return std::nullopt;
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
    Step step{expr, {}};
    for (IndexExpr operand : expr->getOperands()) {
      auto it = places.find(operand);
      if (it == places.end())
        stack.push_back(operand);
      else
        step.operands.push_back(it->second);
    }
    if (step.operands.size() != expr->getOperands().size())
      continue;
    places[expr] = steps.size();
    steps.push_back(step);
    stack.pop_back();
  }
  values.resize(steps.size());
}

std::optional<int64_t>
IndexEvaluator::operator()(llvm::ArrayRef<int64_t> symbols, bool wraps) {
  for (auto [step, value] : llvm::zip_equal(steps, values)) {
    IndexOp op = step.expr->getOp();
    if (step.expr->isLeaf()) {
      bool isSymbol = op == IndexOp::Symbol || op == IndexOp::BoolSymbol;
      value = isSymbol ? symbols[step.expr->getValue()] : step.expr->getValue();
      continue;
    }
    WideInt args[3] = {};
    for (auto [arg, place] : llvm::zip(args, step.operands))
      arg = values[place];
    std::optional<WideInt> result = apply(op, args);
    if (!result || (!wraps && !narrow(*result)))
      return std::nullopt;
    value = int64_t(*result);
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
