#===- run-tests.py - Runs all tests of a build and counts them --------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Runs the tests that CTest knows (GoogleTest binaries are counted by their
# cases) and the lit suite of a build folder. Shows what failed and why a test
# was skipped, and ends with one line:
#
#   N passed, N failed, N skipped
#
# Exit status 1 when a test failed, or when none ran.
#
#===-------------------------------------------------------------------------===#

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 1800  # Seconds for one binary, far above what any needs.


@dataclass
class Tally:
    passed: int = 0
    failures: list = field(default_factory=list)
    skips: list = field(default_factory=list)

    def add(self, other):
        self.passed += other.passed
        self.failures += other.failures
        self.skips += other.skips

    def __str__(self):
        return (
            f"{self.passed} passed, {len(self.failures)} failed, "
            f"{len(self.skips)} skipped"
        )


def cache_value(build, *names):
    """The first of the CMake cache's entries that is set, or None."""
    cache = (build / "CMakeCache.txt").read_text()
    for name in names:
        found = re.search(rf"^{name}:\w+=(.+)$", cache, re.MULTILINE)
        if found and not found[1].endswith("-NOTFOUND"):
            return found[1]
    return None


def died_of(code):
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def skip_reason(output, case):
    """What a GoogleTest case said as it was skipped: only its output has it."""
    case = re.escape(case)
    found = re.search(
        rf"\[ RUN      \] {case}\n(.*?)\[  SKIPPED \] {case}", output, re.DOTALL
    )
    lines = found[1].splitlines() if found else []
    return " ".join(x for x in lines if x and not x.endswith(": Skipped")) or "no reason"


def run_binary(name, command, is_gtest):
    """Runs one CTest test; a GoogleTest binary counts its cases."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        if is_gtest:
            command = command + [f"--gtest_output=json:{report}"]
        try:
            run = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=TIMEOUT,
            )
            code, output = run.returncode, run.stdout
        except subprocess.TimeoutExpired:
            tally.failures.append((name, f"still running after {TIMEOUT} s"))
            return tally
        except OSError as error:
            tally.failures.append((name, str(error)))
            return tally

        if report.exists() and report.stat().st_size:
            suites = json.loads(report.read_text())["testsuites"]
            for suite in suites:
                for case in suite["testsuite"]:
                    label = f"{name}: {suite['name']}.{case['name']}"
                    if case.get("failures"):
                        text = "\n".join(f["failure"] for f in case["failures"])
                        tally.failures.append((label, text))
                    elif case["result"] == "SKIPPED":
                        case_name = f"{suite['name']}.{case['name']}"
                        tally.skips.append((label, skip_reason(output, case_name)))
                    elif case["result"] == "COMPLETED":
                        tally.passed += 1
        elif code == 0:
            tally.passed += 1

    if code != 0 and not tally.failures:
        tally.failures.append((name, f"{died_of(code)}\n{output}"))
    return tally


def run_ctest(build):
    listing = subprocess.run(
        ["ctest", "--show-only=json-v1"],
        cwd=build,
        check=True,
        capture_output=True,
        text=True,
    )
    tally = Tally()
    for test in json.loads(listing.stdout)["tests"]:
        name, command = test["name"], test.get("command")
        if not command:
            tally.failures.append((name, "not built"))
            continue
        is_gtest = (build / "unittests") in Path(command[0]).parents
        result = run_binary(name, command, is_gtest)
        print(f"{name}: {result}", flush=True)
        tally.add(result)
    return tally


def run_lit(build, jobs, filters):
    lit = cache_value(build, "LLVM_EXTERNAL_LIT", "UOP_LIT")
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "lit.json"
        command = [lit, f"-j{jobs}", "-sv", "-o", str(report)]
        if not sys.stdout.isatty():
            command.append("--no-progress-bar")
        if filters:
            command.append(f"--filter={filters}")
        code = subprocess.run(command + [str(build / "test")]).returncode
        if report.exists():
            for test in json.loads(report.read_text())["tests"]:
                if test["code"] in ("PASS", "FLAKYPASS", "XFAIL"):
                    tally.passed += 1
                elif test["code"] in ("UNSUPPORTED", "SKIPPED"):
                    reason = test["output"].strip() or "no reason"
                    tally.skips.append((test["name"], reason))
                elif test["code"] != "EXCLUDED":
                    # lit has shown its output already.
                    tally.failures.append((test["name"], test["code"]))
    if code != 0 and not tally.failures:
        tally.failures.append(("lit", died_of(code)))
    print(f"lit: {tally}", flush=True)
    return tally


def main():
    parser = argparse.ArgumentParser(description="Run all tests of a build folder")
    parser.add_argument("build", type=Path, help="a configured and built folder")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="lit's jobs")
    parser.add_argument("--filter", help="a regular expression for lit's tests")
    parser.add_argument("--counts", type=Path, help="also write the counts as JSON here")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not (build / "CMakeCache.txt").exists():
        sys.exit(f"run-tests: expected a build folder, but found none in '{build}'")

    tally = run_ctest(build)
    tally.add(run_lit(build, arguments.jobs, arguments.filter))

    for title, entries in (("Skipped", tally.skips), ("Failed", tally.failures)):
        if entries:
            print(f"\n{title}:")
        for label, reason in entries:
            print(f"  {label}")
            for line in reason.splitlines():
                print(f"    {line}")
    ran = tally.passed + len(tally.failures)
    if not ran:
        print("\nNo test ran.")
    if arguments.counts:
        arguments.counts.write_text(
            json.dumps([tally.passed, len(tally.failures), len(tally.skips)])
        )
    print(f"\n{tally}", flush=True)
    sys.exit(1 if tally.failures or not ran else 0)


if __name__ == "__main__":
    main()
