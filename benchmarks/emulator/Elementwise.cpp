//===- Elementwise.cpp - a x + y on the emulator, beside C ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "loops/axpy.h"

#include <cmath>

using namespace uop;
using namespace uop::bench;

// So many times a round that the clock can tell.
static int repetitions(int n) { return std::max(1, (1 << 22) / n); }

bool uop::bench::runAxpy(Harness &harness, int n) {
  Buffer x(n), y(n), out(n), expected(n);
  float a = 1.5f;
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000) / 7;
    y[i] = static_cast<float>(i % 777) / 3;
    expected[i] = std::fma(a, x[i], y[i]);
  }
  std::unique_ptr<uop::Jit> jit = harness.compile("axpy.mlir", n, false);
  if (!jit)
    return false;

  std::vector<Rival> rivals;
  // Both round once, so all bits are equal.
  auto add = [&](const char *name, std::function<bool()> once) {
    std::fill(out.begin(), out.end(), NAN);
    if (!once() || out != expected) {
      rivals.push_back(
          {std::string(name) + " (wrong result)", [] { return false; }});
      return;
    }
    rivals.push_back({name, [&, once] {
                        bool ok = true;
                        for (int i = 0; i < repetitions(n); ++i)
                          ok &= once();
                        return ok;
                      }});
  };
  add("emulator, 256 threads a block", [&] {
    MemRefArgument argX(x.data(), n), argY(y.data(), n), argOut(out.data(), n);
    return Harness::call(
        *jit, "run",
        {&a, argX.descriptor(), argY.descriptor(), argOut.descriptor()});
  });
  add("C", [&] {
    axpy(n, a, x.data(), y.data(), out.data());
    return true;
  });
  std::string title =
      "out = a x + y of " + std::to_string(n) + " f32, one core";
  if (repetitions(n) > 1)
    title += ", " + std::to_string(repetitions(n)) + " times";
  if (!harness.compete(rivals, title))
    return false;
  harness.goals.addSpeed("a x + y of " + std::to_string(n) + " f32, to C",
                         rivals[0], rivals[1], 0.9);
  return true;
}
