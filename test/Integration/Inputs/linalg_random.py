#===- linalg_random.py - Random programs of linalg ops on memrefs -----------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Writes a module with a function @main that calls random programs and prints
# what they have computed. A program is a few linalg.generic ops on buffers of
# integers, static and dynamic, some of which only it sees: projected
# permutations, affine sums, quotients and constants as indexing maps,
# reductions by several kinds and choices, one or two outputs, in place or not.
#
# Usage: linalg_random.py SEED PROGRAMS
#
#===-------------------------------------------------------------------------===#

import random
import sys

SIZES = (1, 1, 2, 3, 4, 5, 7)
KINDS = ("addi", "muli", "maxsi", "minui", "xori", "andi", "subi")


class Buffer:
    def __init__(self, name, shape, type, is_local):
        self.name, self.shape, self.type, self.is_local = name, shape, type, is_local


class Program:
    def __init__(self, number, rng):
        self.number, self.rng = number, rng
        self.globals, self.body, self.buffers = [], [], []
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line):
        self.body.append("  " + line)

    def values(self, shape):
        if not shape:
            return str(self.rng.randint(-9, 9))
        return "[" + ", ".join(self.values(shape[1:]) for _ in range(shape[0])) + "]"

    def constant(self, shape, values):
        symbol = f"@g{self.number}_{len(self.globals)}"
        type = f"memref<{''.join(f'{size}x' for size in shape)}i32>"
        self.globals.append(
            f'memref.global "private" constant {symbol} : {type} = dense<{values}>'
        )
        name = self.name()
        self.emit(f"{name} = memref.get_global {symbol} : {type}")
        return Buffer(name, shape, type, False)

    def allocate(self, shape, is_begun):
        """A buffer of static or dynamic sizes, that begins as a sentinel or not."""
        sizes, text = [], ""
        for size in shape:
            if self.rng.random() < 0.3:
                name = self.name()
                self.emit(f"{name} = arith.constant {size} : index")
                sizes.append(name)
                text += "?x"
            else:
                text += f"{size}x"
        type = f"memref<{text}i32>"
        name = self.name()
        self.emit(f"{name} = memref.alloc({', '.join(sizes)}) : {type}")
        buffer = Buffer(name, shape, type, True)
        if is_begun:
            sentinel = self.constant(shape, self.values(shape))
            self.emit(f"memref.copy {sentinel.name}, {name} : {sentinel.type} to {type}")
        return buffer

    def index_map(self, shape, extents):
        """Indices into a buffer that are inside for all points of the loops."""
        results = []
        for size in shape:
            loops = [d for d, extent in enumerate(extents) if extent == size]
            pairs = [
                (a, b)
                for a, m in enumerate(extents)
                for b, n in enumerate(extents)
                if a != b and m + n - 1 <= size
            ]
            strided = [d for d, n in enumerate(extents) if 2 * (n - 1) + 1 < size and n > 1]
            smaller = [d for d, n in enumerate(extents) if (n - 1) // 2 < size and n > 1]
            choices = [f"{self.rng.randrange(size)}"]
            choices += [f"d{d}" for d in loops] * 4
            choices += [f"d{a} + d{b}" for a, b in pairs] * 2
            choices += [f"d{d} * 2 + 1" for d in strided]
            choices += [f"d{d} floordiv 2" for d in smaller]
            choices += [f"d{d} mod {size}" for d, n in enumerate(extents) if n > size]
            choices += [f"{size - 1} - d{d}" for d in loops]
            results.append(self.rng.choice(choices))
        return results

    def output_map(self, extents, parallel):
        """Each parallel loop once, in any order, and maybe a constant."""
        loops = list(parallel)
        self.rng.shuffle(loops)
        results = [f"d{d}" for d in loops]
        shape = [extents[d] for d in loops]
        if self.rng.random() < 0.15:
            at = self.rng.randrange(len(results) + 1)
            results.insert(at, "1")
            shape.insert(at, 2)
        return results, shape

    def payload(self, arguments, rank, lines):
        """A value of the arguments and the loops."""

        def add(text):
            name = self.name()
            lines.append(f"    {name} = {text}")
            return name

        values = list(arguments)
        if rank and (not values or self.rng.random() < 0.3):
            index = add(f"linalg.index {self.rng.randrange(rank)} : index")
            values.append(add(f"arith.index_cast {index} : index to i32"))
        if not values:
            values.append(add("arith.constant 3 : i32"))
        while len(values) > 1 or self.rng.random() < 0.4:
            a = values.pop(self.rng.randrange(len(values)))
            b = values.pop(self.rng.randrange(len(values))) if values else a
            if self.rng.random() < 0.2:
                less = add(f"arith.cmpi slt, {a}, {b} : i32")
                values.append(add(f"arith.select {less}, {b}, {a} : i32"))
            else:
                kind = self.rng.choice(("addi", "subi", "muli", "xori", "maxsi"))
                values.append(add(f"arith.{kind} {a}, {b} : i32"))
        return values[0]

    def generic(self, inputs, outputs, iterators, lines, yielded):
        rank = len(iterators)
        dims = ", ".join(f"d{d}" for d in range(rank))
        maps = ", ".join(
            f"affine_map<({dims}) -> ({', '.join(results)})>"
            for _, results in inputs + outputs
        )
        kinds = ", ".join(f'"{kind}"' for kind in iterators)

        def group(keyword, operands):
            if not operands:
                return ""
            names = ", ".join(buffer.name for buffer, _ in operands)
            types = ", ".join(buffer.type for buffer, _ in operands)
            return f"{keyword}({names} : {types}) "

        self.emit(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"{group('ins', inputs)}{group('outs', outputs)}{{"
        )
        arguments = ", ".join(
            f"{name}: i32" for name in self.inputs + self.outputs
        )
        self.emit(f"^bb0({arguments}):")
        self.body += lines
        types = ", ".join("i32" for _ in yielded)
        self.emit(f"  linalg.yield {', '.join(yielded)} : {types}")
        self.emit("}")

    def op(self):
        rng = self.rng
        rank = rng.randrange(1, 5)
        extents = [rng.choice(SIZES) for _ in range(rank)]
        iterators = [rng.choice(("parallel", "parallel", "reduction")) for _ in range(rank)]
        parallel = [d for d in range(rank) if iterators[d] == "parallel"]
        reduced = [d for d in range(rank) if iterators[d] == "reduction"]
        inputs = []
        for _ in range(rng.randrange(0, 3)):
            buffer = rng.choice(self.buffers)
            inputs.append((buffer, self.index_map(buffer.shape, extents)))
        # What gives the reduction loops their extents.
        if reduced:
            shape = [extents[d] for d in reduced]
            inputs.append((self.constant(shape, self.values(shape)), [f"d{d}" for d in reduced]))
        results, shape = self.output_map(extents, parallel)
        number = 2 if rng.random() < 0.2 else 1
        outputs = []
        for _ in range(number):
            same = [b for b in self.buffers if b.is_local and list(b.shape) == shape
                    and all(b is not other for other, _ in outputs)]
            # In place only where it is read as it is written, or not at all.
            same = [b for b in same
                    if all(b is not other or indices == results for other, indices in inputs)]
            if same and rng.random() < 0.5:
                buffer = rng.choice(same)
            else:
                buffer = self.allocate(shape, True)
            outputs.append((buffer, results))
        if reduced:
            inputs = [(b, m) for b, m in inputs if all(b is not o for o, _ in outputs)]
        self.inputs = [self.name() for _ in inputs]
        self.outputs = [self.name() for _ in outputs]
        lines = []
        if not reduced:
            arguments = self.inputs + (self.outputs if rng.random() < 0.3 else [])
            yielded = [self.payload(arguments, rank, lines) for _ in outputs]
        elif len(outputs) == 2 and rng.random() < 0.5:
            yielded = self.choice(rank, lines)
        else:
            yielded = []
            for old in self.outputs:
                value = self.payload(self.inputs, rank, lines)
                name = self.name()
                kind = rng.choice(KINDS)
                first, second = (old, value)
                if kind != "subi" and rng.random() < 0.5:
                    first, second = second, first
                lines.append(f"    {name} = arith.{kind} {first}, {second} : i32")
                yielded.append(name)
        self.generic(inputs, outputs, iterators, lines, yielded)
        for buffer, _ in outputs:
            if all(buffer is not other for other in self.buffers):
                self.buffers.append(buffer)

    def choice(self, rank, lines):
        """The first or last of the best keys, and what goes with it."""
        key = self.payload(self.inputs, rank, lines)
        value = self.payload(self.inputs, rank, lines)
        best, other, taken = self.name(), self.name(), self.name()
        predicate = self.rng.choice(("sgt", "sge", "slt", "ule"))
        old, along = self.outputs
        pair = [key, old]
        is_taken = self.rng.random() < 0.5
        if self.rng.random() < 0.5:
            pair.reverse()
        lines.append(f"    {taken} = arith.cmpi {predicate}, {pair[0]}, {pair[1]} : i32")

        def select(name, new, kept):
            a, b = (new, kept) if is_taken else (kept, new)
            lines.append(f"    {name} = arith.select {taken}, {a}, {b} : i32")

        select(best, key, old)
        select(other, value, along)
        return [best, other]

    def write(self):
        for _ in range(2):
            shape = [self.rng.choice(SIZES) for _ in range(self.rng.randrange(1, 4))]
            self.buffers.append(self.constant(shape, self.values(shape)))
        for _ in range(self.rng.randrange(2, 6)):
            self.op()
        local = [b for b in self.buffers if b.is_local]
        for buffer in local:
            # Some buffers are seen by nobody else, so that they may go.
            if buffer is not local[-1] and self.rng.random() < 0.6:
                continue
            cast = self.name()
            self.emit(f"{cast} = memref.cast {buffer.name} : {buffer.type} to memref<*xi32>")
            self.emit(f"call @printMemrefI32({cast}) : (memref<*xi32>) -> ()")
        for buffer in local:
            self.emit(f"memref.dealloc {buffer.name} : {buffer.type}")


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(f"// Seed {seed}, {count} programs.")
    print("func.func private @printMemrefI32(memref<*xi32>)")
    for number in range(seed, seed + count):
        program = Program(number, random.Random(number))
        program.write()
        print("\n".join(program.globals))
        print(f"func.func @program{number}() {{")
        print("\n".join(program.body))
        print("  return\n}")
    print("func.func @main() {")
    for number in range(seed, seed + count):
        print(f"  call @program{number}() : () -> ()")
    print("  return\n}")


main()
