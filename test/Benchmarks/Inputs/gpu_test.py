"""benchmarks/gpu without a GPU: manifests, arguments, launches and skips.

What a launch must be is worked out by hand; a stand-in for libcuda records what
it is called with.
"""

import contextlib
import ctypes
import io
import json
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(sys.argv[1]) / "benchmarks" / "gpu"))

import sgemm
from driver import Driver, DriverError, Loaded, Unavailable
from manifest import Array, Kernel, Manifest, ManifestError, evaluate, pack_scalar

# For arrays of any size: y = a * x + y in blocks of 256, as docs/Manifest.md has
# it; x is strided and begins somewhere in its memory.
AXPY = {
    "name": "axpy",
    "module": "uop_kernels",
    "arguments": [
        {"name": "arg0", "kind": "scalar", "type": "f32", "bytes": 4},
        {
            "name": "arg1",
            "kind": "memref",
            "type": "f32",
            "bytes": 4,
            "shape": ["arg1_size0"],
            "strides": ["arg1_stride0"],
            "offset": "arg1_offset",
            "span": None,
            "readonly": True,
            "noalias": True,
        },
        {
            "name": "arg1_size0",
            "kind": "size",
            "of": "arg1",
            "dimension": 0,
            "type": "i64",
            "bytes": 8,
        },
        {
            "name": "arg1_stride0",
            "kind": "stride",
            "of": "arg1",
            "dimension": 0,
            "type": "i64",
            "bytes": 8,
        },
        {"name": "arg1_offset", "kind": "offset", "of": "arg1", "type": "i64", "bytes": 8},
        {
            "name": "arg2",
            "kind": "memref",
            "type": "f32",
            "bytes": 4,
            "shape": ["arg2_size0"],
            "strides": [1],
            "offset": 0,
            "span": None,
            "readonly": False,
            "noalias": True,
            "align": 16,
        },
        {
            "name": "arg2_size0",
            "kind": "size",
            "of": "arg2",
            "dimension": 0,
            "type": "i64",
            "bytes": 8,
        },
    ],
    "grid": ["(arg2_size0 + 255) >> 8", 1, 1],
    "block": [256, 1, 1],
    "shared_bytes": 0,
    "dynamic_shared_bytes": 0,
}


def axpy(**changes):
    return Kernel({**AXPY, **changes})


def strided(size, pointer=0x1000, stride=3, offset=5):
    return Array(pointer, (size,), (stride,), 4, offset)


def dense(size, pointer=0x2000):
    return Array.row_major(pointer, (size,), 4)


class FakeCuda:
    """libcuda, as far as Driver calls it. What calls pass is kept as numbers; the
    parameters of a launch are read through their pointers, by the given sizes."""

    def __init__(self, sizes=(), devices=1, failing=(), log=b""):
        self.sizes, self.devices, self.failing, self.log = sizes, devices, failing, log
        self.calls = []

    def cuInit(self, flags):
        return 100 if "cuInit" in self.failing else flags

    def cuGetErrorName(self, status, name):
        known = {100: b"CUDA_ERROR_NO_DEVICE", 218: b"CUDA_ERROR_INVALID_PTX"}
        name._obj.value = known.get(status)
        return 0 if status in known else 1

    def cuDeviceGetCount(self, count):
        count._obj.value = self.devices
        return 0

    def cuModuleLoadDataEx(self, module, image, count, options, values):
        self.calls.append(("load", image.value, list(options)[:count]))
        if "cuModuleLoadDataEx" in self.failing:
            ctypes.memmove(values[0], self.log + b"\0", len(self.log) + 1)
            return 218
        module._obj.value = 7
        return 0

    def cuModuleGetFunction(self, function, module, name):
        self.calls.append(("function", module.value, name))
        function._obj.value = 9
        return 0

    def cuFuncSetAttribute(self, function, attribute, value):
        self.calls.append(("attribute", function.value, attribute, value.value))
        return 0

    def cuLaunchKernel(self, function, *rest):
        *numbers, stream, pointers, extra = rest
        parameters = [
            ctypes.string_at(pointers[i], size) for i, size in enumerate(self.sizes)
        ]
        self.calls.append(
            ("launch", function.value, [n.value for n in numbers], stream.value, parameters, extra)
        )
        return 0


