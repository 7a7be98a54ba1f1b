//===- RooflinePicture.cpp - Kernels under the roof of a chip -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RooflinePicture.h"
#include "../Format.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

static bool isPositive(double value) {
  return std::isfinite(value) && value > 0;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

LogAxis::LogAxis(llvm::ArrayRef<double> values, double begin, double end)
    : begin(begin), end(end) {
  assert(!values.empty() && llvm::all_of(values, isPositive));
  // Powers of ten stay finite.
  auto clamp = [](double decade) {
    return int(std::clamp(decade, -300., 300.));
  };
  first = clamp(std::floor(std::log10(*llvm::min_element(values))));
  last = std::max(clamp(std::ceil(std::log10(*llvm::max_element(values)))),
                  first + 1);
}

double LogAxis::map(double value) const {
  double share = (std::log10(value) - first) / double(last - first);
  return begin + share * (end - begin);
}

double LogAxis::getLow() const { return std::pow(10.0, first); }
double LogAxis::getHigh() const { return std::pow(10.0, last); }

//===----------------------------------------------------------------------===//
// What is drawn
//===----------------------------------------------------------------------===//

std::string report::explainMissingPoint(const KernelReport &report) {
  if (!report.roofline)
    return "There is no roofline.";
  const Roofline &roofline = *report.roofline;
  if (report.work.getTotal() <= 0)
    return "It does no floating-point operations that count as work, and has "
           "no point in the picture: what counts is how fast its bytes move.";
  if (!std::isfinite(roofline.intensity))
    return "It moves no bytes of DRAM, and has no point in the picture: its "
           "intensity is without a bound, and so is the memory's roof.";
  if (!isPositive(roofline.intensity) ||
      !isPositive(roofline.attainableFlopsPerSecond))
    return "Its intensity and FLOP/s are not positive numbers, and have no "
           "point in the picture.";
  return "";
}

namespace {

struct Ceiling {
  StringRef name;
  double flopsPerSecond;
};

struct Point {
  std::string label;
  double intensity, attainable, roof;
};

class RooflineDrawer {
public:
  RooflineDrawer(llvm::ArrayRef<const KernelReport *> reports,
                 llvm::ArrayRef<unsigned> numbers);

  void draw(MarkupWriter &writer);

private:
  LogAxis createX() const;
  LogAxis createY() const;
  std::string describe() const;
  void drawAxes(Picture &picture);
  void drawBandwidth(Picture &picture);
  void drawRoof(Picture &picture, const Ceiling &ceiling);
  void drawPoint(Picture &picture, const Point &point);
  void drawNames(Picture &picture);
  void drawLabel(Picture &picture, double x, double y, StringRef text,
                 StringRef classes, double step);

  const GPUTarget &chip;
  bool hasNumbers;
  std::vector<Ceiling> ceilings;
  std::vector<Point> points;
  std::optional<LogAxis> x, y;
  /// Where there are points and labels already.
  struct Box {
    double left, right, baseline;
  };
  std::vector<Box> taken;
};

constexpr double kWidth = 820, kHeight = 400;
constexpr double kLeft = 96, kRight = kWidth - 16, kTop = 16,
                 kBottom = kHeight - 46;

} // namespace

RooflineDrawer::RooflineDrawer(llvm::ArrayRef<const KernelReport *> reports,
                               llvm::ArrayRef<unsigned> numbers)
    : chip(reports.front()->chip), hasNumbers(reports.size() > 1) {
  WorkReport work;
  for (auto [report, number] : llvm::zip_equal(reports, numbers)) {
    work.fp64 += report->work.fp64;
    work.tensor += report->work.tensor;
    if (!explainMissingPoint(*report).empty())
      continue;
    const Roofline &roofline = *report->roofline;
    points.push_back(
        {hasNumbers
             ? std::to_string(number)
             : "@" + report->name + ": " +
                   withPrefix(roofline.attainableFlopsPerSecond, "FLOP/s"),
         roofline.intensity, roofline.attainableFlopsPerSecond,
         std::max(roofline.roofFlopsPerSecond,
                  roofline.attainableFlopsPerSecond)});
  }
  ceilings.push_back({"fp32", chip.fp32FlopsPerSecond});
  if (work.fp64 > 0)
    ceilings.push_back({"fp64", chip.fp64FlopsPerSecond});
  if (work.tensor > 0)
    ceilings.push_back({"tensor cores", chip.tensorFlopsPerSecond});
  llvm::erase_if(ceilings, [](const Ceiling &ceiling) {
    return !isPositive(ceiling.flopsPerSecond);
  });
}

LogAxis RooflineDrawer::createX() const {
  std::vector<double> values;
  for (const Ceiling &ceiling : ceilings) {
    double ridge = ceiling.flopsPerSecond / chip.dramBytesPerSecond;
    values.push_back(ridge / 50);
    values.push_back(ridge * 10);
  }
  for (const Point &point : points)
    values.push_back(point.intensity);
  return LogAxis(values, kLeft, kRight);
}

LogAxis RooflineDrawer::createY() const {
  std::vector<double> values;
  for (const Ceiling &ceiling : ceilings) {
    values.push_back(ceiling.flopsPerSecond * 1.5);
    values.push_back(ceiling.flopsPerSecond / 500);
  }
  for (const Point &point : points)
    values.push_back(point.attainable * 0.8);
  return LogAxis(values, kBottom, kTop);
}

std::string RooflineDrawer::describe() const {
  std::string text = "FLOP/s over FLOPs a byte of DRAM, both in logarithms. "
                     "DRAM moves " +
                     withPrefix(chip.dramBytesPerSecond, "B/s") + "; ";
  for (const Ceiling &ceiling : ceilings)
    text += "the ceiling of " + ceiling.name.str() + " is " +
            withPrefix(ceiling.flopsPerSecond, "FLOP/s") + ", its ridge at " +
            asNumber(ceiling.flopsPerSecond / chip.dramBytesPerSecond) +
            " FLOP/B; ";
  for (const Point &point : points)
    text += point.label + " is at " + asNumber(point.intensity) +
            " FLOP/B and " + withPrefix(point.attainable, "FLOP/s") +
            ", under a roof of " + withPrefix(point.roof, "FLOP/s") + "; ";
  return llvm::StringRef(text).drop_back(2).str() + ".";
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

void RooflineDrawer::drawAxes(Picture &picture) {
  // Every decade has a line, and so many have a number that they are legible.
  auto getStep = [](const LogAxis &axis, int most) {
    return (axis.getLastDecade() - axis.getFirstDecade() + most - 1) / most;
  };
  int step = std::max(getStep(*x, 12), 1);
  for (int decade = x->getFirstDecade(); decade <= x->getLastDecade();
       ++decade) {
    double value = std::pow(10.0, decade), at = x->map(value);
    picture.line(at, kTop, at, kBottom, "grid");
    if ((decade - x->getFirstDecade()) % step == 0)
      picture.text(at, kBottom + 15, asNumber(value),
                   decade == x->getLastDecade() ? "muted end" : "muted middle");
  }
  step = std::max(getStep(*y, 10), 1);
  for (int decade = y->getFirstDecade(); decade <= y->getLastDecade();
       ++decade) {
    double value = std::pow(10.0, decade), at = y->map(value);
    picture.line(kLeft, at, kRight, at, "grid");
    if ((decade - y->getFirstDecade()) % step == 0)
      picture.text(kLeft - 7, at + 4, withPrefix(value, "FLOP/s"), "muted end");
  }
  picture.path({{kLeft, kTop}, {kLeft, kBottom}, {kRight, kBottom}}, "axis");
  picture.text((kLeft + kRight) / 2, kBottom + 34,
               "arithmetic intensity, in FLOPs a byte of DRAM", "middle");
}

void RooflineDrawer::drawRoof(Picture &picture, const Ceiling &ceiling) {
  double bandwidth = chip.dramBytesPerSecond;
  double ridge = ceiling.flopsPerSecond / bandwidth;
  // The slope begins where it enters the picture.
  double begin = std::max(x->getLow(), y->getLow() / bandwidth);
  double top = y->map(ceiling.flopsPerSecond);
  auto group = picture.group(ceiling.name.str() + ": at most " +
                                 withPrefix(ceiling.flopsPerSecond, "FLOP/s") +
                                 ", ridge at " + asNumber(ridge) + " FLOP/B",
                             "roof");
  picture.path({{x->map(begin), y->map(begin * bandwidth)},
                {x->map(ridge), top},
                {kRight, top}},
               "");
  picture.line(x->map(ridge), top, x->map(ridge), kBottom, "ridge");
  picture.circle(x->map(ridge), top, 3, "");
  drawLabel(picture, kRight - 4, top - 6,
            ceiling.name.str() + " " +
                withPrefix(ceiling.flopsPerSecond, "FLOP/s"),
            "end", -13);
  drawLabel(picture, x->map(ridge) + 5, kBottom - 6, "ridge " + asNumber(ridge),
            "muted halo", -13);
}

/// Moves a label up or down, first by `step`, until it covers nothing.
void RooflineDrawer::drawLabel(Picture &picture, double atX, double atY,
                               StringRef text, StringRef classes, double step) {
  // A letter is about 6.8 wide.
  double width = 6.8 * double(text.size());
  double begin = classes.contains("end") ? atX - width : atX;
  auto isFree = [&](double baseline) {
    return kTop - 6 <= baseline && baseline <= kBottom - 2 &&
           llvm::none_of(taken, [&](const Box &box) {
             return begin < box.right && box.left < begin + width &&
                    std::abs(box.baseline - baseline) < 13;
           });
  };
  double offset = 0;
  while (!isFree(atY + offset) && std::abs(offset) < kHeight)
    offset = offset * step > 0 ? -offset : step - offset;
  if (isFree(atY + offset))
    atY += offset;
  taken.push_back({begin, begin + width, atY});
  picture.text(atX, atY, text, classes);
}

void RooflineDrawer::drawPoint(Picture &picture, const Point &point) {
  double atX = x->map(point.intensity), atY = y->map(point.attainable);
  auto group =
      picture.group(point.label + ": " + asNumber(point.intensity) +
                        " FLOP/B, " + withPrefix(point.attainable, "FLOP/s") +
                        ", at most " + withPrefix(point.roof, "FLOP/s"),
                    "point");
  picture.line(atX, y->map(point.roof), atX, atY, "headroom");
  picture.circle(atX, atY, 5.5, "");
  taken.push_back({atX - 6, atX + 6, atY + 4});
}

/// The names of points, of those that lie on each other in one.
void RooflineDrawer::drawNames(Picture &picture) {
  struct Name {
    double x, y;
    std::string text;
  };
  std::vector<Name> names;
  for (const Point &point : points) {
    double atX = x->map(point.intensity), atY = y->map(point.attainable);
    auto same = llvm::find_if(names, [&](const Name &name) {
      return std::abs(name.x - atX) < 4 && std::abs(name.y - atY) < 4;
    });
    if (same == names.end())
      names.push_back({atX, atY, point.label});
    else
      same->text += ", " + point.label;
  }
  for (const Name &name : names) {
    bool isRight = name.x > (kLeft + kRight) / 2;
    double distance = isRight ? -10 : 10;
    // A number has room beside its point, a name may cross the headroom's line.
    drawLabel(picture, name.x + distance, name.y + (hasNumbers ? 4 : 16),
              name.text, isRight ? "strong end halo" : "strong halo", 13);
  }
}

/// In the middle of the slope, and below it: it rises to the right.
void RooflineDrawer::drawBandwidth(Picture &picture) {
  double bandwidth = chip.dramBytesPerSecond;
  double begin = std::max(x->getLow(), y->getLow() / bandwidth);
  double ridge = ceilings.front().flopsPerSecond / bandwidth;
  double at = std::sqrt(begin) * std::sqrt(ridge);
  picture.text(x->map(at) + 12, y->map(at * bandwidth) + 16,
               "DRAM " + withPrefix(bandwidth, "B/s"), "halo");
}

void RooflineDrawer::draw(MarkupWriter &writer) {
  if (ceilings.empty() || !isPositive(chip.dramBytesPerSecond))
    return;
  x = createX();
  y = createY();
  Picture picture(writer, kWidth, kHeight,
                  "Roofline of " + chip.chip + ", as " + chip.product,
                  describe());
  drawAxes(picture);
  for (const Ceiling &ceiling : ceilings)
    drawRoof(picture, ceiling);
  drawBandwidth(picture);
  for (const Point &point : points)
    drawPoint(picture, point);
  // Names lie above all, and cover no point.
  drawNames(picture);
}

void report::drawRoofline(MarkupWriter &writer,
                          llvm::ArrayRef<const KernelReport *> reports,
                          llvm::ArrayRef<unsigned> numbers) {
  if (!reports.empty())
    RooflineDrawer(reports, numbers).draw(writer);
}
