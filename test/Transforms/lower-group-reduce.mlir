// Reductions over the threads of a block.
// RUN: uop-opt %s --uop-lower-to-loops | FileCheck %s

!tile = memref<4x3xf32>

// Three threads make a row of four lanes. The one beyond has the identity, and
// all have the sum after two exchanges; thread 0 stores it.
// CHECK-LABEL: uop.kernel loops @lanes(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-DAG:     %[[WIDTH:.*]] = arith.constant 32 : i32
// CHECK:         %[[X:.*]] = uop.range local<x> 4
// CHECK:         %[[WITHIN:.*]] = arith.cmpi slt, %[[X]], %{{.*}} : index
// CHECK:         %[[V:.*]] = scf.if %[[WITHIN]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[V]],
// CHECK:         %[[S0:.*]] = arith.select %[[WITHIN]], %[[SUM]], %{{.*}} : f32
// CHECK:         %[[T0:.*]], %{{.*}} = gpu.shuffle xor %[[S0]], %[[ONE]], %[[WIDTH]]
// CHECK:         %[[S1:.*]] = arith.addf %[[S0]], %[[T0]]
// CHECK:         %[[T1:.*]], %{{.*}} = gpu.shuffle xor %[[S1]], %[[TWO]], %[[WIDTH]]
// CHECK:         %[[S2:.*]] = arith.addf %[[S1]], %[[T1]]
// CHECK-NOT:     uop.barrier
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[X]],
// CHECK:         scf.if %[[FIRST]]
// CHECK:           memref.store %[[S2]]
uop.kernel @lanes(%in: !tile, %out: memref<4xf32>) {
  %b = uop.range global<x> 4
  %i = uop.range group_reduce<x> 3
  %x = uop.load %in[%b, %i] : !tile
  %y = uop.reduce add %x over(%i) : f32
  uop.store %y, %out[%b] : memref<4xf32>
}

// Each thread first reduces on its own. Lane 0 of each warp leaves what its
// warp has in shared memory, and after one barrier every warp combines it: two
// of two reductions.
// CHECK-LABEL: uop.kernel loops @warps(
// CHECK:         %[[X:.*]] = uop.range local<x> 64
// CHECK:         %[[OWN:.*]]:2 = scf.for
// CHECK-COUNT-10: gpu.shuffle xor
// CHECK-NOT:     gpu.shuffle
// CHECK-DAG:     %[[A:.*]] = uop.alloc : memref<2xi32, #gpu.address_space<workgroup>>
// CHECK-DAG:     %[[B:.*]] = uop.alloc : memref<2xi32, #gpu.address_space<workgroup>>
// CHECK:         scf.if
// CHECK-NEXT:      memref.store %{{.*}}, %[[A]][%[[WARP:.*]]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[B]][%[[WARP]]]
// CHECK-NEXT:    }
// CHECK:         %[[LANE:.*]] = uop.floormod %[[X]], %{{.*}}
// CHECK:         uop.barrier
// CHECK-NOT:     uop.barrier
// CHECK-DAG:     memref.load %[[A]][%[[LANE]]]
// CHECK-DAG:     memref.load %[[B]][%[[LANE]]]
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     uop.barrier
uop.kernel @warps(%in: memref<7x64xi32>, %sum: memref<1xi32>, %max: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 7
  %g = uop.range group_reduce<x> 64
  %x = uop.load %in[%k, %g] : memref<7x64xi32>
  %s = uop.reduce add %x over(%k, %g) : i32
  %m = uop.reduce maxsi %x over(%k, %g) : i32
  uop.store %s, %sum[%c0] : memref<1xi32>
  uop.store %m, %max[%c0] : memref<1xi32>
}

// Three warps are no power of two: every thread combines their values in turn.
// In a loop a second barrier keeps the next iteration from what is still read.
// CHECK-LABEL: uop.kernel loops @rows(
// CHECK:         scf.for
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           uop.barrier
// CHECK:           scf.if
// CHECK-NEXT:        memref.store
// CHECK:           uop.barrier
// CHECK:           %[[SUM:.*]] = scf.for
// CHECK:             memref.load
// CHECK:             arith.addi
// CHECK-NOT:       uop.barrier
// CHECK:           memref.store %[[SUM]]
uop.kernel @rows(%in: memref<8x96xi32>, %out: memref<8xi32>) {
  %r = uop.range serial 8
  %g = uop.range group_reduce<x> 96
  %x = uop.load %in[%r, %g] : memref<8x96xi32>
  %s = uop.reduce add %x over(%g) : i32
  uop.store %s, %out[%r] : memref<8xi32>
}

