//===- DeviceFunction.cpp - From a kernel to a gpu.func -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body moves as it stands, with its locations; what is of the uop dialect
// in it is replaced in place: allocations by memory attributions, phases by
// guards and barriers, ranges by the indices of blocks and threads.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "UopToGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace uop;

static Value buildIndex(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

static void replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

namespace {

class BodyLowering {
public:
  BodyLowering(gpu::GPUFuncOp func, const KernelLaunch &launch)
      : func(func), launch(launch) {}

  void run(ArrayRef<AllocOp> allocs) {
    guardLanes();
    lowerPhases();
    lowerAllocs(allocs);
    lowerRangesAndBarriers();
  }

private:
  void lowerPhases();
  void lowerPhase(PhaseOp phase);
  void guardLanes();
  void lowerAllocs(ArrayRef<AllocOp> allocs);
  void zeroWorkgroup(ImplicitLocOpBuilder &builder, Value memory);
  void zeroPrivate(ImplicitLocOpBuilder &builder, Value memory);
  void lowerRangesAndBarriers();

  Value getThreadId(ImplicitLocOpBuilder &builder, unsigned dim);
  Value getBlockId(ImplicitLocOpBuilder &builder, unsigned dim);
  Value getLinearThreadId(ImplicitLocOpBuilder &builder);
  Value buildGuard(ImplicitLocOpBuilder &builder, const Extents &extents);

  gpu::GPUFuncOp func;
  const KernelLaunch &launch;
};

} // namespace

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The index is read only where there is more than one, and carries its bound
/// for the analyses that come after.
Value BodyLowering::getThreadId(ImplicitLocOpBuilder &builder, unsigned dim) {
  if (launch.block[dim] == 1)
    return buildIndex(builder, 0);
  return gpu::ThreadIdOp::create(builder, gpu::Dimension(dim),
                                 builder.getIndexAttr(launch.block[dim]));
}

Value BodyLowering::getBlockId(ImplicitLocOpBuilder &builder, unsigned dim) {
  if (launch.grid[dim] == 1)
    return buildIndex(builder, 0);
  // An empty grid has no index, and so no bound of one.
  IntegerAttr bound;
  if (!launch.isDynamic(dim) && launch.grid[dim] > 0)
    bound = builder.getIndexAttr(launch.grid[dim]);
  return gpu::BlockIdOp::create(builder, gpu::Dimension(dim), bound);
}

/// x + bx * (y + by * z)
Value BodyLowering::getLinearThreadId(ImplicitLocOpBuilder &builder) {
  Value result;
  for (unsigned dim : {2u, 1u, 0u}) {
    if (launch.block[dim] == 1)
      continue;
    Value index = getThreadId(builder, dim);
    if (result) {
      Value size = buildIndex(builder, launch.block[dim]);
      Value scaled = arith::MulIOp::create(builder, result, size);
      index = arith::AddIOp::create(builder, index, scaled);
    }
    result = index;
  }
  return result ? result : buildIndex(builder, 0);
}

/// Whether the thread is within the extents; null where every thread is.
Value BodyLowering::buildGuard(ImplicitLocOpBuilder &builder,
                               const Extents &extents) {
  Value result;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (extents[dim] == launch.block[dim])
      continue;
    Value inside = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                         getThreadId(builder, dim),
                                         buildIndex(builder, extents[dim]));
    result = result ? arith::AndIOp::create(builder, result, inside) : inside;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Whether the op reads memory itself.
static bool reads(Operation *op) {
  return op->getNumRegions() == 0 && !isa<AllocOp, BarrierOp, RangeOp>(op) &&
         !isMemoryEffectFree(op);
}

/// Whether another execution of the op may come before this one.
static bool isInLoop(Operation *op) {
  return op->getParentOfType<scf::ForOp>() ||
         op->getParentOfType<scf::WhileOp>();
}

/// A barrier before every phase but the first to be executed keeps it from
/// what the phases before it do, also around the back edge of a loop. What is
/// read outside of the phases, where every thread is, comes after a barrier of
/// its own.
void BodyLowering::lowerPhases() {
  SmallVector<PhaseOp> phases;
  bool readsOutside = false;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto phase = dyn_cast<PhaseOp>(op)) {
      phases.push_back(phase);
      return WalkResult::skip();
    }
    readsOutside |= reads(op);
    return WalkResult::advance();
  });
  for (auto [index, phase] : llvm::enumerate(phases)) {
    ImplicitLocOpBuilder builder(phase.getLoc(), phase);
    if (index != 0 || isInLoop(phase))
      gpu::BarrierOp::create(builder);
    builder.setInsertionPointAfter(phase);
    bool isFollowed =
        !isa<PhaseOp, BarrierOp, gpu::ReturnOp>(phase->getNextNode());
    if (readsOutside && isFollowed)
      gpu::BarrierOp::create(builder);
    lowerPhase(phase);
  }
}

