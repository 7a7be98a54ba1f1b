// The program of docs/Embedding.md, as it stands there.
//
// RUN: cd %S/Inputs && %capi/embedding > %t
// RUN: FileCheck %s < %t
// RUN: mkdir -p %t.empty && cd %t.empty && %capi/embedding > %t
// RUN: FileCheck %s --check-prefix=ERROR < %t
//
// CHECK: {{^}}2 4 6{{$}}
// CHECK: .entry twice(
// ERROR: 0 0 0
// ERROR: cannot read 'twice.mlir': No such file or directory

#include "Uop-c/Uop.h"
#include <stdio.h>

int main(void) {
  float x[3] = {1, 2, 3}, y[3] = {0, 0, 0};
  int64_t three = 3;
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_F32, x, 1, &three),
                             uopMakeArray(UOP_TYPE_F32, y, 1, &three)};
  UopError *error = NULL;
  UopContext *context = uopContextCreate();
  UopModule *module = uopModuleParseFile(context, "twice.mlir", &error);
  UopExecutable *twice = uopExecutableCreate(module, "twice", NULL, &error);
  uopExecutableRun(twice, arguments, 2, NULL, &error);
  UopDeviceCode *code = uopModuleCompile(module, NULL, &error);
  printf("%g %g %g\n%s\n", y[0], y[1], y[2],
         error ? uopErrorGetMessage(error) : uopDeviceCodeGetCode(code, NULL));
  uopErrorDestroy(error);
  uopDeviceCodeDestroy(code);
  uopExecutableDestroy(twice);
  uopModuleDestroy(module);
  uopContextDestroy(context);
}
