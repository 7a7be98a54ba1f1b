//===- DeviceOps.cpp - Ops that are others in disguise --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rotations, broadcasts and the warp operations of the nvvm dialect become
// gpu.shuffle and gpu.subgroup_reduce, special registers become ids.
//
//===----------------------------------------------------------------------===//

#include "PrepareKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

namespace {

// Writes what an op stands for in front of it.
class Rewrite {
public:
  Rewrite(Operation *op, int64_t subgroupSize)
      : op(op), b(op->getLoc(), op), subgroupSize(subgroupSize) {}

  LogicalResult run();

private:
  LogicalResult replace(ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
    return success();
  }

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(b, value, 32);
  }
  Value toI32(Value index) {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  }
  Value lane() { return toI32(gpu::LaneIdOp::create(b, IntegerAttr())); }
  Value reduce(Value value, gpu::AllReduceOperation kind) {
    return gpu::SubgroupReduceOp::create(b, value, kind, /*uniform=*/true);
  }

  LogicalResult run(gpu::ShuffleOp shuffle);
  LogicalResult run(gpu::RotateOp rotate);
  LogicalResult run(gpu::SubgroupBroadcastOp broadcast);
  LogicalResult run(NVVM::BarrierOp barrier);
  LogicalResult run(NVVM::ShflOp shuffle);
  LogicalResult run(NVVM::VoteSyncOp vote);
  LogicalResult run(NVVM::ReduxOp redux);
  LogicalResult run(LLVM::ConstantOp constant);
  LogicalResult runRegister();
  Value readClusterRegister();
  LogicalResult checkWarp(Value mask);

  Operation *op;
  ImplicitLocOpBuilder b;
  int64_t subgroupSize;
};

} // namespace

//===----------------------------------------------------------------------===//
// The gpu dialect
//===----------------------------------------------------------------------===//

// A width that is not a constant is checked when it is used.
LogicalResult Rewrite::run(gpu::ShuffleOp shuffle) {
  if (matchPattern(shuffle.getWidth(), m_Constant()))
    return success();
  Value least = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                      shuffle.getWidth(), number(1));
  Value most = arith::CmpIOp::create(b, arith::CmpIPredicate::sle,
                                     shuffle.getWidth(), number(subgroupSize));
  cf::AssertOp::create(b, arith::AndIOp::create(b, least, most),
                       "'gpu.shuffle' op expected a width of 1 to " +
                           std::to_string(subgroupSize) +
                           ", the subgroup's size");
  return success();
}

LogicalResult Rewrite::run(gpu::RotateOp rotate) {
  int64_t width = rotate.getWidth();
  if (width > subgroupSize)
    return op->emitOpError("expected the width of a rotation to be at most ")
           << subgroupSize << ", the subgroup's size, but got " << width;
  // Lanes beyond the width take no part, so that only the first `width` rotate.
  Value sum = arith::AddIOp::create(b, lane(), number(rotate.getOffset()));
  Value source = arith::AndIOp::create(b, sum, number(width - 1));
  auto shuffle = gpu::ShuffleOp::create(b, rotate.getValue(), source,
                                        number(width), gpu::ShuffleMode::IDX);
  return replace(shuffle.getResults());
}

LogicalResult Rewrite::run(gpu::SubgroupBroadcastOp broadcast) {
  if (broadcast.getBroadcastType() != gpu::BroadcastType::specific_lane)
    return success();
  auto shuffle = gpu::ShuffleOp::create(
      b, TypeRange{broadcast.getType(), b.getI1Type()}, broadcast.getSrc(),
      broadcast.getLane(), number(subgroupSize), gpu::ShuffleMode::IDX);
  return replace(shuffle.getShuffleResult());
}

//===----------------------------------------------------------------------===//
// The nvvm dialect
//===----------------------------------------------------------------------===//

LogicalResult Rewrite::checkWarp(Value mask) {
  if (subgroupSize != 32)
    return op->emitOpError("expected subgroups of 32 threads, as warps are, "
                           "but got ")
           << subgroupSize;
  llvm::APInt lanes;
  if (!matchPattern(mask, m_ConstantInt(&lanes)) || !lanes.isAllOnes())
    return op->emitOpError("expected a mask of all lanes, the constant -1, on "
                           "the emulator");
  return success();
}

