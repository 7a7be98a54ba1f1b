// Kernels that would go on for ever end at the step limit, wherever their loop
// is and whatever it waits for, with a message at the loop.
// DEFINE: %{kernel} =
// DEFINE: %{run} = not uop-run %s -e run_%{kernel} zeros --check --step-limit=100 2>&1 | FileCheck %s --check-prefix

!x = memref<1xi32>

module attributes {gpu.container_module} {

gpu.module @kernels {
  func.func @forever() {
    %true = arith.constant true
    // FUNCTION: [[#@LINE+1]]:5: error: @function: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
    return
  }

  // Nothing is waited for.
  // REDEFINE: %{kernel} = loop
  // RUN: %{run}=LOOP
  gpu.func @loop(%x: !x) kernel {
    %true = arith.constant true
    // LOOP: [[#@LINE+1]]:5: error: @loop: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
    gpu.return
  }

  // All threads meet again and again.
  // REDEFINE: %{kernel} = barriers
  // RUN: %{run}=BARRIERS
  gpu.func @barriers(%x: !x) kernel {
    %true = arith.constant true
    // BARRIERS: [[#@LINE+1]]:5: error: @barriers: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      gpu.barrier
      scf.yield
    }
    gpu.return
  }

  // Block 0 waits for block 1, which runs after it.
  // REDEFINE: %{kernel} = block
  // RUN: %{run}=BLOCK
  gpu.func @block(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %b = gpu.block_id x
    %first = arith.cmpi eq, %b, %c0 : index
    scf.if %first {
      // BLOCK: [[#@LINE+1]]:7: error: @block: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
      scf.while : () -> () {
        %v = memref.atomic_rmw addi %zero, %x[%c0] : (i32, !x) -> i32
        %more = arith.cmpi eq, %v, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    } else {
      %v = memref.atomic_rmw assign %one, %x[%c0] : (i32, !x) -> i32
    }
    gpu.return
  }

  // Thread 0 waits for thread 1 of the same subgroup.
  // REDEFINE: %{kernel} = lane
  // RUN: %{run}=LANE
  gpu.func @lane(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      // LANE: [[#@LINE+1]]:7: error: @lane: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
      scf.while : () -> () {
        %v = memref.atomic_rmw addi %zero, %x[%c0] : (i32, !x) -> i32
        %more = arith.cmpi eq, %v, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    } else {
      %v = memref.atomic_rmw assign %one, %x[%c0] : (i32, !x) -> i32
    }
    gpu.return
  }

  // The first subgroup shuffles for ever, the second goes to the barrier.
  // REDEFINE: %{kernel} = shuffles
  // RUN: %{run}=SHUFFLES
  gpu.func @shuffles(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %subgroup = gpu.subgroup_id : index
    %first = arith.cmpi eq, %subgroup, %c0 : index
    // SHUFFLES: [[#@LINE+1]]:5: error: @shuffles: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.while : () -> () {
      %s, %valid = gpu.shuffle xor %c1, %c1, %c32 : i32
      scf.condition(%first)
    } do {
      scf.yield
    }
    gpu.barrier
    gpu.return
  }

  // Unstructured control flow.
  // REDEFINE: %{kernel} = branch
  // RUN: %{run}=BRANCH
  gpu.func @branch(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    cf.br ^again
  ^again:
    %v = memref.load %x[%c0] : !x
    %more = arith.cmpi eq, %v, %zero : i32
    // BRANCH: [[#@LINE+1]]:5: error: @branch: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    cf.cond_br %more, ^again, ^out
  ^out:
    gpu.return
  }

  // There is no way out at all.
  // REDEFINE: %{kernel} = never
  // RUN: %{run}=NEVER
  gpu.func @never(%x: !x) kernel {
    cf.br ^again
  ^again:
    gpu.barrier
    // NEVER: [[#@LINE+1]]:5: error: @never: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    cf.br ^again
  }

  // The same in a region of its own.
  // REDEFINE: %{kernel} = region
  // RUN: %{run}=REGION
  gpu.func @region(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    scf.execute_region {
      cf.br ^again
    ^again:
      %v = memref.load %x[%c0] : !x
      %more = arith.cmpi eq, %v, %zero : i32
      // REGION: [[#@LINE+1]]:7: error: @region: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
      cf.cond_br %more, ^again, ^out
    ^out:
      scf.yield
    }
    gpu.return
  }

  // A long loop in another form.
  // REDEFINE: %{kernel} = forall
  // RUN: %{run}=FORALL
  gpu.func @forall(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    // FORALL: [[#@LINE+1]]:5: error: @forall: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.forall (%i) in (1000000000000) {
      %v = memref.atomic_rmw addi %one, %x[%c0] : (i32, !x) -> i32
    }
    gpu.return
  }

  // A loop whose step turns out to be zero.
  // REDEFINE: %{kernel} = step
  // RUN: %{run}=STEP
  gpu.func @step(%x: !x) kernel {
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %one = arith.constant 1 : i32
    %v = memref.load %x[%c0] : !x
    %step = arith.index_cast %v : i32 to index
    // STEP: [[#@LINE+1]]:5: error: @step: step limit: thread (0, 0, 0) of block (0, 0, 0) has made 100 iterations and is in this loop
    scf.for %i = %c0 to %c9 step %step {
      %w = memref.atomic_rmw addi %one, %x[%c0] : (i32, !x) -> i32
    }
    gpu.return
  }

  // A loop in a function.
  // REDEFINE: %{kernel} = function
  // RUN: %{run}=FUNCTION
  gpu.func @function(%x: !x) kernel {
    func.call @forever() : () -> ()
    gpu.return
  }
}

func.func @run_loop(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@loop blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_barriers(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@barriers blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_block(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@block blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_lane(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@lane blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_shuffles(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@shuffles blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_branch(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@branch blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_never(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@never blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_region(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@region blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_forall(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@forall blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_step(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@step blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

func.func @run_function(%x: !x) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@function blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%x : !x)
  return
}

}
