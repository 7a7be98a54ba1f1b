//===- AsyncCopies.cpp - Copies that are made when they are waited for ----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue of a thread is an array on the heap, of which four words in the
// thread's private memory know the address, the capacity, and which entries are
// in use. It grows when it is full. An entry has the number of its group, where
// it goes, its size, and up to 16 bytes of data. Groups ascend in the queue, so
// that a wait takes entries from its front.
//
// The functions on it are written in the LLVM dialect, one copy of each for a
// module, and know bytes and addresses only: the types of elements do not
// matter.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"

#include "Vectorize/VectorCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

/// The words of a queue's state.
enum QueueWord : int64_t { Address, Capacity, First, Count, NumGroups, Words };

/// The words of an entry: group, destination, bytes, and two of data.
enum EntryWord : int64_t { Group, Target, Bytes, Data };
static constexpr int64_t entryWords = Data + 2;
static constexpr int64_t wordBytes = 8;

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

LogicalResult uop::checkAsyncCopy(Operation *op) {
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op)) {
    std::optional<int32_t> groups = wait.getNumGroups();
    if (groups && *groups < 0)
      return op->emitOpError("expected 0 groups or more to be left under way, "
                             "but got ")
             << *groups;
  }
  auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
  if (!copy)
    return success();
  Type element = cast<MemRefType>(copy.getDst().getType()).getElementType();
  int64_t count = copy.getDstElements().getSExtValue();
  int64_t bits = element.isIntOrFloat()
                     ? count * int64_t(element.getIntOrFloatBitWidth())
                     : 0;
  if (!llvm::is_contained({32, 64, 128}, bits) ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return op->emitOpError("expected a copy of 4, 8 or 16 bytes, but got ")
           << count << " elements of " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// The functions of a queue
//===----------------------------------------------------------------------===//

namespace {

/// Writes code on the queue of a thread.
class QueueCode {
public:
  QueueCode(ImplicitLocOpBuilder &b, Value queue) : b(b), queue(queue) {}

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value get(QueueWord word) {
    return memref::LoadOp::create(b, queue, number(word));
  }
  void set(QueueWord word, Value value) {
    memref::StoreOp::create(b, value, queue, number(word));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(b, x, y); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }

  Value toInt(Value index) {
    return arith::IndexCastOp::create(b, b.getI64Type(), index);
  }
  Value toPointer(Value address) {
    return LLVM::IntToPtrOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()), toInt(address));
  }
  Value toAddress(Value pointer) {
    Value number = LLVM::PtrToIntOp::create(b, b.getI64Type(), pointer);
    return arith::IndexCastOp::create(b, b.getIndexType(), number);
  }

  /// The address of a word of an entry.
  Value addressOf(Value entry, EntryWord word) {
    Value words = add(mul(entry, number(entryWords)), number(word));
    return add(get(Address), mul(words, number(wordBytes)));
  }
  Value load(Value entry, EntryWord word) {
    Value value = LLVM::LoadOp::create(b, b.getI64Type(),
                                       toPointer(addressOf(entry, word)));
    return arith::IndexCastOp::create(b, b.getIndexType(), value);
  }
  void store(Value entry, EntryWord word, Value value) {
    LLVM::StoreOp::create(b, toInt(value), toPointer(addressOf(entry, word)));
  }

  /// Emits code under a condition.
  void when(Value condition, llvm::function_ref<void()> emit) {
    auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emit();
  }

private:
  ImplicitLocOpBuilder &b;
  Value queue;
};

/// The functions of the module, made when they are needed.
class QueueFunctions {
public:
  explicit QueueFunctions(RuntimeCalls &runtime) : runtime(runtime) {}

  func::FuncOp getPush(MLIRContext *context);
  func::FuncOp getWait(MLIRContext *context);
  void free(ImplicitLocOpBuilder &b, Value queue);

  static MemRefType getQueueType(MLIRContext *context) {
    return MemRefType::get({Words}, IndexType::get(context));
  }

private:
  func::FuncOp create(StringRef name, MLIRContext *context, unsigned numArgs);
  /// Calls memcpy or memmove.
  void move(ImplicitLocOpBuilder &b, StringRef name, Value to, Value from,
            Value bytes);
  void makeRoom(ImplicitLocOpBuilder &b, QueueCode &code);

  RuntimeCalls &runtime;
};

} // namespace

/// A function on a queue, with further arguments of type index.
func::FuncOp QueueFunctions::create(StringRef name, MLIRContext *context,
                                    unsigned numArgs) {
  SmallVector<Type> inputs{getQueueType(context)};
  inputs.append(numArgs, IndexType::get(context));
  OpBuilder b(context);
  auto func = func::FuncOp::create(b, UnknownLoc::get(context), name,
                                   b.getFunctionType(inputs, {}));
  setInternal(func);
  runtime.symbols().insert(func);
  func.addEntryBlock();
  return func;
}

