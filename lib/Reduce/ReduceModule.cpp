//===- ReduceModule.cpp - Make a failing module small ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delta debugging with rewrite patterns: each is tried at many ops together,
// then at fewer, then at each alone.
//
// Upstream's `reduction-tree` with the same patterns is no alternative. It
// applies all of them greedily to the ops of a part of a region, so that the
// first of two alternatives is the only one; it goes on to ops of that part
// that a pattern or a folder has erased; and what it removes are stretches of a
// region whose results nothing else uses.
//
//===----------------------------------------------------------------------===//

#include "Uop/Reduce/ReduceModule.h"
#include "Uop/IR/Uop.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA1.h"
#include <tuple>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// How large a module is
//===----------------------------------------------------------------------===//

namespace {

struct Size {
  int64_t code = 0; // ops that are no constants, and block arguments
  int64_t constants = 0;
  int64_t operands = 0;
  uint64_t numbers = 0;
  int64_t text = 0;

  bool operator<(const Size &other) const {
    return std::tie(code, constants, operands, numbers, text) <
           std::tie(other.code, other.constants, other.operands, other.numbers,
                    other.text);
  }
};

} // namespace

/// The numbers of an attribute: integers, and the amounts of a schedule.
static uint64_t sumNumbers(Attribute attr) {
  uint64_t sum = 0;
  auto add = [&](int64_t value) {
    sum = llvm::SaturatingAdd(sum, value < 0 ? -uint64_t(value) : value);
  };
  if (auto integer = dyn_cast<IntegerAttr>(attr)) {
    if (integer.getValue().getSignificantBits() <= 64)
      add(integer.getValue().getSExtValue());
  } else if (auto schedule = dyn_cast<ScheduleAttr>(attr)) {
    for (OptAttr opt : schedule.getOpts())
      add(opt.getAmount());
  }
  return sum;
}

/// The sizes of a type that has a shape.
static uint64_t sumNumbers(Type type) {
  ArrayRef<int64_t> shape;
  if (auto tile = dyn_cast<TileType>(type))
    shape = tile.getShape();
  else if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
    shape = shaped.getShape();
  uint64_t sum = 0;
  for (int64_t size : shape)
    if (!ShapedType::isDynamic(size))
      sum = llvm::SaturatingAdd(sum, uint64_t(size));
  return sum;
}

static Size measure(ModuleOp module, StringRef text) {
  Size size;
  size.text = text.size();
  auto add = [&](auto typeOrAttr) {
    size.numbers = llvm::SaturatingAdd(size.numbers, sumNumbers(typeOrAttr));
  };
  module->walk([&](Operation *op) {
    if (op == module)
      return;
    ++(matchPattern(op, m_Constant()) ? size.constants : size.code);
    size.operands += op->getNumOperands();
    for (NamedAttribute attr : op->getAttrs())
      add(attr.getValue());
    for (Type type : op->getResultTypes())
      add(type);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        size.code += block.getNumArguments();
        for (Type type : block.getArgumentTypes())
          add(type);
      }
  });
  return size;
}

