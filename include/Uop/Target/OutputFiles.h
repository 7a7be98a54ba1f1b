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
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace uop {

struct OutputFile {
  /// Where to write; "-" is standard output.
  std::string path;
  /// What to write, one piece after the other.
  llvm::SmallVector<llvm::StringRef, 2> contents;
};

/// Whether `path` is, or would be, a file with contents of its own, and not
/// "-", a device or a pipe.
bool isRegularOutput(llvm::StringRef path);

/// Whether a file can be written at `path`, as far as one can tell before
/// writing it: leaves nothing behind. The error names the file.
llvm::Error checkOutputFile(llvm::StringRef path);

/// Writes all of `files` beside their places first and then moves them there,
/// so that on an error none of them exists, or its older contents stay. What
/// is behind a symbolic link is replaced, not the link. Devices and pipes are
/// written directly. The error names the file.
llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files);

} // namespace uop

#endif // UOP_TARGET_OUTPUTFILES_H
