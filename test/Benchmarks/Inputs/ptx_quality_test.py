"""What benchmarks/ptx_quality reads in PTX and SASS, against counts by hand."""

import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "benchmarks" / "ptx_quality"))

import occupancy
import ptx
import ptx_quality
import sass


def read_ptx(body):
    (kernel,) = ptx.read_kernels(".visible .entry k()\n{\n" + body + "\nret;\n}\n")
    return kernel.function


def read_sass(body):
    return sass.read_kernels(".text.k:\n" + body)["k"]


class Classes(unittest.TestCase):
    def test_ptx(self):
        for opcode, kind in {
            "fma.rn.f32": "fma",
            "mad.lo.s32": "integer",
            "mul.wide.u32": "integer",
            "add.rn.f32": "other float",
            "ex2.approx.ftz.f32": "other float",
            "cvt.rn.f32.s32": "other float",
            "cvt.u64.u32": "integer",
            "selp.f32": "integer",
            "setp.lt.f32": "branch, predicate",
            "and.pred": "branch, predicate",
            "ld.shared.v4.b32": "shared load",
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16": "shared load",
            "st.shared::cta.b32": "shared store",
            "cp.async.cg.shared.global": "async copy",
            "cp.async.wait_group": "async copy",
            "ld.global.nc.v4.f32": "global load",
            "ld.f32": "global load",
            "st.global.b32": "global store",
            "red.global.add.f32": "global store",
            "atom.shared.add.u32": "shared store",
            "st.local.b32": "local memory",
            "ld.param.b64": "move",
            "mov.b32": "move",
            "bar.sync": "barrier",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": "tensor core",
            "shfl.sync.bfly.b32": "other",
        }.items():
            self.assertEqual(ptx.classify(opcode), kind, opcode)

    def test_sass(self):
        for text, kind in {
            "FFMA R1, R2, R3, R1": "fma",
            "HFMA2.MMA R1, -RZ, RZ, 0, 0": "move",
            "HFMA2.MMA R1, R2, R3, R1": "fma",
            "FADD R1, R2, R3": "other float",
            "MUFU.EX2 R1, R2": "other float",
            "IMAD.MOV.U32 R1, RZ, RZ, R2": "move",
            "IMAD.WIDE.U32 R1, R2, 0x4, R4": "integer",
            "ULOP3.LUT UR5, UR5, 0x1, URZ, 0xc0, !UPT": "integer",
            "UISETP.NE.U32.AND UP0, UPT, UR4, 0x1, UPT": "branch, predicate",
            "LDS.128 R1, [R2]": "shared load",
            "STS [R2], R1": "shared store",
            "LDGSTS.E.BYPASS.128 [R1], desc[UR6][R2.64]": "async copy",
            "LDG.E R1, desc[UR6][R2.64]": "global load",
            "STG.E desc[UR6][R2.64], R1": "global store",
            "STL [R1], R2": "local memory",
            "ULDC.64 UR6, c[0x0][0x208]": "move",
            "HMMA.16816.F32 R1, R2, R3, R4": "tensor core",
            "BAR.SYNC.DEFER_BLOCKING 0x0": "barrier",
            "@!PT LDS RZ, [RZ]": "other",
        }.items():
            self.assertEqual(sass.read_instruction(text, {}).kind, kind, text)

    # Two products and sums at once count as two.
    def test_pairs(self):
        function = read_ptx("fma.rn.f32x2 %rd1, %rd2, %rd3, %rd1; fma.rn.f64 %d1, %d1, %d1, %d1;")
        self.assertEqual(function.count_all().fmas, 3)
        function = read_sass("/*0000*/ HFMA2 R1, R2, R3, R1 ;\n/*0010*/ FFMA R1, R2, R3, R1 ;\n")
        self.assertEqual(function.count_all().fmas, 3)


