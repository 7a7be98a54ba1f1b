//===- Compare.h - Compare an array with a reference ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef UOP_TOOLS_UOP_RUN_COMPARE_H
#define UOP_TOOLS_UOP_RUN_COMPARE_H

#include "Element.h"

namespace uop::run {

/// How far two numbers may be apart: |got - expected| is at most
/// absolute + relative * |expected|, as in numpy.allclose.
struct Tolerance {
  double absolute = 0;
  double relative = 0;

  /// Reads ATOL or ATOL,RTOL.
  static llvm::Expected<Tolerance> parse(llvm::StringRef text);
};

struct Comparison {
  int64_t elements = 0;
  int64_t mismatches = 0;
  /// How many elements are NaN on one side only; each is a mismatch.
  int64_t nans = 0;
  /// Over the elements that are NaN on neither side.
  double maxAbsolute = 0, maxRelative = 0;
  /// The first mismatch.
  llvm::SmallVector<int64_t> index;
  uint64_t got = 0, expected = 0;
};

/// Compares two row-major arrays. Without a tolerance numbers are to be equal,
/// where -0 equals +0. A NaN equals any NaN and nothing else; an infinity
/// equals itself and nothing else. `isUnsigned` says how integers are read.
Comparison compareArrays(const Element &element, llvm::ArrayRef<int64_t> shape,
                         const char *got, const char *expected,
                         Tolerance tolerance, bool isUnsigned = false);

/// One line without the names of the arrays, such as "2 of 6 elements, first at
/// [0, 1]: expected 2, but got 3 (max abs error 1, max rel error 0.5)".
std::string describeMismatch(const Comparison &comparison,
                             const Element &element, bool isUnsigned = false);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_COMPARE_H
