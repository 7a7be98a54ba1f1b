// Kernels that wait for a flag of the host, one after another in one stream,
// whose token goes through a loop and a function: each adds one when the flag is
// up, and the host raises it after it has launched all of them.
// RUN: uop-run %s -e main | FileCheck %s
// RUN: %emulate %s | mlir-runner -O0 -e main -entry-point-result=i32 -shared-libs=%mlir_lib_dir/libmlir_async_runtime.so | FileCheck %s

// CHECK: {{^}}5{{$}}
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @wait(%x: memref<2xi32>) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.while : () -> () {
      %v = memref.atomic_rmw addi %zero, %x[%c0] : (i32, memref<2xi32>) -> i32
      %wait = arith.cmpi eq, %v, %zero : i32
      scf.condition(%wait)
    } do {
      scf.yield
    }
    %old = memref.atomic_rmw addi %one, %x[%c1] : (i32, memref<2xi32>) -> i32
    gpu.return
  }
}
func.func @step(%x: memref<2xi32>, %t: !gpu.async.token) -> !gpu.async.token {
  %c1 = arith.constant 1 : index
  %a = gpu.launch_func async [%t] @m::@wait blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<2xi32>)
  return %a : !gpu.async.token
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = gpu.alloc host_shared () : memref<2xi32>
  gpu.memset %x, %zero : memref<2xi32>, i32
  %s0 = gpu.wait async
  %l = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %s0) -> (!gpu.async.token) {
    %a = func.call @step(%x, %t) : (memref<2xi32>, !gpu.async.token) -> !gpu.async.token
    scf.yield %a : !gpu.async.token
  }
  %old = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<2xi32>) -> i32
  gpu.wait [%l]
  %r = memref.load %x[%c1] : memref<2xi32>
  return %r : i32
}
}
