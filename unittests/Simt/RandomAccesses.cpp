//===- RandomAccesses.cpp - Memory and collectives of random programs -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include <numeric>

using namespace uop::simt;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Named ProgramWriter::reduceTo(Named any, int64_t size) {
  Named result = apply("arith.remui", any, index(size));
  pool.back().below = result.below = size;
  return result;
}

Named ProgramWriter::anyIndex(unsigned depth, Level most) {
  return value("index", depth, most);
}

// Each number below `size` for one of the numbers below it.
Named ProgramWriter::permute(Named thread, int64_t size) {
  auto known = [&](Named named) {
    pool.back().below = named.below = size;
    return named;
  };
  switch (pick(0, 4)) {
  case 0:
    return known(apply("arith.subi", number("index", Twine(size - 1)), thread));
  case 1:
    return reduceTo(apply("arith.addi", thread, index(pick(1, size))), size);
  case 2: {
    int64_t factor = pick(1, 2 * size);
    while (std::gcd(factor, size) != 1)
      ++factor;
    Named product = apply("arith.muli", thread, index(factor));
    return reduceTo(apply("arith.addi", product, index(pick(0, size))), size);
  }
  case 3:
    if (size > 1 && (size & (size - 1)) == 0)
      return known(apply("arith.xori", thread, index(pick(1, size - 1))));
    return thread;
  default:
    return thread;
  }
}

// An index below `size`: the same for all, one thread after another, forwards
// or backwards, strided, or any.
Named ProgramWriter::below(int64_t size, Level most) {
  if (most == Level::Thread && chance(25))
    for (const Named &id : {globalId, linearId, ids[0]})
      if (id.below > 0 && id.below <= size)
        return id;
  std::vector<Named> known;
  for (const Named &named : pool)
    if (named.type == "index" && named.below > 0 && named.below <= size &&
        named.level <= most)
      known.push_back(named);
  if (known.empty() || chance(10)) {
    if (chance(30))
      return index(pick(0, size - 1));
    return reduceTo(anyIndex(1, most), size);
  }
  Named named = known[pick(0, known.size() - 1)];
  switch (pick(0, 6)) {
  case 0:
    return permute(named, size);
  case 1: {
    // As wide a stride as fits.
    int64_t stride = named.below > 1 ? (size - 1) / (named.below - 1) : 1;
    if (stride < 1)
      return named;
    stride = pick(1, stride);
    Named result = apply("arith.muli", named, index(stride));
    pool.back().below = result.below = (named.below - 1) * stride + 1;
    return result;
  }
  case 2:
    return most == Level::Thread ? gather(size) : named;
  case 3:
    return reduceTo(anyIndex(1, most), size);
  default:
    return named;
  }
}

// An index that has been loaded.
Named ProgramWriter::gather(int64_t size) {
  std::vector<unsigned> known;
  for (unsigned i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].role == Parameter::Role::Indices &&
        program.parameters[i].below <= size)
      known.push_back(i);
  unsigned which;
  if (!known.empty() && chance(70)) {
    which = known[pick(0, known.size() - 1)];
  } else {
    Parameter parameter{Parameter::Role::Indices,
                        "",
                        choose({"i32", "i32", "i64", "index", "i16"}),
                        {pick(total, 2 * total)},
                        chance(50)};
    parameter.below = size;
    which = addParameter(parameter);
  }
  Parameter parameter = program.parameters[which];
  // Not by an index that has been loaded itself, which might go on for ever.
  Named at = permute(globalId, total);
  Named loaded = define(parameter.element, std::max(at.level, Level::Thread),
                        "memref.load " + parameter.name + "[" + at.name +
                            "] : " + parameter.getType());
  if (parameter.element != "index")
    loaded = define("index", loaded.level,
                    "arith.index_cast " + loaded.name + " : " +
                        parameter.element + " to index");
  pool.back().below = loaded.below = parameter.below;
  return loaded;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

unsigned ProgramWriter::addParameter(Parameter parameter) {
  parameter.name = "%a" + std::to_string(program.parameters.size());
  program.parameters.push_back(parameter);
  return program.parameters.size() - 1;
}

