// What the ops on ranges refuse: in the words of the primitives and of the
// verifier of kernels, at the transform op.
// RUN: uop-opt %s --split-input-file --transform-interpreter --verify-diagnostics

!h = !transform.any_op
// The amount must divide the extent.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected an amount that divides the extent 48, but got 7; choose 6 or 8, or pad the range}}
    %o, %p = transform.uop.split %i by 7 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected to split off at least 1 point, but got 0}}
    %o, %p = transform.uop.split %i by 0 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected to split off at least 1 point, but got -3}}
    %o, %p = transform.uop.split %i by -3 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected an amount that divides the extent 48, but got 9223372036854775807; choose 48, or pad the range}}
    %o, %p = transform.uop.split %i by 9223372036854775807 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A dynamic extent is padded first.
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected an amount that is known to divide the dynamic extent, but got 16; pad the range first}}
    %o, %p = transform.uop.split %i by 16 to local<x> inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// An axis that a store cannot have is refused by the verifier of kernels.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{the range is defined here}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{'uop.store' op expected output axes in its domain, but got 'reduce 16'; close it with uop.reduce, or give it an output axis}}
    %o, %p = transform.uop.split %i by 16 to reduce inner : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Threads and copies have static extents.
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a static extent for axis 'local<x>', but this one is dynamic; make the size part of the type}}
    transform.uop.map %i to local<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a static extent for axis 'upcast', but this one is dynamic; make the size part of the type}}
    %o, %p = transform.uop.unroll %i : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a static extent for axis 'local<x>', but this one is dynamic; make the size part of the type}}
    %f = transform.uop.fold %i to local<x> : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// One dimension is for one of two ranges that vary together.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{the first range is defined here}}
  %i = uop.range loop 48
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{the second range is defined here}}
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    %j = transform.uop.axis %k output 1 : (!h) -> !h
    transform.uop.map %i to local<x> : !h
    // expected-error@below {{'uop.load' op is free in two ranges of one hardware dimension, 'local<x> 48' and 'local<x> 64'; give one of them another dimension or a serial axis}}
    transform.uop.map %j to local<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A block has a limit along each dimension.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    transform.uop.pad %i to_multiple_of 2000 : (!h) -> ()
    // expected-error@below {{'uop.range' op expected an extent of at most 1024 for axis 'local<x>', but got 2000; split the range}}
    transform.uop.map %i to local<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{the range is defined here}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{'uop.store' op expected output axes in its domain, but got 'group_reduce<x> 48'; close it with uop.reduce, or give it an output axis}}
    transform.uop.map %i to group_reduce<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected to pad to a multiple of at least 1, but got 0}}
    transform.uop.pad %i to_multiple_of 0 : (!h) -> ()
    transform.yield
  }
}

// -----

