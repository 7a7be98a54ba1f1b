// The rules of graph form, in the order in which the dialect lists them.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

// Which ops there are.

uop.kernel @barrier() {
  // expected-error@+1 {{'uop.barrier' op is not allowed in graph form; write the kernel in loop form, 'uop.kernel loops'}}
  uop.barrier
}

// -----

uop.kernel @alloc() {
  // expected-error@+1 {{'uop.alloc' op is not allowed in graph form; write the kernel in loop form, 'uop.kernel loops'}}
  %0 = uop.alloc : memref<4xf32, #gpu.address_space<private>>
}

// -----

uop.kernel @phase() {
  // expected-error@+1 {{'uop.phase' op is not allowed in graph form; write the kernel in loop form, 'uop.kernel loops'}}
  uop.phase {
  }
}

// -----

uop.kernel @loop(%n: index) {
  // expected-error@+1 {{'scf.for' op is not allowed in graph form: expected uop ops and pure scalar arith and math; memory is read and written by uop.load and uop.store}}
  scf.for %i = %n to %n step %n {
  }
}

// -----

uop.kernel @foreign_memory(%a: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.load' op is not allowed in graph form: expected uop ops and pure scalar arith and math; memory is read and written by uop.load and uop.store}}
  %x = memref.load %a[%i] : memref<4xf32>
}

// -----

uop.kernel @nested() {
  // expected-error@+1 {{'uop.kernel' op symbol's parent must have the SymbolTable trait}}
  uop.kernel @inner(%a: memref<4xf32>, %x: f32) {
    %i = uop.range loop 4
    uop.store %x, %a[%i] : memref<4xf32>
  }
}

// -----

uop.kernel @terminator(%a: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  uop.store %x, %a[%i] : memref<4xf32>
  // expected-error@+1 {{'ub.unreachable' op is not allowed in graph form: expected uop ops and pure scalar arith and math; memory is read and written by uop.load and uop.store}}
  ub.unreachable
}

// -----

uop.kernel @vectors(%a: memref<4xf32>, %x: f32) {
  // expected-error@+1 {{'arith.constant' op expected scalar results in graph form, but got 'vector<4xf32>'}}
  %v = arith.constant dense<1.0> : vector<4xf32>
}

// -----

uop.kernel @dim_of_constant(%i: index) {
  // expected-error@+1 {{'memref.get_global' op is not allowed in graph form: expected uop ops and pure scalar arith and math; memory is read and written by uop.load and uop.store}}
  %m = memref.get_global @table : memref<4xf32>
}
memref.global "private" @table : memref<4xf32>

// -----

// expected-error@+1 {{'uop.kernel' op stores nothing: expected at least one uop.store}}
uop.kernel @nothing(%a: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %a[%i] : memref<4xf32>
}

// -----

// expected-error@+1 {{'uop.kernel' op stores nothing: expected at least one uop.store}}
uop.kernel @empty() {
}

// -----

// Hardware dimensions.

uop.kernel @two_blocks(%a: memref<4x4xf32>, %x: f32) {
  // expected-note@+1 {{the first range is defined here}}
  %i = uop.range global<x> 4
  // expected-note@+1 {{the second range is defined here}}
  %j = uop.range global<x> 4
  // expected-error@+1 {{'uop.store' op is free in two ranges of one hardware dimension, 'global<x> 4' and 'global<x> 4'; give one of them another dimension or a serial axis}}
  uop.store %x, %a[%i, %j] : memref<4x4xf32>
}

// -----

uop.kernel @two_threads(%a: memref<4x4xf32>) {
  // expected-note@+1 {{the first range is defined here}}
  %i = uop.range local<y> 4
  // expected-note@+1 {{the second range is defined here}}
  %r = uop.range group_reduce<y> 8
  // expected-error@+1 {{'uop.load' op is free in two ranges of one hardware dimension, 'local<y> 4' and 'group_reduce<y> 8'; give one of them another dimension or a serial axis}}
  %x = uop.load %a[%i, %r] : memref<4x4xf32>
}

// -----

// Lanes lie along x.
uop.kernel @warp_and_thread(%a: memref<4x4xf32>, %x: f32) {
  // expected-note@+1 {{the first range is defined here}}
  %i = uop.range warp 32
  // expected-note@+1 {{the second range is defined here}}
  %j = uop.range local<x> 4
  // expected-error@+1 {{'uop.store' op is free in two ranges of one hardware dimension, 'warp 32' and 'local<x> 4'; give one of them another dimension or a serial axis}}
  uop.store %x, %a[%i, %j] : memref<4x4xf32>
}

