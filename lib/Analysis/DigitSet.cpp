//===- DigitSet.cpp - Sets of integers in mixed radix ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Sets of more elements than this count as this many.
static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? kMost : product;
}

static int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? kMost : sum;
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

/// From the least coefficient up: one that is within the run makes it longer,
/// one that goes on where the last digit ends makes that longer.
void DigitSet::normalize(SmallVector<Digit> all) {
  llvm::sort(all, [](const Digit &a, const Digit &b) {
    return std::pair(a.coefficient, a.count) <
           std::pair(b.coefficient, b.count);
  });
  digits.clear();
  // From the least element to the greatest one of the digits so far.
  int64_t reach = run - 1;
  for (const Digit &digit : all) {
    int64_t distance = multiply(digit.coefficient, digit.count - 1);
    if (digits.empty() && digit.coefficient <= run) {
      run = add(run, distance);
      reach = run - 1;
      continue;
    }
    Digit *last = digits.empty() ? nullptr : &digits.back();
    if (last && digit.coefficient % last->coefficient == 0 &&
        digit.coefficient / last->coefficient <= last->count) {
      last->count = add(last->count, distance / last->coefficient);
    } else {
      overlaps |= digit.coefficient <= reach;
      digits.push_back(digit);
    }
    reach = add(reach, distance);
  }
}

void DigitSet::addDigit(int64_t coefficient, int64_t count) {
  if (count <= 1 || coefficient == 0)
    return;
  if (coefficient < 0) {
    base += coefficient * (count - 1);
    coefficient = -coefficient;
  }
  SmallVector<Digit> all(digits);
  all.push_back({coefficient, count});
  normalize(std::move(all));
}

/// Numbers in arithmetic progression are a digit, and so are equal groups of
/// them; of anything else the hull is taken.
void DigitSet::addOffsets(ArrayRef<int64_t> offsets) {
  if (offsets.empty())
    return;
  base += offsets.front();
  SmallVector<int64_t> rest(offsets);
  while (rest.size() > 1) {
    int64_t step = rest[1] - rest[0];
    size_t length = 2;
    while (length < rest.size() && rest[length] - rest[length - 1] == step)
      ++length;
    bool isRegular = rest.size() % length == 0;
    for (size_t i = 0; i < rest.size() && isRegular; ++i)
      isRegular = rest[i] - rest[i - i % length] == int64_t(i % length) * step;
    if (!isRegular) {
      overlaps = true;
      return addDigit(1, rest.back() - rest.front() + 1);
    }
    addDigit(step, length);
    SmallVector<int64_t> starts;
    for (size_t i = 0; i < rest.size(); i += length)
      starts.push_back(rest[i]);
    rest = std::move(starts);
  }
}

int64_t DigitSet::getGreatest() const {
  int64_t greatest = add(base, run - 1);
  for (const Digit &digit : digits)
    greatest = add(greatest, multiply(digit.coefficient, digit.count - 1));
  return greatest;
}

int64_t DigitSet::size() const {
  int64_t count = run;
  for (const Digit &digit : digits)
    count = multiply(count, digit.count);
  // Where digits overlap, there are no more than from end to end.
  int64_t greatest = getGreatest();
  return greatest == kMost ? count : std::min(count, greatest - base + 1);
}

bool DigitSet::isExact() const { return !overlaps && size() != kMost; }

void DigitSet::clip(int64_t end) {
  int64_t greatest = getGreatest();
  if (base >= 0 && greatest < end)
    return;
  if (!isInterval()) {
    overlaps = true;
    return;
  }
  base = std::max<int64_t>(base, 0);
  run = std::max<int64_t>(std::min(greatest, end - 1) - base + 1, 0);
}

bool DigitSet::hasSameDigits(const DigitSet &other) const {
  return run == other.run && digits == other.digits &&
         overlaps == other.overlaps;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static FootprintSize countBox(const DigitBox &box) {
  FootprintSize size{1, true};
  for (const DigitSet &set : box) {
    size.elements = multiply(size.elements, set.size());
    size.isExact &= set.isExact();
  }
  return size;
}

static bool haveSameDigits(const DigitBox &a, const DigitBox &b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
    return std::get<0>(pair).hasSameDigits(std::get<1>(pair));
  });
}

