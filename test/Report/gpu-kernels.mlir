// Kernels of the gpu dialect, as they are written by hand: which sizes their
// launches have, and what their accesses cost, worked by hand.
// RUN: %python %S/Inputs/print_counts.py %s | FileCheck %s
module attributes {gpu.container_module} {

gpu.module @kernels {
  // Three warps go on as they are, and 4 threads of the last one.
  // CHECK-LABEL: @early_return: grid 1,1,1, block 128,1,1, gpu dialect
  // CHECK-NEXT: global load of %x: 1 sec x1/4 sec x3; 100 elements, 100 addresses
  // CHECK-NEXT: global store of %y: 1 sec x1/4 sec x3; 100 elements, 100 addresses
  // CHECK-NOT: {{load|store}}
  gpu.func @early_return(%x: memref<128xf32>, %y: memref<128xf32>) kernel {
    %t = gpu.thread_id x
    %c100 = arith.constant 100 : index
    %out = arith.cmpi sge, %t, %c100 : index
    cf.cond_br %out, ^end, ^work
  ^work:
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %y[%t] : memref<128xf32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // A block of 64 threads turns 64 elements around. A thread has memory of its
  // own, too, which is not counted.
  // CHECK-LABEL: @attributions: grid 3,1,1, block 64,1,1, gpu dialect
  // CHECK-NEXT: global load of %x: 4 sec x6; 192 elements, 192 addresses
  // CHECK-NEXT: shared store of %s: 1 wf x6; 192 elements, 192 addresses
  // CHECK-NEXT: shared load of %s: 1 wf x6; 192 elements, 192 addresses
  // CHECK-NEXT: global store of %x: 4 sec x6; 192 elements, 192 addresses
  // CHECK-NOT: {{load|store}}
  gpu.func @attributions(%x: memref<3x64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<2xf32, #gpu.address_space<private>>) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %x[%b, %t] : memref<3x64xf32>
    memref.store %v, %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    %w = memref.load %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    memref.store %w, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %size, %c1 : index
    %r = arith.subi %last, %t : index
    %u = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %x[%b, %t] : memref<3x64xf32>
    gpu.return
  }

  // 32 lanes 8 bytes apart in the memory that the launch gives: lanes i and
  // i + 16 share a bank. Then all lanes read one word.
  // CHECK-LABEL: @dynamic_memory: grid 1,1,1, block 32,1,1, gpu dialect
  // CHECK-NEXT: shared store of {{.*}}: 2 wf x1; 32 elements, 32 addresses
  // CHECK-NEXT: shared load of {{.*}}: 1 wf x1; 32 elements, 1 addresses
  // CHECK-NEXT: global store of %y: 4 sec x1; 32 elements, 32 addresses
  // CHECK-NOT: {{load|store}}
  gpu.func @dynamic_memory(%y: memref<32xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %i = arith.muli %t, %c2 : index
    memref.store %one, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<32xf32>
    gpu.return
  }

  // 4x2 blocks of 8x8 threads: a warp has 4 rows of 32 bytes. Its first lane
  // stores its number.
  // CHECK-LABEL: @ids: grid 4,2,1, block 8,8,1, gpu dialect
  // CHECK-NEXT: global load of %x: 4 sec x16; 512 elements, 512 addresses
  // CHECK-NEXT: global store of %x: 4 sec x16; 512 elements, 512 addresses
  // CHECK-NEXT: global store of %warps: 1 sec x16; 16 elements, 16 addresses
  // CHECK-NOT: {{load|store}}
  gpu.func @ids(%x: memref<16x32xf32>, %warps: memref<2xi32>) kernel {
    %i = gpu.global_id y
    %j = gpu.global_id x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%i, %j] : memref<16x32xf32>
    %w = arith.negf %v : f32
    memref.store %w, %x[%i, %j] : memref<16x32xf32>
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      %number = arith.index_cast %warp : index to i32
      memref.store %number, %warps[%warp] : memref<2xi32>
    }
    gpu.return
  }