/// Threads beyond the extents of the phase skip its body. Its barriers are
/// outside.
void BodyLowering::lowerPhase(PhaseOp phase) {
  ImplicitLocOpBuilder builder(phase.getLoc(), phase);
  Block &body = phase.getBody().front();
  Block *target = phase->getBlock();
  Block::iterator position(phase);
  if (Value inside = buildGuard(builder, getThreadExtents(body))) {
    auto guard = scf::IfOp::create(builder, inside, /*withElseRegion=*/false);
    target = guard.thenBlock();
    position = target->getTerminator()->getIterator();
  }
  target->getOperations().splice(position, body.getOperations());
  phase.erase();
}

/// Outside of phases all ranges share the block; only lanes may fall short of
/// it, by a part of a warp.
void BodyLowering::guardLanes() {
  Block &body = func.getBody().front();
  Extents extents = getThreadExtents(body);
  if (llvm::none_of(body.getOps<RangeOp>(), [](RangeOp range) {
        return range.getAxis().isThreadIndex();
      }))
    return;
  Block::iterator first = body.begin();
  ImplicitLocOpBuilder builder(func.getLoc(), &body, first);
  Value inside = buildGuard(builder, extents);
  if (!inside)
    return;
  auto guard = scf::IfOp::create(builder, inside, /*withElseRegion=*/false);
  Block *target = guard.thenBlock();
  target->getOperations().splice(target->getTerminator()->getIterator(),
                                 body.getOperations(), first,
                                 body.getTerminator()->getIterator());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void BodyLowering::lowerAllocs(ArrayRef<AllocOp> allocs) {
  ImplicitLocOpBuilder entry(func.getLoc(), &func.getBody().front(),
                             func.getBody().front().begin());
  bool hasZeroed = false;
  unsigned workgroup = func.getFirstWorkgroupAttributionIndex();
  unsigned priv = func.getFirstPrivateAttributionIndex();
  // Without attributions all workgroup memory is dynamic.
  Value dynamic;
  int64_t offset = 0;
  auto getMemory = [&](AllocOp alloc) -> Value {
    if (isWorkgroup(alloc) && func.getNumWorkgroupAttributions() == 0) {
      entry.setLoc(alloc.getLoc());
      if (!dynamic)
        dynamic = gpu::DynamicSharedMemoryOp::create(
            entry, MemRefType::get(
                       {ShapedType::kDynamic}, entry.getI8Type(),
                       MemRefLayoutAttrInterface(),
                       gpu::AddressSpaceAttr::get(
                           entry.getContext(), gpu::AddressSpace::Workgroup)));
      offset = llvm::alignTo(offset, getAlignment(alloc));
      Value shift = buildIndex(entry, offset);
      offset += getBytes(alloc);
      return memref::ViewOp::create(entry, cast<MemRefType>(alloc.getType()),
                                    dynamic, shift, ValueRange());
    }
    unsigned index = isWorkgroup(alloc) ? workgroup++ : priv++;
    BlockArgument memory = func.getBody().getArgument(index);
    memory.setLoc(alloc.getLoc());
    return memory;
  };
  // All memory is there before any of it is zeroed.
  SmallVector<Value> memories = llvm::map_to_vector(allocs, getMemory);
  for (auto [number, memory] : llvm::enumerate(memories)) {
    AllocOp alloc = allocs[number];
    if (alloc.getZero() && isWorkgroup(alloc)) {
      entry.setLoc(alloc.getLoc());
      zeroWorkgroup(entry, memory);
      hasZeroed = true;
    } else if (alloc.getZero()) {
      ImplicitLocOpBuilder builder(alloc.getLoc(), alloc);
      zeroPrivate(builder, memory);
    }
  }
  if (hasZeroed)
    gpu::BarrierOp::create(entry);
  // The entry may be in front of an allocation: they go last.
  for (auto [number, memory] : llvm::enumerate(memories))
    replace(allocs[number], memory);
}

static Value buildZero(ImplicitLocOpBuilder &builder, Value memory) {
  Type type = cast<MemRefType>(memory.getType()).getElementType();
  return arith::ConstantOp::create(builder, builder.getZeroAttr(type));
}

/// The threads of the block store zeros in turn: thread t of T to the elements
/// t, t + T, t + 2T, and so on.
void BodyLowering::zeroWorkgroup(ImplicitLocOpBuilder &builder, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Value zero = buildZero(builder, memory);
  Value thread = getLinearThreadId(builder);
  Value count = buildIndex(builder, type.getNumElements());
  Value threads = buildIndex(builder, launch.getNumThreadsPerBlock());
  auto loop = scf::ForOp::create(builder, thread, count, threads);
  ImplicitLocOpBuilder inner(builder.getLoc(), loop.getBody()->getTerminator());
  // Row-major: the last index is the fastest.
  SmallVector<Value> indices(type.getRank());
  Value rest = loop.getInductionVar();
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    if (dim == 0) {
      indices[dim] = rest;
      break;
    }
    Value size = buildIndex(inner, type.getDimSize(dim));
    indices[dim] = arith::RemUIOp::create(inner, rest, size);
    rest = arith::DivUIOp::create(inner, rest, size);
  }
  memref::StoreOp::create(inner, zero, memory, indices);
}

