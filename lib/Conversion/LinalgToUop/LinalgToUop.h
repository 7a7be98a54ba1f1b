//===- LinalgToUop.h - The parts of convert-linalg-to-uop -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op on memrefs is a value at every point of its loops, for each of
// its outputs. Such a value is written in graph form at any indices that are
// asked for: those of the kernel's own ranges, or those at which another op
// reads it. So an op becomes a kernel and a producer becomes a part of its
// consumer by the same code.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_LINALGTOUOP_LINALGTOUOP_H
#define UOP_LIB_CONVERSION_LINALGTOUOP_LINALGTOUOP_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

//===----------------------------------------------------------------------===//
// Memory (Overlap.cpp)
//===----------------------------------------------------------------------===//

/// What is known of the elements of two memrefs.
enum class Overlap {
  /// They are the same elements, in the same shape and order.
  Same,
  /// None is in both.
  None,
  /// Some are in both.
  Some,
  /// They are views of one memref, or memrefs of unknown origin.
  Unknown,
};

/// The memref that a chain of views and casts looks at.
mlir::Value getViewedMemRef(mlir::Value memref);

/// Whether a kernel takes a memref of this type.
bool isKernelArgument(mlir::MemRefType type);

/// What is known of the memory of a module.
class Memory {
public:
  explicit Memory(mlir::ModuleOp module);

  /// Compares two memrefs. Allocations and globals are apart from each other;
  /// so are the arguments of a function, as those of a kernel are, unless a
  /// call in the module passes them what is not.
  Overlap compare(mlir::Value first, mlir::Value second);

  /// Whether the op may read or write elements of the memref, or free it.
  bool mayAccess(mlir::Operation *op, mlir::Value memref);

  /// Whether the payloads in the op load elements of the memref.
  bool readsInPayload(mlir::Operation *op, mlir::Value memref);

  /// Whether the op may write elements of the memref, or free it.
  bool mayWrite(mlir::Operation *op, mlir::Value memref);

private:
  Overlap compareOrigins(mlir::Value first, mlir::Value second);
  Overlap compareAtCalls(mlir::BlockArgument argument, mlir::Value other);
  bool hasEffect(mlir::Operation *op, mlir::Value memref,
                 llvm::function_ref<bool(mlir::MemoryEffects::Effect *)> isOf);

  /// By function, what refers to it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> users;
  /// What calls pass to an argument and to another one, or a global.
  llvm::DenseMap<std::pair<mlir::Value, void *>, Overlap> atCalls;
};

//===----------------------------------------------------------------------===//
// Fusion (PlanFusion.cpp)
//===----------------------------------------------------------------------===//

/// Which ops become a part of another op's kernel.
struct FusionPlan {
  /// For an operand that is read, the op that computes what is read there.
  llvm::DenseMap<mlir::OpOperand *, mlir::linalg::LinalgOp> producers;
  /// These ops, which get no kernel of their own, and what they wrote to.
  llvm::SetVector<mlir::Operation *> fused;
  llvm::SetVector<mlir::Value> buffers;
};

/// Plans for the ops, in their order. Without `fuse` only fills of an output
/// become a part of the op that has it.
void planFusion(llvm::ArrayRef<mlir::linalg::LinalgOp> ops, bool fuse,
                Memory &memory, FusionPlan &plan);

/// Erases the buffers that are not used any more, after the linalg ops.
void eraseUnusedBuffers(const FusionPlan &plan);

//===----------------------------------------------------------------------===//
// Reductions (MatchReduction.cpp)
//===----------------------------------------------------------------------===//

/// What an op does to an output over the loops that the output has not.
struct Reduction {
  /// The kind that combines the values with the output's previous value; none
  /// for a choice.
  std::optional<mlir::vector::CombiningKind> kind;
  /// Of a kind: what is combined at each point, and whether it is subtracted.
  llvm::SmallVector<mlir::Value, 1> values;
  bool isNegated = false;

  /// A choice keeps the value of the point whose key comes first in an order
  /// (argmax). It has one or more outputs, of which one may be the key.
  struct Choice {
    /// The arith.cmpi or arith.cmpf of the keys, whether the new one is its
    /// first operand, and whether it is taken where the comparison holds.
    mlir::Operation *comparison = nullptr;
    bool isNewFirst = true, isTakenWhereTrue = true;
    /// The number of the output that keeps the key, and the new key.
    unsigned keyOutput = 0;
    mlir::Value key;
    /// What this output takes of the new point.
    mlir::Value value;
  };
  std::optional<Choice> choice;
};

/// The reduction by which `op` computes its output. Reports an error at the op
/// where it has none that is known to be associative.
mlir::FailureOr<Reduction> matchReduction(mlir::linalg::LinalgOp op,
                                          unsigned output);

/// The ops of the payload of `op` that compute the values, in order, the
/// values that they read from outside of it, and arguments of its block.
struct PayloadSlice {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> leaves;
};
PayloadSlice getPayloadSlice(mlir::linalg::LinalgOp op,
                             mlir::ValueRange values);

//===----------------------------------------------------------------------===//
// Kernels (KernelBuilder.cpp, PointValues.cpp)
//===----------------------------------------------------------------------===//

/// Checks that graph form has the ops of the payload.
mlir::LogicalResult checkPayload(mlir::linalg::LinalgOp op);

/// A kernel and what the host gives it.
struct KernelAndArguments {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> arguments;
};

/// Builds the kernel of a linalg op on memrefs, which belongs to no module yet.
/// Host code that its arguments need is created before the op. Reports an error
/// where there is none.
mlir::FailureOr<KernelAndArguments> buildKernel(mlir::linalg::LinalgOp op,
                                                llvm::StringRef name,
                                                const FusionPlan &plan,
                                                Memory &memory);

//===----------------------------------------------------------------------===//
// Ops that are several (Softmax.cpp)
//===----------------------------------------------------------------------===//

/// Replaces a linalg.softmax on memrefs by ops that have kernels.
mlir::LogicalResult decomposeSoftmax(mlir::linalg::SoftmaxOp op);

} // namespace uop

#endif // UOP_LIB_CONVERSION_LINALGTOUOP_LINALGTOUOP_H
