//===- Session.cpp - The state of a checked run ---------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace llvm;
using namespace uop;

CheckSession::Impl::Impl(CheckOptions options)
    : options(std::move(options)), launchLog(RaceLog::Parties::Blocks) {}

//===----------------------------------------------------------------------===//
// Shadow and logs
//===----------------------------------------------------------------------===//

bool WordShadow::access(uint32_t now, uint16_t byThread,
                        const AccessSite &site) {
  enum Use : uint16_t { Read = 1, Write = 2, Update = 4, Several = 8 };
  if (interval != now)
    *this = {now, byThread, 0};
  uses |= site.isAtomic() ? Update : site.isWrite() ? Write : Read;
  if (thread != byThread)
    uses |= Several;
  return (uses & Several) &&
         ((uses & Write) || ((uses & Update) && (uses & Read)));
}

RaceLog &IntervalLog::expand(ArrayRef<AccessSite> sites, uint64_t block) {
  size_t nextValue = 0, nextPhase = 0, nextSegment = 0;
  for (const Entry &entry : entries) {
    LoggedAccess access;
    access.address = entry.address;
    access.bytes = sites[entry.site].bytes;
    access.block = block;
    access.thread = entry.thread;
    access.site = entry.site;
    access.isContinued = entry.isContinued;
    access.isEarlier = entry.isEarlier;
    if (entry.hasValue)
      access.value = values[nextValue++];
    if (entry.hasPhase)
      access.phase = phases[nextPhase++];
    if (entry.hasSegment)
      access.segment = segments[nextSegment++];
    log.add(access);
  }
  entries.clear();
  values.clear();
  phases.clear();
  segments.clear();
  return log;
}

//===----------------------------------------------------------------------===//
// Launches, blocks, intervals
//===----------------------------------------------------------------------===//

void CheckSession::Impl::beginLaunch(StringRef text, const Coordinates3 &grid,
                                     const Coordinates3 &size) {
  auto [it, isNew] = tables.try_emplace(text);
  if (isNew) {
    Expected<SiteTable> parsed = SiteTable::parse(text);
    if (!parsed)
      reportFatalUsageError(parsed.takeError());
    it->second = std::move(*parsed);
  }
  table = &it->second;
  order.clear();
  const AtomicOrder *known = table->hasFences ? &order : nullptr;
  for (IntervalLog *log : {&sharedLog, &globalLog}) {
    log->setSubgroupSize(table->subgroupSize);
    log->setOrder(known);
  }
  launchLog.setOrder(known);
  gridSize = grid;
  blockSize = size;
  block = -1;
  blocksBegun = 0;
  shared.assign(table->shared.size(), {});
  views.assign(table->views.size(), {});
  written.assign(views.size(), {});
  notLogged.assign(views.size(), {});
  given.assign(views.size(), {});
}

void CheckSession::Impl::endLaunch() {
  endBlock();
  launchLog.findRaces(table->accesses,
                      [&](const RacePairs &pairs) { report(pairs); });
  launchLog.clear();
  for (const Range &reads : notLogged)
    for (const Range &writes : written)
      needsFullLog |= reads.overlaps(writes);
}

void CheckSession::Impl::beginThread(const Coordinates3 &id, int64_t thread) {
  int64_t linear = id[0] + gridSize[0] * (id[1] + gridSize[1] * id[2]);
  if (linear != block) {
    endBlock();
    block = linear;
    threads.assign(blockSize[0] * blockSize[1] * blockSize[2], {});
    looseShared.clear();
    looseGlobal.clear();
    interval = 0;
    shadow.clear();
    if (table->hasFences)
      order.beginBlock(threads.size(), table->subgroupSize);
    beginBlock(gridSize[0] * gridSize[1] * gridSize[2]);
  }
}

