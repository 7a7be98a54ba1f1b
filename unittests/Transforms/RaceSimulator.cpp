//===- RaceSimulator.cpp - Kernels executed thread by thread --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceSimulator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// What is a race
//===----------------------------------------------------------------------===//

bool RaceSimulator::isUniform() const {
  return llvm::all_of(barriers,
                      [](const auto &of) { return of.second.size() == 1; });
}

bool RaceSimulator::isShared(const Key &key) {
  return bool(Value::getFromOpaquePointer(key.root).getDefiningOp());
}

bool RaceSimulator::isRace(const Touch &a, const Touch &b) {
  return a.thread != b.thread && (a.isWrite || b.isWrite) &&
         !(a.isAtomic && b.isAtomic);
}

std::set<RaceSimulator::Pair> RaceSimulator::findRaces(bool shared) const {
  std::set<Pair> races;
  for (const auto &[key, list] : touches)
    if (isShared(key) == shared)
      for (const Touch &a : list)
        for (const Touch &b : list)
          if (isRace(a, b))
            races.insert(makePair(a.op, b.op));
  if (!shared)
    findCrossBlock(races);
  return races;
}

void RaceSimulator::findCrossBlock(std::set<Pair> &races) const {
  std::map<std::pair<void *, int64_t>, std::vector<Touch>> byElement;
  for (const auto &[key, list] : touches)
    if (!isShared(key))
      llvm::append_range(byElement[{key.root, key.element}], list);
  for (const auto &[key, list] : byElement)
    for (const Touch &a : list)
      for (const Touch &b : list)
        if (a.block != b.block && (a.isWrite || b.isWrite) &&
            !(a.isAtomic && b.isAtomic))
          races.insert(makePair(a.op, b.op));
}

bool RaceSimulator::hasElement(int64_t element, const Race &race) {
  auto type = cast<MemRefType>(race.first->root.getType());
  int64_t linear = 0;
  if (race.witness.isByte)
    return element == race.witness.element.front() / 4;
  for (auto [index, size] :
       llvm::zip_equal(race.witness.element, type.getShape()))
    linear = linear * size + index;
  return element == linear;
}

bool RaceSimulator::isReal(const Race &race) const {
  auto number = [&](const AccessInstance &instance) {
    return unsigned(instance.thread[0] +
                    block[0] *
                        (instance.thread[1] + block[1] * instance.thread[2]));
  };
  bool isCross = race.relation == RaceRelation::CrossBlock;
  std::vector<std::pair<int64_t, unsigned>> first, second;
  auto matches = [&](const Touch &touch, const MemoryAccess &access,
                     const AccessInstance &instance) {
    return touch.op == access.op && touch.thread == number(instance) &&
           (!isCross || touch.block == instance.block[0]);
  };
  for (const auto &[key, list] : touches) {
    if (key.root != race.first->root.getAsOpaquePointer() ||
        !hasElement(key.element, race))
      continue;
    for (const Touch &touch : list) {
      if (matches(touch, *race.first, race.witness.first))
        first.push_back({key.interval, touch.block});
      if (matches(touch, *race.second, race.witness.second))
        second.push_back({key.interval, touch.block});
    }
  }
  for (auto a : first)
    for (auto b : second)
      if (isCross || (a.first == b.first && a.second == b.second))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

RaceSimulator::RaceSimulator(KernelOp kernel) : kernel(kernel) {
  LaunchShape shape = computeLaunchShape(kernel);
  block = shape.block;
  for (gx = 0; gx < shape.grid[0]; ++gx)
    for (thread = 0; thread < unsigned(shape.getNumThreadsPerBlock());
         ++thread) {
      values.clear();
      interval = numGroups = 0;
      execute(kernel.getBodyBlock());
      barriers[gx].insert(interval);
      complete([](const Pending &) { return true; });
    }
}

int64_t RaceSimulator::get(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto it = values.find(value);
  EXPECT_TRUE(it != values.end());
  return it == values.end() ? 0 : it->second;
}

void RaceSimulator::touch(Operation *op, Value memref, ValueRange indices,
                          int64_t count, bool isWrite, bool isAtomic,
                          bool isAsync) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t linear = 0;
  for (auto [index, size] : llvm::zip_equal(indices, type.getShape())) {
    EXPECT_GE(get(index), 0);
    EXPECT_LT(get(index), size);
    linear = linear * size + get(index);
  }
  while (memref.getDefiningOp() && !isa<AllocOp>(memref.getDefiningOp()))
    memref = memref.getDefiningOp()->getOperand(0);
  for (int64_t i = 0; i < count; ++i) {
    Key key{interval, memref.getAsOpaquePointer(), linear + i, unsigned(gx)};
    Touch one{op, thread, unsigned(gx), isWrite, isAtomic};
    if (isAsync)
      pending.push_back({key, one, std::nullopt});
    else
      touches[key].push_back(one);
  }
}

