#!/usr/bin/env python3
"""Makes assets/ground.png and assets/ornament.png, the same bytes every time. Needs numpy and Pillow."""
import pathlib

import numpy as np
from PIL import Image

ASSETS = pathlib.Path(__file__).resolve().parent.parent / "assets"


def noise(random, size, wavelengths):
    """Smooth noise that tiles, zero mean, unit deviation: a random spectrum, one octave a wavelength (pixels)."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(size), np.fft.fftfreq(size)))
    spectrum = sum(w * np.exp(-((frequency * w - 1.0) ** 2) * 4.0) for w in wavelengths)
    field = np.fft.ifft2(np.fft.fft2(random.standard_normal((size, size))) * spectrum).real
    return (field - field.mean()) / field.std()


def edge(distance, width=1.5):
    """0 inside, 1 outside of a shape, given the signed distance to its border in pixels."""
    return np.clip(distance / width + 0.5, 0.0, 1.0)


def mix(a, b, t):
    return a + (b - a) * t[..., None]


def ground(size=512, tiles=4):
    """Stone tiles with bevelled corners, small inlays between them and a fine ring on each."""
    random = np.random.default_rng(20071)
    y, x = np.mgrid[0:size, 0:size] + 0.5
    pitch = size / tiles
    column, row = (x // pitch).astype(int), (y // pitch).astype(int)
    u, v = x % pitch - pitch / 2, y % pitch - pitch / 2
    inlay = pitch / 2 - np.abs(u) + pitch / 2 - np.abs(v) - pitch * 0.17
    joint = np.minimum(np.minimum(pitch / 2 - np.abs(u), pitch / 2 - np.abs(v)), np.abs(inlay) / np.sqrt(2))
    ring = np.abs(np.hypot(u, v) - pitch * 0.30)
    star = np.hypot(u, v) - pitch * (0.15 + 0.04 * np.cos(8 * np.arctan2(v, u)))

    pale = np.array([0.66, 0.56, 0.44])
    dark = np.array([0.27, 0.21, 0.20])
    tint = random.uniform(-0.05, 0.05, (tiles, tiles))[row, column]
    checker = (column + row) % 2
    colour = mix(np.broadcast_to(pale, (size, size, 3)), dark, checker.astype(float)) + tint[..., None]
    other = mix(np.broadcast_to(dark, (size, size, 3)), pale, checker.astype(float))
    drawn = np.maximum(1.0 - edge(ring - 1.6), 1.0 - edge(star)) * 0.75
    colour = mix(colour, other, drawn)
    colour = mix(colour, np.array([0.42, 0.13, 0.08]), 1.0 - edge(inlay))
    colour *= (1.0 + 0.07 * noise(random, size, [4, 8, 16, 64, 128]))[..., None]
    return mix(colour, np.array([0.12, 0.105, 0.10]), 1.0 - edge(joint - 1.4))


def ornament(size=256):
    """Coverage of the painted pattern on the glaze: leaves, dots and lines; continues over its borders."""
    y, x = (np.mgrid[0:size, 0:size] + 0.5) / size
    leaf = np.zeros((size, size))
    for repeat in range(4):
        for side in (-1, 1):
            u = (x * 4 - repeat) % 4.0 - 0.5 - side * 0.22
            v = (y - 0.55) * 4
            a = np.deg2rad(35 * side)
            p, q = u * np.cos(a) + v * np.sin(a), -u * np.sin(a) + v * np.cos(a)
            leaf = np.maximum(leaf, 1 - edge((np.hypot(p / 0.2, q / 0.62) - 1) * 0.2 * size / 4))
        dot = np.hypot((x * 4) % 1.0 - 0.5, (y - 0.80) * 4) - 0.13
        leaf = np.maximum(leaf, 1 - edge(dot * size / 4))
        pearl = np.hypot((x * 16) % 1.0 - 0.5, (y - 0.93) * 16) - 0.3
        leaf = np.maximum(leaf, 1 - edge(pearl * size / 16))
    lines = np.minimum(np.minimum(np.abs(y - 0.30), np.abs(y - 0.27)), np.abs(y - 0.88)) * size
    wave = np.abs(y - 0.16 - 0.05 * np.sin(2 * np.pi * 4 * x)) * size / 1.6
    return np.maximum.reduce([leaf, 1 - edge(lines - 1.2), 1 - edge(wave - 1.5)])


def save(name, pixels, colours):
    image = Image.fromarray((np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8))
    if colours:
        image = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    path = ASSETS / name
    image.save(path, optimize=True)
    print(f"{path.name}: {image.width}x{image.height}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    save("ground.png", ground(), 96)
    save("ornament.png", ornament(), 0)
