//===- ConvertUopToFunc.cpp - Kernels as plain functions ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a kernel moves as it stands into a func.func, inside of a
// parallel loop if it has a range over the threads of the CPU. Private memory
// is allocated at the start of a function, where LLVM gives it registers or a
// place in the frame: with memory and threads there is a second function, of
// one thread.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/ArgumentChecks.h"
#include "Uop/Conversion/FloorDivision.h"
#include "Uop/Conversion/Passes.h"
#include "UopToFunc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace uop {
#define GEN_PASS_DEF_CONVERTUOPTOFUNC
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// One cache line, and the widest vector.
static constexpr int64_t kAlignment = 64;

/// What a thread may have of the stack: the threads of an OpenMP runtime have
/// a few megabytes. The rest comes from the heap.
static constexpr int64_t kMaxStackBytes = 128 * 1024;

//===----------------------------------------------------------------------===//
// Private memory
//===----------------------------------------------------------------------===//

static int64_t getBytes(MemRefType type) {
  Type element = type.getElementType();
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  return llvm::alignTo(type.getNumElements() * bytes, kAlignment);
}

/// Stores zeros to every element, at the insertion point.
static void buildZeros(ImplicitLocOpBuilder &builder, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Value zero = arith::ConstantOp::create(
      builder, builder.getZeroAttr(type.getElementType()));
  Value first = arith::ConstantIndexOp::create(builder, 0);
  Value step = arith::ConstantIndexOp::create(builder, 1);
  SmallVector<Value> indices;
  OpBuilder::InsertionGuard guard(builder);
  for (int64_t size : type.getShape()) {
    Value end = arith::ConstantIndexOp::create(builder, size);
    auto loop = scf::ForOp::create(builder, first, end, step);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  }
  memref::StoreOp::create(builder, zero, memory, indices);
}

/// Replaces the allocations of the function by memory that is allocated once,
/// at its start, and is like any other on a CPU.
static void lowerAllocs(func::FuncOp func) {
  Block &body = func.getBody().front();
  int64_t stackBytes = 0;
  SmallVector<AllocOp> allocs;
  func.walk<WalkOrder::PreOrder>(
      [&](AllocOp alloc) { allocs.push_back(alloc); });
  for (AllocOp alloc : allocs) {
    auto type = cast<MemRefType>(alloc.getType());
    OpBuilder start = OpBuilder::atBlockBegin(&body);
    IntegerAttr alignment = start.getI64IntegerAttr(
        std::max<int64_t>(alloc.getAlignment().value_or(1), kAlignment));
    Value memory;
    if (getBytes(type) <= kMaxStackBytes - stackBytes) {
      stackBytes += getBytes(type);
      memory = memref::AllocaOp::create(start, alloc.getLoc(), type, alignment);
    } else {
      memory = memref::AllocOp::create(start, alloc.getLoc(), type, alignment);
      OpBuilder end(body.getTerminator());
      memref::DeallocOp::create(end, alloc.getLoc(), memory);
    }
    ImplicitLocOpBuilder builder(alloc.getLoc(), alloc);
    if (alloc.getZero())
      buildZeros(builder, memory);
    alloc.getResult().replaceAllUsesWith(memory);
    alloc.erase();
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> Type {
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    if (!space || space.getValue() != gpu::AddressSpace::Private)
      return type;
    return MemRefType::Builder(type).setMemorySpace({});
  });
  replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// Creates a function with an entry block that only returns.
static func::FuncOp buildFunction(KernelOp kernel, StringRef name,
                                  ArrayRef<Type> arguments) {
  OpBuilder builder(kernel.getContext());
  auto func =
      func::FuncOp::create(builder, kernel.getLoc(), name,
                           builder.getFunctionType(arguments, TypeRange()));
  func->setAttr(kKernelAttrName, kernel.getSymNameAttr());
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, kernel.getLoc());
  for (BlockArgument argument : kernel.getBodyBlock().getArguments())
    body->getArgument(argument.getArgNumber()).setLoc(argument.getLoc());
  return func;
}

/// Gives the function what the kernel says to those who call it. What it says
/// of device code, and of the pointers that a device gets, is left out.
static void copyInterface(KernelOp kernel, func::FuncOp func) {
  SymbolTable::setSymbolVisibility(func,
                                   SymbolTable::getSymbolVisibility(kernel));
  for (NamedAttribute attr : kernel->getDiscardableAttrs()) {
    StringRef dialect = attr.getName().getValue().split('.').first;
    if (dialect != "gpu" && dialect != "nvvm" && dialect != "rocdl" &&
        attr.getName() != SymbolTable::getVisibilityAttrName())
      func->setAttr(attr.getName(), attr.getValue());
  }
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    NamedAttrList attrs;
    for (NamedAttribute attr : NamedAttrList(kernel.getArgAttrDict(index)))
      if (!attr.getName().getValue().starts_with("llvm."))
        attrs.append(attr);
    func.setArgAttrs(index, attrs);
  }
}

