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
#include "mlir/Dialect/UB/IR/UBOps.h"
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
      if (failed(checkFence(fence)))
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
                      "these in checked mode, but got ")
          << global.getType();
      return WalkResult::interrupt();
    }
    // Reads what the thread has put into memory of its own.
    if (!mayAccessMemRef(op) || isa<nvgpu::LdMatrixOp>(op))
      return WalkResult::advance();
    SmallVector<CheckedAccess> accesses;
    if (!llvm::all_of(op->getOperandTypes(), hasKnownElements) ||
        failed(getMemoryAccesses(op, accesses))) {
      op->emitOpError("is not supported in checked mode, which does not know "
                      "what memory it accesses");
      return WalkResult::interrupt();
    }
    ops.emplace_back(op, std::move(accesses));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The argument, attribution, allocation or global that a memref is a view of.
Value Instrumentation::findRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      memref = metadata.getSource();
    else
      break;
  }
  return memref;
}

AccessSpace Instrumentation::getSpace(Value memref) {
  Value root = findRoot(memref);
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
      Value root = findRoot(access.memref);
      writtenRoots.insert(root);
      auto argument = dyn_cast<BlockArgument>(root);
      writesAnything |=
          !root.getDefiningOp<memref::AllocaOp>() &&
          !root.getDefiningOp<memref::GetGlobalOp>() &&
          !(argument && argument.getOwner()->getParentOp() == kernel);
    }
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
  Value root = findRoot(memref);
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
  Value root = findRoot(access.memref);
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

void Instrumentation::callAccess(ImplicitLocOpBuilder &b, int64_t site,
                                 const CheckedAccess &access,
                                 ArrayRef<Value> indices) {
  if (table.accesses[site].space == AccessSpace::Private)
    return;
  MemRefShape shape(b, access.memref);
  call(b,
       access.kind == SiteKind::AsyncCopy ? "uop_check_async_copy"
                                          : "uop_check_access",
       {number(b, site), thread, shape.getAddress(b, indices)});
}

Value Instrumentation::isRight(ImplicitLocOpBuilder &b,
                               const CheckedAccess &access,
                               ArrayRef<Value> indices) {
  MemRefShape shape(b, access.memref);
  Value result = arith::ConstantIntOp::create(b, 1, 1);
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value other) {
    Value holds = arith::CmpIOp::create(b, predicate, a, other);
    result = arith::AndIOp::create(b, result, holds);
  };
  for (auto [axis, index] : llvm::enumerate(indices)) {
    bool isLast = axis + 1 == indices.size();
    require(arith::CmpIPredicate::ult, index, shape.sizes[axis]);
    // No overflow: the length is what one operation accesses.
    if (isLast && access.length)
      require(arith::CmpIPredicate::sle,
              arith::AddIOp::create(b, index, access.length),
              shape.sizes[axis]);
  }
  Value address = shape.getAddress(b, indices);
  if (access.alignment > 1) {
    // Where elements are a multiple of it long, the first one tells of all.
    int64_t bytes = getElementBytes(cast<MemRefType>(access.memref.getType()));
    Value tested = bytes % access.alignment == 0 ? shape.getStart(b) : address;
    Value rest =
        arith::AndIOp::create(b, tested, number(b, access.alignment - 1));
    require(arith::CmpIPredicate::eq, rest, number(b, 0));
  }
  // A view may be larger than what it is a view of. A parameter of rank 0 is
  // the pointer of a dynamic array, whose sizes are in others.
  Value root = findRoot(access.memref);
  auto type = dyn_cast<MemRefType>(root.getType());
  auto argument = dyn_cast<BlockArgument>(root);
  bool isPointer = type && type.getRank() == 0 && argument &&
                   argument.getArgNumber() < kernel.getNumArguments();
  if (root != access.memref && type && !isPointer) {
    MemRefShape whole(b, root);
    require(arith::CmpIPredicate::uge, address, whole.getStart(b));
    Value end = arith::AddIOp::create(b, address, number(b, access.bytes));
    require(arith::CmpIPredicate::ule, end, whole.getEnd(b));
  }
  return result;
}

/// The same; if it is not, says so.
Value Instrumentation::testAccess(ImplicitLocOpBuilder &b, int64_t site,
                                  const CheckedAccess &access,
                                  ArrayRef<Value> indices) {
  Value result = isRight(b, access, indices);
  auto branch = scf::IfOp::create(b, TypeRange(), result, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b);
  b.setInsertionPointToStart(branch.elseBlock());
  MemRefShape shape(b, access.memref);
  Value one = number(b, 1);
  SmallVector<Value> ends;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    bool isLast = axis + 1 == indices.size();
    ends.push_back(arith::AddIOp::create(
        b, index, isLast && access.length ? access.length : one));
  }
  SmallVector<Value> operands{number(b, site), thread,
                              shape.getAddress(b, indices)};
  llvm::append_range(operands, indices);
  llvm::append_range(operands, ends);
  llvm::append_range(operands, shape.sizes);
  call(b, "uop_check_fault", operands, /*fixed=*/3);
  scf::YieldOp::create(b);
  return result;
}

void Instrumentation::instrument(Operation *op,
                                 ArrayRef<CheckedAccess> accesses) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  SmallVector<int64_t> sites;
  for (const CheckedAccess &access : accesses)
    sites.push_back(addSite(op, access));

  Value isRight;
  for (auto [site, access] : llvm::zip(sites, accesses)) {
    Value inside = access.forAllElements(
        b, /*asks=*/true,
        [&, site = site, &access = access](ImplicitLocOpBuilder &inner,
                                           ArrayRef<Value> indices) {
          return testAccess(inner, site, access, indices);
        });
    isRight = isRight ? arith::AndIOp::create(b, isRight, inside) : inside;
  }
  auto branch = scf::IfOp::create(b, op->getResultTypes(), isRight,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  op->replaceAllUsesWith(branch.getResults());

  b.setInsertionPointToStart(branch.thenBlock());
  auto report = [&](bool before) {
    for (auto [site, access] : llvm::zip(sites, accesses)) {
      // What a store leaves is known after it.
      if (before != (access.kind != SiteKind::Store))
        continue;
      access.forAllElements(
          b, /*asks=*/false,
          [&, site = site, &access = access](ImplicitLocOpBuilder &inner,
                                             ArrayRef<Value> indices) {
            callAccess(inner, site, access, indices);
            return Value();
          });
    }
  };
  report(/*before=*/true);
  op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  report(/*before=*/false);
  scf::YieldOp::create(b, op->getResults());
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> nothing;
  for (Type type : op->getResultTypes()) {
    TypedAttr zero;
    if (isa<IntegerType, FloatType, IndexType, VectorType>(type))
      zero = b.getZeroAttr(type);
    nothing.push_back(zero ? arith::ConstantOp::create(b, zero).getResult()
                           : ub::PoisonOp::create(b, type).getResult());
  }
  scf::YieldOp::create(b, nothing);
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

FailureOr<SiteTable>
uop::instrumentKernel(gpu::GPUFuncOp kernel,
                      ArrayRef<std::optional<int64_t>> blockSize,
                      int64_t subgroupSize, RuntimeCalls &runtime) {
  return Instrumentation(kernel, blockSize, subgroupSize, runtime).run();
}
