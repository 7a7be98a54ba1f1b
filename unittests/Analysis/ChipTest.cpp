//===- ChipTest.cpp - The table of chips, and chips of a user -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/IR/Uop.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <regex>

using namespace uop;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

TEST(Chip, A100) {
  const GPUTarget *chip = lookUpGPUTarget("sm_80");
  ASSERT_TRUE(chip);
  EXPECT_EQ(chip->product, "A100");
  EXPECT_EQ(chip->numMultiprocessors, 108);
  EXPECT_EQ(chip->maxThreadsPerMultiprocessor, 2048);
  EXPECT_EQ(chip->getMaxWarps(), 64);
  EXPECT_EQ(chip->maxBlocksPerMultiprocessor, 32);
  EXPECT_EQ(chip->registersPerMultiprocessor, 65536);
  EXPECT_EQ(chip->registerAllocationUnit, 256);
  EXPECT_EQ(chip->sharedMemoryPerMultiprocessor, 164 * 1024);
  EXPECT_EQ(chip->dramBytesPerSecond, 1555e9);
  EXPECT_EQ(chip->dramLatencySeconds, 600e-9);
  EXPECT_EQ(chip->fp32FlopsPerSecond, 19.5e12);
  EXPECT_EQ(chip->tensorFlopsPerSecond, 312e12);
  EXPECT_EQ(chip->l2Bytes, 40 * 1024 * 1024);
  EXPECT_EQ(chip->fmasPerCycle, 64);
  EXPECT_EQ(chip->sharedBytesPerCycle, 128);
}

// A chip that kernels are not compiled for can still be counted on.
TEST(Chip, Names) {
  EXPECT_EQ(lookUpGPUTarget("sm_70"), nullptr);
  ASSERT_TRUE(lookUpChip("sm_70"));
  EXPECT_EQ(lookUpChip("sm_70")->product, "V100");
  for (llvm::StringRef none : {"sm_71", "sm_69", "sm_999", "gfx942", "sm_", ""})
    EXPECT_EQ(lookUpChip(none), nullptr) << none.str();
  EXPECT_EQ(lookUpGPUTarget("sm_90a"), lookUpGPUTarget("sm_90"));
  EXPECT_EQ(lookUpGPUTarget("sm_88"), lookUpGPUTarget("sm_87"));
  EXPECT_EQ(lookUpGPUTarget("sm_101"), lookUpGPUTarget("sm_110"));
  EXPECT_EQ(lookUpGPUTarget("sm_121"), lookUpGPUTarget("sm_120"));
  EXPECT_EQ(listGPUTargets(),
            "sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, "
            "sm_103, sm_110, sm_120, sm_121");
  EXPECT_EQ(listChips(), "sm_70, sm_72, " + listGPUTargets());
}

// What data sheets say agrees with itself.
TEST(Chip, FiguresAgree) {
  for (const GPUTarget &chip : getChips()) {
    SCOPED_TRACE(chip.chip);
    EXPECT_EQ(lookUpChip(chip.chip), &chip);
    double fmas = double(chip.numMultiprocessors) * double(chip.fmasPerCycle);
    EXPECT_NEAR(2 * fmas * chip.clockHertz / chip.fp32FlopsPerSecond, 1, 0.015);
    EXPECT_LE(chip.fp64FlopsPerSecond, chip.fp32FlopsPerSecond);
    EXPECT_GT(chip.tensorFlopsPerSecond, chip.fp32FlopsPerSecond);
    EXPECT_EQ(chip.maxThreadsPerBlock, kMaxThreadsPerBlock);
    EXPECT_EQ(chip.sharedMemoryConfigurations.back(),
              chip.sharedMemoryPerMultiprocessor);
    EXPECT_EQ(chip.maxSharedMemoryPerBlock + chip.reservedSharedMemoryPerBlock,
              chip.sharedMemoryPerMultiprocessor);
  }
}

//===----------------------------------------------------------------------===//
// Chips of a user
//===----------------------------------------------------------------------===//

