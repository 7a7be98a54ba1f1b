// RUN: consumer-run %s quadratic 5 | FileCheck %s
// RUN: consumer-run %s quadratic 1 | FileCheck %s --check-prefix=ONE
// RUN: consumer-run %s quadratic 131 | FileCheck %s --check-prefix=MANY
// RUN: not consumer-run %s missing 5 2>&1 | FileCheck %s --check-prefix=MISSING

// 1 + 2x + 3x^2 at 0 to 4; at one point; and at 131 points, of whose two blocks
// the second has the last three.

// CHECK:      1.000000e+00
// CHECK-NEXT: 6.000000e+00
// CHECK-NEXT: 1.700000e+01
// CHECK-NEXT: 3.400000e+01
// CHECK-NEXT: 5.700000e+01
// CHECK-NOT:  {{.}}

// ONE:     1.000000e+00
// ONE-NOT: {{.}}

// MANY:      4.940900e+04
// MANY-NEXT: 5.018200e+04
// MANY-NEXT: 5.096100e+04
// MANY-NOT:  {{.}}

// MISSING: error: {{.*}}missing
func.func @quadratic(%x: memref<?xf32>, %y: memref<?xf32>) {
  poly.eval [1.0, 2.0, 3.0] of %x into %y : memref<?xf32>
  return
}
