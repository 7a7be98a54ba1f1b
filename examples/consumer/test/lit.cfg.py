import os

import lit.formats
from lit.llvm import llvm_config

config.name = "Consumer"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.consumer_obj_dir
llvm_config.with_system_environment(["CUDA_HOME", "CUDA_PATH"])
llvm_config.add_tool_substitutions(
    ["consumer-opt", "consumer-run", "uop-translate", "FileCheck", "not"],
    [config.consumer_tools_dir, config.uop_tools_dir, config.llvm_tools_dir],
)
