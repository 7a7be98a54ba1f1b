//===- ShadowCode.h - What is known of a word of memory ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that only asks whether a kernel is at fault keeps eight bytes for each
// word (four bytes) of memory that may race:
//
//   bits 0 to 3    uses in the last interval: read, written, updated
//                  atomically, by several threads
//   bits 4 to 6    uses by the block that came last
//   bits 8 to 10   uses by blocks before it
//   bits 12 to 15  shared memory: which bytes the block has written
//   bits 16 to 31  the first thread of the last interval
//   bits 32 to 63  that interval
//
// An interval is what a block does between two barriers; a clock counts them
// over the whole run. The state says when two accesses may race, and never less
// than that: accesses of different bytes of a word are taken for one. Then the
// program runs again and is logged.
//
// An access is a call until threads have become vectors: neighbouring words are
// then looked up and updated together.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_SHADOWCODE_H
#define UOP_LIB_EMULATOR_CHECKED_SHADOWCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// How a thread uses a word.
enum class ShadowUse : int64_t { Read = 1, Write = 2, Update = 4 };

/// A call that stands for one access of one word:
/// (memref<?xi64> states, index of the word, index of the thread).
struct ShadowAccess {
  ShadowUse use = ShadowUse::Read;
  /// Of the block's memory: other blocks have their own.
  bool isShared = false;
  /// The bytes of the word, as bits.
  int64_t bytes = 15;
  /// The bytes must have been written before they are read.
  bool mustBeWritten = false;

  static bool isOne(mlir::Operation *op);
  static ShadowAccess get(mlir::func::CallOp call);
  mlir::func::CallOp create(mlir::ImplicitLocOpBuilder &b,
                            mlir::SymbolTable &symbols, mlir::Value states,
                            mlir::Value word, mlir::Value thread) const;
};

/// New states, and whether something may be wrong.
struct ShadowUpdate {
  mlir::Value states, bad;
};

/// `states` and `threads` are i64 or vectors of it, of one thread or of several
/// that access different words. With `byAll` one word is accessed by several
/// threads, of which `threads` is any.
ShadowUpdate updateShadow(mlir::ImplicitLocOpBuilder &b,
                          const ShadowAccess &access, mlir::Value states,
                          mlir::Value threads, bool byAll);

/// Tells the host that something may be wrong. The module has a clock.
void createFire(mlir::ImplicitLocOpBuilder &b);
void fireIf(mlir::ImplicitLocOpBuilder &b, mlir::Value condition);

/// Does what the remaining calls of a module stand for, each of one thread.
void expandShadowAccesses(mlir::ModuleOp module);

/// Makes the clock of a module that is to be told of faults.
void createClock(mlir::ModuleOp module, mlir::SymbolTable &symbols);

/// Begins an interval, and a block, too.
void advanceClock(mlir::ImplicitLocOpBuilder &b, bool isNewBlock);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_SHADOWCODE_H