// -----

uop.kernel @two_cpu_threads(%a: memref<4x4xf32>, %x: f32, %n: index) {
  // expected-note@+1 {{the first range is defined here}}
  %i = uop.range thread %n
  // expected-note@+1 {{the second range is defined here}}
  %j = uop.range thread 4
  // expected-error@+1 {{'uop.store' op is free in two ranges of one hardware dimension, 'thread of dynamic extent' and 'thread 4'; give one of them another dimension or a serial axis}}
  uop.store %x, %a[%i, %j] : memref<4x4xf32>
}

// -----

uop.kernel @block_size(%a: memref<64x32xf32>, %x: f32) {
  %i = uop.range local<y> 64
  // expected-error@+1 {{'uop.range' op makes a block of 32x64x1 threads: expected at most 1024; give each thread more outputs, or split the range over more blocks}}
  %j = uop.range local<x> 32
  uop.store %x, %a[%i, %j] : memref<64x32xf32>
}

// -----

// 33 threads that reduce together along x take two warps.
uop.kernel @rounded_block(%in: memref<16x33xf32>, %out: memref<16xf32>) {
  // expected-note@+1 {{a reduction over threads along x rounds x up, to a power of two or to whole warps}}
  %i = uop.range group_reduce<x> 33
  // expected-error@+1 {{'uop.range' op makes a block of 64x17x1 threads: expected at most 1024; give each thread more outputs, or split the range over more blocks}}
  %j = uop.range local<y> 17
  %c0 = arith.constant 0 : index
  %x = uop.load %in[%c0, %i] : memref<16x33xf32>
  %s = uop.reduce add %x over(%i) : f32
  uop.store %s, %out[%c0] over(%j) : memref<16xf32>
}

// -----

// One range, one loop.

uop.kernel @second_loop(%a: memref<4x8xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-note@+1 {{the range is defined here}}
  %k = uop.range reduce 8
  %x = uop.load %a[%i, %k] : memref<4x8xf32>
  // expected-note@+1 {{it is closed here}}
  %sum = uop.reduce add %x over(%k) : f32
  // expected-error@+1 {{'arith.subf' op is free in 'reduce 8' and depends on a result that closed it; give the second loop its own range}}
  %d = arith.subf %x, %sum : f32
  %s = uop.reduce add %d over(%k) : f32
  uop.store %s, %out[%i] : memref<4xf32>
}

// -----

// Also where the value in between does not vary.
uop.kernel @sum_of_sums(%a: memref<4xf32>, %out: memref<f32>, %x: f32) {
  // expected-note@+1 {{the range is defined here}}
  %k = uop.range reduce 8
  // expected-note@+1 {{it is closed here}}
  %sum = uop.reduce add %x over(%k) : f32
  %twice = arith.addf %sum, %sum : f32
  // expected-error@+1 {{'uop.reduce' op is free in 'reduce 8' and depends on a result that closed it; give the second loop its own range}}
  %s = uop.reduce add %twice over(%k) : f32
  uop.store %s, %out[] : memref<f32>
}

// -----

uop.kernel @closed_and_stored(%a: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %a[%i] : memref<4xf32>
  // expected-note@+1 {{it is closed here}}
  %t = uop.stage %x over(%i) : !uop.tile<4xf32, workgroup>
  // expected-error@+1 {{'uop.store' op has 'loop 4' in its domain, which is also closed by uop.stage; a range is closed or in store domains, never both: give one of them its own range}}
  uop.store %x, %out[%i] : memref<4xf32>
}

// -----

uop.kernel @identity(%a: memref<4xf32>, %out: memref<f32>) {
  %k = uop.range reduce 4
  %x = uop.load %a[%k] : memref<4xf32>
  // expected-error@+1 {{'uop.reduce' op expected the identities not to depend on the ranges in 'over', but one is free in 'reduce 4'}}
  %s = uop.reduce (%x) init(%x) over(%k) combine (%p: f32, %q: f32) {
    uop.yield %p : f32
  } : f32
  uop.store %s, %out[] : memref<f32>
}

// -----

// Domains.

uop.kernel @not_in_domain(%a: memref<4x4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-note@+1 {{the range is defined here}}
  %j = uop.range loop 4
  %x = uop.load %a[%i, %j] : memref<4x4xf32>
  // expected-error@+1 {{'uop.store' op is free in 'loop 4', which is not in its domain; add it to 'over', or close it with uop.reduce}}
  uop.store %x, %out[%i] over(%i) : memref<4xf32>
}

