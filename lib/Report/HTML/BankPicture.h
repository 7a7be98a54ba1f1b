//===- BankPicture.h - A request to shared memory over its banks *- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_BANKPICTURE_H
#define UOP_LIB_REPORT_HTML_BANKPICTURE_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// A word of a bank, and the lanes that get it, ascending.
struct BankWord {
  int64_t bank = 0, word = 0;
  std::vector<unsigned> lanes;
};

/// What the banks serve at once: a word each at the most.
struct Wavefront {
  /// The lanes that are served together (MemoryRequest.h), of which these are
  /// some.
  unsigned firstLane = 0, lastLane = 0;
  /// By bank.
  std::vector<BankWord> words;
};

/// In the order of lanes; the distinct words of a bank in the order of the
/// lanes that ask for them first.
std::vector<Wavefront> layOutWavefronts(const ExampleRequest &example);

/// The banks as columns, the wavefronts as rows, with the lanes in the cells.
void drawBanks(MarkupWriter &writer, const ExampleRequest &example);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_BANKPICTURE_H
