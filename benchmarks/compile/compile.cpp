//===- compile.cpp - Text of a kernel to PTX, beside NVRTC ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles kernels' text to PTX in one process, with one MLIRContext for all
// runs, and the same kernels in CUDA C++ with NVRTC, turn by turn.
//
//   uop-bench-compile [--runs=101] [--chip=80] kernel.mlir kernel.cu ...
//
// NVRTC is loaded from the CUDA toolkit when it is there; without it our own
// times alone are reported.
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"

#include "Uop/Conversion/Passes.h"
#include "Uop/IR/Uop.h"
#include "Uop/Target/DeviceCode.h"
#include "Uop/Target/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

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
    const char *options[] = {arch.c_str()};
    size_t size = 0;
    bool ok =
        create(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr) == 0 &&
        compileProgram(program, 1, options) == 0 &&
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

namespace cl = llvm::cl;
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("kernel.mlir kernel.cu ..."));
static cl::opt<unsigned> runs("runs", cl::init(101),
                              cl::desc("Rounds (default: 101)"));
static cl::opt<std::string>
    chip("chip", cl::init("80"),
         cl::desc("Number of the chip to compile for (default: 80)"));

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Text to PTX, beside NVRTC\n");
  if (files.size() % 2 != 0 || runs == 0) {
    llvm::errs() << "uop-bench-compile: error: expected pairs of a .mlir and a "
                    ".cu file, and at least one run\n";
    return 1;
  }

  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<uop::UopDialect>();
  uop::registerDeviceTargets(registry);
  MLIRContext context(registry);
  NVRTC nvrtc;
  bool hasNVRTC = nvrtc.load();
  if (!hasNVRTC)
    llvm::outs() << "NVRTC not found (set CUDA_HOME): no comparison\n";

  llvm::outs() << "Text to PTX for sm_" << chip << ", " << runs << " rounds\n";
  for (size_t i = 0; i < files.size(); i += 2) {
    std::string uopText = readFile(files[i]);
    std::string cudaText = readFile(files[i + 1]);
    std::string ptx;
    std::vector<uop::bench::Rival> rivals;
    if (hasNVRTC)
      rivals.push_back({"nvrtc", [&] {
                          return nvrtc.compile(
                              cudaText, "--gpu-architecture=compute_" + chip,
                              ptx);
                        }});
    rivals.push_back(
        {"uop",
         [&] { return compileWithUop(context, uopText, "sm_" + chip, ptx); }});
    if (!uop::bench::compete(rivals, runs))
      return 1;
    llvm::outs() << llvm::sys::path::filename(files[i]) << "\n";
    llvm::outs().flush();
    uop::bench::printTable(rivals);
    std::fflush(stdout);
  }
  return 0;
}
