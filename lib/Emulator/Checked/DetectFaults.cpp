//===- DetectFaults.cpp - A kernel that says whether it is right ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DetectFaults.h"

#include "../Collectives.h"
#include "../KernelAnalysis.h"
#include "../NormalizeKernel.h"
#include "Instrumentation.h"
#include "ShadowCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace uop;

static constexpr int64_t wordBytes = 4;

namespace {

class Detection : Instrumentation {
public:
  Detection(gpu::GPUFuncOp kernel, ArrayRef<std::optional<int64_t>> blockSize,
            int64_t subgroupSize, RuntimeCalls &runtime, uint64_t stepLimit)
      : Instrumentation(kernel, blockSize, subgroupSize, /*given=*/{}, runtime),
        stepLimit(stepLimit) {}

  FailureOr<FaultDetection> run();

private:
  /// Memory whose words have states.
  struct Shadow {
    Value states;
    bool isZeroed = false;
  };

  bool isPossible();
  bool isPossible(const CheckedAccess &access);
  bool areSubgroupsFull() const;
  Value findBuffer(Value memref);
  std::optional<unsigned> findArgument(Value root);
  void addShadows();
  void detect(Operation *op, ArrayRef<CheckedAccess> accesses);
  void use(ImplicitLocOpBuilder &b, const CheckedAccess &access);
  void countSteps();

  uint64_t stepLimit;
  FaultDetection result;
  /// By the root of the memory.
  llvm::MapVector<Value, Shadow> shadows;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be detected
//===----------------------------------------------------------------------===//

/// The root, the same one for all that name a global.
Value Detection::findBuffer(Value memref) {
  Value root = findViewedRoot(memref);
  auto global = root.getDefiningOp<memref::GetGlobalOp>();
  if (!global)
    return root;
  for (auto &[known, shadow] : shadows)
    if (auto other = known.getDefiningOp<memref::GetGlobalOp>())
      if (other.getName() == global.getName())
        return known;
  return root;
}

std::optional<unsigned> Detection::findArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || argument.getOwner() != &kernel.getBody().front() ||
      argument.getArgNumber() >= kernel.getNumArguments())
    return std::nullopt;
  return argument.getArgNumber();
}

bool Detection::isPossible(const CheckedAccess &access) {
  if (access.getElement || access.kind == SiteKind::AsyncCopy ||
      access.bytes > 64 ||
      (access.bytes > wordBytes && access.bytes % wordBytes != 0))
    return false;
  AccessSpace space = getSpace(access.memref);
  if (space == AccessSpace::Private)
    return true;
  Value root = findViewedRoot(access.memref);
  auto type = dyn_cast<MemRefType>(root.getType());
  if (!type)
    return false;
  if (space == AccessSpace::Shared)
    return type.hasStaticShape() &&
           (root.getDefiningOp<memref::GetGlobalOp>() ||
            llvm::is_contained(kernel.getWorkgroupAttributions(), root));
  // A parameter of rank 0 is a pointer to more than its type says.
  if (!findArgument(root) || type.getRank() == 0)
    return false;
  // The first element is to be the lowest one.
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getLayout().isIdentity() ||
         (succeeded(type.getStridesAndOffset(strides, offset)) &&
          llvm::all_of(strides, [](int64_t stride) {
            return ShapedType::isStatic(stride) && stride >= 0;
          }));
}

/// Then no shuffle reads from a lane without a thread.
bool Detection::areSubgroupsFull() const {
  int64_t threads = 1;
  for (std::optional<int64_t> size : blockSize) {
    if (!size)
      return false;
    threads *= *size;
  }
  return threads % subgroupSize == 0;
}

