// Opts that cannot be applied, each with the way out.
// RUN: uop-opt %s --uop-gpu-map --split-input-file --verify-diagnostics

// expected-error@+1 {{cannot map @unknown_axis: LOCAL 2:16 names output axis 2, but the kernel has 2 output axes, 0 to 1}}
uop.kernel @unknown_axis(%out: memref<8x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 2:16]>} {
  %i = uop.range loop 8
  %j = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @no_axis: UPCAST 0:2 names output axis 0, but the kernel has no output axes}}
uop.kernel @no_axis(%out: memref<i32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:2]>} {
  %one = arith.constant 1 : i32
  uop.store %one, %out[] : memref<i32>
}

// -----

// expected-error@+1 {{cannot map @unknown_reduce_axis: UNROLL 1:2 names reduce axis 1, but the kernel has one reduce axis, 0}}
uop.kernel @unknown_reduce_axis(%in: memref<8xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[UNROLL 1:2]>} {
  %i = uop.range reduce 8
  %x = uop.load %in[%i] : memref<8xi32>
  %s = uop.reduce add %x over(%i) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// expected-error@+1 {{cannot map @zero: LOCAL 0:0 has an amount of 0: expected at least 1}}
uop.kernel @zero(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:0]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @twice: LOCAL is given twice for output axis 0, 2 and 4; give the amount that you mean once}}
uop.kernel @twice(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:2, LOCAL 0:4]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @taken: LOCAL 1:8 expects output axis 1 to be 'loop', but it is already 'serial'}}
uop.kernel @taken(%out: memref<8x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:8]>} {
  %i = uop.range loop 8
  // expected-note@+1 {{the axis is defined here}}
  %j = uop.range serial 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @too_many_threads: a block of 64 * 32 threads exceeds the limit of 1024; give output axis 0 less local, and more upcast if each thread is to do more}}
uop.kernel @too_many_threads(%out: memref<64x64xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:64, LOCAL 1:32]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// A prime number of elements, each with a thread of one block.
// expected-error@+1 {{cannot map @prime_block: a block of 1031 threads exceeds the limit of 1024; give output axis 0 less local, and more upcast if each thread is to do more}}
uop.kernel @prime_block(%out: memref<1031xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:1031]>} {
  %i = uop.range loop 1031
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<1031xi32>
}

// -----

// expected-error@+1 {{cannot map @square_block: a block of 1024 * 1024 threads exceeds the limit of 1024}}
uop.kernel @square_block(%out: memref<1024x1024xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:1024, LOCAL 1:1024]>} {
  %i = uop.range loop 1024
  %j = uop.range loop 1024
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<1024x1024xi32>
}

// -----

// A dimension that the author has used is not free, and one is too short.
// expected-error@+1 {{cannot map @too_few_free: output axes 2 and 3 of sizes 70001 and 3 need blocks, but a grid has 1 free dimension that cannot hold them; map fewer axes by hand}}
uop.kernel @too_few_free(%out: memref<2x2xi32>)
    attributes {schedule = #uop.schedule<[]>} {
  %a = uop.range global<z> 2
  %x = uop.range global<x> 2
  %b = uop.range loop 70001
  %c = uop.range loop 3
  %one = arith.constant 1 : i32
  uop.store add %one, %out[%a, %x] over(%a, %b, %c, %x) : memref<2x2xi32>
}

// -----

// expected-error@+1 {{cannot map @stage: STAGE 1:2 names load 1, but the kernel has one load, 0}}
uop.kernel @stage(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[STAGE 1:2]>} {
  %i = uop.range loop 8
  %x = uop.load %in[%i] : memref<8xi32>
  uop.store %x, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @stage_none: STAGE 0:0 asks for 0 tiles: expected 1 to 64}}
uop.kernel @stage_none(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[STAGE 0:0]>} {
  %i = uop.range loop 8
  %x = uop.load %in[%i] : memref<8xi32>
  uop.store %x, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @stage_twice: STAGE is given twice for load 0; give the number of tiles that you mean once}}
