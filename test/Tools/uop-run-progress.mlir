// A terminal shows how far a long run is, and nothing of it is left at the end.
// The delay makes every run a long one, or none.

// RUN: %python %S/Inputs/terminal.py uop-run %s -e right iota --check --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=CHECK-RIGHT
// CHECK-RIGHT: shown: check
// CHECK-RIGHT-NEXT: status: 0

// What is found is reported on lines of its own.
// RUN: %python %S/Inputs/terminal.py uop-run %s -e wrong iota --check --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=CHECK-WRONG
// CHECK-WRONG: shown: check
// CHECK-WRONG-NEXT: screen: {{[^ ]+}}.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}out of bounds (1 access){{.*}}
// CHECK-WRONG: status: 3

// So is what is wrong with the program.
// RUN: %python %S/Inputs/terminal.py uop-run %s -e unknown iota --check --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=CHECK-UNKNOWN
// CHECK-UNKNOWN: shown: check
// CHECK-UNKNOWN-NEXT: screen: {{[^ ]+}}.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}
// CHECK-UNKNOWN: status: 1

// A run that ends at the limit of steps.
// RUN: %python %S/Inputs/terminal.py uop-run %s -e endless iota --check --step-limit=1000 --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=CHECK-LIMIT
// CHECK-LIMIT: shown: check
// CHECK-LIMIT-NEXT: screen: {{[^ ]+}}.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}step limit{{.*}}
// CHECK-LIMIT: status: 3

// RUN: %python %S/Inputs/terminal.py uop-run %s -e graph iota --reference --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=REFERENCE
// REFERENCE: shown: reference
// REFERENCE-NEXT: status: 0

// RUN: %python %S/Inputs/terminal.py uop-run %s -e outside iota --reference --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=REFERENCE-WRONG
// REFERENCE-WRONG: shown: reference
// REFERENCE-WRONG-NEXT: screen: {{[^ ]+}}.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}
// REFERENCE-WRONG: status: 1

// Short runs show nothing.
// RUN: %python %S/Inputs/terminal.py uop-run %s -e right iota --check --progress-delay=1000000000 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SHORT
// RUN: %python %S/Inputs/terminal.py uop-run %s -e graph iota --reference --progress-delay=1000000000 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SHORT
// SHORT-NOT: shown:
// SHORT: status: 0
// RUN: uop-run --help-hidden | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: --progress-delay=<ms>
// DEFAULT-SAME: (default: 2000)

// Nor does what is no terminal, nor a run that is not asked to check.
// RUN: uop-run %s -e right iota --check --progress-delay=0 2>&1 | count 0
// RUN: uop-run %s -e graph iota --reference --progress-delay=0 2>&1 | count 0
// RUN: %python %S/Inputs/terminal.py uop-run %s -e right iota --progress-delay=0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SHORT

module attributes {gpu.container_module} {

uop.kernel @graph(%x: memref<64xf32>) {
  %i = uop.range loop 64
  %v = uop.load %x[%i] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %x[%i] : memref<64xf32>
}

uop.kernel @outside(%x: memref<64xf32>) {
  %i = uop.range loop 64
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %v = arith.constant 1.0 : f32
  uop.store %v, %x[%j] over(%i) : memref<64xf32>
}

gpu.module @kernels {
  gpu.func @right(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @wrong(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %x[%i] : memref<64xf32>
    gpu.return
  }
  gpu.func @unknown(%x: memref<64xf32>) kernel {
    nvvm.cluster.arrive
    gpu.return
  }
  gpu.func @endless(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    scf.while : () -> () {
      %v = memref.load %x[%t] : memref<64xf32>
      %more = arith.cmpf oge, %v, %zero : f32
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return
  }
}

func.func @right(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@right blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<64xf32>)
  return
}
func.func @wrong(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@wrong blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<64xf32>)
  return
}
func.func @endless(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@endless blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<64xf32>)
  return
}
func.func @unknown(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@unknown blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<64xf32>)
  return
}

}
