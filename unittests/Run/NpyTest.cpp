//===- NpyTest.cpp - Array files ------------------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace uop::run;

/// A file with this header (of version 1.0) and data.
static std::string makeFile(StringRef header, StringRef data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += static_cast<char>(header.size() >> 8);
  return file + header.str() + data.str();
}

static Expected<NpyArray> parse(StringRef file) {
  return parseNpy(MemoryBuffer::getMemBufferCopy(file));
}

/// The error that a file gets.
static std::string getError(StringRef file) {
  Expected<NpyArray> array = parse(file);
  return array ? "no error" : toString(array.takeError());
}

TEST(NpyTest, ReadsWhatNumPyWrites) {
  // numpy.save of numpy.array([[1, 2, 3]], '<i2'), padding left out.
  Expected<NpyArray> array =
      parse(makeFile("{'descr': '<i2', 'fortran_order': False, "
                     "'shape': (1, 3), }\n",
                     StringRef("\1\0\2\0\3\0", 6)));
  ASSERT_TRUE(static_cast<bool>(array)) << toString(array.takeError());
  EXPECT_EQ(array->dtype, (NpyDtype{'i', 2}));
  EXPECT_EQ(array->shape, (SmallVector<int64_t>{1, 3}));
  EXPECT_EQ(array->data, StringRef("\1\0\2\0\3\0", 6));
}

// The format says that readers must not rely on the order of the keys, nor on
// white space.
TEST(NpyTest, ReadsAnyOrderOfKeys) {
  Expected<NpyArray> array = parse(makeFile(
      "{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"|u1\"}", "ab"));
  ASSERT_TRUE(static_cast<bool>(array)) << toString(array.takeError());
  EXPECT_EQ(array->dtype, (NpyDtype{'u', 1}));
  EXPECT_EQ(array->shape, SmallVector<int64_t>{2});
}

TEST(NpyTest, ReadsArraysWithoutAxesAndWithoutElements) {
  Expected<NpyArray> scalar = parse(makeFile(
      "{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "\1"));
  ASSERT_TRUE(static_cast<bool>(scalar)) << toString(scalar.takeError());
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(scalar->data.size(), 1u);
  Expected<NpyArray> empty =
      parse(makeFile("{'descr': '<f8', 'fortran_order': False, "
                     "'shape': (9000000000, 0, 9000000000), }",
                     ""));
  ASSERT_TRUE(static_cast<bool>(empty)) << toString(empty.takeError());
  EXPECT_TRUE(empty->data.empty());
}

TEST(NpyTest, RefusesMalformedHeaders) {
  for (StringRef header :
       {"", "{", "{}", "[]", "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1, }",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'a': 1}",
        "{'descr': '<f4', 'fortran_order': False, "
        "'shape': (99999999999999999999,), }"})
    EXPECT_EQ(getError(makeFile(header, "1234")), "its header is malformed")
        << header.str();
}

// Every prefix of a file is refused, and none is read past its end.
TEST(NpyTest, RefusesEveryTruncation) {
  std::string file = makeFile(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "12345678");
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(getError(StringRef(file).take_front(size)), "no error") << size;
  EXPECT_EQ(getError(file), "no error");
}

TEST(NpyTest, NamesDtypes) {
  EXPECT_EQ((NpyDtype{'b', 1}).getName(), "bool");
  EXPECT_EQ((NpyDtype{'b', 1}).getDescr(), "|b1");
  EXPECT_EQ((NpyDtype{'u', 2}).getName(), "uint16");
  EXPECT_EQ((NpyDtype{'u', 2}).getDescr(), "<u2");
  EXPECT_EQ((NpyDtype{'c', 8}).getName(), "complex64");
}

TEST(NpyTest, FormatsShapes) {
  EXPECT_EQ(formatNpyShape({}), "()");
  EXPECT_EQ(formatNpyShape({3}), "(3,)");
  EXPECT_EQ(formatNpyShape({3, 4}), "(3, 4)");
}
