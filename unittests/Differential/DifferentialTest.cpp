//===- DifferentialTest.cpp - The run path against the reference ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels under random schedules, mapped, lowered and compiled for the
// emulator, leave every byte of memory as the reference interpreter does: no
// operation is reordered by LOCAL, UPCAST and UNROLL, so that holds for floats
// as well (a NaN is any NaN). Gaps of strided memory and elements that nothing
// stores keep what they held.
//
// Two variables of the environment ask for more: UOP_DIFFERENTIAL_SEED, the
// first seed (default 1), and UOP_DIFFERENTIAL_KERNELS, how many kernels. With
// UOP_DIFFERENTIAL_PRINT each kernel is printed.
//
//===----------------------------------------------------------------------===//

#include "DynamicKernel.h"
#include "RandomKernel.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Interpreter/Interpreter.h"
#include "Uop/Transforms/Mapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace uop;

namespace {

/// One argument: its bytes, and what it is.
struct Buffer {
  MemRefType type;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  std::vector<uint8_t> bytes;
};

/// A kernel with its arguments, the scalars among them as attributes.
struct Case {
  std::string name;
  std::string text;
  uint64_t seed;
  std::vector<Type> types;
  std::vector<Buffer> buffers;
  std::vector<TypedAttr> scalars;
};

class DifferentialTest : public ::testing::Test {
protected:
  DifferentialTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<UopDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Numbers of all sorts: small ones mostly, since these make equal and exact
  /// values; any bits else.
  static void fill(std::mt19937_64 &random, Type type, uint8_t *to) {
    unsigned bytes = getElementBytes(type);
    uint64_t bits = random();
    if (auto format = dyn_cast<FloatType>(type)) {
      unsigned kind = random() % 16;
      if (kind > 2) {
        llvm::APFloat value(int64_t(random() % 257) / 16.0 - 8.0);
        if (random() % 3 == 0)
          value = llvm::APFloat((int64_t(random() >> 11)) * 0x1p-52 - 0.5);
        bool losesInfo;
        value.convert(format.getFloatSemantics(),
                      llvm::RoundingMode::NearestTiesToEven, &losesInfo);
        bits = value.bitcastToAPInt().getZExtValue();
      } else if (kind == 2) {
        // A subnormal number.
        bits &= 1ull << (format.getWidth() - 1) |
                ((1ull << (format.getFPMantissaWidth() - 1)) - 1);
      }
    } else if (type.isInteger(1)) {
      bits &= 1;
    } else if (random() % 4 != 0) {
      bits = random() % 21 - 10;
    }
    std::memcpy(to, &bits, bytes);
  }

  void makeArguments(Case &item, KernelOp kernel) {
    std::mt19937_64 random(item.seed);
    for (Type type : kernel.getArgumentTypes()) {
      item.types.push_back(type);
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref) {
        uint64_t bits = 0;
        fill(random, type, reinterpret_cast<uint8_t *>(&bits));
        if (auto format = dyn_cast<FloatType>(type)) {
          APInt value(format.getWidth(), bits, false, true);
          item.scalars.push_back(FloatAttr::get(
              type, llvm::APFloat(format.getFloatSemantics(), value)));
        } else {
          item.scalars.push_back(IntegerAttr::get(
              type, APInt(type.getIntOrFloatBitWidth(), bits, false, true)));
        }
        continue;
      }
      Buffer &buffer = item.buffers.emplace_back();
      buffer.type = memref;
      ASSERT_TRUE(
          succeeded(memref.getStridesAndOffset(buffer.strides, buffer.offset)));
      int64_t elements = buffer.offset + 1;
      for (auto [size, stride] : llvm::zip(memref.getShape(), buffer.strides))
        elements += std::max<int64_t>(size - 1, 0) * stride;
      unsigned bytes = getElementBytes(memref.getElementType());
      buffer.bytes.resize((elements + 4) * bytes);
      for (int64_t i = 0; i < elements + 4; ++i)
        fill(random, memref.getElementType(), &buffer.bytes[i * bytes]);
    }
  }

