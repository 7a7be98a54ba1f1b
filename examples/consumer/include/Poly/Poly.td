//===- Poly.td - The dialect of the example -------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef POLY_TD
#define POLY_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Poly_Dialect : Dialect {
  let name = "poly";
  let cppNamespace = "::poly";
  let summary = "Polynomials of arrays";
}

def Poly_EvalOp : Op<Poly_Dialect, "eval", [SameTypeOperands]> {
  let summary = "Evaluate a polynomial at every element of an array";
  let description = [{
    Element i of `y` becomes c0 + c1*x[i] + c2*x[i]^2 and so on, by Horner's
    rule.

    ```mlir
    poly.eval [1.0, 2.0, 3.0] of %x into %y : memref<?x?xf32>
    ```
  }];
  let arguments = (ins
    DenseF32ArrayAttr:$coefficients,
    Arg<MemRefOf<[F32]>, "where it is evaluated", [MemRead]>:$x,
    Arg<MemRefOf<[F32]>, "the values", [MemWrite]>:$y);
  let assemblyFormat = [{
    $coefficients `of` $x `into` $y attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def ConvertPolyToUop : Pass<"convert-poly-to-uop", "::mlir::ModuleOp"> {
  let summary = "Make a uop kernel and its launch of every poly.eval";
  let dependentDialects = ["::uop::UopDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MapPoly : Pass<"map-poly", "::uop::KernelOp"> {
  let summary = "Map a kernel: rows to blocks, elements to blocks of threads";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"threads", "threads", "int64_t", "128", "Threads of a block">
  ];
}

#endif // POLY_TD
