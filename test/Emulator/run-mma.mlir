// nvgpu.mma.sync: fragments are loaded and stored by the tables of the PTX ISA,
// and the result is compared with that of three loops on the host. All numbers
// are small integers, so that every order of the sum gives the same.
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @half(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k2 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %ko0_1 = arith.addi %tr, %k0 : index
    %kk0_1 = arith.addi %ko0_1, %k1 : index
    %ko1_0 = arith.addi %tr, %k8 : index
    %kk1_0 = arith.addi %ko1_0, %k0 : index
    %ko1_1 = arith.addi %tr, %k8 : index
    %kk1_1 = arith.addi %ko1_1, %k1 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x16xf16>
    %a0_0_1 = memref.load %a[%g0, %kk0_1] : memref<16x16xf16>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x16xf16>
    %a0_1_1 = memref.load %a[%g1, %kk0_1] : memref<16x16xf16>
    %a1_0_0 = memref.load %a[%g0, %kk1_0] : memref<16x16xf16>
    %a1_0_1 = memref.load %a[%g0, %kk1_1] : memref<16x16xf16>
    %a1_1_0 = memref.load %a[%g1, %kk1_0] : memref<16x16xf16>
    %a1_1_1 = memref.load %a[%g1, %kk1_1] : memref<16x16xf16>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<16x8xf16>
    %b0_1 = memref.load %b[%kk0_1, %g] : memref<16x8xf16>
    %b1_0 = memref.load %b[%kk1_0, %g] : memref<16x8xf16>
    %b1_1 = memref.load %b[%kk1_1, %g] : memref<16x8xf16>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xf32>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xf32>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xf32>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xf32>
    %va = vector.from_elements %a0_0_0, %a0_0_1, %a0_1_0, %a0_1_1, %a1_0_0, %a1_0_1, %a1_1_0, %a1_1_1 : vector<4x2xf16>
    %vb = vector.from_elements %b0_0, %b0_1, %b1_0, %b1_1 : vector<2x2xf16>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xf32>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %d0_0 = vector.extract %vd[0, 0] : f32 from vector<2x2xf32>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xf32>
    %d0_1 = vector.extract %vd[0, 1] : f32 from vector<2x2xf32>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xf32>
    %d1_0 = vector.extract %vd[1, 0] : f32 from vector<2x2xf32>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xf32>
    %d1_1 = vector.extract %vd[1, 1] : f32 from vector<2x2xf32>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @half8(%a: memref<16x8xf16>, %b: memref<8x8xf16>, %c: memref<16x8xf16>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k2 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %ko0_1 = arith.addi %tr, %k0 : index
    %kk0_1 = arith.addi %ko0_1, %k1 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x8xf16>
    %a0_0_1 = memref.load %a[%g0, %kk0_1] : memref<16x8xf16>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x8xf16>
    %a0_1_1 = memref.load %a[%g1, %kk0_1] : memref<16x8xf16>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<8x8xf16>
    %b0_1 = memref.load %b[%kk0_1, %g] : memref<8x8xf16>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xf16>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xf16>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xf16>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xf16>
    %va = vector.from_elements %a0_0_0, %a0_0_1, %a0_1_0, %a0_1_1 : vector<2x2xf16>
    %vb = vector.from_elements %b0_0, %b0_1 : vector<1x2xf16>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xf16>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 8]} : (vector<2x2xf16>, vector<1x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %d0_0 = vector.extract %vd[0, 0] : f16 from vector<2x2xf16>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xf16>
    %d0_1 = vector.extract %vd[0, 1] : f16 from vector<2x2xf16>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xf16>
    %d1_0 = vector.extract %vd[1, 0] : f16 from vector<2x2xf16>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xf16>
    %d1_1 = vector.extract %vd[1, 1] : f16 from vector<2x2xf16>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xf16>
    gpu.return
  }

  gpu.func @brain(%a: memref<16x16xbf16>, %b: memref<16x8xbf16>, %c: memref<16x8xf32>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k2 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %ko0_1 = arith.addi %tr, %k0 : index
    %kk0_1 = arith.addi %ko0_1, %k1 : index
    %ko1_0 = arith.addi %tr, %k8 : index
    %kk1_0 = arith.addi %ko1_0, %k0 : index
    %ko1_1 = arith.addi %tr, %k8 : index
    %kk1_1 = arith.addi %ko1_1, %k1 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x16xbf16>
    %a0_0_1 = memref.load %a[%g0, %kk0_1] : memref<16x16xbf16>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x16xbf16>
    %a0_1_1 = memref.load %a[%g1, %kk0_1] : memref<16x16xbf16>
    %a1_0_0 = memref.load %a[%g0, %kk1_0] : memref<16x16xbf16>
    %a1_0_1 = memref.load %a[%g0, %kk1_1] : memref<16x16xbf16>
    %a1_1_0 = memref.load %a[%g1, %kk1_0] : memref<16x16xbf16>
    %a1_1_1 = memref.load %a[%g1, %kk1_1] : memref<16x16xbf16>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<16x8xbf16>
    %b0_1 = memref.load %b[%kk0_1, %g] : memref<16x8xbf16>
    %b1_0 = memref.load %b[%kk1_0, %g] : memref<16x8xbf16>
    %b1_1 = memref.load %b[%kk1_1, %g] : memref<16x8xbf16>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xf32>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xf32>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xf32>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xf32>
    %va = vector.from_elements %a0_0_0, %a0_0_1, %a0_1_0, %a0_1_1, %a1_0_0, %a1_0_1, %a1_1_0, %a1_1_1 : vector<4x2xbf16>
    %vb = vector.from_elements %b0_0, %b0_1, %b1_0, %b1_1 : vector<2x2xbf16>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xf32>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %d0_0 = vector.extract %vd[0, 0] : f32 from vector<2x2xf32>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xf32>
    %d0_1 = vector.extract %vd[0, 1] : f32 from vector<2x2xf32>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xf32>
    %d1_0 = vector.extract %vd[1, 0] : f32 from vector<2x2xf32>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xf32>
    %d1_1 = vector.extract %vd[1, 1] : f32 from vector<2x2xf32>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @tf32(%a: memref<16x8xf32>, %b: memref<8x8xf32>, %c: memref<16x8xf32>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k4 = arith.constant 4 : index
    %k8 = arith.constant 8 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k1 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %ko1_0 = arith.addi %tr, %k4 : index
    %kk1_0 = arith.addi %ko1_0, %k0 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x8xf32>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x8xf32>
    %a1_0_0 = memref.load %a[%g0, %kk1_0] : memref<16x8xf32>
    %a1_1_0 = memref.load %a[%g1, %kk1_0] : memref<16x8xf32>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<8x8xf32>
    %b1_0 = memref.load %b[%kk1_0, %g] : memref<8x8xf32>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xf32>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xf32>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xf32>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xf32>
    %va = vector.from_elements %a0_0_0, %a0_1_0, %a1_0_0, %a1_1_0 : vector<4x1xf32>
    %vb = vector.from_elements %b0_0, %b1_0 : vector<2x1xf32>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xf32>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %d0_0 = vector.extract %vd[0, 0] : f32 from vector<2x2xf32>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xf32>
    %d0_1 = vector.extract %vd[0, 1] : f32 from vector<2x2xf32>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xf32>
    %d1_0 = vector.extract %vd[1, 0] : f32 from vector<2x2xf32>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xf32>
    %d1_1 = vector.extract %vd[1, 1] : f32 from vector<2x2xf32>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @tf32k4(%a: memref<16x4xf32>, %b: memref<4x8xf32>, %c: memref<16x8xf32>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k1 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x4xf32>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x4xf32>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<4x8xf32>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xf32>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xf32>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xf32>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xf32>
    %va = vector.from_elements %a0_0_0, %a0_1_0 : vector<2x1xf32>
    %vb = vector.from_elements %b0_0 : vector<1x1xf32>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xf32>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 4], tf32Enabled} : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %d0_0 = vector.extract %vd[0, 0] : f32 from vector<2x2xf32>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xf32>
    %d0_1 = vector.extract %vd[0, 1] : f32 from vector<2x2xf32>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xf32>
    %d1_0 = vector.extract %vd[1, 0] : f32 from vector<2x2xf32>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xf32>
    %d1_1 = vector.extract %vd[1, 1] : f32 from vector<2x2xf32>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @double(%a: memref<8x4xf64>, %b: memref<4x8xf64>, %c: memref<8x8xf64>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k1 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<8x4xf64>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<4x8xf64>
    %c0_0 = memref.load %c[%g0, %n0] : memref<8x8xf64>
    %c0_1 = memref.load %c[%g0, %n1] : memref<8x8xf64>
    %va = vector.from_elements %a0_0_0 : vector<1x1xf64>
    %vb = vector.from_elements %b0_0 : vector<1x1xf64>
    %vc = vector.from_elements %c0_0, %c0_1 : vector<1x2xf64>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
    %d0_0 = vector.extract %vd[0, 0] : f64 from vector<1x2xf64>
    memref.store %d0_0, %c[%g0, %n0] : memref<8x8xf64>
    %d0_1 = vector.extract %vd[0, 1] : f64 from vector<1x2xf64>
    memref.store %d0_1, %c[%g0, %n1] : memref<8x8xf64>
    gpu.return
  }

  gpu.func @bytes(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi32>) kernel {
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %lane = gpu.lane_id
    %g = arith.divui %lane, %i4 : index
    %t = arith.remui %lane, %i4 : index
    %tr = arith.muli %t, %k4 : index
    %t2 = arith.muli %t, %k2 : index
    %g0 = arith.addi %g, %k0 : index
    %g1 = arith.addi %g, %k8 : index
    %ko0_0 = arith.addi %tr, %k0 : index
    %kk0_0 = arith.addi %ko0_0, %k0 : index
    %ko0_1 = arith.addi %tr, %k0 : index
    %kk0_1 = arith.addi %ko0_1, %k1 : index
    %ko0_2 = arith.addi %tr, %k0 : index
    %kk0_2 = arith.addi %ko0_2, %k2 : index
    %ko0_3 = arith.addi %tr, %k0 : index
    %kk0_3 = arith.addi %ko0_3, %k3 : index
    %ko1_0 = arith.addi %tr, %k16 : index
    %kk1_0 = arith.addi %ko1_0, %k0 : index
    %ko1_1 = arith.addi %tr, %k16 : index
    %kk1_1 = arith.addi %ko1_1, %k1 : index
    %ko1_2 = arith.addi %tr, %k16 : index
    %kk1_2 = arith.addi %ko1_2, %k2 : index
    %ko1_3 = arith.addi %tr, %k16 : index
    %kk1_3 = arith.addi %ko1_3, %k3 : index
    %n0 = arith.addi %t2, %k0 : index
    %n1 = arith.addi %t2, %k1 : index
    %a0_0_0 = memref.load %a[%g0, %kk0_0] : memref<16x32xi8>
    %a0_0_1 = memref.load %a[%g0, %kk0_1] : memref<16x32xi8>
    %a0_0_2 = memref.load %a[%g0, %kk0_2] : memref<16x32xi8>
    %a0_0_3 = memref.load %a[%g0, %kk0_3] : memref<16x32xi8>
    %a0_1_0 = memref.load %a[%g1, %kk0_0] : memref<16x32xi8>
    %a0_1_1 = memref.load %a[%g1, %kk0_1] : memref<16x32xi8>
    %a0_1_2 = memref.load %a[%g1, %kk0_2] : memref<16x32xi8>
    %a0_1_3 = memref.load %a[%g1, %kk0_3] : memref<16x32xi8>
    %a1_0_0 = memref.load %a[%g0, %kk1_0] : memref<16x32xi8>
    %a1_0_1 = memref.load %a[%g0, %kk1_1] : memref<16x32xi8>
    %a1_0_2 = memref.load %a[%g0, %kk1_2] : memref<16x32xi8>
    %a1_0_3 = memref.load %a[%g0, %kk1_3] : memref<16x32xi8>
    %a1_1_0 = memref.load %a[%g1, %kk1_0] : memref<16x32xi8>
    %a1_1_1 = memref.load %a[%g1, %kk1_1] : memref<16x32xi8>
    %a1_1_2 = memref.load %a[%g1, %kk1_2] : memref<16x32xi8>
    %a1_1_3 = memref.load %a[%g1, %kk1_3] : memref<16x32xi8>
    %b0_0 = memref.load %b[%kk0_0, %g] : memref<32x8xi8>
    %b0_1 = memref.load %b[%kk0_1, %g] : memref<32x8xi8>
    %b0_2 = memref.load %b[%kk0_2, %g] : memref<32x8xi8>
    %b0_3 = memref.load %b[%kk0_3, %g] : memref<32x8xi8>
    %b1_0 = memref.load %b[%kk1_0, %g] : memref<32x8xi8>
    %b1_1 = memref.load %b[%kk1_1, %g] : memref<32x8xi8>
    %b1_2 = memref.load %b[%kk1_2, %g] : memref<32x8xi8>
    %b1_3 = memref.load %b[%kk1_3, %g] : memref<32x8xi8>
    %c0_0 = memref.load %c[%g0, %n0] : memref<16x8xi32>
    %c0_1 = memref.load %c[%g0, %n1] : memref<16x8xi32>
    %c1_0 = memref.load %c[%g1, %n0] : memref<16x8xi32>
    %c1_1 = memref.load %c[%g1, %n1] : memref<16x8xi32>
    %va = vector.from_elements %a0_0_0, %a0_0_1, %a0_0_2, %a0_0_3, %a0_1_0, %a0_1_1, %a0_1_2, %a0_1_3, %a1_0_0, %a1_0_1, %a1_0_2, %a1_0_3, %a1_1_0, %a1_1_1, %a1_1_2, %a1_1_3 : vector<4x4xi8>
    %vb = vector.from_elements %b0_0, %b0_1, %b0_2, %b0_3, %b1_0, %b1_1, %b1_2, %b1_3 : vector<2x4xi8>
    %vc = vector.from_elements %c0_0, %c0_1, %c1_0, %c1_1 : vector<2x2xi32>
    %vd = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %d0_0 = vector.extract %vd[0, 0] : i32 from vector<2x2xi32>
    memref.store %d0_0, %c[%g0, %n0] : memref<16x8xi32>
    %d0_1 = vector.extract %vd[0, 1] : i32 from vector<2x2xi32>
    memref.store %d0_1, %c[%g0, %n1] : memref<16x8xi32>
    %d1_0 = vector.extract %vd[1, 0] : i32 from vector<2x2xi32>
    memref.store %d1_0, %c[%g1, %n0] : memref<16x8xi32>
    %d1_1 = vector.extract %vd[1, 1] : i32 from vector<2x2xi32>
    memref.store %d1_1, %c[%g1, %n1] : memref<16x8xi32>
    gpu.return
  }
}

