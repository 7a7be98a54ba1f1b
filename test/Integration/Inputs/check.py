"""Runs uop-run --check and prints one line for each finding.

    check.py uop-run FILE ARG...

A line has the kind, the space and relation of a race, how often, the operations
with their lines in the file, and one example: the element, and each thread as
thread/block. Fails if the exit status is not the one that the findings ask for.
"""

import json
import subprocess
import sys


def show(finding):
    words = [finding["kind"]]
    if finding["severity"] != "error":
        words.append(finding["severity"])
    if "race" in finding["kind"]:
        words += [finding["space"], finding["relation"]]
    words.append("x%d" % finding["count"])
    words += [access["op"] for access in finding["accesses"]]
    buffer = finding.get("buffer")
    if buffer:
        words.append(buffer["name"] + str(buffer.get("indices", "")))
    if "sides" in finding:
        words += ["%d %s" % (s["count"], s["place"]) for s in finding["sides"]]
    elif buffer:
        words += [
            "%s/%s" % (tuple(access["thread"]), tuple(access["block"]))
            for access in finding["accesses"]
        ]
    return " ".join(words)


result = subprocess.run(
    sys.argv[1:] + ["--check", "--check-json=-"], capture_output=True, text=True
)
if result.returncode not in (0, 3):
    sys.exit(result.stderr)
findings = json.loads(result.stdout)["findings"]
errors = [f for f in findings if f["severity"] == "error"]
if result.returncode != (3 if errors else 0):
    sys.exit("expected another exit status than %d" % result.returncode)
for line in sorted(map(show, findings)):
    print(line)
if not findings:
    print("clean")
