// Reductions, rotations and broadcasts of subgroups and blocks, and shuffles
// whose width is a value.
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // Every kind over a block of 40 threads: a subgroup of 32 and one of 8.
  gpu.func @kinds(%x: memref<13x40xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    %i9 = arith.constant 9 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %k20 = arith.constant 20 : i32
    %k64 = arith.constant 64 : i32
    %t = gpu.thread_id x
    %t32 = arith.index_cast %t : index to i32
    %v = arith.subi %t32, %k20 : i32
    %odd = arith.andi %t32, %one : i32
    %factor = arith.addi %odd, %one : i32
    %set = arith.addi %t32, %k64 : i32
    // -20 + ... + 19 = -20.
    %add = gpu.all_reduce add %v {} : (i32) -> (i32)
    memref.store %add, %x[%i0, %t] : memref<13x40xi32>
    // 20 factors of 2.
    %mul = gpu.all_reduce mul %factor {} : (i32) -> (i32)
    memref.store %mul, %x[%i1, %t] : memref<13x40xi32>
    // Unsigned, -20 is large and -1 the largest.
    %minui = gpu.all_reduce minui %v {} : (i32) -> (i32)
    memref.store %minui, %x[%i2, %t] : memref<13x40xi32>
    %maxui = gpu.all_reduce maxui %v {} : (i32) -> (i32)
    memref.store %maxui, %x[%i3, %t] : memref<13x40xi32>
    %minsi = gpu.all_reduce minsi %v uniform {} : (i32) -> (i32)
    memref.store %minsi, %x[%i4, %t] : memref<13x40xi32>
    %maxsi = gpu.all_reduce maxsi %v uniform {} : (i32) -> (i32)
    memref.store %maxsi, %x[%i5, %t] : memref<13x40xi32>
    // 64 ... 103 have bit 6 in common, and all of the low 7 bits in some.
    %and = gpu.all_reduce and %set {} : (i32) -> (i32)
    memref.store %and, %x[%i6, %t] : memref<13x40xi32>
    %or = gpu.all_reduce or %set {} : (i32) -> (i32)
    memref.store %or, %x[%i7, %t] : memref<13x40xi32>
    // 0 ^ ... ^ 39: 39 & 3 == 3 gives 0.
    %xor = gpu.all_reduce xor %t32 {} : (i32) -> (i32)
    memref.store %xor, %x[%i8, %t] : memref<13x40xi32>
    // A combiner as a region: the sum of twice the values, less the right one.
    %region = gpu.all_reduce %v {
    ^bb0(%l: i32, %r: i32):
      %c2 = arith.constant 2 : i32
      %sum = arith.addi %l, %r : i32
      %l2 = arith.muli %sum, %c2 : i32
      %s = arith.subi %l2, %sum : i32
      gpu.yield %s : i32
    } : (i32) -> (i32)
    memref.store %region, %x[%i9, %t] : memref<13x40xi32>
    gpu.return
  }

  // Floats are added as a tree, neighbours first: of 1e8, 1, -1e8, 1 that is
  // (1e8 + 1) + (-1e8 + 1), in f32 0 and not 1 or 2. NaN by the two kinds of extrema.
  gpu.func @floats(%v: memref<4xf32>, %x: memref<5xf32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %nan = arith.constant 0x7FC00000 : f32
    %t = gpu.thread_id x
    %a = memref.load %v[%t] : memref<4xf32>
    %sum = gpu.all_reduce add %a {} : (f32) -> (f32)
    %first = arith.cmpi eq, %t, %i0 : index
    %b = arith.select %first, %nan, %a : f32
    %maxnum = gpu.all_reduce maxnumf %b {} : (f32) -> (f32)
    %minnum = gpu.all_reduce minnumf %b {} : (f32) -> (f32)
    %maximum = gpu.all_reduce maximumf %b {} : (f32) -> (f32)
    %minimum = gpu.all_reduce minimumf %a {} : (f32) -> (f32)
    memref.store %sum, %x[%i0] : memref<5xf32>
    memref.store %maxnum, %x[%i1] : memref<5xf32>
    memref.store %minnum, %x[%i2] : memref<5xf32>
    memref.store %maximum, %x[%i3] : memref<5xf32>
    memref.store %minimum, %x[%i4] : memref<5xf32>
    gpu.return
  }

  // Sums of subgroups, of clusters of 4 neighbours, and of 4 lanes 2 apart.
  // 36 threads: the second subgroup has 4.
  gpu.func @subgroups(%x: memref<3x36xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %all = gpu.subgroup_reduce add %v : (i32) -> i32
    memref.store %all, %x[%i0, %t] : memref<3x36xi32>
    %four = gpu.subgroup_reduce add %v cluster(size = 4) : (i32) -> i32
    memref.store %four, %x[%i1, %t] : memref<3x36xi32>
    %apart = gpu.subgroup_reduce add %v cluster(size = 4, stride = 2) : (i32) -> i32
    memref.store %apart, %x[%i2, %t] : memref<3x36xi32>
    gpu.return
  }

  // Rotations by 3 among 8 lanes; lanes beyond keep their value. Broadcasts of
  // lane 5 and of the first lane.
  gpu.func @moves(%x: memref<3x40xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %five = arith.constant 5 : i32
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %r, %valid = gpu.rotate %v, 3, 8 : i32
    %n = arith.subi %zero, %r : i32
    %r1 = arith.select %valid, %r, %n : i32
    memref.store %r1, %x[%i0, %t] : memref<3x40xi32>
    %b = gpu.subgroup_broadcast %v, specific_lane %five : i32
    memref.store %b, %x[%i1, %t] : memref<3x40xi32>
    %c = gpu.subgroup_broadcast %v, first_active_lane : i32
    memref.store %c, %x[%i2, %t] : memref<3x40xi32>
    gpu.return
  }

  // A width that is the size of the block and no power of two: lane 9's partner
  // 13 is beyond it.
  gpu.func @width(%x: memref<13xi32>, %width: i32) kernel {
    %four = arith.constant 4 : i32
    %none = arith.constant -1 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %r, %valid = gpu.shuffle xor %v, %four, %width : i32
    %s = arith.select %valid, %r, %none : i32
    memref.store %s, %x[%t] : memref<13xi32>
    gpu.return
  }

  // A reduction in a loop, whose result decides when the loop ends: each round
  // the block halves its sum. 8 threads of 8: 64, 32, 16, 8, 0.
  gpu.func @loop(%x: memref<8xi32>) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %t = gpu.thread_id x
    %r:2 = scf.while (%v = %eight, %n = %zero) : (i32, i32) -> (i32, i32) {
      %sum = gpu.all_reduce add %v {} : (i32) -> (i32)
      %more = arith.cmpi ne, %sum, %zero : i32
      scf.condition(%more) %v, %n : i32, i32
    } do {
    ^bb0(%v: i32, %n: i32):
      %half = arith.shrui %v, %one : i32
      %m = arith.addi %n, %one : i32
      scf.yield %half, %m : i32, i32
    }
    memref.store %r#1, %x[%t] : memref<8xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @sentinels(%n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sentinel = arith.constant -77 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %sentinel, %m[%i] : memref<?xi32>
  }
  return %m : memref<?xi32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %c36 = arith.constant 36 : index
  %c40 = arith.constant 40 : index
  %c108 = arith.constant 108 : index
  %c120 = arith.constant 120 : index
  %c520 = arith.constant 520 : index

  // CHECK: [-20, {{(-20, )*}}-20]
  // CHECK-NEXT: [1048576, {{(1048576, )*}}1048576]
  // CHECK-NEXT: [0, {{(0, )*}}0]
  // CHECK-NEXT: [-1, {{(-1, )*}}-1]
  // CHECK-NEXT: [-20, {{(-20, )*}}-20]
  // CHECK-NEXT: [19, {{(19, )*}}19]
  // CHECK-NEXT: [64, {{(64, )*}}64]
  // CHECK-NEXT: [127, {{(127, )*}}127]
  // CHECK-NEXT: [0, {{(0, )*}}0]
  // CHECK-NEXT: [-20, {{(-20, )*}}-20]
  // CHECK-NEXT: [-77, {{.*}}-77]
  %k0 = call @sentinels(%c520) : (index) -> memref<?xi32>
  %k1 = memref.cast %k0 : memref<?xi32> to memref<520xi32>
  %k = memref.expand_shape %k1 [[0, 1]] output_shape [13, 40] : memref<520xi32> into memref<13x40xi32>
  gpu.launch_func @kernels::@kinds blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1)
      args(%k : memref<13x40xi32>)
  %ku = memref.cast %k : memref<13x40xi32> to memref<*xi32>
  call @printMemrefI32(%ku) : (memref<*xi32>) -> ()

  // CHECK: [0, 1, -1e+08, {{-?}}nan, -1e+08]
  %v = memref.alloc() : memref<4xf32>
  %x = memref.alloc() : memref<5xf32>
  %f0 = arith.constant 1.0e8 : f32
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant -1.0e8 : f32
  memref.store %f0, %v[%c0] : memref<4xf32>
  memref.store %f1, %v[%c1] : memref<4xf32>
  memref.store %f2, %v[%c2] : memref<4xf32>
  memref.store %f1, %v[%c3] : memref<4xf32>
  gpu.launch_func @kernels::@floats blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%v : memref<4xf32>, %x : memref<5xf32>)
  %xu = memref.cast %x : memref<5xf32> to memref<*xf32>
  call @printMemrefF32(%xu) : (memref<*xf32>) -> ()

  // 0 + ... + 31 = 496; 32 + ... + 35 = 134. Two apart: 0 + 2 + 4 + 6 = 12 and
  // 1 + 3 + 5 + 7 = 16; of the last subgroup 32 + 34 and 33 + 35.
  // CHECK: [496, {{(496, )*}}496, 134, 134, 134, 134]
  // CHECK-NEXT: [6, 6, 6, 6, 22, 22, 22, 22, {{.*}}, 118, 118, 118, 118, 134, 134, 134, 134]
  // CHECK-NEXT: [12, 16, 12, 16, 12, 16, 12, 16, 44, 48, {{.*}}, 108, 112, 66, 68, 66, 68]
  %s0 = call @sentinels(%c108) : (index) -> memref<?xi32>
  %s1 = memref.cast %s0 : memref<?xi32> to memref<108xi32>
  %s = memref.expand_shape %s1 [[0, 1]] output_shape [3, 36] : memref<108xi32> into memref<3x36xi32>
  gpu.launch_func @kernels::@subgroups blocks in (%c1, %c1, %c1) threads in (%c36, %c1, %c1)
      args(%s : memref<3x36xi32>)
  %su = memref.cast %s : memref<3x36xi32> to memref<*xi32>
  call @printMemrefI32(%su) : (memref<*xi32>) -> ()

  // CHECK: [3, 4, 5, 6, 7, 0, 1, 2, -8, -9, {{.*}}, -30, -31, 35, 36, 37, 38, 39, 32, 33, 34]
  // CHECK-NEXT: [5, {{(5, )*}}5, 37, 37, 37, 37, 37, 37, 37, 37]
  // CHECK-NEXT: [0, {{(0, )*}}0, 32, 32, 32, 32, 32, 32, 32, 32]
  %m0 = call @sentinels(%c120) : (index) -> memref<?xi32>
  %m1 = memref.cast %m0 : memref<?xi32> to memref<120xi32>
  %m = memref.expand_shape %m1 [[0, 1]] output_shape [3, 40] : memref<120xi32> into memref<3x40xi32>
  gpu.launch_func @kernels::@moves blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1)
      args(%m : memref<3x40xi32>)
  %mu = memref.cast %m : memref<3x40xi32> to memref<*xi32>
  call @printMemrefI32(%mu) : (memref<*xi32>) -> ()

  // CHECK: [4, 5, 6, 7, 0, 1, 2, 3, 12, -1, -1, -1, 8]
  %width = arith.constant 13 : i32
  %w0 = call @sentinels(%c13) : (index) -> memref<?xi32>
  %w = memref.cast %w0 : memref<?xi32> to memref<13xi32>
  gpu.launch_func @kernels::@width blocks in (%c1, %c1, %c1) threads in (%c13, %c1, %c1)
      args(%w : memref<13xi32>, %width : i32)
  %wu = memref.cast %w : memref<13xi32> to memref<*xi32>
  call @printMemrefI32(%wu) : (memref<*xi32>) -> ()

  // CHECK: [4, 4, 4, 4, 4, 4, 4, 4]
  %l0 = call @sentinels(%c8) : (index) -> memref<?xi32>
  %l = memref.cast %l0 : memref<?xi32> to memref<8xi32>
  gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%l : memref<8xi32>)
  %lu = memref.cast %l : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%lu) : (memref<*xi32>) -> ()
  return
}

}