LogicalResult Rewrite::run(NVVM::BarrierOp barrier) {
  if (barrier.getNumberOfThreads())
    return op->emitOpError("of a part of the block's threads is not supported "
                           "by the emulator");
  if (!barrier.getReductionOp()) {
    gpu::BarrierOp::create(b);
    return replace({});
  }
  Value isSet = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ne, barrier.getReductionPredicate(), number(0));
  Value bit = arith::ExtUIOp::create(b, b.getI32Type(), isSet);
  auto kind = gpu::AllReduceOperation::ADD;
  if (*barrier.getReductionOp() == NVVM::BarrierReduction::AND)
    kind = gpu::AllReduceOperation::AND;
  else if (*barrier.getReductionOp() == NVVM::BarrierReduction::OR)
    kind = gpu::AllReduceOperation::OR;
  auto reduce = gpu::AllReduceOp::create(
      b, bit, gpu::AllReduceOperationAttr::get(b.getContext(), kind),
      /*uniform=*/true);
  return replace(reduce.getResult());
}

// The source lane by the PTX ISA's formula, with 5 bits of each operand.
LogicalResult Rewrite::run(NVVM::ShflOp shuffle) {
  if (failed(checkWarp(shuffle.getThreadMask())))
    return failure();
  auto bitAnd = [&](Value x, Value y) -> Value {
    return arith::AndIOp::create(b, x, y);
  };
  Value low = number(31), self = lane();
  Value offset = bitAnd(shuffle.getOffset(), low);
  Value clamp = bitAnd(shuffle.getMaskAndClamp(), low);
  Value segment = bitAnd(
      arith::ShRUIOp::create(b, shuffle.getMaskAndClamp(), number(8)), low);
  Value rest = arith::XOrIOp::create(b, segment, low);
  Value first = bitAnd(self, segment);
  Value bound = arith::OrIOp::create(b, first, bitAnd(clamp, rest));
  Value source;
  switch (shuffle.getKind()) {
  case NVVM::ShflKind::up:
    source = arith::SubIOp::create(b, self, offset);
    break;
  case NVVM::ShflKind::down:
    source = arith::AddIOp::create(b, self, offset);
    break;
  case NVVM::ShflKind::bfly:
    source = arith::XOrIOp::create(b, self, offset);
    break;
  case NVVM::ShflKind::idx:
    source = arith::OrIOp::create(b, first, bitAnd(offset, rest));
    break;
  }
  auto predicate = shuffle.getKind() == NVVM::ShflKind::up
                       ? arith::CmpIPredicate::sge
                       : arith::CmpIPredicate::sle;
  Value isValid = arith::CmpIOp::create(b, predicate, source, bound);
  source = arith::SelectOp::create(b, isValid, source, self);
  auto inner = gpu::ShuffleOp::create(b, shuffle.getVal(), source, number(32),
                                      gpu::ShuffleMode::IDX);
  Value result = inner.getShuffleResult();
  if (!isa<LLVM::LLVMStructType>(shuffle.getType()))
    return replace(result);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
    if (!extract)
      return user->emitOpError("of the result of nvvm.shfl.sync is not "
                               "supported by the emulator; use "
                               "llvm.extractvalue");
    extract.replaceAllUsesWith(extract.getPosition().front() == 0 ? result
                                                                  : isValid);
    extract.erase();
  }
  op->erase();
  return success();
}

LogicalResult Rewrite::run(NVVM::VoteSyncOp vote) {
  if (failed(checkWarp(vote.getMask())))
    return failure();
  Value isSet = vote.getPred();
  auto any = [&]() { return reduce(isSet, gpu::AllReduceOperation::OR); };
  auto all = [&]() { return reduce(isSet, gpu::AllReduceOperation::AND); };
  switch (vote.getKind()) {
  case NVVM::VoteSyncKind::any:
    return replace(any());
  case NVVM::VoteSyncKind::all:
    return replace(all());
  case NVVM::VoteSyncKind::uni: {
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    Value none = arith::XOrIOp::create(b, any(), yes);
    return replace(arith::OrIOp::create(b, none, all()).getResult());
  }
  case NVVM::VoteSyncKind::ballot:
    break;
  }
  Value bit = arith::ShLIOp::create(b, number(1), lane());
  Value mine = arith::SelectOp::create(b, isSet, bit, number(0));
  return replace(reduce(mine, gpu::AllReduceOperation::OR));
}

