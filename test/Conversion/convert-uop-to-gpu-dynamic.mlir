// Memrefs of dynamic shape or layout: the host takes them apart, the device
// gets bare pointers and numbers, and puts them together.
// RUN: uop-opt %s --convert-uop-to-gpu --split-input-file | FileCheck %s

// A pointer and a size for each. What is known of the pointers stays. The
// dimension that the kernel asks for is the size that it is given, on either
// side; the type of the kernel's arguments is kept for a launcher.
// CHECK-LABEL: gpu.func @scale(
// CHECK-SAME:    %[[X:[^:]*]]: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:    %[[XN:[^:]*]]: index,
// CHECK-SAME:    %[[F:[^:]*]]: f32,
// CHECK-SAME:    %[[Y:[^:]*]]: memref<f32> {llvm.align = 4 : i64, llvm.noalias},
// CHECK-SAME:    %[[YN:[^:]*]]: index) kernel
// CHECK-SAME:    uop.signature = (memref<?xf32>, f32, memref<?xf32>) -> ()
// CHECK-NEXT:    %[[IN:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[XN]]], strides: [1] : memref<f32> to memref<?xf32>
// CHECK-NEXT:    %[[OUT:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [%[[YN]]], strides: [1] : memref<f32> to memref<?xf32>
// CHECK-NOT:     memref.dim
// CHECK:         arith.cmpi slt, %{{.*}}, %[[YN]] : index
// CHECK:         memref.load %[[IN]]
// CHECK:         memref.store %{{.*}}, %[[OUT]]
// CHECK:       func.func @scale(%[[A:.*]]: memref<?xf32>, %[[S:.*]]: f32, %[[B:.*]]: memref<?xf32>)
// CHECK-NEXT:    %[[ABASE:[^,]*]], %{{.*}}, %[[ASIZE:[^,]*]], %{{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK-NEXT:    %[[BBASE:[^,]*]], %{{.*}}, %[[BSIZE:[^,]*]], %{{.*}} = memref.extract_strided_metadata %[[B]]
// CHECK-NOT:     memref.dim
// CHECK:         %[[SUM:.*]] = arith.addi %[[BSIZE]], %{{.*}} : index
// CHECK:         %[[BLOCKS:.*]] = arith.shrsi %[[SUM]], %{{.*}} : index
// CHECK:         scf.if
// CHECK:           gpu.launch_func @uop_kernels::@scale blocks in (%[[BLOCKS]],
// CHECK-SAME:        args(%[[ABASE]] : memref<f32>, %[[ASIZE]] : index, %[[S]] : f32, %[[BBASE]] : memref<f32>, %[[BSIZE]] : index)
uop.kernel loops @scale(%x: memref<?xf32> {llvm.align = 16 : i64}, %f: f32, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 256
  %base = arith.muli %b, %c256 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %f : f32
    memref.store %w, %y[%i] : memref<?xf32>
  }
}

// -----

// The strides of a row-major memref follow from its sizes: 5 * n, n, 1.
// CHECK-LABEL: gpu.func @row_major(
// CHECK-SAME:    %{{[^:]*}}: memref<i8> {{{[^}]*}}}, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index)
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[S:.*]] = arith.muli %[[N]], %[[C5]] : index
// CHECK-NEXT:    memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[M]], 5, %[[N]]], strides: [%[[S]], %[[N]], 1] : memref<i8> to memref<?x5x?xi8>
uop.kernel loops @row_major(%x: memref<?x5x?xi8>) {
  %i = uop.range global<x> 5
  %v = arith.constant 1 : i8
  memref.store %v, %x[%i, %i, %i] : memref<?x5x?xi8>
}

// -----

// Static strides stay numbers: only the outermost size is open.
// CHECK-LABEL: gpu.func @outermost(
// CHECK-SAME:    %{{[^:]*}}: memref<i8> {{{[^}]*}}}, %[[M:[^:]*]]: index)
// CHECK-NEXT:    memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[M]], 5, 7], strides: [35, 7, 1]
uop.kernel loops @outermost(%x: memref<?x5x7xi8>) {
  %i = uop.range global<x> 5
  %v = arith.constant 1 : i8
  memref.store %v, %x[%i, %i, %i] : memref<?x5x7xi8>
}

// -----

// Sizes, strides, offset, in this order; static ones are not passed.
// CHECK-LABEL: gpu.func @strided(
// CHECK-SAME:    %[[X:[^:]*]]: memref<f32> {{{[^}]*}}}, %[[N:[^:]*]]: index, %[[S:[^:]*]]: index, %[[O:[^:]*]]: index)
// CHECK-NEXT:    memref.reinterpret_cast %[[X]] to offset: [%[[O]]], sizes: [4, %[[N]]], strides: [%[[S]], 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
// CHECK:       func.func @strided(%[[A:.*]]: memref<4x?xf32, strided<[?, 1], offset: ?>>)
// CHECK-NEXT:    %[[BASE:[^,]*]], %[[OFFSET:[^,]*]], %[[SIZES:[^,]*]]:2, %[[STRIDES:[^,]*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK:         args(%[[BASE]] : memref<f32>, %[[SIZES]]#1 : index, %[[STRIDES]]#0 : index, %[[OFFSET]] : index)
uop.kernel loops @strided(%x: memref<4x?xf32, strided<[?, 1], offset: ?>>) {
  %i = uop.range global<x> 4
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%i, %i] : memref<4x?xf32, strided<[?, 1], offset: ?>>
}

