#===- manifest.py - Reads a manifest and binds arguments --------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# docs/Manifest.md in code: from a kernel's description and its arguments to the
# numbers and bytes of a launch. Knows nothing of a driver, so that all of it can
# be tested anywhere. The standard library alone.
#
#===-------------------------------------------------------------------------===#

import ast
import json
import math
import operator
import struct
from dataclasses import dataclass
from pathlib import Path

MAX_BLOCKS = (2**31 - 1, 65535, 65535)
MAX_STATIC_SHARED_BYTES = 48 * 1024
# 2**64 is the largest power in a manifest; no launch needs more than this.
MAX_SHIFT = 256


class ManifestError(Exception):
    """What is wrong with a manifest, or with arguments for it."""


#===-------------------------------------------------------------------------===#
# Expressions
#===-------------------------------------------------------------------------===#

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS = {"min": min, "max": max}


def evaluate(expression, values):
    """The value of a number or an expression of a manifest, given the values of
    the names in it. A manifest is data: nothing but arithmetic is evaluated."""
    if isinstance(expression, int) and not isinstance(expression, bool):
        return expression
    if not isinstance(expression, str):
        raise ManifestError(f"expected a number or an expression, but got {expression!r}")

    def refuse(why):
        raise ManifestError(f"{why} in the expression '{expression}'") from None

    def visit(node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            if node.id not in values:
                refuse(f"no value for '{node.id}'")
            return int(values[node.id])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -visit(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            left, right = visit(node.left), visit(node.right)
            if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0:
                refuse("a divisor is 0")
            if isinstance(node.op, (ast.Pow, ast.LShift, ast.RShift)) and not (
                0 <= right <= MAX_SHIFT
            ):
                refuse(f"expected 0 to {MAX_SHIFT} as an exponent or shift, but got {right}")
            return BINARY[type(node.op)](left, right)
        if isinstance(node, ast.Compare) and all(type(op) in COMPARISONS for op in node.ops):
            left = visit(node.left)
            for op, comparator in zip(node.ops, node.comparators):
                right = visit(comparator)
                if not COMPARISONS[type(op)](left, right):
                    return 0
                left = right
            return 1
        if isinstance(node, ast.IfExp):
            return visit(node.body if visit(node.test) else node.orelse)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in FUNCTIONS
            and node.args
            and not node.keywords
        ):
            arguments = [visit(argument) for argument in node.args]
            return arguments[0] if len(arguments) == 1 else FUNCTIONS[node.func.id](arguments)
        refuse(f"expected arithmetic of integers, but got '{ast.unparse(node)}'")

    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        refuse("a syntax error")
    return visit(tree.body)


#===-------------------------------------------------------------------------===#
# Scalars
#===-------------------------------------------------------------------------===#

FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}


