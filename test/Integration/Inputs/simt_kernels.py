"""Writes inputs and expected outputs of simt-kernels.mlir to a folder."""

import os
import sys

import numpy as np
from arithmetic import fma, gemm, random


def save(name, array):
    np.save(os.path.join(sys.argv[1], name + ".npy"), np.ascontiguousarray(array))


def case(name, inputs, expected):
    """`expected` takes the inputs and whether products are fused with sums."""
    for i, array in enumerate(inputs):
        save(f"{name}.{i}", array)
    for mode in "on", "off":
        save(f"{name}.{mode}", np.float32(expected(*inputs, mode == "on")))


def add_around(a, _):
    total = np.zeros(16, np.float32)
    for k in range(16):
        total = total + np.roll(a, -k)
    return total[::-1]


def lengths(p, contract):
    x, y, z = p.reshape(64, 3).T
    if contract:
        # Of two products the first is fused.
        return fma(z, z, fma(x, x, y * y))
    return (x * x + y * y) + z * z


def sum_strided(x, _):
    x, step = x.copy(), 1
    while step < x.size:
        x[:: 2 * step] += x[step :: 2 * step]
        step *= 2
    return x[0]


def sum_halving(x, _):
    while x.size > 1:
        x = x[: x.size // 2] + x[x.size // 2 :]
    return x[0]


def scan_inclusive(x, _):
    x, distance = x.copy(), 1
    while distance < x.size:
        x[distance:] = x[distance:] + x[:-distance]
        distance *= 2
    return x


def scan_exclusive(x, _):
    return np.concatenate([[0], np.cumsum(x)[:-1]])


transpose = lambda x, _: x.T

case("add_around", [random(1, 16)], add_around)
case("low_lanes", [random(2, 16)], lambda a, _: np.tile(a[:8], 2))
case("add_guarded", [random(3, 500), random(4, 500)], lambda a, b, _: a + b)
case("every_32nd", [random(5, 2048)], lambda x, _: x[::32])
case("lengths", [random(6, 192)], lengths)
case("transpose_plain", [random(7, 32, 32)], transpose)
case("transpose_padded", [random(8, 64, 64)], transpose)
case("sum_strided", [random(9, 256)], sum_strided)
case("sum_halving", [random(10, 256)], sum_halving)
case("scan_inclusive", [random(11, 128)], scan_inclusive)
# Whole numbers, whose sums are exact in every order.
case("scan_exclusive", [np.round(random(12, 256) * 99)], scan_exclusive)
case("gemm_32", [random(13, 32, 32), random(14, 32, 32)], gemm)

a, b = random(15, 16), random(16, 16)
save("reuse.0", a)
save("reuse.1", b)
save("reuse.c", a[::-1])
save("reuse.d", b[::-1])
