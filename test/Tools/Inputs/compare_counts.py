"""Compares the static counts of a kernel with those of its run, by access.

    compare_counts.py FILE KERNEL ARG... [--uncounted=N] [--static=A] [--run=B]

FILE is in loop form. N accesses, of which the static count says why it does not
know them, are not compared. A is an option of the pass, B one of the run.
"""

import re
import subprocess
import sys

ACCESS = r"((?:global|shared) (?:load|store|atomic update)(?:: | is not).*)"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{result.stderr}")
    return result


def count_statically(path, kernel, options):
    """The (line, column, text) of each access, and the totals."""
    accesses = []
    passes = "--uop-print-traffic"
    if options:
        passes += "=" + " ".join(options)
    text = run("uop-opt", path, passes, "-o", "/dev/null").stderr
    for line in text.splitlines():
        match = re.match(r".*:(\d+):(\d+): remark: (.*)", line)
        if not match:
            continue
        where, rest = match.group(1, 2), match.group(3)
        if re.match(ACCESS, rest):
            rest = rest.split("; taken to begin")[0]
            accesses.append((*where, rest))
        elif rest.startswith(f"@{kernel};") or rest == f"@{kernel}":
            return accesses, rest
        else:
            accesses = []
    sys.exit(f"@{kernel} is not counted statically:\n{text}")


def count_run(path, kernel, arguments, options):
    accesses, totals, is_inside = [], f"@{kernel}", False
    command = ["uop-run", path, "-e", kernel, *arguments, "--report", *options]
    for line in run(*command).stdout.splitlines():
        if line.startswith("@"):
            if is_inside:
                break
            is_inside = line.startswith(f"@{kernel}:")
        match = re.match(rf".*:(\d+):(\d+): {ACCESS}; \S+ of .*", line)
        if match and is_inside:
            accesses.append(match.groups())
        match = re.match(r"  ((?:global|shared) \w+)  +(\d+ requests?, .*)", line)
        if match and is_inside:
            what = match.group(1).replace("atomics", "atomic updates")
            totals += f"; {what}: {match.group(2)}"
    if not is_inside:
        sys.exit(f"@{kernel} is not counted by its run")
    return accesses, totals


def main():
    path, kernel, *arguments = sys.argv[1:]
    expected, static_options, run_options = 0, [], []
    for argument in list(arguments):
        if argument.startswith("--uncounted="):
            expected = int(argument.split("=")[1])
        elif argument.startswith("--static="):
            static_options.append(argument.split("=", 1)[1])
        elif argument.startswith("--run="):
            run_options.append(argument.split("=", 1)[1])
        else:
            continue
        arguments.remove(argument)
    static, totals = count_statically(path, kernel, static_options)
    counted, totals_of_run = count_run(path, kernel, arguments, run_options)
    if len(static) != len(counted):
        sys.exit(f"{len(static)} accesses, but {len(counted)} of the run")
    uncounted = 0
    for known, found in zip(static, counted):
        if " is not counted" in known[2] and known[:2] == found[:2]:
            uncounted += 1
        elif known != found:
            sys.exit(f"expected {known}, but the run has {found}")
    if uncounted != expected:
        sys.exit(f"{uncounted} accesses are not counted statically")
    if uncounted == 0 and totals != totals_of_run:
        sys.exit(f"expected {totals}\nbut the run has {totals_of_run}")
    print(f"@{kernel}: {len(static) - uncounted} accesses are equal")


if __name__ == "__main__":
    main()
