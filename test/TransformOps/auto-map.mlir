// The heuristics are those of the passes, and so are their remarks.
// RUN: split-file %s %t
// RUN: cat %t/kernels.mlir %t/default.mlir > %t/a.mlir
// RUN: uop-opt %t/a.mlir --transform-interpreter -o %t/a.out 2> %t/remarks.a
// RUN: uop-opt %t/a.mlir --uop-gpu-map="chip=sm_90 remarks" -o %t/b.out 2> %t/remarks.b
// RUN: diff %t/a.out %t/b.out
// RUN: FileCheck %s --input-file=%t/a.out --check-prefix=ONLY
// RUN: grep remark %t/remarks.a > %t/ra
// RUN: grep remark %t/remarks.b | diff - %t/ra
// ONLY: attributes {schedule = #uop.schedule<[

// RUN: cat %t/kernels.mlir %t/basic.mlir > %t/c.mlir
// RUN: uop-opt %t/c.mlir --transform-interpreter -o %t/c.out
// RUN: uop-opt %t/c.mlir --uop-gpu-map="heuristic=basic" | diff - %t/c.out

// RUN: cat %t/kernels.mlir %t/shared.mlir > %t/d.mlir
// RUN: uop-opt %t/d.mlir --transform-interpreter -o %t/d.out
// RUN: uop-opt %t/d.mlir --uop-place-shared="chip=sm_90" | diff - %t/d.out
// RUN: FileCheck %s --input-file=%t/d.out --check-prefix=SHARED
// SHARED: uop.stage

// What is mapped in part keeps that part; of a mapped kernel only tiles are
// made.
// RUN: cat %t/kernels.mlir %t/partly.mlir > %t/e.mlir
// RUN: uop-opt %t/e.mlir --transform-interpreter -o %t/e.out
// RUN: FileCheck %s --input-file=%t/e.out --check-prefix=PARTLY
// PARTLY: uop.range upcast 256
// PARTLY: uop.range global<x>
// PARTLY: uop.stage
// RUN: cat %t/kernels.mlir %t/some.mlir > %t/f.mlir
// RUN: uop-opt %t/f.mlir --transform-interpreter --uop-gpu-map | FileCheck %s --check-prefix=SOME
// SOME: uop.range serial 256
// SOME: uop.range global<x>
// SOME: uop.range local<y>
// SOME: uop.range group_reduce<x>

//--- kernels.mlir
!h = !transform.any_op
uop.kernel @gemm(%A: memref<256x256xf32>, %B: memref<256x256xf32>, %C: memref<256x256xf32>) {
  %m = uop.range loop 256
  %n = uop.range loop 256
  %k = uop.range reduce 256
  %a = uop.load %A[%m, %k] : memref<256x256xf32>
  %b = uop.load %B[%k, %n] : memref<256x256xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<256x256xf32>
}
//--- default.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a = transform.uop.auto_map %kernel {chip = "sm_90", remarks} : (!h) -> !h
    transform.yield
  }
}
//--- basic.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a = transform.uop.auto_map %kernel {heuristic = "basic"} : (!h) -> !h
    transform.yield
  }
}
//--- shared.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %a = transform.uop.auto_map %kernel {chip = "sm_90", shared} : (!h) -> !h
    transform.yield
  }
}
//--- partly.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %m = transform.uop.axis %kernel output 0 : (!h) -> !h
    %none, %copies = transform.uop.unroll %m : (!h) -> (!h, !h)
    %a = transform.uop.auto_map %kernel {heuristic = "basic"} : (!h) -> !h
    %b = transform.uop.auto_map %a {shared} : (!h) -> !h
    transform.yield
  }
}
//--- some.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !h {transform.readonly}) {
    %kernel = transform.structured.match ops{["uop.kernel"]} in %root : (!h) -> !h
    %m = transform.uop.axis %kernel output 0 : (!h) -> !h
    transform.uop.map %m to serial : !h
    transform.yield
  }
}
