//===- InstrumentKernel.cpp - A kernel that tells what it does ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstrumentKernel.h"

#include "../Collectives.h"
#include "../KernelAnalysis.h"
#include "../LowerCopies.h"
#include "../NormalizeKernel.h"
#include "Instrumentation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uop;

SourcePosition uop::getSourcePosition(Location loc) {
  SourcePosition position;
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    position.file = file.getFilename().getValue().str();
    position.line = file.getLine();
    position.column = file.getColumn();
  }
  return position;
}

Value uop::callCheck(ImplicitLocOpBuilder &b, RuntimeCalls &runtime,
                     StringRef name, ValueRange operands, bool hasResult,
                     unsigned fixed) {
  SmallVector<Value> values;
  for (Value operand : operands)
    values.push_back(
        operand.getType().isIndex()
            ? arith::IndexCastOp::create(b, b.getI64Type(), operand)
            : operand);
  SmallVector<Type> types(ValueRange(fixed
                                         ? ValueRange(values).take_front(fixed)
                                         : ValueRange(values))
                              .getTypes());
  Type result = hasResult ? Type(b.getI64Type())
                          : Type(LLVM::LLVMVoidType::get(b.getContext()));
  LLVM::LLVMFuncOp function = runtime.libc(name, result, types, fixed != 0);
  auto call = LLVM::CallOp::create(b, function, values);
  return hasResult ? call.getResult() : Value();
}

//===----------------------------------------------------------------------===//
// What a kernel accesses
//===----------------------------------------------------------------------===//

/// Whether the op, and not one inside, may access a memref.
static bool mayAccessMemRef(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<ViewLikeOpInterface, memref::AllocaOp, memref::DeallocOp,
          memref::AssumeAlignmentOp, memref::PrefetchOp>(op))
    return false;
  if (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    return false;
  return !isMemoryEffectFree(op);
}

static LogicalResult checkFence(LLVM::FenceOp op) {
  StringRef scope = op.getSyncscope().value_or("");
  if (scope.empty() || scope == "device")
    return success();
  return op.emitOpError("of scope '")
         << scope
         << "' is not supported in checked mode, which knows fences of the "
            "device only; use one, or a barrier";
}

LogicalResult Instrumentation::collect() {
  for (BlockArgument memory : kernel.getWorkgroupAttributions())
    if (!hasKnownElements(memory.getType()))
      return emitError(memory.getLoc())
             << "expected workgroup memory of integers, floats or vectors of "
                "these, but got "
             << memory.getType();
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp op : copies)
    if (succeeded(checkCopy(op)))
      lowerCopy(op);
    else
      return failure();
  if (failed(expandMatrixLoads()))
    return failure();
  WalkResult walk = kernel.getBody().walk([&](Operation *op) {
    if (isExit(op)) {
      exits.push_back(op);
      return WalkResult::advance();
    }
    if (auto fence = dyn_cast<LLVM::FenceOp>(op)) {
      if (purpose == Purpose::Check && failed(checkFence(fence)))
        return WalkResult::interrupt();
      fences.push_back(fence);
      return WalkResult::advance();
    }
    // A collective of the block waits for all of it.
    if (isa<gpu::BarrierOp>(op) || isBlockCollective(op))
      barriers.push_back(op);
    else if (isa<NVVM::SyncWarpOp>(op))
      warpBarriers.push_back(op);
    else if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op))
      groups.push_back(op);
    else if (isa<nvgpu::DeviceAsyncWaitOp>(op))
      waits.push_back(op);
    else if (isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op))
      loops.push_back(op);
    else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
      shuffles.push_back(shuffle);
    auto global = dyn_cast<memref::GetGlobalOp>(op);
    if (global && !hasKnownElements(global.getType())) {
      op->emitOpError("expected a buffer of integers, floats or vectors of "
                      "these in ")
          << getModeName() << ", but got " << global.getType();
      return WalkResult::interrupt();
    }
    // Reads what the thread has put into memory of its own.
    if (!mayAccessMemRef(op) || isa<nvgpu::LdMatrixOp>(op))
      return WalkResult::advance();
    SmallVector<CheckedAccess> accesses;
    if (!llvm::all_of(op->getOperandTypes(), hasKnownElements) ||
        failed(getMemoryAccesses(op, accesses))) {
      op->emitOpError("is not supported in ")
          << getModeName() << ", which does not know what memory it accesses";
      return WalkResult::interrupt();
    }
    ops.emplace_back(op, std::move(accesses));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

