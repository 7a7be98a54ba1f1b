"""pipeline.py WORK: kernels in loop form that fill tiles, and their results.

Matrix products of 32x32 tiles with any length of K, 2 to 4 tiles of shared
memory, and loops of 0, 1, 2, 3 or 5 steps of 8 along K, known or not.
The copies are scalar, of 16 bytes, masked, in a loop, or of converted elements.
Writes WORK/pipeline.mlir and WORK/NAME.{a,b,c}.npy, and prints the names.
"""

import sys

import numpy as np

work = sys.argv[1]
HEAD = """
uop.kernel loops @{name}(%A: {A} {{llvm.align = 16 : i64}}, %B: {B} {{llvm.align = 16 : i64}}, %C: memref<32x32xf32>) {{
  %ty = uop.range local<y> 8
  %tx = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %K = memref.dim %A, %c1 : {A}
  %zero = arith.constant 0.0 : {element}
  %none = arith.constant 0.0 : f32
  %sA = uop.alloc {{alignment = 16 : i64, buffers = {buffers} : i64}} : memref<32x8x{tile}, #gpu.address_space<workgroup>>
  %sB = uop.alloc {{alignment = 16 : i64, buffers = {buffers} : i64}} : memref<8x32x{tile}, #gpu.address_space<workgroup>>
  %ty4 = arith.muli %ty, %c4 : index
  %tx4 = arith.muli %tx, %c4 : index
  %tid8 = arith.muli %ty, %c8 : index
  %tid = arith.addi %tid8, %tx : index
  %arow = arith.floordivsi %tid, %c2 : index
  %ahalf = uop.floormod %tid, %c2
  %acol = arith.muli %ahalf, %c4 : index
  %res:16 = scf.for %k0 = %c0 to %K step %c8 iter_args(%s0 = %none, %s1 = %none, %s2 = %none, %s3 = %none, %s4 = %none, %s5 = %none, %s6 = %none, %s7 = %none, %s8 = %none, %s9 = %none, %s10 = %none, %s11 = %none, %s12 = %none, %s13 = %none, %s14 = %none, %s15 = %none) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {{
    %ak = arith.addi %k0, %acol : index
    %bk = arith.addi %k0, %ty : index
"""
TAIL = """
    uop.barrier
    %n:16 = scf.for %k = %c0 to %c8 step %c1 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3, %t4 = %s4, %t5 = %s5, %t6 = %s6, %t7 = %s7, %t8 = %s8, %t9 = %s9, %t10 = %s10, %t11 = %s11, %t12 = %s12, %t13 = %s13, %t14 = %s14, %t15 = %s15) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {{
{body}
      scf.yield %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10, %u11, %u12, %u13, %u14, %u15 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
    }}
    uop.barrier
    scf.yield %n#0, %n#1, %n#2, %n#3, %n#4, %n#5, %n#6, %n#7, %n#8, %n#9, %n#10, %n#11, %n#12, %n#13, %n#14, %n#15 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  }}
{stores}
}}
"""
WIDE = """
    %a = vector.load %A[%arow, %ak] {{alignment = 16 : i64}} : {A}, vector<4x{element}>
    %b = vector.load %B[%bk, %tx4] {{alignment = 16 : i64}} : {B}, vector<4x{element}>
    vector.store %a, %sA[%arow, %acol] {{alignment = 16 : i64}} : memref<32x8x{tile}, #gpu.address_space<workgroup>>, vector<4x{tile}>
    vector.store %b, %sB[%ty, %tx4] {{alignment = 16 : i64}} : memref<8x32x{tile}, #gpu.address_space<workgroup>>, vector<4x{tile}>
"""
LOOP = """
    scf.for %e = %c0 to %c4 step %c1 {{
      %ae = arith.addi %ak, %e : index
      %sae = arith.addi %acol, %e : index
      %be = arith.addi %tx4, %e : index
      %a = memref.load %A[%arow, %ae] : {A}
      %b = memref.load %B[%bk, %be] : {B}
      memref.store %a, %sA[%arow, %sae] : memref<32x8x{tile}, #gpu.address_space<workgroup>>
      memref.store %b, %sB[%ty, %be] : memref<8x32x{tile}, #gpu.address_space<workgroup>>
    }}
"""
MASKED = """
    scf.for %e = %c0 to %c4 step %c1 {{
      %ae = arith.addi %ak, %e : index
      %sae = arith.addi %acol, %e : index
      %be = arith.addi %tx4, %e : index
      %ina = arith.cmpi slt, %ae, %K : index
      %a = scf.if %ina -> {element} {{
        %v = memref.load %A[%arow, %ae] : {A}
        scf.yield %v : {element}
      }} else {{
        scf.yield %zero : {element}
      }}
      %inb = arith.cmpi slt, %bk, %K : index
      %b = scf.if %inb -> {element} {{
        %v = memref.load %B[%bk, %be] : {B}
        scf.yield %v : {element}
      }} else {{
        scf.yield %zero : {element}
      }}
      memref.store %a, %sA[%arow, %sae] : memref<32x8x{tile}, #gpu.address_space<workgroup>>
      memref.store %b, %sB[%ty, %be] : memref<8x32x{tile}, #gpu.address_space<workgroup>>
    }}
"""
CONVERTED = """
    %a16 = vector.load %A[%arow, %ak] {{alignment = 8 : i64}} : {A}, vector<4xf16>
    %b16 = vector.load %B[%bk, %tx4] {{alignment = 8 : i64}} : {B}, vector<4xf16>
    %a = arith.extf %a16 : vector<4xf16> to vector<4xf32>
    %b = arith.extf %b16 : vector<4xf16> to vector<4xf32>
    vector.store %a, %sA[%arow, %acol] {{alignment = 16 : i64}} : memref<32x8x{tile}, #gpu.address_space<workgroup>>, vector<4x{tile}>
    vector.store %b, %sB[%ty, %tx4] {{alignment = 16 : i64}} : memref<8x32x{tile}, #gpu.address_space<workgroup>>, vector<4x{tile}>
"""


