//===- ConflictSolver.cpp - Two threads as integer constraints ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConflictQuestion.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace uop;
using presburger::BoundType;
using presburger::IntegerPolyhedron;
using presburger::PresburgerSpace;

/// Quotients that are given to the solver: its time grows steeply with them.
static constexpr unsigned kMaxDivisions = 8;
static constexpr unsigned kMaxVariables = 48;
/// The largest coefficient, far from overflow in what the solver makes of it.
static constexpr int64_t kMaxCoefficient = int64_t(1) << 40;

namespace uop {

/// The constraints on two threads that access one element. A variable is an
/// atom of the first thread, of the second, or of both.
class ConflictSystem {
public:
  explicit ConflictSystem(ConflictQuestion &question)
      : question(question), forms(question.forms) {}

  Conflict solve();

private:
  /// A linear expression of variables.
  struct Expr {
    std::map<unsigned, int64_t> terms;
    int64_t constant = 0;
  };

  unsigned getVariable(AtomNumber atom, bool isSecond);
  void addTo(Expr &expr, AtomNumber atom, bool isSecond, WideInt factor);
  void addForm(Expr &expr, FormNumber form, bool isSecond, WideInt factor);
  void requireAtLeast(Expr expr, int64_t bound);
  void requireAtMost(Expr expr, int64_t bound);
  void addDimension(const ConflictQuestion::Dimension &dimension);
  void addAccess(bool isSecond);
  void addPinned(const PinnedLoops *pinned, bool isSecond);
  void addTrips(const TripCounts *trips);
  void addOrder();
  Conflict solveApart();
  Conflict solveApart(ArrayRef<Expr> different, ArrayRef<Expr> equal);
  Expr getWarp(bool isSecond);
  std::optional<SmallVector<int64_t>> findPoint(ArrayRef<Expr> equal,
                                                const Expr *positive);
  Conflict describe(ArrayRef<int64_t> point);
  int64_t evaluate(FormNumber form, bool isSecond, ArrayRef<int64_t> point);

  ConflictQuestion &question;
  AddressForms &forms;
  std::map<std::pair<AtomNumber, int>, unsigned> variables;
  SmallVector<AtomNumber> atomOf;
  /// Expressions that are not negative.
  SmallVector<Expr> inequalities;
  unsigned numDivisions = 0;
  bool isTooHard = false;
  /// A value in the constraints of which no more is known than its bounds.
  std::optional<AtomNumber> opaque;
};

} // namespace uop

void ConflictSystem::requireAtLeast(Expr expr, int64_t bound) {
  auto constant = narrow(WideInt(expr.constant) - bound);
  if (!constant)
    return void(isTooHard = true);
  expr.constant = *constant;
  inequalities.push_back(std::move(expr));
}

void ConflictSystem::requireAtMost(Expr expr, int64_t bound) {
  for (auto &[variable, coefficient] : expr.terms)
    coefficient = -coefficient;
  auto constant = narrow(WideInt(bound) - expr.constant);
  if (!constant)
    return void(isTooHard = true);
  expr.constant = *constant;
  inequalities.push_back(std::move(expr));
}

void ConflictSystem::addTo(Expr &expr, AtomNumber number, bool isSecond,
                           WideInt factor) {
  Atom atom = forms.getAtom(number);
  auto addVariable = [&](unsigned variable, WideInt by) {
    int64_t &coefficient = expr.terms[variable];
    auto sum = narrow(by + coefficient);
    if (!sum || std::abs(*sum) > kMaxCoefficient)
      return void(isTooHard = true);
    coefficient = *sum;
  };
  if (isTooHard || !narrow(factor))
    return void(isTooHard = true);
  if (atom.kind == Atom::Kind::FloorMod) {
    // x mod c is x - c * (x div c).
    addForm(expr, atom.form, isSecond, factor);
    return addVariable(getVariable(forms.getQuotientAtom(number), isSecond),
                       -factor * atom.divisor);
  }
  if (isSecond && question.isCarried(number)) {
    auto constant = narrow(factor * *question.meeting.distance + expr.constant);
    if (!constant)
      return void(isTooHard = true);
    expr.constant = *constant;
    return addVariable(getVariable(number, /*isSecond=*/false), factor);
  }
  addVariable(getVariable(number, isSecond), factor);
}

void ConflictSystem::addForm(Expr &expr, FormNumber form, bool isSecond,
                             WideInt factor) {
  LinearForm linear = forms.getForm(form);
  for (auto [atom, coefficient] : linear.terms)
    addTo(expr, atom, isSecond, factor * coefficient);
  auto constant = narrow(factor * linear.constant + expr.constant);
  if (!constant)
    return void(isTooHard = true);
  expr.constant = *constant;
}

