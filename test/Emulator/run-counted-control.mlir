// Which lanes make a request together, by the control flow of a kernel.

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Shuffles in a loop that warps run 1, 2, 3 and 4 times; then 28 of the threads
  // return, and the others go on.
  // RUN: uop-run %s -e run_shuffles iota zeros --report | FileCheck %s --check-prefix=SHUFFLES
  // SHUFFLES: global load: 10 requests, 4 sec x10 (ideal 40); memref.load of %x
  // SHUFFLES-NEXT: global store: 10 requests, 4 sec x10 (ideal 40); memref.store of %o
  // SHUFFLES-NEXT: global load: 4 requests, 4 sec x3/1 sec x1 (ideal 13); memref.load of %x
  // SHUFFLES-NEXT: global store: 4 requests, 4 sec x3/1 sec x1 (ideal 13); memref.store of %o
  // SHUFFLES: scf.if: lanes part in 1 of 4 warps
  gpu.func @shuffles(%x: memref<128xi32>, %o: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c100 = arith.constant 100 : index
    %w32 = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %w = arith.divui %t, %c32 : index
    %n = arith.addi %w, %c1 : index
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.addi %t, %c0 : index
      %v = memref.load %x[%at] : memref<128xi32>
      %u, %ok = gpu.shuffle xor %v, %one, %w32 : i32
      memref.store %u, %o[%at] : memref<128xi32>
    }
    %out = arith.cmpi uge, %t, %c100 : index
    cf.cond_br %out, ^end, ^go
  ^go:
    %a = memref.load %x[%t] : memref<128xi32>
    memref.store %a, %o[%t] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }
  // Lane t leaves a loop in iteration t, in which 32 - t lanes load x[t]; those
  // that go on store. Where the lanes meet again is after the loop.
  // RUN: uop-run %s -e run_leave iota zeros --report | FileCheck %s --check-prefix=LEAVE
  // LEAVE: global load: 32 requests, 1 sec x32 (ideal 80); memref.load of %x
  // LEAVE-NEXT: global store: 31 requests, 1 sec x8/2 sec x8/3 sec x8/4 sec x7 (ideal 76); memref.store of %o
  // LEAVE-NEXT: global store: 1 request, 4 sec x1 (ideal 4); memref.store of %o
  // LEAVE: scf.if: lanes part in 31 of 32 warps
  gpu.func @leave(%x: memref<128xi32>, %o: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %v = memref.load %x[%i] : memref<128xi32>
    %ix = arith.index_cast %v : i32 to index
    %stop = arith.cmpi uge, %ix, %t : index
    cf.cond_br %stop, ^done, ^body
  ^body:
    memref.store %v, %o[%t] : memref<128xi32>
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j : index)
  ^done:
    memref.store %v, %o[%t] : memref<128xi32>
    gpu.return
  }
}
func.func @run_shuffles(%x: memref<128xi32>, %o: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@shuffles blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1) args(%x : memref<128xi32>, %o : memref<128xi32>)
  return
}
func.func @run_leave(%x: memref<128xi32>, %o: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@leave blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%x : memref<128xi32>, %o : memref<128xi32>)
  return
}
}
