"""Portable float maps."""

import pathlib


def read_pfm(path):
    """Returns a NumPy array, height x width (x 3), top row first."""
    import numpy  # not at the top: scripts that only write report a missing NumPy themselves

    kind, size, scale, values = pathlib.Path(path).read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    assert float(scale) == -1
    return numpy.frombuffer(values, "<f4").reshape(height, width, *{b"PF": [3], b"Pf": []}[kind])[::-1]


def write_pfm(path, values):
    """Writes a NumPy array, height x width, top row first."""
    height, width = values.shape
    header = b"Pf\n%d %d\n-1.0\n" % (width, height)
    pathlib.Path(path).write_bytes(header + values[::-1].astype("<f4").tobytes())
