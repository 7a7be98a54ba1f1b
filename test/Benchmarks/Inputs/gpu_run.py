"""Runs benchmarks/gpu/sgemm.py on stand-ins for a GPU and PyTorch.

Usage: gpu_run.py FOLDER MODE [OPTION...]

FOLDER is what make_kernels.py wrote. The stand-in for the device takes a launch's
parameters as addresses and multiplies what is there with NumPy; its clock moves by
2 ms a launch, and by 1.9 ms a product of cuBLAS, or by what MODE says:

  right   as above                     slow    4 ms a launch
  wrong   one element is off           tf32    cuBLAS rounds whatever it is told
"""

import ctypes
import struct
import sys
import types

import numpy as np

folder, mode, *options = sys.argv[1:]
sys.path.insert(0, folder)

import sgemm

clock = 0.0  # Milliseconds.
launches = []


class Tensor:
    def __init__(self, array):
        self.array = array
        self.shape = array.shape

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(s // self.array.itemsize for s in self.array.strides)

    def element_size(self):
        return self.array.itemsize

    def copy_(self, other):
        self.array[...] = other.array

    def fill_(self, value):
        self.array.fill(value)


class Device:
    """In the place of driver.Driver."""

    def load(self, code):
        assert b".entry gemm" in code
        return "module"

    def get_function(self, module, name):
        assert (module, name) == ("module", "gemm")
        return "function"

    def allow_dynamic_shared(self, function, number):
        raise AssertionError("no kernel here has more than 48 KiB")

    def prepare(self, parameters):
        return [struct.unpack("<Q", p)[0] for p in parameters]

    def launch(self, function, grid, block, dynamic_shared_bytes, stream, prepared):
        global clock
        assert function == "function" and stream == 0x77
        n = int(options[0].partition("=")[2])
        a, b, c = (
            np.ctypeslib.as_array((ctypes.c_float * (n * n)).from_address(p)).reshape(n, n)
            for p in prepared
        )
        launches.append((grid, block, dynamic_shared_bytes))
        c[...] = a @ b
        if mode == "wrong":
            c[n - 1, n - 2] += 1
        clock += 4.0 if mode == "slow" else 2.0


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.time = clock

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return end.time - self.time


def aligned(shape):
    """Memory that begins at a multiple of 64 bytes, as a device's does."""
    size = int(np.prod(shape)) * 4
    raw = np.full(size + 64, 0x7F, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(np.float32).reshape(shape)


precision = "high"
random = np.random.default_rng(1)


def matmul(a, b, out=None):
    global clock
    if out is not None:
        clock += 1.9
    x, y = a.array, b.array
    if precision != "highest" or mode == "tf32":
        x, y = ((z.view(np.uint32) & 0xFFFFE000).view(np.float32) for z in (x, y))
    if out is None:
        return Tensor(x @ y)
    out.array[...] = x @ y


def set_float32_matmul_precision(value):
    global precision
    precision = value


def on_device(device):
    assert device == "cuda"


def empty(shape, device, dtype):
    on_device(device)
    assert dtype == "f32"
    return Tensor(aligned(shape))


def randn(shape, device):
    on_device(device)
    return Tensor(random.standard_normal(shape, np.float32))


def randint(low, high, shape, device):
    on_device(device)
    return Tensor(random.integers(low, high, shape))


def eye(size, device):
    on_device(device)
    return Tensor(np.eye(size, dtype=np.float32))


torch = types.ModuleType("torch")
torch.__version__ = "0.0"
torch.version = types.SimpleNamespace(cuda="0.0")
torch.float32 = "f32"
torch.cuda = types.SimpleNamespace(
    is_available=lambda: True,
    get_device_capability=lambda: (9, 0),
    get_device_name=lambda: "Stand-in",
    current_stream=lambda: types.SimpleNamespace(cuda_stream=0x77),
    synchronize=lambda: None,
    Event=Event,
    OutOfMemoryError=MemoryError,
)
torch.equal = lambda a, b: np.array_equal(a.array, b.array)
torch.empty, torch.randn, torch.randint, torch.eye = empty, randn, randint, eye
torch.matmul = matmul
torch.set_float32_matmul_precision = set_float32_matmul_precision
sys.modules["torch"] = torch

sys.argv = ["sgemm.py", f"--kernels={folder}", *options]
sgemm.main(Device)
print("launches", *sorted(set(launches)))