// Two reductions, one after the other, each with a buffer of its own: their two
// barriers keep the iterations apart.
// CHECK-LABEL: uop.kernel loops @softmax_sum(
// CHECK:         scf.for
// CHECK-COUNT-2:   uop.barrier
// CHECK-NOT:       uop.barrier
uop.kernel @softmax_sum(%in: memref<8x64xf32>, %out: memref<8xf32>) {
  %r = uop.range serial 8
  %g = uop.range group_reduce<x> 64
  %h = uop.range group_reduce<x> 64
  %x = uop.load %in[%r, %g] : memref<8x64xf32>
  %m = uop.reduce maximumf %x over(%g) : f32
  %y = uop.load %in[%r, %h] : memref<8x64xf32>
  %d = arith.subf %y, %m : f32
  %e = math.exp2 %d : f32
  %s = uop.reduce add %e over(%h) : f32
  uop.store %s, %out[%r] : memref<8xf32>
}

// Threads along y leave all that they have; x is innermost, so that lanes next
// to one another use different banks.
// CHECK-LABEL: uop.kernel loops @columns(
// CHECK-DAG:     %[[X:.*]] = uop.range local<x> 16
// CHECK-DAG:     %[[Y:.*]] = uop.range local<y> 5
// CHECK:         %[[BUFFER:.*]] = uop.alloc : memref<5x16xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    memref.store %{{.*}}, %[[BUFFER]][%[[Y]], %[[X]]]
// CHECK:         uop.barrier
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           memref.load %[[BUFFER]][%[[I]], %[[X]]]
// CHECK-NOT:     gpu.shuffle
uop.kernel @columns(%in: memref<5x16xi32>, %out: memref<16xi32>) {
  %g = uop.range group_reduce<y> 5
  %l = uop.range local<x> 16
  %x = uop.load %in[%g, %l] : memref<5x16xi32>
  %s = uop.reduce add %x over(%g) : i32
  uop.store %s, %out[%l] : memref<16xi32>
}

// A combiner sees the points in order: the lane whose bit is clear has the
// earlier ones.
// CHECK-LABEL: uop.kernel loops @compose(
// CHECK:         %[[X:.*]] = uop.range local<x> 4
// CHECK:         %[[BIT:.*]] = uop.floormod %[[X]], %{{.*}}
// CHECK:         %[[EARLY:.*]] = arith.cmpi slt, %[[BIT]],
// CHECK:         %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[OWN:[a-z0-9]+]], %{{.*}} : i32
// CHECK:         %[[FIRST:.*]] = arith.select %[[EARLY]], %[[OWN]], %[[OTHER]]
// CHECK:         %[[SECOND:.*]] = arith.select %[[EARLY]], %[[OTHER]], %[[OWN]]
// CHECK:         arith.muli %[[FIRST]], %[[SECOND]]
uop.kernel @compose(%in: memref<2x4xi32>, %out: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = uop.range group_reduce<x> 4
  %x = uop.load %in[%c0, %i] : memref<2x4xi32>
  %y = uop.load %in[%c1, %i] : memref<2x4xi32>
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %a, %b = uop.reduce (%x, %y) init(%one, %zero) over(%i)
      combine (%a1: i32, %b1: i32, %a2: i32, %b2: i32) {
    %m = arith.muli %a1, %a2 : i32
    %n = arith.muli %b1, %a2 : i32
    %o = arith.addi %n, %b2 : i32
    uop.yield %m, %o : i32, i32
  } : i32, i32
  uop.store %a, %out[%c0] : memref<2xi32>
  uop.store %b, %out[%c1] : memref<2xi32>
}

