#===- ptx_quality.py - The code of a kernel, in figures ---------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Without options: uop's default SGEMM beside one of the same tiles in CUDA C++
# (sgemm.mlir, sgemm.cu), both through the same ptxas. Registers, spills, shared
# memory, occupancy, and what one iteration of the main loop executes, by class,
# in PTX and, where a disassembler is there, in SASS. No GPU is needed.
#
#   ptx_quality.py [--chip=sm_90]... [--bin-dir=build/release/bin]
#   ptx_quality.py --kernel=FILE [--kernel=FILE]... [--option=--place-shared=false]
#
# reads other kernels: FILE is text for uop-translate (.mlir), PTX (.ptx) or CUDA
# C++ (.cu); each of its kernels is a column. What is missing is named and left
# out. Exit status 1 where a tool fails or a file cannot be read.
#
#===-------------------------------------------------------------------------===#

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import loops
import ptx
import sass
from occupancy import CHIPS, Occupancy, compute_occupancy, look_up_chip

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def fail(message):
    sys.exit(f"ptx_quality: {message}")


def run(command):
    """Runs a tool and returns all that it printed; a failure ends the program."""
    command = [str(c) for c in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        fail(f"exit status {done.returncode} from: {' '.join(command)}")
    return done.stdout + done.stderr


class Tools:
    """The programs that are used, and why one is not."""

    def __init__(self, bin_dir, without):
        self.notes = []
        self.bin_dir = bin_dir
        home = subprocess.run(
            [ROOT / "scripts" / "cuda-home.sh"], capture_output=True, text=True
        ).stdout.strip()
        homes = [home, os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
        self.folders = [Path(h) / "bin" for h in homes if h]
        self.without = without
        self.ptxas = self._find("ptxas", "registers, spills, occupancy and SASS")
        self.disassembler = None
        if self.ptxas:
            self.disassembler = self._find(("nvdisasm", "cuobjdump"), "SASS")

    def _find(self, names, what):
        names = (names,) if isinstance(names, str) else names
        if not set(names) <= self.without:
            for name in names:
                for folder in self.folders:
                    if os.access(folder / name, os.X_OK) and name not in self.without:
                        return folder / name
                on_path = shutil.which(name)
                if on_path and name not in self.without:
                    return Path(on_path)
        reason = (
            "--without says so"
            if set(names) & self.without
            else f"no {' or '.join(names)} in bin of $CUDA_HOME, $CUDA_PATH or "
            "/usr/local/cuda, nor on PATH"
        )
        self.notes.append(f"{what}: left out, {reason}")
        return None

    def find_nvcc(self):
        return self._find("nvcc", "nvcc's kernel")

    def uop_translate(self):
        folders = [self.bin_dir] if self.bin_dir else [
            ROOT / "build" / preset / "bin" for preset in ("release", "bench")
        ]
        for folder in folders:
            if os.access(folder / "uop-translate", os.X_OK):
                return folder / "uop-translate"
        fail(
            f"no uop-translate in {' or '.join(str(f) for f in folders)}; build it, or "
            "say --bin-dir="
        )


@dataclass
class Resources:
    """What ptxas -v says of a kernel."""

    registers: int
    spill_stores: int
    spill_loads: int
    shared_bytes: int


@dataclass
class Column:
    """The figures of one kernel. What is not known is None."""

    title: str
    kernel: ptx.Kernel
    dynamic_shared_bytes: int = 0
    resources: Optional[Resources] = None
    occupancy: Optional[Occupancy] = None
    sass: Optional[loops.Function] = None


def read_resources(text):
    """The report of ptxas -v by the name of the kernel."""
    resources = {}
    for part in re.split(r"Compiling entry function '", text)[1:]:
        name = part[: part.index("'")]

        def number(pattern):
            found = re.search(pattern, part)
            return int(found[1]) if found else 0

        resources[name] = Resources(
            number(r"Used (\d+) registers"),
            number(r"(\d+) bytes spill stores"),
            number(r"(\d+) bytes spill loads"),
            number(r"(\d+) bytes smem"),
        )
    return resources


def read_columns(tools, path, title, chip, options, scratch):
    """Compiles a file for a chip, and reads its kernels."""
    stem = scratch / f"{title.replace('/', '_') or 'kernel'}.{chip}"
    code = stem.with_name(stem.name + ".ptx")
    manifest = {}
    if path.suffix == ".mlir":
        json_file = stem.with_name(stem.name + ".json")
        run(
            [tools.uop_translate(), path, "--uop-to-ptx", f"--chip={chip}", "-o", code]
            + [f"--manifest={json_file}"]
            + options
        )
        manifest = {k["name"]: k for k in json.loads(json_file.read_text())["kernels"]}
    elif path.suffix == ".cu":
        nvcc = tools.find_nvcc()
        if not nvcc:
            return []
        run([nvcc, "-O3", f"-arch={chip}", "-ptx", path, "-o", code])
    elif path.suffix == ".ptx":
        code = path
    else:
        fail(f"expected a .mlir, .ptx or .cu file, but got '{path}'")
    try:
        kernels = ptx.read_kernels(code.read_text())
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    if not kernels:
        fail(f"{path}: expected a kernel (.entry), but found none")

    columns = []
    for kernel in kernels:
        name = title if len(kernels) == 1 else f"{title} {kernel.name}".strip()
        column = Column(name or kernel.name, kernel)
        described = manifest.get(kernel.name, {})
        column.dynamic_shared_bytes = described.get("dynamic_shared_bytes") or 0
        if not kernel.threads and described.get("block"):
            extents = described["block"]
            if all(isinstance(extent, int) for extent in extents):
                kernel.threads = extents[0] * extents[1] * extents[2]
        columns.append(column)
    if tools.ptxas:
        assemble(tools, code, chip, columns, stem)
    return columns


def assemble(tools, code, chip, columns, stem):
    cubin = stem.with_name(stem.name + ".cubin")
    resources = read_resources(run([tools.ptxas, "-v", "-O3", f"-arch={chip}", code, "-o", cubin]))
    functions = {}
    if tools.disassembler:
        flag = "-c" if tools.disassembler.name == "nvdisasm" else "-sass"
        try:
            functions = sass.read_kernels(run([tools.disassembler, flag, cubin]))
        except ValueError as error:
            tools.notes.append(f"SASS of {columns[0].title}: left out, {error}")
    for column in columns:
        column.resources = resources.get(column.kernel.name)
        if column.resources and column.kernel.threads:
            column.occupancy = compute_occupancy(
                look_up_chip(chip),
                column.kernel.threads,
                column.resources.registers,
                column.resources.shared_bytes + column.dynamic_shared_bytes,
            )
        column.sass = functions.get(column.kernel.name)
        counts = count_main(column.kernel.function)
        if column.sass and not counts.unknown:
            sass.set_trips(column.sass, counts.fmas)


def count_main(function):
    """The main loop's iteration; the whole kernel where there is no loop."""
    loop = function.main_loop()
    return function.count(loop) if loop else function.count_all()


def describe_loops(function):
    """The nest from the main loop to the one in which the work is."""
    loop = function.main_loop()
    if not loop:
        return "none: whole kernel"
    inner = function.innermost(loop)
    if inner is loop:
        return "1 loop"
    depth, times = 1, []
    while inner is not loop:
        times.insert(0, "?" if inner.trips is None else str(inner.trips))
        depth, inner = depth + 1, inner.parent
    return f"{depth} loops, " + " x ".join(times)


def print_rows(rows, columns):
    label_width = max(len(label) for label, _ in rows)
    cells = [[c.title for c in columns]] + [values for _, values in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]

    def print_row(label, values):
        line = label.ljust(label_width)
        line += "".join("  " + v.rjust(w) for v, w in zip(values, widths))
        print(line.rstrip())

    print_row("", [c.title for c in columns])
    for label, values in rows:
        print_row(label, values)


def shown(value, form="{}"):
    return "-" if value is None else form.format(value)


def print_table(columns):
    rows = []

    def add(label, get, form="{}"):
        values = [get(c) for c in columns]
        if any(v is not None for v in values):
            rows.append((label, [shown(v, form) for v in values]))

    def of(part, name):
        return lambda c: getattr(getattr(c, part), name) if getattr(c, part) else None

    add("threads a block", lambda c: c.kernel.threads)
    add("registers a thread", of("resources", "registers"))
    add("spill stores, bytes", of("resources", "spill_stores"))
    add("spill loads, bytes", of("resources", "spill_loads"))
    add("static shared memory, bytes", of("resources", "shared_bytes"))
    add("dynamic shared memory, bytes", lambda c: c.dynamic_shared_bytes or None)
    add("blocks a multiprocessor", of("occupancy", "blocks"))
    add("warps a multiprocessor", of("occupancy", "warps"))
    add("occupancy, %", lambda c: c.occupancy and 100 * c.occupancy.fraction, "{:.1f}")
    add("  limited by", of("occupancy", "limit"))
    add_loop_rows(add, columns, "PTX", lambda c: c.kernel.function)
    add_loop_rows(add, columns, "SASS", lambda c: c.sass)
    print_rows(rows, columns)


def add_loop_rows(add, columns, language, get):
    functions = {id(c): get(c) for c in columns}
    counts = {key: count_main(f) for key, f in functions.items() if f}
    if not counts:
        return

    def count(c):
        return counts.get(id(c))

    def number_of(kind):
        return lambda c: count(c) and count(c).classes[kind]

    add(f"main loop, {language}", lambda c: functions[id(c)] and describe_loops(functions[id(c)]))
    for kind in loops.CLASSES:
        if any(n.classes[kind] for n in counts.values()):
            add(f"  {kind}", number_of(kind))
    add("  all", lambda c: count(c) and count(c).total)
    add("  inner loops counted once", lambda c: count(c) and count(c).unknown or None)
    add("  fma, % of all", lambda c: percent_fma(count(c)), "{:.1f}")
    add("  instructions per fma", lambda c: count(c) and count(c).per_fma, "{:.4f}")


def percent_fma(counts):
    if not counts or not counts.total:
        return None
    return 100 * counts.classes["fma"] / counts.total


def list_excess(ours, theirs):
    """The classes in which we execute more for as many fma."""
    scale = ours.fmas / theirs.fmas
    excess = []
    for kind in loops.CLASSES:
        more = ours.classes[kind] - scale * theirs.classes[kind]
        if kind != "fma" and more > 0:
            excess.append(f"{kind} {more:g}")
    return "; ".join(excess)


def print_goals(ours, theirs):
    """What the code is meant to reach, and where it does not, why."""

    def say(goal, is_met, why=""):
        print(f"{goal}: {'met' if is_met else 'MISSED' + (', ' + why if why else '')}")

    if ours.resources:
        spilled = ours.resources.spill_stores + ours.resources.spill_loads
        say("no spill", spilled == 0, f"{spilled} bytes")
    if not theirs:
        return
    if ours.occupancy and theirs.occupancy:
        say(
            "occupancy no lower than nvcc's",
            ours.occupancy.warps >= theirs.occupancy.warps,
            f"by {ours.occupancy.limit}: {ours.resources.registers} registers, "
            f"{ours.resources.shared_bytes + ours.dynamic_shared_bytes} bytes",
        )
    for language, get in (("PTX", lambda c: c.kernel.function), ("SASS", lambda c: c.sass)):
        if not get(ours) or not get(theirs):
            continue
        a, b = count_main(get(ours)), count_main(get(theirs))
        if a.fmas and b.fmas:
            say(
                f"main loop, {language} instructions per fma no more than nvcc's",
                a.per_fma <= b.per_fma,
                f"{a.per_fma / b.per_fma:.3f} times as many; in excess per {a.fmas} fma: "
                + list_excess(a, b),
            )


def parse_arguments():
    parser = argparse.ArgumentParser(description="The code of a kernel, in figures.")
    parser.add_argument(
        "--chip",
        action="append",
        help="chip to compile for, may be repeated (default: sm_80 and sm_90)",
    )
    parser.add_argument(
        "--kernel",
        action="append",
        type=Path,
        help=".mlir, .ptx or .cu file to read in place of the SGEMM, may be repeated",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        help="option for uop-translate, may be repeated (default: none)",
    )
    parser.add_argument(
        "--bin-dir",
        type=Path,
        help="folder of uop-translate (default: build/release/bin, then build/bench/bin)",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=("ptxas", "nvcc", "nvdisasm", "cuobjdump"),
        help="do as if a program were not there, may be repeated",
    )
    arguments = parser.parse_args()
    arguments.chip = arguments.chip or ["sm_80", "sm_90"]
    for chip in arguments.chip:
        if not look_up_chip(chip):
            known = ", ".join(f"sm_{c.capability}" for c in CHIPS)
            fail(f"expected a chip such as one of {known}, but got '{chip}'")
    for path in arguments.kernel or []:
        if not path.is_file():
            fail(f"no file '{path}'")
    return arguments


def main():
    arguments = parse_arguments()
    tools = Tools(arguments.bin_dir, set(arguments.without))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        for number, chip in enumerate(arguments.chip):
            if number:
                print()
            if arguments.kernel:
                title = ", ".join(path.name for path in arguments.kernel)
                print(f"{title}, {chip}")
                columns = []
                for path in arguments.kernel:
                    name = path.stem if len(arguments.kernel) > 1 else ""
                    columns += read_columns(tools, path, name, chip, arguments.option, scratch)
                if columns:
                    print_table(columns)
                continue
            print(f"SGEMM of 4096 x 4096 x 4096, {chip}")
            (ours,) = read_columns(
                tools, HERE / "sgemm.mlir", "uop", chip, arguments.option, scratch
            )
            theirs = read_columns(tools, HERE / "sgemm.cu", "nvcc", chip, [], scratch)
            print_table([ours] + theirs)
            print_goals(ours, theirs[0] if theirs else None)
    for note in dict.fromkeys(tools.notes):
        print(note)


if __name__ == "__main__":
    main()
