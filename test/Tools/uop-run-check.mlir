// What checked mode finds besides races, operation by operation: elements that
// are out of bounds, and are then not accessed; misaligned wide accesses; masks,
// which guard; copies. See Inputs/check.py in test/Integration for the lines.
// DEFINE: %{check} = %python %S/../Integration/Inputs/check.py uop-run %s

!s33 = memref<33xf32, #gpu.address_space<workgroup>>
!s32 = memref<32xf32, #gpu.address_space<workgroup>>
!s4x8 = memref<4x8xf32, #gpu.address_space<workgroup>>
!s64i8 = memref<64xi8, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

// Each index against its own size: element [0, 8] of 4x8 is none, although it
// would be the memory of [1, 0]. It is not stored, and what is loaded is zero.
// RUN: %{check} -e each_index iota nan --save 1=%t.npy | FileCheck %s --match-full-lines --check-prefix=INDEX
// INDEX: out-of-bounds x4 memref.store %s[0, 8] (7, 0, 0)/(0, 0, 0)
// INDEX-NEXT: uninitialized-read x4 memref.load %s[0, 0] (0, 0, 0)/(0, 0, 0)
// INDEX-NOT: {{.}}
uop.kernel loops @each_index(%x: memref<4x8xf32>, %o: memref<4x8xf32>) {
  %t = uop.range local<x> 8
  %r = uop.range local<y> 4
  %c1 = arith.constant 1 : index
  %u = arith.addi %t, %c1 : index
  %s = uop.alloc : !s4x8
  %v = memref.load %x[%r, %t] : memref<4x8xf32>
  memref.store %v, %s[%r, %u] : !s4x8
  uop.barrier
  %w = memref.load %s[%r, %t] : !s4x8
  memref.store %w, %o[%r, %t] : memref<4x8xf32>
}

// A negative index, and memory of one thread.
// RUN: %{check} -e below iota nan | FileCheck %s --match-full-lines --check-prefix=BELOW
// BELOW: out-of-bounds x1 memref.load %x[-1] (0, 0, 0)/(0, 0, 0)
// BELOW-NEXT: out-of-bounds x32 memref.store %p[4] (0, 0, 0)/(0, 0, 0)
// BELOW-NOT: {{.}}
uop.kernel loops @below(%x: memref<32xf32>, %o: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = uop.alloc : memref<4xf32, #gpu.address_space<private>>
  %i = arith.subi %t, %c1 : index
  %v = memref.load %x[%i] : memref<32xf32>
  memref.store %v, %p[%c4] : memref<4xf32, #gpu.address_space<private>>
  memref.store %v, %o[%t] : memref<32xf32>
}

// Sizes that are known when it runs: n is one more than there are elements.
// RUN: %{check} -e dynamic 33 iota:32 nan:32 | FileCheck %s --match-full-lines --check-prefix=DYNAMIC
// RUN: uop-run %s -e dynamic 32 iota:32 nan:32 --check 2>&1 | count 0
// DYNAMIC: out-of-bounds x1 memref.load %x[32] (32, 0, 0)/(0, 0, 0)
// DYNAMIC-NEXT: out-of-bounds x1 memref.store %o[32] (32, 0, 0)/(0, 0, 0)
// DYNAMIC-NOT: {{.}}
uop.kernel loops @dynamic(%n: index, %x: memref<?xf32>, %o: memref<?xf32>) {
  %t = uop.range local<x> 64
  %in = arith.cmpi slt, %t, %n : index
  scf.if %in {
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %o[%t] : memref<?xf32>
  }
}

