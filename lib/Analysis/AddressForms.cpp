//===- AddressForms.cpp - Index values as linear forms --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/AddressForms.h"
#include "Uop/Analysis/IntegerRanges.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

AddressForms::AddressForms(KernelOp kernel, const Uniformity &uniformity)
    : kernel(kernel), uniformity(uniformity),
      launch(computeLaunchShape(kernel)) {
  for (auto range : kernel.getBodyBlock().getOps<RangeOp>())
    if (range.getAxis().getKind() == AxisKind::Thread)
      cpuThreads = getStaticExtent(range);
}

//===----------------------------------------------------------------------===//
// Forms and atoms
//===----------------------------------------------------------------------===//

FormNumber AddressForms::unique(LinearForm form) {
  auto [it, isNew] = formNumbers.try_emplace(std::move(form), forms.size());
  if (isNew)
    forms.push_back(&it->first);
  return it->second;
}

AtomNumber AddressForms::unique(Atom atom) {
  auto key = std::make_tuple(
      atom.kind, atom.dimension, atom.value.getAsOpaquePointer(),
      static_cast<void *>(atom.loop), atom.form, atom.other, atom.divisor);
  auto [it, isNew] = atomNumbers.try_emplace(key, atoms.size());
  if (isNew)
    atoms.push_back(atom);
  return it->second;
}

FormNumber AddressForms::getAtomForm(Atom atom) {
  LinearForm form;
  form.terms.push_back({unique(atom), 1});
  return unique(form);
}

FormNumber AddressForms::getConstant(int64_t value) {
  LinearForm form;
  form.constant = value;
  return unique(form);
}

AtomNumber AddressForms::getThreadAtom(unsigned dimension) {
  Atom atom(Atom::Kind::Thread);
  atom.dimension = dimension;
  atom.bounds = IndexBounds::between(0, launch.block[dimension] - 1);
  return unique(atom);
}

AtomNumber AddressForms::getBlockAtom(unsigned dimension) {
  Atom atom(Atom::Kind::Block);
  atom.dimension = dimension;
  atom.bounds.low = 0;
  if (dimension == 3)
    atom.bounds.high =
        cpuThreads ? std::optional(*cpuThreads - 1) : std::nullopt;
  else if (!ShapedType::isDynamic(launch.grid[dimension]))
    atom.bounds.high = launch.grid[dimension] - 1;
  return unique(atom);
}

AtomNumber AddressForms::getCounterAtom(Operation *op) {
  Atom atom(Atom::Kind::Counter);
  atom.loop = op;
  atom.bounds.low = 0;
  auto loop = cast<scf::ForOp>(op);
  APInt step;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
      step.getSExtValue() > 0)
    if (auto distance =
            add(get(loop.getUpperBound()), get(loop.getLowerBound()), -1))
      if (std::optional<int64_t> most = getBounds(*distance).high)
        atom.bounds.high =
            int64_t(ceilDiv(std::max<int64_t>(*most, 1), step.getSExtValue())) -
            1;
  return unique(atom);
}

AtomNumber AddressForms::getQuotientAtom(AtomNumber remainder) {
  Atom atom(Atom::Kind::FloorDiv);
  atom.form = atoms[remainder].form;
  atom.divisor = atoms[remainder].divisor;
  atom.bounds =
      getBounds(atom.form).floorDiv(IndexBounds::exactly(atom.divisor));
  return unique(atom);
}

std::optional<FormNumber> AddressForms::add(FormNumber lhs, FormNumber rhs,
                                            int64_t factor) {
  const LinearForm &a = getForm(lhs), &b = getForm(rhs);
  LinearForm sum;
  auto combine = [&](int64_t x, int64_t y) {
    return narrow(WideInt(x) + WideInt(factor) * y);
  };
  std::optional<int64_t> constant = combine(a.constant, b.constant);
  if (!constant)
    return std::nullopt;
  sum.constant = *constant;
  const auto *i = a.terms.begin(), *j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    AtomNumber atom =
        j == b.terms.end() || (i != a.terms.end() && i->first <= j->first)
            ? i->first
            : j->first;
    int64_t x = i != a.terms.end() && i->first == atom ? (i++)->second : 0;
    int64_t y = j != b.terms.end() && j->first == atom ? (j++)->second : 0;
    std::optional<int64_t> coefficient = combine(x, y);
    if (!coefficient)
      return std::nullopt;
    if (*coefficient != 0)
      sum.terms.push_back({atom, *coefficient});
  }
  // Longer ones are not looked at anyway.
  constexpr size_t maxTerms = 64;
  if (sum.terms.size() > maxTerms)
    return std::nullopt;
  return unique(std::move(sum));
}

