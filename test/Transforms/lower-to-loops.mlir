// RUN: uop-opt %s --uop-lower-to-loops | FileCheck %s

// Copies share their loads, and their accumulators are iter_args of one loop.
// CHECK-LABEL: uop.kernel loops @upcast_gemm(
// CHECK-SAME:    %[[A:.*]]: memref<64x48xf32>, %[[B:.*]]: memref<48x32xf32>, %[[C:.*]]: memref<64x32xf32>)
// CHECK-DAG:     %[[Y:.*]] = uop.range global<y> 32
// CHECK-DAG:     %[[N:.*]] = uop.range local<x> 32
// CHECK-DAG:     %[[C48:.*]] = arith.constant 48 : index
// CHECK:         %[[BASE:.*]] = arith.muli %[[Y]]
// CHECK:         %[[M0:.*]] = arith.addi %[[BASE]]
// CHECK:         %[[M1:.*]] = arith.addi %[[BASE]]
// CHECK:         %[[SUM:.*]]:2 = scf.for %[[K:[a-z0-9]+]] = %{{.*}} to %[[C48]] step %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (f32, f32)
// CHECK-DAG:       %[[A0:.*]] = memref.load %[[A]][%[[M0]], %[[K]]]
// CHECK-DAG:       %[[A1:.*]] = memref.load %[[A]][%[[M1]], %[[K]]]
// CHECK-DAG:       %[[BK:.*]] = memref.load %[[B]][%[[K]], %[[N]]]
// CHECK-DAG:       %[[P0:.*]] = arith.mulf %[[A0]], %[[BK]]
// CHECK-DAG:       %[[P1:.*]] = arith.mulf %[[A1]], %[[BK]]
// CHECK-DAG:       %[[T0:.*]] = arith.addf %[[S0]], %[[P0]]
// CHECK-DAG:       %[[T1:.*]] = arith.addf %[[S1]], %[[P1]]
// CHECK-NOT:       memref.load
// CHECK:           scf.yield %[[T0]], %[[T1]]
// CHECK:         memref.store %[[SUM]]#0, %[[C]][%[[M0]], %[[N]]]
// CHECK:         memref.store %[[SUM]]#1, %[[C]][%[[M1]], %[[N]]]
uop.kernel @upcast_gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>, %C: memref<64x32xf32>) {
  %g = uop.range global<y> 32
  %u = uop.range upcast 2
  %n = uop.range local<x> 32
  %k = uop.range reduce 48
  %two = arith.constant 2 : index
  %base = arith.muli %g, %two : index
  %m = arith.addi %base, %u : index
  %a = uop.load %A[%m, %k] : memref<64x48xf32>
  %b = uop.load %B[%k, %n] : memref<48x32xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x32xf32>
}

// A value lives in the innermost loop in whose range it is free: the row's
// maximum is computed once a row, before the loop over the columns.
// CHECK-LABEL: uop.kernel loops @softmax_numerator(
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           %[[MAX:.*]] = scf.for %[[R:[a-z0-9]+]] =
// CHECK:             memref.load %{{.*}}[%[[I]], %[[R]]]
// CHECK:             arith.maximumf
// CHECK:           scf.for %[[J:[a-z0-9]+]] =
// CHECK-NOT:         scf.for
// CHECK:             memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:             arith.subf %{{.*}}, %[[MAX]]
// CHECK:             math.exp2
// CHECK:             memref.store
uop.kernel @softmax_numerator(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  %i = uop.range serial 16
  %j = uop.range serial 32
  %r = uop.range reduce 32
  %v = uop.load %x[%i, %r] : memref<16x32xf32>
  %m = uop.reduce maximumf %v over(%r) : f32
  %w = uop.load %x[%i, %j] : memref<16x32xf32>
  %d = arith.subf %w, %m : f32
  %e = math.exp2 %d : f32
  uop.store %e, %y[%i, %j] : memref<16x32xf32>
}

// Reductions over one range share its loop, also of different kinds.
// CHECK-LABEL: uop.kernel loops @sum_and_max(
// CHECK:         scf.for {{.*}} -> (f32, f32)
// CHECK-NOT:     scf.for
// CHECK:         memref.store
uop.kernel @sum_and_max(%x: memref<8x32xf32>, %y: memref<8xf32>) {
  %i = uop.range local<x> 8
  %r = uop.range reduce 32
  %v = uop.load %x[%i, %r] : memref<8x32xf32>
  %s = uop.reduce add %v over(%r) : f32
  %m = uop.reduce maximumf %v over(%r) : f32
  %q = arith.divf %s, %m : f32
  uop.store %q, %y[%i] : memref<8xf32>
}

