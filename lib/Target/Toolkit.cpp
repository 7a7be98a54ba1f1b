//===- Toolkit.cpp - Where the CUDA toolkit is ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

uop::Toolkit::Toolkit(StringRef path) {
  auto add = [&](StringRef root) {
    if (!root.empty() && !is_contained(roots, root))
      roots.push_back(root.str());
  };
  if (!path.empty()) {
    add(path);
    return;
  }
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> root = sys::Process::GetEnv(variable))
      add(*root);
  for (const char *program : {"ptxas", "nvcc"})
    if (ErrorOr<std::string> found = sys::findProgramByName(program)) {
      // The toolkit is where the file is, not where a link to it is.
      SmallString<128> real;
      if (sys::fs::real_path(*found, real))
        real = *found;
      add(sys::path::parent_path(sys::path::parent_path(real)));
    }
  add("/usr/local/cuda");
}

static std::optional<std::string> findBelow(ArrayRef<std::string> roots,
                                            ArrayRef<const char *> names) {
  for (const std::string &root : roots)
    for (const char *name : names) {
      SmallString<128> path(root);
      sys::path::append(path, name);
      if (sys::fs::exists(path) && !sys::fs::is_directory(path))
        return std::string(path);
    }
  return std::nullopt;
}

std::optional<std::string> uop::Toolkit::findLibdevice() const {
  // The last is Debian's place, for the root /usr.
  return findBelow(roots,
                   {"nvvm/libdevice/libdevice.10.bc",
                    "lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"});
}

std::optional<std::string> uop::Toolkit::findPtxas() const {
  return findBelow(roots, {"bin/ptxas"});
}

std::string uop::Toolkit::describePlaces() const { return join(roots, ", "); }

StringRef uop::getLibdevicePackages() {
  return "nvvm/libdevice/libdevice.10.bc is in the CUDA toolkit ("
         "Debian's package nvidia-cuda-toolkit; PyPI's nvidia-nvvm, or "
         "nvidia-cuda-nvcc-cu12 for CUDA 12)";
}

StringRef uop::getPtxasPackages() {
  return "bin/ptxas is in the CUDA toolkit (Debian's package "
         "nvidia-cuda-toolkit; PyPI's nvidia-cuda-nvcc, or "
         "nvidia-cuda-nvcc-cu12 for CUDA 12)";
}
