//===- Lanes.cpp - Lanes of a warp in pictures ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "../Format.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

RowSelection report::selectRows(size_t number, size_t most) {
  if (number <= most)
    return {number, 0, 0};
  size_t last = most / 4;
  return {most - last, last, number - most};
}

std::string report::listLanes(llvm::ArrayRef<unsigned> lanes) {
  std::vector<std::string> runs;
  for (size_t i = 0; i < lanes.size();) {
    size_t end = i + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1)
      ++end;
    std::string run = std::to_string(lanes[i]);
    if (end - i > 1)
      run += (end - i > 2 ? " to " : " and ") + std::to_string(lanes[end - 1]);
    runs.push_back(std::move(run));
    i = end;
  }
  return (lanes.size() == 1 ? "lane " : "lanes ") + llvm::join(runs, ", ");
}

static constexpr unsigned kShades = 8;

std::string report::getLaneClass(unsigned lane, size_t numLanes) {
  size_t shade = numLanes > 0 ? lane * kShades / numLanes : 0;
  return "lane shade" + std::to_string(std::min<size_t>(shade, kShades - 1));
}

void report::drawLanes(Picture &picture, double x, double y, double width,
                       double height, llvm::ArrayRef<unsigned> lanes,
                       size_t numLanes, StringRef hint) {
  bool isBroadcast = lanes.size() > 1;
  auto group =
      picture.group(hint, isBroadcast ? std::string("broadcast")
                                      : getLaneClass(lanes.front(), numLanes));
  picture.rect(x, y, width, height, "");
  std::string label = isBroadcast ? "\u00d7" + std::to_string(lanes.size())
                                  : std::to_string(lanes.front());
  // A digit is about 5.5 wide; the sign of multiplication is two bytes.
  if (width >= 5.5 * double(label.size() - isBroadcast))
    picture.text(x + width / 2, y + height / 2 + 3, label, "small middle");
}

void report::drawLaneStrip(Picture &picture, double y,
                           const ExampleRequest &example) {
  size_t numLanes = example.addresses.size();
  if (numLanes == 0)
    return;
  picture.text(kLabelWidth - 8, y + 12, "lanes", "end");
  double width = kGridWidth / double(numLanes);
  bool isNarrow = width < 12;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    bool isActive = example.bytes[lane] > 0;
    double x = kLabelWidth + width * lane;
    std::string name = "lane " + std::to_string(lane);
    auto group = picture.group(
        isActive ? name + ": " + describeCount(example.bytes[lane], "byte") +
                       " at +" + std::to_string(example.addresses[lane])
                 : name + " takes no part",
        isActive ? getLaneClass(lane, numLanes) : "inactive");
    picture.rect(x + 0.5, y, width - 1, kLaneStripHeight - 2, "");
    if (!isActive)
      picture.line(x + 2, y + kLaneStripHeight - 4, x + width - 2, y + 2, "");
    else if (!isNarrow)
      picture.text(x + width / 2, y + 11, std::to_string(lane), "small middle");
  }
  for (unsigned lane = 0; isNarrow && lane < numLanes; lane += 8)
    picture.text(kLabelWidth + width * lane, y - 2, std::to_string(lane),
                 "small muted");
}

//===----------------------------------------------------------------------===//
// In words
//===----------------------------------------------------------------------===//

std::string report::describeLanes(const ExampleRequest &example) {
  size_t inactive = llvm::count(example.bytes, 0);
  std::string text = describeCount(example.addresses.size(), "lane");
  if (inactive > 0)
    text += ", " + std::to_string(inactive) + " of which " +
            (inactive == 1 ? "takes" : "take") + " no part";
  return text;
}

/// Of at least two lanes that do not step by one number.
static std::string describeIrregular(const ExampleRequest &example,
                                     llvm::ArrayRef<unsigned> active) {
  int64_t distinct = example.countDistinct();
  size_t runs = 1;
  for (auto [lane, next] : llvm::zip(active, active.drop_front()))
    runs += example.addresses[next] !=
            example.addresses[lane] + example.bytes[lane];
  if (distinct == int64_t(active.size()) && runs <= active.size() / 2)
    return "in " + std::to_string(runs) + " runs of consecutive lanes";
  return "irregular: " + std::to_string(distinct) +
         (distinct == 1 ? " distinct address" : " distinct addresses");
}

std::string report::describePattern(const ExampleRequest &example) {
  std::vector<unsigned> active;
  for (unsigned lane = 0; lane < example.addresses.size(); ++lane)
    if (example.bytes[lane] > 0)
      active.push_back(lane);
  if (active.empty())
    return "no lane takes part";
  if (active.size() == 1)
    return "one lane alone";
  auto address = [&](size_t i) { return example.addresses[active[i]]; };
  int64_t bytes = example.bytes[active.front()];
  int64_t step = address(1) - address(0);
  // Lanes in between that take no part are steps, too.
  int64_t lanes = active[1] - active[0];
  bool isRegular = step % lanes == 0;
  step /= lanes;
  for (size_t i = 1; isRegular && i < active.size(); ++i)
    isRegular = address(i) - address(i - 1) ==
                step * int64_t(active[i] - active[i - 1]);
  if (!isRegular)
    return describeIrregular(example, active);
  if (step == 0)
    return "broadcast: all lanes at one address";
  if (step != bytes)
    return "strided: lanes step by " + std::to_string(step) + " bytes";
  int64_t into = llvm::mod(address(0), kSectorBytes);
  return into == 0 ? "consecutive: each lane follows the one before"
                   : "misaligned: consecutive lanes, that begin " +
                         std::to_string(into) + " bytes into a sector";
}
