//===- Passes.td - The passes of Uop/Emulator ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_PASSES
#define UOP_EMULATOR_PASSES

include "mlir/Pass/PassBase.td"

def EmulateGpu : Pass<"uop-emulate-gpu", "mlir::ModuleOp"> {
  let summary = "Replace gpu kernels and their launches by loops on the CPU";
  let description = [{
    Makes host code of a module with `gpu.launch_func` (or `gpu.launch`): each
    launch becomes a call of a function that loops over the blocks of the grid
    and, in each block, over its threads. No operation of the `gpu` dialect is
    left. The result uses `scf`, `memref`, `arith`, `func`, what the kernel
    uses besides, and calls of the C library for messages.

    A kernel is cut at its barriers. What a thread does from one barrier to the
    next, also around the back edge of a loop, is run thread after thread; then
    all threads are at the next barrier. So a kernel that lacks a barrier is not
    repaired by the order of the threads. Values that live beyond a barrier are
    kept for each thread; workgroup memory is allocated for each block and filled
    with a pattern (NaN for floats, bytes 0xA5 for integers), or with zeros where
    its attribution has the attribute `uop.zero`.

    Barriers may be inside of `scf.for`, `scf.if` and `scf.while`, or of
    unstructured control flow that can be lifted to these. Where threads of a
    block may decide differently in such an op, they vote; if they disagree the
    run ends with status 1 and a message that names the op, the places where the
    threads are, and how many and which are there. If the block size is a
    constant and a decision is computed from thread ids and constants, that is an
    error at compile time.

    A `gpu.shuffle` of any mode is cut like a barrier: the threads leave their
    values, and when all have, each takes that of its partner. So all threads of
    the block must come to it, where a device asks for those of the subgroup only;
    and memory that they wrote before it is seen by all of them after it, which a
    device does not promise. Lanes are counted by the linear thread id. The width
    is a constant power of two of at most the subgroup's size; the offset is any
    unsigned number. Where the partner is beyond the width or beyond the block,
    and in lanes from the width on, the result is the thread's own value, and
    not valid. (A device takes the offset modulo 32, and leaves all of these but
    a partner beyond a width of 32 undefined.)

    The code grows with the number of ops times the number of barriers from which
    an op can be reached without another one. That is linear but for many loops
    or conditions in a row that hold barriers and may all be skipped.

    A kernel that is not launched is dropped. Memory operations of the host
    (`gpu.alloc`, `gpu.memcpy`, ...) become those of memref, and asynchronous
    operations happen in the order of the text.

    An integer division by zero ends the run with status 1 and a message that
    names the op and the block; the least number divided by -1 wraps.

    A block may have as much shared memory as on the chip, the dynamic part of a
    launch included, which is a constant.

    With `checked` each access of memory is tested to be in bounds and aligned,
    and reported by a call of a function `uop_check_...`, as is what else
    CheckSession of Uop/Emulator/Check.h has to know; threads that disagree at a
    barrier do not end the run. An operation that may access memory and is not
    known is an error. docs/Checking.md says what is found.

    Not supported, and refused by name: rotations, reductions and matrix
    operations of subgroups and blocks, `gpu.printf`, clusters,
    calls of functions (inline them first), and workgroup memory that
    is allocated inside of the kernel.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
           "Loop over blocks with scf.parallel rather than with scf.for">,
    Option<"subgroupSize", "subgroup-size", "int64_t", /*default=*/"32",
           "Threads in a subgroup: 32, or 64 on some AMD chips">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip whose limit of shared memory holds (default: sm_80)">,
    Option<"checked", "checked", "bool", /*default=*/"false",
           "Report every access of memory to the functions of "
           "Uop/Emulator/Check.h, which the host of the code must have; blocks "
           "run one after another (default: false)">,
    Option<"sample", "sample", "bool", /*default=*/"false",
           "With checked: run the first and the last block of a grid only "
           "(default: false)">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect", "mlir::ub::UBDialect"
  ];
}

def GuardDivisions : Pass<"uop-guard-divisions", "mlir::ModuleOp"> {
  let summary = "End the run where a kernel on the CPU divides by zero";
  let description = [{
    In functions with the attribute `uop.kernel`, which `convert-uop-to-func`
    makes of kernels, an integer division by zero ends the run with status 1 and
    a message that names the op, and the least number divided by -1 wraps. The
    attribute goes. `uop-emulate-gpu` does the same for the kernels that it
    takes.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"
  ];
}

def DropMemorySpaces : Pass<"uop-drop-memory-spaces"> {
  let summary = "Take the memory spaces of the gpu dialect from all memrefs";
  let description = [{
    A CPU has one memory: what `#gpu.address_space` tells apart is the same
    there.
  }];
}

def DropFastMath : Pass<"uop-drop-fast-math"> {
  let summary = "Remove fast-math flags";
  let description = [{
    The emulator computes each operation by itself. A flag would let the
    compiler for the CPU fuse or reorder in another way than the one for the
    device does. Upstream's emulation of narrow floats also puts `contract` on
    the conversions that it inserts, by which a rounding can be folded away.
  }];
}

def NarrowFloats : Pass<"uop-narrow-floats"> {
  let summary = "Round once what f32 would round twice to f16 and bf16";
  let description = [{
    `math.fma` of f16 and bf16, `truncf` from f64 to these, and conversions of
    integers of more than 24 bits to bf16 become arithmetic of f64 and f32 that
    rounds to odd before it rounds to nearest. Other operations may be computed
    in f32.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect"
  ];
}

def BFloat16ToBits : Pass<"uop-bfloat16-to-bits"> {
  let summary = "Make i16 of bf16 in code of the LLVM dialect";
  let description = [{
    When all arithmetic of bf16 has become that of f32, what is left of the type
    moves data: loads, stores, selects. LLVM may do this by way of f32, and
    round back with an instruction (vcvtneps2bf16) that flushes subnormal
    numbers to zero. As integers they stay what they are.
  }];
}

def LowerCopies : Pass<"uop-lower-copies"> {
  let summary = "Take copies of strided memrefs to loops";
  let description = [{
    Upstream's lowering of `memref.copy` calls a function of MLIR's runner
    library where a layout is not the identity. Here it is a loop nest, and the
    code needs no library.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect"
  ];
}

def LowerExtrema : Pass<"uop-lower-extrema"> {
  let summary = "Take extrema of floats to LLVM intrinsics";
  let description = [{
    The expansion of upstream's `arith-expand` gives -0 for the maximum of +0
    and -0. LLVM's intrinsics are exact: `maximum` for maximumf, and
    `maximumnum` for maxnumf, which take +0 for the greater zero, as PTX does;
    what `llvm.maxnum` makes of two zeros depends on their order. They are also
    one operation each: a chain of comparisons and selects, of which each uses
    the one before it twice, takes LLVM's loop vectoriser a time exponential in
    its length.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def ExpandAtomics : Pass<"uop-expand-atomics", "mlir::ModuleOp"> {
  let summary = "Do atomic updates that LLVM lacks by comparing and swapping";
  let description = [{
    LLVM has no atomic product and none on `i1`, and its atomic updates of
    floats leave zeros and NaN open: these, and `memref.generic_atomic_rmw`,
    become loops around a compare-and-swap of the element's bits.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect"];
}

def ExpandMath : Pass<"uop-expand-math", "mlir::ModuleOp"> {
  let summary = "Replace math functions by calls of the C library";
  let description = [{
    Unlike `convert-math-to-libm` it leaves the operations that are correctly
    rounded instructions (`sqrt`, `fma`, `floor`, ...) and those that the C
    library does not have; `convert-math-to-llvm` takes these. Unlike the latter
    alone it does not compute `log1p` and `expm1` by way of `log` and `exp`,
    which loses what they are for.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // UOP_EMULATOR_PASSES