void QueueFunctions::move(ImplicitLocOpBuilder &b, StringRef name, Value to,
                          Value from, Value bytes) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  LLVM::LLVMFuncOp function =
      runtime.libc(name, pointer, {pointer, pointer, b.getI64Type()});
  LLVM::CallOp::create(b, function, ValueRange{to, from, bytes});
}

/// Where the last entry of the array is in use, moves what is in use to its
/// start, if that halves it, or doubles the array.
void QueueFunctions::makeRoom(ImplicitLocOpBuilder &b, QueueCode &code) {
  constexpr int64_t firstCapacity = 8;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto bytesOf = [&](Value entries) {
    return code.mul(entries, code.number(entryWords * wordBytes));
  };
  Value capacity = code.get(Capacity), first = code.get(First);
  Value used = code.add(first, code.get(Count));
  Value isFull = code.compare(arith::CmpIPredicate::eq, used, capacity);
  code.when(isFull, [&] {
    Value two = code.number(2);
    Value isSparse =
        code.compare(arith::CmpIPredicate::ugt, code.mul(first, two), capacity);
    auto choice = scf::IfOp::create(b, isSparse, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    move(b, "memmove", code.toPointer(code.get(Address)),
         code.toPointer(code.addressOf(first, Group)),
         code.toInt(bytesOf(code.get(Count))));
    code.set(First, code.number(0));
    b.setInsertionPointToStart(choice.elseBlock());
    Value doubled = arith::MaxUIOp::create(b, code.mul(capacity, two),
                                           code.number(firstCapacity));
    LLVM::LLVMFuncOp realloc =
        runtime.libc("realloc", pointer, {pointer, b.getI64Type()});
    Value grown =
        LLVM::CallOp::create(b, realloc,
                             ValueRange{code.toPointer(code.get(Address)),
                                        code.toInt(bytesOf(doubled))})
            .getResult();
    code.set(Address, code.toAddress(grown));
    code.set(Capacity, doubled);
  });
}

/// push(queue, target, source, bytes, bytes of the source)
func::FuncOp QueueFunctions::getPush(MLIRContext *context) {
  constexpr StringLiteral name = "uop_async_push";
  if (auto known = runtime.symbols().lookup<func::FuncOp>(name))
    return known;
  func::FuncOp func = create(name, context, 4);
  auto b =
      ImplicitLocOpBuilder::atBlockEnd(func.getLoc(), &func.getBody().front());
  QueueCode code(b, func.getArgument(0));
  makeRoom(b, code);
  Value entry = code.add(code.get(First), code.get(Count));
  code.store(entry, Group, code.get(NumGroups));
  code.store(entry, Target, func.getArgument(1));
  code.store(entry, Bytes, func.getArgument(3));
  // What the source does not fill is zero.
  Value data = code.addressOf(entry, Data);
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  for (int64_t word = 0; word < entryWords - Data; ++word)
    LLVM::StoreOp::create(
        b, zero, code.toPointer(code.add(data, code.number(word * wordBytes))));
  move(b, "memcpy", code.toPointer(data), code.toPointer(func.getArgument(2)),
       code.toInt(func.getArgument(4)));
  code.set(Count, code.add(code.get(Count), code.number(1)));
  func::ReturnOp::create(b);
  return func;
}

/// wait(queue, groups that may stay)
func::FuncOp QueueFunctions::getWait(MLIRContext *context) {
  constexpr StringLiteral name = "uop_async_wait";
  if (auto known = runtime.symbols().lookup<func::FuncOp>(name))
    return known;
  func::FuncOp func = create(name, context, 1);
  auto b =
      ImplicitLocOpBuilder::atBlockEnd(func.getLoc(), &func.getBody().front());
  QueueCode code(b, func.getArgument(0));
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&loop.getBefore());
    Value isSome =
        code.compare(arith::CmpIPredicate::ne, code.get(Count), code.number(0));
    auto ask = scf::IfOp::create(b, TypeRange{b.getI1Type()}, isSome,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
    {
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(ask.thenBlock());
      Value newest =
          code.add(code.load(code.get(First), Group), func.getArgument(1));
      Value isDue =
          code.compare(arith::CmpIPredicate::slt, newest, code.get(NumGroups));
      scf::YieldOp::create(b, isDue);
      b.setInsertionPointToStart(ask.elseBlock());
      scf::YieldOp::create(b, isSome);
    }
    scf::ConditionOp::create(b, ask.getResult(0), ValueRange());
    b.createBlock(&loop.getAfter());
    Value first = code.get(First);
    move(b, "memcpy", code.toPointer(code.load(first, Target)),
         code.toPointer(code.addressOf(first, Data)),
         code.toInt(code.load(first, Bytes)));
    Value left = code.sub(code.get(Count), code.number(1));
    code.set(Count, left);
    code.set(First, code.add(first, code.number(1)));
    // An empty queue starts anew.
    Value isEmpty =
        code.compare(arith::CmpIPredicate::eq, left, code.number(0));
    code.when(isEmpty, [&] { code.set(First, code.number(0)); });
    scf::YieldOp::create(b);
  }
  func::ReturnOp::create(b);
  return func;
}

