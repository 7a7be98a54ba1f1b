#!/usr/bin/env python3
#===- fit-math-polynomials.py - Polynomials of the math functions -----------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Prints the tables of lib/Emulator/MathExpansion/Polynomials.h: for each
# function the polynomial whose greatest weighted error on an interval is least
# (Remez's exchange algorithm, in 60 digits), its coefficients rounded to double
# and that error, with the rounded coefficients. Needs mpmath:
#
#   pip install mpmath
#   scripts/fit-math-polynomials.py [NAME...]
#
#===-------------------------------------------------------------------------===#

import sys
from mpmath import mp, mpf

mp.dps = 60

# What is fitted: f(x) = a polynomial of a degree in x on [low, high], with the
# error multiplied by weight(x), which makes it relative to the function that is
# computed. `fixed` is the constant term, where that has to be exact.


class Fit:
    def __init__(self, name, function, low, high, degree, weight, fixed=None):
        self.name, self.function, self.weight = name, function, weight
        self.low, self.high, self.degree = mpf(low), mpf(high), degree
        self.fixed = fixed


def near_zero(function, series):
    """`function`, but for tiny arguments the sum of its first terms."""
    return lambda x: series(x) if abs(x) < mpf(10) ** -25 else function(x)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def of_root(function, limit):
    """function(sqrt(z)) / sqrt(z), also for z < 0 by analytic continuation."""

    def value(z):
        if abs(z) < mpf(10) ** -25:
            return mpf(limit)
        root = mp.sqrt(mp.mpc(z))
        return (function(root) / root).real

    return value


half_ln2 = mp.log(2) / 2
exp_q = near_zero(lambda r: mp.expm1(r) / r, lambda r: 1 + r / 2)
log_q = near_zero(lambda s: mp.log1p(s) / s, lambda s: 1 - s / 2)
sin_q = of_root(lambda r: mp.sin(2 * mp.pi * r), 2 * mp.pi)
cos_q = lambda z: mp.cos(2 * mp.pi * mp.sqrt(mp.mpc(z))).real
sinh_q = of_root(mp.sinh, 1)
cosh_q = lambda z: mp.cosh(mp.sqrt(mp.mpc(z))).real
atan_q = of_root(mp.atan, 1)
asin_q = of_root(mp.asin, 1)
erf_q = of_root(mp.erf, 2 / mp.sqrt(mp.pi))


def relative(function):
    return lambda x: 1 / function(x)


FITS = [
    # e^r = 1 + r * q(r), relative to e^r - 1; reaches a little beyond ln2 / 2,
    # for the rounding of what is reduced.
    Fit("kExpM1", exp_q, -half_ln2 * 1.0001, half_ln2 * 1.0001, 8, relative(exp_q), 1),
    # 2^f itself.
    Fit("kExp2", lambda f: mpf(2) ** f, "-0.5001", "0.5001", 8, lambda f: mpf(2) ** -f, 1),
    Fit("kLog1p", log_q, mp.sqrt(0.5) - 1, mp.sqrt(2) - 1, 14, relative(log_q), 1),
    # Of z = r^2, r in turns.
    Fit("kSinTurns", sin_q, 0, mpf(1) / 64 * 1.0001, 5, relative(sin_q)),
    Fit("kCosTurns", cos_q, 0, mpf(1) / 64 * 1.0001, 5, relative(cos_q), 1),
    Fit("kSinh", sinh_q, 0, (half_ln2 * 1.0001) ** 2, 4, relative(sinh_q), 1),
    Fit("kCosh", cosh_q, 0, (half_ln2 * 1.0001) ** 2, 4, relative(cosh_q), 1),
    Fit("kAtan", atan_q, 0, (mp.tan(mp.pi / 8) * 1.0001) ** 2, 8, relative(atan_q), 1),
    Fit("kAsin", asin_q, 0, 0.25, 9, relative(asin_q), 1),
    Fit("kErf", erf_q, 0, 1, 8, relative(erf_q)),
]
# erfc(x) * e^(x^2), as a polynomial in t = (x - 2.5) / (x + 2.5), for x up to
# where the result is less than half of the least number of f32.
CENTRE = mpf("2.5")