// -----

uop.kernel @mask_not_in_domain(%m: memref<4xi1>, %out: memref<f32>, %x: f32) {
  // expected-note@+1 {{the range is defined here}}
  %j = uop.range loop 4
  %mask = uop.load %m[%j] : memref<4xi1>
  // expected-error@+1 {{'uop.store' op is free in 'loop 4', which is not in its domain; add it to 'over', or close it with uop.reduce}}
  uop.store %x, %out[] over() mask %mask : memref<f32>
}

// -----

uop.kernel @reduce_axis_in_domain(%a: memref<4xf32>, %out: memref<4xf32>) {
  // expected-note@+1 {{the range is defined here}}
  %k = uop.range reduce 4
  %x = uop.load %a[%k] : memref<4xf32>
  // expected-error@+1 {{'uop.store' op expected output axes in its domain, but got 'reduce 4'; close it with uop.reduce, or give it an output axis}}
  uop.store %x, %out[%k] : memref<4xf32>
}

// -----

uop.kernel @fragment(%a: memref<4xf32>, %out: memref<4xf32>) {
  // expected-note@+1 {{the range is defined here}}
  %k = uop.range fragment 4
  %x = uop.load %a[%k] : memref<4xf32>
  // expected-error@+1 {{'uop.store' op expected output axes in its domain, but got 'fragment 4'; close it with uop.reduce, or give it an output axis}}
  uop.store %x, %out[%k] : memref<4xf32>
}

// -----

// i + j is 1 at (0, 1) and at (1, 0).
uop.kernel @diagonals(%out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 2
  %j = uop.range loop 2
  %d = arith.addi %i, %j : index
  // expected-error@+1 {{'uop.store' op writes one element at two points of its domain, (0, 1) and (1, 0); make the indices injective, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%d] : memref<4xf32>
}

// -----

// A mask that lets one element of the next row through.
uop.kernel @mask_too_wide(%out: memref<201xf32>, %x: f32) {
  %i = uop.range loop 2
  %j = uop.range loop 128
  %c100 = arith.constant 100 : index
  %in = arith.cmpi sle, %j, %c100 : index
  %row = arith.muli %i, %c100 : index
  %at = arith.addi %row, %j : index
  // expected-error@+1 {{'uop.store' op writes one element at two points of its domain, (0, 100) and (1, 0); make the indices injective, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%at] mask %in : memref<201xf32>
}

// -----

// Two points have one element, but on data depends whether they are written.
uop.kernel @mask_of_data(%out: memref<4xf32>, %flags: memref<8xi1>, %x: f32) {
  %i = uop.range loop 8
  %c2 = arith.constant 2 : index
  %h = uop.floordiv %i, %c2
  %flag = uop.load %flags[%i] : memref<8xi1>
  // expected-error@+1 {{'uop.store' op has indices that cannot be proved injective over its domain; mark the store 'unique' if no two points write one element, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%h] mask %flag : memref<4xf32>
}

// -----

// A range that the indices lack repeats each element.
uop.kernel @lacking(%out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  %j = uop.range loop 2
  // expected-error@+1 {{'uop.store' op writes one element at two points of its domain, (3, 0) and (3, 1); make the indices injective, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%i] over(%i, %j) : memref<4xf32>
}

// -----

uop.kernel @scatter(%at: memref<4xi32>, %out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  %v = uop.load %at[%i] : memref<4xi32>
  %j = arith.index_cast %v : i32 to index
  // expected-error@+1 {{'uop.store' op has indices that cannot be proved injective over its domain; mark the store 'unique' if no two points write one element, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%j] : memref<4xf32>
}

// -----

// i * (10000 * 2^60) overflows the coefficients of the solver.
uop.kernel @huge_strides(%out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  %c = arith.constant 1152921504606846976 : index
  %j = arith.muli %i, %c : index
  %k = arith.muli %j, %c : index
  // expected-error@+1 {{'uop.store' op has indices that cannot be proved injective over its domain; mark the store 'unique' if no two points write one element, or accumulate with a kind such as 'add'}}
  uop.store %x, %out[%k] : memref<4xf32>
}

// -----

// Memory: several stores to one buffer.