bool Detection::isPossible() {
  // The bytes of the block's memory are the last argument; states would be.
  for (BlockArgument memory : kernel.getWorkgroupAttributions())
    if (!cast<MemRefType>(memory.getType()).hasStaticShape())
      return false;
  if (!groups.empty() || !waits.empty() || !fences.empty() || writesAnything)
    return false;
  bool exits = false, stops = false;
  WalkResult walk = kernel.walk([&](Operation *op) {
    exits |= isExit(op);
    stops |= isStop(op);
    // What is written would be written twice. A barrier of a warp is taken for
    // none, and shuffles order nothing.
    return isa<gpu::PrintfOp>(op) ||
                   (isStop(op) && isSubgroupStop(op) && !areSubgroupsFull())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (walk.wasInterrupted() || (exits && stops))
    return false;
  for (Operation *op : loops)
    if (!isa<scf::ForOp, scf::WhileOp>(op))
      return false;
  for (auto &[op, accesses] : ops)
    if (!llvm::all_of(accesses, [&](const CheckedAccess &access) {
          return isPossible(access);
        }))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

void Detection::addShadows() {
  auto statesOf = [&](int64_t words) {
    return MemRefType::get({words}, IntegerType::get(kernel.getContext(), 64));
  };
  for (auto &[op, accesses] : ops)
    for (const CheckedAccess &access : accesses) {
      AccessSpace space = getSpace(access.memref);
      Value root = findBuffer(access.memref);
      if (space == AccessSpace::Private)
        continue;
      if (space == AccessSpace::Shared) {
        if (shadows.contains(root))
          continue;
        auto type = cast<MemRefType>(root.getType());
        int64_t bytes = type.getNumElements() * getElementBytes(type);
        auto states = MemRefType::get(
            {static_cast<int64_t>(llvm::divideCeil(bytes, wordBytes))},
            IntegerType::get(kernel.getContext(), 64),
            MemRefLayoutAttrInterface(),
            gpu::AddressSpaceAttr::get(kernel.getContext(),
                                       gpu::AddressSpace::Workgroup));
        Shadow &shadow = shadows[root];
        for (auto [i, memory] :
             llvm::enumerate(kernel.getWorkgroupAttributions()))
          shadow.isZeroed |=
              memory == root &&
              kernel.getWorkgroupAttributionAttr(i, "uop.zero") != nullptr;
        shadow.states = kernel.addWorkgroupAttribution(states, root.getLoc());
        kernel.setWorkgroupAttributionAttr(
            kernel.getNumWorkgroupAttributions() - 1,
            StringAttr::get(kernel.getContext(), "uop.zero"),
            UnitAttr::get(kernel.getContext()));
        continue;
      }
      unsigned number = *findArgument(root);
      auto &list = access.kind == SiteKind::Load ? result.read : result.written;
      if (!llvm::is_contained(list, number))
        list.push_back(number);
    }
  // What is only read cannot race, unless it is written by another name.
  result.shadowed = result.written;
  for (unsigned number : result.shadowed) {
    (void)kernel.insertArgument(kernel.getNumArguments(),
                                statesOf(ShapedType::kDynamic), {},
                                kernel.getLoc());
    shadows[kernel.getArgument(number)].states =
        kernel.getArgument(kernel.getNumArguments() - 1);
  }
}

/// One access of a word after the other, as many as there are in the access.
void Detection::use(ImplicitLocOpBuilder &b, const CheckedAccess &access) {
  auto it = shadows.find(findBuffer(access.memref));
  if (it == shadows.end())
    return;
  ShadowAccess shadow;
  shadow.use = access.kind == SiteKind::Load    ? ShadowUse::Read
               : access.kind == SiteKind::Store ? ShadowUse::Write
                                                : ShadowUse::Update;
  shadow.isShared = getSpace(access.memref) == AccessSpace::Shared;
  shadow.mustBeWritten =
      shadow.isShared && access.kind != SiteKind::Store && !it->second.isZeroed;
  MemRefShape shape(b, access.memref);
  int64_t bytes = getElementBytes(cast<MemRefType>(access.memref.getType()));
  // In units of bytes, or of words where elements have whole ones, so that the
  // place goes up by one from a thread to its neighbour.
  int64_t unit = bytes % wordBytes == 0 ? wordBytes : 1;
  Value place = number(b, 0);
  for (auto [index, stride] : llvm::zip(access.indices, shape.strides))
    place = arith::AddIOp::create(b, place,
                                  arith::MulIOp::create(b, index, stride));
  place = arith::MulIOp::create(b, place, number(b, bytes / unit));
  Value root = findViewedRoot(access.memref);
  if (root != access.memref) {
    Value start = arith::SubIOp::create(b, shape.getStart(b),
                                        MemRefShape(b, root).getStart(b));
    start = arith::DivSIOp::create(b, start, number(b, unit));
    place = arith::AddIOp::create(b, place, start);
  }
  if (unit == wordBytes) {
    for (int64_t word = 0; word < access.bytes / wordBytes; ++word)
      shadow.create(b, runtime.symbols(), it->second.states,
                    arith::AddIOp::create(b, place, number(b, word)), thread);
    return;
  }
  // Elements of which several are in a word; they do not cross its end.
  for (int64_t byte = 0; byte < access.bytes; byte += bytes) {
    Value at = arith::AddIOp::create(b, place, number(b, byte));
    Value word = arith::DivUIOp::create(b, at, number(b, wordBytes));
    Value inWord = arith::RemUIOp::create(b, at, number(b, wordBytes));
    for (int64_t first = 0; first < wordBytes; first += bytes) {
      Value isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, inWord,
                                           number(b, first));
      auto branch = scf::IfOp::create(b, isHere, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenYield());
      shadow.bytes = ((int64_t(1) << bytes) - 1) << first;
      shadow.create(b, runtime.symbols(), it->second.states, word, thread);
    }
  }
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Detection::detect(Operation *op, ArrayRef<CheckedAccess> accesses) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value right;
  for (const CheckedAccess &access : accesses) {
    Value one = isRight(b, access, access.indices);
    right = right ? arith::AndIOp::create(b, right, one) : one;
  }
  auto branch = scf::IfOp::create(b, op->getResultTypes(), right,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  op->replaceAllUsesWith(branch.getResults());
  b.setInsertionPointToStart(branch.thenBlock());
  for (const CheckedAccess &access : accesses)
    use(b, access);
  op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  scf::YieldOp::create(b, op->getResults());
  b.setInsertionPointToStart(branch.elseBlock());
  createFire(b);
  SmallVector<Value> nothing;
  for (Type type : op->getResultTypes()) {
    TypedAttr zero = b.getZeroAttr(type);
    nothing.push_back(zero ? arith::ConstantOp::create(b, zero).getResult()
                           : ub::PoisonOp::create(b, type).getResult());
  }
  scf::YieldOp::create(b, nothing);
}

/// The most turns that a thread makes in all loops of the block, if they are
/// constants.
static std::optional<uint64_t> countTurns(Block &block) {
  uint64_t sum = 0;
  for (Operation &op : block) {
    std::optional<APInt> turns = APInt(64, 1);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      turns = loop.getStaticTripCount();
    else if (isa<scf::WhileOp>(op))
      turns.reset();
    uint64_t inside = isa<scf::ForOp>(op) ? 1 : 0;
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        std::optional<uint64_t> count = countTurns(inner);
        if (!count)
          return std::nullopt;
        inside = llvm::SaturatingAdd(inside, *count);
      }
    if (!turns || turns->getActiveBits() > 63)
      return std::nullopt;
    sum = llvm::SaturatingMultiplyAdd(turns->getZExtValue(), inside, sum);
  }
  return sum;
}

/// A loop of which the number of turns is known is counted as a whole; another
/// one ends when the limit is reached.
void Detection::countSteps() {
  std::optional<uint64_t> known = countTurns(kernel.getBody().front());
  if (stepLimit == 0 || (known && *known <= stepLimit))
    return;
  auto start = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                                  &kernel.getBody().front());
  auto type = MemRefType::get({}, start.getI64Type());
  Value steps = memref::AllocaOp::create(start, type);
  memref::StoreOp::create(start, arith::ConstantIntOp::create(start, 0, 64),
                          steps);
  auto add = [&](ImplicitLocOpBuilder &b, Value count) -> Value {
    Value old = memref::LoadOp::create(b, steps);
    Value sum = arith::AddIOp::create(b, old, count);
    memref::StoreOp::create(b, sum, steps);
    Value limit = arith::ConstantIntOp::create(b, stepLimit, 64);
    // The sum may have wrapped.
    auto isBeyond = [&](Value number) {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, number, limit);
    };
    Value isOver = arith::OrIOp::create(b, isBeyond(count), isBeyond(sum));
    fireIf(b, isOver);
    return isOver;
  };
  for (Operation *op : loops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto toInt = [&](Value value, bool isSigned) -> Value {
        if (value.getType().isIndex())
          return arith::IndexCastOp::create(b, b.getI64Type(), value);
        if (value.getType().isInteger(64))
          return value;
        if (isSigned)
          return arith::ExtSIOp::create(b, b.getI64Type(), value);
        return arith::ExtUIOp::create(b, b.getI64Type(), value);
      };
      bool isSigned = !loop.getUnsignedCmp();
      Value lower = toInt(loop.getLowerBound(), isSigned);
      Value upper = toInt(loop.getUpperBound(), isSigned);
      Value step = toInt(loop.getStep(), isSigned);
      Value zero = arith::ConstantIntOp::create(b, 0, 64);
      Value one = arith::ConstantIntOp::create(b, 1, 64);
      auto predicate =
          isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
      Value runs = arith::CmpIOp::create(b, predicate, lower, upper);
      Value span = arith::SubIOp::create(b, upper, lower);
      // A loop that does not come nearer to its end has no end.
      Value advances =
          arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, step, zero);
      Value safe = arith::SelectOp::create(b, advances, step, one);
      Value turns = arith::SelectOp::create(
          b, advances, arith::CeilDivUIOp::create(b, span, safe),
          arith::ConstantIntOp::create(b, -1, 64));
      Value isOver = add(b, arith::SelectOp::create(b, runs, turns, zero));
      loop.setUpperBound(arith::SelectOp::create(
          b, isOver, loop.getLowerBound(), loop.getUpperBound()));
      continue;
    }
    scf::ConditionOp condition = cast<scf::WhileOp>(op).getConditionOp();
    b.setInsertionPoint(condition);
    Value isOver = add(b, arith::ConstantIntOp::create(b, 1, 64));
    Value no = arith::ConstantIntOp::create(b, 0, 1);
    Value more =
        arith::SelectOp::create(b, isOver, no, condition.getCondition());
    condition.getConditionMutable().assign(more);
  }
}