void CheckSession::Impl::beginBlock(int64_t numBlocks) {
  // The first block of another launch, if it has not been announced.
  if (blocksBegun >= numBlocks)
    blocksBegun = 0;
  if (options.progress)
    options.progress(blocksBegun, numBlocks);
  ++blocksBegun;
}

void CheckSession::Impl::beginShared(int64_t number, uint64_t address,
                                     int64_t bytes) {
  Shared &buffer = shared[number];
  if (buffer.address == 0) {
    buffer.address = address;
    buffer.isWritten.assign(bytes, table->shared[number].isZeroed);
    // What other blocks have left there is of other intervals.
    buffer.shadow.resize(bytes / 4 + 2);
  }
}

void CheckSession::Impl::beginView(int64_t number, uint64_t address,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> strides) {
  // More of them only name the elements of a message.
  constexpr size_t mostViews = 1024;
  auto &known = views[number];
  View view{address, SmallVector<int64_t, 4>(sizes),
            SmallVector<int64_t, 4>(strides)};
  if (!known.empty() && known.back() == view)
    return;
  if (known.size() < mostViews && !is_contained(known, view))
    known.push_back(std::move(view));
}

void CheckSession::Impl::endInterval() {
  auto findRaces = [&](RaceLog &log, ArrayRef<LoggedAccess> loose) {
    for (const LoggedAccess &access : loose)
      log.add(access);
    log.findRaces(table->accesses,
                  [&](const RacePairs &pairs) { report(pairs); });
  };
  setLastPhases();
  if (mayRace)
    findRaces(sharedLog.expand(table->accesses, block), looseShared);
  RaceLog &global = globalLog.expand(table->accesses, block);
  if (mayRace)
    findRaces(global, looseGlobal);
  keepLoose();
  for (LoggedAccess access : global.getAccesses()) {
    if (access.isEarlier)
      continue;
    // Means nothing to other blocks.
    access.phase = 0;
    launchLog.add(access);
  }
  sharedLog.clear();
  globalLog.clear();
  mayRace = false;
  ++shadowInterval;
}

void CheckSession::Impl::endBlock() {
  if (block < 0)
    return;
  endInterval();
  // The next block has memory of its own, which may be elsewhere.
  for (Shared &buffer : shared)
    buffer.address = 0;
  for (auto [site, known] : zip(table->views, views))
    if (site.space == AccessSpace::Shared)
      known.clear();
  block = -1;
}

void CheckSession::Impl::barrier(int64_t thread) {
  if (++threads[thread].interval <= interval)
    return;
  interval = threads[thread].interval;
  endInterval();
  if (table->hasFences)
    order.barrier();
  for (auto [id, other] : enumerate(threads)) {
    other.phase = 0;
    logCopies(id, /*isContinued=*/false, /*isEarlier=*/true);
  }
  for (const LoggedAccess &access : looseShared)
    touch(access, findShared(table->accesses[access.site], access.address));
  for (const LoggedAccess &access : looseGlobal)
    touch(access, nullptr);
}

void CheckSession::Impl::warpBarrier(int64_t thread) {
  ++threads[thread].phase;
  if (table->hasFences)
    order.warpBarrier(thread);
  logCopies(thread, /*isContinued=*/true, /*isEarlier=*/false);
}