LogicalResult Rewrite::run(NVVM::ReduxOp redux) {
  if (failed(checkWarp(redux.getMaskAndClamp())))
    return failure();
  using Kind = gpu::AllReduceOperation;
  auto kind = [&]() {
    switch (redux.getKind()) {
    case NVVM::ReduxKind::ADD:
      return Kind::ADD;
    case NVVM::ReduxKind::AND:
      return Kind::AND;
    case NVVM::ReduxKind::MAX:
      return Kind::MAXSI;
    case NVVM::ReduxKind::MIN:
      return Kind::MINSI;
    case NVVM::ReduxKind::OR:
      return Kind::OR;
    case NVVM::ReduxKind::UMAX:
      return Kind::MAXUI;
    case NVVM::ReduxKind::UMIN:
      return Kind::MINUI;
    case NVVM::ReduxKind::XOR:
      return Kind::XOR;
    case NVVM::ReduxKind::FMIN:
      return redux.getNan() ? Kind::MINIMUMF : Kind::MINNUMF;
    case NVVM::ReduxKind::FMAX:
      return redux.getNan() ? Kind::MAXIMUMF : Kind::MAXNUMF;
    }
    llvm_unreachable("a kind of redux.sync");
  };
  Value value = redux.getVal();
  if (redux.getAbs())
    value = math::AbsFOp::create(b, value);
  return replace(reduce(value, kind()));
}

// The constants that nvvm ops come with.
LogicalResult Rewrite::run(LLVM::ConstantOp constant) {
  auto value = dyn_cast<TypedAttr>(constant.getValue());
  if (!value || !value.getType().isIntOrFloat() ||
      value.getType() != constant.getType())
    return success();
  return replace(arith::ConstantOp::create(b, value).getResult());
}

// The registers of clusters, along an axis and as numbers that count x first.
Value Rewrite::readClusterRegister() {
  using gpu::Dimension;
  auto along = [&](auto tag, Dimension axis) -> Value {
    return decltype(tag)::create(b, axis);
  };
  auto blocks = [&](Dimension axis) {
    return along(gpu::ClusterDimBlocksOp(), axis);
  };
  auto rank = [&]() -> Value {
    Value result = along(gpu::ClusterBlockIdOp(), Dimension::z);
    for (Dimension axis : {Dimension::y, Dimension::x})
      result = arith::AddIOp::create(
          b, arith::MulIOp::create(b, result, blocks(axis)),
          along(gpu::ClusterBlockIdOp(), axis));
    return result;
  };
  auto count = [&]() -> Value {
    Value rows =
        arith::MulIOp::create(b, blocks(Dimension::y), blocks(Dimension::z));
    return arith::MulIOp::create(b, blocks(Dimension::x), rows);
  };
  std::optional<Dimension> axis =
      llvm::TypeSwitch<Operation *, std::optional<Dimension>>(op)
          .Case<NVVM::ClusterIdXOp, NVVM::ClusterDimXOp,
                NVVM::BlockInClusterIdXOp, NVVM::ClusterDimBlocksXOp>(
              [](Operation *) { return Dimension::x; })
          .Case<NVVM::ClusterIdYOp, NVVM::ClusterDimYOp,
                NVVM::BlockInClusterIdYOp, NVVM::ClusterDimBlocksYOp>(
              [](Operation *) { return Dimension::y; })
          .Case<NVVM::ClusterIdZOp, NVVM::ClusterDimZOp,
                NVVM::BlockInClusterIdZOp, NVVM::ClusterDimBlocksZOp>(
              [](Operation *) { return Dimension::z; })
          .Default([](Operation *) { return std::nullopt; });
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<NVVM::ClusterIdXOp, NVVM::ClusterIdYOp, NVVM::ClusterIdZOp>(
          [&](Operation *) { return along(gpu::ClusterIdOp(), *axis); })
      .Case<NVVM::ClusterDimXOp, NVVM::ClusterDimYOp, NVVM::ClusterDimZOp>(
          [&](Operation *) { return along(gpu::ClusterDimOp(), *axis); })
      .Case<NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp,
            NVVM::BlockInClusterIdZOp>(
          [&](Operation *) { return along(gpu::ClusterBlockIdOp(), *axis); })
      .Case<NVVM::ClusterDimBlocksXOp, NVVM::ClusterDimBlocksYOp,
            NVVM::ClusterDimBlocksZOp>(
          [&](Operation *) { return blocks(*axis); })
      .Case([&](NVVM::ClusterId) { return rank(); })
      .Case([&](NVVM::ClusterDim) { return count(); })
      .Default([](Operation *) { return Value(); });
}

