//===- AsyncThreads.cpp - The threads of the async runtime ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime has a pool of threads and no way to wait for them. Each is given
// a task that ends when all of them have one: by then each has returned from
// what it did before.
//
//===----------------------------------------------------------------------===//

#include "AsyncThreads.h"
#include "llvm/Support/DynamicLibrary.h"
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace {

/// A place where threads wait until `missing` of them have come.
class Meeting {
public:
  explicit Meeting(int64_t missing) : missing(missing) {}

  void attend() {
    std::unique_lock<std::mutex> lock(mutex);
    if (--missing == 0)
      complete.notify_all();
    complete.wait(lock, [&] { return missing == 0; });
  }

private:
  std::mutex mutex;
  std::condition_variable complete;
  int64_t missing;
};

} // namespace

// A task of the runtime; the argument owns its share of the meeting.
static void attendMeeting(void *argument) {
  std::unique_ptr<std::shared_ptr<Meeting>> meeting(
      static_cast<std::shared_ptr<Meeting> *>(argument));
  (*meeting)->attend();
}

template <typename Function> static Function *findFunction(const char *name) {
  return reinterpret_cast<Function *>(
      llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name));
}

void uop::waitForAsyncThreads() {
  // Declared in mlir/ExecutionEngine/AsyncRuntime.h; the library is loaded with
  // the code that needs it.
  auto *execute =
      findFunction<void(void *, void (*)(void *))>("mlirAsyncRuntimeExecute");
  auto *getNumThreads =
      findFunction<int64_t()>("mlirAsyncRuntimGetNumWorkerThreads");
  if (!execute || !getNumThreads)
    return;
  int64_t threads = getNumThreads();
  auto meeting = std::make_shared<Meeting>(threads + 1);
  for (int64_t i = 0; i < threads; ++i)
    execute(new std::shared_ptr<Meeting>(meeting), &attendMeeting);
  meeting->attend();
}
