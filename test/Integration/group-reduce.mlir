// Reductions over the threads of a block, on the emulator and on the reference
// interpreter, against NumPy: integers, and the larger of two, bit for bit. The
// kernels are those of Inputs/group_reduce.py.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && %python %S/Inputs/group_reduce.py %t

// DEFINE: %{k} =
// DEFINE: %{tolerance} = 0
// DEFINE: %{args} = %t/%{k}.0.npy nan
// DEFINE: %{index} = 1
// DEFINE: %{run} = uop-run %t/%{k}.mlir %{args} --compare %{index}=%t/%{k}.out.npy --tolerance %{tolerance}
// DEFINE: %{both} = %{run} && %{run} --reference

// Rows of every length, two reductions at once.
// REDEFINE: %{k} = sum_1
// RUN: %{both}
// REDEFINE: %{k} = sum_2
// RUN: %{both}
// REDEFINE: %{k} = sum_3
// RUN: %{both}
// REDEFINE: %{k} = sum_7
// RUN: %{both}
// REDEFINE: %{k} = sum_16
// RUN: %{both}
// REDEFINE: %{k} = sum_31
// RUN: %{both}
// REDEFINE: %{k} = sum_32
// RUN: %{both}
// REDEFINE: %{k} = sum_33
// RUN: %{both}
// REDEFINE: %{k} = sum_48
// RUN: %{both}
// REDEFINE: %{k} = sum_64
// RUN: %{both}
// REDEFINE: %{k} = sum_100
// RUN: %{both}
// REDEFINE: %{k} = sum_256
// RUN: %{both}
// REDEFINE: %{k} = sum_1000
// RUN: %{both}
// REDEFINE: %{k} = sum_1024
// RUN: %{both}

// Combiners see the points in their order, however they are spread.
// REDEFINE: %{k} = argmax_lanes
// RUN: %{both}
// REDEFINE: %{k} = argmax_warps
// RUN: %{both}
// REDEFINE: %{k} = argmax_columns
// RUN: %{both}
// REDEFINE: %{k} = argmax_inner
// RUN: %{both}

// Copies; several dimensions; a reduction in a reduction in a loop.
// REDEFINE: %{k} = copies
// RUN: %{both}
// REDEFINE: %{k} = plane
// RUN: %{both}
// REDEFINE: %{k} = nested
// RUN: %{both}

// What goes on with the result of a reduction, in f64.
// REDEFINE: %{tolerance} = 1e-12
// REDEFINE: %{k} = softmax
// RUN: %{both}
// REDEFINE: %{k} = online
// RUN: %{both}

// All threads have read what one of them overwrites.
// REDEFINE: %{tolerance} = 0
// REDEFINE: %{args} = %t/%{k}.0.npy %t/%{k}.1.npy
// REDEFINE: %{k} = in_place
// RUN: %{both}
