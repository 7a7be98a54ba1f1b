//===- GPUMap.cpp - Map kernels to blocks, threads and copies -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes decide where the opts of a kernel come from: its options, the
// attribute of the kernel, or a heuristic; --uop-place-shared also stages
// loads. Mapping.h does the rest. What they do to one kernel is in GPUMapping.h
// for others as well.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "OptOptions.h"
#include "Uop/Transforms/GPUMapping.h"
#include "Uop/Transforms/Passes.h"
#include "Uop/Transforms/Simplify.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace uop {
#define GEN_PASS_DEF_GPUMAP
#define GEN_PASS_DEF_PLACESHARED
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

/// Reads the options of a pass; fails with an error that names the pass.
template <typename Pass, typename Request> class MapPass : public Pass {
public:
  using Pass::Pass;

protected:
  LogicalResult readOptions(MLIRContext *context);

  Request request;
};

struct GPUMapPass : MapPass<uop::impl::GPUMapBase<GPUMapPass>, GPUMapRequest> {
  using MapPass::MapPass;

  LogicalResult initialize(MLIRContext *context) override {
    return readOptions(context);
  }
  void runOnOperation() override;
};

struct PlaceSharedPass
    : MapPass<uop::impl::PlaceSharedBase<PlaceSharedPass>, PlaceSharedRequest> {
  using MapPass::MapPass;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;
};

} // namespace

template <typename Pass, typename Request>
LogicalResult MapPass<Pass, Request>::readOptions(MLIRContext *context) {
  request = Request();
  request.who = this->getArgument();
  auto parse = [&](const auto &option, OptKind kind) {
    return parseOpts(context, request.who, option.getArgStr(), option, kind,
                     request.opts);
  };
  if (failed(parse(this->merge, OptKind::Merge)) ||
      failed(parse(this->local, OptKind::Local)) ||
      failed(parse(this->upcast, OptKind::Upcast)) ||
      failed(parse(this->vectorize, OptKind::Vectorize)) ||
      failed(parse(this->unroll, OptKind::Unroll)) ||
      failed(parse(this->group, OptKind::Group)) ||
      failed(parse(this->groupTop, OptKind::GroupTop)) ||
      failed(parse(this->padTo, OptKind::PadTo)) ||
      failed(parse(this->kStep, OptKind::KStep)) ||
      failed(parse(this->stage, OptKind::Stage)) ||
      failed(parse(this->warp, OptKind::Warp)) ||
      failed(parse(this->swap, OptKind::Swap)))
    return failure();
  if (this->noLocals)
    request.opts.push_back(OptAttr::get(context, OptKind::NoLocals, 0, 0));
  request.heuristic = this->heuristic;
  request.mergeAxes = this->mergeAxes;
  request.minBlocks = this->minBlocks;
  auto refuse = [&] {
    return emitError(UnknownLoc::get(context)) << request.who << ": ";
  };
  StringRef heuristic = request.heuristic;
  bool chooses = heuristic == "basic" || heuristic == "default";
  if (heuristic != "" && heuristic != "none" && !chooses)
    return refuse() << "expected heuristic to be default, basic or none, but "
                       "got '"
                    << heuristic << "'";
  if (chooses && !request.opts.empty())
    return refuse() << "expected either heuristic=" << heuristic
                    << " or opts (local, upcast, unroll, ...), but got both";
  if (chooses && request.mergeAxes)
    return refuse() << "expected either heuristic=" << heuristic
                    << " or merge-axes, but got both";
  request.target = lookUpGPUTarget(this->chip);
  if (!request.target)
    return refuse() << "expected a known chip, but got '" << this->chip
                    << "'; choose one of " << listGPUTargets();
  request.layout = symbolizeUpcastLayout(this->upcastLayout);
  if (this->upcastLayout != "" && !request.layout)
    return refuse() << "expected upcast-layout to be gpu or cpu, but got '"
                    << this->upcastLayout << "'";
  if (request.minBlocks < 0)
    return refuse() << "expected min-blocks to be 0 or more, but got "
                    << request.minBlocks;
  return success();
}

