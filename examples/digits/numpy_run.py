#===- numpy_run.py - Runs the digits network in NumPy -----------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Writes the probabilities and labels of all images as NumPy computes them, to
# compare any other run with.
#
#===-------------------------------------------------------------------------===#

import argparse
from pathlib import Path

import numpy as np

import network


def main():
    parser = argparse.ArgumentParser(description="Run the digits network in NumPy")
    parser.add_argument("output", help="the folder for probs.npy and labels.npy")
    arguments = parser.parse_args()

    pixels, _ = network.load_data()
    logits, probabilities, labels = network.infer(pixels, network.load_weights())
    output = Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    np.save(output / "logits.npy", logits)
    np.save(output / "probs.npy", probabilities)
    np.save(output / "labels.npy", labels)


if __name__ == "__main__":
    main()