def drive(cuda):
    return Driver(load=lambda library: cuda)


@contextlib.contextmanager
def folder_with(*kernels, chip="sm_80", name="sgemm_64", **changes):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        code = f"{name}.{chip}.ptx"
        (folder / code).write_bytes(b".version 7.8\n")
        content = {"version": 1, "code": code, "chip": chip, "kernels": list(kernels)}
        (folder / f"{name}.{chip}.json").write_text(json.dumps({**content, **changes}))
        yield folder


class Expressions(unittest.TestCase):
    def test_values(self):
        for text, value in {
            "(n + 255) >> 8": 4,
            "-(-n // 96)": 11,  # ceil(1000 / 96)
            "m // 3": -3,  # floor(-7 / 3)
            "m % 3": 2,
            "2**64 - 1": 18446744073709551615,
            "(n << 2) | 1": 4001,
            "(n & 12) ^ 5": 13,  # 1000 = 8 + 32 + ...: 8 ^ 5
            "min(n, 5) + max(m, 2)": 7,
            "(m < 0) == (n < 0)": 0,
            "(m < 0) + (n > 0) + (n >= 1000) + (n <= 1) + (n != n)": 3,
            "1 if m < 0 else 2": 1,
            "n // z if z else -1": -1,
        }.items():
            self.assertEqual(evaluate(text, {"n": 1000, "m": -7, "z": 0}), value, text)
        self.assertEqual(evaluate(12, {}), 12)

    # A manifest is data: nothing but arithmetic.
    def test_refused(self):
        for text, why in {
            "n // z": "a divisor is 0",
            "n % z": "a divisor is 0",
            "k + 1": "no value for 'k'",
            "2**100000000": "expected 0 to 256 as an exponent or shift",
            "1 << -1": "expected 0 to 256 as an exponent or shift",
            "n.bit_length()": "expected arithmetic of integers",
            "__import__('os')": "expected arithmetic of integers",
            "print(n)": "expected arithmetic of integers",
            "1.5": "expected arithmetic of integers",
            "True": "expected arithmetic of integers",
            "n +": "a syntax error",
        }.items():
            with self.assertRaisesRegex(ManifestError, why.replace("*", r"\*"), msg=text):
                evaluate(text, {"n": 1, "z": 0})
        with self.assertRaisesRegex(ManifestError, "a number or an expression, but got 1.5"):
            evaluate(1.5, {})


class Scalars(unittest.TestCase):
    def test_integers(self):
        self.assertEqual(pack_scalar("i32", -2), b"\xfe\xff\xff\xff")
        self.assertEqual(pack_scalar("i32", 2**32 - 2), b"\xfe\xff\xff\xff")
        self.assertEqual(pack_scalar("i1", 1), b"\x01")
        self.assertEqual(pack_scalar("i8", 200), b"\xc8")
        self.assertEqual(pack_scalar("index", 258), b"\x02\x01" + bytes(6))
        with self.assertRaisesRegex(ManifestError, "a number that fits 'i8', but got 256"):
            pack_scalar("i8", 256)
        with self.assertRaisesRegex(ManifestError, "but got 'complex<f32>'"):
            pack_scalar("complex<f32>", 1)

    def test_floats(self):
        self.assertEqual(pack_scalar("f32", 1.0), b"\x00\x00\x80\x3f")
        self.assertEqual(pack_scalar("f64", -2.0), b"\0" * 7 + b"\xc0")
        self.assertEqual(pack_scalar("f16", 1.5), b"\x00\x3e")
        self.assertEqual(pack_scalar("f16", 1e6), b"\x00\x7c")  # Infinity.

    # 1 is 0x3f80, the next number 1 + 2^-7 is 0x3f81.
    def test_bf16(self):
        for value, bits in {
            1.0: 0x3F80,
            1 + 2**-8: 0x3F80,  # Halfway: to even.
            1 + 3 * 2**-8: 0x3F82,
            1 + 2**-8 + 2**-40: 0x3F81,  # Above halfway, by less than f32 shows.
            1 + 3 * 2**-8 - 2**-40: 0x3F81,
            -(1 + 2**-8 + 2**-40): 0xBF81,
            float("inf"): 0x7F80,
            -1e300: 0xFF80,
        }.items():
            self.assertEqual(pack_scalar("bf16", value), struct.pack("<H", bits), value)
        self.assertEqual(pack_scalar("bf16", float("nan")), struct.pack("<H", 0x7FC0))