// The first range of `over` is the outer loop; a masked point keeps the
// accumulator; an unrolled range is copies in ascending order.
// CHECK-LABEL: uop.kernel loops @masked(
// CHECK:         scf.for %[[A:[a-z0-9]+]] =
// CHECK:           scf.for %[[B:[a-z0-9]+]] = %{{.*}} iter_args(%[[ACC:.*]] =
// CHECK:             %[[V0:.*]] = memref.load %{{.*}}[%[[A]], %[[B]], %[[C0:.*]]]
// CHECK:             %[[S0:.*]] = arith.addi %[[ACC]], %[[V0]]
// CHECK:             %[[T0:.*]] = arith.select %[[P:.*]], %[[S0]], %[[ACC]]
// CHECK:             %[[V1:.*]] = memref.load %{{.*}}[%[[A]], %[[B]], %[[C1:.*]]]
// CHECK:             %[[S1:.*]] = arith.addi %[[T0]], %[[V1]]
// CHECK:             %[[T1:.*]] = arith.select %[[P]], %[[S1]], %[[T0]]
// CHECK:             scf.yield %[[T1]]
uop.kernel @masked(%x: memref<4x5x2xi32>, %y: memref<i32>) {
  %a = uop.range reduce 4
  %b = uop.range reduce 5
  %u = uop.range unroll 2
  %v = uop.load %x[%a, %b, %u] : memref<4x5x2xi32>
  %p = arith.cmpi sle, %b, %a : index
  %s = uop.reduce add %v over(%a, %b, %u) mask %p : i32
  uop.store %s, %y[] : memref<i32>
}

// The general form: the combiner is inlined on the accumulators and values.
// CHECK-LABEL: uop.kernel loops @argmax(
// CHECK:         %[[BEST:.*]]:2 = scf.for %[[J:[a-z0-9]+]] = %{{.*}} iter_args(%[[B:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}) -> (f32, i32)
// CHECK-DAG:       %[[X:.*]] = memref.load
// CHECK-DAG:       %[[J32:.*]] = arith.index_cast %[[J]]
// CHECK:           %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[B]]
// CHECK:           %[[B1:.*]] = arith.select %[[MORE]], %[[X]], %[[B]]
// CHECK:           %[[A1:.*]] = arith.select %[[MORE]], %[[J32]], %[[A]]
// CHECK:           scf.yield %[[B1]], %[[A1]]
// CHECK:         memref.store %[[BEST]]#1
uop.kernel @argmax(%in: memref<8x10xf32>, %out: memref<8xi32>) {
  %i = uop.range local<x> 8
  %j = uop.range reduce 10
  %x = uop.load %in[%i, %j] : memref<8x10xf32>
  %j32 = arith.index_cast %j : index to i32
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %best, %at = uop.reduce (%x, %j32) init(%lowest, %none) over(%j)
      combine (%b: f32, %a: i32, %y: f32, %k: i32) {
    %more = arith.cmpf ogt, %y, %b : f32
    %b1 = arith.select %more, %y, %b : f32
    %a1 = arith.select %more, %k, %a : i32
    uop.yield %b1, %a1 : f32, i32
  } : f32, i32
  uop.store %at, %out[%i] : memref<8xi32>
}

// Loads read memory as on entry: both come before either store.
// CHECK-LABEL: uop.kernel loops @swap(
// CHECK-SAME:    %[[X:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16xf32>)
// CHECK-DAG:     %[[A:.*]] = memref.load %[[X]]
// CHECK-DAG:     %[[B:.*]] = memref.load %[[Y]]
// CHECK:         memref.store %[[A]], %[[Y]]
// CHECK:         memref.store %[[B]], %[[X]]
uop.kernel @swap(%x: memref<16xf32>, %y: memref<16xf32>) {
  %i = uop.range local<x> 16
  %a = uop.load %x[%i] : memref<16xf32>
  %b = uop.load %y[%i] : memref<16xf32>
  uop.store %a, %y[%i] : memref<16xf32>
  uop.store %b, %x[%i] : memref<16xf32>
}

// Ranges of one dimension share the longest; a thread beyond the shorter one
// neither loads nor stores, and a store runs at index 0 of what it lacks.
// CHECK-LABEL: uop.kernel loops @guards(
// CHECK-DAG:     %[[G:.*]] = uop.range global<x> 4
// CHECK-DAG:     %[[L:.*]] = uop.range local<x> 16
// CHECK-DAG:     %[[WITHIN:.*]] = arith.cmpi slt, %[[L]], %{{.*}}
// CHECK:         scf.if %[[WITHIN]] -> (f32)
// CHECK-NEXT:      memref.load
// CHECK:         scf.if %[[WITHIN]]
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[G]], %[[L]]]
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[G]], %{{.*}}
// CHECK:         scf.if %[[FIRST]]
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[L]]]
uop.kernel @guards(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<16xf32>) {
  %g = uop.range global<x> 4
  %short = uop.range local<x> 8
  %long = uop.range local<x> 16
  %v = uop.load %x[%g, %short] : memref<4x8xf32>
  %one = arith.constant 1.0 : f32
  uop.store %v, %y[%g, %short] : memref<4x8xf32>
  uop.store %one, %z[%long] : memref<16xf32>
}

