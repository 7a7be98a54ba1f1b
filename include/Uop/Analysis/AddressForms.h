//===- AddressForms.h - Index values as linear forms ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the threads of a kernel in loop form access memory, in terms of what
// tells threads, blocks and iterations apart. An index is a sum of atoms times
// coefficients; an atom is the coordinate of a thread or a block, the counter
// of a loop, the quotient or the remainder of a form by a constant, the
// exclusive or of two forms, or a value of which no more is known than its
// bounds. Equal forms are one number.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_ADDRESSFORMS_H
#define UOP_ANALYSIS_ADDRESSFORMS_H

#include "Uop/Analysis/IndexBounds.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/MemoryAccess.h"
#include "Uop/Analysis/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

namespace uop {

using FormNumber = unsigned;
using AtomNumber = unsigned;

struct Atom {
  enum class Kind {
    /// A coordinate of the thread in its block: x, y, z.
    Thread,
    /// A coordinate of the block in the grid: x, y, z; or 3, the thread of a
    /// CPU.
    Block,
    /// The number of the iteration of a scf.for, from 0.
    Counter,
    /// A value that threads of one block agree on in one iteration.
    Uniform,
    /// A value that may differ between threads.
    Varying,
    /// Of a form by a positive constant, rounded towards negative infinity.
    FloorDiv,
    FloorMod,
    /// Of two forms that are not negative.
    Xor,
  };
  explicit Atom(Kind kind) : kind(kind) {}

  Kind kind;
  unsigned dimension = 0;
  mlir::Value value;
  mlir::Operation *loop = nullptr;
  FormNumber form = 0, other = 0;
  int64_t divisor = 0;
  IndexBounds bounds;
  /// Whether blocks may have different values; of values.
  bool dependsOnBlock = true;
};

struct LinearForm {
  /// Sorted by atom, without zeros.
  llvm::SmallVector<std::pair<AtomNumber, int64_t>, 4> terms;
  int64_t constant = 0;

  bool operator<(const LinearForm &other) const {
    return std::tie(constant, terms) < std::tie(other.constant, other.terms);
  }
};

/// Where and under which conditions a thread executes an access.
struct AccessAddress {
  /// Whether the starts are known; if not, why.
  bool isKnown = true;
  std::string whyUnknown;
  /// Where it starts: along the dimensions of the root or, where it is accessed
  /// through a view of another shape, in bytes from its beginning.
  bool isInBytes = false;
  llvm::SmallVector<FormNumber, 4> starts;
  /// How many elements it covers along each dimension of the root; nothing of a
  /// dynamic number.
  llvm::SmallVector<std::optional<int64_t>, 4> sizes;
  /// Bytes it covers, as digits: so many, so far apart.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> spans;
  /// Forms that are not negative where it is executed.
  llvm::SmallVector<FormNumber, 4> conditions;
  /// What the conditions say of single atoms, in addition to their own bounds.
  llvm::DenseMap<AtomNumber, IndexBounds> bounds;
  /// The control flow around it that is not described by the conditions.
  mlir::Operation *uncertain = nullptr;
};

class AddressForms {
public:
  AddressForms(KernelOp kernel, const Uniformity &uniformity);

  FormNumber get(mlir::Value value);
  const LinearForm &getForm(FormNumber number) const { return *forms[number]; }
  const Atom &getAtom(AtomNumber number) const { return atoms[number]; }
  IndexBounds getBounds(FormNumber number) const {
    return computeBounds(*forms[number]);
  }
  const LaunchShape &getLaunch() const { return launch; }

  AccessAddress resolve(const MemoryAccess &access);
  /// The same place of an access in bytes, where the strides are known.
  std::optional<AccessAddress> convertToBytes(const MemoryAccess &access,
                                              const AccessAddress &address);

  /// lhs + factor * rhs, where it fits.
  std::optional<FormNumber> add(FormNumber lhs, FormNumber rhs,
                                int64_t factor = 1);
  FormNumber getConstant(int64_t value);
  /// Whether blocks may differ in a value. What is loaded is taken to.
  bool dependsOnBlock(mlir::Value value);
  /// The atom of a thread coordinate.
  AtomNumber getThreadAtom(unsigned dimension);
  AtomNumber getBlockAtom(unsigned dimension);
  /// The quotient that belongs to a remainder.
  AtomNumber getQuotientAtom(AtomNumber remainder);
  /// The number of the iteration of a scf.for.
  AtomNumber getCounterAtom(mlir::Operation *loop);

private:
  FormNumber unique(LinearForm form);
  AtomNumber unique(Atom atom);
  FormNumber getAtomForm(Atom atom);
  IndexBounds computeBounds(const LinearForm &form) const;
  std::optional<FormNumber> build(mlir::Value value);
  std::optional<FormNumber> buildBinary(mlir::Operation *op);
  FormNumber divide(FormNumber form, int64_t divisor, bool isQuotient);
  FormNumber getOpaque(mlir::Value value);
  void addConditions(mlir::Operation *op, AccessAddress &address);
  bool addCondition(mlir::Value condition, bool isTrue, AccessAddress &address);
  bool addComparison(mlir::arith::CmpIOp compare, bool isTrue,
                     AccessAddress &address);
  void require(std::optional<FormNumber> form, AccessAddress &address);
  void restrict(AtomNumber atom, IndexBounds bounds, AccessAddress &address);
  bool resolveView(mlir::Value memref, AccessAddress &address);

  KernelOp kernel;
  const Uniformity &uniformity;
  LaunchShape launch;
  /// The threads of a CPU, where their number is static.
  std::optional<int64_t> cpuThreads = 1;
  std::map<LinearForm, FormNumber> formNumbers;
  std::vector<const LinearForm *> forms;
  std::map<std::tuple<Atom::Kind, unsigned, void *, void *, FormNumber,
                      FormNumber, int64_t>,
           AtomNumber>
      atomNumbers;
  std::vector<Atom> atoms;
  llvm::DenseMap<mlir::Value, FormNumber> known;
  llvm::DenseMap<mlir::Value, bool> blockDependence;
};

} // namespace uop

#endif // UOP_ANALYSIS_ADDRESSFORMS_H
