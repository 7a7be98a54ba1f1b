// Index arithmetic in 32 bits where its bounds prove that it fits.
// RUN: uop-opt %s -split-input-file --pass-pipeline="builtin.module(gpu.module(uop-narrow-index,canonicalize,cse))" | FileCheck %s

// 128 blocks of 64 threads: at most 8191.
// CHECK-LABEL: gpu.func @fits
// CHECK: arith.muli %{{.*}} : i32
// CHECK: arith.addi %{{.*}} : i32
// CHECK: arith.remsi %{{.*}} : i32
// CHECK-NOT: arith.{{(mul|add|rem).*}} : index
gpu.module @fits {
  gpu.func @fits(%x: memref<48xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 128, 1, 1>} {
    %c64 = arith.constant 64 : index
    %c48 = arith.constant 48 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %b, %c64 : index
    %i = arith.addi %o, %t : index
    %r = arith.remsi %i, %c48 : index
    memref.store %i, %x[%r] : memref<48xindex>
    gpu.return
  }
}

// -----

// 3,000,000 blocks of 1024 threads: more than 2^31, less than 2^32. A signed
// remainder of such a value differs between the widths.
// CHECK-LABEL: gpu.func @unsigned_only
// CHECK-NOT: {{arith.*: i32|to i32}}
// CHECK: gpu.return
gpu.module @unsigned_only {
  gpu.func @unsigned_only(%x: memref<48xindex>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 3000000, 1, 1>} {
    %c1024 = arith.constant 1024 : index
    %c48 = arith.constant 48 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %b, %c1024 : index
    %i = arith.addi %o, %t : index
    %r = arith.remsi %i, %c48 : index
    memref.store %i, %x[%r] : memref<48xindex>
    gpu.return
  }
}

// -----

// A shift by up to 40 is undefined in 32 bits, though the result would fit.
// CHECK-LABEL: gpu.func @shift
// CHECK: arith.shrui %{{.*}} : index
// CHECK: arith.shrui %{{.*}} : i32
gpu.module @shift {
  gpu.func @shift(%x: memref<1xindex>, %n: i8) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c40 = arith.constant 40 : index
    %t = gpu.thread_id x
    %a = arith.index_castui %n : i8 to index
    %m = arith.minui %a, %c40 : index
    %s = arith.shrui %t, %m : index
    memref.store %s, %x[%c0] : memref<1xindex>
    %u = arith.shrui %t, %c5 : index
    memref.store %u, %x[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

// A negative number is a large one to an unsigned operation, and how large
// depends on the width; the sum may be negative and is extended by its sign.
// CHECK-LABEL: gpu.func @negative
// CHECK: %[[S:.*]] = arith.subi %{{.*}} : i32
// CHECK: %[[W:.*]] = arith.index_cast %[[S]] : i32 to index
// CHECK: arith.divui %[[W]], %{{.*}} : index
gpu.module @negative {
  gpu.func @negative(%x: memref<1xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %d = arith.subi %t, %c32 : index
    %q = arith.divui %d, %c32 : index
    memref.store %q, %x[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

// Data of type i64 are the user's; nothing is known of an argument.
// CHECK-LABEL: gpu.func @data
// CHECK: arith.addi %{{.*}} : i64
// CHECK: arith.addi %{{.*}} : index
gpu.module @data {
  gpu.func @data(%x: memref<1xi64>, %y: memref<1xindex>, %v: i64, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %a = arith.addi %v, %v : i64
    memref.store %a, %x[%c0] : memref<1xi64>
    %b = arith.addi %n, %n : index
    memref.store %b, %y[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

// A constant that is added last is the offset of the access, in the width of an
// address: neighbours have one base.
// CHECK-LABEL: gpu.func @neighbours
// CHECK: %[[BASE32:.*]] = arith.muli %{{.*}} : i32
// CHECK: %[[BASE:.*]] = arith.index_castui %[[BASE32]] : i32 to index
// CHECK: %[[NEXT:.*]] = arith.addi %[[BASE]], %{{.*}} : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[BASE]]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[NEXT]]]
gpu.module @neighbours {
  gpu.func @neighbours(%x: memref<128xf32>, %v: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c2 : index
    %j = arith.addi %i, %c1 : index
    memref.store %v, %x[%i] : memref<128xf32>
    memref.store %v, %x[%j] : memref<128xf32>
    gpu.return
  }
}

// -----

// A loop counts in 32 bits, if it does so beyond its last iteration as well, and
// nothing is divided in it: LLVM would count in 64 bits what is.
// CHECK-LABEL: gpu.func @counts
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]*}} {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]*}} {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]*}} {
gpu.module @counts {
  gpu.func @counts(%x: memref<?xindex>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 128, 1, 1>} {
    %below = arith.constant -4 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c256 = arith.constant 256 : index
    %most = arith.constant 2147483645 : index
    %more = arith.constant 2147483646 : index
    scf.for %i = %below to %c256 step %c2 {
      %j = arith.muli %i, %i : index
      memref.store %i, %x[%j] : memref<?xindex>
    }
    scf.for %i = %c0 to %most step %c2 {
      memref.store %i, %x[%i] : memref<?xindex>
    }
    scf.for %i = %c0 to %more step %c2 {
      memref.store %i, %x[%i] : memref<?xindex>
    }
    scf.for %i = %c0 to %n step %c2 {
      memref.store %i, %x[%i] : memref<?xindex>
    }
    scf.for %i = %c0 to %c256 step %c2 {
      %j = arith.remui %i, %c3 : index
      memref.store %i, %x[%j] : memref<?xindex>
    }
    gpu.return
  }
}
