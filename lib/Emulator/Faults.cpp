//===- Faults.cpp - Faults that end a call of emulated code ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Uop/Emulator/Jit.h"
#include "llvm/Support/DynamicLibrary.h"

#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

using namespace uop;

namespace {

/// A call of emulated code that this thread is in.
struct Call {
  std::jmp_buf start;
  std::string message;
  Call *outer;
};

thread_local Call *currentCall = nullptr;

/// Whether a thread has begun to end the process.
std::atomic<bool> isEnding = false;

/// Whether this thread runs a part of a parallel region: asks the runtime that
/// the code uses, for a process may have several.
bool isInTeam() {
  void *fork =
      llvm::sys::DynamicLibrary::SearchForAddressOfSymbol("__kmpc_fork_call");
  Dl_info info;
  if (!fork || !dladdr(fork, &info))
    return false;
  void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return true;
  auto getLevel = reinterpret_cast<int (*)()>(dlsym(library, "omp_get_level"));
  bool isInTeam = !getLevel || getLevel() != 0;
  dlclose(library);
  return isInTeam;
}

bool canLeave() { return currentCall && !isInTeam(); }

[[noreturn]] void leave() { std::longjmp(currentCall->start, 1); }

//===----------------------------------------------------------------------===//
// Replacements
//===----------------------------------------------------------------------===//

int printMessage(int file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size;
  if (file == STDERR_FILENO && canLeave()) {
    va_list again;
    va_copy(again, arguments);
    size = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    std::string text(size < 0 ? 0 : size, '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    currentCall->message += text;
  } else {
    if (file == STDERR_FILENO)
      isEnding = true;
    size = vdprintf(file, format, arguments);
  }
  va_end(arguments);
  return size;
}

/// Where a thread waits that is not the first one to report a fault. The code
/// takes faults of earlier calls for such, too.
int waitForEnd() {
  if (canLeave() || !isEnding.exchange(true))
    return 0;
  return pause();
}

void end(int status) {
  if (canLeave())
    leave();
  _exit(status);
}

} // namespace

void uop::forEachFaultFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> visit) {
  visit("dprintf", reinterpret_cast<void *>(&printMessage));
  visit("pause", reinterpret_cast<void *>(&waitForEnd));
  visit("_exit", reinterpret_cast<void *>(&end));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether the code has returned. A frame of its own, without variables that
/// the jump might leave undefined.
[[gnu::noinline]] static bool enter(void (*function)(void **), void **arguments,
                                    Call &call) {
  if (setjmp(call.start))
    return false;
  function(arguments);
  return true;
}

llvm::Error uop::callCatchingFaults(void (*function)(void **),
                                    void **arguments) {
  Call call;
  call.outer = currentCall;
  currentCall = &call;
  bool hasReturned = enter(function, arguments, call);
  currentCall = call.outer;
  if (hasReturned) {
    // Not of a fault: the program's own words.
    std::fputs(call.message.c_str(), stderr);
    return llvm::Error::success();
  }
  llvm::StringRef message(call.message);
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 message.rtrim());
}

void uop::leaveEmulatedCode() {
  if (canLeave())
    leave();
}
