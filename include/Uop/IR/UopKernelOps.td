//===- UopKernelOps.td - Kernels and their launch ----------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPKERNELOPS
#define UOP_IR_UOPKERNELOPS

include "Uop/IR/UopOpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Uop_KernelOp : Uop_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "Define a kernel, in graph form or in loop form";
  let description = [{
    A function-like symbol without results. Its arguments are memrefs (any
    strided layout that does not overlap itself, in the default or in the
    global memory space) and scalars; distinct memref arguments do not overlap.

    Without `loops` the kernel is in graph form: one block of ranges, loads,
    pure `arith` and `math` on scalars, reductions, stages and stores, whose
    rules the dialect's description lists. With `loops` it is in loop form:
    upstream's `scf`, `memref`, `vector`, `arith` and `math` under hardware
    ranges, with `uop.alloc`, `uop.barrier`, `uop.phase`, `gpu.shuffle` and
    asynchronous copies of `nvgpu`.

    A scalar argument may state the values that it has, by upstream's attribute
    `llvm.range`, whose upper end is not included. Bounds of index arithmetic
    follow from it, hence simpler and narrower arithmetic, and whoever launches
    the kernel is held to it; an argument of one value is a constant:

    ```mlir
    uop.kernel @clear(%n: index {llvm.range = #llvm.constant_range<i64, 0, 1025>},
                      %out: memref<1024xf32>) {
      %i = uop.range loop %n
      %zero = arith.constant 0.0 : f32
      uop.store %zero, %out[%i] : memref<1024xf32>
    }
    ```

    The attribute `schedule` holds the scheduling steps that are to be applied,
    or, on a mapped kernel, have been.

    ```mlir
    uop.kernel @scale(%in: memref<64x128xf32>, %out: memref<64x128xf32>) {
      %i = uop.range loop 64
      %j = uop.range loop 128
      %x = uop.load %in[%i, %j] : memref<64x128xf32>
      %two = arith.constant 2.0 : f32
      %y = arith.mulf %x, %two : f32
      uop.store %y, %out[%i, %j] : memref<64x128xf32>
    }
    ```

    ```mlir
    !tile = memref<32xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @reverse(%in: memref<256xf32>, %out: memref<256xf32>) {
      %b = uop.range global<x> 8
      %t = uop.range local<x> 32
      %c32 = arith.constant 32 : index
      %c31 = arith.constant 31 : index
      %base = arith.muli %b, %c32 : index
      %i = arith.addi %base, %t : index
      %s = uop.alloc : !tile
      %x = memref.load %in[%i] : memref<256xf32>
      memref.store %x, %s[%t] : !tile
      uop.barrier
      %r = arith.subi %c31, %t : index
      %y = memref.load %s[%r] : !tile
      memref.store %y, %out[%i] : memref<256xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the kernel">:$sym_name,
    Arg<TypeAttrOf<FunctionType>, "its arguments; no results">:$function_type,
    Arg<OptionalAttr<DictArrayAttr>, "">:$arg_attrs,
    Arg<OptionalAttr<DictArrayAttr>, "">:$res_attrs,
    Arg<OptionalAttr<Uop_ScheduleAttr>, "its scheduling steps">:$schedule,
    Arg<UnitAttr, "whether it is in loop form">:$loops);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"bool", "false">:$loops)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Launches are not calls: passes that rewrite a private function along
    /// with all of its callers have to keep off. One that nothing refers to may
    /// still go.
    bool isPublic() { return true; }
    bool canDiscardOnUseEmpty() {
      return getVisibility() != ::mlir::SymbolTable::Visibility::Public;
    }
    bool isGraphForm() { return !getLoops(); }
    /// Whether every output range has a hardware dimension or a serial axis,
    /// that is, no open `loop` range is left in a store domain.
    bool isMapped();
  }];
}

def Uop_LaunchOp : Uop_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel from host code";
  let description = [{
    Launches run in order and copy nothing: the memrefs are what the kernel
    sees. Overlapping arguments are refused where they are visibly so and the
    kernel stores to one of them.

    ```mlir
    uop.kernel @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
      %i = uop.range loop 8
      %x = uop.load %in[%i] : memref<8xf32>
      uop.store %x, %out[%i] : memref<8xf32>
    }
    func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
      uop.launch @copy(%a, %b) : memref<8xf32>, memref<8xf32>
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the kernel">:$kernel,
    Arg<Variadic<AnyType>, "what it is given, in order">:$args);
  let assemblyFormat = [{
    $kernel `(` $args `)` attr-dict (`:` type($args)^)?
  }];
}

#endif // UOP_IR_UOPKERNELOPS
