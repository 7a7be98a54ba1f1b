//===- Version.cpp - Which Uop this is ------------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Version.h"
#include "llvm/Support/raw_ostream.h"

void uop::printVersion(llvm::raw_ostream &os) {
  os << "Uop version " UOP_VERSION_STRING "\n";
}
