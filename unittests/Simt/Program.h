//===- Program.h - A kernel made ready to be walked -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values become slots of a thread, and operations the functions that execute
// them. Nothing is reordered, folded or left out. There is no recursion, so a
// function that a kernel calls has its slots once.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_PROGRAM_H
#define UOP_UNITTESTS_SIMT_PROGRAM_H

#include "ScalarOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <deque>
#include <optional>

namespace uop::simt {

class Thread;
struct Step;

/// Executes an operation. It says what is wrong by Thread::fail.
using Handler = void (Thread::*)(const Step &);

struct Step {
  explicit Step(mlir::Operation *op) : op(op) {}

  mlir::Operation *op;
  Handler run = nullptr;
  llvm::SmallVector<unsigned, 3> operands;
  llvm::SmallVector<unsigned, 1> results;
  /// Of element-wise arithmetic.
  ScalarFunction compute = nullptr;
  std::optional<ScalarTypes> types;
  /// Of a constant.
  Datum constant;
};

/// A block of a region.
struct Code {
  llvm::SmallVector<unsigned, 2> arguments;
  std::vector<Step> steps;
};

class Program {
public:
  static llvm::Expected<Program> create(mlir::gpu::GPUFuncOp kernel);

  mlir::gpu::GPUFuncOp getKernel() const { return kernel; }
  unsigned getNumSlots() const { return numSlots; }
  const Code &getCode(mlir::Block *block) const { return *codes.at(block); }
  const Code &getEntry(mlir::Region &region) const {
    return getCode(&region.front());
  }
  unsigned getSlot(mlir::Value value) const { return slots.lookup(value); }
  /// Where an operation is in the text.
  unsigned getPosition(mlir::Operation *op) const {
    return positions.lookup(op);
  }

private:
  llvm::Error add(mlir::Region &region);
  llvm::Error add(Step &step);
  unsigned addSlot(mlir::Value value);

  mlir::gpu::GPUFuncOp kernel;
  unsigned numSlots = 0;
  llvm::DenseMap<mlir::Value, unsigned> slots;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  std::deque<Code> storage;
  llvm::DenseMap<mlir::Block *, Code *> codes;
};

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_PROGRAM_H
