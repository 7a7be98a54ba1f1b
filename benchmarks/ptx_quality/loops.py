#===- loops.py - Blocks, loops and what one iteration executes --------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# What PTX and SASS have in common: a list of instructions with a class each,
# basic blocks, natural loops, and the number of instructions of each class that
# one iteration of a loop executes. ptx.py and sass.py read the two languages.
#
#===-------------------------------------------------------------------------===#

from collections import Counter
from dataclasses import dataclass, field
from typing import Optional

# In the order in which they are printed.
CLASSES = (
    "fma",
    "tensor core",
    "other float",
    "integer",
    "shared load",
    "shared store",
    "async copy",
    "global load",
    "global store",
    "local memory",
    "branch, predicate",
    "barrier",
    "move",
    "other",
)


@dataclass
class Instruction:
    """One instruction, classified. `targets` are the labels it may jump to;
    it `falls` through unless it always jumps or ends the thread. `fmas` is the
    number of fused products and sums of one thread that it does."""

    opcode: str
    operands: list
    kind: str
    predicate: Optional[str] = None  # As written: "%p1", "!%p1".
    targets: list = field(default_factory=list)
    falls: bool = True
    fmas: int = 0

    @property
    def ends_block(self):
        return bool(self.targets) or not self.falls


@dataclass
class Block:
    index: int
    instructions: list
    successors: list = field(default_factory=list)
    predecessors: list = field(default_factory=list)


@dataclass
class Loop:
    """A natural loop: all back edges to one header, in one loop. `trips` is the
    number of iterations each time it is entered, None where it is not known."""

    header: int
    latches: list
    blocks: set
    parent: Optional["Loop"] = None
    children: list = field(default_factory=list)
    trips: Optional[int] = None


@dataclass
class Counts:
    """What one iteration executes. A branch inside is taken to be executed on
    both sides: what is behind a guard counts in full."""

    classes: Counter = field(default_factory=Counter)
    fmas: int = 0
    # Loops inside whose number of iterations is not known: counted once.
    unknown: int = 0

    @property
    def total(self):
        return sum(self.classes.values())

    @property
    def per_fma(self):
        return self.total / self.fmas if self.fmas else None

    def add(self, other, times=1):
        for kind, number in other.classes.items():
            self.classes[kind] += number * times
        self.fmas += other.fmas * times
        self.unknown += other.unknown


class Function:
    """The control flow of one kernel. `items` are instructions, and strings for
    the labels that stand before them."""

    def __init__(self, name, items):
        self.name = name
        self.blocks = []
        self._split(items)
        self._find_dominators()
        self._find_loops()

    def _split(self, items):
        self.labels = {}  # The block that each stands before.
        block = []

        def close():
            nonlocal block
            if block:
                self.blocks.append(Block(len(self.blocks), block))
            block = []

        for item in items:
            if isinstance(item, str):
                close()
                self.labels[item] = len(self.blocks)
                continue
            block.append(item)
            if item.ends_block:
                close()
        close()
        for block in self.blocks:
            last = block.instructions[-1]
            for label in last.targets:
                if label not in self.labels:
                    raise ValueError(f"no label '{label}' for the '{last.opcode}' to it")
                self._connect(block, self.labels[label])
            if last.falls:
                self._connect(block, block.index + 1)

    def _connect(self, block, index):
        # A label at the very end has no block: the thread ends there.
        if index < len(self.blocks) and index not in block.successors:
            block.successors.append(index)
            self.blocks[index].predecessors.append(block.index)

    def _find_dominators(self):
        """Sets by iteration to the fixed point: kernels have few blocks."""
        seen, stack = {0}, [(0, 0)] if self.blocks else []
        postorder = []
        while stack:
            index, next_successor = stack.pop()
            successors = self.blocks[index].successors
            if next_successor < len(successors):
                stack.append((index, next_successor + 1))
                successor = successors[next_successor]
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, 0))
            else:
                postorder.append(index)
        self.order = postorder[::-1]  # What can be reached.
        everything = set(self.order)
        self.dominators = {index: set(everything) for index in self.order}
        if self.order:
            self.dominators[0] = {0}
        changed = True
        while changed:
            changed = False
            for index in self.order[1:]:
                found = set.intersection(
                    *(
                        self.dominators[p]
                        for p in self.blocks[index].predecessors
                        if p in everything
                    )
                )
                found.add(index)
                if found != self.dominators[index]:
                    self.dominators[index] = found
                    changed = True

    def dominates(self, a, b):
        return a in self.dominators[b]

    def _find_loops(self):
        latches = {}
        for index in self.order:
            for successor in self.blocks[index].successors:
                if self.dominates(successor, index):
                    latches.setdefault(successor, []).append(index)
        self.loops = []
        for header, sources in latches.items():
            body, stack = {header}, list(sources)
            while stack:
                index = stack.pop()
                if index not in body:
                    body.add(index)
                    stack.extend(
                        p for p in self.blocks[index].predecessors if p in self.dominators
                    )
            self.loops.append(Loop(header, sources, body))
        # The parent is the smallest loop around.
        self.loops.sort(key=lambda loop: len(loop.blocks))
        for i, loop in enumerate(self.loops):
            for other in self.loops[i + 1 :]:
                if loop.header in other.blocks:
                    loop.parent = other
                    other.children.append(loop)
                    break

    def own_blocks(self, loop):
        """The blocks of a loop that are in no loop inside it, in order."""
        inside = set().union(*(child.blocks for child in loop.children))
        return [i for i in self.order if i in loop.blocks and i not in inside]

    def count_blocks(self, indices):
        counts = Counts()
        for index in indices:
            for instruction in self.blocks[index].instructions:
                counts.classes[instruction.kind] += 1
                counts.fmas += instruction.fmas
        return counts

    def count(self, loop):
        """One iteration of a loop; a loop inside counts as often as it runs."""
        counts = self.count_blocks(self.own_blocks(loop))
        for child in loop.children:
            counts.add(self.count(child), child.trips or 1)
            counts.unknown += child.trips is None
        return counts

    def count_all(self):
        """All instructions of the kernel, each once."""
        return self.count_blocks(self.order)

    def main_loop(self):
        """The back edge whose loop holds the most fused products and sums, as
        many as one iteration executes; of a nest the outermost. Where no loop
        has any, the largest one; None without a loop."""

        def weight(loop):
            counts = self.count(loop)
            return counts.fmas, counts.classes["tensor core"], len(loop.blocks), counts.total

        return max(self.loops, key=weight, default=None)

    def innermost(self, loop):
        """The loop inside (or the loop itself) in which most of its work is."""
        while True:
            busy = [c for c in loop.children if self.count(c).fmas]
            if not busy:
                return loop
            loop = max(busy, key=lambda child: self.count(child).fmas)
