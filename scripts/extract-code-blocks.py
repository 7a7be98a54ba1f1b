#===- extract-code-blocks.py - Files out of a document --------------------===//
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
#   extract-code-blocks.py DOCUMENT FOLDER [--max-lines N]
#
# Writes every code block that has a file name (```cpp host.cpp) to a file in
# the folder. Exit status 1 where there is none, or one is longer than allowed.
#
#===-------------------------------------------------------------------------===#

import argparse
import pathlib
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("document", type=pathlib.Path)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--max-lines", type=int, default=None)
options = parser.parse_args()

blocks = re.findall(
    r"^```\w+ ([\w.-]+\.\w+)\n(.*?)^```$",
    options.document.read_text(),
    re.MULTILINE | re.DOTALL,
)
if not blocks:
    sys.exit(f"{options.document}: no code block has a file name")
options.folder.mkdir(parents=True, exist_ok=True)
for name, text in blocks:
    lines = text.count("\n")
    if options.max_lines is not None and lines > options.max_lines:
        sys.exit(
            f"{options.document}: expected at most {options.max_lines} lines in "
            f"{name}, but found {lines}"
        )
    (options.folder / name).write_text(text)
