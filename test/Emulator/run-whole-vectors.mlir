// Guards and loops that all lanes of a vector take, and the rest of each under a
// mask: every order, on either side of the bound, and bounds at the ends of the
// range of numbers. Results are the same with every width.
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="openmp=false vector-width=1" \
// RUN:   | %run-main | FileCheck %s
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="openmp=false vector-width=4" \
// RUN:   | %run-main | FileCheck %s
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="openmp=false vector-width=16" \
// RUN:   | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // Thread t counts in row p where predicate p holds of (t, n), and in row 8 + p
  // where it holds of (n, t): slt, sle, ult, ule, sgt, sge, ugt, uge.
  gpu.func @guards(%n: index, %out: memref<16x40xi32>) kernel {
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %p0 = arith.constant 0 : index
    %h0 = arith.cmpi slt, %t, %n : index
    scf.if %h0 {
      memref.store %one, %out[%p0, %t] : memref<16x40xi32>
    }
    %p1 = arith.constant 1 : index
    %h1 = arith.cmpi sle, %t, %n : index
    scf.if %h1 {
      memref.store %one, %out[%p1, %t] : memref<16x40xi32>
    }
    %p2 = arith.constant 2 : index
    %h2 = arith.cmpi ult, %t, %n : index
    scf.if %h2 {
      memref.store %one, %out[%p2, %t] : memref<16x40xi32>
    }
    %p3 = arith.constant 3 : index
    %h3 = arith.cmpi ule, %t, %n : index
    scf.if %h3 {
      memref.store %one, %out[%p3, %t] : memref<16x40xi32>
    }
    %p4 = arith.constant 4 : index
    %h4 = arith.cmpi sgt, %t, %n : index
    scf.if %h4 {
      memref.store %one, %out[%p4, %t] : memref<16x40xi32>
    }
    %p5 = arith.constant 5 : index
    %h5 = arith.cmpi sge, %t, %n : index
    scf.if %h5 {
      memref.store %one, %out[%p5, %t] : memref<16x40xi32>
    }
    %p6 = arith.constant 6 : index
    %h6 = arith.cmpi ugt, %t, %n : index
    scf.if %h6 {
      memref.store %one, %out[%p6, %t] : memref<16x40xi32>
    }
    %p7 = arith.constant 7 : index
    %h7 = arith.cmpi uge, %t, %n : index
    scf.if %h7 {
      memref.store %one, %out[%p7, %t] : memref<16x40xi32>
    }
    %p8 = arith.constant 8 : index
    %h8 = arith.cmpi slt, %n, %t : index
    scf.if %h8 {
      memref.store %one, %out[%p8, %t] : memref<16x40xi32>
    }
    %p9 = arith.constant 9 : index
    %h9 = arith.cmpi sle, %n, %t : index
    scf.if %h9 {
      memref.store %one, %out[%p9, %t] : memref<16x40xi32>
    }
    %p10 = arith.constant 10 : index
    %h10 = arith.cmpi ult, %n, %t : index
    scf.if %h10 {
      memref.store %one, %out[%p10, %t] : memref<16x40xi32>
    }
    %p11 = arith.constant 11 : index
    %h11 = arith.cmpi ule, %n, %t : index
    scf.if %h11 {
      memref.store %one, %out[%p11, %t] : memref<16x40xi32>
    }
    %p12 = arith.constant 12 : index
    %h12 = arith.cmpi sgt, %n, %t : index
    scf.if %h12 {
      memref.store %one, %out[%p12, %t] : memref<16x40xi32>
    }
    %p13 = arith.constant 13 : index
    %h13 = arith.cmpi sge, %n, %t : index
    scf.if %h13 {
      memref.store %one, %out[%p13, %t] : memref<16x40xi32>
    }
    %p14 = arith.constant 14 : index
    %h14 = arith.cmpi ugt, %n, %t : index
    scf.if %h14 {
      memref.store %one, %out[%p14, %t] : memref<16x40xi32>
    }
    %p15 = arith.constant 15 : index
    %h15 = arith.cmpi uge, %n, %t : index
    scf.if %h15 {
      memref.store %one, %out[%p15, %t] : memref<16x40xi32>
    }
    gpu.return
  }

  // Under a guard of two conditions: t < n and t < m.
  gpu.func @both(%n: index, %m: index, %out: memref<40xi32>) kernel {
    %t = gpu.thread_id x
    %a = arith.cmpi slt, %t, %n : index
    %b = arith.cmpi slt, %t, %m : index
    %ab = arith.andi %a, %b : i1
    %r = scf.if %ab -> i32 {
      %old = memref.load %out[%t] : memref<40xi32>
      %c1 = arith.constant 1 : i32
      %new = arith.addi %old, %c1 : i32
      memref.store %new, %out[%t] : memref<40xi32>
      scf.yield %new : i32
    } else {
      %c7 = arith.constant 7 : i32
      scf.yield %c7 : i32
    }
    memref.store %r, %out[%t] : memref<40xi32>
    gpu.return
  }

  // Numbers of eight bits wrap from lane to lane: 6 t as i8, where it is less
  // than 100, or as an unsigned number less than 200.
  gpu.func @wrap(%out: memref<2x40xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %six = arith.constant 6 : i8
    %s100 = arith.constant 100 : i8
    %u200 = arith.constant 200 : i8
    %t = gpu.thread_id x
    %t8 = arith.index_cast %t : index to i8
    %v = arith.muli %t8, %six : i8
    %a = arith.cmpi slt, %v, %s100 : i8
    scf.if %a {
      memref.store %one, %out[%c0, %t] : memref<2x40xi32>
    }
    %b = arith.cmpi ult, %v, %u200 : i8
    scf.if %b {
      memref.store %one, %out[%c1, %t] : memref<2x40xi32>
    }
    gpu.return
  }

  // Each thread sums every 20th number below n, from its own on, and says with
  // what it went in last.
  gpu.func @loops(%n: index, %out: memref<3x20xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c20 = arith.constant 20 : index
    %zero = arith.constant 0 : i64
    %none = arith.constant -1 : i64
    %t = gpu.thread_id x
    %sum, %last = scf.for %j = %t to %n step %c20
        iter_args(%s = %zero, %l = %none) -> (i64, i64) {
      %v = arith.index_cast %j : index to i64
      %next = arith.addi %s, %v : i64
      scf.yield %next, %v : i64, i64
    }
    memref.store %sum, %out[%c0, %t] : memref<3x20xi64>
    memref.store %last, %out[%c1, %t] : memref<3x20xi64>
    %end = arith.maxsi %n, %c0 : index
    %count = scf.for unsigned %j = %t to %end step %c20
        iter_args(%s = %zero) -> (i64) {
      %one = arith.constant 1 : i64
      %next = arith.addi %s, %one : i64
      scf.yield %next : i64
    }
    memref.store %count, %out[%c2, %t] : memref<3x20xi64>
    gpu.return
  }
}

