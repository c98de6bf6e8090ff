#!/usr/bin/env python3
"""Draws the icon, a hexagonal bokeh disc in front of blurred lamps: icon.py FILE.png SIZE."""

import math
import struct
import sys
import zlib

# Discs from back to front: centre and radius of a square of side 1 (y down), colour, opacity.
LAMPS = [
    (0.24, 0.30, 0.13, (255, 170, 80), 0.55),
    (0.74, 0.24, 0.10, (120, 200, 255), 0.55),
    (0.78, 0.72, 0.16, (255, 120, 140), 0.50),
    (0.26, 0.76, 0.11, (170, 255, 170), 0.45),
]
APERTURE = (0.5, 0.5, 0.27, (255, 236, 200), 0.92)  # a hexagon
CORNER = 0.18  # radius of the rounded square
SAMPLES = 4  # per pixel and axis


def in_background(x, y):
    dx, dy = (max(CORNER - t, t - 1 + CORNER, 0.0) for t in (x, y))
    return math.hypot(dx, dy) <= CORNER


def in_hexagon(x, y, cx, cy, radius):
    angle = math.atan2(y - cy, x - cx) % (math.pi / 3) - math.pi / 6
    return math.hypot(x - cx, y - cy) * math.cos(angle) <= radius * math.cos(math.pi / 6)


def colour(x, y):
    """RGBA at a point, 0 to 1 and 0 to 255."""
    if not in_background(x, y):
        return (0, 0, 0, 0)
    rgb = [18 + 20 * (1 - y), 20 + 24 * (1 - y), 40 + 50 * (1 - y)]
    for cx, cy, radius, tint, opacity in LAMPS:
        if math.hypot(x - cx, y - cy) <= radius:
            rgb = [a + opacity * (b - a) for a, b in zip(rgb, tint)]
    cx, cy, radius, tint, opacity = APERTURE
    if in_hexagon(x, y, cx, cy, radius):
        rgb = [a + opacity * (b - a) for a, b in zip(rgb, tint)]
    return (*rgb, 255)


def pixel(column, row, size):
    total = [0.0] * 4
    for i in range(SAMPLES * SAMPLES):
        x = (column + (i % SAMPLES + 0.5) / SAMPLES) / size
        y = (row + (i // SAMPLES + 0.5) / SAMPLES) / size
        r, g, b, a = colour(x, y)
        total = [t + v for t, v in zip(total, (r * a, g * a, b * a, a))]
    alpha = total[3] / SAMPLES**2
    return [round(t / total[3]) if total[3] else 0 for t in total[:3]] + [round(alpha)]


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def main(path, size):
    rows = b"".join(b"\0" + bytes(v for x in range(size) for v in pixel(x, y, size)) for y in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)))
        file.write(chunk(b"IEND", b""))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
