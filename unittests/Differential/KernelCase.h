//===- KernelCase.h - A kernel and its arguments ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIFFERENTIAL_KERNELCASE_H
#define UOP_UNITTESTS_DIFFERENTIAL_KERNELCASE_H

#include "RandomKernel.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/IR/Uop.h"

namespace uop {

/// A memref argument: its bytes, and what it is. A few elements lie behind it,
/// which nothing should touch.
struct Buffer {
  mlir::MemRefType type;
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  std::vector<uint8_t> bytes;
  ArgumentRule rule;
  /// Which of the buffers has the magnitudes of the terms, where that is known.
  std::optional<unsigned> magnitudes;
};

/// Buffers and scalars for a kernel, the same for the same seed. Outputs hold
/// random bits before.
class KernelCase {
public:
  /// Arguments beyond the rules may hold anything.
  KernelCase(KernelOp kernel, uint64_t seed,
             llvm::ArrayRef<ArgumentRule> rules);

  /// Runs a kernel with these arguments on the reference interpreter.
  mlir::LogicalResult interpret(KernelOp kernel, bool contract,
                                std::vector<Buffer> &memory) const;
  /// Runs the function `name` of compiled code; returns an error message.
  std::string emulate(Jit &jit, llvm::StringRef name,
                      std::vector<Buffer> &memory) const;

  /// Says where two results differ; nothing where they do not. A NaN is any
  /// NaN. Where `isReordered`, sums and products of which the rules tell may
  /// differ by what the order of the terms makes of it.
  static std::string findDifference(llvm::ArrayRef<Buffer> expected,
                                    llvm::ArrayRef<Buffer> actual,
                                    bool isReordered);

private:
  std::vector<mlir::Type> types;
  std::vector<Buffer> buffers;
  std::vector<mlir::TypedAttr> scalars;
};

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_KERNELCASE_H
