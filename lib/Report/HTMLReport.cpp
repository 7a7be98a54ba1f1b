//===- HTMLReport.cpp - A report as a page --------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/PrintReport.h"

using namespace uop;
using namespace uop::report;

static void printEscaped(llvm::raw_ostream &os, llvm::StringRef text) {
  for (char c : text) {
    if (c == '<')
      os << "&lt;";
    else if (c == '&')
      os << "&amp;";
    else
      os << c;
  }
}

void report::printHTML(llvm::raw_ostream &os,
                       llvm::ArrayRef<KernelReport> reports) {
  std::string text;
  llvm::raw_string_ostream textStream(text);
  printText(textStream, reports);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>Kernels</title></head><body><pre>\n";
  printEscaped(os, text);
  os << "</pre></body></html>\n";
}