/// Boxes that are one box moved to each point of a grid of places are one box,
/// with the places for digits; null where the places are no grid.
static std::optional<DigitBox> mergeMoved(ArrayRef<DigitBox> boxes) {
  size_t rank = boxes.front().size();
  DigitBox merged = boxes.front();
  SmallVector<SmallVector<int64_t>> places;
  for (const DigitBox &box : boxes) {
    SmallVector<int64_t> &place = places.emplace_back();
    for (const DigitSet &set : box)
      place.push_back(set.getLeast());
  }
  llvm::sort(places);
  places.erase(llvm::unique(places), places.end());
  int64_t gridSize = 1;
  for (size_t dimension = 0; dimension < rank; ++dimension) {
    SmallVector<int64_t> starts;
    for (ArrayRef<int64_t> place : places)
      starts.push_back(place[dimension]);
    llvm::sort(starts);
    starts.erase(llvm::unique(starts), starts.end());
    gridSize = multiply(gridSize, starts.size());
    merged[dimension].setBase(0);
    merged[dimension].addOffsets(starts);
  }
  if (gridSize != int64_t(places.size()))
    return std::nullopt;
  return merged;
}

/// The union of intervals' products, through the grid of all their ends.
static std::optional<int64_t> countIntervals(ArrayRef<DigitBox> boxes) {
  constexpr size_t kMaxBoxes = 16;
  constexpr size_t kMaxRank = 4;
  size_t rank = boxes.front().size();
  if (boxes.size() > kMaxBoxes || rank > kMaxRank)
    return std::nullopt;
  for (const DigitBox &box : boxes)
    for (const DigitSet &set : box)
      if (!set.isInterval() || !set.isExact())
        return std::nullopt;
  SmallVector<SmallVector<int64_t>> ends(rank);
  for (const DigitBox &box : boxes)
    for (auto [set, list] : llvm::zip_equal(box, ends)) {
      list.push_back(set.getLeast());
      list.push_back(set.getGreatest() + 1);
    }
  for (SmallVector<int64_t> &list : ends) {
    llvm::sort(list);
    list.erase(llvm::unique(list), list.end());
  }
  auto isCovered = [&](ArrayRef<int64_t> corner) {
    return llvm::any_of(boxes, [&](const DigitBox &box) {
      return llvm::all_of(llvm::zip_equal(box, corner), [](auto pair) {
        auto &[set, start] = pair;
        return set.getLeast() <= start && start <= set.getGreatest();
      });
    });
  };
  // Counts through the cells.
  SmallVector<size_t> cell(rank, 0);
  int64_t total = 0;
  while (true) {
    SmallVector<int64_t> corner;
    int64_t volume = 1;
    for (auto [list, number] : llvm::zip_equal(ends, cell)) {
      corner.push_back(list[number]);
      volume = multiply(volume, list[number + 1] - list[number]);
    }
    if (isCovered(corner))
      total = add(total, volume);
    size_t dimension = 0;
    while (dimension < rank && ++cell[dimension] + 1 >= ends[dimension].size())
      cell[dimension++] = 0;
    if (dimension == rank)
      return total;
  }
}

FootprintSize uop::countUnion(ArrayRef<DigitBox> boxes) {
  std::vector<DigitBox> parts;
  SmallVector<bool> isTaken(boxes.size(), false);
  for (size_t first = 0; first < boxes.size(); ++first) {
    if (isTaken[first])
      continue;
    std::vector<DigitBox> alike;
    for (size_t other = first; other < boxes.size(); ++other)
      if (!isTaken[other] && haveSameDigits(boxes[first], boxes[other])) {
        isTaken[other] = true;
        alike.push_back(boxes[other]);
      }
    if (std::optional<DigitBox> merged = mergeMoved(alike))
      parts.push_back(std::move(*merged));
    else
      llvm::append_range(parts, alike);
  }
  // Empty parts add nothing.
  llvm::erase_if(parts, [](const DigitBox &box) {
    return llvm::any_of(box,
                        [](const DigitSet &set) { return set.size() == 0; });
  });
  if (parts.empty())
    return {};
  if (parts.size() == 1 || parts.front().empty())
    return countBox(parts.front());
  if (std::optional<int64_t> elements = countIntervals(parts))
    return {*elements, true};
  FootprintSize sum{0, false};
  for (const DigitBox &box : parts)
    sum.elements = add(sum.elements, countBox(box).elements);
  return sum;
}