/// The schedule for a kernel: what is asked for, the attribute of the kernel,
/// or the choice of a heuristic. `chooseDefault` is the one for the target.
static FailureOr<ScheduleAttr>
chooseFor(KernelOp kernel, const GPUMapRequest &request,
          function_ref<FailureOr<ScheduleAttr>(UpcastLayout)> chooseDefault,
          ExplainFn explain) {
  MLIRContext *context = kernel.getContext();
  // What is asked for here replaces the attribute as a whole.
  UpcastLayout layout = request.layout.value_or(UpcastLayout::GPU);
  ScheduleAttr schedule = kernel.getScheduleAttr();
  bool isChosen = false;
  if (schedule && failed(checkOneTarget(kernel, schedule)))
    return failure();
  if (schedule && isForOtherTarget(schedule, MappingTarget::GPU)) {
    explain("has a schedule for a CPU, which is left aside");
    schedule = {};
  }
  if (!request.opts.empty() || request.heuristic == "none" ||
      request.mergeAxes) {
    SmallVector<OptAttr> all;
    if (request.mergeAxes)
      all = findMerges(kernel);
    llvm::append_range(all, request.opts);
    explain("has the opts that were given, and no others");
    schedule = ScheduleAttr::get(context, all, layout);
  } else if (request.heuristic == "basic") {
    schedule = chooseBasicSchedule(kernel, layout, explain);
  } else if (!schedule || request.heuristic == "default") {
    FailureOr<ScheduleAttr> best = chooseDefault(layout);
    if (failed(best))
      return failure();
    schedule = *best;
    isChosen = true;
  } else if (request.layout) {
    schedule = ScheduleAttr::get(context, schedule.getOpts(), layout);
  }
  if (request.minBlocks != 0) {
    FailureOr<ScheduleAttr> filled = fillMachine(
        kernel, schedule, request.minBlocks, [&](const Twine &text) {
          emitRemark(kernel.getLoc())
              << "@" << kernel.getSymName() << " " << text;
        });
    if (failed(filled))
      return failure();
    schedule = *filled;
  }
  return isChosen ? chooseWarpTile(kernel, schedule, explain) : schedule;
}

/// Calls `body` for each kernel in graph form, with a function that tells of
/// decisions where remarks are asked for; whether it succeeded for all.
static bool
forEachGraph(Operation *root, bool remarks,
             function_ref<LogicalResult(KernelOp, ExplainFn)> body) {
  SmallVector<KernelOp> kernels;
  root->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  bool succeeds = true;
  for (KernelOp kernel : kernels)
    if (kernel.isGraphForm()) {
      foldKnownArguments(kernel);
      succeeds &= succeeded(body(kernel, [&](const Twine &text) {
        if (remarks)
          emitRemark(kernel.getLoc())
              << "@" << kernel.getSymName() << " " << text;
      }));
    }
  return succeeds;
}

InFlightDiagnostic uop::refuseMapped(KernelOp kernel, StringRef who) {
  return emitError(kernel.getLoc()) << "cannot map @" << kernel.getSymName()
                                    << ": it is mapped already; give " << who
                                    << " the kernel as it was before, or ";
}

//===----------------------------------------------------------------------===//
// --uop-gpu-map
//===----------------------------------------------------------------------===//

FailureOr<bool> uop::mapToGPU(RewriterBase &rewriter, KernelOp kernel,
                              const GPUMapRequest &request, ExplainFn explain) {
  if (isAlreadyMapped(kernel)) {
    if (request.isEmpty())
      return false;
    return refuseMapped(kernel, request.who) << "no options";
  }
  FailureOr<ScheduleAttr> schedule = chooseFor(
      kernel, request,
      [&](UpcastLayout layout) {
        return chooseSchedule(kernel, *request.target, layout, explain);
      },
      explain);
  if (failed(schedule) || failed(applySchedule(rewriter, kernel, *schedule,
                                               MappingTarget::GPU, explain)))
    return failure();
  return true;
}

