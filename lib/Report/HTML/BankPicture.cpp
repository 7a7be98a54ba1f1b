//===- BankPicture.cpp - A request to shared memory over its banks --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankPicture.h"
#include "../Format.h"
#include "Lanes.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace uop;
using namespace uop::report;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// As countWavefronts has it.
static unsigned getLanesTogether(int64_t bytes) {
  return bytes <= kBankBytes ? 32 : bytes <= 2 * kBankBytes ? 16 : 8;
}

/// The distinct words of each bank, for lanes that are served together.
static std::array<std::vector<BankWord>, kBanks>
findWords(const ExampleRequest &example, unsigned begin, unsigned end) {
  std::array<std::vector<BankWord>, kBanks> banks;
  for (unsigned lane = begin; lane < end; ++lane) {
    if (example.bytes[lane] <= 0)
      continue;
    int64_t address = example.addresses[lane];
    int64_t last =
        llvm::divideFloorSigned(address + example.bytes[lane] - 1, kBankBytes);
    for (int64_t word = llvm::divideFloorSigned(address, kBankBytes);
         word <= last; ++word) {
      int64_t bank = llvm::mod(word, kBanks);
      std::vector<BankWord> &words = banks[bank];
      auto it = llvm::find_if(
          words, [&](const BankWord &entry) { return entry.word == word; });
      if (it == words.end())
        words.push_back({bank, word, {lane}});
      else
        it->lanes.push_back(lane);
    }
  }
  return banks;
}

std::vector<Wavefront> report::layOutWavefronts(const ExampleRequest &example) {
  std::vector<Wavefront> wavefronts;
  if (example.bytes.empty())
    return wavefronts;
  unsigned numLanes = example.addresses.size();
  unsigned together = getLanesTogether(
      *std::max_element(example.bytes.begin(), example.bytes.end()));
  for (unsigned begin = 0; begin < numLanes; begin += together) {
    unsigned end = std::min(begin + together, numLanes);
    auto banks = findWords(example, begin, end);
    size_t rows = 0;
    for (const std::vector<BankWord> &words : banks)
      rows = std::max(rows, words.size());
    for (size_t row = 0; row < rows; ++row) {
      Wavefront wavefront{begin, end - 1, {}};
      for (const std::vector<BankWord> &words : banks)
        if (row < words.size())
          wavefront.words.push_back(words[row]);
      wavefronts.push_back(std::move(wavefront));
    }
  }
  return wavefronts;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

/// A conflict of all 32 lanes is drawn as a whole; the longest request has 64
/// wavefronts.
static constexpr size_t kMostWavefronts = 32;
static constexpr double kBankWidth = kGridWidth / kBanks;

namespace {

class BankDrawer {
public:
  BankDrawer(const ExampleRequest &example)
      : example(example), wavefronts(layOutWavefronts(example)),
        rows(selectRows(wavefronts.size(), kMostWavefronts)),
        rowHeight(wavefronts.size() <= 8 ? 18 : 13) {}

  void draw(MarkupWriter &writer);

private:
  bool hasConflict() const { return example.ways > 1; }
  double getTop() const {
    return 12 + kLaneStripHeight + (hasConflict() ? 44 : 24);
  }
  double getRowTop(size_t row) const { return getTop() + row * rowHeight; }
  size_t getNumRows() const {
    return rows.first + rows.last + (rows.omitted > 0);
  }
  std::string describe() const;
  void drawHeader(Picture &picture);
  void drawConflict(Picture &picture);
  void drawWavefront(Picture &picture, size_t number, double y);

  const ExampleRequest &example;
  std::vector<Wavefront> wavefronts;
  RowSelection rows;
  double rowHeight;
};

} // namespace

std::string BankDrawer::describe() const {
  std::string text = describeLanes(example) + "; " +
                     describeCount(wavefronts.size(), "wavefront") + ". ";
  if (!hasConflict())
    return text + "No bank is asked for two words at once.";
  return text + "Bank " + std::to_string(example.bank) + " is asked for " +
         std::to_string(example.ways) + " distinct words at once.";
}

void BankDrawer::drawHeader(Picture &picture) {
  double y = getTop() - 5;
  picture.text(kLabelWidth - 8, y, "bank", "small muted end");
  for (int64_t bank = 0; bank < kBanks; ++bank)
    picture.text(kLabelWidth + (double(bank) + 0.5) * kBankWidth, y,
                 std::to_string(bank),
                 hasConflict() && bank == example.bank ? "small bad middle"
                                                       : "small muted middle");
}

/// A frame around the bank with the most words, and what is in it.
void BankDrawer::drawConflict(Picture &picture) {
  if (!hasConflict())
    return;
  double x = kLabelWidth + double(example.bank) * kBankWidth;
  double y = getTop() - 15;
  std::string what = std::to_string(example.ways) + "-way conflict in bank " +
                     std::to_string(example.bank);
  auto group = picture.group(what, "conflict");
  picture.rect(x, y, kBankWidth, getRowTop(getNumRows()) - y + 1, "");
  bool isRight = example.bank >= kBanks / 2;
  picture.text(isRight ? x + kBankWidth : x, y - 5, what,
               isRight ? "bad end" : "bad");
}

void BankDrawer::drawWavefront(Picture &picture, size_t number, double y) {
  const Wavefront &wavefront = wavefronts[number];
  picture.text(kLabelWidth - 8, y + rowHeight / 2 + 4,
               "wavefront " + std::to_string(number), "end");
  for (int64_t bank = 0; bank < kBanks; ++bank)
    picture.rect(kLabelWidth + double(bank) * kBankWidth + 0.5, y + 0.5,
                 kBankWidth - 1, rowHeight - 1, "bank");
  for (const BankWord &word : wavefront.words)
    drawLanes(picture, kLabelWidth + double(word.bank) * kBankWidth + 0.5,
              y + 0.5, kBankWidth - 1, rowHeight - 1, word.lanes,
              example.addresses.size(),
              "bank " + std::to_string(word.bank) + ", word at +" +
                  std::to_string(word.word * kBankBytes) + ": " +
                  listLanes(word.lanes));
  // Where a warp is served in parts, of which part it is.
  std::string remark;
  if (wavefront.lastLane - wavefront.firstLane + 1 < example.addresses.size())
    remark = "of lanes " + std::to_string(wavefront.firstLane) + " to " +
             std::to_string(wavefront.lastLane);
  picture.text(kLabelWidth + kGridWidth + 8, y + rowHeight / 2 + 4, remark,
               "muted");
}

void BankDrawer::draw(MarkupWriter &writer) {
  Picture picture(writer, kRequestWidth, getRowTop(getNumRows()) + 4,
                  "Banks of shared memory that a request hits", describe());
  drawLaneStrip(picture, 12, example);
  if (wavefronts.empty())
    return;
  drawHeader(picture);
  size_t row = 0;
  for (size_t i = 0; i < rows.first; ++i)
    drawWavefront(picture, i, getRowTop(row++));
  if (rows.omitted > 0)
    picture.text(kLabelWidth, getRowTop(row++) + rowHeight / 2 + 4,
                 "\u22ee " + std::to_string(rows.omitted) + " more wavefronts",
                 "muted");
  for (size_t i = wavefronts.size() - rows.last; i < wavefronts.size(); ++i)
    drawWavefront(picture, i, getRowTop(row++));
  drawConflict(picture);
}

void report::drawBanks(MarkupWriter &writer, const ExampleRequest &example) {
  BankDrawer(example).draw(writer);
}
