//===- Footprint.h - The elements that accesses touch -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much of a buffer all threads of a launch touch together, in closed form:
// however large the launch is, nothing is enumerated. An access touches, along
// each dimension of its buffer, a set of integers
//
//   { base + sum of c_i x_i + r : 0 <= x_i < n_i, 0 <= r < run }
//
// in which the digits x_i are indices of block and thread, counters of loops
// and quotients and remainders of these. Sets whose digits do not overlap are
// counted exactly; of others an upper bound is known.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_FOOTPRINT_H
#define UOP_ANALYSIS_FOOTPRINT_H

#include "Uop/IR/Uop.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace uop {

/// A set of integers as above.
class DigitSet {
public:
  /// The `run` integers from `base` on.
  explicit DigitSet(int64_t base = 0, int64_t run = 1) : base(base), run(run) {}

  /// Adds c * x for 0 <= x < count to each element; c may be negative.
  void addDigit(int64_t coefficient, int64_t count);
  /// Adds each of the numbers, which are in ascending order, to each element.
  void addOffsets(llvm::ArrayRef<int64_t> offsets);

  /// The elements, at most; exactly that many where `isExact`.
  int64_t size() const;
  bool isExact() const;
  /// All integers from the least to the greatest one.
  bool isInterval() const { return getDigits().empty(); }
  int64_t getLeast() const { return base; }
  int64_t getGreatest() const;
  /// Leaves out what is below 0 or not below `end`: exactly of an interval,
  /// else the set is no longer known exactly.
  void clip(int64_t end);
  /// Whether the other set is this one moved.
  bool hasSameDigits(const DigitSet &other) const;
  void setBase(int64_t value) { base = value; }

private:
  struct Digit {
    int64_t coefficient, count;
    bool operator==(const Digit &other) const {
      return coefficient == other.coefficient && count == other.count;
    }
  };
  /// Those that do not make the run longer, ascending.
  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  void normalize(llvm::SmallVector<Digit> all);

  int64_t base, run;
  llvm::SmallVector<Digit, 3> digits;
  bool overlaps = false;
};

/// A product of sets, one a dimension; empty for one point.
using DigitBox = std::vector<DigitSet>;

struct FootprintSize {
  /// Elements.
  int64_t elements = 0;
  /// Else there may be fewer.
  bool isExact = true;
};

/// The size of the union of boxes of equal rank.
FootprintSize countUnion(llvm::ArrayRef<DigitBox> boxes);

/// What is read and written of a buffer by a launch.
struct BufferFootprint {
  std::optional<FootprintSize> reads, writes;
  int64_t elementBytes = 0;
};

/// The footprint of each argument of a kernel in loop form that it accesses, in
/// the order of the first access. A part is none where sizes are dynamic.
llvm::MapVector<mlir::Value, BufferFootprint>
computeFootprints(KernelOp kernel);

} // namespace uop

#endif // UOP_ANALYSIS_FOOTPRINT_H
