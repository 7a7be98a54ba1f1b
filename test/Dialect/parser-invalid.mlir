// What the parser says about text that is not well formed.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

uop.kernel @axis() {
  // expected-error@+1 {{unknown axis 'outer': expected one of loop, serial, global<x|y|z>, local<x|y|z>, warp, thread, reduce, group_reduce<x|y|z>, upcast, unroll, fragment}}
  %i = uop.range outer 4
}

// -----

uop.kernel @no_axis() {
  // expected-error@+1 {{expected axis, one of loop, serial, global<x|y|z>, local<x|y|z>, warp, thread, reduce, group_reduce<x|y|z>, upcast, unroll, fragment}}
  %i = uop.range 4
}

// -----

uop.kernel @no_dimension() {
  // expected-error@+1 {{expected a dimension after axis 'global', as in 'global<x>'}}
  %i = uop.range global 4
}

// -----

uop.kernel @useless_dimension() {
  // expected-error@+1 {{axis 'upcast' takes no dimension, but got <y>}}
  %i = uop.range upcast<y> 4
}

// -----

uop.kernel @dimension() {
  // expected-error@+1 {{unknown dimension 'w': expected one of x, y, z}}
  %i = uop.range local<w> 4
}

// -----

uop.kernel @unclosed_dimension() {
  // expected-error@+1 {{expected '>'}}
  %i = uop.range local<x 4
}

// -----

uop.kernel @negative() {
  // expected-error@+1 {{expected an extent of 0 or more, but got -1}}
  %i = uop.range loop -1
}

// -----

uop.kernel @too_large() {
  // expected-error@+1 {{integer value too large}}
  %i = uop.range loop 9223372036854775808
}

// -----

uop.kernel @no_extent() {
  // expected-error@+1 {{expected SSA operand}}
  %i = uop.range loop
}

// -----

uop.kernel @float_extent() {
  // expected-error@+1 {{expected SSA operand}}
  %i = uop.range loop 4.0
}

// -----

uop.kernel @load_of_tensor(%t: tensor<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{expected a ranked memref or a tile, but got 'tensor<4xf32>'}}
  %x = uop.load %t[%i] : tensor<4xf32>
}

// -----

uop.kernel @load_unranked(%t: memref<*xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{expected a ranked memref or a tile, but got 'memref<*xf32>'}}
  %x = uop.load %t[%i] : memref<*xf32>
}

// -----

uop.kernel @store_unranked(%t: memref<*xf32>, %x: f32) {
  // expected-error@+1 {{expected a ranked memref or a tile, but got 'memref<*xf32>'}}
  uop.store %x, %t[] : memref<*xf32>
}

// -----

uop.kernel @else_without_mask(%t: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{expected ':'}}
  %y = uop.load %t[%i] else %x : memref<4xf32>
}

// -----

uop.kernel @store_kind(%t: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{unknown combining kind 'sum': expected one of add, mul, minsi, minui, maxsi, maxui, and, or, xor, minimumf, maximumf, minnumf, maxnumf}}
  uop.store sum %x, %t[%i] : memref<4xf32>
}

// -----

uop.kernel @reduce_kind(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{unknown combining kind 'max': expected one of add, mul, minsi, minui, maxsi, maxui, and, or, xor, minimumf, maximumf, minnumf, maxnumf}}
  %s = uop.reduce max %x over(%r) : f32
}

// -----

uop.kernel @reduce_without_over(%x: f32) {
  // expected-error@+1 {{expected 'over'}}
  %s = uop.reduce add %x : f32
}

// -----

uop.kernel @reduce_types(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{expected a type for each of 1 values, but got 2}}
  %s = uop.reduce add %x over(%r) : f32, f32
}

// -----

uop.kernel @reduce_identities(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{expected an identity for each of 1 values, but got 2}}
  %s = uop.reduce (%x) init(%x, %x) over(%r) combine (%a: f32, %b: f32) {
    uop.yield %a : f32
  } : f32
}

// -----

uop.kernel @reduce_without_combiner(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{expected 'combine'}}
  %s = uop.reduce (%x) init(%x) over(%r) : f32
}

// -----

