#!/usr/bin/env python3
"""Runs a command and interrupts it, as Ctrl-C does, once a file has contents.

    interrupt.py FILE COMMAND ARG...

Fails if the command does not end by the interrupt.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

sign, *command = sys.argv[1:]
process = subprocess.Popen(command)
end = time.monotonic() + 60
while not (Path(sign).exists() and Path(sign).read_text().endswith("\n")):
    if time.monotonic() > end or process.poll() is not None:
        process.kill()
        sys.exit(f"'{sign}' was not written")
    time.sleep(0.01)
process.send_signal(signal.SIGINT)
try:
    status = process.wait(timeout=60)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("the command goes on after the interrupt")
if status != -signal.SIGINT:
    sys.exit(f"expected an end by the interrupt, but got status {status}")
