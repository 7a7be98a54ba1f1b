// Reductions over the threads of a block, in every type: 7 threads make a row
// of 8 lanes, 96 make three warps, which exchange through shared memory.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "types = [('i1', 'xor'), ('i8', 'minui'), ('i16', 'mul'), ('i32', 'maxsi'), ('i48', 'add'), ('i64', 'and'), \
// RUN:     ('f16', 'add'), ('bf16', 'maximumf'), ('f32', 'minnumf'), ('f64', 'mul')]; \
// RUN:   kernel = open('%s').read().split('// ONE' + ' KERNEL')[1]; \
// RUN:   print(*[kernel.replace('TYPE', t).replace('KIND', k).replace('SIZE', str(n)) for t, k in types for n in (7, 96)])" > %t/all.mlir
// RUN: uop-translate %t/all.mlir --uop-to-ptx --chip=sm_80 -o %t/80.ptx
// RUN: FileCheck %s --input-file=%t/80.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t/80.ptx -o %t/80.cubin
// RUN: uop-translate %t/all.mlir --uop-to-ptx --chip=sm_90a -o %t/90a.ptx
// RUN: FileCheck %s --input-file=%t/90a.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_90a %t/90a.ptx -o %t/90a.cubin
// RUN: uop-translate %t/all.mlir --uop-to-ptx --chip=sm_100 -o %t/100.ptx
// RUN: FileCheck %s --input-file=%t/100.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_100 %t/100.ptx -o %t/100.cubin

// Three exchanges, no barrier.
// CHECK-LABEL: .entry sum_i32_7(
// CHECK:       .reqntid 8, 1, 1
// CHECK-COUNT-3: shfl.sync.bfly.b32
// CHECK-NOT:   shfl.sync
// CHECK-NOT:   bar.sync
// CHECK:       st.global.b32

// Five in the warp; the three partials are added by every thread.
// CHECK-LABEL: .entry sum_i32_96(
// CHECK:       .reqntid 96, 1, 1
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK-NOT:   shfl.sync
// CHECK:       st.shared.b32
// CHECK:       bar.sync
// CHECK-NOT:   bar.sync
// CHECK:       ld.shared
// CHECK:       st.global.b32

// 64 bits are two exchanges.
// CHECK-LABEL: .entry sum_f64_7(
// CHECK-COUNT-6: shfl.sync.bfly.b32
// CHECK-NOT:   shfl.sync
// CHECK:       st.global.b64

// ONE KERNEL
uop.kernel @sum_TYPE_SIZE(%in: memref<5xSIZExTYPE>, %out: memref<5xTYPE>) {
  %b = uop.range global<x> 5
  %i = uop.range group_reduce<x> SIZE
  %x = uop.load %in[%b, %i] : memref<5xSIZExTYPE>
  %y = uop.reduce KIND %x over(%i) : TYPE
  uop.store %y, %out[%b] : memref<5xTYPE>
}