uop.kernel @stage_type(%x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{invalid kind of type specified: expected uop.tile, but found 'memref<4xf32>'}}
  %t = uop.stage %x over(%i) : memref<4xf32>
}

// -----

// expected-error@+1 {{expected a positive static size, but dimension #1 is 0}}
func.func private @tile_zero(!uop.tile<4x0xf32, workgroup>)

// -----

// expected-error@+1 {{expected static shape}}
func.func private @tile_dynamic(!uop.tile<?xf32, workgroup>)

// -----

// expected-error@+1 {{expected a signless integer or floating-point element type, but got 'index'}}
func.func private @tile_element(!uop.tile<4xindex, workgroup>)

// -----

// expected-error@+1 {{unknown memory space 'shared': expected one of workgroup, private}}
func.func private @tile_space(!uop.tile<4xf32, shared>)

// -----

// expected-error@+1 {{expected ','}}
func.func private @tile_without_space(!uop.tile<4xf32>)

// -----

// expected-error@+1 {{unknown opt 'SLICE': expected one of LOCAL, UPCAST, GROUP, GROUPTOP, UNROLL, PADTO, SWAP, NOLOCALS, STAGE, TC, THREAD, MERGE, VECTORIZE, TILE}}
func.func private @opt() attributes {s = #uop.schedule<[SLICE 0:4]>}

// -----

// expected-error@+1 {{expected a non-negative axis and amount, but got -1:4}}
func.func private @opt_axis() attributes {s = #uop.schedule<[LOCAL -1:4]>}

// -----

// expected-error@+1 {{expected a non-negative axis and amount, but got 0:-4}}
func.func private @opt_amount() attributes {s = #uop.opt<LOCAL 0:-4>}

// -----

// expected-error@+1 {{expected integer value}}
func.func private @opt_without_axis() attributes {s = #uop.schedule<[LOCAL]>}

// -----

// expected-error@+1 {{expected ']'}}
func.func private @opt_nolocals() attributes {s = #uop.schedule<[NOLOCALS 0:4]>}

// -----

// expected-error@+1 {{expected '['}}
func.func private @opt_list() attributes {s = #uop.schedule<LOCAL 0:4>}

// -----

// expected-error@+1 {{expected 'upcast_layout'}}
func.func private @schedule_key() attributes {s = #uop.schedule<[], layout = cpu>}

// -----

// expected-error@+1 {{unknown tile layout 'swizzle': expected one of plain, pad, xor, rotate}}
func.func private @layout_kind() attributes {s = #uop.tile_layout<swizzle 4>}

// -----

// expected-error@+1 {{expected a positive chunk and period, but got 0 and 1}}
func.func private @layout_chunk() attributes {s = #uop.tile_layout<xor 0>}

// -----

// expected-error@+1 {{expected a period for xor and rotate only, but got 2 for pad}}
func.func private @layout_period() attributes {s = #uop.tile_layout<pad 1, 2>}

// -----

// expected-error@+1 {{unknown upcast layout 'row': expected one of gpu, cpu}}
func.func private @schedule_layout() attributes {s = #uop.schedule<[], upcast_layout = row>}

// -----

// expected-error@+1 {{expected valid '@'-identifier for symbol name}}
uop.kernel () {
}

// -----

// expected-error@+1 {{expected '{' to begin a region}}
uop.kernel @declaration()

// -----

// A value that is defined after it is used, also by itself.
uop.kernel @forward(%out: memref<4xf32>, %x: f32, %n: index) {
  // expected-error@+1 {{operand #1 does not dominate this use}}
  %a = arith.addi %n, %b : index
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %b = arith.addi %n, %a : index
  uop.store %x, %out[%a] : memref<4xf32>
}

// -----

uop.kernel @undefined(%out: memref<4xf32>, %x: f32) {
  // expected-error@+1 {{use of undeclared SSA value name}}
  uop.store %x, %out[%i] : memref<4xf32>
}

// -----

// expected-error@+1 {{expected the attribute 'schedule' to be like #uop.schedule<[LOCAL 0:16]>, but got 42 : i32}}
uop.kernel @schedule(%out: memref<8xi32>) attributes {schedule = 42 : i32} {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}