  LogicalResult interpret(const Case &item, KernelOp kernel, bool contract,
                          std::vector<Buffer> &memory) {
    memory = item.buffers;
    std::vector<KernelArgument> arguments;
    auto buffer = memory.begin();
    auto scalar = item.scalars.begin();
    for (Type type : item.types) {
      if (!isa<MemRefType>(type)) {
        arguments.emplace_back(*scalar++);
        continue;
      }
      BufferArgument argument;
      argument.data = buffer->bytes.data();
      argument.elementType = buffer->type.getElementType();
      argument.shape.assign(buffer->type.getShape().begin(),
                            buffer->type.getShape().end());
      argument.strides = buffer->strides;
      argument.offset = buffer->offset;
      argument.allocatedElements =
          buffer->bytes.size() / getElementBytes(argument.elementType);
      arguments.emplace_back(argument);
      ++buffer;
    }
    InterpreterOptions options;
    options.contract = contract;
    return interpretKernel(kernel, arguments, options);
  }

  static void emulate(const Case &item, Jit &jit, std::vector<Buffer> &memory) {
    memory = item.buffers;
    std::vector<MemRefArgument> descriptors;
    descriptors.reserve(memory.size());
    std::vector<uint64_t> words(item.scalars.size());
    SmallVector<void *> packed;
    auto buffer = memory.begin();
    size_t scalar = 0;
    for (Type type : item.types) {
      if (!isa<MemRefType>(type)) {
        Attribute attribute = item.scalars[scalar];
        APInt bits =
            isa<FloatAttr>(attribute)
                ? cast<FloatAttr>(attribute).getValue().bitcastToAPInt()
                : cast<IntegerAttr>(attribute).getValue();
        words[scalar] = bits.getZExtValue();
        packed.push_back(&words[scalar++]);
        continue;
      }
      descriptors.emplace_back(buffer->bytes.data(), buffer->offset,
                               buffer->type.getShape(), buffer->strides);
      packed.push_back(descriptors.back().descriptor());
      ++buffer;
    }
    if (llvm::Error error = jit.invoke(item.name, packed))
      ADD_FAILURE() << llvm::toString(std::move(error));
  }

  static bool areEqual(Type type, const uint8_t *a, const uint8_t *b) {
    unsigned bytes = getElementBytes(type);
    if (std::memcmp(a, b, bytes) == 0)
      return true;
    auto format = dyn_cast<FloatType>(type);
    if (!format)
      return false;
    auto isNaN = [&](const uint8_t *at) {
      uint64_t bits = 0;
      std::memcpy(&bits, at, bytes);
      return llvm::APFloat(format.getFloatSemantics(),
                           APInt(format.getWidth(), bits))
          .isNaN();
    };
    return isNaN(a) && isNaN(b);
  }

