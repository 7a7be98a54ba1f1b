// The choices of heuristic=basic.
// RUN: uop-opt %s --uop-gpu-map=heuristic=basic | FileCheck %s
// Folding ranges of extent 1 before changes nothing.
// RUN: uop-opt %s --canonicalize --uop-gpu-map=heuristic=basic | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map=heuristic=basic --uop-print-launch -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAUNCH

// With one axis, up to 256 threads.
// CHECK-LABEL: @fill_1024
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:256]>
// LAUNCH:      @fill_1024: grid (4,1,1), block (256,1,1), 1024 threads, 32 warps, 100 % useful lanes
uop.kernel @fill_1024(%out: memref<1024xi32>) {
  %i = uop.range loop 1024
  %v = arith.index_cast %i : index to i32
  uop.store %v, %out[%i] : memref<1024xi32>
}

// CHECK-LABEL: @fill_4096
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:256]>
// LAUNCH:      @fill_4096: grid (16,1,1), block (256,1,1)
uop.kernel @fill_4096(%out: memref<4096xi32>) {
  %i = uop.range loop 4096
  %v = arith.index_cast %i : index to i32
  uop.store %v, %out[%i] : memref<4096xi32>
}

// With several, up to 16 on each.
// CHECK-LABEL: @fill_64x64
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16]>
// LAUNCH:      @fill_64x64: grid (4,4,1), block (16,16,1)
uop.kernel @fill_64x64(%out: memref<64x64xi32>) {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %v = arith.index_cast %i : index to i32
  uop.store %v, %out[%i, %j] over(%i, %j) : memref<64x64xi32>
}

// 4 is the largest power of two that divides 100, and 3 is odd.
// CHECK-LABEL: @fill_3x100
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 1:4]>
// LAUNCH:      @fill_3x100: grid (25,3,1), block (4,1,1), 300 threads, 75 warps, 12.5 % useful lanes
uop.kernel @fill_3x100(%out: memref<3x100xi32>) {
  %i = uop.range loop 3
  %j = uop.range loop 100
  %v = arith.index_cast %i : index to i32
  uop.store %v, %out[%i, %j] over(%i, %j) : memref<3x100xi32>
}

// 256 threads are reached before the first axis.
// CHECK-LABEL: @fill_8x64x64
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 1:16, LOCAL 2:16]>
// LAUNCH:      @fill_8x64x64: grid (4,4,8), block (16,16,1)
uop.kernel @fill_8x64x64(%out: memref<8x64x64xi32>) {
  %i = uop.range loop 8
  %j = uop.range loop 64
  %k = uop.range loop 64
  %v = arith.index_cast %i : index to i32
  uop.store %v, %out[%i, %j, %k] over(%i, %j, %k) : memref<8x64x64xi32>
}

// Axes of size 1 do not count, but have a number.
// CHECK-LABEL: @fill_1x4096
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 1:256]>
// LAUNCH:      @fill_1x4096: grid (16,1,1), block (256,1,1)
uop.kernel @fill_1x4096(%out: memref<1x4096xi32>) {
  %i = uop.range loop 1
  %j = uop.range loop 4096
  %v = arith.index_cast %j : index to i32
  uop.store %v, %out[%i, %j] : memref<1x4096xi32>
}

// A kernel that reduces upcasts even axes from 32 on: 48 / 2 = 24 = 3 * 8.
// CHECK-LABEL: @product_48x48
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:8, LOCAL 1:8, UPCAST 0:2, UPCAST 1:2]>
// LAUNCH:      @product_48x48: grid (3,3,1), block (8,8,1)
uop.kernel @product_48x48(%a: memref<48x5xi32>, %b: memref<5x48xi32>,
                          %c: memref<48x48xi32>) {
  %i = uop.range loop 48
  %j = uop.range loop 48
  %k = uop.range reduce 5
  %x = uop.load %a[%i, %k] : memref<48x5xi32>
  %y = uop.load %b[%k, %j] : memref<5x48xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<48x48xi32>
}

// 34 / 2 = 17 is odd: no threads.
// CHECK-LABEL: @product_34x34
// CHECK-SAME:    schedule = #uop.schedule<[UPCAST 0:2, UPCAST 1:2]>
// LAUNCH:      @product_34x34: grid (17,17,1), block (1,1,1)
uop.kernel @product_34x34(%a: memref<34x5xi32>, %b: memref<5x34xi32>,
                          %c: memref<34x34xi32>) {
  %i = uop.range loop 34
  %j = uop.range loop 34
  %k = uop.range reduce 5
  %x = uop.load %a[%i, %k] : memref<34x5xi32>
  %y = uop.load %b[%k, %j] : memref<5x34xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<34x34xi32>
}

// 30 is below 32, and 33 is odd: no upcast.
// CHECK-LABEL: @product_30x33
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:2]>
uop.kernel @product_30x33(%a: memref<30x5xi32>, %b: memref<5x33xi32>,
                          %c: memref<30x33xi32>) {
  %i = uop.range loop 30
  %j = uop.range loop 33
  %k = uop.range reduce 5
  %x = uop.load %a[%i, %k] : memref<30x5xi32>
  %y = uop.load %b[%k, %j] : memref<5x33xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<30x33xi32>
}
