//===- Handles.h - What is behind the handles of the C API ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CAPI_HANDLES_H
#define UOP_LIB_CAPI_HANDLES_H

#include "Uop-c/Compile.h"
#include "Uop-c/Module.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct UopString {
  std::string text;
};

struct UopDiagnostic {
  UopSeverity severity = UOP_SEVERITY_ERROR;
  std::string message, file, text;
  unsigned line = 0, column = 0;
  std::vector<UopDiagnostic> notes;
};

struct UopError {
  UopErrorKind kind = UOP_ERROR_ARGUMENT;
  std::string message;
  std::vector<UopDiagnostic> diagnostics;
};

namespace uop::capi {

/// What a context and all that lives in it share.
struct ContextState {
  /// Null where the context is the host's own.
  std::unique_ptr<mlir::MLIRContext> owned;
  mlir::MLIRContext *context = nullptr;
  /// Held during calls; a handler of diagnostics may make calls.
  std::recursive_mutex mutex;
  UopDiagnosticHandler handler = nullptr;
  void *userData = nullptr;
};

/// The sources of modules, for diagnostics and for the names of buffers.
using Sources = std::shared_ptr<llvm::SourceMgr>;

} // namespace uop::capi

struct UopContext {
  std::shared_ptr<uop::capi::ContextState> state;
};

struct UopModule {
  ~UopModule();

  std::shared_ptr<uop::capi::ContextState> state;
  uop::capi::Sources sources;
  mlir::ModuleOp module;
  /// Whether the module goes with the handle.
  bool isOwned = true;
};

namespace uop::capi {

/// Stores an error for the caller, and is false and NULL.
class Failure {
public:
  operator bool() const { return false; }
  template <typename T> operator T *() const { return nullptr; }
};
/// Does nothing where there is an error already.
Failure fail(UopError **error, UopErrorKind kind, const llvm::Twine &message);
/// Whether an earlier call has failed, after which this one does nothing.
inline bool hasFailed(UopError **error) { return error && *error; }

/// A call on a context: nobody else is in the context meanwhile, and the
/// diagnostics are kept for the error, and told to the handler.
class Call {
public:
  Call(std::shared_ptr<ContextState> state, Sources sources, UopError **error);
  explicit Call(const UopModule &module, UopError **error)
      : Call(module.state, module.sources, error) {}
  ~Call();

  mlir::MLIRContext *getContext() const { return state->context; }
  /// Whether there has been a diagnostic of an error.
  bool hasError() const;
  /// Ends the call with the diagnostics, or, where there are none, with
  /// `otherwise`.
  Failure fail(UopErrorKind kind, const llvm::Twine &otherwise = "");

private:
  class Diagnostics;

  std::shared_ptr<ContextState> state;
  std::unique_lock<std::recursive_mutex> lock;
  Sources sources;
  std::unique_ptr<Diagnostics> diagnostics;
  UopError **error;
};

/// A value of the caller's, who may have put any bits there.
template <typename Enum> unsigned getBits(const Enum &value) {
  static_assert(sizeof(Enum) == sizeof(unsigned));
  unsigned bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Copies what the caller knows of a structure of options over the defaults;
/// false where the caller knows more than the library.
template <typename Options>
bool readOptions(const Options *given, Options &options) {
  if (!given)
    return true;
  size_t size;
  std::memcpy(&size, given, sizeof(size));
  if (size < sizeof(size) || size > sizeof(Options))
    return false;
  std::memcpy(&options, given, size);
  return true;
}
/// Fills in the defaults. A newer caller's options that this library does not
/// know are zero, and are refused by their size later.
template <typename Options>
void initOptions(Options *options, size_t size, const Options &defaults) {
  if (!options || size < sizeof(size))
    return;
  std::memset(static_cast<void *>(options), 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof(defaults)));
  std::memcpy(options, &size, sizeof(size));
}
Failure failOptions(UopError **error, llvm::StringRef name);

/// The text of an option; empty for NULL.
inline std::string getText(const char *text) { return text ? text : ""; }

/// A module of the state's, which the handle owns.
std::unique_ptr<UopModule> makeModule(std::shared_ptr<ContextState> state,
                                      Sources sources, mlir::ModuleOp module);

/// Registers in the process, once, all passes and pipelines.
void registerPasses();
/// All dialects, and what they need to be compiled.
void registerDialects(mlir::DialectRegistry &registry);

UopElementType getElementType(mlir::Type type);

} // namespace uop::capi

#endif // UOP_LIB_CAPI_HANDLES_H
