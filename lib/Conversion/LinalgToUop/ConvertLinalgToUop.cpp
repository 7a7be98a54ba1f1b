//===- ConvertLinalgToUop.cpp - Linalg on memrefs as kernels --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op is tried before any goes, so that one run of the pass tells all that
// has no kernel.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"
#include "Uop/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace uop {
#define GEN_PASS_DEF_CONVERTLINALGTOUOP
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// The code of a kernel, which launches nothing.
static Operation *getKernelAround(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<KernelOp, gpu::GPUModuleOp, gpu::LaunchOp>(parent))
      return parent;
  return nullptr;
}

/// Whether the op is where it can launch a kernel, and what it works on.
static LogicalResult checkOp(Operation *op) {
  if (Operation *kernel = getKernelAround(op)) {
    InFlightDiagnostic diag = op->emitOpError(
        "is in device code: expected host code, which launches kernels; lower "
        "it to loops (--uop-lower-linalg)");
    diag.attachNote(kernel->getLoc()) << "the device code is here";
    return diag;
  }
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
    return op->emitOpError(
        "expected memrefs, but got tensors; bufferize first, or use "
        "--uop-lower-linalg-to-gpu-pipeline");
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return checkPayload(linalgOp);
  if (isa<linalg::SoftmaxOp>(op))
    return success();
  return op->emitOpError("has no loops and payload to make a kernel of; "
                         "decompose it while it is on tensors");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether a linalg op of the function writes to this argument.
static bool writesArgument(FunctionOpInterface function, unsigned index) {
  return function
      .walk([&](linalg::LinalgOp op) {
        return llvm::any_of(op.getDpsInits(),
                            [&](Value output) {
                              return getViewedMemRef(output) ==
                                     function.getArgument(index);
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Refuses a call that visibly passes one memory as two arguments of which
/// kernels write one: they are made as if the arguments were apart.
static LogicalResult checkCall(CallOpInterface call,
                               SymbolTableCollection &symbolTables) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbolTables));
  if (!function || function.isExternal())
    return success();
  OperandRange passed = call.getArgOperands();
  for (unsigned second = 0; second < passed.size(); ++second)
    for (unsigned first = 0; first < second; ++first) {
      if (!isa<MemRefType>(passed[first].getType()) ||
          !isa<MemRefType>(passed[second].getType()))
        continue;
      Overlap overlap = compareMemory(passed[first], passed[second]);
      if (overlap != Overlap::Same && overlap != Overlap::Some)
        continue;
      bool writesFirst = writesArgument(function, first);
      if (!writesFirst && !writesArgument(function, second))
        continue;
      InFlightDiagnostic diag =
          call.emitError()
          << "passes the same memory as arguments #" << first << " and #"
          << second << " of @" << function.getName()
          << ", where a linalg op writes to #" << (writesFirst ? first : second)
          << ": expected arguments that do not overlap; pass a copy, or inline "
             "the call";
      diag.attachNote(function.getLoc()) << "the function is defined here";
      return diag;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Makes linalg.copy of the copies in a function that has other linalg ops, so
/// that what runs between kernels runs where they run. Others stay: their
/// memory may overlap, or be such as a kernel does not take.
static void convertCopies(Operation *root) {
  llvm::SetVector<Operation *> functions;
  root->walk([&](linalg::LinalgOp op) {
    if (auto function = op->getParentOfType<FunctionOpInterface>())
      functions.insert(function);
  });
  SmallVector<memref::CopyOp> copies;
  for (Operation *function : functions)
    function->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    auto source = dyn_cast<MemRefType>(copy.getSource().getType());
    auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!source || !target || getKernelAround(copy) ||
        !isKernelArgument(source) || !isKernelArgument(target) ||
        compareMemory(copy.getSource(), copy.getTarget()) != Overlap::None)
      continue;
    OpBuilder builder(copy);
    linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class ConvertLinalgToUop
    : public uop::impl::ConvertLinalgToUopBase<ConvertLinalgToUop> {
public:
  using ConvertLinalgToUopBase::ConvertLinalgToUopBase;
  void runOnOperation() override;

private:
  LogicalResult convert(linalg::LinalgOp op, const FusionPlan &plan,
                        SymbolTableCollection &symbolTables);
};

} // namespace

/// The name of a kernel: that of its function and of its op.
static std::string getKernelName(Operation *op) {
  std::string name;
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    name = (function.getName() + "_").str();
  return name + op->getName().stripDialect().str();
}

LogicalResult ConvertLinalgToUop::convert(linalg::LinalgOp op,
                                          const FusionPlan &plan,
                                          SymbolTableCollection &symbolTables) {
  std::string base = getKernelName(op), name;
  SymbolTable &symbols =
      symbolTables.getSymbolTable(op->getParentOfType<ModuleOp>());
  for (unsigned number = 0; name.empty() || symbols.lookup(name); ++number)
    name = base + "_" + std::to_string(number);
  FailureOr<KernelAndArguments> built = buildKernel(op, name, plan);
  if (failed(built))
    return failure();
  Operation *function = op;
  while (!isa<ModuleOp>(function->getParentOp()))
    function = function->getParentOp();
  symbols.insert(built->kernel, Block::iterator(function));
  OpBuilder builder(op);
  LaunchOp::create(builder, op.getLoc(), FlatSymbolRefAttr::get(built->kernel),
                   built->arguments);
  ++numKernels;
  return success();
}

void ConvertLinalgToUop::runOnOperation() {
  bool isRefused = false;
  SmallVector<linalg::SoftmaxOp> softmaxes;
  getOperation().walk([&](linalg::SoftmaxOp op) { softmaxes.push_back(op); });
  for (linalg::SoftmaxOp op : softmaxes)
    if (failed(checkOp(op)) || failed(decomposeSoftmax(op)))
      return signalPassFailure();
  convertCopies(getOperation());

  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](Operation *op) {
    if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) ||
        isa<linalg::YieldOp, linalg::IndexOp>(op))
      return;
    if (failed(checkOp(op)))
      isRefused = true;
    else
      ops.push_back(cast<linalg::LinalgOp>(op));
  });
  SymbolTableCollection symbolTables;
  getOperation().walk([&](CallOpInterface call) {
    isRefused |= failed(checkCall(call, symbolTables));
  });
  FusionPlan plan;
  planFusion(ops, fuse, plan);
  for (linalg::LinalgOp op : ops)
    if (!plan.fused.contains(op))
      isRefused |= failed(convert(op, plan, symbolTables));
  if (isRefused)
    return signalPassFailure();
  numFused += plan.fused.size();
  for (linalg::LinalgOp op : llvm::reverse(ops))
    op->erase();
  eraseUnusedBuffers(plan);
}
