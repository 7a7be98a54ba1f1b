//===- KernelParameters.h - From arguments to parameters --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device function has at least one parameter for each argument of its kernel.
// A memref of static shape and layout is one, which becomes a bare pointer. Of
// any other the pointer comes first, to element number 0 of its buffer, and
// then what its type leaves open, as index values: its dynamic sizes, its
// dynamic strides, each from the outermost dimension on, and its offset. The
// strides of a row-major memref follow from its sizes, and are not passed.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_KERNELPARAMETERS_H
#define UOP_CONVERSION_KERNELPARAMETERS_H

#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace uop {

struct KernelParameter {
  enum class Kind { Argument, Size, Stride, Offset };

  Kind kind;
  /// Which argument of the kernel it is, or is a part of.
  unsigned argument;
  /// Of a size or a stride.
  unsigned dimension;
  /// On the device.
  mlir::Type type;

  /// arg0, arg0_size1, arg0_stride1, arg0_offset.
  std::string getName() const;
};

/// Whether more than one parameter is needed for an argument of this type.
bool hasDynamicLayout(mlir::Type type);

/// The type of the first parameter for an argument: its own, but
/// * of a memref with a dynamic shape or layout one without dimensions;
/// * with explicit strides for a row-major memref without elements, whose
///   strides upstream takes for dynamic, so that it would not become a bare
///   pointer.
mlir::Type getDeviceArgumentType(mlir::Type type);

/// The parameters for arguments of these types, in order.
llvm::SmallVector<KernelParameter>
getKernelParameters(llvm::ArrayRef<mlir::Type> arguments);

} // namespace uop

#endif // UOP_CONVERSION_KERNELPARAMETERS_H
