#!/usr/bin/env python3
#===- mutate-kernels.py - Whether checked mode notices faults ---------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Makes faulty copies of the kernels in loop form of a file that are free of
# faults, one fault each, and runs them with uop-run --check:
#
#   barrier   a uop.barrier is deleted
#   shift     the last index of a load or store is one more
#   shrink    a buffer has one element less along its last axis
#   swizzle   a bit of an operand, or of the result, of arith.xori is cleared
#
# A mutant is reported (exit status 3), refused before it runs (a verifier or a
# pass knows better), or said to be benign, with the reason: the outputs have the
# same bits, or uop-verify-races proves it free of races while checked mode has
# seen no access out of bounds and no read of what is not written: then it is
# another program, without a fault in how it uses memory. Exit status 1 if there
# is a mutant that is none of these.
#
# Usage: mutate-kernels.py [--bin-dir DIR] [--every N] [-e KERNEL] FILE...

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

KERNEL = re.compile(r"^uop\.kernel loops @(\w+)\((.*?)\)\s*\{\n.*?^\}\n", re.S | re.M)
ACCESS = re.compile(r"^( *)(.*(?:memref|vector)\.(?:load|store) .*%\w+\[)([^\]]+)(\].*)$")
SHAPE = re.compile(r"memref<((?:\d+x)+)([a-z]\w*)")


class Mutant:
    def __init__(self, fault, place, text):
        self.fault, self.place, self.text = fault, place, text


def mutate(kernel, aliases):
    """All mutants of the text of a kernel."""
    lines = kernel.split("\n")

    def replaced(i, *new):
        return "\n".join(lines[:i] + list(new) + lines[i + 1 :])

    for i, line in enumerate(lines):
        if line.strip() == "uop.barrier":
            yield Mutant("barrier", i + 1, replaced(i))
        access = ACCESS.match(line)
        if access:
            indent, before, indices, after = access.groups()
            *first, last = [index.strip() for index in indices.split(",")]
            yield Mutant(
                "shift",
                i + 1,
                replaced(
                    i,
                    indent + "%mutant_one = arith.constant 1 : index",
                    indent + "%%mutant = arith.addi %s, %%mutant_one : index" % last,
                    indent + before + ", ".join(first + ["%mutant"]) + after,
                ),
            )
        swizzle = re.match(r"^( *)(%\w+) = arith\.xori (%\w+), (%\w+) : index", line)
        if swizzle:
            indent, result, left, right = swizzle.groups()
            yield Mutant(
                "swizzle",
                i + 1,
                replaced(
                    i,
                    indent + "%mutant_mask = arith.constant -2 : index",
                    indent + "%%mutant = arith.andi %s, %%mutant_mask : index" % right,
                    indent + "%s = arith.xori %s, %%mutant : index" % (result, left),
                ),
            )
            yield Mutant(
                "swizzle",
                i + 1,
                replaced(
                    i,
                    indent + "%mutant_mask = arith.constant -2 : index",
                    indent + "%%mutant = arith.xori %s, %s : index" % (left, right),
                    indent + "%s = arith.andi %%mutant, %%mutant_mask : index" % result,
                ),
            )
    # The type of a buffer is written at each of its uses.
    for name in sorted(set(re.findall(r"!\w+|memref<[^>]*>", kernel))):
        full = aliases.get(name, name)
        shape = SHAPE.search(full)
        if not shape:
            continue
        *rest, size = shape.group(1).rstrip("x").split("x")
        if int(size) < 2:
            continue
        smaller = full.replace(
            shape.group(1), "x".join(rest + [str(int(size) - 1)]) + "x", 1
        )
        pattern = re.escape(name) + (r"\b" if name.startswith("!") else "")
        yield Mutant("shrink", 0, re.sub(pattern, lambda _: smaller, kernel))


class Judge:
    def __init__(self, bin_dir, folder):
        self.bin_dir, self.folder = bin_dir, folder

    def run(self, tool, *words):
        return subprocess.run(
            [str(self.bin_dir / tool), *words],
            capture_output=True,
            text=True,
            timeout=120,
        )

    def check(self, name, text, stem):
        """The exit status of a checked run, its message, and its outputs."""
        path = self.folder / (stem + ".mlir")
        path.write_text(text)
        arguments = re.search(r"@%s\((.*?)\)" % name, text, re.S).group(1)
        words, saves = [], []
        for i, argument in enumerate(re.findall(r"%\w+\s*:\s*([^,]+)", arguments)):
            # Each output on the same start.
            words.append("rand")
            saves.append("--save=%d=%s" % (i, self.folder / ("%s.%d.npy" % (stem, i))))
        result = self.run("uop-run", str(path), "-e", name, *words, "--check", *saves)
        outputs = [
            pathlib.Path(save.split("=", 2)[2]).read_bytes()
            for save in saves
            if result.returncode in (0, 3)
        ]
        return result.returncode, result.stderr, outputs

    def judge(self, name, mutant, original):
        status, message, outputs = self.check(name, mutant.text, "mutant")
        if status == 3:
            return "reported", message.split("error: ", 1)[-1].split("\n")[0]
        if status == 1 and "error: " in message:
            return "refused", message.split("error: ", 1)[-1].split("\n")[0]
        if status != 0:
            return "crashed", "status %d" % status
        if outputs == original:
            return "benign", "the outputs have the same bits"
        proof = self.run(
            "uop-opt",
            str(self.folder / "mutant.mlir"),
            "--uop-verify-races=strict",
            "-o",
            "/dev/null",
        )
        if proof.returncode == 0:
            return "benign", "proved free of races; another program"
        return "missed", proof.stderr.split("\n")[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin-dir", type=pathlib.Path, default="build/release/bin")
    parser.add_argument("--every", type=int, default=1, help="every Nth mutant only")
    parser.add_argument("-e", dest="kernels", action="append", default=[])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    counts = {}
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(options.bin_dir, pathlib.Path(folder))
        for file in options.files:
            text = file.read_text()
            aliases = dict(re.findall(r"^(!\w+) = (.*)$", text, re.M))
            head = "".join("%s = %s\n" % alias for alias in aliases.items())
            for match in KERNEL.finditer(text):
                name, kernel = match.group(1), match.group(0)
                if options.kernels and name not in options.kernels:
                    continue
                status, message, original = judge.check(name, head + kernel, "original")
                if status != 0:
                    print("@%s is not free of faults: left out" % name)
                    continue
                for mutant in mutate(kernel, aliases):
                    number += 1
                    if (number - 1) % options.every:
                        continue
                    mutant.text = head + mutant.text
                    verdict, reason = judge.judge(name, mutant, original)
                    counts[verdict] = counts.get(verdict, 0) + 1
                    place = " line %d" % mutant.place if mutant.place else ""
                    print("@%s %s%s: %s: %s" % (name, mutant.fault, place, verdict, reason))
    print(", ".join("%d %s" % (n, verdict) for verdict, n in sorted(counts.items())))
    return 1 if {"missed", "crashed"} & set(counts) or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
