//===- SharedMemory.cpp - What a block takes and what a chip has ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Analysis/GPUTarget.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

int64_t uop::getStoredBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::PowerOf2Ceil(vector.getNumElements()) *
           getStoredBytes(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getStoredBytes(complex.getElementType());
  return type.isIndex() ? 8
                        : llvm::PowerOf2Ceil(llvm::divideCeil(
                              type.getIntOrFloatBitWidth(), 8));
}

static bool isWorkgroupMemory(MemRefType type) {
  Attribute space = type.getMemorySpace();
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(space) ||
         (number && number.getInt() == 3);
}

/// Buffers of the gpu.module in workgroup memory that the op, or a function
/// that it calls, names.
static void findGlobals(Operation *op, SetVector<Operation *> &visited,
                        SetVector<Operation *> &globals) {
  if (!visited.insert(op))
    return;
  op->walk([&](Operation *inner) {
    SymbolRefAttr symbol;
    if (auto get = dyn_cast<memref::GetGlobalOp>(inner))
      symbol = get.getNameAttr();
    else if (auto call = dyn_cast<CallOpInterface>(inner))
      symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    Operation *target =
        symbol ? SymbolTable::lookupNearestSymbolFrom(inner, symbol) : nullptr;
    if (!target)
      return;
    if (auto global = dyn_cast<memref::GlobalOp>(target)) {
      if (isWorkgroupMemory(global.getType()))
        globals.insert(global);
    } else {
      findGlobals(target, visited, globals);
    }
  });
}

int64_t uop::getStaticSharedBytes(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  auto add = [&](Type buffer, Attribute alignment) {
    auto type = dyn_cast<MemRefType>(buffer);
    Type element = type ? type.getElementType() : Type();
    int64_t lanes = 1;
    if (auto vector = dyn_cast_or_null<VectorType>(element)) {
      lanes = llvm::PowerOf2Ceil(vector.getNumElements());
      element = vector.getElementType();
    }
    if (!element || !type.hasStaticShape() || !element.isIntOrIndexOrFloat())
      return;
    int64_t elementBytes = lanes * getStoredBytes(element), size = elementBytes;
    auto align = dyn_cast_or_null<IntegerAttr>(alignment);
    int64_t alignBytes = align ? align.getInt() : 1;
    // Beyond any limit is enough to know of what 64 bits do not hold.
    constexpr int64_t most = int64_t(1) << 62;
    for (int64_t extent : type.getShape())
      if (llvm::MulOverflow(size, extent, size) || size > most)
        size = most;
    bytes = llvm::alignTo(bytes, std::max(elementBytes, alignBytes));
    bytes = std::min(bytes + size, most);
  };
  for (auto [number, buffer] :
       llvm::enumerate(kernel.getWorkgroupAttributions()))
    add(buffer.getType(),
        kernel.getWorkgroupAttributionAttr(number, "llvm.align"));
  SetVector<Operation *> visited, globals;
  findGlobals(kernel, visited, globals);
  for (Operation *op : globals) {
    auto global = cast<memref::GlobalOp>(op);
    add(global.getType(), global.getAlignmentAttr());
  }
  return bytes;
}

std::optional<int64_t> uop::getDynamicSharedBytes(gpu::LaunchFuncOp launch) {
  Value size = launch.getDynamicSharedMemorySize();
  if (!size)
    return 0;
  APInt constant;
  if (!matchPattern(size, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

LogicalResult
uop::checkSharedBytes(int64_t bytes, StringRef chip,
                      function_ref<InFlightDiagnostic()> emitError) {
  int64_t limit = getMaxSharedBytes(chip);
  if (bytes <= limit)
    return success();
  return emitError() << "expected at most " << limit
                     << " bytes of shared memory a block on " << chip
                     << ", but got " << bytes
                     << "; use smaller tiles or fewer buffers";
}
