//===- IndexExpr.h - Index expressions as they are written ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions over mathematical integers, one node an operation, equal nodes
// stored once. This is what the simplifier reads and what it writes; values of
// the IR, and the text in tests, are converted to and from it.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_INDEXEXPR_H
#define UOP_ANALYSIS_INDEXEXPR_H

#include "Uop/Analysis/IndexBounds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"

namespace uop {

enum class IndexOp : uint8_t {
  // Leaves. A symbol is a value of which only the bounds are known.
  Constant,
  Symbol,
  BoolConstant,
  BoolSymbol,
  // Of two integers.
  Add,
  Sub,
  Mul,
  FloorDiv,
  FloorMod,
  CeilDiv,
  Min,
  Max,
  // Of a boolean and two integers: what it is if true, what if false.
  Select,
  // Of two integers, a boolean.
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  // Of booleans.
  And,
  Or,
  Not,
};

/// Whether the result is a boolean.
bool isBoolean(IndexOp op);

/// A node of an expression. Nodes of one context are equal if and only if they
/// are one object.
class IndexNode : public llvm::FoldingSetNode {
public:
  IndexOp getOp() const { return op; }
  /// A constant, or the number of a symbol.
  int64_t getValue() const { return value; }
  llvm::ArrayRef<const IndexNode *> getOperands() const {
    return {operands, numOperands};
  }
  bool isLeaf() const { return numOperands == 0; }
  bool isConstant(int64_t constant) const {
    return op == IndexOp::Constant && value == constant;
  }
  /// The number of operations, those in shared operands counted each time.
  /// Saturates.
  uint32_t getTreeSize() const { return treeSize; }

  void Profile(llvm::FoldingSetNodeID &id) const;
  /// That of the profile, kept since large sets are looked through often.
  unsigned getHash() const { return hash; }

private:
  friend class IndexContext;
  unsigned hash = 0;
  IndexOp op;
  unsigned char numOperands = 0;
  uint32_t treeSize = 0;
  int64_t value = 0;
  const IndexNode *operands[3] = {};
};

using IndexExpr = const IndexNode *;

/// How a FoldingSet compares nodes that keep their hash.
template <typename T> struct HashedNodeTrait : llvm::DefaultFoldingSetTrait<T> {
  static bool Equals(const T &node, const llvm::FoldingSetNodeID &id,
                     unsigned hash, llvm::FoldingSetNodeID &scratch) {
    if (node.getHash() != hash)
      return false;
    node.Profile(scratch);
    return scratch == id;
  }
  static unsigned ComputeHash(const T &node, llvm::FoldingSetNodeID &) {
    return node.getHash();
  }
};

} // namespace uop

template <>
struct llvm::FoldingSetTrait<uop::IndexNode>
    : uop::HashedNodeTrait<uop::IndexNode> {};

namespace uop {

/// Owns expressions, and knows the bounds of their symbols.
class IndexContext {
public:
  IndexExpr getConstant(int64_t value);
  IndexExpr getBool(bool value);
  /// A new symbol. Symbols are ordered by their numbers, which ascend: where
  /// operands are put in order, the older symbol comes first.
  IndexExpr createSymbol(IndexBounds bounds);
  IndexExpr createBoolSymbol();
  /// The symbol of a number.
  IndexExpr getSymbol(int64_t number) const { return symbols[number]; }
  /// An operation, as it is given: nothing is folded.
  IndexExpr get(IndexOp op, llvm::ArrayRef<IndexExpr> operands);

  /// States that a symbol is less than an expression of older symbols.
  void setLimit(int64_t symbol, IndexExpr limit) { limits[symbol] = limit; }
  /// What a symbol is less than, beside its bounds; null where nothing is
  /// known.
  IndexExpr getLimit(int64_t symbol) const { return limits.lookup(symbol); }
  bool hasLimits() const { return !limits.empty(); }

  IndexBounds getBounds(int64_t symbol) const { return bounds[symbol]; }
  int64_t getNumSymbols() const { return bounds.size(); }

  /// The operations in the expressions, each counted once.
  static unsigned countOps(llvm::ArrayRef<IndexExpr> exprs);

private:
  IndexExpr unique(const IndexNode &node);

  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<IndexNode> nodes;
  llvm::SmallVector<IndexBounds> bounds;
  llvm::SmallVector<IndexExpr> symbols;
  llvm::DenseMap<int64_t, IndexExpr> limits;
};

/// Computes the value of one expression at many points.
class IndexEvaluator {
public:
  explicit IndexEvaluator(IndexExpr expr);

  /// The value at a point, which has those of the symbols (booleans are 0 and
  /// 1); none where it divides by zero, or an operation leaves 64 bits, unless
  /// it `wraps`, as a machine does.
  std::optional<int64_t> operator()(llvm::ArrayRef<int64_t> point,
                                    bool wraps = false);

private:
  /// An operation, after those that it uses: the places of its result and its
  /// operands in `values`.
  struct Step {
    IndexOp op;
    unsigned result;
    unsigned operands[3];
  };
  llvm::SmallVector<Step> steps;
  /// The symbols that are used, and their places.
  llvm::SmallVector<std::pair<int64_t, unsigned>> symbols;
  llvm::SmallVector<int64_t> values;
};

/// Writes an expression for people: `(s0 * 16 + s1) // 16`.
void print(IndexExpr expr, llvm::raw_ostream &os,
           llvm::function_ref<void(int64_t symbol)> printSymbol);

} // namespace uop

#endif // UOP_ANALYSIS_INDEXEXPR_H