LogicalResult Rewrite::runRegister() {
  using gpu::Dimension;
  auto id = [&](auto tag, Dimension axis) -> Value {
    return toI32(decltype(tag)::create(b, axis));
  };
  auto plain = [&](auto tag) -> Value {
    return toI32(decltype(tag)::create(b, IntegerAttr()));
  };
  // The lane's bit, and the bits below it.
  auto bit = [&]() -> Value {
    return arith::ShLIOp::create(b, number(1), lane());
  };
  auto below = [&](Value bit) -> Value {
    return arith::SubIOp::create(b, bit, number(1));
  };
  auto upTo = [&]() -> Value {
    Value one = bit();
    return arith::OrIOp::create(b, one, below(one));
  };
  auto invert = [&](Value bits) -> Value {
    return arith::XOrIOp::create(b, bits, number(-1));
  };
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](NVVM::ThreadIdXOp) {
            return id(gpu::ThreadIdOp(), Dimension::x);
          })
          .Case([&](NVVM::ThreadIdYOp) {
            return id(gpu::ThreadIdOp(), Dimension::y);
          })
          .Case([&](NVVM::ThreadIdZOp) {
            return id(gpu::ThreadIdOp(), Dimension::z);
          })
          .Case([&](NVVM::BlockDimXOp) {
            return id(gpu::BlockDimOp(), Dimension::x);
          })
          .Case([&](NVVM::BlockDimYOp) {
            return id(gpu::BlockDimOp(), Dimension::y);
          })
          .Case([&](NVVM::BlockDimZOp) {
            return id(gpu::BlockDimOp(), Dimension::z);
          })
          .Case([&](NVVM::BlockIdXOp) {
            return id(gpu::BlockIdOp(), Dimension::x);
          })
          .Case([&](NVVM::BlockIdYOp) {
            return id(gpu::BlockIdOp(), Dimension::y);
          })
          .Case([&](NVVM::BlockIdZOp) {
            return id(gpu::BlockIdOp(), Dimension::z);
          })
          .Case([&](NVVM::GridDimXOp) {
            return id(gpu::GridDimOp(), Dimension::x);
          })
          .Case([&](NVVM::GridDimYOp) {
            return id(gpu::GridDimOp(), Dimension::y);
          })
          .Case([&](NVVM::GridDimZOp) {
            return id(gpu::GridDimOp(), Dimension::z);
          })
          .Case([&](NVVM::LaneIdOp) { return lane(); })
          .Case([&](NVVM::WarpSizeOp) { return number(subgroupSize); })
          .Case([&](NVVM::WarpIdOp) { return plain(gpu::SubgroupIdOp()); })
          .Case([&](NVVM::WarpDimOp) { return plain(gpu::NumSubgroupsOp()); })
          .Case([&](NVVM::LaneMaskEqOp) { return bit(); })
          .Case([&](NVVM::LaneMaskLtOp) { return below(bit()); })
          .Case([&](NVVM::LaneMaskLeOp) { return upTo(); })
          .Case([&](NVVM::LaneMaskGeOp) { return invert(below(bit())); })
          .Case([&](NVVM::LaneMaskGtOp) { return invert(upTo()); })
          .Default([&](Operation *) -> Value {
            Value ofCluster = readClusterRegister();
            return ofCluster ? toI32(ofCluster) : Value();
          });
  if (!value)
    return success();
  if (op->getResult(0).getType() != value.getType())
    return op->emitOpError("expected a result of 32 bits on the emulator");
  return replace(value);
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

LogicalResult Rewrite::run() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupBroadcastOp,
            NVVM::BarrierOp, NVVM::ShflOp, NVVM::VoteSyncOp, NVVM::ReduxOp,
            LLVM::ConstantOp>([&](auto known) { return run(known); })
      .Case([&](NVVM::Barrier0Op) {
        gpu::BarrierOp::create(b);
        return replace({});
      })
      .Case([&](NVVM::SyncWarpOp sync) { return checkWarp(sync.getMask()); })
      .Case([&](NVVM::MembarOp fence) {
        // A block runs on one core; to a CPU all other scopes are one.
        NVVM::MemScopeKind kind = fence.getScope();
        StringRef scope = kind == NVVM::MemScopeKind::CTA       ? "block"
                          : kind == NVVM::MemScopeKind::CLUSTER ? "cluster"
                                                                : "";
        LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst, scope);
        return replace({});
      })
      .Default([&](Operation *) { return runRegister(); });
}

LogicalResult uop::lowerDeviceOps(gpu::GPUFuncOp kernel, int64_t subgroupSize) {
  SmallVector<Operation *> constants, ops;
  kernel.walk([&](Operation *op) {
    if (isa<LLVM::ConstantOp>(op))
      constants.push_back(op);
    else if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupBroadcastOp>(op) ||
             isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
      ops.push_back(op);
  });
  // Masks are compared with constants.
  constants.append(ops);
  for (Operation *op : constants)
    if (failed(Rewrite(op, subgroupSize).run()))
      return failure();
  return success();
}
