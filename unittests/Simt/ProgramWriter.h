//===- ProgramWriter.h - Inside of random programs --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text is written from the top. There are no races by construction:
//
// * inputs are read only, and of an output a thread has elements of its own;
// * workgroup memory is written only between two barriers, each element by one
//   thread; everywhere else it is only read;
// * what is updated atomically has one kind of update, whose order does not
//   matter, and is read only behind a barrier.
//
// Each value knows which threads may differ about it, and each place in the
// text which threads may have come there alone: barriers are where no thread of
// the block is missing, and shuffles where none of a subgroup is.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_PROGRAMWRITER_H
#define UOP_UNITTESTS_SIMT_PROGRAMWRITER_H

#include "RandomProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <random>

namespace uop::simt {

using llvm::StringRef;
using llvm::Twine;

/// Who agrees: all threads of a block, those of a subgroup, or nobody.
enum class Level { Block, Subgroup, Thread };

struct Named {
  std::string name, type;
  Level level = Level::Thread;
  /// An index is known to be below this, and not negative; 0: nothing is known.
  int64_t below = 0;
};

class ProgramWriter {
public:
  ProgramWriter(uint64_t seed, StringRef name);

  RandomProgram write();

private:
  // Chance. Not the distributions of the standard library, whose values differ
  // between libraries.
  int64_t pick(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  std::string choose(std::initializer_list<const char *> list) {
    return list.begin()[pick(0, list.size() - 1)];
  }
  std::string pickType();

  // Text.
  std::string fresh() { return "%v" + std::to_string(counter++); }
  void line(const Twine &text) { body += ("    " + text + "\n").str(); }
  Named define(StringRef type, Level level, const Twine &text);
  Named number(StringRef type, const Twine &value);
  Named index(int64_t value);
  std::string literal(StringRef type);
  /// Writes what `inside` does as a region; values defined there end with it.
  void region(Level level, llvm::function_ref<void()> inside);

  // The program as a whole.
  void chooseLaunch();
  void writePrologue();
  void writeEpilogue();
  void defineIds();
  void defineClusterIds();
  void addWorkgroup();
  void addPrivate();

  // Statements.
  void statements(unsigned count);
  void statement();
  void storeResult(Named value);
  void storePrivate();
  void ifElse();
  void forLoop();
  void whileLoop();
  void indexSwitch();
  void earlyExit();
  void branches();
  void branchLoop();
  void exchange();
  void barrier() { line("gpu.barrier"); }
  void atomic();
  void workgroupAtomics();
  void guardedAccess();
  Named condition();
  Level pickLevel();

  // Values.
  Named value(StringRef type, unsigned depth, Level most = Level::Thread);
  Named leaf(StringRef type, Level most);
  Named operation(StringRef type, unsigned depth, Level most);
  Named integerOperation(StringRef type, unsigned depth, Level most);
  Named division(StringRef type, unsigned depth, Level most);
  Named floatOperation(StringRef type, unsigned depth, Level most);
  Named bitOperation(unsigned depth, Level most);
  Named vectorOperation(StringRef type, unsigned depth, Level most);
  Named convert(StringRef type, unsigned depth, Level most);
  Named binary(StringRef op, StringRef type, unsigned depth, Level most);
  Named apply(const Twine &op, Named left, Named right);

  // Addresses.
  Named below(int64_t size, Level most = Level::Thread);
  Named reduceTo(Named any, int64_t size);
  Named permute(Named thread, int64_t size);
  Named anyIndex(unsigned depth, Level most);

  // Memory.
  struct Shared {
    std::string name, element;
    int64_t size;
    /// How many elements a thread has.
    int64_t slots;
  };
  struct Private {
    std::string name, element, type;
  };
  struct Output {
    unsigned parameter;
    int64_t slots;
    int layout;
  };
  struct Accumulator {
    std::string name, element, kind;
    int64_t size;
    std::string type;
  };
  unsigned addParameter(Parameter parameter);
  unsigned findInput(StringRef element);
  Named loadInput(StringRef type, Level most);
  Named gather(int64_t size);
  Named loadShared(const Shared &shared, Level most);
  Named loadPrivate(StringRef type);
  Output &findOutput(StringRef element);
  std::string ownElement(const Output &output, Named slot, Named thread);
  std::string sharedType(const Shared &shared) const;

  // Collectives.
  Named collective(StringRef type);
  Named shuffle(StringRef type);
  Named subgroupReduce(StringRef type);
  Named blockReduce(StringRef type);
  Named vote();
  std::string reductionKind(StringRef type);

  static bool isFloat(StringRef type) {
    return type.starts_with("f") || type == "bf16";
  }
  static bool isVector(StringRef type) { return type.starts_with("vector"); }
  static StringRef elementOf(StringRef type) {
    return isVector(type) ? type.rsplit('x').second.drop_back() : type;
  }
  static unsigned widthOf(StringRef type) {
    unsigned bits = 64;
    if (type != "index")
      type.ltrim("bif").getAsInteger(10, bits);
    return bits;
  }

  std::mt19937_64 random;
  /// Of code that only detects faults: without what it leaves to the log, which
  /// is collectives of a subgroup, early exits, and parts of words.
  bool isPlain;
  RandomProgram program;
  std::string body;
  std::vector<Named> pool;
  std::vector<Shared> shared;
  std::vector<Private> privates;
  std::vector<Output> outputs;
  std::vector<Accumulator> accumulators;
  unsigned counter = 0, depth = 0;
  /// Iterations of the loops around the place of the text.
  int64_t weight = 1;
  Level place = Level::Block;
  bool isReadable = false;
  int64_t threads = 1, total = 1;
  std::string attributions, privateAttributions;
  Named linearId, globalId, blockLinear;
  Named ids[3];
};

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_PROGRAMWRITER_H
