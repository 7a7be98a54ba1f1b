//===- IterationClasses.h - Iterations of equal cost ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves which blocks, and which iterations of a loop, make requests of equal
// cost. The proof is for one variable at a time, for all values of the others:
//
// * In a segment of a variable's values, what intervals say of conditions and
//   minima holds throughout.
// * There, values are followed as value(v + period) = value(v) + step, in all
//   lanes alike: sums, products with constants, quotients, remainders and bits
//   are again of this form.
// * Conditions and loop bounds have to repeat (step 0), and addresses have to
//   move by a multiple of what costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_ITERATIONCLASSES_H
#define UOP_LIB_ANALYSIS_TRAFFIC_ITERATIONCLASSES_H

#include "WarpProgram.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace uop::traffic {

/// Iterations from `begin` to before `end`, of which i and i + period are of
/// equal cost.
struct IterationSegment {
  int64_t begin, end, period;
};

/// How a value depends on a variable v: value(v + period) = value(v) + step.
struct Recurrence {
  int64_t period = 1;
  int64_t step = 0;
};

class IterationClasses {
public:
  /// `shifts` has for each access by how many bytes it may move.
  IterationClasses(const WarpProgram &program, llvm::ArrayRef<int64_t> shifts);

  /// The segments of a block dimension, or of the loop of a variable, in order.
  /// They cover at least all iterations that there are.
  llvm::ArrayRef<IterationSegment> getSegments(unsigned variable) const {
    return segments[variable];
  }
  /// Whether all threads run a loop equally often.
  bool isUniform(unsigned variable) const {
    return !hasThreadBounds.test(variable);
  }

private:
  using Ranges = std::vector<mlir::ConstantIntRanges>;

  void findDependences(llvm::ArrayRef<Step> steps, bool &hasChanged);
  void findDependences(const Step &loop, llvm::ArrayRef<const Copies *> copies,
                       bool &hasChanged);
  void addDependence(unsigned slot, const llvm::SmallBitVector &variables,
                     bool &hasChanged);
  void findLoops(llvm::ArrayRef<Step> steps);

  void inferRanges(llvm::ArrayRef<Step> steps);
  void inferRange(const Step &step);
  void setFullRanges(const Copies &copies);
  void setLoopRange(const Step &loop, int64_t first, int64_t last);
  bool isConstant(unsigned slot, int64_t &value) const;
  bool isDependent(unsigned slot) const {
    return dependences[slot].test(variable);
  }

  void planVariable(unsigned planned, int64_t count);
  std::optional<int64_t> findPeriod(int64_t begin, int64_t end);
  /// Follows the steps; false where a demand is not met.
  bool follow(llvm::ArrayRef<Step> steps);
  bool followFor(const Step &step);
  bool followWhile(const Step &step);
  bool followIf(const Step &step);
  bool demandAddress(unsigned access);
  bool demand(int64_t period);
  bool demandRepeating(unsigned slot);
  void carry(const Copies &copies);
  void carryLoop(const Step &step);
  std::optional<Recurrence> getRecurrence(unsigned slot) const;

  const WarpProgram &program;
  llvm::ArrayRef<int64_t> shifts;
  /// For each slot the variables that its value depends on.
  std::vector<llvm::SmallBitVector> dependences;
  std::vector<const Step *> loops;
  llvm::SmallBitVector hasThreadBounds, isCarrying;
  std::vector<llvm::SmallVector<IterationSegment, 2>> segments;

  /// For all values of all variables.
  Ranges fullRanges;
  /// The variable that is planned, and what holds in the current segment.
  unsigned variable = 0;
  int64_t period = 1;
  Ranges ranges;
  std::vector<std::optional<Recurrence>> recurrences;
};

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_ITERATIONCLASSES_H
