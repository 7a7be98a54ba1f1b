// RUN: uop-opt %s --uop-split-tails --uop-simplify --canonicalize | FileCheck %s

// 2 copies of 5 points: two steps without a guard, and one in which the first
// copy is left.
// CHECK-LABEL: uop.kernel loops @static
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[TWO]]
// CHECK-NOT:       scf.if
// CHECK-COUNT-2:   memref.store
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK-COUNT-1: memref.store
// CHECK-NOT:     memref.store
// CHECK:       uop.kernel loops @dynamic
uop.kernel loops @static(%x: memref<5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %j, %c1 : index
    memref.store %zero, %x[%j] : memref<5xf32>
    %ok = arith.cmpi slt, %k, %c5 : index
    scf.if %ok {
      memref.store %zero, %x[%k] : memref<5xf32>
    }
  }
}

// The guard of the last copy fails first. That the other one stays is known from
// the end of the loop. A number so large that the end would not fit 64 bits leaves
// all to the second loop.
// CHECK-SAME:    (%[[N:.*]]: index, %{{.*}}: memref<?xf32>)
// CHECK:         uop.floordiv %[[N]], %c4
// CHECK:         arith.select
// CHECK:         %[[END:.*]] = arith.select
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]]
// CHECK-NOT:       scf.if
// CHECK-COUNT-2:   memref.store
// CHECK:         scf.for %{{.*}} = %[[END]]
// CHECK-NEXT:      arith.muli
// CHECK-NOT:       scf.if
// CHECK:           memref.store
// CHECK:           scf.if
// CHECK-NEXT:        memref.store
// CHECK:       uop.kernel loops @reduction
uop.kernel loops @dynamic(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %steps = arith.addi %n, %c3 : index
  %ceil = uop.floordiv %steps, %c4
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %ceil step %c1 {
    %j = arith.muli %i, %c4 : index
    %k = arith.addi %j, %c3 : index
    %first = arith.cmpi sgt, %n, %j : index
    scf.if %first {
      memref.store %zero, %x[%j] : memref<?xf32>
    }
    %last = arith.cmpi slt, %k, %n : index
    scf.if %last {
      memref.store %zero, %x[%k] : memref<?xf32>
    }
  }
}

// What the first loop has summed up, the second goes on with. A condition on
// what is loaded is no guard of a tail, nor is one that fails at the start.
// CHECK:         %[[HEAD:.*]] = scf.for
// CHECK-SAME:        iter_args
// CHECK:           %[[LATER:.*]] = arith.cmpi sge, %{{.*}}, %c1
// CHECK-NEXT:      scf.if %[[LATER]]
// CHECK:         %[[ALL:.*]] = scf.for
// CHECK-SAME:        iter_args(%{{.*}} = %[[HEAD]])
// CHECK:         memref.store %[[ALL]]
// CHECK-LABEL: uop.kernel loops @others
uop.kernel loops @reduction(%n: index, %a: memref<?xi32>, %x: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %zero) -> i32 {
    %first = arith.cmpi sgt, %i, %c0 : index
    %inside = arith.cmpi slt, %i, %n : index
    %both = arith.andi %first, %inside : i1
    %next = scf.if %both -> i32 {
      %v = memref.load %a[%i] : memref<?xi32>
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    } else {
      scf.yield %s : i32
    }
    %more = arith.muli %next, %three : i32
    scf.yield %more : i32
  }
  memref.store %sum, %x[%c0] : memref<1xi32>
}

// The limit is known in the loop only; the step is not 1.
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
uop.kernel loops @others(%a: memref<8xi32>, %x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xi32>
    %n = arith.index_cast %v : i32 to index
    %ok = arith.cmpi slt, %i, %n : index
    scf.if %ok {
      memref.store %zero, %x[%i] : memref<8xi32>
    }
  }
  scf.for %i = %c0 to %c8 step %c2 {
    %ok = arith.cmpi slt, %i, %c5 : index
    scf.if %ok {
      memref.store %zero, %x[%i] : memref<8xi32>
    }
  }
}
