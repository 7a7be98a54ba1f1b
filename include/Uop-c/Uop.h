//===- Uop.h - The C API of Uop -----------------------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of it that needs no other library's headers. It is C11, and C++ as well;
// link it with libUop-C. Begin with Support.h, which says what holds for all
// functions. Hosts that use MLIR's own C API include Uop-c/MLIR.h, too.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_UOP_H
#define UOP_C_UOP_H

#include "Uop-c/Compile.h"
#include "Uop-c/Module.h"
#include "Uop-c/Run.h"
#include "Uop-c/Support.h"

#endif // UOP_C_UOP_H
