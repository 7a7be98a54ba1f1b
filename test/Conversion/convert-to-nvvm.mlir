// The way of a gpu.module to NVVM: target, pointers, launch bounds, rounding.
// RUN: uop-opt %s -split-input-file --convert-to-nvvm | FileCheck %s
// RUN: uop-opt %s -split-input-file --convert-to-nvvm="chip=sm_90a features=+ptx83 opt-level=1 fast-math=true" | FileCheck %s --check-prefix=FAST

// A kernel argument is a bare pointer, with what is known of it; the shapes
// stay as an attribute, for a launcher. The block size is a required one.
// CHECK: gpu.module @saxpy [#nvvm.target<O = 3, chip = "sm_80">]
// FAST: gpu.module @saxpy [#nvvm.target<O = 1, chip = "sm_90a", features = "+ptx83", flags = {fast}>]
// CHECK: llvm.func @saxpy(%{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: f32, %[[N:.*]]: i64)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK-SAME: uop.signature = (memref<1000xf32>, memref<1000xf32>, f32, index) -> ()
// CHECK-NOT: nvvm.maxntid
// CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 256>
// CHECK: llvm.icmp "slt"
// CHECK: llvm.fmul
// CHECK-NOT: fastmath
// CHECK: llvm.fadd
// FAST: llvm.fmul %{{.*}} {fastmathFlags = #llvm.fastmath<afn>}
// FAST: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<afn>}
gpu.module @saxpy {
  gpu.func @saxpy(%x: memref<1000xf32> {llvm.noalias, llvm.readonly, llvm.align = 16 : i64},
                  %y: memref<1000xf32> {llvm.noalias}, %a: f32, %n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %b, %c256 : index
    %i = arith.addi %o, %t : index
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
      %xi = memref.load %x[%i] : memref<1000xf32>
      %yi = memref.load %y[%i] : memref<1000xf32>
      %p = arith.mulf %a, %xi : f32
      %s = arith.addf %p, %yi : f32
      memref.store %s, %y[%i] : memref<1000xf32>
    }
    gpu.return
  }
}

// -----

// Launches stay on the host. Where they agree on a constant block size, the
// kernel states it; the launches of @b do not agree.
// CHECK-LABEL: gpu.module @host
// CHECK: llvm.func @a
// CHECK-SAME: nvvm.reqntid = array<i32: 8, 4, 1>
// CHECK: llvm.func @b
// CHECK-NOT: ntid
// CHECK: func.func @main
// CHECK: gpu.launch_func @host::@a
module attributes {gpu.container_module} {
  gpu.module @host {
    gpu.func @a(%x: memref<4xf32>) kernel {
      gpu.return
    }
    gpu.func @b() kernel {
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @host::@a blocks in (%c1, %c1, %c1) threads in (%c8, %c4, %c1) args(%x : memref<4xf32>)
    gpu.launch_func @host::@b blocks in (%c1, %c1, %c1) threads in (%c8, %c4, %c1)
    gpu.launch_func @host::@b blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
    return
  }
}

// -----

// A target that is there names the chip; it is replaced, not doubled.
// CHECK: gpu.module @preset [#nvvm.target<O = 3, chip = "sm_86", features = "+ptx80">]
// FAST: gpu.module @preset [#nvvm.target<O = 1, chip = "sm_90a", features = "+ptx83", flags = {fast}>]
gpu.module @preset [#nvvm.target<chip = "sm_86", features = "+ptx80">] {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// A layout may have strides and an offset; row 1 starts at element 3 + 16.
// CHECK-LABEL: llvm.func @strided
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[3]
// CHECK: llvm.mul %{{.*}} : i64
// CHECK: llvm.getelementptr inbounds|nuw %[[BASE]]
gpu.module @strided {
  gpu.func @strided(%x: memref<4x8xf32, strided<[16, 1], offset: 3>>) kernel {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %v = memref.load %x[%j, %i] : memref<4x8xf32, strided<[16, 1], offset: 3>>
    %w = arith.negf %v : f32
    memref.store %w, %x[%j, %i] : memref<4x8xf32, strided<[16, 1], offset: 3>>
    gpu.return
  }
}

// -----

// The square root is LLVM's, which is exact unless afn allows otherwise, and
// not the device library's; the exponential function is the library's.
// CHECK-LABEL: llvm.func @math
// CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f32) -> f32
// CHECK: llvm.call @__nv_expf
// FAST-LABEL: llvm.func @math
// FAST: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// FAST: llvm.call @__nv_fast_expf
gpu.module @math {
  gpu.func @math(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<32xf32>
    %r = math.sqrt %v : f32
    %e = math.exp %r : f32
    memref.store %e, %x[%i] : memref<32xf32>
    gpu.return
  }
}

// -----

// An atomic product is a loop that swaps the bits of the element.
// CHECK-LABEL: llvm.func @product
// CHECK: %[[OLD:.*]] = llvm.bitcast %{{.*}} : i32 to f32
// CHECK: llvm.fmul %[[OLD]], %{{.*}} : f32
// CHECK: llvm.cmpxchg %{{.*}} acq_rel monotonic : !llvm.ptr, i32
// CHECK: llvm.cond_br
gpu.module @product {
  gpu.func @product(%x: memref<1xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %o = memref.atomic_rmw mulf %v, %x[%c0] : (f32, memref<1xf32>) -> f32
    gpu.return
  }
}

// -----

// Dynamic shared memory is a declaration without elements.
// CHECK-LABEL: gpu.module @dynamic_shared
// CHECK:         llvm.mlir.global external @uop_dynamic_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK:         llvm.mlir.addressof @uop_dynamic_shared
gpu.module @dynamic_shared {
  gpu.func @k(%x: memref<4xf32>) kernel {
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c16 = arith.constant 16 : index
    %t = memref.view %s[%c16][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %v = memref.load %t[%i] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%i] : memref<4xf32>
    gpu.return
  }
}
