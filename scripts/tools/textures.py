"""Writes ground.png, ornament.png and shadows.png to assets/.

Needs numpy and Pillow. The bytes depend only on their versions.
"""

import re

import numpy as np
from PIL import Image, ImageDraw

from tools.program import ROOT

ASSETS = ROOT / "assets"


def constant(file, name):
    """Return the numbers after `name = ` in a source file."""
    text = re.search(name + r"\s*=\s*(?:vec\d\()?([^;)]*)", (ROOT / file).read_text()).group(1)
    return np.array([float(number.rstrip("f")) for number in text.split(",")])


def noise(random, size, wavelengths):
    """Return tileable noise of zero mean and unit deviation, with one octave for each wavelength in pixels."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(size), np.fft.fftfreq(size)))
    spectrum = sum(w * np.exp(-((frequency * w - 1.0) ** 2) * 4.0) for w in wavelengths)
    field = np.fft.ifft2(np.fft.fft2(random.standard_normal((size, size))) * spectrum).real
    return (field - field.mean()) / field.std()


def edge(distance, width=1.5):
    """Return 0 inside and 1 outside a shape, from the signed distance to its border in pixels."""
    return np.clip(distance / width + 0.5, 0.0, 1.0)


def mix(a, b, t):
    return a + (b - a) * t[..., None]


def ground(size=512, tiles=4):
    """Return stone tiles with bevelled corners, small inlays between tiles and a fine ring on each tile."""
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
    """Return the coverage of the pattern on the glaze: leaves, dots and lines. Tileable."""
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


def teapot_triangles(segments=6):
    """Return the corners of the teapot's triangles, n x 3 x 3, in metres, y up."""
    lines = (ASSETS / "teapot.bpt").read_text().split("\n")
    patches = np.array(
        [
            [[float(x) for x in line.split()] for line in lines[17 * k + 2 : 17 * k + 18]]
            for k in range(int(lines[0]))
        ]
    ).reshape(-1, 4, 4, 3)
    t = np.linspace(0, 1, segments + 1)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3])
    grid = np.einsum("ia,jb,pabc->pijc", weights, weights, patches)
    grid = grid[..., [0, 2, 1]] * [1, 1, -1] * constant("app/scene/teapots/layout.h", "kTeapotUnitM")
    a, b, c, d = grid[:, :-1, :-1], grid[:, :-1, 1:], grid[:, 1:, :-1], grid[:, 1:, 1:]
    return np.concatenate([np.stack(t, -2).reshape(-1, 3, 3) for t in ((a, b, c), (c, b, d))])


def shadow(points, directions, size, oversampling=2):
    """Return the fraction of `directions` (towards the light) from which light reaches each pixel of the ground.

    `size` is the width and height in pixels. The ground is the plane of the x and z of `points`, in pixels.
    """
    width, height = size
    total = np.zeros((height, width))
    for direction in directions:
        on_ground = (points - points[..., 1:2] * (direction / direction[1]))[..., [0, 2]] * oversampling
        mask = Image.new("L", (width * oversampling, height * oversampling), 0)
        draw = ImageDraw.Draw(mask)
        for triangle in on_ground.reshape(-1, 6):
            draw.polygon(triangle.tolist(), fill=1)
        total += np.asarray(mask).reshape(height, oversampling, width, oversampling).mean((1, 3))
    return 1.0 - total / len(directions)


def disc(count):
    """Return points spread evenly over the unit disc: Vogel's spiral."""
    k = np.arange(count)
    angle = k * np.pi * (3 - np.sqrt(5))
    return np.sqrt((k + 0.5) / count)[:, None] * np.stack([np.cos(angle), np.sin(angle)], -1)


def shadows(size=(126, 80), turns=16, key_radius=0.10):
    """Return the visible fractions of the key light and of the sky on the ground around a teapot.

    The key light is a disc of `key_radius` radians. The result has one image for each turn of the teapot, one below
    the other. The direction of the light points right.
    """
    triangles = teapot_triangles()
    key = constant("shaders/scene/lighting.glsl", "kKeyDirection")
    key /= np.linalg.norm(key)
    along = -key * [1, 0, 1] / np.hypot(key[0], key[2])
    across = np.array([-along[2], 0, along[0]])
    keys = [key + key_radius * (p * np.cross(across, key) + q * across) for p, q in disc(24)]
    sky = [np.array([p, np.sqrt(1 - p * p - q * q), q]) for p, q in disc(48)]
    least, length = constant("shaders/scene/teapots/shadow.vert", "kShadowAlong")
    half = constant("shaders/scene/teapots/shadow.vert", "kShadowAcross")[0]
    # From metres to pixels of the rectangle, for points and directions. Heights use the scale along the light.
    frame = np.stack(
        [along * size[0] / length, np.array([0, size[0] / length, 0]), across * size[1] / (2 * half)], -1
    )
    origin = np.array([-least * size[0] / length, 0, size[1] / 2])
    slices = []
    for turn in range(turns):
        angle = 2 * np.pi * turn / turns
        c, s = np.cos(angle), np.sin(angle)
        points = triangles @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) @ frame + origin
        slices.append(
            np.stack([shadow(points, [d @ frame for d in light], size) for light in (keys, sky)], -1)
        )
    edges = [np.minimum(np.arange(n), np.arange(n)[::-1]) / 8.0 for n in size]
    fade = np.clip(np.minimum.reduce(np.meshgrid(*edges)), 0, 1)[..., None]
    return np.concatenate([1 - (1 - image) * fade for image in slices])


def save(name, pixels, colours):
    image = Image.fromarray(
        (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8), "LA" if pixels.shape[2:] == (2,) else None
    )
    if colours:
        image = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    path = ASSETS / name
    image.save(path, optimize=True)
    print(f"{path.name}: {image.width}x{image.height}, {path.stat().st_size} bytes")


def main():
    save("ground.png", ground(), 96)
    save("ornament.png", ornament(), 0)
    save("shadows.png", shadows(), 0)
