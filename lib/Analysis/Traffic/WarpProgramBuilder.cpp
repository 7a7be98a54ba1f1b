//===- WarpProgramBuilder.cpp - From a kernel to a program of its warps ---===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAddress.h"
#include "Evaluate.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(KernelOp kernel, const RequestOptions &options,
                 SmallVectorImpl<WarpAccess> &accesses)
      : kernel(kernel), options(options), accesses(accesses),
        known(kernel, options) {}

  FailureOr<WarpProgram> build();

private:
  LogicalResult buildLaunch();
  void findAllAccesses();
  void markNeeded();
  void needValue(Value value) { needed.insert(value); }
  void needRegion(Operation *op);
  void needAllRegions();
  void needOperandsOf(Value value);

  unsigned getSlot(Value value);
  unsigned createSlot(unsigned width);
  std::vector<Step> emitBlock(Block &block);
  void emitOp(Operation &op, std::vector<Step> &steps);
  void emitIf(scf::IfOp branch, std::vector<Step> &steps);
  void emitFor(scf::ForOp loop, std::vector<Step> &steps);
  void emitWhile(scf::WhileOp loop, std::vector<Step> &steps);
  void emitPhase(PhaseOp phase, std::vector<Step> &steps);
  void emitAssumed(Block &block, ValueRange targets, ValueRange sources,
                   std::vector<Step> &steps);
  Copies getCopies(ValueRange targets, ValueRange sources);

  KernelOp kernel;
  const RequestOptions &options;
  SmallVectorImpl<WarpAccess> &accesses;
  KnownValues known;
  WarpProgram program;

  /// The accesses of an op: the number of the first, and where they are.
  llvm::MapVector<Operation *, std::pair<unsigned, SmallVector<FoundAccess, 2>>>
      found;
  SetVector<Value> needed;
  /// The ops with regions that have to be executed.
  DenseSet<Operation *> neededRegions;
  DenseMap<Value, unsigned> slots;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

void ProgramBuilder::findAllAccesses() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<FoundAccess, 2> ofOp = findAccesses(op, known);
    if (ofOp.empty())
      return;
    unsigned first = accesses.size();
    for (FoundAccess &one : ofOp) {
      accesses.push_back(one.access);
      program.addresses.emplace_back();
    }
    found[op] = {first, std::move(ofOp)};
  });
}

/// The op and those around it are executed.
void ProgramBuilder::needRegion(Operation *op) {
  for (; op != kernel && neededRegions.insert(op).second;
       op = op->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      needValue(branch.getCondition());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      needValue(loop.getLowerBound());
      needValue(loop.getUpperBound());
      needValue(loop.getStep());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      needValue(loop.getConditionOp().getCondition());
    }
  }
}

/// All whose control flow is known.
void ProgramBuilder::needAllRegions() {
  kernel.getBody().walk([&](Operation *op) {
    if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp, PhaseOp>(op))
      return;
    Block *block = &op->getRegion(0).front();
    if (!known.getForeignControl(block) && !known.getUnknownControl(block))
      needRegion(op);
  });
}

void ProgramBuilder::needOperandsOf(Value value) {
  if (known.getUnknown(value) || known.getConstant(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel)
      return;
    needRegion(parent);
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (argument == loop.getInductionVar())
        return;
      needValue(loop.getTiedLoopInit(argument)->get());
      needValue(loop.getTiedLoopYieldedValue(argument)->get());
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      unsigned number = argument.getArgNumber();
      if (argument.getOwner() == loop.getAfterBody())
        return needValue(loop.getConditionOp().getArgs()[number]);
      needValue(loop.getInits()[number]);
      needValue(loop.getYieldOp().getResults()[number]);
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    needRegion(op);
    needValue(branch.thenYield().getOperand(number));
    needValue(branch.elseYield().getOperand(number));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    needRegion(op);
    needValue(loop.getRegionIterArg(number));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    needRegion(op);
    needValue(loop.getConditionOp().getArgs()[number]);
  } else if (!isa<RangeOp>(op)) {
    for (Value operand : op->getOperands())
      needValue(operand);
  }
}