void BodyLowering::zeroPrivate(ImplicitLocOpBuilder &builder, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Value zero = buildZero(builder, memory);
  Value first = buildIndex(builder, 0);
  Value step = buildIndex(builder, 1);
  SmallVector<Value> sizes, indices;
  for (int64_t size : type.getShape())
    sizes.push_back(buildIndex(builder, size));
  OpBuilder::InsertionGuard guard(builder);
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, first, size, step);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  }
  memref::StoreOp::create(builder, zero, memory, indices);
}

//===----------------------------------------------------------------------===//
// Ranges and barriers
//===----------------------------------------------------------------------===//

void BodyLowering::lowerRangesAndBarriers() {
  func.walk([&](Operation *op) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    if (isa<BarrierOp>(op)) {
      gpu::BarrierOp::create(builder);
      op->erase();
    } else if (auto range = dyn_cast<RangeOp>(op)) {
      AxisAttr axis = range.getAxis();
      if (getConstantExtent(range) == 1)
        replace(op, buildIndex(builder, 0));
      else if (axis.isBlockIndex())
        replace(op, getBlockId(builder, unsigned(*axis.getDimension())));
      else
        // Also the lane of a thread: within the guard of its phase the threads
        // along x are those of one warp.
        replace(op, getThreadId(builder, unsigned(axis.getThreadDimension())));
    }
  });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Replaces the dimensions of the memref that are asked for. The ops stay, for
/// the launch refers to some.
static void replaceDimensions(Value memref, ArrayRef<OpFoldResult> sizes) {
  for (Operation *user : memref.getUsers()) {
    auto dim = dyn_cast<memref::DimOp>(user);
    if (!dim)
      continue;
    ImplicitLocOpBuilder builder(dim.getLoc(), dim);
    if (Value size = buildDimension(builder, dim.getIndex(), sizes))
      dim.getResult().replaceAllUsesWith(size);
  }
}

