// Element types: each value is kept beyond a barrier and goes through workgroup
// memory of its type.
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // Integers wrap in their width: 100 + 100 is -56 in i8, 300 * 300 is 24464 in
  // i16. A bit is kept as a bit, an index has 64 bits.
  gpu.func @integers(%out: memref<5xi64>, %a: i8, %b: i16, %c: i64, %d: i1, %e: index)
      workgroup(%s8: memref<2xi8, #gpu.address_space<workgroup>>,
                %s16: memref<2xi16, #gpu.address_space<workgroup>>,
                %s1: memref<2xi1, #gpu.address_space<workgroup>>,
                %si: memref<2xindex, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    memref.store %a, %s8[%t] : memref<2xi8, #gpu.address_space<workgroup>>
    memref.store %b, %s16[%t] : memref<2xi16, #gpu.address_space<workgroup>>
    memref.store %d, %s1[%t] : memref<2xi1, #gpu.address_space<workgroup>>
    memref.store %e, %si[%t] : memref<2xindex, #gpu.address_space<workgroup>>
    // Loads are remembered for each thread.
    %u8 = memref.load %s8[%t] : memref<2xi8, #gpu.address_space<workgroup>>
    %u16 = memref.load %s16[%t] : memref<2xi16, #gpu.address_space<workgroup>>
    %u1 = memref.load %s1[%t] : memref<2xi1, #gpu.address_space<workgroup>>
    %ui = memref.load %si[%t] : memref<2xindex, #gpu.address_space<workgroup>>
    gpu.barrier
    %o = arith.subi %c1, %t : index
    %v8 = memref.load %s8[%o] : memref<2xi8, #gpu.address_space<workgroup>>
    %v16 = memref.load %s16[%o] : memref<2xi16, #gpu.address_space<workgroup>>
    %v1 = memref.load %s1[%o] : memref<2xi1, #gpu.address_space<workgroup>>
    %vi = memref.load %si[%o] : memref<2xindex, #gpu.address_space<workgroup>>
    %r8 = arith.addi %u8, %v8 : i8
    %r16 = arith.muli %u16, %v16 : i16
    %r1 = arith.andi %u1, %v1 : i1
    %ri = arith.muli %ui, %vi : index
    %x8 = arith.extsi %r8 : i8 to i64
    %x16 = arith.extsi %r16 : i16 to i64
    %x1 = arith.extui %r1 : i1 to i64
    %xi = arith.index_cast %ri : index to i64
    memref.store %x8, %out[%c0] : memref<5xi64>
    memref.store %x16, %out[%c1] : memref<5xi64>
    memref.store %c, %out[%c2] : memref<5xi64>
    memref.store %x1, %out[%c3] : memref<5xi64>
    memref.store %xi, %out[%c4] : memref<5xi64>
    gpu.return
  }

  // Each operation rounds to its type. f16: 2048 + 1 is 2048 (11 bits), and
  // then + 1 again. bf16: 256 + 1 is 256 (8 bits). f64 holds 2^53 - 1.
  gpu.func @floats(%out: memref<4xf64>, %h: f16, %b: bf16, %d: f64)
      workgroup(%sh: memref<2xf16, #gpu.address_space<workgroup>>,
                %sb: memref<2xbf16, #gpu.address_space<workgroup>>,
                %sd: memref<2xf64, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %h1 = arith.constant 1.0 : f16
    %b1 = arith.constant 1.0 : bf16
    %d1 = arith.constant 1.0 : f64
    %t = gpu.thread_id x
    memref.store %h, %sh[%t] : memref<2xf16, #gpu.address_space<workgroup>>
    memref.store %b, %sb[%t] : memref<2xbf16, #gpu.address_space<workgroup>>
    memref.store %d, %sd[%t] : memref<2xf64, #gpu.address_space<workgroup>>
    gpu.barrier
    %o = arith.subi %c1, %t : index
    %vh = memref.load %sh[%o] : memref<2xf16, #gpu.address_space<workgroup>>
    %vb = memref.load %sb[%o] : memref<2xbf16, #gpu.address_space<workgroup>>
    %vd = memref.load %sd[%o] : memref<2xf64, #gpu.address_space<workgroup>>
    %rh0 = arith.addf %vh, %h1 : f16
    %rh = arith.addf %rh0, %h1 : f16
    %rb0 = arith.addf %vb, %b1 : bf16
    %rb = arith.addf %rb0, %b1 : bf16
    %rd = arith.subf %vd, %d1 : f64
    %root = math.sqrt %vh : f16
    %xh = arith.extf %rh : f16 to f64
    %xb = arith.extf %rb : bf16 to f64
    %xr = arith.extf %root : f16 to f64
    memref.store %xh, %out[%c0] : memref<4xf64>
    memref.store %xb, %out[%c1] : memref<4xf64>
    memref.store %rd, %out[%c2] : memref<4xf64>
    memref.store %xr, %out[%c3] : memref<4xf64>
    gpu.return
  }

  // Workgroup memory that nobody wrote is NaN in every float type.
  gpu.func @nan(%out: memref<4xi1>)
      workgroup(%sh: memref<1xf16, #gpu.address_space<workgroup>>,
                %sb: memref<1xbf16, #gpu.address_space<workgroup>>,
                %sf: memref<1xf32, #gpu.address_space<workgroup>>,
                %sd: memref<1xf64, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %h = memref.load %sh[%c0] : memref<1xf16, #gpu.address_space<workgroup>>
    %b = memref.load %sb[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
    %f = memref.load %sf[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
    %d = memref.load %sd[%c0] : memref<1xf64, #gpu.address_space<workgroup>>
    %nh = arith.cmpf uno, %h, %h : f16
    %nb = arith.cmpf uno, %b, %b : bf16
    %nf = arith.cmpf uno, %f, %f : f32
    %nd = arith.cmpf uno, %d, %d : f64
    memref.store %nh, %out[%c0] : memref<4xi1>
    memref.store %nb, %out[%c1] : memref<4xi1>
    memref.store %nf, %out[%c2] : memref<4xi1>
    memref.store %nd, %out[%c3] : memref<4xi1>
    gpu.return
  }

  // A vector is kept beyond a barrier as well.
  gpu.func @vectors(%x: memref<8xf32>) kernel {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%i] : memref<8xf32>, vector<4xf32>
    gpu.barrier
    %o = arith.subi %c1, %t : index
    %j = arith.muli %o, %c4 : index
    vector.store %v, %x[%j] : memref<8xf32>, vector<4xf32>
    gpu.return
  }
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index

  // CHECK: -56
  // CHECK-NEXT: 24464
  // CHECK-NEXT: -5
  // CHECK-NEXT: 1
  // CHECK-NEXT: 1099511627776
  %i = memref.alloc() : memref<5xi64>
  %a = arith.constant 100 : i8
  %b = arith.constant 300 : i16
  %c = arith.constant -5 : i64
  %d = arith.constant true
  %e = arith.constant 1048576 : index
  gpu.launch_func @kernels::@integers blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%i : memref<5xi64>, %a : i8, %b : i16, %c : i64, %d : i1, %e : index)
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %c5 step %c1 {
    %v = memref.load %i[%k] : memref<5xi64>
    vector.print %v : i64
  }

  // The square root of 2048 is 45.2548...; f16 has steps of 1/32 there: 45.25.
  // CHECK-NEXT: 2048
  // CHECK-NEXT: 256
  // CHECK-NEXT: 9.0072e+15
  // CHECK-NEXT: 45.25
  %f = memref.alloc() : memref<4xf64>
  %fh = arith.constant 2048.0 : f16
  %fb = arith.constant 256.0 : bf16
  %fd = arith.constant 9007199254740992.0 : f64
  gpu.launch_func @kernels::@floats blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%f : memref<4xf64>, %fh : f16, %fb : bf16, %fd : f64)
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %f[%k] : memref<4xf64>
    vector.print %v : f64
  }
  // CHECK-NEXT: {{^}}1
  %r = memref.load %f[%c2] : memref<4xf64>
  %want = arith.constant 9007199254740991.0 : f64
  %same = arith.cmpf oeq, %r, %want : f64
  vector.print %same : i1

  // CHECK-NEXT: {{^}}1
  // CHECK-NEXT: {{^}}1
  // CHECK-NEXT: {{^}}1
  // CHECK-NEXT: {{^}}1
  %n = memref.alloc() : memref<4xi1>
  gpu.launch_func @kernels::@nan blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%n : memref<4xi1>)
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %n[%k] : memref<4xi1>
    vector.print %v : i1
  }

  // CHECK-NEXT: ( 4, 5, 6, 7, 0, 1, 2, 3 )
  %x = memref.alloc() : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %w = arith.index_cast %k : index to i32
    %v = arith.sitofp %w : i32 to f32
    memref.store %v, %x[%k] : memref<8xf32>
  }
  gpu.launch_func @kernels::@vectors blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%x : memref<8xf32>)
  %all = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %all : vector<8xf32>
  return
}

}
