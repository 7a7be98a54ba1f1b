// Threads of a subgroup of 32 exchange values. Where a result is not valid, the
// kernels that show it store the negative of it: the thread's own value.
// RUN: %emulate %s | %run-main | FileCheck %s
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="openmp=false subgroup-size=64" \
// RUN:   | %run-main | FileCheck %s --check-prefix=WIDE

!tile = memref<8xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  // A butterfly sum of the linear ids. The second subgroup of 48 threads has 16
  // lanes; at distance 16 they have no partner and add their own value.
  gpu.func @butterfly(%x: memref<?xi32>) kernel {
    %c32 = arith.constant 32 : i32
    %c16 = arith.constant 16 : i32
    %c8 = arith.constant 8 : i32
    %c4 = arith.constant 4 : i32
    %c2 = arith.constant 2 : i32
    %c1 = arith.constant 1 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %a16, %p16 = gpu.shuffle xor %v, %c16, %c32 : i32
    %s16 = arith.addi %v, %a16 : i32
    %a8, %p8 = gpu.shuffle xor %s16, %c8, %c32 : i32
    %s8 = arith.addi %s16, %a8 : i32
    %a4, %p4 = gpu.shuffle xor %s8, %c4, %c32 : i32
    %s4 = arith.addi %s8, %a4 : i32
    %a2, %p2 = gpu.shuffle xor %s4, %c2, %c32 : i32
    %s2 = arith.addi %s4, %a2 : i32
    %a1, %p1 = gpu.shuffle xor %s2, %c1, %c32 : i32
    %s1 = arith.addi %s2, %a1 : i32
    memref.store %s1, %x[%t] : memref<?xi32>
    gpu.return
  }

  // Each thread gives its linear id plus one, by every mode, three lanes away.
  gpu.func @edges(%x: memref<5x?xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %t32 = arith.index_cast %t : index to i32
    %v = arith.addi %t32, %one : i32

    %xor, %p0 = gpu.shuffle xor %v, %three, %c32 : i32
    %n0 = arith.subi %zero, %xor : i32
    %r0 = arith.select %p0, %xor, %n0 : i32
    memref.store %r0, %x[%i0, %t] : memref<5x?xi32>

    %down, %p1 = gpu.shuffle down %v, %three, %c32 : i32
    %n1 = arith.subi %zero, %down : i32
    %r1 = arith.select %p1, %down, %n1 : i32
    memref.store %r1, %x[%i1, %t] : memref<5x?xi32>

    %up, %p2 = gpu.shuffle up %v, %three, %c32 : i32
    %n2 = arith.subi %zero, %up : i32
    %r2 = arith.select %p2, %up, %n2 : i32
    memref.store %r2, %x[%i2, %t] : memref<5x?xi32>

    %idx, %p3 = gpu.shuffle idx %v, %three, %c32 : i32
    %n3 = arith.subi %zero, %idx : i32
    %r3 = arith.select %p3, %idx, %n3 : i32
    memref.store %r3, %x[%i3, %t] : memref<5x?xi32>

    // From a lane that each thread names: 31 - t, which is below the first lane
    // for the threads of the second subgroup.
    %lane = arith.subi %c31, %t32 : i32
    %any, %p4 = gpu.shuffle idx %v, %lane, %c32 : i32
    %n4 = arith.subi %zero, %any : i32
    %r4 = arith.select %p4, %any, %n4 : i32
    memref.store %r4, %x[%i4, %t] : memref<5x?xi32>
    gpu.return
  }

  // A width of 8: lanes 0 to 7 take part, and the others keep their value.
  gpu.func @width(%x: memref<4x12xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %six = arith.constant 6 : i32
    %eight = arith.constant 8 : i32
    %t = gpu.thread_id x
    %t32 = arith.index_cast %t : index to i32
    %v = arith.addi %t32, %one : i32

    %xor, %p0 = gpu.shuffle xor %v, %four, %eight : i32
    %n0 = arith.subi %zero, %xor : i32
    %r0 = arith.select %p0, %xor, %n0 : i32
    memref.store %r0, %x[%i0, %t] : memref<4x12xi32>

    %down, %p1 = gpu.shuffle down %v, %six, %eight : i32
    %n1 = arith.subi %zero, %down : i32
    %r1 = arith.select %p1, %down, %n1 : i32
    memref.store %r1, %x[%i1, %t] : memref<4x12xi32>

    %up, %p2 = gpu.shuffle up %v, %six, %eight : i32
    %n2 = arith.subi %zero, %up : i32
    %r2 = arith.select %p2, %up, %n2 : i32
    memref.store %r2, %x[%i2, %t] : memref<4x12xi32>

    %idx, %p3 = gpu.shuffle idx %v, %eight, %eight : i32
    %n3 = arith.subi %zero, %idx : i32
    %r3 = arith.select %p3, %idx, %n3 : i32
    memref.store %r3, %x[%i3, %t] : memref<4x12xi32>
    gpu.return
  }

  // Around a ring of 8: in one interval a thread takes what its neighbour gave
  // and gives the next value, which a later thread must not see yet. After n
  // steps thread t holds t + n (mod 8).
  gpu.func @ring(%x: memref<8xi32>, %n: index) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    %eight = arith.constant 8 : i32
    %t = gpu.thread_id x
    %t32 = arith.index_cast %t : index to i32
    %next = arith.addi %t32, %one : i32
    %lane = arith.andi %next, %seven : i32
    %r = scf.for %i = %i0 to %n step %i1 iter_args(%v = %t32) -> (i32) {
      %w, %p = gpu.shuffle idx %v, %lane, %eight : i32
      scf.yield %w : i32
    }
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }

  // The butterfly as a loop whose distance halves, and then, in block 1 only,
  // one more exchange: the sum of 1 to 32 is 528.
  gpu.func @loop(%x: memref<2x32xi32>) kernel {
    %i1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %t32 = arith.index_cast %t : index to i32
    %v = arith.addi %t32, %one : i32
    %r:2 = scf.while (%s = %v, %d = %c16) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %d, %zero : i32
      scf.condition(%more) %s, %d : i32, i32
    } do {
    ^bb0(%s: i32, %d: i32):
      %o, %p = gpu.shuffle xor %s, %d, %c32 : i32
      %sum = arith.addi %s, %o : i32
      %half = arith.shrui %d, %one : i32
      scf.yield %sum, %half : i32, i32
    }
    %mine = arith.addi %r#0, %t32 : i32
    %second = arith.cmpi eq, %b, %i1 : index
    %out = scf.if %second -> (i32) {
      %o, %p = gpu.shuffle xor %mine, %one, %c32 : i32
      scf.yield %o : i32
    } else {
      scf.yield %mine : i32
    }
    memref.store %out, %x[%b, %t] : memref<2x32xi32>
    gpu.return
  }

  // A shuffle's result is given in the next one, kept over a barrier, and used
  // after it. 8 threads: two lanes up and one down; then neighbours in memory.
  gpu.func @chain(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %seven = arith.constant 7 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c100 = arith.constant 100 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %up, %p0 = gpu.shuffle up %v, %two, %c8 : i32
    %down, %p1 = gpu.shuffle down %up, %one, %c8 : i32
    memref.store %down, %s[%t] : !tile
    gpu.barrier
    %m = arith.subi %seven, %t : index
    %mirror = memref.load %s[%m] : !tile
    %h = arith.muli %up, %c100 : i32
    %r = arith.addi %h, %mirror : i32
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }

  // 16 x 2 threads are one subgroup: lane 16 is the first thread of row 1.
  gpu.func @rows(%x: memref<2x16xi32>) kernel {
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c100 = arith.constant 100 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x32 = arith.index_cast %tx : index to i32
    %y32 = arith.index_cast %ty : index to i32
    %h = arith.muli %y32, %c100 : i32
    %v = arith.addi %h, %x32 : i32
    %r, %p = gpu.shuffle xor %v, %c16, %c32 : i32
    memref.store %r, %x[%ty, %tx] : memref<2x16xi32>
    gpu.return
  }

  // Values of any width, and vectors: each thread gets the other one's.
  gpu.func @types(%b: memref<2xi1>, %c: memref<2xi8>, %h: memref<2xf16>, %l: memref<2xi64>,
                  %d: memref<2xf64>, %v: memref<2x2xf32>) kernel {
    %i0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %b0 = memref.load %b[%t] : memref<2xi1>
    %c0 = memref.load %c[%t] : memref<2xi8>
    %h0 = memref.load %h[%t] : memref<2xf16>
    %l0 = memref.load %l[%t] : memref<2xi64>
    %d0 = memref.load %d[%t] : memref<2xf64>
    %v0 = vector.load %v[%t, %i0] : memref<2x2xf32>, vector<2xf32>
    %b1, %p0 = gpu.shuffle xor %b0, %one, %c32 : i1
    %c1, %p1 = gpu.shuffle xor %c0, %one, %c32 : i8
    %h1, %p2 = gpu.shuffle xor %h0, %one, %c32 : f16
    %l1, %p3 = gpu.shuffle xor %l0, %one, %c32 : i64
    %d1, %p4 = gpu.shuffle xor %d0, %one, %c32 : f64
    %v1, %p5 = gpu.shuffle xor %v0, %one, %c32 : vector<2xf32>
    memref.store %b1, %b[%t] : memref<2xi1>
    memref.store %c1, %c[%t] : memref<2xi8>
    memref.store %h1, %h[%t] : memref<2xf16>
    memref.store %l1, %l[%t] : memref<2xi64>
    memref.store %d1, %d[%t] : memref<2xf64>
    vector.store %v1, %v[%t, %i0] : memref<2x2xf32>, vector<2xf32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @sentinels(%n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sentinel = arith.constant -1 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %sentinel, %m[%i] : memref<?xi32>
  }
  return %m : memref<?xi32>
}