// What is overwritten in place is read only by the threads that write it.
// CHECK-LABEL: uop.kernel loops @in_place(
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[FIRST]] -> (f32)
// CHECK-NEXT:      memref.load
// CHECK:         scf.if %[[FIRST]]
// CHECK-NEXT:      memref.store
uop.kernel @in_place(%x: memref<8xf32>, %y: memref<4x8xf32>) {
  %g = uop.range global<x> 4
  %l = uop.range local<x> 8
  %l2 = uop.range local<x> 8
  %v = uop.load %x[%l] : memref<8xf32>
  %one = arith.constant 1.0 : f32
  %w = arith.addf %v, %one : f32
  uop.store %w, %x[%l] : memref<8xf32>
  uop.store %one, %y[%g, %l2] : memref<4x8xf32>
}

// A mask guards its load, and the other value takes its place.
// CHECK-LABEL: uop.kernel loops @masked_load(
// CHECK:         %[[P:.*]] = arith.cmpi slt
// CHECK:         %[[V:.*]] = scf.if %[[P]] -> (f32)
// CHECK-NEXT:      memref.load
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[OTHER:.*]] : f32
// CHECK:         memref.store %[[V]]
uop.kernel @masked_load(%x: memref<6xf32>, %y: memref<8xf32>) {
  %i = uop.range local<x> 8
  %c6 = arith.constant 6 : index
  %p = arith.cmpi slt, %i, %c6 : index
  %one = arith.constant 1.0 : f32
  %v = uop.load %x[%i] mask %p else %one : memref<6xf32>
  uop.store %v, %y[%i] : memref<8xf32>
}

// An accumulating store is atomic.
// CHECK-LABEL: uop.kernel loops @histogram(
// CHECK:         memref.atomic_rmw addi %{{.*}}, %{{.*}}[%{{.*}}] : (i32, memref<10xi32>) -> i32
uop.kernel @histogram(%x: memref<256xi32>, %bins: memref<10xi32>) {
  %i = uop.range local<x> 256
  %v = uop.load %x[%i] : memref<256xi32>
  %bin = arith.index_cast %v : i32 to index
  %one = arith.constant 1 : i32
  uop.store add %one, %bins[%bin] : memref<10xi32>
}

// A domain keeps its points when the value does not vary; extents may be
// scalar arguments; a range of one block or thread is no range.
// CHECK-LABEL: uop.kernel loops @dynamic(
// CHECK-SAME:    %[[N:.*]]: index
// CHECK-NOT:     uop.range
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[N]]
// CHECK:           memref.atomic_rmw addf
uop.kernel @dynamic(%n: index, %y: memref<1xf32>) {
  %b = uop.range global<x> 1
  %i = uop.range serial %n
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  uop.store add %one, %y[%c0] over(%b, %i) : memref<1xf32>
}

// Lanes are along x, in whole warps.
// CHECK-LABEL: uop.kernel loops @lanes(
// CHECK:         %[[L:.*]] = uop.range local<x> 32
// CHECK:         %[[P:.*]] = arith.cmpi slt, %[[L]], %{{.*}}
// CHECK:         scf.if %[[P]]
uop.kernel @lanes(%y: memref<8xf32>) {
  %l = uop.range warp 8
  %one = arith.constant 1.0 : f32
  uop.store %one, %y[%l] over(%l) : memref<8xf32>
}

// A kernel in loop form stays as it is.
// CHECK-LABEL: uop.kernel loops @already(
// CHECK:         uop.barrier
uop.kernel loops @already() {
  uop.barrier
}

// The product that an unrolled reduction accumulates is marked: nothing fuses
// it with a sum, as nothing would in a loop.
// CHECK-LABEL: uop.kernel loops @unrolled_product(
// CHECK:         arith.mulf {{.*}} {uop.accumulator} : f32
// CHECK:         arith.addf
uop.kernel @unrolled_product(%x: memref<2xf32>, %y: memref<f32>) {
  %u = uop.range unroll 2
  %v = uop.load %x[%u] : memref<2xf32>
  %p = uop.reduce mul %v over(%u) : f32
  %one = arith.constant 1.0 : f32
  %s = arith.addf %p, %one : f32
  uop.store %s, %y[] : memref<f32>
}

// A thread beyond a range does not divide by what it has not loaded.
// CHECK-LABEL: uop.kernel loops @guarded_division(
// CHECK:         %[[P:.*]] = arith.cmpi slt
// CHECK:         scf.if %[[P]] -> (i32)
// CHECK-NEXT:      memref.load
// CHECK:         scf.if %[[P]] -> (i32)
// CHECK-NEXT:      arith.divsi
uop.kernel @guarded_division(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<16xi32>) {
  %short = uop.range local<x> 8
  %long = uop.range local<x> 16
  %seven = arith.constant 7 : i32
  %v = uop.load %x[%short] : memref<8xi32>
  %q = arith.divsi %seven, %v : i32
  uop.store %q, %y[%short] : memref<8xi32>
  uop.store %seven, %z[%long] : memref<16xi32>
}
