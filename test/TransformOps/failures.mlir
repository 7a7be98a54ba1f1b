// A refusal leaves the kernel as it was, so that a script may go on.
// RUN: uop-opt %s --split-input-file --transform-interpreter | FileCheck %s
// RUN: uop-opt %s --split-input-file --transform-interpreter=disable-expensive-checks | FileCheck %s

!h = !transform.any_op
// The first alternative that applies is taken: 7 does not divide 48, and 100
// would need padding; the third one pads.
// CHECK-LABEL: uop.kernel @alternatives(
// CHECK: uop.range global<x> 2
// CHECK: uop.range local<x> 32
// CHECK-NOT: uop.range
uop.kernel @alternatives(%in: memref<48xf32>, %out: memref<48xf32>) {
  %i = uop.range loop 48
  %x = uop.load %in[%i] : memref<48xf32>
  uop.store %x, %out[%i] : memref<48xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %mapped = transform.alternatives %k : !h -> !h {
    ^bb0(%scope: !h):
      %i = transform.uop.axis %scope output 0 : (!h) -> !h
      %a, %b = transform.uop.split %i by 7 to local<x> inner : (!h) -> (!h, !h)
      transform.uop.map %a to global<x> : !h
      transform.yield %scope : !h
    }, {
    ^bb0(%scope: !h):
      %i = transform.uop.axis %scope output 0 : (!h) -> !h
      %a, %b = transform.uop.split %i by 16 to local<x> inner : (!h) -> (!h, !h)
      %c, %d = transform.uop.split %a by 100 to local<y> inner : (!h) -> (!h, !h)
      transform.yield %scope : !h
    }, {
    ^bb0(%scope: !h):
      %i = transform.uop.axis %scope output 0 : (!h) -> !h
      transform.uop.pad %i to_multiple_of 32 : (!h) -> ()
      %a, %b = transform.uop.split %i by 32 to local<x> inner : (!h) -> (!h, !h)
      transform.uop.map %a to global<x> : !h
      transform.yield %scope : !h
    }
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Where each is refused the kernel is untouched: also by an op on two ranges, of
// which it could do the first; and by one of which only the verifier finds that
// it makes no kernel. Its attribute is there, too.
// CHECK-LABEL: uop.kernel @suppressed(
// CHECK-SAME: attributes {schedule = #uop.schedule<[LOCAL 0:16]>}
// CHECK-NEXT: %[[I:.*]] = uop.range loop 48
// CHECK-NEXT: %[[J:.*]] = uop.range loop 50
// CHECK-NEXT: %[[X:.*]] = uop.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: uop.store %[[X]], %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: }
uop.kernel @suppressed(%in: memref<48x50xf32>, %out: memref<48x50xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 50
  %x = uop.load %in[%i, %j] : memref<48x50xf32>
  uop.store %x, %out[%i, %j] : memref<48x50xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    transform.sequence %root : !h failures(suppress) {
    ^bb0(%r: !h):
      %k = transform.structured.match ops{["uop.kernel"]} in %r : (!h) -> !h
      %axes, %none = transform.uop.get_axes %k : (!h) -> (!h, !h)
      transform.uop.map %axes to local<x> : !h
      transform.uop.map %k to local<x> : !h
      transform.uop.pad %axes to_multiple_of 0 : (!h) -> ()
      %i = transform.uop.axis %k output 7 : (!h) -> !h
      // What failed gives empty handles.
      transform.uop.map %i to local<x> : !h
      %a, %b = transform.uop.split %axes by 16 to loop inner : (!h) -> (!h, !h)
      transform.uop.map %a to local<x> : !h
      %l = transform.uop.get_loads %k : (!h) -> !h
      %t, %o, %p = transform.uop.stage %l buffers 1000 : (!h) -> (!h, !h, !h)
      %m = transform.uop.apply_schedule #uop.schedule<[LOCAL 0:16, UNROLL 0:4]> to %k : (!h) -> !h
    }
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Several kernels at a time: the second one refuses, and the first stays.
// CHECK-LABEL: uop.kernel @first(
// CHECK-NEXT: uop.range loop 32
// CHECK-LABEL: uop.kernel @second(
// CHECK-NEXT: uop.range loop 33
uop.kernel @first(%in: memref<32xf32>, %out: memref<32xf32>) {
  %i = uop.range loop 32
  %x = uop.load %in[%i] : memref<32xf32>
  uop.store %x, %out[%i] : memref<32xf32>
}
uop.kernel @second(%in: memref<33xf32>, %out: memref<33xf32>) {
  %i = uop.range loop 33
  %x = uop.load %in[%i] : memref<33xf32>
  uop.store %x, %out[%i] : memref<33xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    transform.sequence %root : !h failures(suppress) {
    ^bb0(%r: !h):
      %k = transform.structured.match ops{["uop.kernel"]} in %r : (!h) -> !h
      %axes, %none = transform.uop.get_axes %k : (!h) -> (!h, !h)
      %a, %b = transform.uop.split %axes by 16 to local<x> inner : (!h) -> (!h, !h)
    }
    transform.yield
  }
}
