# The lit configuration of Uop's tests.

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Uop"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.uop_obj_dir, "test")

config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%examples", os.path.join(config.uop_source_dir, "examples")))
config.substitutions.append(("%mlir_lib_dir", config.mlir_lib_dir))
config.substitutions.append(("%uop_src", config.uop_source_dir))
config.substitutions.append(("%uop_bin", config.uop_tools_dir))
config.substitutions.append(("%uop_lib", os.path.join(config.uop_obj_dir, "lib")))
config.substitutions.append(("%uop_obj", config.uop_obj_dir))

# A file goes through the printer and the parser in every form, and is the same
# afterwards as after one pass through the printer.
config.substitutions.append(
    (
        "%roundtrip",
        "uop-opt %s -o %t.once && "
        "uop-opt %t.once | diff %t.once - && "
        "uop-opt %s --mlir-print-op-generic | uop-opt | diff %t.once - && "
        "uop-opt %s --emit-bytecode | uop-opt | diff %t.once -",
    )
)

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "CUDA_HOME", "CUDA_PATH"])
tool_dirs = [config.uop_tools_dir, config.llvm_tools_dir]
llvm_config.add_tool_substitutions(
    [
        "uop-opt",
        ToolSubst("uop-translate", unresolved="ignore"),
        ToolSubst("uop-run", unresolved="ignore"),
        ToolSubst("uop-report", unresolved="ignore"),
        ToolSubst("uop-lsp-server", unresolved="ignore"),
        ToolSubst("uop-reduce", unresolved="ignore"),
        "FileCheck",
        "not",
        "count",
        "split-file",
        "mlir-opt",
        "mlir-runner",
        "llvm-nm",
    ],
    tool_dirs,
)
llvm_config.with_environment("PATH", os.pathsep.join(tool_dirs), append_path=True)

# `%emulate FILE | %run-main` runs the function @main of a module with gpu
# kernels on the CPU. Not in parallel: what a test prints stays in order.
runner_libs = ",".join(
    os.path.join(config.mlir_lib_dir, lib)
    for lib in ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so")
)
config.substitutions.append(
    ("%emulate", "uop-opt --uop-lower-to-cpu-pipeline=openmp=false")
)
config.substitutions.append(
    ("%run-main", "mlir-runner -e main -entry-point-result=void -shared-libs=" + runner_libs)
)

# The CUDA assembler: every PTX that a test makes goes through it.
# The script finds it where the set-up may have put it, too.
cuda_home = subprocess.run(
    [os.path.join(config.uop_source_dir, "scripts", "cuda-home.sh")],
    capture_output=True,
    text=True,
).stdout.strip()
if cuda_home:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", os.path.join(cuda_home, "bin", "ptxas")))
    config.environment["CUDA_HOME"] = cuda_home
# `%cmake -S ... -B ...` configures another project with what built this one.
config.substitutions.append(("%cmake", "cmake " + config.cmake_options))
config.substitutions.append(("%cc", config.c_compiler))
if os.geteuid() == 0:
    config.available_features.add("root")
if shutil.which("dpkg-shlibdeps"):
    config.available_features.add("dpkg")
# A browser, to look at pages with.
browser = shutil.which("chromium") or shutil.which("chromium-browser")
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%browser", browser))
# Kernels that wait for each other run on a thread each.
if len(os.sched_getaffinity(0)) >= 2:
    config.available_features.add("two-cores")
if config.uop_sanitizers:
    config.available_features.add("sanitizers")
try:
    subprocess.run(
        [config.python_executable, "-c", "import numpy"], check=True, capture_output=True
    )
    config.available_features.add("numpy")
except (OSError, subprocess.CalledProcessError):
    pass
try:
    subprocess.run(
        [config.python_executable, "-c", "import jsonschema"], check=True, capture_output=True
    )
    config.available_features.add("jsonschema")
except (OSError, subprocess.CalledProcessError):
    pass
