//===- Interleaved.h - Times of rivals that take turns ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rivals run turn by turn, so that what else the machine does meets them all,
// and each is compared with the first one round by round. This is why the
// benchmarks do without Google Benchmark, which runs one thing to its end
// before the next.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_INTERLEAVED_H
#define UOP_BENCHMARKS_INTERLEAVED_H

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace uop::bench {

inline double quantile(std::vector<double> values, double which) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(which * (values.size() - 1) + 0.5)];
}
inline double median(const std::vector<double> &values) {
  return quantile(values, 0.5);
}

/// The clock on the wall, or the time that the process had on all its cores:
/// on a busy machine that is what the work of one core took.
enum class Clock { Wall, Process };

class Stopwatch {
public:
  explicit Stopwatch(Clock clock = Clock::Wall)
      : clock(clock), start(read(clock)) {}
  double milliseconds() const { return read(clock) - start; }

private:
  static double read(Clock clock) {
    timespec now;
    clock_gettime(clock == Clock::Wall ? CLOCK_MONOTONIC
                                       : CLOCK_PROCESS_CPUTIME_ID,
                  &now);
    return 1e3 * static_cast<double>(now.tv_sec) +
           1e-6 * static_cast<double>(now.tv_nsec);
  }
  Clock clock;
  double start;
};

/// One of the things that are compared.
struct Rival {
  std::string name;
  /// Returns false where it fails, which ends the comparison.
  std::function<bool()> run;
  double first = 0;               // milliseconds of the run that warms up
  std::vector<double> times = {}; // milliseconds, one a round
};

/// Runs every rival once to warm up, then `rounds` times in turn. Returns false
/// where a rival fails.
inline bool compete(std::vector<Rival> &rivals, unsigned rounds,
                    Clock clock = Clock::Wall) {
  auto measure = [&](Rival &rival, double &time) {
    Stopwatch stopwatch(clock);
    bool ok = rival.run();
    time = stopwatch.milliseconds();
    if (!ok)
      std::fprintf(stderr, "error: '%s' failed\n", rival.name.c_str());
    return ok;
  };
  for (Rival &rival : rivals)
    if (!measure(rival, rival.first))
      return false;
  for (unsigned round = 0; round < rounds; ++round)
    for (Rival &rival : rivals) {
      double time = 0;
      if (!measure(rival, time))
        return false;
      rival.times.push_back(time);
    }
  return true;
}

/// How many times as long as `base` a rival takes, round by round.
inline std::vector<double> ratiosOf(const Rival &rival, const Rival &base) {
  std::vector<double> ratios;
  for (size_t round = 0; round < base.times.size(); ++round)
    ratios.push_back(rival.times[round] / base.times[round]);
  return ratios;
}

/// Prints a line for each rival: the first run, the median and the least time
/// and, with `gflop` thousand million operations a run, the median speed; then
/// how many times as long as the first rival it takes: the median of the ratios
/// of the rounds, with their lower and upper quartiles.
inline void printTable(const std::vector<Rival> &rivals, double gflop = 0) {
  std::printf("  %-34s %9s %9s %9s %s  %s\n", "", "first ms", "median ms",
              "least ms", gflop > 0 ? " GFLOP/s" : "", "ratio (quartiles)");
  for (const Rival &rival : rivals) {
    std::vector<double> ratios = ratiosOf(rival, rivals.front());
    double middle = median(rival.times);
    std::printf("  %-34s %9.2f %9.2f %9.2f ", rival.name.c_str(), rival.first,
                middle, quantile(rival.times, 0));
    if (gflop > 0)
      std::printf("%8.1f ", gflop / middle * 1000);
    std::printf(" %5.2f (%.2f to %.2f)\n", median(ratios),
                quantile(ratios, 0.25), quantile(ratios, 0.75));
  }
}

} // namespace uop::bench

#endif // UOP_BENCHMARKS_INTERLEAVED_H