// A row of four elements that begins at the last but one; and one that says that
// it is aligned, and is not.
// RUN: %{check} -e wide iota nan | FileCheck %s --match-full-lines --check-prefix=WIDE
// WIDE: misaligned x1 vector.store %o[9] (2, 0, 0)/(0, 0, 0)
// WIDE-NEXT: out-of-bounds x1 vector.load %x[16] (1, 0, 0)/(0, 0, 0)
// WIDE-NOT: {{.}}
uop.kernel loops @wide(%x: memref<16xf32>, %o: memref<16xf32>) {
  %t = uop.range local<x> 3
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  %isOne = arith.cmpi eq, %t, %c1 : index
  %i = arith.select %isOne, %c13, %t : index
  %v = vector.load %x[%i] : memref<16xf32>, vector<4xf32>
  %isTwo = arith.cmpi eq, %t, %c2 : index
  %j0 = arith.muli %t, %c4 : index
  %j1 = arith.addi %j0, %c1 : index
  %j = arith.select %isTwo, %j1, %j0 : index
  vector.store %v, %o[%j] {alignment = 16} : memref<16xf32>, vector<4xf32>
}

// A mask guards. Vectors that overlap in several elements are one pair.
// RUN: %{check} -e masked iota nan | FileCheck %s --match-full-lines --check-prefix=MASKED
// MASKED: out-of-bounds x2 vector.maskedload %x[34] (1, 0, 0)/(0, 0, 0)
// MASKED-NEXT: race shared same-warp x1 vector.store vector.store %s[2] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// MASKED-NOT: {{.}}
uop.kernel loops @masked(%x: memref<34xf32>, %o: memref<4xf32>) {
  %t = uop.range local<x> 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !s32
  %zero = arith.constant dense<0.0> : vector<4xf32>
  // Thread 0 has two elements, thread 1 all four.
  %t2 = arith.muli %t, %c2 : index
  %n = arith.addi %t2, %c2 : index
  %mask = vector.create_mask %n : vector<4xi1>
  %v = vector.maskedload %x[%c32], %mask, %zero : memref<34xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %v, %s[%t2] : !s32, vector<4xf32>
}

