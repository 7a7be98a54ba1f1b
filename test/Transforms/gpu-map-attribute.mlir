// Where the opts come from, and the kernels that the pass leaves alone.
// RUN: uop-opt %s --uop-gpu-map --split-input-file | FileCheck %s

// The attribute is what the kernel asks for: the order of its opts is kept, and
// does not matter.
// CHECK-LABEL: uop.kernel @replay
// CHECK-SAME:    schedule = #uop.schedule<[UPCAST 0:2, LOCAL 0:8], upcast_layout = cpu>
// CHECK:         uop.range global<x> 4
// CHECK:         uop.range local<x> 8
// CHECK:         uop.range upcast 2
uop.kernel @replay(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:2, LOCAL 0:8], upcast_layout = cpu>} {
  %i = uop.range loop 64
  %x = uop.load %in[%i] : memref<64xf32>
  uop.store %x, %out[%i] : memref<64xf32>
}

// -----

// An empty list of opts asks for blocks only.
// CHECK-LABEL: uop.kernel @blocks_only
// CHECK:         uop.range global<x> 64
// CHECK-NOT:     local
uop.kernel @blocks_only(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 64
  %x = uop.load %in[%i] : memref<64xf32>
  uop.store %x, %out[%i] : memref<64xf32>
}

// -----

// A mapped kernel stays as it is: its schedule says what has been done.
// CHECK-LABEL: uop.kernel @mapped
// CHECK:         uop.range global<x> 8
// CHECK:         uop.range local<x> 8
// CHECK-NOT:     uop.range
uop.kernel @mapped(%in: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:8]>} {
  %i = uop.range global<x> 8
  %j = uop.range local<x> 8
  %x = uop.load %in[%i, %j] : memref<8x8xf32>
  uop.store %x, %out[%i, %j] : memref<8x8xf32>
}

// -----

// A kernel in loop form was mapped by its author.
// CHECK-LABEL: uop.kernel loops @loops
// CHECK-NOT:     schedule
// CHECK:         uop.range global<x> 64
uop.kernel loops @loops(%in: memref<64xf32>, %out: memref<64xf32>) {
  %i = uop.range global<x> 64
  %x = memref.load %in[%i] : memref<64xf32>
  memref.store %x, %out[%i] : memref<64xf32>
}

// -----

// A loop over outputs that stays in the thread keeps its axis, and its number:
// the threads are on axis 0.
// CHECK-LABEL: uop.kernel @serial
// CHECK:         uop.range global<x> 4
// CHECK:         uop.range local<x> 16
// CHECK:         uop.range serial 8
uop.kernel @serial(%in: memref<64x8xf32>, %out: memref<64x8xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 64
  %j = uop.range serial 8
  %x = uop.load %in[%i, %j] : memref<64x8xf32>
  uop.store %x, %out[%i, %j] : memref<64x8xf32>
}

// -----

// A dynamic axis is folded onto x with the others: no other dimension is long
// enough for any size. The host computes the number of blocks.
// CHECK-LABEL: uop.kernel @dynamic
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[N]], %c0{{.*}} : index
// CHECK:         %[[B:.*]] = arith.muli %[[SIZE]], %{{.*}} : index
// CHECK:         uop.range global<x> %[[B]]
// CHECK:         uop.range local<x> 16
uop.kernel @dynamic(%n: index, %in: memref<?x64xf32>, %out: memref<?x64xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:16]>} {
  %i = uop.range loop %n
  %j = uop.range loop 64
  %x = uop.load %in[%i, %j] : memref<?x64xf32>
  uop.store %x, %out[%i, %j] : memref<?x64xf32>
}

// -----

