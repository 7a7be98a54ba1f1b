//===- OutputFiles.cpp - Write files whole or not at all ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/OutputFiles.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <filesystem>
#include <optional>

using namespace llvm;

static Error cannotWrite(StringRef path, const Twine &cause) {
  return createStringError("cannot write '" + path + "': " + cause);
}

static Error cannotWrite(StringRef path, Error cause) {
  return cannotWrite(path, toString(std::move(cause)));
}

namespace {
/// Where the bytes for a path go.
struct Target {
  /// The path behind all links.
  std::string path;
  /// False for what a file cannot take the place of: a device, a pipe, "-".
  bool isRegular = true;
  /// The permissions of the file that is replaced.
  std::optional<sys::fs::perms> permissions;
};
} // namespace

/// Follows links to what they name, whether that exists or not. The system
/// gives up after 40 links, too.
static Expected<std::string> followLinks(StringRef path) {
  std::filesystem::path current(path.str());
  std::error_code error;
  for (int i = 0; i < 40; ++i) {
    if (!std::filesystem::is_symlink(current, error))
      return current.string();
    std::filesystem::path next = std::filesystem::read_symlink(current, error);
    if (error)
      return cannotWrite(path, error.message());
    // A relative link is relative to where it lies.
    current = current.parent_path() / next;
  }
  return cannotWrite(path, "Too many levels of symbolic links");
}

static Expected<Target> findTarget(StringRef path) {
  if (path == "-")
    return Target{"-", /*isRegular=*/false, std::nullopt};
  sys::fs::file_status status;
  std::error_code error = sys::fs::status(path, status);
  if (error && error != errc::no_such_file_or_directory)
    return cannotWrite(path, error.message());
  if (!error) {
    if (sys::fs::is_directory(status))
      return cannotWrite(path, "it is a directory");
    // A file that may not be changed must not be replaced either.
    error = sys::fs::access(path, sys::fs::AccessMode::Write);
    if (error)
      return cannotWrite(path, error.message());
    // Not by its name behind the links, which a pipe need not have.
    if (!sys::fs::is_regular_file(status))
      return Target{path.str(), /*isRegular=*/false, std::nullopt};
  }
  Expected<std::string> target = followLinks(path);
  if (!target)
    return target.takeError();
  if (sys::fs::exists(status))
    return Target{*target, /*isRegular=*/true, status.permissions()};
  return Target{*target, /*isRegular=*/true, std::nullopt};
}

/// Opens a file beside `target`, which takes its place later.
static Expected<sys::fs::TempFile> createBeside(StringRef path,
                                                const Target &target) {
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(target.path + ".tmp%%%%%%%%");
  if (!file)
    return cannotWrite(path, file.takeError());
  return file;
}

/// Writes to `fd` and, if `close`, closes it.
static Error writeTo(int fd, bool close, ArrayRef<StringRef> contents) {
  raw_fd_ostream os(fd, close);
  for (StringRef piece : contents)
    os << piece;
  os.flush();
  if (!os.has_error())
    return Error::success();
  std::error_code error = os.error();
  os.clear_error();
  return errorCodeToError(error);
}

static Error writeStream(StringRef path, ArrayRef<StringRef> contents) {
  if (path == "-")
    return writeTo(/*fd=*/1, /*close=*/false, contents);
  int fd = 0;
  if (std::error_code error =
          sys::fs::openFileForWrite(path, fd, sys::fs::CD_OpenExisting))
    return errorCodeToError(error);
  return writeTo(fd, /*close=*/true, contents);
}

bool uop::isRegularOutput(StringRef path) {
  Expected<Target> target = findTarget(path);
  if (target)
    return target->isRegular;
  consumeError(target.takeError());
  return true;
}

Error uop::checkOutputFile(StringRef path) {
  Expected<Target> target = findTarget(path);
  if (!target)
    return target.takeError();
  if (!target->isRegular)
    return Error::success();
  Expected<sys::fs::TempFile> file = createBeside(path, *target);
  return file ? file->discard() : file.takeError();
}

Error uop::writeOutputFiles(ArrayRef<OutputFile> files) {
  SmallVector<Target, 2> targets;
  for (auto [index, output] : enumerate(files)) {
    Expected<Target> target = findTarget(output.path);
    if (!target)
      return target.takeError();
    for (auto [other, earlier] : zip(files, targets))
      if (target->isRegular && target->path == earlier.path)
        return cannotWrite(output.path, "'" + other.path +
                                            "', which is the same file, is "
                                            "written as well");
    targets.push_back(std::move(*target));
  }

  struct Written {
    sys::fs::TempFile file;
    StringRef path, target;
  };
  SmallVector<Written, 2> written;
  llvm::scope_exit discard([&] {
    for (Written &each : written)
      consumeError(each.file.discard());
  });
  for (auto [output, target] : zip_equal(files, targets)) {
    if (!target.isRegular)
      continue;
    Expected<sys::fs::TempFile> file = createBeside(output.path, target);
    if (!file)
      return file.takeError();
    int fd = file->FD;
    written.push_back({std::move(*file), output.path, target.path});
    if (Error error = writeTo(fd, /*close=*/false, output.contents))
      return cannotWrite(output.path, std::move(error));
    if (target.permissions)
      if (std::error_code error =
              sys::fs::setPermissions(fd, *target.permissions))
        return cannotWrite(output.path, error.message());
  }
  for (auto [output, target] : zip_equal(files, targets))
    if (!target.isRegular)
      if (Error error = writeStream(target.path, output.contents))
        return cannotWrite(output.path, std::move(error));

  discard.release();
  Error result = Error::success();
  for (Written &each : written)
    if (Error error = each.file.keep(each.target)) {
      consumeError(each.file.discard());
      result = joinErrors(std::move(result),
                          cannotWrite(each.path, std::move(error)));
    }
  return result;
}
