//===- Manifest.cpp - What a launcher must know of a kernel ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/Manifest.h"
#include "HostExpression.h"
#include "HostProgram.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/KernelParameters.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;
namespace json = llvm::json;

namespace {

/// Blocks or threads along a dimension: a number, or an expression of the
/// parameters, which begins with a name.
struct Extent {
  int64_t number = 0;
  std::string expression;

  bool operator==(const Extent &other) const {
    return number == other.number && expression == other.expression;
  }
};

} // namespace

/// An x, y, z triple; none where it is not known.
using Dims = std::optional<SmallVector<Extent, 3>>;

static json::Value toJSON(ArrayRef<int64_t> numbers) {
  json::Array array;
  for (int64_t number : numbers)
    array.push_back(number);
  return array;
}

static json::Value toJSON(const Dims &dims) {
  if (!dims)
    return nullptr;
  json::Array array;
  for (const Extent &extent : *dims)
    array.push_back(extent.expression.empty() ? json::Value(extent.number)
                                              : json::Value(extent.expression));
  return array;
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

/// Bytes of one element or scalar in memory, as the kernel sees it.
static int64_t getBytes(Type type) {
  if (type.isIndex() || isa<LLVM::LLVMPointerType>(type))
    return 8;
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getBytes(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getBytes(vector.getElementType());
  return 0;
}

/// The numbers of a memref's type, and the names of the parameters for those
/// that are dynamic.
static json::Value toJSON(ArrayRef<int64_t> numbers, KernelParameter parameter,
                          KernelParameter::Kind kind) {
  json::Array array;
  for (auto [dimension, number] : llvm::enumerate(numbers)) {
    parameter.kind = kind;
    parameter.dimension = dimension;
    array.push_back(ShapedType::isDynamic(number)
                        ? json::Value(parameter.getName())
                        : json::Value(number));
  }
  return array;
}

/// The strides of a row-major memref are products of its sizes.
static json::Value describeRowMajorStrides(MemRefType memref,
                                           KernelParameter parameter) {
  SmallVector<json::Value> strides;
  int64_t factor = 1;
  std::string names;
  parameter.kind = KernelParameter::Kind::Size;
  for (int64_t dimension = memref.getRank() - 1; dimension >= 0; --dimension) {
    if (names.empty())
      strides.push_back(factor);
    else if (factor == 1)
      strides.push_back(names);
    else
      strides.push_back(names + " * " + std::to_string(factor));
    int64_t size = memref.getDimSize(dimension);
    if (!ShapedType::isDynamic(size)) {
      factor *= size;
      continue;
    }
    parameter.dimension = dimension;
    names = parameter.getName() + (names.empty() ? "" : " * " + names);
  }
  json::Array array;
  for (json::Value &stride : llvm::reverse(strides))
    array.push_back(std::move(stride));
  return array;
}

static void describeLayout(MemRefType memref, const KernelParameter &parameter,
                           json::Object &argument) {
  using Kind = KernelParameter::Kind;
  argument["shape"] = toJSON(memref.getShape(), parameter, Kind::Size);
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return;
  if (hasDynamicLayout(memref)) {
    argument["strides"] = memref.getLayout().isIdentity()
                              ? describeRowMajorStrides(memref, parameter)
                              : toJSON(strides, parameter, Kind::Stride);
    KernelParameter part = parameter;
    part.kind = Kind::Offset;
    argument["offset"] = ShapedType::isDynamic(offset)
                             ? json::Value(part.getName())
                             : json::Value(offset);
    argument["span"] = nullptr;
    return;
  }
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
    last += (size - 1) * stride;
  bool isEmpty = llvm::is_contained(memref.getShape(), 0);
  argument["strides"] = toJSON(strides);
  argument["offset"] = offset;
  argument["span"] =
      isEmpty ? 0 : (last + 1) * getBytes(memref.getElementType());
}

/// A part of a memref, which is passed beside the pointer.
static json::Object describePart(const KernelParameter &parameter) {
  using Kind = KernelParameter::Kind;
  json::Object argument;
  argument["name"] = parameter.getName();
  argument["kind"] = parameter.kind == Kind::Size     ? "size"
                     : parameter.kind == Kind::Stride ? "stride"
                                                      : "offset";
  KernelParameter whole = parameter;
  whole.kind = Kind::Argument;
  argument["of"] = whole.getName();
  if (parameter.kind != Kind::Offset)
    argument["dimension"] = parameter.dimension;
  argument["type"] = toString(parameter.type);
  argument["bytes"] = getBytes(parameter.type);
  return argument;
}

/// `type` is that of the kernel's argument.
static json::Object describeArgument(const KernelParameter &parameter,
                                     Type type, DictionaryAttr attributes) {
  if (parameter.kind != KernelParameter::Kind::Argument)
    return describePart(parameter);
  json::Object argument;
  // Upstream has no strides for some arrays without elements.
  auto memref = dyn_cast<MemRefType>(
      hasDynamicLayout(type) ? type : getDeviceArgumentType(type));
  Type element = memref ? memref.getElementType() : type;
  bool isPointer = memref || isa<LLVM::LLVMPointerType>(type);
  argument["name"] = parameter.getName();
  argument["kind"] = memref ? "memref" : isPointer ? "pointer" : "scalar";
  argument["type"] = toString(element);
  argument["bytes"] = getBytes(element);
  if (memref)
    describeLayout(memref, parameter, argument);
  if (auto range = attributes ? attributes.getAs<LLVM::ConstantRangeAttr>(
                                    LLVM::LLVMDialect::getRangeAttrName())
                              : LLVM::ConstantRangeAttr())
    argument["range"] = json::Array{range.getLower().getSExtValue(),
                                    (range.getUpper() - 1).getSExtValue()};
  if (isPointer && attributes) {
    argument["readonly"] =
        attributes.contains(LLVM::LLVMDialect::getReadonlyAttrName());
    argument["noalias"] =
        attributes.contains(LLVM::LLVMDialect::getNoAliasAttrName());
    if (auto align = attributes.getAs<IntegerAttr>(
            LLVM::LLVMDialect::getAlignAttrName()))
      argument["align"] = align.getInt();
  }
  return argument;
}

/// The types of the kernel's arguments: those of its signature, else those of
/// the parameters.
static ArrayRef<Type> getArguments(FunctionOpInterface function) {
  ArrayRef<Type> parameters = function.getArgumentTypes();
  auto signature = function->getAttrOfType<TypeAttr>(uop::kSignatureAttrName);
  auto type =
      signature ? dyn_cast<FunctionType>(signature.getValue()) : FunctionType();
  return type && getKernelParameters(type.getInputs()).size() ==
                     parameters.size()
             ? type.getInputs()
             : parameters;
}

/// The three sizes, if they are constants or computed from what the kernel is
/// given.
static Dims describeSizes(gpu::KernelDim3 sizes,
                          const llvm::DenseMap<Value, std::string> &names) {
  SmallVector<Extent, 3> extents;
  for (Value size : {sizes.x, sizes.y, sizes.z}) {
    Extent &extent = extents.emplace_back();
    APInt value;
    if (matchPattern(size, m_ConstantInt(&value))) {
      extent.number = value.getSExtValue();
      continue;
    }
    std::optional<std::string> text = describeValue(size, names);
    if (!text)
      return std::nullopt;
    extent.expression = *text;
  }
  return extents;
}

static Dims getAttribute(Operation *kernel, StringRef name) {
  auto sizes = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
  if (!sizes || sizes.size() != 3)
    return std::nullopt;
  SmallVector<Extent, 3> extents;
  for (int32_t size : sizes.asArrayRef())
    extents.push_back({size, ""});
  return extents;
}

namespace {
/// What the launches of a kernel agree on.
struct Launch {
  Dims grid, block;
  /// None where they differ, or where it is not a constant.
  std::optional<int64_t> dynamicBytes = 0;
};
} // namespace

static llvm::DenseMap<SymbolRefAttr, Launch> collectLaunches(ModuleOp module) {
  llvm::DenseMap<SymbolRefAttr, Launch> launches;
  module.walk([&](gpu::LaunchFuncOp launch) {
    llvm::DenseMap<Value, std::string> names;
    auto kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        launch, launch.getKernel());
    if (kernel)
      for (auto [parameter, value] :
           llvm::zip(getKernelParameters(getArguments(kernel)),
                     launch.getKernelOperands()))
        names.insert({value, parameter.getName()});
    Dims grid = describeSizes(launch.getGridSizeOperandValues(), names);
    Dims block = describeSizes(launch.getBlockSizeOperandValues(), names);
    std::optional<int64_t> dynamicBytes = getDynamicSharedBytes(launch);
    auto [it, isNew] =
        launches.insert({launch.getKernel(), {grid, block, dynamicBytes}});
    if (isNew)
      return;
    if (it->second.grid != grid)
      it->second.grid = std::nullopt;
    if (it->second.block != block)
      it->second.block = std::nullopt;
    if (it->second.dynamicBytes != dynamicBytes)
      it->second.dynamicBytes = std::nullopt;
  });
  return launches;
}

static json::Object describeKernel(LLVM::LLVMFuncOp function,
                                   StringRef moduleName, Launch launch,
                                   int64_t sharedBytes) {
  ArrayRef<Type> types = getArguments(function);
  json::Array arguments;
  for (auto [index, parameter] : llvm::enumerate(getKernelParameters(types)))
    arguments.push_back(describeArgument(parameter, types[parameter.argument],
                                         function.getArgAttrDict(index)));

  if (Dims known = getAttribute(function, "gpu.known_grid_size"))
    launch.grid = known;
  if (Dims known = getAttribute(function, "gpu.known_block_size"))
    launch.block = known;
  return json::Object{{"name", function.getName()},
                      {"module", moduleName},
                      {"arguments", std::move(arguments)},
                      {"grid", toJSON(launch.grid)},
                      {"block", toJSON(launch.block)},
                      {"shared_bytes", sharedBytes},
                      {"dynamic_shared_bytes",
                       launch.dynamicBytes ? json::Value(*launch.dynamicBytes)
                                           : json::Value(nullptr)}};
}

json::Object uop::buildManifest(ModuleOp module,
                                ArrayRef<gpu::GPUModuleOp> modules,
                                const DeviceCode &code, StringRef codeFile) {
  llvm::DenseMap<SymbolRefAttr, Launch> launches = collectLaunches(module);
  json::Array kernels;
  for (const KernelCode &kernel : code.kernels)
    for (gpu::GPUModuleOp gpuModule : modules)
      if (auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(
              SymbolTable::lookupSymbolIn(gpuModule, kernel.name))) {
        auto name = SymbolRefAttr::get(gpuModule.getSymNameAttr(),
                                       {FlatSymbolRefAttr::get(function)});
        kernels.push_back(describeKernel(function, gpuModule.getName(),
                                         launches.lookup(name),
                                         kernel.sharedBytes));
        break;
      }
  return json::Object{
      {"version", 1},
      {"code", codeFile.empty() ? json::Value(nullptr) : json::Value(codeFile)},
      {"chip", code.chip},
      {"kernels", std::move(kernels)},
      {"functions", describeHostFunctions(module)}};
}
