//===- HTMLPicturesTest.cpp - Which cells of a picture are filled ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTML/AccessPicture.h"
#include "HTML/BankPicture.h"
#include "HTML/BarPictures.h"
#include "HTML/Lanes.h"
#include "HTML/Markup.h"
#include "HTML/RooflinePicture.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace uop;
using namespace uop::report;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Lanes that access `bytes` bytes each, `stride` apart.
static ExampleRequest makeRequest(unsigned lanes, int64_t first, int64_t stride,
                                  int64_t bytes) {
  ExampleRequest request;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    request.addresses.push_back(first + stride * lane);
    request.bytes.push_back(bytes);
  }
  return request;
}

template <typename Function> static std::string draw(Function function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    MarkupWriter writer(os);
    function(writer);
  }
  return text;
}

static size_t count(const std::string &text, const std::string &part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++times;
  return times;
}

static std::vector<unsigned> range(unsigned begin, unsigned end) {
  std::vector<unsigned> lanes;
  for (unsigned lane = begin; lane < end; ++lane)
    lanes.push_back(lane);
  return lanes;
}

//===----------------------------------------------------------------------===//
// Markup
//===----------------------------------------------------------------------===//

TEST(Markup, EscapesTextAndValues) {
  EXPECT_EQ(draw([](MarkupWriter &writer) {
              auto scope = writer.open("a", {{"href", "\"<&>'"}});
              writer.text("<b> & \"c\"");
            }),
            "<a href=\"&quot;&lt;&amp;&gt;&apos;\">&lt;b&gt; &amp; "
            "&quot;c&quot;</a>\n");
}

// Control characters and bytes that are no UTF-8 have no place in XML.
TEST(Markup, ReplacesWhatXMLCannotHave) {
  auto write = [](llvm::StringRef text) {
    return draw([&](MarkupWriter &writer) { writer.text(text); });
  };
  EXPECT_EQ(write("a\x01z"), "a\uFFFDz");
  EXPECT_EQ(write("a\xffz"), "a\uFFFDz");
  EXPECT_EQ(write(llvm::StringRef("a\0z", 3)), "a\uFFFDz");
  // Cut off in the middle of a character.
  EXPECT_EQ(write("a\xe2\x82"), "a\uFFFD\uFFFD");
  EXPECT_EQ(write("\t\u20ac\u00d7"), "\t\u20ac\u00d7");
  EXPECT_EQ(write("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(write("\xef\xbf\xbe"), "\uFFFD\uFFFD\uFFFD");
}

TEST(Markup, Coordinates) {
  EXPECT_EQ(asCoordinate(0), "0");
  EXPECT_EQ(asCoordinate(100), "100");
  EXPECT_EQ(asCoordinate(1.5), "1.5");
  EXPECT_EQ(asCoordinate(2.0 / 3), "0.67");
  EXPECT_EQ(asCoordinate(-0.001), "0");
  EXPECT_EQ(asCoordinate(-1.25), "-1.25");
}

TEST(Lanes, Lists) {
  EXPECT_EQ(listLanes({3}), "lane 3");
  EXPECT_EQ(listLanes({0, 1}), "lanes 0 and 1");
  EXPECT_EQ(listLanes({0, 1, 2, 7, 9, 10, 11}), "lanes 0 to 2, 7, 9 to 11");
}

TEST(Lanes, Patterns) {
  EXPECT_EQ(describePattern(makeRequest(32, 128, 4, 4)),
            "consecutive: each lane follows the one before");
  EXPECT_EQ(describePattern(makeRequest(32, 4, 4, 4)),
            "misaligned: consecutive lanes, that begin 4 bytes into a sector");
  EXPECT_EQ(describePattern(makeRequest(32, 0, 128, 4)),
            "strided: lanes step by 128 bytes");
  EXPECT_EQ(describePattern(makeRequest(32, 124, -4, 4)),
            "strided: lanes step by -4 bytes");
  EXPECT_EQ(describePattern(makeRequest(32, 64, 0, 4)),
            "broadcast: all lanes at one address");
  ExampleRequest request = makeRequest(32, 0, 4, 4);
  request.addresses[7] = 4096;
  EXPECT_EQ(describePattern(request), "in 3 runs of consecutive lanes");
  for (unsigned lane = 0; lane < 32; ++lane)
    request.addresses[lane] = 256 * ((lane * 5) % 32);
  EXPECT_EQ(describePattern(request), "irregular: 32 distinct addresses");
  request.addresses[7] = 0;
  EXPECT_EQ(describePattern(request), "irregular: 31 distinct addresses");
  // Every second lane takes part: still consecutive addresses by lane.
  request = makeRequest(32, 0, 4, 4);
  for (unsigned lane = 1; lane < 32; lane += 2)
    request.bytes[lane] = 0;
  EXPECT_EQ(describePattern(request),
            "consecutive: each lane follows the one before");
  EXPECT_EQ(describeLanes(request), "32 lanes, 16 of which take no part");
  request.bytes.assign(32, 0);
  EXPECT_EQ(describePattern(request), "no lane takes part");
  request.bytes[5] = 4;
  EXPECT_EQ(describePattern(request), "one lane alone");
}

TEST(Lanes, RowsThatAreLeftOut) {
  RowSelection all = selectRows(20, 20);
  EXPECT_EQ(all.first + all.last, 20u);
  EXPECT_EQ(all.omitted, 0u);
  RowSelection some = selectRows(64, 20);
  EXPECT_EQ(some.first, 15u);
  EXPECT_EQ(some.last, 5u);
  EXPECT_EQ(some.omitted, 44u);
}

//===----------------------------------------------------------------------===//
// Sectors
//===----------------------------------------------------------------------===//

static int64_t countTouchedSectors(const std::vector<TouchedLine> &lines) {
  int64_t sectors = 0;
  for (const TouchedLine &line : lines)
    sectors += line.getNumSectors();
  return sectors;
}

TEST(AccessPicture, Coalesced) {
  auto lines = layOutLines(makeRequest(32, 256, 4, 4));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].address, 256);
  EXPECT_THAT(lines[0].sectors, ElementsAre(true, true, true, true));
  ASSERT_THAT(lines[0].segments, SizeIs(32));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(lines[0].segments[lane].offset, 4 * lane);
    EXPECT_EQ(lines[0].segments[lane].bytes, 4);
    EXPECT_THAT(lines[0].segments[lane].lanes, ElementsAre(lane));
  }
  EXPECT_EQ(lines[0].getUsedBytes(), 128);
}