static void eraseUnusedDimensions(gpu::GPUFuncOp func) {
  func.walk([](memref::DimOp dim) {
    Operation *index = dim.getIndex().getDefiningOp();
    if (!dim->use_empty())
      return;
    dim.erase();
    if (index && isOpTriviallyDead(index))
      index->erase();
  });
}

gpu::GPUFuncOp uop::buildDeviceFunction(KernelOp kernel,
                                        const KernelLaunch &launch,
                                        OpBuilder &builder) {
  SmallVector<AllocOp> allocs;
  SmallVector<Type> workgroup, priv;
  SmallVector<int64_t> workgroupAlignment, privateAlignment;
  bool isDynamic = getDynamicSharedBytes(kernel) != 0;
  kernel.walk<WalkOrder::PreOrder>([&](AllocOp alloc) {
    allocs.push_back(alloc);
    if (isDynamic && isWorkgroup(alloc))
      return;
    (isWorkgroup(alloc) ? workgroup : priv).push_back(alloc.getType());
    (isWorkgroup(alloc) ? workgroupAlignment : privateAlignment)
        .push_back(getAlignment(alloc));
  });

  SmallVector<KernelParameter> parameters =
      getKernelParameters(kernel.getArgumentTypes());
  SmallVector<Type> arguments =
      llvm::map_to_vector(parameters, [](const KernelParameter &parameter) {
        return parameter.type;
      });
  auto func = gpu::GPUFuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(),
      builder.getFunctionType(arguments, {}), workgroup, priv);
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  auto toAttr = [&](const Extents &extents) {
    SmallVector<int32_t, 3> values(extents.begin(), extents.end());
    return builder.getDenseI32ArrayAttr(values);
  };
  func.setKnownBlockSizeAttr(toAttr(launch.block));
  if (launch.getNumBlocks() && !launch.isEmpty())
    func.setKnownGridSizeAttr(toAttr(launch.grid));
  func.setAllArgAttrs(getDeviceArgumentAttrs(kernel, parameters));
  if (parameters.size() != kernel.getNumArguments())
    func->setAttr(kSignatureAttrName, TypeAttr::get(kernel.getFunctionType()));
  for (auto [index, alignment] : llvm::enumerate(workgroupAlignment))
    func.setWorkgroupAttributionAttr(index, "llvm.align",
                                     builder.getI64IntegerAttr(alignment));
  for (auto [index, alignment] : llvm::enumerate(privateAlignment))
    func.setPrivateAttributionAttr(index, "llvm.align",
                                   builder.getI64IntegerAttr(alignment));

  Block &body = func.getBody().front();
  Block &source = kernel.getBodyBlock();
  SmallVector<SmallVector<Value>> parts(source.getNumArguments());
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    BlockArgument moved = body.getArgument(index);
    moved.setLoc(source.getArgument(parameter.argument).getLoc());
    parts[parameter.argument].push_back(moved);
  }
  for (BlockArgument argument : source.getArguments()) {
    ArrayRef<Value> own = parts[argument.getArgNumber()];
    auto start = ImplicitLocOpBuilder::atBlockEnd(argument.getLoc(), &body);
    Value value = own.front();
    if (hasDynamicLayout(argument.getType())) {
      auto type = cast<MemRefType>(argument.getType());
      replaceDimensions(argument, getSizes(type, own));
      value = putTogether(start, type, own);
    } else if (value.getType() != argument.getType())
      value = memref::CastOp::create(start, argument.getType(), value);
    argument.replaceAllUsesWith(value);
  }
  body.getOperations().splice(body.end(), source.getOperations());
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  gpu::ReturnOp::create(end, kernel.getLoc());

  BodyLowering(func, launch).run(allocs);
  // What the host computes is of no more use here.
  for (Operation *op : llvm::reverse(launch.gridOps))
    if (op->use_empty())
      op->erase();
  eraseUnusedDimensions(func);
  return func;
}
