//===- Arguments.h - What a program is run on -------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the arguments of a kernel or a host function from what stands on the
// command line: a file, the name of a generator, or a number.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_ARGUMENTS_H
#define UOP_TOOLS_UOP_RUN_ARGUMENTS_H

#include "Element.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <memory>
#include <vector>

namespace uop {
class CompiledProgram;
} // namespace uop

namespace uop::run {

/// An argument and its memory.
class Argument {
public:
  /// Makes argument number `index`, of `type`, from `text`:
  ///
  /// A scalar is a number, or an .npy file with an array of shape ().
  ///
  /// A memref is an .npy file, or `rand`, `zeros`, `ones`, `nan`, `iota` or
  /// `fill:VALUE`, where `:3x4` gives a shape (needed only for dynamic sizes)
  /// and `rand:seed=N` the seed, else `seed` plus the index. Elements that a
  /// layout leaves out hold Element::getSentinel(), dynamic strides are those
  /// of a contiguous array, and a dynamic offset is 0.
  ///
  /// `rand` is the same on every machine: std::mt19937_64 yields a 64-bit word
  /// w an element, in row-major order; a floating-point number is
  /// (w >> 11) * 2^-52 - 1, in [-1, 1), rounded to the type; an integer is
  /// w >> 60, 0 to 15; i1 is w >> 63. `iota` counts the elements in row-major
  /// order, `nan` is Element::getSentinel().
  ///
  /// The memory of a memref begins at a multiple of `alignment` bytes, a power
  /// of two, or of a larger one.
  static llvm::Expected<Argument> create(unsigned index, mlir::Type type,
                                         llvm::StringRef text, uint64_t seed,
                                         uint64_t alignment);

  mlir::Type getType() const { return type; }
  const Element &getElement() const { return element; }
  bool isMemRef() const { return llvm::isa<mlir::MemRefType>(type); }

  /// Of a scalar.
  uint64_t getBits() const { return bits; }
  /// Where the bits of a scalar are.
  void *getBitsAddress() { return &bits; }

  /// Of a memref. Element [i, j] is number offset + i * strides[0] +
  /// j * strides[1] from the data.
  char *getData() const { return storage.get(); }
  int64_t getAllocatedElements() const { return allocated; }
  int64_t getOffset() const { return offset; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getNumElements() const;
  /// The dtype of the file that it came from, or that of its type.
  NpyDtype getDtype() const { return dtype; }

  /// The elements of a memref, row-major and contiguous.
  std::vector<char> gather() const;

  /// Keeps what the memory holds now, and puts it back.
  void save();
  void restore();

private:
  Argument(mlir::Type type, Element element) : type(type), element(element) {}

  struct Freed {
    void operator()(char *memory) const;
  };

  llvm::Error setText(llvm::StringRef text);
  llvm::Error generate(llvm::StringRef text, uint64_t seed);
  llvm::Error load(llvm::StringRef path);
  llvm::Error allocate(llvm::ArrayRef<int64_t> wanted);
  /// Calls `visit` with the address of each element, in row-major order.
  void forEach(llvm::function_ref<void(char *)> visit) const;

  mlir::Type type;
  Element element;
  uint64_t bits = 0;
  NpyDtype dtype;
  uint64_t alignment = 1;
  std::unique_ptr<char, Freed> storage;
  std::vector<char> saved;
  int64_t allocated = 0, offset = 0;
  llvm::SmallVector<int64_t> shape, strides;
};

/// Makes all arguments of a function.
llvm::Expected<std::vector<Argument>>
makeArguments(mlir::FunctionOpInterface function,
              llvm::ArrayRef<std::string> texts, uint64_t seed);

/// Runs the program on them; leaves its result, if it has one, at `result`.
llvm::Error invoke(CompiledProgram &program,
                   llvm::MutableArrayRef<Argument> arguments,
                   void *result = nullptr);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_ARGUMENTS_H
