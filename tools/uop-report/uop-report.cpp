//===- uop-report.cpp - Explain kernels without a GPU ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an .mlir file with kernels in any form, and says what their accesses
// to memory, their occupancy and their limits are, as text, JSON and HTML; or
// compares two reports. Exit status 1 on any error, and then writes nothing.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Pipelines.h"
#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Report/PrintReport.h"
#include "Uop/Report/ReportModule.h"
#include "Uop/Target/OutputFiles.h"
#include "Uop/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

static cl::OptionCategory category("uop-report options");

static cl::list<std::string>
    inputs(cl::Positional,
           cl::desc("<input file> (or, with --diff, two reports as JSON)"),
           cl::cat(category));
static cl::opt<bool>
    difference("diff",
               cl::desc("Compare two reports that --json has written: before "
                        "and after"),
               cl::cat(category));
static cl::opt<std::string>
    outputName("o", cl::desc("File for the text (default: -)"),
               cl::value_desc("file"), cl::init("-"), cl::cat(category));
static cl::opt<std::string> jsonName("json",
                                     cl::desc("File for the report as JSON"),
                                     cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    htmlName("html", cl::desc("File for the report as one HTML page"),
             cl::value_desc("file"), cl::cat(category));
static cl::opt<bool>
    verbose("verbose",
            cl::desc("Examples of requests and a table of block sizes, too"),
            cl::cat(category));
static cl::alias verboseAlias("v", cl::desc("Alias for --verbose"),
                              cl::aliasopt(verbose), cl::cat(category));
static cl::opt<std::string> kernelName("kernel",
                                       cl::desc("Only the kernel of this name"),
                                       cl::value_desc("name"),
                                       cl::cat(category));
static cl::opt<std::string>
    chip("chip", cl::desc("Chip to map for and to report on (default: sm_80)"),
         cl::value_desc("sm_NN"), cl::init(kDefaultGPUTarget.str()),
         cl::cat(category));
static cl::opt<std::string> chipFile(
    "chip-file",
    cl::desc("A chip of your own, as JSON (docs/Chips.md); kernels are "
             "mapped for --chip"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    args("args",
         cl::desc("Values of scalar arguments and sizes of dynamic dimensions, "
                  "such as 2:500,0.1:64"),
         cl::value_desc("argument:value,argument.dimension:size"),
         cl::cat(category));
static cl::opt<std::string>
    gridText("grid", cl::desc("Blocks of gpu.funcs whose launch is not known"),
             cl::value_desc("x,y,z"), cl::cat(category));
static cl::opt<std::string>
    blockText("block",
              cl::desc("Threads of a block of gpu.funcs whose launch is not "
                       "known"),
              cl::value_desc("x,y,z"), cl::cat(category));
static cl::opt<std::string>
    registersText("registers",
                  cl::desc("Registers of a thread: a number, estimate, or auto "
                           "for what ptxas says where it is (default: auto)"),
                  cl::value_desc("auto|estimate|N"), cl::init("auto"),
                  cl::cat(category));
static cl::opt<unsigned>
    warpSize("warp-size", cl::desc("Lanes of a warp, 32 or 64 (default: 32)"),
             cl::init(32), cl::cat(category));
static cl::opt<int64_t>
    maxRequests("max-requests",
                cl::desc("Requests that are computed at most (default: "
                         "4194304)"),
                cl::init(1 << 22), cl::cat(category));
static cl::opt<bool> races("races",
                           cl::desc("Look for races, too (default: true)"),
                           cl::init(true), cl::cat(category));
static cl::opt<std::string> checkName(
    "check-json",
    cl::desc("What uop-run --check --check-json has written of these kernels, "
             "to show beside the proof"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<bool> placeShared(
    "place-shared",
    cl::desc("Stage what a block reads several times in shared memory, in "
             "kernels that are not mapped (default: true)"),
    cl::init(true), cl::cat(category));
static cl::opt<bool> splitReductions(
    "split-reductions",
    cl::desc("Reduce in parts that a second kernel combines, in kernels with "
             "few outputs that are not mapped (default: true)"),
    cl::init(true), cl::cat(category));
static cl::opt<FPContract> fpContract(
    "fp-contract",
    cl::desc("Fuse products with the sums that they enter (default: on)"),
    cl::init(FPContract::On),
    cl::values(clEnumValN(FPContract::On, "on", "one rounding, as nvcc does"),
               clEnumValN(FPContract::Off, "off", "two roundings")),
    cl::cat(category));
static cl::opt<std::string>
    cudaPath("cuda-path",
             cl::desc("Root of the CUDA toolkit (default: $CUDA_HOME, "
                      "$CUDA_PATH, that of a ptxas or nvcc on PATH, "
                      "/usr/local/cuda)"),
             cl::value_desc("dir"), cl::cat(category));
enum class ColorChoice { Auto, Always, Never };
static cl::opt<ColorChoice> colors(
    "colors", cl::desc("Colours of the text (default: auto)"),
    cl::init(ColorChoice::Auto),
    cl::values(clEnumValN(ColorChoice::Auto, "auto", "on a terminal"),
               clEnumValN(ColorChoice::Always, "always", "also in a file"),
               clEnumValN(ColorChoice::Never, "never", "none")),
    cl::cat(category));

/// Errors that have no place in the input.
static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-report") << message << "\n";
  return failure();
}

static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

static LogicalResult parseSize(StringRef text, StringRef option,
                               std::optional<std::array<int64_t, 3>> &size) {
  if (text.empty())
    return success();
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::array<int64_t, 3> result = {1, 1, 1};
  bool isRight = parts.size() <= 3;
  for (size_t i = 0; isRight && i < parts.size(); ++i)
    isRight = !parts[i].trim().getAsInteger(10, result[i]) && result[i] > 0;
  if (!isRight)
    return fail("--" + option +
                ": expected up to three positive numbers x,y,z, but got '" +
                text + "'");
  size = result;
  return success();
}

static LogicalResult parseOptions(ModuleReportOptions &options) {
  const GPUTarget *known = lookUpChip(chip);
  if (!known)
    return fail("--chip: expected a known chip, but got '" + Twine(chip) +
                "'; known chips: " + listChips());
  options.report.chip = *known;
  if (!chipFile.empty()) {
    llvm::Expected<GPUTarget> own = readChip(chipFile);
    if (!own)
      return fail(own.takeError());
    options.report.chip = *own;
  }
  if (warpSize != 32 && warpSize != 64)
    return fail("--warp-size: expected 32 or 64, but got " + Twine(warpSize));
  if (maxRequests < 1)
    return fail("--max-requests: expected 1 or more, but got " +
                Twine(int64_t(maxRequests)));
  if (failed(parseSize(gridText, "grid", options.grid)) ||
      failed(parseSize(blockText, "block", options.block)))
    return failure();
  SmallVector<StringRef> pairs;
  StringRef(args).split(pairs, ',', -1, /*KeepEmpty=*/false);
  for (StringRef pair : pairs)
    if (failed(parseLaunchValue(pair, options.report.values)))
      return fail("--args: expected a list of argument:value and "
                  "argument.dimension:size, such as 2:500,0.1:64, but got '" +
                  pair + "'");
  int64_t number;
  int64_t most = options.report.chip.maxRegistersPerThread;
  if (!StringRef(registersText).getAsInteger(10, number) && number > 0) {
    if (number > most)
      return fail("--registers: expected at most " + Twine(most) +
                  ", which is what " + options.report.chip.chip +
                  " has for a thread, but got " + Twine(number));
    options.report.registers = RegisterReport{number, RegisterSource::Given};
  } else if (registersText == "estimate")
    options.usesPtxas = false;
  else if (registersText != "auto")
    return fail("--registers: expected auto, estimate or a positive number, "
                "but got '" +
                registersText + "'");
  options.report.warpSize = warpSize;
  options.report.maxRequests = maxRequests;
  options.report.findsRaces = races;
  options.kernel = StringRef(kernelName).ltrim('@').str();
  options.placeShared = placeShared;
  options.splitReductions = splitReductions;
  options.contract = fpContract == FPContract::On;
  options.cudaPath = cudaPath;
  return success();
}

static TextOptions getTextOptions() {
  TextOptions text;
  text.isVerbose = verbose;
  text.hasColors = colors == ColorChoice::Always ||
                   (colors == ColorChoice::Auto && outputName == "-" &&
                    llvm::outs().is_displayed());
  return text;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// Far more than there are in a report.
static constexpr unsigned kMaxDepth = 100;

/// How many lists and objects are within one another at the most.
static unsigned getDepth(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!isString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

static llvm::Expected<llvm::json::Value> readJSON(StringRef path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return llvm::createStringError("cannot read '" + path.str() +
                                   "': " + file.getError().message());
  // The parser of LLVM calls itself for each list in a list.
  if (getDepth((*file)->getBuffer()) > kMaxDepth)
    return llvm::createStringError(
        "'" + path.str() + "' is no report: expected at most " +
        std::to_string(kMaxDepth) + " lists and objects within one another");
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*file)->getBuffer());
  if (!value)
    return llvm::createStringError("'" + path.str() + "' is no JSON: " +
                                   llvm::toString(value.takeError()));
  return value;
}

static LogicalResult compare() {
  if (inputs.size() != 2)
    return fail("--diff: expected two reports, before and after, but got " +
                Twine(inputs.size()));
  if (!jsonName.empty() || !htmlName.empty())
    return fail("--diff prints text only: leave out --json and --html");
  llvm::Expected<llvm::json::Value> before = readJSON(inputs[0]);
  if (!before)
    return fail(before.takeError());
  llvm::Expected<llvm::json::Value> after = readJSON(inputs[1]);
  if (!after)
    return fail(after.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  os.enable_colors(true);
  if (llvm::Error error =
          printDifference(os, *before, *after, getTextOptions()))
    return fail(std::move(error));
  if (llvm::Error error = writeOutputFiles({OutputFile{outputName, {text}}}))
    return fail(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static LogicalResult write(ArrayRef<KernelReport> reports) {
  std::string text, json, html;
  {
    llvm::raw_string_ostream os(text);
    os.enable_colors(true);
    printText(os, reports, getTextOptions());
  }
  SmallVector<OutputFile> files;
  files.push_back({outputName, {text}});
  if (!jsonName.empty()) {
    llvm::raw_string_ostream os(json);
    os << llvm::formatv("{0:2}\n", llvm::json::Value(buildJSON(reports)));
    files.push_back({jsonName, {json}});
  }
  if (!htmlName.empty()) {
    llvm::raw_string_ostream os(html);
    printHTML(os, reports);
    files.push_back({htmlName, {html}});
  }
  // Two documents on standard output would be none.
  unsigned numOnOutput = llvm::count_if(
      files, [](const OutputFile &file) { return file.path == "-"; });
  if (numOnOutput > 1 && !outputName.getNumOccurrences()) {
    files.erase(files.begin());
    --numOnOutput;
  }
  if (numOnOutput > 1)
    return fail("expected at most one of -o, --json and --html to be -");
  if (llvm::Error error = writeOutputFiles(files))
    return fail(std::move(error));
  return success();
}

/// What a checked run has found.
static LogicalResult addCheck(std::vector<KernelReport> &reports) {
  if (checkName.empty())
    return success();
  llvm::Expected<llvm::json::Value> findings = readJSON(checkName);
  if (!findings)
    return fail(findings.takeError());
  for (KernelReport &report : reports)
    if (llvm::Error error = addCheckedRun(report, *findings))
      return fail("'" + checkName + "': " + llvm::toString(std::move(error)));
  return success();
}

static LogicalResult explain() {
  ModuleReportOptions options;
  if (failed(parseOptions(options)))
    return failure();
  if (inputs.size() > 1)
    return fail("expected one input file, but got " + Twine(inputs.size()));
  std::string input = inputs.empty() ? "-" : inputs.front();

  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file)
    return fail("cannot read '" + input + "': " + file.getError().message());
  sources.AddNewSourceBuffer(std::move(*file), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  FailureOr<std::vector<KernelReport>> reports = reportModule(*module, options);
  if (failed(reports))
    return failure();
  for (KernelReport &report : *reports)
    addSources(report, sources);
  if (failed(addCheck(*reports)))
    return failure();
  return write(*reports);
}

static const char *const overview =
    R"(Explains kernels without a GPU: how their accesses to memory coalesce and
conflict, their occupancy, what bounds them, and what to change.

The file has kernels in graph form, which are mapped as --uop-place-shared does,
in loop form, or in the gpu dialect. docs/Reports.md explains each figure.
)";

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::AddExtraVersionPrinter(uop::printVersion);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  return failed(difference ? compare() : explain()) ? 1 : 0;
}
