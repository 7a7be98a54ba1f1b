#===- train.py - Trains the digits network ----------------------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Trains the weights that are stored in weights/ with NumPy alone: Adam on the
# softmax cross-entropy with weight decay, on all images but every fifth. The
# images are shifted by up to one pixel at random, since writers differ in where
# they put a digit.
# A seed fixes the result on one machine; another BLAS may round differently,
# which is why the weights are stored.
#
#===-------------------------------------------------------------------------===#

import argparse

import numpy as np

import network


def shift(pixels, generator):
    """Moves each 8x8 image by -1, 0 or 1 pixel a side, filling with zeros."""
    images = np.pad(pixels.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    rows, columns = generator.choice(3, (2, len(images)), p=[0.15, 0.7, 0.15])
    window = np.arange(8)
    moved = images[
        np.arange(len(images))[:, None, None],
        (rows[:, None] + window)[:, :, None],
        (columns[:, None] + window)[:, None, :],
    ]
    return moved.reshape(-1, 64)


def initial_weights(generator):
    def layer(rows, columns):
        return generator.normal(0, np.sqrt(2 / rows), (rows, columns))

    return [layer(64, 128), np.zeros(128), layer(128, 10), np.zeros(10)]


def gradients(parameters, x, labels):
    """The gradients of the mean cross-entropy of a batch."""
    w1, b1, w2, b2 = parameters
    hidden = np.maximum(x @ w1 + b1, 0)
    logits = hidden @ w2 + b2
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    p /= len(labels)
    back = (p @ w2.T) * (hidden > 0)
    return [x.T @ back, back.sum(axis=0), hidden.T @ p, p.sum(axis=0)]


def train(pixels, labels, seed, epochs, rate=2e-3, decay=2e-4, batch=64):
    generator = np.random.default_rng(seed)
    parameters = initial_weights(generator)
    mean = [np.zeros_like(p) for p in parameters]
    square = [np.zeros_like(p) for p in parameters]
    step = 0
    for epoch in range(epochs):
        order = generator.permutation(len(pixels))
        x = shift(pixels, generator) / 16
        epoch_rate = rate * (1 - epoch / epochs)
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            step += 1
            for i, g in enumerate(gradients(parameters, x[chosen], labels[chosen])):
                mean[i] += 0.1 * (g - mean[i])
                square[i] += 0.001 * (g * g - square[i])
                m = mean[i] / (1 - 0.9**step)
                v = square[i] / (1 - 0.999**step)
                parameters[i] -= epoch_rate * m / (np.sqrt(v) + 1e-8)
                if parameters[i].ndim == 2:
                    parameters[i] -= epoch_rate * decay * parameters[i]
    return network.Weights(*(p.astype(np.float32) for p in parameters))


def main():
    parser = argparse.ArgumentParser(description="Train the digits network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--output", default=str(network.HERE / "weights"))
    arguments = parser.parse_args()

    pixels, labels = network.load_data()
    held_out = network.held_out(len(pixels))
    weights = train(
        pixels[~held_out].astype(np.float64),
        labels[~held_out],
        arguments.seed,
        arguments.epochs,
    )
    right = network.infer(pixels, weights)[2] == labels
    print(f"trained on {(~held_out).sum()} images: {right[~held_out].mean():.2%} right")
    print(f"held out {held_out.sum()} images: {right[held_out].mean():.2%} right")
    for name, value in weights._asdict().items():
        np.save(f"{arguments.output}/{name}.npy", value)


if __name__ == "__main__":
    main()