/// Moves the body of the kernel before the terminator of a block, where
/// `arguments` stand for its own.
static void moveBody(KernelOp kernel, Block *target, ValueRange arguments) {
  Block &source = kernel.getBodyBlock();
  for (BlockArgument argument : source.getArguments())
    argument.replaceAllUsesWith(arguments[argument.getArgNumber()]);
  target->getOperations().splice(target->getTerminator()->getIterator(),
                                 source.getOperations());
}

/// The extent of the range as a function with the kernel's arguments computes
/// it: by the kernel's own arithmetic, which is pure.
static Value buildExtent(ImplicitLocOpBuilder &builder, RangeOp range,
                         KernelOp kernel, ValueRange arguments) {
  if (std::optional<int64_t> extent = range.getConstantExtent())
    return arith::ConstantIndexOp::create(builder, *extent);
  llvm::SetVector<Value> needed;
  needed.insert(range.getExtent());
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *op = needed[i].getDefiningOp())
      needed.insert(op->operand_begin(), op->operand_end());
  IRMapping mapping;
  mapping.map(kernel.getBodyBlock().getArguments(), arguments);
  for (Operation &op : kernel.getBodyBlock())
    if (llvm::any_of(op.getResults(),
                     [&](Value value) { return needed.contains(value); }))
      builder.clone(op, mapping);
  return mapping.lookup(range.getExtent());
}

static void convert(KernelOp kernel) {
  auto module = cast<ModuleOp>(kernel->getParentOp());
  ArrayRef<Type> types = kernel.getArgumentTypes();
  auto ranges = kernel.getBodyBlock().getOps<RangeOp>();
  RangeOp thread = ranges.empty() ? RangeOp() : *ranges.begin();
  bool hasMemory = kernel.walk([](AllocOp) { return WalkResult::interrupt(); })
                       .wasInterrupted();

  func::FuncOp func = buildFunction(kernel, kernel.getSymName(), types);
  copyInterface(kernel, func);
  Block &body = func.getBody().front();
  ImplicitLocOpBuilder start(kernel.getLoc(), body.getTerminator());
  buildRangeChecks(start, kernel, func.getArguments());
  buildAlignmentChecks(start, kernel, func.getArguments());
  if (!thread) {
    moveBody(kernel, &body, func.getArguments());
    lowerAllocs(func);
  } else {
    ImplicitLocOpBuilder builder(thread.getLoc(), body.getTerminator());
    Value first = arith::ConstantIndexOp::create(builder, 0);
    Value step = arith::ConstantIndexOp::create(builder, 1);
    Value extent = buildExtent(builder, thread, kernel, func.getArguments());
    auto loop = scf::ParallelOp::create(builder, first, extent, step);
    Value index = loop.getInductionVars().front();
    Block *target = loop.getBody();
    SmallVector<Value> arguments(func.getArguments());
    if (hasMemory) {
      SmallVector<Type> threadTypes(types);
      threadTypes.push_back(builder.getIndexType());
      func::FuncOp threadFunc = buildFunction(
          kernel, (kernel.getSymName() + "_thread").str(), threadTypes);
      threadFunc.setPrivate();
      // Gives it another name where this one is taken.
      SymbolTable(module).insert(threadFunc, Block::iterator(kernel));
      builder.setInsertionPoint(target->getTerminator());
      arguments.push_back(index);
      func::CallOp::create(builder, threadFunc, arguments);
      target = &threadFunc.getBody().front();
      arguments.assign(threadFunc.args_begin(), threadFunc.args_end());
      index = arguments.pop_back_val();
      moveBody(kernel, target, arguments);
      lowerAllocs(threadFunc);
    } else {
      moveBody(kernel, target, arguments);
    }
    thread.replaceAllUsesWith(index);
    thread.erase();
  }
  module.getBody()->getOperations().insert(Block::iterator(kernel), func);
  kernel.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class ConvertUopToFunc
    : public uop::impl::ConvertUopToFuncBase<ConvertUopToFunc> {
public:
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    bool isRefused = false;
    getOperation().walk([&](KernelOp kernel) {
      isRefused |= failed(checkCPUKernel(kernel));
      kernels.push_back(kernel);
    });
    // While uop.range still says how large its values are.
    if (isRefused || failed(lowerFloorDivisions(getOperation())))
      return signalPassFailure();
    for (KernelOp kernel : kernels)
      convert(kernel);
    getOperation().walk([](LaunchOp launch) {
      OpBuilder builder(launch);
      func::CallOp::create(builder, launch.getLoc(), launch.getKernelAttr(),
                           TypeRange(), launch.getArgs());
      launch.erase();
    });
  }
};

} // namespace