// Elements at indices of a vector; a transfer that pads and one that does not.
// RUN: %{check} -e gathered iota nan | FileCheck %s --match-full-lines --check-prefix=GATHERED
// GATHERED: out-of-bounds x1 vector.gather %x[9] (0, 0, 0)/(0, 0, 0)
// GATHERED-NEXT: out-of-bounds x2 vector.transfer_read %x[8] (0, 0, 0)/(0, 0, 0)
// GATHERED-NOT: {{.}}
uop.kernel loops @gathered(%x: memref<8xf32>, %o: memref<4xf32>) {
  %t = uop.range local<x> 1
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %f = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %at = arith.constant dense<[0, 3, 9, 20]> : vector<4xindex>
  %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  %v = vector.gather %x[%c0] [%at], %mask, %zero : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %p = vector.transfer_read %x[%c6], %f : memref<8xf32>, vector<4xf32>
  %q = vector.transfer_read %x[%c6], %f {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  %pv = arith.addf %p, %v : vector<4xf32>
  %r = arith.addf %pv, %q : vector<4xf32>
  vector.store %r, %o[%c0] : memref<4xf32>, vector<4xf32>
}

// A copy that is waited for is there for the thread, and after a barrier for all.
// RUN: uop-run %s -e copied iota nan --check 2>&1 | count 0
uop.kernel loops @copied(%a: memref<64xf32>, %c: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c31 = arith.constant 31 : index
  %r = arith.subi %c31, %t : index
  %s = uop.alloc : !s32
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s32
  %g = nvgpu.device_async_create_group %p
  nvgpu.device_async_wait %g
  uop.barrier
  %v = memref.load %s[%r] : !s32
  memref.store %v, %c[%t] : memref<32xf32>
}

// A barrier before the wait does not help, and neither does one after the read:
// a copy is under way from its issue to its wait.
// RUN: %{check} -e under_way iota nan | FileCheck %s --match-full-lines --check-prefix=COPY
// COPY: race shared same-warp x32 memref.load nvgpu.device_async_copy %s[0] (31, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// COPY-NEXT: uninitialized-read x32 memref.load %s[31] (0, 0, 0)/(0, 0, 0)
// COPY-NOT: {{.}}
uop.kernel loops @under_way(%a: memref<64xf32>, %c: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c31 = arith.constant 31 : index
  %r = arith.subi %c31, %t : index
  %s = uop.alloc : !s32
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s32
  %g = nvgpu.device_async_create_group %p
  uop.barrier
  %v = memref.load %s[%r] : !s32
  uop.barrier
  nvgpu.device_async_wait %g
  memref.store %v, %c[%t] : memref<32xf32>
}

// Bytes of a word through a view of another type.
// RUN: %{check} -e bytes nan | FileCheck %s --match-full-lines --check-prefix=BYTES
// BYTES: race shared same-warp x15 memref.load memref.store %s[1] (1, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// BYTES-NOT: {{.}}
uop.kernel loops @bytes(%o: memref<64xi8>) {
  %t = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %s = uop.alloc : !s64i8
  %w = memref.view %s[%c0][] : !s64i8 to memref<16xi32, #gpu.address_space<workgroup>>
  %i = arith.index_cast %t : index to i32
  memref.store %i, %w[%t] : memref<16xi32, #gpu.address_space<workgroup>>
  %b = memref.load %s[%t] : !s64i8
  memref.store %b, %o[%t] : memref<64xi8>
}

// Index arithmetic in 32 bits that overflows; what a remainder is taken of may
// wrap, as a hash does.
// RUN: %{check} -e narrow iota nan | FileCheck %s --match-full-lines --check-prefix=NARROW
// NARROW: index-overflow x1 arith.muli
// NARROW-NEXT: out-of-bounds x1 memref.load %x[-2147483648] (2, 0, 0)/(0, 0, 0)
// NARROW-NOT: {{.}}
uop.kernel loops @narrow(%x: memref<8xf32>, %o: memref<4xf32>) {
  %t = uop.range local<x> 3
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %large = arith.constant 0x40000000 : i32
  %i = arith.index_cast %t : index to i32
  %isTwo = arith.cmpi eq, %i, %c2 : i32
  %j = arith.muli %i, %large : i32
  %k = arith.select %isTwo, %j, %c0 : i32
  %at = arith.index_cast %k : i32 to index
  %v = memref.load %x[%at] : memref<8xf32>
  %h0 = arith.muli %j, %j : i32
  %h = arith.remui %h0, %c8 : i32
  %hash = arith.index_castui %h : i32 to index
  %w = memref.load %x[%hash] : memref<8xf32>
  %sum = arith.addf %v, %w : f32
  memref.store %sum, %o[%t] : memref<4xf32>
}

// A shuffle in a block of 40: the threads from 32 on find 8 lanes.
// RUN: %{check} -e lanes iota nan | FileCheck %s --match-full-lines --check-prefix=LANES
// LANES: inactive-lane x8 gpu.shuffle
// LANES-NOT: {{.}}
uop.kernel loops @lanes(%x: memref<40xf32>, %o: memref<40xf32>) {
  %t = uop.range local<x> 40
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %v = memref.load %x[%t] : memref<40xf32>
  %w, %valid = gpu.shuffle down %v, %c8, %c32 : f32
  memref.store %w, %o[%t] : memref<40xf32>
}

// Neighbours in one phase; what is zeroed may be read.
// RUN: %{check} -e phase nan | FileCheck %s --match-full-lines --check-prefix=PHASE
// PHASE: race shared same-warp x31 memref.load memref.store %s[1] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// PHASE-NOT: {{.}}
uop.kernel loops @phase(%o: memref<32xf32>) {
  %s = uop.alloc zero : !s33
  uop.phase {
    %t = uop.range local<x> 32
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    %v = memref.load %s[%i] : !s33
    memref.store %v, %s[%t] : !s33
    memref.store %v, %o[%t] : memref<32xf32>
  }
}

// Two arguments that are one memory: what seems to be read only is written.
// RUN: %{check} -e aliased iota | FileCheck %s --match-full-lines --check-prefix=ALIASED
// ALIASED: race global same-warp x15 memref.load memref.store {{.*}} (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// ALIASED-NOT: {{.}}
gpu.module @kernels {
  gpu.func @shift(%x: memref<17xf32>, %y: memref<17xf32>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    %v = memref.load %x[%i] : memref<17xf32>
    memref.store %v, %y[%t] : memref<17xf32>
    gpu.return
  }

  gpu.func @endless(%x: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    scf.while : () -> () {
      %v = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<1xi32>) -> i32
      %go = arith.cmpi sge, %v, %v : i32
      scf.condition(%go)
    } do {
      scf.yield
    }
    gpu.return
  }
}

