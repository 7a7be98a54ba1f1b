#include "Uop/IR/Uop.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

// A pass that another copy of Uop may have registered.
struct OtherPass : mlir::PassWrapper<OtherPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OtherPass)
  llvm::StringRef getArgument() const override { return "uop-gpu-map"; }
  void runOnOperation() override {}
};

// host [PLUGIN]: prints a kernel, by the dialect that is linked statically.
int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<uop::UopDialect>();
  mlir::PassRegistration<OtherPass>();
  if (argc > 1) {
    cantFail(mlir::DialectPlugin::load(argv[1]))
        .registerDialectRegistryCallbacks(registry);
    cantFail(mlir::PassPlugin::load(argv[1])).registerPassRegistryCallbacks();
  }
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "uop.kernel @index(%y: memref<3xi64>) {"
      "  %i = uop.range loop 3"
      "  %v = arith.index_cast %i : index to i64"
      "  uop.store %v, %y[%i] : memref<3xi64>"
      "}",
      &context);
  if (!module)
    return 1;
  module->print(llvm::outs());
  return 0;
}
