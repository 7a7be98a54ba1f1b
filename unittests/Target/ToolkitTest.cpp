//===- ToolkitTest.cpp - Tests of the search for the CUDA toolkit ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/Toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace {

void createFile(llvm::StringRef path) {
  std::error_code error =
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  ASSERT_FALSE(error) << error.message();
  llvm::raw_fd_ostream os(path, error);
  ASSERT_FALSE(error) << error.message();
}

TEST(Toolkit, LooksBelowTheGivenPathOnly) {
  llvm::SmallString<128> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("uop-toolkit", root));
  uop::Toolkit toolkit(root);
  EXPECT_EQ(toolkit.findLibdevice(), std::nullopt);
  EXPECT_EQ(toolkit.findPtxas(), std::nullopt);
  EXPECT_EQ(toolkit.describePlaces(), root.str().str());

  std::string library = (root + "/nvvm/libdevice/libdevice.10.bc").str();
  std::string ptxas = (root + "/bin/ptxas").str();
  createFile(library);
  createFile(ptxas);
  EXPECT_EQ(toolkit.findLibdevice(), library);
  EXPECT_EQ(toolkit.findPtxas(), ptxas);
  llvm::sys::fs::remove_directories(root);
}

TEST(Toolkit, FindsDebiansPlace) {
  llvm::SmallString<128> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("uop-toolkit", root));
  std::string library =
      (root + "/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc").str();
  createFile(library);
  EXPECT_EQ(uop::Toolkit(root).findLibdevice(), library);
  llvm::sys::fs::remove_directories(root);
}

} // namespace
