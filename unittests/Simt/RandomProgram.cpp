//===- RandomProgram.cpp - Random kernels without races -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program as a whole: its launch, what is before the first statement and
// behind the last one.
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace uop::simt;

std::string Parameter::getType() const {
  std::string type = "memref<";
  for (int64_t size : shape)
    type += (isDynamic ? "?" : std::to_string(size)) + "x";
  return type + element + ">";
}

int64_t Parameter::getNumElements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string RandomProgram::getText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "gpu.module @m_" << name << " {\n" << kernel << "}\n";
  os << "func.func @run_" << name << "(";
  llvm::ListSeparator comma;
  for (const Parameter &parameter : parameters)
    os << comma << parameter.name << ": " << parameter.getType();
  const char *axes[] = {"x", "y", "z"};
  std::vector<std::pair<const char *, Dim3>> launch = {{"g", grid},
                                                       {"b", block}};
  if (cluster)
    launch.emplace_back("c", *cluster);
  for (auto [what, sizes] : launch)
    for (const char *axis : axes)
      if (isDynamicLaunch)
        os << comma << "%" << what << axis << ": index";
  os << ") {\n";
  for (auto [what, sizes] : launch)
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!isDynamicLaunch)
        os << "  %" << what << axes[axis] << " = arith.constant " << sizes[axis]
           << " : index\n";
  os << "  gpu.launch_func @m_" << name << "::@k ";
  if (cluster)
    os << "clusters in (%cx, %cy, %cz) ";
  os << "blocks in (%gx, %gy, %gz) threads in (%bx, %by, %bz)";
  llvm::ListSeparator next;
  if (!parameters.empty())
    os << " args(";
  for (const Parameter &parameter : parameters)
    os << next << parameter.name << " : " << parameter.getType();
  if (!parameters.empty())
    os << ")";
  os << "\n  return\n}\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

ProgramWriter::ProgramWriter(uint64_t seed, StringRef name)
    : random(seed), isPlain(seed % 3 == 0) {
  program.seed = seed;
  program.name = name.str();
}

Named ProgramWriter::define(StringRef type, Level level, const Twine &text) {
  Named result{fresh(), type.str(), level, 0};
  line(result.name + " = " + text);
  pool.push_back(result);
  return result;
}

Named ProgramWriter::number(StringRef type, const Twine &value) {
  Named result{fresh(), type.str(), Level::Block, 0};
  line(result.name + " = arith.constant " + value + " : " + type);
  return result;
}

Named ProgramWriter::index(int64_t value) {
  Named result = number("index", Twine(value));
  result.below = value + 1;
  return result;
}

void ProgramWriter::region(Level level, llvm::function_ref<void()> inside) {
  size_t known = pool.size();
  Level outside = place;
  place = std::max(place, level);
  ++depth;
  inside();
  --depth;
  place = outside;
  pool.resize(known);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

void ProgramWriter::chooseLaunch() {
  static const std::vector<Dim3> blocks = {
      {1, 1, 1},  {2, 1, 1},  {3, 1, 1},  {7, 1, 1},  {8, 1, 1},
      {15, 1, 1}, {16, 1, 1}, {17, 1, 1}, {31, 1, 1}, {32, 1, 1},
      {33, 1, 1}, {40, 1, 1}, {48, 1, 1}, {64, 1, 1}, {65, 1, 1},
      {96, 1, 1}, {8, 8, 1},  {5, 3, 2},  {4, 4, 4},  {16, 2, 1},
      {1, 32, 1}, {1, 1, 7},  {9, 5, 1},  {3, 11, 2}, {32, 2, 1}};
  static const std::vector<Dim3> grids = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1},
                                          {5, 1, 1}, {2, 2, 1}, {1, 3, 1},
                                          {1, 1, 2}, {2, 1, 2}};
  program.block = blocks[pick(0, blocks.size() - 1)];
  program.grid = grids[pick(0, grids.size() - 1)];
  if (chance(40)) {
    Dim3 cluster{1, 1, 1};
    for (unsigned axis = 0; axis < 3; ++axis)
      if (chance(70))
        cluster[axis] = program.grid[axis]; // a prime, or 1
    program.cluster = cluster;
  }
  program.isDynamicLaunch = chance(30);
  threads = program.block[0] * program.block[1] * program.block[2];
  total = threads * program.grid[0] * program.grid[1] * program.grid[2];
}

// The thread in its block, the block in its grid, and the thread in the grid,
// by numbers that count x first.
void ProgramWriter::defineIds() {
  const char *axes[] = {"x", "y", "z"};
  auto linear = [&](const char *what, const char *size, Dim3 sizes,
                    Level level) {
    Named result;
    int64_t below = 1;
    for (int axis = 2; axis >= 0; --axis) {
      Named id =
          define("index", level, Twine("gpu.") + what + " " + axes[axis]);
      pool.back().below = id.below = sizes[axis];
      if (level == Level::Thread)
        ids[axis] = id;
      below *= sizes[axis];
      if (axis == 2) {
        result = id;
        continue;
      }
      Named extent = program.isDynamicLaunch || chance(30)
                         ? define("index", Level::Block,
                                  Twine("gpu.") + size + " " + axes[axis])
                         : number("index", Twine(sizes[axis]));
      Named row = apply("arith.muli", result, extent);
      result = apply("arith.addi", row, id);
      pool.back().below = result.below = below;
    }
    return result;
  };
  linearId = linear("thread_id", "block_dim", program.block, Level::Thread);
  blockLinear = linear("block_id", "grid_dim", program.grid, Level::Block);
  Named size = number("index", Twine(threads));
  Named first = apply("arith.muli", blockLinear, size);
  globalId = apply("arith.addi", first, linearId);
  pool.back().below = globalId.below = total;
  if (chance(30)) {
    define("index", Level::Thread, "gpu.lane_id");
    pool.back().below = std::min<int64_t>(32, threads);
  }
  if (chance(30)) {
    define("index", Level::Subgroup, "gpu.subgroup_id : index");
    pool.back().below = (threads + 31) / 32;
  }
  if (chance(20)) {
    define("index", Level::Thread, "gpu.global_id x");
    pool.back().below = program.grid[0] * program.block[0];
  }
  defineClusterIds();
}