IndexBounds AddressForms::computeBounds(const LinearForm &form) const {
  IndexBounds sum = IndexBounds::exactly(form.constant);
  for (auto [atom, coefficient] : form.terms)
    sum = sum + atoms[atom].bounds * coefficient;
  return sum;
}

FormNumber AddressForms::divide(FormNumber number, int64_t divisor,
                                bool isQuotient) {
  IndexBounds bounds = getBounds(number);
  IndexBounds quotient = bounds.floorDiv(IndexBounds::exactly(divisor));
  if (std::optional<int64_t> constant = quotient.getConstant()) {
    if (isQuotient)
      return getConstant(*constant);
    if (auto rest = narrow(WideInt(*constant) * divisor))
      if (auto form = add(number, getConstant(*rest), -1))
        return *form;
  }
  // Multiples of the divisor leave no remainder, and divide by themselves.
  LinearForm multiples, rest;
  for (auto [atom, coefficient] : getForm(number).terms) {
    if (coefficient % divisor == 0)
      multiples.terms.push_back({atom, coefficient / divisor});
    else
      rest.terms.push_back({atom, coefficient});
  }
  multiples.constant =
      int64_t(uop::floorDiv(getForm(number).constant, divisor));
  rest.constant = int64_t(uop::floorMod(getForm(number).constant, divisor));
  FormNumber restNumber = unique(rest);
  if (!multiples.terms.empty() || multiples.constant != 0) {
    FormNumber part = divide(restNumber, divisor, isQuotient);
    if (!isQuotient)
      return part;
    if (auto sum = add(unique(multiples), part))
      return *sum;
  }
  Atom atom(isQuotient ? Atom::Kind::FloorDiv : Atom::Kind::FloorMod);
  atom.form = number;
  atom.divisor = divisor;
  atom.bounds =
      isQuotient ? quotient : IndexBounds::between(0, WideInt(divisor) - 1);
  return getAtomForm(atom);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether blocks may differ in the value. Loads are taken to.
bool AddressForms::dependsOnBlock(Value value) {
  auto [it, isNew] = blockDependence.try_emplace(value, true);
  if (!isNew)
    return it->second;
  bool depends;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    depends = argument.getOwner() != &kernel.getBodyBlock();
  } else {
    Operation *op = value.getDefiningOp();
    depends = isa<RangeOp>(op) || op->getNumRegions() != 0 ||
              !isMemoryEffectFree(op) ||
              llvm::any_of(op->getOperands(), [&](Value operand) {
                return dependsOnBlock(operand);
              });
  }
  return blockDependence[value] = depends;
}

/// What is known of an integer of which nothing else is known.
static IndexBounds getOpaqueBounds(Value value) {
  if (isa_and_nonnull<memref::DimOp>(value.getDefiningOp()))
    return {0, std::nullopt};
  if (auto range = value.getDefiningOp<RangeOp>())
    return {0, std::nullopt};
  if (isa<BlockArgument>(value))
    if (IndexBounds stated = getArgumentBounds(value); stated.isBounded())
      return stated;
  Type type = value.getType();
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 64) {
    int64_t half = int64_t(1) << (type.getIntOrFloatBitWidth() - 1);
    return IndexBounds::between(-half, half - 1);
  }
  return {};
}

