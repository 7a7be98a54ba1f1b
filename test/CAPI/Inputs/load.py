#===- load.py - The C API from another language -----------------------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Usage: load.py LIBRARY. Loads it as a Python extension is loaded: late, and
# with its symbols kept from the rest of the process.

import ctypes
import json
import os
import sys

import numpy as np

F32, MEMREF, MODE_CHECK = 9, 2, 1
TEXT = b"""
uop.kernel @scale(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>,
                  %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %y, %c0 : memref<?x?xf32>
  %n = memref.dim %y, %c1 : memref<?x?xf32>
  %i = uop.range loop %m
  %j = uop.range loop %n
  %v = uop.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %e = math.exp %v : f32
  uop.store %e, %y[%i, %j] : memref<?x?xf32>
}
"""


class Argument(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("element_type", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("rank", ctypes.c_size_t),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_int64),
    ]


class Options(ctypes.Structure):
    """The first members: a structure may end anywhere, as an older one does."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("device", ctypes.c_int),
        ("mode", ctypes.c_int),
    ]


class UopError(Exception):
    pass


library = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LOCAL)


def call(name, *arguments, result=ctypes.c_void_p):
    function = getattr(library, name)
    function.restype = result
    return function(*arguments)


def checked(name, *arguments, result=ctypes.c_void_p):
    error = ctypes.c_void_p()
    value = call(name, *arguments, ctypes.byref(error), result=result)
    if error:
        message = call("uopErrorGetMessage", error, result=ctypes.c_char_p)
        call("uopErrorDestroy", error, result=None)
        raise UopError(message.decode())
    return ctypes.c_void_p(value) if result is ctypes.c_void_p else value


def as_argument(array):
    numbers = ctypes.c_int64 * array.ndim
    strides = [step // array.itemsize for step in array.strides]
    return Argument(
        MEMREF, F32, array.ctypes.data, array.ndim, numbers(*array.shape), numbers(*strides), 0
    )


context = ctypes.c_void_p(call("uopContextCreate"))
module = checked("uopModuleParse", context, TEXT, ctypes.c_size_t(len(TEXT)), b"scale.mlir")
x = np.linspace(-4, 4, 7 * 33, dtype=np.float32).reshape(33, 7).T
y = np.full((7, 33), np.nan, dtype=np.float32)
arguments = (Argument * 2)(as_argument(x), as_argument(y))
count = ctypes.c_size_t(2)

scale = checked("uopExecutableCreate", module, b"scale", None)
checked("uopExecutableRun", scale, arguments, count, None, result=ctypes.c_bool)
np.testing.assert_allclose(y, np.exp(x), rtol=1e-6)
call("uopExecutableDestroy", scale, result=None)

options = Options()
size = ctypes.c_size_t(ctypes.sizeof(options))
call("uopExecutableOptionsInit", ctypes.byref(options), size, result=None)
options.mode = MODE_CHECK
scale = checked("uopExecutableCreate", module, b"scale", ctypes.byref(options))
y[:] = np.nan
text = checked("uopExecutableCheck", scale, arguments, count, None, None)
findings = json.loads(call("uopStringGetData", text, result=ctypes.c_char_p))
assert findings["findings"] == [], findings
np.testing.assert_allclose(y, np.exp(x), rtol=1e-6)
call("uopStringDestroy", text, result=None)
call("uopExecutableDestroy", scale, result=None)

try:
    checked("uopModuleRunPipeline", module, b"uop-gpu-map{local=9:4}", result=ctypes.c_bool)
    raise AssertionError("expected an error")
except UopError as error:
    assert str(error).startswith("scale.mlir:2:1: error: "), error
call("uopModuleDestroy", module, result=None)
call("uopContextDestroy", context, result=None)
