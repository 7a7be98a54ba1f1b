//===- UopGraphOps.cpp - The ops of graph form ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;
using vector::CombiningKind;

using UnresolvedOperands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

//===----------------------------------------------------------------------===//
// What buffers have in common
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getBufferShape(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getShape();
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getShape();
  return {};
}

static Type getBufferElementType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getElementType();
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getElementType();
  return {};
}

/// Parses the type of a buffer, ranked and with elements that are data.
static ParseResult parseBufferType(OpAsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (!getBufferElementType(type))
    return parser.emitError(loc)
           << "expected a ranked memref or a tile, but got " << type;
  return success();
}

static LogicalResult verifyIndexCount(Operation *op, Type buffer,
                                      size_t numIndices) {
  size_t rank = getBufferShape(buffer).size();
  if (numIndices != rank)
    return op->emitOpError()
           << "expected " << rank << (rank == 1 ? " index" : " indices")
           << " for " << buffer << ", but got " << numIndices;
  return success();
}

static LogicalResult verifyElement(Operation *op, StringRef what, Type buffer,
                                   Type type) {
  Type expected = getBufferElementType(buffer);
  if (expected && expected != type)
    return op->emitOpError()
           << "expected the " << what << " to be of the element type "
           << expected << " of " << buffer << ", but got " << type;
  return success();
}

/// Whether each operand is a range or the constant 0 of a folded one, and none
/// is there twice.
static LogicalResult verifyOver(Operation *op, ValueRange over) {
  llvm::SmallDenseMap<Value, unsigned> seen;
  for (auto [index, value] : llvm::enumerate(over)) {
    if (value.getDefiningOp<RangeOp>()) {
      auto [first, isNew] = seen.try_emplace(value, index);
      if (!isNew) {
        InFlightDiagnostic diag =
            op->emitOpError() << "expected each range once in 'over', but #"
                              << index << " is the range of #" << first->second;
        diag.attachNote(value.getLoc()) << "the range is defined here";
        return diag;
      }
      continue;
    }
    if (matchPattern(value, m_Zero()))
      continue;
    InFlightDiagnostic diag =
        op->emitOpError() << "expected operand #" << index
                          << " of 'over' to be a uop.range (or the constant 0 "
                             "of a folded one), but got another value";
    diag.attachNote(value.getLoc()) << "the value is defined here";
    return diag;
  }
  return success();
}

/// over ::= `over` `(` operands `)`
static ParseResult parseOver(OpAsmParser &parser, UnresolvedOperands &over) {
  return failure(parser.parseKeyword("over") ||
                 parser.parseOperandList(over, OpAsmParser::Delimiter::Paren));
}

/// An optional operand after a keyword.
static ParseResult
parseOptionalOperandAfter(OpAsmParser &parser, StringRef keyword,
                          std::optional<OpAsmParser::UnresolvedOperand> &out) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperand(out.emplace());
}

/// An optional combining kind, written as a bare keyword.
static OptionalParseResult parseOptionalKind(OpAsmParser &parser,
                                             OperationState &result,
                                             StringAttr name) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return std::nullopt;
  std::optional<CombiningKind> kind = vector::symbolizeCombiningKind(keyword);
  if (!kind)
    return ParseResult(parser.emitError(loc)
                       << "unknown combining kind '" << keyword
                       << "': expected one of add, mul, minsi, minui, maxsi, "
                          "maxui, and, or, xor, minimumf, maximumf, minnumf, "
                          "maxnumf");
  result.addAttribute(
      name, vector::CombiningKindAttr::get(parser.getContext(), *kind));
  return ParseResult(success());
}

static DenseI32ArrayAttr getSegments(OpAsmParser &parser,
                                     ArrayRef<int32_t> sizes) {
  return parser.getBuilder().getDenseI32ArrayAttr(sizes);
}

//===----------------------------------------------------------------------===//
// Reduction kinds
//===----------------------------------------------------------------------===//

