//===- Compare.cpp - Compare an array with a reference --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace uop;
using namespace uop::run;

Expected<Tolerance> Tolerance::parse(StringRef text) {
  auto [absolute, relative] = text.split(',');
  Tolerance tolerance;
  auto isBad = [](StringRef number, double &value) {
    return number.getAsDouble(value) || !(value >= 0) || std::isinf(value);
  };
  if (isBad(absolute, tolerance.absolute) ||
      (text.contains(',') && isBad(relative, tolerance.relative)))
    return createStringError(
        inconvertibleErrorCode(),
        "expected --tolerance=ATOL or --tolerance=ATOL,RTOL with numbers that "
        "are not negative, but got '" +
            text + "'");
  return tolerance;
}

namespace {
/// One pair of elements.
struct Difference {
  bool nan = false;
  double absolute = 0;
  double magnitude = 0;
  bool infinite = false;
};
} // namespace

static double toDouble(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

static Difference subtract(const Element &element, uint64_t got,
                           uint64_t expected, bool isUnsigned) {
  Difference difference;
  if (element.isFloat()) {
    double a = toDouble(element.toFloat(got));
    double b = toDouble(element.toFloat(expected));
    difference.nan = std::isnan(a) != std::isnan(b);
    if (a == b || std::isnan(a) || std::isnan(b))
      return difference;
    difference.infinite = std::isinf(a) || std::isinf(b);
    difference.absolute = std::fabs(a - b);
    difference.magnitude = std::fabs(b);
    return difference;
  }
  APInt a(element.getWidth(), got), b(element.getWidth(), expected);
  isUnsigned |= element.isBool();
  bool less = isUnsigned ? a.ult(b) : a.slt(b);
  difference.absolute = (less ? b - a : a - b).roundToDouble(false);
  difference.magnitude = std::fabs(b.roundToDouble(!isUnsigned));
  return difference;
}

Comparison run::compareArrays(const Element &element, ArrayRef<int64_t> shape,
                              const char *got, const char *expected,
                              Tolerance tolerance, bool isUnsigned) {
  Comparison result;
  result.elements = 1;
  for (int64_t size : shape)
    result.elements *= size;
  int64_t bytes = element.getBytes();
  for (int64_t i = 0; i < result.elements; ++i) {
    uint64_t a = element.read(got + i * bytes);
    uint64_t b = element.read(expected + i * bytes);
    if (a == b)
      continue;
    Difference difference = subtract(element, a, b, isUnsigned);
    result.nans += difference.nan;
    result.maxAbsolute = std::max(result.maxAbsolute, difference.absolute);
    if (difference.absolute > 0)
      result.maxRelative = std::max(
          result.maxRelative, difference.infinite
                                  ? HUGE_VAL
                                  : difference.absolute / difference.magnitude);
    double allowed =
        tolerance.absolute + tolerance.relative * difference.magnitude;
    if (!difference.nan && !difference.infinite &&
        difference.absolute <= allowed)
      continue;
    if (result.mismatches++ > 0)
      continue;
    result.got = a;
    result.expected = b;
    result.index.assign(shape.size(), 0);
    int64_t rest = i;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      result.index[axis] = rest % shape[axis];
  }
  return result;
}

std::string run::describeMismatch(const Comparison &comparison,
                                  const Element &element, bool isUnsigned) {
  std::string text;
  raw_string_ostream os(text);
  os << comparison.mismatches << " of " << comparison.elements
     << " elements, first at [";
  interleaveComma(comparison.index, os);
  os << "]: expected " << element.format(comparison.expected, isUnsigned)
     << ", but got " << element.format(comparison.got, isUnsigned)
     << " (max abs error " << format("%g", comparison.maxAbsolute)
     << ", max rel error " << format("%g", comparison.maxRelative);
  if (comparison.nans)
    os << ", NaN on one side only in " << comparison.nans;
  os << ")";
  return text;
}