TEST(AccessPicture, Misaligned) {
  auto lines = layOutLines(makeRequest(32, 4, 4, 4));
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[1].sectors, ElementsAre(true, false, false, false));
  ASSERT_THAT(lines[1].segments, SizeIs(1));
  EXPECT_THAT(lines[1].segments[0].lanes, ElementsAre(31));
  EXPECT_EQ(lines[0].getUsedBytes(), 124);
}

// Lanes 256 bytes apart: a sector of every second line, and the lines between
// are left out.
TEST(AccessPicture, Strided) {
  auto lines = layOutLines(makeRequest(32, 0, 256, 4));
  ASSERT_THAT(lines, SizeIs(32));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(lines[lane].address, 256 * lane);
    EXPECT_EQ(lines[lane].omittedBefore, lane == 0 ? 0 : 1);
    EXPECT_EQ(lines[lane].getNumSectors(), 1);
    EXPECT_EQ(lines[lane].getUsedBytes(), 4);
  }
  std::string svg = draw([](MarkupWriter &writer) {
    drawAccess(writer, makeRequest(32, 0, 256, 4));
  });
  EXPECT_EQ(count(svg, "class=\"sector moved\""), 20u);
  EXPECT_EQ(count(svg, "class=\"gap\""), 19u);
  EXPECT_THAT(svg, HasSubstr("12 more lines, 12 sectors: lanes 15 to 26"));
}

TEST(AccessPicture, Broadcast) {
  auto lines = layOutLines(makeRequest(32, 68, 0, 4));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0].sectors, ElementsAre(false, false, true, false));
  ASSERT_THAT(lines[0].segments, SizeIs(1));
  EXPECT_THAT(lines[0].segments[0].lanes,
              testing::ElementsAreArray(range(0, 32)));
  std::string svg = draw([](MarkupWriter &writer) {
    drawAccess(writer, makeRequest(32, 68, 0, 4));
  });
  EXPECT_EQ(count(svg, "class=\"broadcast\""), 1u);
  EXPECT_THAT(svg, HasSubstr("lanes 0 to 31: 4 bytes at +68"));
}