static const char *const kWhole = R"({
  "chip": "mine", "product": "My board",
  "numMultiprocessors": 10, "maxThreadsPerMultiprocessor": 2048,
  "maxBlocksPerMultiprocessor": 32, "registersPerMultiprocessor": 65536,
  "sharedMemoryPerMultiprocessor": 65536, "maxSharedMemoryPerBlock": 65536,
  "warpSize": 64, "widestAccess": 16, "maxThreadsPerBlock": 1024,
  "maxRegistersPerThread": 255, "maxRegistersPerBlock": 65536,
  "registerAllocationUnit": 512, "numPartitions": 4,
  "sharedMemoryAllocationUnit": 128, "reservedSharedMemoryPerBlock": 0,
  "sharedMemoryConfigurations": [32768, 65536],
  "clockHertz": 1.5e9, "dramBytesPerSecond": 1e12,
  "dramLatencySeconds": 5e-7, "l2Bytes": 8388608,
  "fp32FlopsPerSecond": 1.9e12, "fp64FlopsPerSecond": 9e11,
  "tensorFlopsPerSecond": 8e12, "fmasPerCycle": 64, "sharedBytesPerCycle": 128
})";

static std::string getError(llvm::StringRef json) {
  llvm::Expected<GPUTarget> chip = parseChip(json, "mine.json");
  return chip ? "no error" : llvm::toString(chip.takeError());
}

/// kWhole with one text in place of another.
static std::string with(const std::string &old, const std::string &text) {
  std::string json = kWhole;
  size_t at = json.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return json.replace(at, old.size(), text);
}

TEST(Chip, Whole) {
  llvm::Expected<GPUTarget> chip = parseChip(kWhole, "mine.json");
  ASSERT_TRUE(bool(chip)) << llvm::toString(chip.takeError());
  EXPECT_EQ(chip->chip, "mine");
  EXPECT_EQ(chip->product, "My board");
  EXPECT_EQ(chip->numMultiprocessors, 10);
  EXPECT_EQ(chip->warpSize, 64);
  EXPECT_EQ(chip->reservedSharedMemoryPerBlock, 0);
  EXPECT_EQ(chip->dramLatencySeconds, 5e-7);
  EXPECT_EQ(chip->sharedMemoryConfigurations,
            (std::vector<int64_t>{32768, 65536}));
}

TEST(Chip, OnTopOfAnother) {
  llvm::Expected<GPUTarget> chip =
      parseChip(R"({"chip": "slow", "base": "sm_90a", "clockHertz": 1e9})", "");
  ASSERT_TRUE(bool(chip)) << llvm::toString(chip.takeError());
  EXPECT_EQ(chip->chip, "slow");
  EXPECT_EQ(chip->product, "slow");
  EXPECT_EQ(chip->clockHertz, 1e9);
  EXPECT_EQ(chip->numMultiprocessors, 132);
  EXPECT_EQ(chip->sharedMemoryConfigurations,
            lookUpChip("sm_90")->sharedMemoryConfigurations);
}

TEST(Chip, MissingOrUnknownKeys) {
  EXPECT_EQ(getError(with("\"numPartitions\": 4,", "")),
            "mine.json: expected the key 'numPartitions', but it is missing; "
            "state it, or a known chip as 'base' to take it from");
  EXPECT_EQ(
      getError(with("\"sharedMemoryConfigurations\": [32768, 65536],", "")),
      "mine.json: expected the key 'sharedMemoryConfigurations', but it is "
      "missing; state it, or a known chip as 'base' to take it from");
  EXPECT_EQ(getError(R"({"base": "sm_80"})"),
            "mine.json: expected the key 'chip', the name of the chip, but it "
            "is missing");
  EXPECT_EQ(
      getError(R"({"chip": "x", "base": "sm_80", "clock": 1})").substr(0, 66),
      "mine.json: unknown key 'clock'; expected one of chip, product, bas");
  EXPECT_EQ(getError(R"({"chip": "x", "base": "gfx942"})"),
            "mine.json: expected a known chip as 'base', but got \"gfx942\"; "
            "choose one of " +
                listChips());
  EXPECT_EQ(getError(R"({"chip": "x", "base": "sm_80",
                         "sharedMemoryPerMultiprocessor": 262144})"),
            "mine.json: expected the key 'sharedMemoryConfigurations' beside a "
            "'sharedMemoryPerMultiprocessor' that is not that of 'base', but "
            "it is missing");
}