uop.kernel @overlapping_stores(%out: memref<8xf32>, %x: f32) {
  %i = uop.range loop 4
  %j = uop.range loop 4
  %c3 = arith.constant 3 : index
  %at = arith.addi %j, %c3 : index
  // expected-note@+1 {{the first store is here}}
  uop.store %x, %out[%i] : memref<8xf32>
  // expected-error@+1 {{'uop.store' op writes at point (0) an element that another store writes at point (3); expected two stores to one buffer to have equal domains and indices, or to be disjoint}}
  uop.store %x, %out[%at] : memref<8xf32>
}

// -----

uop.kernel @maybe_overlapping_stores(%out: memref<?xf32>, %x: f32, %n: index) {
  %i = uop.range loop 4
  %j = uop.range loop 4
  %at = arith.addi %j, %n : index
  // expected-note@+1 {{the first store is here}}
  uop.store %x, %out[%i] : memref<?xf32>
  // expected-error@+1 {{'uop.store' op cannot be proved disjoint from another store to its buffer; mark both 'unique' if no element is written twice}}
  uop.store %x, %out[%at] : memref<?xf32>
}

// -----

uop.kernel @mixed_stores(%out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-note@+1 {{the first store is here}}
  uop.store %x, %out[%i] : memref<4xf32>
  // expected-error@+1 {{'uop.store' op stores to a buffer that another store writes in another way; expected one accumulating kind for all stores of a buffer}}
  uop.store add %x, %out[%i] : memref<4xf32>
}

// -----

uop.kernel @mixed_kinds(%out: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-note@+1 {{the first store is here}}
  uop.store mul %x, %out[%i] : memref<4xf32>
  // expected-error@+1 {{'uop.store' op stores to a buffer that another store writes in another way; expected one accumulating kind for all stores of a buffer}}
  uop.store add %x, %out[%i] : memref<4xf32>
}

// -----

// Memory: a buffer that is loaded and stored.

uop.kernel @flip(%a: memref<8xf32>) {
  %i = uop.range loop 8
  %c7 = arith.constant 7 : index
  %j = arith.subi %c7, %i : index
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, at indices other than those of the store; read a copy of the buffer instead}}
  %x = uop.load %a[%j] : memref<8xf32>
  // expected-note@+1 {{the store is here}}
  uop.store %x, %a[%i] : memref<8xf32>
}

// -----

uop.kernel @load_and_accumulate(%a: memref<8xf32>) {
  %i = uop.range loop 8
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, and accumulates into; read a copy of the buffer instead}}
  %x = uop.load %a[%i] : memref<8xf32>
  // expected-note@+1 {{the store is here}}
  uop.store add %x, %a[%i] : memref<8xf32>
}

// -----

// Every point of %j would read what the store of another has overwritten.
uop.kernel @other_domain(%a: memref<8x2xf32>, %out: memref<8x2xf32>) {
  %i = uop.range loop 8
  %j = uop.range loop 2
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, but the value also goes to a store with another domain; read a copy of the buffer instead}}
  %x = uop.load %a[%i, %c0] : memref<8x2xf32>
  uop.store %x, %a[%i, %c0] : memref<8x2xf32>
  // expected-note@+1 {{the store is here}}
  uop.store %x, %out[%i, %j] : memref<8x2xf32>
}

// -----

// The load is free in a range that the store lacks.
uop.kernel @load_in_reduction(%a: memref<8xf32>, %m: memref<4xi1>) {
  %i = uop.range loop 8
  %k = uop.range reduce 4
  %mask = uop.load %m[%k] : memref<4xi1>
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, but is not free in exactly the domain of the store; read a copy of the buffer instead}}
  %x = uop.load %a[%i] mask %mask : memref<8xf32>
  %s = uop.reduce add %x over(%k) : f32
  // expected-note@+1 {{the store is here}}
  uop.store %s, %a[%i] : memref<8xf32>
}

// -----

// Ranges of equal extent are two loops: the indices are not equal.
uop.kernel @twin_ranges(%a: memref<8xf32>) {
  %i = uop.range loop 8
  %j = uop.range reduce 8
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, at indices other than those of the store; read a copy of the buffer instead}}
  %x = uop.load %a[%j] : memref<8xf32>
  %s = uop.reduce add %x over(%j) : f32
  // expected-note@+1 {{the store is here}}
  uop.store %s, %a[%i] : memref<8xf32>
}

// -----

