// The launch shape follows from the hardware ranges, in graph form and in loop
// form.
// RUN: uop-opt %s --uop-print-launch --verify-diagnostics -o /dev/null

// One thread of 32 lanes.
// expected-remark@+1 {{@one: grid (1,1,1), block (1,1,1), 1 thread, 1 warp, 3.125 % useful lanes}}
uop.kernel @one(%out: memref<i32>) {
  %zero = arith.constant 0 : i32
  uop.store %zero, %out[] : memref<i32>
}

// 48 threads need two warps.
// expected-remark@+1 {{@two_warps: grid (5,1,1), block (16,3,1), 240 threads, 10 warps, 75 % useful lanes}}
uop.kernel @two_warps(%out: memref<5x3x16xi32>) {
  %b = uop.range global<x> 5
  %y = uop.range local<y> 3
  %x = uop.range local<x> 16
  %zero = arith.constant 0 : i32
  uop.store %zero, %out[%b, %y, %x] : memref<5x3x16xi32>
}

// A row of threads that reduce together is rounded up: to a power of two up to
// a warp, to whole warps beyond.
// expected-remark@+1 {{@group: grid (5,1,1), block (4,2,1), 40 threads, 5 warps, 18.75 % useful lanes}}
uop.kernel @group(%in: memref<5x2x3xi32>, %out: memref<5x2xi32>) {
  %b = uop.range global<x> 5
  %y = uop.range local<y> 2
  %x = uop.range group_reduce<x> 3
  %v = uop.load %in[%b, %y, %x] : memref<5x2x3xi32>
  %s = uop.reduce add %v over(%x) : i32
  uop.store %s, %out[%b, %y] : memref<5x2xi32>
}

// expected-remark@+1 {{@group_33: grid (1,1,1), block (64,1,1), 64 threads, 2 warps, 51.5625 % useful lanes}}
uop.kernel @group_33(%in: memref<33xi32>, %out: memref<i32>) {
  %x = uop.range group_reduce<x> 33
  %v = uop.load %in[%x] : memref<33xi32>
  %s = uop.reduce add %v over(%x) : i32
  uop.store %s, %out[] : memref<i32>
}

// The block is as large as its largest phase. In loop form shared memory is
// known: 64 floats.
// expected-remark@+1 {{@phases: grid (8,1,1), block (64,1,1), 512 threads, 16 warps, 100 % useful lanes, 256 bytes of shared memory}}
uop.kernel loops @phases(%in: memref<8x64xf32>, %out: memref<8xf32>) {
  %b = uop.range global<x> 8
  %s = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  uop.phase {
    %t = uop.range local<x> 64
    %x = memref.load %in[%b, %t] : memref<8x64xf32>
    memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  uop.phase {
    %t = uop.range local<x> 1
    %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%b] : memref<8xf32>
  }
}

// The host computes a dynamic grid.
// expected-remark@+1 {{@dynamic: grid (?,1,1), block (32,1,1), 100 % useful lanes}}
uop.kernel @dynamic(%n: index, %out: memref<?x32xi32>) {
  %b = uop.range global<x> %n
  %t = uop.range local<x> 32
  %zero = arith.constant 0 : i32
  uop.store %zero, %out[%b, %t] : memref<?x32xi32>
}

// expected-remark@+1 {{@unmapped is not mapped, and so has no launch shape; run --uop-gpu-map}}
uop.kernel @unmapped(%out: memref<8xi32>) {
  %i = uop.range loop 8
  %zero = arith.constant 0 : i32
  uop.store %zero, %out[%i] : memref<8xi32>
}
