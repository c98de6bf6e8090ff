#!/usr/bin/env python3
"""Compares small images of every scene and lens with those in this folder: golden_test.py PROGRAM [--renew].

On the renderer that renderer.txt names, the PSNR must reach SAME_RENDERER_PSNR_DB, and at most FARTHER_PIXELS pixels
may have a channel that differs by more than 1 of 255. Its images depend on the maker of the processor: llvmpipe writes
the smaller levels of sRGB textures by RSQRTPS, whose relative error may be up to 1.5 / 4096. On any other renderer,
the PSNR must reach PSNR_DB. The images must show something: none is black, flat or poor in colours, and no two of one
scene look alike. --renew writes the images and renderer.txt.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
except ImportError as error:
    print(f"SKIPPED: {error}; scripts/test.sh installs what is missing")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).resolve().parent
RENDERER = FOLDER / "renderer.txt"
COMMON = ["--headless", "--no-animate", "--no-autofocus", "--time", "2", "--device", "cpu"]
COMMON += ["--size", "160x90", "--samples", "4", "--f-number", "0.3", "--focus", "3"]
IMAGES = {
    "teapots-box": ["--lens", "box"],
    "teapots-tent": ["--lens", "tent", "--device", "gl-compute"],
    "teapots-layered": ["--lens", "layered", "--layers", "2", "--blades", "6"],
    "teapots-reference": ["--lens", "reference", "--lens-samples", "16"],
    "teapots-gems": ["--lens", "gems", "--device", "gl-fragment"],
    "bodies-layered": ["--scene", "bodies", "--bodies", "500", "--solver", "cpu-loop", "--lens", "layered"],
    "image-layered": ["--scene", "image", "--lens", "layered", "--focus", "1"],
    "model-layered": ["--scene", "model", "--lens", "layered", "--frame"],
    "teapots-edges": ["--lens", "box", "--filter", "edges", "--split", "--split-view", "coc"],
}
PSNR_DB = 32.0
SAME_RENDERER_PSNR_DB = 62.0
FARTHER_PIXELS = 100


def psnr(a, b):
    """Peak signal-to-noise ratio as in app/quality/metrics.h."""
    error = numpy.mean((a / 255.0 - b / 255.0) ** 2)
    return math.inf if error == 0 else -10 * math.log10(error)


def photograph(folder):
    """The arguments for an image of coloured tiles and white dots, with a depth that grows to the right in steps."""
    y, x = numpy.mgrid[0:90, 0:160]
    tiles = (x // 8 + y // 8) % 2
    colour = numpy.stack([40 + 160 * tiles, 60 + x, 220 - 2 * y], axis=2)
    colour[(x % 16 - 8) ** 2 + (y % 16 - 8) ** 2 < 6] = 255
    Image.fromarray(colour.astype(numpy.uint8)).save(folder / "colour.png")
    Image.fromarray((1000 * (1 + x // 40)).astype(numpy.uint16)).save(folder / "depth.png")
    named = ["--image", folder / "colour.png", "--depth", folder / "depth.png"]
    return [*named, "--depth-means", "metres", "--depth-scale", "0.001"]


def draw(program, folder, name):
    """Draws an image. Returns it and the renderer's name."""
    path, stats = folder / f"{name}.png", folder / "stats.json"
    arguments = [*COMMON, *IMAGES[name], *(photograph(folder) if "image" in IMAGES[name] else [])]
    command = [program, *map(str, arguments), "--capture", str(path), "--stats", str(stats)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    machine = json.loads(stats.read_text())["machine"]
    return read(path), f"{machine['gpu']}, {machine['driver']}"


def read(path):
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB"), int)


def require_content(name, image):
    colours = len(numpy.unique(image.reshape(-1, 3), axis=0))
    assert image.shape == (90, 160, 3), (name, image.shape)
    assert image.mean() > 4 and image.std() > 12 and colours > 500, (name, image.mean(), image.std(), colours)


def require_difference(images):
    """Fails if two images of a scene look alike: they could not tell one lens from another."""
    for a in images:
        for b in images:
            if a < b and a.split("-")[0] == b.split("-")[0]:
                assert abs(images[a] - images[b]).max() > 16, (a, b)


def renew(images, renderer):
    for name, image in images.items():
        Image.fromarray(image.astype(numpy.uint8)).save(FOLDER / f"{name}.png", optimize=True)
    RENDERER.write_text(renderer + "\n")


def compare(images, renderer):
    same = renderer == RENDERER.read_text().strip()
    least, most = (SAME_RENDERER_PSNR_DB, FARTHER_PIXELS) if same else (PSNR_DB, math.inf)
    print(
        f"{renderer}: at least {least} dB, at most {most} pixels farther than 1 of 255 from the golden images"
    )
    failed = []
    for name, image in images.items():
        golden = read(FOLDER / f"{name}.png")
        differences, near = abs(image - golden).max(axis=2), psnr(image, golden)
        farther = (differences > 1).sum()
        good = near >= least and farther <= most
        print(
            f"{name}: PSNR {near:.1f} dB, {farther} pixels farther, at most {differences.max()} of 255",
            end="",
        )
        print("" if good else ": too far")
        if not good:
            failed.append(name)
    return failed


def main(program, *options):
    with tempfile.TemporaryDirectory() as folder:
        drawn = {name: draw(program, pathlib.Path(folder), name) for name in IMAGES}
    images = {name: image for name, (image, _) in drawn.items()}
    renderer = drawn["teapots-box"][1]
    for name, image in images.items():
        require_content(name, image)
    require_difference(images)
    if "--renew" in options:
        renew(images, renderer)
        return 0
    assert {path.stem for path in FOLDER.glob("*.png")} == set(IMAGES), "golden images and IMAGES differ"
    return 1 if compare(images, renderer) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
