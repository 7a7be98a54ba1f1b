"""Checks that following an advice makes the figure better that it is about.

    check_advice.py FIGURE BEFORE [OPTION...] -- AFTER [OPTION...]

BEFORE and AFTER are files with one kernel each, OPTION is one of uop-report.
The report on BEFORE has to have a finding about FIGURE, and that on AFTER a
better value of it; and the value that the advice states, where it does.
"""

import sys

from report import report


def add_up(kernel, memory, unit):
    return sum(sums[unit] for name, sums in kernel["sums"].items() if name.startswith(memory))


def get_balance(kernel, key):
    return kernel["roofline"]["load_balance"][key]


# By name: how to get it, and whether more of it is better.
FIGURES = {
    "sectors": (lambda k: add_up(k, "global", "sectors"), False),
    "wavefronts": (lambda k: add_up(k, "shared", "wavefronts"), False),
    "idle multiprocessors": (lambda k: get_balance(k, "idle_multiprocessors"), False),
    "share of the machine in use": (lambda k: get_balance(k, "multiprocessor_use"), True),
    "useful lanes": (lambda k: k["launch"]["useful_lanes"], True),
    "bytes in flight": (lambda k: k["roofline"]["bytes_in_flight_available"], True),
    "spilled bytes": (
        lambda k: k["registers"]["spill_store_bytes"] + k["registers"]["spill_load_bytes"],
        False,
    ),
    "computations of each value": (
        lambda k: max([1] + [loop["times"] for loop in k["recomputations"]]),
        False,
    ),
    "divergent warps": (
        lambda k: sum(branch["divergent"] for branch in k["branches"] if branch["is_both_ways"]),
        False,
    ),
    "racy pairs of accesses": (lambda k: k["races"]["pairs_racy"], False),
}


def check_promise(figure, advice, after, value):
    promised = advice["value_after"]
    if promised is None:
        return
    if figure in ("sectors", "wavefronts"):
        # That of one access.
        if not any(access["sums"][figure] == promised for access in after["accesses"]):
            sys.exit(f"no access has {promised:g} {figure}, as promised")
    elif value != promised:
        sys.exit(f"expected {promised:g} as promised, but got {value:g}")


def main():
    figure, *rest = sys.argv[1:]
    middle = rest.index("--")
    (before,), (after,) = report(*rest[:middle]), report(*rest[middle + 1 :])
    findings = [advice for advice in before["advice"] if advice["figure"] == figure]
    if not findings:
        sys.exit(f"no finding about {figure}, but {[a['figure'] for a in before['advice']]}")
    get, more_is_better = FIGURES[figure]
    old, new = get(before), get(after)
    if not (new > old if more_is_better else new < old):
        sys.exit(f"{figure}: {old:.9g} before, {new:.9g} after")
    check_promise(figure, findings[0], after, new)
    left = [advice for advice in after["advice"] if advice["figure"] == figure]
    print(f"{figure}: {old:.9g} -> {new:.9g}{', still a finding' if left else ''}")
    print(f"because {findings[0]['finding']}")
    print(f"so {findings[0]['remedy']['action']}")


if __name__ == "__main__":
    main()