// A kernel without output axes has one block of one thread. Its reduce axis can
// be unrolled.
// CHECK-LABEL: uop.kernel @sum
// CHECK-NOT:     global
// CHECK-NOT:     local
// CHECK:         %[[O:.*]] = uop.range reduce 16
// CHECK:         %[[I:.*]] = uop.range unroll 4
// CHECK:         uop.reduce add %{{.*}} over(%[[O]], %[[I]])
uop.kernel @sum(%in: memref<64xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[UNROLL 0:4]>} {
  %i = uop.range reduce 64
  %x = uop.load %in[%i] : memref<64xi32>
  %s = uop.reduce add %x over(%i) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// Two stores with different domains: the axes are those of both, and each store
// keeps its own domain.
// CHECK-LABEL: uop.kernel @two_domains
// CHECK-DAG:     %[[GY:.*]] = uop.range global<y> 2
// CHECK-DAG:     %[[LY:.*]] = uop.range local<y> 4
// CHECK-DAG:     %[[GX:.*]] = uop.range global<x> 4
// CHECK-DAG:     %[[LX:.*]] = uop.range local<x> 4
// CHECK:         uop.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<8x16xi32>
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I:.*]]] : memref<8xi32>
uop.kernel @two_domains(%out: memref<8x16xi32>, %rows: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, LOCAL 1:4]>} {
  %i = uop.range loop 8
  %j = uop.range loop 16
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x16xi32>
  uop.store %one, %rows[%i] : memref<8xi32>
}

// -----

// An axis that one block covers leaves a constant in the domain, and a store
// whose value does not vary over the domain keeps it.
// CHECK-LABEL: uop.kernel @whole
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[G:.*]] = uop.range global<x> 2
// CHECK:         %[[L:.*]] = uop.range local<x> 4
// CHECK:         uop.store add %{{.*}}, %{{.*}}[%{{.*}}] over(%[[C0]], %[[G]], %[[L]]) : memref<1xi32>
uop.kernel @whole(%out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:4]>} {
  %i = uop.range loop 1
  %j = uop.range loop 8
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  uop.store add %one, %out[%zero] over(%i, %j) : memref<1xi32>
}

// -----

// A folded range of extent 1 keeps its number: axis 1 is still %j.
// CHECK-LABEL: uop.kernel @folded
// CHECK:         uop.range global<x> 2
// CHECK:         uop.range local<x> 4
uop.kernel @folded(%out: memref<1x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:4]>} {
  %zero = arith.constant 0 : index
  %j = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%zero, %j] over(%zero, %j) : memref<1x8xi32>
}

// -----

// More axes than dimensions, but never more of one kind: blocks and threads
// then have dimensions of their own.
// CHECK-LABEL: uop.kernel @four_axes
// CHECK:         uop.range global<z> 2
// CHECK:         uop.range global<y> 2
// CHECK:         uop.range local<y> 4
// CHECK:         uop.range global<x> 2
// CHECK:         uop.range local<x> 8
uop.kernel @four_axes(%out: memref<2x8x2x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:4, LOCAL 3:8]>} {
  %a = uop.range loop 2
  %b = uop.range loop 8
  %c = uop.range loop 2
  %d = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<2x8x2x8xi32>
}

// -----

// Threads along x that a reduction uses are not given to an axis; blocks along
// x are free.
// CHECK-LABEL: uop.kernel @group
// CHECK:         uop.range global<x> 4
// CHECK:         uop.range local<y> 2
// CHECK:         uop.range group_reduce<x> 32
uop.kernel @group(%in: memref<8x32xf32>, %out: memref<8xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:2]>} {
  %i = uop.range loop 8
  %k = uop.range group_reduce<x> 32
  %x = uop.load %in[%i, %k] : memref<8x32xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %out[%i] : memref<8xf32>
}

// -----

// The extent may be a constant that no one has folded; one of 0 makes no
// blocks.
// CHECK-LABEL: uop.kernel @constants
// CHECK:         uop.range global<y> 0
// CHECK:         uop.range global<x> 2
// CHECK:         uop.range local<x> 4
uop.kernel @constants(%out: memref<4x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:4]>} {
  %c8 = arith.constant 8 : index
  %i = uop.range loop 0
  %j = uop.range loop %c8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<4x8xi32>
}

// -----

// A schedule for a CPU is left aside.
// CHECK-LABEL: uop.kernel @for_a_cpu
// CHECK-SAME:    #uop.schedule<[LOCAL 0:32]>
uop.kernel @for_a_cpu(%out: memref<32xi32>)
    attributes {schedule = #uop.schedule<[THREAD 0:4, TILE 0:2]>} {
  %i = uop.range loop 32
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<32xi32>
}
