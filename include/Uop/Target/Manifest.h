//===- Manifest.h - What a launcher must know of a kernel -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The manifest is a JSON object that lies beside the device code:
//
//   version   1
//   code      the file with the device code, as it was named; null for none
//   chip      "sm_90"
//   kernels   a list, one object a kernel:
//     name          the name to look up in the code
//     module        the gpu.module that it was in
//     arguments     a list in the order of the kernel's parameters:
//       name          for the expressions in this file; a memref or scalar
//                     is "arg" and its number among those of the source
//       kind          "memref": one pointer to element [0, ..., 0] minus
//                     offset elements; "scalar": the value; "size", "stride",
//                     "offset": a number of a memref that its type leaves open
//       of, dimension the name of that memref, and which of its dimensions
//       type          the element or scalar type: "f32", "index" (64 bits)
//       bytes         size of an element or of the scalar
//       range         [least, greatest] value of a scalar that the kernel
//                     relies on, and that a launcher has to see to
//       shape, strides, offset
//                     of a memref, in elements
//                     (each number may be an expression)
//       span          bytes from the pointer to the end of the last element;
//                     null where that is not known before the launch
//       readonly, noalias
//                     what the kernel relies on, if true
//       align         alignment of the pointer in bytes that the kernel relies
//                     on, and that a launcher has to see to
//     grid, block   [x, y, z] in blocks and threads, each a number or an
//                   expression, or null where the module does not say, or says
//                   several
//     shared_bytes  static shared memory of a block
//     dynamic_shared_bytes
//                   dynamic shared memory that the launch has to give a block;
//                   null where the module says several, or no constant
//   functions a list of what takes several launches, such as a reduction
//             that is split in parts; one object each:
//     name          the name of the kernel in the source
//     arguments     "arg0" to the number of its arguments there
//     workspaces    device memory that is needed while the launches run: name
//                   and bytes, of any contents, aligned to 256 bytes
//     launches      in this order: the name of the kernel, and what stands for
//                   each of "arg0", "arg1", ... of that kernel: an argument of
//                   the function or a workspace
//
// An expression is a text such as "(arg0_size0 + 255) >> 8", in the syntax and
// with the meaning of Python's integers: names of arguments, which stand for
// the values that are passed (integers as signed numbers), numbers, + - * // %
// ** << >> & | ^, comparisons, min, max, a if b else c. A grid with 0 blocks or
// fewer along a dimension is not to be launched, nor one of more than 2^31-1
// blocks along x, or 65535 along y or z.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_MANIFEST_H
#define UOP_TARGET_MANIFEST_H

#include "Uop/Target/DeviceCode.h"

#include "llvm/Support/JSON.h"

namespace uop {

/// The manifest of `code`, which compileDeviceCode made from `modules` in
/// `module`. `codeFile` is the name of the file that it went to, or empty.
llvm::json::Object buildManifest(mlir::ModuleOp module,
                                 llvm::ArrayRef<mlir::gpu::GPUModuleOp> modules,
                                 const DeviceCode &code,
                                 llvm::StringRef codeFile);

} // namespace uop

#endif // UOP_TARGET_MANIFEST_H
