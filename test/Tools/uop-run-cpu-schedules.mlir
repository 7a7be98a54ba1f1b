// Schedules for a CPU and sizes that break them, against NumPy: more threads than
// points, sizes of 0 and 1, primes, sizes and strides that only the run knows.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: %python %t/check.py %t | FileCheck %s
// CHECK: 77 runs

//--- gemm.mlir
uop.kernel @gemm(%A: memref<?x?xi32>, %B: memref<?x?xi32>, %C: memref<?x?xi32>)
    attributes {schedule = #uop.schedule<[SCHEDULE], upcast_layout = cpu>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = memref.dim %C, %c0 : memref<?x?xi32>
  %N = memref.dim %C, %c1 : memref<?x?xi32>
  %K = memref.dim %A, %c1 : memref<?x?xi32>
  %m = uop.range loop %M
  %n = uop.range loop %N
  %k = uop.range reduce %K
  %a = uop.load %A[%m, %k] : memref<?x?xi32>
  %b = uop.load %B[%k, %n] : memref<?x?xi32>
  %p = arith.muli %a, %b : i32
  %c = uop.reduce add %p over(%k) : i32
  uop.store %c, %C[%m, %n] : memref<?x?xi32>
}
// The same of static sizes.
//--- static.mlir
uop.kernel @gemm(%A: memref<MxKxi32>, %B: memref<KxNxi32>, %C: memref<MxNxi32>)
    attributes {schedule = #uop.schedule<[SCHEDULE], upcast_layout = cpu>} {
  %m = uop.range loop M
  %n = uop.range loop N
  %k = uop.range reduce K
  %a = uop.load %A[%m, %k] : memref<MxKxi32>
  %b = uop.load %B[%k, %n] : memref<KxNxi32>
  %p = arith.muli %a, %b : i32
  %c = uop.reduce add %p over(%k) : i32
  uop.store %c, %C[%m, %n] : memref<MxNxi32>
}

//--- check.py
import re, subprocess, sys
import numpy as np

folder = sys.argv[1]
schedules = [None, "", "THREAD 0:64", "THREAD 0:3, THREAD 1:2",
             "TILE 0:8, TILE 1:4, UPCAST 1:4, UPCAST 0:2, UNROLL 0:4",
             "THREAD 0:5, UPCAST 0:3, PADTO 1:16, UPCAST 1:16, PADTO 2:8",
             "SWAP 0:1, THREAD 1:4, TILE 0:6, UPCAST 0:8"]
sizes = [(0, 5, 3), (4, 0, 3), (4, 5, 0), (1, 1, 1), (2, 3, 1), (13, 17, 11),
         (31, 37, 7)]
runs = 0
random = np.random.default_rng(1)
for m, n, k in sizes:
    a = random.integers(-9, 9, (m, k), dtype=np.int32)
    b = random.integers(-9, 9, (k, n), dtype=np.int32)
    np.save(f"{folder}/a.npy", a)
    np.save(f"{folder}/b.npy", b)
    np.save(f"{folder}/c.npy", a @ b)
    for schedule in schedules:
        for source in ("gemm", "static") if m * n * k else ("gemm",):
            text = open(f"{folder}/{source}.mlir").read()
            for name, size in zip("MNK", (m, n, k)):
                if source == "static":
                    text = re.sub(rf"(?<=[<x ]){name}(?=[x\n])", str(size), text)
            if schedule is None:
                text = re.sub(r"\n *attributes.*>}", "", text)
            else:
                text = text.replace("SCHEDULE", schedule)
            with open(f"{folder}/run.mlir", "w") as file:
                file.write(text)
            subprocess.run(["uop-run", "--device=cpu", f"{folder}/run.mlir",
                            f"{folder}/a.npy", f"{folder}/b.npy",
                            f"nan:{m}x{n}" if source == "gemm" else "nan",
                            "--compare", f"2={folder}/c.npy"], check=True,
                           stdout=subprocess.DEVNULL)
            runs += 1
print(runs, "runs")
