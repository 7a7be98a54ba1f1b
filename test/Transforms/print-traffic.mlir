// Sectors and wavefronts of each access; integration tests have whole kernels.
// RUN: split-file %s %t

//--- accesses.mlir
// RUN: uop-opt %t/accesses.mlir --uop-print-traffic --verify-diagnostics -o /dev/null

!s = memref<512xf32, #gpu.address_space<workgroup>>

// 200 elements in 7 blocks of 32 threads: 600 accesses.
// expected-remark@+1 {{@add; global loads: 14 requests, 400 elements, 50 sectors (ideal 50), 14 transactions; global stores: 7 requests, 200 elements, 25 sectors (ideal 25), 7 transactions}}
uop.kernel loops @add(%a: memref<200xf32>, %b: memref<200xf32>, %c: memref<200xf32>) {
  %g = uop.range global<x> 7
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %n = arith.constant 200 : index
  %base = arith.muli %g, %c32 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    // expected-remark@+1 {{global load: 7 requests, 4 sec x6/1 sec x1 (ideal 25)}}
    %x = memref.load %a[%i] : memref<200xf32>
    // expected-remark@+1 {{global load: 7 requests, 4 sec x6/1 sec x1 (ideal 25)}}
    %y = memref.load %b[%i] : memref<200xf32>
    %z = arith.addf %x, %y : f32
    // expected-remark@+1 {{global store: 7 requests, 4 sec x6/1 sec x1 (ideal 25)}}
    memref.store %z, %c[%i] : memref<200xf32>
  }
}

// Rows of 8, 16 and 32 bytes; the last is two accesses of 16. Of half a byte
// and of bytes.
// expected-remark@+1 {{@widths;}}
uop.kernel loops @widths(%h: memref<64xf16>, %q: memref<32xi8>) {
  %t = uop.range local<x> 32
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s = uop.alloc : !s
  %t2 = arith.muli %t, %c2 : index
  %t4 = arith.muli %t, %c4 : index
  %t8 = arith.muli %t, %c8 : index
  // expected-remark@+1 {{shared load: 1 request, 2 wf x1 (ideal 2)}}
  %a = vector.load %s[%t2] : !s, vector<2xf32>
  // expected-remark@+1 {{shared load: 1 request, 4 wf x1 (ideal 4)}}
  %b = vector.load %s[%t4] : !s, vector<4xf32>
  // expected-remark@+1 {{shared load: 2 requests, 8 wf x2 (ideal 8)}}
  %c = vector.load %s[%t8] : !s, vector<8xf32>
  // expected-remark@+1 {{global load: 1 request, 2 sec x1 (ideal 2)}}
  %d = memref.load %h[%t] : memref<64xf16>
  // expected-remark@+1 {{global load: 1 request, 4 sec x1 (ideal 4)}}
  %e = vector.load %h[%t2] : memref<64xf16>, vector<2xf16>
  // expected-remark@+1 {{global load: 1 request, 1 sec x1 (ideal 1)}}
  %f = memref.load %q[%t] : memref<32xi8>
  %zero = arith.constant 0.0 : f16
  // expected-remark@+1 {{global load: 1 request, 4 sec x1 (ideal 4)}}
  %g = vector.transfer_read %h[%t2], %zero {in_bounds = [true]} : memref<64xf16>, vector<2xf16>
  // expected-remark@+1 {{global load is not counted: its lowering makes several accesses of it; lower it before}}
  %i = vector.transfer_read %h[%t2], %zero : memref<64xf16>, vector<2xf16>
}

// Views begin where they say: the second row, in which lanes are 8 apart.
// expected-remark@+1 {{@views;}}
uop.kernel loops @views(%x: memref<4x256xf32>, %y: memref<8x32xf32, strided<[64, 1], offset: 4>>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = memref.subview %x[1, 0] [1, 32] [1, 8] : memref<4x256xf32> to memref<32xf32, strided<[8], offset: 256>>
  // expected-remark@+1 {{global load: 1 request, 32 sec x1 (ideal 4)}}
  %a = memref.load %row[%t] : memref<32xf32, strided<[8], offset: 256>>
  // An offset of 16 bytes: one sector more.
  // expected-remark@+1 {{global load: 1 request, 5 sec x1 (ideal 4)}}
  %b = memref.load %y[%c1, %t] : memref<8x32xf32, strided<[64, 1], offset: 4>>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x256xf32> into memref<1024xf32>
  // expected-remark@+1 {{global load: 1 request, 4 sec x1 (ideal 4)}}
  %c = memref.load %flat[%t] : memref<1024xf32>
}

