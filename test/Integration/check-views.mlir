// Arguments of kernels that are views of the host's buffers.

// Two views that overlap are known to: element 4 of one is element 0 of the
// other.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_overlap iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=OVERLAP
// OVERLAP: race global same-block x4 memref.load memref.store %b[28] (28, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// OVERLAP-NEXT: race global same-warp x56 memref.load memref.store %b[0] (0, 0, 0)/(0, 0, 0) (4, 0, 0)/(0, 0, 0)
// OVERLAP-NOT: {{.}}

// Views of even and of odd elements do not, though one begins before the other
// ends. Nor do halves.
// RUN: uop-run %s -e run_combs iota --check 2>&1 | count 0
// RUN: uop-run %s -e run_halves iota --check 2>&1 | count 0

// The buffer goes on behind a view; the kernel was given the view.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_outside iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=OUTSIDE
// RUN: not uop-run %s -e run_outside iota --check --save=%t.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE-TEXT
// OUTSIDE: out-of-bounds x32 memref.store %a[32] (32, 0, 0)/(0, 0, 0)
// OUTSIDE-TEXT: writes %a[32], but the view that the kernel was given is of size [32], in a buffer that goes on
// RUN: not uop-run %s -e run_last iota --check 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LAST
// LAST: writes %a[32], but the view that the kernel was given is of size [32]{{$}}

// A view that is larger than its buffer is nothing to go by, before the buffer
// or behind it; what is outside is not accessed.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_larger iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=LARGER
// LARGER: out-of-bounds x4 memref.store %a[60] (60, 0, 0)/(0, 0, 0)
// LARGER-NOT: {{.}}
// RUN: not uop-run %s -e run_larger iota --check 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGER-TEXT
// LARGER-TEXT: writes %a[60], but the view of the buffer is larger than the buffer
// RUN: %python %S/Inputs/check.py uop-run %s -e run_before iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=BEFORE
// BEFORE: out-of-bounds x8 memref.store %a[0] (0, 0, 0)/(0, 0, 0)
// BEFORE-NOT: {{.}}

// So is a view in the kernel of such a view, and one of bytes.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_inner iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=INNER
// INNER: out-of-bounds x8 memref.store %v[52] (52, 0, 0)/(0, 0, 0)
// INNER-NOT: {{.}}
// RUN: %python %S/Inputs/check.py uop-run %s -e run_bytes iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=BYTES
// BYTES: out-of-bounds x2 memref.store %a[62] (62, 0, 0)/(0, 0, 0)
// BYTES-NOT: {{.}}

// One that is used only as far as the buffer goes is no fault.
// RUN: uop-run %s -e run_unused iota --check 2>&1 | count 0

!view = memref<64xf32, strided<[1], offset: ?>>
!half = memref<32xf32, strided<[1], offset: ?>>
!comb = memref<64xf32, strided<[2], offset: ?>>
!any = memref<?xf32, strided<[1], offset: ?>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @shift(%a: !view, %b: !view) kernel {
    %t = gpu.thread_id x
    %v = memref.load %b[%t] : !view
    memref.store %v, %a[%t] : !view
    gpu.return
  }
  gpu.func @comb(%a: !comb, %b: !comb) kernel {
    %t = gpu.thread_id x
    %v = memref.load %b[%t] : !comb
    memref.store %v, %a[%t] : !comb
    gpu.return
  }
  gpu.func @half(%a: !half) kernel {
    %t = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%t] : !half
    gpu.return
  }
  gpu.func @any(%a: !any) kernel {
    %t = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%t] : !any
    gpu.return
  }
  gpu.func @inner(%a: !any) kernel {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %n = arith.constant 60 : index
    %w = arith.constant 1.0 : f32
    %v = memref.subview %a[%c8] [%n] [1] : !any to !any
    memref.store %w, %v[%t] : !any
    gpu.return
  }
}

func.func @run_overlap(%x: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %a = memref.subview %x[%c8] [64] [1] : memref<128xf32> to !view
  %b = memref.subview %x[%c12] [64] [1] : memref<128xf32> to !view
  gpu.launch_func @kernels::@shift blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !view, %b : !view)
  return
}

func.func @run_halves(%x: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %a = memref.subview %x[%c0] [64] [1] : memref<128xf32> to !view
  %b = memref.subview %x[%n] [64] [1] : memref<128xf32> to !view
  gpu.launch_func @kernels::@shift blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !view, %b : !view)
  return
}

func.func @run_combs(%x: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %a = memref.subview %x[%c0] [64] [2] : memref<128xf32> to !comb
  %b = memref.subview %x[%c1] [64] [2] : memref<128xf32> to !comb
  gpu.launch_func @kernels::@comb blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !comb, %b : !comb)
  return
}

func.func @run_outside(%x: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %a = memref.subview %x[%c8] [32] [1] : memref<128xf32> to !half
  gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !half)
  return
}

func.func @run_last(%x: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %a = memref.subview %x[%c96] [32] [1] : memref<128xf32> to !half
  gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !half)
  return
}

func.func @run_larger(%x: memref<60xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %size = arith.constant 100 : index
  %a = memref.reinterpret_cast %x to offset: [%c0], sizes: [%size], strides: [1]
      : memref<60xf32> to !any
  gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !any)
  return
}

func.func @run_before(%x: memref<60xf32>) {
  %start = arith.constant -8 : index
  call @before(%x, %start) : (memref<60xf32>, index) -> ()
  return
}
func.func @before(%x: memref<60xf32>, %start: index) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %a = memref.reinterpret_cast %x to offset: [%start], sizes: [%n], strides: [1]
      : memref<60xf32> to !any
  gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !any)
  return
}

func.func @run_inner(%x: memref<60xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 60 : index
  %size = arith.constant 100 : index
  %a = memref.reinterpret_cast %x to offset: [%c0], sizes: [%size], strides: [1]
      : memref<60xf32> to !any
  gpu.launch_func @kernels::@inner blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !any)
  return
}

// 250 bytes have room for 62 elements.
func.func @run_bytes(%x: memref<250xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %v = memref.view %x[%c0][%n] : memref<250xi8> to memref<?xf32>
  %a = memref.cast %v : memref<?xf32> to !any
  gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : !any)
  return
}

func.func @run_unused(%x: memref<60xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %size = arith.constant 100 : index
  %a = memref.reinterpret_cast %x to offset: [%c0], sizes: [%size], strides: [1]
      : memref<60xf32> to !any
  gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%c60, %c1, %c1)
      args(%a : !any)
  return
}

}