func.func @half_a(%m: memref<16x16xf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f16
      memref.store %3, %m[%i, %j] : memref<16x16xf16>
    }
  }
  return
}

func.func @half_b(%m: memref<16x8xf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f16
      memref.store %3, %m[%i, %j] : memref<16x8xf16>
    }
  }
  return
}

func.func @half_c(%m: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @half_check(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>,
    %d: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xf32>
      %c1 = arith.extf %c0 : f32 to f64
      %sum = affine.for %k = 0 to 16 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x16xf16>
      %b0 = memref.load %b[%k, %j] : memref<16x8xf16>
      %a1 = arith.extf %a0 : f16 to f64
      %b1 = arith.extf %b0 : f16 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xf32>
      %d1 = arith.extf %d0 : f32 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @half8_a(%m: memref<16x8xf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f16
      memref.store %3, %m[%i, %j] : memref<16x8xf16>
    }
  }
  return
}

func.func @half8_b(%m: memref<8x8xf16>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f16
      memref.store %3, %m[%i, %j] : memref<8x8xf16>
    }
  }
  return
}

func.func @half8_c(%m: memref<16x8xf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f16
      memref.store %3, %m[%i, %j] : memref<16x8xf16>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @half8_check(%a: memref<16x8xf16>, %b: memref<8x8xf16>, %c: memref<16x8xf16>,
    %d: memref<16x8xf16>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xf16>
      %c1 = arith.extf %c0 : f16 to f64
      %sum = affine.for %k = 0 to 8 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x8xf16>
      %b0 = memref.load %b[%k, %j] : memref<8x8xf16>
      %a1 = arith.extf %a0 : f16 to f64
      %b1 = arith.extf %b0 : f16 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xf16>
      %d1 = arith.extf %d0 : f16 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @brain_a(%m: memref<16x16xbf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to bf16
      memref.store %3, %m[%i, %j] : memref<16x16xbf16>
    }
  }
  return
}

