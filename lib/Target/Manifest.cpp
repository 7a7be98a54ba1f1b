//===- Manifest.cpp - What a launcher must know of a kernel ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/Manifest.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace json = llvm::json;

/// An x, y, z triple; none where it is not known.
using Dims = std::optional<SmallVector<int64_t, 3>>;

static json::Value toJSON(ArrayRef<int64_t> numbers) {
  json::Array array;
  for (int64_t number : numbers)
    array.push_back(number);
  return array;
}

static json::Value toJSON(const Dims &dims) {
  return dims ? toJSON(ArrayRef<int64_t>(*dims)) : json::Value(nullptr);
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

static json::Object describeArgument(Type type, DictionaryAttr attributes) {
  json::Object argument;
  auto memref = dyn_cast<MemRefType>(type);
  Type element = memref ? memref.getElementType() : type;
  bool isPointer = memref || isa<LLVM::LLVMPointerType>(type);
  argument["kind"] = memref ? "memref" : isPointer ? "pointer" : "scalar";
  argument["type"] = toString(element);
  argument["bytes"] = getBytes(element);
  if (memref) {
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (succeeded(memref.getStridesAndOffset(strides, offset))) {
      int64_t last = offset;
      for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
        last += (size - 1) * stride;
      bool isEmpty = llvm::is_contained(memref.getShape(), 0);
      argument["shape"] = toJSON(memref.getShape());
      argument["strides"] = toJSON(strides);
      argument["offset"] = offset;
      argument["span"] = isEmpty ? 0 : (last + 1) * getBytes(element);
    }
  }
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

/// The three sizes if they are constants.
static Dims getConstants(gpu::KernelDim3 sizes) {
  SmallVector<int64_t, 3> constants;
  for (Value size : {sizes.x, sizes.y, sizes.z}) {
    APInt value;
    if (!matchPattern(size, m_ConstantInt(&value)))
      return std::nullopt;
    constants.push_back(value.getSExtValue());
  }
  return constants;
}

static Dims getAttribute(Operation *kernel, StringRef name) {
  auto sizes = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
  if (!sizes || sizes.size() != 3)
    return std::nullopt;
  return SmallVector<int64_t, 3>(sizes.asArrayRef());
}

namespace {
/// What the launches of a kernel agree on.
struct Launch {
  Dims grid, block;
};
} // namespace

static llvm::DenseMap<SymbolRefAttr, Launch> collectLaunches(ModuleOp module) {
  llvm::DenseMap<SymbolRefAttr, Launch> launches;
  module.walk([&](gpu::LaunchFuncOp launch) {
    Dims grid = getConstants(launch.getGridSizeOperandValues());
    Dims block = getConstants(launch.getBlockSizeOperandValues());
    auto [it, isNew] = launches.insert({launch.getKernel(), {grid, block}});
    if (isNew)
      return;
    if (it->second.grid != grid)
      it->second.grid = std::nullopt;
    if (it->second.block != block)
      it->second.block = std::nullopt;
  });
  return launches;
}

static json::Object describeKernel(LLVM::LLVMFuncOp function,
                                   StringRef moduleName, Launch launch,
                                   int64_t sharedBytes) {
  ArrayRef<Type> types = function.getArgumentTypes();
  if (auto signature =
          function->getAttrOfType<TypeAttr>(uop::kSignatureAttrName))
    if (auto type = dyn_cast<FunctionType>(signature.getValue()))
      if (type.getNumInputs() == types.size())
        types = type.getInputs();
  json::Array arguments;
  for (auto [index, type] : llvm::enumerate(types))
    arguments.push_back(describeArgument(type, function.getArgAttrDict(index)));

  if (Dims known = getAttribute(function, "gpu.known_grid_size"))
    launch.grid = known;
  if (Dims known = getAttribute(function, "gpu.known_block_size"))
    launch.block = known;
  return json::Object{
      {"name", function.getName()},        {"module", moduleName},
      {"arguments", std::move(arguments)}, {"grid", toJSON(launch.grid)},
      {"block", toJSON(launch.block)},     {"shared_bytes", sharedBytes}};
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
      {"kernels", std::move(kernels)}};
}
