//===- UopDialect.cpp - Attributes, types and the dialect -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/AxisAssembly.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

#include "Uop/IR/UopDialect.cpp.inc"
#include "Uop/IR/UopEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Uop/IR/UopAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "Uop/IR/UopTypes.cpp.inc"

void UopDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Uop/IR/UopAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Uop/IR/UopTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Uop/IR/UopOps.cpp.inc"
      >();
}

Operation *UopDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Enumerations in the assembly
//===----------------------------------------------------------------------===//

/// The keywords of an enumeration, whose values begin at 0.
template <typename Enum> static SmallVector<StringRef, 24> getKeywords() {
  SmallVector<StringRef, 24> keywords;
  for (uint32_t value = 0;; ++value) {
    StringRef keyword = stringifyEnum(Enum(value));
    if (keyword.empty())
      return keywords;
    keywords.push_back(keyword);
  }
}

/// Parses one keyword of an enumeration, and says on failure what it could be.
template <typename Enum>
static FailureOr<Enum> parseEnum(AsmParser &parser, StringRef what,
                                 std::optional<Enum> (*symbolize)(StringRef),
                                 StringRef allowed) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  // An editor that completes is offered the keywords by the first of the two.
  if (failed(parser.parseOptionalKeyword(&keyword, getKeywords<Enum>())) &&
      failed(parser.parseOptionalKeyword(&keyword))) {
    parser.emitError(loc) << "expected " << what << ", one of " << allowed;
    return failure();
  }
  if (std::optional<Enum> value = symbolize(keyword))
    return *value;
  parser.emitError(loc) << "unknown " << what << " '" << keyword
                        << "': expected one of " << allowed;
  return failure();
}

//===----------------------------------------------------------------------===//
// AxisAttr
//===----------------------------------------------------------------------===//

static bool takesDimension(AxisKind kind) {
  return kind == AxisKind::Global || kind == AxisKind::Local ||
         kind == AxisKind::GroupReduce;
}

std::string AxisAttr::str() const {
  std::string text = stringifyAxisKind(getKind()).str();
  if (getDimension())
    text += "<" + stringifyDimension(*getDimension()).str() + ">";
  return text;
}

LogicalResult AxisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               AxisKind kind,
                               std::optional<Dimension> dimension) {
  if (takesDimension(kind) && !dimension)
    return emitError() << "expected a dimension after axis '"
                       << stringifyAxisKind(kind) << "', as in '"
                       << stringifyAxisKind(kind) << "<x>'";
  if (!takesDimension(kind) && dimension)
    return emitError() << "axis '" << stringifyAxisKind(kind)
                       << "' takes no dimension, but got <"
                       << stringifyDimension(*dimension) << ">";
  return success();
}

/// axis ::= kind (`<` dimension `>`)?
static FailureOr<AxisAttr> parseAxisSyntax(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<AxisKind> kind = parseEnum<AxisKind>(
      parser, "axis", symbolizeAxisKind,
      "loop, serial, global<x|y|z>, local<x|y|z>, warp, thread, reduce, "
      "group_reduce<x|y|z>, upcast, unroll, fragment");
  if (failed(kind))
    return failure();
  std::optional<Dimension> dimension;
  if (succeeded(parser.parseOptionalLess())) {
    FailureOr<Dimension> parsed = parseEnum<Dimension>(
        parser, "dimension", symbolizeDimension, "x, y, z");
    if (failed(parsed) || parser.parseGreater())
      return failure();
    dimension = *parsed;
  }
  AxisAttr axis = AxisAttr::getChecked([&] { return parser.emitError(loc); },
                                       parser.getContext(), *kind, dimension);
  if (!axis)
    return failure();
  return axis;
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<AxisAttr> axis = parseAxisSyntax(parser);
  if (failed(axis) || parser.parseGreater())
    return {};
  return *axis;
}

void AxisAttr::print(AsmPrinter &printer) const {
  printer << "<" << str() << ">";
}

//===----------------------------------------------------------------------===//
// OptAttr and ScheduleAttr
//===----------------------------------------------------------------------===//

/// opt ::= KIND (axis `:` amount)?
static FailureOr<OptAttr> parseOptSyntax(AsmParser &parser) {
  FailureOr<OptKind> kind = parseEnum<OptKind>(
      parser, "opt", symbolizeOptKind,
      "LOCAL, UPCAST, GROUP, GROUPTOP, UNROLL, PADTO, SWAP, NOLOCALS, STAGE, "
      "TC, THREAD, MERGE, VECTORIZE, TILE, KSTEP, SPLITK, WARP");
  if (failed(kind))
    return failure();
  int64_t axis = 0, amount = 0;
  if (*kind != OptKind::NoLocals) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(axis) || parser.parseColon() ||
        parser.parseInteger(amount))
      return failure();
    if (axis < 0 || amount < 0) {
      parser.emitError(loc) << "expected a non-negative axis and amount, but "
                               "got "
                            << axis << ":" << amount;
      return failure();
    }
  }
  return OptAttr::get(parser.getContext(), *kind, axis, amount);
}

static void printOptSyntax(AsmPrinter &printer, OptAttr opt) {
  printer << stringifyOptKind(opt.getKind());
  if (opt.getKind() != OptKind::NoLocals)
    printer << " " << opt.getAxis() << ":" << opt.getAmount();
}