  static std::string describe(const Case &item, ScheduleAttr schedule,
                              bool contract) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "seed " << item.seed << ", fp-contract " << (contract ? "on" : "off");
    if (schedule)
      os << ", " << schedule;
    os << "\n" << item.text;
    return text;
  }

  /// The schedule of a kernel that does not say is random, or left to the
  /// heuristic.
  void chooseSchedule(KernelOp kernel, std::mt19937_64 &random) {
    if (kernel.isMapped() || kernel.getScheduleAttr() || random() % 4 == 0)
      return;
    auto divisor = [&](int64_t of, int64_t most) {
      int64_t amount;
      do
        amount = 1 + random() % std::min(of, most);
      while (of % amount != 0);
      return amount;
    };
    SmallVector<OptAttr> opts;
    int64_t threads = 1;
    for (auto [number, axis] : llvm::enumerate(getOutputAxes(kernel))) {
      if (!axis.isKind(AxisKind::Loop) || axis.size.value_or(0) == 0)
        continue;
      int64_t local = divisor(*axis.size, 1024 / threads);
      int64_t upcast = divisor(*axis.size / local, 4);
      threads *= local;
      opts.push_back(OptAttr::get(&context, OptKind::Local, number, local));
      opts.push_back(OptAttr::get(&context, OptKind::Upcast, number, upcast));
    }
    for (auto [number, axis] : llvm::enumerate(getReduceAxes(kernel)))
      if (axis.isKind(AxisKind::Reduce) && axis.size.value_or(0) &&
          random() % 2)
        opts.push_back(OptAttr::get(&context, OptKind::Unroll, number,
                                    divisor(*axis.size, 8)));
    kernel.setScheduleAttr(ScheduleAttr::get(
        &context, opts, random() % 2 ? UpcastLayout::GPU : UpcastLayout::CPU));
  }

  /// Compares the kernels, all in one module. Returns how many of them there
  /// are: what the verifier refuses is left out where `skipInvalid`.
  unsigned check(ArrayRef<std::pair<uint64_t, std::string>> texts,
                 bool contract, bool openmp, unsigned optLevel,
                 bool skipInvalid = false, bool dynamic = false) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    std::vector<Case> cases;
    std::vector<std::vector<Buffer>> expected;
    std::vector<ScheduleAttr> schedules;
    for (const auto &[seed, text] : texts) {
      std::string message;
      OwningOpRef<ModuleOp> parsed;
      {
        ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
          message += diag.str() + "\n";
          return success();
        });
        parsed = parseSourceString<ModuleOp>(text, &context);
      }
      if (!parsed) {
        if (!skipInvalid || std::getenv("UOP_DIFFERENTIAL_PRINT"))
          ADD_FAILURE() << "seed " << seed << ": " << message << text;
        continue;
      }
      KernelOp kernel = *parsed->getOps<KernelOp>().begin();
      Case item;
      item.name = kernel.getName().str();
      item.text = text;
      item.seed = seed;
      makeArguments(item, kernel);
      std::vector<Buffer> memory;
      if (failed(interpret(item, kernel, contract, memory))) {
        ADD_FAILURE() << describe(item, {}, contract);
        continue;
      }
      std::mt19937_64 random(seed);
      if (dynamic && !makeDynamic(kernel, random))
        continue;
      if (dynamic) {
        item.text.clear();
        llvm::raw_string_ostream(item.text) << kernel;
      }
      chooseSchedule(kernel, random);
      {
        // A schedule that is refused is the business of other tests.
        ScopedDiagnosticHandler handler(&context,
                                        [](Diagnostic &) { return success(); });
        if (kernel.getScheduleAttr() && !kernel.isMapped() &&
            failed(planMapping(kernel, kernel.getScheduleAttr())))
          kernel.removeScheduleAttr();
      }
      schedules.push_back(kernel.getScheduleAttr());
      kernel->moveBefore(module->getBody(), module->getBody()->end());
      cases.push_back(std::move(item));
      expected.push_back(std::move(memory));
    }
    if (cases.empty())
      return 0;

    PassManager pm(&context);
    LowerToGPUOptions lower;
    lower.fpContract = contract ? FPContract::On : FPContract::Off;
    buildLowerToGPUPipeline(pm, lower);
    JitOptions jitOptions;
    jitOptions.openmp = openmp;
    jitOptions.optLevel = optLevel;
    std::unique_ptr<Jit> jit;
    if (failed(pm.run(*module)) || !(jit = Jit::create(*module, jitOptions))) {
      // Which one it is.
      if (texts.size() > 1)
        for (const auto &text : texts)
          check(text, contract, openmp, optLevel, skipInvalid, dynamic);
      else
        ADD_FAILURE() << "does not compile: "
                      << describe(cases[0], schedules[0], contract);
      return 0;
    }
    for (auto [item, memory, schedule] :
         llvm::zip(cases, expected, schedules)) {
      if (std::getenv("UOP_DIFFERENTIAL_PRINT"))
        llvm::errs() << describe(item, schedule, contract);
      std::vector<Buffer> actual;
      emulate(item, *jit, actual);
      compare(item, memory, actual, describe(item, schedule, contract));
    }
    return cases.size();
  }

  static void compare(const Case &item, ArrayRef<Buffer> expected,
                      ArrayRef<Buffer> actual, const std::string &what) {
    for (auto [number, want, got] : llvm::enumerate(expected, actual)) {
      Type element = want.type.getElementType();
      unsigned bytes = getElementBytes(element);
      for (size_t at = 0; at < want.bytes.size(); at += bytes) {
        if (areEqual(element, &want.bytes[at], &got.bytes[at]))
          continue;
        uint64_t wantBits = 0, gotBits = 0;
        std::memcpy(&wantBits, &want.bytes[at], bytes);
        std::memcpy(&gotBits, &got.bytes[at], bytes);
        std::string type;
        llvm::raw_string_ostream(type) << want.type;
        ADD_FAILURE() << "expected 0x" << llvm::utohexstr(wantBits)
                      << ", but got 0x" << llvm::utohexstr(gotBits)
                      << " in element " << at / bytes << " of memref number "
                      << number << ", " << type << "\n"
                      << what;
        return;
      }
    }
  }

  void checkRandomKernels(bool dynamic) {
    uint64_t first = getVariable("UOP_DIFFERENTIAL_SEED", 1);
    uint64_t count = getVariable("UOP_DIFFERENTIAL_KERNELS", 160);
    const uint64_t batch = 40;
    uint64_t valid = 0;
    for (uint64_t begin = first, number = 0; begin < first + count;
         begin += batch, ++number) {
      std::vector<std::pair<uint64_t, std::string>> texts;
      for (uint64_t seed = begin; seed < std::min(begin + batch, first + count);
           ++seed)
        texts.emplace_back(seed,
                           makeRandomKernel(seed, "k" + std::to_string(seed)));
      valid += check(texts, /*contract=*/number % 2, /*openmp=*/number % 3 == 2,
                     /*optLevel=*/number % 3 == 1 ? 3 : 1, /*skipInvalid=*/true,
                     dynamic);
    }
    // What the verifier cannot prove is left out: little, unless strides and
    // extents are symbols.
    EXPECT_GE(valid * 10, count * (dynamic ? 5 : 9));
  }

  /// Compares one kernel in both modes.
  void checkKernel(StringRef text) {
    check({{1, text.str()}}, /*contract=*/false, /*openmp=*/false,
          /*optLevel=*/1);
    check({{1, text.str()}}, /*contract=*/true, /*openmp=*/false,
          /*optLevel=*/3);
  }

  static uint64_t getVariable(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    uint64_t value;
    if (!text || StringRef(text).getAsInteger(0, value))
      return otherwise;
    return value;
  }

  MLIRContext context;
};

} // namespace

