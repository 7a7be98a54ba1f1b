// RUN: not uop-opt %s --uop-pipeline-shared=copy=both 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not uop-opt %s --uop-pipeline-shared=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not uop-opt %s --uop-pipeline-shared="copy=async chip=sm_75" 2>&1 | FileCheck %s --check-prefix=OLD

// COPY: pipeline-shared-invalid.mlir:[[#@LINE+3]]:1: error: expected copy auto, async or registers, but got 'both'
// CHIP: pipeline-shared-invalid.mlir:[[#@LINE+2]]:1: error: expected a chip of sm_75, {{.*}}, but got 'sm_1'
// OLD: pipeline-shared-invalid.mlir:[[#@LINE+1]]:1: error: expected sm_80 or later for copy=async, but got 'sm_75'; copy through registers, with copy=registers
uop.kernel loops @nothing(%x: memref<64xf32>) {
}
