#===- check-symbols.py - What the shared libraries define -----------------===//
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
#   check-symbols.py --nm NM --against LIBRARY... FILE...
#   check-symbols.py --nm NM --only PATTERN FILE...
#
# A process that has two copies of a part of LLVM ends with "Option registered
# more than once", or has two TypeIDs for one op. With --against no file may
# define a symbol that one of these libraries defines; inline functions and
# templates are left out, for a loader takes one of them for all. With --only
# every symbol that a file defines must match the regular expression.
#
#===-------------------------------------------------------------------------===#

import argparse
import re
import subprocess
import sys


def defined(nm, path, kinds):
    """The dynamic symbols of the given kinds, by nm's letters."""
    lines = subprocess.run(
        [nm, "-D", "--defined-only", "--format=posix", path],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    if not lines:
        sys.exit(f"{path}: expected dynamic symbols, but found none")
    symbols = {tuple(line.split()[:2]) for line in lines}
    return {name.split("@")[0] for name, kind in symbols if kind in kinds}


parser = argparse.ArgumentParser()
parser.add_argument("--nm", required=True)
parser.add_argument("--against", action="append", default=[])
parser.add_argument("--only", type=re.compile)
parser.add_argument("files", nargs="+")
options = parser.parse_args()

STRONG = "ABCDRST"
theirs = set().union(*(defined(options.nm, x, STRONG) for x in options.against))
failed = False
for path in options.files:
    bad = defined(options.nm, path, STRONG) & theirs
    if options.only:
        every = defined(options.nm, path, STRONG + "VWui")
        bad |= {x for x in every if not options.only.fullmatch(x)}
    for name in sorted(bad)[:20]:
        print(f"{path}: defines {name}")
    failed |= bool(bad)
sys.exit(failed)