FailureOr<FaultDetection> Detection::run() {
  if (failed(collect()))
    return failure();
  findWritten();
  findIndexArithmetic();
  result.isPossible = isPossible();
  if (!result.isPossible)
    return result;
  addShadows();
  for (auto [op, isSigned] : arithmetic) {
    ImplicitLocOpBuilder b(op->getLoc(), kernel.getContext());
    b.setInsertionPointAfter(op);
    Value exact, wrapped;
    fireIf(b, overflows(b, op, isSigned, exact, wrapped));
  }
  auto start = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                                  &kernel.getBody().front());
  findThread(start);
  for (auto &[op, accesses] : ops) {
    // An index may be what an access before this one has loaded, which is
    // another value since that one has its guard.
    accesses.clear();
    if (failed(getMemoryAccesses(op, accesses)))
      return failure();
    detect(op, accesses);
  }
  countSteps();
  return result;
}

FailureOr<FaultDetection> uop::instrumentDetection(
    gpu::GPUFuncOp kernel, ArrayRef<std::optional<int64_t>> blockSize,
    int64_t subgroupSize, RuntimeCalls &runtime, uint64_t stepLimit) {
  return Detection(kernel, blockSize, subgroupSize, runtime, stepLimit).run();
}

//===----------------------------------------------------------------------===//
// At a launch
//===----------------------------------------------------------------------===//

