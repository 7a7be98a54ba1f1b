//===- Passes.td - The passes of Uop/Conversion ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_PASSES
#define UOP_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def AttachNVVMTarget : Pass<"uop-attach-nvvm-target", "::mlir::ModuleOp"> {
  let summary = "Give every gpu.module its target and its launch bounds";
  let description = [{
    Sets the one `#nvvm.target` of each `gpu.module`, after a check that LLVM
    knows the chip and that the PTX version has it. A kernel without
    `known_block_size` takes the block size of its launches when these are
    constants and agree.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for (default: that of the #nvvm.target that a "
           "gpu.module carries, else sm_80)">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "The PTX version to use, such as +ptx80 (default: the lowest that "
           "has the chip)">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "How much LLVM and ptxas optimise, 0 to 3 (default: 3)">,
    Option<"fastMath", "fast-math", "bool", /*default=*/"false",
           "Record in the target that functions are approximate "
           "(default: false)">,
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def ConvertLinalgToUop : Pass<"convert-linalg-to-uop", "::mlir::ModuleOp"> {
  let summary = "Make a kernel in graph form of every linalg op on memrefs";
  let description = [{
    Each linalg op in host code becomes a `uop.kernel`, named after its function
    and itself, and a `uop.launch` where it stood. Named ops are taken by their
    loops, indexing maps and payloads like `linalg.generic`.

    | linalg | graph form |
    |---|---|
    | a memref operand | an argument; two operands that are one memref are one argument |
    | a scalar operand, a scalar from outside of the payload | an argument, or a constant |
    | a loop in the indexing map of an output | `uop.range loop`; of its dynamic extent the `memref.dim` of an operand |
    | any other loop | `uop.range reduce`, which is closed for that output; 0 if its extent is 1 |
    | an indexing map | index arithmetic: any affine map of inputs, one that is injective of outputs |
    | `linalg.index` | the range |
    | `memref.load` in the payload | `uop.load` |
    | pure scalar `arith` and `math` in the payload | the same |
    | `scf.if` in the payload | both branches, with masks on loads, and `arith.select` |
    | an output | a `uop.store` |

    An operand that is not read, as the window of a pooling, is not an argument.

    **Reductions.** Where the payload adds to the output's previous value, or
    combines it by another kind of `uop.reduce`, the op is that reduction; a
    difference is a sum of negated values. A choice by an ordered comparison of
    keys (argmax) is one by the general form, and means the same where keys are
    no numbers, too. The previous value is combined with the reduced one, once:
    floating-point sums may be rounded otherwise than by linalg's loops, which
    begin with it. Where a `linalg.fill` just before gave the output that value,
    the fill goes; where it is the identity of the kind, the rest is what is
    left, and the output is not read.

    **Memory.** Operands do not overlap unless they are the same memref, which
    is then read and written at equal indices. What is visible is checked, through
    the calls in the module, too: arguments of a function are taken not to
    overlap, as those of a kernel are, unless a call passes them what may.
    A `memref.copy` in a function with linalg ops becomes a kernel, too, where
    its memrefs do not overlap and are such as a kernel takes. A `linalg.softmax`
    becomes three kernels with memory for a maximum and a sum per row.

    **Fusion.** What an op has written to a memref stays there until another
    op writes all of it, or it is freed. If until then only linalg ops of the same
    block read it, and nothing else writes what the op reads, they compute it
    themselves, where they read it: the sum of a product begins with a bias, and
    what is done with the sum is done in the product's kernel. A buffer that is
    not used any more goes. How much is computed again is bounded by what it
    costs:

    | an element takes | it goes into |
    |---|---|
    | a few instructions and one load (fills, copies, transposes, broadcasts, conversions) | any ops |
    | a function, a division, or several loads | at most two operands, of which each element is read once |
    | a reduction | one operand of which each element is read once, by an op without reductions |

    With `fuse=false` only fills that an output begins with are taken in.

    What has no kernel is an error that says why.

    Example:

    ```mlir
    func.func @f(%a: memref<64x48xf32>, %b: memref<48x32xf32>,
                 %c: memref<64x32xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%c : memref<64x32xf32>)
      linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x32xf32>)
                    outs(%c : memref<64x32xf32>)
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::uop::UopDialect"
  ];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true",
           "Compute what only other linalg ops read where they read it "
           "(default: true)">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels made of linalg ops">,
    Statistic<"numFused", "fused", "Linalg ops in the kernel of another">,
  ];
}

def DecomposeLinalg : Pass<"uop-decompose-linalg", "::mlir::ModuleOp"> {
  let summary = "Take linalg ops without a payload on tensors apart";
  let description = [{
    The Winograd transforms, `linalg.pack` and `linalg.unpack` become ops with
    loops and a payload, slices and reshapes, by upstream's patterns. (A
    `linalg.softmax` is bufferised as it is.)

    Example:

    ```mlir
    func.func @pack(%x: tensor<6x8xf32>, %y: tensor<3x4x2x2xf32>)
        -> tensor<3x4x2x2xf32> {
      %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2]
          into %y : tensor<6x8xf32> -> tensor<3x4x2x2xf32>
      return %p : tensor<3x4x2x2xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PromoteResults : Pass<"uop-promote-results", "::mlir::ModuleOp"> {
  let summary = "Take what functions return in memrefs as further arguments";
  let description = [{
    A function that returns memrefs takes one for each after its own arguments
    instead, and writes its results there, as by upstream's
    `buffer-results-to-out-params`. Where their sizes are dynamic, an assertion
    compares them with those of the results. What is returned twice is copied.
    A function with a result of dynamic shape that the module itself calls stays
    as it is: its caller has no size to allocate.

    Example:

    ```mlir
    func.func @f() -> memref<4xf32> {
      %y = memref.alloc() : memref<4xf32>
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
      return %y : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def ProtectArguments : Pass<"uop-protect-arguments", "::mlir::ModuleOp"> {
  let summary = "State that public functions do not overwrite their tensors";
  let description = [{
    Gives each tensor argument of a public function the attribute
    `bufferization.writable = false`, unless it has one: whoever calls the
    function from outside of the module expects a value to stay as it is.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
          -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def ConvertToNVVM : Pass<"convert-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels and every gpu.module to NVVM with its target";
  let description = [{
    Kernels of the uop dialect, in any form, are first taken to a `gpu.module`
    by `uop-lower-to-gpu-pipeline`: unmapped ones are mapped, graph form becomes
    loops. Then it takes each `gpu.module` from the `gpu`, `scf`, `memref`, `vector`, `arith`
    and `math` dialects to the NVVM dialect and gives it an `#nvvm.target`.
    Host code keeps its `gpu.launch_func`s.

    What the result means:

    * Kernel arguments that are memrefs become bare pointers; their shapes are
      static, and a layout may have strides and an offset. `llvm.noalias`,
      `llvm.readonly` and `llvm.align` on the arguments stay.
    * Every operation is rounded as it is written: division and square root as
      IEEE 754 says. Of kernels of the uop dialect products and sums are fused
      first, unless `fp-contract=off`. `fast-math` takes the approximate
      division, square root and functions instead (afn on every operation).
    * `known_block_size`, or the block size that all launches agree on, is
      stated to the assembler as the required one.
    * Index arithmetic is done in 32 bits where the bounds of its values prove
      that they fit.

    The pass ends with `uop-finish-nvvm`: what has no lowering is an error.

    Example:

    ```mlir
    gpu.module @m {
      gpu.func @k(%x: memref<64xf32>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        %i = gpu.thread_id x
        %v = memref.load %x[%i] : memref<64xf32>
        %r = math.sqrt %v : f32
        memref.store %r, %x[%i] : memref<64xf32>
        gpu.return
      }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for (default: that of the #nvvm.target that a "
           "gpu.module carries, else sm_80)">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "The PTX version to use, such as +ptx80 (default: the lowest that "
           "has the chip)">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "How much LLVM and ptxas optimise, 0 to 3 (default: 3)">,
    Option<"fastMath", "fast-math", "bool", /*default=*/"false",
           "Approximate division, square root and functions (default: false)">,
    Option<"indexWidth", "index-width", "std::string", /*default=*/"\"auto\"",
           "auto: 32-bit index arithmetic where its bounds prove that it fits; "
           "64: none (default: auto)">,
    Option<"placeShared", "place-shared", "bool", /*default=*/"true",
           "Stage what a block reads several times in shared memory, in kernels "
           "that are not mapped (default: true)">,
    Option<"splitReductions", "split-reductions", "bool", /*default=*/"true",
           "Reduce in parts that a second kernel combines, in kernels with few "
           "outputs that are not mapped (default: true)">,
    Option<"fpContract", "fp-contract", "::uop::FPContract",
           /*default=*/"::uop::FPContract::On",
           "Fuse products with the sums that they enter in the kernels of the "
           "uop dialect (default: on)",
           [{::llvm::cl::values(
             clEnumValN(::uop::FPContract::On, "on", "one rounding, as nvcc"),
             clEnumValN(::uop::FPContract::Off, "off", "two roundings"))}]>,
  ];
}

def ConvertUopToFunc : Pass<"convert-uop-to-func", "::mlir::ModuleOp"> {
  let summary = "Lower kernels in loop form to plain functions for a CPU";
  let description = [{
    Every `uop.kernel loops @k` becomes a `func.func @k` of the same arguments
    and visibility, and `uop.launch @k` a call of it. No operation of the `gpu`
    dialect comes in. The only hardware axis is `thread`; other axes, workgroup
    memory, barriers, phases and shuffles are refused, and so is graph form.

    | loop form | plain loops |
    |---|---|
    | `uop.range thread` | an `scf.parallel` around the body; its extent may be dynamic |
    | `uop.alloc` of private memory | `memref.alloca` at the start of the function, from 128 KiB on `memref.alloc`; of a kernel with threads the body becomes a function `@k_thread` |
    | `uop.floordiv`, `uop.floormod` | `arith` ops that round towards negative infinity; unsigned where that is the same |

    The functions have the attribute `uop.kernel` with the kernel's name.

    Example:

    ```mlir
    uop.kernel loops @double(%x: memref<64x128xf32>) {
      %i = uop.range thread 64
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      scf.for %j = %c0 to %c128 step %c1 {
        %v = memref.load %x[%i, %j] : memref<64x128xf32>
        %r = arith.addf %v, %v : f32
        memref.store %r, %x[%i, %j] : memref<64x128xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def ConvertUopToGPU : Pass<"convert-uop-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower kernels in loop form to the gpu dialect";
  let description = [{
    Every `uop.kernel loops @k` becomes a `gpu.func @k` in one `gpu.module`,
    `@uop_kernels`, and a host function `@k` of the same arguments and
    visibility that launches it; `uop.launch @k` becomes a call of that. Kernels
    in graph form are refused.

    | loop form | gpu dialect |
    |---|---|
    | `uop.range global<d>`, `local<d>` | `gpu.block_id d`, `gpu.thread_id d`, with their bound; 0 for an extent of 1 |
    | `uop.range warp` | `gpu.thread_id x`, of a block of whole warps |
    | `uop.alloc` | a workgroup or private attribution; workgroup memory is zeroed by all threads at entry, followed by a barrier. Where it is more than 48 KiB together, views of `gpu.dynamic_shared_memory`, of which the launch gives as much |
    | `uop.barrier` | `gpu.barrier` |
    | `uop.phase` | its body, for the threads within its extents; a barrier before every phase that another may precede |
    | `uop.floordiv`, `uop.floormod` | `arith` ops that round towards negative infinity; unsigned where that is the same |

    Block and grid are stated on the `gpu.func` where static
    (`known_block_size`, `known_grid_size`). The host computes the extents of
    a dynamic grid with the kernel's own arithmetic; a grid without blocks (of
    an extent that is 0 or negative) is not launched, and one beyond the limits
    of a launch stops the program (`cf.assert`). So does a number of blocks for
    which 64 bits do not suffice, or an index on the way to it, a division by
    zero there, a scalar outside of the `llvm.range` of its argument, and a
    memref that does not begin at a multiple of its `llvm.align`.

    A memref of static shape and layout is one parameter, which becomes a bare
    pointer. One of dynamic shape or layout is several: a memref without
    dimensions for the pointer, then, as index values, its dynamic sizes, its
    dynamic strides and its dynamic offset, from which the device puts it
    together; the strides of a row-major memref follow from its sizes. The
    kernel's own type is kept in `uop.signature`. The pointers carry what is
    known of them: `llvm.noalias` (arguments do not overlap), `llvm.readonly`
    where the kernel does not write, and `llvm.align`, that of their elements
    unless the kernel's own argument states another.

    Example:

    ```mlir
    uop.kernel loops @double(%x: memref<1024xf32>) {
      %b = uop.range global<x> 8
      %t = uop.range local<x> 128
      %c128 = arith.constant 128 : index
      %base = arith.muli %b, %c128 : index
      %i = arith.addi %base, %t : index
      %v = memref.load %x[%i] : memref<1024xf32>
      %r = arith.addf %v, %v : f32
      memref.store %r, %x[%i] : memref<1024xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def FinishNVVM : Pass<"uop-finish-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "State the required block size and check that all is NVVM";
  let description = [{
    Turns the block size that upstream states as an upper bound into a required
    one, states the `llvm.range` of arguments again, and reports each operation
    that is not of the LLVM or NVVM dialects.
  }];
}

def LegalizeForNVVM : Pass<"uop-legalize-for-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite what the upstream lowering to NVVM lacks or rounds away";
  let description = [{
    Refuses what the back end cannot do (dynamic memrefs as kernel arguments,
    allocation in shared memory, arithmetic on types that the chip has not), and
    expands what it can do in other words:

    * `math.sqrt` becomes LLVM's square root, which is correctly rounded;
      upstream's library call is not. The integer functions, `math.trunc` and
      `math.isnormal` become LLVM intrinsics.
    * Atomic updates without an instruction become compare-and-swap loops.
    * Group and subgroup reductions and shuffles of any width become 32-bit
      shuffles.
    * Multi-dimensional vectors, masks and transfers become one-dimensional.
  }];
  let options = [
    Option<"fastMath", "fast-math", "bool", /*default=*/"false",
           "Approximate division, square root and functions: afn on every "
           "operation that takes it (default: false)">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::affine::AffineDialect"
  ];
}

def AlignAccesses : Pass<"uop-align-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "State how the accesses to a kernel's arguments are aligned";
  let description = [{
    Gives each `memref.load` and `memref.store` of a buffer with the argument
    attribute `llvm.align` the alignment that follows for it: of the buffer, its
    offset and strides, and the factors of its indices. Nothing is stated where
    no more than an element is proved. From adjacent accesses and the alignment
    of the first of them LLVM makes wide ones.

    Example:

    ```mlir
    gpu.module @m {
      gpu.func @k(%x: memref<8x100xf32> {llvm.align = 16 : i64}) kernel {
        %c4 = arith.constant 4 : index
        %b = gpu.block_id x
        %t = gpu.thread_id x
        %i = arith.muli %t, %c4 : index
        // Of 16 bytes: rows have 400.
        %v = memref.load %x[%b, %i] : memref<8x100xf32>
        memref.store %v, %x[%b, %i] : memref<8x100xf32>
        gpu.return
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numAligned", "aligned",
              "Accesses with more than the alignment of an element">
  ];
}

def AlternateRemainders
    : Pass<"uop-alternate-remainders", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Carry the parity of a loop from iteration to iteration";
  let description = [{
    In an `scf.for` over index that counts from 0 by 1, the remainder by 2 of the
    variable, and of the variable plus a constant, becomes a value that the loop
    carries: it begins with 0 and alternates. That is the tile of two which a
    pipelined loop reads or fills; computed of the variable, it is taken apart by
    LLVM where the tile is not filled any more, and costs instructions and
    registers in every iteration.

    Example:

    ```mlir
    gpu.module @m {
      gpu.func @k(%x: memref<2xindex>, %n: index) kernel {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        scf.for %i = %c0 to %n step %c1 {
          %r = arith.remui %i, %c2 : index
          memref.store %i, %x[%r] : memref<2xindex>
        }
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numAlternated", "loops-alternated",
              "Number of loops that carry their parity">,
  ];
}

def NarrowIndex : Pass<"uop-narrow-index", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Do index arithmetic in 32 bits where its bounds prove it fits";
  let description = [{
    An arith operation on index values whose operands and result are proved to
    lie in the range of a signed 32-bit integer is done on i32. A loop of
    which the bounds, and a step more, are in that range counts in i32, if nothing
    is divided in it. The bounds come
    from upstream's integer range analysis: thread and block indices have those
    of `known_block_size` and `known_grid_size`.
    A constant that is added last to the index of an access stays in the width
    of an address, of which it is an offset.

    Example:

    ```mlir
    gpu.module @m {
      gpu.func @k(%x: memref<8192xindex>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>,
                      known_grid_size = array<i32: 128, 1, 1>} {
        %c64 = arith.constant 64 : index
        %b = gpu.block_id x
        %t = gpu.thread_id x
        %o = arith.muli %b, %c64 : index
        %i = arith.addi %o, %t : index
        memref.store %i, %x[%i] : memref<8192xindex>
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numNarrowed", "narrowed",
              "Operations that are done in 32 bits">
  ];
}

#endif // UOP_CONVERSION_PASSES
