// What uop-translate refuses: one message each, status 1, nothing written.
// RUN: split-file %s %t
// RUN: rm -rf %t.out && mkdir %t.out

// RUN: not uop-translate %t/exp.mlir --uop-to-ptx --cuda-path=/nonexistent -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
// LIBDEVICE: exp.mlir:5:10: error: the kernel needs the function __nv_expf of libdevice, which was not found in /nonexistent
// LIBDEVICE: note: nvvm/libdevice/libdevice.10.bc is in the CUDA toolkit (Debian's package nvidia-cuda-toolkit; PyPI's nvidia-nvvm

// RUN: not uop-translate %t/empty.mlir --uop-to-cubin --cuda-path=/nonexistent -o %t.out/a.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// PTXAS: empty.mlir:1:1: error: expected ptxas, which makes a cubin, but found none in /nonexistent
// PTXAS: note: bin/ptxas is in the CUDA toolkit (Debian's package nvidia-cuda-toolkit; PyPI's nvidia-cuda-nvcc

// RUN: chmod +x %t/fake/bin/ptxas
// RUN: not uop-translate %t/empty.mlir --uop-to-cubin --cuda-path=%t/fake -o %t.out/a.cubin 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: empty.mlir:1:1: error: ptxas refused the PTX for sm_80
// REFUSED-NEXT: gpu.module
// REFUSED: note: ptxas says: no such chip

// RUN: not uop-translate %t/empty.mlir --uop-to-ptx --chip=sm_33 -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: empty.mlir:1:1: error: expected a known chip, but got 'sm_33'

// RUN: not uop-translate %t/empty.mlir --uop-to-ptx --chip=sm_90 --features=+ptx60 -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: empty.mlir:1:1: error: expected at least PTX 7.8 (+ptx78) for sm_90, but got PTX 6.0

// RUN: not uop-translate %t/shared.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: shared.mlir:3:3: error: expected at most 49152 bytes of static shared memory a block, but got 49156; use gpu.dynamic_shared_memory

// RUN: not uop-translate %t/none.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected at least one kernel, but got none; a kernel is a gpu.func with the attribute kernel in a gpu.module

// RUN: not uop-translate %t/twice.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:7:3: error: expected names that differ between gpu.modules compiled together, but got two kernels @k
// TWICE: twice.mlir:2:3: note: the other one is here

// RUN: not uop-translate %t/targets.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=TARGETS
// TARGETS: targets.mlir:6:1: error: expected all gpu.modules to have one target, but got {{.*}}sm_90{{.*}}sm_86
// TARGETS: targets.mlir:1:1: note: the other module is here

// RUN: not uop-translate %t/undefined.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: undefined.mlir:2:3: error: the function @f is called by device code, but not defined

// RUN: not uop-translate %t/missing.mlir --uop-to-ptx -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: uop-translate: error: cannot open input file '{{.*}}missing.mlir': No such file or directory

// RUN: not uop-translate %t/empty.mlir --uop-to-ptx --uop-to-cubin -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=MODES
// RUN: not uop-translate %t/empty.mlir -o %t.out/a.ptx 2>&1 | FileCheck %s --check-prefix=MODES
// MODES: error: expected exactly one of --uop-to-ptx, --uop-to-llvmir and --uop-to-cubin, but got {{[02]}}

// RUN: not uop-translate %t/empty.mlir --uop-to-ptx -o %t.out/no/a.ptx 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot write '{{.*}}/no/a.ptx': No such file or directory

// When the manifest cannot be written, the code is not either.
// RUN: not uop-translate %t/empty.mlir --uop-to-ptx -o %t.out/a.ptx --manifest=%t.out/no/a.json 2>&1 | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: error: cannot write '{{.*}}/no/a.json': No such file or directory

// RUN: ls -A %t.out | count 0

//--- empty.mlir
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}

//--- exp.mlir
gpu.module @m {
  gpu.func @k(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %e = math.exp %a : f32
    memref.store %e, %x[%i] : memref<32xf32>
    gpu.return
  }
}

//--- shared.mlir
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%x: memref<32xf32>) workgroup(%s: memref<12289xf32, #shared>) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    memref.store %a, %s[%i] : memref<12289xf32, #shared>
    gpu.barrier
    %b = memref.load %s[%c0] : memref<12289xf32, #shared>
    memref.store %b, %x[%i] : memref<32xf32>
    gpu.return
  }
}

//--- none.mlir
func.func @f() {
  return
}

//--- twice.mlir
gpu.module @a {
  gpu.func @k() kernel {
    gpu.return
  }
}
gpu.module @b {
  gpu.func @k() kernel {
    gpu.return
  }
}

//--- targets.mlir
gpu.module @a [#nvvm.target<chip = "sm_86">] {
  gpu.func @k() kernel {
    gpu.return
  }
}
gpu.module @b [#nvvm.target<chip = "sm_90">] {
  gpu.func @l() kernel {
    gpu.return
  }
}

//--- undefined.mlir
gpu.module @m {
  func.func private @f(f32) -> f32
  gpu.func @k(%x: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%c0] : memref<1xf32>
    %b = func.call @f(%a) : (f32) -> f32
    memref.store %b, %x[%c0] : memref<1xf32>
    gpu.return
  }
}

//--- fake/bin/ptxas
#!/bin/sh
echo "no such chip"
exit 1
