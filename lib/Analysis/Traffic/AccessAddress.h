//===- AccessAddress.h - Where an access is in its buffer -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_ACCESSADDRESS_H
#define UOP_LIB_ANALYSIS_TRAFFIC_ACCESSADDRESS_H

#include "KnownValues.h"

namespace uop::traffic {

/// The distance of an access from the beginning of its buffer, in bytes: a sum
/// of index values times constants.
struct ValueAddress {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 3> terms;
  int64_t offset = 0;
};

struct FoundAccess {
  WarpAccess access;
  /// Meaningful where the access has no `reason`.
  ValueAddress address;
  /// How many of the elements a lane accesses, where that is a value.
  mlir::Value count;
};

/// The accesses of an op to global and workgroup memory: none for most ops, two
/// for a copy. What makes one uncountable is in its `reason`.
llvm::SmallVector<FoundAccess, 2> findAccesses(mlir::Operation *op,
                                               const KnownValues &known);

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_ACCESSADDRESS_H