void QueueFunctions::free(ImplicitLocOpBuilder &b, Value queue) {
  QueueCode code(b, queue);
  LLVM::LLVMFuncOp function =
      runtime.libc("free", LLVM::LLVMVoidType::get(b.getContext()),
                   {LLVM::LLVMPointerType::get(b.getContext())});
  auto call =
      LLVM::CallOp::create(b, function, code.toPointer(code.get(Address)));
  call->setAttr(perThreadAttrName, b.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The address of an element.
static Value getAddress(ImplicitLocOpBuilder &b, QueueCode &code, Value memref,
                        ValueRange indices, int64_t elementBytes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides()))
    element = code.add(element, code.mul(index, stride));
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  return code.add(start, code.mul(element, code.number(elementBytes)));
}

static void lowerCopy(nvgpu::DeviceAsyncCopyOp op, Value queue,
                      func::FuncOp push) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  QueueCode code(b, queue);
  Type element = cast<MemRefType>(op.getDst().getType()).getElementType();
  int64_t elementBytes = element.getIntOrFloatBitWidth() / 8;
  int64_t bytes = op.getDstElements().getSExtValue() * elementBytes;
  Value target =
      getAddress(b, code, op.getDst(), op.getDstIndices(), elementBytes);
  Value source =
      getAddress(b, code, op.getSrc(), op.getSrcIndices(), elementBytes);
  // Anything else is a fault on a device.
  Value both = arith::OrIOp::create(b, target, source);
  Value rest = arith::AndIOp::create(b, both, code.number(bytes - 1));
  Value isAligned =
      code.compare(arith::CmpIPredicate::eq, rest, code.number(0));
  cf::AssertOp::create(b, isAligned,
                       "asynchronous copy of " + std::to_string(bytes) +
                           " bytes: expected source and destination at "
                           "multiples of as many");
  Value size = code.number(bytes);
  Value sourceBytes = size;
  if (Value elements = op.getSrcElements()) {
    sourceBytes = code.mul(elements, code.number(elementBytes));
    sourceBytes = arith::MinUIOp::create(b, sourceBytes, size);
  }
  auto call = func::CallOp::create(
      b, push, ValueRange{queue, target, source, size, sourceBytes});
  call->setAttr(perThreadAttrName, b.getUnitAttr());
}

/// Tokens order the ops of a thread, which are in order.
static void replaceTokens(gpu::GPUFuncOp kernel, Value number) {
  Type type = number.getType();
  kernel.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<nvgpu::DeviceAsyncTokenType>(result.getType()))
        result.setType(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isa<nvgpu::DeviceAsyncTokenType>(argument.getType()))
            argument.setType(type);
  });
}

void uop::lowerAsyncCopies(gpu::GPUFuncOp kernel, RuntimeCalls &runtime) {
  SmallVector<Operation *> ops;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
            nvgpu::DeviceAsyncWaitOp>(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  MLIRContext *context = kernel.getContext();
  QueueFunctions functions(runtime);
  Block &body = kernel.getBody().front();
  auto start = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(), &body);
  Value queue =
      memref::AllocaOp::create(start, QueueFunctions::getQueueType(context));
  QueueCode atStart(start, queue);
  Value zero = atStart.number(0);
  for (int64_t word = 0; word < Words; ++word)
    atStart.set(QueueWord(word), zero);

  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    QueueCode code(b, queue);
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
      lowerCopy(copy, queue, functions.getPush(context));
    } else if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
      code.set(NumGroups, code.add(code.get(NumGroups), code.number(1)));
    } else {
      int64_t groups =
          cast<nvgpu::DeviceAsyncWaitOp>(op).getNumGroups().value_or(0);
      auto call = func::CallOp::create(b, functions.getWait(context),
                                       ValueRange{queue, code.number(groups)});
      call->setAttr(perThreadAttrName, b.getUnitAttr());
    }
  }
  replaceTokens(kernel, zero);
  for (Operation *op : ops) {
    for (Value result : op->getResults())
      result.replaceAllUsesWith(zero);
    op->erase();
  }
  // The functions of a kernel in one block have one end.
  ImplicitLocOpBuilder end(kernel.getLoc(), body.getTerminator());
  functions.free(end, queue);
}
