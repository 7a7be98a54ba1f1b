// What --compare finds equal. A mismatch is exit status 1, and one line.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; \
// RUN:   save = lambda n, *v: np.save('%t/' + n + '.npy', np.array([v], np.float32)); \
// RUN:   save('a', 1, 2, 0, 100); save('near', 1, 2.25, -0., 101); \
// RUN:   save('nan', 1, np.nan, 0, 100); save('inf', 1, 2, np.inf, 100)"

// -0 equals +0. The first mismatch is named, with the largest errors.
// RUN: not uop-run %s %t/a.npy --compare 0=%t/near.npy 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: uop-run: error: argument #0 differs from '{{.*}}near.npy' in 2 of 4 elements, first at [0, 1]: expected 2.25, but got 2 (max abs error 1, max rel error 0.111111)

// The tolerance is atol + rtol * |expected|.
// RUN: uop-run %s %t/a.npy --compare 0=%t/near.npy --tolerance=1 | FileCheck %s --check-prefix=WITHIN
// WITHIN: equal: argument #0 and '{{.*}}near.npy', 4 elements (max abs error 1, max rel error 0.111111)
// RUN: uop-run %s %t/a.npy --compare 0=%t/near.npy --tolerance=0,0.12
// RUN: uop-run %s %t/a.npy --compare 0=%t/near.npy --tolerance=0.05,0.1
// RUN: not uop-run %s %t/a.npy --compare 0=%t/near.npy --tolerance=0.5

// A NaN on one side only is a mismatch, whatever the tolerance; on both sides
// it is none.
// RUN: uop-run %s %t/nan.npy --compare 0=%t/nan.npy
// RUN: not uop-run %s %t/nan.npy --compare 0=%t/a.npy --tolerance=1e9,1e9 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAN
// RUN: not uop-run %s %t/a.npy --compare 0=%t/nan.npy --tolerance=1e9,1e9
// NAN: in 1 of 4 elements, first at [0, 1]: expected 2, but got NaN (max abs error 0, max rel error 0, NaN on one side only in 1)

// An infinity equals itself only.
// RUN: uop-run %s %t/inf.npy --compare 0=%t/inf.npy
// RUN: not uop-run %s %t/a.npy --compare 0=%t/inf.npy --tolerance=1e9,1e9
// RUN: not uop-run %s %t/inf.npy --compare 0=%t/a.npy --tolerance=1e9,1e9

// All comparisons are made, and what is saved is saved first.
// RUN: not uop-run %s %t/a.npy --compare 0=%t/nan.npy --compare 0=%t/a.npy \
// RUN:   --save 0=%t/out.npy 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH-DAG: differs from '{{.*}}nan.npy'
// BOTH-DAG: equal: argument #0 and '{{.*}}a.npy'
// RUN: cmp %t/a.npy %t/out.npy

// The reference is read before anything runs; its type and shape are those of
// the argument.
// RUN: %python -c "import numpy as np; np.save('%t/f8.npy', np.zeros((1, 4))); \
// RUN:   np.save('%t/wide.npy', np.zeros((2, 4), np.float32))"
// RUN: not uop-run %s %t/a.npy --compare 0=%t/f8.npy --save 0=%t/not.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not uop-run %s %t/a.npy --compare 0=%t/wide.npy --save 0=%t/not.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not uop-run %s %t/a.npy --compare 0=%t/none.npy --save 0=%t/not.npy 2>&1 | FileCheck %s --check-prefix=NONE
// DTYPE: error: cannot compare argument #0: expected float32, but '{{.*}}f8.npy' holds float64
// SHAPE: error: cannot compare argument #0: expected shape (1, 4), but '{{.*}}wide.npy' has shape (2, 4)
// NONE: error: cannot read '{{.*}}none.npy': {{[Nn]}}o such file or directory
// RUN: not ls %t/not.npy

func.func @main(%a: memref<1x4xf32>) {
  return
}