static int64_t countOps(ModuleOp module) {
  int64_t count = -1;
  module->walk([&](Operation *) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// Reducer
//===----------------------------------------------------------------------===//

namespace {

/// Knows which ops are gone, of those that it has a list of.
class ErasedOps : public RewriterBase::Listener {
public:
  void notifyOperationErased(Operation *op) override { erased.insert(op); }
  bool contains(Operation *op) const { return erased.contains(op); }

private:
  llvm::DenseSet<Operation *> erased;
};

class Reducer {
public:
  Reducer(OwningOpRef<ModuleOp> &module, InterestingFn isInteresting,
          llvm::function_ref<void(const ReductionProgress &)> report);

  LogicalResult reduce();

private:
  enum class Verdict { Rejected, Accepted };

  FailureOr<bool> runRound();
  bool isRoot(const RewritePattern &pattern, Operation *op) const;
  SmallVector<unsigned> findRoots(const RewritePattern &pattern);
  FailureOr<bool> reduceBy(const RewritePattern &pattern);
  FailureOr<Verdict> tryAt(const RewritePattern &pattern,
                           ArrayRef<unsigned> roots);
  FailureOr<Verdict> tryPass();
  FailureOr<Verdict> tryVariant(OwningOpRef<ModuleOp> variant);

  OwningOpRef<ModuleOp> &module;
  InterestingFn isInteresting;
  llvm::function_ref<void(const ReductionProgress &)> report;
  /// A copy of the module, which serves until a pattern changes it, and its ops
  /// in the order of a walk.
  OwningOpRef<ModuleOp> copy;
  SmallVector<Operation *> copiedOps;
  RewritePatternSet patterns;
  PassManager mergeEqual;
  Size size;
  bool erasesDead = true;
  ReductionProgress progress;
  /// The hashes of the texts that have been tested.
  llvm::StringSet<> tested;
};

} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << "\n";
  return text;
}

static StringRef asString(const std::array<uint8_t, 20> &hash) {
  return {reinterpret_cast<const char *>(hash.data()), hash.size()};
}

Reducer::Reducer(OwningOpRef<ModuleOp> &module, InterestingFn isInteresting,
                 llvm::function_ref<void(const ReductionProgress &)> report)
    : module(module), isInteresting(isInteresting), report(report),
      patterns(module->getContext()), mergeEqual(module->getContext()) {
  // In an order that does not depend on the context.
  std::vector<Dialect *> dialects = module->getContext()->getLoadedDialects();
  llvm::sort(dialects, [](Dialect *first, Dialect *second) {
    return first->getNamespace() < second->getNamespace();
  });
  for (Dialect *dialect : dialects)
    if (auto *interface =
            dialect->getRegisteredInterface<DialectReductionPatternInterface>())
      interface->populateReductionPatterns(patterns);
  mergeEqual.addPass(createCSEPass());

  std::string text = print(*module);
  size = measure(*module, text);
  tested.insert(asString(llvm::SHA1::hash(llvm::arrayRefFromStringRef(text))));
  progress.ops = countOps(*module);
}

LogicalResult Reducer::reduce() {
  // What patterns do on the way to a variant is nobody's fault.
  ScopedDiagnosticHandler ignore(module->getContext(),
                                 [](Diagnostic &) { return success(); });
  report(progress);
  // With what is dead most goes quickly. But it may be a value without uses
  // that is looked for: at last ops go one by one.
  for (bool mode : {true, false}) {
    erasesDead = mode;
    FailureOr<bool> changed = true;
    while (succeeded(changed) && *changed)
      changed = runRound();
    if (failed(changed))
      return failure();
  }
  return success();
}

/// Tries everything once; whether something has made the module smaller.
FailureOr<bool> Reducer::runRound() {
  bool hasChanged = false;
  for (const auto &pattern : patterns.getNativePatterns()) {
    FailureOr<bool> changed = reduceBy(*pattern);
    if (failed(changed))
      return failure();
    hasChanged |= *changed;
  }
  // The pass erases what is dead, too.
  FailureOr<Verdict> verdict = Verdict::Rejected;
  if (erasesDead)
    verdict = tryPass();
  if (failed(verdict))
    return failure();
  return hasChanged || *verdict == Verdict::Accepted;
}

bool Reducer::isRoot(const RewritePattern &pattern, Operation *op) const {
  if (op == *module)
    return false;
  OperationName name = op->getName();
  if (std::optional<OperationName> kind = pattern.getRootKind())
    return *kind == name;
  if (std::optional<TypeID> interface = pattern.getRootInterfaceID())
    return name.hasInterface(*interface);
  if (std::optional<TypeID> trait = pattern.getRootTraitID())
    return name.hasTrait(*trait);
  return true;
}

/// The places of the ops, counted in the order of a walk, last ones first:
/// what uses a value goes before it.
SmallVector<unsigned> Reducer::findRoots(const RewritePattern &pattern) {
  SmallVector<unsigned> roots;
  unsigned place = 0;
  module.get()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isRoot(pattern, op))
      roots.push_back(place);
    ++place;
  });
  std::reverse(roots.begin(), roots.end());
  return roots;
}

