#===- sgemm.py - Times SGEMM on a GPU beside cuBLAS -------------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Runs the kernels that make_kernels.py made, and torch.matmul on the same arrays,
# which calls cuBLAS. Needs the CUDA driver, Python and PyTorch, nothing of uop but
# driver.py and manifest.py.
#
#   sgemm.py [--kernels=FOLDER] [--size=4096]... [--rounds=21]
#
# Each product is first checked on small integers, where every order of the sums is
# exact: it must equal PyTorch's. TF32 is switched off, and that it is off is
# checked. Then both take turns, first the one, then the other, on normally
# distributed numbers, because what a GPU draws, and so its clock, depends on the
# data. The ratio is cuBLAS's time by uop's, the median over the rounds.
#
# Without a driver, a GPU or PyTorch it says so and ends with status 0; status 1
# where a result is wrong or a kernel cannot be loaded.
#
#===-------------------------------------------------------------------------===#

import argparse
import re
import statistics
import sys
from pathlib import Path

from driver import Driver, DriverError, Loaded, Unavailable
from manifest import Array, Manifest, ManifestError

HERE = Path(__file__).resolve().parent
GOAL = 0.9
SAMPLE_MS = 20.0  # Of one measurement: far above what an event resolves.
MAX_LAUNCHES = 200


def fail(message):
    sys.exit(f"sgemm: {message}")


def find_manifests(folder):
    """The manifests of a folder by the size of the product."""
    found = {}
    for path in sorted(folder.glob("sgemm_*.json")):
        manifest = Manifest(path)
        # One launch is one product.
        if list(manifest.kernels) != ["gemm"]:
            names = ", ".join(manifest.kernels) or "none"
            raise ManifestError(f"{path}: expected the kernel 'gemm' alone, but got {names}")
        shape = manifest.kernels["gemm"].arguments[0]["shape"]
        found.setdefault(shape[0], []).append(manifest)
    return found


