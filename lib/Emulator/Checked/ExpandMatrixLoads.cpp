//===- ExpandMatrixLoads.cpp - The rows that lanes give -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access that is at fault is not made, but a lane whose row is at fault must
// come to nvgpu.ldmatrix all the same. So the row becomes a load of its own,
// into memory of the thread:
//
//     if the lane gives a row
//       row = vector.load source[indices]
//     nvgpu.ldmatrix row
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace uop;

constexpr int64_t rowsOfTile = 8, bytesOfRow = 16;

static LogicalResult checkRows(nvgpu::LdMatrixOp op, StringRef modeName) {
  if (op.getSrcMemref().getType().isLastDimUnitStride())
    return success();
  return op.emitOpError("expected a memref with unit stride along its last "
                        "axis, in which a row is, in ")
         << modeName << ", but got " << op.getSrcMemref().getType();
}

void Instrumentation::expandMatrixLoad(nvgpu::LdMatrixOp op) {
  MemRefType source = op.getSrcMemref().getType();
  Type element = source.getElementType();
  int64_t count = bytesOfRow / getElementBytes(source);
  auto start = ImplicitLocOpBuilder::atBlockBegin(op.getLoc(),
                                                  &kernel.getBody().front());
  Value row =
      memref::AllocaOp::create(start, MemRefType::get({count}, element));
  findThread(start);

  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value zero = number(b, 0);
  Value lane = arith::RemUIOp::create(b, thread, number(b, subgroupSize));
  Value givesRow = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult, lane,
      number(b, rowsOfTile * static_cast<int64_t>(op.getNumTiles())));
  auto branch = scf::IfOp::create(b, givesRow, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  auto load = vector::LoadOp::create(b, VectorType::get({count}, element),
                                     op.getSrcMemref(), op.getIndices());
  load.setAlignment(bytesOfRow);
  load->setAttr(standsForAttrName,
                b.getStringAttr(op->getName().getStringRef()));
  vector::StoreOp::create(b, load, row, zero);

  b.setInsertionPoint(op);
  auto type = MemRefType::get({count}, element, MemRefLayoutAttrInterface(),
                              source.getMemorySpace());
  op.getSrcMemrefMutable().assign(
      memref::MemorySpaceCastOp::create(b, type, row));
  op.getIndicesMutable().assign(zero);
}

LogicalResult Instrumentation::expandMatrixLoads() {
  SmallVector<nvgpu::LdMatrixOp> loads;
  kernel.walk([&](nvgpu::LdMatrixOp op) { loads.push_back(op); });
  for (nvgpu::LdMatrixOp op : loads) {
    if (failed(checkRows(op, getModeName())))
      return failure();
    expandMatrixLoad(op);
  }
  return success();
}
