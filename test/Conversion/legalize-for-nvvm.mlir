// What upstream's lowering to NVVM lacks, in words that it knows.
// RUN: uop-opt %s --pass-pipeline="builtin.module(gpu.module(uop-legalize-for-nvvm))" | FileCheck %s
// RUN: uop-opt %s --pass-pipeline="builtin.module(gpu.module(uop-legalize-for-nvvm{fast-math=true}))" | FileCheck %s --check-prefix=FAST

gpu.module @legalize {
  // CHECK-LABEL: gpu.func @sqrt
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (vector<2xf32>)
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (vector<2xf32>)
  // FAST-LABEL: gpu.func @sqrt
  // FAST: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>}
  gpu.func @sqrt(%v: vector<2x2xf32>) -> vector<2x2xf32> {
    %r = math.sqrt %v : vector<2x2xf32>
    gpu.return %r : vector<2x2xf32>
  }

  // Other flags stay.
  // FAST-LABEL: gpu.func @flags
  // FAST: arith.divf %{{.*}} fastmath<nnan,afn>
  // FAST: math.exp %{{.*}} fastmath<afn>
  gpu.func @flags(%a: f32) -> f32 {
    %d = arith.divf %a, %a fastmath<nnan> : f32
    %r = math.exp %d : f32
    gpu.return %r : f32
  }

  // CHECK-LABEL: gpu.func @is_normal
  // CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 264 : i32}>
  gpu.func @is_normal(%a: f32) -> i1 {
    %r = math.isnormal %a : f32
    gpu.return %r : i1
  }

  // A narrow value travels in a wider word.
  // CHECK-LABEL: gpu.func @shuffle_f16
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
  // CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
  // CHECK: %[[MOVED:.*]], %{{.*}} = gpu.shuffle xor %[[WORD]]
  // CHECK: arith.trunci %[[MOVED]] : i32 to i16
  gpu.func @shuffle_f16(%a: f16, %o: i32, %w: i32) -> f16 {
    %r, %valid = gpu.shuffle xor %a, %o, %w : f16
    gpu.return %r : f16
  }

  // A sum over a warp of 32: five steps, of two shuffles each for 64 bits.
  // CHECK-LABEL: gpu.func @subgroup_sum
  // CHECK-COUNT-10: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  gpu.func @subgroup_sum(%a: i64) -> i64 {
    %r = gpu.subgroup_reduce add %a uniform : (i64) -> i64
    gpu.return %r : i64
  }

  // CHECK-LABEL: gpu.func @atomic
  // CHECK: scf.while
  // CHECK: arith.muli %{{.*}} : i16
  // CHECK: llvm.cmpxchg %{{.*}} acq_rel monotonic : !llvm.ptr<3>, i16
  // CHECK: scf.condition
  gpu.func @atomic(%v: i16, %i: index) workgroup(%s: memref<4xi16, #gpu.address_space<workgroup>>) {
    %r = memref.atomic_rmw muli %v, %s[%i] : (i16, memref<4xi16, #gpu.address_space<workgroup>>) -> i16
    gpu.return
  }

  // CHECK-LABEL: gpu.func @subgroup_size
  // CHECK: %[[SIZE:.*]] = arith.constant 32 : index
  // CHECK: gpu.return %[[SIZE]]
  gpu.func @subgroup_size() -> index {
    %r = gpu.subgroup_size : index
    gpu.return %r : index
  }
}
