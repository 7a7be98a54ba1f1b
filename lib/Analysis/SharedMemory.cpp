//===- SharedMemory.cpp - What a block takes and what a chip has ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Analysis/GPUTarget.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

int64_t uop::getStoredBytes(Type type) {
  return type.isIndex() ? 8
                        : llvm::PowerOf2Ceil(llvm::divideCeil(
                              type.getIntOrFloatBitWidth(), 8));
}

int64_t uop::getStaticSharedBytes(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  for (auto [number, buffer] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat())
      continue;
    int64_t size = getStoredBytes(type.getElementType());
    auto align = dyn_cast_or_null<IntegerAttr>(
        kernel.getWorkgroupAttributionAttr(number, "llvm.align"));
    bytes = llvm::alignTo(bytes, align ? std::max(align.getInt(), size) : size);
    bytes += type.getNumElements() * size;
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