TypedAttr uop::getReductionIdentity(CombiningKind kind, Type type) {
  Builder builder(type.getContext());
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    // Scale factors, such as f8E8M0FNU, are no numbers to compute with.
    if (!APFloat::semanticsHasZero(semantics))
      return {};
    switch (kind) {
    case CombiningKind::ADD:
      return builder.getFloatAttr(type, APFloat::getZero(semantics));
    case CombiningKind::MUL:
      return builder.getFloatAttr(type, APFloat::getOne(semantics));
    case CombiningKind::MAXIMUMF:
    case CombiningKind::MINIMUMF: {
      bool negative = kind == CombiningKind::MAXIMUMF;
      // Types without infinities begin with their greatest finite value.
      return builder.getFloatAttr(
          type, APFloat::semanticsHasInf(semantics)
                    ? APFloat::getInf(semantics, negative)
                    : APFloat::getLargest(semantics, negative));
    }
    case CombiningKind::MAXNUMF:
    case CombiningKind::MINNUMF:
      if (!APFloat::semanticsHasNaN(semantics))
        return {};
      return builder.getFloatAttr(type, APFloat::getQNaN(semantics));
    default:
      return {};
    }
  }
  auto intType = dyn_cast<IntegerType>(type);
  if (!intType || !intType.isSignless() || intType.getWidth() == 0)
    return {};
  unsigned width = intType.getWidth();
  switch (kind) {
  case CombiningKind::ADD:
  case CombiningKind::OR:
  case CombiningKind::XOR:
  case CombiningKind::MAXUI:
    return builder.getIntegerAttr(type, APInt::getZero(width));
  case CombiningKind::MUL:
    return builder.getIntegerAttr(type, APInt(width, 1));
  case CombiningKind::AND:
  case CombiningKind::MINUI:
    return builder.getIntegerAttr(type, APInt::getAllOnes(width));
  case CombiningKind::MAXSI:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case CombiningKind::MINSI:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  default:
    return {};
  }
}

static LogicalResult verifyKind(Operation *op, CombiningKind kind, Type type) {
  if (getReductionIdentity(kind, type))
    return success();
  return op->emitOpError() << "kind '" << vector::stringifyCombiningKind(kind)
                           << "' does not apply to values of type " << type;
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> LoadOp::getSourceShape() {
  return getBufferShape(getSource().getType());
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value source,
                   ValueRange indices, Value mask, Value other) {
  build(builder, state, getBufferElementType(source.getType()), source, indices,
        mask, other);
}

/// load ::= source `[` indices `]` (`mask` mask (`else` other)?)? attr-dict
///          `:` type
ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand source;
  UnresolvedOperands indices;
  std::optional<OpAsmParser::UnresolvedOperand> mask, other;
  Type type;
  if (parser.parseOperand(source) ||
      parser.parseOperandList(indices, OpAsmParser::Delimiter::Square) ||
      parseOptionalOperandAfter(parser, "mask", mask) ||
      (mask && parseOptionalOperandAfter(parser, "else", other)) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parseBufferType(parser, type))
    return failure();
  Builder &builder = parser.getBuilder();
  Type element = getBufferElementType(type);
  if (parser.resolveOperand(source, type, result.operands) ||
      parser.resolveOperands(indices, builder.getIndexType(),
                             result.operands) ||
      (mask &&
       parser.resolveOperand(*mask, builder.getI1Type(), result.operands)) ||
      (other && parser.resolveOperand(*other, element, result.operands)))
    return failure();
  result.addAttribute(getOperandSegmentSizeAttr(),
                      getSegments(parser, {1, int32_t(indices.size()),
                                           mask ? 1 : 0, other ? 1 : 0}));
  result.addTypes(element);
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << " " << getSource() << "[" << getIndices() << "]";
  if (getMask())
    printer << " mask " << getMask();
  if (getOther())
    printer << " else " << getOther();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizeAttr()});
  printer << " : " << getSource().getType();
}

LogicalResult LoadOp::verify() {
  Type source = getSource().getType();
  if (failed(verifyIndexCount(*this, source, getIndices().size())) ||
      failed(verifyElement(*this, "result", source, getType())))
    return failure();
  if (getOther()) {
    if (!getMask())
      return emitOpError("expected a mask where there is an 'else' value");
    if (failed(
            verifyElement(*this, "'else' value", source, getOther().getType())))
      return failure();
  }
  return success();
}

/// Whether a masked load without `else` has a value where it reads nothing.
static bool hasZero(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return !floatType || APFloat::semanticsHasZero(floatType.getFloatSemantics());
}

OpFoldResult LoadOp::fold(FoldAdaptor adaptor) {
  // A mask that never holds reads nothing.
  auto mask = dyn_cast_or_null<IntegerAttr>(adaptor.getMask());
  if (!mask || !mask.getValue().isZero())
    return {};
  if (getOther())
    return getOther();
  if (!hasZero(getType()))
    return {};
  return Builder(getContext()).getZeroAttr(getType());
}