unsigned ProgramWriter::findInput(StringRef element) {
  for (unsigned i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].role == Parameter::Role::Input &&
        program.parameters[i].element == element && chance(75))
      return i;
  Parameter parameter{
      Parameter::Role::Input, "", element.str(), {}, chance(50)};
  switch (pick(0, 3)) {
  case 0:
    parameter.shape = {pick(1, 9), 4 * pick(1, 16)};
    break;
  case 1:
    parameter.shape = {4 * ((total + 3) / 4)};
    break;
  case 2:
    parameter.shape = {4 * pick(1, 40)};
    break;
  default:
    parameter.shape = {2 * total, 4};
  }
  return addParameter(parameter);
}

Named ProgramWriter::loadInput(StringRef type, Level most) {
  unsigned which = findInput(elementOf(type));
  Parameter parameter = program.parameters[which];
  std::string indices;
  Level level = Level::Block;
  for (auto [axis, size] : llvm::enumerate(parameter.shape)) {
    bool isWide = isVector(type) && axis + 1 == parameter.shape.size();
    Named at = below(isWide ? size / 4 : size, most);
    if (isWide)
      at = apply("arith.muli", at, index(4));
    level = std::max(level, at.level);
    indices += (axis ? ", " : "") + at.name;
  }
  return define(type, level,
                (isVector(type) ? "vector.load " : "memref.load ") +
                    parameter.name + "[" + indices +
                    "] : " + parameter.getType() +
                    (isVector(type) ? ", " + type.str() : ""));
}

std::string ProgramWriter::sharedType(const Shared &memory) const {
  return "memref<" + std::to_string(memory.size) + "x" + memory.element +
         ", #gpu.address_space<workgroup>>";
}

Named ProgramWriter::loadShared(const Shared &memory, Level most) {
  Shared copy = memory;
  Named at = below(copy.size, most);
  return define(copy.element, at.level,
                "memref.load " + copy.name + "[" + at.name +
                    "] : " + sharedType(copy));
}

Named ProgramWriter::loadPrivate(StringRef type) {
  for (const Private &memory : privates)
    if (memory.element == type) {
      Named at = below(8);
      return define(type, Level::Thread,
                    "memref.load " + memory.name + "[" + at.name +
                        "] : " + memory.type);
    }
  return loadInput(type, Level::Thread);
}

void ProgramWriter::storePrivate() {
  if (privates.empty())
    return;
  const Private &memory = privates[pick(0, privates.size() - 1)];
  Named stored = value(memory.element, pick(1, 2));
  Named at = below(8);
  line("memref.store " + stored.name + ", " + memory.name + "[" + at.name +
       "] : " + memory.type);
}

ProgramWriter::Output &ProgramWriter::findOutput(StringRef element) {
  for (Output &output : outputs)
    if (program.parameters[output.parameter].element == element && chance(70))
      return output;
  Output output;
  output.slots = 4 * pick(1, 2);
  output.layout = pick(0, 4);
  Dim3 block = program.block;
  Parameter parameter{
      Parameter::Role::Output, "", element.str(), {}, chance(50)};
  switch (output.layout) {
  case 0:
    parameter.shape = {output.slots, total};
    break;
  case 1:
    parameter.shape = {total, output.slots};
    break;
  case 2:
  case 3:
    parameter.shape = {output.slots * total};
    break;
  default:
    parameter.shape = {total / threads, output.slots, block[2], block[1],
                       block[0]};
  }
  output.parameter = addParameter(parameter);
  return outputs.emplace_back(output);
}

// The indices of an element that belongs to the thread.
std::string ProgramWriter::ownElement(const Output &output, Named slot,
                                      Named thread) {
  switch (output.layout) {
  case 0:
    return slot.name + ", " + thread.name;
  case 1:
    return thread.name + ", " + slot.name;
  case 2: {
    Named row = apply("arith.muli", slot, index(total));
    Named back = apply("arith.subi", number("index", Twine(total - 1)), thread);
    return apply("arith.addi", row, back).name;
  }
  case 3: {
    Named row = apply("arith.muli", thread, index(output.slots));
    return apply("arith.addi", row, slot).name;
  }
  default:
    return blockLinear.name + ", " + slot.name + ", " + ids[2].name + ", " +
           ids[1].name + ", " + ids[0].name;
  }
}