def body():
    lines = []
    for i in range(4):
        lines.append(f"      %i{i}c = arith.constant {i} : index\n      %ri{i} = arith.addi %ty4, %i{i}c : index")
        lines.append(f"      %ci{i} = arith.addi %tx4, %i{i}c : index")
        lines.append(f"      %x{i} = memref.load %sA[%ri{i}, %k] : memref<32x8xf32, #gpu.address_space<workgroup>>")
        lines.append(f"      %y{i} = memref.load %sB[%k, %ci{i}] : memref<8x32xf32, #gpu.address_space<workgroup>>")
    for i in range(4):
        for j in range(4):
            n = 4 * i + j
            lines.append(f"      %p{n} = arith.mulf %x{i}, %y{j} : f32\n      %u{n} = arith.addf %t{n}, %p{n} : f32")
    return "\n".join(lines)


def stores():
    lines = []
    for i in range(4):
        lines.append(f"  %o{i}c = arith.constant {i} : index\n  %or{i} = arith.addi %ty4, %o{i}c : index")
        lines.append(f"  %oc{i} = arith.addi %tx4, %o{i}c : index")
    for i in range(4):
        for j in range(4):
            lines.append(f"  memref.store %res#{4 * i + j}, %C[%or{i}, %oc{j}] : memref<32x32xf32>")
    return "\n".join(lines)


random = np.random.default_rng(7)
with open(f"{work}/pipeline.mlir", "w") as file:
    for kind, fill, dtype in (("wide", WIDE, "f4"), ("loop", LOOP, "f4"), ("masked", MASKED, "f4"),
                              ("converted", CONVERTED, "f2")):
        for buffers, lengths in ((2, (0, 8, 16, 24, 40)), (3, (16, 40)), (4, (24,))):
            for k in lengths:
                dynamic = k % 16 != 8 or k == 40
                k += 3 * (kind == "masked" and k > 0)
                name = f"{kind}_{buffers}_{k}"
                element = "f16" if dtype == "f2" else "f32"
                size = "?" if dynamic else k
                values = dict(name=name, buffers=buffers, element=element, tile="f32",
                              A=f"memref<32x{size}x{element}>", B=f"memref<{size}x32x{element}>")
                file.write((HEAD + fill).format(**values) + TAIL.format(body=body(), stores=stores()))
                a = random.integers(-8, 9, (32, k)).astype(dtype)
                b = random.integers(-8, 9, (k, 32)).astype(dtype)
                for key, array in (("a", a), ("b", b), ("c", a.astype("f4") @ b.astype("f4"))):
                    np.save(f"{work}/{name}.{key}.npy", array)
                print(name)
