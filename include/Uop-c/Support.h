//===- Support.h - Errors, strings and versions -------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds for all functions of the C API:
//
// Errors. A function that can fail returns false or NULL where it has failed,
// and has `UopError **error` as its last parameter. If that is not NULL, the
// error is stored there, and the caller destroys it; the variable must be NULL
// before the first call, and success leaves it so. A call that finds an error
// there does nothing and fails: several calls may be made in a row, on handles
// that may be NULL, and the first error be looked at in the end. An error is a
// value of the call that made it: there is no last error to ask for
// later, which another call or another thread may have replaced, and a binding
// makes an exception of it in one place. What is wrong with the call itself
// (a NULL handle, arguments that do not fit) is an error like any other.
//
// Ownership. What a function whose name ends in Create, Parse, Clone, Print or
// the like returns belongs to the caller, who gives it to the Destroy of its
// type; NULL is fine there. Handles may be destroyed in any order: a module
// keeps what it needs of its context. A pointer that a Get returns belongs to
// the handle that it was asked of. What is passed in is copied where it is
// needed for longer than the call, unless a comment says otherwise.
//
// Threads. Contexts are independent of each other. Calls on one context and its
// modules from several threads wait for each other. UopExecutable says what
// holds for running. Destroying a handle that another thread is using is an
// error of the caller that cannot be detected.
//
// Text is UTF-8 or whatever the caller gave; strings end with a zero byte.
//
// The ABI grows: functions and enumerators are added, and members at the end of
// structures of options, which say their own size. None changes its meaning
// within one version of the shared library (the number in its name).
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_SUPPORT_H
#define UOP_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define UOP_CAPI_EXPORTED __attribute__((visibility("default")))
#else
#define UOP_CAPI_EXPORTED
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// The version of the library that is loaded, such as "0.1.0".
UOP_CAPI_EXPORTED const char *uopGetVersion(void);

/// Its three numbers; each pointer may be NULL.
UOP_CAPI_EXPORTED void uopGetVersionNumbers(int *major, int *minor, int *patch);

/// The version of the LLVM and MLIR that the library was built with, such as
/// "22.1.8".
UOP_CAPI_EXPORTED const char *uopGetLLVMVersion(void);

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// Text or bytes that the library has made.
typedef struct UopString UopString;

/// The bytes, with a zero byte behind the last one.
UOP_CAPI_EXPORTED const char *uopStringGetData(const UopString *string);
/// Their number, without the zero byte.
UOP_CAPI_EXPORTED size_t uopStringGetSize(const UopString *string);
UOP_CAPI_EXPORTED void uopStringDestroy(UopString *string);

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

typedef enum UopSeverity {
  UOP_SEVERITY_NOTE = 0,
  UOP_SEVERITY_REMARK = 1,
  UOP_SEVERITY_WARNING = 2,
  UOP_SEVERITY_ERROR = 3
} UopSeverity;

/// What a parser, a verifier or a pass has to say about a place in the source.
typedef struct UopDiagnostic UopDiagnostic;

UOP_CAPI_EXPORTED UopSeverity
uopDiagnosticGetSeverity(const UopDiagnostic *diagnostic);
/// What is said, without the place: "expected 2 indices, but got 1".
UOP_CAPI_EXPORTED const char *
uopDiagnosticGetMessage(const UopDiagnostic *diagnostic);
/// The name of the file or buffer; empty where the place is not known.
UOP_CAPI_EXPORTED const char *
uopDiagnosticGetFile(const UopDiagnostic *diagnostic);
/// The line and the column, from 1; 0 where the place is not known.
UOP_CAPI_EXPORTED unsigned
uopDiagnosticGetLine(const UopDiagnostic *diagnostic);
UOP_CAPI_EXPORTED unsigned
uopDiagnosticGetColumn(const UopDiagnostic *diagnostic);
/// All of it as the tools print it, with the line of the source, a caret, and
/// the notes: "gemm.mlir:3:8: error: expected ...".
UOP_CAPI_EXPORTED const char *
uopDiagnosticGetText(const UopDiagnostic *diagnostic);
/// The notes that belong to it.
UOP_CAPI_EXPORTED size_t
uopDiagnosticGetNumNotes(const UopDiagnostic *diagnostic);
/// NULL where there is no note `index`.
UOP_CAPI_EXPORTED const UopDiagnostic *
uopDiagnosticGetNote(const UopDiagnostic *diagnostic, size_t index);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

typedef enum UopErrorKind {
  /// The call is wrong: a NULL where there must be none, a name that does not
  /// exist, an option or an argument that does not fit.
  UOP_ERROR_ARGUMENT = 1,
  /// A file cannot be read.
  UOP_ERROR_FILE = 2,
  /// A text, bytecode or a pipeline cannot be parsed, or is not valid.
  UOP_ERROR_PARSE = 3,
  /// A module is not valid, or cannot be compiled.
  UOP_ERROR_COMPILE = 4,
  /// A program was at fault while it ran. What it wrote until then stays.
  UOP_ERROR_RUN = 5
} UopErrorKind;

typedef struct UopError UopError;

UOP_CAPI_EXPORTED UopErrorKind uopErrorGetKind(const UopError *error);
/// All that is to be said, without a line break at the end: the diagnostics of
/// the call as the tools print them, or one line.
UOP_CAPI_EXPORTED const char *uopErrorGetMessage(const UopError *error);
/// The diagnostics of the call, in order, warnings and remarks among them;
/// there may be none.
UOP_CAPI_EXPORTED size_t uopErrorGetNumDiagnostics(const UopError *error);
/// NULL where there is no diagnostic `index`.
UOP_CAPI_EXPORTED const UopDiagnostic *
uopErrorGetDiagnostic(const UopError *error, size_t index);
UOP_CAPI_EXPORTED void uopErrorDestroy(UopError *error);

#ifdef __cplusplus
}
#endif

#endif // UOP_C_SUPPORT_H
