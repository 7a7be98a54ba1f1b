//===- ReduceModuleTest.cpp - What a reduction holds to -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests that are as capricious as tests can be, by the hash of the text, lead a
// reduction on many ways; what is promised holds on each.
//
//===----------------------------------------------------------------------===//

#include "Uop/Reduce/ReduceModule.h"
#include "Uop/IR/Uop.h"
#include "Uop/Reduce/ReductionPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr const char *kModule = R"mlir(
  uop.kernel @gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>, %n: index,
                   %C: memref<64x32xf32>, %D: memref<32xf32>)
      attributes {schedule = #uop.schedule<[LOCAL 0:16, UPCAST 1:2]>} {
    %c0 = arith.constant 0 : index
    %c60 = arith.constant 60 : index
    %m = uop.range loop 64
    %j = uop.range loop 32
    %k = uop.range reduce 48
    %a = uop.load %A[%m, %k] : memref<64x48xf32>
    %in = arith.cmpi slt, %k, %n : index
    %b = uop.load %B[%k, %j] mask %in : memref<48x32xf32>
    %p = arith.mulf %a, %b : f32
    %c = uop.reduce add %p over(%k) : f32
    %s = uop.range loop 48
    %x = uop.load %A[%c0, %s] : memref<64x48xf32>
    %t = uop.stage %x over(%s) : !uop.tile<48xf32, workgroup>
    %y = uop.load %t[%j] : !uop.tile<48xf32, workgroup>
    %sum = arith.addf %c, %y : f32
    %rows = arith.cmpi slt, %m, %c60 : index
    uop.store %sum, %C[%m, %j] mask %rows : memref<64x32xf32>
    %i = uop.range loop 32
    %v = uop.load %B[%c0, %i] : memref<48x32xf32>
    uop.store %v, %D[%i] : memref<32xf32>
  }
  uop.kernel loops @sum(%in: memref<8x64xf32>, %out: memref<8xf32>) {
    %g = uop.range global<x> 8
    %s = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
    uop.phase {
      %t = uop.range local<x> 64
      %x = memref.load %in[%g, %t] : memref<8x64xf32>
      memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    uop.phase {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %sum, %last = scf.for %i = %c0 to %c64 step %c1
          iter_args(%acc = %zero, %old = %zero) -> (f32, f32) {
        %x = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
        %next = arith.addf %acc, %x : f32
        scf.yield %next, %acc : f32, f32
      }
      %first = arith.cmpi eq, %g, %c0 : index
      scf.if %first {
        memref.store %sum, %out[%g] : memref<8xf32>
      } else {
        memref.store %last, %out[%g] : memref<8xf32>
      }
    }
  }
  func.func @main(%a: memref<8x64xf32>, %b: memref<8xf32>) {
    uop.launch @sum(%a, %b) : memref<8x64xf32>, memref<8xf32>
    return
  })mlir";

int64_t countOps(ModuleOp module) {
  int64_t count = -1;
  module->walk([&](Operation *) { ++count; });
  return count;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text + "\n";
}

class ReduceModule : public testing::Test {
protected:
  ReduceModule() {
    DialectRegistry registry;
    registry.insert<uop::UopDialect, func::FuncDialect>();
    arith::registerValueBoundsOpInterfaceExternalModels(registry);
    uop::registerReductionPatternInterface(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kModule, &context);
  }

  LogicalResult reduce(uop::InterestingFn isInteresting) {
    return uop::reduceModule(
        module, isInteresting,
        [&](const uop::ReductionProgress &now) { progress = now; });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  uop::ReductionProgress progress;
};

TEST_F(ReduceModule, HoldsToItsPromises) {
  ASSERT_TRUE(module);
  for (uint64_t seed = 0; seed < 40; ++seed) {
    module = parseSourceString<ModuleOp>(kModule, &context);
    llvm::StringSet<> seen;
    std::string last = print(*module);
    int64_t tests = 0;
    auto isInteresting = [&](ModuleOp variant,
                             StringRef text) -> FailureOr<bool> {
      ++tests;
      EXPECT_TRUE(succeeded(verify(variant))) << text.str();
      EXPECT_EQ(print(variant), text);
      EXPECT_TRUE(parseSourceString<ModuleOp>(text, &context)) << text.str();
      EXPECT_TRUE(seen.insert(text).second) << "twice: " << text.str();
      bool result = (llvm::xxh3_64bits(text) ^ seed) % (2 + seed % 4) == 0;
      if (result)
        last = text.str();
      return result;
    };
    ASSERT_TRUE(succeeded(reduce(isInteresting))) << "seed " << seed;
    EXPECT_EQ(print(*module), last) << "seed " << seed;
    EXPECT_EQ(progress.ops, countOps(*module)) << "seed " << seed;
    EXPECT_EQ(progress.tests, tests) << "seed " << seed;
  }
}

TEST_F(ReduceModule, GoesTheSameWayTwice) {
  std::vector<std::string> ways[2];
  for (std::vector<std::string> &way : ways) {
    module = parseSourceString<ModuleOp>(kModule, &context);
    ASSERT_TRUE(
        succeeded(reduce([&](ModuleOp, StringRef text) -> FailureOr<bool> {
          way.push_back(text.str());
          return text.contains("uop.stage");
        })));
  }
  EXPECT_EQ(ways[0], ways[1]);
}

TEST_F(ReduceModule, IsAFixpoint) {
  auto isInteresting = [](ModuleOp, StringRef text) -> FailureOr<bool> {
    return text.contains("scf.if") && text.contains("uop.reduce");
  };
  ASSERT_TRUE(succeeded(reduce(isInteresting)));
  std::string text = print(*module);
  EXPECT_LE(countOps(*module), 9) << text;
  ASSERT_TRUE(succeeded(reduce(isInteresting)));
  EXPECT_EQ(print(*module), text);
}

TEST_F(ReduceModule, KeepsTheSmallestOnFailure) {
  std::string last = print(*module);
  int64_t tests = 0;
  EXPECT_TRUE(failed(reduce([&](ModuleOp, StringRef text) -> FailureOr<bool> {
    if (++tests == 12)
      return failure();
    bool result = text.contains("uop.stage");
    if (result)
      last = text.str();
    return result;
  })));
  EXPECT_EQ(tests, 12);
  EXPECT_EQ(print(*module), last);
}

TEST_F(ReduceModule, TellsNobodyOfVariantsThatDoNotVerify) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    ADD_FAILURE() << diagnostic.str();
  });
  EXPECT_TRUE(succeeded(reduce([](ModuleOp, StringRef text) -> FailureOr<bool> {
    return text.contains("scf.if");
  })));
}

} // namespace
