//===- Session.h - The state of a checked run -------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after another, and the threads of a block one after another
// from barrier to barrier. The accesses of an interval between two barriers are
// logged; when the first thread leaves the next barrier, the interval is over
// and its log is looked at. A word of shadow for each word of memory says
// whether there is anything to look for. Accesses of global memory also go to a
// log of the launch, in which blocks are told apart.
//
// Buffers that no operation of a kernel writes are not logged. That two
// arguments are one memory shows in the addresses, and then the run is to be
// repeated with everything logged.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_SESSION_H
#define UOP_LIB_EMULATOR_CHECKED_SESSION_H

#include "RaceLog.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <map>

namespace uop {

/// Whether several threads use a word between two barriers, and how.
struct WordShadow {
  uint32_t interval = 0;
  uint16_t thread = 0;
  uint16_t uses = 0;

  /// Returns whether what is known of the word may be a race.
  bool access(uint32_t now, uint16_t byThread, const AccessSite &site);
};

/// The accesses of an interval, in few bytes each: of most intervals nobody
/// asks for more than their number.
class IntervalLog {
public:
  IntervalLog() : log(RaceLog::Parties::Threads) {}

  void setSubgroupSize(int64_t size) { log.setSubgroupSize(size); }
  void setOrder(const AtomicOrder *order) { log.setOrder(order); }
  void setLastPhases(const std::vector<uint32_t> &phases) {
    log.setLastPhases(phases);
  }

  void add(const LoggedAccess &access, bool hasValue) {
    entries.push_back({access.address, access.site,
                       static_cast<uint16_t>(access.thread), hasValue,
                       access.phase != 0, access.isContinued,
                       access.segment != 0, access.isEarlier});
    if (hasValue)
      values.push_back(access.value);
    if (access.phase != 0)
      phases.push_back(access.phase);
    if (access.segment != 0)
      segments.push_back(access.segment);
  }
  bool isLong() const { return entries.size() > (size_t(1) << 22); }

  /// Hands all entries to `log`, and returns it.
  RaceLog &expand(llvm::ArrayRef<AccessSite> sites, uint64_t block);
  void clear() {
    entries.clear();
    values.clear();
    phases.clear();
    segments.clear();
    log.clear();
  }

private:
  struct Entry {
    uint64_t address;
    uint32_t site;
    uint16_t thread;
    uint16_t hasValue : 1, hasPhase : 1, isContinued : 1, hasSegment : 1,
        isEarlier : 1;
  };
  std::vector<Entry> entries;
  /// Those of the entries that have one, in order.
  std::vector<uint64_t> values;
  std::vector<uint32_t> phases, segments;
  RaceLog log;
};

class CheckSession::Impl {
public:
  explicit Impl(CheckOptions options);

  // What instrumented code reports, in the terms of a SiteTable.
  void beginLaunch(llvm::StringRef table, const Coordinates3 &grid,
                   const Coordinates3 &block);
  void endLaunch();
  void beginThread(const Coordinates3 &block, int64_t thread);
  /// One of so many blocks begins.
  void beginBlock(int64_t numBlocks);
  void beginShared(int64_t buffer, uint64_t address, int64_t bytes);
  void beginView(int64_t view, uint64_t address, llvm::ArrayRef<int64_t> sizes,
                 llvm::ArrayRef<int64_t> strides);
  /// What the view, an argument, is a view of.
  void beginBuffer(int64_t view, uint64_t begin, uint64_t end) {
    given[view] = {begin, end};
  }
  void access(int64_t site, int64_t thread, uint64_t address);
  void fault(int64_t site, int64_t thread, uint64_t address,
             llvm::ArrayRef<int64_t> indices, llvm::ArrayRef<int64_t> ends,
             llvm::ArrayRef<int64_t> sizes);
  /// The thread returns.
  void exit(int64_t thread);
  void barrier(int64_t thread);
  void warpBarrier(int64_t thread);
  void fence(int64_t thread, bool acquires, bool releases);
  void shuffle(int64_t place, int64_t thread, int64_t sourceLane, int64_t width,
               bool isValid);
  void overflow(int64_t place, int64_t thread, int64_t exact, int64_t wrapped);
  void step(int64_t loop, int64_t thread);
  void asyncCopy(int64_t site, int64_t thread, uint64_t address);
  void asyncGroup(int64_t thread);
  void asyncWait(int64_t thread, int64_t groups);
  bool isAlive(int64_t thread) const { return !threads[thread].hasExited; }
  /// `votes` of the threads from `firstThread` on.
  int64_t diverge(llvm::ArrayRef<uint64_t> votes, int64_t firstThread,
                  llvm::StringRef table);