uop.kernel @store_domains(%a: memref<8xf32>) {
  %i = uop.range loop 8
  %one = uop.range loop 1
  // expected-error@+1 {{'uop.load' op reads a buffer that the kernel stores to, and its stores have different domains; read a copy of the buffer instead}}
  %x = uop.load %a[%i] : memref<8xf32>
  uop.store %x, %a[%i] unique : memref<8xf32>
  // expected-note@+1 {{the store is here}}
  uop.store %x, %a[%i] over(%i, %one) unique : memref<8xf32>
}

// -----

// Stages.

uop.kernel @tile_user(%x: f32, %out: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+2 {{'builtin.unrealized_conversion_cast' op is not allowed in graph form}}
  %t = uop.stage %x over(%i) : !uop.tile<4xf32, private>
  %u = builtin.unrealized_conversion_cast %t : !uop.tile<4xf32, private> to i32
}

// -----

uop.kernel @stage_repeats(%x: f32, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %c2 = arith.constant 2 : index
  %h = uop.floordiv %i, %c2
  // expected-error@+1 {{'uop.stage' op has indices that are not provably injective over the ranges that it closes}}
  %t = uop.stage %x[%h] over(%i) : !uop.tile<4xf32, private>
  %j = uop.range loop 4
  uop.store %x, %out[%j] : memref<4xf32>
}

// -----

uop.kernel @stage_outside(%x: f32, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %c2 = arith.constant 2 : index
  %h = arith.muli %i, %c2 : index
  // expected-error@+1 {{'uop.stage' op writes outside of its tile: expected index #0 in [0, 6), but its bounds are [0, 6]}}
  %t = uop.stage %x[%h] over(%i) : !uop.tile<6xf32, private>
  %j = uop.range loop 4
  uop.store %x, %out[%j] : memref<4xf32>
}

// -----

uop.kernel @stage_index(%x: f32, %out: memref<4x4xf32>) {
  %l = uop.range local<x> 4
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.stage' op has an index that is free in 'local<x> 4', which it does not close}}
  %t = uop.stage %x[%l, %i] over(%i) : !uop.tile<4x4xf32, private>
  %j = uop.range loop 4
  uop.store %x, %out[%l, %j] : memref<4x4xf32>
}

// -----

uop.kernel @stage_varies(%a: memref<4x4xf32>, %out: memref<4x4xf32>) {
  // expected-note@+1 {{the range is defined here}}
  %l = uop.range local<x> 4
  %i = uop.range loop 4
  %x = uop.load %a[%l, %i] : memref<4x4xf32>
  // expected-error@+1 {{'uop.stage' op is a workgroup tile and free in 'local<x> 4': expected its value not to vary between the threads of a block; close the range, or stage in private memory}}
  %t = uop.stage %x over(%i) : !uop.tile<4xf32, workgroup>
  %j = uop.range serial 4
  %y = uop.load %t[%j] : !uop.tile<4xf32, workgroup>
  uop.store %y, %out[%l, %j] : memref<4x4xf32>
}

// -----

uop.kernel @group_reduction_inside(%a: memref<4x8xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %r = uop.range group_reduce<x> 8
  %x = uop.load %a[%i, %r] : memref<4x8xf32>
  // expected-note@+1 {{it is here}}
  %s = uop.reduce add %x over(%r) : f32
  // expected-error@+1 {{'uop.stage' op closes 'loop 4', in which a group reduction inside it is free: all threads of the block take part in that, but each copies other points}}
  %t = uop.stage %s over(%i) : !uop.tile<4xf32, workgroup>
  %l = uop.range local<x> 4
  %y = uop.load %t[%l] : !uop.tile<4xf32, workgroup>
  uop.store %y, %out[%l] : memref<4xf32>
}

// -----

uop.kernel @stage_inside(%a: memref<4x8xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range loop 8
  %x = uop.load %a[%i, %k] : memref<4x8xf32>
  // expected-note@+1 {{it is here}}
  %t = uop.stage %x over(%k) : !uop.tile<8xf32, workgroup>
  %c0 = arith.constant 0 : index
  %y = uop.load %t[%c0] : !uop.tile<8xf32, workgroup>
  // expected-error@+1 {{'uop.stage' op closes 'loop 4', in which a workgroup stage inside it is free: all threads of the block take part in that, but each copies other points}}
  %u = uop.stage %y over(%i) : !uop.tile<4xf32, workgroup>
  %l = uop.range local<x> 4
  %z = uop.load %u[%l] : !uop.tile<4xf32, workgroup>
  uop.store %z, %out[%l] : memref<4xf32>
}
