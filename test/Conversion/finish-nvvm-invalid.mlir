// RUN: uop-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(gpu.module(uop-finish-nvvm))"

gpu.module @left_over {
  llvm.func @k(%a: f32) -> f32 {
    // expected-error @below {{'arith.addf' has no lowering to NVVM on types 'f32', 'f32'}}
    %r = arith.addf %a, %a : f32
    llvm.return %r : f32
  }
}

// -----

gpu.module @cast {
  llvm.func @k(%a: i64) -> i8 {
    // expected-error @below {{a value of type 'i64' has no lowering to NVVM}}
    %r = builtin.unrealized_conversion_cast %a : i64 to i8
    llvm.return %r : i8
  }
}
