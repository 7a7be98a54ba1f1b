//===- Support.cpp - Errors, strings and versions of the C API ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Uop/Version.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

const char *uopGetVersion(void) { return UOP_VERSION_STRING; }

void uopGetVersionNumbers(int *major, int *minor, int *patch) {
  if (major)
    *major = UOP_VERSION_MAJOR;
  if (minor)
    *minor = UOP_VERSION_MINOR;
  if (patch)
    *patch = UOP_VERSION_PATCH;
}

const char *uopGetLLVMVersion(void) { return LLVM_VERSION_STRING; }

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

const char *uopStringGetData(const UopString *string) {
  return string ? string->text.c_str() : nullptr;
}

size_t uopStringGetSize(const UopString *string) {
  return string ? string->text.size() : 0;
}

void uopStringDestroy(UopString *string) { delete string; }

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

UopSeverity uopDiagnosticGetSeverity(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->severity : UOP_SEVERITY_NOTE;
}

const char *uopDiagnosticGetMessage(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->message.c_str() : nullptr;
}

const char *uopDiagnosticGetFile(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->file.c_str() : nullptr;
}

unsigned uopDiagnosticGetLine(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->line : 0;
}

unsigned uopDiagnosticGetColumn(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->column : 0;
}

const char *uopDiagnosticGetText(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->text.c_str() : nullptr;
}

size_t uopDiagnosticGetNumNotes(const UopDiagnostic *diagnostic) {
  return diagnostic ? diagnostic->notes.size() : 0;
}

const UopDiagnostic *uopDiagnosticGetNote(const UopDiagnostic *diagnostic,
                                          size_t index) {
  return index < uopDiagnosticGetNumNotes(diagnostic)
             ? &diagnostic->notes[index]
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

UopErrorKind uopErrorGetKind(const UopError *error) {
  return error ? error->kind : UOP_ERROR_ARGUMENT;
}

const char *uopErrorGetMessage(const UopError *error) {
  return error ? error->message.c_str() : nullptr;
}

size_t uopErrorGetNumDiagnostics(const UopError *error) {
  return error ? error->diagnostics.size() : 0;
}

const UopDiagnostic *uopErrorGetDiagnostic(const UopError *error,
                                           size_t index) {
  return index < uopErrorGetNumDiagnostics(error) ? &error->diagnostics[index]
                                                  : nullptr;
}

void uopErrorDestroy(UopError *error) { delete error; }

Failure capi::fail(UopError **error, UopErrorKind kind, const Twine &message) {
  if (error && !*error)
    *error = new UopError{kind, message.str(), {}};
  return {};
}

Failure capi::failOptions(UopError **error, StringRef name) {
  return fail(error, UOP_ERROR_ARGUMENT,
              "expected " + name + " that " + name +
                  "Init of this library has filled in, but got another size; "
                  "the header may be newer than the library");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// A base before that of the handler, which is given the stream.
struct TextStream {
  std::string text;
  llvm::raw_string_ostream stream{text};
};
} // namespace

/// Keeps diagnostics, in the form in which the tools print them.
class Call::Diagnostics : TextStream, SourceMgrDiagnosticHandler {
public:
  Diagnostics(ContextState &state, llvm::SourceMgr &sources)
      : SourceMgrDiagnosticHandler(sources, state.context, stream) {
    setHandler([this](Diagnostic &diagnostic) { handle(diagnostic); });
  }

  std::vector<UopDiagnostic> kept;

private:
  void handle(Diagnostic &diagnostic) {
    UopDiagnostic result = describe(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes()) {
      result.notes.push_back(describe(note));
      text.clear();
      emitDiagnostic(note);
      result.notes.back().text = text;
    }
    text.clear();
    emitDiagnostic(diagnostic);
    result.text = text;
    kept.push_back(std::move(result));
  }

  static UopDiagnostic describe(Diagnostic &diagnostic) {
    UopDiagnostic result;
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Note:
      result.severity = UOP_SEVERITY_NOTE;
      break;
    case DiagnosticSeverity::Remark:
      result.severity = UOP_SEVERITY_REMARK;
      break;
    case DiagnosticSeverity::Warning:
      result.severity = UOP_SEVERITY_WARNING;
      break;
    case DiagnosticSeverity::Error:
      break;
    }
    result.message = diagnostic.str();
    if (auto place =
            diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
      result.file = place.getFilename().str();
      result.line = place.getLine();
      result.column = place.getColumn();
    }
    return result;
  }
};

Call::Call(std::shared_ptr<ContextState> state, Sources sources,
           UopError **error)
    : state(std::move(state)), lock(this->state->mutex),
      sources(std::move(sources)),
      diagnostics(std::make_unique<Diagnostics>(*this->state, *this->sources)),
      error(error) {}

Call::~Call() {
  std::vector<UopDiagnostic> kept = std::move(diagnostics->kept);
  // The handler may make calls, which have a handler of MLIR's of their own.
  diagnostics.reset();
  for (const UopDiagnostic &diagnostic : kept)
    if (state->handler)
      state->handler(&diagnostic, state->userData);
}

bool Call::hasError() const {
  return llvm::any_of(diagnostics->kept, [](const UopDiagnostic &diagnostic) {
    return diagnostic.severity == UOP_SEVERITY_ERROR;
  });
}

Failure Call::fail(UopErrorKind kind, const Twine &otherwise) {
  if (!error)
    return {};
  auto result = std::make_unique<UopError>();
  result->kind = kind;
  for (const UopDiagnostic &diagnostic : diagnostics->kept)
    result->message += diagnostic.text;
  if (!hasError())
    result->message += otherwise.str();
  result->message = StringRef(result->message).rtrim('\n').str();
  result->diagnostics = diagnostics->kept;
  *error = result.release();
  return {};
}
