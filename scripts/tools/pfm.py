"""Portable float maps."""

import pathlib


def write_pfm(path, values):
    """`values`: an array of NumPy, height x width, top row first."""
    height, width = values.shape
    header = b"Pf\n%d %d\n-1.0\n" % (width, height)
    pathlib.Path(path).write_bytes(header + values[::-1].astype("<f4").tobytes())
