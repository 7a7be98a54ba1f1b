//===- RequestTable.cpp - Accesses of lanes become requests ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RequestTable.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace uop;

size_t RequestTable::getMemorySize() const {
  return records.capacity() * sizeof(Record) + numbers.getMemorySize() +
         ofLanes.capacity() * sizeof(int64_t);
}

RequestTable::Record *RequestTable::find(const Key &key) {
  if (next < records.size() && records[next].key == key)
    return &records[next++];
  auto it = numbers.find(key);
  if (it == numbers.end())
    return nullptr;
  next = it->second + 1;
  return &records[it->second];
}

/// Whether the value of one more lane keeps the distances equal.
bool RequestTable::isRegular(Record &record, unsigned lane,
                             int64_t value) const {
  if (record.firstLane != record.lastLane)
    return getValue(record, lane) == value;
  int64_t lanes = int64_t(lane) - int64_t(record.firstLane);
  int64_t distance;
  if (lanes == 0 || SubOverflow(value, record.value, distance) ||
      distance % lanes != 0)
    return false;
  record.step = distance / lanes;
  return true;
}

int64_t RequestTable::addLanes() {
  int64_t first = ofLanes.size();
  ofLanes.resize(first + warpSize);
  return first;
}

void RequestTable::spreadValues(Record &record) {
  record.values = addLanes();
  for (unsigned lane = 0; lane < warpSize; ++lane)
    ofLanes[record.values + lane] = getValue(record, lane);
}

void RequestTable::spreadBytes(Record &record) {
  record.bytesOfLanes = addLanes();
  for (unsigned lane = 0; lane < warpSize; ++lane)
    ofLanes[record.bytesOfLanes + lane] = record.bytes;
}

bool RequestTable::add(uint32_t site, uint32_t part, uint32_t path,
                       unsigned lane, int64_t value, int64_t bytes,
                       size_t memoryLimit) {
  Key key{{site, part}, path};
  Record *record = find(key);
  if (!record) {
    if (getMemorySize() >= memoryLimit)
      return false;
    numbers.try_emplace(key, records.size());
    records.push_back(
        {key, LaneMask(1) << lane, lane, lane, value, 0, bytes, -1, -1});
    next = records.size();
    return true;
  }
  bool spreadsValues = record->values < 0 && !isRegular(*record, lane, value);
  bool spreadsBytes = record->bytesOfLanes < 0 && bytes != record->bytes;
  if ((spreadsValues || spreadsBytes) && getMemorySize() >= memoryLimit)
    return false;
  if (spreadsValues)
    spreadValues(*record);
  if (spreadsBytes)
    spreadBytes(*record);
  if (record->values >= 0)
    ofLanes[record->values + lane] = value;
  if (record->bytesOfLanes >= 0)
    ofLanes[record->bytesOfLanes + lane] = bytes;
  assert(!(record->active >> lane & 1) && "a lane executes a site once");
  record->active |= LaneMask(1) << lane;
  record->lastLane = lane;
  return true;
}

std::optional<uint32_t> RequestTable::dropLargestSite() {
  DenseMap<uint32_t, size_t> sizes;
  uint32_t largest = 0;
  for (const Record &record : records) {
    uint32_t site = record.key.first.first;
    size_t lanes = (record.values >= 0) + (record.bytesOfLanes >= 0);
    sizes[site] += sizeof(Record) + lanes * warpSize * sizeof(int64_t);
    if (sizes[site] > sizes[largest])
      largest = site;
  }
  if (records.empty())
    return std::nullopt;
  RequestTable kept(warpSize);
  for (const Record &record : records) {
    if (record.key.first.first == largest)
      continue;
    kept.numbers.try_emplace(record.key, kept.records.size());
    Record &copy = kept.records.emplace_back(record);
    for (int64_t *lanes : {&copy.values, &copy.bytesOfLanes}) {
      if (*lanes < 0)
        continue;
      int64_t first = kept.addLanes();
      for (unsigned lane = 0; lane < warpSize; ++lane)
        kept.ofLanes[first + lane] = ofLanes[*lanes + lane];
      *lanes = first;
    }
  }
  *this = std::move(kept);
  return largest;
}

void RequestTable::take(function_ref<void(const LaneRecord &)> handle) {
  SmallVector<int64_t, kMaxWarpSize> values(warpSize), bytes(warpSize);
  auto getLanes = [&](int64_t first) {
    return ArrayRef(ofLanes).slice(first, warpSize);
  };
  for (const Record &record : records) {
    LaneRecord lanes{record.key.first.first, record.active, values, bytes};
    if (record.values >= 0)
      lanes.values = getLanes(record.values);
    else
      for (unsigned lane = 0; lane < warpSize; ++lane)
        values[lane] = getValue(record, lane);
    if (record.bytesOfLanes >= 0)
      lanes.bytes = getLanes(record.bytesOfLanes);
    else
      llvm::fill(bytes, record.bytes);
    handle(lanes);
  }
  // A large table is not kept for small ones.
  if (getMemorySize() > (size_t(1) << 24))
    *this = RequestTable(warpSize);
  records.clear();
  numbers.clear();
  ofLanes.clear();
  next = 0;
}
