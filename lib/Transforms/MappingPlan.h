//===- MappingPlan.h - Between the rooms of mapping --------------*- C++
//-*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the mapping.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_MAPPINGPLAN_H
#define UOP_LIB_TRANSFORMS_MAPPINGPLAN_H

#include "Uop/Transforms/Mapping.h"

namespace uop {

/// An error at the kernel that says it cannot be mapped, to be continued; where
/// `isQuiet` a failure that says nothing.
mlir::InFlightDiagnostic refuseMapping(KernelOp kernel, bool isQuiet);

/// The ranges of an axis of a plan.
llvm::ArrayRef<RangeOp> getPlannedRanges(const AxisPlan &output);

/// Whether outputs along the axis share a load.
bool sharesLoads(KernelOp kernel, const AxisPlan &output,
                 FreeRanges &freeRanges);

/// Whether one op is free in a range of both lists, or closes it: then threads
/// along both are not the same. That is most often a reduction, but may be an
/// op without users.
bool areTogether(KernelOp kernel, llvm::ArrayRef<RangeOp> first,
                 llvm::ArrayRef<RangeOp> second, FreeRanges &freeRanges);

/// "0, 1 and 2".
std::string describeList(llvm::ArrayRef<std::string> items);

/// Gives the blocks and threads of a plan their dimensions, folding where there
/// are more axes than dimensions or more blocks than one of them holds. Fails,
/// with an error, where a block would have too many threads, or what is mapped
/// by hand leaves too few dimensions.
llvm::LogicalResult assignDimensions(KernelOp kernel, MappingPlan &plan,
                                     AccessStrides &strides, bool isQuiet);

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_MAPPINGPLAN_H
