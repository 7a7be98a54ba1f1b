//===- compile.cpp - Text of a kernel to PTX, beside NVRTC ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a kernel's text to PTX in one process, with one MLIRContext for all
// runs, and the same kernel in CUDA C++ with NVRTC, turn by turn, and reports
// the two medians and their ratio.
//
//   uop-bench-compile kernel.mlir kernel.cu [runs] [chip number]
//
// NVRTC is loaded from the CUDA toolkit when it is there; without it the first
// number alone is reported.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "Uop/IR/Uop.h"
#include "Uop/Target/DeviceCode.h"
#include "Uop/Target/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;

/// Milliseconds that `work` takes.
static double measure(llvm::function_ref<bool()> work) {
  auto start = std::chrono::steady_clock::now();
  if (!work()) {
    llvm::errs() << "uop-bench-compile: error: a compilation failed\n";
    exit(1);
  }
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  return time.count();
}

static double median(std::vector<double> times) {
  llvm::sort(times);
  return times[times.size() / 2];
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    llvm::errs() << "uop-bench-compile: error: cannot read " << path << ": "
                 << buffer.getError().message() << "\n";
    exit(1);
  }
  return (*buffer)->getBuffer().str();
}

static bool compileWithUop(MLIRContext &context, StringRef text, StringRef chip,
                           std::string &ptx) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return false;
  uop::ConvertToNVVMOptions options;
  options.chip = chip.str();
  PassManager pm(&context);
  pm.addPass(uop::createConvertToNVVM(options));
  if (failed(pm.run(*module)))
    return false;
  FailureOr<uop::DeviceCode> code = uop::compileDeviceCode(
      llvm::to_vector(module->getOps<gpu::GPUModuleOp>()));
  if (failed(code))
    return false;
  ptx = std::move(code->code);
  return true;
}

namespace {

/// The five functions of NVRTC that are needed, by the names of its manual.
class NVRTC {
public:
  bool load() {
    SmallVector<std::string> names;
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
      if (auto root = llvm::sys::Process::GetEnv(variable))
        for (const char *folder : {"/lib64", "/lib"})
          for (const char *name :
               {"/libnvrtc.so", "/libnvrtc.so.13", "/libnvrtc.so.12"})
            names.push_back(*root + folder + name);
    names.push_back("/usr/local/cuda/lib64/libnvrtc.so");
    names.push_back("libnvrtc.so");
    for (const std::string &name : names) {
      library = llvm::sys::DynamicLibrary::getPermanentLibrary(name.c_str());
      if (library.isValid())
        return find(create, "nvrtcCreateProgram") &&
               find(compileProgram, "nvrtcCompileProgram") &&
               find(getSize, "nvrtcGetPTXSize") && find(get, "nvrtcGetPTX") &&
               find(destroy, "nvrtcDestroyProgram");
    }
    return false;
  }

  bool compile(const std::string &text, const std::string &arch,
               std::string &ptx) {
    void *program = nullptr;
    // Two roundings, as the kernel on the other side has them.
    const char *options[] = {arch.c_str(), "--fmad=false"};
    size_t size = 0;
    bool ok =
        create(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr) == 0 &&
        compileProgram(program, 2, options) == 0 &&
        getSize(program, &size) == 0;
    if (ok) {
      ptx.resize(size);
      ok = get(program, ptx.data()) == 0;
    }
    destroy(&program);
    return ok;
  }

private:
  template <typename Function> bool find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(library.getAddressOfSymbol(name));
    return function != nullptr;
  }

  llvm::sys::DynamicLibrary library;
  int (*create)(void **, const char *, const char *, int, const char **,
                const char **) = nullptr;
  int (*compileProgram)(void *, int, const char *const *) = nullptr;
  int (*getSize)(void *, size_t *) = nullptr;
  int (*get)(void *, char *) = nullptr;
  int (*destroy)(void **) = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    llvm::errs() << "usage: uop-bench-compile kernel.mlir kernel.cu [runs] "
                    "[chip number]\n";
    return 1;
  }
  std::string uopText = readFile(argv[1]), cudaText = readFile(argv[2]);
  unsigned runs = 100;
  if (argc > 3 && (StringRef(argv[3]).getAsInteger(10, runs) || runs == 0)) {
    llvm::errs() << "uop-bench-compile: error: expected a number of runs, but "
                    "got '"
                 << argv[3] << "'\n";
    return 1;
  }
  std::string number = argc > 4 ? argv[4] : "80";

  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<uop::UopDialect>();
  uop::registerDeviceTargets(registry);
  MLIRContext context(registry);
  std::string ptx;
  auto runUop = [&] {
    return compileWithUop(context, uopText, "sm_" + number, ptx);
  };
  NVRTC nvrtc;
  bool hasNVRTC = nvrtc.load();
  auto runNVRTC = [&] {
    return nvrtc.compile(cudaText, "--gpu-architecture=compute_" + number, ptx);
  };

  // The first run of each loads dialects and libraries.
  double firstUop = measure(runUop);
  double firstNVRTC = hasNVRTC ? measure(runNVRTC) : 0;
  std::vector<double> uopTimes, nvrtcTimes;
  for (unsigned run = 0; run < runs; ++run) {
    uopTimes.push_back(measure(runUop));
    if (hasNVRTC)
      nvrtcTimes.push_back(measure(runNVRTC));
  }
  llvm::outs() << "text to PTX, median of " << runs << " runs (first run):\n"
               << llvm::format("  uop   %8.2f ms (%.2f ms)\n", median(uopTimes),
                               firstUop);
  if (!hasNVRTC) {
    llvm::outs() << "  nvrtc not found: set CUDA_HOME\n";
    return 0;
  }
  llvm::outs() << llvm::format("  nvrtc %8.2f ms (%.2f ms)\n",
                               median(nvrtcTimes), firstNVRTC)
               << llvm::format("  ratio %8.2f\n",
                               median(uopTimes) / median(nvrtcTimes));
  return 0;
}
