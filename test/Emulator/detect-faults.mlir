// Code that only finds out whether a kernel may be at fault: states of words of
// shared memory beside the block's memory, and of words of arguments that are
// written; no call on the way but where something is wrong.
// RUN: uop-opt %s --uop-emulate-gpu="checked detect parallel=false" --split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="checked detect openmp=false vector-width=8" --split-input-file | FileCheck %s --check-prefix=VECTOR
// RUN: not uop-opt %s --uop-emulate-gpu=detect --split-input-file 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: expected the option 'checked' beside 'detect'

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: func private @reverse_block
    // CHECK-SAME: %[[X:[^:]*]]: memref<64xf32>, %[[Y:[^:]*]]: memref<64xf32>, %[[STATES:[^:]*]]: memref<?xi64>
    // The tile and the states of its words.
    // CHECK-DAG: memref.alloca() {{.*}} : memref<64xf32>
    // CHECK-DAG: memref.alloca() {{.*}} : memref<64xi64>
    // CHECK: memref.get_global @uop_check_clock
    // The reads of %x need no states: nothing writes it.
    // CHECK-NOT: call @uop_check_word(%[[STATES]]
    // CHECK: call @uop_check_word({{.*}}) {bytes = 15 : i64, shared, use = 2 : i64}
    // CHECK: call @uop_check_word({{.*}}) {bytes = 15 : i64, must_be_written, shared, use = 1 : i64}
    // CHECK: call @uop_check_word(%[[STATES]], {{.*}}) {bytes = 15 : i64, use = 2 : i64}
    // CHECK-LABEL: func private @reverse_grid
    // The arguments are told apart.
    // CHECK: memref.extract_aligned_pointer_as_index
    // CHECK: llvm.call @uop_check_fire
    // CHECK: %[[ALL:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi64>
    // CHECK: llvm.call @uop_check_has_fired
    // CHECK: call @reverse_block(%{{.*}}, %{{.*}}, %[[ALL]],
    // CHECK: memref.dealloc %[[ALL]]
    // VECTOR-LABEL: llvm.func internal @reverse_block
    // VECTOR: llvm.load {{.*}} -> vector<8xi64>
    // VECTOR-NOT: @uop_check_word
    gpu.func @reverse(%x: memref<64xf32>, %y: memref<64xf32>)
        workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c63, %t : index
      %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@reverse blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xf32>, %y : memref<64xf32>)
    return
  }
}

// -----

// A shuffle orders nothing: no interval ends there.
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: func private @full_block
    // CHECK-SAME: %[[STATES:[^:]*]]: memref<?xi64>
    // CHECK: memref.get_global @uop_check_clock
    // CHECK: call @uop_check_word(%[[STATES]], {{.*}}) {bytes = 15 : i64, use = 1 : i64}
    // CHECK-NOT: memref.get_global @uop_check_clock
    // CHECK: call @uop_check_word(%[[STATES]], {{.*}}) {bytes = 15 : i64, use = 2 : i64}
    // CHECK-LABEL: func private @full_grid
    gpu.func @full(%x: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %v = memref.load %x[%t] : memref<64xf32>
      %w, %valid = gpu.shuffle xor %v, %one, %width : f32
      memref.store %w, %x[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    gpu.launch_func @m::@full blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%x : memref<64xf32>)
    return
  }
}

// -----

// What only the log knows about is left to it: the block does nothing. So where
// a subgroup has lanes without a thread.
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: func private @rest_block
    // CHECK-NEXT: llvm.call @uop_check_fire
    // CHECK-NEXT: return
    gpu.func @rest(%x: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %v = memref.load %x[%t] : memref<64xf32>
      %w, %valid = gpu.shuffle xor %v, %one, %width : f32
      memref.store %w, %x[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 63 : index
    gpu.launch_func @m::@rest blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%x : memref<64xf32>)
    return
  }
}

// -----

// And where one subgroup is run without the other.
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: func private @apart_block
    // CHECK-NEXT: llvm.call @uop_check_fire
    // CHECK-NEXT: return
    gpu.func @apart(%x: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %v = memref.load %x[%t] : memref<64xf32>
      %id = gpu.subgroup_id : index
      %c0 = arith.constant 0 : index
      %is = arith.cmpi eq, %id, %c0 : index
      scf.if %is {
        %w, %valid = gpu.shuffle xor %v, %one, %width : f32
        memref.store %w, %x[%t] : memref<64xf32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    gpu.launch_func @m::@apart blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%x : memref<64xf32>)
    return
  }
}