class Binding(unittest.TestCase):
    # 1000 elements in blocks of 256 are four blocks; seven parameters of 4 and 8
    # bytes in their order.
    def test_launch(self):
        launch = axpy().bind([2.0, strided(1000), dense(1000)])
        self.assertEqual(launch.grid, (4, 1, 1))
        self.assertEqual(launch.block, (256, 1, 1))
        self.assertEqual(
            launch.parameters,
            (
                bytes.fromhex("00000040"),
                bytes.fromhex("0010000000000000"),
                bytes.fromhex("e803000000000000"),
                bytes.fromhex("0300000000000000"),
                bytes.fromhex("0500000000000000"),
                bytes.fromhex("0020000000000000"),
                bytes.fromhex("e803000000000000"),
            ),
        )
        self.assertFalse(launch.needs_attribute)
        self.assertFalse(launch.is_empty)

    def test_nothing_to_launch(self):
        self.assertTrue(axpy().bind([2.0, strided(0), dense(0)]).is_empty)

    # An integer argument counts in an expression as a signed number, an i1 not.
    def test_scalars_in_expressions(self):
        for kind, value, blocks in (("i8", 200, -56), ("i1", 1, 1), ("index", 3, 3)):
            kernel = Kernel(
                {
                    **AXPY,
                    "arguments": [{"name": "arg0", "kind": "scalar", "type": kind, "bytes": 1}],
                    "grid": ["arg0", 1, 1],
                }
            )
            self.assertEqual(kernel.bind([value]).grid[0], blocks)

    # At 48 KiB in all no attribute is needed, above it is.
    def test_shared_memory(self):
        def bind(static, dynamic):
            kernel = axpy(shared_bytes=static, dynamic_shared_bytes=dynamic)
            return kernel.bind([2.0, strided(1), dense(1)])

        self.assertFalse(bind(0, 49152).needs_attribute)
        self.assertTrue(bind(0, 49156).needs_attribute)
        self.assertTrue(bind(16384, 36864).needs_attribute)

    def test_refused(self):
        arguments = [2.0, strided(4), dense(4)]
        static = {**AXPY["arguments"][5], "shape": [4, 4], "strides": [8, 1], "name": "arg0"}
        one = {**AXPY, "arguments": [static], "grid": [1, 1, 1]}
        for kernel, given, why in (
            (AXPY, arguments[:2], "expected 3 arguments, but got 2"),
            (
                AXPY,
                [2.0, strided(4), dense(4, 0x2008)],
                "'arg2': expected a pointer to a multiple of 16 bytes, but got 0x2008",
            ),
            (
                AXPY,
                [2.0, strided(4), Array(0, (4,), (1,), 8)],
                "'arg2': expected elements of 4 bytes, but got 8",
            ),
            (
                AXPY,
                [2.0, strided(4), Array(0, (4,), (2,), 4)],
                r"'arg2': expected strides of \[1\], but got \[2\]",
            ),
            (
                AXPY,
                [2.0, strided(4), Array(0, (4,), (1,), 4, 1)],
                "'arg2': expected an offset of 0 elements, but got 1",
            ),
            (
                one,
                [Array(0, (4, 5), (8, 1), 4)],
                r"expected a shape of \[4, 4\], but got \[4, 5\]",
            ),
            (one, [dense(4)], "expected 2 dimensions, but got 1"),
            ({**AXPY, "grid": None}, arguments, "the manifest does not say its grid"),
            ({**AXPY, "block": None}, arguments, "the manifest does not say its block"),
            (
                {**AXPY, "dynamic_shared_bytes": None},
                arguments,
                "does not say how much dynamic shared memory",
            ),
            (
                {**AXPY, "grid": ["2**31", 1, 1]},
                arguments,
                "expected at most 2147483647 blocks along x, but got 2147483648",
            ),
            (
                {**AXPY, "grid": [1, 1, 65536]},
                arguments,
                "expected at most 65535 blocks along z, but got 65536",
            ),
            (
                {**AXPY, "grid": ["arg1_size0 // (arg2_size0 - 4)", 1, 1]},
                arguments,
                "kernel 'axpy': grid: a divisor is 0",
            ),
        ):
            with self.assertRaisesRegex(ManifestError, why):
                Kernel(kernel).bind(given)

    # The stride of a dimension of one element is never used.
    def test_unused_stride(self):
        kernel = {**AXPY, "grid": [1, 1, 1]}
        Kernel(kernel).bind([2.0, strided(1), Array(0, (1,), (99,), 4)])