func.func private @printMemrefI32(memref<*xi32>)
func.func private @printMemrefI64(memref<*xi64>)

func.func @runGuards(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i32
  %out = memref.alloc() : memref<16x40xi32>
  linalg.fill ins(%zero : i32) outs(%out : memref<16x40xi32>)
  gpu.launch_func @kernels::@guards blocks in (%c1, %c1, %c1)
      threads in (%c40, %c1, %c1) args(%n : index, %out : memref<16x40xi32>)
  %sums = memref.alloc() : memref<16xi32>
  scf.for %p = %c0 to %c16 step %c1 {
    %sum = scf.for %t = %c0 to %c40 step %c1 iter_args(%s = %zero) -> i32 {
      %v = memref.load %out[%p, %t] : memref<16x40xi32>
      %next = arith.addi %s, %v : i32
      scf.yield %next : i32
    }
    memref.store %sum, %sums[%p] : memref<16xi32>
  }
  %print = memref.cast %sums : memref<16xi32> to memref<*xi32>
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  memref.dealloc %sums : memref<16xi32>
  memref.dealloc %out : memref<16x40xi32>
  return
}

func.func @runLoops(%n: index) {
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %sentinel = arith.constant 99 : i64
  %out = memref.alloc() : memref<3x20xi64>
  linalg.fill ins(%sentinel : i64) outs(%out : memref<3x20xi64>)
  gpu.launch_func @kernels::@loops blocks in (%c1, %c1, %c1)
      threads in (%c20, %c1, %c1) args(%n : index, %out : memref<3x20xi64>)
  %print = memref.cast %out : memref<3x20xi64> to memref<*xi64>
  call @printMemrefI64(%print) : (memref<*xi64>) -> ()
  memref.dealloc %out : memref<3x20xi64>
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c17 = arith.constant 17 : index
  %zero = arith.constant 0 : i32
  // n = 0
  // CHECK: [0, 1, 0, 1, 39, 40, 39, 40, 39, 40, 39, 40, 0, 1, 0, 1]
  %g0 = arith.constant 0 : index
  call @runGuards(%g0) : (index) -> ()
  // n = 5
  // CHECK: [5, 6, 5, 6, 34, 35, 34, 35, 34, 35, 34, 35, 5, 6, 5, 6]
  %g1 = arith.constant 5 : index
  call @runGuards(%g1) : (index) -> ()
  // n = 16
  // CHECK: [16, 17, 16, 17, 23, 24, 23, 24, 23, 24, 23, 24, 16, 17, 16, 17]
  %g2 = arith.constant 16 : index
  call @runGuards(%g2) : (index) -> ()
  // n = 17
  // CHECK: [17, 18, 17, 18, 22, 23, 22, 23, 22, 23, 22, 23, 17, 18, 17, 18]
  %g3 = arith.constant 17 : index
  call @runGuards(%g3) : (index) -> ()
  // n = 31
  // CHECK: [31, 32, 31, 32, 8, 9, 8, 9, 8, 9, 8, 9, 31, 32, 31, 32]
  %g4 = arith.constant 31 : index
  call @runGuards(%g4) : (index) -> ()
  // n = 39
  // CHECK: [39, 40, 39, 40, 0, 1, 0, 1, 0, 1, 0, 1, 39, 40, 39, 40]
  %g5 = arith.constant 39 : index
  call @runGuards(%g5) : (index) -> ()
  // n = 40
  // CHECK: [40, 40, 40, 40, 0, 0, 0, 0, 0, 0, 0, 0, 40, 40, 40, 40]
  %g6 = arith.constant 40 : index
  call @runGuards(%g6) : (index) -> ()
  // n = 100
  // CHECK: [40, 40, 40, 40, 0, 0, 0, 0, 0, 0, 0, 0, 40, 40, 40, 40]
  %g7 = arith.constant 100 : index
  call @runGuards(%g7) : (index) -> ()
  // n = -1
  // CHECK: [0, 0, 40, 40, 40, 40, 0, 0, 40, 40, 0, 0, 0, 0, 40, 40]
  %g8 = arith.constant -1 : index
  call @runGuards(%g8) : (index) -> ()
  // n = -9223372036854775808
  // CHECK: [0, 0, 40, 40, 40, 40, 0, 0, 40, 40, 0, 0, 0, 0, 40, 40]
  %g9 = arith.constant -9223372036854775808 : index
  call @runGuards(%g9) : (index) -> ()
  // n = 9223372036854775807
  // CHECK: [40, 40, 40, 40, 0, 0, 0, 0, 0, 0, 0, 0, 40, 40, 40, 40]
  %g10 = arith.constant 9223372036854775807 : index
  call @runGuards(%g10) : (index) -> ()
  // n = 0
  // CHECK: {{\[\[}}0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [-1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1],
  // CHECK-NEXT: [0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0]
  %n0 = arith.constant 0 : index
  call @runLoops(%n0) : (index) -> ()
  // n = 7
  // CHECK: {{\[\[}}0,   1,   2,   3,   4,   5,   6,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [0,   1,   2,   3,   4,   5,   6,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1],
  // CHECK-NEXT: [1,   1,   1,   1,   1,   1,   1,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0]
  %n1 = arith.constant 7 : index
  call @runLoops(%n1) : (index) -> ()
  // n = 16
  // CHECK: {{\[\[}}0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   0,   0,   0,   0],
  // CHECK-NEXT: [0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   -1,   -1,   -1,   -1],
  // CHECK-NEXT: [1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   0,   0,   0,   0]
  %n2 = arith.constant 16 : index
  call @runLoops(%n2) : (index) -> ()
  // n = 20
  // CHECK: {{\[\[}}0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   16,   17,   18,   19],
  // CHECK-NEXT: [0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,   13,   14,   15,   16,   17,   18,   19],
  // CHECK-NEXT: [1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1]
  %n3 = arith.constant 20 : index
  call @runLoops(%n3) : (index) -> ()
  // n = 33
  // CHECK: {{\[\[}}20,   22,   24,   26,   28,   30,   32,   34,   36,   38,   40,   42,   44,   13,   14,   15,   16,   17,   18,   19],
  // CHECK-NEXT: [20,   21,   22,   23,   24,   25,   26,   27,   28,   29,   30,   31,   32,   13,   14,   15,   16,   17,   18,   19],
  // CHECK-NEXT: [2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   1,   1,   1,   1,   1,   1,   1]
  %n4 = arith.constant 33 : index
  call @runLoops(%n4) : (index) -> ()
  // n = 100
  // CHECK: {{\[\[}}200,   205,   210,   215,   220,   225,   230,   235,   240,   245,   250,   255,   260,   265,   270,   275,   280,   285,   290,   295],
  // CHECK-NEXT: [80,   81,   82,   83,   84,   85,   86,   87,   88,   89,   90,   91,   92,   93,   94,   95,   96,   97,   98,   99],
  // CHECK-NEXT: [5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5]
  %n5 = arith.constant 100 : index
  call @runLoops(%n5) : (index) -> ()
  // n = -9223372036854775808
  // n = -5
  // n = -9223372036854775808
  // CHECK: {{\[\[}}0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [-1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1],
  // CHECK-NEXT: [0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0]
  %n6 = arith.constant -9223372036854775808 : index
  call @runLoops(%n6) : (index) -> ()
  // n = -5
  // CHECK: {{\[\[}}0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0],
  // CHECK-NEXT: [-1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1],
  // CHECK-NEXT: [0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0]
  %n7 = arith.constant -5 : index
  call @runLoops(%n7) : (index) -> ()
  // Threads 0 to 8 pass both guards.
  %c9 = arith.constant 9 : index
  %out = memref.alloc() : memref<40xi32>
  linalg.fill ins(%zero : i32) outs(%out : memref<40xi32>)
  gpu.launch_func @kernels::@both blocks in (%c1, %c1, %c1)
      threads in (%c40, %c1, %c1)
      args(%c17 : index, %c9 : index, %out : memref<40xi32>)
  %print = memref.cast %out : memref<40xi32> to memref<*xi32>
  // CHECK: [1,  1,  1,  1,  1,  1,  1,  1,  1,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7]
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  memref.dealloc %out : memref<40xi32>

  %bytes = memref.alloc() : memref<2x40xi32>
  linalg.fill ins(%zero : i32) outs(%bytes : memref<2x40xi32>)
  gpu.launch_func @kernels::@wrap blocks in (%c1, %c1, %c1)
      threads in (%c40, %c1, %c1) args(%bytes : memref<2x40xi32>)
  %printBytes = memref.cast %bytes : memref<2x40xi32> to memref<*xi32>
  // CHECK: {{\[\[}}1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   0,   0,   0,   0,   0,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1],
  // CHECK-NEXT: [1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   0,   0,   0,   0,   0,   0]
  call @printMemrefI32(%printBytes) : (memref<*xi32>) -> ()
  memref.dealloc %bytes : memref<2x40xi32>
  return
}
}
