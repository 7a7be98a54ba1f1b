// What is wrong with the ops themselves.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @side(%i: !h {transform.consumed}) {
    // expected-error@+1 {{expected 'inner' or 'outer'}}
    %a, %b = transform.uop.split %i by 16 to loop middle : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @axis(%i: !h {transform.readonly}) {
    // expected-error@+1 {{unknown axis 'block': expected one of loop, serial, global<x|y|z>, local<x|y|z>, warp, thread, reduce, group_reduce<x|y|z>, upcast, unroll, fragment}}
    transform.uop.map %i to block : !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @dimension(%i: !h {transform.consumed}) {
    // expected-error@+1 {{expected a dimension, x, y or z, but got 'w'}}
    %a, %b = transform.uop.group %i by 32 along w : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @list(%k: !h {transform.readonly}) {
    // expected-error@+1 {{expected 'output' or 'reduce'}}
    %a = transform.uop.axis %k input 0 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @number(%k: !h {transform.readonly}) {
    // expected-error@+1 {{attribute 'number' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    %a = transform.uop.axis %k output -1 : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @no_amount(%i: !h {transform.readonly}) {
    // expected-error@+1 {{expected either a fixed amount or a parameter}}
    "transform.uop.pad"(%i) : (!h) -> ()
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @no_threads(%i: !h {transform.consumed}) {
    // expected-error@+1 {{expected axis 'group_reduce', but got 'local<x>'}}
    %a, %b = "transform.uop.group"(%i) <{axis = #uop.axis<local<x>>, static_amount = 4 : i64}> : (!h) -> (!h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @step_of_nothing(%i: !h {transform.consumed}) {
    // expected-error@+1 {{expected ranges to take steps of}}
    %a, %b, %c = "transform.uop.stage"(%i) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_step = 4 : i64}> : (!h) -> (!h, !h, !h)
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @chip(%k: !h {transform.consumed}) {
    // expected-error@+1 {{expected a known chip, but got 'sm_1'; choose one of sm_75, }}
    %a = transform.uop.auto_map %k {chip = "sm_1"} : (!h) -> !h
    transform.yield
  }
}

// -----

!h = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @heuristic(%k: !h {transform.consumed}) {
    // expected-error@+1 {{expected heuristic to be default or basic, but got 'none'}}
    %a = transform.uop.auto_map %k {heuristic = "none"} : (!h) -> !h
    transform.yield
  }
}