Attribute OptAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<OptAttr> opt = parseOptSyntax(parser);
  if (failed(opt) || parser.parseGreater())
    return {};
  return *opt;
}

void OptAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printOptSyntax(printer, *this);
  printer << ">";
}

/// schedule ::= `<` `[` (opt (`,` opt)*)? `]` (`,` `upcast_layout` `=` layout)?
Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<OptAttr> opts;
  auto parseOpt = [&]() -> ParseResult {
    FailureOr<OptAttr> opt = parseOptSyntax(parser);
    if (failed(opt))
      return failure();
    opts.push_back(*opt);
    return success();
  };
  UpcastLayout layout = UpcastLayout::GPU;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOpt))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("upcast_layout") || parser.parseEqual())
      return {};
    FailureOr<UpcastLayout> parsed = parseEnum<UpcastLayout>(
        parser, "upcast layout", symbolizeUpcastLayout, "gpu, cpu");
    if (failed(parsed))
      return {};
    layout = *parsed;
  }
  if (parser.parseGreater())
    return {};
  return ScheduleAttr::get(parser.getContext(), opts, layout);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getOpts(), printer.getStream(),
                        [&](OptAttr opt) { printOptSyntax(printer, opt); });
  printer << "]";
  if (getUpcastLayout() != UpcastLayout::GPU)
    printer << ", upcast_layout = " << stringifyUpcastLayout(getUpcastLayout());
  printer << ">";
}

//===----------------------------------------------------------------------===//
// TileLayoutAttr
//===----------------------------------------------------------------------===//

/// tile_layout ::= `<` kind (chunk (`,` period)?)? `>`
Attribute TileLayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<TileLayoutKind> kind =
      parseEnum<TileLayoutKind>(parser, "tile layout", symbolizeTileLayoutKind,
                                "plain, pad, xor, rotate");
  if (failed(kind))
    return {};
  int64_t chunk = 1, period = 1;
  if (*kind != TileLayoutKind::Plain) {
    if (parser.parseInteger(chunk))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(period))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return TileLayoutAttr::getChecked([&] { return parser.emitError(loc); },
                                    parser.getContext(), *kind, chunk, period);
}

void TileLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyTileLayoutKind(getKind());
  if (getKind() != TileLayoutKind::Plain) {
    printer << " " << getChunk();
    if (getPeriod() != 1)
      printer << ", " << getPeriod();
  }
  printer << ">";
}

LogicalResult
TileLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       TileLayoutKind kind, int64_t chunk, int64_t period) {
  if (chunk < 1 || period < 1)
    return emitError() << "expected a positive chunk and period, but got "
                       << chunk << " and " << period;
  bool hasPeriod =
      kind == TileLayoutKind::Xor || kind == TileLayoutKind::Rotate;
  if (!hasPeriod && period != 1)
    return emitError() << "expected a period for xor and rotate only, but got "
                       << period << " for " << stringifyTileLayoutKind(kind);
  return success();
}

//===----------------------------------------------------------------------===//
// TileType
//===----------------------------------------------------------------------===//

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               MemorySpace) {
  for (auto [index, size] : llvm::enumerate(shape))
    if (size <= 0)
      return emitError() << "expected a positive static size, but dimension #"
                         << index << " is "
                         << (ShapedType::isDynamic(size)
                                 ? std::string("?")
                                 : std::to_string(size));
  if (!elementType.isSignlessInteger() && !isa<FloatType>(elementType))
    return emitError() << "expected a signless integer or floating-point "
                          "element type, but got "
                       << elementType;
  return success();
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma())
    return {};
  FailureOr<MemorySpace> space = parseEnum<MemorySpace>(
      parser, "memory space", symbolizeMemorySpace, "workgroup, private");
  if (failed(space) || parser.parseGreater())
    return {};
  return TileType::getChecked([&] { return parser.emitError(loc); },
                              parser.getContext(), shape, elementType, *space);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << "x";
  printer << getElementType() << ", " << stringifyMemorySpace(getMemorySpace())
          << ">";
}

//===----------------------------------------------------------------------===//
// Assembly of ranges
//===----------------------------------------------------------------------===//

ParseResult uop::parseAxis(OpAsmParser &parser, AxisAttr &axis) {
  FailureOr<AxisAttr> parsed = parseAxisSyntax(parser);
  if (failed(parsed))
    return failure();
  axis = *parsed;
  return success();
}

void uop::printAxis(OpAsmPrinter &printer, Operation *, AxisAttr axis) {
  printer << axis.str();
}

static ParseResult
parseExtent(OpAsmParser &parser,
            std::optional<OpAsmParser::UnresolvedOperand> &extent,
            IntegerAttr &staticExtent) {
  int64_t value;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalInteger(value);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    if (value < 0)
      return parser.emitError(loc)
             << "expected an extent of 0 or more, but got " << value;
    staticExtent = parser.getBuilder().getI64IntegerAttr(value);
    return success();
  }
  return parser.parseOperand(extent.emplace());
}

static void printExtent(OpAsmPrinter &printer, Operation *, Value extent,
                        IntegerAttr staticExtent) {
  if (staticExtent)
    printer << staticExtent.getInt();
  else if (extent)
    printer << extent;
}

#define GET_OP_CLASSES
#include "Uop/IR/UopOps.cpp.inc"
