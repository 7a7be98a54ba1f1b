"""Prints the counts of the accesses of each kernel, from two forms of it.

    print_counts.py FILE [--gpu=PASSES] [OPTION...]

Each is counted in the form that FILE has and, with --gpu, in the gpu dialect
that PASSES of uop-opt make of it. These have to be equal, access by access, but
for the place in the file. OPTION is one of uop-report.
"""

import sys

from report import describe, report, run


def get_counts(access):
    keys = ["kind", "element_type", "elements_per_lane", "copies", "not_counted", "sums"]
    return [access[key] for key in keys + ["requests_by_cost", "thread_strides"]]


def compare(kernel, other):
    name = kernel["name"]
    if other["form"] != "gpu dialect":
        sys.exit(f"@{name} is in {other['form']}")
    if kernel["launch"] != other["launch"]:
        sys.exit(f"@{name}: expected {kernel['launch']}, but got {other['launch']}")
    if kernel["sums"] != other["sums"]:
        sys.exit(f"@{name}: expected {kernel['sums']}, but got {other['sums']}")
    if len(kernel["accesses"]) != len(other["accesses"]):
        sys.exit(f"@{name} has {len(other['accesses'])} accesses")
    for access, again in zip(kernel["accesses"], other["accesses"]):
        if get_counts(access) != get_counts(again):
            sys.exit(f"@{name}: expected {get_counts(access)}\nbut got {get_counts(again)}")


def main():
    path, *options = sys.argv[1:]
    passes = [option.split("=", 1)[1] for option in options if option.startswith("--gpu=")]
    options = [option for option in options if not option.startswith("--gpu=")]
    kernels = report(path, *options)
    if passes:
        lowered = report("-", *options, text=run("uop-opt", path, *passes[0].split()))
        if len(lowered) != len(kernels):
            sys.exit(f"expected {len(kernels)} kernels, but got {len(lowered)}")
        for kernel, other in zip(kernels, lowered):
            compare(kernel, other)
    for kernel in kernels:
        launch = kernel["launch"]
        size = [",".join(map(str, launch[key])) for key in ("grid", "block")]
        forms = kernel["form"] + (" and gpu dialect" if passes else "")
        print(f"@{kernel['name']}: grid {size[0]}, block {size[1]}, {forms}")
        for access in kernel["accesses"]:
            print(describe(access))


if __name__ == "__main__":
    main()
