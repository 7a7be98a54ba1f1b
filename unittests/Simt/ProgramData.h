//===- ProgramData.h - Arguments of random programs -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_PROGRAMDATA_H
#define UOP_UNITTESTS_SIMT_PROGRAMDATA_H

#include "RandomProgram.h"

namespace uop::simt {

/// The buffers of a program: inputs at random, outputs with a sentinel, and
/// around each what nobody may write.
class ProgramData {
public:
  explicit ProgramData(const RandomProgram &program);

  /// Where the elements of a parameter begin, at 64 bytes.
  uint8_t *get(unsigned parameter) { return buffers[parameter].data(); }

  /// Where this differs from what is expected, or an empty text. A NaN is any
  /// NaN.
  std::string compare(ProgramData &expected, const RandomProgram &program);

private:
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  struct Guarded {
    std::vector<Line> lines;
    uint8_t *data() { return lines[1].bytes; }
  };

  std::vector<Guarded> buffers;
};

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_PROGRAMDATA_H
