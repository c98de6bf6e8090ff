"""Reads the image files that satdof writes, with the standard library alone."""

from __future__ import annotations

import array
import hashlib
import pathlib
import struct
import sys
import zlib
from typing import Any, NamedTuple


class Image(NamedTuple):
    shape: str
    values: array.array[Any]

    def digest(self) -> str:
        """A hash; "constant" and a hash if all values are equal."""
        digest = hashlib.sha256(self.shape.encode() + self.values.tobytes()).hexdigest()
        return digest if len(set(self.values)) > 1 else f"constant {digest}"


def decode_png(data: bytes) -> Image:
    """The samples of a .png of 8 or 16 bits, without a palette and without interlacing."""
    chunks: dict[bytes, bytes] = {}
    while len(data) > 8:
        length, kind = struct.unpack_from(">I4s", data, 8)
        chunks[kind] = chunks.get(kind, b"") + data[16 : 16 + length]
        data = data[length + 12 :]
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    pixel = {0: 1, 2: 3, 6: 4}[colour] * depth // 8
    raw, stride, out = zlib.decompress(chunks[b"IDAT"]), width * pixel, bytearray(width * pixel)
    for start in range(0, len(raw), stride + 1):
        above, row = out[-stride:], bytearray(raw[start + 1 : start + 1 + stride])
        for x in range(stride):
            a, b, c = (row[x - pixel], above[x], above[x - pixel]) if x >= pixel else (0, above[x], 0)
            paeth = min((a, b, c), key=lambda value: abs(a + b - c - value))
            row[x] = row[x] + (0, a, b, (a + b) // 2, paeth)[raw[start]] & 255
        out += row
    values = array.array({8: "B", 16: "H"}[depth], bytes(out[stride:]))
    if depth == 16 and sys.byteorder == "little":
        values.byteswap()
    return Image(f"{width}x{height}", values)


def read_image(path: pathlib.Path) -> Image:
    data = path.read_bytes()
    if path.suffix == ".png":
        return decode_png(data)
    if path.suffix == ".pfm":
        header = data.split(b"\n", 3)
        return Image(f"{header[:3]}", array.array("f", header[3]))
    return Image("bytes", array.array("B", data))


def difference(old: Image, new: Image) -> str:
    """How many values differ, bit for bit, and by how much; empty if none does."""
    if old.shape != new.shape or len(old.values) != len(new.values):
        return f"{old.shape} became {new.shape}"
    bits = {1: "B", 2: "H", 4: "I"}[old.values.itemsize]
    old_bits, new_bits = (array.array(bits, image.values.tobytes()) for image in (old, new))
    apart = [abs(a - b) for a, b, c, d in zip(old.values, new.values, old_bits, new_bits) if c != d]
    return f"{len(apart)} of {len(old.values)} values differ, by up to {max(apart):g}" if apart else ""


def displayed(red: float, green: float, blue: float) -> list[float]:
    """The tone curve and sRGB encoding of shaders/common/tone.glsl, 0 to 1."""

    def curve(v: float) -> float:
        v = min(v, 1000.0)
        return min(v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14), 1.0)

    def encoded(v: float) -> float:
        v = min(v, 1.0)
        return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055

    channels = [max(v, 0.0) for v in (red, green, blue)]
    largest = min(max(*channels, 1.0), 1e6)
    if largest == 1.0:
        return [encoded(curve(v)) for v in channels]
    bright, kept = curve(largest), largest ** (-1 / 6)
    scale = kept * bright / curve(1.0)
    return [encoded(curve(v / largest) * scale + (1 - kept) * bright) for v in channels]
