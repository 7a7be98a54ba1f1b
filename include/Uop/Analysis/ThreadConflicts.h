//===- ThreadConflicts.h - Can two threads access one element? --*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two different threads may access one element with two accesses that
// are in one interval. Four tests, each of which costs more than the one
// before:
//
// 1. intervals: what the two addresses can differ by does not contain 0, or is
//    not a multiple of what all terms are multiples of, remainders taken for
//    their numerators;
// 2. digits: equal addresses make all digits equal, and these determine the
//    thread. An address is a sum of digits where each coefficient exceeds the
//    largest sum of all smaller ones; a quotient and a remainder determine
//    their numerator;
// 3. Presburger arithmetic over both threads and all iterations;
// 4. enumeration of threads and iterations, where that is not affine and they
//    are not too many.
//
// An access is taken to be within the bounds of its memref.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_THREADCONFLICTS_H
#define UOP_ANALYSIS_THREADCONFLICTS_H

#include "Uop/Analysis/AddressForms.h"
#include "Uop/Analysis/BarrierIntervals.h"
#include <map>

namespace uop {

/// A thread that executes an access, and where it is in its loops.
struct AccessInstance {
  std::array<int64_t, 3> thread = {0, 0, 0};
  std::array<int64_t, 3> block = {0, 0, 0};
  /// The thread of a CPU, where there are such.
  int64_t cpuThread = 0;
  /// The values of the induction variables of the scf.for ops around it, the
  /// outermost first, and the numbers of the iterations of scf.while ops. Those
  /// that make no difference are left out.
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>, 2> iterations;
};

/// Which two threads are asked about.
enum class Apart {
  /// Any two of one block.
  Threads,
  /// Two of one warp, or of two warps of one block.
  SameWarp,
  OtherWarp,
  /// Of two blocks, or two threads of a CPU; no barrier orders these.
  Blocks,
};

struct Conflict {
  enum class Kind {
    /// No two threads access one element.
    Impossible,
    /// `first` and `second` do.
    Found,
    /// Neither is known, and `reason` says why.
    Unknown,
  };
  Kind kind = Kind::Unknown;
  AccessInstance first, second;
  /// The indices of the element in the root; or the byte, where the memory is
  /// accessed in several shapes.
  llvm::SmallVector<int64_t, 4> element;
  bool isByte = false;
  std::string reason;
  /// The op that is the reason, where there is one.
  mlir::Operation *reasonOp = nullptr;
  /// Whether the instances are two that access one element if they are executed
  /// at all; always where they are found.
  bool hasWitness = false;
};

class ThreadConflicts {
public:
  /// Points that are enumerated for one question, and for all together.
  struct Budget {
    int64_t perQuestion = int64_t(1) << 16;
    int64_t inAll = int64_t(1) << 22;
  };

  ThreadConflicts(KernelOp kernel, const MemoryAccesses &accesses,
                  const Uniformity &uniformity, Budget budget);

  const Conflict &decide(const Meeting &meeting, Apart apart = Apart::Threads);

  /// Whether both accesses store one value.
  bool storeEqualValues(const Meeting &meeting, Apart apart);

  AddressForms &getForms() { return forms; }
  const AccessAddress &getAddress(const MemoryAccess &access);

private:
  friend class ConflictQuestion;
  friend class ConflictEnumeration;

  KernelOp kernel;
  const Uniformity &uniformity;
  AddressForms forms;
  Budget budget;
  std::vector<std::optional<AccessAddress>> addresses;
  std::map<std::vector<const void *>, Conflict> known;
};

} // namespace uop

#endif // UOP_ANALYSIS_THREADCONFLICTS_H
