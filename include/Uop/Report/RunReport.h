//===- RunReport.h - Reports of what an emulated run has counted -*- C++
//-*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_RUNREPORT_H
#define UOP_REPORT_RUNREPORT_H

#include "Uop/Emulator/Count.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// The report of what the launches of a kernel have asked of memory. What is
/// known of the code alone (registers, footprints, arithmetic) is not in it.
KernelReport buildRunReport(const CountedLaunch &launch, const GPUTarget &chip);

} // namespace uop::report

#endif // UOP_REPORT_RUNREPORT_H
