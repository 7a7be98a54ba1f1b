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
