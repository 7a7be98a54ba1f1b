// Checked mode and shared memory of as many bytes as the launch gives. See
// Inputs/check.py for the lines.
// DEFINE: %{check} = %python %S/Inputs/check.py uop-run %s

!bytes = memref<?xi8, #gpu.address_space<workgroup>>
!ints = memref<?xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Reverses a block by way of shared memory, which is n elements as the kernel
  // sees it.
  gpu.func @reverse(%x: memref<?xi32>, %n: index, %waits: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %bytes = gpu.dynamic_shared_memory : !bytes
    %s = memref.view %bytes[%c0][%n] : !bytes to !ints
    %v = memref.load %x[%t] : memref<?xi32>
    memref.store %v, %s[%t] : !ints
    scf.if %waits {
      gpu.barrier
    }
    %last = arith.subi %n, %c1 : index
    %r = arith.subi %last, %t : index
    %w = memref.load %s[%r] : !ints
    memref.store %w, %x[%t] : memref<?xi32>
    gpu.return
  }
}

// A block of n threads, with bytes of shared memory for m elements.
func.func @reverse(%x: memref<?xi32>, %n: index, %m: index, %waits: i1) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i32
  %elements = arith.index_cast %m : index to i32
  %bytes = arith.muli %elements, %c4 : i32
  gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%x : memref<?xi32>, %n : index, %waits : i1)
  return
}

// Two launches: what one has written there is not written for the next one, which
// has more.
func.func @twice(%x: memref<?xi32>) {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %yes = arith.constant true
  call @reverse(%x, %c8, %c8, %yes) : (memref<?xi32>, index, index, i1) -> ()
  call @reverse(%x, %c64, %c64, %yes) : (memref<?xi32>, index, index, i1) -> ()
  return
}
}

// RUN: %{check} -e reverse iota:64 64 64 1 | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e twice iota:64 | FileCheck %s --match-full-lines --check-prefix=CLEAN
// CLEAN: clean

// Thread t reads what thread 63 - t has stored, which is in the other warp.
// RUN: %{check} -e reverse iota:64 64 64 0 | FileCheck %s --match-full-lines --check-prefix=RACE
// RACE: race shared same-block x64 memref.load memref.store %s[0] (63, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// RACE-NEXT: uninitialized-read x32 memref.load %s[63] (0, 0, 0)/(0, 0, 0)
// RACE-NOT: {{.}}

// The view has 64 elements, the memory 62 or none.
// RUN: %{check} -e reverse iota:64 64 62 1 | FileCheck %s --match-full-lines --check-prefix=SHORT
// SHORT: out-of-bounds x2 memref.load %s[63] (0, 0, 0)/(0, 0, 0)
// SHORT-NEXT: out-of-bounds x2 memref.store %s[62] (62, 0, 0)/(0, 0, 0)
// SHORT-NOT: {{.}}
// RUN: %{check} -e reverse iota:64 64 0 1 | FileCheck %s --match-full-lines --check-prefix=EMPTY
// EMPTY: out-of-bounds x64 memref.load %s[63] (0, 0, 0)/(0, 0, 0)
// EMPTY-NEXT: out-of-bounds x64 memref.store %s[0] (0, 0, 0)/(0, 0, 0)
// EMPTY-NOT: {{.}}
