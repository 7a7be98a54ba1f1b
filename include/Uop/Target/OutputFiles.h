//===- OutputFiles.h - Write files whole or not at all ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_OUTPUTFILES_H
#define UOP_TARGET_OUTPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace uop {

struct OutputFile {
  /// Where to write; "-" is standard output.
  llvm::StringRef path;
  llvm::StringRef contents;
};

/// Writes all of `files` beside their places first and then moves them there,
/// so that on an error none of them exists, or its older contents stay.
/// Devices and pipes are written directly. The error names the file.
llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files);

} // namespace uop

#endif // UOP_TARGET_OUTPUTFILES_H
