// What is wrong with an .npy file is said, with the way out; exit status 1.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/bad-npy.py %t

// RUN: not uop-run %s -e main %t/fortran.npy 2>&1 | FileCheck %s --check-prefix=FORTRAN
// FORTRAN: uop-run: error: argument #0: cannot read '{{.*}}fortran.npy': it is in Fortran order; save numpy.ascontiguousarray(a)

// RUN: not uop-run %s -e main %t/big-endian.npy 2>&1 | FileCheck %s --check-prefix=ENDIAN
// ENDIAN: error: argument #0: cannot read '{{.*}}': it is big-endian ('>f4'); convert it with a.astype('<f4')

// RUN: not uop-run %s -e main %t/object.npy 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: it is an array of Python objects; convert it with a.astype(numpy.float32), or another type of number

// RUN: not uop-run %s -e main %t/text.npy 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: expected an array of numbers, but got the dtype '<U5'

// RUN: not uop-run %s -e main %t/structured.npy 2>&1 | FileCheck %s --check-prefix=FIELDS
// FIELDS: it is a structured array; save each field on its own

// RUN: not uop-run %s -e main %t/archive.npz 2>&1 | FileCheck %s --check-prefix=ARCHIVE
// ARCHIVE: it is an .npz archive; save each array on its own with numpy.save

// RUN: not uop-run %s -e main %t/truncated.npy 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// TRUNCATED: it is truncated: expected 24 bytes of data for float32 of shape (2, 3), but got 23

// RUN: not uop-run %s -e main %t/longer.npy 2>&1 | FileCheck %s --check-prefix=LONGER
// LONGER: expected 24 bytes of data for float32 of shape (2, 3), but got 1 bytes more

// RUN: not uop-run %s -e main %t/header.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not uop-run %s -e main %t/magic.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: it is truncated in its header

// RUN: not uop-run %s -e main %t/malformed.npy 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: its header is malformed

// RUN: not uop-run %s -e main %t/version.npy 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: expected version 1.0, 2.0 or 3.0 of the format, but got 4.0

// RUN: not uop-run %s -e main %t/plain.npy 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not uop-run %s -e main %t/zero.npy 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: it is not an .npy file

// RUN: not uop-run %s -e main %t/huge.npy 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: float32 of shape (4000000000, 4000000000) does not fit in memory

// RUN: not uop-run %s -e main %t/missing.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: cannot read '{{.*}}missing.npy': {{[Nn]}}o such file or directory

// RUN: not uop-run %s -e main %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot read '{{.*}}': {{[Ii]}}s a directory

// RUN: not uop-run %s -e main %t/complex.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: error: argument #0: expected float32 for memref<2x3xf32>, but '{{.*}}complex.npy' holds complex64

// RUN: not uop-run %s -e main %t/shape.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument #0: expected shape (2, 3) for memref<2x3xf32>, but '{{.*}}shape.npy' has shape (3, 2)

// RUN: not uop-run %s -e dynamic %t/rank.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: argument #0: expected shape (?, 3) for memref<?x3xf32>, but '{{.*}}rank.npy' has shape (6,)

// RUN: not uop-run %s -e narrow %t/shape.npy 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: error: argument #0: expected uint16 (the bit patterns) for memref<2xbf16>, but '{{.*}}shape.npy' holds float32

// RUN: not uop-run %s -e integer %t/shape.npy 2>&1 | FileCheck %s --check-prefix=SIGNS
// SIGNS: error: argument #0: expected int32 or uint32 for memref<2xi32>, but '{{.*}}shape.npy' holds float32

// Versions 2.0 and 3.0 are as good as 1.0.
// RUN: uop-run %s -e main %t/version2.npy --compare 0=%t/version3.npy

func.func @main(%a: memref<2x3xf32>) {
  return
}

func.func @dynamic(%a: memref<?x3xf32>) {
  return
}

func.func @narrow(%a: memref<2xbf16>) {
  return
}

func.func @integer(%a: memref<2xi32>) {
  return
}