class Files(unittest.TestCase):
    def test_read(self):
        with folder_with(AXPY) as folder:
            manifest = Manifest(folder / "sgemm_64.sm_80.json")
            self.assertEqual(manifest.chip, "sm_80")
            self.assertEqual(list(manifest.kernels), ["axpy"])
            self.assertEqual(manifest.read_code(), b".version 7.8\n")
            manifest.code_path.unlink()
            with self.assertRaisesRegex(ManifestError, "ptx: No such file"):
                manifest.read_code()

    def test_refused(self):
        for changes, why in (
            ({"version": 2}, "expected version 1 of a manifest, but got 2"),
            ({"code": None}, "does not name a file with the code"),
            ({"kernels": [{"name": "k"}]}, "expected a manifest, but 'arguments' is missing"),
        ):
            with folder_with(**changes) as folder:
                with self.assertRaisesRegex(ManifestError, why):
                    Manifest(folder / "sgemm_64.sm_80.json")
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "broken.json"
            broken.write_text("{")
            with self.assertRaisesRegex(ManifestError, "broken.json: Expecting"):
                Manifest(broken)


class Launches(unittest.TestCase):
    SIZES = (4, 8, 8, 8, 8, 8, 8)

    def bind(self, cuda, arguments, **changes):
        with folder_with({**AXPY, **changes}) as folder:
            loaded = Loaded(drive(cuda), Manifest(folder / "sgemm_64.sm_80.json"))
            return loaded.bind("axpy", arguments)

    # What the driver sees, in order; the second launch takes nothing anew.
    def test_calls(self):
        cuda = FakeCuda(self.SIZES)
        launch = self.bind(cuda, [2.0, strided(1000), dense(1000)])
        launch(0x55)
        launch(0)
        parameters = [
            struct.pack("<f", 2.0),
            struct.pack("<q", 0x1000),
            struct.pack("<q", 1000),
            struct.pack("<q", 3),
            struct.pack("<q", 5),
            struct.pack("<q", 0x2000),
            struct.pack("<q", 1000),
        ]
        numbers = [4, 1, 1, 256, 1, 1, 0]
        self.assertEqual(
            cuda.calls,
            [
                ("load", b".version 7.8\n", [5, 6]),
                ("function", 7, b"axpy"),
                ("launch", 9, numbers, 0x55, parameters, None),
                ("launch", 9, numbers, None, parameters, None),
            ],
        )

    # Above 48 KiB the driver is told first.
    def test_attribute(self):
        cuda = FakeCuda(self.SIZES)
        self.bind(cuda, [2.0, strided(1), dense(1)], dynamic_shared_bytes=65536)(1)
        names = [call[0] for call in cuda.calls]
        self.assertEqual(names, ["load", "function", "attribute", "launch"])
        self.assertEqual(cuda.calls[2], ("attribute", 9, 8, 65536))
        self.assertEqual(cuda.calls[3][2], [1, 1, 1, 256, 1, 1, 65536])

    def test_nothing_to_launch(self):
        cuda = FakeCuda(self.SIZES)
        self.bind(cuda, [2.0, strided(0), dense(0)])(1)
        self.assertNotIn("launch", [call[0] for call in cuda.calls])

    def test_broken_code(self):
        cuda = FakeCuda(failing=["cuModuleLoadDataEx"], log=b"ptxas error : line 1")
        with self.assertRaisesRegex(
            DriverError, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX\nptxas error : line 1"
        ):
            self.bind(cuda, [2.0, strided(1), dense(1)])


