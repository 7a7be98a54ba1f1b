// Kernels and launches that are refused.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

// Signatures.

// expected-error@+1 {{'uop.kernel' op expected no results, but got 'f32'; store them to an argument}}
uop.kernel @result() -> f32 {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #1 to be a ranked memref or a scalar (index, signless integer or floating-point), but got 'tensor<4xf32>'}}
uop.kernel @tensor(%n: index, %t: tensor<4xf32>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a ranked memref or a scalar (index, signless integer or floating-point), but got 'memref<*xf32>'}}
uop.kernel @unranked(%a: memref<*xf32>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a ranked memref or a scalar (index, signless integer or floating-point), but got 'vector<4xf32>'}}
uop.kernel loops @vector(%v: vector<4xf32>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a ranked memref or a scalar (index, signless integer or floating-point), but got 'si32'}}
uop.kernel @signed(%n: si32) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref of signless integers or floating-point numbers, but got 'memref<4xindex>'}}
uop.kernel @indices(%a: memref<4xindex>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref of signless integers or floating-point numbers, but got 'memref<4xvector<4xf32>>'}}
uop.kernel @vectors(%a: memref<4xvector<4xf32>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref with a strided layout, but got}}
uop.kernel @folded(%a: memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref in the default or the global memory space, but got 'memref<4xf32, #gpu.address_space<workgroup>>'}}
uop.kernel @workgroup(%a: memref<4xf32, #gpu.address_space<workgroup>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref in the default or the global memory space, but got 'memref<4xf32, 3>'}}
uop.kernel @number(%a: memref<4xf32, 3>) {
}

// -----

// Layouts: a stride of 0, an overlap of rows, and of interleaved dimensions:
// 2*i + 3*j is 6 at (3, 0) and at (0, 2).

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref whose layout does not overlap itself, but got 'memref<4x8xf32, strided<[0, 1]>>'}}
uop.kernel @broadcast(%a: memref<4x8xf32, strided<[0, 1]>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref whose layout does not overlap itself, but got 'memref<4x8xf32, strided<[7, 1]>>'}}
uop.kernel @rows(%a: memref<4x8xf32, strided<[7, 1]>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref whose layout does not overlap itself, but got 'memref<4x3xf32, strided<[2, 3]>>'}}
uop.kernel @interleaved(%a: memref<4x3xf32, strided<[2, 3]>>) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected argument #0 to be a memref whose layout does not overlap itself, but got 'memref<4x4xf32, strided<[-1, 1]>>'}}
uop.kernel @backwards(%a: memref<4x4xf32, strided<[-1, 1]>>) {
}

// -----

// The generic form.

// expected-error@+1 {{'uop.kernel' op requires attribute 'function_type'}}
"uop.kernel"() <{sym_name = "k"}> ({
^bb0:
}) : () -> ()

// -----

// expected-error@+1 {{'uop.kernel' op requires attribute 'sym_name'}}
"uop.kernel"() <{function_type = () -> ()}> ({
^bb0:
}) : () -> ()

// -----

// expected-error@+1 {{'uop.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
"uop.kernel"() <{sym_name = "k", function_type = () -> ()}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'uop.kernel' op expects region #0 to have 0 or 1 blocks}}
"uop.kernel"() <{sym_name = "k", function_type = () -> (), loops}> ({
^bb0:
  ub.unreachable
^bb1:
  ub.unreachable
}) : () -> ()

// -----

// expected-error@+1 {{'uop.kernel' op entry block must have 1 arguments to match function signature}}
"uop.kernel"() <{sym_name = "k", function_type = (f32) -> ()}> ({
^bb0:
}) : () -> ()

// -----

// expected-error@+1 {{'uop.kernel' op type of entry block argument #0('i32') must match the type of the corresponding argument in function signature('f32')}}
"uop.kernel"() <{sym_name = "k", function_type = (f32) -> ()}> ({
^bb0(%x: i32):
}) : () -> ()

// -----

// expected-error@+1 {{invalid properties}}
"uop.kernel"() <{sym_name = "k", function_type = () -> (), schedule = 4}> ({
^bb0:
}) : () -> ()

// -----

// Launches.

func.func @unknown(%a: memref<4xf32>) {
  // expected-error@+1 {{'uop.launch' op expected @missing to be a uop.kernel, but there is none}}
  uop.launch @missing(%a) : memref<4xf32>
  return
}

// -----

func.func @function() {
  // expected-error@+1 {{'uop.launch' op expected @function to be a uop.kernel, but there is none}}
  uop.launch @function()
  return
}

// -----

