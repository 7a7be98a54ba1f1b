// What --report says of a run: one heading a launch, a line an access and a
// branch, and the totals.
// RUN: rm -rf %t && mkdir %t

module attributes {gpu.container_module} {

// 200 elements in 7 blocks of 32 threads. The run is the same as without.
// RUN: uop-run %s -e add rand rand nan --report --save 2=%t/counted.npy | FileCheck %s --check-prefix=ADD --match-full-lines
// RUN: uop-run %s -e add rand rand nan --save 2=%t/plain.npy | count 0
// RUN: cmp %t/counted.npy %t/plain.npy
// ADD: @add: grid (7, 1, 1), block (32, 1, 1): 224 threads, 600 accesses
// ADD-NEXT:   counted in            an emulated run (gpu dialect)
// ADD-NEXT:   chip                  sm_80, as A100
// ADD-NEXT:   warps                 7 of 32 lanes, 89.29 % of the lanes useful
// ADD-NEXT:   shared memory         0 bytes a block
// ADD: Memory, by request of a warp: sectors of 32 bytes, and wavefronts of shared memory
// ADD-NEXT: {{.*}}uop-run-report.mlir:[[#@LINE+21]]:10: global load: 7 requests, 4 sec x6/1 sec x1 (ideal 25); memref.load of %a
// ADD-NEXT: {{.*}}uop-run-report.mlir:[[#@LINE+21]]:10: global load: 7 requests, 4 sec x6/1 sec x1 (ideal 25); memref.load of %b
// ADD-NEXT: {{.*}}uop-run-report.mlir:[[#@LINE+23]]:5: global store: 7 requests, 4 sec x6/1 sec x1 (ideal 25); memref.store of %c
// ADD-NEXT:   global loads          14 requests, 400 elements, 50 sectors (ideal 50), 14 transactions
// ADD-NEXT:   global stores         7 requests, 200 elements, 25 sectors (ideal 25), 7 transactions
// ADD: Threads of a block
// ADD-NEXT: {{.*}}uop-run-report.mlir:[[#@LINE+14]]:3: scf.if: lanes part in 1 of 7 warps
// ADD: Advice, by estimated cost
// ADD-NEXT:   1. 89.29 % of the lanes have something to do (about 10.71 % of the time)
// ADD-NEXT:      choose a block that the extents are a multiple of, or give the other threads a part of the work
// ADD-NOT: {{.}}
uop.kernel loops @add(%a: memref<200xf32>, %b: memref<200xf32>,
                      %c: memref<200xf32>) {
  %g = uop.range global<x> 7
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %n = arith.constant 200 : index
  %base = arith.muli %g, %c32 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %x = memref.load %a[%i] : memref<200xf32>
    %y = memref.load %b[%i] : memref<200xf32>

    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%i] : memref<200xf32>
  }
}

// Warps of 64 lanes: half as many, and the last has 8 lanes.
// RUN: uop-run %s -e rows rand nan --report --subgroup-size=64 | FileCheck %s --check-prefix=ROWS
// RUN: uop-run %s -e rows rand nan --report --print-launch | FileCheck %s --check-prefix=BOTH
// ROWS: global load: 2 requests, 1 sec x1/8 sec x1 (ideal 9); memref.load of %x
// BOTH: launch: @rows grid (1, 1, 1) block (72, 1, 1) shared 0 bytes
// BOTH-NEXT: @rows: grid (1, 1, 1), block (72, 1, 1): 72 threads, 144 accesses
// BOTH: global load: 3 requests, 4 sec x2/1 sec x1 (ideal 9); memref.load of %x
uop.kernel loops @rows(%x: memref<72xf32>, %o: memref<72xf32>) {
  %t = uop.range local<x> 72
  %v = memref.load %x[%t] : memref<72xf32>
  memref.store %v, %o[%t] : memref<72xf32>
}

