// What the heuristic for a CPU chooses, and what it says; and its errors.
// RUN: uop-opt %s --uop-cpu-map="threads=4 remarks" -o /dev/null 2>&1 | FileCheck %s
// RUN: not uop-opt %s --uop-cpu-map="heuristic=basic" 2>&1 | FileCheck %s --check-prefix=HEURISTIC
// RUN: not uop-opt %s --uop-cpu-map="heuristic=default tile=0:4" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not uop-opt %s --uop-cpu-map="threads=-1" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not uop-opt %s --uop-cpu-map="tile=0:0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uop-opt %s --uop-cpu-map --uop-cpu-map=heuristic=none 2>&1 | FileCheck %s --check-prefix=MAPPED
// HEURISTIC: error: uop-cpu-map: expected heuristic to be default or none, but got 'basic'
// BOTH: error: uop-cpu-map: expected either heuristic=default or opts (thread, tile, upcast, ...), but got both
// THREADS: error: uop-cpu-map: expected threads to be 0 or more, but got -1
// ZERO: error: uop-cpu-map: expected tile to be a list of axis:amount, with axes from 0 and amounts from 1, such as tile=0:16,1:8, but got '0:0'
// MAPPED: error: cannot map @gemm: it is mapped already; give uop-cpu-map the kernel as it was before, or no options

// 16 floats fill 64 bytes, 4 rows share them, and 64/4 steps go to 4 threads.
// CHECK: @gemm default: UPCAST 1:16: outputs along the contiguous axis make a vector
// CHECK: @gemm default: UPCAST 0:4: outputs along the axis share a load
// CHECK: @gemm default: THREAD 0:4: the outermost axis
uop.kernel @gemm(%A: memref<64x16xf32>, %B: memref<16x64xf32>, %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 16
  %a = uop.load %A[%m, %k] : memref<64x16xf32>
  %b = uop.load %B[%k, %n] : memref<16x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

// CHECK: @small default: no threads: 100 points are not worth starting them
uop.kernel @small(%out: memref<100xi32>) {
  %i = uop.range loop 100
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<100xi32>
}

// A prime number of points has no divisor near 4: unequal parts.
// CHECK: @prime default: THREAD 0:4: the outermost axis
uop.kernel @prime(%out: memref<1000003xi32>) {
  %i = uop.range loop 1000003
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<1000003xi32>
}

// CHECK: @gpu_schedule has a schedule for a GPU, which is left aside
uop.kernel @gpu_schedule(%out: memref<100xi32>)
    attributes {schedule = #uop.schedule<[NOLOCALS]>} {
  %i = uop.range loop 100
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<100xi32>
}
