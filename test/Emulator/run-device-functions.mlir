// Device functions are inlined, also where they hold barriers and have control
// flow and buffers of their own. Ops around a barrier that are no plain loops
// and conditions become such.
// RUN: %emulate %s | %run-main | FileCheck %s

!tile = memref<8xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  // One step around the ring of 8: needs two barriers.
  func.func @step(%s: !tile, %v: i32) -> i32 {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %w = memref.load %s[%other] : !tile
    gpu.barrier
    return %w : i32
  }
  // Calls a function, in unstructured control flow, and shuffles.
  func.func @steps(%s: !tile, %v: i32, %n: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0, %v : index, i32)
  ^head(%i: index, %a: i32):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    %b = func.call @step(%s, %a) : (!tile, i32) -> i32
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j, %b : index, i32)
  ^exit:
    %four = arith.constant 4 : i32
    %width = arith.constant 32 : i32
    %r, %p = gpu.shuffle xor %a, %four, %width : i32
    return %r : i32
  }
  // Two steps, then the partner 4 lanes away: t + 2 + 4 (mod 8).
  gpu.func @ring(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %r = func.call @steps(%s, %v, %n) : (!tile, i32, index) -> i32
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }

  func.func private @__nv_sqrtf(f32) -> f32
  func.func private @__nv_fma(f64, f64, f64) -> f64
  func.func private @__nv_fminf(f32, f32) -> f32
  gpu.func @library(%x: memref<2xf32>, %y: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.load %x[%c0] : memref<2xf32>
    %b = memref.load %y[%c0] : memref<1xf64>
    %r = func.call @__nv_sqrtf(%a) : (f32) -> f32
    %m = func.call @__nv_fminf(%a, %r) : (f32, f32) -> f32
    %s = func.call @__nv_fma(%b, %b, %b) : (f64, f64, f64) -> f64
    memref.store %r, %x[%c0] : memref<2xf32>
    memref.store %m, %x[%c1] : memref<2xf32>
    memref.store %s, %y[%c0] : memref<1xf64>
    gpu.return
  }

  // A barrier in scf.index_switch, scf.execute_region, scf.forall and
  // scf.parallel. Block b mirrors (0), steps (1) or keeps (2) its values, and
  // then steps 2 * 2 times more.
  gpu.func @around(%x: memref<3x8xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %mine = arith.index_cast %t : index to i32
    %v = scf.index_switch %b -> i32
    case 0 {
      %m = arith.subi %c7, %t : index
      memref.store %mine, %s[%t] : !tile
      gpu.barrier
      %w = memref.load %s[%m] : !tile
      gpu.barrier
      scf.yield %w : i32
    }
    case 1 {
      %w = func.call @step(%s, %mine) : (!tile, i32) -> i32
      scf.yield %w : i32
    }
    default {
      scf.yield %mine : i32
    }
    memref.store %v, %x[%b, %t] : memref<3x8xi32>
    scf.forall (%i) in (2) {
      scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
        %old = memref.load %x[%b, %t] : memref<3x8xi32>
        %new = scf.execute_region -> i32 {
          cf.br ^next
        ^next:
          %w = func.call @step(%s, %old) : (!tile, i32) -> i32
          scf.yield %w : i32
        }
        memref.store %new, %x[%b, %t] : memref<3x8xi32>
      }
    }
    gpu.return
  }

  // affine.for and affine.if: steps in the even ones of 4 rounds.
  gpu.func @affine(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %r = affine.for %i = 0 to 4 iter_args(%a = %v) -> i32 {
      %b = affine.if affine_set<(i) : (i mod 2 == 0)>(%i) -> i32 {
        %w = func.call @step(%s, %a) : (!tile, i32) -> i32
        affine.yield %w : i32
      } else {
        affine.yield %a : i32
      }
      affine.yield %b : i32
    }
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF64(%m: memref<*xf64>) attributes {llvm.emit_c_interface}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %sentinel = arith.constant -1 : i32

  // CHECK: [6, 7, 0, 1, 2, 3, 4, 5]
  %x = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %sentinel, %x[%i] : memref<8xi32>
  }
  gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c2 : index)
  %xu = memref.cast %x : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [1.5, 1.5]
  // CHECK: [12]
  %f = memref.alloc() : memref<2xf32>
  %d = memref.alloc() : memref<1xf64>
  %two = arith.constant 2.25 : f32
  %three = arith.constant 3.0 : f64
  memref.store %two, %f[%c0] : memref<2xf32>
  memref.store %three, %d[%c0] : memref<1xf64>
  gpu.launch_func @kernels::@library blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%f : memref<2xf32>, %d : memref<1xf64>)
  %fu = memref.cast %f : memref<2xf32> to memref<*xf32>
  %du = memref.cast %d : memref<1xf64> to memref<*xf64>
  call @printMemrefF32(%fu) : (memref<*xf32>) -> ()
  call @printMemrefF64(%du) : (memref<*xf64>) -> ()

  // CHECK: [3, 2, 1, 0, 7, 6, 5, 4]
  // CHECK-NEXT: [5, 6, 7, 0, 1, 2, 3, 4]
  // CHECK-NEXT: [4, 5, 6, 7, 0, 1, 2, 3]
  %y = memref.alloc() : memref<3x8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %sentinel, %y[%i, %j] : memref<3x8xi32>
    }
  }
  gpu.launch_func @kernels::@around blocks in (%c3, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%y : memref<3x8xi32>)
  %yu = memref.cast %y : memref<3x8xi32> to memref<*xi32>
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // CHECK: [2, 3, 4, 5, 6, 7, 0, 1]
  gpu.launch_func @kernels::@affine blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  return
}

}
