"""PSNR of the layered lens, with one and two layers, from cameras around the scene.

Compares captures in linear light after the tone curve of images.displayed(). Caches references by everything that determines them:
size, samples, camera, lamps, and the sources that draw the scene and the reference.
  scripts/quality cameras --cameras "front;close"
"""

import argparse
import hashlib
import pathlib
import shutil
import sys
import tempfile
import time

from tools import program, quality
from tools.images import psnr_db, read_image
from tools.program import ROOT
from tools.records import Row

# yaw, pitch (degrees), distance, focus (metres), f-number, time (seconds)
CAMERAS = {
    "front": (12, 7, 1.8, 1.7, 1.2, 1),
    "near handle": (165, 4, 1.15, 0.95, 1.4, 2),
    "near body": (140, 5, 1.2, 0.8, 1.2, 6),
    "lamps, open": (40, 7, 1.8, 2.1, 0.8, 7.3),
    "close": (12, 7, 0.5, 1.7, 2.0, 0),
    "from above": (80, 60, 2.5, 2.4, 0.9, 3),
    "high": (220, 35, 2.0, 1.6, 1.4, 4),
    "side": (270, 8, 3.0, 3.2, 1.0, 5),
    "distant": (320, 3, 6.0, 4.5, 0.7, 8),
    "low": (100, 1, 1.5, 2.5, 2.0, 9),
    "left": (-60, 12, 1.6, 1.2, 1.8, 10),
    "infinity": (30, 6, 1.6, 20.0, 1.8, 11),
    "macro": (195, 15, 0.9, 0.7, 2.0, 12),
    "wide blur": (250, 20, 1.4, 1.0, 1.0, 13),
}
LAMPS = {"no lamps": "--no-lamps", "lamps": "--lamps"}
LAYERS = {1: "one layer psnrDb", 2: "two layers psnrDb"}
# PSNR in dB that two layers should reach from every camera, and how far one layer may stay below two.
TARGETS = {"no lamps": 46, "lamps": 40}
ONE_BELOW_TWO_DB = 2
SCENE_SOURCES = ("app/scene", "shaders/scene", "app/lens/reference", "shaders/lens/reference", "assets")


def arguments(camera: str, lamps: str, options: argparse.Namespace) -> list[str]:
    names = ("--yaw", "--pitch", "--distance", "--focus", "--f-number", "--time")
    pairs = [text for name, value in zip(names, CAMERAS[camera]) for text in (name, str(value))]
    return ["--size", options.size, "--samples", "4", *pairs, LAMPS[lamps]]


def sources_digest() -> str:
    digest = hashlib.sha256()
    for folder in SCENE_SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def reference_file(
    shown: list[str], options: argparse.Namespace, folder: pathlib.Path, sources: str
) -> pathlib.Path:
    """The cached reference image of the arguments `shown`; renders it first if it is missing."""
    command = [*shown, "--lens", "reference", "--lens-samples", str(options.samples)]
    key = hashlib.sha256(" ".join([*command, sources]).encode()).hexdigest()[:16]
    path = options.cache / f"{key}.pfm"
    if not path.exists():
        options.cache.mkdir(parents=True, exist_ok=True)
        drawn = folder / "reference.pfm"
        program.draw(options.satdof, drawn, *command)
        shutil.move(drawn, path)
    return path


def measure(options: argparse.Namespace) -> tuple[list[Row], program.Stats]:
    """A row for each camera with and without lamps, and the statistics of the last image."""
    rows: list[Row] = []
    stats: program.Stats = {}
    sources = sources_digest()
    with tempfile.TemporaryDirectory(prefix="satdof-cameras-") as name:
        image = pathlib.Path(name) / "image.pfm"
        for camera in options.cameras:
            for lamps in LAMPS:
                start = time.monotonic()
                shown = arguments(camera, lamps, options)
                wanted = read_image(reference_file(shown, options, image.parent, sources))
                row: Row = {"name": f"{camera}/{lamps}", "camera": camera, "lamps": lamps}
                for layers, key in LAYERS.items():
                    lens = ["--lens", "layered", "--bokeh", "--layers", layers, "--frames", options.frames]
                    stats = program.draw(options.satdof, image, *shown, *lens, *options.options)
                    row[key] = round(psnr_db(read_image(image), wanted), 2)
                rows.append(row)
                print(
                    f"{row['name']}: {row[LAYERS[1]]:.2f} and {row[LAYERS[2]]:.2f} dB "
                    f"({time.monotonic() - start:.0f} s)",
                    file=sys.stderr,
                )
    return rows, stats


def report(rows: list[Row]) -> str:
    """A table by camera with the worst values and their targets."""
    text = (
        "\n| camera | no lamps, 1 layer | 2 layers | lamps, 1 layer | 2 layers |\n|---|---:|---:|---:|---:|\n"
    )
    by_name = {row["name"]: row for row in rows}
    keys = [(lamps, key) for lamps in LAMPS for key in LAYERS.values()]
    for camera in dict.fromkeys(row["camera"] for row in rows):
        text += f"| {camera} | " + " | ".join(f"{by_name[f'{camera}/{a}'][b]:.2f}" for a, b in keys) + " |\n"
    worst = [min(row[b] for row in rows if row["lamps"] == a) for a, b in keys]
    text += "| *worst* | " + " | ".join(f"{value:.2f}" for value in worst) + " |\n\n"
    for i, (lamps, target) in enumerate(TARGETS.items()):
        short = target - worst[2 * i + 1]
        text += (
            f"Two layers, {lamps}: {target} dB "
            + ("reached" if short <= 0 else f"missed by {short:.1f} dB")
            + ". "
        )
    below = max(row[LAYERS[2]] - row[LAYERS[1]] for row in rows)
    return text + f"One layer stays within {below:.1f} dB of two (target: {ONE_BELOW_TWO_DB}).\n"


def main() -> None:
    parser = quality.parser(__doc__, "320x180")
    names = quality.names_in(CAMERAS)
    parser.add_argument("--cameras", type=names, default=list(CAMERAS), help="some of " + "; ".join(CAMERAS))
    parser.add_argument(
        "--cache", type=pathlib.Path, default=ROOT / "build/references", help="folder of cached references"
    )
    options = parser.parse_args()
    if not options.cameras:
        parser.error("no such camera: see --help for their names")
    rows, stats = measure(options)
    quality.finish(options, stats, rows, report(rows))
