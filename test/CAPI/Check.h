//===- Check.h - What the tests in C share ------------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TEST_CAPI_CHECK_H
#define UOP_TEST_CAPI_CHECK_H

#include "Uop-c/Uop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends the test if the condition does not hold.
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Ends the test if one text is not in the other.
#define CHECK_CONTAINS(text, part)                                             \
  do {                                                                         \
    const char *checked = (text);                                              \
    if (!checked || !strstr(checked, (part))) {                                \
      fprintf(stderr, "%s:%d: expected '%s', but got '%s'\n", __FILE__,        \
              __LINE__, (part), checked ? checked : "NULL");                   \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Ends the test if the last call failed.
#define CHECK_SUCCESS(error)                                                   \
  do {                                                                         \
    if (error) {                                                               \
      fprintf(stderr, "%s:%d: expected no error, but got '%s'\n", __FILE__,    \
              __LINE__, uopErrorGetMessage(error));                            \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Ends the test if the last call has not failed, or not like that; the
/// variable has no error afterwards.
#define CHECK_ERROR(error, kind, part)                                         \
  do {                                                                         \
    CHECK(error);                                                              \
    CHECK_CONTAINS(uopErrorGetMessage(error), part);                           \
    CHECK(uopErrorGetKind(error) == (kind));                                   \
    uopErrorDestroy(error);                                                    \
    (error) = NULL;                                                            \
  } while (0)

static inline UopModule *parseText(UopContext *context, const char *text) {
  UopError *error = NULL;
  UopModule *module =
      uopModuleParse(context, text, strlen(text), "test.mlir", &error);
  CHECK_SUCCESS(error);
  CHECK(module);
  return module;
}

#endif // UOP_TEST_CAPI_CHECK_H
