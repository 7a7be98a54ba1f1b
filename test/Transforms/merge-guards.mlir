// Guards with one condition become one, where nothing is passed that matters.
// RUN: uop-opt %s --uop-merge-guards | FileCheck %s

// Loads pass arithmetic, other loads, and what uses their results.
// CHECK-LABEL: uop.kernel loops @loads(
// CHECK:         %[[I:.*]] = uop.range local<x> 64
// CHECK:         %[[IN:.*]] = arith.cmpi
// CHECK:         %[[K:.*]] = arith.addi %[[I]]
// CHECK:         %[[R:.*]]:2 = scf.if %[[IN]] -> (f32, f32) {
// CHECK-NEXT:      %[[V:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[W:.*]] = memref.load %{{.*}}[%[[K]]]
// CHECK-NEXT:      scf.yield %[[V]], %[[W]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[ZERO:.*]], %[[ONE:.*]] : f32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[TWICE:.*]] = arith.addf %[[R]]#0, %[[R]]#0
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    arith.addf %[[R]]#1, %[[TWICE]]
// CHECK-NOT:     scf.if
uop.kernel loops @loads(%x: memref<100xf32>, %y: memref<100xf32>) {
  %i = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %in = arith.cmpi slt, %i, %c50 : index
  %a = scf.if %in -> f32 {
    %v = memref.load %x[%i] : memref<100xf32>
    scf.yield %v : f32
  } else {
    scf.yield %zero : f32
  }
  %twice = arith.addf %a, %a : f32
  %other = memref.load %y[%i] : memref<100xf32>
  %k = arith.addi %i, %c1 : index
  %b = scf.if %in -> f32 {
    %v = memref.load %x[%k] : memref<100xf32>
    scf.yield %v : f32
  } else {
    scf.yield %one : f32
  }
  %sum = arith.addf %b, %twice : f32
  %all = arith.addf %sum, %other : f32
  memref.store %all, %y[%i] : memref<100xf32>
}

// Stores are in one guard where no access is between them: the third one comes
// after a load, the fourth after a barrier.
// CHECK-LABEL: uop.kernel loops @stores(
// CHECK:         scf.if %[[IN:.*]] {
// CHECK-NEXT:      memref.store %{{.*}}[%[[I:.*]]]
// CHECK-NEXT:      memref.store %{{.*}}[%[[K:.*]]]
// CHECK-NEXT:    }
// CHECK:         memref.load
// CHECK:         scf.if %[[IN]] {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
// CHECK:         uop.barrier
// CHECK:         scf.if %[[IN]] {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
uop.kernel loops @stores(%x: memref<100xf32>, %y: memref<100xf32>, %v: f32) {
  %i = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %in = arith.cmpi slt, %i, %c50 : index
  scf.if %in {
    memref.store %v, %x[%i] : memref<100xf32>
  }
  %k = arith.addi %i, %c1 : index
  scf.if %in {
    memref.store %v, %x[%k] : memref<100xf32>
  }
  %w = memref.load %x[%i] : memref<100xf32>
  scf.if %in {
    memref.store %w, %y[%i] : memref<100xf32>
  }
  uop.barrier
  scf.if %in {
    memref.store %w, %y[%k] : memref<100xf32>
  }
}

// A load does not pass a load that it depends on, nor a store.
// CHECK-LABEL: uop.kernel loops @depends(
// CHECK-COUNT-2: scf.if %[[IN:.*]] -> (i32)
// CHECK:         memref.store
// CHECK:         scf.if %[[IN]] -> (i32)
uop.kernel loops @depends(%x: memref<100xi32>) {
  %i = uop.range local<x> 64
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0 : i32
  %in = arith.cmpi slt, %i, %c50 : index
  %a = scf.if %in -> i32 {
    %v = memref.load %x[%i] : memref<100xi32>
    scf.yield %v : i32
  } else {
    scf.yield %zero : i32
  }
  %next = arith.index_cast %a : i32 to index
  %b = scf.if %in -> i32 {
    %v = memref.load %x[%next] : memref<100xi32>
    scf.yield %v : i32
  } else {
    scf.yield %zero : i32
  }
  memref.store %b, %x[%i] : memref<100xi32>
  %c = scf.if %in -> i32 {
    %v = memref.load %x[%i] : memref<100xi32>
    scf.yield %v : i32
  } else {
    scf.yield %zero : i32
  }
  memref.store %c, %x[%i] : memref<100xi32>
}

// In each block of its own: those of a loop, those in a guard that was merged.
// CHECK-LABEL: uop.kernel loops @nested(
// CHECK:         scf.if %[[OUTER:.*]] {
// CHECK-NEXT:      scf.if %[[INNER:.*]] {
// CHECK-NEXT:        memref.store
// CHECK-NEXT:        memref.store
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK:         scf.for
// CHECK-NEXT:      scf.if %[[INNER]] {
// CHECK-NEXT:        memref.store
// CHECK-NEXT:        memref.store
// CHECK-NEXT:      }
// CHECK-NEXT:    }
uop.kernel loops @nested(%x: memref<100xf32>, %v: f32, %outer: i1, %inner: i1) {
  %i = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.if %outer {
    scf.if %inner {
      memref.store %v, %x[%i] : memref<100xf32>
    }
  }
  scf.if %outer {
    scf.if %inner {
      memref.store %v, %x[%c1] : memref<100xf32>
    }
  }
  scf.for %k = %c0 to %c9 step %c1 {
    scf.if %inner {
      memref.store %v, %x[%i] : memref<100xf32>
    }
    scf.if %inner {
      memref.store %v, %x[%k] : memref<100xf32>
    }
  }
}

// A kernel in graph form has masks, and no guards yet.
// CHECK-LABEL: uop.kernel @graph(
// CHECK:         uop.store %{{.*}}, %{{.*}}[%{{.*}}] mask
uop.kernel @graph(%x: memref<50xf32>, %v: f32) {
  %i = uop.range loop 64
  %c50 = arith.constant 50 : index
  %in = arith.cmpi slt, %i, %c50 : index
  uop.store %v, %x[%i] mask %in : memref<50xf32>
}
