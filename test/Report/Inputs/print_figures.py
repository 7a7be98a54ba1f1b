"""Prints the figures of each kernel of a file, a line for each kind.

    print_figures.py FILE [OPTION...]

OPTION is one of uop-report.
"""

import sys

from report import report


def add_up(kernel, key):
    return sum(buffer[key] for buffer in kernel["buffers"])


def print_work(kernel):
    sums, fma = kernel["sums"], kernel["work"]["fma"]
    loads = sums["global loads"]["elements"]
    shared = sums["shared loads"]["elements"]
    text = f"loads: {loads} global, {shared} shared"
    if fma and loads:
        text += f"; {fma / loads:g} FMA a global load, {shared / fma:g} shared loads an FMA"
    print(text)
    lines = [sums[f"global {kind}"]["lines"] for kind in ("loads", "stores")]
    print(f"transactions: {lines[0]} + {lines[1]} = {sum(lines)}")


def print_bytes(kernel):
    for level in ("thread", "block", "launch"):
        reads = add_up(kernel, f"{level}_reads")
        writes = add_up(kernel, f"{level}_writes")
        flops = kernel["work"]["fp32"]
        print(
            f"bytes by {level}: {reads} read, {writes} written;"
            f" {flops / reads:.4g} FLOP/B read, {flops / (reads + writes):.4g} FLOP/B"
        )


def print_machine(kernel):
    occupancy = kernel["occupancy"]
    print(
        f"occupancy: {occupancy['blocks']} blocks, {occupancy['warps']} of"
        f" {occupancy['max_warps']} warps, {100 * occupancy['share']:g} %"
    )
    if kernel["roofline"]:
        balance = kernel["roofline"]["load_balance"]
        print(
            f"idle: {balance['idle_multiprocessors']} of {balance['multiprocessors']};"
            f" bytes in flight needed: {kernel['roofline']['bytes_in_flight_needed']:g};"
            f" ridge: {kernel['roofline']['ridge']:.3g}"
        )
    for loop in kernel["recomputations"]:
        print(f"computed {loop['times']:g} times")


def print_requests(kernel):
    """The costliest request of each access."""
    for access in kernel["accesses"]:
        example = access["example"]
        if not example:
            continue
        distinct = {a for a, b in zip(example["addresses"], example["bytes"]) if b}
        unit = "wavefronts" if access["kind"].startswith("shared") else "sectors"
        excess = access["sums"][unit] / max(access["sums"][f"{unit}_ideal"], 1)
        print(
            f"{access['kind']} of {access['buffer']}: {example['cost']} {unit},"
            f" ideal {example['ideal']}, {len(distinct)} distinct; {excess:g} times the ideal"
        )


def main():
    for kernel in report(*sys.argv[1:]):
        launch = kernel["launch"]
        accesses = launch["global_accesses"] + launch["shared_accesses"]
        print(
            f"@{kernel['name']}: {launch['blocks']} blocks, {launch['threads']} threads,"
            f" {launch['warps']} warps, {accesses} accesses,"
            f" {100 * launch['useful_lanes']:.4g} % useful, {launch['shared_bytes']} bytes"
        )
        print_work(kernel)
        print_bytes(kernel)
        print_machine(kernel)
        print_requests(kernel)


if __name__ == "__main__":
    main()
