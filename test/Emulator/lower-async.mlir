// What is asynchronous calls its run-time library; a module without anything of
// the kind gets no declarations.
// RUN: uop-opt %s --uop-lower-async -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @wait(
// CHECK: call @mlirAsyncRuntimeDropRef
func.func @wait(%t: !async.token) {
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  return
}

// -----

// CHECK-LABEL: module
// CHECK-NEXT: func.func @nothing
// CHECK-NOT: mlirAsyncRuntime
func.func @nothing() {
  return
}

// -----

// Where control flow hands on what is asynchronous it is a pointer, too.
// CHECK-LABEL: func.func @choose(
// CHECK: cf.cond_br %{{.*}}, ^[[BB:.*]](%{{.*}} : !llvm.ptr), ^[[BB]](%{{.*}} : !llvm.ptr)
// CHECK: ^[[BB]](%[[T:.*]]: !llvm.ptr):
func.func @choose(%c: i1, %t: !async.token, %u: !async.token) {
  cf.cond_br %c, ^bb1(%t : !async.token), ^bb1(%u : !async.token)
^bb1(%v: !async.token):
  async.runtime.drop_ref %v {count = 1 : i64} : !async.token
  return
}
