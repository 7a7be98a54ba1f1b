// Linalg on tensors, through bufferisation to kernels: a perceptron with a
// softmax, of a batch of static and of dynamic size, and a padded convolution,
// on the emulator against NumPy, and to PTX.
// REQUIRES: numpy, ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/linalg_tensors.py %t
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline -o %t/gpu.mlir
// RUN: uop-run %t/gpu.mlir -e mlp %t/x.npy %t/w1.npy %t/b1.npy %t/w2.npy %t/b2.npy nan \
// RUN:   --compare 5=%t/y.npy --tolerance=0,2e-5
// RUN: uop-run %t/gpu.mlir -e mlp_dynamic %t/x.npy %t/w1.npy %t/b1.npy %t/w2.npy %t/b2.npy nan:17x10 \
// RUN:   --compare 5=%t/y.npy --tolerance=0,2e-5
// RUN: uop-run %t/gpu.mlir -e convolution %t/image.npy %t/filter.npy nan --compare 2=%t/conv.npy
// RUN: uop-run %t/gpu.mlir -e increment %t/image.npy nan --compare 0=%t/image.npy --compare 1=%t/more.npy
// RUN: uop-run %t/gpu.mlir -e softmax_twice %t/y.npy nan:17x10 --compare 1=%t/again.npy --tolerance=0,2e-5

// Without fusion, and with other choices on the way.
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline="fuse=false place-shared=false chip=sm_90" -o %t/plain.mlir
// RUN: uop-run %t/plain.mlir -e mlp %t/x.npy %t/w1.npy %t/b1.npy %t/w2.npy %t/b2.npy nan \
// RUN:   --compare 5=%t/y.npy --tolerance=0,2e-5

// RUN: uop-translate --uop-to-ptx --chip=sm_80 %t/gpu.mlir -o %t/80.ptx
// RUN: %ptxas -arch=sm_80 %t/80.ptx -o %t/80.cubin
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline=chip=sm_90a \
// RUN:   | uop-translate --uop-to-ptx --chip=sm_90a -o %t/90a.ptx
// RUN: %ptxas -arch=sm_90a %t/90a.ptx -o %t/90a.cubin
// RUN: uop-opt %t/gpu.mlir --convert-to-nvvm=chip=sm_80 -o /dev/null
// RUN: uop-opt %t/gpu.mlir --uop-lower-to-cpu-pipeline -o /dev/null

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

func.func @mlp(%x: tensor<17x19xf32>, %w1: tensor<19x23xf32>, %b1: tensor<23xf32>, %w2: tensor<23x10xf32>,
               %b2: tensor<10xf32>) -> tensor<17x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<17x23xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<17x23xf32>) -> tensor<17x23xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<17x19xf32>, tensor<19x23xf32>) outs(%f1 : tensor<17x23xf32>)
    -> tensor<17x23xf32>
  %h = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%p1, %b1 : tensor<17x23xf32>, tensor<23xf32>) outs(%e1 : tensor<17x23xf32>) {
  ^bb0(%p: f32, %b: f32, %old: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<17x23xf32>
  %e2 = tensor.empty() : tensor<17x10xf32>
  // The bias is where the second product begins.
  %c2 = linalg.broadcast ins(%b2 : tensor<10xf32>) outs(%e2 : tensor<17x10xf32>) dimensions = [0]
  %p2 = linalg.matmul ins(%h, %w2 : tensor<17x23xf32>, tensor<23x10xf32>) outs(%c2 : tensor<17x10xf32>)
    -> tensor<17x10xf32>
  %y = linalg.softmax dimension(1) ins(%p2 : tensor<17x10xf32>) outs(%e2 : tensor<17x10xf32>) -> tensor<17x10xf32>
  return %y : tensor<17x10xf32>
}

func.func @mlp_dynamic(%x: tensor<?x19xf32>, %w1: tensor<19x23xf32>, %b1: tensor<23xf32>, %w2: tensor<23x10xf32>,
                       %b2: tensor<10xf32>) -> tensor<?x10xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x19xf32>
  %e1 = tensor.empty(%n) : tensor<?x23xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x23xf32>) -> tensor<?x23xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<?x19xf32>, tensor<19x23xf32>) outs(%f1 : tensor<?x23xf32>)
    -> tensor<?x23xf32>
  %h = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%p1, %b1 : tensor<?x23xf32>, tensor<23xf32>) outs(%e1 : tensor<?x23xf32>) {
  ^bb0(%p: f32, %b: f32, %old: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x23xf32>
  %e2 = tensor.empty(%n) : tensor<?x10xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<?x23xf32>, tensor<23x10xf32>) outs(%f2 : tensor<?x10xf32>)
    -> tensor<?x10xf32>
  %c2 = linalg.broadcast ins(%b2 : tensor<10xf32>) outs(%e2 : tensor<?x10xf32>) dimensions = [0]
  %s2 = arith.addf %p2, %c2 : tensor<?x10xf32>
  %y = linalg.softmax dimension(1) ins(%s2 : tensor<?x10xf32>) outs(%e2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// Each channel on its own, with a border of ones.
func.func @convolution(%x: tensor<1x7x5x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<1x7x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x7x5x2xf32> to tensor<1x9x7x2xf32>
  %e = tensor.empty() : tensor<1x7x5x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x5x3xf32>) -> tensor<1x7x5x3xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x9x7x2xf32>, tensor<3x3x2x3xf32>)
    outs(%f : tensor<1x7x5x3xf32>) -> tensor<1x7x5x3xf32>
  return %y : tensor<1x7x5x3xf32>
}

// The argument is a value, which stays as it is.
func.func @increment(%x: tensor<1x7x5x2xf32>) -> tensor<1x7x5x2xf32> {
  %one = arith.constant dense<1.0> : tensor<1x7x5x2xf32>
  %y = arith.addf %x, %one : tensor<1x7x5x2xf32>
  return %y : tensor<1x7x5x2xf32>
}

// The module itself calls a function whose result has a size that only it knows.
func.func @softmax(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x10xf32>
  %e = tensor.empty(%n) : tensor<?x10xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<?x10xf32>) outs(%e : tensor<?x10xf32>) -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}
func.func @softmax_twice(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %y = call @softmax(%x) : (tensor<?x10xf32>) -> tensor<?x10xf32>
  %z = call @softmax(%y) : (tensor<?x10xf32>) -> tensor<?x10xf32>
  return %z : tensor<?x10xf32>
}
