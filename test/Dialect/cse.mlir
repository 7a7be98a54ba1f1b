// Common subexpressions are one value, except ranges.
// RUN: uop-opt %s --cse | FileCheck %s

// Two ranges of equal extent are two loops.
// CHECK-LABEL: uop.kernel @ranges
// CHECK:         %[[I:.*]] = uop.range loop 4
// CHECK:         %[[J:.*]] = uop.range loop 4
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]] : memref<4x4xf32>
uop.kernel @ranges(%x: f32, %out: memref<4x4xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 4
  uop.store %x, %out[%i, %j] : memref<4x4xf32>
}

// Equal loads, reductions and stages are one: memory is as on entry, whatever
// is stored in between.
// CHECK-LABEL: uop.kernel @loads
// CHECK-COUNT-1: uop.load %{{.*}} : memref<4x8xf32>
// CHECK-NOT:     uop.load
// CHECK-COUNT-1: uop.reduce
// CHECK-NOT:     uop.reduce
uop.kernel @loads(%in: memref<4x8xf32>, %a: memref<4xf32>, %b: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range reduce 8
  %x = uop.load %in[%i, %k] : memref<4x8xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %a[%i] : memref<4xf32>
  %y = uop.load %in[%i, %k] : memref<4x8xf32>
  %t = uop.reduce add %y over(%k) : f32
  uop.store %t, %b[%i] : memref<4xf32>
}

// Reductions over different ranges, and two allocations, are two.
// CHECK-LABEL: uop.kernel @reductions
// CHECK-COUNT-2: uop.reduce
uop.kernel @reductions(%x: f32, %a: memref<4xf32>, %b: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range reduce 8
  %l = uop.range reduce 8
  %s = uop.reduce add %x over(%k) : f32
  %t = uop.reduce add %x over(%l) : f32
  uop.store %s, %a[%i] : memref<4xf32>
  uop.store %t, %b[%i] : memref<4xf32>
}

// A barrier is between the loads, and each allocation is memory of its own.
// CHECK-LABEL: uop.kernel loops @memory
// CHECK-COUNT-2: uop.alloc
// CHECK:         memref.load
// CHECK-NEXT:    uop.barrier
// CHECK-NEXT:    uop.barrier
// CHECK-NEXT:    memref.load
uop.kernel loops @memory(%out: memref<32xf32>) {
  %t = uop.range local<x> 32
  %p = uop.alloc : memref<32xf32, #gpu.address_space<workgroup>>
  %q = uop.alloc : memref<32xf32, #gpu.address_space<workgroup>>
  %x = memref.load %p[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  uop.barrier
  uop.barrier
  %y = memref.load %p[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  %z = memref.load %q[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  %s = arith.addf %x, %y : f32
  %u = arith.addf %s, %z : f32
  memref.store %u, %out[%t] : memref<32xf32>
}