func.func @brain_b(%m: memref<16x8xbf16>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to bf16
      memref.store %3, %m[%i, %j] : memref<16x8xbf16>
    }
  }
  return
}

func.func @brain_c(%m: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @brain_check(%a: memref<16x16xbf16>, %b: memref<16x8xbf16>, %c: memref<16x8xf32>,
    %d: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xf32>
      %c1 = arith.extf %c0 : f32 to f64
      %sum = affine.for %k = 0 to 16 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x16xbf16>
      %b0 = memref.load %b[%k, %j] : memref<16x8xbf16>
      %a1 = arith.extf %a0 : bf16 to f64
      %b1 = arith.extf %b0 : bf16 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xf32>
      %d1 = arith.extf %d0 : f32 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @tf32_a(%m: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

func.func @tf32_b(%m: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func @tf32_c(%m: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @tf32_check(%a: memref<16x8xf32>, %b: memref<8x8xf32>, %c: memref<16x8xf32>,
    %d: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xf32>
      %c1 = arith.extf %c0 : f32 to f64
      %sum = affine.for %k = 0 to 8 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x8xf32>
      %b0 = memref.load %b[%k, %j] : memref<8x8xf32>
      %a1 = arith.extf %a0 : f32 to f64
      %b1 = arith.extf %b0 : f32 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xf32>
      %d1 = arith.extf %d0 : f32 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @tf32k4_a(%m: memref<16x4xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 4 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x4xf32>
    }
  }
  return
}

func.func @tf32k4_b(%m: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

func.func @tf32k4_c(%m: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f32
      memref.store %3, %m[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @tf32k4_check(%a: memref<16x4xf32>, %b: memref<4x8xf32>, %c: memref<16x8xf32>,
    %d: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xf32>
      %c1 = arith.extf %c0 : f32 to f64
      %sum = affine.for %k = 0 to 4 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x4xf32>
      %b0 = memref.load %b[%k, %j] : memref<4x8xf32>
      %a1 = arith.extf %a0 : f32 to f64
      %b1 = arith.extf %b0 : f32 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xf32>
      %d1 = arith.extf %d0 : f32 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @double_a(%m: memref<8x4xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f64
      memref.store %3, %m[%i, %j] : memref<8x4xf64>
    }
  }
  return
}

func.func @double_b(%m: memref<4x8xf64>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f64
      memref.store %3, %m[%i, %j] : memref<4x8xf64>
    }
  }
  return
}

func.func @double_c(%m: memref<8x8xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.sitofp %1 : i32 to f64
      memref.store %3, %m[%i, %j] : memref<8x8xf64>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @double_check(%a: memref<8x4xf64>, %b: memref<4x8xf64>, %c: memref<8x8xf64>,
    %d: memref<8x8xf64>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 8 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<8x8xf64>
      %c1 = arith.addf %c0, %zero : f64
      %sum = affine.for %k = 0 to 4 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<8x4xf64>
      %b0 = memref.load %b[%k, %j] : memref<4x8xf64>
      %a1 = arith.addf %a0, %zero : f64
      %b1 = arith.addf %b0, %zero : f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<8x8xf64>
      %d1 = arith.addf %d0, %zero : f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @bytes_a(%m: memref<16x32xi8>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      %0 = affine.apply affine_map<(i, j) -> ((3 * i + 5 * j) mod 7 - 3)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.trunci %1 : i32 to i8
      memref.store %3, %m[%i, %j] : memref<16x32xi8>
    }
  }
  return
}

func.func @bytes_b(%m: memref<32x8xi8>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((2 * i + 7 * j) mod 5 - 2)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      %3 = arith.trunci %1 : i32 to i8
      memref.store %3, %m[%i, %j] : memref<32x8xi8>
    }
  }
  return
}

func.func @bytes_c(%m: memref<16x8xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(i, j) -> ((1 * i + 2 * j) mod 11 - 5)>(%i, %j)
      %1 = arith.index_cast %0 : index to i32
      memref.store %1, %m[%i, %j] : memref<16x8xi32>
    }
  }
  return
}