// Each phase has threads of its own: the second one has 8.
// expected-remark@+1 {{@phases; global loads: 8 requests, 256 elements, 32 sectors (ideal 32), 8 transactions; shared loads: 4 requests, 32 elements, 4 wavefronts (ideal 4); shared stores: 8 requests, 256 elements, 8 wavefronts (ideal 8)}}
uop.kernel loops @phases(%in: memref<4x64xf32>) {
  %b = uop.range global<x> 4
  %s = uop.alloc : !s
  uop.phase {
    %t = uop.range local<x> 64
    // expected-remark@+1 {{global load: 8 requests, 4 sec x8}}
    %x = memref.load %in[%b, %t] : memref<4x64xf32>
    // expected-remark@+1 {{shared store: 8 requests, 1 wf x8}}
    memref.store %x, %s[%t] : !s
  }
  uop.phase {
    %t = uop.range local<x> 8
    // expected-remark@+1 {{shared load: 4 requests, 1 wf x4}}
    %x = memref.load %s[%t] : !s
  }
}

// Threads run a loop differently often: 100 elements by 64 threads, and lanes
// 0 to 3 of the second warp once more than the others.
// expected-remark@+1 {{@strided_loop; global loads: 4 requests, 100 elements, 13 sectors (ideal 13), 4 transactions}}
uop.kernel loops @strided_loop(%x: memref<100xf32>) {
  %t = uop.range local<x> 64
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %t to %c100 step %c64 {
    // expected-remark@+1 {{global load: 4 requests, 4 sec x3/1 sec x1 (ideal 13)}}
    %v = memref.load %x[%i] : memref<100xf32>
  }
}

// A buffer that promises less than what it is taken to have.
// expected-remark@+1 {{@aligned;}}
uop.kernel loops @aligned(%x: memref<32xf32> {llvm.align = 16 : i64}) {
  %t = uop.range local<x> 32
  // expected-remark@+1 {{4 sec x1 (ideal 4); taken to begin at a multiple of 256 bytes, but argument #0 promises only 16}}
  %v = memref.load %x[%t] : memref<32xf32>
}

// Private memory is not counted, and what needs an index of data is not either.
// expected-remark@+1 {{@gather; global loads: 1 request, 32 elements, 8 sectors (ideal 8), 2 transactions; 1 access is not counted}}
uop.kernel loops @gather(%table: memref<32xi64>, %x: memref<64xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %p = uop.alloc : memref<1xf32, #gpu.address_space<private>>
  // expected-remark@+1 {{global load: 1 request, 8 sec x1 (ideal 8)}}
  %i = memref.load %table[%t] : memref<32xi64>
  %at = arith.index_cast %i : i64 to index
  // expected-remark@+1 {{global load is not counted: its address depends on the result of memref.load}}
  %v = memref.load %x[%at] : memref<64xf32>
  memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
}

// expected-remark@+1 {{@graph is in graph form, and so has no memory requests; run --uop-gpu-map and --uop-lower-to-loops}}
uop.kernel @graph(%out: memref<8xf32>) {
  %i = uop.range loop 8
  %zero = arith.constant 0.0 : f32
  uop.store %zero, %out[%i] : memref<8xf32>
}

//--- args.mlir
// What the launch leaves open is given by args.
// RUN: uop-opt %t/args.mlir --uop-print-traffic="args=0:70,1.0:128,1.1:40" -o /dev/null 2>&1 | FileCheck %t/args.mlir --check-prefix=GIVEN
// RUN: not uop-opt %t/args.mlir --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/args.mlir --check-prefix=OPEN
// 70 rows by 3 blocks of 32 threads, each lane a row of 40 floats: 160 bytes.
// GIVEN: global load: 3 requests, 32 sec x2/6 sec x1 (ideal 9)
// GIVEN: @rows; global loads: 3 requests, 70 elements, 70 sectors (ideal 9), 70 transactions{{$}}
// OPEN: error: cannot count the memory requests of @rows: the extent of 'global<x>' depends on argument #0, whose value is not given
uop.kernel loops @rows(%n: index, %x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %blocks = arith.ceildivsi %n, %c32 : index
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 32
  %b = arith.muli %g, %c32 : index
  %i = arith.addi %b, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %v = memref.load %x[%i, %c0] : memref<?x?xf32>
  }
}

