#===- ptx.py - Reads the kernels of a PTX module ----------------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Enough of the language to know each instruction's class, the control flow, and
# how often a loop with a counter runs (PTX ISA, "Instruction Set"). The text is
# what a compiler wrote; it is not checked.
#
#===-------------------------------------------------------------------------===#

import re
from dataclasses import dataclass
from typing import Optional

import loops
from loops import Instruction

FLOAT = re.compile(r"\.(f16|f16x2|bf16|bf16x2|tf32|f32|f32x2|f64|e4m3x2|e5m2x2)\b")
PAIR = re.compile(r"\.(f16x2|bf16x2|f32x2)\b")
ALWAYS_FLOAT = {"rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "copysign", "testp"}
ARITHMETIC = set(
    "add sub mul mad mul24 mad24 div rem abs neg min max addc subc madc sad dp2a dp4a "
    "shl shr shf and or xor not cnot lop3 bfe bfi bfind brev bmsk szext fns popc clz "
    "prmt selp slct cvt cvta isspacep fma".split()
)
FLOW = {"bra", "brx", "call", "ret", "exit", "trap", "setp", "set"}
BARRIERS = {"bar", "barrier", "membar", "fence", "mbarrier", "griddepcontrol"}
ENDS = {"ret", "exit", "trap"}


def classify(opcode):
    head, *suffixes = opcode.split(".")
    if head in FLOW or (suffixes and suffixes[-1] == "pred"):
        return "branch, predicate"
    if head in BARRIERS:
        return "barrier"
    if head in ("mma", "wmma", "wgmma", "tcgen05"):
        return "tensor core"
    if head == "cp":
        return "async copy"
    if head == "ldmatrix":
        return "shared load"
    if head == "stmatrix":
        return "shared store"
    if head in ("ld", "ldu", "st", "red", "atom"):
        # Without a space the address is generic: global memory in most kernels.
        space = next((s.split("::")[0] for s in suffixes if s.split("::")[0] in SPACES), "global")
        if space in ("param", "const"):
            return "move"
        if space == "local":
            return "local memory"
        return f"{space} {'load' if head in ('ld', 'ldu') else 'store'}"
    if head == "mov":
        return "move"
    is_float = head in ALWAYS_FLOAT or FLOAT.search(opcode)
    if head in ("fma", "mad") and is_float:
        return "fma"
    if head in ALWAYS_FLOAT or (head in ARITHMETIC and is_float and head not in ("selp", "slct")):
        return "other float"
    if head in ARITHMETIC:
        return "integer"
    return "other"


SPACES = {"param", "const", "global", "shared", "local"}


@dataclass
class Kernel:
    name: str
    function: loops.Function
    # Threads of a block, from .reqntid or else .maxntid; None without either.
    threads: Optional[int] = None


def split_operands(text):
    """At commas outside of braces and brackets."""
    operands, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            operands.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return operands + [last] if last else operands


def read_instruction(text, branch_targets):
    predicate = None
    if text.startswith("@"):
        guard, text = re.match(r"@(\S+)\s+(.*)", text, re.DOTALL).groups()
        predicate = guard
    opcode, _, rest = text.partition(" ") if " " in text else (text, "", "")
    operands = split_operands(rest)
    head = opcode.split(".")[0]
    kind = classify(opcode)
    instruction = Instruction(opcode, operands, kind, predicate)
    if kind == "fma":
        instruction.fmas = 2 if PAIR.search(opcode) else 1
    if head == "bra":
        instruction.targets = [operands[0]]
        instruction.falls = predicate is not None
    elif head == "brx":
        instruction.targets = list(branch_targets.get(operands[1], []))
        instruction.falls = predicate is not None
    elif head in ENDS:
        instruction.falls = predicate is not None
    return instruction


def find_closing_brace(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    raise ValueError("a body without an end")


def read_body(text):
    """The instructions and labels between the braces of a function."""
    statements, position = [], 0
    # Braces around statements open a scope for names, and mean nothing here.
    pattern = re.compile(r"\s*(?:([{}])|([\w$%.]+)\s*:(?!:)|([^;]*);)", re.DOTALL)
    while True:
        found = pattern.match(text, position)
        if not found:
            if text[position:].strip():
                raise ValueError(f"no statement: '{text[position:].strip()[:40]}'")
            break
        position = found.end()
        brace, label, statement = found.groups()
        if label:
            statements.append((label, None))
        elif not brace:
            statements.append((None, " ".join(statement.split())))

    branch_targets, previous = {}, None
    for label, statement in statements:
        if statement and statement.startswith(".branchtargets"):
            branch_targets[previous] = split_operands(statement.partition(" ")[2])
        previous = label
    items = []
    for label, statement in statements:
        if label:
            items.append(label)
        elif statement and not statement.startswith("."):
            items.append(read_instruction(statement, branch_targets))
    return items


def read_kernels(text):
    """The kernels of a module, in order."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    # Line tables are the only directives without a semicolon inside a body.
    text = re.sub(r"^\s*\.(loc|file)\b[^\n]*$", "", text, flags=re.MULTILINE)
    kernels = []
    for entry in re.finditer(r"\.entry\s+([\w$]+)", text):
        start = text.find("{", entry.end())
        if start < 0:
            raise ValueError(f"kernel '{entry[1]}' without a body")
        body = text[start + 1 : find_closing_brace(text, start)]
        kernel = Kernel(entry[1], loops.Function(entry[1], read_body(body)))
        directives = text[entry.end() : start]
        shape = re.search(r"\.reqntid\s+([^.{]+)", directives) or re.search(
            r"\.maxntid\s+([^.{]+)", directives
        )
        if shape:
            kernel.threads = 1
            for extent in shape[1].split(","):
                kernel.threads *= int(extent)
        for loop in kernel.function.loops:
            loop.trips = TripCount(kernel.function, loop).find()
        kernels.append(kernel)
    return kernels


class TripCount:
    """How often a loop runs that has one way out: a comparison of a counter with
    a constant, where the counter starts at a constant and moves by one. Of two
    iterations a compiler makes a flag, that says whether this is the first."""

    LIMIT = 1 << 20
    MOVE = re.compile(r"mov\.(pred|[bsu](32|64))")
    COMPARE = {
        "eq": lambda a, b: a == b,
        "ne": lambda a, b: a != b,
        "lt": lambda a, b: a < b,
        "lo": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "ls": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "hi": lambda a, b: a > b,
        "ge": lambda a, b: a >= b,
        "hs": lambda a, b: a >= b,
    }

    def __init__(self, function, loop):
        self.function = function
        self.loop = loop
        self.rank = {index: i for i, index in enumerate(function.order)}
        # Where each register is written: (block, position, instruction).
        self.writes = {}
        for block in function.blocks:
            for position, instruction in enumerate(block.instructions):
                for name in self._results(instruction):
                    self.writes.setdefault(name, []).append(
                        (block.index, position, instruction)
                    )

    @staticmethod
    def _results(instruction):
        head = instruction.opcode.split(".")[0]
        if not instruction.operands or head in ("st", "red", "bra", "brx", "bar"):
            return []
        return re.findall(r"%[\w$]+", instruction.operands[0])

    def _write_inside(self, register):
        """The one write in the loop, if it happens once an iteration."""
        inside = [w for w in self.writes.get(register, []) if w[0] in self.loop.blocks]
        if len(inside) != 1 or inside[0][2].predicate:
            return None
        if any(inside[0][0] in child.blocks for child in self.loop.children):
            return None
        return inside[0]

    def _is_inside(self, register):
        return any(w[0] in self.loop.blocks for w in self.writes.get(register, []))

    def _constant(self, operand, depth=8):
        """The value of an operand that is the same each time the loop begins."""
        if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", operand):
            return int(operand.rstrip("U"), 0)
        outside = [w for w in self.writes.get(operand, []) if w[0] not in self.loop.blocks]
        if len(outside) != 1 or depth == 0:
            return None
        block, _, instruction = outside[0]
        if (
            instruction.predicate
            or not self.function.dominates(block, self.loop.header)
            or not self.MOVE.fullmatch(instruction.opcode)
        ):
            return None
        return self._constant(instruction.operands[1], depth - 1)

    def _resolve(self, register, block, position, depth=16):
        """A register's value at a place of the loop, as the value of another one
        as the iteration begins, plus a number."""
        offset = 0
        for _ in range(depth):
            write = self._write_inside(register)
            if not write:
                return None
            at, where, instruction = write
            before = (self.rank[at], where) < (self.rank[block], position)
            if not before or not self.function.dominates(at, block):
                return register, offset
            block, position = at, where
            if self.MOVE.fullmatch(instruction.opcode):
                register = instruction.operands[1]
            elif re.fullmatch(r"(add|sub)\.[su](32|64)", instruction.opcode):
                step = instruction.operands[2]
                if not re.fullmatch(r"-?\d+", step):
                    return None
                offset += int(step) if instruction.opcode.startswith("add") else -int(step)
                register = instruction.operands[1]
            else:
                return None
        return None

    def find(self):
        blocks, loop = self.function.blocks, self.loop
        exits = [
            i for i in loop.blocks if any(s not in loop.blocks for s in blocks[i].successors)
        ]
        if len(exits) != 1 or len(loop.latches) != 1:
            return None
        # A thread that ends inside leaves the loop, too.
        inside = (x for i in loop.blocks for x in blocks[i].instructions)
        if any(x.opcode.split(".")[0] in ENDS for x in inside):
            return None
        (at,) = exits
        (latch,) = loop.latches
        branch = blocks[at].instructions[-1]
        if not branch.predicate or not self.function.dominates(at, latch):
            return None
        # A loop inside may run any number of times, but not this exit's.
        if any(at in child.blocks for child in loop.children):
            return None

        is_negated = branch.predicate.startswith("!")
        predicate = branch.predicate.lstrip("!")
        taken_stays = self.function.labels[branch.targets[0]] in loop.blocks
        write = self._write_inside(predicate)
        if not write:
            return None
        compare_at, where, compare = write
        if compare.opcode == "mov.pred":
            value = self._resolve(predicate, at, len(blocks[at].instructions) - 1)
            trips = value and self._count_flag(value[0], is_negated != taken_stays)
            return trips if at == latch or not trips else trips - 1
        form = re.fullmatch(r"setp\.(\w+)\.([bsu])(32|64)", compare.opcode)
        if not form or form[1] not in self.COMPARE or len(compare.operands) != 3:
            return None
        _, left, right = compare.operands
        limit = None if self._is_inside(right) else self._constant(right)
        value = self._resolve(left, compare_at, where)
        if limit is None or not value:
            return None
        counter, offset = value
        # After the last instruction of an iteration the counter has moved.
        step = self._resolve(counter, latch, len(blocks[latch].instructions))
        start = self._constant(counter)
        if start is None or not step or step[0] != counter:
            return None

        width = int(form[3])
        is_signed = form[2] == "s"

        def wrap(number):
            number &= (1 << width) - 1
            return number - (1 << width) if is_signed and number >> (width - 1) else number

        for trips in range(1, self.LIMIT):
            current = wrap(start + offset + (trips - 1) * step[1])
            holds = self.COMPARE[form[1]](current, wrap(limit)) != is_negated
            if holds != taken_stays:
                # At a latch this iteration has been executed when the test fails.
                return trips if at == latch else trips - 1
        return None

    def _count_flag(self, flag, stays_if):
        """The evaluations of a flag that is set to a constant in each iteration,
        up to that in which the loop is left; None for one that never is."""
        write = self._write_inside(flag)
        start = self._constant(flag)
        if start is None or not write or not self.MOVE.fullmatch(write[2].opcode):
            return None
        operand = write[2].operands[1]
        later = None if self._is_inside(operand) else self._constant(operand)
        if later is None:
            return None
        if bool(start) != stays_if:
            return 1
        return 2 if bool(later) != stays_if else None
