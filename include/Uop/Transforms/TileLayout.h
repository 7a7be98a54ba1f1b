//===- TileLayout.h - Where the elements of a shared tile lie ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of shared memory (`#uop.tile_layout`, which defines them) as
// functions from elements to places, and as rewrites of an allocation and all
// accesses to it. A layout moves elements to other places, each to its own;
// what is stored to an element is loaded from it, so no result changes.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_TILELAYOUT_H
#define UOP_TRANSFORMS_TILELAYOUT_H

#include "Uop/IR/Uop.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace uop {

/// The place of an element in a tile of this shape, both counted in elements in
/// row-major order; rows are along the last dimension. The layout has to suit
/// the shape (`findShapeObstacle`).
int64_t getPlace(TileLayoutAttr layout, llvm::ArrayRef<int64_t> shape,
                 int64_t element);

/// The elements that a tile takes, with what nothing uses.
int64_t countPlaces(TileLayoutAttr layout, llvm::ArrayRef<int64_t> shape);

/// Why a tile of this shape cannot have the layout, for a message; empty where
/// it can.
std::string findShapeObstacle(TileLayoutAttr layout,
                              llvm::ArrayRef<int64_t> shape);

/// Why the memory of an allocation cannot be laid out anew: a use that is not a
/// direct access (memref.load and store, vector.load and store along rows,
/// memref atomics, the target of nvgpu.device_async_copy). Empty where it can.
std::string findUseObstacle(AllocOp alloc);

/// Why the layout does not suit the accesses to an allocation: one that is
/// wider than a chunk, or not proved to lie within one. Empty where it does.
std::string findAccessObstacle(AllocOp alloc, TileLayoutAttr layout);

/// The most elements that a lane accesses at once.
int64_t getWidestAccess(AllocOp alloc);

/// Lays the memory out: rewrites the size of a row or the last index of every
/// access. None of the obstacles above must be there. The allocation is then
/// marked as plain: a layout is not applied twice.
void applyLayout(AllocOp alloc, TileLayoutAttr layout);

/// What is chosen for one allocation, with the wavefronts of a block.
struct LayoutChoice {
  AllocOp alloc;
  /// Before it is laid out.
  mlir::Type type;
  TileLayoutAttr layout;
  uint64_t wavefrontsBefore, wavefrontsAfter;
  int64_t bytesBefore, bytesAfter;
  /// Why it stays plain though it might conflict; or empty.
  std::string obstacle;
};

/// `xor 4, 8`, as the attribute is written.
std::string describeLayout(TileLayoutAttr layout);

/// Chooses and applies the layout with the fewest wavefronts for each workgroup
/// allocation of a kernel in loop form that has none yet, of one kind `only` if
/// given. Fails with a diagnostic for a layout that an allocation asks for and
/// cannot have.
mlir::LogicalResult
layOutShared(KernelOp kernel, std::optional<TileLayoutKind> only,
             llvm::function_ref<void(const LayoutChoice &)> handle);

} // namespace uop

#endif // UOP_TRANSFORMS_TILELAYOUT_H
