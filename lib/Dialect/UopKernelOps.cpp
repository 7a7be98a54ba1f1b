//===- UopKernelOps.cpp - Kernels and their launch ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/ArgumentRanges.h"
#include "Uop/IR/Injectivity.h"
#include "Uop/IR/Uop.h"
#include "Verifier.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type, bool loops) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (loops)
    state.addAttribute(getLoopsAttrName(state.name), builder.getUnitAttr());
  Block &body = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    body.addArgument(input, state.location);
}

/// kernel ::= `loops`? visibility? symbol-name `(` arguments `)`
///            (`attributes` attr-dict)? region
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalKeyword("loops")))
    result.addAttribute(getLoopsAttrName(result.name),
                        parser.getBuilder().getUnitAttr());
  (void)impl::parseOptionalVisibilityKeyword(parser, result.attributes);
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<Type> resultTypes;
  bool isVariadic = false;
  Region *body = result.addRegion();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  // An attribute of another type would be dropped without a word.
  StringAttr scheduleName = getScheduleAttrName(result.name);
  if (Attribute schedule = result.attributes.get(scheduleName);
      schedule && !isa<ScheduleAttr>(schedule))
    return parser.emitError(attributesLoc)
           << "expected the attribute 'schedule' to be like "
              "#uop.schedule<[LOCAL 0:16]>, but got "
           << schedule;
  if (parser.parseRegion(*body, arguments))
    return failure();
  SmallVector<Type> types;
  for (const OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  // Unlike upstream's functions a kernel may be empty: canonicalisation removes
  // a loop that never runs, and with it all that a kernel may have had.
  if (body->empty()) {
    body->emplaceBlock();
    for (Type type : types)
      body->addArgument(type, result.location);
  }
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(parser.getBuilder().getFunctionType(types, resultTypes)));
  call_interface_impl::addArgAndResultAttrs(
      parser.getBuilder(), result, arguments, resultAttrs,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  if (getLoops())
    printer << " loops";
  if (auto visibility = (*this)->getAttrOfType<StringAttr>(
          SymbolTable::getVisibilityAttrName()))
    printer << " " << visibility.getValue();
  printer << " ";
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {SymbolTable::getVisibilityAttrName(), getLoopsAttrName(),
       getFunctionTypeAttrName(), getArgAttrsAttrName(),
       getResAttrsAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

static LogicalResult verifyArgument(KernelOp kernel, unsigned index,
                                    Type type) {
  if (isa<IndexType, FloatType>(type) || type.isSignlessInteger())
    return success();
  auto refuse = [&](const Twine &expected) {
    return kernel.emitOpError() << "expected argument #" << index << " to be "
                                << expected << ", but got " << type;
  };
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return refuse("a ranked memref or a scalar (index, signless integer or "
                  "floating-point)");
  Type element = memref.getElementType();
  if (!element.isSignlessInteger() && !isa<FloatType>(element))
    return refuse("a memref of signless integers or floating-point numbers");
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return refuse("a memref with a strided layout");
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace());
  if (memref.getMemorySpace() &&
      !(space && space.getValue() == gpu::AddressSpace::Global))
    return refuse("a memref in the default or the global memory space");
  if (overlapsItself(memref.getShape(), strides))
    return refuse("a memref whose layout does not overlap itself");
  return success();
}

LogicalResult KernelOp::verify() {
  if (!getFunctionType().getResults().empty())
    return emitOpError() << "expected no results, but got "
                         << getFunctionType().getResults()
                         << "; store them to an argument";
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyArgument(*this, index, type)) ||
        failed(verifyArgumentRange(*this, index)))
      return failure();
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  return isGraphForm() ? verifyGraphForm(*this) : verifyLoopForm(*this);
}

bool KernelOp::isMapped() {
  return llvm::none_of(getBodyBlock().getOps<StoreOp>(), [](StoreOp store) {
    return llvm::any_of(store.getOver(), [](Value value) {
      auto range = value.getDefiningOp<RangeOp>();
      return range && range.getAxis().getKind() == AxisKind::Loop;
    });
  });
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

/// The memref that a chain of views and casts looks at.
static Value getViewedMemRef(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether two memrefs visibly have elements in common. Two different views of
/// one memref may be disjoint; they are checked when the kernel runs.
static bool visiblyOverlap(Value first, Value second) {
  if (first == second)
    return true;
  if (getViewedMemRef(first) != getViewedMemRef(second))
    return false;
  // One of them is the whole, or a cast of it.
  auto isWhole = [](Value value) {
    Value whole = getViewedMemRef(value);
    auto type = dyn_cast<MemRefType>(value.getType());
    auto wholeType = dyn_cast<MemRefType>(whole.getType());
    return value == whole ||
           (type && wholeType && type.hasStaticShape() &&
            wholeType.hasStaticShape() &&
            type.getNumElements() == wholeType.getNumElements());
  };
  return isWhole(first) || isWhole(second);
}

/// Whether the kernel writes to its argument.
static bool isStored(BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<StoreOp>(user))
      return store.getTarget() == argument;
    if (isa<LoadOp>(user))
      return false;
    // Any other use in loop form may write, unless it says that it does not.
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    return !effects || effects.hasEffect<MemoryEffects::Write>() ||
           isa<ViewLikeOpInterface>(user);
  });
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto kernel =
      symbolTable.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "expected @" << getKernel()
                         << " to be a uop.kernel, but there is none";
  auto note = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(kernel.getLoc()) << "the kernel is defined here";
    return diag;
  };
  ArrayRef<Type> expected = kernel.getArgumentTypes();
  if (expected.size() != getArgs().size())
    return note(emitOpError()
                << "expected " << expected.size() << " arguments for @"
                << getKernel() << ", but got " << getArgs().size());
  for (auto [index, type, arg] : llvm::enumerate(expected, getArgs()))
    if (type != arg.getType())
      return note(emitOpError()
                  << "expected argument #" << index << " of @" << getKernel()
                  << " to be " << type << ", but got " << arg.getType());
  for (auto [second, arg] : llvm::enumerate(getArgs())) {
    if (!isa<MemRefType>(arg.getType()))
      continue;
    for (auto [first, other] : llvm::enumerate(getArgs().take_front(second))) {
      if (!isa<MemRefType>(other.getType()) || !visiblyOverlap(arg, other))
        continue;
      Block &body = kernel.getBodyBlock();
      bool storesFirst = isStored(body.getArgument(first));
      if (!storesFirst && !isStored(body.getArgument(second)))
        continue;
      return note(emitOpError()
                  << "expected arguments that do not overlap, but #" << first
                  << " and #" << second << " are the same memory, and @"
                  << getKernel() << " stores to #"
                  << (storesFirst ? first : second) << "; pass a copy");
    }
  }
  return success();
}
