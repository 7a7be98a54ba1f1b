// Loop form on the emulator, against results worked out by hand.

// RUN: cat %examples/smem_gemm/smem_gemm.mlir %s > %t.mlir
// RUN: uop-opt %t.mlir --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefI32(memref<*xi32>)

// Each phase has threads of its own: 64 store their squares, 32 add up pairs,
// one adds up the pairs. The sums of squares to 63 and of 64 ones.
uop.kernel loops @phases(%in: memref<2x64xf32>, %out: memref<2xf32>) {
  %b = uop.range global<x> 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %s = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  uop.phase {
    %t = uop.range local<x> 64
    %x = memref.load %in[%b, %t] : memref<2x64xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  uop.phase {
    %t = uop.range local<x> 32
    %u = arith.addi %t, %c32 : index
    %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %y = memref.load %s[%u] : memref<64xf32, #gpu.address_space<workgroup>>
    %z = arith.addf %x, %y : f32
    memref.store %z, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  uop.phase {
    %sum = scf.for %i = %c0 to %c32 step %c1 iter_args(%acc = %zero) -> f32 {
      %x = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%b] : memref<2xf32>
  }
}

// In a loop the phases alternate: a line of 8 moves on by one place a step, so
// that after three steps element 0 holds what was at 3.
uop.kernel loops @rotate(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %s = uop.alloc : memref<8xi32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c3 step %c1 {
    uop.phase {
      %t = uop.range local<x> 8
      %v = memref.load %x[%t] : memref<8xi32>
      memref.store %v, %s[%t] : memref<8xi32, #gpu.address_space<workgroup>>
    }
    uop.phase {
      %t = uop.range local<x> 8
      %u = arith.addi %t, %c1 : index
      %from = uop.floormod %u, %c8
      %v = memref.load %s[%from] : memref<8xi32, #gpu.address_space<workgroup>>
      memref.store %v, %x[%t] : memref<8xi32>
    }
  }
}

// Zeroed memory of any shape: the sum of 7x3 zeros and of the two of each
// thread, plus its number.
uop.kernel loops @zeros(%x: memref<4x2xi32>) {
  %tx = uop.range local<x> 4
  %ty = uop.range local<y> 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %s = uop.alloc zero : memref<7x3xi32, #gpu.address_space<workgroup>>
  %p = uop.alloc zero : memref<2xi32, #gpu.address_space<private>>
  %row = arith.muli %tx, %c2 : index
  %id = arith.addi %row, %ty : index
  %number = arith.index_cast %id : index to i32
  %shared = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %number) -> i32 {
    %inner = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> i32 {
      %v = memref.load %s[%i, %j] : memref<7x3xi32, #gpu.address_space<workgroup>>
      %n = arith.addi %b, %v : i32
      scf.yield %n : i32
    }
    scf.yield %inner : i32
  }
  %all = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %shared) -> i32 {
    %v = memref.load %p[%i] : memref<2xi32, #gpu.address_space<private>>
    %n = arith.addi %a, %v : i32
    scf.yield %n : i32
  }
  memref.store %all, %x[%tx, %ty] : memref<4x2xi32>
}

// The grid is computed on the host: ceil(n / 4) blocks of 4 guarded threads
// store 1 to the first n elements, none for n = 0.
uop.kernel loops @ones(%x: memref<12xi32>, %n: index) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %up = arith.addi %n, %c3 : index
  %blocks = uop.floordiv %up, %c4
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 4
  %first = arith.muli %b, %c4 : index
  %i = arith.addi %first, %t : index
  %one = arith.constant 1 : i32
  %inside = arith.cmpi slt, %i, %n : index
  scf.if %inside {
    memref.store %one, %x[%i] : memref<12xi32>
  }
}

// Lanes beyond the extent store nothing.
uop.kernel loops @lanes(%x: memref<12xi32>) {
  %l = uop.range warp 5
  %two = arith.constant 2 : i32
  memref.store %two, %x[%l] : memref<12xi32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %onef = arith.constant 1.0 : f32
  %sentinel = arith.constant -1.0 : f32
  %sentineli = arith.constant -1 : i32

  // Each 32 elements are reversed: the first segment begins with 31, the last
  // ends with 224.
  %in = memref.alloc() : memref<256xf32>
  %reversed = memref.alloc() : memref<256xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    memref.store %v, %in[%i] : memref<256xf32>
    memref.store %sentinel, %reversed[%i] : memref<256xf32>
  }
  uop.launch @reverse(%in, %reversed) : memref<256xf32>, memref<256xf32>
  %u0 = memref.cast %reversed : memref<256xf32> to memref<*xf32>
  call @printMemrefF32(%u0) : (memref<*xf32>) -> ()
  // CHECK:      sizes = [256]
  // CHECK-NEXT: [31, 30, 29, {{.*}}, 1, 0, 63, 62, {{.*}}, 33, 32, 95, {{.*}}, 255, 254, {{.*}}, 225, 224]

  %rows = memref.alloc() : memref<2x64xf32>
  %sums = memref.alloc() : memref<2xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %in[%i] : memref<256xf32>
    memref.store %v, %rows[%c0, %i] : memref<2x64xf32>
    memref.store %onef, %rows[%c1, %i] : memref<2x64xf32>
  }
  memref.store %sentinel, %sums[%c0] : memref<2xf32>
  memref.store %sentinel, %sums[%c1] : memref<2xf32>
  uop.launch @phases(%rows, %sums) : memref<2x64xf32>, memref<2xf32>
  %u1 = memref.cast %sums : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%u1) : (memref<*xf32>) -> ()
  // CHECK:      sizes = [2]
  // CHECK-NEXT: [85344, 64]

  %line = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %line[%i] : memref<8xi32>
  }
  uop.launch @rotate(%line) : memref<8xi32>
  %u2 = memref.cast %line : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%u2) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [3, 4, 5, 6, 7, 0, 1, 2]

  %numbers = memref.alloc() : memref<4x2xi32>
  uop.launch @zeros(%numbers) : memref<4x2xi32>
  %u3 = memref.cast %numbers : memref<4x2xi32> to memref<*xi32>
  call @printMemrefI32(%u3) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [4, 2]
  // CHECK-NEXT: {{\[\[}}0, 1],
  // CHECK-NEXT: [2, 3],
  // CHECK-NEXT: [4, 5],
  // CHECK-NEXT: [6, 7]]

  %c6 = arith.constant 6 : index
  %some = memref.alloc() : memref<12xi32>
  scf.for %i = %c0 to %c12 step %c1 {
    memref.store %sentineli, %some[%i] : memref<12xi32>
  }
  uop.launch @ones(%some, %c0) : memref<12xi32>, index
  %u4 = memref.cast %some : memref<12xi32> to memref<*xi32>
  call @printMemrefI32(%u4) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [12]
  // CHECK-NEXT: [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
  uop.launch @ones(%some, %c6) : memref<12xi32>, index
  call @printMemrefI32(%u4) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [12]
  // CHECK-NEXT: [1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1]
  uop.launch @lanes(%some) : memref<12xi32>
  call @printMemrefI32(%u4) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [12]
  // CHECK-NEXT: [2, 2, 2, 2, 2, 1, -1, -1, -1, -1, -1, -1]
  return
}
