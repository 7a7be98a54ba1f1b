//===- IndexGenerator.h - Random index expressions --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_ANALYSIS_INDEXGENERATOR_H
#define UOP_UNITTESTS_ANALYSIS_INDEXGENERATOR_H

#include "IndexCase.h"

namespace uop::test {

/// A random case: of the kinds that mapping makes (axes folded, split and put
/// together, choices and masks on the way), near misses of these, and any
/// other. One seed makes one case (another compiler may make another).
Case generateCase(uint64_t seed);

} // namespace uop::test

#endif // UOP_UNITTESTS_ANALYSIS_INDEXGENERATOR_H
