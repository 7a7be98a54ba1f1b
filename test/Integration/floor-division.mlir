// Floor division of numbers of either sign, as it is lowered: by a value, by
// four (a shift and a mask), and by another constant.

// RUN: uop-opt %s --convert-uop-to-gpu --arith-expand --convert-vector-to-llvm --convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=void -shared-libs=%mlir_lib_dir/libmlir_c_runner_utils.so | FileCheck %s

func.func private @print(%quotient: index, %remainder: index) {
  %q = arith.index_cast %quotient : index to i64
  %r = arith.index_cast %remainder : index to i64
  vector.print %q : i64 punctuation <comma>
  vector.print %r : i64
  return
}

func.func @by(%a: index, %b: index) {
  %q = uop.floordiv %a, %b
  %r = uop.floormod %a, %b
  call @print(%q, %r) : (index, index) -> ()
  return
}

func.func @by_four(%a: index) {
  %c4 = arith.constant 4 : index
  %q = uop.floordiv %a, %c4
  %r = uop.floormod %a, %c4
  call @print(%q, %r) : (index, index) -> ()
  return
}

func.func @by_minus_three(%a: index) {
  %c3 = arith.constant -3 : index
  %q = uop.floordiv %a, %c3
  %r = uop.floormod %a, %c3
  call @print(%q, %r) : (index, index) -> ()
  return
}

func.func @main() {
  %m1000 = arith.constant -1000 : index
  %m8 = arith.constant -8 : index
  %m7 = arith.constant -7 : index
  %m6 = arith.constant -6 : index
  %m5 = arith.constant -5 : index
  %m3 = arith.constant -3 : index
  %m1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  // CHECK: 2, 1{{$}}
  call @by(%c7, %c3) : (index, index) -> ()
  // CHECK-NEXT: -3, 2{{$}}
  call @by(%m7, %c3) : (index, index) -> ()
  // CHECK-NEXT: -3, -2{{$}}
  call @by(%c7, %m3) : (index, index) -> ()
  // CHECK-NEXT: 2, -1{{$}}
  call @by(%m7, %m3) : (index, index) -> ()
  // CHECK-NEXT: 2, 0{{$}}
  call @by(%c6, %c3) : (index, index) -> ()
  // CHECK-NEXT: -2, 0{{$}}
  call @by(%m6, %c3) : (index, index) -> ()
  // CHECK-NEXT: -2, 0{{$}}
  call @by(%c6, %m3) : (index, index) -> ()
  // CHECK-NEXT: 2, 0{{$}}
  call @by(%m6, %m3) : (index, index) -> ()
  // CHECK-NEXT: 0, 0{{$}}
  call @by(%c0, %m5) : (index, index) -> ()
  // CHECK-NEXT: -1, 999{{$}}
  call @by(%m1, %c1000) : (index, index) -> ()
  // CHECK-NEXT: -1, -999{{$}}
  call @by(%c1, %m1000) : (index, index) -> ()
  // CHECK-NEXT: 1, 3{{$}}
  call @by_four(%c7) : (index) -> ()
  // CHECK-NEXT: -2, 1{{$}}
  call @by_four(%m7) : (index) -> ()
  // CHECK-NEXT: 2, 0{{$}}
  call @by_four(%c8) : (index) -> ()
  // CHECK-NEXT: -2, 0{{$}}
  call @by_four(%m8) : (index) -> ()
  // CHECK-NEXT: -1, 3{{$}}
  call @by_four(%m1) : (index) -> ()
  // CHECK-NEXT: -2, -1{{$}}
  call @by_minus_three(%c5) : (index) -> ()
  // CHECK-NEXT: 1, -2{{$}}
  call @by_minus_three(%m5) : (index) -> ()
  // CHECK-NEXT: -2, 0{{$}}
  call @by_minus_three(%c6) : (index) -> ()
  return
}