unsigned ConflictSystem::getVariable(AtomNumber number, bool isSecond) {
  bool isShared = question.isShared(number);
  auto [it, isNew] =
      variables.try_emplace({number, isShared ? 2 : isSecond}, atomOf.size());
  unsigned variable = it->second;
  if (!isNew)
    return variable;
  atomOf.push_back(number);
  if (atomOf.size() > kMaxVariables)
    isTooHard = true;
  if (isTooHard)
    return variable;
  Atom atom = forms.getAtom(number);
  IndexBounds bounds = question.getBounds(number, isSecond);
  if (isShared)
    bounds = bounds.intersect(question.getBounds(number, !isSecond));
  Expr value;
  value.terms[variable] = 1;
  if (atom.kind == Atom::Kind::FloorDiv) {
    numDivisions += 1;
    isTooHard |= numDivisions > kMaxDivisions;
    // 0 <= x - c * q < c.
    Expr rest;
    rest.terms[variable] = -atom.divisor;
    isTooHard |= atom.divisor > kMaxCoefficient;
    addForm(rest, atom.form, isSecond, 1);
    requireAtLeast(rest, 0);
    requireAtMost(rest, atom.divisor - 1);
  } else if (atom.kind == Atom::Kind::Uniform ||
             atom.kind == Atom::Kind::Varying || atom.kind == Atom::Kind::Xor) {
    // What differs between threads is the better reason.
    if (!opaque || atom.kind == Atom::Kind::Varying)
      opaque = number;
  }
  if (bounds.low)
    requireAtLeast(value, *bounds.low);
  if (bounds.high)
    requireAtMost(value, *bounds.high);
  return variable;
}

void ConflictSystem::addDimension(
    const ConflictQuestion::Dimension &dimension) {
  Expr difference;
  addForm(difference, dimension.second, true, 1);
  addForm(difference, dimension.first, false, -1);
  if (dimension.low)
    requireAtLeast(difference, *dimension.low);
  if (dimension.high)
    requireAtMost(difference, *dimension.high);
}

/// Where the access is executed at all.
void ConflictSystem::addAccess(bool isSecond) {
  const AccessAddress &address = isSecond ? question.second : question.first;
  for (FormNumber condition : address.conditions) {
    Expr expr;
    addForm(expr, condition, isSecond, 1);
    requireAtLeast(expr, 0);
  }
  // Bounds of what does not occur elsewhere: there may be no such value.
  for (auto [atom, bounds] : address.bounds) {
    Expr expr;
    addTo(expr, atom, isSecond, 1);
    if (bounds.low)
      requireAtLeast(expr, *bounds.low);
    if (bounds.high)
      requireAtMost(expr, *bounds.high);
  }
}

/// Requires that an access is in certain iterations of loops.
void ConflictSystem::addPinned(const PinnedLoops *pinned, bool isSecond) {
  if (question.isDetached())
    return;
  for (; pinned; pinned = pinned->outer) {
    auto loop = dyn_cast<scf::ForOp>(pinned->loop);
    std::optional<int64_t> step =
        loop ? getConstantIntValue(loop.getStep()) : std::nullopt;
    if (!step || *step <= 0 || loop.getUnsignedCmp())
      continue;
    Expr expr;
    if (pinned->iteration >= 0) {
      addTo(expr, forms.getCounterAtom(loop), isSecond, 1);
      requireAtLeast(expr, pinned->iteration);
      requireAtMost(expr, pinned->iteration);
      continue;
    }
    // The last iteration begins within a step of the end.
    auto rest = narrow(WideInt(-(pinned->iteration + 1)) * *step);
    if (!rest)
      return void(isTooHard = true);
    addForm(expr, forms.get(loop.getInductionVar()), isSecond, 1);
    addForm(expr, forms.get(loop.getUpperBound()), isSecond, -1);
    expr.constant += *rest;
    requireAtLeast(expr, -*step);
    requireAtMost(expr, -1);
  }
}

/// Requires that loops are executed so many times.
void ConflictSystem::addTrips(const TripCounts *trips) {
  for (; trips; trips = trips->next) {
    auto loop = cast<scf::ForOp>(trips->loop);
    Expr length;
    addForm(length, forms.get(loop.getUpperBound()), false, 1);
    addForm(length, forms.get(loop.getLowerBound()), false, -1);
    int64_t step = *getConstantIntValue(loop.getStep());
    auto most = narrow(WideInt(trips->count) * step);
    if (!most)
      return void(isTooHard = true);
    requireAtMost(length, *most);
    if (trips->count != 0)
      requireAtLeast(length, *most - step + 1);
  }
}