uop.kernel @stage_twice(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[STAGE 0:1, STAGE 0:2]>} {
  %i = uop.range loop 8
  %x = uop.load %in[%i] : memref<8xi32>
  uop.store %x, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @stage_many: STAGE 0:65 asks for 65 tiles: expected 1 to 64}}
uop.kernel @stage_many(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[STAGE 0:65]>} {
  %i = uop.range loop 8
  %x = uop.load %in[%i] : memref<8xi32>
  uop.store %x, %out[%i] : memref<8xi32>
}

// -----

// A buffer that is stored to is read as it was on entry, which a tile that other
// threads fill is not.
// expected-error@+1 {{cannot map @stage_in_place: load 0 cannot be staged: the kernel stores to its buffer as well; leave it out, or give its reduce axes a KSTEP}}
uop.kernel @stage_in_place(%x: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, STAGE 0:1]>} {
  %i = uop.range loop 8
  // expected-note@+1 {{the load is here}}
  %v = uop.load %x[%i] : memref<8xi32>
  uop.store %v, %x[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @stage_gather: load 1 cannot be staged: its index #0 is not a sum of what moves in the tile and what moves the tile; leave it out, or give its reduce axes a KSTEP}}
uop.kernel @stage_gather(%at: memref<8xi32>, %in: memref<8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, STAGE 1:1]>} {
  %i = uop.range loop 8
  %p = uop.load %at[%i] : memref<8xi32>
  %j = arith.index_cast %p : i32 to index
  // expected-note@+1 {{the load is here}}
  %x = uop.load %in[%j] : memref<8xi32>
  uop.store %x, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @step: KSTEP 0:6 is not a multiple of the 4 points that UNROLL and GROUP take at a time; choose 8}}
uop.kernel @step(%in: memref<8x32xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[KSTEP 0:6, UNROLL 0:4]>} {
  %i = uop.range loop 8
  %k = uop.range reduce 32
  %x = uop.load %in[%i, %k] : memref<8x32xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @no_locals: NOLOCALS asks for one thread a block, but LOCAL 0:4 asks for several; leave one of them out}}
uop.kernel @no_locals(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[NOLOCALS, LOCAL 0:4]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// PADTO counts the output axes first, then the reduce axes.
// expected-error@+1 {{cannot map @pad_axis: PADTO 2:8 names axis 2, but the kernel has 2 axes, 0 to 1}}
uop.kernel @pad_axis(%in: memref<8x8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[PADTO 2:8]>} {
  %i = uop.range loop 8
  %k = uop.range reduce 8
  %x = uop.load %in[%i, %k] : memref<8x8xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @swap_reduce: SWAP 0:1 names reduce axis 0, which has no place in the grid; expected two output axes}}
uop.kernel @swap_reduce(%in: memref<8x8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[SWAP 0:1]>} {
  %i = uop.range loop 8
  %k = uop.range reduce 8
  %x = uop.load %in[%i, %k] : memref<8x8xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @both_groups: GROUP and GROUPTOP are both given for reduce axis 0: its points are either interleaved between the threads or divided into parts; choose one}}
uop.kernel @both_groups(%in: memref<8xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUP 0:2, GROUPTOP 0:2]>} {
  %k = uop.range reduce 8
  %x = uop.load %in[%k] : memref<8xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// A combiner is associative, but takes its points in order.
// expected-error@+1 {{cannot map @combiner: GROUP 0:2 interleaves the points, which changes the order in which a combiner takes them; use GROUPTOP}}
uop.kernel @combiner(%in: memref<8xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUP 0:2]>} {
  %k = uop.range reduce 8
  %x = uop.load %in[%k] : memref<8xi32>
  %least = arith.constant -2147483648 : i32
  // expected-note@+1 {{the combiner is here}}
  %s = uop.reduce (%x) init(%least) over(%k) combine (%a: i32, %b: i32) {
    %most = arith.maxsi %a, %b : i32
    uop.yield %most : i32
  } : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// A reduction over threads, and an axis with which it varies.
// expected-error@+1 {{cannot map @too_many_group_threads: a block of 32 * 64 threads, 64x32x1 with whole rows of lanes, exceeds the limit of 1024; give reduce axis 0 fewer threads}}
uop.kernel @too_many_group_threads(%in: memref<32x64xi32>, %out: memref<32xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:32, GROUP 0:64]>} {
  %i = uop.range loop 32
  %k = uop.range reduce 64
  %x = uop.load %in[%i, %k] : memref<32x64xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<32xi32>
}

