// A kernel in loop form becomes a plain function of its name and arguments; the
// axis thread becomes a parallel loop around the body.
// RUN: uop-opt %s --convert-uop-to-func -split-input-file | FileCheck %s
// RUN: uop-opt %s --convert-uop-to-func -split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: {{[^a-z]}}gpu.
// NONE-NOT: uop.{{range|kernel (loops|@)|alloc|launch|floor}}

// Without a thread axis there is one thread. Visibility and attributes that are
// not about a device stay.
// CHECK-LABEL: func.func private @serial(
// CHECK-SAME: %[[X:.*]]: memref<64xf32> {test.kept})
// CHECK-SAME: attributes {test.kernel, uop.kernel = "serial"}
// CHECK-NOT: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: memref.store %{{.*}}, %[[X]][%[[I]]]
// CHECK: return
uop.kernel loops private @serial(%x: memref<64xf32> {llvm.align = 64 : i64, test.kept})
    attributes {nvvm.maxnreg = 32 : i32, test.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %one, %x[%i] : memref<64xf32>
  }
}

// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>)
// CHECK: call @serial(%[[X]]) : (memref<64xf32>) -> ()
func.func @host(%x: memref<64xf32>) {
  uop.launch @serial(%x) : memref<64xf32>
  return
}

// -----

// The extent is computed before the loop by the kernel's own arithmetic, which
// stays in the body as well. Indices that are not negative divide as unsigned.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<?xi32>)
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[EXTENT:.*]] = arith.muli %[[N]], %[[C4]] : index
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%[[EXTENT]]) step (%{{.*}}) {
// CHECK: %[[ROW:.*]] = arith.divui %[[T]], %{{.*}} : index
// CHECK: memref.store %{{.*}}, %[[X]][%[[T]]]
uop.kernel loops @dynamic(%n: index, %x: memref<?xi32>) {
  %c4 = arith.constant 4 : index
  %extent = arith.muli %n, %c4 : index
  %t = uop.range thread %extent
  %row = uop.floordiv %t, %c4
  %v = arith.index_cast %row : index to i32
  memref.store %v, %x[%t] : memref<?xi32>
}

// -----

// With private memory the body is a function of one thread, at whose start it
// is allocated; it is zeroed where it is written. Beyond 128 KiB, which is
// 32768 elements of f32, it comes from the heap.
// CHECK-LABEL: func.func private @memory_thread(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[T:.*]]: index)
// CHECK-DAG: %[[SMALL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-DAG: %[[LARGE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<40000xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[SMALL]]
// CHECK: memref.store %{{.*}}, %[[X]][%[[T]]]
// CHECK: memref.dealloc %[[LARGE]]
// CHECK-NEXT: return
// CHECK-LABEL: func.func @memory(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>)
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%{{.*}}) step
// CHECK-NEXT: call @memory_thread(%[[X]], %[[T]])
!private = memref<4xf32, #gpu.address_space<private>>
!large = memref<40000xf32, #gpu.address_space<private>>
uop.kernel loops @memory(%x: memref<8xf32>) {
  %t = uop.range thread 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %q = uop.alloc : !large
  memref.store %one, %q[%t] : !large
  scf.for %i = %c0 to %c4 step %c1 {
    %p = uop.alloc zero : !private
    memref.store %one, %p[%i] : !private
  }
  %v = memref.load %q[%t] : !large
  memref.store %v, %x[%t] : memref<8xf32>
}
