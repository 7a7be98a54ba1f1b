// Checked mode and nvgpu.ldmatrix: each lane that gives a row reads its 16 bytes,
// and all lanes come to it, whatever is wrong with a row. See Inputs/check.py for
// the lines.
// DEFINE: %{check} = %python %S/Inputs/check.py uop-run %s
// RUN: rm -rf %t && mkdir %t

!tile = memref<16x16xf16, #gpu.address_space<workgroup>>
!odd = memref<8x20xf16, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Lane l stores a half of row l / 2. In one of four tiles it gives row l % 16,
  // from column 0 or 8 on.
  gpu.func @load(%out: memref<32x8xf16>) workgroup(%s: !tile) kernel {
    %ones = arith.constant dense<1.0> : vector<8xf16>
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %i = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %j = arith.muli %half, %c8 : index
    vector.store %ones, %s[%i, %j] : !tile, vector<8xf16>
    gpu.barrier
    %row = arith.remui %t, %c16 : index
    %side = arith.divui %t, %c16 : index
    %column = arith.muli %side, %c8 : index
    %m = nvgpu.ldmatrix %s[%row, %column] {numTiles = 4 : i32, transpose = false} : !tile -> vector<4x2xf16>
    %v = vector.shape_cast %m : vector<4x2xf16> to vector<8xf16>
    vector.store %v, %out[%t, %c0] : memref<32x8xf16>, vector<8xf16>
    gpu.return
  }

  // The same without its barrier.
  gpu.func @early(%out: memref<32x8xf16>) workgroup(%s: !tile) kernel {
    %ones = arith.constant dense<1.0> : vector<8xf16>
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %i = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %j = arith.muli %half, %c8 : index
    vector.store %ones, %s[%i, %j] : !tile, vector<8xf16>
    %row = arith.remui %t, %c16 : index
    %side = arith.divui %t, %c16 : index
    %column = arith.muli %side, %c8 : index
    %m = nvgpu.ldmatrix %s[%row, %column] {numTiles = 4 : i32, transpose = false} : !tile -> vector<4x2xf16>
    %v = vector.shape_cast %m : vector<4x2xf16> to vector<8xf16>
    vector.store %v, %out[%t, %c0] : memref<32x8xf16>, vector<8xf16>
    gpu.return
  }

  // Lane l gives row l of 16.
  gpu.func @beyond(%out: memref<32x8xf16>) workgroup(%s: !tile) kernel {
    %all = arith.constant -1 : i32
    %ones = arith.constant dense<1.0> : vector<16xf16>
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %isRow = arith.cmpi ult, %t, %c16 : index
    scf.if %isRow {
      vector.store %ones, %s[%t, %c0] : !tile, vector<16xf16>
    }
    nvvm.bar.warp.sync %all : i32
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 4 : i32, transpose = true} : !tile -> vector<4x2xf16>
    %v = vector.shape_cast %m : vector<4x2xf16> to vector<8xf16>
    vector.store %v, %out[%t, %c0] : memref<32x8xf16>, vector<8xf16>
    gpu.return
  }

  // Of two tiles lanes 0 to 15 give the rows; the others' addresses mean nothing.
  gpu.func @two(%out: memref<32x4xf16>) workgroup(%s: !tile) kernel {
    %ones = arith.constant dense<1.0> : vector<16xf16>
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %isRow = arith.cmpi ult, %t, %c16 : index
    scf.if %isRow {
      vector.store %ones, %s[%t, %c0] : !tile, vector<16xf16>
    }
    gpu.barrier
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 2 : i32, transpose = false} : !tile -> vector<2x2xf16>
    %v = vector.shape_cast %m : vector<2x2xf16> to vector<4xf16>
    vector.store %v, %out[%t, %c0] : memref<32x4xf16>, vector<4xf16>
    gpu.return
  }

  // A row every 40 bytes; and from column 16 on there are but four elements.
  gpu.func @odd(%out: memref<32x2xf16>) workgroup(%s: !odd) kernel {
    %ones = arith.constant dense<1.0> : vector<20xf16>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %isRow = arith.cmpi ult, %t, %c8 : index
    scf.if %isRow {
      vector.store %ones, %s[%t, %c0] : !odd, vector<20xf16>
    }
    gpu.barrier
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 1 : i32, transpose = false} : !odd -> vector<1x2xf16>
    %n = nvgpu.ldmatrix %s[%t, %c16] {numTiles = 1 : i32, transpose = false} : !odd -> vector<1x2xf16>
    %sum = arith.addf %m, %n : vector<1x2xf16>
    %v = vector.shape_cast %sum : vector<1x2xf16> to vector<2xf16>
    vector.store %v, %out[%t, %c0] : memref<32x2xf16>, vector<2xf16>
    gpu.return
  }

  gpu.func @expect(%out: memref<32x8xf16>) kernel {
    %v = arith.constant dense<[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]> : vector<8xf16>
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    vector.store %v, %out[%t, %c0] : memref<32x8xf16>, vector<8xf16>
    gpu.return
  }
}

// RUN: %{check} -e load nan | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e two nan | FileCheck %s --match-full-lines --check-prefix=CLEAN
// CLEAN: clean
func.func @load(%out: memref<32x8xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x8xf16>)
  return
}
func.func @two(%out: memref<32x4xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x4xf16>)
  return
}

// Lane 2 (l % 16) + l / 16 has stored what lane l reads: another one, but for
// lanes 0 and 31. It comes later for lanes 1 to 15.
// RUN: %{check} -e early nan | FileCheck %s --match-full-lines --check-prefix=EARLY
// EARLY: race shared same-warp x30 nvgpu.ldmatrix vector.store %s[0, 8] (16, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// EARLY-NEXT: uninitialized-read x15 nvgpu.ldmatrix %s[1, 0] (1, 0, 0)/(0, 0, 0)
// EARLY-NOT: {{.}}
func.func @early(%out: memref<32x8xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@early blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x8xf16>)
  return
}

// Two of four tiles are not read, and are zeros.
// RUN: %{check} -e beyond nan --save=0=%t/beyond.npy | FileCheck %s --match-full-lines --check-prefix=BEYOND
// RUN: uop-run %s -e expect nan --compare=0=%t/beyond.npy
// BEYOND: out-of-bounds x16 nvgpu.ldmatrix %s[16, 0] (16, 0, 0)/(0, 0, 0)
// BEYOND-NOT: {{.}}
func.func @beyond(%out: memref<32x8xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@beyond blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x8xf16>)
  return
}
func.func @expect(%out: memref<32x8xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@expect blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x8xf16>)
  return
}

// RUN: %{check} -e odd nan | FileCheck %s --match-full-lines --check-prefix=ODD
// ODD: misaligned x4 nvgpu.ldmatrix %s[1, 0] (1, 0, 0)/(0, 0, 0)
// ODD-NEXT: out-of-bounds x8 nvgpu.ldmatrix %s[0, 23] (0, 0, 0)/(0, 0, 0)
// ODD-NOT: {{.}}
func.func @odd(%out: memref<32x2xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@odd blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<32x2xf16>)
  return
}
}
