//===- Outputs.cpp - What becomes of the arguments ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"
#include "Failure.h"
#include "Uop/Analysis/StoredArguments.h"
#include "Uop/Target/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::run;

LogicalResult run::parseOutput(StringRef text, StringRef option,
                               FunctionOpInterface function,
                               SmallVectorImpl<Output> &outputs) {
  Output &output = outputs.emplace_back();
  auto [number, path] = text.split('=');
  bool hasNumber = path.data() != nullptr && text.contains('=') &&
                   !number.empty() && llvm::all_of(number, llvm::isDigit);
  output.path = hasNumber ? path : text;
  if (output.path.empty())
    return fail("expected " + option + "=[index=]file.npy, but got '" + text +
                "'");
  if (!hasNumber) {
    SmallVector<unsigned> stored = findStoredArguments(function);
    if (stored.size() == 1) {
      output.index = stored.front();
      return success();
    }
    std::string numbers = llvm::join(
        llvm::map_range(stored,
                        [](unsigned index) { return std::to_string(index); }),
        ", ");
    if (stored.empty())
      return fail("@" + function.getName() +
                  " writes no argument: say which "
                  "one " +
                  option + " is about, as in " + option + "=0=" + output.path);
    return fail("@" + function.getName() + " writes the arguments " + numbers +
                ": say which one " + option + " is about, as in " + option +
                "=" + Twine(stored.front()) + "=" + output.path);
  }
  if (number.getAsInteger(10, output.index) ||
      output.index >= function.getNumArguments())
    return fail(option + ": expected an argument from 0 to " +
                Twine(static_cast<int64_t>(function.getNumArguments()) - 1) +
                ", but got " + number);
  if (!isa<MemRefType>(function.getArgument(output.index).getType())) {
    std::string type;
    llvm::raw_string_ostream(type)
        << function.getArgument(output.index).getType();
    return fail(option + ": expected a memref, but argument #" + number +
                " is of type " + type);
  }
  return success();
}

static LogicalResult readExpected(Output &output, const Argument &argument) {
  llvm::Expected<NpyArray> array = readNpy(output.path);
  if (!array)
    return fail(array.takeError());
  const Element &element = argument.getElement();
  if (!element.accepts(array->dtype))
    return fail("cannot compare argument #" + Twine(output.index) +
                ": expected " + element.getExpectedDtype() + ", but '" +
                output.path + "' holds " + array->dtype.getName());
  if (ArrayRef(array->shape) != argument.getShape())
    return fail("cannot compare argument #" + Twine(output.index) +
                ": expected shape " + formatNpyShape(argument.getShape()) +
                ", but '" + output.path + "' has shape " +
                formatNpyShape(array->shape));
  output.expected = std::move(*array);
  return success();
}

/// The file that a path means, with all links and dots resolved.
static std::string resolve(StringRef path) {
  llvm::SmallString<128> file, folder;
  if (!llvm::sys::fs::real_path(path, file))
    return file.str().str();
  StringRef parent = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::real_path(parent.empty() ? "." : parent, folder))
    return path.str();
  llvm::sys::path::append(folder, llvm::sys::path::filename(path));
  return folder.str().str();
}

LogicalResult run::checkOutputs(MutableArrayRef<Output> saves,
                                MutableArrayRef<Output> compares,
                                ArrayRef<Argument> arguments) {
  for (Output &output : compares)
    if (failed(readExpected(output, arguments[output.index])))
      return failure();
  for (auto [i, output] : llvm::enumerate(saves)) {
    if (llvm::Error error = checkOutputFile(output.path))
      return fail(std::move(error));
    for (Output &other : saves.take_front(i))
      if (resolve(other.path) == resolve(output.path))
        return fail("arguments #" + Twine(other.index) + " and #" +
                    Twine(output.index) + " are both saved as '" + output.path +
                    "'");
  }
  return success();
}

LogicalResult run::save(ArrayRef<Output> saves, ArrayRef<Argument> arguments) {
  // All the bytes first: the files are written together, or none is.
  std::vector<std::string> headers;
  std::vector<std::vector<char>> data;
  for (const Output &output : saves) {
    const Argument &argument = arguments[output.index];
    headers.push_back(makeNpyHeader(argument.getDtype(), argument.getShape()));
    data.push_back(argument.gather());
  }
  std::vector<OutputFile> files;
  for (auto [output, header, bytes] : llvm::zip_equal(saves, headers, data))
    files.push_back(
        {output.path.str(), {header, StringRef(bytes.data(), bytes.size())}});
  if (llvm::Error error = writeOutputFiles(files))
    return fail(std::move(error));
  return success();
}

LogicalResult run::compare(const Output &output, const Argument &argument,
                           Tolerance tolerance) {
  const Element &element = argument.getElement();
  bool isUnsigned = output.expected->dtype.kind == 'u';
  Comparison comparison =
      compareArrays(element, argument.getShape(), argument.gather().data(),
                    output.expected->data.data(), tolerance, isUnsigned);
  if (comparison.mismatches)
    return fail("argument #" + Twine(output.index) + " differs from '" +
                output.path + "' in " +
                describeMismatch(comparison, element, isUnsigned));
  llvm::outs() << "equal: argument #" << output.index << " and '" << output.path
               << "', " << comparison.elements << " elements (max abs error "
               << llvm::format("%g", comparison.maxAbsolute)
               << ", max rel error "
               << llvm::format("%g", comparison.maxRelative) << ")\n";
  return success();
}
