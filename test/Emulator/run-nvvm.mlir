// The warp operations and registers of the nvvm dialect in a kernel.
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @warp(%x: memref<14x32xi32>) kernel {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    %k7 = arith.constant 7 : index
    %k8 = arith.constant 8 : index
    %k9 = arith.constant 9 : index
    %k10 = arith.constant 10 : index
    %k11 = arith.constant 11 : index
    %k12 = arith.constant 12 : index
    %k13 = arith.constant 13 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %none = arith.constant -1 : i32
    %clamp = arith.constant 31 : i32
    %zero = arith.constant 0 : i32
    // Segments of 8 lanes: a segment mask of 24.
    %eights = arith.constant 0x181f : i32
    %eightsUp = arith.constant 0x1800 : i32
    %t = gpu.thread_id x
    %v = nvvm.read.ptx.sreg.laneid : i32

    %id = nvvm.read.ptx.sreg.tid.x : i32
    %dim = nvvm.read.ptx.sreg.ntid.x : i32
    %warp = nvvm.read.ptx.sreg.warpsize : i32
    %0 = arith.muli %dim, %warp : i32
    %1 = arith.addi %0, %id : i32
    memref.store %1, %x[%k0, %t] : memref<14x32xi32>

    %bfly = nvvm.shfl.sync bfly %all, %v, %one, %clamp : i32 -> i32
    memref.store %bfly, %x[%k1, %t] : memref<14x32xi32>
    %down = nvvm.shfl.sync down %all, %v, %two, %eights {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %down0 = llvm.extractvalue %down[0] : !llvm.struct<(i32, i1)>
    %down1 = llvm.extractvalue %down[1] : !llvm.struct<(i32, i1)>
    %2 = arith.select %down1, %down0, %none : i32
    memref.store %2, %x[%k2, %t] : memref<14x32xi32>
    %up = nvvm.shfl.sync up %all, %v, %two, %eightsUp : i32 -> i32
    memref.store %up, %x[%k3, %t] : memref<14x32xi32>
    %idx = nvvm.shfl.sync idx %all, %v, %three, %eights : i32 -> i32
    memref.store %idx, %x[%k4, %t] : memref<14x32xi32>

    // Lanes 0 to 2 say yes.
    %low = arith.cmpi ult, %v, %three : i32
    %ballot = nvvm.vote.sync ballot %all, %low -> i32
    memref.store %ballot, %x[%k5, %t] : memref<14x32xi32>
    %any = nvvm.vote.sync any %all, %low -> i1
    %every = nvvm.vote.sync all %all, %low -> i1
    %uni = nvvm.vote.sync uni %all, %low -> i1
    %uni2 = nvvm.vote.sync uni %all, %any -> i1
    %3 = vector.from_elements %any, %every, %uni, %uni2 : vector<4xi1>
    %4 = vector.bitcast %3 : vector<4xi1> to vector<1xi4>
    %5 = vector.extract %4[0] : i4 from vector<1xi4>
    %6 = arith.extui %5 : i4 to i32
    memref.store %6, %x[%k6, %t] : memref<14x32xi32>

    %sum = nvvm.redux.sync add %v, %all : i32 -> i32
    memref.store %sum, %x[%k7, %t] : memref<14x32xi32>
    %neg = arith.subi %zero, %v : i32
    %min = nvvm.redux.sync min %neg, %all : i32 -> i32
    memref.store %min, %x[%k8, %t] : memref<14x32xi32>
    %umax = nvvm.redux.sync umax %neg, %all : i32 -> i32
    memref.store %umax, %x[%k9, %t] : memref<14x32xi32>

    %lt = nvvm.read.ptx.sreg.lanemask.lt : i32
    memref.store %lt, %x[%k10, %t] : memref<14x32xi32>
    %ge = nvvm.read.ptx.sreg.lanemask.ge : i32
    %le = nvvm.read.ptx.sreg.lanemask.le : i32
    %eq = arith.andi %ge, %le : i32
    memref.store %eq, %x[%k11, %t] : memref<14x32xi32>

    // Through memory: neighbours by way of a warp's barrier, then a count by
    // way of the block's.
    nvvm.bar.warp.sync %all : i32
    %n = arith.xori %id, %one : i32
    %m = arith.index_cast %n : i32 to index
    %other = memref.load %x[%k0, %m] : memref<14x32xi32>
    nvvm.barrier0
    memref.store %other, %x[%k12, %t] : memref<14x32xi32>
    %set = arith.extui %low : i1 to i32
    %count = nvvm.barrier #nvvm.reduction<popc> %set -> i32
    nvvm.barrier
    memref.store %count, %x[%k13, %t] : memref<14x32xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

// CHECK: [1024, 1025, {{.*}}, 1055]
// CHECK-NEXT: [1, 0, 3, 2, {{.*}}, 31, 30]
// CHECK-NEXT: [2, 3, 4, 5, 6, 7, -1, -1, 10, 11, 12, 13, 14, 15, -1, -1, {{.*}}, 30, 31, -1, -1]
// CHECK-NEXT: [0, 1, 0, 1, 2, 3, 4, 5, 8, 9, 8, 9, 10, 11, 12, 13, {{.*}}, 28, 29]
// CHECK-NEXT: [3, 3, 3, 3, 3, 3, 3, 3, 11, 11, 11, 11, 11, 11, 11, 11, {{.*}}, 27]
// CHECK-NEXT: [7, {{(7, )*}}7]
// any and the last: bits 0 and 3.
// CHECK-NEXT: [9, {{(9, )*}}9]
// CHECK-NEXT: [496, {{(496, )*}}496]
// CHECK-NEXT: [-31, {{(-31, )*}}-31]
// CHECK-NEXT: [-1, {{(-1, )*}}-1]
// CHECK-NEXT: [0, 1, 3, 7, {{.*}}, 2147483647]
// CHECK-NEXT: [1, 2, 4, 8, {{.*}}, -2147483648]
// CHECK-NEXT: [1025, 1024, {{.*}}, 1055, 1054]
// CHECK-NEXT: [3, {{(3, )*}}3]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c32 = arith.constant 32 : index
  %sentinel = arith.constant -77 : i32
  %x = memref.alloc() : memref<14x32xi32>
  scf.for %i = %c0 to %c14 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %sentinel, %x[%i, %j] : memref<14x32xi32>
    }
  }
  gpu.launch_func @kernels::@warp blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<14x32xi32>)
  %xu = memref.cast %x : memref<14x32xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  return
}

}
