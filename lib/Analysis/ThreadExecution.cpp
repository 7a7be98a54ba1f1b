//===- ThreadExecution.cpp - Index arithmetic, executed -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadExecution.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

bool ThreadExecution::collect(FormNumber number) {
  LinearForm form = forms.getForm(number);
  for (auto [atomNumber, coefficient] : form.terms) {
    Atom atom = forms.getAtom(atomNumber);
    switch (atom.kind) {
    case Atom::Kind::Thread:
      break;
    case Atom::Kind::Block:
      // Of threads of one block the block is a parameter.
      if (!acrossBlocks)
        return false;
      break;
    case Atom::Kind::Counter:
      neededLoops.insert(atom.loop);
      break;
    case Atom::Kind::Uniform:
    case Atom::Kind::Varying:
      if (!collect(atom.value))
        return false;
      break;
    case Atom::Kind::Xor:
      if (!collect(atom.other))
        return false;
      LLVM_FALLTHROUGH;
    case Atom::Kind::FloorDiv:
    case Atom::Kind::FloorMod:
      if (!collect(atom.form))
        return false;
      break;
    }
  }
  return true;
}

bool ThreadExecution::collect(Value root) {
  SmallVector<Value> open{root};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!needed.insert(value).second)
      continue;
    if (!value.getType().isSignlessIntOrIndex() ||
        (value.getType().isInteger() &&
         value.getType().getIntOrFloatBitWidth() > 64))
      return false;
    FormNumber number = forms.get(value);
    LinearForm form = forms.getForm(number);
    bool isOpaque = form.terms.size() == 1 &&
                    forms.getAtom(form.terms.front().first).value == value;
    if (!isOpaque) {
      if (!collect(number))
        return false;
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      unsigned index = argument.getArgNumber();
      neededLoops.insert(parent);
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        open.push_back(loop.getLowerBound());
        open.push_back(loop.getStep());
        if (index == 0)
          continue;
        open.push_back(loop.getInitArgs()[index - 1]);
        open.push_back(loop.getYieldedValues()[index - 1]);
      } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        if (argument.getOwner() == loop.getAfterBody()) {
          open.push_back(loop.getConditionOp().getArgs()[index]);
        } else {
          open.push_back(loop.getInits()[index]);
          open.push_back(loop.getYieldOp().getOperands()[index]);
        }
      } else {
        return false;
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned index = cast<OpResult>(value).getResultNumber();
      open.push_back(branch.getCondition());
      open.push_back(branch.thenYield().getOperand(index));
      open.push_back(branch.elseYield().getOperand(index));
      continue;
    }
    if (op->getNumRegions() != 0 ||
        !isa_and_nonnull<arith::ArithDialect, UopDialect>(op->getDialect()) ||
        isa<RangeOp>(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

bool ThreadExecution::collectControl(Operation *op, Operation *counted) {
  for (Operation *inner = op, *parent = op->getParentOp();
       !isa<KernelOp>(parent); inner = parent, parent = parent->getParentOp()) {
    bool isKnown = true;
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      isKnown = collect(branch.getCondition());
    } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(parent)) {
      isKnown = collect(choice.getArg());
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (loop.getUnsignedCmp() || !collect(loop.getLowerBound()) ||
          !collect(loop.getUpperBound()) || !collect(loop.getStep())) {
        // Whatever iteration it is, if none makes a difference.
        if (neededLoops.contains(parent) || parent == counted)
          return false;
        isKnown = false;
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (!collect(loop.getConditionOp().getCondition())) {
        if (neededLoops.contains(parent) || parent == counted)
          return false;
        isKnown = false;
      }
      neededLoops.insert(parent);
    } else if (!isa<PhaseOp, memref::GenericAtomicRMWOp>(parent) &&
               !(isa<scf::ExecuteRegionOp>(parent) &&
                 inner->getParentRegion()->hasOneBlock())) {
      isKnown = false;
    }
    if (!isKnown)
      uncertain = parent;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> ThreadExecution::evaluateForm(FormNumber number) {
  LinearForm form = forms.getForm(number);
  WideInt sum = form.constant;
  for (auto [atomNumber, coefficient] : form.terms) {
    Atom atom = forms.getAtom(atomNumber);
    Number part;
    switch (atom.kind) {
    case Atom::Kind::Thread:
      part = thread[atom.dimension];
      break;
    case Atom::Kind::Block:
      // Of threads of one block the block is a parameter.
      if (acrossBlocks)
        part = atom.dimension < 3 ? block[atom.dimension] : cpuThread;
      break;
    case Atom::Kind::Counter: {
      auto it = states.find(atom.loop);
      if (it != states.end())
        part = it->second.count;
      break;
    }
    case Atom::Kind::Uniform:
    case Atom::Kind::Varying:
      part = evaluate(atom.value);
      break;
    case Atom::Kind::FloorDiv:
    case Atom::Kind::FloorMod: {
      Number numerator = evaluateForm(atom.form);
      if (numerator)
        part = int64_t(atom.kind == Atom::Kind::FloorDiv
                           ? uop::floorDiv(*numerator, atom.divisor)
                           : uop::floorMod(*numerator, atom.divisor));
      break;
    }
    case Atom::Kind::Xor: {
      Number a = evaluateForm(atom.form), b = evaluateForm(atom.other);
      if (a && b)
        part = *a ^ *b;
      break;
    }
    }
    if (!part)
      return std::nullopt;
    sum += WideInt(*part) * coefficient;
    if (!narrow(sum))
      return std::nullopt;
  }
  return narrow(sum);
}

std::optional<int64_t>
ThreadExecution::evaluateArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  auto it = states.find(parent);
  if (it == states.end())
    return std::nullopt;
  unsigned index = argument.getArgNumber();
  const LoopState &state = it->second;
  if (isa<scf::ForOp>(parent))
    return index == 0 ? Number(state.index) : state.arguments[index - 1];
  auto loop = cast<scf::WhileOp>(parent);
  return argument.getOwner() == loop.getAfterBody()
             ? state.afterArguments[index]
             : state.arguments[index];
}

std::optional<int64_t> ThreadExecution::evaluate(Value value) {
  FormNumber number = forms.get(value);
  LinearForm form = forms.getForm(number);
  bool isOpaque = form.terms.size() == 1 &&
                  forms.getAtom(form.terms.front().first).value == value;
  if (!isOpaque)
    return evaluateForm(number);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return evaluateArgument(argument);
  auto it = memo.find(value);
  if (it != memo.end())
    return it->second;
  Number result = evaluateOp(value.getDefiningOp(), value);
  if (result && value.getType().isInteger()) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width < 64)
      result =
          APInt(64, *result, /*isSigned=*/true).trunc(width).getSExtValue();
  }
  return memo[value] = result;
}