namespace {
/// Drops a mask that always holds, with the value that takes its place.
template <typename Op> struct DropTrueMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask() || !matchPattern(op.getMask(), m_One()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if constexpr (std::is_same_v<Op, LoadOp>)
        op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropTrueMask<LoadOp>>(context);
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

/// Whether more values go into these than is cheap to look at.
static bool isLargeExpression(ValueRange values) {
  constexpr size_t kLimit = 256;
  llvm::SmallSetVector<Value, 16> reached(values.begin(), values.end());
  for (size_t i = 0; i < reached.size() && reached.size() <= kLimit; ++i)
    if (Operation *op = reached[i].getDefiningOp())
      reached.insert(op->operand_begin(), op->operand_end());
  return reached.size() > kLimit;
}

/// The domain of a store that does not state it: where its operands are free.
static SmallVector<Value> inferDomain(ValueRange valueIndicesAndMask) {
  FreeRanges freeRanges;
  SmallVector<Value> domain;
  for (RangeOp range : freeRanges.ofAny(valueIndicesAndMask))
    domain.push_back(range);
  return domain;
}

/// store ::= kind? value `,` target `[` indices `]` (`over` `(` over `)`)?
///           (`mask` mask)? `unique`? attr-dict `:` type
ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  OptionalParseResult kind =
      parseOptionalKind(parser, result, getKindAttrName(result.name));
  if (kind.has_value() && failed(*kind))
    return failure();
  OpAsmParser::UnresolvedOperand value, target;
  UnresolvedOperands indices, over;
  std::optional<OpAsmParser::UnresolvedOperand> mask;
  Type type;
  if (parser.parseOperand(value) || parser.parseComma() ||
      parser.parseOperand(target) ||
      parser.parseOperandList(indices, OpAsmParser::Delimiter::Square))
    return failure();
  bool hasOver = succeeded(parser.parseOptionalKeyword("over"));
  if (hasOver && parser.parseOperandList(over, OpAsmParser::Delimiter::Paren))
    return failure();
  if (parseOptionalOperandAfter(parser, "mask", mask))
    return failure();
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("unique")))
    result.addAttribute(getUniqueAttrName(result.name), builder.getUnitAttr());
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parseBufferType(parser, type))
    return failure();

  SmallVector<Value> domain, maskOperand;
  if (parser.resolveOperand(value, getBufferElementType(type),
                            result.operands) ||
      parser.resolveOperand(target, type, result.operands) ||
      parser.resolveOperands(indices, builder.getIndexType(),
                             result.operands) ||
      parser.resolveOperands(over, builder.getIndexType(), domain) ||
      (mask && parser.resolveOperand(*mask, builder.getI1Type(), maskOperand)))
    return failure();
  if (!hasOver) {
    SmallVector<Value> operands(result.operands.begin(), result.operands.end());
    operands.append(maskOperand);
    domain = inferDomain(operands);
  }
  result.addOperands(domain);
  result.addOperands(maskOperand);
  result.addAttribute(
      getOperandSegmentSizeAttr(),
      getSegments(parser, {1, 1, int32_t(indices.size()),
                           int32_t(domain.size()), mask ? 1 : 0}));
  return success();
}

void StoreOp::print(OpAsmPrinter &printer) {
  if (getKind())
    printer << " " << vector::stringifyCombiningKind(*getKind());
  printer << " " << getValue() << ", " << getTarget() << "[" << getIndices()
          << "]";
  SmallVector<Value> operands{getValue(), getTarget()};
  llvm::append_range(operands, getIndices());
  if (getMask())
    operands.push_back(getMask());
  // Stated in large kernels, so that printing and parsing them take linear
  // time.
  if (isLargeExpression(operands) ||
      !llvm::equal(getOver(), inferDomain(operands)))
    printer << " over(" << getOver() << ")";
  if (getMask())
    printer << " mask " << getMask();
  if (getUnique())
    printer << " unique";
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getOperandSegmentSizeAttr(), getKindAttrName(), getUniqueAttrName()});
  printer << " : " << getTarget().getType();
}

LogicalResult StoreOp::verify() {
  Type target = getTarget().getType();
  if (!isa<MemRefType>(target))
    return emitOpError() << "expected a ranked memref to store to, but got "
                         << target;
  if (failed(verifyIndexCount(*this, target, getIndices().size())) ||
      failed(verifyElement(*this, "value", target, getValue().getType())) ||
      failed(verifyOver(*this, getOver())))
    return failure();
  if (getKind()) {
    if (getUnique())
      return emitOpError("expected either a kind or 'unique', but got both: an "
                         "accumulating store may write an element twice");
    return verifyKind(*this, *getKind(), getValue().getType());
  }
  return success();
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropTrueMask<StoreOp>>(context);
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     CombiningKind kind, Value input, ValueRange over,
                     Value mask) {
  build(builder, state, TypeRange{input.getType()},
        vector::CombiningKindAttr::get(builder.getContext(), kind), input,
        /*identities=*/ValueRange(), over, mask);
}