FailureOr<bool> Reducer::reduceBy(const RewritePattern &pattern) {
  bool hasChanged = false;
  SmallVector<unsigned> roots = findRoots(pattern);
  for (size_t count = roots.size(); count > 0;
       count = std::min(count / 2, roots.size())) {
    for (size_t first = 0; first < roots.size();) {
      ArrayRef<unsigned> part = ArrayRef(roots).drop_front(first);
      FailureOr<Verdict> verdict =
          tryAt(pattern, part.take_front(std::min(count, part.size())));
      if (failed(verdict))
        return failure();
      if (*verdict == Verdict::Rejected) {
        first += count;
        continue;
      }
      // Again at the same place: what stood before it stands there still.
      hasChanged = true;
      roots = findRoots(pattern);
    }
  }
  return hasChanged;
}

FailureOr<Reducer::Verdict> Reducer::tryAt(const RewritePattern &pattern,
                                           ArrayRef<unsigned> roots) {
  if (!copy) {
    copy = module->clone();
    copiedOps.clear();
    copy.get()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { copiedOps.push_back(op); });
  }
  ErasedOps erased;
  PatternRewriter rewriter(copy->getContext());
  rewriter.setListener(&erased);
  bool hasChanged = false;
  for (unsigned root : roots) {
    Operation *op = copiedOps[root];
    if (erased.contains(op))
      continue;
    rewriter.setInsertionPoint(op);
    hasChanged |= succeeded(pattern.matchAndRewrite(op, rewriter));
  }
  if (!hasChanged)
    return Verdict::Rejected;
  return tryVariant(std::move(copy));
}

FailureOr<Reducer::Verdict> Reducer::tryPass() {
  OwningOpRef<ModuleOp> variant = module->clone();
  if (failed(mergeEqual.run(*variant)))
    return Verdict::Rejected;
  return tryVariant(std::move(variant));
}

/// Whether an op goes when nothing uses it. One that reads memory does not:
/// that it reads may be what is looked for, and a pattern erases it.
static bool isDead(Operation *op) {
  if (!isOpTriviallyDead(op))
    return false;
  auto effects = getEffectsRecursively(op);
  return effects && llvm::none_of(*effects, [](auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

static void eraseDead(ModuleOp module) {
  SmallVector<Operation *> all;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  // Users come after what they use, and ops after the one that they are in.
  for (Operation *op : llvm::reverse(all))
    if (op != module && isDead(op))
      op->erase();
}

FailureOr<Reducer::Verdict> Reducer::tryVariant(OwningOpRef<ModuleOp> variant) {
  if (failed(verify(*variant)))
    return Verdict::Rejected;
  if (erasesDead) {
    eraseDead(*variant);
    if (failed(verify(*variant)))
      return Verdict::Rejected;
  }
  std::string text = print(*variant);
  Size variantSize = measure(*variant, text);
  if (!(variantSize < size))
    return Verdict::Rejected;
  auto hash = llvm::SHA1::hash(llvm::arrayRefFromStringRef(text));
  if (!tested.insert(asString(hash)).second)
    return Verdict::Rejected;
  // The test sees a file: what it finds interesting can be read.
  if (!parseSourceString<ModuleOp>(text, variant->getContext()))
    return Verdict::Rejected;
  ++progress.tests;
  FailureOr<bool> interesting = isInteresting(*variant, text);
  if (failed(interesting))
    return failure();
  if (*interesting) {
    module = std::move(variant);
    copy = {};
    size = variantSize;
    progress.ops = countOps(*module);
  }
  report(progress);
  return *interesting ? Verdict::Accepted : Verdict::Rejected;
}

LogicalResult
uop::reduceModule(OwningOpRef<ModuleOp> &module, InterestingFn isInteresting,
                  llvm::function_ref<void(const ReductionProgress &)> report) {
  return Reducer(module, isInteresting, report).reduce();
}
