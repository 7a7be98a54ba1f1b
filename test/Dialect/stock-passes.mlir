// Upstream's passes leave kernels valid and their meaning as it was.
// RUN: uop-opt %s --canonicalize --cse --int-range-optimizations --canonicalize | FileCheck %s
// RUN: uop-opt %s --sccp | FileCheck %s
// RUN: uop-opt %s --loop-invariant-code-motion | FileCheck %s
// RUN: uop-opt %s --control-flow-sink | FileCheck %s
// RUN: uop-opt %s --inline | FileCheck %s
// RUN: uop-opt %s --mem2reg --sroa | FileCheck %s
// RUN: uop-opt %s --topological-sort | FileCheck %s
// RUN: uop-opt %s --remove-dead-values | FileCheck %s
// RUN: uop-opt %s --symbol-dce | FileCheck %s --check-prefixes=CHECK,DCE

// What nothing launches may go, but not lose its arguments before.
// DCE-NOT:       @not_launched
uop.kernel private @not_launched(%n: i32, %out: memref<8xf32>) {
  %i = uop.range loop 8
  %x = arith.constant 1.0 : f32
  uop.store %x, %out[%i] : memref<8xf32>
}

// Launches are not calls: a private kernel keeps the argument that it does not
// use.
// CHECK-LABEL: uop.kernel private @sum
// CHECK-SAME:    (%[[IN:.*]]: memref<4x8xf32>, %{{.*}}: i32, %[[OUT:.*]]: memref<4xf32>)
// CHECK-DAG:     %[[I:.*]] = uop.range loop 4
// CHECK-DAG:     %[[K:.*]] = uop.range reduce 8
// CHECK-DAG:     %[[X:.*]] = uop.load %[[IN]][%[[I]], %[[K]]] : memref<4x8xf32>
// CHECK:         %[[S:.*]] = uop.reduce add %[[X]] over(%[[K]]) : f32
// CHECK-NEXT:    uop.store %[[S]], %[[OUT]][%[[I]]] : memref<4xf32>
uop.kernel private @sum(%in: memref<4x8xf32>, %n: i32, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range reduce 8
  %x = uop.load %in[%i, %k] : memref<4x8xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %out[%i] : memref<4xf32>
}

// The load under a mask is not speculated, and the barriers stay where they
// are: loads do not cross them, nor leave the loop.
// CHECK-LABEL: uop.kernel loops private @barriers
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[S:.*]][%[[T:.*]]]
// CHECK-NEXT:      uop.barrier
// CHECK-NEXT:      memref.load %[[S]]
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      uop.barrier
uop.kernel loops private @barriers(%in: memref<?x32xf32>, %n: index,
                                   %out: memref<?x32xf32>) {
  %t = uop.range local<x> 32
  %s = uop.alloc : memref<32xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %in[%i, %t] : memref<?x32xf32>
    memref.store %x, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    uop.barrier
    %y = memref.load %s[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %y, %out[%i, %t] : memref<?x32xf32>
    uop.barrier
  }
}

// CHECK-LABEL: func.func @host
// CHECK-NEXT:    uop.launch @sum(%{{.*}}, %{{.*}}, %{{.*}}) : memref<4x8xf32>, i32, memref<4xf32>
// CHECK-NEXT:    uop.launch @sum(%{{.*}}, %{{.*}}, %{{.*}}) : memref<4x8xf32>, i32, memref<4xf32>
// CHECK-NEXT:    uop.launch @barriers
func.func @host(%a: memref<4x8xf32>, %n: i32, %b: memref<4xf32>,
                %c: memref<?x32xf32>, %d: memref<?x32xf32>, %m: index) {
  uop.launch @sum(%a, %n, %b) : memref<4x8xf32>, i32, memref<4xf32>
  uop.launch @sum(%a, %n, %b) : memref<4x8xf32>, i32, memref<4xf32>
  uop.launch @barriers(%c, %m, %d)
    : memref<?x32xf32>, index, memref<?x32xf32>
  return
}