FormNumber AddressForms::getOpaque(Value value) {
  bool isUniform = uniformity.isUniform(value);
  Atom atom(isUniform ? Atom::Kind::Uniform : Atom::Kind::Varying);
  atom.value = value;
  atom.bounds = getOpaqueBounds(value);
  atom.dependsOnBlock = dependsOnBlock(value);
  // Bounds that follow from the operands.
  if (Operation *op = value.getDefiningOp()) {
    if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
      IndexBounds lhs = getBounds(get(op->getOperand(0)));
      IndexBounds rhs = getBounds(get(op->getOperand(1)));
      atom.bounds = isa<arith::MinSIOp>(op) ? lhs.min(rhs) : lhs.max(rhs);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      atom.bounds = getBounds(get(select.getTrueValue()))
                        .unite(getBounds(get(select.getFalseValue())));
    } else if (isa<arith::MulIOp>(op) && value.getType().isIndex()) {
      atom.bounds =
          getBounds(get(op->getOperand(0))) * getBounds(get(op->getOperand(1)));
    } else if (isa<arith::AndIOp>(op)) {
      // No larger than an operand that is not negative.
      for (Value operand : op->getOperands()) {
        IndexBounds bounds = getBounds(get(operand));
        if (bounds.isAtLeast(0))
          atom.bounds = atom.bounds.intersect({0, bounds.high});
      }
    } else if (isa<FloorModOp, arith::RemUIOp>(op)) {
      IndexBounds divisor = getBounds(get(op->getOperand(1)));
      if (divisor.isAtLeast(1) && divisor.high)
        atom.bounds = {0, *divisor.high - 1};
    }
  }
  return getAtomForm(atom);
}

FormNumber AddressForms::get(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  // Operands first, with a stack of its own: expressions may be deep.
  SmallVector<Value> stack{value};
  llvm::DenseSet<Value> visited;
  while (!stack.empty()) {
    Value top = stack.back();
    if (known.contains(top)) {
      stack.pop_back();
      continue;
    }
    Operation *op = top.getDefiningOp();
    bool isArithmetic =
        op && op->getNumRegions() == 0 &&
        isa_and_nonnull<arith::ArithDialect, UopDialect>(op->getDialect());
    if (visited.insert(top).second) {
      if (isArithmetic)
        for (Value operand : op->getOperands())
          if (operand.getType().isSignlessIntOrIndex())
            stack.push_back(operand);
      if (auto argument = dyn_cast<BlockArgument>(top))
        if (auto loop =
                dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
          if (argument == loop.getInductionVar()) {
            stack.push_back(loop.getLowerBound());
            stack.push_back(loop.getUpperBound());
          }
      continue;
    }
    std::optional<FormNumber> built = build(top);
    known[top] = built ? *built : getOpaque(top);
    stack.pop_back();
  }
  return known[value];
}

/// Whether the values of the form fit its type.
static bool fits(IndexBounds bounds, Type type) {
  if (type.isIndex())
    return true;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 64)
    return bounds.isBounded();
  int64_t half = int64_t(1) << (width - 1);
  return bounds.isAtLeast(-half) && bounds.isAtMost(half - 1);
}

std::optional<FormNumber> AddressForms::build(Value value) {
  if (!value.getType().isSignlessIntOrIndex())
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 64)
      return std::nullopt;
    return getConstant(constant.getSExtValue());
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    APInt step;
    if (!loop || argument != loop.getInductionVar() ||
        !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
        step.getSExtValue() <= 0 || loop.getUnsignedCmp())
      return std::nullopt;
    LinearForm counter;
    counter.terms.push_back({getCounterAtom(loop), step.getSExtValue()});
    return add(get(loop.getLowerBound()), unique(counter));
  }
  Operation *op = value.getDefiningOp();
  if (auto range = dyn_cast<RangeOp>(op)) {
    AxisAttr axis = range.getAxis();
    LinearForm form;
    if (getStaticExtent(range) == 1)
      return getConstant(0);
    if (axis.isThreadIndex())
      form.terms.push_back(
          {getThreadAtom(unsigned(axis.getThreadDimension())), 1});
    else
      form.terms.push_back(
          {getBlockAtom(axis.isBlockIndex() ? unsigned(*axis.getDimension())
                                            : 3),
           1});
    return unique(form);
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp,
          arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    Value source = op->getOperand(0);
    if (source.getType().isInteger(1))
      return std::nullopt;
    FormNumber form = get(source);
    IndexBounds bounds = getBounds(form);
    bool isUnsigned = isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
    // A widening keeps every value, a narrowing those that fit.
    if ((isUnsigned && !bounds.isAtLeast(0)) ||
        (!fits(bounds, value.getType()) && !isa<arith::ExtSIOp>(op)))
      return std::nullopt;
    return form;
  }
  if (op->getNumOperands() == 2 && op->getNumResults() == 1)
    if (std::optional<FormNumber> form = buildBinary(op))
      if (fits(getBounds(*form), value.getType()))
        return form;
  return std::nullopt;
}

