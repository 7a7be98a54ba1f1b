// Warp tiles that a block cannot have, each with the way out.
// RUN: uop-opt %s --uop-gpu-map --split-input-file --verify-diagnostics
// RUN: not uop-opt %s --split-input-file --uop-gpu-map="warp=0:x" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: uop-gpu-map: expected warp to be a list of axis:amount, with axes from 0 and amounts from 1, such as warp=0:16,1:8, but got '0:x'
// RUN: not uop-opt %s --split-input-file --uop-cpu-map 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: cannot map @for_cpu: its schedule has opts for a GPU and opts for a CPU

// expected-error@+1 {{cannot map @no_axis: WARP 2:8 names output axis 2, but the kernel has 2 output axes, 0 to 1}}
uop.kernel @no_axis(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 2:8]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @no_threads: WARP 1:4 expects threads along output axis 1, but it has none; give it LOCAL 1:4}}
uop.kernel @no_threads(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, WARP 0:8, WARP 1:4]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @no_divisor: WARP 0:8 expects an amount that divides the 12 threads along output axis 0; choose 6 or 12}}
uop.kernel @no_divisor(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:12, LOCAL 1:16, WARP 0:8, WARP 1:4]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @too_many: WARP 0:32 expects an amount that divides the 16 threads along output axis 0; choose 16}}
uop.kernel @too_many(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:32]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @half: the WARP opts make 16 threads, but a warp has 32; choose amounts of which the product is that}}
uop.kernel @half(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:4, WARP 1:4]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @one: the WARP opts make 1 thread, but a warp has 32; choose amounts of which the product is that}}
uop.kernel @one(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:1]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @zero: WARP 0:0 has an amount of 0: expected at least 1}}
uop.kernel @zero(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:0]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @twice: WARP is given twice for output axis 0, 8 and 4; give the amount that you mean once}}
uop.kernel @twice(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:8, WARP 0:4]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @no_locals: NOLOCALS asks for one thread a block, but WARP 0:32 asks for several; leave one of them out}}
uop.kernel @no_locals(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[NOLOCALS, WARP 0:32]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

// -----

// expected-error@+1 {{cannot map @group: WARP arranges the threads along output axes, but 4 threads reduce along reduce axis 0; leave WARP out, or GROUPTOP}}
uop.kernel @group(%in: memref<64x64xi32>, %out: memref<64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:32, WARP 0:32, GROUPTOP 0:4]>} {
  %i = uop.range loop 64
  %j = uop.range reduce 64
  %x = uop.load %in[%i, %j] : memref<64x64xi32>
  %s = uop.reduce add %x over(%j) : i32
  uop.store %s, %out[%i] : memref<64xi32>
}

// -----

// expected-error@+1 {{cannot map @by_hand: WARP arranges all threads of a block, but it has a range on axis 'local<y>'; make it loop, and give it LOCAL, or leave WARP out}}
uop.kernel @by_hand(%out: memref<8x64xi32>) attributes {
    schedule = #uop.schedule<[LOCAL 1:32, WARP 1:32]>} {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range local<y> 8
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x64xi32>
}

// -----

// expected-error@+1 {{cannot map @for_cpu: its schedule has opts for a GPU and opts for a CPU; leave out those for one of them}}
uop.kernel @for_cpu(%out: memref<64xi32>) attributes {
    schedule = #uop.schedule<[THREAD 0:4, WARP 0:32]>} {
  %i = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<64xi32>
}
