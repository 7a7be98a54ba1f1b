//===- IndexText.cpp - Index expressions from text, for tests -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexText.h"
#include <cctype>
#include <cstdio>

using namespace uop;
using namespace uop::test;

Symbols uop::test::parseBounds(IndexContext &context, const std::string &text) {
  Symbols symbols;
  const char *position = text.c_str();
  char name[32];
  long long low, high;
  int length;
  while (std::sscanf(position, " %31[a-z] in [%lld,%lld]%n", name, &low, &high,
                     &length) == 3) {
    IndexBounds bounds{low, high};
    symbols.names.push_back(name);
    symbols.bounds.push_back(bounds);
    symbols.byName[name] = context.createSymbol(bounds);
    position += length;
    if (*position == ',')
      ++position;
  }
  return symbols;
}

namespace {
/// Recursive descent; `//`, `%` and `*` bind alike, from the left.
class Parser {
public:
  Parser(IndexContext &context, const Symbols &symbols, const std::string &text)
      : context(context), symbols(symbols) {
    for (char c : text)
      if (!std::isspace(static_cast<unsigned char>(c)))
        rest += c;
  }

  IndexExpr parse() {
    IndexExpr expr = comparison();
    return rest.empty() ? expr : nullptr;
  }

private:
  bool take(const char *token) {
    std::string text = token;
    if (rest.compare(0, text.size(), text) != 0)
      return false;
    rest.erase(0, text.size());
    return true;
  }

  IndexExpr get(IndexOp op, std::vector<IndexExpr> operands) {
    for (IndexExpr operand : operands)
      if (!operand)
        return nullptr;
    return context.get(op, operands);
  }

  IndexExpr comparison() {
    IndexExpr left = sum();
    if (take("<="))
      return get(IndexOp::LessEqual, {left, sum()});
    if (take(">="))
      return get(IndexOp::GreaterEqual, {left, sum()});
    if (take("=="))
      return get(IndexOp::Equal, {left, sum()});
    if (take("!="))
      return get(IndexOp::NotEqual, {left, sum()});
    if (take("<"))
      return get(IndexOp::Less, {left, sum()});
    if (take(">"))
      return get(IndexOp::Greater, {left, sum()});
    return left;
  }

  IndexExpr sum() {
    IndexExpr left = product();
    while (left) {
      if (take("+"))
        left = get(IndexOp::Add, {left, product()});
      else if (take("-"))
        left = get(IndexOp::Sub, {left, product()});
      else
        break;
    }
    return left;
  }

  IndexExpr product() {
    IndexExpr left = unary();
    while (left) {
      if (take("//"))
        left = get(IndexOp::FloorDiv, {left, unary()});
      else if (take("%"))
        left = get(IndexOp::FloorMod, {left, unary()});
      else if (take("*"))
        left = get(IndexOp::Mul, {left, unary()});
      else
        break;
    }
    return left;
  }

  IndexExpr unary() {
    if (!take("-"))
      return primary();
    IndexExpr operand = unary();
    if (operand && operand->getOp() == IndexOp::Constant)
      return context.getConstant(-operand->getValue());
    return get(IndexOp::Sub, {context.getConstant(0), operand});
  }

  IndexExpr primary() {
    if (take("(")) {
      IndexExpr expr = comparison();
      return take(")") ? expr : nullptr;
    }
    size_t length = 0;
    while (length < rest.size() &&
           std::isalnum(static_cast<unsigned char>(rest[length])))
      ++length;
    std::string word = rest.substr(0, length);
    rest.erase(0, length);
    if (word.empty())
      return nullptr;
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      return context.getConstant(std::stoll(word));
    if (auto it = symbols.byName.find(word); it != symbols.byName.end())
      return it->second;
    if (!take("("))
      return nullptr;
    std::vector<IndexExpr> operands;
    do
      operands.push_back(comparison());
    while (take(","));
    if (!take(")"))
      return nullptr;
    if (word == "min" && operands.size() == 2)
      return get(IndexOp::Min, operands);
    if (word == "ceildiv" && operands.size() == 2)
      return get(IndexOp::CeilDiv, operands);
    if (word == "max" && operands.size() == 2)
      return get(IndexOp::Max, operands);
    if (word == "select" && operands.size() == 3)
      return get(IndexOp::Select, operands);
    if (word == "lnot" && operands.size() == 1)
      return get(IndexOp::Not, operands);
    return nullptr;
  }

  IndexContext &context;
  const Symbols &symbols;
  std::string rest;
};
} // namespace

IndexExpr uop::test::parseExpr(IndexContext &context, const Symbols &symbols,
                               const std::string &text) {
  return Parser(context, symbols, text).parse();
}

std::string uop::test::toString(IndexExpr expr, const Symbols &symbols) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(expr, os, [&](int64_t symbol) { os << symbols.names[symbol]; });
  return text;
}

bool uop::test::forEachPoint(
    const std::vector<IndexBounds> &bounds, uint64_t limit,
    std::mt19937_64 &random,
    const std::function<bool(llvm::ArrayRef<int64_t>)> &visit) {
  std::vector<int64_t> point;
  uint64_t count = 1;
  for (IndexBounds each : bounds) {
    point.push_back(*each.low);
    count = std::min<uint64_t>(count, limit + 1) *
            uint64_t(std::min<int64_t>(*each.high - *each.low + 1, 1 << 30));
  }
  if (count <= limit) {
    while (visit(point)) {
      size_t axis = point.size();
      while (axis != 0 && point[axis - 1] == *bounds[axis - 1].high)
        --axis, point[axis] = *bounds[axis].low;
      if (axis == 0)
        return true;
      ++point[axis - 1];
    }
    return false;
  }
  for (uint64_t i = 0; i < limit; ++i) {
    for (size_t axis = 0; axis < point.size(); ++axis) {
      int64_t low = *bounds[axis].low, high = *bounds[axis].high;
      uint64_t choice = random() % 8;
      point[axis] = choice == 0   ? low
                    : choice == 1 ? high
                                  : low + int64_t(random() % (high - low + 1));
    }
    if (!visit(point))
      return false;
  }
  return true;
}
