//===- SiteTable.h - The operations of a checked kernel ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a kernel when it is instrumented. The code carries it as
// text, so that it can run in another process than the one that made it, and
// hands numbers of sites, views and places to the run-time.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_SITETABLE_H
#define UOP_LIB_EMULATOR_CHECKED_SITETABLE_H

#include "Uop/Emulator/Check.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace uop {

enum class SiteKind {
  Load,
  Store,
  Atomic,
  /// Written by a copy that is under way until it is waited for.
  AsyncCopy
};

/// An operation that accesses memory.
struct AccessSite {
  std::string op;
  SourcePosition where;
  SiteKind kind = SiteKind::Load;
  AccessSpace space = AccessSpace::Global;
  /// Of one access, and what its address is to be a multiple of.
  int64_t bytes = 0, alignment = 1;
  /// The memref that it accesses.
  int64_t view = 0;
  /// Of shared memory whose buffer is known, else -1.
  int64_t sharedBuffer = -1;
  /// False for a read of a buffer that no operation writes.
  bool mayRace = true;

  bool isWrite() const { return kind != SiteKind::Load; }
  bool isAtomic() const { return kind == SiteKind::Atomic; }
};

/// A memref that is accessed.
struct ViewSite {
  /// Where it is defined, and what it is called without the source.
  SourcePosition where;
  std::string name;
  AccessSpace space = AccessSpace::Global;
  int64_t rank = 0, elementBytes = 1;
  /// An argument of the kernel that is a view of a buffer of the host.
  bool isGiven = false;
};

/// An operation that does something else.
struct OpPlace {
  std::string op;
  SourcePosition where;
};

/// Memory of the block. How long it is may be known at the launch only.
struct SharedBuffer {
  bool isZeroed = false;
};

struct SiteTable {
  std::string kernel;
  int64_t subgroupSize = 32;
  /// Order is more than barriers.
  bool hasFences = false;
  std::vector<AccessSite> accesses;
  std::vector<ViewSite> views;
  std::vector<SharedBuffer> shared;
  /// Loops, shuffles and arithmetic.
  std::vector<OpPlace> places;

  std::string print() const;
  static llvm::Expected<SiteTable> parse(llvm::StringRef text);
};

llvm::json::Value toJSON(const SourcePosition &position);
bool fromJSON(const llvm::json::Value &value, SourcePosition &position,
              llvm::json::Path path);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_SITETABLE_H