void ProgramWriter::storeResult(Named stored) {
  Output output = findOutput(elementOf(stored.type));
  Parameter parameter = program.parameters[output.parameter];
  bool isWide = isVector(stored.type);
  if (isWide && output.layout != 1 && output.layout != 3) {
    // Elsewhere the elements of a thread are not adjacent.
    stored = define(elementOf(stored.type), stored.level,
                    "vector.extract " + stored.name + "[1] : " +
                        elementOf(stored.type) + " from " + stored.type);
    isWide = false;
  }
  Named slot =
      isWide ? index(4 * pick(0, output.slots / 4 - 1)) : below(output.slots);
  std::string at = ownElement(output, slot, globalId);
  if (!isWide && chance(25)) {
    Named old = define(stored.type, Level::Thread,
                       "memref.load " + parameter.name + "[" + at +
                           "] : " + parameter.getType());
    if (!isFloat(stored.type))
      stored = apply("arith.xori", old, stored);
  }
  line((isWide ? "vector.store " : "memref.store ") + stored.name + ", " +
       parameter.name + "[" + at + "] : " + parameter.getType() +
       (isWide ? ", " + stored.type : ""));
}

//===----------------------------------------------------------------------===//
// Memory that threads share
//===----------------------------------------------------------------------===//

// Between two barriers each thread writes elements of its own, or leaves them.
void ProgramWriter::exchange() {
  if (shared.empty())
    return;
  const Shared memory = shared[pick(0, shared.size() - 1)];
  Named stored = value(memory.element, pick(1, 2));
  Named at = memory.slots == 1 ? permute(linearId, threads) : linearId;
  if (memory.slots > 1) {
    Named slot = chance(50) ? index(pick(0, memory.slots - 1))
                            : below(memory.slots, Level::Block);
    Named row = apply("arith.muli", slot, index(threads));
    at = apply("arith.addi", row, permute(linearId, threads));
  }
  std::string guard = chance(40) ? condition().name : "";
  barrier();
  if (!guard.empty())
    line("scf.if " + guard + " {");
  line("memref.store " + stored.name + ", " + memory.name + "[" + at.name +
       "] : " + sharedType(memory));
  if (!guard.empty())
    line("}");
  barrier();
}

// One kind for each buffer, of those whose order does not matter.
void ProgramWriter::atomic() {
  std::vector<Accumulator> known;
  for (const Accumulator &accumulator : accumulators)
    known.push_back(accumulator);
  Accumulator accumulator;
  if (!known.empty() && chance(60)) {
    accumulator = known[pick(0, known.size() - 1)];
  } else {
    accumulator.element = choose({"i32", "i32", "i64", "f32"});
    accumulator.kind = isFloat(accumulator.element)
                           ? choose({"maximumf", "minimumf"})
                           : choose({"addi", "addi", "maxs", "maxu", "mins",
                                     "minu", "andi", "ori", "muli"});
    accumulator.size = pick(1, 9);
    unsigned parameter = addParameter({Parameter::Role::Atomic,
                                       "",
                                       accumulator.element,
                                       {accumulator.size},
                                       chance(50)});
    accumulator.name = program.parameters[parameter].name;
    accumulator.type = program.parameters[parameter].getType();
    accumulators.push_back(accumulator);
  }
  Named added = value(accumulator.element, pick(0, 2));
  Named at = below(accumulator.size);
  line(fresh() + " = memref.atomic_rmw " + accumulator.kind + " " + added.name +
       ", " + accumulator.name + "[" + at.name + "] : (" + accumulator.element +
       ", " + accumulator.type + ") -> " + accumulator.element);
}