void ProgramBuilder::markNeeded() {
  for (auto &[op, ofOp] : found)
    for (auto [index, one] : llvm::enumerate(ofOp.second)) {
      const WarpAccess &access = accesses[ofOp.first + index];
      bool isIgnored =
          options.getInvariantShift && options.getInvariantShift(access) == 0;
      if (!access.reason.empty() || isIgnored)
        continue;
      program.addresses[ofOp.first + index].emplace();
      needRegion(op->getParentOp());
      for (auto [value, bytes] : one.address.terms)
        needValue(value);
      if (one.count)
        needValue(one.count);
    }
  if (options.handleBlock || options.handleBranch)
    needAllRegions();
  for (size_t i = 0; i < needed.size(); ++i)
    needOperandsOf(needed[i]);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

unsigned ProgramBuilder::createSlot(unsigned width) {
  program.widths.push_back(width);
  return program.widths.size() - 1;
}

unsigned ProgramBuilder::getSlot(Value value) {
  auto [it, isNew] = slots.try_emplace(value, 0);
  if (!isNew)
    return it->second;
  if (auto range = value.getDefiningOp<RangeOp>()) {
    // Also a lane: within the guard of its block it is the index along x.
    AxisAttr axis = range.getAxis();
    return it->second =
               axis.isBlockIndex()
                   ? unsigned(*axis.getDimension())
                   : kFirstThreadVariable + unsigned(axis.getThreadDimension());
  }
  unsigned slot = it->second = createSlot(getIntegerWidth(value.getType()));
  if (std::optional<int64_t> constant = known.getConstant(value))
    program.constants.push_back({slot, *constant});
  return slot;
}

/// Only of what is needed.
Copies ProgramBuilder::getCopies(ValueRange targets, ValueRange sources) {
  Copies copies;
  for (auto [target, source] : llvm::zip_equal(targets, sources))
    if (needed.contains(target) && !known.getUnknown(target))
      copies.toFrom.push_back({getSlot(target), getSlot(source)});
  return copies;
}

void ProgramBuilder::emitIf(scf::IfOp branch, std::vector<Step> &steps) {
  if (known.getOpen(branch.getCondition())) {
    emitAssumed(*branch.thenBlock(), {}, {}, steps);
    if (branch.elseBlock())
      emitAssumed(*branch.elseBlock(), {}, {}, steps);
    return;
  }
  Step step;
  step.kind = Step::Kind::If;
  step.op = branch;
  step.operands[0] = getSlot(branch.getCondition());
  step.body = emitBlock(*branch.thenBlock());
  if (branch.getNumResults() > 0)
    step.bodyCopies =
        getCopies(branch.getResults(), branch.thenYield().getOperands());
  if (branch.elseBlock()) {
    step.otherwise = emitBlock(*branch.elseBlock());
    step.otherwiseCopies =
        getCopies(branch.getResults(), branch.elseYield().getOperands());
  }
  steps.push_back(std::move(step));
}

/// Control flow that is not known: the block runs once.
void ProgramBuilder::emitAssumed(Block &block, ValueRange targets,
                                 ValueRange sources, std::vector<Step> &steps) {
  for (auto [to, from] : getCopies(targets, sources).toFrom) {
    Step move;
    move.operation = {Opcode::Resize, arith::CmpIPredicate::eq, 64, 64};
    move.result = to;
    move.operands[0] = from;
    move.numOperands = 1;
    steps.push_back(std::move(move));
  }
  for (Step &step : emitBlock(block))
    steps.push_back(std::move(step));
}

void ProgramBuilder::emitFor(scf::ForOp loop, std::vector<Step> &steps) {
  if (known.getOpen(loop.getLowerBound()) ||
      known.getOpen(loop.getUpperBound()) || known.getOpen(loop.getStep())) {
    needValue(loop.getInductionVar());
    SmallVector<Value> sources{loop.getLowerBound()};
    llvm::append_range(sources, loop.getInitArgs());
    return emitAssumed(*loop.getBody(), loop.getBody()->getArguments(), sources,
                       steps);
  }
  Step step;
  step.kind = Step::Kind::For;
  step.op = loop;
  step.operands[0] = getSlot(loop.getLowerBound());
  step.operands[1] = getSlot(loop.getUpperBound());
  step.operands[2] = getSlot(loop.getStep());
  step.result = getSlot(loop.getInductionVar());
  step.variable = program.numVariables++;
  step.entryCopies = getCopies(loop.getRegionIterArgs(), loop.getInitArgs());
  step.body = emitBlock(*loop.getBody());
  step.bodyCopies =
      getCopies(loop.getRegionIterArgs(), loop.getYieldedValues());
  step.exitCopies = getCopies(loop.getResults(), loop.getRegionIterArgs());
  steps.push_back(std::move(step));
}

void ProgramBuilder::emitWhile(scf::WhileOp loop, std::vector<Step> &steps) {
  scf::ConditionOp condition = loop.getConditionOp();
  if (known.getOpen(condition.getCondition())) {
    emitAssumed(*loop.getBeforeBody(), loop.getBeforeArguments(),
                loop.getInits(), steps);
    return emitAssumed(*loop.getAfterBody(), loop.getAfterArguments(),
                       condition.getArgs(), steps);
  }
  Step step;
  step.kind = Step::Kind::While;
  step.op = loop;
  step.entryCopies = getCopies(loop.getBeforeArguments(), loop.getInits());
  step.body = emitBlock(*loop.getBeforeBody());
  step.operands[0] = getSlot(condition.getCondition());
  step.bodyCopies = getCopies(loop.getAfterArguments(), condition.getArgs());
  step.exitCopies = getCopies(loop.getResults(), condition.getArgs());
  step.otherwise = emitBlock(*loop.getAfterBody());
  step.otherwiseCopies =
      getCopies(loop.getBeforeArguments(), loop.getYieldOp().getResults());
  steps.push_back(std::move(step));
}

/// The threads below the extents of the ranges of a block.
static Step createThreads(Block &block) {
  Step step;
  step.kind = Step::Kind::Threads;
  for (auto range : block.getOps<RangeOp>())
    if (range.getAxis().isThreadIndex())
      step.extents[unsigned(range.getAxis().getThreadDimension())] =
          *getStaticExtent(range);
  return step;
}

void ProgramBuilder::emitPhase(PhaseOp phase, std::vector<Step> &steps) {
  Block &block = phase.getBody().front();
  Step step = createThreads(block);
  step.op = phase;
  step.body = emitBlock(block);
  steps.push_back(std::move(step));
}

void ProgramBuilder::emitOp(Operation &op, std::vector<Step> &steps) {
  if (auto it = found.find(&op); it != found.end()) {
    auto &[first, ofOp] = it->second;
    for (auto [index, one] : llvm::enumerate(ofOp)) {
      std::optional<AddressedAccess> &target = program.addresses[first + index];
      if (!target)
        continue;
      target->address.offset = one.address.offset;
      for (auto [value, bytes] : one.address.terms)
        target->address.terms.push_back({getSlot(value), bytes});
      if (one.count)
        target->count = getSlot(one.count);
      Step step;
      step.kind = Step::Kind::Access;
      step.op = &op;
      step.access = first + index;
      steps.push_back(std::move(step));
    }
    return;
  }
  if (op.getNumRegions() > 0) {
    if (!neededRegions.contains(&op))
      return;
    if (auto branch = dyn_cast<scf::IfOp>(op))
      emitIf(branch, steps);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      emitFor(loop, steps);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      emitWhile(loop, steps);
    else if (auto phase = dyn_cast<PhaseOp>(op))
      emitPhase(phase, steps);
    return;
  }
  std::optional<Opcode> opcode = getOpcode(&op);
  if (!opcode || !needed.contains(op.getResult(0)) ||
      known.getUnknown(op.getResult(0)) || known.getConstant(op.getResult(0)))
    return;
  Step step;
  step.op = &op;
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    step.operands[index] = getSlot(operand);
  step.numOperands = op.getNumOperands();
  step.operation = describeOperation(&op, *opcode);
  step.result = getSlot(op.getResult(0));
  steps.push_back(std::move(step));
}

std::vector<Step> ProgramBuilder::emitBlock(Block &block) {
  std::vector<Step> steps;
  if (options.handleBlock) {
    Step enter;
    enter.kind = Step::Kind::Enter;
    enter.block = &block;
    steps.push_back(enter);
  }
  for (Operation &op : block)
    emitOp(op, steps);
  return steps;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

LogicalResult ProgramBuilder::buildLaunch() {
  program.launch = computeLaunchShape(kernel);
  for (auto range : kernel.getBodyBlock().getOps<RangeOp>())
    if (range.getAxis().getKind() == AxisKind::Thread)
      return emitError(range.getLoc())
             << "cannot count the memory requests of @" << kernel.getSymName()
             << ": the axis '" << range.getAxis().str()
             << "' is for a CPU, which has no warps; map the kernel for a GPU";
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t &blocks = program.launch.grid[dim];
    if (!ShapedType::isDynamic(blocks))
      continue;
    RangeOp range = program.launch.gridRanges[dim].front();
    bool isOpen = known.getOpen(range.getExtent()) != Value();
    std::optional<int64_t> extent = known.getConstant(range.getExtent());
    if (isOpen && options.assumesUnknown)
      extent = 1;
    if (!extent) {
      Value unknown = known.getUnknown(range.getExtent());
      return emitError(range.getLoc())
             << "cannot count the memory requests of @" << kernel.getSymName()
             << ": the extent of '" << range.getAxis().str() << "' depends on "
             << KnownValues::describe(unknown ? unknown : range.getExtent());
    }
    blocks = std::max<int64_t>(*extent, 0);
  }
  return success();
}

FailureOr<WarpProgram> ProgramBuilder::build() {
  // The indices of block and thread.
  for (unsigned variable = 0; variable < kFirstLoopVariable; ++variable)
    createSlot(64);
  if (failed(buildLaunch()))
    return failure();
  findAllAccesses();
  markNeeded();
  // Only lanes fall short of the block, outside of phases.
  Block &body = kernel.getBodyBlock();
  bool hasThreads = llvm::any_of(body.getOps<RangeOp>(), [](RangeOp range) {
    return range.getAxis().isThreadIndex();
  });
  if (!hasThreads) {
    program.steps = emitBlock(body);
    return std::move(program);
  }
  Step step = createThreads(body);
  step.op = kernel;
  step.body = emitBlock(body);
  program.steps.push_back(std::move(step));
  return std::move(program);
}

FailureOr<WarpProgram>
traffic::buildWarpProgram(KernelOp kernel, const RequestOptions &options,
                          SmallVectorImpl<WarpAccess> &accesses) {
  return ProgramBuilder(kernel, options, accesses).build();
}
