// How much shared memory a block may have: 47 KiB and 48 KiB are static, more
// is dynamic, up to what the chip has. Each kernel also runs on the emulator of
// that chip, against the reference interpreter.
// REQUIRES: ptxas
// DEFINE: %{size} =
// DEFINE: %{chip} = sm_90a
// DEFINE: %{make} = sed s/SIZE/%{size}/g %S/Inputs/shared-size.mlir > %t.%{size}.mlir
// DEFINE: %{for} = uop-translate %t.%{size}.mlir --uop-to-ptx --chip=%{chip} -o %t.%{size}.ptx && %ptxas -arch=%{chip} %t.%{size}.ptx -o %t.cubin
// DEFINE: %{run} = uop-run %t.%{size}.mlir rand nan --reference --save 1=%t.npy && uop-run %t.%{size}.mlir rand nan --chip=sm_90 --compare 1=%t.npy

// REDEFINE: %{size} = 12032
// REDEFINE: %{chip} = sm_80
// RUN: %{make} && %{for}
// REDEFINE: %{chip} = sm_90a
// RUN: %{for}
// RUN: FileCheck %s --check-prefix=STATIC --input-file=%t.%{size}.ptx
// RUN: FileCheck %s --check-prefix=JSON47 --input-file=%t.%{size}.json
// RUN: %{run}
// STATIC: .shared .align 16 .b8 {{.*}}[{{48128|49152}}];
// JSON47: "dynamic_shared_bytes": 0
// JSON47: "shared_bytes": 48128

// REDEFINE: %{size} = 12288
// REDEFINE: %{chip} = sm_80
// RUN: %{make} && %{for}
// REDEFINE: %{chip} = sm_90a
// RUN: %{for}
// RUN: FileCheck %s --check-prefix=STATIC --input-file=%t.%{size}.ptx
// RUN: FileCheck %s --check-prefix=JSON48 --input-file=%t.%{size}.json
// RUN: %{run}
// JSON48: "dynamic_shared_bytes": 0
// JSON48: "shared_bytes": 49152

// REDEFINE: %{size} = 12289
// REDEFINE: %{chip} = sm_80
// RUN: %{make} && %{for}
// REDEFINE: %{chip} = sm_90a
// RUN: %{for}
// RUN: FileCheck %s --check-prefix=DYNAMIC --input-file=%t.%{size}.ptx
// RUN: FileCheck %s --check-prefix=JSON49 --input-file=%t.%{size}.json
// RUN: %{run}
// DYNAMIC-NOT: .b8 {{.*}}[1]
// DYNAMIC: .extern .shared .align 128 .b8 uop_dynamic_shared[];
// JSON49: "dynamic_shared_bytes": 49156
// JSON49: "shared_bytes": 0

// 227 KiB is all that sm_90 has; wide accesses are made of dynamic memory, too.
// REDEFINE: %{size} = 58112
// RUN: %{make} && %{for}
// RUN: FileCheck %s --check-prefix=MOST --input-file=%t.%{size}.ptx
// RUN: %{run}
// RUN: uop-opt %t.%{size}.mlir --uop-print-launch=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAUNCH
// MOST: .extern .shared .align 128 .b8 uop_dynamic_shared[];
// MOST: st.shared.v4
// LAUNCH: remark: @reverse: {{.*}}, 232448 bytes of shared memory

// sm_80 has 163 KiB, and is the chip where none is named.
// RUN: not uop-translate %t.%{size}.mlir --uop-to-ptx --chip=sm_80 -o %t.80.ptx 2>&1 | FileCheck %s --check-prefix=SM80
// RUN: not uop-opt %t.%{size}.mlir --convert-to-nvvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM80
// RUN: not uop-run %t.%{size}.mlir rand nan 2>&1 | FileCheck %s --check-prefix=SM80
// RUN: not uop-opt %t.%{size}.mlir --uop-print-launch -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM80
// SM80: {{mlir:2:1: error: .*}}expected at most 166912 bytes of shared memory a block on sm_80, but got 232448; use smaller tiles or fewer buffers

// 228 KiB is more than any chip has.
// REDEFINE: %{size} = 58368
// RUN: %{make}
// RUN: not uop-translate %t.%{size}.mlir --uop-to-ptx --chip=sm_90 -o %t.90.ptx 2>&1 | FileCheck %s --check-prefix=TOO
// RUN: not uop-opt %t.%{size}.mlir --convert-to-nvvm=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOO
// RUN: not uop-run %t.%{size}.mlir rand nan --chip=sm_90 2>&1 | FileCheck %s --check-prefix=TOO
// RUN: not uop-opt %t.%{size}.mlir --uop-print-launch=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOOLAUNCH
// TOO: mlir:2:1: error: 'uop.kernel' op allocates 233472 bytes of workgroup memory: expected at most 232448
// TOOLAUNCH: mlir:2:1: error: 'uop.kernel' op expected at most 232448 bytes of shared memory a block on sm_90, but got 233472
