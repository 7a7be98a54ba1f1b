// The remainder of a loop's variable by 2 is carried by the loop.
// RUN: uop-opt %s --uop-alternate-remainders | FileCheck %s

gpu.module @m {
  // The tile that is read alternates from 0 on, and the other one is filled.
  // CHECK-LABEL: gpu.func @tiles
  // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
  // CHECK:         scf.for %[[I:.*]] = %[[C0]] to %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[READ:.*]] = %[[C0]]) -> (i32, index)
  // CHECK:           %[[C1:.*]] = arith.constant 1 : index
  // CHECK:           %[[FILL:.*]] = arith.xori %[[READ]], %[[C1]] : index
  // CHECK-NOT:       arith.remui
  // CHECK:           memref.store %{{.*}}, %{{.*}}[%[[FILL]]]
  // CHECK:           memref.load %{{.*}}[%[[READ]]]
  // CHECK:           scf.yield %{{.*}}, %[[FILL]] : i32, index
  gpu.func @tiles(%x: memref<2xi32>, %y: memref<i32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
      %next = arith.addi %i, %c1 : index
      %fill = arith.remui %next, %c2 : index
      memref.store %s, %x[%fill] : memref<2xi32>
      %read = arith.remui %i, %c2 : index
      %v = memref.load %x[%read] : memref<2xi32>
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    memref.store %sum, %y[] : memref<i32>
    gpu.return
  }

  // One remainder, another divisor, another start or step, and what is no
  // neighbour of the variable, stay.
  // CHECK-LABEL: gpu.func @others
  // CHECK-COUNT-8: arith.remui
  // CHECK-NOT:     arith.xori
  gpu.func @others(%x: memref<4xi32>, %v: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = arith.remui %i, %c2 : index
      memref.store %v, %x[%a] : memref<4xi32>
      %twice = arith.muli %i, %c2 : index
      %b = arith.remui %twice, %c2 : index
      memref.store %v, %x[%b] : memref<4xi32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %a = arith.remui %i, %c3 : index
      %b = arith.remui %next, %c3 : index
      memref.store %v, %x[%a] : memref<4xi32>
      memref.store %v, %x[%b] : memref<4xi32>
    }
    scf.for %i = %c1 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %a = arith.remui %i, %c2 : index
      %b = arith.remui %next, %c2 : index
      memref.store %v, %x[%a] : memref<4xi32>
      memref.store %v, %x[%b] : memref<4xi32>
    }
    scf.for %i = %c0 to %n step %c2 {
      %next = arith.addi %i, %c1 : index
      %a = arith.remui %i, %c2 : index
      %b = arith.remui %next, %c2 : index
      memref.store %v, %x[%a] : memref<4xi32>
      memref.store %v, %x[%b] : memref<4xi32>
    }
    gpu.return
  }
}