// The number of kernels fits a run of some seconds.
TEST_F(DifferentialTest, RandomKernels) {
  checkRandomKernels(/*dynamic=*/false);
}

// The same kernels, but what they know of their arguments is given to them as
// they run.
TEST_F(DifferentialTest, DynamicKernels) {
  checkRandomKernels(/*dynamic=*/true);
}

//===----------------------------------------------------------------------===//
// Kernels that once went wrong
//===----------------------------------------------------------------------===//

// A reduction of maxnumf and one of minnumf: a number beats NaN, and the zeros
// are in the order of their signs.
TEST_F(DifferentialTest, NumbersBeatNaN) {
  checkKernel(R"mlir(
    uop.kernel @k(%a: memref<16x8xf32>, %most: memref<16xf32>,
                  %least: memref<16xf32>) {
      %i = uop.range loop 16
      %j = uop.range reduce 8
      %x = uop.load %a[%i, %j] : memref<16x8xf32>
      %zero = arith.constant -0.0 : f32
      %y = arith.mulf %x, %zero : f32
      %max = uop.reduce maxnumf %y over(%j) : f32
      %min = uop.reduce minnumf %y over(%j) : f32
      uop.store %max, %most[%i] : memref<16xf32>
      uop.store %min, %least[%i] : memref<16xf32>
    }
  )mlir");
}

// Atomic products, bits, and extrema of floats: LLVM has no instruction for
// these, or one with another meaning.
TEST_F(DifferentialTest, Accumulates) {
  std::vector<std::pair<uint64_t, std::string>> texts;
  for (StringRef type :
       {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"})
    for (StringRef kind :
         {"add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui",
          "minimumf", "maximumf", "minnumf", "maxnumf"}) {
      bool isFloat = type.contains('f');
      // Sums and products of floats depend on the order, which is open.
      if (isFloat != kind.ends_with("f"))
        continue;
      std::string text = ("uop.kernel @" + kind + "_" + type +
                          "(%a: memref<20xT>, %out: memref<3xT>) {\n"
                          "  %i = uop.range loop 20\n"
                          "  %c3 = arith.constant 3 : index\n"
                          "  %r = uop.floormod %i, %c3\n"
                          "  %x = uop.load %a[%i] : memref<20xT>\n"
                          "  uop.store " +
                          kind +
                          " %x, %out[%r] : memref<3xT>\n"
                          "}\n")
                             .str();
      for (size_t at; (at = text.find("xT>")) != std::string::npos;)
        text.replace(at + 1, 1, type.str());
      texts.emplace_back(1, text);
    }
  check(texts, /*contract=*/false, /*openmp=*/true, /*optLevel=*/1);
}
