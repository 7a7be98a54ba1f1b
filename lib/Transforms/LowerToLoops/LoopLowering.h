//===- LoopLowering.h - State of the lowering to loops ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --uop-lower-to-loops: the class whose methods, in the files beside
// it, give a kernel in graph form an order.
//
// Hardware ranges are always open. A value is emitted in the innermost open
// serial loop whose range is free in it, before the loop that is open inside
// that one, so that nothing is computed more often than it varies. A store
// opens the serial ranges of its domain; a reduction opens the ranges that it
// closes, with its accumulators as iter_args. Upcast and unroll ranges are
// copies of the code: a value exists once for each combination of the unrolled
// ranges in which it is free, and so copies share what does not differ between
// them. A stage is memory that is filled where any other value of its free
// ranges would be computed: a private one by each thread, a workgroup one by
// all threads of the block together.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H
#define UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H

#include "Uop/IR/FreeRanges.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <memory>

namespace uop {

/// Whether the range is a loop of one thread. A range that is not mapped yet
/// is one, too.
inline bool isSerial(RangeOp range) {
  AxisAttr axis = range.getAxis();
  return !axis.isHardware() && !axis.isUnrolled();
}

/// Whether the range is the one point of a reduction over a group of one
/// thread, and so every thread's: it has no part in the hardware.
inline bool isFoldedGroup(RangeOp range) {
  return range.getAxis().getKind() == AxisKind::GroupReduce &&
         range.getConstantExtent() == 1;
}

/// Whether the range is closed by the threads of a block together.
inline bool isGroup(RangeOp range) {
  return range.getAxis().getKind() == AxisKind::GroupReduce &&
         !isFoldedGroup(range);
}

/// Whether the tile is shared by the threads of a block.
inline bool isWorkgroup(StageOp stage) {
  return stage.getType().getMemorySpace() == MemorySpace::Workgroup;
}

/// An open loop, the top of the kernel, or a range that a stage closes and of
/// which each thread has some points: that one has no loop of its own.
struct Level {
  /// The range that the loop runs over; null at the top.
  RangeOp range;
  mlir::Value inductionVar;
  mlir::Block *block;
  /// Where the point is within the range; null if it always is.
  mlir::Value guard;
  /// What the loop was opened for, if not for stores.
  llvm::SmallVector<mlir::Operation *, 2> purpose;
  /// What has been emitted here, by the positions of the unrolled ranges in
  /// which it is free.
  llvm::DenseMap<mlir::Value, std::map<llvm::SmallVector<int64_t>, mlir::Value>>
      emitted;
};

/// One index of the hardware, which all ranges of its dimension share.
struct Slot {
  RangeList ranges;
  /// The largest extent, where all are static.
  std::optional<int64_t> extent;
  mlir::Value value;
  /// Whether it has a point beyond all ranges that are empty, for the stores
  /// that have none of them in their domain.
  bool hasExtraPoint = false;
};

/// A slot's place: block indices, then thread indices, then CPU threads.
using SlotKey = std::pair<unsigned, unsigned>;

/// The place of the threads of a block along a dimension.
inline SlotKey getThreadSlotKey(Dimension dimension) {
  return {1, unsigned(dimension)};
}
inline bool isThreadSlot(SlotKey key) { return key.first == 1; }

/// The values that a reduction accumulates, for all copies of all reductions of
/// a nest one after another; and the part of one copy of one of them: its
/// accumulators and, where that is not known, whether any point was combined.
using Accumulators = llvm::SmallVector<mlir::Value>;
using Part = llvm::MutableArrayRef<mlir::Value>;

/// How the threads of a block divide the points of a stage: they are numbered
/// with the last range fastest, and every thread copies `width` neighbours at a
/// time.
struct CopyShape {
  int64_t points = 1;
  int64_t width = 1;
  int64_t threads = 1;
  /// Whether neighbours differ in the last range only, so that they share all
  /// that is not free in it.
  bool isAligned = false;