// -----

// expected-error@+1 {{cannot map @merge_count: MERGE 1:2 merges 2 output axes from axis 1 on, but there are 1}}
uop.kernel @merge_count(%out: memref<8x8xi32>)
    attributes {schedule = #uop.schedule<[MERGE 1:2]>} {
  %i = uop.range loop 8
  %j = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @merge_strides: MERGE 0:2 expects output axes 0 and 1 to be contiguous in every access, but one has strides of 1 and 8 elements along them}}
uop.kernel @merge_strides(%in: memref<8x8xi32>, %out: memref<8x8xi32>)
    attributes {schedule = #uop.schedule<[MERGE 0:2]>} {
  %i = uop.range loop 8
  %j = uop.range loop 8
  // expected-note@+1 {{it is here}}
  %x = uop.load %in[%j, %i] : memref<8x8xi32>
  uop.store %x, %out[%i, %j] : memref<8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @merge_data: MERGE 0:2 expects output axes 0 and 1 to be contiguous in every access, but one uses one of them other than in an index}}
uop.kernel @merge_data(%out: memref<8x8xi32>)
    attributes {schedule = #uop.schedule<[MERGE 0:2]>} {
  %i = uop.range loop 8
  %j = uop.range loop 8
  // expected-note@+1 {{it is here}}
  %x = arith.index_cast %j : index to i32
  uop.store %x, %out[%i, %j] : memref<8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @merge_twice: MERGE 1:2 merges output axis 1, which another MERGE merges as well}}
uop.kernel @merge_twice(%out: memref<8x8x8xi32>)
    attributes {schedule = #uop.schedule<[MERGE 0:2, MERGE 1:2]>} {
  %i = uop.range loop 8
  %j = uop.range loop 8
  %k = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j, %k] : memref<8x8x8xi32>
}

// -----

// expected-error@+1 {{cannot map @huge: the amounts for output axis 0 make an extent that exceeds 64 bits; choose smaller ones}}
uop.kernel @huge(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:4611686018427387904, LOCAL 0:4]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @huge_group: reduce axis 0 asks for 1025 threads, but a block has at most 1024; give it less GROUP}}
uop.kernel @huge_group(%in: memref<2050xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUP 0:1025]>} {
  %k = uop.range reduce 2050
  %x = uop.load %in[%k] : memref<2050xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// 975 threads, but a row of 5 lanes takes 8. 65 are too many for z.
// expected-error@+1 {{cannot map @rounded: a block of 65 * 3 * 5 threads, 8x195x1 with whole rows of lanes, exceeds the limit of 1024; give output axis 0 fewer threads}}
uop.kernel @rounded(%in: memref<65x3x9xi32>, %out: memref<65x3xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:65, LOCAL 1:3, GROUP 0:5]>} {
  %a = uop.range loop 65
  %c = uop.range loop 3
  %k = uop.range reduce 9
  %x = uop.load %in[%a, %c, %k] : memref<65x3x9xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%a, %c] : memref<65x3xi32>
}

// -----

// expected-error@+1 {{cannot map @both_targets: its schedule has opts for a GPU and opts for a CPU; leave out those for one of them}}
uop.kernel @both_targets(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, THREAD 0:4]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @cpu_thread: it has a range on axis 'thread', which is for a CPU; map the other axes for that, too}}
uop.kernel @cpu_thread(%out: memref<8x9xi32>) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range thread 8
  %j = uop.range loop 9
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x9xi32>
}
