//===- UopOps.td - All ops of the uop dialect --------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPOPS
#define UOP_IR_UOPOPS

include "Uop/IR/UopGraphOps.td"
include "Uop/IR/UopKernelOps.td"
include "Uop/IR/UopLoopOps.td"
include "Uop/IR/UopRangeOps.td"

#endif // UOP_IR_UOPOPS