  int64_t getPointsPerPass() const { return threads * width; }
  int64_t getNumFullPasses() const { return points / getPointsPerPass(); }
  bool hasTail() const { return points % getPointsPerPass() != 0; }
};

/// One write of a value to a tile, which waits until all values are there.
struct TileWrite {
  mlir::Location loc;
  mlir::Value value, tile;
  llvm::SmallVector<mlir::Value, 4> indices;
  /// Whether the thread has the point; null if it always has.
  mlir::Value guard;
};

/// What is done to an index and a constant.
enum class IndexOperation { Add, Multiply, Divide, Remainder, IsLess };

struct PointNumber;

/// More copies of an op than a thread has any use for: it has at most 255
/// registers, and a compiler takes minutes for what is far beyond.
constexpr int64_t kMaxCopies = 4096;

class LoopLowering {
public:
  explicit LoopLowering(KernelOp kernel)
      : kernel(kernel), builder(kernel.getContext()) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult refuseUnsupported();
  mlir::LogicalResult refuseManyCopies(mlir::Operation *op);
  void emitSlots();
  void emitStores(llvm::ArrayRef<StoreOp> group);
  void emitStore(StoreOp store);
  void emitReductions(ReduceOp reduce);
  Accumulators emitIdentities(llvm::ArrayRef<ReduceOp> group);
  void emitOverOf(llvm::ArrayRef<ReduceOp> group, llvm::ArrayRef<RangeOp> over,
                  Accumulators &accumulators);
  void combinePoint(ReduceOp reduce, Part accumulators);
  llvm::SmallVector<mlir::Value>
  combineTwo(ReduceOp reduce, mlir::ValueRange lhs, mlir::ValueRange rhs);
  mlir::Value markAccumulator(mlir::Value value);
  void forEachPart(llvm::ArrayRef<ReduceOp> group, Accumulators &accumulators,
                   llvm::function_ref<void(ReduceOp, Part)> body);
  bool tracksPresence(ReduceOp reduce);
  mlir::Value getPresenceGuard(ReduceOp reduce);

  void combineThreads(llvm::ArrayRef<ReduceOp> group,
                      llvm::ArrayRef<RangeOp> over, Accumulators &accumulators);
  void combineLanes(llvm::ArrayRef<ReduceOp> group, int64_t lanes,
                    Accumulators &accumulators);
  void combineInMemory(llvm::ArrayRef<ReduceOp> group,
                       llvm::ArrayRef<RangeOp> over, bool shuffled,
                       Accumulators &accumulators);
  void
  combineInSequence(llvm::ArrayRef<ReduceOp> group,
                    llvm::ArrayRef<int64_t> extents,
                    llvm::SmallVectorImpl<mlir::Value> &indices,
                    llvm::function_ref<Accumulators(mlir::ValueRange)> load,
                    Accumulators &accumulators);
  void mergeParts(llvm::ArrayRef<ReduceOp> group, Accumulators &accumulators,
                  mlir::ValueRange later);
  void mergePart(ReduceOp reduce, Part accumulators, mlir::ValueRange later);
  Slot &getThreadSlot(Dimension dimension);
  mlir::Value getThreadPart(bool isQuotient, int64_t divisor);
  mlir::Value getLaneIsFirst(int64_t offset);
  mlir::Value getShuffleConstant(int64_t value);

  mlir::LogicalResult refuseStage(StageOp stage);
  void emitStages(StageOp stage);
  void emitInnerCollectives(StageOp stage);
  llvm::SmallVector<StageOp> findStagesToFill(StageOp stage);
  bool isReady(mlir::Value value);
  mlir::Value getTile(StageOp stage);
  int64_t countCopies(StageOp stage);
  CopyShape getCopyShape(StageOp stage);
  void fillAlone(StageOp stage);
  void fillTogether(llvm::ArrayRef<StageOp> group);
  int64_t emitPassLoop(StageOp stage, const CopyShape &shape,
                       mlir::Block *block);
  void emitPasses(StageOp stage, const CopyShape &shape, mlir::Block *block,
                  mlir::Value loopPass, int64_t first, int64_t count,
                  llvm::SmallVectorImpl<TileWrite> &writes);
  void openPoint(StageOp stage, RangeOp range, mlir::Value position,
                 mlir::Block *block, mlir::Value guard);
  void emitPoint(StageOp stage, mlir::Value guard,
                 llvm::SmallVectorImpl<TileWrite> &writes);
  void writeTiles(llvm::ArrayRef<TileWrite> writes);
  mlir::Value getIndex(IndexOperation operation, mlir::Value lhs, int64_t rhs,
                       mlir::Block *block);
  mlir::Value getLinearThread();
  mlir::Value getSum(const PointNumber &number, mlir::Block *block);
  llvm::SmallVector<mlir::Value> getPosition(PointNumber number,
                                             llvm::ArrayRef<int64_t> extents,
                                             mlir::Block *block);