// Lanes that overlap in part are cut where they do.
TEST(AccessPicture, Overlapping) {
  ExampleRequest request;
  request.addresses = {0, 4};
  request.bytes = {8, 8};
  auto lines = layOutLines(request);
  ASSERT_THAT(lines, SizeIs(1));
  ASSERT_THAT(lines[0].segments, SizeIs(3));
  EXPECT_THAT(lines[0].segments[0].lanes, ElementsAre(0));
  EXPECT_THAT(lines[0].segments[1].lanes, ElementsAre(0, 1));
  EXPECT_THAT(lines[0].segments[2].lanes, ElementsAre(1));
}

TEST(AccessPicture, InactiveLanes) {
  ExampleRequest request = makeRequest(64, 0, 4, 4);
  for (unsigned lane = 40; lane < 64; ++lane)
    request.bytes[lane] = 0;
  std::string svg =
      draw([&](MarkupWriter &writer) { drawAccess(writer, request); });
  EXPECT_EQ(count(svg, "class=\"inactive\""), 24u);
  EXPECT_THAT(svg, HasSubstr("lane 63 takes no part"));
  EXPECT_THAT(svg, HasSubstr("64 lanes, 24 of which take no part"));
  request.bytes.assign(64, 0);
  EXPECT_THAT(layOutLines(request), IsEmpty());
  EXPECT_THAT(draw([&](MarkupWriter &writer) { drawAccess(writer, request); }),
              HasSubstr("no lane takes part"));
}

// What is drawn is what is counted, also below the beginning of the buffer.
TEST(AccessPicture, AgreesWithTheCounts) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 2000; ++round) {
    int64_t bytes = int64_t(1) << random() % 5;
    ExampleRequest request = makeRequest(round % 2 ? 32 : 64, 0, 0, bytes);
    LaneMask active = 0;
    for (size_t lane = 0; lane < request.addresses.size(); ++lane) {
      request.addresses[lane] = int64_t(random() % 2048) - 1024;
      if (random() % 4 == 0)
        request.bytes[lane] = 0;
      else
        active |= LaneMask(1) << lane;
    }
    auto lines = layOutLines(request);
    EXPECT_EQ(countTouchedSectors(lines),
              countSectors(request.addresses, bytes, active));
    EXPECT_EQ(int64_t(lines.size()),
              countLines(request.addresses, bytes, active));
    EXPECT_EQ(int64_t(layOutWavefronts(request).size()),
              countWavefronts(request.addresses, active ? bytes : 4, active));
  }
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

TEST(BankPicture, NoConflict) {
  auto wavefronts = layOutWavefronts(makeRequest(32, 0, 4, 4));
  ASSERT_THAT(wavefronts, SizeIs(1));
  ASSERT_THAT(wavefronts[0].words, SizeIs(32));
  for (unsigned bank = 0; bank < 32; ++bank) {
    EXPECT_EQ(wavefronts[0].words[bank].bank, bank);
    EXPECT_THAT(wavefronts[0].words[bank].lanes, ElementsAre(bank));
  }
}

// A column of a 32 x 32 tile: all lanes in one bank.
TEST(BankPicture, Conflict) {
  ExampleRequest request = makeRequest(32, 20, 128, 4);
  request.bank = 5;
  request.ways = 32;
  auto wavefronts = layOutWavefronts(request);
  ASSERT_THAT(wavefronts, SizeIs(32));
  for (unsigned lane = 0; lane < 32; ++lane) {
    ASSERT_THAT(wavefronts[lane].words, SizeIs(1));
    EXPECT_EQ(wavefronts[lane].words[0].bank, 5);
    EXPECT_EQ(wavefronts[lane].words[0].word, 5 + 32 * lane);
    EXPECT_THAT(wavefronts[lane].words[0].lanes, ElementsAre(lane));
  }
  std::string svg =
      draw([&](MarkupWriter &writer) { drawBanks(writer, request); });
  EXPECT_THAT(svg, HasSubstr("32-way conflict in bank 5"));
  EXPECT_EQ(count(svg, "class=\"conflict\""), 1u);
  EXPECT_THAT(svg, HasSubstr("bank 5, word at +148: lane 1<"));
}

