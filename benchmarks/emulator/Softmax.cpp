//===- Softmax.cpp - Softmax of rows on the emulator, beside C ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of 256 threads a row, with trees in shared memory and with shuffles.
// Beside it plain loops in C with expf, and the same with the C library's
// vector functions and sums in any order, where it has them.
//
//===----------------------------------------------------------------------===//

#include "loops/softmax.h"
#include "Harness.h"

#include <cmath>
#include <random>

using namespace uop;
using namespace uop::bench;

/// The rows of the softmax in double precision.
static Buffer computeSoftmax(const Buffer &in, int n) {
  Buffer result(in.size());
  for (int row = 0; row < n; ++row) {
    const float *x = in.data() + size_t(row) * n;
    double max = *std::max_element(x, x + n), sum = 0;
    for (int i = 0; i < n; ++i)
      sum += std::exp(x[i] - max);
    for (int i = 0; i < n; ++i)
      result[size_t(row) * n + i] =
          static_cast<float>(std::exp(x[i] - max) / sum);
  }
  return result;
}

bool uop::bench::runSoftmax(Harness &harness, int n) {
  Buffer in(size_t(n) * n), out(in.size());
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 3);
  for (float &x : in)
    x = normal(random);
  Buffer expected = computeSoftmax(in, n);

  std::vector<std::unique_ptr<uop::Jit>> jits;
  std::vector<Rival> rivals;
  auto add = [&](std::string name, std::function<bool()> run) {
    std::fill(out.begin(), out.end(), NAN);
    bool ok = run();
    // A sum of n terms one after another may be off by n half units.
    for (size_t i = 0; i < out.size(); ++i)
      ok &= std::abs(out[i] - expected[i]) <= 1e-4f * expected[i];
    if (!ok)
      rivals.push_back({name + " (wrong result)", [] { return false; }});
    else
      rivals.push_back({std::move(name), std::move(run)});
  };
  auto addEmulator = [&](std::string name, const std::string &file) {
    jits.push_back(harness.compile(file, n, false));
    add(std::move(name), [&, jit = jits.back().get()] {
      llvm::SmallVector<int64_t> shape = {n, n};
      MemRefArgument argIn(in.data(), shape), argOut(out.data(), shape);
      return jit && Harness::call(*jit, "run",
                                  {argIn.descriptor(), argOut.descriptor()});
    });
  };
  addEmulator("emulator, trees in shared memory", "softmax_tree.mlir");
  addEmulator("emulator, shuffles", "softmax_shuffle.mlir");
  add("C, expf", [&] {
    softmax(n, in.data(), out.data());
    return true;
  });
#ifdef UOP_BENCH_HAVE_LIBMVEC
  add("C, -ffast-math, libmvec", [&] {
    softmaxVector(n, in.data(), out.data());
    return true;
  });
#else
  std::printf("libmvec not found: no comparison with it\n");
#endif
  std::string size = std::to_string(n);
  if (!harness.compete(rivals, "Softmax of the rows of " + size + "x" + size +
                                   " f32, one core"))
    return false;
  harness.goals.addSpeed("softmax " + size + ", trees, to C", rivals[0],
                         rivals[2], 3);
  harness.goals.addSpeed("softmax " + size + ", shuffles, to C", rivals[1],
                         rivals[2], 3);
  return true;
}