class PTX(unittest.TestCase):
    # Comments, scopes, vectors, line tables and pragmas are no instructions.
    def test_text(self):
        function = read_ptx(
            """
            // mov.b32 %r9, 1;
            .loc 1 7 3
            .pragma "nounroll";
            { .reg .b16 %t; mov.b16 %t, 0; }
            st.shared.v2.b32 [%r1], {%r2, %r3};
            /* a; b; */ call.uni (%r1), f, (%r2, %r3);
            """
        )
        opcodes = [i.opcode for b in function.blocks for i in b.instructions]
        self.assertEqual(opcodes, ["mov.b16", "st.shared.v2.b32", "call.uni", "ret"])
        store = function.blocks[0].instructions[1]
        self.assertEqual(store.operands, ["[%r1]", "{%r2, %r3}"])

    def test_kernels(self):
        first, second = ptx.read_kernels(
            ".visible .entry a(.param .u64 p)\n.maxntid 256, 1, 1\n.minnctapersm 2\n{ ret; }\n"
            ".func f() { ret; }\n.visible .entry b() { ret; }"
        )
        self.assertEqual((first.name, first.threads), ("a", 256))
        self.assertEqual((second.name, second.threads), ("b", None))

    # The main loop is not the first one, not the last and not the longest.
    def test_main_loop(self):
        function = read_ptx(
            """
            $a: mov.b32 %r1, %r2; mov.b32 %r1, %r2; mov.b32 %r1, %r2; mov.b32 %r1, %r2;
            @%p1 bra $a;
            $b: fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;
            @%p1 bra $b;
            $c: fma.rn.f32 %f1, %f1, %f1, %f1;
            @%p1 bra $c;
            """
        )
        counts = function.count(function.main_loop())
        self.assertEqual((counts.fmas, counts.total), (2, 3))

    # Both sides of a branch in the loop count; what leaves it does not.
    def test_branches(self):
        function = read_ptx(
            """
            $loop: @%p1 bra $skip;
            cp.async.cg.shared.global [%r1], [%rd1], 16;
            $skip: fma.rn.f32 %f1, %f1, %f1, %f1;
            @%p2 bra $out;
            bra $loop;
            $out: st.global.f32 [%rd1], %f1;
            """
        )
        counts = function.count(function.main_loop())
        self.assertEqual(counts.total, 5)
        self.assertEqual(counts.classes["async copy"], 1)
        self.assertEqual(counts.classes["global store"], 0)

    def test_branch_table(self):
        function = read_ptx(
            """
            $top: brx.idx %r1, $table;
            $table: .branchtargets $one, $two;
            $one: bra $top;
            $two:
            """
        )
        self.assertEqual(len(function.loops), 1)
        self.assertEqual(function.blocks[0].successors, [1, 2])

    def test_no_loop(self):
        self.assertIsNone(read_ptx("add.f32 %f1, %f1, %f1;").main_loop())


class Trips(unittest.TestCase):
    def check(self, body, expected):
        (loop,) = read_ptx(body).loops
        self.assertEqual(loop.trips, expected)

    def test_up_and_down(self):
        self.check(
            "mov.b64 %rd1, 0; $a: add.s64 %rd1, %rd1, 2048;"
            "setp.ne.b64 %p1, %rd1, 8192; @%p1 bra $a;",
            4,
        )
        self.check(
            "mov.u32 %r1, 10; $a: add.s32 %r1, %r1, -3;"
            "setp.gt.s32 %p1, %r1, 0; @%p1 bra $a;",
            4,  # 7, 4, 1, -2.
        )

    # The test looks at the counter before it moves.
    def test_old_value(self):
        self.check(
            "mov.u32 %r1, 0; $a: mov.u32 %r2, %r1; add.s32 %r1, %r2, 1;"
            "setp.lt.u32 %p1, %r2, 7; @%p1 bra $a;",
            8,  # 0 to 7.
        )

    def test_exit_at_the_top(self):
        self.check(
            "mov.u32 %r1, 0; $a: setp.ge.s32 %p1, %r1, 6; @%p1 bra $out;"
            "add.s32 %r1, %r1, 2; bra $a; $out:",
            3,
        )

    def test_negated_and_limit_in_register(self):
        self.check(
            "mov.u32 %r9, 5; mov.u32 %r1, 0; $a: add.s32 %r1, %r1, 1;"
            "setp.eq.s32 %p1, %r1, %r9; @!%p1 bra $a;",
            5,
        )

    # Unsigned: -1 is large.
    def test_signs(self):
        self.check(
            "mov.b32 %r1, 3; $a: add.s32 %r1, %r1, -1;"
            "setp.lt.u32 %p1, %r1, 100; @%p1 bra $a;",
            4,  # 2, 1, 0, 2^32 - 1.
        )

    # "mov.pred" of -1 is true: twice, as the flag is false the second time.
    def test_flag(self):
        self.check(
            "mov.pred %p2, -1; $a: mov.pred %p1, %p2; mov.pred %p2, 0; @%p1 bra $a;",
            2,
        )
        self.check(
            "mov.pred %p2, -1; $a: mov.pred %p1, %p2; mov.pred %p2, 0; @!%p1 bra $a;",
            1,
        )
        self.check(
            "mov.pred %p2, -1; $a: mov.pred %p1, %p2; mov.pred %p2, -1; @%p1 bra $a;",
            None,
        )
        self.check(
            "mov.pred %p2, -1; $a: mov.pred %p1, %p2; @!%p1 bra $out;"
            "mov.pred %p2, 0; bra $a; $out:",
            1,
        )

    def test_unknown(self):
        self.check("$a: add.s32 %r1, %r1, 1; setp.ne.b32 %p1, %r1, 9; @%p1 bra $a;", None)
        self.check(
            "mov.b32 %r1, 0; $a: add.s32 %r1, %r1, %r5; setp.ne.b32 %p1, %r1, 9; @%p1 bra $a;",
            None,
        )
        self.check(
            "mov.b32 %r1, 0; $a: add.s32 %r1, %r1, 1; setp.ne.b32 %p1, %r1, %r7; @%p1 bra $a;",
            None,
        )
        # Moved only by some threads.
        self.check(
            "mov.b32 %r1, 0; $a: @%p2 add.s32 %r1, %r1, 1;"
            "setp.ne.b32 %p1, %r1, 9; @%p1 bra $a;",
            None,
        )
        # Two ways out.
        self.check(
            "mov.b32 %r1, 0; $a: @%p2 bra $out; add.s32 %r1, %r1, 1;"
            "setp.ne.b32 %p1, %r1, 9; @%p1 bra $a; $out:",
            None,
        )

        self.check(
            "mov.b32 %r1, 0; $a: @%p2 exit; add.s32 %r1, %r1, 1;"
            "setp.ne.b32 %p1, %r1, 9; @%p1 bra $a;",
            None,
        )

    # An inner loop of an unknown number of iterations counts once, and is named.
    def test_unknown_inside(self):
        function = read_ptx(
            "$a: bar.sync 0; $b: fma.rn.f32 %f1, %f1, %f1, %f1; @%p1 bra $b; @%p2 bra $a;"
        )
        counts = function.count(function.main_loop())
        self.assertEqual((counts.fmas, counts.total, counts.unknown), (1, 4, 1))


