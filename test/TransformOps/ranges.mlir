// What each op on ranges makes of a kernel.
// RUN: uop-opt %s --split-input-file --transform-interpreter | FileCheck %s

!h = !transform.any_op
// The inner part, of 16 points, is threads; the outer keeps the axis. The
// attribute that the kernel had is no longer true.
// CHECK-LABEL: uop.kernel @split_inner(
// CHECK-NOT: schedule
// CHECK: %[[O:.*]] = uop.range loop 4
// CHECK: %[[I:.*]] = uop.range local<x> 16
// CHECK: %[[C:.*]] = arith.constant 16 : index
// CHECK: %[[B:.*]] = arith.muli %[[O]], %[[C]]
// CHECK: %[[X:.*]] = arith.addi %[[B]], %[[I]]
// CHECK: uop.store %{{.*}}, %{{.*}}[%[[X]]] : memref<64xf32>
uop.kernel @split_inner(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 64
  %x = uop.load %in[%i] : memref<64xf32>
  uop.store %x, %out[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    %outer, %inner = transform.uop.split %i by 16 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// The outer part has the given extent and axis. A reduction ascends still.
// CHECK-LABEL: uop.kernel @split_outer(
// CHECK: %[[O:.*]] = uop.range unroll 4
// CHECK: %[[I:.*]] = uop.range reduce 16
// CHECK: uop.reduce add %{{.*}} over(%[[O]], %[[I]]) : f32
uop.kernel @split_outer(%in: memref<64xf32>, %out: memref<f32>) {
  %i = uop.range reduce 64
  %x = uop.load %in[%i] : memref<64xf32>
  %s = uop.reduce add %x over(%i) : f32
  uop.store %s, %out[] : memref<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k reduce 0 : (!h) -> !h
    %outer, %inner = transform.uop.split %i by 4 to unroll outer : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// An amount of all points leaves no outer part, and one of a single point no
// inner one: what is done with the empty handles is nothing.
// CHECK-LABEL: uop.kernel @empty_handles(
// CHECK-NEXT: uop.range local<x> 64
// CHECK-NEXT: uop.range global<y> 8
// CHECK-NOT: uop.range
uop.kernel @empty_handles(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {
  %i = uop.range loop 64
  %j = uop.range loop 8
  %x = uop.load %in[%i, %j] : memref<64x8xf32>
  uop.store %x, %out[%i, %j] : memref<64x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    %j = transform.uop.axis %k output 1 : (!h) -> !h
    %none, %threads = transform.uop.split %i by 64 to local<x> inner : (!h) -> (!h, !h)
    %rest, %nothing = transform.uop.split %j by 1 to local<y> inner : (!h) -> (!h, !h)
    transform.uop.map %none to global<x> : !h
    transform.uop.map %rest to global<y> : !h
    transform.uop.pad %nothing to_multiple_of 7 : (!h) -> ()
    %a, %b = transform.uop.split %nothing by 7 to upcast outer : (!h) -> (!h, !h)
    %c, %d = transform.uop.unroll %a : (!h) -> (!h, !h)
    %e, %f = transform.uop.group %c by 3 : (!h) -> (!h, !h)
    %folded = transform.uop.fold %e, %f to global<z> : (!h, !h) -> !h
    transform.uop.map %folded to global<z> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
!p = !transform.param<i64>
// Amounts in parameters: one for all ranges, or one each.
// CHECK-LABEL: uop.kernel @params(
// CHECK-DAG: uop.range loop 8
// CHECK-DAG: uop.range local<x> 8
// CHECK-DAG: uop.range upcast 4
// CHECK-DAG: uop.range loop 4
uop.kernel @params(%in: memref<64x16xf32>, %out: memref<64x16xf32>) {
  %i = uop.range loop 64
  %j = uop.range loop 16
  %x = uop.load %in[%i, %j] : memref<64x16xf32>
  uop.store %x, %out[%i, %j] : memref<64x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %axes, %none = transform.uop.get_axes %k : (!h) -> (!h, !h)
    %c8 = transform.param.constant 8 : i64 -> !p
    %c4 = transform.param.constant 4 : i64 -> !p
    %both = transform.merge_handles %c8, %c4 : !p
    %outer, %inner = transform.uop.split %axes by %both to loop inner : (!h, !p) -> (!h, !h)
    %threads, %copies = transform.split_handle %inner : (!h) -> (!h, !h)
    transform.uop.map %threads to local<x> : !h
    %rest, %unrolled = transform.uop.unroll %copies by %c4 : (!h, !p) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Masks keep what is new without effect. The store is unique: its verifier need
// not prove it again.
// CHECK-LABEL: uop.kernel @pad(
// CHECK: %[[C:.*]] = arith.constant 50 : index
// CHECK: %[[I:.*]] = uop.range loop 64
// CHECK: %[[W:.*]] = arith.cmpi slt, %[[I]], %[[C]]
// CHECK: uop.load %{{.*}}[%[[I]]] mask %[[W]]
// CHECK: uop.store %{{.*}}, %{{.*}}[%[[I]]] mask %[[W]] unique
uop.kernel @pad(%in: memref<50xf32>, %out: memref<50xf32>) {
  %i = uop.range loop 50
  %x = uop.load %in[%i] : memref<50xf32>
  uop.store %x, %out[%i] : memref<50xf32>
}
// A multiple already: nothing changes, not even the attribute.
// CHECK-LABEL: uop.kernel @padded(
// CHECK-SAME: attributes {schedule = #uop.schedule<[LOCAL 0:16]>}
// CHECK-NEXT: uop.range loop 48
// CHECK-NOT: mask
uop.kernel @padded(%in: memref<48xf32>, %out: memref<48xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %x = uop.load %in[%i] : memref<48xf32>
  uop.store %x, %out[%i] : memref<48xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %axes, %none = transform.uop.get_axes %k : (!h) -> (!h, !h)
    transform.uop.pad %axes to_multiple_of 16 : (!h) -> ()
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A dynamic range is padded, and then known to be divided.
// CHECK-LABEL: uop.kernel @dynamic(
// CHECK: %[[N:.*]] = memref.dim
// CHECK: uop.range global<x> %{{.*}}
// CHECK: uop.range local<x> 32
uop.kernel @dynamic(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    transform.uop.pad %i to_multiple_of 32 : (!h) -> ()
    %blocks, %threads = transform.uop.split %i by 32 to local<x> inner : (!h) -> (!h, !h)
    transform.uop.map %blocks to global<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Copies of a reduction are 'unroll', and of an output 'upcast'; the whole range
// without an amount.
// CHECK-LABEL: uop.kernel @unroll(
// CHECK: uop.range upcast 4
// CHECK: uop.range reduce 16
// CHECK: uop.range unroll 2
uop.kernel @unroll(%in: memref<4x32xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range reduce 32
  %x = uop.load %in[%i, %k] : memref<4x32xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %out[%i] : memref<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i, %k = transform.uop.get_axes %kernel : (!h) -> (!h, !h)
    %none, %copies = transform.uop.unroll %i : (!h) -> (!h, !h)
    %rest, %steps = transform.uop.unroll %k by 2 : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Threads of a group have interleaved points, or consecutive ones.
// CHECK-LABEL: uop.kernel @group(
// CHECK: %[[R:.*]] = uop.range reduce 8
// CHECK: %[[T:.*]] = uop.range group_reduce<x> 32
// CHECK: uop.reduce add %{{.*}} over(%[[R]], %[[T]])
uop.kernel @group(%in: memref<256xi32>, %out: memref<i32>) {
  %k = uop.range reduce 256
  %x = uop.load %in[%k] : memref<256xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %k = transform.uop.axis %kernel reduce 0 : (!h) -> !h
    %rest, %threads = transform.uop.group %k by 32 : (!h) -> (!h, !h)
    // The threads are the second result in both cases.
    %loop = transform.cast %rest : !h to !transform.op<"uop.range">
    transform.yield
  }
}

// -----

!h = !transform.any_op
// CHECK-LABEL: uop.kernel @group_outermost(
// CHECK: %[[T:.*]] = uop.range group_reduce<y> 32
// CHECK: %[[R:.*]] = uop.range unroll 8
// CHECK: uop.reduce add %{{.*}} over(%[[T]], %[[R]])
uop.kernel @group_outermost(%in: memref<256xi32>, %out: memref<i32>) {
  %k = uop.range reduce 256
  %x = uop.load %in[%k] : memref<256xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %k = transform.uop.axis %kernel reduce 0 : (!h) -> !h
    %rest, %threads = transform.uop.group %k by 32 along y outermost : (!h) -> (!h, !h)
    %none, %copies = transform.uop.unroll %rest : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Two reduce ranges become one, and so do two outputs: the first is outermost.
// CHECK-LABEL: uop.kernel @fold(
// CHECK: %[[O:.*]] = uop.range global<x> 6
// CHECK: %[[I:.*]] = uop.floordiv %[[O]], %{{.*}}
// CHECK: %[[J:.*]] = uop.floormod %[[O]], %{{.*}}
// CHECK: %[[R:.*]] = uop.range reduce 20
// CHECK: %[[K:.*]] = uop.floordiv %[[R]], %{{.*}}
// CHECK: %[[L:.*]] = uop.floormod %[[R]], %{{.*}}
// CHECK: uop.load %{{.*}}[%[[I]], %[[J]], %[[K]], %[[L]]]
// CHECK: uop.reduce add %{{.*}} over(%[[R]])
// CHECK: uop.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]{{.*}} unique
uop.kernel @fold(%in: memref<2x3x4x5xf32>, %out: memref<2x3xf32>) {
  %i = uop.range loop 2
  %j = uop.range loop 3
  %k = uop.range reduce 4
  %l = uop.range reduce 5
  %x = uop.load %in[%i, %j, %k, %l] : memref<2x3x4x5xf32>
  %s = uop.reduce add %x over(%k, %l) : f32
  uop.store %s, %out[%i, %j] : memref<2x3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %outputs, %reduces = transform.uop.get_axes %kernel : (!h) -> (!h, !h)
    %o = transform.uop.fold %outputs to global<x> : (!h) -> !h
    %r = transform.uop.fold %reduces to reduce : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// One range alone only changes its axis.
// CHECK-LABEL: uop.kernel @fold_one(
// CHECK-NEXT: uop.range local<x> 8
// CHECK-NOT: unique
uop.kernel @fold_one(%in: memref<8xf32>, %out: memref<8xf32>) {
  %i = uop.range loop 8
  %x = uop.load %in[%i] : memref<8xf32>
  uop.store %x, %out[%i] : memref<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %kernel output 0 : (!h) -> !h
    %o = transform.uop.fold %i to local<x> : (!h) -> !h
    transform.yield
  }
}
