//===- Poly.h - The dialect of the example ----------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef POLY_POLY_H
#define POLY_POLY_H

#include "Uop/IR/Uop.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "Poly/PolyDialect.h.inc"
#define GET_OP_CLASSES
#include "Poly/PolyOps.h.inc"

namespace poly {

#define GEN_PASS_DECL
#include "Poly/PolyPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "Poly/PolyPasses.h.inc"

} // namespace poly

#endif // POLY_POLY_H
