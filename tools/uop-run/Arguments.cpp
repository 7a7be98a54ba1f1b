//===- Arguments.cpp - What a program is run on ---------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Emulator/Program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>
#include <random>

using namespace mlir;
using namespace uop;
using namespace uop::run;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What the widest vector access may ask for.
static constexpr uint64_t kAlignment = 64;

void Argument::Freed::operator()(char *memory) const { std::free(memory); }

int64_t Argument::getNumElements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// The elements from the first to the last one that can be addressed, counted
/// from number 0; nothing where they do not fit in 63 bits.
static std::optional<int64_t> getExtent(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> strides,
                                        int64_t offset, int64_t &lowest) {
  lowest = offset;
  if (llvm::is_contained(shape, 0))
    return offset;
  std::optional<int64_t> highest = offset;
  for (auto [size, stride] : llvm::zip(shape, strides)) {
    std::optional<int64_t> reach = llvm::checkedMul(size - 1, stride);
    if (!reach)
      return std::nullopt;
    if (*reach < 0)
      lowest += *reach;
    else
      highest = llvm::checkedAdd(*highest, *reach);
    if (!highest)
      return std::nullopt;
  }
  return llvm::checkedAdd<int64_t>(*highest, 1);
}

llvm::Error Argument::allocate(ArrayRef<int64_t> wanted) {
  auto memref = cast<MemRefType>(type);
  shape.assign(wanted.begin(), wanted.end());
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return fail("expected a strided layout, but got " + print(type));
  std::optional<int64_t> next = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (ShapedType::isDynamic(strides[axis])) {
      if (!next)
        return fail("an array of shape " + formatNpyShape(shape) +
                    " does not fit in memory");
      strides[axis] = *next;
    }
    int64_t size = std::max<int64_t>(shape[axis], 1);
    next = llvm::checkedMul(std::abs(strides[axis]), size);
  }
  if (ShapedType::isDynamic(offset))
    offset = 0;

  int64_t lowest;
  std::optional<int64_t> extent = getExtent(shape, strides, offset, lowest);
  if (lowest < 0)
    return fail("expected a layout that begins at element 0 or later, but " +
                print(type) + " begins at " + Twine(lowest));
  if (extent)
    extent = llvm::checkedMul(*extent, element.getBytes());
  std::optional<int64_t> total = extent;
  if (extent)
    total = llvm::checkedAdd<int64_t>(*extent, alignment);
  char *memory = nullptr;
  if (total)
    memory = static_cast<char *>(std::aligned_alloc(
        alignment, llvm::alignTo(static_cast<uint64_t>(*total), alignment)));
  if (!memory)
    return fail("an array of shape " + formatNpyShape(shape) + " of " +
                print(element.getType()) + " does not fit in memory");
  storage.reset(memory);
  allocated = *extent / element.getBytes();
  for (int64_t i = 0; i < allocated; ++i)
    element.write(memory + i * element.getBytes(), element.getSentinel());
  return llvm::Error::success();
}

