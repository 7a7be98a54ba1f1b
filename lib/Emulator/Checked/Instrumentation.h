//===- Instrumentation.h - Puts calls into a kernel -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_INSTRUMENTATION_H
#define UOP_LIB_EMULATOR_CHECKED_INSTRUMENTATION_H

#include "AccessShapes.h"
#include "InstrumentKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

/// The operation that a user wrote, where another one is in its place.
inline constexpr llvm::StringLiteral standsForAttrName = "uop.stands_for";

/// The work of instrumentKernel.
class Instrumentation {
public:
  /// What the code is to tell: faults, or requests to memory.
  enum class Purpose { Check, Count };

  Instrumentation(mlir::gpu::GPUFuncOp kernel,
                  llvm::ArrayRef<std::optional<int64_t>> blockSize,
                  int64_t subgroupSize, llvm::ArrayRef<GivenBuffer> given,
                  RuntimeCalls &runtime, Purpose purpose = Purpose::Check)
      : kernel(kernel), blockSize(blockSize), subgroupSize(subgroupSize),
        given(given), runtime(runtime), purpose(purpose) {}

  mlir::FailureOr<SiteTable> run();

protected:
  /// For diagnostics.
  llvm::StringRef getModeName() const {
    return purpose == Purpose::Check ? "checked mode" : "counted mode";
  }
  mlir::LogicalResult collect();
  mlir::LogicalResult expandMatrixLoads();
  void expandMatrixLoad(mlir::nvgpu::LdMatrixOp op);
  void findWritten();
  const GivenBuffer *findGiven(mlir::Value memref) const;
  AccessSpace getSpace(mlir::Value memref);
  void enter();
  int64_t addPlace(mlir::Operation *op);
  void instrument(mlir::gpu::ShuffleOp op);
  /// Barriers, groups of copies and waits for them, and turns of loops.
  void instrumentOrder();
  void instrument(mlir::LLVM::FenceOp op);
  void findIndexArithmetic();
  void instrumentArithmetic(mlir::Operation *op, bool isSigned);
  void instrument(mlir::Operation *op, llvm::ArrayRef<CheckedAccess> accesses);
  int64_t addSite(mlir::Operation *op, const CheckedAccess &access);
  int64_t addView(mlir::Value memref);
  void declareView(mlir::Value memref, int64_t number);
  mlir::Value number(mlir::ImplicitLocOpBuilder &b, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, value);
  }
  void call(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name,
            mlir::ValueRange operands, unsigned fixed = 0) {
    callCheck(b, runtime, name, operands, /*hasResult=*/false, fixed);
  }
  void callAccess(mlir::ImplicitLocOpBuilder &b, int64_t site,
                  const CheckedAccess &access,
                  llvm::ArrayRef<mlir::Value> indices);
  /// Whether the access is inside of its buffer and aligned.
  mlir::Value isRight(mlir::ImplicitLocOpBuilder &b,
                      const CheckedAccess &access,
                      llvm::ArrayRef<mlir::Value> indices);
  mlir::Value overflows(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                        bool isSigned, mlir::Value &exact,
                        mlir::Value &wrapped);
  void findThread(mlir::ImplicitLocOpBuilder &b);
  mlir::Value testAccess(mlir::ImplicitLocOpBuilder &b, int64_t site,
                         const CheckedAccess &access,
                         llvm::ArrayRef<mlir::Value> indices);

  mlir::gpu::GPUFuncOp kernel;
  llvm::ArrayRef<std::optional<int64_t>> blockSize;
  int64_t subgroupSize;
  llvm::ArrayRef<GivenBuffer> given;
  RuntimeCalls &runtime;
  Purpose purpose;
  SiteTable table;
  llvm::SmallVector<
      std::pair<mlir::Operation *, llvm::SmallVector<CheckedAccess>>>
      ops;
  llvm::SmallVector<mlir::Operation *> exits, barriers, warpBarriers, loops,
      groups, waits;
  llvm::SmallVector<mlir::LLVM::FenceOp> fences;
  llvm::SmallVector<mlir::gpu::ShuffleOp> shuffles;
  /// Of fewer than 64 bits, and whether it is signed.
  llvm::MapVector<mlir::Operation *, bool> arithmetic;
  llvm::SetVector<mlir::Value> viewed;
  llvm::SetVector<mlir::Value> sharedRoots;
  llvm::DenseSet<mlir::Value> writtenRoots;
  bool writesAnything = false;
  mlir::Value thread;
  /// After what a thread says first.
  mlir::Operation *entered = nullptr;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_INSTRUMENTATION_H
