//===- OpenCL.h - Kernels through an OpenCL driver --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PoCL, which runs OpenCL kernels on the CPU, through the loader of OpenCL
// drivers. Both are looked for at run time.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_EMULATOR_OPENCL_H
#define UOP_BENCHMARKS_EMULATOR_OPENCL_H

#include "llvm/Support/DynamicLibrary.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace uop::bench {

class OpenCL {
public:
  /// False where there is no PoCL; describe() says what is missing.
  bool load();
  const std::string &describe() const { return description; }

  /// Kernels of the source at `path`; false after a message where it has
  /// errors.
  bool build(const std::string &path);
  /// Null where there is no such kernel.
  void *getKernel(const char *name);

  /// Runs kernel(n, A, B, C) on n x n matrices with 16x16 work-items a group,
  /// `tile` rows and columns of C a group. The buffers are the host's memory.
  bool multiply(void *kernel, int n, int tile, const float *A, const float *B,
                float *C);

private:
  bool find();
  bool open();

  llvm::sys::DynamicLibrary library;
  std::string description;
  void *device = nullptr, *context = nullptr, *queue = nullptr,
       *program = nullptr;

  // The functions of OpenCL 1.2 that are needed, by the names of its manual.
  using Int = int32_t;
  using UInt = uint32_t;
  using Bits = uint64_t;
  Int (*getPlatformIDs)(UInt, void **, UInt *) = nullptr;
  Int (*getPlatformInfo)(void *, UInt, size_t, void *, size_t *) = nullptr;
  Int (*getDeviceIDs)(void *, Bits, UInt, void **, UInt *) = nullptr;
  Int (*getDeviceInfo)(void *, UInt, size_t, void *, size_t *) = nullptr;
  void *(*createContext)(const intptr_t *, UInt, void *const *, void *, void *,
                         Int *) = nullptr;
  void *(*createCommandQueue)(void *, void *, Bits, Int *) = nullptr;
  void *(*createProgram)(void *, UInt, const char **, const size_t *,
                         Int *) = nullptr;
  Int (*buildProgram)(void *, UInt, void *const *, const char *, void *,
                      void *) = nullptr;
  Int (*getBuildInfo)(void *, void *, UInt, size_t, void *, size_t *) = nullptr;
  void *(*createKernel)(void *, const char *, Int *) = nullptr;
  void *(*createBuffer)(void *, Bits, size_t, void *, Int *) = nullptr;
  Int (*setKernelArg)(void *, UInt, size_t, const void *) = nullptr;
  Int (*enqueueKernel)(void *, void *, UInt, const size_t *, const size_t *,
                       const size_t *, UInt, void *, void *) = nullptr;
  void *(*enqueueMap)(void *, void *, UInt, Bits, size_t, size_t, UInt, void *,
                      void *, Int *) = nullptr;
  Int (*enqueueUnmap)(void *, void *, void *, UInt, void *, void *) = nullptr;
  Int (*finish)(void *) = nullptr;
  Int (*releaseBuffer)(void *) = nullptr;
};

} // namespace uop::bench

#endif // UOP_BENCHMARKS_EMULATOR_OPENCL_H