AccessSpace Instrumentation::getSpace(Value memref) {
  Value root = findViewedRoot(memref);
  if (isWorkgroupMemory(memref.getType()) || isWorkgroupMemory(root.getType()))
    return AccessSpace::Shared;
  auto argument = dyn_cast<BlockArgument>(root);
  bool isPrivate = root.getDefiningOp<memref::AllocaOp>() ||
                   (argument && llvm::is_contained(
                                    kernel.getPrivateAttributions(), argument));
  return isPrivate ? AccessSpace::Private : AccessSpace::Global;
}

void Instrumentation::findWritten() {
  for (auto &[op, accesses] : ops)
    for (const CheckedAccess &access : accesses) {
      if (access.kind == SiteKind::Load)
        continue;
      Value root = findViewedRoot(access.memref);
      writtenRoots.insert(root);
      auto argument = dyn_cast<BlockArgument>(root);
      writesAnything |=
          !root.getDefiningOp<memref::AllocaOp>() &&
          !root.getDefiningOp<memref::GetGlobalOp>() &&
          !(argument && argument.getOwner()->getParentOp() == kernel);
    }
}

/// The buffer of an argument that is a view of one; null for other memrefs.
const GivenBuffer *Instrumentation::findGiven(Value memref) const {
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument || argument.getOwner()->getParentOp() != kernel)
    return nullptr;
  auto it = llvm::find_if(given, [&](const GivenBuffer &buffer) {
    return argument.getArgNumber() == buffer.argument;
  });
  return it == given.end() ? nullptr : &*it;
}

int64_t Instrumentation::addView(Value memref) {
  bool isNew = viewed.insert(memref);
  int64_t index = llvm::find(viewed, memref) - viewed.begin();
  if (!isNew)
    return index;
  ViewSite &view = table.views.emplace_back();
  auto type = cast<MemRefType>(memref.getType());
  view.where = getSourcePosition(memref.getLoc());
  view.space = getSpace(memref);
  view.rank = type.getRank();
  view.elementBytes = getElementBytes(type);
  view.isGiven = findGiven(memref) != nullptr;
  Value root = findViewedRoot(memref);
  auto argument = dyn_cast<BlockArgument>(root);
  if (argument && argument.getArgNumber() < kernel.getNumArguments())
    view.name = "argument #" + std::to_string(argument.getArgNumber());
  else if (auto global = root.getDefiningOp<memref::GetGlobalOp>())
    view.name = "@" + global.getName().str();
  else if (view.space == AccessSpace::Shared)
    view.name = "the workgroup buffer";
  else
    view.name = view.space == AccessSpace::Private ? "the private buffer"
                                                   : "the buffer";
  return index;
}

