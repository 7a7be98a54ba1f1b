// RUN: uop-opt %s --uop-expand-math --verify-diagnostics

func.func @wide(%a: f80) -> f80 {
  // expected-error @below {{is not known to the emulator for 'f80': expected at most f64}}
  %0 = math.exp %a : f80
  return %0 : f80
}