void GPUMapPass::runOnOperation() {
  auto map = [&](KernelOp kernel, ExplainFn explain) -> LogicalResult {
    IRRewriter rewriter(kernel);
    FailureOr<bool> isMapped = mapToGPU(rewriter, kernel, request, explain);
    if (failed(isMapped))
      return failure();
    numMapped += *isMapped;
    return success();
  };
  if (!forEachGraph(getOperation(), remarks, map))
    signalPassFailure();
}

//===----------------------------------------------------------------------===//
// --uop-place-shared
//===----------------------------------------------------------------------===//

/// A layout as an option has it, `pad:1` or `xor:4:2`; null for another text.
static TileLayoutAttr parseTileLayout(MLIRContext *context, StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  std::optional<TileLayoutKind> kind = symbolizeTileLayoutKind(parts.front());
  int64_t chunk = 1, period = 1;
  if (!kind || parts.size() > 3 ||
      (parts.size() > 1 && parts[1].getAsInteger(10, chunk)) ||
      (parts.size() > 2 && parts[2].getAsInteger(10, period)) ||
      (*kind == TileLayoutKind::Plain) != (parts.size() == 1))
    return {};
  auto refuse = [&] {
    InFlightDiagnostic diag = emitError(UnknownLoc::get(context));
    diag.abandon();
    return diag;
  };
  return TileLayoutAttr::getChecked(refuse, context, *kind, chunk, period);
}

LogicalResult PlaceSharedPass::initialize(MLIRContext *context) {
  if (failed(readOptions(context)))
    return failure();
  auto refuse = [&] {
    return emitError(UnknownLoc::get(context)) << request.who << ": ";
  };
  if (buffers < 0 || buffers > kMaxBuffers)
    return refuse() << "expected buffers to be 0 to " << kMaxBuffers
                    << ", but got " << int64_t(buffers);
  if (assumeAligned < 0 ||
      (assumeAligned != 0 && !llvm::isPowerOf2_64(assumeAligned)))
    return refuse() << "expected assume-aligned to be 0 or a power of two, but "
                       "got "
                    << int64_t(assumeAligned);
  request.buffers = buffers;
  request.assumeAligned = assumeAligned;
  if (layout == "")
    return success();
  request.tileLayout = parseTileLayout(context, layout);
  if (!request.tileLayout)
    return refuse()
           << "expected layout to be plain, or pad, xor or rotate with "
              "a chunk and possibly a period, such as pad:1 or xor:4:2, "
              "but got '"
           << layout << "'";
  return success();
}

/// The memref arguments that do not say how they are aligned, but could.
static SmallVector<unsigned> findUnaligned(KernelOp kernel) {
  SmallVector<unsigned> arguments;
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && memref.hasStaticShape() && memref.getLayout().isIdentity() &&
        !kernel.getArgAttr(number, "llvm.align"))
      arguments.push_back(number);
  }
  return arguments;
}

static bool hasStages(ScheduleAttr schedule) {
  return llvm::any_of(schedule.getOpts(), [](OptAttr opt) {
    return opt.getKind() == OptKind::Stage;
  });
}

static LogicalResult placeMapped(RewriterBase &rewriter, KernelOp kernel,
                                 const GPUMapRequest &request,
                                 ExplainFn explain) {
  bool onlyStages = llvm::all_of(request.opts, [](OptAttr opt) {
    return opt.getKind() == OptKind::Stage || opt.getKind() == OptKind::KStep;
  });
  GPUMapRequest rest = request;
  rest.opts.clear();
  if (!onlyStages || !rest.isEmpty())
    return refuseMapped(kernel, request.who) << "only kstep and stage";
  // A kernel with tiles of its own has what its author wants.
  if (request.opts.empty() && !kernel.getBodyBlock().getOps<StageOp>().empty())
    return success();
  SmallVector<OptAttr> opts = request.opts;
  if (opts.empty())
    opts = chooseStages(kernel, *request.target, explain);
  return failure(!opts.empty() && failed(stageMapped(rewriter, kernel, opts)));
}