class SASS(unittest.TestCase):
    # By label, and by address as the other tool has it; a loop that nobody can
    # reach (the padding at the end) is none.
    def test_loops(self):
        by_label = read_sass(
            """
            /*0000*/                   MOV R1, RZ ;
            .L_x_1:
            /*0010*/                   FFMA R2, R3, R4, R2 ;
            /*0020*/               @P0 BRA `(.L_x_1) ;
            /*0030*/                   EXIT ;
            .L_x_2:
            /*0040*/                   BRA `(.L_x_2);
            """
        )
        by_address = sass.read_kernels(
            """
            Function : k
            /*0000*/    MOV R1, RZ ;               /* 0x000000ff00017202 */
                                                   /* 0x000fe40000000f00 */
            /*0010*/    FFMA R2, R3, R4, R2 ;      /* 0x0000000403027223 */
            /*0020*/    @P0 BRA 0x10 ;             /* 0xfffffff000000947 */
            /*0030*/    EXIT ;                     /* 0x000000000000794d */
            /*0040*/    BRA 0x40;                  /* 0xfffffff000007947 */
            """
        )["k"]
        for function in (by_label, by_address):
            self.assertEqual(len(function.loops), 1)
            counts = function.count(function.main_loop())
            self.assertEqual((counts.fmas, counts.total), (1, 2))

    # A way out by a call that does not return, as sm_80 has it, and a call of
    # what stands behind the kernel.
    def test_calls(self):
        function = read_sass(
            """
            .L_x_1:
            /*0000*/                   FFMA R2, R3, R4, R2 ;
            /*0010*/                   CALL.REL.NOINC `($slow) ;
            /*0020*/              @!P0 CALL.REL.NOINC `(.L_x_2) ;
            /*0030*/                   BRA `(.L_x_1) ;
            .L_x_2:
            /*0040*/                   EXIT ;
            $slow:
            /*0050*/                   FADD R1, R1, R1 ;
            /*0060*/                   RET.REL.NODEC R2 `(k) ;
            """
        )
        counts = function.count(function.main_loop())
        self.assertEqual(counts.total, 4)

    def test_indirect_branch(self):
        with self.assertRaisesRegex(ValueError, "indirect branch 'BRX R2 -0x10'"):
            read_sass("/*0000*/ BRX R2 -0x10 ;\n")

    # An iteration does 2 + t x 3 fused operations: 14 in PTX make t = 4.
    NEST = """
        .L_x_1:
        /*0000*/     FFMA R2, R3, R4, R2 ;
        /*0010*/     FFMA R2, R3, R4, R2 ;
        .L_x_2:
        /*0020*/     FFMA R2, R3, R4, R2 ;
        /*0030*/     FFMA R2, R3, R4, R2 ;
        /*0040*/     FFMA R2, R3, R4, R2 ;
        /*0050*/ @P0 BRA `(.L_x_2) ;
        /*0060*/ @P1 BRA `(.L_x_1) ;
        /*0070*/     EXIT ;
        """

    def test_trips_from_ptx(self):
        function = read_sass(self.NEST)
        sass.set_trips(function, 14)
        counts = function.count(function.main_loop())
        self.assertEqual((counts.fmas, counts.total, counts.unknown), (14, 19, 0))
        function = read_sass(self.NEST)
        sass.set_trips(function, 13)
        self.assertEqual(function.count(function.main_loop()).unknown, 1)


