//===- AsyncThreads.h - The threads of the async runtime --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_ASYNCTHREADS_H
#define UOP_LIB_EMULATOR_ASYNCTHREADS_H

namespace uop {

/// Waits until no thread of MLIR's async runtime is in code that it was given
/// before: after a token is available, the coroutine that made it so has yet to
/// return. Does nothing where the runtime is not loaded.
void waitForAsyncThreads();

} // namespace uop

#endif // UOP_LIB_EMULATOR_ASYNCTHREADS_H