std::optional<int64_t> ThreadExecution::evaluateOp(Operation *op, Value value) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Number condition = evaluate(branch.getCondition());
    if (!condition)
      return std::nullopt;
    unsigned index = cast<OpResult>(value).getResultNumber();
    return evaluate(*condition ? branch.thenYield().getOperand(index)
                               : branch.elseYield().getOperand(index));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Number condition = evaluate(select.getCondition());
    if (!condition)
      return std::nullopt;
    return evaluate(*condition ? select.getTrueValue()
                               : select.getFalseValue());
  }
  SmallVector<int64_t, 2> operands;
  for (Value operand : op->getOperands()) {
    Number number = evaluate(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  auto widthOf = [](Value value) {
    return value.getType().isIndex() ? 64u
                                     : value.getType().getIntOrFloatBitWidth();
  };
  auto toUnsigned = [&](unsigned index) {
    unsigned width = widthOf(op->getOperand(index));
    uint64_t number = uint64_t(operands[index]);
    return width < 64 ? number & ((uint64_t(1) << width) - 1) : number;
  };
  if (operands.size() == 1) {
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
      return operands[0];
    if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
      return int64_t(toUnsigned(0));
    return std::nullopt;
  }
  if (operands.size() != 2)
    return std::nullopt;
  int64_t a = operands[0], b = operands[1];
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    unsigned width = widthOf(compare.getLhs());
    return arith::applyCmpPredicate(compare.getPredicate(),
                                    APInt(64, a, true).trunc(width),
                                    APInt(64, b, true).trunc(width));
  }
  if (isa<arith::AddIOp>(op))
    return int64_t(uint64_t(a) + uint64_t(b));
  if (isa<arith::SubIOp>(op))
    return int64_t(uint64_t(a) - uint64_t(b));
  if (isa<arith::MulIOp>(op))
    return int64_t(uint64_t(a) * uint64_t(b));
  if (isa<arith::AndIOp>(op))
    return a & b;
  if (isa<arith::OrIOp>(op))
    return a | b;
  if (isa<arith::XOrIOp>(op))
    return a ^ b;
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  if (isa<arith::MinUIOp>(op))
    return toUnsigned(0) < toUnsigned(1) ? a : b;
  if (isa<arith::MaxUIOp>(op))
    return toUnsigned(0) > toUnsigned(1) ? a : b;
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    if (b < 0 || b >= int64_t(widthOf(op->getOperand(0))))
      return std::nullopt;
    if (isa<arith::ShLIOp>(op))
      return int64_t(uint64_t(a) << b);
    return isa<arith::ShRSIOp>(op) ? a >> b : int64_t(toUnsigned(0) >> b);
  }
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  if (isa<FloorDivOp, arith::FloorDivSIOp>(op))
    return int64_t(uop::floorDiv(a, b));
  if (isa<FloorModOp>(op))
    return int64_t(uop::floorMod(a, b));
  if (isa<arith::CeilDivSIOp>(op))
    return int64_t(uop::ceilDiv(a, b));
  if (isa<arith::DivSIOp>(op))
    return a / b;
  if (isa<arith::RemSIOp>(op))
    return a % b;
  if (isa<arith::DivUIOp>(op))
    return int64_t(toUnsigned(0) / toUnsigned(1));
  if (isa<arith::RemUIOp>(op))
    return int64_t(toUnsigned(0) % toUnsigned(1));
  return std::nullopt;
}
