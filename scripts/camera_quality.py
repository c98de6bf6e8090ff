"""PSNR of the layered lens from cameras all around the scene: scripts/quality.py --cameras.

Compares captures in linear light, both displayed by image_files.displayed(). References are kept in a cache folder, by
everything that determines them: size, samples, camera, lamps, and the sources that draw the scene and the reference.
"""

import argparse
import array
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

from bench_data import ROOT, Row, machine
from image_files import displayed

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
LAYERS = (1, 2)
# PSNR in dB that two layers have to reach from every camera, and how far one layer may stay below two.
TARGETS = {"no lamps": 46, "lamps": 40}
ONE_BELOW_TWO_DB = 2
SCENE_SOURCES = ("app/scene", "shaders/scene", "app/lens/reference", "shaders/lens/reference", "assets")


def arguments(camera: str, lamps: str, options: argparse.Namespace) -> list[str]:
    names = ("--yaw", "--pitch", "--distance", "--focus", "--f-number", "--time")
    pairs = [text for name, value in zip(names, CAMERAS[camera]) for text in (name, str(value))]
    return ["--headless", "--no-animate", "--size", options.size, "--samples", "4", *pairs, LAMPS[lamps]]


def read_pfm(path: pathlib.Path) -> array.array:
    kind, _, order, data = path.read_bytes().split(b"\n", 3)
    if kind != b"PF" or float(order) >= 0:
        raise ValueError(f"cannot read {path}: not a little-endian colour PFM")
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def psnr_db(image: array.array, reference: array.array) -> float:
    total = 0.0
    for i in range(0, len(image), 3):
        ours, theirs = displayed(*image[i : i + 3]), displayed(*reference[i : i + 3])
        total += sum((a - b) ** 2 for a, b in zip(ours, theirs))
    return 10 * math.log10(len(image) / total) if total > 0 else math.inf


def sources_digest() -> str:
    digest = hashlib.sha256()
    for folder in SCENE_SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def reference(
    camera: str, lamps: str, options: argparse.Namespace, folder: pathlib.Path, sources: str
) -> array.array:
    """The reference, from the cache if it is there."""
    command = [
        *arguments(camera, lamps, options),
        "--lens",
        "reference",
        "--lens-samples",
        str(options.samples),
    ]
    key = hashlib.sha256(" ".join([*command, sources]).encode()).hexdigest()[:16]
    path = options.cache / f"{key}.pfm"
    if not path.exists():
        options.cache.mkdir(parents=True, exist_ok=True)
        drawn = folder / "reference.pfm"
        subprocess.run(
            [options.satdof, *command, "--capture", drawn],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        path.write_bytes(drawn.read_bytes())
    return read_pfm(path)


def measure(options: argparse.Namespace) -> tuple[list[Row], Row]:
    """A row for each camera, with and without lamps; and the machine."""
    rows: list[Row] = []
    found: Row = {}
    sources = sources_digest()
    with tempfile.TemporaryDirectory(prefix="satdof-cameras-") as name:
        folder = pathlib.Path(name)
        for camera in options.cameras:
            for lamps in LAMPS:
                start = time.monotonic()
                wanted = reference(camera, lamps, options, folder, sources)
                row: Row = {"name": f"{camera}/{lamps}", "camera": camera, "lamps": lamps}
                for layers in LAYERS:
                    image, stats = folder / "image.pfm", folder / "stats.json"
                    subprocess.run(
                        [
                            options.satdof,
                            *arguments(camera, lamps, options),
                            "--lens",
                            "layered",
                            "--bokeh",
                            "--layers",
                            str(layers),
                            "--frames",
                            str(options.frames),
                            *options.options,
                            "--stats",
                            stats,
                            "--capture",
                            image,
                        ],
                        check=True,
                        stdout=subprocess.DEVNULL,
                    )
                    found = machine(json.loads(stats.read_text()))
                    key = "one layer" if layers == 1 else "two layers"
                    row[f"{key} psnrDb"] = round(psnr_db(read_pfm(image), wanted), 2)
                rows.append(row)
                print(
                    f"{row['name']}: {row['one layer psnrDb']:.2f} and {row['two layers psnrDb']:.2f} dB "
                    f"({time.monotonic() - start:.0f} s)",
                    file=sys.stderr,
                )
    return rows, found


def report(rows: list[Row]) -> str:
    """A table by camera with the worst figures, and what they should reach."""
    text = (
        "\n| camera | no lamps, 1 layer | 2 layers | lamps, 1 layer | 2 layers |\n|---|---:|---:|---:|---:|\n"
    )
    by_name = {row["name"]: row for row in rows}
    keys = [(lamps, f"{layers} psnrDb") for lamps in LAMPS for layers in ("one layer", "two layers")]
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
    below = max(row["two layers psnrDb"] - row["one layer psnrDb"] for row in rows)
    return text + f"One layer stays within {below:.1f} dB of two (target: {ONE_BELOW_TWO_DB}).\n"