class Occupancy(unittest.TestCase):
    def check(self, chip, threads, registers, shared, blocks, limit):
        found = occupancy.compute_occupancy(
            occupancy.look_up_chip(chip), threads, registers, shared
        )
        self.assertEqual((found.blocks, found.limit), (blocks, limit))
        self.assertEqual(found.warps, blocks * -(-threads // 32))

    # Eight warps of 128 x 32 registers are half of 65536. One more register is
    # 136 a thread: 16384 / 4352 = 3 warps a partition, 12 in all, one block.
    def test_registers(self):
        self.check("sm_90", 256, 128, 32768, 2, "registers")
        self.check("sm_90", 256, 129, 32768, 1, "registers")
        # 168 registers: 16384 / 5376 = 3 warps a partition; six blocks of two.
        self.check("sm_90", 64, 168, 0, 6, "registers")

    # 164 KiB hold four blocks of 40 KiB and the system's 1 KiB each, not of 128
    # bytes more.
    def test_shared_memory(self):
        self.check("sm_80", 128, 32, 40 * 1024, 4, "shared memory")
        self.check("sm_80", 128, 32, 40 * 1024 + 1, 3, "shared memory")
        # Before 8.0 the system has none: 64 KiB are four blocks of 16.
        self.check("sm_75", 128, 32, 16 * 1024, 4, "shared memory")

    def test_blocks_and_warps(self):
        self.check("sm_90a", 32, 14, 0, 32, "blocks")
        self.check("sm_86", 1024, 32, 0, 1, "warps")
        self.check("sm_86", 1024, 65, 0, 0, "registers")

    def test_names(self):
        self.assertEqual(occupancy.look_up_chip("sm_121").capability, 120)
        self.assertEqual(occupancy.look_up_chip("sm_90a").capability, 90)
        for name in ("sm_70", "gfx942", "sm_", "90"):
            self.assertIsNone(occupancy.look_up_chip(name))

    # Two tables, one truth.
    def test_table(self):
        text = (SOURCE / "lib" / "Analysis" / "GPUTarget.cpp").read_text()
        rows = re.findall(
            r"\{(\d+), (\d+), (\d+), (\d+), (\d+) \* KiB, \d+ \* KiB, kUpTo\d+\}", text
        )
        table = [tuple(map(int, row)) for row in rows]
        # What is older is only counted on, and there.
        self.assertEqual([row[0] for row in table[:2]], [70, 72])
        expected = table[2:]
        self.assertGreater(len(expected), 7)
        self.assertEqual(
            [
                (c.capability, c.threads, c.blocks, c.registers, c.shared_bytes // 1024)
                for c in occupancy.CHIPS
            ],
            expected,
        )


class Reports(unittest.TestCase):
    def test_ptxas(self):
        resources = ptx_quality.read_resources(
            "ptxas info    : 0 bytes gmem\n"
            "ptxas info    : Compiling entry function 'a' for 'sm_80'\n"
            "    48 bytes stack frame, 40 bytes spill stores, 44 bytes spill loads\n"
            "ptxas info    : Used 128 registers, used 1 barriers, 32768 bytes smem\n"
            "ptxas info    : Compiling entry function 'b' for 'sm_80'\n"
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used 8 registers, used 0 barriers, 376 bytes cmem[0]\n"
        )
        self.assertEqual(resources["a"], ptx_quality.Resources(128, 40, 44, 32768))
        self.assertEqual(resources["b"], ptx_quality.Resources(8, 0, 0, 0))

    # As many fma as ours decide what theirs would be: 12 against 2 x 5.
    def test_excess(self):
        ours = read_ptx("fma.rn.f32 %f1, %f1, %f1, %f1;" * 2 + "add.s32 %r1, %r1, 1;" * 12)
        theirs = read_ptx("fma.rn.f32 %f1, %f1, %f1, %f1;" + "add.s32 %r1, %r1, 1;" * 5)
        self.assertEqual(
            ptx_quality.list_excess(ours.count_all(), theirs.count_all()), "integer 2"
        )


unittest.main(argv=sys.argv[:1])
