// RUN: uop-opt %s --uop-vectorize-threads=width=8 --cse --split-input-file | FileCheck %s

// A whole number of vectors: no mask. What is one for all threads stays scalar,
// neighbours are loaded together.
// CHECK-LABEL: func @whole
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>, %[[I:.*]]: index
// CHECK: %[[C8:.*]] = arith.constant 8 : index
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step %[[C8]]
// CHECK-DAG: %[[ONE:.*]] = memref.load %[[X]][%[[I]]] : memref<64xf32>
// CHECK-DAG: %[[V:.*]] = vector.load %[[X]][%[[T]]] : memref<64xf32>, vector<8xf32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[ONE]] : f32 to vector<8xf32>
// CHECK: %[[S:.*]] = arith.addf %[[V]], %[[ALL]] : vector<8xf32>
// CHECK: vector.store %[[S]], %[[Y]][%[[T]]]
// CHECK-NOT: mask
// CHECK: return
func.func @whole(%x: memref<64xf32>, %y: memref<64xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %one = memref.load %x[%i] : memref<64xf32>
    %v = memref.load %x[%t] : memref<64xf32>
    %s = arith.addf %v, %one : f32
    memref.store %s, %y[%t] : memref<64xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Twenty threads: two vectors, and four threads under a constant mask.
// CHECK-LABEL: func @tail
// CHECK: %[[C16:.*]] = arith.constant 16 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[C16]] step
// CHECK: vector.store
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, false, false, false, false]>
// CHECK: %[[V:.*]] = vector.maskedload %{{.*}}[%[[C16]]], %[[MASK]]
// CHECK: vector.maskedstore %{{.*}}[%[[C16]]], %[[MASK]], %[[V]]
func.func @tail(%x: memref<20xf32>, %y: memref<20xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  scf.for %t = %c0 to %c20 step %c1 {
    %v = memref.load %x[%t] : memref<20xf32>
    memref.store %v, %y[%t] : memref<20xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Fewer threads than lanes: a narrower vector. Three are not worth one.
// CHECK-LABEL: func @narrow
// CHECK: vector.store %{{.*}} : memref<4xf32>, vector<4xf32>
// CHECK: scf.for
// CHECK: memref.store
func.func @narrow(%x: memref<4xf32>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    memref.store %a, %x[%t] : memref<4xf32>
  } {uop.thread_loop = "x"}
  scf.for %t = %c0 to %c3 step %c1 {
    memref.store %a, %x[%t] : memref<4xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// CHECK-LABEL: func @unknown_number
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[WHOLE:.*]] = arith.andi %[[N]], %c-8
// CHECK: scf.for %{{.*}} = %c0 to %[[WHOLE]] step %c8
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[WHOLE]]
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %c0
// CHECK: scf.if %[[SOME]]
// CHECK: %[[MASK:.*]] = vector.create_mask %[[REST]]
// CHECK: vector.maskedstore %{{.*}}[%[[WHOLE]]], %[[MASK]]
func.func @unknown_number(%n: index, %x: memref<?xf32>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    memref.store %a, %x[%t] : memref<?xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Two rows of 16 threads, found by division: the row is one for a vector, the
// column goes up by one. Addresses along columns of the buffer are gathered.
// CHECK-LABEL: func @rows
// CHECK: %[[ROW:.*]] = arith.divui %[[T:.*]], %c16
// CHECK: %[[COL:.*]] = arith.remui %[[T]], %c16
// CHECK: vector.load %{{.*}}[%[[ROW]], %[[COL]]] : memref<2x16xf32>, vector<8xf32>
// CHECK: vector.gather
// CHECK: vector.scatter
func.func @rows(%x: memref<2x16xf32>, %y: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %c32 step %c1 {
    %row = arith.divui %t, %c16 : index
    %col = arith.remui %t, %c16 : index
    %v = memref.load %x[%row, %col] : memref<2x16xf32>
    %w = memref.load %y[%col, %row] : memref<16x8xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %y[%col, %row] : memref<16x8xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Lanes two words apart: one load, from which they are picked.
// CHECK-LABEL: func @picked
// CHECK: %[[ALL:.*]] = vector.load %{{.*}} : memref<?xf32, {{.*}}>, vector<15xf32>
// CHECK: vector.shuffle %[[ALL]], %[[ALL]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-NOT: vector.gather
// CHECK: return
func.func @picked(%x: memref<16x2xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %t = %c0 to %c16 step %c1 {
    %v = memref.load %x[%t, %c1] : memref<16x2xf32>
    memref.store %v, %y[%t] : memref<16xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// A condition that is one for each vector stays a branch; one that differs
// becomes a mask, behind a branch that asks for any lane.
// CHECK-LABEL: func @conditions
// CHECK: %[[UNIFORM:.*]] = arith.cmpi slt, %{{.*}}, %c16 : index
// CHECK: scf.if %[[UNIFORM]] {
// CHECK: vector.store
// CHECK: %[[DIFFERS:.*]] = arith.cmpi slt, %{{.*}} : vector<8xindex>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[DIFFERS]]
// CHECK: scf.if %[[ANY]]
// CHECK: vector.maskedstore %{{.*}}, %[[DIFFERS]]
func.func @conditions(%x: memref<32xf32>, %y: memref<32xf32>, %a: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %c32 step %c1 {
    %low = arith.cmpi slt, %t, %c16 : index
    scf.if %low {
      memref.store %a, %x[%t] : memref<32xf32>
    }
    %first = arith.cmpi slt, %t, %n : index
    scf.if %first {
      memref.store %a, %y[%t] : memref<32xf32>
    }
  } {uop.thread_loop = "x"}
  return
}

// -----

// A short branch that only computes is computed for all lanes, and a division
// in one is not: a lane that does not come there may have a zero.
// CHECK-LABEL: func @speculation
// CHECK: %[[C:.*]] = arith.cmpf olt
// CHECK: %[[N:.*]] = arith.negf
// CHECK: arith.select %[[C]], %[[N]], %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: %[[NONZERO:.*]] = arith.cmpi ne
// CHECK: scf.if
// CHECK: %[[SAFE:.*]] = arith.select %[[NONZERO]], %[[D:.*]], %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: arith.divsi %{{.*}}, %[[SAFE]] : vector<8xi32>
func.func @speculation(%x: memref<32xf32>, %y: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %many = arith.constant 100 : i32
  scf.for %t = %c0 to %c32 step %c1 {
    %v = memref.load %x[%t] : memref<32xf32>
    %negative = arith.cmpf olt, %v, %zero : f32
    %abs = scf.if %negative -> f32 {
      %n = arith.negf %v : f32
      scf.yield %n : f32
    } else {
      scf.yield %v : f32
    }
    memref.store %abs, %x[%t] : memref<32xf32>
    %d = memref.load %y[%t] : memref<32xi32>
    %nonzero = arith.cmpi ne, %d, %none : i32
    %q = scf.if %nonzero -> i32 {
      %part = arith.divsi %many, %d : i32
      scf.yield %part : i32
    } else {
      scf.yield %none : i32
    }
    memref.store %q, %y[%t] : memref<32xi32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Each thread has its own number of turns: the loop goes on while one of them
// is in it, and sums of those that have left stay.
// CHECK-LABEL: func @divergent_loop
// CHECK: scf.while (%[[ACTIVE:.*]] = %{{.*}}, %[[I:.*]] = %c0, %[[S:.*]] = %{{.*}}) : (vector<8xi1>, index, vector<8xf32>)
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %{{.*}} : vector<8xindex>
// CHECK: %[[STILL:.*]] = arith.select %[[ACTIVE]], %[[MORE]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[STILL]]
// CHECK: scf.condition(%[[ANY]]) %[[STILL]], %[[I]], %[[S]]
// CHECK: ^bb0(%[[NOW:.*]]: vector<8xi1>, %[[J:.*]]: index, %[[OLD:.*]]: vector<8xf32>):
// CHECK: memref.load %{{.*}}[%[[J]]]
// CHECK: %[[NEW:.*]] = arith.addf
// CHECK: arith.select %[[NOW]], %[[NEW]], %[[OLD]]
func.func @divergent_loop(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %t = %c0 to %c32 step %c1 {
    %sum = scf.for %i = %c0 to %t step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %x[%i] : memref<32xf32>
      %n = arith.addf %s, %v : f32
      scf.yield %n : f32
    }
    memref.store %sum, %y[%t] : memref<32xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// A buffer of each thread: an element of all lanes is a vector.
// CHECK-LABEL: func @private
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<5x8xf32>
// CHECK: vector.store %{{.*}}, %[[BUFFER]][%{{.*}}, %c0]
// CHECK: vector.load %[[BUFFER]]
func.func @private(%x: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %own = memref.alloca() {uop.private} : memref<5xf32>
  scf.for %t = %c0 to %c32 step %c1 {
    scf.for %i = %c0 to %c5 step %c1 {
      %v = memref.load %x[%t] : memref<32xf32>
      memref.store %v, %own[%i] : memref<5xf32>
    }
    scf.for %i = %c0 to %c5 step %c1 {
      %v = memref.load %own[%i] : memref<5xf32>
      memref.store %v, %x[%t] : memref<32xf32>
    }
  } {uop.thread_loop = "x"}
  return
}

// -----

// Each thread's own row of four: one wide load, taken apart.
// CHECK-LABEL: func @quads
// CHECK: %[[ROWS:.*]] = vector.load %{{.*}} : memref<128xf32>, vector<32xf32>
// CHECK: vector.shuffle %[[ROWS]], %[[ROWS]] [0, 4, 8, 12, 16, 20, 24, 28]
// CHECK: vector.shuffle %[[ROWS]], %[[ROWS]] [3, 7, 11, 15, 19, 23, 27, 31]
// CHECK-COUNT-4: arith.negf %{{.*}} : vector<8xf32>
// CHECK: vector.store %{{.*}} : memref<128xf32>, vector<32xf32>
func.func @quads(%x: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %c32 step %c1 {
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%i] : memref<128xf32>, vector<4xf32>
    %n = arith.negf %v : vector<4xf32>
    vector.store %n, %x[%i] : memref<128xf32>, vector<4xf32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// Atomic updates and functions of the C library are done lane after lane.
// CHECK-LABEL: func @lane_by_lane
// CHECK: %[[V:.*]] = vector.load
// CHECK: scf.for %[[LANE:.*]] = %c0 to %c8 step %c1 iter_args(%[[ALL:.*]] = %{{.*}}) -> (vector<8xf64>)
// CHECK: %[[ONE:.*]] = vector.extract %[[V]][%[[LANE]]] : f64 from vector<8xf64>
// CHECK: %[[S:.*]] = func.call @sin(%[[ONE]])
// CHECK: vector.insert %[[S]], %[[ALL]] [%[[LANE]]]
// CHECK: memref.atomic_rmw
func.func private @sin(f64) -> f64 attributes {llvm.readnone}
func.func @lane_by_lane(%x: memref<32xf64>, %y: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %k = arith.constant 1 : i32
  scf.for %t = %c0 to %c32 step %c1 {
    %v = memref.load %x[%t] : memref<32xf64>
    %s = func.call @sin(%v) : (f64) -> f64
    memref.store %s, %x[%t] : memref<32xf64>
    %old = memref.atomic_rmw addi %k, %y[%c0] : (i32, memref<1xi32>) -> i32
  } {uop.thread_loop = "x"}
  return
}

// -----

// The order of the threads would show: the loop stays.
// CHECK-LABEL: func @order
// CHECK: scf.for %[[T:.*]] = %c0 to %c32 step %c1
// CHECK-NEXT: func.call @shows(%[[T]])
// CHECK-NOT: uop.thread_loop
func.func private @shows(index)
func.func @order() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %c32 step %c1 {
    func.call @shows(%t) : (index) -> ()
  } {uop.thread_loop = "x"}
  return
}

// -----

// A condition that is one for all threads stays a bit where it chooses, and is
// a vector where it is also chosen.
// CHECK-LABEL: func.func @chooses
// CHECK: %[[ALL:.*]] = vector.broadcast %[[BIT:.*]] : i1 to vector<8xi1>
// CHECK: arith.select %[[BIT]], %[[ALL]], %{{.*}} : vector<8xi1>
func.func @chooses(%x: memref<64xi32>, %y: memref<64xi32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  scf.for %t = %c0 to %c64 step %c1 {
    %v = memref.load %x[%t] : memref<64xi32>
    %b = arith.cmpi eq, %v, %zero : i32
    %s = arith.select %c, %c, %b : i1
    %e = arith.extui %s : i1 to i32
    memref.store %e, %y[%t] : memref<64xi32>
  } {uop.thread_loop = "x"}
  return
}

// -----

// A guard: where the last lane passes it all do, and need no mask.
// CHECK-LABEL: func @guard
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %[[N:.*]]: index
// CHECK: %[[LAST:.*]] = arith.addi %[[T:.*]], %c7
// CHECK: %[[ALL:.*]] = arith.cmpi slt, %[[LAST]], %[[N]]
// CHECK: scf.if %[[ALL]] {
// CHECK: vector.load
// CHECK: vector.store
// CHECK: } else {
// CHECK: scf.if
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @guard(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %inside = arith.cmpi slt, %t, %n : index
    scf.if %inside {
      %v = memref.load %x[%t] : memref<64xf32>
      %s = arith.addf %v, %v : f32
      memref.store %s, %x[%t] : memref<64xf32>
    }
  } {uop.thread_loop = "x"}
  return
}

// -----

// A walk over an array: as long as the last lane goes on, without a mask.
// CHECK-LABEL: func @walk
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index
// CHECK: %[[BELOW:.*]] = arith.subi %[[N]], %c7
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %[[BELOW]], %{{.*}}
// CHECK: %[[DONE:.*]] = scf.for %[[J:.*]] = %{{.*}} to %[[END]] step
// CHECK: vector.load %[[X]][%[[J]]]
// CHECK: vector.store
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[DONE]])
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @walk(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %j = %t to %n step %c64 {
      %v = memref.load %x[%j] : memref<?xf32>
      %s = arith.addf %v, %v : f32
      memref.store %s, %x[%j] : memref<?xf32>
    }
  } {uop.thread_loop = "x"}
  return
}
