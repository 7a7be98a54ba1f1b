//===- Advice.h - What is worth changing ------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_ADVICE_H
#define UOP_LIB_REPORT_ADVICE_H

#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// Fills in `report.advice` from all else: at most five findings, those that
/// cost the largest share of the kernel's estimated time first; none where
/// nothing costs more than a few percent.
void addAdvice(KernelReport &report);

} // namespace uop::report

#endif // UOP_LIB_REPORT_ADVICE_H
