//===- DiffReports.cpp - What a change does to the figures ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on documents, so that a report can be kept and compared with a later
// one. Kernels are paired by name and, of several of one name, by order;
// accesses by buffer and kind, and then by order.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace uop;
using namespace uop::report;
namespace json = llvm::json;
using llvm::StringRef;

namespace {

/// Which of two values of a figure is better.
enum class Better { Less, More, Neither };

struct Figure {
  double value = 0;
  Better better = Better::Neither;
  llvm::StringRef unit = "";
};

/// Values by name, in the order in which they come.
template <typename T> class NamedList {
public:
  void set(std::string name, T value) {
    if (T *old = find(name))
      *old = value;
    else
      entries.emplace_back(std::move(name), value);
  }
  T *find(StringRef name) {
    for (auto &[other, value] : entries)
      if (other == name)
        return &value;
    return nullptr;
  }
  auto begin() { return entries.begin(); }
  auto end() { return entries.end(); }

private:
  std::vector<std::pair<std::string, T>> entries;
};

/// The figures of a kernel by their names, in the order of a report.
using Figures = NamedList<Figure>;

} // namespace

//===----------------------------------------------------------------------===//
// Figures of a document
//===----------------------------------------------------------------------===//

/// The number at a path of keys; nothing where there is none.
static std::optional<double> getNumber(const json::Object &object,
                                       llvm::ArrayRef<StringRef> path) {
  const json::Object *inner = &object;
  for (StringRef key : path.drop_back()) {
    inner = inner->getObject(key);
    if (!inner)
      return std::nullopt;
  }
  return inner->getNumber(path.back());
}

static void addFigure(Figures &figures, StringRef name,
                      std::optional<double> value, Better better,
                      StringRef unit = "") {
  if (value)
    figures.set(name.str(), Figure{*value, better, unit});
}

static void addAccesses(Figures &figures, const json::Object &kernel) {
  const json::Array *accesses = kernel.getArray("accesses");
  if (!accesses)
    return;
  llvm::StringMap<unsigned> numbers;
  for (const json::Value &value : *accesses) {
    const json::Object *access = value.getAsObject();
    if (!access || access->getString("not_counted"))
      continue;
    StringRef kind = access->getString("kind").value_or("access");
    std::string name =
        (kind + " of " + access->getString("buffer").value_or("?")).str();
    if (unsigned number = numbers[name]++)
      name += " #" + std::to_string(number + 1);
    bool isShared = kind.starts_with("shared");
    StringRef unit = isShared ? "wavefronts" : "sectors";
    addFigure(figures, name + ", requests",
              getNumber(*access, {"sums", "requests"}), Better::Less);
    addFigure(figures, name + ", " + unit.str(),
              getNumber(*access, {"sums", unit}), Better::Less);
  }
}

