// Ranges, index arithmetic and attributes that are refused.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

func.func @outside() {
  // expected-error@+1 {{'uop.range' op expected to be inside a uop.kernel}}
  %i = uop.range loop 4
  return
}

// -----

uop.kernel @local_dynamic(%n: index) {
  // expected-error@+1 {{'uop.range' op expected a static extent, a literal or constant, for axis 'local<x>', but got a dynamic one}}
  %i = uop.range local<x> %n
}

// -----

uop.kernel @upcast_dynamic(%n: index) {
  // expected-error@+1 {{'uop.range' op expected a static extent, a literal or constant, for axis 'upcast', but got a dynamic one}}
  %i = uop.range upcast %n
}

// -----

uop.kernel @warp_dynamic(%n: index) {
  // expected-error@+1 {{'uop.range' op expected a static extent, a literal or constant, for axis 'warp', but got a dynamic one}}
  %i = uop.range warp %n
}

// -----

uop.kernel @unroll_zero() {
  // expected-error@+1 {{'uop.range' op expected an extent of at least 1 for axis 'unroll', but got 0}}
  %i = uop.range unroll 0
}

// -----

// A constant is as good as a literal, and as bad.
uop.kernel @negative_constant() {
  %c = arith.constant -3 : index
  // expected-error@+1 {{'uop.range' op expected an extent of at least 0 for axis 'loop', but got -3}}
  %i = uop.range loop %c
}

// -----

uop.kernel @local_constant() {
  %c = arith.constant 2048 : index
  // expected-error@+1 {{'uop.range' op expected an extent of at most 1024 for axis 'local<y>', but got 2048; split the range}}
  %i = uop.range local<y> %c
}

// -----

uop.kernel @local_z() {
  // expected-error@+1 {{'uop.range' op expected an extent of at most 64 for axis 'local<z>', but got 65; split the range}}
  %i = uop.range local<z> 65
}

// -----

uop.kernel @warp() {
  // expected-error@+1 {{'uop.range' op expected an extent of at most 32 for axis 'warp', but got 33; split the range}}
  %i = uop.range warp 33
}

// -----

uop.kernel @grid_y() {
  // expected-error@+1 {{'uop.range' op expected an extent of at most 65535 for axis 'global<y>', but got 65536; split the range over several dimensions}}
  %i = uop.range global<y> 65536
}

// -----

uop.kernel @grid_x() {
  // expected-error@+1 {{'uop.range' op expected an extent of at most 2147483647 for axis 'global<x>', but got 2147483648; split the range over several dimensions}}
  %i = uop.range global<x> 2147483648
}

// -----

uop.kernel @no_extent() {
  // expected-error@+1 {{'uop.range' op expected either a static or a dynamic extent}}
  %i = "uop.range"() <{axis = #uop.axis<loop>}> : () -> index
}

// -----

uop.kernel @two_extents(%n: index) {
  // expected-error@+1 {{'uop.range' op expected either a static or a dynamic extent}}
  %i = "uop.range"(%n) <{axis = #uop.axis<loop>, static_extent = 4 : i64}> : (index) -> index
}

// -----

uop.kernel @negative_attribute() {
  // expected-error@+1 {{'uop.range' op attribute 'static_extent' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %i = "uop.range"() <{axis = #uop.axis<loop>, static_extent = -4 : i64}> : () -> index
}

// -----

uop.kernel @no_axis() {
  // expected-error@+1 {{'uop.range' op requires attribute 'axis'}}
  %i = "uop.range"() <{static_extent = 4 : i64}> : () -> index
}

// -----

func.func @divide(%a: index) -> index {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'uop.floordiv' op expected a divisor other than 0}}
  %q = uop.floordiv %a, %c0
  return %q : index
}

// -----

func.func @modulo(%a: index) -> index {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'uop.floormod' op expected a divisor other than 0}}
  %r = uop.floormod %a, %c0
  return %r : index
}

// -----

// Addresses only: data has arith's own division.
func.func @data(%a: i32) -> i32 {
  // expected-error@+1 {{'uop.floordiv' op operand #0 must be index, but got 'i32'}}
  %q = "uop.floordiv"(%a, %a) : (i32, i32) -> i32
  return %q : i32
}

// -----

// The extent depends on another range, directly, and through arithmetic.
uop.kernel @triangle(%out: memref<4x4xf32>, %x: f32) {
  // expected-note@+1 {{the extent depends on this}}
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.range' op expected an extent that depends on no range, but it depends on 'loop 4'; use the largest extent, and a mask}}
  %j = uop.range loop %i
  uop.store %x, %out[%i, %j] : memref<4x4xf32>
}

// -----

uop.kernel @indirect(%out: memref<4x4xf32>, %x: f32) {
  // expected-note@+1 {{the extent depends on this}}
  %i = uop.range loop 4
  %c1 = arith.constant 1 : index
  %n = arith.addi %i, %c1 : index
  // expected-error@+1 {{'uop.range' op expected an extent that depends on no range, but it depends on 'loop 4'; use the largest extent, and a mask}}
  %j = uop.range loop %n
  uop.store %x, %out[%i, %j] : memref<4x4xf32>
}

// -----

// The number of the dimension counts, too.
uop.kernel @through_dim(%in: memref<4x8xf32>, %out: memref<4xf32>, %x: f32) {
  // expected-note@+1 {{the extent depends on this}}
  %i = uop.range loop 2
  %n = memref.dim %in, %i : memref<4x8xf32>
  // expected-error@+1 {{'uop.range' op expected an extent that depends on no range, but it depends on 'loop 2'; use the largest extent, and a mask}}
  %r = uop.range reduce %n
  %s = uop.reduce add %x over(%r) : f32
  uop.store %s, %out[%i] : memref<4xf32>
}

// -----

uop.kernel @ragged(%n: memref<i32>, %out: memref<4xf32>, %x: f32) {
  // expected-note@+1 {{the extent depends on this}}
  %v = uop.load %n[] : memref<i32>
  %extent = arith.index_cast %v : i32 to index
  // expected-error@+1 {{'uop.range' op expected an extent of constants, scalar arguments, memref dimensions and arithmetic on these, but it depends on uop.load}}
  %i = uop.range loop %extent
  uop.store %x, %out[%i] : memref<4xf32>
}

// -----

// In loop form, too, the host computes the extents.
uop.kernel loops @ragged_blocks(%n: memref<i32>) {
  // expected-note@+1 {{the extent depends on this}}
  %v = memref.load %n[] : memref<i32>
  %extent = arith.index_cast %v : i32 to index
  // expected-error@+1 {{'uop.range' op expected an extent of constants, scalar arguments, memref dimensions and arithmetic on these, but it depends on memref.load}}
  %b = uop.range global<x> %extent
}

// -----

uop.kernel loops @blocks_by_blocks() {
  // expected-note@+1 {{the extent depends on this}}
  %b = uop.range global<x> 4
  // expected-error@+1 {{'uop.range' op expected an extent of constants, scalar arguments, memref dimensions and arithmetic on these, but it depends on uop.range}}
  %c = uop.range global<y> %b
}
