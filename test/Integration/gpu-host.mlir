// A program for a device's runner, as it is: memory of the device in any
// layout, launches in host code, affine and linalg beside them, and functions
// of the runner's library. By uop-run, by mlir-runner, and with nothing but
// upstream's passes after the kernels have become loops.
// RUN: uop-run %s -e main | FileCheck %s
// RUN: %emulate %s | %run-main | FileCheck %s
// RUN: uop-opt %s --uop-lower-linalg --uop-emulate-gpu --uop-drop-memory-spaces \
// RUN:   | mlir-opt -convert-vector-to-scf -lower-affine -expand-strided-metadata -lower-affine -convert-scf-to-cf \
// RUN:     -convert-vector-to-llvm -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | %run-main | FileCheck %s

#shifted = affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>

func.func private @printMemrefI32(memref<*xi32>)
func.func private @printMemrefF32(memref<*xf32>)
func.func private @mgpuMemHostRegisterFloat(memref<*xf32>)
func.func private @mgpuMemGetDeviceMemRef1dFloat(memref<?xf32>) -> memref<?xf32>

func.func @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

func.func @main() {
  call @layouts() : () -> ()
  call @reverse() : () -> ()
  return
}

// Rows that are 8 apart and begin at the 5th element: 7 everywhere, and the
// number of the element.
// CHECK: sizes = [3, 4]
// CHECK-NEXT: {{\[}}[7, {{ *}}8, {{ *}}9, {{ *}}10],
// CHECK-NEXT: [11, {{ *}}12, {{ *}}13, {{ *}}14],
// CHECK-NEXT: [15, {{ *}}16, {{ *}}17, {{ *}}18]]
func.func @layouts() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %k = arith.constant 7 : i32
  %device = arith.constant 0 : i32
  gpu.set_default_device %device
  %a = gpu.alloc (%c3)[%c5] : memref<?x4xi32, #shifted>
  gpu.memset %a, %k : memref<?x4xi32, #shifted>, i32
  %h = memref.alloc() : memref<3x4xi32>
  %t0 = gpu.wait async
  %t1 = gpu.launch async [%t0] blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %i = arith.muli %bx, %c4 : index
    %j = arith.addi %i, %tx : index
    %v = arith.index_cast %j : index to i32
    %o = memref.load %a[%bx, %tx] : memref<?x4xi32, #shifted>
    %s = arith.addi %o, %v : i32
    memref.store %s, %a[%bx, %tx] : memref<?x4xi32, #shifted>
    gpu.terminator
  }
  %t2 = gpu.memcpy async [%t1] %h, %a : memref<3x4xi32>, memref<?x4xi32, #shifted>
  gpu.wait [%t2]
  gpu.dealloc %a : memref<?x4xi32, #shifted>
  %u = memref.cast %h : memref<3x4xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %h : memref<3x4xi32>
  return
}

// Twice 1.5, plus the number of the thread, reversed in workgroup memory that
// the launch states, in the number by which devices know it.
// CHECK: sizes = [4]
// CHECK-NEXT: [6, {{ *}}5, {{ *}}4, {{ *}}3]
// CHECK-NEXT: ( 6, 5 )
func.func @reverse() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %f = arith.constant 1.5 : f32
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<4xf32>)
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = func.call @twice(%v) : (f32) -> f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  %ranked = memref.cast %x : memref<4xf32> to memref<?xf32>
  %unranked = memref.cast %x : memref<4xf32> to memref<*xf32>
  call @mgpuMemHostRegisterFloat(%unranked) : (memref<*xf32>) -> ()
  %d = call @mgpuMemGetDeviceMemRef1dFloat(%ranked) : (memref<?xf32>) -> memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
      workgroup(%s : memref<4xf32, 3>) {
    %v = memref.load %d[%tx] : memref<?xf32>
    %i = arith.index_cast %tx : index to i32
    %g = arith.sitofp %i : i32 to f32
    %w = arith.addf %v, %g : f32
    memref.store %w, %s[%tx] : memref<4xf32, 3>
    gpu.barrier
    %r = arith.subi %c3, %tx : index
    %y = memref.load %s[%r] : memref<4xf32, 3>
    memref.store %y, %d[%tx] : memref<?xf32>
    gpu.terminator
  }
  call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
  %first = vector.transfer_read %x[%c0], %zero : memref<4xf32>, vector<2xf32>
  vector.print %first : vector<2xf32>
  memref.dealloc %x : memref<4xf32>
  return
}
