//===- UopTransformOps.td - Schedules as scripts -----------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops have in common:
//
// * A handle may have any number of ranges, kernels or loads, also none: then
//   nothing is done, and results are empty. An op does all that it is asked
//   for, or nothing.
// * What cannot be done is a silenceable failure at the transform op, in the
//   words of the primitive or of the verifier of kernels, with a note at what
//   it was applied to. The kernels are then as they were before, so that
//   `transform.alternatives` and `failures(suppress)` may go on. A handle to
//   something else than what an op is for is such a failure as well.
// * Kernels are in graph form, before --uop-lower-to-loops.
// * Ops that put other ranges in the place of a range, or tiles in the place of
//   a load, consume its handle. Handles to kernels stay valid, but for
//   transform.uop.apply_schedule and transform.uop.auto_map, which consume it
//   (and with it all handles to ranges and loads inside) and return it.
// * A list of opts cannot tell what a script has done. So an op that changes a
//   kernel removes its `schedule`, if there is one, rather than leave one that
//   is wrong; the two ops that carry out a list store it.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMOPS_UOPTRANSFORMOPS
#define UOP_TRANSFORMOPS_UOPTRANSFORMOPS

include "Uop/IR/UopAttributes.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Uop_TransformOp<string name, list<Trait> traits = []>
    : Op<Transform_Dialect, "uop." # name, !listconcat([
        DeclareOpInterfaceMethods<TransformOpInterface>,
        ReportTrackingListenerFailuresOpTrait], traits)> {
  // Not `transform`: that is a namespace of mlir, which users of both have open.
  let cppNamespace = "::uop::transform_ops";
}

/// An op that looks, and changes nothing.
class Uop_NavigationOp<string name>
    : Uop_TransformOp<name, [NavigationTransformOpTrait,
                             MemoryEffectsOpInterface]>;