!h = !transform.any_op
// An extent has 64 bits.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    transform.uop.pad %i to_multiple_of 9223372036854775807 : (!h) -> ()
    // expected-error@below {{cannot be padded: the next multiple of 9223372036854775806 after 9223372036854775807 exceeds 64 bits}}
    transform.uop.pad %i to_multiple_of 9223372036854775806 : (!h) -> ()
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A tile has no mask.
uop.kernel @k(%in: memref<64xf32>, %out: memref<64xf32>) {
  %i = uop.range local<x> 64
  // expected-note@below {{when applied to this op}}
  %j = uop.range loop 50
  %x = uop.load %in[%j] : memref<64xf32>
  // expected-note@below {{the stage is here}}
  %t = uop.stage %x over(%j) : !uop.tile<50xf32, workgroup>
  %c49 = arith.constant 49 : index
  %m = arith.minsi %i, %c49 : index
  %y = uop.load %t[%m] : !uop.tile<50xf32, workgroup>
  uop.store %y, %out[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.structured.match ops{["uop.range"]} in %k : (!h) -> !h
    %i, %j = transform.split_handle %l : (!h) -> (!h, !h)
    // expected-error@below {{cannot be padded: a stage closes the range, and a tile has no mask; choose an amount that divides it}}
    transform.uop.pad %j to_multiple_of 64 : (!h) -> ()
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Only what a reduction closes is divided among threads.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{when applied to this op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected axis 'reduce' for a range that threads of a block are to reduce together, but got 'loop'}}
    %o, %p = transform.uop.group %i by 16 : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A combiner takes the points in their order.
uop.kernel @k(%in: memref<32xf32>, %out: memref<f32>) {
  // expected-note@below {{when applied to this op}}
  %a = uop.range reduce 32
  %x = uop.load %in[%a] : memref<32xf32>
  %zero = arith.constant 0.0 : f32
  // expected-note@below {{the combiner is here}}
  %s = uop.reduce (%x) init(%zero) over(%a) combine (%l: f32, %r: f32) {
    %y = arith.addf %l, %r : f32
    uop.yield %y : f32
  } : f32
  uop.store %s, %out[] : memref<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    // expected-error@below {{cannot be interleaved between threads, which changes the order in which a combiner takes the points; group the outermost part}}
    %o, %p = transform.uop.group %r0 by 16 : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<32xf32>, %out: memref<f32>) {
  // expected-note@below {{when applied to this op}}
  %a = uop.range reduce 32
  %x = uop.load %in[%a] : memref<32xf32>
  %zero = arith.constant 0.0 : f32
  %s = uop.reduce (%x) init(%zero) over(%a) combine (%l: f32, %r: f32) {
    %y = arith.addf %l, %r : f32
    uop.yield %y : f32
  } : f32
  uop.store %s, %out[] : memref<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    // expected-error@below {{expected an amount that divides the extent 32, but got 5; choose 4 or 8, or pad the range}}
    %o, %p = transform.uop.group %r0 by 5 outermost : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Folding keeps the order of a reduction: nothing in between, and not the other way round.
uop.kernel @k(%in: memref<4x4x4xf32>, %out: memref<f32>) {
  // expected-note@below {{when applied to this op}}
  %a = uop.range reduce 4
  %b = uop.range reduce 4
  %c = uop.range reduce 4
  %x = uop.load %in[%a, %b, %c] : memref<4x4x4xf32>
  %s = uop.reduce add %x over(%a, %b, %c) : f32
  uop.store %s, %out[] : memref<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    %r1 = transform.uop.axis %k reduce 1 : (!h) -> !h
    %r2 = transform.uop.axis %k reduce 2 : (!h) -> !h
    // expected-error@below {{'uop.reduce' op closes the ranges in another order than they are folded in, or others in between; fold ranges that follow one another in its 'over' list, the outermost first}}
    %f = transform.uop.fold %r0, %r2 to reduce : (!h, !h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<4x4x4xf32>, %out: memref<f32>) {
  %a = uop.range reduce 4
  // expected-note@below {{when applied to this op}}
  %b = uop.range reduce 4
  %c = uop.range reduce 4
  %x = uop.load %in[%a, %b, %c] : memref<4x4x4xf32>
  %s = uop.reduce add %x over(%a, %b, %c) : f32
  uop.store %s, %out[] : memref<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    %r1 = transform.uop.axis %k reduce 1 : (!h) -> !h
    %r2 = transform.uop.axis %k reduce 2 : (!h) -> !h
    // expected-error@below {{'uop.reduce' op closes the ranges in another order than they are folded in, or others in between; fold ranges that follow one another in its 'over' list, the outermost first}}
    %f = transform.uop.fold %r1, %r0 to reduce : (!h, !h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{this range is not among them}}
  %i = uop.range local<x> 64
  %j = uop.range loop 50
  %x = uop.load %in[%j] : memref<64xf32>
  %t = uop.stage %x over(%j) : !uop.tile<50xf32, workgroup>
  %c49 = arith.constant 49 : index
  %m = arith.minsi %i, %c49 : index
  %y = uop.load %t[%m] : !uop.tile<50xf32, workgroup>
  uop.store %y, %out[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.structured.match ops{["uop.range"]} in %k : (!h) -> !h
    // expected-error@below {{'uop.stage' op closes some of the ranges that are folded into one, and not all; fold those that it closes}}
    %f = transform.uop.fold %l to local<x> : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Ranges of two kernels are no range.
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{this is of one kernel}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
uop.kernel @l(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  // expected-note@below {{and this of another}}
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a, %b = transform.uop.get_axes %k : (!h) -> (!h, !h)
    // expected-error@below {{expected ranges of one kernel to make one range of}}
    %f = transform.uop.fold %a to global<x> : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A handle to something else.
// expected-note@below {{the payload op is here}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{expected a handle to 'uop.range', but it has 'uop.kernel'}}
    transform.uop.map %k to local<x> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Kernels in loop form have no schedule any more.
uop.kernel loops @k(%in: memref<32xf32>, %out: memref<32xf32>) {
  // expected-note@below {{the payload op is here}}
  %t = uop.range local<x> 32
  %x = memref.load %in[%t] : memref<32xf32>
  memref.store %x, %out[%t] : memref<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.structured.match ops{["uop.range"]} in %k : (!h) -> !h
    // expected-error@below {{expected a kernel in graph form, but @k is in loop form; run the script before it is lowered}}
    transform.uop.map %l to local<y> : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Parameters have integers, one or one each.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a, %b = transform.uop.get_axes %k : (!h) -> (!h, !h)
    %p = transform.param.constant 1 : i64 -> !transform.param<i64>
    %q = transform.merge_handles %p, %p, %p : !transform.param<i64>
    // expected-error@below {{expected a parameter with one amount, or with one for each of 2 ranges, but it has 3}}
    %c, %d = transform.uop.split %a by %q to loop inner : (!h, !transform.param<i64>) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a, %b = transform.uop.get_axes %k : (!h) -> (!h, !h)
    %p = transform.param.constant "x" -> !transform.any_param
    // expected-error@below {{expected a parameter with integers of at most 64 bits, but it has "x"}}
    %c, %d = transform.uop.split %a by %p to loop inner : (!h, !transform.any_param) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// A handle that was consumed, and another one to the same range.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{ancestor payload op}}
  // expected-note@below {{nested payload op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-note@below {{handle to invalidated ops}}
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-note@below {{invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them}}
    %o, %p = transform.uop.split %i by 16 to local<x> inner : (!h) -> (!h, !h)
    // expected-error@below {{op uses a handle invalidated by a previously executed transform op}}
    transform.uop.map %i to loop : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{ancestor payload op}}
  // expected-note@below {{nested payload op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-note@below {{handle to invalidated ops}}
    %a, %b = transform.uop.get_axes %k : (!h) -> (!h, !h)
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-note@below {{invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them}}
    %o, %p = transform.uop.split %i by 16 to local<x> inner : (!h) -> (!h, !h)
    // expected-error@below {{op uses a handle invalidated by a previously executed transform op}}
    transform.uop.map %a to loop : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// One range twice.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{ancestor payload op}}
  // expected-note@below {{nested payload op}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-note@below {{handle to invalidated ops}}
    %a, %b = transform.uop.get_axes %k : (!h) -> (!h, !h)
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@+2 {{op uses a handle invalidated by a previously executed transform op}}
    // expected-note@below {{invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them}}
    %f = transform.uop.fold %i, %a to global<x> : (!h, !h) -> !h
    transform.yield
  }
}
