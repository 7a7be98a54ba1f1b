//===- Places.h - Places in source files, and names -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_PLACES_H
#define UOP_LIB_REPORT_PLACES_H

#include "Uop/Report/KernelReport.h"
#include "mlir/IR/Value.h"

namespace uop::report {

/// Where an operation was written, without the text of the line.
SourcePlace getPlace(mlir::Location loc);

/// A buffer without its name in the source: "argument #0", "@table", ...
std::string describeBuffer(mlir::Value buffer);

} // namespace uop::report

#endif // UOP_LIB_REPORT_PLACES_H