void CheckSession::Impl::fence(int64_t thread, bool acquires, bool releases) {
  order.fence(thread, acquires, releases);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

CheckSession::Impl::Shared *
CheckSession::Impl::findShared(const AccessSite &site, uint64_t address) {
  if (site.sharedBuffer >= 0)
    return &shared[site.sharedBuffer];
  for (Shared &buffer : shared)
    if (buffer.address != 0 && address >= buffer.address &&
        address - buffer.address < buffer.isWritten.size())
      return &buffer;
  return nullptr;
}

static uint64_t readValue(uint64_t address, int64_t bytes) {
  const char *data = reinterpret_cast<const char *>(address);
  uint64_t value = 0;
  if (bytes > 8)
    return xxh3_64bits(StringRef(data, bytes));
  std::memcpy(&value, data, bytes);
  return value;
}

void CheckSession::Impl::log(int64_t number, int64_t thread, uint64_t address,
                             Shared *buffer, bool isContinued, bool isEarlier) {
  const AccessSite &site = table->accesses[number];
  IntervalLog &known = buffer ? sharedLog : globalLog;
  LoggedAccess access;
  access.address = address;
  access.site = number;
  access.thread = thread;
  access.phase = threads[thread].phase;
  access.isContinued = isContinued;
  access.isEarlier = isEarlier;
  bool isStore = site.kind == SiteKind::Store;
  if (isStore)
    access.value = readValue(address, site.bytes);
  // Fences do not wait for copies.
  if (table->hasFences && site.kind != SiteKind::AsyncCopy)
    access.segment = order.getSegment(thread);
  known.add(access, isStore);
  if (table->hasFences && site.isAtomic())
    order.update(thread, address, /*isShared=*/buffer != nullptr);
  if (known.isLong())
    known.expand(table->accesses, block);
  touch(access, buffer);
}

void CheckSession::Impl::touch(const LoggedAccess &access, Shared *buffer) {
  const AccessSite &site = table->accesses[access.site];
  uint64_t first = access.address / 4,
           last = (access.address + site.bytes - 1) / 4;
  for (uint64_t word = first; word <= last; ++word) {
    WordShadow &state =
        buffer ? buffer->shadow[word - buffer->address / 4] : shadow[word];
    mayRace |= state.access(shadowInterval, access.thread, site);
  }
}

void CheckSession::Impl::access(int64_t number, int64_t thread,
                                uint64_t address) {
  const AccessSite &site = table->accesses[number];
  if (site.space == AccessSpace::Private)
    return;
  Shared *buffer = findShared(site, address);
  if (!buffer) {
    if (!site.mayRace && !options.logEverything)
      return notLogged[site.view].include(address, site.bytes);
    if (site.isWrite())
      written[site.view].include(address, site.bytes);
    return log(number, thread, address, nullptr);
  }
  uint64_t offset = address - buffer->address;
  bool isRead = site.kind == SiteKind::Load || site.isAtomic();
  char *isWritten = buffer->isWritten.data() + offset;
  bool isMissing = isRead && std::memchr(isWritten, false, site.bytes);
  if (site.isWrite())
    std::memset(isWritten, true, site.bytes);
  if (isMissing) {
    bool isNew;
    Finding &finding = find(FindingKind::UninitializedRead, {number},
                            ThreadRelation::None, isNew);
    ++finding.count;
    if (isNew) {
      finding.space = AccessSpace::Shared;
      finding.accesses = {describe(number, thread, block)};
      locate(finding, number, address);
    }
  }
  log(number, thread, address, buffer);
}

void CheckSession::Impl::fault(int64_t number, int64_t thread, uint64_t address,
                               ArrayRef<int64_t> indices,
                               ArrayRef<int64_t> ends,
                               ArrayRef<int64_t> sizes) {
  bool isInside = true;
  for (auto [index, end, size] : zip_equal(indices, ends, sizes))
    isInside &= index >= 0 && end >= index && end <= size;
  const AccessSite &site = table->accesses[number];
  bool isMisaligned = isInside && address % site.alignment != 0;
  bool isNew;
  Finding &finding =
      find(isMisaligned ? FindingKind::Misaligned : FindingKind::OutOfBounds,
           {number}, ThreadRelation::None, isNew);
  ++finding.count;
  if (!isNew)
    return;
  const ViewSite &view = table->views[site.view];
  finding.space = site.space;
  finding.accesses = {describe(number, thread, block)};
  finding.bufferPosition = view.where;
  finding.buffer = view.name;
  finding.indices.assign(indices.begin(), indices.end());
  finding.sizes.assign(sizes.begin(), sizes.end());
  if (isInside && !isMisaligned)
    finding.detail = "the view of the buffer is larger than the buffer";
  else if (!isInside && view.isGiven)
    finding.detail =
        "the view that the kernel was given is of size [" +
        llvm::join(
            map_range(sizes, [](int64_t n) { return std::to_string(n); }),
            ", ") +
        "]" +
        (given[site.view].contains(address, site.bytes)
             ? ", in a buffer that goes on"
             : "");
  if (isMisaligned)
    finding.detail = "the access of " + std::to_string(site.bytes) +
                     " bytes is to begin at a multiple of " +
                     std::to_string(site.alignment) + " bytes, and begins " +
                     std::to_string(address % site.alignment) + " after one";
  // The element of several that is outside.
  for (auto [index, end, size] : zip_equal(finding.indices, ends, sizes))
    if (index >= 0 && index < size && end > size)
      index = end - 1;
}

void CheckSession::Impl::step(int64_t loop, int64_t thread) {
  if (options.stepLimit == 0 || ++threads[thread].steps <= options.stepLimit)
    return;
  if (Finding *finding = count(FindingKind::StepLimit, loop, thread))
    finding->detail = std::to_string(options.stepLimit);
  // What the block has done so far is worth knowing.
  endLaunch();
  if (options.stop)
    options.stop();
  reportFatalUsageError("the limit of steps is reached");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void CheckSession::Impl::shuffle(int64_t place, int64_t thread,
                                 int64_t sourceLane, int64_t width,
                                 bool isValid) {
  // The lanes from the width on, and those who ask beyond it, get no value that
  // is valid.
  int64_t lane = thread % table->subgroupSize;
  if (lane >= width || sourceLane < 0 || sourceLane >= width)
    return;
  int64_t source = thread - lane + sourceLane;
  bool isThere = source < static_cast<int64_t>(threads.size());
  if (isValid && isThere && !threads[source].hasExited)
    return;
  if (Finding *finding = count(FindingKind::InactiveLane, place, thread))
    finding->detail = "lane " + std::to_string(sourceLane) +
                      (isThere ? ", which has returned"
                               : ", which is beyond the end of the block");
}

void CheckSession::Impl::overflow(int64_t place, int64_t thread, int64_t exact,
                                  int64_t wrapped) {
  if (Finding *finding = count(FindingKind::IndexOverflow, place, thread))
    finding->detail =
        std::to_string(exact) + ", which becomes " + std::to_string(wrapped);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void CheckSession::Impl::asyncCopy(int64_t site, int64_t thread,
                                   uint64_t address) {
  LoggedAccess access;
  access.address = address;
  access.site = site;
  threads[thread].copies.push_back({access, threads[thread].groups});
  if (Shared *buffer = findShared(table->accesses[site], address))
    log(site, thread, address, buffer);
}

// They are under way beside what comes now, too.
void CheckSession::Impl::logCopies(int64_t thread, bool isContinued,
                                   bool isEarlier) {
  for (const Copy &copy : threads[thread].copies) {
    const LoggedAccess &access = copy.access;
    log(access.site, thread, access.address,
        findShared(table->accesses[access.site], access.address), isContinued,
        isEarlier);
  }
}

void CheckSession::Impl::asyncGroup(int64_t thread) {
  ++threads[thread].groups;
}

void CheckSession::Impl::asyncWait(int64_t thread, int64_t groups) {
  Thread &state = threads[thread];
  while (!state.copies.empty() &&
         state.copies.front().group + groups < state.groups) {
    const LoggedAccess &copy = state.copies.front().access;
    const AccessSite &site = table->accesses[copy.site];
    if (Shared *buffer = findShared(site, copy.address))
      for (int64_t byte = 0; byte < site.bytes; ++byte)
        buffer->isWritten[copy.address - buffer->address + byte] = true;
    state.copies.pop_front();
  }
}
