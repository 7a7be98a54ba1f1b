//===- RandomKernel.h - Kernels that nobody thought of ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIFFERENTIAL_RANDOMKERNEL_H
#define UOP_UNITTESTS_DIFFERENTIAL_RANDOMKERNEL_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace uop {

/// What the argument of a kernel may hold.
struct ArgumentRule {
  enum Kind {
    /// Any bits.
    Any,
    /// Numbers of moderate size.
    Moderate,
    /// Integers from 1 to 9.
    Divisors,
    /// A scalar with the given value.
    Exactly
  } kind = Any;
  int64_t value = 0;

  /// Where this is a buffer of results of so many terms each, which a group
  /// reduction may take in another order, up to rounding.
  std::optional<int64_t> terms;
  /// For sums, the number of the buffer with the sums of the magnitudes; it is
  /// of the same shape. Else these are products.
  std::optional<unsigned> magnitudes;
};

struct RandomKernel {
  std::string text;
  std::vector<ArgumentRule> arguments;
};

/// A small kernel in graph form, the same for the same seed: up to six output
/// axes and two reductions of prime and other sizes, also none, static and
/// dynamic; all types, strided, transposed, reversed, gathered and contiguous
/// accesses, masks, divisions by what is loaded, stores with different domains,
/// stores in place, stores that accumulate. About a third are mapped by hand;
/// these may have stages, in workgroup and private memory.
///
/// No operation is undefined at any point. Nearly all of the kernels pass the
/// verifier; one that it cannot prove is to be left out.
RandomKernel makeRandomKernel(uint64_t seed, const std::string &name);

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_RANDOMKERNEL_H
