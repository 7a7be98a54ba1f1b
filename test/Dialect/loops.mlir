// What loop form allows, next to what loops-invalid.mlir shows.
// RUN: uop-opt %s --verify-diagnostics

// A barrier under control flow that is equal for all threads, or not known.
uop.kernel loops @uniform(%n: index, %c: i1, %flag: memref<32xi1>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      uop.barrier
    }
  }
  // By the block.
  %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    uop.barrier
  }
  // True of every thread.
  %all = arith.cmpi slt, %t, %c32 : index
  scf.if %all {
    uop.barrier
  }
  // Other iterations for each thread, but as many.
  scf.for %i = %t to %c128 step %c32 {
    uop.barrier
  }
  %end = arith.addi %t, %c32 : index
  scf.for %i = %t to %end step %c1 {
    uop.barrier
  }
  // From memory: checked when it runs.
  %unknown = memref.load %flag[%t] : memref<32xi1>
  scf.if %unknown {
    uop.barrier
  }
}

// Data wraps: 2^31 + t - 2^31 is less than 32 for all threads.
uop.kernel loops @wraps() {
  %t = uop.range local<x> 32
  %t32 = arith.index_cast %t : index to i32
  %big = arith.constant 0x7fffffff : i32
  %one = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %p = arith.addi %t32, %big : i32
  %q = arith.addi %p, %one : i32
  %r = arith.subi %q, %big : i32
  %s = arith.subi %r, %one : i32
  %all = arith.cmpi ult, %s, %c32 : i32
  scf.if %all {
    uop.barrier
  }
}

// true is true, however it was come by.
uop.kernel loops @bits() {
  %t = uop.range local<x> 32
  %true = arith.constant true
  %c16 = arith.constant 16 : index
  %low = arith.cmpi ult, %t, %c16 : index
  %high = arith.xori %low, %true : i1
  %any = arith.ori %low, %high : i1
  %same = arith.cmpi eq, %any, %true : i1
  %either = arith.select %low, %true, %high : i1
  scf.if %same {
    scf.if %either {
      uop.barrier
    }
  }
}

// A condition out of a vector is not followed.
uop.kernel loops @not_followed() {
  %t = uop.range local<x> 4
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %w = arith.cmpi slt, %v, %v : vector<4xi32>
  %c = vector.extract %w[%t] : i1 from vector<4xi1>
  scf.if %c {
    uop.barrier
  }
}

// A shuffle stands where a barrier may stand.
uop.kernel loops @shuffle(%x: memref<32xf32>, %n: index) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %v = memref.load %x[%t] : memref<32xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %other, %valid = gpu.shuffle xor %a, %one, %width : f32
    %next = arith.addf %a, %other : f32
    scf.yield %next : f32
  }
  memref.store %sum, %x[%t] : memref<32xf32>
}
