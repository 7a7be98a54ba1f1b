//===- KernelPatterns.cpp - Reductions of kernels and attributes ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel says about itself: its arguments, which its launches follow,
// and its schedule; and the attributes of ops.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace uop;

/// The launches of a kernel; nothing if it has other users, or a function any.
static std::optional<SmallVector<LaunchOp>> getLaunches(Operation *function) {
  SmallVector<LaunchOp> launches;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (!uses)
    return std::nullopt;
  for (SymbolTable::SymbolUse use : *uses) {
    auto launch = dyn_cast<LaunchOp>(use.getUser());
    if (!launch)
      return std::nullopt;
    launches.push_back(launch);
  }
  return launches;
}

/// Drops arguments from a function, and from what launches it.
static LogicalResult dropArguments(FunctionOpInterface function,
                                   const llvm::BitVector &dropped,
                                   PatternRewriter &rewriter) {
  std::optional<SmallVector<LaunchOp>> launches = getLaunches(function);
  if (dropped.none() || !launches || failed(function.eraseArguments(dropped)))
    return failure();
  for (LaunchOp launch : *launches)
    rewriter.modifyOpInPlace(launch, [&] { launch->eraseOperands(dropped); });
  return success();
}

void uop::setOpts(PatternRewriter &rewriter, KernelOp kernel,
                  ArrayRef<OptAttr> opts) {
  auto schedule = ScheduleAttr::get(kernel.getContext(), opts,
                                    kernel.getScheduleAttr().getUpcastLayout());
  rewriter.modifyOpInPlace(kernel, [&] { kernel.setScheduleAttr(schedule); });
}

namespace {

/// Erases a kernel with its launches.
struct EraseKernel : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    std::optional<SmallVector<LaunchOp>> launches = getLaunches(kernel);
    if (!launches)
      return failure();
    for (LaunchOp launch : *launches)
      rewriter.eraseOp(launch);
    rewriter.eraseOp(kernel);
    return success();
  }
};

/// Drops arguments that nothing uses: all, or one of the last.
class DropArguments : public OpInterfaceRewritePattern<FunctionOpInterface> {
public:
  DropArguments(MLIRContext *context, std::optional<unsigned> index)
      : OpInterfaceRewritePattern(context), index(index) {}

  LogicalResult matchAndRewrite(FunctionOpInterface function,
                                PatternRewriter &rewriter) const override {
    if (function.isExternal())
      return failure();
    llvm::BitVector dropped(function.getNumArguments());
    unsigned unused = 0;
    for (BlockArgument argument : llvm::reverse(function.getArguments()))
      if (argument.use_empty() && (!index || unused++ == *index))
        dropped.set(argument.getArgNumber());
    return dropArguments(function, dropped, rewriter);
  }

private:
  std::optional<unsigned> index;
};

/// Puts a constant in the place of a scalar argument.
class ReplaceArgument : public OpInterfaceRewritePattern<FunctionOpInterface> {
public:
  ReplaceArgument(MLIRContext *context, unsigned index, int64_t value)
      : OpInterfaceRewritePattern(context), index(index), value(value) {}

  LogicalResult matchAndRewrite(FunctionOpInterface function,
                                PatternRewriter &rewriter) const override {
    if (function.isExternal() || index >= function.getNumArguments())
      return failure();
    BlockArgument argument = function.getArgument(index);
    Type type = argument.getType();
    if (argument.use_empty() || !type.isSignlessIntOrIndexOrFloat() ||
        (type.isInteger(1) && value > 1) || !getLaunches(function))
      return failure();
    TypedAttr attr = isa<FloatType>(type)
                         ? TypedAttr(FloatAttr::get(type, double(value)))
                         : TypedAttr(IntegerAttr::get(type, value));
    Operation &first = function.getFunctionBody().front().front();
    rewriter.replaceAllUsesWith(argument, getConstant(rewriter, &first, attr));
    llvm::BitVector dropped(function.getNumArguments());
    dropped.set(index);
    return dropArguments(function, dropped, rewriter);
  }

private:
  unsigned index;
  int64_t value;
};

/// Drops a step of the schedule, one of the last.
class DropOpt : public OpRewritePattern<KernelOp> {
public:
  DropOpt(MLIRContext *context, unsigned index)
      : OpRewritePattern(context), index(index) {}

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    ScheduleAttr schedule = kernel.getScheduleAttr();
    if (!schedule || index >= schedule.getOpts().size())
      return failure();
    SmallVector<OptAttr> opts(schedule.getOpts());
    opts.erase(opts.end() - 1 - index);
    setOpts(rewriter, kernel, opts);
    return success();
  }

private:
  unsigned index;
};

/// Drops the attributes of one name that an op may have or not have.
class DropAttribute : public RewritePattern {
public:
  DropAttribute(MLIRContext *context, StringRef name)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        name(name) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    // Without a kind a reduction has no meaning.
    if (!isa_and_nonnull<UopDialect>(op->getDialect()) || isa<ReduceOp>(op))
      return failure();
    std::optional<Attribute> attr = op->getInherentAttr(name);
    if (!attr || !*attr)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->removeAttr(name); });
    return success();
  }

private:
  StringRef name;
};

/// Drops attributes that the op does not know of: all, or one of them.
class DropDiscardable : public RewritePattern {
public:
  DropDiscardable(MLIRContext *context, std::optional<unsigned> index)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        index(index) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    SmallVector<StringAttr> names;
    for (NamedAttribute attr : op->getDiscardableAttrs())
      names.push_back(attr.getName());
    if (names.empty() || (index && *index >= names.size()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [i, name] : llvm::enumerate(names))
        if (!index || i == *index)
          op->removeDiscardableAttr(name);
    });
    return success();
  }

private:
  std::optional<unsigned> index;
};

struct DropFastMath : OpInterfaceRewritePattern<arith::ArithFastMathInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(arith::ArithFastMathInterface op,
                                PatternRewriter &rewriter) const override {
    auto none = arith::FastMathFlagsAttr::get(op.getContext(),
                                              arith::FastMathFlags::none);
    if (!op.getFastMathFlagsAttr() || op.getFastMathFlagsAttr() == none)
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op->setAttr(op.getFastMathAttrName(), none); });
    return success();
  }
};

} // namespace

void uop::populateKernelPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<EraseKernel>(context);
  patterns.add<DropArguments>(context, std::nullopt);
  for (unsigned index = 0; index < kMaxAlternatives; ++index) {
    patterns.add<DropArguments>(context, index);
    for (int64_t value : {0, 1, 2})
      patterns.add<ReplaceArgument>(context, index, value);
  }
  for (StringRef name :
       {"schedule", "arg_attrs", "res_attrs", "kind", "unique", "derived",
        "zero", "alignment", "layout", "buffers", "vector"})
    patterns.add<DropAttribute>(context, name);
  for (unsigned index = 0; index < kMaxAlternatives; ++index)
    patterns.add<DropOpt>(context, index);
  patterns.add<DropDiscardable>(context, std::nullopt);
  for (unsigned index = 0; index < kMaxAlternatives; ++index)
    patterns.add<DropDiscardable>(context, index);
  patterns.add<DropFastMath>(context);
}
