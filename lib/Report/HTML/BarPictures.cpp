//===- BarPictures.cpp - Occupancy by block size, and least times ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarPictures.h"
#include "../Format.h"
#include "PageParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cctype>
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

double report::getOccupancyShare(const Occupancy &occupancy) {
  if (occupancy.maxWarps <= 0)
    return 0;
  return std::clamp(occupancy.getShare(), 0.0, 1.0);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

static int64_t getThreadsPerBlock(const KernelReport &report) {
  int64_t threads = 1;
  for (int64_t extent : report.launch.block)
    threads = llvm::SaturatingMultiply<uint64_t>(threads, extent);
  return threads;
}

std::optional<size_t> report::findOwnRow(const KernelReport &report) {
  // Rows are whole warps: the first with room for the block.
  int64_t threads = getThreadsPerBlock(report);
  for (auto [index, row] : llvm::enumerate(report.occupancyByBlock))
    if (row.threads >= threads)
      return index;
  return std::nullopt;
}

/// `WR`: the first letters of the limits.
static std::string abbreviateLimits(const Occupancy &occupancy) {
  std::string letters;
  for (OccupancyLimit limit : occupancy.getLimits())
    letters += char(std::toupper(stringifyOccupancyLimit(limit).front()));
  return letters;
}

namespace {

class OccupancyDrawer {
public:
  OccupancyDrawer(const KernelReport &report)
      : report(report), ownRow(findOwnRow(report)),
        width((kRight - kLeft) / double(report.occupancyByBlock.size())) {}

  void draw(MarkupWriter &writer);

private:
  static constexpr double kLeft = 60, kRight = 816, kTop = 34, kBottom = 194;

  static double getY(double share) {
    return kBottom - share * (kBottom - kTop);
  }
  double getX(size_t row) const { return kLeft + double(row) * width; }
  std::string describe() const;
  void drawAxes(Picture &picture);
  void drawRow(Picture &picture, size_t index);
  void drawOwnMark(Picture &picture);

  const KernelReport &report;
  std::optional<size_t> ownRow;
  double width;
};

} // namespace

std::string OccupancyDrawer::describe() const {
  std::string text = "The share of the warps of a multiprocessor that are "
                     "active, over the threads of a block.";
  if (!ownRow)
    return text;
  const OccupancyRow &own = report.occupancyByBlock[*ownRow];
  text += " The kernel has " + std::to_string(getThreadsPerBlock(report)) +
          " threads a block";
  if (own.occupancy)
    return text + ": " + asPercent(getOccupancyShare(*own.occupancy)) + ".";
  return text + ", which the chip cannot have: " + own.reason + ".";
}

void OccupancyDrawer::drawAxes(Picture &picture) {
  for (double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    picture.line(kLeft, getY(share), kRight, getY(share), "grid");
    picture.text(kLeft - 7, getY(share) + 4, asPercent(share), "muted end");
  }
  picture.text((kLeft + kRight) / 2, kBottom + 48, "threads a block", "middle");
}

void OccupancyDrawer::drawRow(Picture &picture, size_t index) {
  const OccupancyRow &row = report.occupancyByBlock[index];
  std::string name = std::to_string(row.threads) + " threads: ";
  double x = getX(index);
  std::string hint =
      row.occupancy
          ? name + asPercent(getOccupancyShare(*row.occupancy)) + ", " +
                describeCount(row.occupancy->blocks, "block") + " and " +
                describeCount(row.occupancy->warps, "warp") +
                " a multiprocessor, limited by " + listLimits(*row.occupancy)
          : name + "not possible: " + row.reason;
  bool isOwn = index == ownRow;
  auto group = picture.group(hint, !row.occupancy ? "impossible"
                                   : isOwn        ? "bar own"
                                                  : "bar");
  if (row.occupancy) {
    double y = getY(getOccupancyShare(*row.occupancy));
    picture.rect(x + 1.5, y, width - 3, kBottom - y, "");
    picture.text(x + width / 2, kBottom + 13, abbreviateLimits(*row.occupancy),
                 "small muted middle");
  } else {
    picture.rect(x + 1.5, kTop, width - 3, kBottom - kTop, "");
    picture.text(x + width / 2, kBottom - 6, "\u2715", "middle");
  }
  size_t step = llvm::divideCeil(report.occupancyByBlock.size(), 16);
  // The kernel's own number has room for itself.
  bool isNextToOwn = ownRow && (index + 1 == ownRow || index == *ownRow + 1);
  if (isOwn || ((index + 1) % step == 0 && !isNextToOwn))
    picture.text(x + width / 2, kBottom + 28, std::to_string(row.threads),
                 isOwn ? "strong middle" : "muted middle");
}

void OccupancyDrawer::drawOwnMark(Picture &picture) {
  if (!ownRow)
    return;
  const OccupancyRow &row = report.occupancyByBlock[*ownRow];
  double x = getX(*ownRow) + width / 2;
  double y = row.occupancy ? getY(getOccupancyShare(*row.occupancy)) : kTop;
  std::string text =
      "\u25bc this kernel: " + std::to_string(getThreadsPerBlock(report)) +
      " threads, " +
      (row.occupancy ? asPercent(getOccupancyShare(*row.occupancy))
                     : std::string("not possible"));
  bool isRight = x > (kLeft + kRight) / 2;
  // Above all bars: it is wider than its own.
  picture.line(x, kTop - 12, x, y, "mark");
  picture.text(isRight ? x + 4 : x - 5, kTop - 14, text,
               isRight ? "strong end" : "strong");
}

void OccupancyDrawer::draw(MarkupWriter &writer) {
  Picture picture(writer, 826, kBottom + 54, "Occupancy against block size",
                  describe());
  drawAxes(picture);
  for (size_t index = 0; index < report.occupancyByBlock.size(); ++index)
    drawRow(picture, index);
  drawOwnMark(picture);
}

void report::drawOccupancy(MarkupWriter &writer, const KernelReport &report) {
  if (!report.occupancyByBlock.empty())
    OccupancyDrawer(report).draw(writer);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

void report::drawTimes(MarkupWriter &writer, const Roofline &roofline) {
  std::vector<Bound> bounds;
  for (Bound bound : kBounds)
    if (std::isfinite(roofline.getSeconds(bound)) &&
        roofline.getSeconds(bound) > 0)
      bounds.push_back(bound);
  llvm::sort(bounds, [&](Bound a, Bound b) {
    return std::pair(-roofline.getSeconds(a), a) <
           std::pair(-roofline.getSeconds(b), b);
  });
  if (bounds.empty())
    return;
  constexpr double left = 190, most = 480, rowHeight = 24;
  double longest = roofline.getSeconds(bounds.front());
  std::string description;
  for (Bound bound : bounds)
    description += (description.empty() ? "" : ", ") +
                   stringifyBound(bound).str() + " " +
                   asTime(roofline.getSeconds(bound));
  Picture picture(writer, 826, rowHeight * double(bounds.size()) + 4,
                  "Least time that each bound takes", description);
  for (auto [index, bound] : llvm::enumerate(bounds)) {
    double y = rowHeight * double(index) + 2;
    double share = roofline.getSeconds(bound) / longest;
    std::string text =
        asTime(roofline.getSeconds(bound)) + ", " + asPercent(share);
    auto group = picture.group(stringifyBound(bound).str() + ": " + text,
                               bound == roofline.bound ? "bar own" : "bar");
    picture.text(left - 8, y + 15, stringifyBound(bound),
                 bound == roofline.bound ? "strong end" : "end");
    picture.rect(left, y + 2, std::max(share * most, 1.0), rowHeight - 6, "");
    picture.text(left + share * most + 8, y + 15, text, "");
  }
}