static Figures getFigures(const json::Object &kernel) {
  Figures figures;
  auto add = [&](StringRef name, llvm::ArrayRef<StringRef> path, Better better,
                 StringRef unit = "") {
    addFigure(figures, name, getNumber(kernel, path), better, unit);
  };
  add("blocks", {"launch", "blocks"}, Better::Neither);
  add("threads", {"launch", "threads"}, Better::Neither);
  add("useful lanes", {"launch", "useful_lanes"}, Better::More);
  add("shared bytes of a block", {"launch", "shared_bytes"}, Better::Neither);
  for (StringRef memory : {"global", "shared"})
    for (StringRef what : {"loads", "stores", "atomic updates"}) {
      std::string sums = (memory + " " + what).str();
      for (StringRef figure :
           {"requests", memory == "global" ? "sectors" : "wavefronts"})
        add(sums + ", " + figure.str(), {"sums", sums, figure}, Better::Less);
    }
  addAccesses(figures, kernel);
  add("registers of a thread", {"registers", "per_thread"}, Better::Neither);
  add("spilled bytes, stores", {"registers", "spill_store_bytes"},
      Better::Less);
  add("occupancy", {"occupancy", "share"}, Better::More);
  add("DRAM reads", {"roofline", "dram_bytes_read"}, Better::Less, "B");
  add("DRAM writes", {"roofline", "dram_bytes_written"}, Better::Less, "B");
  add("intensity", {"roofline", "intensity"}, Better::More);
  add("bytes in flight", {"roofline", "bytes_in_flight_available"},
      Better::More, "B");
  add("multiprocessors in use",
      {"roofline", "load_balance", "multiprocessor_use"}, Better::More);
  add("least time", {"roofline", "seconds"}, Better::Less, "s");
  add("racy pairs of accesses", {"races", "pairs_racy"}, Better::Less);
  add("pairs of accesses not proved", {"races", "pairs_not_proved"},
      Better::Less);
  return figures;
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

/// The kernels of a document, by name and number among those of that name.
static llvm::Expected<NamedList<const json::Object *>>
getKernels(const json::Value &document, StringRef which) {
  const json::Object *object = document.getAsObject();
  const json::Array *list = object ? object->getArray("kernels") : nullptr;
  std::optional<int64_t> version =
      object ? object->getInteger("version") : std::nullopt;
  if (!list || !version)
    return llvm::createStringError(
        "the report " + which.str() +
        " is none: expected an object with version and kernels, as "
        "uop-report --json writes it");
  if (*version != 1)
    return llvm::createStringError(
        "the report " + which.str() + " is of version " +
        std::to_string(*version) + ", but only version 1 is known");
  NamedList<const json::Object *> kernels;
  for (const json::Value &value : *list) {
    const json::Object *kernel = value.getAsObject();
    if (!kernel)
      return llvm::createStringError("the report " + which.str() +
                                     " has a kernel that is no object");
    std::string base = "@" + kernel->getString("name").value_or("?").str();
    std::string name = base;
    for (unsigned number = 2; kernels.find(name); ++number)
      name = base + " #" + std::to_string(number);
    kernels.set(name, kernel);
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

namespace {

class DifferencePrinter {
public:
  DifferencePrinter(llvm::raw_ostream &os, const TextOptions &options)
      : os(os), options(options) {}

  void print(StringRef name, Figures before, Figures after);

private:
  void printLine(StringRef name, std::optional<Figure> before,
                 std::optional<Figure> after);

  llvm::raw_ostream &os;
  const TextOptions &options;
};

} // namespace

static std::string describe(std::optional<Figure> figure) {
  if (!figure)
    return "-";
  if (!figure->unit.empty())
    return figure->value < 1 && figure->value > 0
               ? asNumber(figure->value) + " " + figure->unit.str()
               : withPrefix(figure->value, figure->unit);
  double whole;
  if (std::modf(figure->value, &whole) == 0 && std::abs(whole) < 1e15)
    return llvm::formatv("{0}", int64_t(whole)).str();
  return asNumber(figure->value);
}

void DifferencePrinter::printLine(StringRef name, std::optional<Figure> before,
                                  std::optional<Figure> after) {
  os << "  " << llvm::left_justify(name, 38)
     << llvm::right_justify(describe(before), 14) << " -> "
     << llvm::left_justify(describe(after), 14);
  if (before && after && before->value != 0) {
    double ratio = after->value / before->value;
    bool isBetter = before->better == Better::Less ? ratio < 1 : ratio > 1;
    bool isJudged = before->better != Better::Neither;
    if (options.hasColors && isJudged)
      os.changeColor(isBetter ? llvm::raw_ostream::GREEN
                              : llvm::raw_ostream::RED);
    os << "x " << asNumber(ratio);
    if (isJudged)
      os << (isBetter ? "  better" : "  worse");
    if (options.hasColors && isJudged)
      os.resetColor();
  }
  os << "\n";
}

void DifferencePrinter::print(StringRef name, Figures before, Figures after) {
  os << name << "\n";
  bool isEqual = true;
  auto handle = [&](StringRef figure, std::optional<Figure> old,
                    std::optional<Figure> now) {
    if (old && now && old->value == now->value)
      return;
    isEqual = false;
    printLine(figure, old, now);
  };
  for (auto &[figure, value] : before) {
    Figure *now = after.find(figure);
    handle(figure, value, now ? std::optional(*now) : std::nullopt);
  }
  for (auto &[figure, value] : after)
    if (!before.find(figure))
      handle(figure, std::nullopt, value);
  if (isEqual)
    os << "  no difference\n";
}

llvm::Error report::printDifference(llvm::raw_ostream &os,
                                    const json::Value &before,
                                    const json::Value &after,
                                    const TextOptions &options) {
  auto old = getKernels(before, "before");
  if (!old)
    return old.takeError();
  auto now = getKernels(after, "after");
  if (!now)
    return now.takeError();
  DifferencePrinter printer(os, options);
  for (auto &[name, kernel] : *old) {
    if (const json::Object **other = now->find(name))
      printer.print(name, getFigures(*kernel), getFigures(**other));
    else
      os << name << "\n  only before\n";
  }
  for (auto &[name, kernel] : *now)
    if (!old->find(name))
      os << name << "\n  only after\n";
  return llvm::Error::success();
}