  const SiteTable &getTable() const { return *table; }

  std::vector<Finding> findings;
  bool needsFullLog = false;
  /// Something may be at fault, says code that asks no more than that.
  bool hasFired = false;

private:
  struct Copy {
    LoggedAccess access;
    int64_t group;
  };
  struct Thread {
    uint64_t steps = 0;
    int64_t interval = 0;
    int64_t groups = 0;
    /// Barriers of its warp since one of the block.
    uint32_t phase = 0;
    /// It has returned or is at the end, and others have been seen to go on.
    bool hasExited = false;
    /// It has returned.
    bool hasReturned = false;
    /// No later barrier orders what it did last; that is not kept yet.
    bool isLoose = false;
    std::deque<Copy> copies;
  };
  struct Shared {
    uint64_t address = 0;
    /// Which bytes have been written.
    std::vector<char> isWritten;
    /// From the word of the first byte.
    std::vector<WordShadow> shadow;
  };
  struct View {
    uint64_t address;
    llvm::SmallVector<int64_t, 4> sizes, strides;
    bool operator==(const View &other) const {
      return address == other.address && sizes == other.sizes &&
             strides == other.strides;
    }
  };
  struct Range {
    uint64_t begin = UINT64_MAX, end = 0;
    void include(uint64_t address, uint64_t bytes) {
      begin = std::min(begin, address);
      end = std::max(end, address + bytes);
    }
    bool contains(uint64_t address, uint64_t bytes) const {
      return begin <= address && address + bytes <= end;
    }
    bool overlaps(const Range &other) const {
      return begin < other.end && other.begin < end;
    }
  };

  void endInterval();
  void endBlock();
  /// What threads did that have returned stays beside what comes.
  void setLastPhases();
  bool isWarpGone(int64_t thread) const;
  void keepLoose();
  void keepLoose(IntervalLog &from, std::vector<LoggedAccess> &kept);
  void touch(const LoggedAccess &access, Shared *buffer);
  Shared *findShared(const AccessSite &site, uint64_t address);
  void log(int64_t site, int64_t thread, uint64_t address, Shared *buffer,
           bool isContinued = false, bool isEarlier = false);
  /// The copies of a thread that are under way.
  void logCopies(int64_t thread, bool isContinued, bool isEarlier);
  void report(const RacePairs &pairs);
  /// The finding of this kind, these operations and this relation.
  Finding &find(FindingKind kind, llvm::ArrayRef<int64_t> sites,
                ThreadRelation relation, bool &isNew);
  Finding &find(FindingKind kind, const std::string &key, bool &isNew);
  /// Counts what a thread does at a place; returns a new finding, or null.
  Finding *count(FindingKind kind, int64_t place, int64_t thread);
  FindingAccess describe(int64_t site, int64_t thread, uint64_t block) const;
  void locate(Finding &finding, int64_t site, uint64_t address) const;
  Coordinates3 getThread(int64_t linear) const;
  Coordinates3 getBlock(int64_t linear) const;

  CheckOptions options;
  llvm::StringMap<SiteTable> tables;
  const SiteTable *table = nullptr;
  Coordinates3 gridSize{}, blockSize{};
  int64_t block = -1;
  int64_t interval = 0;
  std::vector<Thread> threads;
  std::vector<Shared> shared;
  std::vector<llvm::SmallVector<View, 1>> views;
  /// Of global memory, for one block, by the number of the word.
  llvm::DenseMap<uint64_t, WordShadow> shadow;
  /// The number of this interval since the beginning of the session.
  uint32_t shadowInterval = 1;
  bool mayRace = false;
  IntervalLog sharedLog, globalLog;
  /// What nothing orders to the rest of the block.
  std::vector<LoggedAccess> looseShared, looseGlobal;
  RaceLog launchLog;
  /// Of kernels with fences.
  AtomicOrder order;
  /// By the number of the view.
  std::vector<Range> written, notLogged, given;
  std::map<std::string, size_t> numbers;
  int64_t blocksBegun = 0;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_SESSION_H
