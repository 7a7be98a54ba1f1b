#!/usr/bin/env python3
#===- check-doc-names.py - Checks that what documents name is there ---------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# In every document of the repository:
#   * a link into the repository, and a path or file name in backquotes, leads
#     to something;
#   * an option in backquotes, as in `--uop-simplify`, is one of a tool's.
# And the table of passes in docs/Tour.md has each pass of the Passes.td files
# and each pipeline, with the source that defines it, and no other.
#
# Usage: check-doc-names.py --bin-dir DIR
#
#===-------------------------------------------------------------------------===#

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "docs" / "Tour.md"
# Where a file is looked for that is named without its folder.
ROOMS = ("include", "lib", "tools", "examples", "test", "unittests", "scripts", "docs")

LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
QUOTED = re.compile(r"`([^`\n]+)`")
FILE_NAME = re.compile(r"[\w.-]+\.(?:cpp|h|td|mlir|txt|md|py|npy|sh|test)")
PATH = re.compile(r"[\w.-]*(?:/[\w.*-]+)+/?|[\w.-]+/")
OPTION = re.compile(r"--([a-z][\w-]*)(?:=.*)?")
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
PASS = re.compile(r"^def (\w+)\s*:\s*\w*Pass<\s*\"([\w-]+)\"", re.M)
PIPELINE = re.compile(r"PassPipelineRegistration<[^>]*>\s*\w*\(\s*\"([\w-]+)\"")


def documents():
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "examples").rglob("*.md"))


def has_path(document, name):
    """A path starts at the root, at the document, or at one of the includes; what
    CMake makes of X.in is X."""
    starts = (ROOT, document.parent, ROOT / "include")
    name = name.rstrip("/")
    return any(list(start.glob(x)) for start in starts for x in (name, name + ".in"))


def has_file(document, name):
    if (document.parent / name).exists() or (ROOT / name).exists():
        return True
    return any(True for room in ROOMS for _ in (ROOT / room).rglob(name))


def tool_options(bin_dir):
    """The options of all tools, by their own help."""
    options = set()
    for tool in ("uop-opt", "uop-translate", "uop-run", "uop-report", "uop-lsp-server", "uop-reduce"):
        text = subprocess.run(
            [bin_dir / tool, "--help"], check=True, capture_output=True, text=True
        ).stdout
        options |= set(re.findall(r"^\s*--?([\w-]+)", text, re.M))
    return options


def check_names(options):
    for document in documents():
        text = document.read_text()
        where = document.relative_to(ROOT)
        for name in LINK.findall(text):
            if not has_path(document, name):
                yield f"{where}: no '{name}' to link to"
        for quoted in QUOTED.findall(FENCED.sub("", text)):
            if FILE_NAME.fullmatch(quoted):
                if not has_file(document, quoted):
                    yield f"{where}: no file '{quoted}'"
            elif PATH.fullmatch(quoted) and not quoted.startswith("build/"):
                if not has_path(document, quoted):
                    yield f"{where}: no path '{quoted}'"
            for word in quoted.split() if quoted.startswith("--") else ():
                option = OPTION.fullmatch(word)
                if option and option[1] not in options:
                    yield f"{where}: no tool has the option '{word}'"


def declared_passes():
    """What a source that defines a pass holds, by the name of the pass."""
    passes = {}
    for path in (ROOT / "include").rglob("Passes.td"):
        for definition, name in PASS.findall(path.read_text()):
            passes[name] = f"GEN_PASS_DEF_{definition.upper()}\n"
    for path in (ROOT / "lib").rglob("*.cpp"):
        for name in PIPELINE.findall(path.read_text()):
            passes[name] = f'"{name}"'
    return passes


def table_rows():
    """Each pass of the tour's table, and the source beside it."""
    section = TOUR.read_text().partition("\n## The passes\n")[2].partition("\n## ")[0]
    for line in section.splitlines():
        cells = line.strip("|").split("|")
        source = QUOTED.findall(cells[-1])
        for name in QUOTED.findall(cells[0]):
            yield name, source[0] if source else ""


def check_table():
    passes, rows = declared_passes(), dict(table_rows())
    for name in sorted(passes.keys() - rows.keys()):
        yield f"docs/Tour.md: no row for the pass '{name}'"
    for name, source in rows.items():
        path = ROOT / source
        sources = path.rglob("*.cpp") if path.is_dir() else [path]
        if name not in passes:
            yield f"docs/Tour.md: the table has '{name}', which is no pass"
        elif not any(s.exists() and passes[name] in s.read_text() for s in sources):
            yield f"docs/Tour.md: '{name}' is not defined in '{source}'"


def main():
    parser = argparse.ArgumentParser(description="Check the names in documents")
    parser.add_argument("--bin-dir", type=Path, required=True)
    options = parser.parse_args()
    errors = [*check_names(tool_options(options.bin_dir)), *check_table()]
    for error in errors:
        print(error)
    if not errors:
        print("every name leads to something")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
