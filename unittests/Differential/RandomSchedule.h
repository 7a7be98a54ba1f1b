//===- RandomSchedule.h - Schedules that nobody thought of ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIFFERENTIAL_RANDOMSCHEDULE_H
#define UOP_UNITTESTS_DIFFERENTIAL_RANDOMSCHEDULE_H

#include "Uop/Transforms/Mapping.h"
#include <random>

namespace uop {

/// A schedule that the kernel takes: of random opts, whose amounts need not
/// divide, or of the simple heuristic, perhaps with a minimum of blocks; null
/// where nothing is found in some tries. Reductions are reordered where that
/// changes nothing, and sums and products of floats where `mayReorderFloats`.
/// Diagnostics of schedules that do not apply are for the caller to hide.
ScheduleAttr chooseRandomSchedule(KernelOp kernel, bool mayReorderFloats,
                                  std::mt19937_64 &random);

/// Whether a range is closed by sums or products of floats; by `range` null,
/// whether any is.
bool hasOrderedTerms(KernelOp kernel, RangeOp range = {});

/// The opts in another order that means the same: SWAPs stay as they are among
/// themselves.
ScheduleAttr shuffleOpts(ScheduleAttr schedule, std::mt19937_64 &random);

/// Whether a schedule divides reductions among threads.
bool hasGroups(ScheduleAttr schedule);

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_RANDOMSCHEDULE_H
