#===- demo.py - Digits, from uop text to PTX and to a checked CPU run -------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Maps the kernels of kernels.mlir to a GPU, compiles them to PTX, runs the very
# same mapped kernels on the emulator over all 1797 images, and compares each
# image with the NumPy run. Exit status 1 when anything differs or the accuracy
# is below what is promised.
#
# Contraction is off, so that each product is rounded as NumPy rounds it; what
# remains is the exponential, which is within a few ulp of the right one.
#
#===-------------------------------------------------------------------------===#

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import network

CHIP = "sm_80"
MAX_ULP = 16  # Of a probability: two exponentials, nine additions, a division.
MIN_ACCURACY = 0.95
FANCY = sys.stdout.isatty()


def title(text):
    print(f"\033[1m{text}\033[0m" if FANCY else text, flush=True)


def verdict(good, text):
    mark = ("ok", "\033[32mok\033[0m") if good else ("WRONG", "\033[31mWRONG\033[0m")
    print(f"  {text}: {mark[FANCY]}", flush=True)
    return good


def run(command):
    """Runs a tool and returns its output; a failure ends the demo."""
    command = [str(c) for c in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"demo: cannot run {command[0]}: {error.strerror}")
    if done.returncode:
        sys.stderr.write(done.stderr)
        sys.exit(f"demo: exit status {done.returncode} from: {' '.join(command)}")
    return done.stdout


def map_kernels(tools, kernels, output):
    title("Mapping the kernels to blocks and threads")
    run([tools / "uop-opt", "--uop-gpu-map", kernels, "-o", output])


def kernel_sizes(ptx):
    """Returns the lines of PTX of each kernel by name."""
    sizes = {}
    for entry in re.finditer(r"\.entry\s+([\w$]+)(.*?)^}", ptx, re.DOTALL | re.MULTILINE):
        sizes[entry[1]] = entry[2].count("\n")
    return sizes


def compile_ptx(tools, mapped, output):
    """Compiles to PTX and prints what the manifest says of each kernel."""
    title(f"Compiling to PTX for {CHIP}")
    run(
        [tools / "uop-translate", "--uop-to-ptx", f"--chip={CHIP}"]
        + ["--fp-contract=off", mapped, "-o", output]
    )
    ptx = output.read_text()
    sizes = kernel_sizes(ptx)
    manifest = json.loads(output.with_suffix(".json").read_text())
    print(f"  {'kernel':<10}{'grid':>16}{'block':>16}{'shared':>8}{'PTX lines':>11}")
    for kernel in manifest["kernels"]:
        grid, block = (
            "(" + ", ".join(str(n) for n in kernel[key]) + ")"
            for key in ("grid", "block")
        )
        name = kernel["name"]
        print(
            f"  {name:<10}{grid:>16}{block:>16}{kernel['shared_bytes']:>8}"
            f"{sizes.get(name, '?'):>11}"
        )
    good = verdict(
        ".extern .func" not in ptx and len(sizes) == len(manifest["kernels"]),
        f"{len(sizes)} kernels, {output.stat().st_size} bytes of PTX, nothing unresolved",
    )
    return good & assemble(output)


def assemble(ptx):
    """Lets ptxas, where there is one, say whether the PTX is right."""
    home = shutil.which(str(network.HERE.parents[1] / "scripts" / "cuda-home.sh"))
    found = subprocess.run([home], capture_output=True, text=True) if home else None
    if not found or found.returncode:
        print("  no ptxas here: the PTX is not assembled")
        return True
    cubin = ptx.with_suffix(".cubin")
    run([Path(found.stdout.strip()) / "bin" / "ptxas", f"-arch={CHIP}", ptx, "-o", cubin])
    return verdict(True, f"ptxas makes {cubin.stat().st_size} bytes of machine code of it")


def emulate(tools, mapped, output):
    """Runs all images on the emulator; returns (probabilities, labels)."""
    title("Running the same kernels on the CPU emulator")
    data, weights = network.HERE / "data", network.HERE / "weights"
    probs, labels = output / "probs.npy", output / "labels.npy"
    start = time.perf_counter()
    run(
        [tools / "uop-run", mapped, "-e", "digits", "--fp-contract=off"]
        + [data / "images.npy"]
        + [weights / f"{name}.npy" for name in network.Weights._fields]
        # Whatever a kernel forgets to write stays a NaN, or no label.
        + ["nan", "zeros", "--save", f"5={probs}", "--save", f"6={labels}"]
    )
    count = len(np.load(labels))
    print(f"  {count} images in {time.perf_counter() - start:.2f} s, compilation included")
    return np.load(probs), np.load(labels)


def ulp_distance(a, b):
    """How many f32 lie between two arrays of positive numbers; NaN is far."""
    far = np.isnan(a) | np.isnan(b)
    distance = np.abs(a.view(np.int32).astype(np.int64) - b.view(np.int32))
    return np.where(far, np.iinfo(np.int64).max, distance)


def compare(pixels, truth, probs, labels):
    title("Comparing with NumPy, image by image")
    _, expected_probs, expected_labels = network.infer(pixels, network.load_weights())
    same = labels == expected_labels
    ulp = ulp_distance(probs, expected_probs)
    nans = np.count_nonzero(np.isnan(probs))
    good = verdict(
        labels.shape == expected_labels.shape and bool(same.all()),
        f"label equal for {np.count_nonzero(same)} of {len(same)} images",
    )
    for i in np.flatnonzero(~same)[:10]:
        print(f"    image {i}: expected {expected_labels[i]}, but got {labels[i]}")
    good &= verdict(
        int(ulp.max()) <= MAX_ULP,
        f"{nans} probabilities are NaN"
        if nans
        else f"probabilities within {ulp.max()} ulp (bound {MAX_ULP}), "
        f"{np.mean(ulp == 0):.1%} bit-equal",
    )

    title("Accuracy")
    held_out = network.held_out(len(truth))
    right = labels == truth
    print(f"  trained on {np.count_nonzero(~held_out)} images: {right[~held_out].mean():.2%}")
    accuracy = right[held_out].mean()
    return good & verdict(
        accuracy >= MIN_ACCURACY,
        f"held out {np.count_nonzero(held_out)} images: {accuracy:.2%} "
        f"(promised {MIN_ACCURACY:.0%})",
    )


def draw(pixels, labels, images):
    """Shows a few images side by side, with what they were read as."""
    shades = " .:-=+*#%@"
    for row in range(8):
        print("  " + "   ".join(
            "".join(shades[p * 9 // 16] * 2 for p in pixels[i].reshape(8, 8)[row])
            for i in images
        ))
    print("  " + "   ".join(f"read as {labels[i]}".ljust(16) for i in images))


def main():
    parser = argparse.ArgumentParser(description="The digits demo")
    parser.add_argument("--build-dir", type=Path, default=Path("build/release"))
    arguments = parser.parse_args()
    tools = arguments.build_dir.resolve() / "bin"
    output = arguments.build_dir.resolve() / "digits"
    output.mkdir(parents=True, exist_ok=True)

    pixels, truth = network.load_data()
    mapped = output / "mapped.mlir"
    map_kernels(tools, network.HERE / "kernels.mlir", mapped)
    good = compile_ptx(tools, mapped, output / "digits.ptx")
    probs, labels = emulate(tools, mapped, output)
    if FANCY:
        draw(pixels, labels, [4, 9, 14, 19])
    good &= compare(pixels, truth, probs, labels)
    print(f"\nPTX, manifest and results are in {output}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