/// Where the second access is in some later iteration of the carrier.
void ConflictSystem::addOrder() {
  auto loop = dyn_cast_or_null<scf::ForOp>(question.meeting.carrier);
  if (!loop || question.isDetached())
    return;
  AtomNumber counter = forms.getCounterAtom(loop);
  Expr distance;
  addTo(distance, counter, true, 1);
  addTo(distance, counter, false, -1);
  if (!question.meeting.distance)
    return requireAtLeast(distance, 1);
  Expr next;
  addTo(next, counter, true, 1);
  if (std::optional<int64_t> last = forms.getAtom(counter).bounds.high)
    requireAtMost(next, *last);
}

std::optional<SmallVector<int64_t>>
ConflictSystem::findPoint(ArrayRef<Expr> equal, const Expr *positive) {
  unsigned count = atomOf.size();
  IntegerPolyhedron polyhedron(PresburgerSpace::getSetSpace(count));
  auto toRow = [&](const Expr &expr) {
    SmallVector<int64_t> row(count + 1, 0);
    for (auto [variable, coefficient] : expr.terms)
      row[variable] = coefficient;
    row[count] = expr.constant;
    return row;
  };
  for (const Expr &expr : inequalities)
    polyhedron.addInequality(ArrayRef<int64_t>(toRow(expr)));
  for (const Expr &expr : equal)
    polyhedron.addEquality(ArrayRef<int64_t>(toRow(expr)));
  if (positive) {
    SmallVector<int64_t> row = toRow(*positive);
    row[count] -= 1;
    polyhedron.addInequality(ArrayRef<int64_t>(row));
  }
  auto sample = polyhedron.findIntegerSample();
  if (!sample)
    return std::nullopt;
  SmallVector<int64_t> point;
  for (unsigned i = 0; i < count; ++i)
    point.push_back(int64fromDynamicAPInt((*sample)[i]));
  return point;
}

int64_t ConflictSystem::evaluate(FormNumber form, bool isSecond,
                                 ArrayRef<int64_t> point) {
  Expr expr;
  addForm(expr, form, isSecond, 1);
  int64_t sum = expr.constant;
  for (auto [variable, coefficient] : expr.terms)
    sum += variable < point.size() ? coefficient * point[variable] : 0;
  return sum;
}

Conflict ConflictSystem::describe(ArrayRef<int64_t> point) {
  Conflict conflict;
  const Meeting &meeting = question.meeting;
  auto valueOf = [&](AtomNumber atom, bool isSecond) -> std::optional<int64_t> {
    auto it = variables.find({atom, question.isShared(atom) ? 2 : isSecond});
    if (it == variables.end() || it->second >= point.size())
      return std::nullopt;
    return point[it->second];
  };
  for (bool isSecond : {false, true}) {
    AccessInstance &instance = isSecond ? conflict.second : conflict.first;
    for (unsigned dim = 0; dim < 3; ++dim) {
      instance.thread[dim] =
          valueOf(forms.getThreadAtom(dim), isSecond).value_or(0);
      instance.block[dim] =
          valueOf(forms.getBlockAtom(dim), isSecond).value_or(0);
    }
    instance.cpuThread = valueOf(forms.getBlockAtom(3), isSecond).value_or(0);
    Operation *op = (isSecond ? meeting.second : meeting.first)->op;
    for (Operation *loop = op->getParentOp(); !isa<KernelOp>(loop);
         loop = loop->getParentOp()) {
      auto counted = dyn_cast<scf::ForOp>(loop);
      std::optional<int64_t> step =
          counted ? getConstantIntValue(counted.getStep()) : std::nullopt;
      if (!step || *step <= 0 || counted.getUnsignedCmp())
        continue;
      AtomNumber counter = forms.getCounterAtom(counted);
      bool isCarried = question.isCarrying(loop) && isSecond;
      if (!valueOf(counter, isCarried ? false : isSecond))
        continue;
      instance.iterations.insert(
          instance.iterations.begin(),
          {loop,
           evaluate(forms.get(counted.getInductionVar()), isSecond, point)});
    }
  }
  // The element that both have.
  conflict.isByte = question.first.isInBytes;
  for (const ConflictQuestion::Dimension &dimension : question.dimensions)
    conflict.element.push_back(
        std::max(evaluate(dimension.first, false, point),
                 evaluate(dimension.second, true, point)));
  conflict.kind = Conflict::Kind::Found;
  conflict.hasWitness = true;
  return conflict;
}

/// The number of the warp of a thread, as a variable of its own.
ConflictSystem::Expr ConflictSystem::getWarp(bool isSecond) {
  Expr warp;
  unsigned variable = atomOf.size();
  // Stands for no atom of its own.
  atomOf.push_back(forms.getThreadAtom(0));
  warp.terms[variable] = 1;
  Expr rest;
  rest.terms[variable] = -kWarpSize;
  int64_t stride = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    addTo(rest, forms.getThreadAtom(dim), isSecond, stride);
    stride *= forms.getLaunch().block[dim];
  }
  requireAtLeast(rest, 0);
  requireAtMost(rest, kWarpSize - 1);
  return warp;
}

