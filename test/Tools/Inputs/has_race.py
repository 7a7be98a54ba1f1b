#!/usr/bin/env python3
"""Whether checked mode finds a data race in the first kernel of a file.

    has_race.py UOP_RUN TEXT FILE

Exits with status 0 if it does, and says TEXT of it. The arguments of the kernel
are what its parameters ask for, so that it may lose some.
"""

import re
import subprocess
import sys

uop_run, text, path = sys.argv[1:]
KERNEL = re.compile(r"^ *uop\.kernel (?:loops )?@(\w+)\((.*)\)", re.MULTILINE)
kernel = KERNEL.search(open(path).read())
if not kernel:
    sys.exit(1)
types = re.findall(r"%\w+: (memref|\w+)", kernel[2])
run = subprocess.run(
    [uop_run, path, "-e", kernel[1], "--check"]
    + ["iota" if type == "memref" else "1" for type in types],
    capture_output=True,
    text=True,
)
sys.exit(0 if run.returncode == 3 and text in run.stderr else 1)