  // Shared memory by its number, and registers of NVVM: columns of 32 floats
  // lie in one bank.
  // CHECK-LABEL: @numbers: grid 2,1,1, block 32,1,1, gpu dialect
  // CHECK-NEXT: shared store of %s: 32 wf x2; 64 elements, 64 addresses
  // CHECK-NEXT: shared load of %s: 1 wf x2; 64 elements, 64 addresses
  // CHECK-NEXT: global store of %y: 8 sec x2; 64 elements, 64 addresses
  // CHECK-NOT: {{load|store}}
  gpu.func @numbers(%y: memref<64xf64>) workgroup(%s: memref<32x32xf32, 3>) kernel {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %ti = arith.index_cast %t : i32 to index
    memref.store %one, %s[%ti, %c0] : memref<32x32xf32, 3>
    nvvm.barrier0
    %v = memref.load %s[%c0, %ti] : memref<32x32xf32, 3>
    %base = arith.muli %b, %size : i32
    %i = arith.addi %base, %t : i32
    %at = arith.index_cast %i : i32 to index
    %w = arith.extf %v : f32 to f64
    memref.store %w, %y[%at] : memref<64xf64>
    gpu.return
  }

  // Each launch has a report of its own.
  // CHECK-LABEL: @fill: grid 2,1,1, block 64,1,1, gpu dialect
  // CHECK-NEXT: global store of %y: 4 sec x4; 128 elements, 128 addresses
  // CHECK-LABEL: @fill: grid 3,1,1, block 32,1,1, gpu dialect
  // CHECK-NEXT: global store of %y: 4 sec x3; 96 elements, 96 addresses
  gpu.func @fill(%value: f32, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    memref.store %value, %y[%i] : memref<?xf32>
    gpu.return
  }
}

func.func @main(%x: memref<128xf32>, %y: memref<128xf32>, %t: memref<3x64xf32>,
                %l: memref<32xf32>, %m: memref<16x32xf32>, %w: memref<2xi32>,
                %d: memref<64xf64>, %a: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %bytes = arith.constant 256 : i32
  %one = arith.constant 1.0 : f32
  gpu.launch_func @kernels::@early_return blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%x : memref<128xf32>, %y : memref<128xf32>)
  gpu.launch_func @kernels::@attributions blocks in (%c3, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%t : memref<3x64xf32>)
  gpu.launch_func @kernels::@dynamic_memory blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%l : memref<32xf32>)
  gpu.launch_func @kernels::@ids blocks in (%c4, %c2, %c1) threads in (%c8, %c8, %c1)
      args(%m : memref<16x32xf32>, %w : memref<2xi32>)
  gpu.launch_func @kernels::@numbers blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%d : memref<64xf64>)
  gpu.launch_func @kernels::@fill blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%one : f32, %a : memref<?xf32>)
  gpu.launch_func @kernels::@fill blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%one : f32, %a : memref<?xf32>)

  // In host code: the sizes are computed there, and the index is captured.
  // Rows of 40 floats, 160 bytes: 5 sectors a row, in two requests.
  // CHECK-LABEL: @main_kernel: grid 6,1,1, block 40,1,1, gpu dialect
  // CHECK-NEXT: global load of argument #0: 1 sec x6/4 sec x6; 240 elements, 240 addresses
  // CHECK-NEXT: global store of argument #0: 1 sec x6/4 sec x6; 240 elements, 240 addresses
  %blocks = arith.muli %c2, %c3 : index
  %threads = arith.addi %c8, %c32 : index
  %buffer = gpu.alloc () : memref<6x40xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %v = memref.load %buffer[%bx, %tx] : memref<6x40xf32>
    %u = arith.mulf %v, %one : f32
    memref.store %u, %buffer[%bx, %tx] : memref<6x40xf32>
    gpu.terminator
  }
  // CHECK-NOT: {{.}}
  return
}
}
