// Element types: half precisions, bits, small integers; vectors and their
// masks; integer functions.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin

// f16 has its own product; a division is that of f32, rounded once more, which
// is exact for this pair of widths.
// CHECK-LABEL: .entry half(
// CHECK: mul{{(.rn)?}}.f16
// CHECK: div.rn.f32
// CHECK: cvt.rn.f16.f32

// CHECK-LABEL: .entry brain(
// CHECK: cvt.rn.bf16.f32

// A bit is a byte in memory.
// CHECK-LABEL: .entry bit(
// CHECK: st.global.b8

// CHECK-LABEL: .entry wide(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32

// Only the lanes that are inside are read and written.
// CHECK-LABEL: .entry edge(
// CHECK-COUNT-4: ld.global.b32
// CHECK-COUNT-4: st.global.b32

// CHECK-LABEL: .entry integers(
// CHECK: popc.b32
// CHECK: clz.b32

// 64 bits move as two halves.
// CHECK-LABEL: .entry shuffle(
// CHECK-COUNT-2: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret

// CHECK-LABEL: .entry one_thread()
// CHECK-NEXT: .reqntid 1, 1, 1
gpu.module @types {
  gpu.func @half(%x: memref<32xf16>, %b: f16) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf16>
    %p = arith.mulf %a, %b : f16
    %d = arith.divf %p, %b : f16
    memref.store %d, %x[%i] : memref<32xf16>
    gpu.return
  }
  gpu.func @brain(%x: memref<32xbf16>, %y: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xbf16>
    %w = arith.extf %a : bf16 to f32
    %f = memref.load %y[%i] : memref<32xf32>
    %p = arith.mulf %w, %f : f32
    %n = arith.truncf %p : f32 to bf16
    memref.store %n, %x[%i] : memref<32xbf16>
    gpu.return
  }
  gpu.func @bit(%x: memref<32xf32>, %m: memref<32xi1>) kernel {
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %a = memref.load %x[%i] : memref<32xf32>
    %p = arith.cmpf ogt, %a, %zero : f32
    memref.store %p, %m[%i] : memref<32xi1>
    gpu.return
  }
  gpu.func @wide(%x: memref<128xf32> {llvm.align = 16 : i64}) kernel {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %a = vector.load %x[%i] {alignment = 16} : memref<128xf32>, vector<4xf32>
    %b = arith.addf %a, %a : vector<4xf32>
    vector.store %b, %x[%i] {alignment = 16} : memref<128xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @edge(%x: memref<30xf32>, %y: memref<30xf32>) kernel {
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %a = vector.transfer_read %x[%i], %zero : memref<30xf32>, vector<4xf32>
    vector.transfer_write %a, %y[%i] : vector<4xf32>, memref<30xf32>
    gpu.return
  }
  gpu.func @integers(%x: memref<32xi32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xi32>
    %p = math.ctpop %a : i32
    %z = math.ctlz %p : i32
    memref.store %z, %x[%i] : memref<32xi32>
    gpu.return
  }
  gpu.func @shuffle(%x: memref<32xf64>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %a = memref.load %x[%i] : memref<32xf64>
    %b, %valid = gpu.shuffle xor %a, %one, %width : f64
    memref.store %b, %x[%i] : memref<32xf64>
    gpu.return
  }
  gpu.func @one_thread() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