std::optional<FormNumber> AddressForms::buildBinary(Operation *op) {
  if (!op->getOperand(0).getType().isSignlessIntOrIndex() ||
      !op->getOperand(1).getType().isSignlessIntOrIndex() ||
      op->getOperand(0).getType().isInteger(1))
    return std::nullopt;
  FormNumber lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  IndexBounds bounds = getBounds(lhs);
  auto constantOf = [&](FormNumber form) -> std::optional<int64_t> {
    if (!getForm(form).terms.empty())
      return std::nullopt;
    return getForm(form).constant;
  };
  std::optional<int64_t> number = constantOf(rhs);
  if (isa<arith::AddIOp>(op))
    return add(lhs, rhs);
  if (isa<arith::SubIOp>(op))
    return add(lhs, rhs, -1);
  if (isa<arith::MulIOp>(op)) {
    if (number)
      return add(getConstant(0), lhs, *number);
    if (std::optional<int64_t> factor = constantOf(lhs))
      return add(getConstant(0), rhs, *factor);
    return std::nullopt;
  }
  if (isa<arith::XOrIOp>(op)) {
    IndexBounds other = getBounds(rhs);
    if (!bounds.isAtLeast(0) || !other.isAtLeast(0) || !bounds.high ||
        !other.high)
      return std::nullopt;
    if (lhs == rhs)
      return getConstant(0);
    if (number == 0)
      return lhs;
    if (constantOf(lhs) == 0)
      return rhs;
    Atom atom(Atom::Kind::Xor);
    atom.form = std::min(lhs, rhs);
    atom.other = std::max(lhs, rhs);
    uint64_t most = std::max(*bounds.high, *other.high);
    atom.bounds =
        IndexBounds::between(0, WideInt(llvm::NextPowerOf2(most)) - 1);
    return getAtomForm(atom);
  }
  if (!number)
    return std::nullopt;
  if (isa<arith::ShLIOp>(op)) {
    if (*number < 0 || *number > 62)
      return std::nullopt;
    return add(getConstant(0), lhs, int64_t(1) << *number);
  }
  if (isa<arith::ShRSIOp>(op) ||
      (isa<arith::ShRUIOp>(op) && bounds.isAtLeast(0))) {
    if (*number < 0 || *number > 62)
      return std::nullopt;
    return divide(lhs, int64_t(1) << *number, /*isQuotient=*/true);
  }
  if (isa<arith::AndIOp>(op)) {
    // A mask of the lowest bits.
    if (*number < 0 || !llvm::isPowerOf2_64(uint64_t(*number) + 1))
      return std::nullopt;
    if (*number == std::numeric_limits<int64_t>::max())
      return std::nullopt;
    return divide(lhs, *number + 1, /*isQuotient=*/false);
  }
  if (*number <= 0)
    return std::nullopt;
  bool isFloor = isa<FloorDivOp, FloorModOp, arith::FloorDivSIOp>(op);
  bool isQuotient =
      isa<FloorDivOp, arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op);
  bool isRemainder = isa<FloorModOp, arith::RemSIOp, arith::RemUIOp>(op);
  if ((!isQuotient && !isRemainder) || (!isFloor && !bounds.isAtLeast(0)))
    return std::nullopt;
  return divide(lhs, *number, isQuotient);
}
