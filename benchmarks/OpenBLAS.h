//===- OpenBLAS.h - The matrix product of OpenBLAS --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_OPENBLAS_H
#define UOP_BENCHMARKS_OPENBLAS_H

#include "llvm/Support/DynamicLibrary.h"
#include <string>

namespace uop::bench {

/// The functions of OpenBLAS that are needed, by the names of its manual.
class OpenBLAS {
public:
  bool load() {
    for (const char *name : {"libopenblas.so.0", "libopenblas.so"}) {
      library = llvm::sys::DynamicLibrary::getPermanentLibrary(name);
      if (library.isValid())
        return find(gemm, "cblas_sgemm") &&
               find(setThreads, "openblas_set_num_threads") &&
               find(getCore, "openblas_get_corename") &&
               find(getConfig, "openblas_get_config");
    }
    return false;
  }

  void multiply(int n, const float *A, const float *B, float *C) {
    constexpr int rowMajor = 101, noTranspose = 111;
    gemm(rowMajor, noTranspose, noTranspose, n, n, n, 1, A, n, B, n, 0, C, n);
  }
  void useThreads(int count) { setThreads(count); }
  std::string describe() const {
    return std::string(getConfig()) + ", kernel " + getCore();
  }

private:
  template <typename Function> bool find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(library.getAddressOfSymbol(name));
    return function != nullptr;
  }

  llvm::sys::DynamicLibrary library;
  void (*gemm)(int, int, int, int, int, int, float, const float *, int,
               const float *, int, float, float *, int) = nullptr;
  void (*setThreads)(int) = nullptr;
  char *(*getCore)() = nullptr;
  char *(*getConfig)() = nullptr;
};

} // namespace uop::bench

#endif // UOP_BENCHMARKS_OPENBLAS_H
