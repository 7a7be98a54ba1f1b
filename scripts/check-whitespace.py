#===- check-whitespace.py - Refuses stray white space -----------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Names each line of the given text files that ends in white space, and each
# file that does not end in exactly one newline. Exit status 1 if there is any.
#
#===-------------------------------------------------------------------------===#

import sys
from pathlib import Path

found = False
for name in sys.argv[1:]:
    data = Path(name).read_bytes()
    if b"\0" in data:
        continue
    for number, line in enumerate(data.splitlines(), 1):
        if line != line.rstrip():
            print(f"{name}:{number}: white space at the end of the line")
            found = True
    if data and (not data.endswith(b"\n") or data.endswith(b"\n\n")):
        print(f"{name}: expected one newline at the end")
        found = True
sys.exit(found)
