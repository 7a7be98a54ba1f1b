//===- OutputFiles.cpp - Write files whole or not at all ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/OutputFiles.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static Error cannotWrite(StringRef path, Error cause) {
  return createStringError("cannot write '" + path +
                           "': " + toString(std::move(cause)));
}

/// Writes to `fd` and, if `close`, closes it.
static Error writeTo(int fd, bool close, StringRef contents) {
  raw_fd_ostream os(fd, close);
  os << contents;
  os.flush();
  if (!os.has_error())
    return Error::success();
  std::error_code error = os.error();
  os.clear_error();
  return errorCodeToError(error);
}

/// True for what cannot be replaced by a file: a device, a pipe, "-".
static bool isStream(StringRef path) {
  if (path == "-")
    return true;
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && sys::fs::exists(status) &&
         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status);
}

static Error writeStream(StringRef path, StringRef contents) {
  if (path == "-")
    return writeTo(/*fd=*/1, /*close=*/false, contents);
  int fd = 0;
  if (std::error_code error = sys::fs::openFileForWrite(path, fd))
    return errorCodeToError(error);
  return writeTo(fd, /*close=*/true, contents);
}

Error uop::writeOutputFiles(ArrayRef<OutputFile> files) {
  SmallVector<std::pair<sys::fs::TempFile, StringRef>, 2> written;
  llvm::scope_exit discard([&] {
    for (auto &[file, path] : written)
      consumeError(file.discard());
  });

  for (const OutputFile &output : files) {
    if (isStream(output.path))
      continue;
    if (sys::fs::is_directory(output.path))
      return cannotWrite(output.path, errorCodeToError(make_error_code(
                                          llvm::errc::is_a_directory)));
    Expected<sys::fs::TempFile> file =
        sys::fs::TempFile::create(output.path + ".tmp%%%%%%%%");
    if (!file)
      return cannotWrite(output.path, file.takeError());
    int fd = file->FD;
    written.emplace_back(std::move(*file), output.path);
    if (Error error = writeTo(fd, /*close=*/false, output.contents))
      return cannotWrite(output.path, std::move(error));
  }
  for (const OutputFile &output : files)
    if (isStream(output.path))
      if (Error error = writeStream(output.path, output.contents))
        return cannotWrite(output.path, std::move(error));

  discard.release();
  Error result = Error::success();
  for (auto &[file, path] : written)
    if (Error error = file.keep(path)) {
      consumeError(file.discard());
      result =
          joinErrors(std::move(result), cannotWrite(path, std::move(error)));
    }
  return result;
}
