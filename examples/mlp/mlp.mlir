// A perceptron with two layers and a softmax, as another compiler would hand it
// over: linalg on tensors, for any number of images.

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

func.func @mlp(%x: tensor<?x784xf32>, %w1: tensor<784x128xf32>, %b1: tensor<128xf32>,
               %w2: tensor<128x10xf32>, %b2: tensor<10xf32>) -> tensor<?x10xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x784xf32>

  // relu(x * w1 + b1)
  %e1 = tensor.empty(%n) : tensor<?x128xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<?x784xf32>, tensor<784x128xf32>)
                      outs(%f1 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %h = linalg.generic {indexing_maps = [#rows, #columns, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p1, %b1 : tensor<?x128xf32>, tensor<128xf32>) outs(%e1 : tensor<?x128xf32>) {
  ^bb0(%p: f32, %b: f32, %old: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x128xf32>

  // softmax(h * w2 + b2), where the product begins with the bias
  %e2 = tensor.empty(%n) : tensor<?x10xf32>
  %f2 = linalg.broadcast ins(%b2 : tensor<10xf32>) outs(%e2 : tensor<?x10xf32>) dimensions = [0]
  %p2 = linalg.matmul ins(%h, %w2 : tensor<?x128xf32>, tensor<128x10xf32>)
                      outs(%f2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  %y = linalg.softmax dimension(1) ins(%p2 : tensor<?x10xf32>) outs(%e2 : tensor<?x10xf32>)
      -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}