class Devices(unittest.TestCase):
    def test_unavailable(self):
        with self.assertRaisesRegex(Unavailable, "no CUDA driver .*libuop_no_such_driver"):
            Driver("libuop_no_such_driver.so.1")
        with self.assertRaisesRegex(Unavailable, "finds no device .CUDA_ERROR_NO_DEVICE."):
            drive(FakeCuda(failing=["cuInit"]))
        with self.assertRaisesRegex(Unavailable, "finds no device$"):
            drive(FakeCuda(devices=0))

    # The newest code that the device can run.
    def test_choice(self):
        class Code:
            def __init__(self, chip):
                self.chip = chip

        def choose(capability, *chips):
            chosen = sgemm.choose_manifest([Code(chip) for chip in chips], capability)
            return chosen and chosen.chip

        self.assertEqual(choose((9, 0), "sm_80", "sm_90", "sm_86"), "sm_90")
        self.assertEqual(choose((9, 0), "sm_90", "sm_90a"), "sm_90a")
        self.assertEqual(choose((10, 0), "sm_89", "sm_90a"), "sm_89")
        self.assertEqual(choose((10, 3), "sm_90", "sm_100f", "sm_100a"), "sm_100f")
        self.assertEqual(choose((12, 0), "sm_90", "sm_100f"), "sm_90")
        self.assertIsNone(choose((7, 5), "sm_80", "sm_90"))


class Program(unittest.TestCase):
    GEMM = {**AXPY, "name": "gemm", "arguments": [{**AXPY["arguments"][5], "shape": [64, 64]}]}

    def run_main(self, folder, make_driver, *options):
        """Exit status and output."""
        output = io.StringIO()
        command = ["sgemm.py", f"--kernels={folder}", *options]
        with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(output):
            try:
                sgemm.main(make_driver)
            except SystemExit as error:
                return 1, error.code
        return 0, output.getvalue()

    # Neither is a failure.
    def test_skips(self):
        with folder_with(self.GEMM) as folder:
            status, output = self.run_main(folder, lambda: Driver("libuop_no_such_driver.so.1"))
            self.assertEqual(status, 0)
            self.assertRegex(output, r"^skipped: no CUDA driver \(.*\)\n$")
            with mock.patch.dict(sys.modules, {"torch": None}):
                status, output = self.run_main(folder, lambda: drive(FakeCuda()))
            self.assertEqual(status, 0)
            self.assertRegex(output, r"^skipped: no PyTorch for .*\n$")
            torch = mock.Mock()
            torch.cuda.is_available.return_value = False
            with mock.patch.dict(sys.modules, {"torch": torch}):
                status, output = self.run_main(folder, lambda: drive(FakeCuda()))
            self.assertEqual((status, output.count("\n")), (0, 1))
            self.assertRegex(output, "^skipped: this PyTorch cannot use the GPU")

    # These are.
    def test_refused(self):
        with folder_with(self.GEMM) as folder:
            self.assertEqual(
                self.run_main(folder, None, "--size=32"),
                (1, f"sgemm: no kernel of size 32 in '{folder}'"),
            )
            self.assertEqual(
                self.run_main(folder, None, "--rounds=0"),
                (1, "sgemm: expected 1 round or more, but got 0"),
            )
            self.assertEqual(
                self.run_main(folder / "none", None),
                (1, f"sgemm: no kernels in '{folder / 'none'}'; make them with make_kernels.py"),
            )
        with folder_with(AXPY) as folder:
            status, message = self.run_main(folder, None)
            self.assertRegex(message, "expected the kernel 'gemm' alone, but got axpy")


unittest.main(argv=sys.argv[:1])
