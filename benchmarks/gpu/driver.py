#===- driver.py - Loads and launches kernels through the CUDA driver --------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# The few functions of libcuda that a launch takes, by ctypes. Kernels run in the
# context that is current, which PyTorch made. `Loaded` is all that is above them,
# and can be tested anywhere with another object in the place of the driver.
#
#===-------------------------------------------------------------------------===#

import ctypes

CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
CU_JIT_ERROR_LOG_BUFFER = 5
CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
LOG_BYTES = 16384


class Unavailable(Exception):
    """Why there is no device to run on."""


class DriverError(Exception):
    """A call of the driver failed."""


class Driver:
    """libcuda. Raises Unavailable where there is none, or no device."""

    def __init__(self, library="libcuda.so.1", load=ctypes.CDLL):
        try:
            self.cuda = load(library)
        except OSError as error:
            raise Unavailable(f"no CUDA driver ({error})") from None
        status = self.cuda.cuInit(0)
        if status:
            raise Unavailable(f"the CUDA driver finds no device ({self._describe(status)})")
        count = ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        if not count.value:
            raise Unavailable("the CUDA driver finds no device")

    def _describe(self, status):
        name = ctypes.c_char_p()
        self.cuda.cuGetErrorName(status, ctypes.byref(name))
        return name.value.decode() if name.value else f"status {status}"

    def _call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise DriverError(f"{name}: {self._describe(status)}")

    def load(self, code):
        """A module of PTX or of a cubin, with what the compiler says against it."""
        log = ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(
            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
        )
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        module = ctypes.c_void_p()
        # PTX is a text that ends in 0.
        image = ctypes.create_string_buffer(code)
        try:
            self._call(
                "cuModuleLoadDataEx", ctypes.byref(module), image, 2, options, values
            )
        except DriverError as error:
            text = log.value.decode(errors="replace").strip()
            raise DriverError(f"{error}\n{text}" if text else str(error)) from None
        return module

    def get_function(self, module, name):
        function = ctypes.c_void_p()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def allow_dynamic_shared(self, function, number):
        self._call(
            "cuFuncSetAttribute",
            function,
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            ctypes.c_int(number),
        )

    def prepare(self, parameters):
        """The bytes of parameters in the form that launches take."""
        buffers = [ctypes.create_string_buffer(p, len(p)) for p in parameters]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(
            *(ctypes.addressof(buffer) for buffer in buffers)
        )
        return pointers, buffers  # The pointers alone do not keep the buffers.

    def launch(self, function, grid, block, dynamic_shared_bytes, stream, prepared):
        pointers, _ = prepared
        self._call(
            "cuLaunchKernel",
            function,
            *(ctypes.c_uint(number) for number in (*grid, *block, dynamic_shared_bytes)),
            ctypes.c_void_p(stream),
            pointers,
            None,
        )


class Loaded:
    """The kernels of a manifest on a device."""

    def __init__(self, driver, manifest):
        self.driver = driver
        self.manifest = manifest
        self.module = driver.load(manifest.read_code())
        self.functions = {}

    def bind(self, name, arguments):
        """A function of a stream that launches a kernel on these arguments. The
        arguments are checked here, once."""
        launch = self.manifest.kernels[name].bind(arguments)
        if name not in self.functions:
            self.functions[name] = self.driver.get_function(self.module, name)
        function = self.functions[name]
        if launch.is_empty:
            return lambda stream: None
        if launch.needs_attribute:
            self.driver.allow_dynamic_shared(function, launch.dynamic_shared_bytes)
        prepared = self.driver.prepare(launch.parameters)
        return lambda stream: self.driver.launch(
            function, launch.grid, launch.block, launch.dynamic_shared_bytes, stream, prepared
        )
