//===- ReadChip.cpp - A chip of a user, from JSON -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <optional>
#include <variant>

using namespace mlir;
using namespace uop;
namespace json = llvm::json;

namespace {

/// A number of a chip, by its key.
struct Field {
  StringLiteral key;
  std::variant<int64_t GPUTarget::*, double GPUTarget::*> member;
  int64_t least = 1;
};

} // namespace

/// So that the products of counts stay far below 2^63.
static constexpr int64_t kMostCount = int64_t(1) << 24;
/// Of bytes of caches, whose only use is to be compared.
static constexpr int64_t kMostBytes = int64_t(1) << 50;

#define FIELD(name) {#name, &GPUTarget::name}
static constexpr Field kFields[] = {
    FIELD(numMultiprocessors),
    FIELD(maxThreadsPerMultiprocessor),
    FIELD(maxBlocksPerMultiprocessor),
    FIELD(registersPerMultiprocessor),
    FIELD(sharedMemoryPerMultiprocessor),
    FIELD(maxSharedMemoryPerBlock),
    FIELD(warpSize),
    FIELD(widestAccess),
    FIELD(maxThreadsPerBlock),
    FIELD(maxRegistersPerThread),
    FIELD(maxRegistersPerBlock),
    FIELD(registerAllocationUnit),
    FIELD(numPartitions),
    FIELD(sharedMemoryAllocationUnit),
    {"reservedSharedMemoryPerBlock", &GPUTarget::reservedSharedMemoryPerBlock,
     0},
    FIELD(clockHertz),
    FIELD(dramBytesPerSecond),
    FIELD(dramLatencySeconds),
    FIELD(l2Bytes),
    FIELD(fp32FlopsPerSecond),
    FIELD(fp64FlopsPerSecond),
    FIELD(tensorFlopsPerSecond),
    FIELD(fmasPerCycle),
    FIELD(sharedBytesPerCycle),
};
#undef FIELD

static constexpr StringLiteral kConfigurations = "sharedMemoryConfigurations";

std::vector<StringRef> uop::getChipFields() {
  std::vector<StringRef> keys;
  for (const Field &field : kFields)
    keys.push_back(field.key);
  keys.push_back(kConfigurations);
  return keys;
}

namespace {

/// One reading of one text.
class ChipReader {
public:
  ChipReader(StringRef source) : source(source) {}

  llvm::Expected<GPUTarget> read(StringRef text);

private:
  llvm::Error fail(const Twine &text) const {
    return llvm::createStringError(Twine(source) + ": " + text);
  }
  llvm::Error checkKeys(const json::Object &object) const;
  llvm::Error readNames(const json::Object &object);
  llvm::Error readField(const json::Object &object, const Field &field);
  llvm::Error readNumber(const json::Value &value, const Field &field,
                         int64_t GPUTarget::*member);
  llvm::Error readNumber(const json::Value &value, const Field &field,
                         double GPUTarget::*member);
  llvm::Error readConfigurations(const json::Object &object);
  llvm::Error checkMissing(StringRef key) const;
  llvm::Error checkTogether() const;

  std::string source;
  bool hasBase = false;
  GPUTarget chip = {};
};

} // namespace

static std::string print(const json::Value &value) {
  return llvm::formatv("{0}", value).str();
}

llvm::Error ChipReader::checkKeys(const json::Object &object) const {
  std::vector<StringRef> known = {"chip", "product", "base"};
  llvm::append_range(known, getChipFields());
  SmallVector<StringRef> keys;
  for (const auto &entry : object)
    keys.push_back(entry.first);
  // The order of an object's entries is not that of the text.
  llvm::sort(keys);
  for (StringRef key : keys)
    if (!llvm::is_contained(known, key))
      return fail("unknown key '" + key + "'; expected one of " +
                  llvm::join(known, ", "));
  return llvm::Error::success();
}

llvm::Error ChipReader::readNames(const json::Object &object) {
  if (const json::Value *base = object.get("base")) {
    std::optional<StringRef> name = base->getAsString();
    const GPUTarget *target = name ? lookUpChip(*name) : nullptr;
    if (!target)
      return fail("expected a known chip as 'base', but got " + print(*base) +
                  "; choose one of " + listChips());
    chip = *target;
    hasBase = true;
  }
  if (!object.get("chip"))
    return fail("expected the key 'chip', the name of the chip, but it is "
                "missing");
  std::pair<StringRef, std::string *> texts[] = {{"chip", &chip.chip},
                                                 {"product", &chip.product}};
  for (auto [key, text] : texts)
    if (const json::Value *value = object.get(key)) {
      std::optional<StringRef> given = value->getAsString();
      if (!given || given->empty())
        return fail("expected a name as '" + key + "', but got " +
                    print(*value));
      *text = given->str();
    }
  // The product of the base is not the user's.
  if (!object.get("product"))
    chip.product = chip.chip;
  return llvm::Error::success();
}

