#===- compare-exports.py - Compares a library's symbols with its headers ----===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Usage: compare-exports.py NAMES FOLDER, where NAMES has what llvm-nm lists, and
# FOLDER the headers.

import re
import sys
from pathlib import Path

exported = set(Path(sys.argv[1]).read_text().split())
declared = set()
for header in Path(sys.argv[2]).glob("*.h"):
    text = re.sub(r"//.*", "", header.read_text())
    for declaration in re.findall(r"UOP_CAPI_EXPORTED\s+([^;#]*);", text):
        declared.add(re.search(r"\b(uop\w+)\(", declaration)[1])

assert declared, "no header declares anything"
for name in sorted(exported ^ declared):
    print(f"{name}: only {'exported' if name in exported else 'declared'}")
sys.exit(exported != declared)