/// reduce ::= kind input over (`mask` mask)? attr-dict `:` type
///          | `(` inputs `)` `init` `(` identities `)` over (`mask` mask)?
///            `combine` `(` arguments `)` region attr-dict `:` types
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  UnresolvedOperands inputs, identities, over;
  std::optional<OpAsmParser::UnresolvedOperand> mask;
  SmallVector<Type> types;
  Region *combiner = result.addRegion();
  OptionalParseResult kind =
      parseOptionalKind(parser, result, getKindAttrName(result.name));
  SMLoc loc = parser.getCurrentLocation();
  if (kind.has_value()) {
    if (failed(*kind) || parser.parseOperand(inputs.emplace_back()))
      return failure();
  } else if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) ||
             parser.parseKeyword("init") ||
             parser.parseOperandList(identities,
                                     OpAsmParser::Delimiter::Paren)) {
    return failure();
  }
  if (parseOver(parser, over) ||
      parseOptionalOperandAfter(parser, "mask", mask))
    return failure();
  if (!kind.has_value()) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseKeyword("combine") ||
        parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                 /*allowType=*/true) ||
        parser.parseRegion(*combiner, arguments))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonTypeList(types))
    return failure();
  if (types.size() != inputs.size())
    return parser.emitError(loc)
           << "expected a type for each of " << inputs.size()
           << " values, but got " << types.size();
  if (!kind.has_value() && identities.size() != inputs.size())
    return parser.emitError(loc)
           << "expected an identity for each of " << inputs.size()
           << " values, but got " << identities.size();
  Builder &builder = parser.getBuilder();
  if (parser.resolveOperands(inputs, types, loc, result.operands) ||
      (!kind.has_value() &&
       parser.resolveOperands(identities, types, loc, result.operands)) ||
      parser.resolveOperands(over, builder.getIndexType(), result.operands) ||
      (mask &&
       parser.resolveOperand(*mask, builder.getI1Type(), result.operands)))
    return failure();
  result.addAttribute(
      getOperandSegmentSizeAttr(),
      getSegments(parser, {int32_t(inputs.size()), int32_t(identities.size()),
                           int32_t(over.size()), mask ? 1 : 0}));
  result.addTypes(types);
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  if (getKind())
    printer << " " << vector::stringifyCombiningKind(*getKind()) << " "
            << getInputs();
  else
    printer << " (" << getInputs() << ") init(" << getIdentities() << ")";
  printer << " over(" << getOver() << ")";
  if (getMask())
    printer << " mask " << getMask();
  if (isGeneral()) {
    printer << " combine (";
    llvm::interleaveComma(
        getCombiner().getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") ";
    printer.printRegion(getCombiner(), /*printEntryBlockArgs=*/false);
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {getOperandSegmentSizeAttr(), getKindAttrName()});
  printer << " : " << getInputs().getTypes();
}

