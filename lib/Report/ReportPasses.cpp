//===- ReportPasses.cpp - Reports as remarks ------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "Uop/Report/Passes.h"
#include "Uop/Report/PrintReport.h"
#include "Uop/Report/ReportModule.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace uop {
#define GEN_PASS_DEF_REPORTADVICE
#define GEN_PASS_DEF_REPORTOCCUPANCY
#define GEN_PASS_DEF_REPORTROOFLINE
#define GEN_PASS_DEF_REPORTTRAFFIC
#include "Uop/Report/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;
using namespace uop::report;

//===----------------------------------------------------------------------===//
// What all of them do
//===----------------------------------------------------------------------===//

static Location getLocation(const SourcePlace &place, MLIRContext *context) {
  if (place.line == 0)
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, place.file, place.line, place.column);
}

namespace {

/// A pass with the options of a report, and what it says of a kernel.
template <typename Derived, typename Base> struct ReportPass : Base {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    auto loc = UnknownLoc::get(context);
    auto name = static_cast<Derived *>(this)->getArgument();
    options = ModuleReportOptions();
    options.usesPtxas = false;
    options.kernel = StringRef(this->kernel).ltrim('@').str();
    const GPUTarget *target = lookUpChip(this->chip);
    if (!target)
      return emitError(loc)
             << name << ": expected a known chip, but got '"
             << std::string(this->chip) << "'; known chips: " << listChips();
    options.report.chip = *target;
    options.report.findsRaces = false;
    if (this->registers < 0)
      return emitError(loc)
             << name << ": expected registers to be 0 or more, but got "
             << int64_t(this->registers);
    if (this->registers > 0)
      options.report.registers =
          RegisterReport{this->registers, RegisterSource::Given};
    for (const std::string &text : this->args)
      if (failed(parseLaunchValue(text, options.report.values)))
        return emitError(loc)
               << name
               << ": expected args to be a list of argument:value and "
                  "argument.dimension:size, such as args=2:500,0.1:64, but got "
                  "'"
               << text << "'";
    return success();
  }

  void runOnOperation() override {
    this->markAllAnalysesPreserved();
    FailureOr<std::vector<KernelReport>> reports =
        reportModule(this->getOperation(), options);
    if (failed(reports))
      return this->signalPassFailure();
    for (const KernelReport &report : *reports)
      static_cast<Derived *>(this)->emit(report);
  }

  void remark(const SourcePlace &place, const Twine &text) {
    emitRemark(getLocation(place, &this->getContext())) << text;
  }

  ModuleReportOptions options;
};

//===----------------------------------------------------------------------===//
// What each says
//===----------------------------------------------------------------------===//

struct ReportTrafficPass
    : ReportPass<ReportTrafficPass,
                 uop::impl::ReportTrafficBase<ReportTrafficPass>> {
  using ReportPass::ReportPass;

  void emit(const KernelReport &report) {
    for (const AccessReport &access : report.accesses) {
      std::string text;
      llvm::raw_string_ostream os(text);
      printCounts(os, access);
      if (!access.cause.empty())
        os << "; " << access.cause;
      if (access.remedy)
        os << "; to mend it, " << access.remedy->action;
      if (access.remedy && access.remedy->cost)
        os << " (" << access.getCost() << " -> " << *access.remedy->cost << ")";
      remark(access.place, text);
    }
    for (const std::string &note : report.notes)
      remark(report.place, "@" + report.name + ": " + note);
  }
};

struct ReportOccupancyPass
    : ReportPass<ReportOccupancyPass,
                 uop::impl::ReportOccupancyBase<ReportOccupancyPass>> {
  using ReportPass::ReportPass;

  void emit(const KernelReport &report) {
    if (!report.occupancy) {
      for (const std::string &note : report.notes)
        remark(report.place, "@" + report.name + ": " + note);
      return;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    const Occupancy &occupancy = *report.occupancy;
    os << "@" << report.name << ": " << describeCount(occupancy.blocks, "block")
       << " a multiprocessor, " << occupancy.warps << " of "
       << occupancy.maxWarps << " warps, " << asPercent(occupancy.getShare())
       << ", limited by " << listLimits(occupancy);
    if (report.registers)
      os << "; " << describeCount(report.registers->perThread, "register")
         << " a thread (" << describeSource(report.registers->source) << "), "
         << describeCount(report.launch.sharedBytes, "byte")
         << " of shared memory a block";
    if (report.nextStep && occupancy.warps < occupancy.maxWarps) {
      std::string ways = describeStep(*report.nextStep);
      if (!ways.empty())
        os << "; for " << describeCount(report.nextStep->blocks, "block")
           << ": " << ways;
    }
    remark(report.place, text);
  }
};

struct ReportRooflinePass
    : ReportPass<ReportRooflinePass,
                 uop::impl::ReportRooflineBase<ReportRooflinePass>> {
  using ReportPass::ReportPass;

  void emit(const KernelReport &report) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "@" << report.name << ": "
       << withPrefix(report.work.getTotal(), "FLOP");
    if (report.roofline) {
      const Roofline &roofline = *report.roofline;
      os << ", DRAM " << withPrefix(report.dramBytesRead, "B") << " read and "
         << withPrefix(report.dramBytesWritten, "B") << " written, "
         << asNumber(roofline.intensity) << " FLOP/B beside a ridge of "
         << asNumber(roofline.ridge) << "; bound by "
         << stringifyBound(roofline.bound) << ": at least "
         << asNumber(1e6 * roofline.getSeconds()) << " us; "
         << describeCount(roofline.load.blocks, "block") << " on "
         << roofline.load.multiprocessors << " multiprocessors, "
         << asPercent(roofline.load.multiprocessorUse) << " in use";
    }
    for (const std::string &note : report.notes)
      os << "; " << note;
    remark(report.place, text);
  }
};

struct ReportAdvicePass
    : ReportPass<ReportAdvicePass,
                 uop::impl::ReportAdviceBase<ReportAdvicePass>> {
  using ReportPass::ReportPass;

  void emit(const KernelReport &report) {
    for (const Advice &advice : report.advice)
      remark(advice.place, advice.finding + " (about " +
                               asPercent(advice.cost) + " of the time); " +
                               advice.remedy.action);
  }
};

} // namespace
