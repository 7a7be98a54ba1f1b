//===- AccessPicture.cpp - A request to global memory over sectors --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPicture.h"
#include "../Format.h"
#include "Lanes.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace uop;
using namespace uop::report;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

int64_t TouchedLine::getNumSectors() const {
  return llvm::count(sectors, true);
}

int64_t TouchedLine::getUsedBytes() const {
  int64_t bytes = 0;
  for (const LineSegment &segment : segments)
    bytes += segment.bytes;
  return bytes;
}

static std::set<int64_t> findLines(const ExampleRequest &example) {
  std::set<int64_t> lines;
  for (auto [address, bytes] :
       llvm::zip_equal(example.addresses, example.bytes)) {
    if (bytes <= 0)
      continue;
    int64_t last = llvm::divideFloorSigned(address + bytes - 1, kLineBytes);
    for (int64_t line = llvm::divideFloorSigned(address, kLineBytes);
         line <= last; ++line)
      lines.insert(line);
  }
  return lines;
}

/// Cuts a line wherever the bytes of a lane begin or end.
static void addSegments(TouchedLine &line, const ExampleRequest &example) {
  auto clip = [&](int64_t address) {
    return std::clamp<int64_t>(address - line.address, 0, kLineBytes);
  };
  std::set<int64_t> cuts;
  for (auto [address, bytes] :
       llvm::zip_equal(example.addresses, example.bytes)) {
    if (bytes <= 0)
      continue;
    cuts.insert(clip(address));
    cuts.insert(clip(address + bytes));
  }
  for (auto cut = cuts.begin();
       cut != cuts.end() && std::next(cut) != cuts.end(); ++cut) {
    LineSegment segment{*cut, *std::next(cut) - *cut, {}};
    int64_t first = line.address + *cut;
    for (unsigned lane = 0; lane < example.addresses.size(); ++lane)
      if (example.addresses[lane] <= first &&
          first < example.addresses[lane] + example.bytes[lane])
        segment.lanes.push_back(lane);
    if (!segment.lanes.empty())
      line.segments.push_back(std::move(segment));
  }
}

