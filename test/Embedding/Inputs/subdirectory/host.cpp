#include "Uop/IR/Uop.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<uop::UopDialect>();
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
