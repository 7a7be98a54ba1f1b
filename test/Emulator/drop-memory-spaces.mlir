// A CPU has one memory: types of functions, globals and values lose the memory
// spaces of the gpu dialect and the numbers of devices, and casts between them
// go. Numbers from 256 on, which mean something to CPUs, stay.
// RUN: uop-opt %s --uop-drop-memory-spaces | FileCheck %s

// CHECK: memref.global "private" @table : memref<4xf32>
memref.global "private" @table : memref<4xf32, #gpu.address_space<global>>

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[U:.*]]: memref<*xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32, 256>)
func.func @f(%x: memref<4xf32>, %u: memref<*xf32, #gpu.address_space<global>>,
             %numbered: memref<4xf32, 7>, %other: memref<4xf32, 256>) {
  // CHECK-NEXT: %[[P:.*]] = memref.alloca() : memref<4xf32>
  // CHECK-NEXT: memref.get_global @table : memref<4xf32>
  // CHECK-NEXT: memref.copy %[[X]], %[[P]] : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: return
  %p = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  %t = memref.get_global @table : memref<4xf32, #gpu.address_space<global>>
  %y = memref.memory_space_cast %x : memref<4xf32> to memref<4xf32, #gpu.address_space<global>>
  memref.copy %y, %p : memref<4xf32, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<private>>
  return
}