  mlir::Value emit(mlir::Value value);
  void emitOperation(mlir::Operation *op);
  void emitLoad(LoadOp load);
  mlir::Value lookup(mlir::Value value);
  void remember(mlir::Value value, mlir::Value emitted);
  mlir::Value getRangeValue(RangeOp range);
  mlir::Value getExtent(RangeOp range);
  mlir::Value getConstant(int64_t value);

  mlir::scf::ForOp openLoop(RangeOp range, mlir::ValueRange initArgs);
  void closeLoop(mlir::ValueRange yielded);
  Level &getHome(mlir::Value value);
  void inHome(mlir::Value value, llvm::function_ref<void()> body);
  void insertAt(Level &level) { insertIn(level.block); }
  void insertIn(mlir::Block *block);

  mlir::Value conjoin(mlir::Value lhs, mlir::Value rhs);
  mlir::Value getGuard(RangeOp range);
  mlir::Value getGuardOfAny(mlir::Operation *op);
  mlir::Value conjoinPointGuard(mlir::Value condition, mlir::Operation *op);
  mlir::Value getGuardOfInPlace(mlir::Operation *op);
  mlir::Value getStoreGuard(StoreOp store);
  mlir::Value getReaderGuard(StoreOp store);
  mlir::Value buildDomainGuard(StoreOp store,
                               llvm::function_ref<bool(SlotKey)> isRequired);
  void findSharedInPlace();

  RangeList getUnrolled(llvm::ArrayRef<RangeOp> ranges);
  void forEachCopy(llvm::ArrayRef<RangeOp> unrolled,
                   llvm::function_ref<void()> body);

  KernelOp kernel;
  mlir::OpBuilder builder;
  FreeRanges freeRanges;
  mlir::Block *body = nullptr;
  mlir::IRMapping arguments;
  std::vector<std::unique_ptr<Level>> levels;
  /// The loop that is open in a block, before which later values are emitted.
  llvm::DenseMap<mlir::Block *, mlir::Operation *> openChildren;
  std::map<SlotKey, Slot> slots;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  std::map<int64_t, mlir::Value> constants;
  /// Guards of the ranges that are shorter than their slot, and of stores.
  llvm::DenseMap<mlir::Operation *, mlir::Value> guards;
  /// The stores to a buffer that is loaded as well, by buffer.
  llvm::DenseMap<mlir::Value, StoreOp> storeOf;
  /// Those of these buffers that go into a reduction over threads or a tile of
  /// the block: all threads read what one of them overwrites.
  llvm::DenseSet<mlir::Value> sharedInPlace;
  /// Guards of the loads of these.
  llvm::DenseMap<mlir::Operation *, mlir::Value> readerGuards;
  /// Where the points of reductions are present (see getPresenceGuard).
  llvm::DenseMap<mlir::Operation *, mlir::Value> presenceGuards;
  llvm::DenseMap<mlir::Operation *, bool> presenceTracked;
  /// What is known of the thread's index along x, by divisor.
  std::map<std::pair<bool, int64_t>, mlir::Value> threadParts;
  std::map<int64_t, mlir::Value> lanesFirst, shuffleConstants;
  /// The reductions that the stores being emitted need.
  llvm::SetVector<ReduceOp> neededReductions;
  llvm::SetVector<StageOp> neededStages;
  /// The memory of each copy of a stage, which all fills of it share.
  llvm::DenseMap<mlir::Operation *,
                 std::map<llvm::SmallVector<int64_t>, mlir::Value>>
      tiles;
  mlir::Value linearThread;
  /// Operations on indices that follow from the thread alone, by their
  /// operands.
  llvm::DenseMap<std::tuple<unsigned, void *, int64_t>, mlir::Value> topIndices;
};

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H
