// The PTX of the GEMM 64x64x64 with 16x16 threads a block and 2x2 outputs a
// thread, from graph form: what each step of the inner loop loads and
// multiplies, counted.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.ptx
// RUN: %ptxas -arch=sm_80 %t.ptx -o %t.cubin
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=FORM
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=LOADS
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=FMAS

// Four accumulators a thread, in registers. No division is left of the split
// axes, and no libdevice is asked for: an fma is an instruction.
// FORM-NOT: .local
// FORM-NOT: div.
// FORM-NOT: rem.
// FORM: .entry gemm(
// FORM-NEXT: .param .u64 .ptr .align 4
// FORM: .reqntid 16, 16, 1
// FORM-NOT: {{\.local|div\.|rem\.|call}}
// FORM-COUNT-4: st.global.b32
// FORM-NOT: st.

// A step has 2 elements of A and 2 of B, each loaded once and used twice; LLVM
// unrolls the loop by 4. What is only read goes through the read-only cache.
// LOADS: $L__BB0_1:
// LOADS-COUNT-16: ld.global.nc.b32
// LOADS-NOT: ld.
// LOADS: bra $L__BB0_1

// FMAS: $L__BB0_1:
// FMAS-COUNT-16: fma.rn.f32
// FMAS-NOT: {{fma|mul|mad}}
// FMAS: bra $L__BB0_1

// The same before LLVM unrolls: 4 loads and 4 fmas a step.
// RUN: uop-opt %s --convert-to-nvvm > %t.nvvm
// RUN: FileCheck %s --input-file=%t.nvvm --check-prefix=STEP-LOADS
// RUN: FileCheck %s --input-file=%t.nvvm --check-prefix=STEP-FMAS
// STEP-LOADS: ^bb2:
// STEP-LOADS-COUNT-4: llvm.load
// STEP-LOADS-NOT: llvm.load
// STEP-LOADS: llvm.br ^bb1
// STEP-FMAS: ^bb2:
// STEP-FMAS-COUNT-4: llvm.call_intrinsic "llvm.fma"
// STEP-FMAS-NOT: llvm.{{intr|fmul|fadd|call}}
// STEP-FMAS: llvm.br ^bb1

// Two roundings on request: nothing is fused, by us or by LLVM, which unrolls
// the longer step by 2.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 --fp-contract=off -o %t.off.ptx
// RUN: %ptxas -arch=sm_80 %t.off.ptx -o %t.off.cubin
// RUN: FileCheck %s --input-file=%t.off.ptx --check-prefix=MULS --implicit-check-not=fma
// RUN: FileCheck %s --input-file=%t.off.ptx --check-prefix=ADDS
// MULS: $L__BB0_1:
// MULS-COUNT-8: mul.rn.f32
// MULS-NOT: mul.rn.f32
// MULS: bra $L__BB0_1
// ADDS: $L__BB0_1:
// ADDS-COUNT-8: add.rn.f32
// ADDS-NOT: add.rn.f32
// ADDS: bra $L__BB0_1

// Nothing of the CUDA toolkit is needed for the PTX.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 --cuda-path=/nonexistent | diff %t.ptx -

uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                 %C: memref<64x64xf32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 0:2, UPCAST 1:2]>} {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}
