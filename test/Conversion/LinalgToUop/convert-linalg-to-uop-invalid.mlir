// What has no kernel, and why.
// RUN: uop-opt %s --convert-linalg-to-uop --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'linalg.exp' op expected memrefs, but got tensors; bufferize first, or use --uop-lower-linalg-to-gpu-pipeline}}
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-note @below {{the device code is here}}
gpu.module @device {
  gpu.func @kernel(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
    // expected-error @below {{'linalg.exp' op is in device code: expected host code, which launches kernels; lower it to loops (--uop-lower-linalg)}}
    linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
    gpu.return
  }
}

// -----

func.func @winograd(%x: tensor<2x3x3x5xf32>, %y: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  // expected-error @below {{expected memrefs, but got tensors}}
  %z = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>)
    outs(%y : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %z : tensor<6x6x5x2xf32>
}

// -----

func.func @element_type(%x: memref<4xindex>, %y: memref<4xindex>) {
  // expected-error @below {{'linalg.copy' op cannot become a kernel: expected argument #0 to be a memref of signless integers or floating-point numbers, but got 'memref<4xindex>'}}
  linalg.copy ins(%x : memref<4xindex>) outs(%y : memref<4xindex>)
  return
}

// -----

func.func @memory_space(%x: memref<4xf32, 3>, %y: memref<4xf32>) {
  // expected-error @below {{'linalg.copy' op cannot become a kernel: expected argument #0 to be a memref in the default or the global memory space, but got 'memref<4xf32, 3>'}}
  linalg.copy ins(%x : memref<4xf32, 3>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @complex(%x: memref<4xcomplex<f32>>, %y: memref<4xcomplex<f32>>) {
  // expected-error @below {{'linalg.copy' op cannot become a kernel: expected argument #0 to be a memref of signless integers or floating-point numbers}}
  linalg.copy ins(%x : memref<4xcomplex<f32>>) outs(%y : memref<4xcomplex<f32>>)
  return
}

// -----

func.func @overlapping_layout(%x: memref<4x4xf32, strided<[2, 1]>>, %y: memref<4x4xf32>) {
  // expected-error @below {{'linalg.copy' op cannot become a kernel: expected argument #0 to be a memref whose layout does not overlap itself}}
  linalg.copy ins(%x : memref<4x4xf32, strided<[2, 1]>>) outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @branch(%x: memref<4xi32>, %y: memref<4xi32>) {
  // expected-note @below {{it is in the payload of this op}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%v: i32, %old: i32):
    %zero = arith.constant 0 : i32
    %c = arith.cmpi ne, %v, %zero : i32
    %r = scf.if %c -> i32 {
      // expected-error @below {{'arith.divsi' op is in a branch, but a kernel computes both branches: expected what may be computed in any case; choose its operands with arith.select instead}}
      %q = arith.divsi %old, %v : i32
      scf.yield %q : i32
    } else {
      scf.yield %v : i32
    }
    linalg.yield %r : i32
  }
  return
}

// -----

func.func @loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{it is in the payload of this op}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    // expected-error @below {{'scf.for' op is not allowed in a kernel: expected linalg.index, memref.load, scf.if, and pure scalar arith and math}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> f32 {
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    linalg.yield %r : f32
  }
  return
}

// -----

