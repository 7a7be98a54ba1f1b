// What the ops on kernels and loads refuse, in the words of the passes.
// RUN: uop-opt %s --split-input-file --transform-interpreter --verify-diagnostics

!h = !transform.any_op
// Numbers that a kernel has no axis, or no argument for.
// expected-note@below {{the kernel is here}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{expected an axis of @k, which has 2 output axes, 0 to 1, but got output axis 2}}
    %i = transform.uop.axis %k output 2 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{the kernel is here}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{expected an axis of @k, which has no reduce axes, but got reduce axis 0}}
    %i = transform.uop.axis %k reduce 0 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{the kernel is here}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{expected an argument of @k, which has 2, counted from 0, but got 3}}
    %l = transform.uop.get_loads %k from 3 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Handles to something else.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{the payload op is here}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a handle to 'uop.kernel', but it has 'uop.range'}}
    %a, %b = transform.uop.get_axes %i : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@below {{the payload op is here}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a handle to 'uop.load', but it has 'uop.range'}}
    %t, %o, %p = transform.uop.stage %i : (!h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{the payload op is here}}
uop.kernel loops @k(%in: memref<32xf32>, %out: memref<32xf32>) {
  %t = uop.range local<x> 32
  %x = memref.load %in[%t] : memref<32xf32>
  memref.store %x, %out[%t] : memref<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{expected a kernel in graph form, but @k is in loop form; run the script before it is lowered}}
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// What --uop-place-shared refuses of a mapped kernel, in its words.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  // expected-note@below {{when applied to this op}}
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    // expected-error@below {{cannot map @k: STAGE 0:65 has an amount of 65: expected 1 to 64}}
    %t, %o, %p = transform.uop.stage %l buffers 65 : (!h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%x: memref<8xf32>, %w: memref<16xf32>) {
  %i = uop.range local<x> 8
  %r = uop.range unroll 16
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{the load is here}}
  %v = uop.load %x[%i] : memref<8xf32>
  %u = uop.load %w[%r] : memref<16xf32>
  %s = uop.reduce add %u over(%r) : f32
  %y = arith.addf %v, %s : f32
  uop.store %y, %x[%i] : memref<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    // expected-error@below {{cannot map @k: the load cannot be staged: the kernel stores to its buffer as well; leave it out, or give its reduce axes a KSTEP}}
    %t, %o, %p = transform.uop.stage %l : (!h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%x: memref<8xf32>, %w: memref<16xf32>) {
  %i = uop.range local<x> 8
  %r = uop.range unroll 16
  %v = uop.load %x[%i] : memref<8xf32>
  // expected-note@below {{when applied to this op}}
  %u = uop.load %w[%r] : memref<16xf32>
  %s = uop.reduce add %u over(%r) : f32
  %y = arith.addf %v, %s : f32
  uop.store %y, %x[%i] : memref<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    %v, %u = transform.split_handle %l : (!h) -> (!h, !h)
    // expected-error@below {{cannot map @k: KSTEP 0:4 expects a range on axis 'reduce', but it is 'unroll'; count the ranges that reductions close}}
    %t, %o, %p = transform.uop.stage %u step %r0 by 4 : (!h, !h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%x: memref<8xf32>, %w: memref<16xf32>) {
  %i = uop.range local<x> 8
  %r = uop.range reduce 16
  %v = uop.load %x[%i] : memref<8xf32>
  // expected-note@below {{when applied to this op}}
  %u = uop.load %w[%r] : memref<16xf32>
  %s = uop.reduce add %u over(%r) : f32
  %y = arith.addf %v, %s : f32
  uop.store %y, %x[%i] : memref<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    %r0 = transform.uop.axis %k reduce 0 : (!h) -> !h
    %v, %u = transform.split_handle %l : (!h) -> (!h, !h)
    // expected-error@below {{cannot map @k: KSTEP 0:0 has an amount of 0: expected 1 to 9223372036854775807}}
    %t, %o, %p = transform.uop.stage %u step %r0 by 0 : (!h, !h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Steps are for reductions.
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  // expected-note@below {{when applied to this op}}
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@below {{expected a range that a reduction closes to take steps of}}
    %t, %o, %p = transform.uop.stage %l step %i by 3 : (!h, !h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
// What --uop-gpu-map refuses, in its words.
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{cannot map @k: LOCAL 2:4 names output axis 2, but the kernel has 2 output axes, 0 to 1}}
    %m = transform.uop.apply_schedule #uop.schedule<[LOCAL 2:4]> to %k : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{cannot map @k: THREAD 0:4 is for a CPU; use LOCAL for the threads of a block, or --uop-cpu-map}}
    %m = transform.uop.apply_schedule #uop.schedule<[THREAD 0:4]> to %k : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{cannot map @k: LOCAL 0:4 is for the blocks and threads of a GPU; use THREAD or TILE, or --uop-gpu-map}}
    %m = transform.uop.apply_schedule #uop.schedule<[LOCAL 0:4]> to %k for_cpu : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.apply_schedule #uop.schedule<[LOCAL 0:4]> to %k : (!h) -> !h
    // expected-error@below {{cannot map @k: it is mapped already; give transform.uop.apply_schedule the kernel as it was before, or only kstep and stage}}
    %m = transform.uop.apply_schedule to %l : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Without opts there has to be an attribute.
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %i = uop.range loop %n
  %x = uop.load %in[%i] : memref<?xf32>
  uop.store %x, %out[%i] : memref<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-error@below {{cannot map @k: it has no schedule; give the opts to apply}}
    %m = transform.uop.apply_schedule to %k : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// The handle to the kernel is consumed, with all handles to what is in it.
// expected-note@+2 {{ancestor payload op}}
// expected-note@below {{nested payload op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    // expected-note@below {{handle to invalidated ops}}
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-note@below {{invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them}}
    %m = transform.uop.apply_schedule to %k : (!h) -> !h
    // expected-error@below {{op uses a handle invalidated by a previously executed transform op}}
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+2 {{[0] replaced op}}
  // expected-note@below {{[0] replacement value 0}}
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    // expected-note@below {{replacement is required because this handle must be updated}}
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    // expected-error@+2 {{tracking listener failed to find replacement op during application of this transform op}}
    // expected-note@below {{ran out of suitable replacement values}}
    %m = transform.uop.apply_schedule to %k : (!h) -> !h
    transform.uop.map %i to loop : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// expected-note@below {{when applied to this op}}
uop.kernel @k(%in: memref<48x64xf32>, %out: memref<48x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 48
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<48x64xf32>
  uop.store %x, %out[%i, %j] : memref<48x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %m = transform.uop.auto_map %k : (!h) -> !h
    // expected-error@below {{cannot map @k: it is mapped already; give transform.uop.auto_map the kernel as it was before, or ask for tiles only, by 'shared'}}
    %n = transform.uop.auto_map %m : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
// Tiles come after threads: one tile is for all of them.
uop.kernel @k(%x: memref<64x16xf32>, %y: memref<64xf32>) {
  // expected-note@+2 {{when applied to this op}}
  // expected-note@below {{the range is defined here}}
  %i = uop.range loop 64
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<64x16xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %k = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %l = transform.uop.get_loads %k : (!h) -> !h
    %i = transform.uop.axis %k output 0 : (!h) -> !h
    %t, %o, %p = transform.uop.stage %l : (!h) -> (!h, !h, !h)
    // expected-error@below {{'uop.stage' op is a workgroup tile and free in 'local<x> 64': expected its value not to vary between the threads of a block; close the range, or stage in private memory}}
    transform.uop.map %i to local<x> : !h
    transform.yield
  }
}