def pack_scalar(type_name, value):
    """The bytes of a parameter, little-endian. An integer may be given signed or
    unsigned."""
    if type_name in FLOATS:
        try:
            return struct.pack(FLOATS[type_name], value)
        except OverflowError:
            return struct.pack(FLOATS[type_name], math.copysign(math.inf, value))
    if type_name == "bf16":
        return pack_bfloat16(value)
    width = 64 if type_name == "index" else None
    if type_name[:1] == "i" and type_name[1:].isdigit():
        width = int(type_name[1:])
    if width is None:
        raise ManifestError(f"expected a scalar of integers or floats, but got '{type_name}'")
    if not -(1 << (width - 1)) <= value < 1 << width:
        raise ManifestError(f"expected a number that fits '{type_name}', but got {value}")
    return (value & ((1 << width) - 1)).to_bytes(-(-width // 8), "little")


def pack_bfloat16(value):
    """Rounded to nearest, ties to even. Twice rounded would not be: the f32 on
    the way is rounded to odd."""
    bits = struct.unpack("<I", struct.pack("<f", round_to_odd(value)))[0]
    if bits & 0x7FFFFFFF > 0x7F800000:
        return struct.pack("<H", bits >> 16 | 0x40)  # A quiet NaN stays one.
    return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def round_to_odd(value):
    """The f32 below or above a number whose last bit is set, if it is none."""
    try:
        nearest = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    bits = struct.unpack("<I", struct.pack("<f", nearest))[0]
    if nearest == value or value != value or bits & 1:
        return nearest
    bits += 1 if abs(value) > abs(nearest) else -1
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_signed(type_name, value):
    """As a name in an expression stands for it: an i1 is 0 or 1, all others are
    signed; a float has no such value."""
    if type_name == "index":
        width = 64
    elif type_name[:1] == "i" and type_name[1:].isdigit():
        width = int(type_name[1:])
    else:
        return None
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


#===-------------------------------------------------------------------------===#
# Kernels
#===-------------------------------------------------------------------------===#


@dataclass(frozen=True)
class Array:
    """An argument in the device's memory. `pointer` is that of its first element
    in memory less `offset` elements; strides and offset are in elements."""

    pointer: int
    shape: tuple
    strides: tuple
    bytes: int  # Of an element.
    offset: int = 0

    @staticmethod
    def row_major(pointer, shape, bytes):
        strides, stride = [], 1
        for size in reversed(shape):
            strides.insert(0, stride)
            stride *= size
        return Array(pointer, tuple(shape), tuple(strides), bytes)


@dataclass(frozen=True)
class Launch:
    """One launch, all numbers known. `parameters` are the bytes of each."""

    grid: tuple
    block: tuple
    dynamic_shared_bytes: int
    parameters: tuple
    # Whether the driver has to be told before that shared memory is above what
    # every kernel may have.
    needs_attribute: bool

    @property
    def is_empty(self):
        return min(self.grid) <= 0


class Kernel:
    """The description of one kernel in a manifest."""

    def __init__(self, description):
        self.name = description["name"]
        self.arguments = description["arguments"]
        self.grid = description["grid"]
        self.block = description["block"]
        self.shared_bytes = description["shared_bytes"]
        self.dynamic_shared_bytes = description["dynamic_shared_bytes"]

    def bind(self, arguments):
        """The launch with these arguments, an Array or a number for each of the
        source's; what a manifest adds for open types is taken from the arrays."""
        own = [a for a in self.arguments if a["kind"] in ("memref", "pointer", "scalar")]
        if len(arguments) != len(own):
            self._refuse(f"expected {len(own)} arguments, but got {len(arguments)}")
        given = {a["name"]: value for a, value in zip(own, arguments)}
        values, parameters = {}, []
        for description in self.arguments:
            kind, name = description["kind"], description["name"]
            if kind == "scalar":
                value = given[name]
                signed = to_signed(description["type"], value)
                if signed is not None:
                    values[name] = signed
                try:
                    parameters.append(pack_scalar(description["type"], value))
                except ManifestError as error:
                    self._refuse(f"argument '{name}': {error}")
            elif kind in ("memref", "pointer"):
                array = given[name]
                align = description.get("align", 1)
                if array.pointer % align:
                    self._refuse(
                        f"argument '{name}': expected a pointer to a multiple of {align} "
                        f"bytes, but got {array.pointer:#x}"
                    )
                parameters.append(pack_scalar("i64", array.pointer))
            elif kind in ("size", "stride", "offset"):
                array = given[description["of"]]
                value = (
                    array.offset
                    if kind == "offset"
                    else (array.shape if kind == "size" else array.strides)[
                        description["dimension"]
                    ]
                )
                values[name] = value
                parameters.append(pack_scalar(description["type"], value))
            else:
                self._refuse(f"argument '{name}': unknown kind '{kind}'")
        for description in own:
            if description["kind"] == "memref":
                self._check_layout(description, given[description["name"]], values)
        grid = self._evaluate_extents("grid", self.grid, values)
        block = self._evaluate_extents("block", self.block, values)
        for axis, blocks, limit in zip("xyz", grid, MAX_BLOCKS):
            if blocks > limit:
                self._refuse(f"expected at most {limit} blocks along {axis}, but got {blocks}")
        if self.dynamic_shared_bytes is None:
            self._refuse("the manifest does not say how much dynamic shared memory it needs")
        total = self.shared_bytes + self.dynamic_shared_bytes
        return Launch(
            grid,
            block,
            self.dynamic_shared_bytes,
            tuple(parameters),
            total > MAX_STATIC_SHARED_BYTES,
        )

    def _refuse(self, why):
        raise ManifestError(f"kernel '{self.name}': {why}")

    def _check_layout(self, description, array, values):
        """An array must be what the type says where it says something."""
        name = description["name"]
        if array.bytes != description["bytes"]:
            self._refuse(
                f"argument '{name}': expected elements of {description['bytes']} bytes, "
                f"but got {array.bytes}"
            )
        if len(array.shape) != len(description["shape"]):
            self._refuse(
                f"argument '{name}': expected {len(description['shape'])} dimensions, "
                f"but got {len(array.shape)}"
            )
        expected = [evaluate(size, values) for size in description["shape"]]
        if list(array.shape) != expected:
            self._refuse(
                f"argument '{name}': expected a shape of {expected}, but got {list(array.shape)}"
            )
        # A manifest has no strides for some arrays without elements.
        if 0 in array.shape or "strides" not in description:
            return
        expected = [evaluate(stride, values) for stride in description["strides"]]
        if any(
            size > 1 and stride != wanted
            for size, stride, wanted in zip(array.shape, array.strides, expected)
        ):
            self._refuse(
                f"argument '{name}': expected strides of {expected}, "
                f"but got {list(array.strides)}"
            )
        expected = evaluate(description["offset"], values)
        if array.offset != expected:
            self._refuse(
                f"argument '{name}': expected an offset of {expected} elements, "
                f"but got {array.offset}"
            )

    def _evaluate_extents(self, what, extents, values):
        if extents is None:
            self._refuse(f"the manifest does not say its {what}")
        try:
            return tuple(evaluate(extent, values) for extent in extents)
        except ManifestError as error:
            self._refuse(f"{what}: {error}")


class Manifest:
    """A manifest and the device code that it describes."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            content = json.loads(self.path.read_text())
            if content["version"] != 1:
                raise ManifestError(
                    f"{path}: expected version 1 of a manifest, but got {content['version']!r}"
                )
            self.chip = content["chip"]
            self.kernels = {k["name"]: Kernel(k) for k in content["kernels"]}
            code = content["code"]
        except (OSError, ValueError) as error:
            raise ManifestError(f"{path}: {error}") from None
        except (KeyError, TypeError) as error:
            raise ManifestError(f"{path}: expected a manifest, but {error} is missing") from None
        if code is None:
            raise ManifestError(f"{path}: the manifest does not name a file with the code")
        self.code_path = self.path.parent / code

    def read_code(self):
        try:
            return self.code_path.read_bytes()
        except OSError as error:
            raise ManifestError(f"{self.code_path}: {error.strerror}") from None
