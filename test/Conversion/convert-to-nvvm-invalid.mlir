// What has no lowering is refused where it is written.
// RUN: uop-opt %s -split-input-file -verify-diagnostics --convert-to-nvvm
// RUN: not uop-opt %S/Inputs/empty-kernel.mlir --convert-to-nvvm="chip=sm_33" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not uop-opt %S/Inputs/empty-kernel.mlir --convert-to-nvvm="chip=sm_90 features=+ptx60" 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not uop-opt %S/Inputs/empty-kernel.mlir --convert-to-nvvm="features=+sse2" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not uop-opt %S/Inputs/empty-kernel.mlir --convert-to-nvvm="opt-level=4" 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not uop-opt %S/Inputs/empty-kernel.mlir --convert-to-nvvm="index-width=32" 2>&1 | FileCheck %s --check-prefix=WIDTH

// CHIP: empty-kernel.mlir:1:1: error: expected a known chip, but got 'sm_33'
// CHIP: note: known chips: {{.*}}sm_80, sm_86, {{.*}}sm_90, sm_90a, sm_100
// LOW: empty-kernel.mlir:1:1: error: expected at least PTX 7.8 (+ptx78) for sm_90, but got PTX 6.0; leave the features out for the lowest version that fits
// FEATURE: error: expected features of the form '+ptx78', but got '+sse2'
// FEATURE: note: known PTX versions: {{.*}}ptx78
// LEVEL: error: expected an opt-level from 0 to 3, but got 4
// WIDTH: error: expected index-width auto or 64, but got '32'

gpu.module @dynamic {
  // expected-error @below {{expected argument 1 of @k to have a static shape and layout, but got 'memref<?xf32>'; a memref argument on the device is a bare pointer, so cast it to a static type or pass the sizes as scalars}}
  gpu.func @k(%x: memref<4xf32>, %y: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @dynamic_stride {
  // expected-error @below {{expected argument 0 of @k to have a static shape and layout, but got 'memref<4xf32, strided<[?]>>'}}
  gpu.func @k(%x: memref<4xf32, strided<[?]>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @unranked {
  // expected-error @below {{expected argument 0 of @k to be ranked, but got 'memref<*xf32>'}}
  gpu.func @k(%x: memref<*xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @no_type {
  // expected-error @below {{expected argument 0 of @k to be of a type that the chip has, but got 'memref<4xtf32>'}}
  gpu.func @k(%x: memref<4xtf32>) kernel {
    gpu.return
  }
}

// -----

// LLVM takes it, and moves four of its ten bytes.
gpu.module @f80 {
  // expected-error @below {{expected argument 0 of @k to be of a type that the chip has, but got 'memref<4xf80>'}}
  gpu.func @k(%x: memref<4xf80>) kernel {
    gpu.return
  }
}

// -----

gpu.module @f80_inside {
  gpu.func @k(%i: index) kernel {
    // expected-error @below {{'memref.alloca' on f80, which NVIDIA chips do not have; expected f16, bf16, f32 or f64}}
    %a = memref.alloca() : memref<4xf80>
    // expected-error @below {{'arith.constant' on f80, which NVIDIA chips do not have}}
    %c = arith.constant 1.0 : f80
    memref.store %c, %a[%i] : memref<4xf80>
    gpu.return
  }
}

// -----

// All are reported, not the first alone.
gpu.module @f8 {
  gpu.func @k(%x: memref<4xf8E4M3FN>, %y: memref<4xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<4xf8E4M3FN>
    // expected-error @below {{'arith.addf' on 'f8E4M3FN' has no instruction on NVIDIA chips; expected f16, bf16, f32 or f64}}
    %a = arith.addf %v, %v : f8E4M3FN
    // expected-error @below {{'arith.extf' on 'f8E4M3FN' has no instruction on NVIDIA chips}}
    %w = arith.extf %a : f8E4M3FN to f32
    memref.store %w, %y[%i] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @shared_alloca {
  gpu.func @k(%x: memref<4xf32>) kernel {
    // expected-error @below {{'memref.alloca' of 'memref<4xf32, #gpu.address_space<workgroup>>' in device code is not memory of the block; expected a workgroup attribution of gpu.func (shared) or memref.alloca (private)}}
    %s = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %v = memref.load %s[%i] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%i] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @heap {
  gpu.func @k(%x: memref<4xf32>) kernel {
    // expected-error @below {{'memref.alloc' of 'memref<4xf32>' in device code is not memory of the block}}
    %s = memref.alloc() : memref<4xf32>
    %i = gpu.thread_id x
    %v = memref.load %s[%i] : memref<4xf32>
    memref.store %v, %x[%i] : memref<4xf32>
    gpu.return
  }
}

// -----

// The check at the end names what upstream's partial conversion leaves.
gpu.module @left_over {
  gpu.func @k(%x: memref<4xi32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<4xi32>
    // expected-error @below {{'math.ipowi' has no lowering to NVVM on types 'i32', 'i32'}}
    %r = math.ipowi %v, %v : i32
    memref.store %r, %x[%i] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @tall_block {
  // expected-error @below {{expected 1 to 64 threads of a block along z, but got 65}}
  gpu.func @k() kernel attributes {known_block_size = array<i32: 1, 1, 65>} {
    gpu.return
  }
}

// -----

gpu.module @large_block {
  // expected-error @below {{expected at most 1024 threads a block, but got 2048}}
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 64, 1>} {
    gpu.return
  }
}

// -----

// expected-error @below {{expected an #nvvm.target or none, but got #rocdl.target}}
gpu.module @other_target [#rocdl.target] {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{expected one target, but got #nvvm.target<chip = "sm_80"> and #nvvm.target<chip = "sm_90">; name a chip}}
gpu.module @two_targets [#nvvm.target<chip = "sm_80">, #nvvm.target<chip = "sm_90">] {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @copy {
  gpu.func @k(%x: memref<4xf32>, %y: memref<4xf32, strided<[2]>>) kernel {
    // expected-error @below {{'memref.copy' of 'memref<4xf32, strided<[2]>>' is a call of the host's library; expected memrefs without a layout, or a loop}}
    memref.copy %x, %y : memref<4xf32> to memref<4xf32, strided<[2]>>
    gpu.return
  }
}

// -----

gpu.module @atomic_i4 {
  gpu.func @k(%x: memref<4xi4>, %p: i4) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{'memref.atomic_rmw' on 'i4' has no instruction on NVIDIA chips; expected an integer of 1, 8, 16, 32 or 64 bits, f16, bf16, f32 or f64}}
    %o = memref.atomic_rmw ori %p, %x[%i] : (i4, memref<4xi4>) -> i4
    gpu.return
  }
}

// -----

// The outermost operation is named, once.
gpu.module @linalg {
  gpu.func @k(%x: memref<4xf32>, %v: f32) kernel {
    // expected-error @below {{'linalg.fill' has no lowering to NVVM on types 'f32', 'memref<4xf32>'}}
    linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
    gpu.return
  }
}

// -----

gpu.module @dynamic_function {
  // expected-error @below {{expected argument 0 of @f to have a static shape and layout, but got 'memref<?xf32>'}}
  func.func @f(%x: memref<?xf32>, %i: index) -> f32 {
    %v = memref.load %x[%i] : memref<?xf32>
    return %v : f32
  }
}
