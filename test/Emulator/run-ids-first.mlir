// Ids that are computed, in kernels that begin with them.
// RUN: uop-run %s -e main | FileCheck %s --match-full-lines

// CHECK:      37: 5 1 2 32
// CHECK-NEXT: 79
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %lane = gpu.lane_id
    %subgroup = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %size = gpu.subgroup_size : index
    %c37 = arith.constant 37 : index
    %is37 = arith.cmpi eq, %tx, %c37 : index
    scf.if %is37 {
      gpu.printf "%d: %d %d %d %d\n", %tx, %lane, %subgroup, %count, %size : index, index, index, index, index
    }
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %global = gpu.global_id x
    %c79 = arith.constant 79 : index
    %isLast = arith.cmpi eq, %global, %c79 : index
    scf.if %isLast {
      gpu.printf "%d\n", %global : index
    }
    gpu.terminator
  }
  return
}
