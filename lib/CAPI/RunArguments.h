//===- RunArguments.h - What a program is run on, for the C API -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CAPI_RUNARGUMENTS_H
#define UOP_LIB_CAPI_RUNARGUMENTS_H

#include "Parameters.h"
#include "Uop-c/Run.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Interpreter/Interpreter.h"
#include "llvm/Support/Error.h"

namespace uop::capi {

/// The caller's arguments, once they are known to fit.
class RunArguments {
public:
  /// Checks that they are what a function takes; `isKernel`: whether memory
  /// that it writes must be nobody else's.
  llvm::Error set(const Signature &signature, bool isKernel,
                  const UopArgument *arguments, size_t size);

  /// What Jit::invoke wants.
  llvm::ArrayRef<void *> getPacked() const { return packed; }
  /// What the interpreter wants, of a function with these types.
  std::vector<KernelArgument>
  getKernelArguments(llvm::ArrayRef<mlir::Type> types) const;

  /// Keeps what the memory that is written holds, and puts it back.
  void save();
  void restore();

private:
  /// A memref; the elements that its indices reach are [low, high).
  struct Buffer {
    char *data = nullptr;
    int64_t elementBytes = 0;
    llvm::SmallVector<int64_t> sizes, strides;
    int64_t offset = 0, low = 0, high = 0;
    bool isStored = false;
    std::vector<char> saved;

    bool isEmpty() const { return low >= high; }
    uintptr_t getAddress(int64_t element) const {
      return reinterpret_cast<uintptr_t>(data) +
             static_cast<uintptr_t>(element * elementBytes);
    }
    void forEachElement(llvm::function_ref<void(int64_t)> visit) const;
  };
  static llvm::Error setBuffer(const UopParameter &parameter,
                               const UopArgument &argument, Buffer &buffer);
  static llvm::Error setLayout(const UopParameter &parameter,
                               const UopArgument &argument, Buffer &buffer);
  static llvm::Error setExtent(Buffer &buffer);
  static bool overlap(const Buffer &first, const Buffer &second);
  llvm::Error checkOverlap() const;

  /// Of each argument the scalar, or the memref.
  struct Value {
    bool isMemRef = false;
    uint64_t bits = 0;
    Buffer buffer;
  };
  std::vector<Value> values;
  std::vector<MemRefArgument> descriptors;
  llvm::SmallVector<void *> packed;
};

} // namespace uop::capi

#endif // UOP_LIB_CAPI_RUNARGUMENTS_H
