// RUN: uop-opt %s --uop-vectorize-threads=width=3 --verify-diagnostics
// RUN: not uop-run %s --vector-width=12 2>&1 | FileCheck %s
// CHECK: error: --vector-width: expected a power of two up to 64, 1 for no vectors, or 0 for what suits this machine, but got 12

// expected-error@+1 {{expected 0 (the host's), 1 (none) or a power of two up to 64 as the number of threads in a vector, but got 3}}
module {
}
