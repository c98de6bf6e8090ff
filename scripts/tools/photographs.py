"""PSNR and crumbs of scenes exported as photographs with depth and refocused, compared with the live lens.

A crumb is a pixel beside a depth edge whose error exceeds the errors of both its neighbours in a row or a column by 16/255.
"off" is --depth-edge-radius 0: depth edges stay as they are in the files.
  scripts/quality photographs --cameras "front;model"
"""

import argparse
import pathlib
import sys
import tempfile

from tools import cameras, program, quality
from tools.images import Image, displayed_differences, psnr_db, read_image
from tools.program import ROOT
from tools.records import Row

CAMERAS = ["front", "near handle", "near body", "lamps, open", "close", "macro", "model"]
MODEL = "--scene model --focus 1.7 --f-number 1.2".split()
LENSES = {"live": None, "photograph": [], "off": ["--depth-edge-radius", "0"]}
LAYERS = {1: "one layer", 2: "two layers"}
EDGE, CRUMB = 0.07, 16 / 255


def beside_edges(depth: Image) -> set[int]:
    """The indices of pixels beside a depth edge. `depth`: distances."""
    width, height = map(int, depth.size.split("x"))
    inverse = [1 / v if v > 0 else 0.0 for v in depth.values]
    found = set()
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            at = y * width + x
            around = [inverse[at + i + j * width] for j in (-1, 0, 1) for i in (-1, 0, 1)]
            if min(around) < (1 - EDGE) * max(around):
                found.add(at)
    return found


def crumbs(image: Image, reference: Image, edges: set[int]) -> int:
    width = int(image.size.split("x")[0])
    error = [max(pixel) for pixel in displayed_differences(image, reference)]
    return sum(
        any(error[at] > max(error[at - step], error[at + step]) + CRUMB for step in (1, width))
        for at in edges
    )


def measure(options: argparse.Namespace) -> tuple[list[Row], program.Stats]:
    """A row for each camera, without lamps."""
    rows: list[Row] = []
    stats: program.Stats = {}
    sources = cameras.sources_digest()
    with tempfile.TemporaryDirectory(prefix="satdof-photographs-") as name:
        folder = pathlib.Path(name)
        image, shot = folder / "image.pfm", folder / "shot.pfm"
        for camera in options.cameras:
            shown = ["--size", options.size, "--samples", "4", *MODEL]
            lens = MODEL[-4:]
            if camera != "model":
                shown = cameras.arguments(camera, "no lamps", options)
                lens = [
                    text
                    for name in ("--focus", "--f-number")
                    for text in (name, shown[shown.index(name) + 1])
                ]
            wanted = read_image(cameras.reference_file(shown, options, folder, sources))
            program.draw(
                options.satdof,
                shot,
                *shown,
                *"--view sharp --overscan never --export".split(),
                "colour,depth",
            )
            edges = beside_edges(read_image(folder / "shot-depth.pfm"))
            files = ["--image", folder / "shot-colour.pfm", "--depth", folder / "shot-depth.pfm"]
            row: Row = {"name": camera, "pixels beside edges": len(edges)}
            for what, photograph in LENSES.items():
                drawn = shown if photograph is None else [*files, "--size", options.size, *lens, *photograph]
                for layers, key in LAYERS.items():
                    layered = ["--lens", "layered", "--layers", layers, "--overscan", "never"]
                    stats = program.draw(options.satdof, image, *drawn, *layered, *options.options)
                    got = read_image(image)
                    row[f"{what}, {key} psnrDb"] = round(psnr_db(got, wanted), 2)
                    row[f"{what}, {key} crumbs"] = crumbs(got, wanted, edges)
            rows.append(row)
            print(row, file=sys.stderr)
    return rows, stats


def report(rows: list[Row]) -> str:
    """PSNR in dB and crumbs by camera."""
    keys = [f"{what}, {layers}" for layers in LAYERS.values() for what in LENSES]
    text = "\n| camera | " + " | ".join(keys) + " |\n|---|" + "---:|" * len(keys) + "\n"
    for row in rows:
        cells = (f"{row[f'{key} psnrDb']:.2f}, {row[f'{key} crumbs']}" for key in keys)
        text += f"| {row['name']} | " + " | ".join(cells) + " |\n"
    return text


def main() -> None:
    parser = quality.parser(__doc__, "640x360")
    parser.add_argument(
        "--cameras",
        type=lambda text: text.split(";"),
        default=CAMERAS,
        help="some of " + "; ".join(cameras.CAMERAS),
    )
    parser.add_argument(
        "--cache", type=pathlib.Path, default=ROOT / "build/references", help="folder of cached references"
    )
    options = parser.parse_args()
    rows, stats = measure(options)
    quality.finish(options, stats, rows, report(rows))
