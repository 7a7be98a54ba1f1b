// Options that do not say what to do.
// RUN: not uop-opt %s --uop-gpu-map="local=0" 2>&1 | FileCheck %s --check-prefix=NO-AMOUNT
// RUN: not uop-opt %s --uop-gpu-map="local=0:16,1:x" 2>&1 | FileCheck %s --check-prefix=NO-NUMBER
// RUN: not uop-opt %s --uop-gpu-map="upcast=0:0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uop-opt %s --uop-gpu-map="unroll=0:99999999999999999999" 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not uop-opt %s --uop-gpu-map="heuristic=fast" 2>&1 | FileCheck %s --check-prefix=HEURISTIC
// RUN: not uop-opt %s --uop-gpu-map="heuristic=basic local=0:4" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not uop-opt %s --uop-gpu-map="heuristic=basic merge-axes" 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: not uop-opt %s --uop-gpu-map="upcast-layout=row" 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not uop-opt %s --uop-gpu-map="min-blocks=-1" 2>&1 | FileCheck %s --check-prefix=MIN
// RUN: not uop-opt %s --uop-gpu-map="min-blocks=8" 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not uop-opt %s --uop-gpu-map --uop-gpu-map="heuristic=none" 2>&1 | FileCheck %s --check-prefix=MAPPED

// NO-AMOUNT: error: uop-gpu-map: expected local to be a list of axis:amount, with axes from 0 and amounts from 1, such as local=0:16,1:8, but got '0'
// NO-NUMBER: but got '1:x'
// ZERO:      expected upcast to be a list of axis:amount, {{.*}}, but got '0:0'
// HUGE:      expected unroll to be a list of axis:amount, {{.*}}, but got '0:99999999999999999999'
// HEURISTIC: error: uop-gpu-map: expected heuristic to be default, basic or none, but got 'fast'
// BOTH:      error: uop-gpu-map: expected either heuristic=basic or opts (local, upcast, unroll, ...), but got both
// MERGE:     error: uop-gpu-map: expected either heuristic=basic or merge-axes, but got both
// LAYOUT:    error: uop-gpu-map: expected upcast-layout to be gpu or cpu, but got 'row'
// MIN:       error: uop-gpu-map: expected min-blocks to be 0 or more, but got -1
// DYNAMIC:   error: cannot map @fill: a minimum number of blocks needs static extents, but output axis 0 is dynamic
// MAPPED:    error: cannot map @fill: it is mapped already; give uop-gpu-map the kernel as it was before, or no options
uop.kernel @fill(%n: index, %out: memref<?xi32>) {
  %i = uop.range loop %n
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<?xi32>
}