//--- open.mlir
// Or it is said what is missing.
// RUN: uop-opt %t/open.mlir --uop-print-traffic --verify-diagnostics -o /dev/null
// expected-remark@+1 {{@open; 3 accesses are not counted}}
uop.kernel loops @open(%n: index, %x: memref<?x?xf32>, %y: memref<4x4xf32, strided<[?, 1]>>) {
  %t = uop.range local<x> 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{global load is not counted: the stride of dimension #0 of its memref is not known}}
  %a = memref.load %x[%t, %c0] : memref<?x?xf32>
  // expected-remark@+1 {{global load is not counted: the stride of dimension #0 of its memref is not known}}
  %b = memref.load %y[%t, %c0] : memref<4x4xf32, strided<[?, 1]>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{global load is not counted: whether it is executed depends on argument #0, whose value is not given}}
    %c = memref.load %y[%c0, %t] : memref<4x4xf32, strided<[?, 1]>>
  }
}

//--- blocks.mlir
// One block; and too many requests, of which those of the first block are
// counted, or none: an index that is squared makes no two blocks alike.
// RUN: uop-opt %t/blocks.mlir --uop-print-traffic="block=1,0,0" -o /dev/null 2>&1 | FileCheck %t/blocks.mlir --check-prefix=SECOND
// RUN: uop-opt %t/blocks.mlir --uop-print-traffic="max-requests=20" -o /dev/null 2>&1 | FileCheck %t/blocks.mlir --check-prefix=FIRST
// RUN: uop-opt %t/blocks.mlir --uop-print-traffic="max-requests=2" -o /dev/null 2>&1 | FileCheck %t/blocks.mlir --check-prefix=NONE
// SECOND: global load: 2 requests, 5 sec x2 (ideal 8)
// SECOND: @squares; global loads: 2 requests, 64 elements, 10 sectors (ideal 8), 4 transactions{{$}}
// FIRST: global load: 2 requests, 4 sec x2 (ideal 8)
// FIRST: @squares is not counted: more than 20 requests; its first block has; global loads: 2 requests,
// NONE-NOT: global load:
// NONE: @squares is not counted: more than 2 requests{{$}}
uop.kernel loops @squares(%x: memref<1048576xf32>) {
  %g = uop.range global<x> 1000
  %t = uop.range local<x> 64
  %b = arith.muli %g, %g : index
  %i = arith.addi %b, %t : index
  %v = memref.load %x[%i] : memref<1048576xf32>
}

//--- wavefront.mlir
// Warps of 64 lanes: 512 threads are 8, of which the last one has 52 elements.
// RUN: uop-opt %t/wavefront.mlir --uop-print-traffic="warp-size=64" --verify-diagnostics -o /dev/null

// expected-remark@+1 {{@add; global loads: 8 requests, 500 elements, 63 sectors (ideal 63), 16 transactions; shared stores: 8 requests, 512 elements, 16 wavefronts (ideal 16)}}
uop.kernel loops @add(%a: memref<500xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 256
  %s = uop.alloc : memref<256xf32, #gpu.address_space<workgroup>>
  %c256 = arith.constant 256 : index
  %n = arith.constant 500 : index
  %base = arith.muli %g, %c256 : index
  %i = arith.addi %base, %t : index
  %zero = arith.constant 0.0 : f32
  // expected-remark@+1 {{shared store: 8 requests, 2 wf x8 (ideal 16)}}
  memref.store %zero, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    // expected-remark@+1 {{global load: 8 requests, 8 sec x7/7 sec x1 (ideal 63)}}
    %x = memref.load %a[%i] : memref<500xf32>
  }
}
