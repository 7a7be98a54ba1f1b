#!/usr/bin/env python3
#===- check-shell-blocks.py - Runs the ```sh blocks of documents ------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# What a document tells the reader to type is typed here, to the letter: all
# blocks of a document go through one bash, in order, and the first command that
# fails fails the document. It runs in an empty folder that looks like the root
# of a built repository: a copy of examples/, and build/release/bin, which leads
# to the tools to test. Each file that a command leaves must hold something.
# A block whose fence says more, as in ```sh no-run, is not run.
#
# Usage: check-shell-blocks.py --bin-dir DIR FILE...
#
#===-------------------------------------------------------------------------===#

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)


def make_root(folder, bin_dir):
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "build" / "release").mkdir(parents=True)
    (folder / "build" / "release" / "bin").symlink_to(bin_dir.resolve())


def files_of(folder):
    return {path for path in folder.rglob("*") if path.is_file()}


def run_blocks(blocks, folder):
    """Runs the blocks in the folder, and returns what went wrong, or None."""
    before = files_of(folder)
    done = subprocess.run(
        ["bash", "-e", "-u", "-x", "-o", "pipefail", "-c", "\n".join(blocks)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        return f"exit status {done.returncode}\n{done.stderr}"
    empty = [path.name for path in files_of(folder) - before if not path.stat().st_size]
    return f"empty: {' '.join(sorted(empty))}\n" if empty else None


def main():
    parser = argparse.ArgumentParser(description="Run the sh blocks of documents")
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    failed = False
    for path in options.files:
        blocks = BLOCK.findall(path.read_text())
        if not blocks:
            sys.exit(f"{path}: no sh block to run")
        with tempfile.TemporaryDirectory() as folder:
            make_root(Path(folder), options.bin_dir)
            error = run_blocks(blocks, Path(folder))
        print(f"{path}: {error or 'all commands run'}")
        failed |= error is not None
    sys.exit(failed)


if __name__ == "__main__":
    main()