TEST(BankPicture, Broadcast) {
  auto wavefronts = layOutWavefronts(makeRequest(32, 0, 0, 4));
  ASSERT_THAT(wavefronts, SizeIs(1));
  ASSERT_THAT(wavefronts[0].words, SizeIs(1));
  EXPECT_THAT(wavefronts[0].words[0].lanes,
              testing::ElementsAreArray(range(0, 32)));
  std::string svg = draw([](MarkupWriter &writer) {
    drawBanks(writer, makeRequest(32, 0, 0, 4));
  });
  EXPECT_EQ(count(svg, "class=\"broadcast\""), 1u);
  EXPECT_THAT(svg, Not(HasSubstr("conflict in bank")));
}

// 16 bytes a lane: eight lanes at a time.
TEST(BankPicture, WideAccesses) {
  auto wavefronts = layOutWavefronts(makeRequest(32, 0, 16, 16));
  ASSERT_THAT(wavefronts, SizeIs(4));
  EXPECT_EQ(wavefronts[1].firstLane, 8u);
  EXPECT_EQ(wavefronts[1].lastLane, 15u);
  EXPECT_THAT(wavefronts[1].words, SizeIs(32));
  EXPECT_THAT(wavefronts[1].words[4].lanes, ElementsAre(9));
}

TEST(BankPicture, NoLane) {
  EXPECT_THAT(layOutWavefronts(ExampleRequest()), IsEmpty());
  EXPECT_THAT(layOutWavefronts(makeRequest(64, 0, 4, 0)), IsEmpty());
  EXPECT_THAT(draw([](MarkupWriter &writer) {
                drawBanks(writer, makeRequest(64, 0, 4, 0));
              }),
              HasSubstr("0 wavefronts"));
}

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

TEST(RooflinePicture, AxesAreWholeDecades) {
  LogAxis axis({0.5, 30}, 100, 400);
  EXPECT_DOUBLE_EQ(axis.getLow(), 0.1);
  EXPECT_DOUBLE_EQ(axis.getHigh(), 100);
  EXPECT_DOUBLE_EQ(axis.map(0.1), 100);
  EXPECT_DOUBLE_EQ(axis.map(1), 200);
  EXPECT_DOUBLE_EQ(axis.map(100), 400);
  LogAxis single({10}, 0, 1);
  EXPECT_EQ(single.getFirstDecade(), 1);
  EXPECT_EQ(single.getLastDecade(), 2);
}

static KernelReport makeKernel(double intensity, double attainable) {
  KernelReport report;
  report.name = "k";
  report.chip = *lookUpChip("sm_80");
  report.work.fp32 = 1e9;
  report.roofline.emplace();
  report.roofline->intensity = intensity;
  report.roofline->attainableFlopsPerSecond = attainable;
  report.roofline->roofFlopsPerSecond = attainable;
  return report;
}

static std::string drawOne(const KernelReport &report) {
  return draw([&](MarkupWriter &writer) { drawRoofline(writer, &report, 1u); });
}

TEST(RooflinePicture, PointAndCeilings) {
  KernelReport report = makeKernel(1, 1e12);
  std::string svg = drawOne(report);
  EXPECT_EQ(count(svg, "class=\"point\""), 1u);
  EXPECT_EQ(count(svg, "class=\"roof\""), 1u);
  EXPECT_THAT(svg, HasSubstr("@k: 1 TFLOP/s"));
  EXPECT_THAT(svg, HasSubstr("ridge at 12.54 FLOP/B"));
  report.work.fp64 = 1;
  report.work.tensor = 1;
  EXPECT_EQ(count(drawOne(report), "class=\"roof\""), 3u);
}

// Numbers of kernels that lie on each other stand together.
TEST(RooflinePicture, SeveralKernels) {
  KernelReport one = makeKernel(1, 1e12), other = makeKernel(100, 1e12);
  std::vector<const KernelReport *> reports = {&one, &other, &one};
  std::vector<unsigned> numbers = {1, 2, 4};
  std::string svg = draw(
      [&](MarkupWriter &writer) { drawRoofline(writer, reports, numbers); });
  EXPECT_EQ(count(svg, "class=\"point\""), 3u);
  EXPECT_THAT(svg, HasSubstr(">1, 4</text>"));
  EXPECT_THAT(svg, HasSubstr(">2</text>"));
}