/// Copies that are completed now have taken place in any interval until then.
void RaceSimulator::complete(
    llvm::function_ref<bool(const Pending &)> isCompleted) {
  for (const Pending &access : pending) {
    if (!isCompleted(access))
      continue;
    for (Key key = access.first; key.interval <= interval; ++key.interval)
      touches[key].push_back(access.touch);
  }
  llvm::erase_if(pending, isCompleted);
}

void RaceSimulator::execute(Block &code) {
  for (Operation &op : code)
    execute(&op);
}

void RaceSimulator::execute(Operation *op) {
  if (isa<BarrierOp>(op)) {
    ++interval;
  } else if (auto range = dyn_cast<RangeOp>(op)) {
    Dimension dim = range.getAxis().getThreadDimension();
    values[range] = range.getAxis().isBlockIndex() ? gx
                    : dim == Dimension::X          ? thread % block[0]
                                                   : thread / block[0];
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    touch(op, load.getMemRef(), load.getIndices(), 1, false, false);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    touch(op, store.getMemRef(), store.getIndices(), 1, true, false);
  } else if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
    touch(op, update.getMemref(), update.getIndices(), 1, true, true);
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    touch(op, load.getBase(), load.getIndices(), 2, false, false);
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    touch(op, store.getBase(), store.getIndices(), 2, true, false);
  } else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    int64_t count = copy.getDstElements().getSExtValue();
    touch(op, copy.getSrc(), copy.getSrcIndices(), count, false, false, true);
    touch(op, copy.getDst(), copy.getDstIndices(), count, true, false, true);
  } else if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
    for (Pending &access : pending)
      if (!access.group)
        access.group = numGroups;
    ++numGroups;
  } else if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op)) {
    int64_t left = wait.getNumGroups().value_or(0);
    complete([&](const Pending &access) {
      return access.group && *access.group < numGroups - left;
    });
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (get(branch.getCondition()))
      execute(*branch.thenBlock());
    else if (branch.elseBlock())
      execute(*branch.elseBlock());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<int64_t> carried;
    for (Value init : loop.getInitArgs())
      carried.push_back(get(init));
    int64_t end = get(loop.getUpperBound()), step = get(loop.getStep());
    for (int64_t i = get(loop.getLowerBound()); i < end; i += step) {
      values[loop.getInductionVar()] = i;
      for (auto [argument, value] :
           llvm::zip_equal(loop.getRegionIterArgs(), carried))
        values[argument] = value;
      execute(*loop.getBody());
      for (auto [value, yielded] :
           llvm::zip_equal(carried, loop.getYieldedValues()))
        value = get(yielded);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    SmallVector<int64_t> carried;
    for (Value init : loop.getInits())
      carried.push_back(get(init));
    while (true) {
      for (auto [argument, value] :
           llvm::zip_equal(loop.getBeforeArguments(), carried))
        values[argument] = value;
      execute(*loop.getBeforeBody());
      if (!get(loop.getConditionOp().getCondition()))
        break;
      for (auto [argument, value] : llvm::zip_equal(
               loop.getAfterArguments(), loop.getConditionOp().getArgs()))
        values[argument] = get(value);
      execute(*loop.getAfterBody());
      for (auto [value, yielded] :
           llvm::zip_equal(carried, loop.getYieldOp().getOperands()))
        value = get(yielded);
    }
  } else if (op->getNumResults() == 1 && op->getNumOperands() == 2) {
    int64_t a = get(op->getOperand(0)), b = get(op->getOperand(1));
    int64_t result = 0;
    if (isa<arith::AddIOp>(op))
      result = a + b;
    else if (isa<arith::MulIOp>(op))
      result = a * b;
    else if (isa<arith::XOrIOp>(op))
      result = a ^ b;
    else if (isa<FloorModOp>(op))
      result = a % b;
    else if (isa<FloorDivOp>(op))
      result = a / b;
    else if (auto compare = dyn_cast<arith::CmpIOp>(op))
      result =
          compare.getPredicate() == arith::CmpIPredicate::eq ? a == b : a < b;
    else
      ADD_FAILURE() << "not simulated: " << op->getName().getStringRef().str();
    values[op->getResult(0)] = result;
  }
}
