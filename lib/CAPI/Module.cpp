//===- Module.cpp - Contexts and modules of the C API ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Uop/InitAll.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

void capi::registerDialects(DialectRegistry &registry) {
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
}

void capi::registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    uop::registerAllPasses();
    // LLVM's list of targets is not for several threads.
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerDialects(registry);
  });
}

UopContext *uopContextCreate(void) {
  registerPasses();
  DialectRegistry registry;
  registerDialects(registry);
  auto state = std::make_shared<ContextState>();
  state->owned =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  state->context = state->owned.get();
  state->context->printOpOnDiagnostic(false);
  return new UopContext{std::move(state)};
}

void uopContextDestroy(UopContext *context) { delete context; }

void uopContextSetDiagnosticHandler(UopContext *context,
                                    UopDiagnosticHandler handler,
                                    void *userData) {
  if (!context)
    return;
  std::lock_guard<std::recursive_mutex> lock(context->state->mutex);
  context->state->handler = handler;
  context->state->userData = userData;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

UopModule::~UopModule() {
  std::lock_guard<std::recursive_mutex> lock(state->mutex);
  if (isOwned && module)
    module->erase();
}

std::unique_ptr<UopModule> capi::makeModule(std::shared_ptr<ContextState> state,
                                            Sources sources, ModuleOp module) {
  auto result = std::make_unique<UopModule>();
  result->state = std::move(state);
  result->sources = std::move(sources);
  result->module = module;
  return result;
}

static UopModule *parse(UopContext *context,
                        std::unique_ptr<llvm::MemoryBuffer> buffer,
                        UopError **error) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  Call call(context->state, sources, error);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, call.getContext());
  if (!module)
    return call.fail(UOP_ERROR_PARSE, "the input cannot be parsed");
  return makeModule(context->state, sources, module.release()).release();
}

UopModule *uopModuleParse(UopContext *context, const char *data, size_t size,
                          const char *name, UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!context)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a context, but got NULL");
  if (!data && size)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected data of " + Twine(size) + " bytes, but got NULL");
  // Bytecode may ask for an alignment.
  std::unique_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
          size, name ? name : "<input>", llvm::Align(64));
  if (!buffer)
    return fail(error, UOP_ERROR_ARGUMENT,
                "the data do not fit in memory once more");
  if (size)
    std::memcpy(buffer->getBufferStart(), data, size);
  return parse(context, std::move(buffer), error);
}

UopModule *uopModuleParseFile(UopContext *context, const char *path,
                              UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!context)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a context, but got NULL");
  if (!path)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a path, but got NULL");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path);
  if (!file)
    return fail(error, UOP_ERROR_FILE,
                "cannot read '" + Twine(path) +
                    "': " + file.getError().message());
  return parse(context, std::move(*file), error);
}

UopModule *uopModuleClone(const UopModule *module, UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  Call call(*module, error);
  ModuleOp operation = module->module;
  return makeModule(module->state, module->sources, operation.clone())
      .release();
}

void uopModuleDestroy(UopModule *module) { delete module; }

UopString *uopModulePrint(const UopModule *module, unsigned flags,
                          UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  if (flags & ~unsigned(UOP_PRINT_GENERIC | UOP_PRINT_LOCATIONS))
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected flags of UopPrintFlags, but got " + Twine(flags));
  Call call(*module, error);
  OpPrintingFlags printing;
  if (flags & UOP_PRINT_GENERIC)
    printing.printGenericOpForm();
  if (flags & UOP_PRINT_LOCATIONS)
    printing.enableDebugInfo();
  auto result = std::make_unique<UopString>();
  llvm::raw_string_ostream os(result->text);
  ModuleOp operation = module->module;
  operation.print(os, printing);
  os << "\n";
  return result.release();
}

UopString *uopModuleWriteBytecode(const UopModule *module, UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  Call call(*module, error);
  auto result = std::make_unique<UopString>();
  llvm::raw_string_ostream os(result->text);
  if (failed(writeBytecodeToFile(module->module, os)))
    return call.fail(UOP_ERROR_COMPILE, "the module has no bytecode");
  return result.release();
}

bool uopModuleVerify(const UopModule *module, UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  Call call(*module, error);
  if (failed(verify(module->module)))
    return call.fail(UOP_ERROR_COMPILE, "the module is not valid");
  return true;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// Whether the text names the operation that it is for.
static bool isAnchored(StringRef pipeline) {
  size_t end = pipeline.find_first_of("({,");
  if (end == StringRef::npos || pipeline[end] != '(')
    return false;
  // Of an operation on the top level there is a module only.
  StringRef name = pipeline.take_front(end).trim();
  return name == ModuleOp::getOperationName() ||
         name == OpPassManager::getAnyOpAnchorName();
}

static LogicalResult addPasses(StringRef pipeline, PassManager &pm,
                               raw_ostream &os) {
  if (!isAnchored(pipeline))
    return parsePassPipeline(pipeline, pm, os);
  FailureOr<OpPassManager> anchored = parsePassPipeline(pipeline, os);
  if (failed(anchored))
    return failure();
  static_cast<OpPassManager &>(pm) = std::move(*anchored);
  return success();
}

bool uopModuleRunPipeline(UopModule *module, const char *pipeline,
                          UopError **error) {
  if (hasFailed(error))
    return Failure();
  if (!module)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  if (!pipeline)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a pipeline, but got NULL");
  registerPasses();
  Call call(*module, error);
  StringRef text = StringRef(pipeline).trim();
  PassManager pm(call.getContext(), ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (!text.empty() && failed(addPasses(text, pm, os)))
    return call.fail(UOP_ERROR_PARSE, message.empty()
                                          ? "the pipeline cannot be parsed"
                                          : message);

  OwningOpRef<ModuleOp> before = module->module.clone();
  if (succeeded(pm.run(module->module)))
    return true;
  // The operation stays the same one, which a host may hold.
  Operation *operation = module->module;
  operation->setDiscardableAttrs(
      before->getOperation()->getDiscardableAttrDictionary());
  operation->copyProperties(before->getOperation()->getPropertiesStorage());
  operation->getRegion(0).takeBody(before->getOperation()->getRegion(0));
  return call.fail(UOP_ERROR_COMPILE, "a pass has failed");
}
