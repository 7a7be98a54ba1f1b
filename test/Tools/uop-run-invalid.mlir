// What is wrong with a command line is said in one message; exit status 1, and
// no file is written.
// RUN: rm -rf %t && mkdir %t

// RUN: not uop-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: uop-run: error: the file has several functions: choose one with -e, of @two, @result, @many, @tensor

// RUN: not uop-run %s -e three 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: there is no kernel or host function @three; there is @two, {{.*}}@copy

// RUN: not uop-run %s -e result 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: uop-run-invalid.mlir:[[#]]:1: error: expected a function without results, or with one number, but got 'i32', 'f32'; store them to an argument
// RESULT-NOT: see current operation

// RUN: not uop-run %s -e two zeros 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not uop-run %s -e two zeros 1 2 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: expected 2 arguments for @two (memref<4xf32>, i8), but got {{[13]}}

// RUN: not uop-run %s -e two 3 3 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument #0: expected an .npy file, rand, zeros, ones, nan, iota or fill:VALUE for memref<4xf32>, but got '3'; did you mean fill:3?

// RUN: not uop-run %s -e two zeros:5 3 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument #0: expected shape (4,) for memref<4xf32>, but 'zeros:5' asks for (5,)

// RUN: not uop-run %s -e two zeros:seed=5 3 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: argument #0: expected a seed as in rand:seed=3, but got 'zeros:seed=5'

// RUN: not uop-run %s -e two rand:big 3 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: argument #0: expected a shape as in rand:3x4, or a seed as in rand:seed=3, but got 'big' in 'rand:big'

// RUN: not uop-run %s -e two fill 3 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: error: argument #0: expected a value, as in fill:3

// RUN: not uop-run %s -e two fill:1e99 3 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: argument #0: '1e99' is out of the range of f32

// RUN: not uop-run %s -e two zeros 256 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: argument #1: expected a number or an .npy file for i8, but '256' is out of the range of i8

// RUN: not uop-run %s -e two zeros 1.5 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: argument #1: expected a number or an .npy file for i8, but '1.5' is not an integer

// RUN: not uop-run %s -e many zeros zeros 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: argument #0: memref<?x4xf32> has dynamic sizes: give a shape, as in 'zeros:8x4'

// RUN: not uop-run %s -e many zeros:200000000000000000x4 zeros:8x4 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: argument #0: an array of shape (200000000000000000, 4) of f32 does not fit in memory

// RUN: not uop-run %s -e many zeros:8x4 zeros:9000000000000000000x4 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: error: argument #1: an array of shape (9000000000000000000, 4) of f32 does not fit in memory

// RUN: not uop-run %s -e tensor zeros 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument #0: expected a memref or a scalar of i1, i8, {{.*}}, but got tensor<4xf32>

// Outputs: which argument, and where to.
// RUN: not uop-run %s -e many zeros:1x4 zeros:1x4 --save %t/o.npy 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: @many writes the arguments 0, 1: say which one --save is about, as in --save=0={{.*}}o.npy
// RUN: not uop-run %s -e two zeros 1 --compare %t/o.npy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: @two writes no argument: say which one --compare is about, as in --compare=0={{.*}}o.npy
// RUN: not uop-run %s -e two zeros 1 --save 2=%t/o.npy 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: --save: expected an argument from 0 to 1, but got 2
// RUN: not uop-run %s -e two zeros 1 --save 1=%t/o.npy 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: --save: expected a memref, but argument #1 is of type i8
// RUN: not uop-run %s -e two zeros 1 --save 0= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected --save=[index=]file.npy, but got '0='
// RUN: not uop-run %s -e copy ones zeros --save 0=%t/o.npy --save 1=%t/o.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: arguments #0 and #1 are both saved as '{{.*}}o.npy'
// RUN: not uop-run %s -e copy ones zeros --save 0=%t/o.npy --save 1=%t/./o.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not uop-run %s -e copy ones zeros --save %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write '{{.*}}': it is a directory
// RUN: not uop-run %s -e copy ones zeros --save %t/none/o.npy 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: error: cannot write '{{.*}}none/o.npy': {{[Nn]}}o such file or directory

// Options.
// RUN: not uop-run %s -e two zeros 1 --tolerance=-1 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not uop-run %s -e two zeros 1 --tolerance=1,x 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: error: expected --tolerance=ATOL or --tolerance=ATOL,RTOL with numbers that are not negative, but got
// RUN: not uop-run %s -e two zeros 1 --time=0 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: expected --time=N with a number of runs from 1, but got '0'
// RUN: not uop-run %s -e two zeros 1 --reference --print-launch 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: error: --print-launch: the reference interpreter launches nothing; leave out --reference
// RUN: not uop-run %s -e two zeros 1 --no-such-option 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: uop-run: error: Unknown command line argument '--no-such-option'
// RUN: not uop-run 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: uop-run: error: Not enough positional command line arguments

// The file.
// RUN: not uop-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read '{{.*}}none.mlir': {{[Nn]}}o such file or directory
// RUN: echo "func.func private @f()" | not uop-run - 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: error: the file has no kernel and no host function
// RUN: echo "func.func @f(" | not uop-run - 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: :[[#]]:[[#]]: error:

// Nothing has been written.
// RUN: ls %t | count 0

func.func @two(%a: memref<4xf32>, %b: i8) {
  return
}

func.func @result() -> (i32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  return %zero, %one : i32, f32
}

func.func private @declared()

func.func @many(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %a[%c0, %c0] : memref<?x4xf32>
  %c = memref.cast %b : memref<?x4xf32> to memref<?x?xf32>
  memref.store %zero, %c[%c0, %c0] : memref<?x?xf32>
  return
}

func.func @tensor(%a: tensor<4xf32>) {
  return
}

uop.kernel @copy(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  uop.store %x, %out[%i] : memref<4xf32>
}
