#!/usr/bin/env python3
"""Runs a command whose standard error is a terminal, and says what that showed.

    terminal.py COMMAND ARG...

Standard output of the command comes through. Then there is a line `shown: LABEL`
for each label of a progress line ("LABEL:  42 %") that was there at any time, the
lines that are on the screen at the end, as `screen: TEXT`, and `status: N`.
"""

import os
import pty
import re
import subprocess
import sys


def read_all(fd):
    data = b""
    while True:
        try:
            part = os.read(fd, 4096)
        except OSError:  # Linux says so when the other end is closed.
            return data
        if not part:
            return data
        data += part


def render(text):
    """The lines on a screen that is wide enough."""
    lines = [[]]
    column = 0
    for char in text:
        if char == "\r":
            column = 0
        elif char == "\n":
            lines.append([])
        else:
            line = lines[-1]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = char
            column += 1
    return ["".join(line).rstrip() for line in lines]


def main():
    terminal, end = pty.openpty()
    process = subprocess.Popen(sys.argv[1:], stderr=end)
    os.close(end)
    text = re.sub("\x1b\\[[0-9;]*m", "", read_all(terminal).decode())  # no colours
    status = process.wait()
    for label in sorted(set(re.findall(r"\r(\w+): +\d+ %", text))):
        print("shown:", label)
    for line in render(text):
        if line:
            print("screen:", line)
    print("status:", status)


if __name__ == "__main__":
    main()