llvm::Error ChipReader::checkMissing(StringRef key) const {
  if (hasBase)
    return llvm::Error::success();
  return fail("expected the key '" + key +
              "', but it is missing; state it, or a known chip as 'base' to "
              "take it from");
}

llvm::Error ChipReader::readNumber(const json::Value &value, const Field &field,
                                   int64_t GPUTarget::*member) {
  int64_t most = member == &GPUTarget::l2Bytes ? kMostBytes : kMostCount;
  std::optional<int64_t> number = value.getAsInteger();
  if (!number || *number < field.least || *number > most)
    return fail("expected a whole number of " + Twine(field.least) + " to " +
                Twine(most) + " as '" + field.key + "', but got " +
                print(value));
  chip.*member = *number;
  return llvm::Error::success();
}

llvm::Error ChipReader::readNumber(const json::Value &value, const Field &field,
                                   double GPUTarget::*member) {
  std::optional<double> number = value.getAsNumber();
  if (!number || !std::isnormal(*number) || *number <= 0)
    return fail("expected a number above 0 as '" + field.key + "', but got " +
                print(value));
  chip.*member = *number;
  return llvm::Error::success();
}

llvm::Error ChipReader::readField(const json::Object &object,
                                  const Field &field) {
  const json::Value *value = object.get(field.key);
  if (!value)
    return checkMissing(field.key);
  return std::visit(
      [&](auto member) { return readNumber(*value, field, member); },
      field.member);
}

llvm::Error ChipReader::readConfigurations(const json::Object &object) {
  const json::Value *value = object.get(kConfigurations);
  if (!value) {
    // Those of the base go up to the base's shared memory.
    std::vector<int64_t> &sizes = chip.sharedMemoryConfigurations;
    if (hasBase && sizes.back() != chip.sharedMemoryPerMultiprocessor)
      return fail("expected the key '" + kConfigurations +
                  "' beside a 'sharedMemoryPerMultiprocessor' that is not that "
                  "of 'base', but it is missing");
    return checkMissing(kConfigurations);
  }
  auto refuse = [&] {
    return fail("expected a list of ascending sizes in bytes that ends with "
                "'sharedMemoryPerMultiprocessor', " +
                Twine(chip.sharedMemoryPerMultiprocessor) + ", as '" +
                kConfigurations + "', but got " + print(*value));
  };
  chip.sharedMemoryConfigurations.clear();
  const json::Array *list = value->getAsArray();
  if (!list)
    return refuse();
  int64_t before = -1;
  for (const json::Value &entry : *list) {
    std::optional<int64_t> size = entry.getAsInteger();
    if (!size || *size <= before)
      return refuse();
    chip.sharedMemoryConfigurations.push_back(before = *size);
  }
  if (before != chip.sharedMemoryPerMultiprocessor)
    return refuse();
  return llvm::Error::success();
}

/// What has a meaning only beside other numbers.
llvm::Error ChipReader::checkTogether() const {
  if (chip.warpSize != 32 && chip.warpSize != 64)
    return fail("expected 32 or 64 as 'warpSize', but got " +
                Twine(chip.warpSize));
  struct Order {
    StringLiteral small, large;
    int64_t least, most;
  } orders[] = {
      {"warpSize", "maxThreadsPerBlock", chip.warpSize,
       chip.maxThreadsPerBlock},
      {"maxThreadsPerBlock", "maxThreadsPerMultiprocessor",
       chip.maxThreadsPerBlock, chip.maxThreadsPerMultiprocessor},
      {"maxRegistersPerBlock", "registersPerMultiprocessor",
       chip.maxRegistersPerBlock, chip.registersPerMultiprocessor},
      {"maxSharedMemoryPerBlock and reservedSharedMemoryPerBlock together",
       "sharedMemoryPerMultiprocessor",
       chip.maxSharedMemoryPerBlock + chip.reservedSharedMemoryPerBlock,
       chip.sharedMemoryPerMultiprocessor},
  };
  for (const Order &order : orders)
    if (order.least > order.most)
      return fail("expected at most " + order.large + ", " + Twine(order.most) +
                  ", for " + order.small + ", but got " + Twine(order.least));
  return llvm::Error::success();
}

llvm::Expected<GPUTarget> ChipReader::read(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return fail("expected JSON: " + llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("expected an object, { ... }, but got " + print(*value));
  if (llvm::Error error = checkKeys(*object))
    return error;
  if (llvm::Error error = readNames(*object))
    return error;
  for (const Field &field : kFields)
    if (llvm::Error error = readField(*object, field))
      return error;
  if (llvm::Error error = readConfigurations(*object))
    return error;
  if (llvm::Error error = checkTogether())
    return error;
  return chip;
}

llvm::Expected<GPUTarget> uop::parseChip(StringRef json, StringRef source) {
  return ChipReader(source).read(json);
}

llvm::Expected<GPUTarget> uop::readChip(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   Twine(path) +
                                       ": expected the file of a "
                                       "chip, but it cannot be read: " +
                                       file.getError().message());
  return parseChip((*file)->getBuffer(), path);
}
