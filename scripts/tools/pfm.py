"""Portable float maps."""

import os
import pathlib


def read_pfm(path):
    """Returns a NumPy array, height x width (x 3), top row first."""
    import numpy  # not at the top: scripts that only write report a missing NumPy themselves

    kind, size, scale, values = pathlib.Path(path).read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    assert float(scale) == -1
    return numpy.frombuffer(values, "<f4").reshape(height, width, *{b"PF": [3], b"Pf": []}[kind])[::-1]


def write_pfm(path, values, inputs=()):
    """Writes a NumPy array, height x width, top row first: whole or not at all. Raises ValueError for one of `inputs`."""
    height, width = values.shape
    content = b"Pf\n%d %d\n-1.0\n" % (width, height) + values[::-1].astype("<f4").tobytes()
    file = pathlib.Path(path).resolve()  # links stay
    if file.exists() and any(file.samefile(each) for each in inputs):
        raise ValueError(f"{path} is an input; choose another name")
    if file.exists() and not file.is_file():  # such as a pipe
        file.write_bytes(content)
        return
    part = file.with_name(f".satdof-{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
