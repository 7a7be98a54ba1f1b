//===- OpenCL.cpp - Kernels through an OpenCL driver ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenCL.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace uop::bench;

// Values of OpenCL's headers.
static constexpr uint32_t platformName = 0x0902, deviceName = 0x102B,
                          driverVersion = 0x102D, buildLog = 0x1183;
static constexpr uint64_t cpuDevice = 1 << 1, readOnly = 1 << 2,
                          useHostMemory = 1 << 3, mapForReading = 1 << 0;

bool OpenCL::find() {
  for (const char *name : {"libOpenCL.so.1", "libOpenCL.so"}) {
    library = llvm::sys::DynamicLibrary::getPermanentLibrary(name);
    if (library.isValid())
      break;
  }
  if (!library.isValid())
    return false;
  auto get = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        library.getAddressOfSymbol(name));
    return function != nullptr;
  };
  return get(getPlatformIDs, "clGetPlatformIDs") &&
         get(getPlatformInfo, "clGetPlatformInfo") &&
         get(getDeviceIDs, "clGetDeviceIDs") &&
         get(getDeviceInfo, "clGetDeviceInfo") &&
         get(createContext, "clCreateContext") &&
         get(createCommandQueue, "clCreateCommandQueue") &&
         get(createProgram, "clCreateProgramWithSource") &&
         get(buildProgram, "clBuildProgram") &&
         get(getBuildInfo, "clGetProgramBuildInfo") &&
         get(createKernel, "clCreateKernel") &&
         get(createBuffer, "clCreateBuffer") &&
         get(setKernelArg, "clSetKernelArg") &&
         get(enqueueKernel, "clEnqueueNDRangeKernel") &&
         get(enqueueMap, "clEnqueueMapBuffer") &&
         get(enqueueUnmap, "clEnqueueUnmapMemObject") &&
         get(finish, "clFinish") && get(releaseBuffer, "clReleaseMemObject");
}

bool OpenCL::open() {
  void *platforms[16];
  uint32_t count = 0;
  if (getPlatformIDs(16, platforms, &count) != 0)
    return false;
  for (uint32_t i = 0; i < std::min<uint32_t>(count, 16); ++i) {
    char name[256] = "", version[256] = "";
    getPlatformInfo(platforms[i], platformName, sizeof name, name, nullptr);
    if (!llvm::StringRef(name).contains("Portable Computing Language") ||
        getDeviceIDs(platforms[i], cpuDevice, 1, &device, nullptr) != 0)
      continue;
    getDeviceInfo(device, deviceName, sizeof name, name, nullptr);
    getDeviceInfo(device, driverVersion, sizeof version, version, nullptr);
    description = std::string("PoCL ") + version + ", " + name;
    int32_t error = 0;
    context = createContext(nullptr, 1, &device, nullptr, nullptr, &error);
    queue = context ? createCommandQueue(context, device, 0, &error) : nullptr;
    return queue != nullptr;
  }
  return false;
}

bool OpenCL::load() {
  if (!find()) {
    description = "OpenCL not found (Debian: ocl-icd-libopencl1 and "
                  "pocl-opencl-icd): no comparison with PoCL";
    return false;
  }
  if (open())
    return true;
  description = "OpenCL has no driver PoCL (Debian: pocl-opencl-icd): no "
                "comparison with it";
  return false;
}

bool OpenCL::build(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "uop-bench-emulator: error: cannot read '" << path
                 << "': " << buffer.getError().message() << "\n";
    return false;
  }
  const char *text = (*buffer)->getBufferStart();
  size_t length = (*buffer)->getBufferSize();
  int32_t error = 0;
  program = createProgram(context, 1, &text, &length, &error);
  if (program &&
      buildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr) == 0)
    return true;
  std::vector<char> log(1 << 16, 0);
  if (program)
    getBuildInfo(program, device, buildLog, log.size() - 1, log.data(),
                 nullptr);
  llvm::errs() << "uop-bench-emulator: error: PoCL cannot compile '" << path
               << "'\n"
               << log.data() << "\n";
  return false;
}

void *OpenCL::getKernel(const char *name) {
  int32_t error = 0;
  return createKernel(program, name, &error);
}

bool OpenCL::multiply(void *kernel, int n, int tile, const float *A,
                      const float *B, float *C) {
  size_t bytes = sizeof(float) * n * n;
  int32_t error = 0;
  void *buffers[3];
  const float *memory[3] = {A, B, C};
  bool ok = setKernelArg(kernel, 0, sizeof n, &n) == 0;
  for (unsigned i = 0; i < 3; ++i) {
    buffers[i] = createBuffer(context, useHostMemory | (i < 2 ? readOnly : 0),
                              bytes, const_cast<float *>(memory[i]), &error);
    ok &= buffers[i] &&
          setKernelArg(kernel, i + 1, sizeof buffers[i], &buffers[i]) == 0;
  }
  size_t groups = n / tile;
  size_t local[2] = {16, 16}, global[2] = {16 * groups, 16 * groups};
  ok = ok && enqueueKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr,
                           nullptr) == 0;
  // What the host sees: on a CPU no copy.
  void *mapped =
      ok ? enqueueMap(queue, buffers[2], /*blocking=*/1, mapForReading, 0,
                      bytes, 0, nullptr, nullptr, &error)
         : nullptr;
  if (mapped)
    enqueueUnmap(queue, buffers[2], mapped, 0, nullptr, nullptr);
  ok = ok && mapped && finish(queue) == 0;
  for (void *buffer : buffers)
    if (buffer)
      releaseBuffer(buffer);
  return ok;
}
