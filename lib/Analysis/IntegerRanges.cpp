//===- IntegerRanges.cpp - Upstream's ranges, of arguments too ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IntegerRanges.h"
#include "Uop/IR/ArgumentRanges.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"

using namespace mlir;
using namespace uop;

namespace {

struct ArgumentRangeAnalysis : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  void setToEntryState(dataflow::IntegerValueRangeLattice *lattice) override {
    std::optional<ConstantIntRanges> range =
        getArgumentRange(lattice->getAnchor());
    if (!range)
      return IntegerRangeAnalysis::setToEntryState(lattice);
    propagateIfChanged(lattice, lattice->join(IntegerValueRange(*range)));
  }
};

} // namespace

void uop::loadIntegerRanges(DataFlowSolver &solver) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<ArgumentRangeAnalysis>();
}

static IndexBounds toBounds(const ConstantIntRanges &range) {
  if (range.smin().getBitWidth() > 64)
    return {};
  return {range.smin().getSExtValue(), range.smax().getSExtValue()};
}

IndexBounds uop::lookUpBounds(const DataFlowSolver &solver, Value value) {
  const auto *lattice =
      solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized())
    return {};
  return toBounds(lattice->getValue().getValue());
}

IndexBounds uop::getArgumentBounds(Value value) {
  std::optional<ConstantIntRanges> range = getArgumentRange(value);
  return range ? toBounds(*range) : IndexBounds();
}
