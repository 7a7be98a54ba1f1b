//===- NormalizeKernel.cpp - Bring a kernel into splittable form ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeKernel.h"

#include "AsyncCopies.h"
#include "Collectives.h"
#include "KernelAnalysis.h"
#include "Printf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace uop;

Type uop::dropMemorySpace(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::Builder(memref).setMemorySpace({});
  if (auto memref = dyn_cast<UnrankedMemRefType>(type))
    return UnrankedMemRefType::get(memref.getElementType(), {});
  return type;
}

static bool hasMemorySpace(Type type, gpu::AddressSpace space, int64_t number) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return false;
  if (auto attr = dyn_cast<gpu::AddressSpaceAttr>(memref.getMemorySpace()))
    return attr.getValue() == space;
  auto attr = dyn_cast<IntegerAttr>(memref.getMemorySpace());
  return attr && attr.getInt() == number;
}

bool uop::isWorkgroupMemory(Type type) {
  return hasMemorySpace(type, gpu::AddressSpace::Workgroup, 3);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static LogicalResult checkOp(Operation *op, int64_t subgroupSize) {
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          gpu::GlobalIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp,
          gpu::DynamicSharedMemoryOp, gpu::NumSubgroupsOp, gpu::SubgroupSizeOp,
          gpu::BarrierOp, gpu::ReturnOp>(op))
    return success();
  if (auto print = dyn_cast<gpu::PrintfOp>(op))
    return checkPrintf(print);
  if (isCollective(op))
    return checkCollective(op, subgroupSize);
  // The rest of the combiner is checked with the reduction.
  if (isa<gpu::YieldOp>(op))
    return success();
  if (isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
          nvgpu::DeviceAsyncWaitOp>(op))
    return checkAsyncCopy(op);
  if (isa<gpu::GPUDialect, nvgpu::NVGPUDialect>(op->getDialect()))
    return op->emitOpError("is not supported by the emulator");
  if (isa<NVVM::SyncWarpOp, LLVM::FenceOp>(op))
    return success();
  StringRef space = op->getDialect() ? op->getDialect()->getNamespace() : "";
  if (space.empty() || space == "nvvm" || space == "rocdl" || space == "llvm" ||
      space == "amdgpu" || space == "async")
    return op->emitOpError("is not supported by the emulator, which starts "
                           "from gpu, scf, memref, arith, math and vector");
  if (isa<memref::AllocOp, memref::AllocaOp>(op) &&
      isWorkgroupMemory(op->getResult(0).getType()))
    return op->emitOpError("cannot allocate workgroup memory inside a kernel; "
                           "use a workgroup attribution of gpu.func or a "
                           "private global of the gpu.module");
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    if (!alloca.getType().hasStaticShape())
      return op->emitOpError("expected a static size for a private buffer of "
                             "a kernel");
  return success();
}

LogicalResult uop::checkKernel(gpu::GPUFuncOp kernel, int64_t subgroupSize) {
  if (kernel.getFunctionType().getNumResults() != 0)
    return kernel.emitOpError("expected a kernel without results");
  WalkResult walk = kernel.getBody().walk([&](Operation *op) {
    if (failed(checkOp(op, subgroupSize)))
      return WalkResult::interrupt();
    if (!isStop(op) && !isExit(op))
      return WalkResult::advance();
    for (Operation *parent = op->getParentOp(); parent != kernel;
         parent = parent->getParentOp()) {
      if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(parent))
        continue;
      InFlightDiagnostic diag = parent->emitOpError("contains a ");
      diag << op->getName()
           << ", which the emulator can split in scf.for, scf.if and scf.while "
              "only";
      diag.attachNote(op->getLoc()) << "the " << describeStop(op) << " is here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

namespace {
// The thread, block and grid coordinates at the start of a kernel.
struct Coordinates {
  SmallVector<Value, 3> thread, block, blockDim, gridDim;
};
} // namespace

static Coordinates
createCoordinates(ImplicitLocOpBuilder &b,
                  ArrayRef<std::optional<int64_t>> blockSize) {
  Coordinates ids;
  static constexpr gpu::Dimension dims[] = {
      gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  for (auto [index, dim] : llvm::enumerate(dims)) {
    ids.thread.push_back(gpu::ThreadIdOp::create(b, dim));
    ids.block.push_back(gpu::BlockIdOp::create(b, dim));
    ids.blockDim.push_back(
        blockSize[index]
            ? arith::ConstantIndexOp::create(b, *blockSize[index]).getResult()
            : gpu::BlockDimOp::create(b, dim).getResult());
    ids.gridDim.push_back(gpu::GridDimOp::create(b, dim));
  }
  return ids;
}

static void expandIds(gpu::GPUFuncOp kernel,
                      ArrayRef<std::optional<int64_t>> blockSize,
                      int64_t subgroupSize) {
  SmallVector<Operation *> ops;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
            gpu::GlobalIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp,
            gpu::NumSubgroupsOp, gpu::SubgroupSizeOp>(op))
      ops.push_back(op);
  });
  auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                              &kernel.getBody().front());
  Coordinates ids = createCoordinates(b, blockSize);
  auto add = [&](Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(x, y);
  };
  auto mul = [&](Value x, Value y) {
    return b.createOrFold<arith::MulIOp>(x, y);
  };
  // Created on demand: most kernels do not ask for them.
  Value linear, lanes;
  auto linearId = [&]() -> Value {
    if (!linear)
      linear =
          add(ids.thread[0],
              mul(ids.blockDim[0],
                  add(ids.thread[1], mul(ids.blockDim[1], ids.thread[2]))));
    return linear;
  };
  auto laneCount = [&]() -> Value {
    if (!lanes)
      lanes = arith::ConstantIndexOp::create(b, subgroupSize);
    return lanes;
  };
  for (Operation *op : ops) {
    auto axis = [](auto id) {
      return static_cast<unsigned>(id.getDimension());
    };
    Value value;
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      value = ids.thread[axis(id)];
    } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
      value = ids.block[axis(id)];
    } else if (auto id = dyn_cast<gpu::BlockDimOp>(op)) {
      value = ids.blockDim[axis(id)];
    } else if (auto id = dyn_cast<gpu::GridDimOp>(op)) {
      value = ids.gridDim[axis(id)];
    } else if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
      unsigned i = axis(id);
      value = add(mul(ids.block[i], ids.blockDim[i]), ids.thread[i]);
    } else if (isa<gpu::LaneIdOp>(op)) {
      value = arith::RemUIOp::create(b, linearId(), laneCount());
    } else if (isa<gpu::SubgroupIdOp>(op)) {
      value = arith::DivUIOp::create(b, linearId(), laneCount());
    } else if (isa<gpu::NumSubgroupsOp>(op)) {
      Value threads =
          mul(ids.blockDim[0], mul(ids.blockDim[1], ids.blockDim[2]));
      Value last = arith::ConstantIndexOp::create(b, subgroupSize - 1);
      value = b.createOrFold<arith::DivUIOp>(add(threads, last), laneCount());
    } else {
      value = laneCount();
    }
    op->getResult(0).replaceAllUsesWith(value);
  }
  // Only now: the first of them may be where the others are made.
  for (Operation *op : ops)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// A private buffer in a loop is one buffer: it may be allocated once, as long