LogicalResult ReduceOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one value to reduce");
  if (getInputs().getTypes() != getResultTypes())
    return emitOpError("expected the results to have the types of the values");
  if (getOver().empty())
    return emitOpError("expected at least one range to close in 'over'");
  if (failed(verifyOver(*this, getOver())))
    return failure();
  for (RangeOp range : getRanges(getOver())) {
    if (range.getAxis().isReduction())
      continue;
    InFlightDiagnostic diag =
        emitOpError() << "expected the ranges in 'over' to have axis reduce, "
                         "group_reduce or unroll, but got '"
                      << range.getAxis().str() << "'";
    diag.attachNote(range.getLoc()) << "the range is defined here";
    return diag;
  }
  if (bool(getKind()) == isGeneral())
    return emitOpError("expected either a kind or a combiner");
  if (getKind()) {
    if (getInputs().size() != 1 || !getIdentities().empty())
      return emitOpError()
             << "expected one value and no identity with a kind, but got "
             << getInputs().size() << " and " << getIdentities().size();
    return verifyKind(*this, *getKind(), getInputs().front().getType());
  }
  if (getIdentities().getTypes() != getInputs().getTypes())
    return emitOpError("expected an identity of its type for each value");
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  if (!isGeneral())
    return success();
  SmallVector<Type> expected(getInputs().getTypes());
  llvm::append_range(expected, getInputs().getTypes());
  if (getCombiner().getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "expected the combiner to take the accumulators, "
                            "then the values, ("
                         << expected << "), but got ("
                         << getCombiner().getArgumentTypes() << ")";
  Block &block = getCombiner().front();
  for (Operation &op : block.without_terminator()) {
    StringRef dialect = op.getName().getDialectNamespace();
    bool isScalarMath = dialect == arith::ArithDialect::getDialectNamespace() ||
                        dialect == "math" || dialect == "ub";
    bool isScalar = llvm::all_of(op.getResultTypes(), [](Type type) {
      return type.isSignlessIntOrIndexOrFloat();
    });
    if (!isScalarMath || !isScalar || !isMemoryEffectFree(&op) ||
        op.getNumRegions()) {
      InFlightDiagnostic diag =
          op.emitOpError("is not allowed in the combiner of a uop.reduce: "
                         "expected pure scalar arith or math");
      diag.attachNote(getLoc()) << "the reduction is here";
      return diag;
    }
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError("expected the combiner to end with uop.yield");
  if (yield.getValues().getTypes() != getInputs().getTypes()) {
    InFlightDiagnostic diag = yield.emitOpError()
                              << "expected the accumulators' types ("
                              << getInputs().getTypes() << "), but got ("
                              << yield.getValues().getTypes() << ")";
    diag.attachNote(getLoc()) << "the reduction is here";
    return diag;
  }
  return success();
}

LogicalResult ReduceOp::fold(FoldAdaptor,
                             SmallVectorImpl<OpFoldResult> &results) {
  // A reduction over no points is its identity.
  if (llvm::none_of(getRanges(getOver()), [](RangeOp range) {
        return range.getConstantExtent() == 0;
      }))
    return failure();
  if (isGeneral())
    llvm::append_range(results, getIdentities());
  else
    results.push_back(
        getReductionIdentity(*getKind(), getInputs().front().getType()));
  return success();
}

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropTrueMask<ReduceOp>>(context);
}

//===----------------------------------------------------------------------===//
// StageOp
//===----------------------------------------------------------------------===//

void StageOp::build(OpBuilder &builder, OperationState &state, TileType type,
                    Value value, ValueRange indices, ValueRange over) {
  build(builder, state, type, value, indices, over,
        /*buffers=*/builder.getI64IntegerAttr(1),
        /*vector=*/builder.getI64IntegerAttr(1), /*layout=*/TileLayoutAttr());
}

/// stage ::= value (`[` indices `]`)? over attr-dict `:` type
ParseResult StageOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  UnresolvedOperands indices, over;
  TileType type;
  SMLoc typeLoc;
  if (parser.parseOperand(value))
    return failure();
  // Without a list the indices are the ranges; an empty list is a list.
  bool hasIndices = succeeded(parser.parseOptionalLSquare());
  if (hasIndices && failed(parser.parseOptionalRSquare()) &&
      (parser.parseOperandList(indices) || parser.parseRSquare()))
    return failure();
  if (parseOver(parser, over) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&typeLoc) || parser.parseType(type))
    return failure();
  if (!hasIndices)
    indices = over;
  Type index = parser.getBuilder().getIndexType();
  if (parser.resolveOperand(value, type.getElementType(), result.operands) ||
      parser.resolveOperands(indices, index, result.operands) ||
      parser.resolveOperands(over, index, result.operands))
    return failure();
  result.addAttribute(
      getOperandSegmentSizeAttr(),
      getSegments(parser, {1, int32_t(indices.size()), int32_t(over.size())}));
  result.addTypes(type);
  return success();
}

void StageOp::print(OpAsmPrinter &printer) {
  printer << " " << getValue();
  if (getIndices() != getOver())
    printer << "[" << getIndices() << "]";
  printer << " over(" << getOver() << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizeAttr()});
  printer << " : " << getType();
}

LogicalResult StageOp::verify() {
  if (failed(verifyIndexCount(*this, getType(), getIndices().size())) ||
      failed(verifyElement(*this, "value", getType(), getValue().getType())) ||
      failed(verifyOver(*this, getOver())))
    return failure();
  for (RangeOp range : getRanges(getOver())) {
    if (range.getAxis().getKind() == AxisKind::Loop &&
        range.getConstantExtent())
      continue;
    InFlightDiagnostic diag =
        emitOpError() << "expected the ranges in 'over' to have axis loop and "
                         "a static extent, but got "
                      << (range.getConstantExtent() ? "" : "dynamic ") << "'"
                      << range.getAxis().str() << "'";
    diag.attachNote(range.getLoc()) << "the range is defined here";
    return diag;
  }
  return success();
}
