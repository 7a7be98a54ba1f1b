//===- ReductionPatterns.cpp - The interface of the dialect ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Reduce/ReductionPatterns.h"
#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace uop;

namespace {

class UopReductionPatterns : public DialectReductionPatternInterface {
public:
  UopReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    uop::populateReductionPatterns(patterns);
  }
};

} // namespace

void uop::registerReductionPatternInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, UopDialect *dialect) {
    dialect->addInterfaces<UopReductionPatterns>();
  });
}

void uop::populateReductionPatterns(RewritePatternSet &patterns) {
  populateErasingPatterns(patterns);
  populateControlFlowPatterns(patterns);
  populateGraphPatterns(patterns);
  populateValuePatterns(patterns);
  populateKernelPatterns(patterns);
  populateBufferPatterns(patterns);
  populateSizePatterns(patterns);
}
