"""Plain loops in f32 that round as a kernel does, for expected values."""

import numpy as np


def fma(a, b, c):
    """a * b + c in f32, rounded once.

    The product of two f32 is exact in f64. Their sum with c is rounded to odd
    in f64, which keeps what the last rounding to f32 has to know.
    """
    p = a.astype(np.float64) * b.astype(np.float64)
    c = np.broadcast_to(c.astype(np.float64), p.shape)
    s = p + c
    t = s - p
    error = (p - (s - t)) + (c - t)
    even = (s.view(np.int64) & 1) == 0
    towards = np.where(error > 0, np.inf, -np.inf)
    odd = np.where((error != 0) & even, np.nextafter(s, towards), s)
    return odd.astype(np.float32)


def gemm(a, b, contract):
    """The product of two f32 matrices, k ascending from zero."""
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        x, y = a[:, k, None], b[None, k, :]
        c = fma(x, y, c) if contract else c + x * y
    return c


def random(seed, *shape):
    """Numbers of all signs and of magnitudes that make a sum inexact."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
