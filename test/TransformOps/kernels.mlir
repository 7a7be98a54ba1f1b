// What the ops on kernels and loads do.
// RUN: uop-opt %s --split-input-file --transform-interpreter | FileCheck %s

!h = !transform.any_op
// Axes are counted as opts count them: the second output axis was folded since
// its extent is 1, has a number and no range, and is left out of the list.
// CHECK-LABEL: uop.kernel @folded_axis(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: uop.range global<x> 4
// CHECK-NEXT: uop.range local<x> 8
// CHECK-NEXT: uop.range unroll 2
uop.kernel @folded_axis(%in: memref<4x1x8x2xf32>, %out: memref<4x1x8xf32>) {
  %c0 = arith.constant 0 : index
  %i = uop.range loop 4
  %j = uop.range loop 8
  %k = uop.range reduce 2
  %x = uop.load %in[%i, %c0, %j, %k] : memref<4x1x8x2xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %out[%i, %c0, %j] over(%i, %c0, %j) : memref<4x1x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // Two ranges: split_handle takes that for granted.
    %outputs, %reduces = transform.uop.get_axes %kernel : (!h) -> (!h, !h)
    %first, %second = transform.split_handle %outputs : (!h) -> (!h, !h)
    %none, %copies = transform.uop.unroll %reduces : (!h) -> (!h, !h)
    %i = transform.uop.axis %kernel output 0 : (!h) -> !h
    %nothing = transform.uop.axis %kernel output 1 : (!h) -> !h
    %j = transform.uop.axis %kernel output 2 : (!h) -> !h
    transform.uop.map %i to global<x> : !h
    transform.uop.map %nothing to global<z> : !h
    transform.uop.map %j to local<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// The loads of one argument, among those of a kernel. Handles to loads outlive
// splits of their ranges, and handles to ranges the staging of loads.
// CHECK-LABEL: uop.kernel @stage(
// CHECK: %[[B:.*]] = uop.range global<x> 2
// CHECK: uop.range local<x> 32
// CHECK: %[[O:.*]] = uop.range reduce 4
// CHECK: %[[I:.*]] = uop.range unroll 4
// CHECK: uop.load %arg0
// CHECK: %[[W:.*]] = uop.load %arg1
// CHECK: %[[T:.*]] = uop.stage %[[W]] {{.*}}buffers = 3 : i64{{.*}} : !uop.tile<4xf32, workgroup>
// CHECK: uop.load %[[T]][%[[I]]]
// CHECK: uop.reduce add %{{.*}} over(%[[O]], %[[I]])
uop.kernel @stage(%x: memref<64x16xf32>, %w: memref<16xf32>, %y: memref<64xf32>) {
  %i = uop.range loop 64
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<64x16xf32>
  %u = uop.load %w[%k] : memref<16xf32>
  %p = arith.mulf %v, %u : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %y[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %w = transform.uop.get_loads %kernel from 1 : (!h) -> !h
    %i, %k = transform.uop.get_axes %kernel : (!h) -> (!h, !h)
    %blocks, %threads = transform.uop.split %i by 32 to local<x> inner : (!h) -> (!h, !h)
    %tile, %outer, %inner = transform.uop.stage %w buffers 3 step %k by 4
      : (!h, !h) -> (!h, !h, !h)
    transform.uop.map %blocks to global<x> : !h
    %none, %copies = transform.uop.unroll %inner : (!h) -> (!h, !h)
    %stage = transform.cast %tile : !h to !transform.op<"uop.stage">
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A step of 1 makes a range that was split by hand the loop around the filling.
// CHECK-LABEL: uop.kernel @step_by_hand(
// CHECK: uop.stage {{.*}} : !uop.tile<8xf32, workgroup>
uop.kernel @step_by_hand(%x: memref<64x16xf32>, %w: memref<16xf32>, %y: memref<64xf32>) {
  %i = uop.range local<x> 64
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<64x16xf32>
  %u = uop.load %w[%k] : memref<16xf32>
  %p = arith.mulf %v, %u : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %y[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %w = transform.uop.get_loads %kernel from 1 : (!h) -> !h
    %k = transform.uop.axis %kernel reduce 0 : (!h) -> !h
    %steps, %points = transform.uop.split %k by 8 to reduce inner : (!h) -> (!h, !h)
    %tile, %outer, %inner = transform.uop.stage %w step %steps by 1 : (!h, !h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// The list of opts is stored, with KSTEP and STAGE that come later, as
// --uop-place-shared on a mapped kernel stores them; but a split by hand after
// it is not in any list.
// CHECK-LABEL: uop.kernel @listed(
// CHECK-SAME: attributes {schedule = #uop.schedule<[LOCAL 0:32, KSTEP 0:4, STAGE 1:1]>}
// CHECK: uop.stage
uop.kernel @listed(%x: memref<64x16xf32>, %w: memref<16xf32>, %y: memref<64xf32>) {
  %i = uop.range loop 64
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<64x16xf32>
  %u = uop.load %w[%k] : memref<16xf32>
  %p = arith.mulf %v, %u : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %y[%i] : memref<64xf32>
}
// CHECK-LABEL: uop.kernel @no_list(
// CHECK-NOT: schedule
// CHECK: uop.range unroll 2
uop.kernel @no_list(%x: memref<64x16xf32>, %y: memref<64xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:32]>} {
  %i = uop.range loop 64
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<64x16xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernels = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %first, %second = transform.split_handle %kernels : (!h) -> (!h, !h)
    %a = transform.uop.apply_schedule #uop.schedule<[LOCAL 0:32]> to %first : (!h) -> !h
    %b = transform.uop.apply_schedule #uop.schedule<[KSTEP 0:4, STAGE 1:1]> to %a : (!h) -> !h
    // Its own attribute.
    %c = transform.uop.apply_schedule to %second : (!h) -> !h
    %k = transform.uop.axis %c reduce 0 : (!h) -> !h
    %rest, %copies = transform.uop.unroll %k by 2 : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// For the threads of a CPU.
// CHECK-LABEL: uop.kernel @cpu(
// CHECK-SAME: attributes {schedule = #uop.schedule<[THREAD 0:4]>}
// CHECK: uop.range thread 4
// CHECK: uop.range serial 16
uop.kernel @cpu(%x: memref<64xf32>, %y: memref<64xf32>) {
  %i = uop.range loop 64
  %v = uop.load %x[%i] : memref<64xf32>
  uop.store %v, %y[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a = transform.uop.apply_schedule #uop.schedule<[THREAD 0:4]> to %kernel for_cpu : (!h) -> !h
    transform.yield
  }
}
