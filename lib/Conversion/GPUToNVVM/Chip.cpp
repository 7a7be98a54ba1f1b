//===- Chip.cpp - The NVIDIA chips that can be compiled for ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chip names come from the back end's own table. The lowest PTX version of a
// chip is in no public table: it is read from the header that the back end
// writes when it may choose the version itself.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/GPUToNVVM/Chip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;

void uop::initializeNVPTX() {
  static llvm::once_flag once;
  llvm::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static const llvm::Target *lookUpTarget() {
  uop::initializeNVPTX();
  std::string error;
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(uop::kNVPTXTriple),
                                            error);
}

static std::unique_ptr<llvm::MCSubtargetInfo> createSubtarget() {
  const llvm::Target *target = lookUpTarget();
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(
      llvm::Triple(uop::kNVPTXTriple), uop::kDefaultChip, ""));
}

/// The number in a name such as `sm_90a` or `ptx78`; zero if there is none.
static unsigned numberIn(StringRef name) {
  unsigned number = 0;
  name.drop_while([](char c) { return !llvm::isDigit(c); })
      .take_while(llvm::isDigit)
      .getAsInteger(10, number);
  return number;
}

SmallVector<std::string> uop::getKnownChips() {
  SmallVector<std::string> chips;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = createSubtarget();
  if (!subtarget)
    return chips;
  for (const llvm::SubtargetSubTypeKV &chip :
       subtarget->getAllProcessorDescriptions())
    chips.push_back(chip.Key);
  llvm::sort(chips, [](const std::string &a, const std::string &b) {
    return std::pair(numberIn(a), StringRef(a)) <
           std::pair(numberIn(b), StringRef(b));
  });
  return chips;
}

unsigned uop::getMinPTXVersion(StringRef chip) {
  const llvm::Target *target = lookUpTarget();
  if (!target)
    return 0;
  llvm::Triple triple(kNVPTXTriple);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, chip, "", {}, {}));
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  empty.setTargetTriple(triple);
  empty.setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream os(ptx);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return 0;
  passes.run(empty);

  StringRef version = StringRef(ptx).split(".version ").second;
  unsigned major = 0, minor = 0;
  version.consumeInteger(10, major);
  version.consume_front(".");
  version.consumeInteger(10, minor);
  return major * 10 + minor;
}

/// "7.8" for 78.
static std::string formatVersion(unsigned version) {
  return llvm::utostr(version / 10) + "." + llvm::utostr(version % 10);
}

LogicalResult uop::checkChip(StringRef chip, StringRef features,
                             function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<std::string> chips = getKnownChips();
  if (chips.empty())
    return emitError() << "this LLVM was built without the NVPTX back end; "
                          "expected a build with the NVPTX target";
  if (!llvm::is_contained(chips, chip)) {
    InFlightDiagnostic diagnostic =
        emitError() << "expected a known chip, but got '" << chip << "'";
    diagnostic.attachNote() << "known chips: " << llvm::join(chips, ", ");
    return diagnostic;
  }
  if (features.empty())
    return success();

  SmallVector<StringRef> known;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = createSubtarget();
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget->getAllProcessorFeatures())
    if (StringRef(feature.Key).starts_with("ptx"))
      known.push_back(feature.Key);
  llvm::sort(known, [](StringRef a, StringRef b) {
    return numberIn(a) < numberIn(b);
  });

  // The back end takes the highest version that is listed.
  unsigned version = 0;
  for (StringRef feature : llvm::split(features, ',')) {
    StringRef name = feature.trim();
    if (!name.consume_front("+") || !llvm::is_contained(known, name)) {
      InFlightDiagnostic diagnostic =
          emitError() << "expected features of the form '+ptx78', but got '"
                      << feature << "'";
      diagnostic.attachNote()
          << "known PTX versions: " << llvm::join(known, ", ");
      return diagnostic;
    }
    version = std::max(version, numberIn(name));
  }
  unsigned lowest = getMinPTXVersion(chip);
  if (version < lowest)
    return emitError() << "expected at least PTX " << formatVersion(lowest)
                       << " (+ptx" << lowest << ") for " << chip
                       << ", but got PTX " << formatVersion(version)
                       << "; leave the features out for the lowest version "
                          "that fits";
  return success();
}
