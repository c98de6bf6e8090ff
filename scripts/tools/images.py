"""Reads and compares the image files that satdof writes, with only the standard library."""

from __future__ import annotations

import array
import hashlib
import math
import pathlib
import struct
import sys
import zlib
from typing import Any, NamedTuple


class Image(NamedTuple):
    size: str  # such as 64x48
    values: array.array[Any]  # by row, in the order of the file

    def digest(self) -> str:
        """A hash of the image, prefixed with "constant" if all values are equal."""
        digest = hashlib.sha256(self.size.encode() + self.values.tobytes()).hexdigest()
        return digest if len(set(self.values)) > 1 else f"constant {digest}"


def png_chunks(data: bytes) -> dict[bytes, bytes]:
    """The contents of the chunks by type. Chunks of one type are joined."""
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        chunks[kind] = chunks.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += length + 12
    return chunks


def decode_png(data: bytes) -> Image:
    """Decodes a PNG of 8 or 16 bits without palette and interlacing."""
    chunks = png_chunks(data)
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


def encode_png(bits: int, colour: int, rows: list[list[int]], width: int) -> bytes:
    """Encodes rows of samples, top row first, as PNG. `colour`: the PNG colour type."""
    samples = b"".join(b"\0" + struct.pack(f">{len(row)}{'BH'[bits == 16]}", *row) for row in rows)
    head = struct.pack(">IIBBBBB", width, len(rows), bits, colour, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(samples)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def read_image(path: pathlib.Path) -> Image:
    """Reads the samples of a .png, the floats of a .pfm (bottom row first), or the bytes of another file."""
    data = path.read_bytes()
    if path.suffix == ".png":
        return decode_png(data)
    if path.suffix != ".pfm":
        return Image("bytes", array.array("B", data))
    kind, size, scale, rest = data.split(b"\n", 3)
    if kind not in (b"PF", b"Pf") or float(scale) >= 0:
        raise ValueError(f"cannot read {path}: not a little-endian PFM")
    values = array.array("f", rest)
    if sys.byteorder == "big":
        values.byteswap()
    return Image(size.decode().replace(" ", "x"), values)


def difference(old: Image, new: Image) -> str:
    """Describes how many values differ, bit for bit, and by how much; empty if none differs."""
    if old.size != new.size or len(old.values) != len(new.values):
        return f"{old.size} became {new.size}"
    bits = {1: "B", 2: "H", 4: "I"}[old.values.itemsize]
    old_bits, new_bits = (array.array(bits, image.values.tobytes()) for image in (old, new))
    apart = [abs(a - b) for a, b, c, d in zip(old.values, new.values, old_bits, new_bits) if c != d]
    return f"{len(apart)} of {len(old.values)} values differ, by up to {max(apart):g}" if apart else ""


def displayed(red: float, green: float, blue: float) -> list[float]:
    """Applies the tone curve and sRGB encoding of shaders/common/tone.glsl to linear light. Returns values from 0 to 1."""

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


def displayed_differences(old: Image, new: Image) -> list[list[float]]:
    """The absolute difference of each displayed channel, for each pixel of two linear colour images."""
    pairs = ((old.values[i : i + 3], new.values[i : i + 3]) for i in range(0, len(old.values), 3))
    return [
        [abs(v - w) for v, w in zip(displayed(*a), displayed(*b))] if a != b else [0.0] * 3 for a, b in pairs
    ]


def psnr_db(image: Image, reference: Image) -> float:
    """PSNR of the displayed image against the displayed reference."""
    total = sum(each**2 for pixel in displayed_differences(image, reference) for each in pixel)
    return 10 * math.log10(len(image.values) / total) if total > 0 else math.inf