int64_t Instrumentation::addSite(Operation *op, const CheckedAccess &access) {
  AccessSite &site = table.accesses.emplace_back();
  auto written = op->getAttrOfType<StringAttr>(standsForAttrName);
  site.op = (written ? written.getValue() : op->getName().getStringRef()).str();
  site.where = getSourcePosition(op->getLoc());
  site.kind = access.kind;
  site.space = getSpace(access.memref);
  site.bytes = access.bytes;
  site.alignment = access.alignment;
  site.view = addView(access.memref);
  Value root = findViewedRoot(access.memref);
  if (site.space == AccessSpace::Shared) {
    // All that name a global mean one buffer.
    auto find = [&](Value other) {
      auto global = root.getDefiningOp<memref::GetGlobalOp>();
      auto known = other.getDefiningOp<memref::GetGlobalOp>();
      return root == other ||
             (global && known && global.getName() == known.getName());
    };
    auto it = llvm::find_if(sharedRoots, find);
    if (it != sharedRoots.end())
      site.sharedBuffer = it - sharedRoots.begin();
  } else if (site.space == AccessSpace::Global) {
    site.mayRace = writesAnything || writtenRoots.contains(root) ||
                   access.kind != SiteKind::Load;
  }
  return table.accesses.size() - 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Says where a memref is, wherever it is defined.
void Instrumentation::declareView(Value memref, int64_t index) {
  if (table.views[index].space == AccessSpace::Private)
    return;
  ImplicitLocOpBuilder b(memref.getLoc(), kernel.getContext());
  if (Operation *op = memref.getDefiningOp())
    b.setInsertionPointAfter(op);
  else if (memref.getParentBlock() == &kernel.getBody().front())
    b.setInsertionPointAfter(entered);
  else
    b.setInsertionPointToStart(memref.getParentBlock());
  MemRefShape shape(b, memref);
  SmallVector<Value> operands{number(b, index), shape.getStart(b)};
  llvm::append_range(operands, shape.sizes);
  llvm::append_range(operands, shape.strides);
  call(b, "uop_check_begin_view", operands, /*fixed=*/2);
  if (const GivenBuffer *buffer = findGiven(memref))
    call(b, "uop_check_begin_buffer",
         {number(b, index), buffer->begin, buffer->end});
}

/// The number of the thread in its block.
void Instrumentation::findThread(ImplicitLocOpBuilder &b) {
  SmallVector<Value, 3> threadIds, sizes;
  static constexpr gpu::Dimension dims[] = {
      gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    threadIds.push_back(gpu::ThreadIdOp::create(b, dim));
    sizes.push_back(blockSize[axis] ? number(b, *blockSize[axis])
                                    : Value(gpu::BlockDimOp::create(b, dim)));
  }
  Value rows = arith::MulIOp::create(b, sizes[1], threadIds[2]);
  rows = arith::AddIOp::create(b, rows, threadIds[1]);
  rows = arith::MulIOp::create(b, rows, sizes[0]);
  thread = arith::AddIOp::create(b, rows, threadIds[0]);
}

/// What a thread says first.
void Instrumentation::enter() {
  auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                              &kernel.getBody().front());
  findThread(b);
  SmallVector<Value, 3> blockIds;
  for (gpu::Dimension dim :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
    blockIds.push_back(gpu::BlockIdOp::create(b, dim));
  call(b, "uop_check_begin_thread",
       {blockIds[0], blockIds[1], blockIds[2], thread});

  for (auto [i, argument] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    sharedRoots.insert(argument);
    table.shared.push_back(
        {kernel.getWorkgroupAttributionAttr(i, "uop.zero") != nullptr});
  }
  llvm::StringSet<> names;
  SmallVector<memref::GetGlobalOp> globals;
  kernel.walk([&](memref::GetGlobalOp op) {
    if (isWorkgroupMemory(op.getType()) && names.insert(op.getName()).second)
      globals.push_back(op);
  });
  for (memref::GetGlobalOp op : globals) {
    auto copy = cast<memref::GetGlobalOp>(b.clone(*op));
    sharedRoots.insert(copy.getResult());
    table.shared.push_back({/*isZeroed=*/false});
  }
  for (auto [i, root] : llvm::enumerate(sharedRoots)) {
    MemRefShape shape(b, root);
    Value bytes = number(b, getElementBytes(cast<MemRefType>(root.getType())));
    for (Value size : shape.sizes)
      bytes = b.createOrFold<arith::MulIOp>(bytes, size);
    call(b, "uop_check_begin_shared", {number(b, i), shape.getStart(b), bytes});
  }
  entered = &*std::prev(b.getInsertionPoint());
}

FailureOr<SiteTable> Instrumentation::run() {
  table.kernel = kernel.getName().str();
  table.subgroupSize = subgroupSize;
  if (failed(collect()))
    return failure();
  findWritten();
  findIndexArithmetic();
  enter();
  for (auto &[op, accesses] : ops) {
    // An index may be what an access before this one has loaded, which is
    // another value since that one has its guard.
    accesses.clear();
    if (failed(getMemoryAccesses(op, accesses)))
      return failure();
    instrument(op, accesses);
  }
  for (auto [i, memref] : llvm::enumerate(viewed))
    declareView(memref, i);

  instrumentOrder();
  for (gpu::ShuffleOp op : shuffles)
    instrument(op);
  for (auto [op, isSigned] : arithmetic)
    instrumentArithmetic(op, isSigned);
  return std::move(table);
}

FailureOr<SiteTable> uop::instrumentKernel(
    gpu::GPUFuncOp kernel, ArrayRef<std::optional<int64_t>> blockSize,
    int64_t subgroupSize, ArrayRef<GivenBuffer> given, RuntimeCalls &runtime) {
  return Instrumentation(kernel, blockSize, subgroupSize, given, runtime).run();
}
