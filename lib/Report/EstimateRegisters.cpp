//===- EstimateRegisters.cpp - How many registers a kernel may take -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guess for where there is no ptxas: the values that are alive at once in
// loop form, as it is written. An assembler orders code anew and keeps
// addresses in other forms, so this is no bound in either direction.
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Analysis/Liveness.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

/// What addresses, counters and the launch take beside the values.
static constexpr int64_t kOverhead = 10;
static constexpr int64_t kRegisterBytes = 4;

static int64_t countRegisters(Value value) {
  Type type = value.getType();
  Operation *op = value.getDefiningOp();
  // Constants are operands of instructions, indices are narrowed to 32 bits,
  // and a bit is a predicate.
  if ((op && op->hasTrait<OpTrait::ConstantLike>()) || type.isInteger(1))
    return 0;
  if (type.isIndex())
    return 1;
  if (isa<BaseMemRefType>(type))
    return 2;
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrFloat())
    return 1;
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    count = vector.getNumElements();
  return llvm::divideCeil(count * getStoredBytes(element), kRegisterBytes);
}

namespace {

/// Goes through a block from its end, with what is alive there.
class LivenessWalk {
public:
  explicit LivenessWalk(KernelOp kernel) : liveness(kernel) {}

  int64_t run(Block &block) {
    const LivenessBlockInfo *info = liveness.getLiveness(&block);
    llvm::SmallPtrSet<Value, 16> alive(info->out().begin(), info->out().end());
    int64_t registers = 0;
    for (Value value : alive)
      registers += countRegisters(value);
    int64_t most = registers;
    for (Operation &op : llvm::reverse(block)) {
      for (Value result : op.getResults())
        if (alive.erase(result))
          registers -= countRegisters(result);
      auto use = [&](Value value) {
        if (alive.insert(value).second)
          registers += countRegisters(value);
      };
      for (Value operand : op.getOperands())
        use(operand);
      // What is alive after an op with regions is so inside as well.
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          for (Value value : liveness.getLiveness(&inner)->in())
            use(value);
        }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          most = std::max(most, registers + getOwn(inner, alive));
      most = std::max(most, registers);
    }
    return most;
  }

private:
  /// The registers of a block of ops inside, beyond those of what is alive
  /// around it.
  int64_t getOwn(Block &block, const llvm::SmallPtrSetImpl<Value> &around) {
    int64_t shared = 0;
    for (Value value : liveness.getLiveness(&block)->out())
      if (around.contains(value))
        shared += countRegisters(value);
    return run(block) - shared;
  }

  Liveness liveness;
};

} // namespace

int64_t report::estimateRegisters(KernelOp kernel) {
  return LivenessWalk(kernel).run(kernel.getBodyBlock()) + kOverhead;
}
