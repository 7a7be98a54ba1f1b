#===- network.py - The digits network in NumPy ------------------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# The two-layer perceptron that kernels.mlir computes, written a second time
# with NumPy: what the compiled kernels are compared with.
#
#   x      = pixels / 16                           1797 x 64
#   hidden = relu(x @ w1 + b1)                     1797 x 128
#   logits = hidden @ w2 + b2                      1797 x 10
#   probs  = exp(logits - rowmax) / rowsum         1797 x 10
#   labels = argmax(probs), the lowest on a tie    1797
#
# All of it is f32. Sums run over ascending indices, one addition at a time and
# with a rounding after each product, as the kernels do with contraction off:
# up to the logits the two agree bit for bit. The exponential is rounded
# correctly here (f64, then f32); the kernels' is within a few ulp of that.
#
#===-------------------------------------------------------------------------===#

from pathlib import Path
from typing import NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent


class Weights(NamedTuple):
    w1: np.ndarray  # 64 x 128
    b1: np.ndarray  # 128
    w2: np.ndarray  # 128 x 10
    b2: np.ndarray  # 10


def load_data():
    """Returns the pixels (1797 x 64, u8, 0 to 16) and the labels (1797, u8)."""
    return (
        np.load(HERE / "data" / "images.npy"),
        np.load(HERE / "data" / "labels.npy"),
    )


def held_out(count):
    """Which images training never sees: every fifth."""
    return np.arange(count) % 5 == 4


def load_weights():
    return Weights(*(np.load(HERE / "weights" / f"{n}.npy") for n in Weights._fields))


def matmul(a, b):
    """a @ b in f32, one product and one addition after the other in order."""
    result = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        result += a[:, k, None] * b[k]
    return result


def softmax(logits):
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted.astype(np.float64)).astype(np.float32)
    total = np.zeros((logits.shape[0], 1), np.float32)
    for j in range(logits.shape[1]):
        total += exponentials[:, j, None]
    return exponentials / total


def infer(pixels, weights):
    """Returns (logits f32, probabilities f32, labels i32) of all images."""
    x = pixels.astype(np.float32) * np.float32(1 / 16)
    hidden = np.maximum(matmul(x, weights.w1) + weights.b1, np.float32(0))
    logits = matmul(hidden, weights.w2) + weights.b2
    probabilities = softmax(logits)
    return logits, probabilities, probabilities.argmax(axis=1).astype(np.int32)
