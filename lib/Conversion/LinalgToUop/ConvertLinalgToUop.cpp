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
// Copies
//===----------------------------------------------------------------------===//

/// Makes linalg.copy of the copies in a function that has other linalg ops, so
/// that what runs between kernels runs where they run. Others stay: their
/// memory may overlap, or be such as a kernel does not take.
static void convertCopies(Operation *root, Memory &memory) {
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
        memory.compare(copy.getSource(), copy.getTarget()) != Overlap::None)
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
                        Memory &memory, SymbolTableCollection &symbolTables);
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
                                          Memory &memory,
                                          SymbolTableCollection &symbolTables) {
  std::string base = getKernelName(op), name;
  SymbolTable &symbols =
      symbolTables.getSymbolTable(op->getParentOfType<ModuleOp>());
  for (unsigned number = 0; name.empty() || symbols.lookup(name); ++number)
    name = base + "_" + std::to_string(number);
  FailureOr<KernelAndArguments> built = buildKernel(op, name, plan, memory);
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
  Memory memory(getOperation());
  convertCopies(getOperation(), memory);

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
  FusionPlan plan;
  planFusion(ops, fuse, memory, plan);
  for (linalg::LinalgOp op : ops)
    if (!plan.fused.contains(op))
      isRefused |= failed(convert(op, plan, memory, symbolTables));
  if (isRefused)
    return signalPassFailure();
  numFused += plan.fused.size();
  for (linalg::LinalgOp op : llvm::reverse(ops))
    op->erase();
  eraseUnusedBuffers(plan);
}