static LogicalResult mapAndPlace(RewriterBase &rewriter, KernelOp kernel,
                                 const GPUMapRequest &request,
                                 ArrayRef<unsigned> aligned,
                                 ExplainFn explain) {
  FailureOr<ScheduleAttr> schedule = chooseFor(
      kernel, request,
      [&](UpcastLayout layout) -> FailureOr<ScheduleAttr> {
        if (std::optional<ScheduleAttr> tiled =
                chooseTiledSchedule(kernel, *request.target, layout, explain))
          return *tiled;
        // Without tiles nothing promises the alignment that they assume, and
        // copies for wide accesses would be accesses far apart.
        for (unsigned argument : aligned)
          kernel.removeArgAttr(argument, "llvm.align");
        return chooseSchedule(kernel, *request.target, layout, explain);
      },
      explain);
  if (failed(schedule))
    return failure();
  // Opts that say nothing of stages leave that to the target.
  if (!request.opts.empty() && !hasStages(*schedule)) {
    SmallVector<OptAttr> opts(schedule->getOpts());
    llvm::append_range(opts, findStages(kernel, *schedule, *request.target,
                                        /*buffers=*/1, explain));
    schedule = ScheduleAttr::get(kernel.getContext(), opts,
                                 schedule->getUpcastLayout());
  }
  int64_t blocks =
      getBlocksPerMultiprocessor(kernel, *schedule, *request.target);
  if (failed(applySchedule(rewriter, kernel, *schedule, MappingTarget::GPU,
                           explain)))
    return failure();
  // ptxas takes what registers it likes, and one too many halves the threads.
  StringRef minBlocks = NVVM::NVVMDialect::getMinctasmAttrName();
  if (blocks > 1 && !kernel->hasAttr(minBlocks)) {
    explain("place-shared: registers are limited so that " + Twine(blocks) +
            " blocks share a multiprocessor");
    kernel->setAttr(minBlocks, rewriter.getI32IntegerAttr(blocks));
  }
  return success();
}

FailureOr<PlacedShared> uop::placeShared(RewriterBase &rewriter,
                                         KernelOp kernel,
                                         const PlaceSharedRequest &request,
                                         ExplainFn explain) {
  auto getStages = [&] {
    return SmallVector<StageOp>(kernel.getBodyBlock().getOps<StageOp>());
  };
  size_t before = getStages().size();
  SmallVector<unsigned> aligned;
  if (request.assumeAligned != 0)
    aligned = findUnaligned(kernel);
  for (unsigned argument : aligned)
    kernel.setArgAttr(argument, "llvm.align",
                      rewriter.getI64IntegerAttr(request.assumeAligned));
  PlacedShared placed;
  placed.isMapped = !isAlreadyMapped(kernel);
  if (failed(placed.isMapped
                 ? mapAndPlace(rewriter, kernel, request, aligned, explain)
                 : placeMapped(rewriter, kernel, request, explain)))
    return failure();
  SmallVector<StageOp> stages = getStages();
  placed.numStages = stages.size() - before;
  if (placed.numStages == 0) {
    for (unsigned argument : aligned)
      kernel.removeArgAttr(argument, "llvm.align");
    return placed;
  }
  for (StageOp stage : stages) {
    if (request.buffers != 0)
      stage.setBuffers(request.buffers);
    if (request.tileLayout)
      stage.setLayoutAttr(request.tileLayout);
  }
  return placed;
}

void PlaceSharedPass::runOnOperation() {
  auto place = [&](KernelOp kernel, ExplainFn explain) -> LogicalResult {
    if (onlyUnmapped && isAlreadyMapped(kernel))
      return success();
    IRRewriter rewriter(kernel);
    FailureOr<PlacedShared> placed =
        placeShared(rewriter, kernel, request, explain);
    if (failed(placed))
      return failure();
    numMapped += placed->isMapped;
    numStaged += placed->numStages;
    return success();
  };
  if (!forEachGraph(getOperation(), remarks, place))
    signalPassFailure();
}
