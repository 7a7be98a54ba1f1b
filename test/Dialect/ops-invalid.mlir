// Rules of single ops of graph form.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

uop.kernel @load_rank(%a: memref<4x4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op expected 2 indices for 'memref<4x4xf32>', but got 1}}
  %x = uop.load %a[%i] : memref<4x4xf32>
}

// -----

uop.kernel @load_too_many(%a: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op expected 1 index for 'memref<4xf32>', but got 2}}
  %x = uop.load %a[%i, %i] : memref<4xf32>
}

// -----

uop.kernel @store_rank(%a: memref<4x4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.store' op expected 2 indices for 'memref<4x4xf32>', but got 1}}
  uop.store %x, %a[%i] : memref<4x4xf32>
}

// -----

uop.kernel @load_result(%a: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op expected the result to be of the element type 'f32' of 'memref<4xf32>', but got 'i32'}}
  %x = "uop.load"(%a, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xf32>, index) -> i32
}

// -----

uop.kernel @load_else(%a: memref<4xf32>, %m: i1, %z: i32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op expected the 'else' value to be of the element type 'f32' of 'memref<4xf32>', but got 'i32'}}
  %x = "uop.load"(%a, %i, %m, %z) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (memref<4xf32>, index, i1, i32) -> f32
}

// -----

uop.kernel @load_else_without_mask(%a: memref<4xf32>, %z: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op expected a mask where there is an 'else' value}}
  %x = "uop.load"(%a, %i, %z) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (memref<4xf32>, index, f32) -> f32
}

// -----

uop.kernel @load_segments(%a: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %x = "uop.load"(%a, %i) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (memref<4xf32>, index) -> f32
}

// -----

uop.kernel @load_negative_segments(%a: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %x = "uop.load"(%a, %i) <{operandSegmentSizes = array<i32: 1, 2, -1, 0>}> : (memref<4xf32>, index) -> f32
}

// -----

uop.kernel @load_without_properties(%a: memref<4xf32>) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op operand count (2) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %x = "uop.load"(%a, %i) : (memref<4xf32>, index) -> f32
}

// -----

uop.kernel @else_of_indices(%a: memref<4xf32>, %m: i1) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.load' op operand #3 must be signless integer or floating-point, but got 'index'}}
  %x = "uop.load"(%a, %i, %m, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (memref<4xf32>, index, i1, index) -> f32
}

// -----

func.func @load_outside(%a: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'uop.load' op expects parent op 'uop.kernel'}}
  %x = uop.load %a[%i] : memref<4xf32>
  return
}

// -----

func.func @store_outside(%a: memref<4xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{'uop.store' op expects parent op 'uop.kernel'}}
  uop.store %x, %a[%i] : memref<4xf32>
  return
}

// -----

uop.kernel @store_value(%a: memref<4xf32>, %x: i32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.store' op expected the value to be of the element type 'f32' of 'memref<4xf32>', but got 'i32'}}
  "uop.store"(%x, %a, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (i32, memref<4xf32>, index, index) -> ()
}

// -----

uop.kernel @over_other_value(%a: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{the value is defined here}}
  %j = arith.addi %i, %c1 : index
  // expected-error@+1 {{'uop.store' op expected operand #1 of 'over' to be a uop.range (or the constant 0 of a folded one), but got another value}}
  uop.store %x, %a[%i] over(%i, %j) : memref<4xf32>
}

// -----

uop.kernel @over_constant(%a: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-note@+1 {{the value is defined here}}
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'uop.store' op expected operand #0 of 'over' to be a uop.range (or the constant 0 of a folded one), but got another value}}
  uop.store %x, %a[%i] over(%c1, %i) : memref<4xf32>
}

// -----

uop.kernel @over_twice(%a: memref<4xf32>, %x: f32) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.store' op expected each range once in 'over', but #2 is the range of #0}}
  uop.store %x, %a[%i] over(%i, %c0, %i) : memref<4xf32>
  %c0 = arith.constant 0 : index
}

// -----

uop.kernel @kind_and_unique(%a: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.store' op expected either a kind or 'unique', but got both: an accumulating store may write an element twice}}
  uop.store add %x, %a[%i] unique : memref<4xf32>
}

// -----

uop.kernel @store_kind(%a: memref<4xf32>, %x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.store' op kind 'maxsi' does not apply to values of type 'f32'}}
  uop.store maxsi %x, %a[%i] : memref<4xf32>
}

// -----

uop.kernel @reduce_float_kind(%x: i32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op kind 'maximumf' does not apply to values of type 'i32'}}
  %s = uop.reduce maximumf %x over(%r) : i32
}

// -----

uop.kernel @reduce_integer_kind(%x: bf16) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op kind 'xor' does not apply to values of type 'bf16'}}
  %s = uop.reduce xor %x over(%r) : bf16
}

// -----

// A type of scale factors has neither 0 nor a sign, and one without a NaN has
// no identity of maxnumf.
uop.kernel @reduce_scales(%x: f8E8M0FNU) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op kind 'mul' does not apply to values of type 'f8E8M0FNU'}}
  %s = uop.reduce mul %x over(%r) : f8E8M0FNU
}

// -----

uop.kernel @reduce_without_nan(%x: f4E2M1FN) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op kind 'maxnumf' does not apply to values of type 'f4E2M1FN'}}
  %s = uop.reduce maxnumf %x over(%r) : f4E2M1FN
}

// -----

uop.kernel @reduce_no_bits(%x: i0) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op kind 'maxsi' does not apply to values of type 'i0'}}
  %s = uop.reduce maxsi %x over(%r) : i0
}

