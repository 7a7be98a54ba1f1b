//===- Progress.cpp - How far a long run is -------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "llvm/Support/Format.h"

using namespace uop::run;

Progress::Progress(llvm::raw_ostream &os, llvm::StringRef what,
                   Milliseconds delay)
    : os(os), what(what) {
  if (delay.count() == 0)
    draw();
  thread = std::thread([this, delay]() {
    std::unique_lock<std::mutex> lock(mutex);
    auto hasEnded = [this]() { return this->hasEnded; };
    if (changed.wait_for(lock, delay, hasEnded))
      return;
    do
      draw();
    while (!changed.wait_for(lock, Milliseconds(100), hasEnded));
  });
}

void Progress::draw() {
  os << "\r" << what << ": " << llvm::format("%3d", permille / 10) << " %";
  os.flush();
  shown = true;
}

void Progress::end() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    hasEnded = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
  if (!shown.exchange(false))
    return;
  // ": 100 %"
  os << "\r" << std::string(what.size() + 7, ' ') << "\r";
  os.flush();
}
