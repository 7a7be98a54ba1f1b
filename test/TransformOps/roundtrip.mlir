// The assembly of the ops, with and without what is optional.
// RUN: %roundtrip
// RUN: uop-opt %s | FileCheck %s

!h = !transform.any_op
!p = !transform.param<i64>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @all(%k: !h {transform.consumed}, %p: !p {transform.readonly}) {
    // CHECK: %[[O:.*]], %[[R:.*]] = transform.uop.get_axes %{{.*}} : (!transform.any_op)
    %outputs, %reduces = transform.uop.get_axes %k : (!h) -> (!h, !h)
    // CHECK: transform.uop.axis %{{.*}} output 0 :
    %a = transform.uop.axis %k output 0 : (!h) -> !h
    // CHECK: transform.uop.axis %{{.*}} reduce 1 :
    %b = transform.uop.axis %k reduce 1 : (!h) -> !h
    // CHECK: transform.uop.get_loads %{{.*}} :
    %l = transform.uop.get_loads %k : (!h) -> !h
    // CHECK: transform.uop.get_loads %{{.*}} from 1 :
    %m = transform.uop.get_loads %k from 1 : (!h) -> !h
    // CHECK: transform.uop.split %{{.*}} by 16 to local<x> inner :
    %c, %d = transform.uop.split %a by 16 to local<x> inner : (!h) -> (!h, !h)
    // CHECK: transform.uop.split %{{.*}} by %{{.*}} to upcast outer {note} :
    %e, %f = transform.uop.split %c by %p to upcast outer {note} : (!h, !p) -> (!h, !h)
    // CHECK: transform.uop.map %{{.*}} to global<y> :
    transform.uop.map %e to global<y> : !h
    // CHECK: transform.uop.pad %{{.*}} to_multiple_of 4 :
    transform.uop.pad %d to_multiple_of 4 : (!h) -> ()
    // CHECK: transform.uop.pad %{{.*}} to_multiple_of %{{.*}} nonempty :
    transform.uop.pad %d to_multiple_of %p nonempty : (!h, !p) -> ()
    // CHECK: transform.uop.group %{{.*}} by 32 {{ *}}:
    %g, %i = transform.uop.group %b by 32 : (!h) -> (!h, !h)
    // CHECK: transform.uop.group %{{.*}} by %{{.*}} along y outermost :
    %q, %r = transform.uop.group %g by %p along y outermost : (!h, !p) -> (!h, !h)
    // CHECK: transform.uop.unroll %{{.*}} by 4 :
    %s, %t = transform.uop.unroll %q by 4 : (!h) -> (!h, !h)
    // CHECK: transform.uop.unroll %{{.*}} by %{{.*}} :
    %u, %v = transform.uop.unroll %s by %p : (!h, !p) -> (!h, !h)
    // CHECK: transform.uop.unroll %{{[^ ]*}} {{ *}}:
    %w, %x = transform.uop.unroll %u : (!h) -> (!h, !h)
    // CHECK: transform.uop.fold %{{.*}}, %{{.*}} to local<z> :
    %y = transform.uop.fold %d, %f to local<z> : (!h, !h) -> !h
    // CHECK: transform.uop.stage %{{[^ ]*}} {{ *}}:
    %s0, %s1, %s2 = transform.uop.stage %l : (!h) -> (!h, !h, !h)
    // CHECK: transform.uop.stage %{{.*}} buffers 2 step %{{.*}} by %{{.*}} :
    %s3, %s4, %s5 = transform.uop.stage %m buffers 2 step %reduces by %p
      : (!h, !h, !p) -> (!h, !h, !h)
    // CHECK: transform.uop.apply_schedule to %{{[^ ]*}} :
    %z = transform.uop.apply_schedule to %k : (!h) -> !h
    // CHECK: transform.uop.apply_schedule #uop.schedule<[LOCAL 0:16]> to %{{.*}} for_cpu remarks :
    %k1 = transform.uop.apply_schedule #uop.schedule<[LOCAL 0:16]> to %z for_cpu remarks : (!h) -> !h
    // CHECK: transform.uop.auto_map %{{.*}} {chip = "sm_90", heuristic = "basic", remarks, shared} :
    %k2 = transform.uop.auto_map %k1 {chip = "sm_90", heuristic = "basic", remarks, shared} : (!h) -> !h
    transform.yield
  }
}