// Counts the elements that are not the product.
func.func @bytes_check(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi32>,
    %d: memref<16x8xi32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %wrong = affine.for %i = 0 to 16 iter_args(%w0 = %none) -> index {
    %w1 = affine.for %j = 0 to 8 iter_args(%w2 = %w0) -> index {
      %c0 = memref.load %c[%i, %j] : memref<16x8xi32>
      %c1 = arith.sitofp %c0 : i32 to f64
      %sum = affine.for %k = 0 to 32 iter_args(%s = %c1) -> f64 {
      %a0 = memref.load %a[%i, %k] : memref<16x32xi8>
      %b0 = memref.load %b[%k, %j] : memref<32x8xi8>
      %a1 = arith.sitofp %a0 : i8 to f64
      %b1 = arith.sitofp %b0 : i8 to f64
      %p = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %s, %p : f64
      affine.yield %s1 : f64
      }
      %d0 = memref.load %d[%i, %j] : memref<16x8xi32>
      %d1 = arith.sitofp %d0 : i32 to f64
      %bad = arith.cmpf une, %sum, %d1 : f64
      %w3 = arith.addi %w2, %one : index
      %w4 = arith.select %bad, %w3, %w2 : index
      affine.yield %w4 : index
    }
    affine.yield %w1 : index
  }
  vector.print %wrong : index
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index

  // CHECK: 0
  %half_a = memref.alloc() : memref<16x16xf16>
  %half_b = memref.alloc() : memref<16x8xf16>
  %half_c = memref.alloc() : memref<16x8xf32>
  %half_d = memref.alloc() : memref<16x8xf32>
  call @half_a(%half_a) : (memref<16x16xf16>) -> ()
  call @half_b(%half_b) : (memref<16x8xf16>) -> ()
  call @half_c(%half_c) : (memref<16x8xf32>) -> ()
  call @half_c(%half_d) : (memref<16x8xf32>) -> ()
  gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%half_a : memref<16x16xf16>, %half_b : memref<16x8xf16>, %half_d : memref<16x8xf32>)
  call @half_check(%half_a, %half_b, %half_c, %half_d)
      : (memref<16x16xf16>, memref<16x8xf16>, memref<16x8xf32>, memref<16x8xf32>) -> ()

  // CHECK: 0
  %half8_a = memref.alloc() : memref<16x8xf16>
  %half8_b = memref.alloc() : memref<8x8xf16>
  %half8_c = memref.alloc() : memref<16x8xf16>
  %half8_d = memref.alloc() : memref<16x8xf16>
  call @half8_a(%half8_a) : (memref<16x8xf16>) -> ()
  call @half8_b(%half8_b) : (memref<8x8xf16>) -> ()
  call @half8_c(%half8_c) : (memref<16x8xf16>) -> ()
  call @half8_c(%half8_d) : (memref<16x8xf16>) -> ()
  gpu.launch_func @kernels::@half8 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%half8_a : memref<16x8xf16>, %half8_b : memref<8x8xf16>, %half8_d : memref<16x8xf16>)
  call @half8_check(%half8_a, %half8_b, %half8_c, %half8_d)
      : (memref<16x8xf16>, memref<8x8xf16>, memref<16x8xf16>, memref<16x8xf16>) -> ()

  // CHECK: 0
  %brain_a = memref.alloc() : memref<16x16xbf16>
  %brain_b = memref.alloc() : memref<16x8xbf16>
  %brain_c = memref.alloc() : memref<16x8xf32>
  %brain_d = memref.alloc() : memref<16x8xf32>
  call @brain_a(%brain_a) : (memref<16x16xbf16>) -> ()
  call @brain_b(%brain_b) : (memref<16x8xbf16>) -> ()
  call @brain_c(%brain_c) : (memref<16x8xf32>) -> ()
  call @brain_c(%brain_d) : (memref<16x8xf32>) -> ()
  gpu.launch_func @kernels::@brain blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%brain_a : memref<16x16xbf16>, %brain_b : memref<16x8xbf16>, %brain_d : memref<16x8xf32>)
  call @brain_check(%brain_a, %brain_b, %brain_c, %brain_d)
      : (memref<16x16xbf16>, memref<16x8xbf16>, memref<16x8xf32>, memref<16x8xf32>) -> ()

  // CHECK: 0
  %tf32_a = memref.alloc() : memref<16x8xf32>
  %tf32_b = memref.alloc() : memref<8x8xf32>
  %tf32_c = memref.alloc() : memref<16x8xf32>
  %tf32_d = memref.alloc() : memref<16x8xf32>
  call @tf32_a(%tf32_a) : (memref<16x8xf32>) -> ()
  call @tf32_b(%tf32_b) : (memref<8x8xf32>) -> ()
  call @tf32_c(%tf32_c) : (memref<16x8xf32>) -> ()
  call @tf32_c(%tf32_d) : (memref<16x8xf32>) -> ()
  gpu.launch_func @kernels::@tf32 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%tf32_a : memref<16x8xf32>, %tf32_b : memref<8x8xf32>, %tf32_d : memref<16x8xf32>)
  call @tf32_check(%tf32_a, %tf32_b, %tf32_c, %tf32_d)
      : (memref<16x8xf32>, memref<8x8xf32>, memref<16x8xf32>, memref<16x8xf32>) -> ()

  // CHECK: 0
  %tf32k4_a = memref.alloc() : memref<16x4xf32>
  %tf32k4_b = memref.alloc() : memref<4x8xf32>
  %tf32k4_c = memref.alloc() : memref<16x8xf32>
  %tf32k4_d = memref.alloc() : memref<16x8xf32>
  call @tf32k4_a(%tf32k4_a) : (memref<16x4xf32>) -> ()
  call @tf32k4_b(%tf32k4_b) : (memref<4x8xf32>) -> ()
  call @tf32k4_c(%tf32k4_c) : (memref<16x8xf32>) -> ()
  call @tf32k4_c(%tf32k4_d) : (memref<16x8xf32>) -> ()
  gpu.launch_func @kernels::@tf32k4 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%tf32k4_a : memref<16x4xf32>, %tf32k4_b : memref<4x8xf32>, %tf32k4_d : memref<16x8xf32>)
  call @tf32k4_check(%tf32k4_a, %tf32k4_b, %tf32k4_c, %tf32k4_d)
      : (memref<16x4xf32>, memref<4x8xf32>, memref<16x8xf32>, memref<16x8xf32>) -> ()

  // CHECK: 0
  %double_a = memref.alloc() : memref<8x4xf64>
  %double_b = memref.alloc() : memref<4x8xf64>
  %double_c = memref.alloc() : memref<8x8xf64>
  %double_d = memref.alloc() : memref<8x8xf64>
  call @double_a(%double_a) : (memref<8x4xf64>) -> ()
  call @double_b(%double_b) : (memref<4x8xf64>) -> ()
  call @double_c(%double_c) : (memref<8x8xf64>) -> ()
  call @double_c(%double_d) : (memref<8x8xf64>) -> ()
  gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%double_a : memref<8x4xf64>, %double_b : memref<4x8xf64>, %double_d : memref<8x8xf64>)
  call @double_check(%double_a, %double_b, %double_c, %double_d)
      : (memref<8x4xf64>, memref<4x8xf64>, memref<8x8xf64>, memref<8x8xf64>) -> ()

  // CHECK: 0
  %bytes_a = memref.alloc() : memref<16x32xi8>
  %bytes_b = memref.alloc() : memref<32x8xi8>
  %bytes_c = memref.alloc() : memref<16x8xi32>
  %bytes_d = memref.alloc() : memref<16x8xi32>
  call @bytes_a(%bytes_a) : (memref<16x32xi8>) -> ()
  call @bytes_b(%bytes_b) : (memref<32x8xi8>) -> ()
  call @bytes_c(%bytes_c) : (memref<16x8xi32>) -> ()
  call @bytes_c(%bytes_d) : (memref<16x8xi32>) -> ()
  gpu.launch_func @kernels::@bytes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%bytes_a : memref<16x32xi8>, %bytes_b : memref<32x8xi8>, %bytes_d : memref<16x8xi32>)
  call @bytes_check(%bytes_a, %bytes_b, %bytes_c, %bytes_d)
      : (memref<16x32xi8>, memref<32x8xi8>, memref<16x8xi32>, memref<16x8xi32>) -> ()
  return
}

}
