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

    Barriers may be inside of `scf.for`, `scf.if` and `scf.while`, and of what can
    be brought into these: unstructured control flow, `scf.index_switch`,
    `scf.execute_region`, `scf.forall`, `scf.parallel` without reductions, and
    affine loops and conditions. Where threads of a block may decide differently
    in such an op, they vote; if they disagree the run ends with status 1 and a
    message that names the op, the places where the threads are, and how many and
    which are there. If the block size is a constant and a decision is computed
    from thread ids and constants, that is an error at compile time.

    A thread that returns early takes no part in what follows: in unstructured
    control flow with more than one way to return (blocks that do nothing but
    return count once for each branch to them), whoever returns has left the
    kernel. Barriers and votes are those of the others; reductions leave its value
    out; a shuffle from it is not valid. Structured control flow has no early
    return: that one side of an `scf.if` comes to a barrier and the other to the
    end of the kernel is a disagreement.

    Functions of the `gpu.module` are inlined, also where they hold barriers.
    Recursion is refused, and so are functions without a body but for those of
    CUDA's libdevice that are an op of `math` (`__nv_expf`, ...).

    Collectives cut a kernel as barriers do: `gpu.shuffle`, `gpu.rotate`,
    `gpu.subgroup_broadcast`, `gpu.all_reduce`, `gpu.subgroup_reduce`,
    `gpu.subgroup_mma_*`, `nvgpu.ldmatrix`, `nvgpu.mma.sync`, and of the `nvvm`
    dialect `barrier`, `barrier0`, `bar.warp.sync`, `shfl.sync`, `vote.sync` and
    `redux.sync` with a mask of all lanes, and the registers of ids and lane masks.
    The threads leave their values, and when all have, each takes its result.
    Memory that they wrote before is seen by all of them after it, which a device
    does not promise. All threads of a subgroup that have not left must come to a
    collective of subgroups (to a shuffle, the first lanes up to its width), and all
    of the block to a `gpu.all_reduce`. Where subgroups may go different ways, each
    is run by itself from one barrier of the block to the next, and lanes that are
    at different collectives go on from that which comes first in the text.

    * Lanes are counted by the linear thread id. The width of a shuffle is 1 to
      the subgroup's size; the offset is any unsigned number. Where the partner is
      beyond the width, beyond the block or has left, and in lanes from the width
      on, the result is the thread's own value, and not valid. (A device takes the
      offset modulo 32, and leaves all of these but a partner beyond a width of 32
      undefined.)
    * A reduction combines neighbours first, then neighbouring pairs, and so on,
      as upstream's lowering to shuffles does.
    * A product of matrices adds, in the order of ascending k, exact products to
      C: of f16, bf16 and tf32 (whose low 13 bits are ignored) in f32 with one
      rounding each, of f64 as fused multiply-adds. A result of f16 is rounded at
      the end. Integers are exact; `nvgpu.mma.sync` clamps its result to 32 bits,
      as upstream lowers it, `gpu.subgroup_mma_compute` wraps. A device may add in
      another order. Fragments of nvgpu lie as the PTX ISA says.

    `gpu.printf` writes to standard output, for the threads of a block in the order
    of their ids between two barriers; blocks may run at the same time. Arguments
    are brought to the types that the format names.

    The code grows with the number of ops times the number of barriers from which
    an op can be reached without another one. That is linear but for many loops
    or conditions in a row that hold barriers and may all be skipped.

    A kernel that is not launched is dropped. The device shares the memory of
    the host: `gpu.alloc` (of any strided layout), `gpu.dealloc`, `gpu.memcpy`
    and `gpu.memset` become operations of memref, `gpu.host_register`,
    `gpu.host_unregister` and `gpu.set_default_device` go, and so do calls of
    `mgpuMemHostRegister*` and `mgpuMemGetDeviceMemRef*`, functions of upstream's
    run-time library. `gpu.memcpy` between buffers of unequal sizes ends the run.
    A launch may be a `gpu.launch`, which is outlined, and its sizes of any type;
    its stream, as an object, is ignored. Buffers of a `gpu.module` live as long
    as the program, but for those in workgroup memory.

    Asynchronous operations happen in the order of the text, one of the orders
    that their tokens allow; tokens may go through control flow, functions and
    the `async` dialect. Only where a kernel has a loop whose end may depend on
    memory does an asynchronous launch run beside the host and other launches,
    by the `async` dialect, so that kernels can wait for each other: as many at
    one time as the CPU has cores.

    The limits of a launch hold before it runs: 1024 threads in a block, (1024,
    1024, 64) at most, (2147483647, 65535, 65535) blocks, 48 KiB of static shared
    memory and, dynamic memory included, what the chip has, 512 KiB for a private
    buffer. Constants are checked at compile time; other values end the run with a
    message and status 1. A grid or a block of size zero is an error, as it is for
    the driver.

    An integer division by zero ends the run with status 1 and a message that
    names the op and the block; the least number divided by -1 wraps.

    With `checked` each access of memory is tested to be in bounds and aligned,
    and reported by a call of a function `uop_check_...`, as is what else
    CheckSession of Uop/Emulator/Check.h has to know; threads that disagree at a
    barrier do not end the run. An operation that may access memory and is not
    known is an error. docs/Checking.md says what is found. With `detect` the
    code asks no more than whether anything may be wrong, which it tells by
    `uop_check_fire`; a kernel for which that cannot be asked tells so at once,
    and does nothing.

    With `counted` each access of global and shared memory, each iteration of a
    loop and each branch is reported by a call of a function `uop_count_...`, for
    CountSession of Uop/Emulator/Count.h, which counts the requests of warps
    (docs/Reports.md). Not together with `checked`.

    A launch may be one of clusters, of at most 8 blocks, the number that every
    chip with clusters has; the grid is one of whole clusters. Without them each
    block is one. A body of a `gpu.launch` has the size of a cluster from
    `gpu.cluster_dim_blocks`, where upstream's outlining gives the number of
    clusters.

    Not supported, and refused by name: barriers and shared memory of a cluster,
    sparse products and handles of sparse matrices, the operations of Hopper
    (`nvgpu.mbarrier`, `nvgpu.tma`, `nvgpu.warpgroup`), barriers of a part of a
    block, and workgroup memory that is allocated inside of the kernel. A kernel
    that has been lowered for a device (`llvm.func`, `gpu.binary`) is refused, too.
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
    Option<"detect", "detect", "bool", /*default=*/"false",
           "With checked: only find out, and fast, whether a kernel may be at "
           "fault, which calls uop_check_fire; kernels for which that is not "
           "possible call it and do nothing else (default: false)">,
    Option<"stepLimit", "step-limit", "uint64_t", /*default=*/"0",
           "With detect: the most iterations of loops that a thread makes; 0: "
           "no limit (default: 0)">,
    Option<"counted", "counted", "bool", /*default=*/"false",
           "Report every access of memory to the functions of "
           "Uop/Emulator/Count.h, which the host of the code must have; blocks "
           "run one after another (default: false)">,
    Option<"sample", "sample", "bool", /*default=*/"false",
           "With checked: run the first and the last block of a grid only "
           "(default: false)">,
  ];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::async::AsyncDialect", "mlir::cf::ControlFlowDialect",
    "mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
    "mlir::nvgpu::NVGPUDialect", "mlir::scf::SCFDialect",
    "mlir::ub::UBDialect", "mlir::vector::VectorDialect"
  ];
}