def erfcx_t(t):
    return erfcx(CENTRE * (1 + t) / (1 - t))


FITS.append(Fit("kErfcx", erfcx_t, -1, (10.1 - CENTRE) / (10.1 + CENTRE), 15, relative(erfcx_t)))
# The same in u = x - 2.5 for x in [1, 4], with the error of 1 - e^(-x^2) * p.
FITS.append(
    Fit("kErfcxTail", lambda u: erfcx(u + 2.5), -1.5, 1.5, 12, lambda u: mp.exp(-((u + 2.5) ** 2)))
)


def horner(coefficients, x):
    value = mpf(0)
    for c in reversed(coefficients):
        value = value * x + c
    return value


def extrema(error, low, high, count):
    """Where the error is greatest between its sign changes."""
    points = []
    steps = 24 * count
    # Chebyshev's spacing, which is dense at the ends.
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / steps) for i in range(steps + 1)]
    best = None
    for x in grid:
        value = error(x)
        if value == 0:
            continue
        if best and (best[1] > 0) != (value > 0):
            points.append(best)
            best = None
        if not best or abs(value) > abs(best[1]):
            best = (x, value)
    points.append(best)
    # Keep an alternating run of the right length with the greatest errors.
    while len(points) > count:
        points.pop(0 if abs(points[0][1]) < abs(points[-1][1]) else -1)
    return points


def remez(fit):
    first = 0 if fit.fixed is None else 1
    powers = list(range(first, fit.degree + 1))
    count = len(powers) + 1
    middle, radius = (fit.low + fit.high) / 2, (fit.high - fit.low) / 2
    points = [middle - radius * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    cache = {}

    def target(x):
        if x not in cache:
            cache[x] = (fit.function(x) - (fit.fixed or 0), fit.weight(x))
        return cache[x]

    for _ in range(12):
        matrix, right = mp.matrix(count), mp.matrix(count, 1)
        for row, x in enumerate(points):
            value, weight = target(x)
            for column, power in enumerate(powers):
                matrix[row, column] = weight * x**power
            matrix[row, count - 1] = (-1) ** row
            right[row] = weight * value
        solved = mp.lu_solve(matrix, right)
        coefficients = [mpf(fit.fixed)] if first else []
        coefficients += [solved[i] for i in range(count - 1)]

        def error(x):
            value, weight = target(x)
            return (horner(coefficients, x) - (fit.fixed or 0) - value) * weight

        found = extrema(error, fit.low, fit.high, count)
        if len(found) < count:
            break
        points = [x for x, _ in found]
        sizes = [abs(e) for _, e in found]
        if max(sizes) < min(sizes) * mpf("1.02"):
            break
    return coefficients


def report(fit):
    rounded = [float(c) for c in remez(fit)]
    exact = [mpf(c) for c in rounded]
    worst = mpf(0)
    for i in range(2001):
        x = fit.low + (fit.high - fit.low) * i / 2000
        worst = max(worst, abs(horner(exact, x) - fit.function(x)) * fit.weight(x))
    low, high = mp.nstr(fit.low, 6), mp.nstr(fit.high, 6)
    bits = mp.nstr(-mp.log(worst, 2), 4)
    print(f"// On [{low}, {high}], degree {fit.degree}: error 2^-{bits}.")
    print(f"inline constexpr double {fit.name}[] = {{")
    for c in rounded:
        print(f"    {c.hex()},")
    print("};", flush=True)


def report_turns():
    """2^26 / (2 pi) as a sum. A number of 24 bits times one of the first five
    is exact in double."""
    rest = mpf(2) ** 26 / (2 * mp.pi)
    print("// 2^26 / (2 * pi): five numbers of 29 bits, and the rest.")
    print("inline constexpr double kTurns[] = {")
    for i in range(5):
        unit = mpf(2) ** (-4 - 30 * i)
        count = mp.nint(rest / unit)
        assert abs(count) < 2**29
        print(f"    {float(count * unit).hex()},")
        rest -= count * unit
    print(f"    {float(rest).hex()},")
    print("};")


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for fit in FITS:
        if not wanted or fit.name in wanted:
            report(fit)
    if not wanted or "kTurns" in wanted:
        report_turns()