SmallVector<Value> uop::createShadows(ImplicitLocOpBuilder &b,
                                      const FaultDetection &detection,
                                      ValueRange arguments) {
  auto extent = [&](unsigned number) {
    MemRefShape shape(b, arguments[number]);
    return std::pair(shape.getStart(b), shape.getEnd(b));
  };
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  llvm::SmallVector<unsigned> all = detection.written;
  for (unsigned number : detection.read)
    if (!llvm::is_contained(all, number))
      all.push_back(number);
  for (auto [i, number] : llvm::enumerate(detection.written))
    for (unsigned other : ArrayRef(all).drop_front(i + 1)) {
      auto [begin, end] = extent(number);
      auto [otherBegin, otherEnd] = extent(other);
      Value overlap = arith::AndIOp::create(b, less(begin, otherEnd),
                                            less(otherBegin, end));
      fireIf(b, overlap);
    }
  SmallVector<Value> shadows;
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI64Type());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value none = arith::ConstantIntOp::create(b, 0, 64);
  for (unsigned number : detection.shadowed) {
    auto [begin, end] = extent(number);
    Value bytes = arith::SubIOp::create(b, end, begin);
    // An empty buffer may seem to end before it begins.
    bytes = arith::MaxSIOp::create(b, bytes, zero);
    Value words = arith::AddIOp::create(
        b,
        arith::DivUIOp::create(b, bytes,
                               arith::ConstantIndexOp::create(b, wordBytes)),
        one);
    Value states =
        memref::AllocOp::create(b, type, words, b.getI64IntegerAttr(64));
    auto loop = scf::ForOp::create(b, zero, words, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    memref::StoreOp::create(b, none, states, loop.getInductionVar());
    shadows.push_back(states);
  }
  return shadows;
}