void Argument::forEach(function_ref<void(char *)> visit) const {
  int64_t count = getNumElements(), position = offset;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(storage.get() + position * element.getBytes());
    for (size_t axis = shape.size(); axis-- > 0;) {
      position += strides[axis];
      if (++index[axis] < shape[axis])
        break;
      position -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

std::vector<char> Argument::gather() const {
  std::vector<char> data(getNumElements() * element.getBytes());
  char *next = data.data();
  forEach([&](char *address) {
    std::memcpy(next, address, element.getBytes());
    next += element.getBytes();
  });
  return data;
}

void Argument::save() {
  saved.assign(storage.get(), storage.get() + allocated * element.getBytes());
}

void Argument::restore() { llvm::copy(saved, storage.get()); }

//===----------------------------------------------------------------------===//
// From files
//===----------------------------------------------------------------------===//

/// Whether sizes fit the type of a memref, whose dynamic sizes take any.
static bool fits(ArrayRef<int64_t> shape, ArrayRef<int64_t> expected) {
  return shape.size() == expected.size() &&
         llvm::all_of(llvm::zip(shape, expected), [](auto sizes) {
           auto [size, wanted] = sizes;
           return size == wanted || ShapedType::isDynamic(wanted);
         });
}

/// A shape with ? where any size is right.
static std::string formatExpectedShape(ArrayRef<int64_t> shape) {
  std::string text = formatNpyShape(shape);
  std::string any = std::to_string(ShapedType::kDynamic);
  for (size_t at; (at = text.find(any)) != std::string::npos;)
    text.replace(at, any.size(), "?");
  return text;
}

llvm::Error Argument::load(StringRef path) {
  llvm::Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  if (!element.accepts(array->dtype))
    return fail("expected " + element.getExpectedDtype() + " for " +
                print(type) + ", but '" + path + "' holds " +
                array->dtype.getName());
  dtype = array->dtype;
  auto memref = dyn_cast<MemRefType>(type);
  ArrayRef<int64_t> expected;
  if (memref)
    expected = memref.getShape();
  if (!fits(array->shape, expected))
    return fail("expected shape " + formatExpectedShape(expected) + " for " +
                print(type) + ", but '" + path + "' has shape " +
                formatNpyShape(array->shape));
  if (!memref) {
    bits = element.read(array->data.data());
    return llvm::Error::success();
  }
  if (llvm::Error error = allocate(array->shape))
    return error;
  const char *next = array->data.data();
  forEach([&](char *address) {
    element.write(address, element.read(next));
    next += element.getBytes();
  });
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// From generators
//===----------------------------------------------------------------------===//

namespace {
enum class Generator { None, Rand, Zeros, Ones, Nan, Iota, Fill };
} // namespace

static Generator getGenerator(StringRef text) {
  return StringSwitch<Generator>(text.split(':').first)
      .Case("rand", Generator::Rand)
      .Case("zeros", Generator::Zeros)
      .Case("ones", Generator::Ones)
      .Case("nan", Generator::Nan)
      .Case("iota", Generator::Iota)
      .Case("fill", Generator::Fill)
      .Default(Generator::None);
}

/// Reads 3x4.
static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  SmallVector<StringRef> sizes;
  text.split(sizes, 'x');
  for (StringRef size : sizes)
    if (size.getAsInteger(10, shape.emplace_back()) || shape.back() < 0)
      return false;
  return true;
}

static uint64_t getRandom(const Element &element, std::mt19937_64 &words) {
  uint64_t word = words();
  if (element.isFloat())
    return element.fromDouble(static_cast<double>(word >> 11) * 0x1p-52 - 1);
  return element.isBool() ? word >> 63 : word >> 60;
}

llvm::Error Argument::generate(StringRef text, uint64_t seed) {
  auto memref = cast<MemRefType>(type);
  Generator generator = getGenerator(text);
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  ArrayRef<StringRef> rest = ArrayRef(parts).drop_front();

  uint64_t fill = 0;
  if (generator == Generator::Fill) {
    if (rest.empty())
      return fail("expected a value, as in fill:3");
    llvm::Expected<uint64_t> value = element.parse(rest.front());
    if (!value)
      return value.takeError();
    fill = *value;
    rest = rest.drop_front();
  }

  SmallVector<int64_t> wanted(memref.getShape());
  for (StringRef part : rest) {
    SmallVector<int64_t> given;
    if (part.consume_front("seed=")) {
      if (generator != Generator::Rand || part.getAsInteger(10, seed))
        return fail("expected a seed as in rand:seed=3, but got '" + text +
                    "'");
    } else if (!parseShape(part, given)) {
      return fail("expected a shape as in rand:3x4, or a seed as in "
                  "rand:seed=3, but got '" +
                  part + "' in '" + text + "'");
    } else if (!fits(given, memref.getShape())) {
      return fail("expected shape " + formatExpectedShape(memref.getShape()) +
                  " for " + print(type) + ", but '" + text + "' asks for " +
                  formatNpyShape(given));
    } else {
      wanted = given;
    }
  }
  if (llvm::is_contained(wanted, ShapedType::kDynamic))
    return fail(
        print(type) + " has dynamic sizes: give a shape, as in '" + text + ":" +
        llvm::join(llvm::map_range(memref.getShape(),
                                   [](int64_t size) {
                                     return std::to_string(
                                         ShapedType::isDynamic(size) ? 8
                                                                     : size);
                                   }),
                   "x") +
        "'");
  if (llvm::Error error = allocate(wanted))
    return error;

  std::mt19937_64 words(seed);
  int64_t number = 0;
  forEach([&](char *address) {
    uint64_t value = fill;
    switch (generator) {
    case Generator::Rand:
      value = getRandom(element, words);
      break;
    case Generator::Ones:
      value = element.fromInteger(1);
      break;
    case Generator::Iota:
      value = element.fromInteger(number++);
      break;
    case Generator::Nan:
      value = element.getSentinel();
      break;
    case Generator::None:
    case Generator::Zeros:
    case Generator::Fill:
      break;
    }
    element.write(address, value);
  });
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isFile(StringRef text) {
  return text.ends_with(".npy") || text.ends_with(".npz") ||
         llvm::sys::fs::exists(text);
}

llvm::Expected<Argument> Argument::create(unsigned index, Type type,
                                          StringRef text, uint64_t seed,
                                          uint64_t alignment) {
  auto memref = dyn_cast<MemRefType>(type);
  auto inArgument = [&](llvm::Error error) {
    return fail("argument #" + Twine(index) + ": " +
                llvm::toString(std::move(error)));
  };
  std::optional<Element> element =
      Element::get(memref ? memref.getElementType() : type);
  if (!element)
    return inArgument(
        fail("expected a memref or a scalar of i1, i8, i16, i32, i64, index, "
             "f16, bf16, f32, f64 or an 8-bit floating-point type, but got " +
             print(type)));
  Argument argument(type, *element);
  argument.dtype = element->getDtype();
  argument.alignment = std::max(alignment, kAlignment);
  if (memref && getGenerator(text) != Generator::None) {
    if (llvm::Error error = argument.generate(text, seed + index))
      return inArgument(std::move(error));
    return argument;
  }
  if (isFile(text)) {
    if (llvm::Error error = argument.load(text))
      return inArgument(std::move(error));
    return argument;
  }
  if (memref) {
    llvm::Expected<uint64_t> number = element->parse(text);
    std::string hint = number ? "; did you mean fill:" + text.str() + "?" : "";
    if (!number)
      llvm::consumeError(number.takeError());
    return inArgument(fail("expected an .npy file, rand, zeros, ones, nan, "
                           "iota or fill:VALUE for " +
                           print(type) + ", but got '" + text + "'" + hint));
  }
  llvm::Expected<uint64_t> bits = element->parse(text);
  if (!bits)
    return inArgument(fail("expected a number or an .npy file for " +
                           print(type) + ", but " +
                           llvm::toString(bits.takeError())));
  argument.bits = *bits;
  return argument;
}

llvm::Expected<std::vector<Argument>>
run::makeArguments(FunctionOpInterface function, ArrayRef<std::string> texts,
                   uint64_t seed) {
  ArrayRef<Type> types = function.getArgumentTypes();
  if (texts.size() != types.size())
    return fail("expected " + Twine(types.size()) +
                (types.size() == 1 ? " argument" : " arguments") + " for @" +
                function.getName() + " (" +
                llvm::join(llvm::map_range(types, print), ", ") +
                "), but got " + Twine(texts.size()));
  std::vector<Argument> arguments;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto align = function.getArgAttrOfType<IntegerAttr>(index, "llvm.align");
    uint64_t alignment = align ? align.getValue().getZExtValue() : 1;
    if (!llvm::isPowerOf2_64(alignment))
      alignment = 1;
    llvm::Expected<Argument> argument =
        Argument::create(index, type, texts[index], seed, alignment);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

llvm::Error run::invoke(CompiledProgram &program,
                        MutableArrayRef<Argument> arguments, void *result) {
  std::vector<MemRefArgument> descriptors;
  descriptors.reserve(arguments.size());
  SmallVector<void *> packed;
  for (Argument &argument : arguments) {
    if (!argument.isMemRef()) {
      packed.push_back(argument.getBitsAddress());
      continue;
    }
    descriptors.emplace_back(argument.getData(), argument.getOffset(),
                             argument.getShape(), argument.getStrides());
    packed.push_back(descriptors.back().descriptor());
  }
  return program.run(packed, result);
}