// What has no place on an axis is said in words, and is nowhere in the numbers.
TEST(RooflinePicture, WithoutPoint) {
  KernelReport report = makeKernel(0, 0);
  report.work = WorkReport();
  EXPECT_THAT(explainMissingPoint(report), HasSubstr("no floating-point"));
  EXPECT_EQ(count(drawOne(report), "class=\"point\""), 0u);
  report = makeKernel(std::numeric_limits<double>::infinity(), 1e12);
  EXPECT_THAT(explainMissingPoint(report), HasSubstr("no bytes of DRAM"));
  std::string svg = drawOne(report);
  EXPECT_EQ(count(svg, "class=\"point\""), 0u);
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  report.roofline.reset();
  EXPECT_EQ(count(drawOne(report), "class=\"point\""), 0u);
  report = makeKernel(1, 1e12);
  EXPECT_EQ(explainMissingPoint(report), "");
}

TEST(RooflinePicture, ExtremePoints) {
  for (double intensity : {1e-300, 1e-9, 1e12, 1e300})
    for (double attainable : {1e-300, 1.0, 1e300}) {
      std::string svg = drawOne(makeKernel(intensity, attainable));
      EXPECT_EQ(count(svg, "class=\"point\""), 1u);
      EXPECT_THAT(svg, Not(HasSubstr("inf")));
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
    }
}

TEST(RooflinePicture, ChipWithoutRates) {
  KernelReport report = makeKernel(1, 1);
  report.chip.dramBytesPerSecond = 0;
  EXPECT_EQ(drawOne(report), "");
  report.chip = *lookUpChip("sm_80");
  report.chip.fp32FlopsPerSecond = 0;
  EXPECT_EQ(drawOne(report), "");
}

//===----------------------------------------------------------------------===//
// Bars
//===----------------------------------------------------------------------===//

static KernelReport makeOccupancy(int64_t threads) {
  KernelReport report;
  report.chip = *lookUpChip("sm_80");
  report.launch.block = {threads, 1, 1};
  BlockResources block;
  block.threads = threads;
  // More than 64 registers are too many for 1024 threads.
  block.registers = 128;
  report.occupancyByBlock = computeOccupancyTable(report.chip, block);
  return report;
}

TEST(OccupancyPicture, MarksTheOwnBlock) {
  KernelReport report = makeOccupancy(256);
  ASSERT_EQ(findOwnRow(report), 7u);
  std::string svg =
      draw([&](MarkupWriter &writer) { drawOccupancy(writer, report); });
  EXPECT_EQ(count(svg, "class=\"bar own\""), 1u);
  EXPECT_EQ(count(svg, "class=\"bar\""), 15u);
  EXPECT_EQ(count(svg, "class=\"impossible\""), 16u);
  EXPECT_THAT(svg, HasSubstr("this kernel: 256 threads, 25 %"));
  // A part of a warp has a warp's row.
  EXPECT_EQ(findOwnRow(makeOccupancy(200)), 6u);
  EXPECT_EQ(findOwnRow(makeOccupancy(1)), 0u);
  EXPECT_EQ(findOwnRow(makeOccupancy(4096)), std::nullopt);
  EXPECT_THAT(draw([&](MarkupWriter &writer) {
                drawOccupancy(writer, makeOccupancy(1024));
              }),
              HasSubstr("this kernel: 1024 threads, not possible"));
}

TEST(OccupancyPicture, NothingToDraw) {
  EXPECT_EQ(
      draw([](MarkupWriter &writer) { drawOccupancy(writer, KernelReport()); }),
      "");
  EXPECT_EQ(getOccupancyShare(Occupancy()), 0);
}

TEST(TimePicture, LongestFirst) {
  Roofline roofline;
  roofline.seconds[size_t(Bound::Dram)] = 1e-6;
  roofline.seconds[size_t(Bound::Fp32)] = 4e-6;
  roofline.bound = Bound::Fp32;
  std::string svg =
      draw([&](MarkupWriter &writer) { drawTimes(writer, roofline); });
  EXPECT_LT(svg.find("fp32: 4 \u00b5s, 100 %"),
            svg.find("DRAM bandwidth: 1 \u00b5s, 25 %"));
  EXPECT_NE(svg.find("DRAM bandwidth: 1 \u00b5s, 25 %"), std::string::npos);
  EXPECT_EQ(draw([](MarkupWriter &writer) { drawTimes(writer, Roofline()); }),
            "");
}
