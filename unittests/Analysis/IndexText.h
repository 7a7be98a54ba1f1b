//===- IndexText.h - Index expressions from text, for tests -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_ANALYSIS_INDEXTEXT_H
#define UOP_UNITTESTS_ANALYSIS_INDEXTEXT_H

#include "Uop/Analysis/IndexExpr.h"
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace uop::test {

/// The names and symbols of a case.
struct Symbols {
  std::vector<std::string> names;
  std::vector<IndexBounds> bounds;
  std::map<std::string, IndexExpr> byName;
};

/// `x in [0,63], y in [-1,15]`
Symbols parseBounds(IndexContext &context, const std::string &text);

/// `(x*16+y)//16 < 3`, with floor // and %, ceildiv, min, max, select and
/// lnot; null where it cannot be read.
IndexExpr parseExpr(IndexContext &context, const Symbols &symbols,
                    const std::string &text);

std::string toString(IndexExpr expr, const Symbols &symbols);

/// Calls the function with each point within the bounds where these are at
/// most `limit`, else with that many random ones, the corners among them. Stops
/// and returns false when the function does.
bool forEachPoint(const std::vector<IndexBounds> &bounds, uint64_t limit,
                  std::mt19937_64 &random,
                  const std::function<bool(llvm::ArrayRef<int64_t>)> &visit);

} // namespace uop::test

#endif // UOP_UNITTESTS_ANALYSIS_INDEXTEXT_H