// The size of the block is not visible at the launch.
func.func @launch(%x: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@butterfly blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<?xi32>)
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c36 = arith.constant 36 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %c180 = arith.constant 180 : index

  // 0 + ... + 31 = 496; 2 * (32 + ... + 47) = 1264.
  // Of a subgroup of 64, lanes 32 to 47 are beyond the width: each doubles its
  // value five times.
  // CHECK: [496, {{(496, )*}}496, 1264, {{(1264, )*}}1264]
  // WIDE: [496, {{(496, )*}}496, 1024, 1056, {{.*}}, 1472, 1504]
  %x = call @sentinels(%c48) : (index) -> memref<?xi32>
  gpu.launch_func @kernels::@butterfly blocks in (%c1, %c1, %c1) threads in (%c48, %c1, %c1)
      args(%x : memref<?xi32>)
  %xu = memref.cast %x : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  // CHECK: [496, {{(496, )*}}496, 1264, {{(1264, )*}}1264]
  %y = call @sentinels(%c48) : (index) -> memref<?xi32>
  call @launch(%y, %c48) : (memref<?xi32>, index) -> ()
  %yu = memref.cast %y : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // 36 threads: the second subgroup has 4.
  // CHECK: [4, 3, 2, 1, 8, 7, 6, 5, {{.*}}, 32, 31, 30, 29, 36, 35, 34, 33]
  // CHECK-NEXT: [4, 5, 6, {{.*}}, 31, 32, -30, -31, -32, 36, -34, -35, -36]
  // CHECK-NEXT: [-1, -2, -3, 1, 2, 3, {{.*}}, 28, 29, -33, -34, -35, 33]
  // CHECK-NEXT: [4, {{(4, )*}}4, 36, 36, 36, 36]
  // CHECK-NEXT: [32, 31, {{.*}}, 2, 1, -33, -34, -35, -36]
  %e0 = call @sentinels(%c180) : (index) -> memref<?xi32>
  %e1 = memref.cast %e0 : memref<?xi32> to memref<180xi32>
  %e2 = memref.expand_shape %e1 [[0, 1]] output_shape [5, 36] : memref<180xi32> into memref<5x36xi32>
  %e = memref.cast %e2 : memref<5x36xi32> to memref<5x?xi32>
  gpu.launch_func @kernels::@edges blocks in (%c1, %c1, %c1) threads in (%c36, %c1, %c1)
      args(%e : memref<5x?xi32>)
  %eu = memref.cast %e : memref<5x?xi32> to memref<*xi32>
  call @printMemrefI32(%eu) : (memref<*xi32>) -> ()

  // CHECK: [5, 6, 7, 8, 1, 2, 3, 4, -9, -10, -11, -12]
  // CHECK-NEXT: [7, 8, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12]
  // CHECK-NEXT: [-1, -2, -3, -4, -5, -6, 1, 2, -9, -10, -11, -12]
  // CHECK-NEXT: [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12]
  %w0 = call @sentinels(%c48) : (index) -> memref<?xi32>
  %w1 = memref.cast %w0 : memref<?xi32> to memref<48xi32>
  %w = memref.expand_shape %w1 [[0, 1]] output_shape [4, 12] : memref<48xi32> into memref<4x12xi32>
  gpu.launch_func @kernels::@width blocks in (%c1, %c1, %c1) threads in (%c12, %c1, %c1)
      args(%w : memref<4x12xi32>)
  %wu = memref.cast %w : memref<4x12xi32> to memref<*xi32>
  call @printMemrefI32(%wu) : (memref<*xi32>) -> ()

  // CHECK: [3, 4, 5, 6, 7, 0, 1, 2]
  %r0 = call @sentinels(%c8) : (index) -> memref<?xi32>
  %r = memref.cast %r0 : memref<?xi32> to memref<8xi32>
  gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%r : memref<8xi32>, %c3 : index)
  %ru = memref.cast %r : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // CHECK: [528, 529, 530, 531, {{.*}}, 558, 559]
  // CHECK-NEXT: [529, 528, 531, 530, {{.*}}, 559, 558]
  %l0 = call @sentinels(%c64) : (index) -> memref<?xi32>
  %l1 = memref.cast %l0 : memref<?xi32> to memref<64xi32>
  %l = memref.expand_shape %l1 [[0, 1]] output_shape [2, 32] : memref<64xi32> into memref<2x32xi32>
  gpu.launch_func @kernels::@loop blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%l : memref<2x32xi32>)
  %lu = memref.cast %l : memref<2x32xi32> to memref<*xi32>
  call @printMemrefI32(%lu) : (memref<*xi32>) -> ()

  // Two up: 0 1 0 1 2 3 4 5; of this one down: 1 0 1 2 3 4 5 5; mirrored:
  // 5 5 4 3 2 1 0 1.
  // CHECK: [5, 105, 4, 103, 202, 301, 400, 501]
  gpu.launch_func @kernels::@chain blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%r : memref<8xi32>)
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // CHECK: [100, 101, 102, {{.*}}, 115]
  // CHECK-NEXT: [0, 1, 2, {{.*}}, 15]
  %g0 = call @sentinels(%c32) : (index) -> memref<?xi32>
  %g1 = memref.cast %g0 : memref<?xi32> to memref<32xi32>
  %g = memref.expand_shape %g1 [[0, 1]] output_shape [2, 16] : memref<32xi32> into memref<2x16xi32>
  gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1) threads in (%c16, %c2, %c1)
      args(%g : memref<2x16xi32>)
  %gu = memref.cast %g : memref<2x16xi32> to memref<*xi32>
  call @printMemrefI32(%gu) : (memref<*xi32>) -> ()

  // CHECK: ( 1, 0 )
  // CHECK-NEXT: ( -128, 127 )
  // CHECK-NEXT: ( -1.5, 65504 )
  // CHECK-NEXT: ( -9223372036854775808, 9223372036854775807 )
  // CHECK-NEXT: ( 1e-300, -1e+300 )
  // CHECK-NEXT: ( 3, 4 )
  // CHECK-NEXT: ( 1, 2 )
  %b = memref.alloc() : memref<2xi1>
  %c = memref.alloc() : memref<2xi8>
  %h = memref.alloc() : memref<2xf16>
  %q = memref.alloc() : memref<2xi64>
  %d = memref.alloc() : memref<2xf64>
  %v = memref.alloc() : memref<2x2xf32>
  %i0 = arith.constant 0 : index
  %bits = arith.constant dense<[0, 1]> : vector<2xi1>
  %bytes = arith.constant dense<[127, -128]> : vector<2xi8>
  %halves = arith.constant dense<[65504.0, -1.5]> : vector<2xf16>
  %longs = arith.constant dense<[9223372036854775807, -9223372036854775808]> : vector<2xi64>
  %doubles = arith.constant dense<[-1.0e300, 1.0e-300]> : vector<2xf64>
  %pair0 = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %pair1 = arith.constant dense<[3.0, 4.0]> : vector<2xf32>
  %bit0 = vector.extract %bits[0] : i1 from vector<2xi1>
  %bit1 = vector.extract %bits[1] : i1 from vector<2xi1>
  memref.store %bit0, %b[%i0] : memref<2xi1>
  memref.store %bit1, %b[%c1] : memref<2xi1>
  vector.store %bytes, %c[%i0] : memref<2xi8>, vector<2xi8>
  vector.store %halves, %h[%i0] : memref<2xf16>, vector<2xf16>
  vector.store %longs, %q[%i0] : memref<2xi64>, vector<2xi64>
  vector.store %doubles, %d[%i0] : memref<2xf64>, vector<2xf64>
  vector.store %pair0, %v[%i0, %i0] : memref<2x2xf32>, vector<2xf32>
  vector.store %pair1, %v[%c1, %i0] : memref<2x2xf32>, vector<2xf32>
  gpu.launch_func @kernels::@types blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%b : memref<2xi1>, %c : memref<2xi8>, %h : memref<2xf16>, %q : memref<2xi64>,
           %d : memref<2xf64>, %v : memref<2x2xf32>)
  %bit2 = memref.load %b[%i0] : memref<2xi1>
  %bit3 = memref.load %b[%c1] : memref<2xi1>
  %bits1 = vector.from_elements %bit2, %bit3 : vector<2xi1>
  vector.print %bits1 : vector<2xi1>
  %bytes1 = vector.load %c[%i0] : memref<2xi8>, vector<2xi8>
  vector.print %bytes1 : vector<2xi8>
  %halves1 = vector.load %h[%i0] : memref<2xf16>, vector<2xf16>
  %halves2 = arith.extf %halves1 : vector<2xf16> to vector<2xf32>
  vector.print %halves2 : vector<2xf32>
  %longs1 = vector.load %q[%i0] : memref<2xi64>, vector<2xi64>
  vector.print %longs1 : vector<2xi64>
  %doubles1 = vector.load %d[%i0] : memref<2xf64>, vector<2xf64>
  vector.print %doubles1 : vector<2xf64>
  %pair2 = vector.load %v[%i0, %i0] : memref<2x2xf32>, vector<2xf32>
  vector.print %pair2 : vector<2xf32>
  %pair3 = vector.load %v[%c1, %i0] : memref<2x2xf32>, vector<2xf32>
  vector.print %pair3 : vector<2xf32>
  return
}

}
