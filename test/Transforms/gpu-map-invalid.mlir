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

// expected-error@+1 {{cannot map @local_does_not_divide: output axis 1 of size 100 does not split into local 16; padding and guards are not supported yet: choose a divisor of 100, such as 10 or 20}}
uop.kernel @local_does_not_divide(%out: memref<3x100xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:16]>} {
  %i = uop.range loop 3
  %j = uop.range loop 100
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<3x100xi32>
}

// -----

// Each amount divides the axis, their product does not.
// expected-error@+1 {{cannot map @product_does_not_divide: output axis 0 of size 12 does not split into local 4 times upcast 2; padding and guards are not supported yet: choose amounts with a product that divides 12, such as 6 or 12}}
uop.kernel @product_does_not_divide(%out: memref<12xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, UPCAST 0:2]>} {
  %i = uop.range loop 12
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<12xi32>
}

// -----

// expected-error@+1 {{cannot map @too_large: output axis 0 of size 12 does not split into upcast 24; padding and guards are not supported yet: choose a divisor of 12, such as 12}}
uop.kernel @too_large(%out: memref<12xi32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:24]>} {
  %i = uop.range loop 12
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<12xi32>
}

// -----

// expected-error@+1 {{cannot map @unroll_does_not_divide: reduce axis 0 of size 48 does not split into unroll 5; padding is not supported yet: choose a divisor of 48, such as 4 or 6}}
uop.kernel @unroll_does_not_divide(%in: memref<48xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[UNROLL 0:5]>} {
  %i = uop.range reduce 48
  %x = uop.load %in[%i] : memref<48xi32>
  %s = uop.reduce add %x over(%i) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// expected-error@+1 {{cannot map @dynamic: LOCAL 0:16 needs a static extent, but output axis 0 is dynamic; padding and guards are not supported yet: make the size part of the type}}
uop.kernel @dynamic(%n: index, %out: memref<?xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  // expected-note@+1 {{the axis is defined here}}
  %i = uop.range loop %n
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<?xi32>
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

// expected-error@+1 {{cannot map @too_deep: output axis 0 needs 128 threads along z, but a block has at most 64 there; give the axis less local}}
uop.kernel @too_deep(%out: memref<128x2x2xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:128]>} {
  %i = uop.range loop 128
  %j = uop.range loop 2
  %k = uop.range loop 2
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j, %k] : memref<128x2x2xi32>
}

// -----

// expected-error@+1 {{cannot map @too_many_blocks: output axis 0 of size 65536 needs 65536 blocks along y, but a grid has at most 65535 there; folding axes is not supported yet: give the axis more local or upcast, or collapse axes by hand}}
uop.kernel @too_many_blocks(%out: memref<65536x2xi32>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 65536
  %j = uop.range loop 2
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<65536x2xi32>
}

// -----

// expected-error@+1 {{cannot map @too_many_axes: output axes 0, 1, 2 and 3 of sizes 8, 4, 64 and 64 need blocks, but a grid has 3 dimensions; folding axes is not supported yet: collapse axes by hand}}
uop.kernel @too_many_axes(%out: memref<8x4x64x64xi32>) {
  %a = uop.range loop 8
  %b = uop.range loop 4
  %c = uop.range loop 64
  %d = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<8x4x64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @too_many_thread_axes: output axes 0, 1, 2 and 3 of sizes 2, 2, 2 and 2 need threads, but a block has 3 dimensions; folding axes is not supported yet: collapse axes by hand}}
uop.kernel @too_many_thread_axes(%out: memref<2x2x2x2xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:2, LOCAL 1:2, LOCAL 2:2, LOCAL 3:2]>} {
  %a = uop.range loop 2
  %b = uop.range loop 2
  %c = uop.range loop 2
  %d = uop.range loop 2
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<2x2x2x2xi32>
}

// -----

// A dimension that the author has used is not free.
// expected-error@+1 {{cannot map @too_few_free: output axes 1, 2 and 3 of sizes 3, 3 and 3 need blocks, but a grid has 2 free dimensions; folding axes is not supported yet: collapse axes by hand}}
uop.kernel @too_few_free(%out: memref<2x2x2x2xi32>) {
  %a = uop.range global<z> 2
  %b = uop.range loop 3
  %c = uop.range loop 3
  %d = uop.range loop 3
  %one = arith.constant 1 : i32
  uop.store add %one, %out[%a, %a, %a, %a] over(%a, %b, %c, %d) : memref<2x2x2x2xi32>
}

// -----

// expected-error@+1 {{cannot map @group: the opt GROUP is not supported yet; LOCAL, UPCAST and UNROLL are}}
uop.kernel @group(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[GROUP 0:4]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}

// -----

// expected-error@+1 {{cannot map @no_locals: the opt NOLOCALS is not supported yet; LOCAL, UPCAST and UNROLL are}}
uop.kernel @no_locals(%out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[NOLOCALS]>} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
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

// The middle axis is y, which takes fewer blocks than x.
// expected-error@+1 {{cannot map @middle: output axis 1 of size 70001 needs 70001 blocks along y, but a grid has at most 65535 there; folding axes is not supported yet: give the axis more local or upcast, or collapse axes by hand}}
uop.kernel @middle(%out: memref<2x70001x3xi8>) {
  %i = uop.range loop 2
  %j = uop.range loop 70001
  %k = uop.range loop 3
  %one = arith.constant 1 : i8
  uop.store %one, %out[%i, %j, %k] : memref<2x70001x3xi8>
}
