// Lanes are paired in reductions: a subgroup has a power of two of threads.
// RUN: not uop-opt %s --uop-emulate-gpu=subgroup-size=24 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not uop-opt %s --uop-emulate-gpu=subgroup-size=0 2>&1 | FileCheck %s --check-prefix=ZERO

// ODD: error: expected a subgroup size that is a power of two, but got 24
// ZERO: error: expected a subgroup size that is a power of two, but got 0
module {
}