def VectorizeThreads : Pass<"uop-vectorize-threads", "mlir::ModuleOp"> {
  let summary = "Run neighbouring threads of an emulated block as vectors";
  let description = [{
    The innermost loops over threads that `uop-emulate-gpu` makes become loops
    over vectors of threads, with a mask for the threads that are left. Each
    thread computes what it would compute alone: results are the same to the
    last bit.

    Values that are one for all threads of a vector, or go up by one stride, are
    computed once. Elementwise operations become operations of `vector`;
    accesses of neighbours become loads and stores of vectors (with the rows of
    each thread's own vectors taken apart by shuffles), others gathers and
    scatters. Under conditions that differ among the threads both ways are taken
    with masks, unless no thread takes one; loops go on until no thread is left.
    Atomic updates and functions of the C library are done thread after thread.

    A loop stays as it is where its order shows (`gpu.printf`) or where it holds
    an operation that is not known. Run it after the passes that expand
    operations on numbers.
  }];
  let options = [
    Option<"width", "width", "int64_t", /*default=*/"0",
           "Threads in a vector: a power of two up to 64, 1 for none, 0 for as "
           "many as the host's registers have of 32 bits">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect", "mlir::ub::UBDialect",
    "mlir::vector::VectorDialect"
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
  let summary = "Take the memory spaces of devices from all memrefs";
  let description = [{
    A CPU has one memory: what `#gpu.address_space` or a number tells apart is
    the same there. Numbers from 256 on mean something to CPUs, and stay.
  }];
}

def LowerAsync : Pass<"uop-lower-async", "mlir::ModuleOp"> {
  let summary = "Take the async dialect to calls of its run-time library";
  let description = [{
    Runs upstream's `convert-async-to-llvm` if the module has anything of the
    `async` dialect, and leaves it alone else: that pass declares what it may
    call in any case. The code needs `libmlir_async_runtime`, which `uop-run`
    loads.
  }];
  let dependentDialects = [
    "mlir::async::AsyncDialect", "mlir::func::FuncDialect",
    "mlir::LLVM::LLVMDialect"
  ];
}

def LowerLinalg : Pass<"uop-lower-linalg"> {
  let summary = "Take linalg on buffers to loops, and change nothing else";
  let description = [{
    Unlike `convert-linalg-to-loops` it folds and erases nothing: in a kernel,
    an operation whose result is not used may still wait for other threads.
    Operations on tensors are refused.
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"
  ];
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
  let summary = "Make arithmetic of math functions";
  let description = [{
    The functions of the `math` dialect that are not exact (`exp`, `sin`,
    `powf`, ...), on numbers and on vectors of every shape.

    * On f32 and narrower types they become arithmetic of f64 without branches,
      memory or calls: operations of `arith`, and `fma`, `sqrt`, `floor`,
      `roundeven`, `absf` and `copysign` of `math`. It is the same for a number
      and for each element of a vector, and so are the results, bit for bit. The
      result is rounded once: to f32 it is within 0.5001 ulp, that of `powf` and
      `fpowi` within 0.502, for all arguments; to f16 and bf16 it is the nearest
      number, but where a power or a quotient is next to the middle of two. To
      narrower types it is rounded by way of f32. docs/MathFunctions.md has the
      bounds and what was measured.
    * On f64 they become calls of the C library, one for each element. What it
      does not have is made of what it has: `sincos`, `fpowi`, and `rsqrt` as a
      quotient.
    * On wider types they are refused.

    What has one right answer (`sqrt`, `fma`, `floor`, ...) stays, and so does
    what the C library does not have, such as `ipowi`. `uop-narrow-floats` must
    come later: it takes care of f64 to f16 and to bf16.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::math::MathDialect", "mlir::vector::VectorDialect"
  ];
}

#endif // UOP_EMULATOR_PASSES
