// A program with host code runs as with mlir-runner: MLIR's runner libraries are
// there, and a result is printed after what the program printed.
// RUN: uop-run %s -e main | FileCheck %s --check-prefix=MAIN
// RUN: uop-run %s -e main --entry-point-result=i32 | FileCheck %s --check-prefix=MAIN
// RUN: uop-run %s -e main --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so | FileCheck %s --check-prefix=MAIN
// RUN: uop-run %s -e single --entry-point-result=f32 | FileCheck %s --check-prefix=SINGLE
// RUN: uop-run %s -e wide --entry-point-result=i64 | FileCheck %s --check-prefix=WIDE
// RUN: uop-run %s -e half | FileCheck %s --check-prefix=HALF
// RUN: uop-run %s -e yes | FileCheck %s --check-prefix=YES
// RUN: uop-run %s -e sum 3 iota:4 | FileCheck %s --check-prefix=SUM
// RUN: uop-run %s -e main --print-launch | FileCheck %s --check-prefix=LAUNCH
// RUN: uop-run %s -e nothing --entry-point-result=void | count 0

// RUN: not uop-run %s -e main --entry-point-result=void 2>&1 | FileCheck %s --check-prefix=VOID
// VOID: uop-run-entry.mlir:[[#]]:1: error: expected a function without results, but got 'i32'
// RUN: not uop-run %s -e nothing --entry-point-result=i32 2>&1 | FileCheck %s --check-prefix=I32
// I32: error: expected a function with a result of i32, but got none
// RUN: not uop-run %s -e single --entry-point-result=i64 2>&1 | FileCheck %s --check-prefix=I64
// I64: error: expected a function with a result of i64, but got 'f32'
// RUN: not uop-run %s -e main --entry-point-result=f32 2>&1 | FileCheck %s --check-prefix=F32
// F32: error: expected a function with a result of f32, but got 'i32'
// RUN: not uop-run %s -e main --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: expected a function without results for the reference interpreter, but got 'i32'
// RUN: not uop-run %s -e main --shared-libs=%t.nowhere.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: error: cannot load the library '{{.*}}nowhere.so'

// LAUNCH: launch: @main_kernel grid (3, 1, 1) block (1, 1, 1) shared 0 bytes

// MAIN: sizes = [3]
// MAIN-NEXT: [7, {{ *}}8, {{ *}}9]
// MAIN-NEXT: ( 1, 2 )
// MAIN-NEXT: -5
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = memref.alloc() : memref<3xi32>
  gpu.launch blocks(%a, %b, %c) in (%d = %c3, %e = %c1, %f = %c1)
      threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    %c7 = arith.constant 7 : index
    %n = arith.addi %a, %c7 : index
    %v = arith.index_cast %n : index to i32
    memref.store %v, %x[%a] : memref<3xi32>
    gpu.terminator
  }
  %u = memref.cast %x : memref<3xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  %v = arith.constant dense<[1, 2]> : vector<2xi32>
  vector.print %v : vector<2xi32>
  %result = arith.constant -5 : i32
  return %result : i32
}

// SINGLE: 2.500000e+00
func.func @single() -> f32 {
  %v = arith.constant 2.5 : f32
  return %v : f32
}

// WIDE: -5000000000
func.func @wide() -> i64 {
  %v = arith.constant -5000000000 : i64
  return %v : i64
}

// HALF: -1.500000e+00
func.func @half() -> f16 {
  %v = arith.constant -1.5 : f16
  return %v : f16
}

// YES: {{^}}1{{$}}
func.func @yes() -> i1 {
  %v = arith.constant true
  return %v : i1
}

// With arguments: 3 + 0 + 1 + 2 + 3.
// SUM: {{^}}9{{$}}
func.func @sum(%start: i32, %x: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %start) -> i32 {
    %v = memref.load %x[%i] : memref<4xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  return %sum : i32
}

func.func @nothing() {
  return
}

func.func private @printMemrefI32(memref<*xi32>)
