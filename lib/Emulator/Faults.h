//===- Faults.h - Faults that end a call of emulated code -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emulated code that finds a program at fault prints a message and ends the
// process (RuntimeCalls.h), which is no way to behave inside of somebody else's
// program. The functions of the C library by which it does so are replaced
// here: they keep the message, and jump back to where the code was called.
//
// The jump leaves frames of compiled code alone, which have nothing to destroy;
// memory that the program has allocated and not freed is lost. It is not
// possible out of a team of OpenMP threads, nor while other threads of the
// program run: there the process ends as before.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_FAULTS_H
#define UOP_LIB_EMULATOR_FAULTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace uop {

/// The replacements, by the names that emulated code calls.
void forEachFaultFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> visit);

/// Calls compiled code that calls the replacements. The error is what it said
/// of the fault.
llvm::Error callCatchingFaults(void (*function)(void **), void **arguments);

} // namespace uop

#endif // UOP_LIB_EMULATOR_FAULTS_H