// expected-note@+1 {{the kernel is defined here}}
uop.kernel @copy(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  uop.store %x, %out[%i] : memref<4xf32>
}
func.func @count(%a: memref<4xf32>) {
  // expected-error@+1 {{'uop.launch' op expected 2 arguments for @copy, but got 1}}
  uop.launch @copy(%a) : memref<4xf32>
  return
}

// -----

// expected-note@+1 {{the kernel is defined here}}
uop.kernel @copy(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  uop.store %x, %out[%i] : memref<4xf32>
}
func.func @type(%a: memref<4xf32>, %b: memref<?xf32>) {
  // expected-error@+1 {{'uop.launch' op expected argument #1 of @copy to be 'memref<4xf32>', but got 'memref<?xf32>'}}
  uop.launch @copy(%a, %b) : memref<4xf32>, memref<?xf32>
  return
}

// -----

// expected-note@+1 {{the kernel is defined here}}
uop.kernel @copy(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  uop.store %x, %out[%i] : memref<4xf32>
}
func.func @same(%a: memref<4xf32>) {
  // expected-error@+1 {{'uop.launch' op expected arguments that do not overlap, but #0 and #1 are the same memory, and @copy stores to #1; pass a copy}}
  uop.launch @copy(%a, %a) : memref<4xf32>, memref<4xf32>
  return
}

// -----

// A cast is the same memory; a kernel in loop form stores with memref.store.
// expected-note@+1 {{the kernel is defined here}}
uop.kernel loops @copy(%out: memref<?xf32>, %in: memref<4xf32>) {
  %i = uop.range local<x> 4
  %x = memref.load %in[%i] : memref<4xf32>
  memref.store %x, %out[%i] : memref<?xf32>
}
func.func @cast(%a: memref<4xf32>) {
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  // expected-error@+1 {{'uop.launch' op expected arguments that do not overlap, but #0 and #1 are the same memory, and @copy stores to #0; pass a copy}}
  uop.launch @copy(%b, %a) : memref<?xf32>, memref<4xf32>
  return
}

// -----

// A part of the whole.
// expected-note@+1 {{the kernel is defined here}}
uop.kernel @spread(%in: memref<4xf32>, %out: memref<8xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  uop.store %x, %out[%i] : memref<8xf32>
}
func.func @part(%a: memref<8xf32>) {
  %b = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %c = memref.cast %b : memref<4xf32, strided<[1]>> to memref<4xf32>
  // expected-error@+1 {{'uop.launch' op expected arguments that do not overlap, but #0 and #1 are the same memory, and @spread stores to #1; pass a copy}}
  uop.launch @spread(%c, %a) : memref<4xf32>, memref<8xf32>
  return
}

// -----

// The kernel stores through a view.
// expected-note@+1 {{the kernel is defined here}}
uop.kernel loops @through_view(%in: memref<8xf32>, %out: memref<8xf32>) {
  %i = uop.range local<x> 4
  %x = memref.load %in[%i] : memref<8xf32>
  %v = memref.subview %out[4] [4] [1]
    : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.store %x, %v[%i] : memref<4xf32, strided<[1], offset: 4>>
}
func.func @view(%a: memref<8xf32>) {
  // expected-error@+1 {{'uop.launch' op expected arguments that do not overlap, but #0 and #1 are the same memory, and @through_view stores to #1; pass a copy}}
  uop.launch @through_view(%a, %a) : memref<8xf32>, memref<8xf32>
  return
}

// -----

// Ranges of scalar arguments.

// expected-error@+1 {{'uop.kernel' op expected 'llvm.range' of argument #0 to be like #llvm.constant_range<i64, 0, 100>, but got 100 : i64}}
uop.kernel @range_kind(%n: index {llvm.range = 100 : i64}) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected 'llvm.range' on an integer or index, but argument #1 is 'f32'}}
uop.kernel @range_type(%n: index, %f: f32 {llvm.range = #llvm.constant_range<i32, 0, 100>}) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected 'llvm.range' of argument #0 to be of 64 bits, as 'index' has, but got #llvm.constant_range<i32, 0, 100>}}
uop.kernel @range_width(%n: index {llvm.range = #llvm.constant_range<i32, 0, 100>}) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected 'llvm.range' of argument #0 to be an interval of signed numbers, the lower end first, but got #llvm.constant_range<i64, 100, 0>}}
uop.kernel loops @range_order(%n: index {llvm.range = #llvm.constant_range<i64, 100, 0>}) {
}

// -----

// expected-error@+1 {{'uop.kernel' op expected 'llvm.range' of argument #0 to be an interval of signed numbers, the lower end first, but got #llvm.constant_range<i8, 0, 0>}}
uop.kernel @range_empty(%n: i8 {llvm.range = #llvm.constant_range<i8, 0, 0>}) {
}
