#===- sass.py - Reads the kernels that a disassembler printed ---------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# The text of `nvdisasm -c` or `cuobjdump -sass` (CUDA Binary Utilities,
# "Instruction Set Reference"), to the extent that ptx.py reads PTX. The number of
# iterations of an inner loop is not in it in a readable way: see set_trips.
#
#===-------------------------------------------------------------------------===#

import re

import loops
from loops import Instruction

KINDS = {
    "tensor core": "HMMA IMMA DMMA BMMA QMMA OMMA HGMMA IGMMA QGMMA BGMMA UTCHMMA UTCQMMA",
    "other float": "FADD FADD2 FMUL FMUL2 FMNMX FMNMX3 FSEL FRND FCHK MUFU DADD DMUL DMNMX "
    "HADD2 HMUL2 HMNMX2 F2F F2I I2F F2FP I2FP F2IP FSWZADD",
    "integer": "IADD IADD3 IADD64 IMAD IMUL LEA SHF SHL SHR LOP LOP3 IABS IMNMX VIMNMX VIMNMX3 SEL "
    "PRMT POPC FLO BMSK BREV SGXT I2I VIADD VIADDMNMX IDP IDP4A VABSDIFF ISCADD",
    "shared load": "LDS LDSM",
    "shared store": "STS STSM ATOMS",
    "async copy": "LDGSTS LDGDEPBAR DEPBAR UBLKCP UTMALDG UTMASTG ARRIVES UTMACMDFLUSH",
    "global load": "LDG LD TEX TLD TLD4 SULD",
    "global store": "STG ST RED REDG ATOM ATOMG SUST",
    "local memory": "LDL STL",
    "branch, predicate": "BRA BRX BRXU JMP JMX CALL RET EXIT BSSY BSYNC BREAK BMOV WARPSYNC "
    "YIELD KILL BPT ISETP FSETP DSETP HSETP2 FSET PSETP PLOP3 P2R R2P",
    "barrier": "BAR MEMBAR ERRBAR CGAERRBAR SYNCS FENCE ACQBULK CCTL",
    "move": "MOV CS2R S2R R2UR LDC",
}
KIND_OF = {opcode: kind for kind, opcodes in KINDS.items() for opcode in opcodes.split()}
# What the uniform data path does besides the same under a U.
UNIFORM = {"S2UR": "move", "ULDC": "move", "LDCU": "move", "REDUX": "other"}
FUSED = {"FFMA": 1, "DFMA": 1, "HFMA2": 2, "FFMA2": 2}
ZERO = re.compile(r"-?RZ(\.\w+)?")


def classify(opcode, predicate, operands):
    """The class of an instruction, and the fused products and sums it does."""
    if predicate == "!PT":
        return "other", 0  # Never executed: fills a slot.
    head = opcode.split(".")[0]
    if head in FUSED:
        # The half-precision unit moves constants: zero times zero plus one.
        factors = operands[1:3]
        if len(factors) == 2 and all(ZERO.fullmatch(x) for x in factors):
            return "move", 0
        return "fma", FUSED[head]
    if opcode.startswith("IMAD.MOV"):
        return "move", 0
    if head in UNIFORM:
        return UNIFORM[head], 0
    if head not in KIND_OF and head.startswith("U"):
        head = head[1:]
    return KIND_OF.get(head, "other"), 0


def read_instruction(text, syncs):
    predicate = None
    guard = re.match(r"@(!?\w+)\s+", text)
    if guard:
        predicate = guard[1]
        text = text[guard.end() :]
    opcode, _, rest = text.partition(" ")
    operands = [x.strip() for x in rest.split(",")] if rest.strip() else []
    kind, fmas = classify(opcode, predicate, operands)
    instruction = Instruction(opcode, operands, kind, predicate, fmas=fmas)
    head = opcode.split(".")[0]
    label = re.search(r"`\(([^)]+)\)|\b(0x[0-9a-f]+)\s*$", rest)
    label = label and (label[1] or f"{int(label[2], 16):x}")
    # A branch may have a predicate as an operand, too.
    is_conditional = predicate is not None or (
        head == "BRA" and any(re.match(r"!?U?P\d|.*DIV", x) for x in operands + [opcode])
    )
    if head in ("BRA", "JMP"):
        if not label:
            raise ValueError(f"no target of '{text}'")
        instruction.targets, instruction.falls = [label], is_conditional
    elif head == "CALL" and ".NOINC" in opcode and label:
        # With this sm_80 leaves a loop, and every chip calls what ptxas adds to a
        # kernel, which returns: a branch that may be taken is right for both.
        instruction.targets = [label]
    elif head in ("BRX", "BRXU", "JMX"):
        raise ValueError(f"cannot follow the indirect branch '{text}'")
    elif head == "BSSY" and label:
        syncs[operands[0]] = label
    elif head == "BSYNC":
        # Threads that have come together go on where BSSY said.
        target = syncs.get(operands[-1] if operands else None)
        instruction.targets = [target] if target else []
    elif head in ("EXIT", "RET", "KILL"):
        instruction.falls = is_conditional
    return instruction


def read_function(name, lines):
    items, syncs = [], {}
    for line in lines:
        label = re.match(r"\s*(\.L_\w+|\$[\w$.]+):", line)
        if label:
            items.append(label[1])
            continue
        found = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+([^;]*);", line)
        if found:
            # An address is a label, too: one of the two tools prints no others.
            items.append((f"{int(found[1], 16):x}", read_instruction(found[2].strip(), syncs)))
    addresses = {label for item in items if not isinstance(item, str) for label in item[1].targets}
    flat = []
    for item in items:
        if isinstance(item, str):
            flat.append(item)
            continue
        address, instruction = item
        if address in addresses:
            flat.append(address)
        flat.append(instruction)
    return loops.Function(name, flat)


def read_kernels(text):
    """Each function of the text by its name."""
    functions, name, lines = {}, None, []

    def close():
        if name is not None:
            functions[name] = read_function(name, lines)

    for line in text.splitlines():
        start = re.match(r"\s*\.text\.([\w$.]+):", line) or re.match(
            r"\s*Function\s*:\s*(\S+)", line
        )
        if start:
            close()
            name, lines = start[1], []
        elif name is not None:
            lines.append(line)
    close()
    return functions


def set_trips(function, fmas):
    """Says how often the inner loop of the main loop runs, given how many fused
    products and sums an iteration of the main loop does in PTX: ptxas unrolls
    loops, and neither adds nor drops such an operation. It stays unknown where
    several loops inside do some, or where the numbers do not divide."""
    main = function.main_loop()
    busy = [c for c in main.children if function.count(c).fmas] if main else []
    if len(busy) != 1 or any(function.count(c).fmas for c in busy[0].children):
        return
    (inner,) = busy
    each = function.count(inner).fmas
    left = fmas - function.count_blocks(function.own_blocks(main)).fmas
    if left > 0 and left % each == 0:
        inner.trips = left // each