/// A point at which one of the numbers is not 0, while others are.
Conflict ConflictSystem::solveApart(ArrayRef<Expr> different,
                                    ArrayRef<Expr> equal) {
  Conflict result;
  result.kind = Conflict::Kind::Impossible;
  SmallVector<Expr> zero(equal);
  for (const Expr &difference : different) {
    for (int sign : {-1, 1}) {
      Expr positive = difference;
      for (auto &[variable, coefficient] : positive.terms)
        coefficient *= sign;
      positive.constant *= sign;
      if (auto point = findPoint(zero, &positive))
        return describe(*point);
    }
    zero.push_back(difference);
  }
  return result;
}

/// Whether there is a point at which the threads, or the blocks, differ.
Conflict ConflictSystem::solveApart() {
  auto subtract = [](Expr lhs, const Expr &rhs) {
    for (auto [variable, coefficient] : rhs.terms)
      lhs.terms[variable] -= coefficient;
    lhs.constant -= rhs.constant;
    return lhs;
  };
  SmallVector<Expr> different, equal;
  bool isBlocks = question.acrossBlocks;
  for (unsigned dim = 0; dim < (isBlocks ? 4u : 3u); ++dim) {
    AtomNumber atom =
        isBlocks ? forms.getBlockAtom(dim) : forms.getThreadAtom(dim);
    Expr difference;
    addTo(difference, atom, false, 1);
    addTo(difference, atom, true, -1);
    different.push_back(difference);
  }
  if (question.apart == Apart::SameWarp)
    equal.push_back(subtract(getWarp(false), getWarp(true)));
  if (question.apart == Apart::OtherWarp)
    different = {subtract(getWarp(false), getWarp(true))};
  if (isTooHard)
    return Conflict();
  return solveApart(different, equal);
}

Conflict ConflictSystem::solve() {
  for (const ConflictQuestion::Dimension &dimension : question.dimensions)
    addDimension(dimension);
  addAccess(false);
  addAccess(true);
  addPinned(question.meeting.firstPins, false);
  addPinned(question.meeting.secondPins, true);
  addTrips(question.meeting.trips);
  addOrder();
  for (unsigned dim = 0; dim < 4; ++dim)
    for (bool isSecond : {false, true}) {
      if (question.acrossBlocks || dim < 3)
        getVariable(question.acrossBlocks ? forms.getBlockAtom(dim)
                                          : forms.getThreadAtom(dim),
                    isSecond);
      if (question.acrossBlocks && dim < 3)
        getVariable(forms.getThreadAtom(dim), isSecond);
    }
  Conflict unknown;
  const Meeting &meeting = question.meeting;
  if (isTooHard) {
    unknown.reason = "the indices are too complex";
    unknown.reasonOp = meeting.second->op;
    return unknown;
  }
  Conflict result = solveApart();
  if (result.kind != Conflict::Kind::Found)
    return result;
  // A point may be one that no thread comes to.
  auto reject = [&](std::string reason, Operation *op) {
    result.kind = Conflict::Kind::Unknown;
    result.reason = std::move(reason);
    result.reasonOp = op;
    return result;
  };
  if (question.isDetached()) {
    result.hasWitness = false;
    return reject("which copies a wait completes is not known",
                  meeting.second->op);
  }
  auto hasWhile = [](const PinnedLoops *pinned) {
    for (; pinned; pinned = pinned->outer)
      if (!isa<scf::ForOp>(pinned->loop))
        return pinned->loop;
    return static_cast<Operation *>(nullptr);
  };
  if (opaque) {
    // Where the indices are not what they seem there may be no such threads.
    result.hasWitness = false;
    const Atom &atom = forms.getAtom(*opaque);
    Operation *op = atom.value ? atom.value.getDefiningOp() : nullptr;
    if (atom.kind == Atom::Kind::Varying)
      return reject("it depends on a value that may be any", op);
    if (atom.kind == Atom::Kind::Uniform)
      return reject("it depends on the value of a parameter", op);
    return reject("the indices are not affine", meeting.second->op);
  }
  for (Operation *op : {question.first.uncertain, question.second.uncertain})
    if (op)
      return reject("whether the access is executed is not known", op);
  if (Operation *op = hasWhile(meeting.firstPins))
    return reject("the number of iterations is not known", op);
  if (Operation *op = hasWhile(meeting.secondPins))
    return reject("the number of iterations is not known", op);
  if (meeting.carrier && !isa<scf::ForOp>(meeting.carrier))
    return reject("the number of iterations is not known", meeting.carrier);
  if (!meeting.isCertain)
    return reject(question.getWhyUncertain().str(), meeting.second->op);
  return result;
}

Conflict ConflictQuestion::solve() { return ConflictSystem(*this).solve(); }