// -----

// A static shape with a dynamic offset, and no dimension at all.
// CHECK-LABEL: gpu.func @offsets(
// CHECK-SAME:    %[[X:[^:]*]]: memref<f32> {{{[^}]*}}}, %[[XO:[^:]*]]: index, %[[Y:[^:]*]]: memref<f32> {{{[^}]*}}}, %[[YO:[^:]*]]: index)
// CHECK-NEXT:    memref.reinterpret_cast %[[X]] to offset: [%[[XO]]], sizes: [8], strides: [2]
// CHECK-NEXT:    memref.reinterpret_cast %[[Y]] to offset: [%[[YO]]], sizes: [], strides: [] : memref<f32> to memref<f32, strided<[], offset: ?>>
uop.kernel loops @offsets(%x: memref<8xf32, strided<[2], offset: ?>>, %y: memref<f32, strided<[], offset: ?>>) {
  %i = uop.range global<x> 8
  %v = memref.load %y[] : memref<f32, strided<[], offset: ?>>
  memref.store %v, %x[%i] : memref<8xf32, strided<[2], offset: ?>>
}

// -----

// The memory space stays, and what is static is passed as it was.
// CHECK-LABEL: gpu.func @space(
// CHECK-SAME:    memref<f32, #gpu.address_space<global>> {{{[^}]*}}}, %{{[^:]*}}: index, %{{[^:]*}}: memref<8xf32> {{{[^}]*}}})
uop.kernel loops @space(%x: memref<?xf32, #gpu.address_space<global>>, %y: memref<8xf32>) {
  %i = uop.range global<x> 8
  %v = memref.load %y[%i] : memref<8xf32>
  memref.store %v, %x[%i] : memref<?xf32, #gpu.address_space<global>>
}

// -----

// A dimension whose number is not known is chosen among the sizes.
// CHECK-LABEL: gpu.func @choice(
// CHECK-SAME:    %{{[^:]*}}: memref<i32> {{{[^}]*}}}, %[[N:[^:]*]]: index, %[[D:[^:]*]]: index)
// CHECK:         %[[C4:.*]] = arith.constant 4 : index
// CHECK:         %[[C1:.*]] = arith.constant 1 : index
// CHECK:         %[[IS1:.*]] = arith.cmpi eq, %[[D]], %[[C1]] : index
// CHECK:         arith.select %[[IS1]], %[[N]], %[[C4]] : index
// CHECK:       func.func @choice
// CHECK:         %[[ISN:.*]] = arith.cmpi eq
// CHECK:         %[[BLOCKS:.*]] = arith.select %[[ISN]]
// CHECK:         gpu.launch_func @uop_kernels::@choice blocks in (%[[BLOCKS]],
uop.kernel loops @choice(%x: memref<4x?xi32>, %d: index) {
  %n = memref.dim %x, %d : memref<4x?xi32>
  %i = uop.range global<x> %n
  %c0 = arith.constant 0 : index
  %v = arith.index_cast %n : index to i32
  memref.store %v, %x[%c0, %i] : memref<4x?xi32>
}

// -----

// What the host divides by is not zero.
// CHECK-LABEL: func.func @divide
// CHECK:         %[[OK:.*]] = arith.cmpi ne, %arg1, %{{.*}} : index
// CHECK-NEXT:    cf.assert %[[OK]], "launch of @divide: the number of blocks divides by zero"
// CHECK-NEXT:    arith.divui %{{.*}}, %arg1 : index
uop.kernel loops @divide(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %q = arith.divui %n, %k : index
  %i = uop.range global<x> %q
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%i] : memref<?xf32>
}

// -----

// What an argument states is checked first. Then the sum is known to fit 64
// bits, and is not looked at; and there are at most 40 blocks.
// CHECK-LABEL: gpu.func @bounded(
// CHECK-SAME:    %{{[^:]*}}: index {llvm.range = #llvm.constant_range<i64, 0, 10001>}
// CHECK:         gpu.block_id x upper_bound 40
// CHECK:       func.func @bounded(%[[N:.*]]: index, %{{.*}}: memref<8xf32>)
// CHECK:         %[[LOW:.*]] = arith.cmpi sge, %[[N]], %{{.*}} : index
// CHECK:         %[[HIGH:.*]] = arith.cmpi sle, %[[N]], %{{.*}} : index
// CHECK:         %[[OK:.*]] = arith.andi {{.*}} : i1
// CHECK-NEXT:    cf.assert %[[OK]], "launch of @bounded: expected argument 0 to be 0 to 10000, as its llvm.range says"
// CHECK:         arith.addi %[[N]], %{{.*}} : index
// CHECK-NOT:     arith.xori
// CHECK:         arith.divui
// CHECK-NOT:     arith.xori
// CHECK:         gpu.launch_func
uop.kernel loops @bounded(%n: index {llvm.range = #llvm.constant_range<i64, 0, 10001>}, %y: memref<8xf32>) {
  %c7 = arith.constant 7 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %b = uop.range global<x> %blocks
  %at = arith.minsi %b, %c7 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %y[%at] : memref<8xf32>
}
