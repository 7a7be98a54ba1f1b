#===- linalg_tensors.py - Operands and results of linalg-tensors.mlir -------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Usage: linalg_tensors.py DIRECTORY
#
#===-------------------------------------------------------------------------===#

import sys
from pathlib import Path

import numpy as np

directory = Path(sys.argv[1])
random = np.random.default_rng(3)


def save(name, array):
    np.save(directory / f"{name}.npy", array.astype(np.float32))
    return array.astype(np.float32)


x = save("x", random.standard_normal((17, 19)))
w1 = save("w1", random.standard_normal((19, 23)) / 4)
b1 = save("b1", random.standard_normal(23))
w2 = save("w2", random.standard_normal((23, 10)) / 4)
b2 = save("b2", random.standard_normal(10))
hidden = np.maximum(x.astype(np.float64) @ w1 + b1, 0)


def softmax(logits):
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


y = softmax(hidden @ w2 + b2)
save("y", y)
save("again", softmax(softmax(y)))

# Whole numbers, whose sums are exact.
image = save("image", random.integers(-5, 6, (1, 7, 5, 2)))
weights = save("filter", random.integers(-5, 6, (3, 3, 2, 3)))
save("more", image + 1)
padded = np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=1)
convolution = np.zeros((1, 7, 5, 3))
for row in range(7):
    for column in range(5):
        window = padded[0, row : row + 3, column : column + 3]
        convolution[0, row, column] = np.einsum("hwc,hwcf->f", window, weights)
save("conv", convolution)
