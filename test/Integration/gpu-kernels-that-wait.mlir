// Each kernel raises its flag and waits until the other one has: they end only
// where both run at one time. In one stream the third follows the first.
// REQUIRES: two-cores
// RUN: uop-run %s -e main | FileCheck %s
// RUN: %emulate %s | %run-main -O0 -shared-libs=%mlir_lib_dir/libmlir_async_runtime.so | FileCheck %s
// RUN: uop-opt --uop-emulate-gpu %s | FileCheck %s --check-prefix=BESIDE

// BESIDE-COUNT-2: func.call @meet{{.*}}_grid
// CHECK: [1, {{ *}}1, {{ *}}11]
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @meet(%x: memref<3xi32>, %mine: index, %other: index) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %x[%mine] : (i32, memref<3xi32>) -> i32
    scf.while : () -> () {
      %v = memref.atomic_rmw addi %zero, %x[%other] : (i32, memref<3xi32>) -> i32
      %wait = arith.cmpi eq, %v, %zero : i32
      scf.condition(%wait)
    } do {
      scf.yield
    }
    gpu.return
  }
  // The same in blocks.
  gpu.func @meet_too(%x: memref<3xi32>, %mine: index, %other: index) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %x[%mine] : (i32, memref<3xi32>) -> i32
    cf.br ^look
  ^look:
    %v = memref.atomic_rmw addi %zero, %x[%other] : (i32, memref<3xi32>) -> i32
    %wait = arith.cmpi eq, %v, %zero : i32
    cf.cond_br %wait, ^look, ^end
  ^end:
    gpu.return
  }
  gpu.func @after(%x: memref<3xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %ten = arith.constant 10 : i32
    %v = memref.load %x[%c0] : memref<3xi32>
    %w = arith.addi %v, %ten : i32
    memref.store %w, %x[%c2] : memref<3xi32>
    gpu.return
  }
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %x = gpu.alloc host_shared () : memref<3xi32>
  gpu.memset %x, %zero : memref<3xi32>, i32
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %a = gpu.launch_func async [%s0] @m::@meet blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<3xi32>, %c0 : index, %c1 : index)
  %b = gpu.launch_func async [%s1] @m::@meet_too blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<3xi32>, %c1 : index, %c0 : index)
  %c = gpu.launch_func async [%a] @m::@after blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<3xi32>)
  gpu.wait [%b, %c]
  %u = memref.cast %x : memref<3xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
func.func private @printMemrefI32(memref<*xi32>)
}
