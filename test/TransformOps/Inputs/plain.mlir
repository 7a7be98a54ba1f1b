// The script of the GEMM example, without tiles of shared memory.

module attributes {transform.with_named_sequence} {
  // What one output axis becomes: blocks, copies, threads, from the outside in.
  transform.named_sequence @split_output(
      %axis: !transform.any_op {transform.consumed})
      -> (!transform.any_op, !transform.any_op) {
    %outer, %threads = transform.uop.split %axis by 16 to loop inner
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %blocks, %copies = transform.uop.unroll %outer by 2
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %blocks, %threads : !transform.any_op, !transform.any_op
  }

  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match ops{["uop.kernel"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %m = transform.uop.axis %kernels output 0
      : (!transform.any_op) -> !transform.any_op
    %n = transform.uop.axis %kernels output 1
      : (!transform.any_op) -> !transform.any_op

    // Neighbouring threads write to neighbouring elements: x is along n.
    %block_rows, %thread_rows = transform.include @split_output
      failures(propagate) (%m)
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_columns, %thread_columns = transform.include @split_output
      failures(propagate) (%n)
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.uop.map %block_rows to global<y> : !transform.any_op
    transform.uop.map %thread_rows to local<y> : !transform.any_op
    // One block has all columns of @gemm: there is no range to map.
    transform.uop.map %block_columns to global<x> : !transform.any_op
    transform.uop.map %thread_columns to local<x> : !transform.any_op
    transform.yield
  }
}
