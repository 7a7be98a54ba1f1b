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
#include <string>

namespace uop {

/// The text of a small kernel in graph form, the same for the same seed: up to
/// three output axes and two reductions of prime and other sizes, all types,
/// strided, transposed, reversed and gathered accesses, masks, stores with
/// different domains, stores in place, stores that accumulate. About a third
/// are mapped by hand.
///
/// No operation is undefined at any point. Nearly all of the kernels pass the
/// verifier; one that it cannot prove is to be left out.
std::string makeRandomKernel(uint64_t seed, const std::string &name);

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_RANDOMKERNEL_H
