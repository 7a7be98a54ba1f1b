# ===- every-kernel.py - Kernels of every form and type -------------------===//
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===//
"""Prints a module with one kernel for each combination of form and type, or
checks the PTX of that module: every-kernel.py, every-kernel.py --check k.ptx.
"""

import re
import sys

INTEGERS = ["i1", "i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGER_KINDS = "add mul minsi minui maxsi maxui and or xor".split()
FLOAT_KINDS = "add mul minimumf maximumf minnumf maxnumf".split()

kernels = {}


def kernel(name, arguments, body):
    lines = [line.strip() for line in body.strip().splitlines()]
    text = "\n".join("  " + line for line in lines)
    kernels[name] = f"uop.kernel @{name}({arguments}) {{\n{text}\n}}"


def unary(name, arguments, in_type, out_type, compute):
    """A kernel of 64 threads that computes %y from %x."""
    kernel(
        name,
        f"{arguments}%a: memref<64x{in_type}>, %o: memref<64x{out_type}>",
        f"""
        %i = uop.range loop 64
        %x = uop.load %a[%i] : memref<64x{in_type}>
        {compute}
        uop.store %y, %o[%i] : memref<64x{out_type}>""",
    )


def add_types():
    for t in INTEGERS + FLOATS:
        is_integer = t in INTEGERS
        add = "addi" if is_integer else "addf"
        # A scalar argument; a masked load with another value.
        unary(f"scalar_{t}", f"%s: {t}, ", t, t, f"%y = arith.{add} %x, %s : {t}")
        kernel(
            f"mask_{t}",
            f"%s: {t}, %a: memref<60x{t}>, %o: memref<64x{t}>",
            f"""
            %i = uop.range loop 64
            %end = arith.constant 60 : index
            %m = arith.cmpi slt, %i, %end : index
            %x = uop.load %a[%i] mask %m else %s : memref<60x{t}>
            uop.store %x, %o[%i] mask %m : memref<64x{t}>""",
        )
        for kind in INTEGER_KINDS if is_integer else FLOAT_KINDS:
            kernel(
                f"reduce_{kind}_{t}",
                f"%a: memref<64x24x{t}>, %o: memref<64x{t}>",
                f"""
                %i = uop.range loop 64
                %j = uop.range reduce 24
                %x = uop.load %a[%i, %j] : memref<64x24x{t}>
                %r = uop.reduce {kind} %x over(%j) : {t}
                uop.store %r, %o[%i] : memref<64x{t}>""",
            )
            # Chips have no atomic update of a bit.
            if t == "i1":
                continue
            kernel(
                f"accumulate_{kind}_{t}",
                f"%a: memref<64x24x{t}>, %o: memref<64x{t}>",
                f"""
                %i = uop.range loop 64
                %j = uop.range loop 24
                %x = uop.load %a[%i, %j] : memref<64x24x{t}>
                uop.store {kind} %x, %o[%i] over(%i, %j) : memref<64x{t}>""",
            )
    for t in INTEGERS:
        for op in "subi muli divsi divui remsi remui floordivsi shrsi minui".split():
            unary(f"{op}_{t}", f"%s: {t}, ", t, t, f"%y = arith.{op} %x, %s : {t}")
        for op in "ctpop ctlz cttz absi".split():
            unary(f"{op}_{t}", "", t, t, f"%y = math.{op} %x : {t}")
        for f in FLOATS:
            for op in "sitofp", "uitofp":
                unary(f"{op}_{t}_{f}", "", t, f, f"%y = arith.{op} %x : {t} to {f}")
            unary(f"fptosi_{f}_{t}", "", f, t, f"%y = arith.fptosi %x : {f} to {t}")
    for t in FLOATS:
        for op in "divf remf maximumf minnumf".split():
            unary(f"{op}_{t}", f"%s: {t}, ", t, t, f"%y = arith.{op} %x, %s : {t}")
        for op in (
            "absf exp exp2 log2 log1p sin tanh sqrt rsqrt erf atan floor roundeven"
        ).split():
            unary(f"{op}_{t}", "", t, t, f"%y = math.{op} %x : {t}")
        # One of these is fused.
        unary(
            f"fused_{t}",
            f"%s: {t}, ",
            t,
            t,
            f"""%p = arith.mulf %x, %s : {t}
            %y = arith.addf %p, %x : {t}""",
        )


def add_sizes():
    for n in 0, 1, 2, 7, 31, 127, 1021, 1000003, 2**31, 2**32:
        kernel(
            f"size_{n}",
            f"%a: memref<{n}xi8>, %o: memref<{n}xi8>",
            f"""
            %i = uop.range loop {n}
            %x = uop.load %a[%i] : memref<{n}xi8>
            uop.store %x, %o[%i] : memref<{n}xi8>""",
        )
    for n in 0, 1, 13:
        kernel(
            f"reduce_size_{n}",
            "%a: memref<8xf32>, %o: memref<8xf32>",
            f"""
            %i = uop.range loop 8
            %k = uop.range reduce {n}
            %x = uop.load %a[%i] : memref<8xf32>
            %r = uop.reduce add %x over(%k) : f32
            uop.store %r, %o[%i] : memref<8xf32>""",
        )


def add_shapes():
    strided = "memref<16x8xf32, strided<[20, 2], offset: 3>>"
    columns = "memref<16x8xf32, strided<[1, 16]>>"
    kernel(
        "strided",
        f"%a: {strided}, %o: {columns}",
        f"""
        %i = uop.range loop 16
        %j = uop.range loop 8
        %x = uop.load %a[%i, %j] : {strided}
        uop.store %x, %o[%i, %j] : {columns}""",
    )
    kernel(
        "rank_zero",
        "%a: memref<f32>, %o: memref<f32>",
        """
        %x = uop.load %a[] : memref<f32>
        uop.store %x, %o[] : memref<f32>""",
    )
    kernel(
        "sum_to_rank_zero",
        "%a: memref<64xf32>, %o: memref<f32>",
        """
        %i = uop.range loop 64
        %x = uop.load %a[%i] : memref<64xf32>
        uop.store add %x, %o[] over(%i) : memref<f32>""",
    )
    kernel(
        "no_load",
        "%o: memref<64xi32>",
        """
        %i = uop.range loop 64
        %x = arith.index_cast %i : index to i32
        uop.store %x, %o[%i] : memref<64xi32>""",
    )
    kernel(
        "in_place",
        "%a: memref<100xf32>",
        """
        %i = uop.range loop 100
        %x = uop.load %a[%i] : memref<100xf32>
        %y = arith.addf %x, %x : f32
        uop.store %y, %a[%i] : memref<100xf32>""",
    )
    kernel(
        "gather",
        "%a: memref<100xf32>, %at: memref<64xi32>, %o: memref<64xf32>",
        """
        %i = uop.range loop 64
        %k = uop.load %at[%i] : memref<64xi32>
        %j = arith.index_cast %k : i32 to index
        %x = uop.load %a[%j] : memref<100xf32>
        uop.store %x, %o[%i] : memref<64xf32>""",
    )
    kernel(
        "argmax",
        "%a: memref<64x10xf32>, %o: memref<64xi32>",
        """
        %i = uop.range loop 64
        %j = uop.range reduce 10
        %x = uop.load %a[%i, %j] : memref<64x10xf32>
        %n = arith.index_cast %j : index to i32
        %lowest = arith.constant 0xFF800000 : f32
        %none = arith.constant -1 : i32
        %best, %at = uop.reduce (%x, %n) init(%lowest, %none) over(%j)
            combine (%b: f32, %c: i32, %y: f32, %m: i32) {
          %more = arith.cmpf ogt, %y, %b : f32
          %v = arith.select %more, %y, %b : f32
          %w = arith.select %more, %m, %c : i32
          uop.yield %v, %w : f32, i32
        } : f32, i32
        uop.store %at, %o[%i] : memref<64xi32>""",
    )


def add_axes():
    # Blocks, threads, copies and loops of outputs and reductions, by hand.
    kernel(
        "by_hand",
        "%a: memref<64x64xf32>, %o: memref<64x16xf32>",
        """
        %g = uop.range global<x> 8
        %l = uop.range local<x> 8
        %u = uop.range upcast 4
        %s = uop.range serial 4
        %r = uop.range reduce 16
        %q = uop.range unroll 4
        %c8 = arith.constant 8 : index
        %c4 = arith.constant 4 : index
        %block = arith.muli %g, %c8 : index
        %row = arith.addi %block, %l : index
        %outer = arith.muli %s, %c4 : index
        %column = arith.addi %outer, %u : index
        %step = arith.muli %r, %c4 : index
        %k = arith.addi %step, %q : index
        %x = uop.load %a[%row, %k] : memref<64x64xf32>
        %n = arith.index_cast %column : index to i32
        %f = arith.sitofp %n : i32 to f32
        %p = arith.mulf %x, %f : f32
        %t = uop.reduce add %p over(%r, %q) : f32
        uop.store %t, %o[%row, %column] : memref<64x16xf32>""",
    )
    for lanes in 20, 32:
        kernel(
            f"lanes_{lanes}",
            f"%a: memref<4x{lanes}xf32>, %o: memref<4x{lanes}xf32>",
            f"""
            %g = uop.range local<y> 4
            %l = uop.range warp {lanes}
            %x = uop.load %a[%g, %l] : memref<4x{lanes}xf32>
            uop.store %x, %o[%g, %l] : memref<4x{lanes}xf32>""",
        )
    kernel(
        "shorter_range",
        "%a: memref<32xf32>, %b: memref<20xf32>, %o: memref<32xf32>, "
        "%p: memref<20xf32>",
        """
        %i = uop.range local<x> 32
        %j = uop.range local<x> 20
        %x = uop.load %a[%i] : memref<32xf32>
        %y = uop.load %b[%j] : memref<20xf32>
        uop.store %x, %o[%i] : memref<32xf32>
        uop.store %y, %p[%j] : memref<20xf32>""",
    )
    for axis in "loop", "global<x>", "serial":
        kernel(
            "extent_of_" + re.sub(r"\W", "", axis),
            "%n: index, %a: memref<1000xf32>, %o: memref<1000xf32>",
            f"""
            %i = uop.range {axis} %n
            %x = uop.load %a[%i] : memref<1000xf32>
            uop.store %x, %o[%i] : memref<1000xf32>""",
        )
    kernel(
        "extent_of_reduce",
        "%n: i64, %a: memref<64x100xf32>, %o: memref<64xf32>",
        """
        %i = uop.range loop 64
        %end = arith.index_cast %n : i64 to index
        %k = uop.range reduce %end
        %x = uop.load %a[%i, %k] : memref<64x100xf32>
        %r = uop.reduce add %x over(%k) : f32
        uop.store %r, %o[%i] : memref<64xf32>""",
    )


# Functions of libdevice that keep an argument's reduction in memory.
LOCAL_MEMORY = re.compile(r"sin_")


def check(ptx):
    entries = re.split(r"^\.visible \.entry (\w+)", ptx, flags=re.M)
    # Functions of libdevice may follow the body.
    bodies = [text.split("\n}")[0] for text in entries[2::2]]
    code = dict(zip(entries[1::2], bodies))
    faults = [f"{name}: not there" for name in kernels if name not in code]
    if ".extern" in ptx:
        faults.append("a function or variable is not resolved")
    for name, text in code.items():
        if not re.search(r"^\.reqntid \d+, \d+, \d+$", text, flags=re.M):
            faults.append(f"{name}: no block size")
        if ".local" in text and not LOCAL_MEMORY.match(name):
            faults.append(f"{name}: accumulators in memory")
    print("\n".join(faults) or f"all {len(code)} kernels are as they should be")
    return 1 if faults else 0


add_types()
add_sizes()
add_shapes()
add_axes()
if sys.argv[1:2] == ["--check"]:
    with open(sys.argv[2]) as file:
        sys.exit(check(file.read()))
print("\n".join(kernels.values()))
