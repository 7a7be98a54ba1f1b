// gpu.printf: in the order of the threads between two barriers, with what C
// makes of the conversions.
// RUN: %emulate %s | %run-main | FileCheck %s --match-full-lines

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @hello(%c: i8, %s: i16, %h: f16, %b: i1, %l: i64) kernel {
    %t = gpu.thread_id x
    %d = arith.constant 0.5 : f64
    %w = arith.constant 6 : i32
    gpu.printf "thread %lld: 100%%\n", %t : index
    gpu.barrier
    gpu.printf "%d %u %x %.2f %d\n", %c, %c, %s, %h, %b : i8, i8, i16, f16, i1
    gpu.printf "%*d %lld %e %c\n", %w, %t, %l, %d, %c : i32, index, i64, f64, i8
    gpu.return
  }
}

// CHECK: thread 0: 100%
// CHECK-NEXT: thread 1: 100%
// CHECK-NEXT: -3 253 ffff 1.50 1
// CHECK-NEXT:      0 1099511627776 5.000000e-01 {{.*}}
// CHECK-NEXT: -3 253 ffff 1.50 1
// CHECK-NEXT:      1 1099511627776 5.000000e-01 {{.*}}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c = arith.constant -3 : i8
  %s = arith.constant -1 : i16
  %h = arith.constant 1.5 : f16
  %b = arith.constant true
  %l = arith.constant 1099511627776 : i64
  gpu.launch_func @kernels::@hello blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%c : i8, %s : i16, %h : f16, %b : i1, %l : i64)
  return
}

}