func.func private @g(f32) -> f32
func.func @call(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-note @below {{it is in the payload of this op}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    // expected-error @below {{'func.call' op is not allowed in a kernel}}
    %r = func.call @g(%v) : (f32) -> f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @side_effect(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  // expected-note @below {{it is in the payload of this op}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    %i = linalg.index 0 : index
    // expected-error @below {{'memref.store' op is not allowed in a kernel}}
    memref.store %v, %z[%i] : memref<4xf32>
    linalg.yield %v : f32
  }
  return
}

// -----

// The last point would stay, or any.
func.func @parallel_loop(%x: memref<4x5xf32>, %y: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op writes each element of output #0 at every point of the parallel loop #1, which is not in its indexing map affine_map<(d0, d1) -> (d0)>; make it a reduction loop that combines the points}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x5xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

func.func @not_injective(%x: memref<4x5xf32>, %y: memref<8xf32>) {
  // expected-error @below {{'linalg.generic' op expected the indexing map of output #0 to be injective over the loops in it, but got affine_map<(d0, d1) -> (d0 + d1)>, which writes an element twice or is not known not to}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x5xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%v: f32, %old: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @division(%x: memref<4xf32>, %y: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative: expected its previous value to enter one addition, multiplication, minimum, maximum or bitwise operation, or a choice by an ordered comparison of keys; split it into such ops}}
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%y : memref<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %r = arith.divf %acc, %v : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// x - acc alternates.
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @difference(%x: memref<4xf32>, %y: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative}}
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%y : memref<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %r = arith.subf %v, %acc : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// (acc + x) * y is no sum.
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @horner(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative}}
  linalg.generic {indexing_maps = [#in, #in, #out], iterator_types = ["reduction"]}
    ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%z : memref<f32>) {
  ^bb0(%v: f32, %w: f32, %acc: f32):
    %s = arith.addf %acc, %v : f32
    %r = arith.mulf %s, %w : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The last point wins.
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @last(%x: memref<4xf32>, %y: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative}}
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%y : memref<f32>) {
  ^bb0(%v: f32, %acc: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

// A key that is no number is chosen, and the next one after it: in another
// order the result is another one.
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @unordered(%x: memref<4xf32>, %y: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative}}
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%y : memref<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %more = arith.cmpf ugt, %v, %acc : f32
    %r = arith.select %more, %v, %acc : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The mean that goes along with the sum depends on the sum so far.
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @depends(%x: memref<4xf32>, %y: memref<f32>, %z: memref<f32>) {
  // expected-error @below {{'linalg.generic' op combines the points of output #0 in a way that is not known to be associative}}
  linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%y, %z : memref<f32>, memref<f32>) {
  ^bb0(%v: f32, %acc: f32, %other: f32):
    %s = arith.addf %acc, %v : f32
    %p = arith.mulf %acc, %v : f32
    %t = arith.addf %other, %p : f32
    linalg.yield %s, %t : f32, f32
  }
  return
}

// -----

// A running sum.
func.func @partial(%x: memref<4xf32>, %y: memref<f32>, %z: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op reads what it has made of output #1 so far: expected only a reduction into that output to read it; split the op}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%z, %y : memref<4xf32>, memref<f32>) {
  ^bb0(%v: f32, %old: f32, %acc: f32):
    %s = arith.addf %acc, %v : f32
    linalg.yield %s, %s : f32, f32
  }
  return
}

// -----

// In place, but not at the same place.
func.func @transpose(%x: memref<4x4xf32>) {
  // expected-error @below {{'linalg.transpose' op cannot become a kernel: 'uop.load' op reads a buffer that the kernel stores to, at indices other than those of the store; read a copy of the buffer instead}}
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%x : memref<4x4xf32>) permutation = [1, 0]
  return
}

// -----

func.func @views(%x: memref<8xf32>) {
  %a = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %b = memref.subview %x[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  // expected-error @below {{'linalg.copy' op writes to memory that another operand looks at in another way: expected the operands of a kernel not to overlap; use one memref for both, or a copy}}
  linalg.copy ins(%a : memref<4xf32, strided<[1]>>) outs(%b : memref<4xf32, strided<[1], offset: 2>>)
  return
}

// -----

func.func @reshaped(%x: memref<8xf32>) {
  %a = memref.expand_shape %x [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  // expected-error @below {{'linalg.generic' op writes to memory that another operand looks at in another way}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i * 4 + j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<2x4xf32>) outs(%x : memref<8xf32>) {
  ^bb0(%v: f32, %old: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

func.func @softmax(%x: memref<4x4xi32>, %y: memref<4x4xi32>) {
  // expected-error @below {{'linalg.softmax' op expected ranked memrefs of floating-point numbers, but got 'memref<4x4xi32>'}}
  linalg.softmax dimension(1) ins(%x : memref<4x4xi32>) outs(%y : memref<4x4xi32>)
  return
}

// -----

// What a call passes twice, through another function: one op would read and
// write it in two ways. A function that is not called so is right.
func.func private @flip(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  // expected-error @below {{writes to memory that another operand looks at in another way: expected the operands of a kernel not to overlap; use one memref for both, or a copy}}
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>) permutation = [1, 0]
  return
}
func.func private @through(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  call @flip(%x, %y) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
func.func private @sum(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %z: memref<4x4xf32>) {
  linalg.add ins(%x, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%z : memref<4x4xf32>)
  return
}
func.func @caller(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  call @sum(%x, %x, %y) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  call @through(%x, %x) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