// as no loop carries memrefs, that is, two of its instances never meet.
static LogicalResult hoistPrivateBuffers(gpu::GPUFuncOp kernel) {
  Operation *carrier = nullptr;
  kernel.walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op) &&
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      carrier = op;
  });
  SmallVector<memref::AllocaOp> buffers;
  kernel.walk([&](memref::AllocaOp op) { buffers.push_back(op); });
  Block *body = &kernel.getBody().front();
  for (memref::AllocaOp op : llvm::reverse(buffers)) {
    bool inLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    if (inLoop && carrier) {
      op.emitOpError("cannot be a private buffer of a loop in a kernel whose "
                     "loops carry memrefs")
              .attachNote(carrier->getLoc())
          << "this loop carries a memref";
      return failure();
    }
    op->moveBefore(body, body->begin());
  }
  return success();
}

static void dropMemorySpaces(gpu::GPUFuncOp kernel) {
  for (Block &block : kernel.getBody())
    for (BlockArgument arg : block.getArguments())
      arg.setType(dropMemorySpace(arg.getType()));
  SmallVector<memref::MemorySpaceCastOp> casts;
  kernel.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(dropMemorySpace(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument arg : block.getArguments())
          arg.setType(dropMemorySpace(arg.getType()));
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op))
      casts.push_back(cast);
  });
  for (memref::MemorySpaceCastOp cast : casts) {
    cast.getResult().replaceAllUsesWith(cast.getSource());
    cast.erase();
  }
  FunctionType type = kernel.getFunctionType();
  SmallVector<Type> inputs(llvm::map_range(
      type.getInputs(), [](Type t) { return dropMemorySpace(t); }));
  kernel.setFunctionType(FunctionType::get(type.getContext(), inputs, {}));
}

LogicalResult uop::normalizeKernel(
    gpu::GPUFuncOp kernel, ArrayRef<std::optional<int64_t>> blockSize,
    int64_t subgroupSize, SmallVectorImpl<StringAttr> &workgroupGlobals,
    llvm::function_ref<LogicalResult()> instrument) {
  expandIds(kernel, blockSize, subgroupSize);
  if (failed(hoistPrivateBuffers(kernel)))
    return failure();
  if (instrument && failed(instrument()))
    return failure();
  WalkResult walk = kernel.getBody().walk([&](memref::GetGlobalOp op) {
    if (!isWorkgroupMemory(op.getType()))
      return WalkResult::advance();
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, op.getNameAttr());
    if (global && global.getInitialValue() && !global.isUninitialized()) {
      global.emitOpError("workgroup memory cannot have an initial value");
      return WalkResult::interrupt();
    }
    if (!llvm::is_contained(workgroupGlobals, op.getNameAttr().getAttr()))
      workgroupGlobals.push_back(op.getNameAttr().getAttr());
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  dropMemorySpaces(kernel);
  return success();
}