// A combiner that may fail is not run on a point whose mask does not hold, nor
// on what threads without points have: whether a thread has any goes along.
// CHECK-LABEL: uop.kernel loops @mean(
// CHECK:         %[[OWN:.*]]:2 = scf.if %[[MASK:.*]] -> (i32, i32)
// CHECK:           arith.divsi
// CHECK:         %[[HAS:.*]] = arith.ori %{{.*}}, %[[MASK]] : i1
// CHECK:         %[[HAS1:.*]], %{{.*}} = gpu.shuffle xor %[[HAS]], %{{.*}} : i1
// CHECK:         %[[H0:.*]] = arith.select %{{.*}}, %[[HAS]], %[[HAS1]] : i1
// CHECK:         %[[H1:.*]] = arith.select %{{.*}}, %[[HAS1]], %[[HAS]] : i1
// CHECK:         %[[BOTH:.*]] = arith.andi %[[H0]], %[[H1]] : i1
// CHECK:         scf.if %[[BOTH]] -> (i32, i32)
// CHECK:           arith.divsi
uop.kernel @mean(%in: memref<2xi32>, %n: index, %out: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %i = uop.range group_reduce<x> 2
  %x = uop.load %in[%i] : memref<2xi32>
  %m = arith.cmpi slt, %i, %n : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %s, %count = uop.reduce (%x, %one) init(%zero, %zero) over(%i) mask %m
      combine (%s1: i32, %n1: i32, %s2: i32, %n2: i32) {
    %p1 = arith.muli %s1, %n1 : i32
    %p2 = arith.muli %s2, %n2 : i32
    %p = arith.addi %p1, %p2 : i32
    %k = arith.addi %n1, %n2 : i32
    %q = arith.divsi %p, %k : i32
    uop.yield %q, %k : i32, i32
  } : i32, i32
  uop.store %s, %out[%c0] : memref<1xi32>
}

// One point is every thread's: nothing is combined.
// CHECK-LABEL: uop.kernel loops @single(
// CHECK-NOT:     uop.range local
// CHECK-NOT:     gpu.shuffle
uop.kernel @single(%in: memref<4x1xf32>, %out: memref<4xf32>) {
  %b = uop.range global<x> 4
  %i = uop.range group_reduce<x> 1
  %x = uop.load %in[%b, %i] : memref<4x1xf32>
  %y = uop.reduce add %x over(%i) : f32
  uop.store %y, %out[%b] : memref<4xf32>
}

// What is overwritten in place is read by all threads of the block before one
// of them writes it.
// CHECK-LABEL: uop.kernel loops @in_place(
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           memref.load
// CHECK:           gpu.shuffle
// CHECK:           uop.barrier
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        memref.store
uop.kernel @in_place(%x: memref<8xi32>, %y: memref<4xi32>) {
  %r = uop.range serial 8
  %g = uop.range group_reduce<x> 4
  %a = uop.load %x[%r] : memref<8xi32>
  %b = uop.load %y[%g] : memref<4xi32>
  %p = arith.muli %a, %b : i32
  %s = uop.reduce add %p over(%g) : i32
  uop.store %s, %x[%r] : memref<8xi32>
}

// A softmax of rows with both reductions by threads (m18): two buffers, each
// written once and read once, and a barrier for each.
// CHECK-LABEL: uop.kernel loops @softmax(
// CHECK:         %[[MAX:.*]] = uop.alloc
// CHECK:         memref.store %{{.*}}, %[[MAX]]
// CHECK-NOT:     memref.load %[[MAX]]
// CHECK:         uop.barrier derived
// CHECK:         memref.load %[[MAX]]
// CHECK:         %[[SUM:.*]] = uop.alloc
// CHECK:         memref.store %{{.*}}, %[[SUM]]
// CHECK-NOT:     memref.load %[[SUM]]
// CHECK:         uop.barrier derived
// CHECK-NOT:     uop.barrier
uop.kernel @softmax(%in: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %c4 = arith.constant 4 : index
  %b = uop.range global<x> 8
  %l = uop.range local<x> 4
  %base = arith.muli %b, %c4 : index
  %r = arith.addi %base, %l : index
  %g = uop.range group_reduce<y> 32
  %h = uop.range group_reduce<y> 32
  %o = uop.range local<y> 32
  %x = uop.load %in[%r, %g] : memref<32x32xf32>
  %m = uop.reduce maximumf %x over(%g) : f32
  %y = uop.load %in[%r, %h] : memref<32x32xf32>
  %d = arith.subf %y, %m : f32
  %e = math.exp2 %d : f32
  %s = uop.reduce add %e over(%h) : f32
  %z = uop.load %in[%r, %o] : memref<32x32xf32>
  %f = arith.subf %z, %m : f32
  %n = math.exp2 %f : f32
  %q = arith.divf %n, %s : f32
  uop.store %q, %out[%r, %o] : memref<32x32xf32>
}
