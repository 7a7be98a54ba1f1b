#!/usr/bin/env python3
#===- check-code-blocks.py - Parses and runs ```mlir blocks -----------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# A block of a document is parsed and verified by uop-opt, and must survive the
# round trip. Each kernel in it is then lowered to NVVM and run on random
# arguments; a kernel in graph form is run by the reference interpreter as well,
# and the results must agree. Where a kernel has the axis thread the block is for
# a CPU, and becomes plain loops instead. Where the block has a script of the
# transform dialect this maps the kernels before, and the reference is of those
# that it was given. A function @main without arguments is run. A block whose
# fence says more, as in ```mlir parse-only, is not run.
#
# Usage: check-code-blocks.py [--bin-dir DIR] FILE...
#
#===-------------------------------------------------------------------------===#

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^( *)```mlir([^\n]*)\n(.*?)^ *```", re.S | re.M)
KERNEL = re.compile(r"uop\.kernel( loops)? @(\w+)\((.*?)\)\s*(?:attributes .*?)?\{", re.S)


def code_blocks(text):
    """Yields line number, words after the fence, and code of each block."""
    for match in FENCE.finditer(text):
        indent, words, code = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        code = re.sub(f"^{indent}", "", code, flags=re.M)
        yield line, words.split(), code


def arguments_of(signature):
    """A command-line argument of uop-run for each argument of a kernel, and
    the positions of the memrefs."""
    types = re.findall(r"%\w+\s*:\s*((?:memref<[^%]*>)|[^,%]+)", signature)
    arguments, buffers = [], []
    for index, kind in enumerate(types):
        kind = kind.strip().rstrip(",")
        if kind.startswith("memref"):
            buffers.append(index)
            # Integers are often indices or counts: small ones, in bounds.
            arguments.append("zeros" if re.search(r"x?i\d+>|x?i\d+,", kind) else "rand")
        else:
            arguments.append("16" if kind == "index" else "1")
    return arguments, buffers


class Checker:
    def __init__(self, bin_dir, scratch):
        self.bin_dir = pathlib.Path(bin_dir)
        self.scratch = pathlib.Path(scratch)
        self.failures = 0

    def run(self, where, *command):
        command = [str(word) for word in command]
        command[0] = str(self.bin_dir / command[0])
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return True
        self.failures += 1
        print(f"{where}: {' '.join(command)}\n{done.stdout}{done.stderr}")
        return False

    def check(self, where, words, code):
        source = self.scratch / "block.mlir"
        printed = self.scratch / "printed.mlir"
        source.write_text(code)
        if not self.run(where, "uop-opt", source, "-o", printed):
            return
        self.run(where, "uop-opt", printed, "-o", "/dev/null")
        if "parse-only" in words or " uop.stage" in code:
            return
        mapped = source
        if "@__transform_main" in code:
            mapped = self.scratch / "mapped.mlir"
            if not self.run(where, "uop-opt", "--transform-interpreter", source, "-o", mapped):
                return
        if "func.func @main()" in code:
            self.run(where, "uop-run", source, "-e", "main")
        lower, device = "--convert-to-nvvm", "emulator"
        if "uop.range thread" in code:
            lower, device = "--uop-lower-to-cpu-loops-pipeline", "cpu"
        for loops, name, signature in KERNEL.findall(code):
            if not self.run(where, "uop-opt", lower, mapped, "-o", "/dev/null"):
                return
            arguments, buffers = arguments_of(signature)
            command = ["uop-run", mapped, "-e", name, *arguments]
            if loops:
                self.run(where, *command, f"--device={device}")
                continue
            reference = ["uop-run", source, "-e", name, *arguments, "--reference"]
            references = [(i, self.scratch / f"reference{i}.npy") for i in buffers]
            saves = [word for i, path in references for word in ("--save", f"{i}={path}")]
            if not self.run(where, *reference, *saves):
                continue
            compares = [word for i, path in references for word in ("--compare", f"{i}={path}")]
            self.run(
                where, *command, f"--device={device}", "--tolerance=1e-6,1e-6", *compares
            )


def main():
    parser = argparse.ArgumentParser(description="Check the mlir blocks of documents")
    parser.add_argument("--bin-dir", default="build/release/bin")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    blocks = 0
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(options.bin_dir, scratch)
        for path in options.files:
            for line, words, code in code_blocks(path.read_text()):
                blocks += 1
                checker.check(f"{path}:{line}", words, code)
    if not blocks:
        sys.exit("no mlir block in these files")
    if checker.failures:
        sys.exit(f"{checker.failures} commands failed on {blocks} blocks")
    print(f"{blocks} blocks are right")


if __name__ == "__main__":
    main()
