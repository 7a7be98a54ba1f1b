//===- RandomProgram.h - Random kernels without races -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_RANDOMPROGRAM_H
#define UOP_UNITTESTS_SIMT_RANDOMPROGRAM_H

#include "SimtInterpreter.h"

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace uop::simt {

/// A buffer of the host that a kernel has as an argument.
struct Parameter {
  enum class Role {
    /// Read only, with random contents.
    Input,
    /// Input whose elements are indices below `below`.
    Indices,
    /// Each thread writes elements of its own.
    Output,
    /// All threads update it atomically.
    Atomic
  };
  Role role;
  std::string name, element;
  std::vector<int64_t> shape;
  bool isDynamic = false;
  int64_t below = 0;

  /// As the kernel and the host function have it.
  std::string getType() const;
  int64_t getNumElements() const;
};

/// A kernel in the gpu dialect and its launch. It has no races, and no result
/// depends on the order of its threads.
struct RandomProgram {
  uint64_t seed = 0;
  std::string name;
  /// The gpu.func.
  std::string kernel;
  Dim3 grid, block;
  /// Blocks in a cluster, where the launch says so.
  std::optional<Dim3> cluster;
  /// Whether the sizes of the launch are arguments of the host function.
  bool isDynamicLaunch = false;
  std::vector<Parameter> parameters;

  /// The gpu.module @m_NAME with the kernel @k, and the host function
  /// @run_NAME.
  std::string getText() const;
};

/// The same program for the same seed, on every machine.
RandomProgram createRandomProgram(uint64_t seed, llvm::StringRef name);

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_RANDOMPROGRAM_H
