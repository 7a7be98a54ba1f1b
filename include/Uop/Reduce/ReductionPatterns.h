//===- ReductionPatterns.h - Rewrites that make kernels smaller -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What test-case reduction tries on a module. The rewrites do not keep its
// meaning: whoever applies one verifies the module, and asks whether it still
// fails in the way that is looked for.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REDUCE_REDUCTIONPATTERNS_H
#define UOP_REDUCE_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
} // namespace mlir

namespace uop {

/// Gives the dialect upstream's `DialectReductionPatternInterface` with the
/// patterns below, for `reduceModule`. They erase ops, also others than the one
/// that they are applied to, which upstream's `reduction-tree` does not expect.
void registerReductionPatternInterface(mlir::DialectRegistry &registry);

/// Each pattern is one thing to try at an op, those that take most away first:
///
/// * any op: erase it where nothing uses it, replace its results by an operand
///   of their type, or by 0 or 1; halve constants; drop attributes;
/// * kernels: erase one with its launches, drop arguments and steps of the
///   schedule, make memrefs as small as the accesses to them;
/// * graph form: drop ranges, masks, reductions and stages, shrink extents;
/// * loop form and other control flow: take one branch or the first iteration,
///   drop carried values, run a phase without its barriers.
///
/// A pattern that has alternatives is there once for each.
void populateReductionPatterns(mlir::RewritePatternSet &patterns);

} // namespace uop

#endif // UOP_REDUCE_REDUCTIONPATTERNS_H
