//===- ProgramData.cpp - Arguments of random programs ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramData.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <random>

using namespace uop::simt;
using llvm::APFloat;
using llvm::APInt;
using llvm::StringRef;

static unsigned getBits(StringRef element) {
  unsigned bits = 64;
  if (element != "index")
    element.ltrim("bif").getAsInteger(10, bits);
  return bits;
}

static unsigned getBytes(StringRef element) {
  return (getBits(element) + 7) / 8;
}

// Null for integers.
static const llvm::fltSemantics *getSemantics(StringRef element) {
  if (element == "bf16")
    return &APFloat::BFloat();
  if (element == "f16")
    return &APFloat::IEEEhalf();
  if (element == "f32")
    return &APFloat::IEEEsingle();
  if (element == "f64")
    return &APFloat::IEEEdouble();
  return nullptr;
}

static uint64_t toBits(const llvm::fltSemantics &semantics, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

// Small numbers, so that arithmetic does not soon come to an end, and now and
// then what is special.
static uint64_t pickNumber(std::mt19937_64 &random, StringRef element) {
  uint64_t dice = random() % 32, value = random();
  const llvm::fltSemantics *semantics = getSemantics(element);
  if (!semantics)
    return dice < 16 ? value % 17 - (dice < 8 ? 8 : 0) : value;
  switch (dice) {
  case 0:
    return toBits(*semantics, -0.0);
  case 1:
    return APFloat::getInf(*semantics).bitcastToAPInt().getZExtValue();
  case 2:
    return APFloat::getNaN(*semantics).bitcastToAPInt().getZExtValue();
  case 3:
    return APFloat::getSmallest(*semantics, true)
        .bitcastToAPInt()
        .getZExtValue();
  default:
    break;
  }
  double number = double(value % 2000) - 1000;
  return toBits(*semantics, dice < 14 ? number / 100 : number / 7);
}

static uint64_t getSentinel(StringRef element) {
  if (const llvm::fltSemantics *semantics = getSemantics(element))
    return toBits(*semantics, -987.5);
  return element == "i1" ? 1 : 0x5A5A5A5A5A5A5A5A;
}

ProgramData::ProgramData(const RandomProgram &program) {
  std::mt19937_64 random(program.seed * 2 + 1);
  for (const Parameter &parameter : program.parameters) {
    unsigned bytes = getBytes(parameter.element);
    int64_t count = parameter.getNumElements();
    Guarded &buffer = buffers.emplace_back();
    buffer.lines.resize((count * bytes + 63) / 64 + 2);
    std::memset(buffer.lines.data(), 0xC3, buffer.lines.size() * 64);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits;
      switch (parameter.role) {
      case Parameter::Role::Indices:
        bits = random() % parameter.below;
        break;
      case Parameter::Role::Output:
        bits = getSentinel(parameter.element);
        break;
      default:
        bits = pickNumber(random, parameter.element);
      }
      if (parameter.element == "i1")
        bits &= 1;
      // As in the memory of the host, which is little-endian.
      std::memcpy(buffer.data() + i * bytes, &bits, bytes);
    }
  }
}

static bool isNaN(StringRef element, uint64_t bits) {
  const llvm::fltSemantics *semantics = getSemantics(element);
  return semantics &&
         APFloat(*semantics, APInt(getBits(element), bits)).isNaN();
}

std::string ProgramData::compare(ProgramData &expected,
                                 const RandomProgram &program) {
  for (auto [number, parameter] : llvm::enumerate(program.parameters)) {
    Guarded &mine = buffers[number], &theirs = expected.buffers[number];
    unsigned bytes = getBytes(parameter.element);
    int64_t count = parameter.getNumElements();
    for (int64_t i = 0; i < count; ++i) {
      uint64_t got = 0, wanted = 0;
      std::memcpy(&got, mine.data() + i * bytes, bytes);
      std::memcpy(&wanted, theirs.data() + i * bytes, bytes);
      if (got == wanted ||
          (isNaN(parameter.element, got) && isNaN(parameter.element, wanted)))
        continue;
      return (parameter.name + " (" + parameter.getType() + "), element " +
              llvm::Twine(i) + ": expected 0x" + llvm::utohexstr(wanted) +
              ", but got 0x" + llvm::utohexstr(got))
          .str();
    }
    // What is beside the elements.
    for (size_t i = 0; i < mine.lines.size() * 64; ++i) {
      int64_t offset = int64_t(i) - 64;
      if ((offset < 0 || offset >= count * bytes) &&
          mine.lines[i / 64].bytes[i % 64] != 0xC3)
        return (parameter.name + ": the byte at " + llvm::Twine(offset) +
                ", outside of the buffer, was written")
            .str();
    }
  }
  return "";
}
