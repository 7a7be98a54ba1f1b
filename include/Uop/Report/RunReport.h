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

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace uop::report {

/// The report of what the launches of a kernel have asked of memory. What is
/// known of the code alone (registers, footprints, arithmetic) is not in it.
KernelReport buildRunReport(const CountedLaunch &launch, const GPUTarget &chip);

/// The reports of all that a run has counted, with names and lines of the
/// sources. A chip that is not known is the default one.
std::vector<KernelReport>
buildRunReports(llvm::ArrayRef<CountedLaunch> launches, llvm::StringRef chip,
                const llvm::SourceMgr &sources);

/// What the buffer of a finding is called in the source that defines it; else
/// what the finding calls it.
std::string nameBuffer(const llvm::SourceMgr &sources, const Finding &finding);

} // namespace uop::report

#endif // UOP_REPORT_RUNREPORT_H
