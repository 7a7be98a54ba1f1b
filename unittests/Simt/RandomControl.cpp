//===- RandomControl.cpp - Statements of random programs ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

using namespace uop::simt;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Level ProgramWriter::pickLevel() {
  int64_t dice = pick(1, 100);
  return dice <= 40   ? Level::Block
         : dice <= 52 ? Level::Subgroup
                      : Level::Thread;
}

// True for some of the threads: the first, every second, those of a subgroup.
Named ProgramWriter::condition() {
  Level level = pickLevel();
  if (level == Level::Block || chance(40))
    return value("i1", pick(1, 2), level);
  auto compare = [&](const char *predicate, Named left, Named right) {
    return define("i1", left.level,
                  Twine("arith.cmpi ") + predicate + ", " + left.name + ", " +
                      right.name + " : index");
  };
  if (level == Level::Subgroup) {
    Named subgroup =
        define("index", Level::Subgroup, "gpu.subgroup_id : index");
    Named number = index(pick(0, 2));
    return compare(chance(50) ? "eq" : "ult", subgroup, number);
  }
  Named id = chance(50) ? globalId : chance(50) ? linearId : ids[pick(0, 2)];
  switch (pick(0, 2)) {
  case 0: {
    Named bits = apply("arith.andi", id, index(pick(1, 7)));
    return compare("eq", bits, index(pick(0, 1)));
  }
  case 1:
    return compare("eq", id, index(pick(0, id.below - 1)));
  default:
    return compare("ult", id, index(pick(0, id.below)));
  }
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

void ProgramWriter::ifElse() {
  Named which = condition();
  std::vector<std::string> types;
  for (int64_t count = pick(0, 2); count != 0; --count)
    types.push_back(pickType());
  std::string results = fresh(), list;
  for (const std::string &type : types)
    list += (list.empty() ? "" : ", ") + type;
  if (types.empty())
    line("scf.if " + which.name + " {");
  else
    line(results + (types.size() > 1 ? ":2" : "") + " = scf.if " + which.name +
         " -> (" + list + ") {");
  std::vector<Level> levels(types.size(), which.level);
  auto side = [&] {
    region(which.level, [&] {
      statements(pick(0, 3));
      std::string yielded;
      for (auto [number, type] : llvm::enumerate(types)) {
        Named named = value(type, 1);
        levels[number] = std::max(levels[number], named.level);
        yielded += (number ? ", " : "") + named.name;
      }
      if (!types.empty())
        line("scf.yield " + yielded + " : " + list);
    });
  };
  side();
  if (!types.empty() || chance(50)) {
    line("} else {");
    side();
  }
  line("}");
  for (auto [number, type] : llvm::enumerate(types))
    pool.push_back(
        {types.size() > 1 ? results + "#" + std::to_string(number) : results,
         type, levels[number], 0});
}

void ProgramWriter::forLoop() {
  int64_t most = pick(1, 5), first = pick(0, 2), step = pick(1, 3);
  bool isIndex = chance(80);
  std::string counterType = isIndex ? "index" : choose({"i32", "i64", "i16"});
  Named lower = number(counterType, Twine(first));
  Named upper = number(counterType, Twine(most));
  if (isIndex && chance(60))
    upper = below(most + 1, pickLevel());
  if (isIndex && chance(20))
    lower = below(3);
  Named stride = number(counterType, Twine(step));
  Level level = std::max(lower.level, upper.level);
  std::vector<Named> inits;
  std::string arguments, types, results = fresh();
  for (int64_t count = pick(0, 2); count != 0; --count) {
    inits.push_back(value(pickType(), 1));
    types += (types.empty() ? "" : ", ") + inits.back().type;
  }
  std::vector<Named> carried;
  for (const Named &init : inits) {
    carried.push_back({fresh(), init.type, Level::Thread, 0});
    arguments += (arguments.empty() ? "" : ", ") + carried.back().name + " = " +
                 init.name;
  }
  Named current{fresh(), counterType, level, isIndex ? most : 0};
  std::string text = "scf.for " + std::string(chance(15) ? "unsigned " : "") +
                     current.name + " = " + lower.name + " to " + upper.name +
                     " step " + stride.name;
  if (!inits.empty())
    text = results + (inits.size() > 1 ? ":2" : "") + " = " + text +
           " iter_args(" + arguments + ") -> (" + types + ")";
  if (!isIndex)
    text += " : " + counterType;
  line(text + " {");
  weight *= most;
  region(level, [&] {
    pool.push_back(current);
    for (const Named &named : carried)
      pool.push_back(named);
    statements(pick(1, 3));
    std::string yielded;
    for (const Named &named : carried)
      yielded += (yielded.empty() ? "" : ", ") + value(named.type, 2).name;
    if (!carried.empty())
      line("scf.yield " + yielded + " : " + types);
  });
  weight /= most;
  line("}");
  for (auto [number, init] : llvm::enumerate(inits))
    pool.push_back(
        {inits.size() > 1 ? results + "#" + std::to_string(number) : results,
         init.type, Level::Thread, 0});
}

// Counts up to a limit, and may end before. Whether it does is for all threads
// alike where the limit is, and the condition.
void ProgramWriter::whileLoop() {
  Level level = pickLevel();
  int64_t most = pick(1, 4);
  Named limit = below(most + 1, level);
  Named zero = index(0), one = index(1);
  std::string type = pickType();
  Named init = value(type, 1);
  Named outerStop = value("i1", 1, level);
  std::string results = fresh(), count = fresh(), carried = fresh();
  std::string types = "(index, " + type + ")";
  line(results + ":2 = scf.while (" + count + " = " + zero.name + ", " +
       carried + " = " + init.name + ") : " + types + " -> " + types + " {");
  weight *= most + 1;
  level = std::max({limit.level, outerStop.level, place});
  region(level, [&] {
    pool.push_back({count, "index", level, most + 1});
    pool.push_back({carried, type, Level::Thread, 0});
    statements(pick(0, 1));
    Named more =
        define("i1", level,
               "arith.cmpi ult, " + count + ", " + limit.name + " : index");
    if (chance(40)) {
      // The carried value may only decide where threads may differ.
      Named other =
          value("i1", 1, level == Level::Thread ? Level::Thread : Level::Block);
      Named either = apply("arith.ori", other, outerStop);
      more = apply("arith.andi", more, either);
    }
    Named handed = value(type, 1);
    line("scf.condition(" + more.name + ") " + count + ", " + handed.name +
         " : index, " + type);
  });
  line("} do {");
  std::string inner = fresh(), current = fresh();
  line("^bb0(" + inner + ": index, " + current + ": " + type + "):");
  region(level, [&] {
    pool.push_back({inner, "index", level, most + 1});
    pool.push_back({current, type, Level::Thread, 0});
    statements(pick(0, 2));
    Named next = define("index", level,
                        "arith.addi " + inner + ", " + one.name + " : index");
    Named handed = value(type, 2);
    line("scf.yield " + next.name + ", " + handed.name + " : index, " + type);
  });
  weight /= most + 1;
  line("}");
  pool.push_back({results + "#0", "index", level, most + 1});
  pool.push_back({results + "#1", type, Level::Thread, 0});
}

void ProgramWriter::indexSwitch() {
  Named which = below(4, pickLevel());
  std::string type = pickType(), result = fresh();
  line(result + " = scf.index_switch " + which.name + " -> " + type);
  int64_t cases = pick(1, 3);
  for (int64_t number = 0; number <= cases; ++number) {
    std::string label = "case " + std::to_string(number);
    line((number == cases ? "default" : label) + " {");
    region(which.level, [&] {
      statements(pick(0, 2));
      line("scf.yield " + value(type, 1).name + " : " + type);
    });
    line("}");
  }
  pool.push_back({result, type, Level::Thread, 0});
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void ProgramWriter::earlyExit() {
  Named leaves = condition();
  std::string out = "^out" + std::to_string(counter);
  std::string on = "^on" + std::to_string(counter++);
  line("cf.cond_br " + leaves.name + ", " + out + ", " + on);
  body += "  " + out + ":\n";
  if (chance(30)) {
    region(leaves.level, [&] { storeResult(value(pickType(), 1)); });
  }
  line("gpu.return");
  body += "  " + on + ":\n";
}

void ProgramWriter::branches() {
  Named which = condition();
  std::string type = pickType(), joined = fresh();
  std::string suffix = std::to_string(counter++);
  Named straight = value(type, 1);
  line("cf.cond_br " + which.name + ", ^left" + suffix + ", ^" +
       (chance(50)
            ? "right" + suffix
            : "join" + suffix + "(" + straight.name + " : " + type + ")"));
  bool hasRight = StringRef(body).trim().ends_with("^right" + suffix);
  for (const char *side : {"left", "right"}) {
    if (StringRef(side) == "right" && !hasRight)
      continue;
    body += "  ^" + std::string(side) + suffix + ":\n";
    region(which.level, [&] {
      --depth;
      statements(pick(0, 2));
      ++depth;
      line("cf.br ^join" + suffix + "(" + value(type, 1).name + " : " + type +
           ")");
    });
  }
  body += "  ^join" + suffix + "(" + joined + ": " + type + "):\n";
  pool.push_back({joined, type, Level::Thread, 0});
}

void ProgramWriter::branchLoop() {
  int64_t most = pick(1, 4);
  Named limit = below(most + 1, pickLevel());
  Named zero = index(0), one = index(1);
  std::string type = pickType(), suffix = std::to_string(counter++);
  Named init = value(type, 1);
  std::string count = fresh(), carried = fresh();
  line("cf.br ^head" + suffix + "(" + zero.name + ", " + init.name +
       " : index, " + type + ")");
  body += "  ^head" + suffix + "(" + count + ": index, " + carried + ": " +
          type + "):\n";
  pool.push_back({count, "index", limit.level, most + 1});
  pool.push_back({carried, type, Level::Thread, 0});
  Named more =
      define("i1", limit.level,
             "arith.cmpi ult, " + count + ", " + limit.name + " : index");
  line("cf.cond_br " + more.name + ", ^body" + suffix + ", ^done" + suffix);
  body += "  ^body" + suffix + ":\n";
  weight *= most;
  region(limit.level, [&] {
    --depth;
    statements(pick(1, 3));
    ++depth;
    Named next = define("index", limit.level,
                        "arith.addi " + count + ", " + one.name + " : index");
    Named handed = value(type, 2);
    line("cf.br ^head" + suffix + "(" + next.name + ", " + handed.name +
         " : index, " + type + ")");
  });
  weight /= most;
  body += "  ^done" + suffix + ":\n";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

// An index that is good only under the guard.
void ProgramWriter::guardedAccess() {
  std::string type = choose({"i32", "f32", "f32", "f64", "i8", "f16"});
  Parameter parameter = program.parameters[findInput(type)];
  if (parameter.shape.size() != 1)
    return storeResult(value(type, 1));
  int64_t size = parameter.shape.front();
  Named far = chance(50) ? anyIndex(2, Level::Thread)
                         : apply("arith.muli", globalId, index(pick(1, 5)));
  Named at = apply("arith.subi", far, index(pick(0, 5)));
  Named isInside = define("i1", at.level,
                          "arith.cmpi ult, " + at.name + ", " +
                              index(size).name + " : index");
  Named otherwise = value(type, 1);
  std::string result = fresh();
  line(result + " = scf.if " + isInside.name + " -> (" + type + ") {");
  region(at.level, [&] {
    Named loaded = define(type, at.level,
                          "memref.load " + parameter.name + "[" + at.name +
                              "] : " + parameter.getType());
    line("scf.yield " + loaded.name + " : " + type);
  });
  line("} else {");
  line("  scf.yield " + otherwise.name + " : " + type);
  line("}");
  pool.push_back({result, type, Level::Thread, 0});
}

void ProgramWriter::statements(unsigned count) {
  while (count-- != 0)
    statement();
}

void ProgramWriter::statement() {
  bool mayNest = depth < 3 && weight <= 20 && body.size() < 6000;
  bool isTop = depth == 0 && mayNest;
  switch (pick(0, 15)) {
  case 0:
  case 1:
    if (mayNest)
      return ifElse();
    break;
  case 2:
  case 3:
    if (mayNest)
      return forLoop();
    break;
  case 4:
    if (mayNest)
      return whileLoop();
    break;
  case 5:
    if (mayNest && chance(50))
      return indexSwitch();
    break;
  case 6:
    if (isTop)
      return chance(50) ? branches() : branchLoop();
    break;
  case 7:
    if (isTop && !isPlain && chance(40))
      return earlyExit();
    break;
  case 8:
  case 9:
    if (place == Level::Block)
      return exchange();
    break;
  case 10:
    if (place == Level::Block)
      return chance(40) ? barrier() : workgroupAtomics();
    break;
  case 11:
    return atomic();
  case 12:
    return guardedAccess();
  case 13:
    return storePrivate();
  default:
    break;
  }
  std::string type = pickType();
  Named named = value(type, pick(1, 3));
  if (chance(50))
    storeResult(named);
}