TEST(Chip, NumbersThatAreNone) {
  auto on80 = [](const std::string &entry) {
    return getError(R"({"chip": "x", "base": "sm_80", )" + entry + "}");
  };
  for (std::string value : {"0", "-1", "1.5", "\"108\"", "null", "16777217"})
    EXPECT_EQ(on80("\"numMultiprocessors\": " + value),
              "mine.json: expected a whole number of 1 to 16777216 as "
              "'numMultiprocessors', but got " +
                  value);
  EXPECT_EQ(on80("\"clockHertz\": 0"),
            "mine.json: expected a number above 0 as 'clockHertz', but got 0");
  EXPECT_EQ(on80("\"clockHertz\": -1e9"), "mine.json: expected a number above "
                                          "0 as 'clockHertz', but got "
                                          "-1000000000");
  EXPECT_EQ(on80("\"reservedSharedMemoryPerBlock\": -1"),
            "mine.json: expected a whole number of 0 to 16777216 as "
            "'reservedSharedMemoryPerBlock', but got -1");
  EXPECT_EQ(on80("\"product\": 3"),
            "mine.json: expected a name as 'product', but got 3");
  EXPECT_EQ(on80("\"sharedMemoryConfigurations\": [0, 8192]"),
            "mine.json: expected a list of ascending sizes in bytes that ends "
            "with 'sharedMemoryPerMultiprocessor', 167936, as "
            "'sharedMemoryConfigurations', but got [0,8192]");
}

TEST(Chip, NumbersThatDoNotGoTogether) {
  EXPECT_EQ(getError(with("\"warpSize\": 64", "\"warpSize\": 48")),
            "mine.json: expected 32 or 64 as 'warpSize', but got 48");
  EXPECT_EQ(getError(with("\"maxSharedMemoryPerBlock\": 65536",
                          "\"maxSharedMemoryPerBlock\": 65537")),
            "mine.json: expected at most sharedMemoryPerMultiprocessor, 65536, "
            "for maxSharedMemoryPerBlock and reservedSharedMemoryPerBlock "
            "together, but got 65537");
  EXPECT_EQ(getError(with("\"maxThreadsPerBlock\": 1024",
                          "\"maxThreadsPerBlock\": 4096")),
            "mine.json: expected at most maxThreadsPerMultiprocessor, 2048, "
            "for maxThreadsPerBlock, but got 4096");
}

TEST(Chip, TextThatIsNoChip) {
  EXPECT_EQ(getError("{").substr(0, 26), "mine.json: expected JSON: ");
  EXPECT_EQ(getError("[1]"),
            "mine.json: expected an object, { ... }, but got [1]");
}

TEST(Chip, Files) {
  int file;
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("chip", "json", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << kWhole;
  llvm::Expected<GPUTarget> chip = readChip(path);
  ASSERT_TRUE(bool(chip)) << llvm::toString(chip.takeError());
  EXPECT_EQ(chip->chip, "mine");
  llvm::sys::fs::remove(path);
  llvm::Expected<GPUTarget> none = readChip(path);
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError())
                .find(path.str().str() +
                      ": expected the file of a chip, but it "
                      "cannot be read: "),
            0u);
}

// A row for each key, and no other.
TEST(Chip, Documented) {
  auto file = llvm::MemoryBuffer::getFile(UOP_DOCS_DIR "/Chips.md");
  ASSERT_TRUE(bool(file));
  std::string text = (*file)->getBuffer().str();
  std::vector<std::string> rows;
  std::regex row("\n\\| `(\\w+)` \\|");
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end;
       ++at)
    rows.push_back((*at)[1]);
  std::vector<std::string> keys = {"chip", "product", "base"};
  for (llvm::StringRef key : getChipFields())
    keys.push_back(key.str());
  std::sort(rows.begin(), rows.end());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(rows, keys);
}
