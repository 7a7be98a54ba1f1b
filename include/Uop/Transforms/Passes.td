//===- Passes.td - The passes of Uop/Transforms ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_PASSES
#define UOP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def MergeGuards : Pass<"uop-merge-guards", "::uop::KernelOp"> {
  let summary = "Make one guard of those with one condition";
  let description = [{
    In kernels in loop form, `scf.if` ops of one block that have the same
    condition, the same value, become one where the first of them is. So copies
    of an access under one mask are adjacent in one block, where a back end
    makes wide accesses of them, and there is one branch for all.

    Arithmetic that a guard needs moves in front of the first one. Memory is
    accessed in the same order as far as that can be told apart: what only
    reads passes reads, and what writes passes nothing that accesses memory.
    Equal conditions have to be one value: run `--uop-simplify` and `--cse`
    before. Kernels in graph form are left as they are.

    Example:

    ```mlir
    uop.kernel loops @copy(%x: memref<100xf32>, %y: memref<100xf32>) {
      %i = uop.range local<x> 64
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c50 = arith.constant 50 : index
      %zero = arith.constant 0.0 : f32
      %isWithin = arith.cmpi slt, %i, %c50 : index
      %j = arith.muli %i, %c2 : index
      %a = scf.if %isWithin -> f32 {
        %v = memref.load %x[%j] : memref<100xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      // Becomes a part of the one above.
      %k = arith.addi %j, %c1 : index
      %b = scf.if %isWithin -> f32 {
        %v = memref.load %x[%k] : memref<100xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %sum = arith.addf %a, %b : f32
      scf.if %isWithin {
        memref.store %sum, %y[%i] : memref<100xf32>
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Guards that became part of another">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def WidenAccesses : Pass<"uop-widen-accesses", "::uop::KernelOp"> {
  let summary = "Make one wide access of adjacent ones";
  let description = [{
    In kernels in loop form, `memref.load` ops of one block that read adjacent
    elements become one `vector.load` where the first of them is, and
    `memref.store` ops one `vector.store` where the last of them is: 16, 8 or 4
    bytes, whatever the elements, where the address is proved to be a multiple
    of that. The vector access states it as `alignment`, so that it is one
    instruction.

    Elements are adjacent if the innermost index grows by one, the others are
    equal, and the innermost stride is 1. Indices are compared as sums of
    multiples of values: run `--uop-simplify` and `--cse` before, which make
    equal quotients one value, and `--uop-merge-guards`, which brings together
    what is under one condition.

    The alignment of an address is that of its memory and what divides its
    indices and strides. An argument is aligned as its attribute `llvm.align`
    says, which the host has to see to; an allocation as it asks for, and it is
    made to ask for what an access needs.

    Accesses to one element, and those that may be to one, stay in order.
    Distinct arguments and allocations do not overlap. Loads and stores that are
    `nontemporal` stay as they are, and so do kernels in graph form.

    Example:

    ```mlir
    uop.kernel loops @pairs(%x: memref<128xf32> {llvm.align = 8 : i64},
                            %y: memref<64xf32>) {
      %i = uop.range local<x> 64
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %j = arith.muli %i, %c2 : index
      %k = arith.addi %j, %c1 : index
      // One load of vector<2xf32>.
      %a = memref.load %x[%j] : memref<128xf32>
      %b = memref.load %x[%k] : memref<128xf32>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %y[%i] : memref<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numLoads", "loads", "Number of loads that became part of a "
              "wider one">,
    Statistic<"numStores", "stores", "Number of stores that became part of a "
              "wider one">
  ];
}

def PipelineShared : Pass<"uop-pipeline-shared", "::uop::KernelOp"> {
  let summary = "Fill tiles of shared memory while those before are read";
  let description = [{
    In kernels in loop form, a workgroup `uop.alloc` with `buffers = N` above 1,
    which each iteration of an `scf.for` fills and then reads, becomes N tiles,
    along one more dimension in front. Iteration k reads tile k mod N, while the
    one of iteration k + N - 1 is filled. The first N - 1 are filled before the
    loop, and what is beyond its end is not filled. Results are the same, bit by
    bit, for every number of iterations.

    There are two ways to fill a tile ahead. `async` copies from an argument
    without the thread (`nvgpu.device_async_copy`), where each store has 4, 8 or
    16 bytes as they are loaded, aligned, or zeros under a mask; an iteration is
    then: wait for the oldest group, barrier, issue the copies of the next tile,
    compute. `registers` loads what is to be stored, computes, and then stores
    it. `auto` takes the first where all stores allow it and the chip has it.

    What fills a tile must depend on nothing but the variable of the loop, what
    is outside of it, and arguments that the kernel does not store to; and each
    iteration must fill the same elements. Allocations that this does not hold
    for keep one tile. `buffers` is 1 afterwards in any case.

    All barriers of the loop's own block, and those that are `derived`, are
    derived anew. Kernels in graph form are left as they are.

    Example:

    ```mlir
    !tile = memref<128xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @sums(%x: memref<64x128xf32>, %y: memref<128xf32>) {
      %t = uop.range local<x> 128
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0.0 : f32
      %s = uop.alloc {buffers = 2 : i64} : !tile
      %r = arith.subi %c127, %t : index
      %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f32 {
        %v = memref.load %x[%k, %t] : memref<64x128xf32>
        memref.store %v, %s[%t] : !tile
        uop.barrier
        %w = memref.load %s[%r] : !tile
        uop.barrier
        %next = arith.addf %acc, %w : f32
        scf.yield %next : f32
      }
      memref.store %sum, %y[%t] : memref<128xf32>
    }
    ```
  }];
  let options = [
    Option<"copy", "copy", "std::string", /*default=*/"\"auto\"",
           "How to fill tiles ahead: auto, async or registers (default: auto)">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip, which has asynchronous copies from sm_80 on (default: "
           "sm_80)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say of each allocation how it is filled, or why not ahead (default: "
           "false)">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numPipelined", "pipelined", "Number of loops that fill ahead">
  ];
}

def ContractFMA : Pass<"uop-contract-fma", "::uop::KernelOp"> {
  let summary = "Fuse products with the sums that they enter";
  let description = [{
    In kernels in loop form, `arith.addf` and `arith.subf` of f16, bf16, f32 or
    f64 (or vectors of these) with a product as an operand become `math.fma`,
    which rounds once:

    | before | after |
    |---|---|
    | `a * b + c`, `c + a * b` | `fma(a, b, c)` |
    | `a * b - c` | `fma(a, b, -c)` |
    | `c - a * b` | `fma(-a, b, c)` |

    Where both operands are products the first is fused. A product with other
    uses is fused all the same, and stays for these: the result does not depend
    on whether equal products have been merged. This is the one place where
    operations are contracted; without it every operation rounds as written.
    Kernels in graph form are left as they are.

    Example:

    ```mlir
    uop.kernel loops @axpy(%a: f32, %x: memref<32xf32>, %y: memref<32xf32>) {
      %i = uop.range local<x> 32
      %xi = memref.load %x[%i] : memref<32xf32>
      %yi = memref.load %y[%i] : memref<32xf32>
      %p = arith.mulf %a, %xi : f32
      %s = arith.addf %p, %yi : f32
      memref.store %s, %y[%i] : memref<32xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"fused", "fused", "Number of sums that became an fma">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def CPUMap : Pass<"uop-cpu-map"> {
  let summary = "Map the output axes of kernels to threads of a CPU and loops";
  let description = [{
    Splits each output axis of a kernel in graph form into thread * steps * tile
    * upcast: a `thread` range (threads of the CPU, each with consecutive
    points), `serial` ranges (loops) and an `upcast` range (unrolled copies). The
    loops over the tiles of all axes come first, in the order in which
    `uop-gpu-map` places axes, the one that stores contiguously innermost; then
    those over the points of a tile. Axes that have threads share one range.

    Opts, padding, merging and the attribute `schedule` are those of
    `uop-gpu-map`; a schedule with opts for a GPU is left aside. Kernels in loop
    form, and kernels that are mapped already, are left alone; but any option
    other than `remarks` is an error for a mapped one.

    GEMM on 4 threads, 32x32 outputs a tile and 4x16 at a time:

    ```
    uop-opt --uop-cpu-map="thread=0:4 tile=0:8,1:2 upcast=0:4,1:16" gemm.mlir
    ```
  }];
  let options = [
    ListOption<"merge", "merge", "std::string",
               "Adjacent output axes to make one of, as first:count pairs such "
               "as 0:3; the other options count the axes after that (default: "
               "none)">,
    ListOption<"thread", "thread", "std::string",
               "Threads along output axes, as axis:amount pairs such as 0:8 "
               "(default: none)">,
    ListOption<"tile", "tile", "std::string",
               "Points of an inner loop along output axes, as axis:amount pairs "
               "such as 0:32,1:32 (default: none)">,
    ListOption<"upcast", "upcast", "std::string",
               "Unrolled copies along output axes, as axis:amount pairs such as "
               "0:4,1:16 (default: none)">,
    ListOption<"unroll", "unroll", "std::string",
               "Unrolled steps of reduce axes, as axis:amount pairs such as "
               "0:4 (default: none)">,
    ListOption<"padTo", "padto", "std::string",
               "Run axes on to a multiple, as axis:amount pairs such as 1:32; "
               "output axes are counted first, then reduce axes (default: "
               "none)">,
    ListOption<"swap", "swap", "std::string",
               "Exchange the places of two output axes in the nest, as pairs "
               "such as 0:1 (default: none)">,
    Option<"heuristic", "heuristic", "std::string", /*default=*/"",
           "How to choose the opts, instead of the attribute: default, or none "
           "for plain loops (default: default, where there is no attribute for "
           "a CPU)">,
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "The threads that the heuristic is to use (default: 0, those of this "
           "machine)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Explain each decision of the heuristic (default: false)">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::uop::UopDialect"];
  let statistics = [
    Statistic<"numMapped", "kernels-mapped", "Number of kernels mapped">,
  ];
}

def SplitTails : Pass<"uop-split-tails", "::uop::KernelOp"> {
  let summary = "Give the iterations in which no guard fails a loop of their own";
  let description = [{
    In kernels in loop form, a loop (of step 1) with accesses or steps of
    reductions inside that are guarded by `a * i + rest < limit`, on its
    variable and values from outside, becomes two loops: one of the iterations in
    which all such guards hold, without these guards, and one of the rest. The
    guards of tails are of this form. Nothing is reordered. Kernels in graph form
    are left as they are, and so are loops that would make a kernel larger by
    some thousand ops.

    Example:

    ```mlir
    uop.kernel loops @copy(%n: index, %x: memref<16xf32>, %y: memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      scf.for %i = %c0 to %c9 step %c1 {
        %ok = arith.cmpi slt, %i, %n : index
        scf.if %ok {
          %v = memref.load %x[%i] : memref<16xf32>
          memref.store %v, %y[%i] : memref<16xf32>
        }
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Number of loops that became two">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

/// What says how kernels are mapped to a GPU.
defvar UopGPUMapOptions = [
    ListOption<"merge", "merge", "std::string",
               "Adjacent output axes to make one of, as first:count pairs such "
               "as 0:3; the other options count the axes after that (default: "
               "none)">,
    Option<"mergeAxes", "merge-axes", "bool", /*default=*/"false",
           "Merge all adjacent output axes that are contiguous in every access "
           "(default: false)">,
    ListOption<"local", "local", "std::string",
               "Threads per block along output axes, as axis:amount pairs "
               "such as 0:16,1:16 (default: none)">,
    ListOption<"upcast", "upcast", "std::string",
               "Unrolled copies per thread along output axes, as axis:amount "
               "pairs such as 0:2,1:2 (default: none)">,
    ListOption<"vectorize", "vectorize", "std::string",
               "Adjacent elements of each copy along output axes, for wide "
               "accesses, as axis:amount pairs such as 1:4 (default: none)">,
    ListOption<"unroll", "unroll", "std::string",
               "Unrolled steps of reduce axes, as axis:amount pairs such as "
               "0:4 (default: none)">,
    ListOption<"group", "group", "std::string",
               "Threads of a block that reduce together, on interleaved points "
               "of reduce axes, as axis:amount pairs such as 0:32; amounts for "
               "one axis multiply (default: none)">,
    ListOption<"groupTop", "grouptop", "std::string",
               "Threads of a block that reduce together, on consecutive points "
               "of reduce axes, as axis:amount pairs such as 0:32; amounts for "
               "one axis multiply (default: none)">,
    ListOption<"padTo", "padto", "std::string",
               "Run axes on to a multiple, as axis:amount pairs such as 1:32; "
               "output axes are counted first, then reduce axes (default: "
               "none)">,
    ListOption<"kStep", "kstep", "std::string",
               "Points of reduce axes in one iteration of an outermost loop, "
               "which is that around the filling of tiles, as axis:amount pairs "
               "such as 0:16 (default: none)">,
    ListOption<"stage", "stage", "std::string",
               "Loads to stage in shared memory, and the tiles of each that a "
               "loop rotates through, as load:tiles pairs such as 0:1,1:2; loads "
               "are counted in program order (default: none)">,
    ListOption<"warp", "warp", "std::string",
               "Threads of a warp along output axes, 32 together, as "
               "axis:amount pairs such as 0:4,1:8 (default: in the order of the "
               "threads)">,
    ListOption<"swap", "swap", "std::string",
               "Exchange the places of two output axes in the grid, as pairs "
               "such as 0:1 (default: none)">,
    Option<"noLocals", "nolocals", "bool", /*default=*/"false",
           "One thread a block (default: false)">,
    Option<"heuristic", "heuristic", "std::string", /*default=*/"",
           "How to choose the opts, instead of the attribute: default, for the "
           "chip; basic, a few simple rules; or none, for one thread a block "
           "and one output a thread (default: default, where there is no "
           "attribute)">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip whose multiprocessors the default heuristic fills "
           "(default: sm_80)">,
    Option<"upcastLayout", "upcast-layout", "std::string", /*default=*/"",
           "Where copy c of U lies, for block g and thread l of L: gpu for "
           "(g*U + c)*L + l, cpu for (g*L + l)*U + c, in units of vectorize "
           "(default: gpu, or that of the attribute that is replayed)">,
    Option<"minBlocks", "min-blocks", "int64_t", /*default=*/"0",
           "Give up upcast and vectorize, then halve local, until the grid has "
           "so many blocks (default: 0, any number)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Explain each decision of the heuristic, and where axes are folded "
           "(default: false)">,
];

def SplitReductions : Pass<"uop-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Reduce in parts, which a second kernel combines";
  let description = [{
    A kernel in graph form that is not mapped, has few outputs and reduces many
    points ("split-K") becomes two, and a function of its name and arguments
    that launches both. The first kernel, `@<name>_partial`, reduces each of
    `splitk` parts of consecutive points by itself and stores the results to a
    workspace, which the function allocates (`gpu.alloc`); the second,
    `@<name>_combine`, combines them in the order of the parts and does all that
    comes behind. So results are the same in every run. Those of floating-point
    sums and products are rounded differently from those of one piece.

    The number of parts is that of the option, of the SPLITK opt of the kernel's
    `schedule`, or, for a kernel without a schedule, what the model of
    `--uop-place-shared` takes to be fastest: only a kernel whose blocks are
    fewer than the multiprocessors of the chip is split, and only if that takes
    a second launch and more off its time. The other opts of the schedule are
    for the first kernel; they count the axes and loads of the original one. One
    part leaves the kernel whole. What launched the kernel calls the function.

    Dynamic axes are split only where they say so, and cannot be among those
    along which partial results vary: these are the size of the workspace.

    A sum of products with 16 x 16 outputs, in four parts:

    ```mlir
    #schedule = #uop.schedule<[SPLITK 0:4, LOCAL 0:16, LOCAL 1:16]>
    uop.kernel @gemm(%A: memref<16x4096xi32>, %B: memref<4096x16xi32>,
                     %C: memref<16x16xi32>) attributes {schedule = #schedule} {
      %m = uop.range loop 16
      %n = uop.range loop 16
      %k = uop.range reduce 4096
      %a = uop.load %A[%m, %k] : memref<16x4096xi32>
      %b = uop.load %B[%k, %n] : memref<4096x16xi32>
      %p = arith.muli %a, %b : i32
      %c = uop.reduce add %p over(%k) : i32
      uop.store %c, %C[%m, %n] : memref<16x16xi32>
    }
    ```
  }];
  let options = [
    ListOption<"splitK", "splitk", "std::string",
               "The parts of a reduce axis, as an axis:amount pair such as "
               "0:8, for every kernel in graph form (default: what the schedule "
               "or the heuristic says)">,
    Option<"heuristic", "heuristic", "std::string", /*default=*/"\"default\"",
           "Whether kernels without a schedule are split: default, for the "
           "chip; or none (default: default)">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip whose multiprocessors are to be busy (default: sm_80)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Explain which kernels are split, and why (default: false)">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::uop::UopDialect"
  ];
  let statistics = [
    Statistic<"numSplit", "kernels-split", "Number of kernels that became two">,
  ];
}

def GPUMap : Pass<"uop-gpu-map"> {
  let summary = "Map the output axes of kernels to blocks, threads and copies";
  let description = [{
    Splits each output axis of a kernel in graph form into blocks * upcast *
    local * vectorize: `global` ranges (blocks of the grid), `upcast` ranges
    (unrolled copies) and `local` ranges (threads of a block). The output axes
    are the ranges in the domains of the stores, numbered in the order of their
    definition. Reduce axes split into steps, unrolled copies and, with `group`
    and `grouptop`, threads of the block that reduce together.

    Any size and any number of axes: an axis whose amounts do not divide it runs
    on beyond its end, where masks keep loads, stores and reductions from having
    an effect. Dimension x goes to the output axis along which most stores are
    contiguous (of equals, the last one), y to the last one before it, then z;
    further axes, and blocks or threads beyond what a dimension holds, are folded
    onto one dimension, with indices recovered by quotient and remainder. An axis
    that needs one block has no block range, one without threads no thread range.

    A warp has 32 threads in that order, with x fastest, or the part of a block
    that `warp` says: all threads are then along x. The default heuristic gives
    it where it counts fewer wavefronts in shared memory and sectors in global
    memory.

    Dynamic axes are mapped in the same way: the host computes the grid from the
    sizes of the launch. They share dimension x, which alone is long enough.

    The opts are those of the options; without them those of the attribute
    `schedule` of the kernel; without it those of the heuristic. They are stored
    in the attribute: replaying it on the original kernel gives the same mapped
    kernel. Their order does not matter, but for several `swap`.

    Kernels in loop form, and kernels that are mapped already, are left alone;
    but any option other than `remarks` is an error for a mapped one.

    GEMM 64x64x64, 16x16 threads a block and 2x2 outputs a thread:

    ```
    uop-opt --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2" gemm.mlir
    ```
  }];
  let options = UopGPUMapOptions;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::uop::UopDialect"];
  let statistics = [
    Statistic<"numMapped", "kernels-mapped", "Number of kernels mapped">,
  ];
}

def PlaceShared : Pass<"uop-place-shared"> {
  let summary = "Map kernels with tiles in shared memory";
  let description = [{
    Does what `--uop-gpu-map` does, with the same options, and beyond that puts
    what a block reads several times into shared memory: a load becomes a
    `uop.stage`, which the threads of a block fill together, and a load of that
    tile. STAGE and KSTEP are opts like the others: they are in the list that
    the kernel keeps, and can be given, stored and replayed.

    Without opts the heuristic chooses all of them together, by the table of the
    target. A contraction (a matrix product with operands in any order of axes,
    a batch of them, a convolution, the scores of attention) gets the tile of
    outputs of a block, the part of it that a thread keeps in registers, and as
    many steps of the reduction at a time as two sectors have. A load that is
    contiguous along another axis than the stores goes through a tile of 32 x
    32. Any other kernel is mapped as by `--uop-gpu-map`. What is computed from
    the result of a reduction stays behind its accumulators.

    With opts and without `stage`, the loads are staged whose elements a block
    reads at least twice. A kernel that is mapped already keeps its mapping: the
    loops of its reductions are split, and loads are staged in the same way, or
    as `kstep` and `stage` say (these count the ranges that reductions close,
    and the loads, of the mapped kernel).

    A tile is the box around what the block reads, in the order of the
    dimensions of the buffer. What the mask of the load excludes is not read;
    where the mask moves like an index the tile has the load's `else` there, and
    the reader needs no mask.

    Wide accesses need buffers that begin at a multiple of 16 bytes. A kernel
    that gains from tiles states that of its arguments (`llvm.align`), and its
    host function checks it; `assume-aligned=0` does without. Where the schedule
    leaves a thread of two blocks twice the registers of its accumulators, and
    the tiles fit twice, the kernel asks for two blocks a multiprocessor
    (`nvvm.minctasm`), so that it gets no more registers than that.

    ```
    uop-opt --uop-place-shared="local=0:16,1:16 kstep=0:16" gemm.mlir
    ```
  }];
  let options = !listconcat(UopGPUMapOptions, [
    Option<"buffers", "buffers", "int64_t", /*default=*/"0",
           "The tiles that each staged load rotates through (default: 0, what "
           "the STAGE opts say)">,
    Option<"layout", "layout", "std::string", /*default=*/"",
           "How the rows of the tiles lie in memory: plain, or pad, xor or "
           "rotate with a chunk, such as pad:1 or xor:4 (default: empty, that "
           "with the fewest bank conflicts)">,
    Option<"onlyUnmapped", "only-unmapped", "bool", /*default=*/"false",
           "Leave kernels alone that are mapped already (default: false)">,
    Option<"assumeAligned", "assume-aligned", "int64_t", /*default=*/"16",
           "The bytes to whose multiples the arguments of kernels with tiles "
           "are taken to be aligned, where they do not say (default: 16)">,
  ]);
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::uop::UopDialect"];
  let statistics = [
    Statistic<"numMapped", "kernels-mapped", "Number of kernels mapped">,
    Statistic<"numStaged", "loads-staged", "Number of tiles made">,
  ];
}

def LowerToLoops : Pass<"uop-lower-to-loops", "::uop::KernelOp"> {
  let summary = "Lower kernels from graph form to loop form";
  let description = [{
    Gives the ops of a kernel in graph form an order. Hardware ranges stay
    ranges, one for each dimension, as long as the longest that it stands for;
    `serial`, `reduce` and unmapped `loop` ranges become `scf.for`, with the
    accumulators of reductions as iter_args; `upcast` and `unroll` ranges become
    copies of the code, which share what does not differ between them. A value
    is computed in the innermost loop in whose range it is free. Reductions that
    close the same ranges and vary with the same loops share one nest, and so do
    stores with the same serial domain.

    A store whose domain lacks a dimension of the hardware runs at index 0 of it;
    a thread beyond the extent of a range neither loads nor stores what is free
    in it. These guards wrap single accesses.

    A reduction over `group_reduce` ranges is combined by the threads of the
    block, after the loops that each of them runs: lanes along x by
    `gpu.shuffle xor`, warps and threads along y and z through workgroup memory,
    with one barrier for all reductions of a nest, and a second one in a serial
    loop that has no other. With such a range along x the block is as long along
    x as the next power of two or, beyond a warp, multiple of a warp. A combiner
    sees the points in their order. Where a `reduce` range is outside of a
    `group_reduce` range, that takes an exchange in each of its iterations: the
    axis should be split the other way round.

    `uop.stage` and the axis `fragment` are refused by name.
    Kernels in loop form stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlaceBarriers : Pass<"uop-place-barriers", "::uop::KernelOp"> {
  let summary = "Put the barriers into kernels that their accesses need";
  let description = [{
    In kernels in loop form, puts a `uop.barrier derived` wherever two threads
    of a block would otherwise access one element of shared memory in no order,
    at least one of them storing to it; and where one thread of a block stores
    to an element of an argument that another one loads. Barriers that are
    `derived` are erased before, so that a pass which moves accesses may call
    this one again; all others are kept, and count.

    A barrier stands where every thread of the block comes, never under control
    flow that may depend on the thread. In each block there are as few as
    possible, each as late as possible, counting also what is around the back
    edge of a loop; there is none in a loop where one outside suffices. What is
    not provably free of a hazard counts as one. What no barrier can order is
    left alone: `--uop-verify-races` reports it.

    Kernels in graph form are left as they are.

    Example:

    ```mlir
    !tile = memref<32xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @reverse(%in: memref<32xf32>, %out: memref<32xf32>) {
      %t = uop.range local<x> 32
      %c31 = arith.constant 31 : index
      %s = uop.alloc : !tile
      %x = memref.load %in[%t] : memref<32xf32>
      memref.store %x, %s[%t] : !tile
      %r = arith.subi %c31, %t : index
      // A barrier is put here.
      %y = memref.load %s[%r] : !tile
      memref.store %y, %out[%t] : memref<32xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numPlaced", "num-placed", "Barriers that were derived">
  ];
}

def PackShared : Pass<"uop-pack-shared", "::uop::KernelOp"> {
  let summary = "Let workgroup allocations share memory";
  let description = [{
    In kernels in loop form, puts workgroup allocations whose contents do not
    matter at one time into one memory: an allocation of bytes, of which each of
    them becomes a view at an offset of its own. The largest come first, each at
    the first offset at which it meets nothing that is in use when it is, and
    which is a multiple of its alignment.

    An allocation is in use from the first to the last of its accesses in the
    block that contains all of them; where that block is in a loop, throughout
    the loop, unless each iteration provably writes what it reads. A `zero` one
    is in use from the beginning of the kernel on. Where an allocation is used
    by other ops than views and accesses it shares nothing.

    The barriers of a kernel that changes are derived anew, as by
    `--uop-place-barriers`: what shares memory needs more of them. A kernel that
    would not take less memory stays as it is. This is the last pass that
    changes workgroup allocations: `buffers` and `layout` of those that share
    are forgotten.

    Kernels in graph form are left as they are.

    Example, where 512 bytes become 256:

    ```mlir
    !tile = memref<64xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @twice(%in: memref<64xf32>, %out: memref<64xf32>) {
      %t = uop.range local<x> 64
      %c63 = arith.constant 63 : index
      %r = arith.subi %c63, %t : index
      %a = uop.alloc : !tile
      %b = uop.alloc : !tile
      %x = memref.load %in[%t] : memref<64xf32>
      memref.store %x, %a[%t] : !tile
      uop.barrier derived
      %y = memref.load %a[%r] : !tile
      %z = arith.mulf %y, %y : f32
      memref.store %z, %b[%t] : !tile
      uop.barrier derived
      %w = memref.load %b[%r] : !tile
      memref.store %w, %out[%t] : memref<64xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numPacked", "num-packed", "Allocations that share memory">,
    Statistic<"numSaved", "bytes-saved", "Bytes of shared memory less">
  ];
}

def PrintLaunch : Pass<"uop-print-launch"> {
  let summary = "Print the launch shape of each kernel as a remark";
  let description = [{
    Emits a remark at each kernel: the grid and the block as (x, y, z), the
    threads and warps in all, and the share of the lanes of these warps that are
    threads; in graph form those that are beyond the end of an axis do not count.
    A dynamic grid is printed with `?`, and its totals left out. Then the bytes of
    shared memory of a block, in graph form those that stages and reductions by
    its threads will take; more than a block may have on the chip is an error.
    A kernel in graph form has a launch shape once it is mapped.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip whose limit of shared memory holds (default: sm_80)">,
  ];
}

def PrintTraffic : Pass<"uop-print-traffic"> {
  let summary = "Print the memory traffic of each kernel as remarks";
  let description = [{
    Emits a remark at each access to global or shared memory of a kernel in loop
    form, with the number of its requests (a warp that executes it once) by what
    they cost: distinct 32-byte sectors in global memory, wavefronts in shared
    memory. `4 sec x15/3 sec x1` is 15 requests of 4 sectors and one of 3. Then
    a remark at the kernel with the sums of loads, stores and atomic updates.
    The ideal is what the accessed bytes take if each is moved once; a
    transaction is a 128-byte line.

    The counts are exact: the addresses of all lanes are computed, for one of
    each class of blocks and loop iterations that provably cost the same. Buffers
    are taken to begin at a multiple of 256 bytes. An access that depends on data
    is not counted, and its remark says on what; one that depends on a scalar
    argument or a dynamic size is, once `args` gives its value. A kernel that
    would take more than `max-requests` is counted for its first block only, and
    its remark says so. Kernels in graph form have no requests yet; their remark
    says what to run.

    ```
    uop-opt --uop-print-traffic="args=2:500,0.0:512" kernels.mlir
    ```
  }];
  let options = [
    ListOption<"args", "args", "std::string",
               "Values of scalar arguments as argument:value pairs, and sizes of "
               "dynamic dimensions as argument.dimension:size (default: none)">,
    ListOption<"block", "block", "int64_t",
               "Count one block only, given by its indices x,y,z (default: all "
               "blocks)">,
    Option<"maxRequests", "max-requests", "int64_t", /*default=*/"4194304",
           "The requests of a kernel whose addresses are computed at most "
           "(default: 4194304)">,
    Option<"warpSize", "warp-size", "unsigned", /*default=*/"32",
           "The lanes of a warp, 32 or 64 (default: 32)">,
  ];
}

def LayoutShared : Pass<"uop-layout-shared", "::uop::KernelOp"> {
  let summary = "Lay out shared memory so that banks do not conflict";
  let description = [{
    For each workgroup `uop.alloc` of a kernel in loop form, counts the wavefronts
    of all accesses to it, as often as they run, under each layout that suits it:
    plain; rows followed by 1, 2, 4, … chunks of padding, up to 64 bytes; and
    chunks swizzled by `xor` or `rotate` with periods 1, 2, 4, 8 and 16. A chunk
    is the widest access or, if that is less than a bank, 4 bytes. The layout
    with the fewest wavefronts is applied; of equals the one with the fewest
    bytes, then the simplest. The attribute `#uop.tile_layout` defines the
    layouts.

    A layout is applied by rewriting the size of a row, or the last index of every
    access, so results do not change. The allocation is then marked
    `#uop.tile_layout<plain>`, which is obeyed: nothing is laid out twice. An
    allocation with another explicit layout gets that one, or an error says why
    it cannot have it. Memory that is also used in other ways than by accesses
    to elements and along rows stays as it is.

    Where it is not known whether an access takes place it counts as executed by
    all threads, and a loop whose end is not known as run once.

    A column of a tile of 32x32 floats lies in one bank, until it is laid out:

    ```mlir
    !tile = memref<32x32xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @transpose(%in: memref<32x32xf32>,
                                %out: memref<32x32xf32>) {
      %x = uop.range local<x> 32
      %y = uop.range local<y> 32
      %s = uop.alloc : !tile
      %v = memref.load %in[%y, %x] : memref<32x32xf32>
      memref.store %v, %s[%y, %x] : !tile
      uop.barrier
      %w = memref.load %s[%x, %y] : !tile
      memref.store %w, %out[%y, %x] : memref<32x32xf32>
    }
    ```
  }];
  let options = [
    Option<"layout", "layout", "std::string", /*default=*/"\"auto\"",
           "The layouts to choose from: auto for all; plain, pad, xor or rotate "
           "for one kind, where it suits the tile (default: auto)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say for each allocation what layout it gets, its wavefronts and "
           "bytes before and after (default: false)">,
  ];
  let statistics = [
    Statistic<"numLaidOut", "laid-out", "Number of allocations laid out anew">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"uop-simplify", "::uop::KernelOp"> {
  let summary = "Simplify index arithmetic in a kernel";
  let description = [{
    Rewrites `index` expressions, and comparisons of these, to equal ones with
    at most as many ops, in a canonical operand order: equal addresses become
    one value, whatever the order in which they were written. Bounds of ranges,
    of loops and of memref dimensions are used, and that a range is less than
    its extent where this is a value.

    Where an access does not take place its indices do not matter: those of a
    masked `uop.load` or `uop.store`, or of an access within an `scf.if` in loop
    form, are simplified under that condition, if that takes fewer ops. Other
    users of such an index keep it as it is. Of two conditions that are joined,
    one that follows from the other goes. A divisor that may be zero stays
    guarded, since a division is computed where the mask is false, too.

    Index values are mathematical integers. Data (`iN`) arithmetic, which wraps,
    is left alone; `arith.divsi` and `arith.remsi` on indices are rewritten
    only where bounds make them agree with `uop.floordiv` and `uop.floormod`.
    Masks stay on the accesses that they guard, and domains are not changed.
    Indices of a store stay such that they can be proved injective without its
    mask.
    Loads are not merged: `--cse` after this pass does that.

    For example, with `%y` in [0, 16), `(%x * 16 + %y) floordiv 16` is `%x`, and
    so it is with `%y` in [0, 32) in an access with the mask `%y < 16`.
  }];
  let statistics = [
    Statistic<"numRewritten", "num-rewritten", "Expressions rewritten">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VerifyRaces : Pass<"uop-verify-races", "::uop::KernelOp"> {
  let summary = "Prove kernels free of data races, or name two threads";
  let description = [{
    Two accesses of different threads to one element (to overlapping bytes, where
    views have different shapes), at least one of them a store and not both
    atomic, are a race unless a barrier orders them: in shared memory, and in
    the memory of an argument. Threads of two blocks are never ordered, those of
    a warp and by shuffles no more than others. For each kernel in loop form the
    pass finds one of these for every pair of accesses:

    * it is no race: proved, for every value of the kernel's arguments. With
      `remarks` it says so;
    * it is one: an error that names two threads (their blocks, where these
      differ, and the values of the loops that matter), the element and both
      ops, once for threads of one warp, of one block, and of two blocks. Where
      both store one value it is a warning;
    * neither can be shown: a warning that says why, or an error if `strict`.

    What is proved takes for granted that no access is out of bounds, that
    distinct arguments do not overlap, that a grid or block is no larger than
    the ranges say, that index arithmetic does not overflow, and that every
    thread of a block comes to a barrier wherever this is not known.

    An asynchronous copy reads and writes at any time from its issue to the wait
    that completes it, and others may rely on it after the next barrier. Which
    wait that is follows from the groups that its thread makes in between, also
    in later iterations of a loop; a copy that is in no group is never completed.

    Indices are compared by the rule of digits (an index is a sum of digits,
    each coefficient greater than all smaller digits together, and these
    determine the thread), by Presburger arithmetic, and where they are not
    affine by enumeration of threads and iterations, up to `budget` points for
    one pair. Kernels in graph form have no order and are left alone.

    Example:

    ```mlir
    !tile = memref<32xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @reverse(%in: memref<32xf32>, %out: memref<32xf32>) {
      %t = uop.range local<x> 32
      %c31 = arith.constant 31 : index
      %s = uop.alloc : !tile
      %x = memref.load %in[%t] : memref<32xf32>
      memref.store %x, %s[%t] : !tile
      // Without it: error: race on shared memory (same warp): thread (...)
      // reads element [31] that thread (...) writes, ...
      uop.barrier
      %r = arith.subi %c31, %t : index
      %y = memref.load %s[%r] : !tile
      memref.store %y, %out[%t] : memref<32xf32>
    }
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Refuse also what cannot be proved, and races of equal values "
           "(default: false)">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say which kernels are proved, with the number of pairs of accesses "
           "(default: false)">,
    Option<"budget", "budget", "int64_t", /*default=*/"65536",
           "Points that are enumerated for one pair; 64 times as many for a "
           "kernel (default: 65536)">,
  ];
  let statistics = [
    Statistic<"numProven", "num-proven", "Pairs proved to be no race">,
    Statistic<"numRaces", "num-races", "Races found">,
    Statistic<"numUnproven", "num-unproven", "Pairs that could not be proved">,
  ];
}

#endif // UOP_TRANSFORMS_PASSES