// Between two barriers all threads update workgroup memory atomically.
void ProgramWriter::workgroupAtomics() {
  std::vector<Shared> known;
  for (const Shared &memory : shared)
    if (memory.element == "i32" || memory.element == "i64")
      known.push_back(memory);
  if (known.empty())
    return;
  Shared memory = known[pick(0, known.size() - 1)];
  std::string kind = choose({"addi", "maxs", "minu", "ori", "andi"});
  struct Update {
    std::string value, at, guard;
  };
  std::vector<Update> updates;
  for (int64_t count = pick(1, 2); count != 0; --count) {
    Named added = value(memory.element, 1);
    Named at = below(memory.size);
    updates.push_back(
        {added.name, at.name, chance(50) ? condition().name : ""});
  }
  barrier();
  for (const Update &update : updates) {
    if (!update.guard.empty())
      line("scf.if " + update.guard + " {");
    line(fresh() + " = memref.atomic_rmw " + kind + " " + update.value + ", " +
         memory.name + "[" + update.at + "] : (" + memory.element + ", " +
         sharedType(memory) + ") -> " + memory.element);
    if (!update.guard.empty())
      line("}");
  }
  barrier();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Named ProgramWriter::collective(StringRef type) {
  if (type == "i1")
    return chance(60) ? vote() : shuffle(type);
  switch (pick(0, 2)) {
  case 0:
    if (!isFloat(type) || type == "f32")
      return subgroupReduce(type);
    break;
  case 1:
    if (place == Level::Block && (!isFloat(type) || type == "f32"))
      return blockReduce(type);
    break;
  default:
    break;
  }
  return shuffle(type);
}

Named ProgramWriter::shuffle(StringRef type) {
  Named moved = value(type, 1);
  if (chance(15))
    return define(type, Level::Subgroup,
                  "gpu.subgroup_broadcast " + moved.name +
                      ", first_active_lane : " + type);
  Named valid{"", "i1", Level::Thread, 0}, result = valid;
  result.type = type.str();
  result.name = fresh();
  valid.name = fresh();
  std::string results = result.name + ", " + valid.name;
  if (chance(15)) {
    int64_t width = int64_t(1) << pick(0, 5);
    line(results + " = gpu.rotate " + moved.name + ", " +
         Twine(pick(0, width - 1)) + ", " + Twine(width) + " : " + type);
  } else {
    int64_t size = chance(60)   ? 32
                   : chance(50) ? (1 << pick(0, 4))
                                : pick(1, 32);
    std::string mode = choose({"xor", "up", "down", "idx"});
    Named width = number("i32", Twine(size));
    Named offset = number("i32", Twine(pick(0, size)));
    if (chance(40))
      offset = apply("arith.remui", value("i32", 1), number("i32", "32"));
    line(results + " = gpu.shuffle " + mode + " " + moved.name + ", " +
         offset.name + ", " + width.name + " : " + type);
  }
  pool.push_back(valid);
  pool.push_back(result);
  return result;
}

std::string ProgramWriter::reductionKind(StringRef type) {
  if (isFloat(type))
    return choose({"add", "mul", "maxnumf", "minnumf", "maximumf", "minimumf"});
  return choose(
      {"add", "mul", "maxsi", "minsi", "maxui", "minui", "and", "or", "xor"});
}

Named ProgramWriter::subgroupReduce(StringRef type) {
  Named reduced = value(type, 1);
  std::string cluster;
  if (chance(40)) {
    int64_t size = int64_t(1) << pick(1, 5);
    cluster = " cluster(size = " + std::to_string(size);
    if (size < 32 && chance(40)) {
      int64_t stride = 2;
      while (stride * size < 32 && chance(50))
        stride *= 2;
      cluster += ", stride = " + std::to_string(stride);
    }
    cluster += ")";
  }
  return define(type, cluster.empty() ? Level::Subgroup : Level::Thread,
                "gpu.subgroup_reduce " + reductionKind(type) + " " +
                    reduced.name + cluster + " : (" + type + ") -> " + type);
}

Named ProgramWriter::blockReduce(StringRef type) {
  Named reduced = value(type, 1);
  const char *uniform = chance(50) ? " uniform" : "";
  return define(type, Level::Block,
                "gpu.all_reduce " + reductionKind(type) + " " + reduced.name +
                    uniform + " {} : (" + type + ") -> (" + type + ")");
}

Named ProgramWriter::vote() {
  Named bit = value("i1", 1);
  Named all = number("i32", "-1");
  std::string kind = choose({"any", "all", "uni", "ballot"});
  std::string type = kind == "ballot" ? "i32" : "i1";
  Named result = define(type, Level::Subgroup,
                        "nvvm.vote.sync " + kind + " " + all.name + ", " +
                            bit.name + " -> " + type);
  if (type == "i1")
    return result;
  return define("i1", Level::Subgroup,
                "arith.cmpi ugt, " + result.name + ", " +
                    number("i32", "4096").name + " : i32");
}