/// An op that changes kernels, and says itself which handles it consumes.
class Uop_ScheduleOp<string name, list<Trait> traits = []>
    : Uop_TransformOp<name, !listconcat([
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)>;

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

def GetAxesOp : Uop_NavigationOp<"get_axes"> {
  let summary = "Get the ranges of a kernel that opts count";
  let description = [{
    The output axes (ranges in the domains of stores) and the reduce axes
    (ranges that reductions close) of kernels as they are now, each in the order
    of their definition, in which the opts of a schedule count them.

    An axis that was folded since its extent is 1 has a number, but no range:
    the list goes without it, so that the places in the list are not the numbers
    of the opts then. `transform.uop.axis` goes by numbers.

    ```mlir
    uop.kernel @scale(%in: memref<64x128xf32>, %out: memref<64x128xf32>) {
      %i = uop.range loop 64
      %j = uop.range loop 128
      %x = uop.load %in[%i, %j] : memref<64x128xf32>
      %two = arith.constant 2.0 : f32
      %y = arith.mulf %x, %two : f32
      uop.store %y, %out[%i, %j] : memref<64x128xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %outputs, %reduces = transform.uop.get_axes %kernel
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %i, %j = transform.split_handle %outputs
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.uop.map %i to global<x> : !transform.any_op
        transform.uop.map %j to local<x> : !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "kernels">:$target);
  let results = (outs
    Res<TransformHandleTypeInterface, "ranges of the outputs">:$outputs,
    Res<TransformHandleTypeInterface, "ranges of the reductions">:$reduces);
  let assemblyFormat =
    "$target attr-dict `:` functional-type(operands, results)";
}

def AxisOp : Uop_NavigationOp<"axis"> {
  let summary = "Get the range of one axis, by its number among the opts";
  let description = [{
    The range of the `output` or `reduce` axis that has this number in each of
    the kernels; nothing for an axis that was folded since its extent is 1: there
    is nothing to split or to map, and other ops do nothing with it. A number
    that the kernel has no axis for is a silenceable failure.

    ```mlir parse-only
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @outer(
          %kernel: !transform.any_op {transform.readonly}) -> !transform.any_op {
        %m = transform.uop.axis %kernel output 0
          : (!transform.any_op) -> !transform.any_op
        transform.yield %m : !transform.any_op
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "kernels">:$target,
    Arg<UnitAttr, "whether it counts reduce axes">:$reduce,
    Arg<ConfinedAttr<I64Attr, [IntNonNegative]>, "which of them">:$number);
  let results = (outs Res<TransformHandleTypeInterface, "ranges">:$range);
  let assemblyFormat = [{
    $target custom<AxisList>($reduce) $number attr-dict
    `:` functional-type(operands, results)
  }];
}

def GetLoadsOp : Uop_NavigationOp<"get_loads"> {
  let summary = "Get the loads of a kernel";
  let description = [{
    The loads of kernels in program order, in which the opt STAGE counts them;
    with `from`, those that read the argument of that number.

    ```mlir parse-only
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @left(
          %kernel: !transform.any_op {transform.readonly}) -> !transform.any_op {
        %a = transform.uop.get_loads %kernel from 0
          : (!transform.any_op) -> !transform.any_op
        transform.yield %a : !transform.any_op
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "kernels">:$target,
    Arg<OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>,
        "the argument that is read">:$argument);
  let results = (outs Res<TransformHandleTypeInterface, "loads">:$loads);
  let assemblyFormat = [{
    $target (`from` $argument^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

def SplitOp : Uop_ScheduleOp<"split"> {
  let summary = "Split a range into two, one of them of a given extent";
  let description = [{
    range = outer * (extent of inner) + inner. The part of the given extent, the
    `inner` or the `outer` one, is on the given axis; the other part keeps that
    of the range. A part that would have a single point is not there: the result
    is an empty handle, and ops on it do nothing. So it is for an amount of the
    whole extent, which only changes the axis, and for one of 1, which does
    nothing.

    The amount is a number or a parameter with one for all ranges, or one each.
    It must be known to divide the extent: `transform.uop.pad` goes before where
    it does not. Consumes the handle.

    Two rows a thread, with the threads of neighbouring rows apart:

    ```mlir
    uop.kernel @scale(%in: memref<64x128xf32>, %out: memref<64x128xf32>) {
      %i = uop.range loop 64
      %j = uop.range loop 128
      %x = uop.load %in[%i, %j] : memref<64x128xf32>
      %two = arith.constant 2.0 : f32
      %y = arith.mulf %x, %two : f32
      uop.store %y, %out[%i, %j] : memref<64x128xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %i = transform.uop.axis %kernel output 0
          : (!transform.any_op) -> !transform.any_op
        %j = transform.uop.axis %kernel output 1
          : (!transform.any_op) -> !transform.any_op
        %copies, %rows = transform.uop.split %i by 2 to upcast outer
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %blocks, %threads = transform.uop.split %j by 32 to local<x> inner
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.uop.map %blocks to global<x> : !transform.any_op
        transform.uop.map %rows to global<y> : !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "ranges">:$target,
    Arg<Optional<TransformParamTypeInterface>, "the extent">:$amount,
    Arg<OptionalAttr<I64Attr>, "the extent, where it is fixed">:$static_amount,
    Arg<Uop_AxisAttr, "what executes the part of that extent">:$axis,
    Arg<UnitAttr, "whether that is the outer part">:$is_outer);
  let results = (outs
    Res<TransformHandleTypeInterface, "outer ranges">:$outer,
    Res<TransformHandleTypeInterface, "inner ranges">:$inner);
  let assemblyFormat = [{
    $target `by` custom<Amount>($amount, $static_amount)
    `to` custom<Axis>($axis) custom<Side>($is_outer) attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def MapOp : Uop_ScheduleOp<"map"> {
  let summary = "Change what executes a range";
  let description = [{
    Gives ranges an axis: blocks, threads, copies, or a loop of a thread. The
    handle stays valid. Two ranges that vary together, as those of one store do,
    cannot have one dimension of the hardware, not for a moment either: to
    exchange two, one of them is made `loop` first.
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "ranges">:$target,
    Arg<Uop_AxisAttr, "what executes them">:$axis);
  let assemblyFormat = [{
    $target `to` custom<Axis>($axis) attr-dict `:` type($target)
  }];
}

def PadOp : Uop_ScheduleOp<"pad"> {
  let summary = "Let a range run on to the next multiple of a number";
  let description = [{
    What the range did not reach before stays without effect, by masks on loads,
    stores and reductions. A range that is known to be a multiple stays as it
    is. Stores with the range in their domain become `unique`: that no element is
    written twice was proved before. The handle stays valid.

    With `nonempty` a range without points gets some, as an axis of threads or
    copies must have.

    Blocks of 16 threads for 50 elements:

    ```mlir
    uop.kernel @negate(%in: memref<50xf32>, %out: memref<50xf32>) {
      %i = uop.range loop 50
      %x = uop.load %in[%i] : memref<50xf32>
      %y = arith.negf %x : f32
      uop.store %y, %out[%i] : memref<50xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %i = transform.uop.axis %kernel output 0
          : (!transform.any_op) -> !transform.any_op
        transform.uop.pad %i to_multiple_of 16 : (!transform.any_op) -> ()
        %blocks, %threads = transform.uop.split %i by 16 to local<x> inner
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.uop.map %blocks to global<x> : !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "ranges">:$target,
    Arg<Optional<TransformParamTypeInterface>, "the number">:$amount,
    Arg<OptionalAttr<I64Attr>, "the number, where it is fixed">:$static_amount,
    Arg<UnitAttr, "whether ranges without points get some">:$nonempty);
  let assemblyFormat = [{
    $target `to_multiple_of` custom<Amount>($amount, $static_amount)
    (`nonempty` $nonempty^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def UnrollOp : Uop_ScheduleOp<"unroll"> {
  let summary = "Make copies of the code for points of a range";
  let description = [{
    Splits off the innermost `amount` points of a range, or takes all of it where
    no amount is given, to axis `unroll` if a reduction closes the range and to
    `upcast` otherwise: as the opts UNROLL and UPCAST do. Copies share the loads
    that do not differ between them. Returns what is left of the range, and the
    copies; each may be empty, as for `transform.uop.split`. Consumes the handle.
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "ranges">:$target,
    Arg<Optional<TransformParamTypeInterface>, "how many copies">:$amount,
    Arg<OptionalAttr<I64Attr>,
        "how many copies, where it is fixed">:$static_amount);
  let results = (outs
    Res<TransformHandleTypeInterface, "what is left of the ranges">:$rest,
    Res<TransformHandleTypeInterface, "ranges of copies">:$copies);
  let assemblyFormat = [{
    $target custom<OptionalAmount>($amount, $static_amount) attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GroupOp : Uop_ScheduleOp<"group"> {
  let summary = "Divide the points of a reduction among threads of a block";
  let description = [{
    Splits a range on axis `reduce` into one of `amount` threads along x (or
    another dimension of the block, `along y`), on axis `group_reduce`, and what
    each of them reduces by itself; all of them get the result. As by the opt
    GROUP the points are interleaved; with `outermost`, as by GROUPTOP, each
    thread has consecutive ones. Interleaving changes the order of the points,
    which a reduction with a combiner of its own does not allow.

    Returns what a thread reduces, and the threads; each may be empty, as for
    `transform.uop.split`. Consumes the handle.

    ```mlir
    uop.kernel @sum(%in: memref<8x256xi32>, %out: memref<8xi32>) {
      %i = uop.range loop 8
      %k = uop.range reduce 256
      %x = uop.load %in[%i, %k] : memref<8x256xi32>
      %sum = uop.reduce add %x over(%k) : i32
      uop.store %sum, %out[%i] : memref<8xi32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %i = transform.uop.axis %kernel output 0
          : (!transform.any_op) -> !transform.any_op
        %k = transform.uop.axis %kernel reduce 0
          : (!transform.any_op) -> !transform.any_op
        transform.uop.map %i to global<x> : !transform.any_op
        %points, %threads = transform.uop.group %k by 32
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %steps, %copies = transform.uop.unroll %points by 4
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "ranges">:$target,
    Arg<Optional<TransformParamTypeInterface>, "how many threads">:$amount,
    Arg<OptionalAttr<I64Attr>,
        "how many threads, where it is fixed">:$static_amount,
    Arg<Uop_AxisAttr, "the dimension of the threads">:$axis,
    Arg<UnitAttr, "whether each has consecutive points">:$outermost);
  let results = (outs
    Res<TransformHandleTypeInterface, "what a thread reduces">:$rest,
    Res<TransformHandleTypeInterface, "ranges of threads">:$threads);
  let assemblyFormat = [{
    $target `by` custom<Amount>($amount, $static_amount)
    custom<GroupDimension>($axis) (`outermost` $outermost^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def FoldOp : Uop_ScheduleOp<"fold"> {
  let summary = "Make one range of several";
  let description = [{
    One range, on the given axis, of as many points as all ranges of the handles
    together have, the first one outermost; each of them becomes a quotient and
    remainder of it. The inverse of `transform.uop.split`. The ranges are those
    of one kernel; one alone only changes its axis, and with none the result is
    empty. What a reduction closes is folded in the order in which it is closed.
    Stores with folded ranges in their domains become `unique`, as for
    `transform.uop.pad`. Consumes the handles.

    More axes than dimensions:

    ```mlir
    uop.kernel @negate(%in: memref<2x3x4x32xf32>, %out: memref<2x3x4x32xf32>) {
      %a = uop.range loop 2
      %b = uop.range loop 3
      %c = uop.range loop 4
      %d = uop.range loop 32
      %x = uop.load %in[%a, %b, %c, %d] : memref<2x3x4x32xf32>
      %y = arith.negf %x : f32
      uop.store %y, %out[%a, %b, %c, %d] : memref<2x3x4x32xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %outputs, %reduces = transform.uop.get_axes %kernel
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %a, %b, %c, %d = transform.split_handle %outputs
          : (!transform.any_op)
          -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
        transform.uop.map %d to local<x> : !transform.any_op
        %blocks = transform.uop.fold %a, %b, %c to global<x>
          : (!transform.any_op, !transform.any_op, !transform.any_op)
          -> !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<TransformHandleTypeInterface>, "ranges">:$targets,
    Arg<Uop_AxisAttr, "what executes the new range">:$axis);
  let results = (outs
    Res<TransformHandleTypeInterface, "the new range">:$folded);
  let assemblyFormat = [{
    $targets `to` custom<Axis>($axis) attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Kernels and loads
//===----------------------------------------------------------------------===//

def StageOp : Uop_ScheduleOp<"stage", [AttrSizedOperandSegments]> {
  let summary = "Put what a block reads by a load into a tile of shared memory";
  let description = [{
    Each of the loads becomes one of a tile, which the threads of a block fill
    together (`uop.stage`); loads with equal tiles share one. As by the opt STAGE
    on a mapped kernel: the tile has what a block reads in one iteration of the
    loops around its filling, by the mapping that the kernel has now. So threads
    and copies are mapped before: a range that a tile varies with cannot become
    threads of its block later. `buffers` is the number of tiles that a loop
    rotates through.

    With `step`, ranges on axis `reduce` are split before, as by the opt KSTEP:
    the outer part is a loop around the filling, and an iteration has the given
    number of points, beyond the end under masks. A step of 1 makes a range as a
    whole such a loop.

    Returns the stages, and the outer and inner parts of the ranges of `step`,
    any of which may be empty. Consumes the loads and these ranges.

    ```mlir
    uop.kernel @gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>,
                     %C: memref<64x32xf32>) {
      %m = uop.range loop 64
      %n = uop.range loop 32
      %k = uop.range reduce 48
      %a = uop.load %A[%m, %k] : memref<64x48xf32>
      %b = uop.load %B[%k, %n] : memref<48x32xf32>
      %p = arith.mulf %a, %b : f32
      %c = uop.reduce add %p over(%k) : f32
      uop.store %c, %C[%m, %n] : memref<64x32xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %outputs, %k = transform.uop.get_axes %kernel
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %m, %n = transform.split_handle %outputs
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %by, %ty = transform.uop.split %m by 16 to local<y> inner
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %bx, %tx = transform.uop.split %n by 16 to local<x> inner
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.uop.map %by to global<y> : !transform.any_op
        transform.uop.map %bx to global<x> : !transform.any_op
        %loads = transform.uop.get_loads %kernel
          : (!transform.any_op) -> !transform.any_op
        %tiles, %steps, %points = transform.uop.stage %loads buffers 2 step %k by 16
          : (!transform.any_op, !transform.any_op)
          -> (!transform.any_op, !transform.any_op, !transform.any_op)
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "loads">:$target,
    Arg<DefaultValuedAttr<I64Attr, "1">, "tiles that a loop rotates">:$buffers,
    Arg<Optional<TransformHandleTypeInterface>, "ranges">:$stepped,
    Arg<Optional<TransformParamTypeInterface>, "points of an iteration">:$step,
    Arg<OptionalAttr<I64Attr>,
        "points of an iteration, where it is fixed">:$static_step);
  let results = (outs
    Res<TransformHandleTypeInterface, "stages">:$stages,
    Res<TransformHandleTypeInterface, "loops around the filling">:$outer,
    Res<TransformHandleTypeInterface, "points of an iteration">:$inner);
  let assemblyFormat = [{
    $target custom<Buffers>($buffers)
    (`step` $stepped^ `by` custom<Amount>($step, $static_step))? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ApplyScheduleOp : Uop_ScheduleOp<"apply_schedule"> {
  let summary = "Carry out a list of opts";
  let description = [{
    Maps kernels by a list of opts, as `--uop-gpu-map` with options or an
    attribute does: the list is planned as a whole, axes are padded and folded
    where it takes that, and the list is stored on the kernel. Without a list it
    is the kernel's own attribute `schedule`, which must be there. With `for_cpu`
    it is done as by `--uop-cpu-map`.

    A kernel that is mapped already takes KSTEP and STAGE only, as for
    `--uop-place-shared`. One that is mapped in part keeps that part. The list
    counts the axes as they are when it is applied, and so does what is stored:
    of what a script did before it tells nothing.

    With `remarks` what was decided beyond the opts is said in remarks at the
    kernel. Consumes the handle, and returns it.

    ```mlir
    uop.kernel @scale(%in: memref<64x100xf32>, %out: memref<64x100xf32>) {
      %i = uop.range loop 64
      %j = uop.range loop 100
      %x = uop.load %in[%i, %j] : memref<64x100xf32>
      %two = arith.constant 2.0 : f32
      %y = arith.mulf %x, %two : f32
      uop.store %y, %out[%i, %j] : memref<64x100xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %mapped = transform.uop.apply_schedule
            #uop.schedule<[LOCAL 1:32, UPCAST 0:2]> to %kernel
          : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "kernels">:$target,
    Arg<OptionalAttr<Uop_ScheduleAttr>, "the opts">:$schedule,
    Arg<UnitAttr, "whether to map to the threads of a CPU">:$for_cpu,
    Arg<UnitAttr, "whether to tell of decisions">:$remarks);
  let results = (outs Res<TransformHandleTypeInterface, "kernels">:$mapped);
  let assemblyFormat = [{
    (qualified($schedule)^)? `to` $target (`for_cpu` $for_cpu^)?
    (`remarks` $remarks^)? attr-dict `:` functional-type(operands, results)
  }];
}

def AutoMapOp : Uop_ScheduleOp<"auto_map"> {
  let summary = "Map a kernel as a heuristic chooses";
  let description = [{
    Maps kernels as `--uop-gpu-map` does with the given `heuristic`, `default`
    for the multiprocessors of `chip`, or `basic`, whatever `schedule` they have;
    the list of opts that is chosen is stored. With `shared` it is done as by
    `--uop-place-shared`, with tiles in shared memory; a kernel that is mapped
    already then keeps its mapping, and is refused without. One that is mapped in
    part keeps that part.

    With `remarks` each choice is explained by a remark at the kernel. Consumes
    the handle, and returns it.

    ```mlir
    uop.kernel @scale(%in: memref<64x100xf32>, %out: memref<64x100xf32>) {
      %i = uop.range loop 64
      %j = uop.range loop 100
      %x = uop.load %in[%i, %j] : memref<64x100xf32>
      %two = arith.constant 2.0 : f32
      %y = arith.mulf %x, %two : f32
      uop.store %y, %out[%i, %j] : memref<64x100xf32>
    }
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        %kernel = transform.structured.match ops{["uop.kernel"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %mapped = transform.uop.auto_map %kernel {chip = "sm_90", shared}
          : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TransformHandleTypeInterface, "kernels">:$target,
    Arg<DefaultValuedAttr<StrAttr, "\"sm_80\"">, "the chip">:$chip,
    Arg<DefaultValuedAttr<StrAttr, "\"default\"">,
        "how to choose, default or basic">:$heuristic,
    Arg<UnitAttr, "whether to make tiles in shared memory">:$shared,
    Arg<UnitAttr, "whether to explain choices">:$remarks);
  let results = (outs Res<TransformHandleTypeInterface, "kernels">:$mapped);
  let assemblyFormat =
    "$target attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // UOP_TRANSFORMOPS_UOPTRANSFORMOPS
