// Memory that comes to a function by two ways: no read of one moves past a
// write of the other. Each public function prints what the second argument held before
// it was filled with 7.
// RUN: uop-opt %s --convert-linalg-to-uop -o %t
// RUN: uop-run %t -e through_calls | FileCheck %s --check-prefix=ONES
// RUN: uop-run %t -e through_result | FileCheck %s --check-prefix=ONES
// RUN: uop-run %t -e through_select | FileCheck %s --check-prefix=ONES
// RUN: uop-run %t -e through_global | FileCheck %s --check-prefix=GLOBAL
// RUN: uop-run %t -e apart | FileCheck %s --check-prefix=ONES

// ONES: [1,  1,  1,  1]
// GLOBAL: [1,  2,  3,  4]

memref.global "private" @values : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func private @printMemrefI32(memref<*xi32>)

// o = y, where x is filled in between.
func.func private @fill_between(%x: memref<4xi32>, %y: memref<4xi32>, %o: memref<4xi32>) {
  %t = memref.alloc() : memref<4xi32>
  linalg.copy ins(%y : memref<4xi32>) outs(%t : memref<4xi32>)
  %c7 = arith.constant 7 : i32
  linalg.fill ins(%c7 : i32) outs(%x : memref<4xi32>)
  linalg.copy ins(%t : memref<4xi32>) outs(%o : memref<4xi32>)
  memref.dealloc %t : memref<4xi32>
  return
}
func.func private @fill_global(%x: memref<4xi32>, %o: memref<4xi32>) {
  %y = memref.get_global @values : memref<4xi32>
  %t = memref.alloc() : memref<4xi32>
  linalg.copy ins(%y : memref<4xi32>) outs(%t : memref<4xi32>)
  %c7 = arith.constant 7 : i32
  linalg.fill ins(%c7 : i32) outs(%x : memref<4xi32>)
  linalg.copy ins(%t : memref<4xi32>) outs(%o : memref<4xi32>)
  memref.dealloc %t : memref<4xi32>
  return
}
func.func private @pass_on(%x: memref<4xi32>, %y: memref<4xi32>, %o: memref<4xi32>) {
  call @fill_between(%x, %y, %o) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  return
}
func.func private @identity(%x: memref<4xi32>) -> memref<4xi32> {
  return %x : memref<4xi32>
}
func.func private @ones() -> memref<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  %c1 = arith.constant 1 : i32
  linalg.fill ins(%c1 : i32) outs(%a : memref<4xi32>)
  return %a : memref<4xi32>
}
func.func private @print(%o: memref<4xi32>) {
  %u = memref.cast %o : memref<4xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}

func.func @through_calls() {
  %a = call @ones() : () -> memref<4xi32>
  %o = memref.alloc() : memref<4xi32>
  call @pass_on(%a, %a, %o) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  call @print(%o) : (memref<4xi32>) -> ()
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %o : memref<4xi32>
  return
}
func.func @through_result() {
  %a = call @ones() : () -> memref<4xi32>
  %b = call @identity(%a) : (memref<4xi32>) -> memref<4xi32>
  %o = memref.alloc() : memref<4xi32>
  call @fill_between(%a, %b, %o) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  call @print(%o) : (memref<4xi32>) -> ()
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %o : memref<4xi32>
  return
}
func.func @through_select() {
  %a = call @ones() : () -> memref<4xi32>
  %o = memref.alloc() : memref<4xi32>
  %true = arith.constant true
  %b = arith.select %true, %a, %o : memref<4xi32>
  call @fill_between(%a, %b, %o) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  call @print(%o) : (memref<4xi32>) -> ()
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %o : memref<4xi32>
  return
}
func.func @through_global() {
  %a = memref.get_global @values : memref<4xi32>
  %o = memref.alloc() : memref<4xi32>
  call @fill_global(%a, %o) : (memref<4xi32>, memref<4xi32>) -> ()
  call @print(%o) : (memref<4xi32>) -> ()
  memref.dealloc %o : memref<4xi32>
  return
}
func.func @apart() {
  %a = call @ones() : () -> memref<4xi32>
  %b = call @ones() : () -> memref<4xi32>
  %o = memref.alloc() : memref<4xi32>
  call @fill_between(%a, %b, %o) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  call @print(%o) : (memref<4xi32>) -> ()
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %b : memref<4xi32>
  memref.dealloc %o : memref<4xi32>
  return
}
