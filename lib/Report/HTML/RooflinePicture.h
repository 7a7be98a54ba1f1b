//===- RooflinePicture.h - Kernels under the roof of a chip -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_ROOFLINEPICTURE_H
#define UOP_LIB_REPORT_HTML_ROOFLINEPICTURE_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// An axis of logarithms over whole decades.
class LogAxis {
public:
  /// The decades that have all of `values`, which are positive and finite; at
  /// least one. `begin` and `end` are coordinates in the picture.
  LogAxis(llvm::ArrayRef<double> values, double begin, double end);

  double map(double value) const;
  double getLow() const;
  double getHigh() const;
  int getFirstDecade() const { return first; }
  int getLastDecade() const { return last; }

private:
  int first = 0, last = 1;
  double begin, end;
};

/// Why a kernel has no point in the picture, in a sentence with a full stop;
/// empty where it has one.
std::string explainMissingPoint(const KernelReport &report);

/// Kernels on one chip, numbered from 1 where there are several: `numbers` has
/// that of each. Draws nothing where the chip has no rates.
void drawRoofline(MarkupWriter &writer,
                  llvm::ArrayRef<const KernelReport *> reports,
                  llvm::ArrayRef<unsigned> numbers);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_ROOFLINEPICTURE_H
