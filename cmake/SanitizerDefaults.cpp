//===- SanitizerDefaults.cpp - Options of AddressSanitizer ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into each executable of a build with AddressSanitizer, so that it runs
// the same from make, from lit and by hand. ASAN_OPTIONS goes over these.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  // LLVM's bump allocator poisons what it has not handed out yet. It is inlined
  // into our code, which is instrumented, and compiled into libMLIR, which is
  // not: memory poisoned here and handed out there would be reported.
  return "allow_user_poisoning=0"
         // uop-run reports an array that does not fit in memory.
         ":allocator_may_return_null=1";
}