// -----

uop.kernel @reduce_nothing() {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected at least one value to reduce}}
  "uop.reduce"(%r) <{kind = #vector.kind<add>, operandSegmentSizes = array<i32: 0, 0, 1, 0>}> ({}) : (index) -> ()
}

// -----

uop.kernel @reduce_result(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected the results to have the types of the values}}
  %s = "uop.reduce"(%x, %r) <{kind = #vector.kind<add>, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> ({}) : (f32, index) -> f64
}

// -----

uop.kernel @reduce_over_nothing(%x: f32) {
  // expected-error@+1 {{'uop.reduce' op expected at least one range to close in 'over'}}
  %s = uop.reduce add %x over() : f32
}

// -----

uop.kernel @reduce_output_axis(%x: f32) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.reduce' op expected the ranges in 'over' to have axis reduce, group_reduce or unroll, but got 'loop'}}
  %s = uop.reduce add %x over(%i) : f32
}

// -----

uop.kernel @reduce_two_with_kind(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected one value and no identity with a kind, but got 2 and 0}}
  %s:2 = "uop.reduce"(%x, %x, %r) <{kind = #vector.kind<add>, operandSegmentSizes = array<i32: 2, 0, 1, 0>}> ({}) : (f32, f32, index) -> (f32, f32)
}

// -----

uop.kernel @reduce_no_kind(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected either a kind or a combiner}}
  %s = "uop.reduce"(%x, %r) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> ({}) : (f32, index) -> f32
}

// -----

uop.kernel @reduce_kind_and_combiner(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected either a kind or a combiner}}
  %s = "uop.reduce"(%x, %x, %r) <{kind = #vector.kind<add>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: f32, %b: f32):
    uop.yield %a : f32
  }) : (f32, f32, index) -> f32
}

// -----

uop.kernel @reduce_identity_type(%x: f32, %id: f64) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected an identity of its type for each value}}
  %s = "uop.reduce"(%x, %id, %r) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: f32, %b: f32):
    uop.yield %a : f32
  }) : (f32, f64, index) -> f32
}

// -----

uop.kernel @combiner_arguments(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected the combiner to take the accumulators, then the values, ('f32', 'f32'), but got ('f32', 'f64')}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f64) {
    uop.yield %a : f32
  } : f32
}

// -----

uop.kernel @combiner_yield(%x: f32) {
  %r = uop.range reduce 4
  // expected-note@+1 {{the reduction is here}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f32) {
    %c = arith.extf %a : f32 to f64
    // expected-error@+1 {{'uop.yield' op expected the accumulators' types ('f32'), but got ('f64')}}
    uop.yield %c : f64
  } : f32
}

// -----

uop.kernel @combiner_without_yield(%x: f32) {
  %r = uop.range reduce 4
  // expected-error@+1 {{'uop.reduce' op expected the combiner to end with uop.yield}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f32) {
    ub.unreachable
  } : f32
}

// -----

uop.kernel @combiner_effects(%x: f32) {
  %r = uop.range reduce 4
  // expected-note@+1 {{the reduction is here}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f32) {
    // expected-error@+1 {{'memref.alloc' op is not allowed in the combiner of a uop.reduce: expected pure scalar arith or math}}
    %m = memref.alloc() : memref<4xf32>
    uop.yield %a : f32
  } : f32
}

// -----

uop.kernel @combiner_vectors(%x: f32) {
  %r = uop.range reduce 4
  // expected-note@+1 {{the reduction is here}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f32) {
    // expected-error@+1 {{'arith.constant' op is not allowed in the combiner of a uop.reduce: expected pure scalar arith or math}}
    %m = arith.constant dense<1.0> : vector<4xf32>
    uop.yield %a : f32
  } : f32
}

// -----

// The combiner sees its own arguments only.
uop.kernel @combiner_outside(%x: f32) {
  %r = uop.range reduce 4
  // expected-note@+1 {{required by region isolation constraints}}
  %s = uop.reduce (%x) init(%x) over(%r) combine (%a: f32, %b: f32) {
    // expected-error@+1 {{'arith.addf' op using value defined outside the region}}
    %m = arith.addf %a, %x : f32
    uop.yield %m : f32
  } : f32
}

// -----

// expected-error@+1 {{'uop.yield' op expects parent op 'uop.reduce'}}
"uop.yield"() : () -> ()

// -----

uop.kernel @stage_rank(%x: f32) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.stage' op expected 2 indices for '!uop.tile<4x4xf32, workgroup>', but got 1}}
  %t = uop.stage %x over(%i) : !uop.tile<4x4xf32, workgroup>
}

// -----

uop.kernel @stage_value(%x: f64) {
  %i = uop.range loop 4
  // expected-error@+1 {{'uop.stage' op expected the value to be of the element type 'f32' of '!uop.tile<4xf32, private>', but got 'f64'}}
  %t = "uop.stage"(%x, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (f64, index, index) -> !uop.tile<4xf32, private>
}

// -----

uop.kernel @stage_axis(%x: f32) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range local<x> 4
  // expected-error@+1 {{'uop.stage' op expected the ranges in 'over' to have axis loop and a static extent, but got 'local<x>'}}
  %t = uop.stage %x over(%i) : !uop.tile<4xf32, workgroup>
}

// -----

uop.kernel @stage_dynamic(%x: f32, %n: index) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range loop %n
  // expected-error@+1 {{'uop.stage' op expected the ranges in 'over' to have axis loop and a static extent, but got dynamic 'loop'}}
  %t = uop.stage %x over(%i) : !uop.tile<4xf32, workgroup>
}
