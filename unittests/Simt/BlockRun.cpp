//===- BlockRun.cpp - The threads of a block together ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop::simt;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

unsigned uop::simt::getElementBytes(Type type) {
  return (getWidth(type) + 7) / 8;
}

static std::shared_ptr<MemRef> createView(ArrayRef<int64_t> shape) {
  auto view = std::make_shared<MemRef>();
  view->sizes.assign(shape.begin(), shape.end());
  view->strides.assign(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    view->strides[axis - 1] = view->strides[axis] * shape[axis];
  return view;
}

Datum uop::simt::allocate(MemRefType type, bool isZero) {
  unsigned bytes = getElementBytes(type.getElementType());
  auto buffer = std::make_shared<Buffer>();
  buffer->bytes = type.getNumElements() * bytes;
  buffer->own.assign(buffer->bytes, isZero ? 0 : 0xA5);
  if (auto element = dyn_cast<FloatType>(type.getElementType());
      element && !isZero) {
    uint64_t nan = llvm::APFloat::getNaN(element.getFloatSemantics())
                       .bitcastToAPInt()
                       .getZExtValue();
    for (uint64_t i = 0; i < buffer->bytes; ++i)
      buffer->own[i] = uint8_t(nan >> (8 * (i % bytes)));
  }
  buffer->data = buffer->own.data();
  std::shared_ptr<MemRef> view = createView(type.getShape());
  view->buffer = std::move(buffer);
  Datum datum;
  datum.memref = std::move(view);
  return datum;
}

Datum BlockRun::getGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto type = global.getType();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return {};
  Datum &datum = globals[op.getName().str()];
  if (!datum.memref)
    datum = allocate(type);
  return datum;
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

BlockRun::BlockRun(const Program &program, const Launch &launch, Dim3 id,
                   ArrayRef<Datum> arguments, std::mt19937_64 &random,
                   Outcome &outcome)
    : program(program), launch(launch), id(id), random(random),
      outcome(outcome) {
  gpu::GPUFuncOp kernel = program.getKernel();
  SmallVector<Datum> shared;
  for (auto [number, value] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    DictionaryAttr attributes = DictionaryAttr();
    if (ArrayAttr all = kernel.getWorkgroupAttribAttrs().value_or(nullptr))
      attributes = cast<DictionaryAttr>(all[number]);
    bool isZero = attributes && attributes.contains("uop.zero");
    shared.push_back(allocate(cast<MemRefType>(value.getType()), isZero));
  }
  auto [x, y, z] = launch.block;
  threads.reserve(x * y * z);
  for (int64_t linear = 0; linear < x * y * z; ++linear) {
    Thread &thread = threads.emplace_back(
        *this, linear, Dim3{linear % x, linear / x % y, linear / x / y});
    SmallVector<Datum> values(arguments);
    llvm::append_range(values, shared);
    for (Value value : kernel.getPrivateAttributions()) {
      values.push_back(allocate(cast<MemRefType>(value.getType())));
      values.back().memref->buffer->isPrivate = true;
    }
    for (auto [slot, value] :
         llvm::zip_equal(program.getEntry(kernel.getBody()).arguments, values))
      thread.set(slot, value);
  }
}

Thread *BlockRun::pickReady() {
  SmallVector<Thread *> ready;
  for (Thread &thread : threads)
    if (thread.getState() == Thread::State::Ready)
      ready.push_back(&thread);
  if (ready.empty())
    return nullptr;
  switch (launch.order) {
  case Order::Forward:
    return ready.front();
  case Order::Reverse:
    return ready.back();
  case Order::Random:
    return ready[random() % ready.size()];
  }
  return nullptr;
}

std::string BlockRun::describeWaiting() {
  std::string text = "the threads of a block disagree:";
  llvm::raw_string_ostream os(text);
  std::map<unsigned, std::pair<const Step *, unsigned>> places;
  for (Thread &thread : threads)
    if (thread.getState() == Thread::State::Waiting) {
      const Step &step = thread.getWaiting();
      auto &[where, count] = places[program.getPosition(step.op)];
      where = &step;
      ++count;
    }
  for (auto &[position, place] : places)
    os << "\n  " << place.second << " wait at " << *place.first->op;
  return text;
}

llvm::Error BlockRun::run() {
  while (error.empty()) {
    Thread *thread = pickReady();
    if (!thread) {
      if (llvm::all_of(threads, [](const Thread &thread) {
            return thread.getState() == Thread::State::Done;
          }))
        break;
      if (!resumeWaiting())
        fail(describeWaiting());
      continue;
    }
    uint64_t steps =
        launch.order == Order::Random ? 1 + random() % 64 : UINT64_MAX;
    while (steps-- && thread->getState() == Thread::State::Ready &&
           error.empty())
      thread->step();
  }
  if (error.empty())
    return llvm::Error::success();
  return llvm::createStringError(error);
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

static llvm::Expected<std::vector<Datum>> getArguments(gpu::GPUFuncOp kernel,
                                                       const Launch &launch) {
  TypeRange types = kernel.getFunctionType().getInputs();
  if (types.size() != launch.arguments.size())
    return llvm::createStringError("expected " + llvm::Twine(types.size()) +
                                   " arguments, but got " +
                                   llvm::Twine(launch.arguments.size()));
  std::vector<Datum> data;
  for (auto [type, argument] : llvm::zip(types, launch.arguments)) {
    Datum &datum = data.emplace_back();
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      datum.lanes.push_back(truncate(argument.bits, getWidth(type)));
      continue;
    }
    std::shared_ptr<MemRef> view = createView(argument.shape);
    view->buffer = std::make_shared<Buffer>();
    view->buffer->data = static_cast<uint8_t *>(argument.data);
    view->buffer->bytes = getElementBytes(memref.getElementType());
    for (int64_t size : argument.shape)
      view->buffer->bytes *= size;
    datum.memref = std::move(view);
  }
  return data;
}

llvm::Expected<Outcome> uop::simt::run(gpu::GPUFuncOp kernel,
                                       const Launch &launch) {
  llvm::Expected<Program> program = Program::create(kernel);
  if (!program)
    return program.takeError();
  llvm::Expected<std::vector<Datum>> arguments = getArguments(kernel, launch);
  if (!arguments)
    return arguments.takeError();
  std::vector<Dim3> blocks;
  for (int64_t z = 0; z < launch.grid[2]; ++z)
    for (int64_t y = 0; y < launch.grid[1]; ++y)
      for (int64_t x = 0; x < launch.grid[0]; ++x)
        blocks.push_back({x, y, z});
  std::mt19937_64 random(launch.seed);
  if (launch.order == Order::Reverse)
    std::reverse(blocks.begin(), blocks.end());
  if (launch.order == Order::Random)
    std::shuffle(blocks.begin(), blocks.end(), random);
  Outcome outcome;
  for (Dim3 id : blocks) {
    BlockRun block(*program, launch, id, *arguments, random, outcome);
    if (llvm::Error error = block.run())
      return error;
  }
  return outcome;
}