gpu.module @kernels {
  // Lane t goes on for x[t] = t iterations; in iteration k the lanes beyond k
  // load the same element, and store to banks of their own. An element of a
  // vector that is accessed element by element is a request.
  // RUN: uop-run %s -e run_data iota zeros --report | FileCheck %s --check-prefix=DATA
  // DATA: global load: 1 request, 4 sec x1 (ideal 4); memref.load of %x
  // DATA-NEXT: global load: 31 requests, 1 sec x31 (ideal 76); memref.load of %x
  // DATA-NEXT: shared store: 31 requests, 1 wf x31 (ideal 31); memref.store of %s
  // DATA-NEXT: shared atomic update: 16 requests, 1 wf x16 (ideal 16); memref.atomic_rmw of %s
  // DATA-NEXT: global load: 2 requests, 4 sec x2 (ideal 8); vector.gather of %x
  // DATA-NEXT: global store: 4 requests, 8 sec x3/16 sec x1 (ideal 10); vector.maskedstore of %o
  // DATA-NOT: of 31 warps
  // DATA: scf.if: lanes part in 1 of 1 warp
  // DATA-NOT: of 31 warps
  gpu.func @data(%x: memref<64xi32>, %o: memref<128xi32>)
      workgroup(%s: memref<64xi32, 3>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %n = arith.index_cast %v : i32 to index
    scf.for %k = %c0 to %n step %c1 {
      %w = memref.load %x[%k] : memref<64xi32>
      memref.store %w, %s[%t] : memref<64xi32, 3>
      // All lanes of an iteration agree.
      %r = arith.remui %k, %c2 : index
      %even = arith.cmpi eq, %r, %c0 : index
      scf.if %even {
        %u = memref.atomic_rmw addi %one, %s[%t] : (i32, memref<64xi32, 3>) -> i32
      }
    }
    %low = arith.cmpi ult, %t, %c4 : index
    scf.if %low {
      gpu.printf "%d\0A", %v : i32
    }
    %indices0 = vector.broadcast %v : i32 to vector<2xi32>
    %ends = arith.constant dense<[0, 32]> : vector<2xi32>
    %indices = arith.addi %indices0, %ends : vector<2xi32>
    %all = arith.constant dense<true> : vector<2xi1>
    %none = arith.constant dense<0> : vector<2xi32>
    %g = vector.gather %x[%c0] [%indices], %all, %none
        : memref<64xi32>, vector<2xi32>, vector<2xi1>, vector<2xi32> into vector<2xi32>
    // The first element of each lane, and all of the upper half.
    %t4 = arith.muli %t, %c4 : index
    %c16 = arith.constant 16 : index
    %upper = arith.cmpi uge, %t, %c16 : index
    %number = arith.select %upper, %c4, %c1 : index
    %mask = vector.create_mask %number : vector<4xi1>
    %value = vector.broadcast %v : i32 to vector<4xi32>
    vector.maskedstore %o[%t4], %mask, %value : memref<128xi32>, vector<4xi1>, vector<4xi32>
    gpu.return
  }

  func.func private @first(%x: memref<64xi32>, %t: index) -> i32 {
    %v = memref.load %x[%t] : memref<64xi32>
    return %v : i32
  }

  // Iterations of both axes of a parallel loop whose bounds differ from lane to
  // lane; a function that is called twice.
  gpu.func @calls(%x: memref<64xi32>, %o: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.addi %t, %c1 : index
    %zero = arith.constant 0 : i32
    %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %n) step (%c1, %c1) init (%zero) -> i32 {
      %v = func.call @first(%x, %j) : (memref<64xi32>, index) -> i32
      scf.reduce(%v : i32) {
      ^bb0(%a: i32, %b: i32):
        %s = arith.addi %a, %b : i32
        scf.reduce.return %s : i32
      }
    }
    %v = func.call @first(%x, %t) : (memref<64xi32>, index) -> i32
    %s = arith.addi %v, %sum : i32
    memref.store %s, %o[%t] : memref<128xi32>
    gpu.return
  }
}

func.func @run_data(%x: memref<64xi32>, %o: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@data blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%x : memref<64xi32>, %o : memref<128xi32>)
  return
}

// Launches of one shape are counted together, in the order of the first of each.
// RUN: uop-run %s -e run_several iota zeros --report | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: @calls: 3 launches, grid (2, 1, 1), block (8, 1, 1): 48 threads, 528 accesses
// SEVERAL: global load: 96 requests, 1 sec x96 (ideal 96); memref.load of %x
// SEVERAL-NEXT: global load: 6 requests, 1 sec x6 (ideal 6); memref.load of %x
// SEVERAL-NEXT: global store: 6 requests, 1 sec x6 (ideal 6); memref.store of %o
// SEVERAL: @calls: grid (1, 1, 1), block (4, 1, 1): 4 threads, 28 accesses
func.func @run_several(%x: memref<64xi32>, %o: memref<128xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c3 step %c1 {
    gpu.launch_func @kernels::@calls blocks in (%c2, %c1, %c1)
        threads in (%c8, %c1, %c1) args(%x : memref<64xi32>, %o : memref<128xi32>)
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      gpu.launch_func @kernels::@calls blocks in (%c1, %c1, %c1)
          threads in (%c4, %c1, %c1) args(%x : memref<64xi32>, %o : memref<128xi32>)
    }
  }
  return
}

// A kernel in place has the name of the function around it; its dynamic shared
// memory is counted.
// RUN: uop-run %s -e in_place nan 32 --report | FileCheck %s --check-prefix=PLACE
// PLACE: @in_place_kernel: grid (1, 1, 1), block (32, 1, 1): 32 threads, 33 accesses
// PLACE: shared memory         144 bytes a block
// PLACE: shared store: 1 request, 1 wf x1 (ideal 1); memref.store of
func.func @in_place(%o: memref<32xf32>, %n: i32) {
  %c1 = arith.constant 1 : index
  %threads = arith.index_cast %n : i32 to index
  %c4 = arith.constant 4 : i32
  %bytes = arith.muli %n, %c4 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1)
      dynamic_shared_memory_size %bytes
      workgroup(%s: memref<4xf32, 3>) {
    %f = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %d = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %f, %d[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %f, %o[%tx] : memref<32xf32>
    }
    gpu.terminator
  }
  return
}

// As JSON, beside the text or instead of it.
// RUN: uop-run %s -e add rand rand nan --report --report-json=%t/add.json | FileCheck %s --check-prefix=ADD
// RUN: uop-run %s -e add rand rand nan --report --report-json=- | cmp - %t/add.json
// RUN: FileCheck %s --check-prefix=JSON < %t/add.json
// RUN: %python -c "import json, sys; k = json.load(open(sys.argv[1]))['kernels'][0]; a = k['accesses'][0]; print(k['origin'], k['launch']['threads'], a['kind'], a['buffer'], a['place']['line'], a['sums'], a['requests_by_cost'], k['branches'][0]['divergent'])" %t/add.json | FileCheck %s --check-prefix=VALUES
// VALUES: run 224 global load %a [[#%u,]] {'bytes': 800, 'distinct_addresses': 200, 'elements': 200, 'lines': 7, 'requests': 7, 'sectors': 25, 'sectors_ideal': 25, 'wavefronts': 0, 'wavefronts_ideal': 0} {{\[}}{'cost': 1, 'requests': 1}, {'cost': 4, 'requests': 6}] 1
// JSON: "kernels": [
// JSON: "version": 1
}
