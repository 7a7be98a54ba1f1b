"""What uop-report says of a file, for the scripts beside this one."""

import json
import subprocess
import sys


def run(*command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{result.stderr}")
    return result.stdout


def report(path, *options, text=None):
    """The kernels of a report, with registers that no toolkit changes."""
    options = ["--registers=estimate", *options]
    return json.loads(run("uop-report", path, *options, "--json=-", text=text))["kernels"]


def describe(access):
    """global load of %x: 4 sec x15/3 sec x1; 500 elements, 500 addresses."""
    head = f"{access['kind']} of {access['buffer']}"
    if access["not_counted"]:
        return f"{head} is not counted: {access['not_counted']}"
    unit = "wf" if access["kind"].startswith("shared") else "sec"
    costs = "/".join(f"{c['cost']} {unit} x{c['requests']}" for c in access["requests_by_cost"])
    sums = access["sums"]
    return f"{head}: {costs}; {sums['elements']} elements, {sums['distinct_addresses']} addresses"
