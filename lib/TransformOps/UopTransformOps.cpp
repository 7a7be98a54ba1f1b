//===- UopTransformOps.cpp - Schedules as scripts -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assembly of the ops, and the extension of the transform dialect that has
// them.
//
//===----------------------------------------------------------------------===//

#include "Uop/TransformOps/UopTransformOps.h"
#include "Uop/IR/AxisAssembly.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

using Operand = OpAsmParser::UnresolvedOperand;

/// amount ::= integer | operand
static ParseResult parseAmount(OpAsmParser &parser,
                               std::optional<Operand> &amount,
                               IntegerAttr &fixed) {
  int64_t value;
  OptionalParseResult parsed = parser.parseOptionalInteger(value);
  if (parsed.has_value()) {
    fixed = parser.getBuilder().getI64IntegerAttr(value);
    return *parsed;
  }
  amount.emplace();
  return parser.parseOperand(*amount);
}

static void printAmount(OpAsmPrinter &printer, Operation *, Value amount,
                        IntegerAttr fixed) {
  if (amount)
    printer << amount;
  else if (fixed)
    printer << fixed.getInt();
}

/// (`by` amount)?
static ParseResult parseOptionalAmount(OpAsmParser &parser,
                                       std::optional<Operand> &amount,
                                       IntegerAttr &fixed) {
  if (failed(parser.parseOptionalKeyword("by")))
    return success();
  return parseAmount(parser, amount, fixed);
}

static void printOptionalAmount(OpAsmPrinter &printer, Operation *op,
                                Value amount, IntegerAttr fixed) {
  if (!amount && !fixed)
    return;
  printer << "by ";
  printAmount(printer, op, amount, fixed);
}

/// One of two words, the second of which sets the attribute.
static ParseResult parseChoice(OpAsmParser &parser, StringRef unset,
                               StringRef set, UnitAttr &attr) {
  if (succeeded(parser.parseOptionalKeyword(unset)))
    return success();
  if (failed(parser.parseOptionalKeyword(set)))
    return parser.emitError(parser.getCurrentLocation())
           << "expected '" << unset << "' or '" << set << "'";
  attr = parser.getBuilder().getUnitAttr();
  return success();
}

static ParseResult parseAxisList(OpAsmParser &parser, UnitAttr &reduce) {
  return parseChoice(parser, "output", "reduce", reduce);
}
static void printAxisList(OpAsmPrinter &printer, Operation *, UnitAttr reduce) {
  printer << (reduce ? "reduce" : "output");
}

static ParseResult parseSide(OpAsmParser &parser, UnitAttr &isOuter) {
  return parseChoice(parser, "inner", "outer", isOuter);
}
static void printSide(OpAsmPrinter &printer, Operation *, UnitAttr isOuter) {
  printer << (isOuter ? "outer" : "inner");
}

/// (`along` (`x` | `y` | `z`))?
static ParseResult parseGroupDimension(OpAsmParser &parser, AxisAttr &axis) {
  Dimension dimension = Dimension::X;
  if (succeeded(parser.parseOptionalKeyword("along"))) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Dimension> known = symbolizeDimension(word);
    if (!known)
      return parser.emitError(loc)
             << "expected a dimension, x, y or z, but got '" << word << "'";
    dimension = *known;
  }
  axis = AxisAttr::get(parser.getContext(), AxisKind::GroupReduce, dimension);
  return success();
}

static void printGroupDimension(OpAsmPrinter &printer, Operation *,
                                AxisAttr axis) {
  if (axis.getDimension() != Dimension::X)
    printer << "along " << stringifyDimension(*axis.getDimension());
}

/// (`buffers` integer)?
static ParseResult parseBuffers(OpAsmParser &parser, IntegerAttr &buffers) {
  int64_t value = 1;
  if (succeeded(parser.parseOptionalKeyword("buffers")) &&
      parser.parseInteger(value))
    return failure();
  buffers = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printBuffers(OpAsmPrinter &printer, Operation *,
                         IntegerAttr buffers) {
  if (buffers && buffers.getInt() != 1)
    printer << "buffers " << buffers.getInt();
}

#define GET_OP_CLASSES
#include "Uop/TransformOps/UopTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

namespace {
class UopTransformDialectExtension
    : public transform::TransformDialectExtension<
          UopTransformDialectExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UopTransformDialectExtension)

  using Base::Base;

  void init() {
    // Attributes of the ops, and what kernels are made of.
    declareDependentDialect<UopDialect>();
    declareGeneratedDialect<NVVM::NVVMDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "Uop/TransformOps/UopTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void uop::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<UopTransformDialectExtension>();
}