func.func @aliased(%x: memref<17xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @kernels::@shift blocks in (%c1, %c1, %c1)
      threads in (%c16, %c1, %c1) args(%x : memref<17xf32>, %x : memref<17xf32>)
  return
}

// A loop that does not end, as of a block that waits for another one.
// RUN: %{check} -e stuck zeros --step-limit=1000 | FileCheck %s --match-full-lines --check-prefix=STUCK
// STUCK: step-limit x1 scf.while
func.func @stuck(%x: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@endless blocks in (%c1, %c1, %c1)
      threads in (%c1, %c1, %c1) args(%x : memref<1xi32>)
  return
}

// The first and the last block of eight: the others are not run.
// RUN: uop-run %s -e blocks nan --check --sample --save %t.npy
// RUN: uop-run %s -e firstAndLast nan --compare %t.npy | FileCheck %s --check-prefix=SAMPLE
// SAMPLE: equal: argument #0
uop.kernel loops @blocks(%o: memref<2x4xi32>) {
  %x = uop.range global<x> 4
  %y = uop.range global<y> 2
  %one = arith.constant 1 : i32
  memref.store %one, %o[%y, %x] : memref<2x4xi32>
}

func.func @firstAndLast(%o: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  memref.store %one, %o[%c0, %c0] : memref<2x4xi32>
  memref.store %one, %o[%c1, %c3] : memref<2x4xi32>
  return
}

// What a user reads: the source lines, and what would order the two.
// RUN: not uop-run %s -e bytes nan --check 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: uop-run-check.mlir:[[#]]:8: error: @bytes: data race on shared memory (same-warp, 15 pairs): thread (1, 0, 0) of block (0, 0, 0) reads %s[1] and thread (0, 0, 0) writes it, in no order
// TEXT-NEXT: %b = memref.load %s[%t] : !s64i8
// TEXT-NEXT: {{^ +\^}}
// TEXT-NEXT: uop-run-check.mlir:[[#]]:3: note: the other access, by memref.store, is here
// TEXT-NEXT: memref.store %i, %w[%t]
// TEXT: note: a barrier of the block between the two would order them
// RUN: not uop-run %s -e stuck zeros --check --step-limit=1000 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: @endless: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 1000 iterations and is in this loop

// Graph form is mapped and lowered first; what is staged is copied ahead.
// RUN: uop-run %s -e product rand rand nan --check 2>&1 | count 0
uop.kernel @product(%A: memref<48x32xf32>, %B: memref<32x48xf32>,
                    %C: memref<48x48xf32>) {
  %m = uop.range loop 48
  %n = uop.range loop 48
  %k = uop.range reduce 32
  %a = uop.load %A[%m, %k] : memref<48x32xf32>
  %b = uop.load %B[%k, %n] : memref<32x48xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<48x48xf32>
}

// RUN: not uop-run %s -e bytes nan --sample 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: uop-run: error: --sample is about --check, which is missing
// RUN: not uop-run %s -e bytes nan --check --device=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: uop-run: error: --check: plain CPU loops have no blocks and barriers; leave out --device=cpu
// RUN: not uop-run %s -e product rand rand nan --check --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: uop-run: error: --check: the reference interpreter has no threads; leave out --reference
// RUN: not uop-run %s -e bytes nan --check --time 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: uop-run: error: --check runs once, and slowly: leave out --time
// RUN: not uop-run %s -e bytes nan --check --check-json=%t/no/where.json 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: uop-run: error: {{.*}}where.json

}
