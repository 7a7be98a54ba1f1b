//===- MathCases.h - Math functions, and what they should be ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the math dialect that are not exact, as the emulator
// computes them and as the C library does, with the bounds of
// docs/MathFunctions.md. For MathTest.cpp and benchmarks/math.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_EMULATOR_MATHCASES_H
#define UOP_UNITTESTS_EMULATOR_MATHCASES_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace uop::math_cases {

struct UnaryCase {
  const char *name;
  /// Defines %r of %x; T for the type.
  const char *text;
  long double (*exact)(long double);
  /// Within an ulp or so of f64.
  double (*near)(double);
  float (*library)(float);
  /// The greatest error of a result of f32, in its ulp.
  double bound;
};

struct BinaryCase {
  const char *name;
  const char *text;
  long double (*exact)(long double, long double);
  double (*near)(double, double);
  float (*library)(float, float);
  double bound;
};

template <typename Float> Float reciprocalRoot(Float x) {
  return 1 / std::sqrt(x);
}

#define UOP_UNARY(NAME, FUNCTION, BOUND)                                       \
  {NAME, "%r = math." NAME " %x : T", FUNCTION, FUNCTION, FUNCTION, BOUND}

inline constexpr UnaryCase kUnary[] = {
    UOP_UNARY("exp", std::exp, 0.5001),
    UOP_UNARY("exp2", std::exp2, 0.5001),
    UOP_UNARY("expm1", std::expm1, 0.5001),
    UOP_UNARY("log", std::log, 0.5001),
    UOP_UNARY("log2", std::log2, 0.5001),
    UOP_UNARY("log10", std::log10, 0.5001),
    UOP_UNARY("log1p", std::log1p, 0.5001),
    UOP_UNARY("sin", std::sin, 0.5001),
    UOP_UNARY("cos", std::cos, 0.5001),
    UOP_UNARY("tan", std::tan, 0.5001),
    UOP_UNARY("asin", std::asin, 0.5001),
    UOP_UNARY("acos", std::acos, 0.5001),
    UOP_UNARY("atan", std::atan, 0.5001),
    UOP_UNARY("sinh", std::sinh, 0.5001),
    UOP_UNARY("cosh", std::cosh, 0.5001),
    UOP_UNARY("tanh", std::tanh, 0.5001),
    UOP_UNARY("asinh", std::asinh, 0.5001),
    UOP_UNARY("acosh", std::acosh, 0.5001),
    UOP_UNARY("atanh", std::atanh, 0.5001),
    UOP_UNARY("erf", std::erf, 0.5001),
    UOP_UNARY("erfc", std::erfc, 0.5001),
    UOP_UNARY("cbrt", std::cbrt, 0.5001),
    UOP_UNARY("rsqrt", reciprocalRoot, 0.5001),
    {"sincos, sine", "%r, %other = math.sincos %x : T", std::sin, std::sin,
     std::sin, 0.5001},
    {"sincos, cosine", "%other, %r = math.sincos %x : T", std::cos, std::cos,
     std::cos, 0.5001},
};

#undef UOP_UNARY

inline constexpr BinaryCase kBinary[] = {
    {"powf", "%r = math.powf %x, %y : T", std::pow, std::pow, std::pow, 0.502},
    {"atan2", "%r = math.atan2 %x, %y : T", std::atan2, std::atan2, std::atan2,
     0.5001},
};

/// A binary format of IEEE's kind.
struct Format {
  int precision;
  /// 2^maxExponent is the first power of two that it does not have.
  int maxExponent;
};
inline constexpr Format kF16 = {11, 16};
inline constexpr Format kBF16 = {8, 128};
inline constexpr Format kF32 = {24, 128};

/// How far a result is from the exact value, in units of the last place that
/// the format has there. Infinity counts as the power of two after the greatest
/// number. An error without bound where one of both is NaN or the sign is
/// wrong, also of zero.
template <typename Exact>
double ulpError(const Format &format, Exact actual, Exact exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) == std::isnan(actual) ? 0 : wrong;
  if (std::signbit(actual) != std::signbit(exact))
    return wrong;
  Exact limit = std::ldexp(Exact(1), format.maxExponent);
  Exact least = std::ldexp(Exact(1), 2 - format.maxExponent);
  actual = std::min(std::fabs(actual), limit);
  exact = std::min(std::fabs(exact), limit);
  Exact size = std::min(std::max(exact, least), limit / 2);
  Exact ulp = std::ldexp(Exact(1), std::ilogb(size) - format.precision + 1);
  return static_cast<double>(std::fabs(actual - exact) / ulp);
}

/// Loops with the name of the case over memrefs %xs and, of a binary one, %ys,
/// to %rs: for each element, or for `width` of them as a vector.
inline std::string makeFunction(const std::string &name, std::string text,
                                const std::string &type, bool isBinary,
                                unsigned width = 1) {
  std::string shape =
      width == 1 ? type : "vector<" + std::to_string(width) + "x" + type + ">";
  for (size_t at; (at = text.find(": T")) != std::string::npos;)
    text.replace(at + 2, 1, shape);
  std::string memref = "memref<?x" + type + ">";
  std::string dialect = width == 1 ? "memref" : "vector";
  std::string suffix = width == 1 ? "" : ", " + shape;
  auto load = [&](const char *value, const char *from) {
    return std::string(value) + " = " + dialect + ".load " + from +
           "[%i] : " + memref + suffix + "\n";
  };
  return "func.func @" + name + "(%xs: " + memref +
         (isBinary ? ", %ys: " + memref : "") + ", %rs: " + memref + ") {\n" +
         "%c0 = arith.constant 0 : index\n"
         "%step = arith.constant " +
         std::to_string(width) + " : index\n" +
         "%n = memref.dim %rs, %c0 : " + memref +
         "\nscf.for %i = %c0 to %n step %step {\n" + load("%x", "%xs") +
         (isBinary ? load("%y", "%ys") : "") + text + "\n" + dialect +
         ".store %r, %rs[%i] : " + memref + suffix + "\n}\nreturn\n}\n";
}

} // namespace uop::math_cases

#endif // UOP_UNITTESTS_EMULATOR_MATHCASES_H
