//===- Toolkit.h - Where the CUDA toolkit is ---------------------*- C++
//-*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two files of the CUDA toolkit are needed: libdevice, the math functions as
// LLVM bitcode, and ptxas, the assembler. They are looked for in this order:
//
//   1. the path that the caller gives, and then nowhere else;
//   2. $CUDA_HOME, 3. $CUDA_PATH;
//   4. the directory above that of a ptxas or nvcc on PATH;
//   5. /usr/local/cuda.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_TOOLKIT_H
#define UOP_TARGET_TOOLKIT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace uop {

class Toolkit {
public:
  /// Looks below `path` only, or if it is empty in the places above.
  explicit Toolkit(llvm::StringRef path = {});

  /// The path of libdevice.10.bc, if it is there.
  std::optional<std::string> findLibdevice() const;

  /// The path of ptxas, if it is there.
  std::optional<std::string> findPtxas() const;

  /// Where was looked, for messages: "/opt/cuda, /usr/local/cuda".
  std::string describePlaces() const;

private:
  llvm::SmallVector<std::string> roots;
};

/// Which packages have the two files, for messages.
llvm::StringRef getLibdevicePackages();
llvm::StringRef getPtxasPackages();

} // namespace uop

#endif // UOP_TARGET_TOOLKIT_H