def choose_manifest(manifests, capability):
    """The one for the newest chip that a device of a capability, as (9, 0), can
    run: PTX runs on later chips, too, but that of sm_90a on 9.0 alone, and that of
    sm_100f on the chips of its family."""
    device = 10 * capability[0] + capability[1]

    def rank(manifest):
        chip = re.fullmatch(r"sm_(\d+)([af]?)", manifest.chip)
        if not chip:
            return None
        number, suffix = int(chip[1]), chip[2]
        if (
            number > device
            or (suffix == "a" and number != device)
            or (suffix == "f" and number // 10 != device // 10)
        ):
            return None
        return number, suffix

    runnable = [m for m in manifests if rank(m)]
    return max(runnable, key=rank, default=None)


def as_array(tensor):
    """A tensor as the launcher sees it. data_ptr is that of its first element."""
    return Array(
        tensor.data_ptr(),
        tuple(tensor.shape),
        tuple(tensor.stride()),
        tensor.element_size(),
    )


def check_tf32(torch):
    """A product with the identity changes numbers that do not fit TF32."""
    a = torch.randn((512, 512), device="cuda")
    identity = torch.eye(512, device="cuda")
    if not torch.equal(torch.matmul(a, identity), a):
        fail("cuBLAS rounds to TF32 although it is switched off; is NVIDIA_TF32_OVERRIDE set?")


def check_result(torch, run, a, b, c):
    """Exact on small integers: sums stay below 2^24."""
    for tensor in (a, b):
        tensor.copy_(torch.randint(-4, 5, tuple(tensor.shape), device="cuda"))
    c.fill_(float("nan"))
    expected = torch.matmul(a, b)
    run()
    torch.cuda.synchronize()
    return torch.equal(c, expected)


def time_once(torch, run, launches):
    """Milliseconds of one launch of so many."""
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(launches):
        run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / launches


def time_in_turns(torch, rivals, rounds):
    """The times of each rival, one a round. Who goes first changes."""
    for run in rivals:
        time_once(torch, run, 3)  # To warm up.
    longest = max(time_once(torch, run, 3) for run in rivals)
    launches = max(1, min(MAX_LAUNCHES, round(SAMPLE_MS / max(longest, 1e-6))))
    times = [[] for _ in rivals]
    for number in range(rounds):
        order = range(len(rivals)) if number % 2 == 0 else reversed(range(len(rivals)))
        for i in order:
            times[i].append(time_once(torch, rivals[i], launches))
    return times


def quartiles(numbers):
    if len(numbers) < 2:
        return numbers[0], numbers[0], numbers[0]
    return statistics.quantiles(numbers, n=4, method="inclusive")


def measure(torch, driver, manifest, rounds):
    """The line of one size: checks, then times."""
    loaded = Loaded(driver, manifest)
    arguments = manifest.kernels["gemm"].arguments
    a, b, c, d = (
        torch.empty(tuple(shape), device="cuda", dtype=torch.float32)
        for shape in [x["shape"] for x in arguments] + [arguments[2]["shape"]]
    )
    launch = loaded.bind("gemm", [as_array(tensor) for tensor in (a, b, c)])
    stream = torch.cuda.current_stream().cuda_stream

    def ours():
        launch(stream)

    def theirs():
        torch.matmul(a, b, out=d)

    rows, columns = c.shape
    if not check_result(torch, ours, a, b, c):
        fail(f"{manifest.path.name}: WRONG, the product differs from PyTorch's")
    for tensor in (a, b):
        tensor.copy_(torch.randn(tuple(tensor.shape), device="cuda"))
    our_times, their_times = time_in_turns(torch, [ours, theirs], rounds)
    ratios = [t / o for o, t in zip(our_times, their_times)]
    low, middle, high = quartiles(ratios)
    flops = 2 * rows * columns * a.shape[1]
    ms = statistics.median(our_times)
    cublas_ms = statistics.median(their_times)
    print(
        f"{rows:6}  {manifest.chip:7} {ms:9.4f} {cublas_ms:9.4f} "
        f"{flops / ms * 1e-9:8.2f} {flops / cublas_ms * 1e-9:8.2f} "
        f"{middle:7.3f}  {low:.3f} to {high:.3f}  {'met' if middle >= GOAL else 'MISSED'}",
        flush=True,
    )


def import_torch():
    try:
        import torch
    except ImportError as error:
        raise Unavailable(f"no PyTorch for {sys.executable} ({error})") from None
    if not torch.cuda.is_available():
        raise Unavailable("this PyTorch cannot use the GPU (torch.cuda.is_available)")
    return torch


def main(make_driver=Driver):
    parser = argparse.ArgumentParser(description="Times SGEMM beside cuBLAS.")
    default = HERE if any(HERE.glob("sgemm_*.json")) else Path("build/gpu-bench")
    parser.add_argument(
        "--kernels",
        type=Path,
        default=default,
        help="folder that make_kernels.py wrote (default: that of this file if it has "
        "kernels, else build/gpu-bench)",
    )
    parser.add_argument(
        "--size", type=int, action="append", help="only this size, may be repeated (default: all)"
    )
    parser.add_argument(
        "--rounds", type=int, default=21, help="measurements of each (default: 21)"
    )
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        fail(f"expected 1 round or more, but got {arguments.rounds}")
    try:
        found = find_manifests(arguments.kernels)
    except ManifestError as error:
        fail(error)
    if not found:
        fail(f"no kernels in '{arguments.kernels}'; make them with make_kernels.py")
    for size in arguments.size or []:
        if size not in found:
            fail(f"no kernel of size {size} in '{arguments.kernels}'")

    try:
        driver = make_driver()
        torch = import_torch()
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return

    torch.set_float32_matmul_precision("highest")
    capability = torch.cuda.get_device_capability()
    print(
        f"{torch.cuda.get_device_name()}, {capability[0]}.{capability[1]}; "
        f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}; f32, TF32 off; "
        f"median of {arguments.rounds} rounds in turns"
    )
    # The first use makes the context that launches take place in.
    check_tf32(torch)
    print("  size  code      uop, ms cuBLAS, ms  TFLOP/s   cuBLAS   ratio  quartiles")
    for size in sorted(arguments.size or found):
        manifest = choose_manifest(found[size], capability)
        if not manifest:
            chips = ", ".join(m.chip for m in found[size])
            print(f"{size:6}  left out: no code for this device among {chips}")
            continue
        try:
            measure(torch, driver, manifest, arguments.rounds)
        except torch.cuda.OutOfMemoryError:
            print(f"{size:6}  left out: not enough memory on the device")
        except (DriverError, ManifestError) as error:
            fail(f"{manifest.path.name}: {error}")
    print(f"goal: a ratio of {GOAL} and up")


if __name__ == "__main__":
    main()
