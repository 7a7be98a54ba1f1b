"""Writes files that uop-run refuses, and two that it takes, into a folder."""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
good = np.arange(6, dtype=np.float32).reshape(2, 3)


def save(name, array):
    np.save(folder / f"{name}.npy", array, allow_pickle=True)


def write(name, header, data=good.tobytes(), version=1):
    """Writes a file with a header of our own."""
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    text = b"\x93NUMPY" + bytes([version, 0]) + length + header.encode()
    (folder / name).write_bytes(text + data)


save("fortran", np.asfortranarray(good))
save("big-endian", good.astype(">f4"))
save("object", np.array([[1, None]]))
save("text", np.array(["digit"]))
save("structured", np.zeros(2, [("x", "f4"), ("y", "i4")]))
save("complex", good.astype(np.complex64))
save("shape", good.reshape(3, 2))
save("rank", good.ravel())
np.savez(folder / "archive.npz", a=good)

save("whole", good)
whole = (folder / "whole.npy").read_bytes()
(folder / "truncated.npy").write_bytes(whole[:-1])
(folder / "longer.npy").write_bytes(whole + b"\0")
(folder / "header.npy").write_bytes(whole[:40])
(folder / "magic.npy").write_bytes(whole[:7])
(folder / "plain.npy").write_text("1 2 3\n")
(folder / "zero.npy").write_bytes(b"")

shape = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n"
write("malformed.npy", shape % "(2, x)")
write("version.npy", shape % "(2, 3)", version=4)
write("huge.npy", shape % "(4000000000, 4000000000)")
write("version2.npy", shape % "(2, 3)", version=2)
write("version3.npy", shape % "(2, 3)", version=3)
