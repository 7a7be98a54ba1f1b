//===- ThreadControl.cpp - How a thread goes through its program ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop::simt;

Thread::Thread(BlockRun &block, int64_t linearId, Dim3 id)
    : block(block), program(block.getProgram()), linearId(linearId), id(id),
      slots(program.getNumSlots()) {
  frames.push_back(
      {&program.getEntry(program.getKernel().getBody()), 0, nullptr});
}

void Thread::fail(const Step &step, const llvm::Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  step.op->print(os, OpPrintingFlags().skipRegions());
  block.fail(message + " (thread " + llvm::Twine(linearId) + ") at " + text);
  state = State::Done;
}

void Thread::step() {
  Frame &frame = frames.back();
  const Step &step = frame.code->steps[frame.next++];
  if (++steps > block.getLaunch().stepLimit)
    return fail(step, "more operations than the step limit");
  (this->*step.run)(step);
}

void Thread::resume(ArrayRef<Datum> results) {
  setResults(*waiting, results);
  waiting = nullptr;
  state = State::Ready;
}

SmallVector<Datum> Thread::getOperands(const Step &step, unsigned first) {
  SmallVector<Datum> data;
  for (unsigned slot : ArrayRef(step.operands).drop_front(first))
    data.push_back(slots[slot]);
  return data;
}

void Thread::setArguments(const Code &code, ArrayRef<Datum> arguments) {
  for (auto [slot, datum] : llvm::zip_equal(code.arguments, arguments))
    slots[slot] = datum;
}

void Thread::setResults(const Step &step, ArrayRef<Datum> results) {
  for (auto [slot, datum] : llvm::zip_equal(step.results, results))
    slots[slot] = datum;
}

void Thread::setBits(const Step &step, uint64_t bits) {
  slots[step.results.front()].lanes.assign(1, bits);
}

void Thread::enter(Region &region, const Step *owner,
                   ArrayRef<Datum> arguments) {
  const Code &code = program.getEntry(region);
  setArguments(code, arguments);
  frames.push_back({&code, 0, owner});
}

void Thread::jump(mlir::Block *target, ArrayRef<Datum> arguments) {
  const Code &code = program.getCode(target);
  setArguments(code, arguments);
  frames.back().code = &code;
  frames.back().next = 0;
}

void Thread::leave(ArrayRef<Datum> results) {
  const Step *owner = frames.back().owner;
  frames.pop_back();
  setResults(*owner, results);
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

void Thread::runIf(const Step &step) {
  auto op = cast<scf::IfOp>(step.op);
  Region &region =
      getBits(step.operands[0]) ? op.getThenRegion() : op.getElseRegion();
  if (!region.empty())
    enter(region, &step, {});
}

// Begins the iteration `current`, if there is one.
void Thread::iterate(const Step &loop, int64_t current,
                     ArrayRef<Datum> carried) {
  auto op = cast<scf::ForOp>(loop.op);
  unsigned width = getWidth(op.getUpperBound().getType());
  uint64_t upper = getBits(loop.operands[1]);
  bool more = op.getUnsignedCmp() ? truncate(current, width) < upper
                                  : current < toSigned(upper, width);
  if (!more)
    return leave(carried);
  SmallVector<Datum> arguments(1);
  arguments.front().lanes.push_back(truncate(current, width));
  llvm::append_range(arguments, carried);
  jump(op.getBody(), arguments);
}

void Thread::runFor(const Step &step) {
  auto op = cast<scf::ForOp>(step.op);
  unsigned width = getWidth(op.getUpperBound().getType());
  if (toSigned(getBits(step.operands[2]), width) <= 0)
    return fail(step, "expected a positive step");
  frames.push_back({&program.getCode(op.getBody()), 0, &step});
  iterate(step, toSigned(getBits(step.operands[0]), width),
          getOperands(step, 3));
}

void Thread::runWhile(const Step &step) {
  enter(cast<scf::WhileOp>(step.op).getBefore(), &step, getOperands(step));
}

void Thread::runCondition(const Step &step) {
  auto loop = cast<scf::WhileOp>(frames.back().owner->op);
  SmallVector<Datum> forwarded = getOperands(step, 1);
  if (!getBits(step.operands[0]))
    return leave(forwarded);
  jump(loop.getAfterBody(), forwarded);
}

void Thread::runSwitch(const Step &step) {
  auto op = cast<scf::IndexSwitchOp>(step.op);
  auto value = int64_t(getBits(step.operands[0]));
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (number == value)
      return enter(region, &step, {});
  enter(op.getDefaultRegion(), &step, {});
}

void Thread::runExecute(const Step &step) {
  enter(step.op->getRegion(0), &step, {});
}

void Thread::runYield(const Step &step) {
  const Step &owner = *frames.back().owner;
  SmallVector<Datum> yielded = getOperands(step);
  if (auto loop = dyn_cast<scf::WhileOp>(owner.op))
    return jump(loop.getBeforeBody(), yielded);
  auto loop = dyn_cast<scf::ForOp>(owner.op);
  if (!loop)
    return leave(yielded);
  unsigned width = getWidth(loop.getUpperBound().getType());
  uint64_t current = getBits(program.getSlot(loop.getInductionVar()));
  uint64_t next = current + getBits(owner.operands[2]);
  iterate(owner, toSigned(next, width), yielded);
}

//===----------------------------------------------------------------------===//
// Branches and functions
//===----------------------------------------------------------------------===//

void Thread::runBranch(const Step &step) {
  auto branch = cast<BranchOpInterface>(step.op);
  unsigned which = 0;
  if (isa<cf::CondBranchOp>(step.op)) {
    which = getBits(step.operands[0]) ? 0 : 1;
  } else if (auto op = dyn_cast<cf::SwitchOp>(step.op)) {
    if (auto values = op.getCaseValues())
      for (auto [number, value] :
           llvm::enumerate(values->getValues<llvm::APInt>()))
        if (value == getBits(step.operands[0])) {
          which = number + 1;
          break;
        }
  }
  SmallVector<Datum> arguments;
  for (Value value : branch.getSuccessorOperands(which).getForwardedOperands())
    arguments.push_back(slots[program.getSlot(value)]);
  jump(step.op->getSuccessor(which), arguments);
}

void Thread::runCall(const Step &step) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      step.op, cast<func::CallOp>(step.op).getCalleeAttr());
  enter(callee.getFunctionBody(), &step, getOperands(step));
}

void Thread::runReturn(const Step &step) {
  if (frames.back().owner)
    return leave(getOperands(step));
  state = State::Done;
}

void Thread::runWait(const Step &step) {
  waiting = &step;
  state = State::Waiting;
}