void ProgramWriter::defineClusterIds() {
  const char *axes[] = {"x", "y", "z"};
  Dim3 cluster = program.cluster.value_or(Dim3{1, 1, 1});
  for (int count = pick(0, 2); count != 0; --count) {
    int axis = pick(0, 2);
    int64_t clusters = program.grid[axis] / cluster[axis];
    auto [name, below] = std::vector<std::pair<const char *, int64_t>>{
        {"id", clusters},
        {"dim", clusters + 1},
        {"block_id", cluster[axis]},
        {"dim_blocks", cluster[axis] + 1}}[pick(0, 3)];
    define("index", Level::Block,
           Twine("gpu.cluster_") + name + " " + axes[axis]);
    pool.back().below = below;
  }
}

//===----------------------------------------------------------------------===//
// Around the statements
//===----------------------------------------------------------------------===//

// Every element is written before any is read.
void ProgramWriter::addWorkgroup() {
  Shared memory;
  memory.name = "%w" + std::to_string(shared.size());
  memory.element = isPlain ? choose({"f32", "i32", "f64", "i64"})
                           : choose({"f32", "i32", "f16", "i8", "f64", "i64",
                                     "bf16", "i16", "f32", "i32"});
  memory.slots = pick(1, 2);
  memory.size = threads * memory.slots;
  Named initial = value(memory.element, 1);
  Named size = number("index", Twine(memory.size));
  Named step = number("index", Twine(threads));
  line("scf.for %i" + Twine(counter) + " = " + linearId.name + " to " +
       size.name + " step " + step.name + " {");
  line("  memref.store " + initial.name + ", " + memory.name + "[%i" +
       Twine(counter) + "] : " + sharedType(memory));
  line("}");
  ++counter;
  attributions += (attributions.empty() ? "" : ", ") + memory.name + " : " +
                  sharedType(memory);
  shared.push_back(memory);
}

void ProgramWriter::addPrivate() {
  Private memory;
  memory.element = choose({"f32", "i32", "f64", "i8", "f16", "index"});
  memory.name = "%p" + std::to_string(privates.size());
  memory.type = "memref<8x" + memory.element;
  if (chance(50)) {
    memory.type += ">";
    line(memory.name + " = memref.alloca() : " + memory.type);
  } else {
    memory.type += ", #gpu.address_space<private>>";
    privateAttributions += (privateAttributions.empty() ? "" : ", ") +
                           memory.name + " : " + memory.type;
  }
  Named initial = value(memory.element, 1);
  Named zero = index(0), one = index(1), size = index(8);
  line("scf.for %i" + Twine(counter) + " = " + zero.name + " to " + size.name +
       " step " + one.name + " {");
  line("  memref.store " + initial.name + ", " + memory.name + "[%i" +
       Twine(counter) + "] : " + memory.type);
  line("}");
  ++counter;
  privates.push_back(memory);
}

void ProgramWriter::writePrologue() {
  defineIds();
  unsigned numShared = pick(0, 3);
  for (unsigned i = 0; i < numShared; ++i)
    addWorkgroup();
  if (numShared != 0)
    barrier();
  isReadable = true;
  unsigned numPrivates = chance(50) ? pick(1, 2) : 0;
  for (unsigned i = 0; i < numPrivates; ++i)
    addPrivate();
}

void ProgramWriter::writeEpilogue() {
  for (unsigned count = pick(1, 3); count != 0; --count)
    storeResult(value(pickType(), 1));
}

RandomProgram ProgramWriter::write() {
  chooseLaunch();
  writePrologue();
  statements(pick(2, 6));
  writeEpilogue();
  std::string &kernel = program.kernel;
  kernel = "  gpu.func @k(";
  llvm::ListSeparator comma;
  for (const Parameter &parameter : program.parameters)
    kernel +=
        (StringRef(comma) + parameter.name + ": " + parameter.getType()).str();
  kernel += ")";
  if (!attributions.empty())
    kernel += " workgroup(" + attributions + ")";
  if (!privateAttributions.empty())
    kernel += " private(" + privateAttributions + ")";
  kernel += " kernel";
  if (chance(25))
    kernel += " attributes {known_block_size = array<i32: " +
              std::to_string(program.block[0]) + ", " +
              std::to_string(program.block[1]) + ", " +
              std::to_string(program.block[2]) + ">}";
  kernel += " {\n" + body + "    gpu.return\n  }\n";
  return std::move(program);
}

RandomProgram uop::simt::createRandomProgram(uint64_t seed, StringRef name) {
  return ProgramWriter(seed, name).write();
}