std::vector<TouchedLine> report::layOutLines(const ExampleRequest &example) {
  std::vector<TouchedLine> lines;
  std::optional<int64_t> before;
  for (int64_t number : findLines(example)) {
    TouchedLine line;
    line.address = number * kLineBytes;
    line.omittedBefore = before ? number - *before - 1 : 0;
    before = number;
    addSegments(line, example);
    for (const LineSegment &segment : line.segments)
      for (int64_t sector = segment.offset / kSectorBytes;
           sector <= (segment.offset + segment.bytes - 1) / kSectorBytes;
           ++sector)
        line.sectors[sector] = true;
    lines.push_back(std::move(line));
  }
  return lines;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

/// More lines than these are not drawn; the longest request has 128.
static constexpr size_t kMostLines = 20;
/// With up to so many, it is drawn which lane goes where.
static constexpr size_t kMostLinesWithPaths = 2;

namespace {

class AccessDrawer {
public:
  AccessDrawer(const ExampleRequest &example)
      : example(example), lines(layOutLines(example)),
        rows(selectRows(lines.size(), kMostLines)),
        rowHeight(lines.size() <= 4 ? 20 : 15),
        hasPaths(lines.size() <= kMostLinesWithPaths) {}

  void draw(MarkupWriter &writer);

private:
  double getTop() const { return 12 + kLaneStripHeight + (hasPaths ? 40 : 26); }
  double getRowTop(size_t row) const {
    return getTop() + row * (rowHeight + 6);
  }
  size_t getNumRows() const {
    return rows.first + rows.last + (rows.omitted > 0);
  }
  std::string describe() const;
  void drawRuler(Picture &picture);
  void drawLine(Picture &picture, const TouchedLine &line, double y);
  void drawPaths(Picture &picture);
  void drawOmittedRow(Picture &picture, double y);

  const ExampleRequest &example;
  std::vector<TouchedLine> lines;
  RowSelection rows;
  double rowHeight;
  bool hasPaths;
};

} // namespace

std::string AccessDrawer::describe() const {
  int64_t sectors = 0, used = 0;
  for (const TouchedLine &line : lines) {
    sectors += line.getNumSectors();
    used += line.getUsedBytes();
  }
  return describeLanes(example) + "; " + describePattern(example) + ". " +
         describeCount(sectors, "sector") + " of " +
         describeCount(lines.size(), "line") + " are touched, and " +
         std::to_string(used) + " of their " +
         std::to_string(sectors * kSectorBytes) + " bytes are used.";
}

void AccessDrawer::drawRuler(Picture &picture) {
  double y = getTop() - 5;
  picture.text(kLabelWidth - 8, y, "bytes from", "small muted end");
  for (int64_t sector = 0; sector < 4; ++sector)
    picture.text(kLabelWidth + double(sector) * kSectorBytes * kByteWidth, y,
                 "+" + std::to_string(sector * kSectorBytes), "small muted");
  picture.text(kLabelWidth + kGridWidth + 8, y, "bytes used of those moved",
               "small muted");
}

void AccessDrawer::drawLine(Picture &picture, const TouchedLine &line,
                            double y) {
  if (line.omittedBefore > 0) {
    auto group = picture.group(describeCount(line.omittedBefore, "line") +
                                   " not touched, left out",
                               "gap");
    picture.line(kLabelWidth - 90, y - 3, kLabelWidth + kGridWidth, y - 3, "");
  }
  picture.text(kLabelWidth - 8, y + rowHeight / 2 + 4,
               std::to_string(line.address), "end");
  for (size_t sector = 0; sector < line.sectors.size(); ++sector) {
    double width = kSectorBytes * kByteWidth;
    auto group = picture.group(
        "sector at " +
            std::to_string(line.address + int64_t(sector) * kSectorBytes) +
            (line.sectors[sector] ? ": moved" : ": not touched"),
        line.sectors[sector] ? "sector moved" : "sector");
    picture.rect(kLabelWidth + double(sector) * width + 1, y, width - 2,
                 rowHeight, "");
  }
  for (const LineSegment &segment : line.segments)
    drawLanes(picture, kLabelWidth + double(segment.offset) * kByteWidth + 0.5,
              y + 1.5, double(segment.bytes) * kByteWidth - 1, rowHeight - 3,
              segment.lanes, example.addresses.size(),
              listLanes(segment.lanes) + ": " +
                  describeCount(segment.bytes, "byte") + " at +" +
                  std::to_string(line.address + segment.offset));
  std::string remark = std::to_string(line.getUsedBytes()) + " of " +
                       std::to_string(line.getNumSectors() * kSectorBytes);
  picture.text(kLabelWidth + kGridWidth + 8, y + rowHeight / 2 + 4, remark, "");
}

void AccessDrawer::drawPaths(Picture &picture) {
  double laneWidth = kGridWidth / double(example.addresses.size());
  for (size_t row = 0; row < lines.size(); ++row)
    for (const LineSegment &segment : lines[row].segments)
      for (unsigned lane : segment.lanes)
        picture.line(
            kLabelWidth + laneWidth * (lane + 0.5), 12 + kLaneStripHeight - 1,
            kLabelWidth + (double(segment.offset) + double(segment.bytes) / 2) *
                              kByteWidth,
            getRowTop(row), "path");
}

void AccessDrawer::drawOmittedRow(Picture &picture, double y) {
  std::set<unsigned> lanes;
  int64_t sectors = 0;
  for (const TouchedLine &line :
       llvm::ArrayRef(lines).slice(rows.first, rows.omitted)) {
    sectors += line.getNumSectors();
    for (const LineSegment &segment : line.segments)
      lanes.insert(segment.lanes.begin(), segment.lanes.end());
  }
  std::vector<unsigned> list(lanes.begin(), lanes.end());
  picture.text(kLabelWidth, y + rowHeight / 2 + 4,
               "\u22ee " + std::to_string(rows.omitted) + " more lines, " +
                   describeCount(sectors, "sector") + ": " + listLanes(list),
               "muted");
}

void AccessDrawer::draw(MarkupWriter &writer) {
  Picture picture(writer, kRequestWidth, getRowTop(getNumRows()) + 2,
                  "Access pattern of a warp over sectors", describe());
  drawLaneStrip(picture, 12, example);
  if (lines.empty())
    return;
  if (hasPaths)
    drawPaths(picture);
  drawRuler(picture);
  size_t row = 0;
  for (size_t i = 0; i < rows.first; ++i)
    drawLine(picture, lines[i], getRowTop(row++));
  if (rows.omitted > 0)
    drawOmittedRow(picture, getRowTop(row++));
  for (size_t i = lines.size() - rows.last; i < lines.size(); ++i)
    drawLine(picture, lines[i], getRowTop(row++));
}

void report::drawAccess(MarkupWriter &writer, const ExampleRequest &example) {
  AccessDrawer(example).draw(writer);
}
