"""Sensitivity to the fitted constants of the layered lens: change of PSNR when each constant is smaller or larger.

Draws the cameras of `quality cameras` by OpenGL compute shaders, from a copy of the data folder in which one constant is multiplied.
Factors of 0.0001 and 1000 disable the limit that a constant sets. Constants of sprites are measured with lamps, the others without.
Constants that only one layer uses are measured with one layer, the others with two.
  scripts/quality constants --names "kFillGain;kSoft" --size 320x180 --samples 256
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import sys
import tempfile

from tools import cameras, program, quality
from tools.images import Image, psnr_db, read_image
from tools.records import Row

FACTORS = [0.8, 1.25]
LAYERED = "shaders/lens/layered"
# Fitted constants by file. Exact constants, such as tile sizes, are not listed.
CONSTANTS = {
    "shaders/lens/near_scatter.glsl": "kNearFromPx kNearRise kMinShiftedPx",
    f"{LAYERED}/background.glsl": "kFillLimit kFillRamp kMinFillRampPx kFillGain",
    f"{LAYERED}/compose.glsl": "kInsideFrom kInsideTo kKnownRays",
    f"{LAYERED}/far.glsl": "kMaxPart kMinPart kAlike kUnlike kMinShrink kFullShrink",
    f"{LAYERED}/focus.glsl": "kSharpPx",
    f"{LAYERED}/layers.glsl": "kFocusPx kFarPx kTentReach",
    f"{LAYERED}/middle.glsl": "kBehindPart kAlonePart kKnownPart kSolidFrom kSolidTo kFewFar",
    "shaders/bokeh/sprite_rule.glsl": "kOwnFromPx",
    "shaders/bokeh/sprite.glsl": "kThickness kSoft kOpenPart",
}
FILES = {name: file for file, names in CONSTANTS.items() for name in names.split()}


def multiplied(text: str, name: str, factor: float) -> str:
    """Returns the source with the constant `name` multiplied. Raises ValueError unless it is defined once."""
    text, found = re.subn(rf"(\b{name} = )([^,;]+)", rf"\1(\2) * {factor}f", text)
    if found != 1:
        raise ValueError(f"{name} is defined {found} times")
    return text


def lamps_of(name: str) -> str:
    return "lamps" if FILES[name].startswith("shaders/bokeh") else "no lamps"


@functools.cache
def wanted(path: pathlib.Path) -> Image:
    return read_image(path)


def layers_of(name: str) -> int:
    return 1 if FILES[name] in (f"{LAYERED}/background.glsl", f"{LAYERED}/far.glsl") else 2


def drawn(options: argparse.Namespace, data: pathlib.Path, camera: str, lamps: str, layers: int) -> Image:
    lens = ["--lens", "layered", "--bokeh", "--layers", layers, "--device", "gl-compute", "--frames", 1]
    with tempfile.TemporaryDirectory(prefix="satdof-constants-") as folder:
        image = pathlib.Path(folder) / "image.pfm"
        os.environ["SATDOF_DATA"] = str(data)
        program.draw(
            options.satdof, image, *cameras.arguments(camera, lamps, options), *lens, *options.options
        )
        return read_image(image)


def measured(
    options: argparse.Namespace,
    data: pathlib.Path,
    camera: str,
    lamps: str,
    layers: int,
    reference: pathlib.Path,
) -> float:
    return psnr_db(drawn(options, data, camera, lamps, layers), wanted(reference))


def reference(options: argparse.Namespace, camera: str, lamps: str, sources: str) -> pathlib.Path:
    with tempfile.TemporaryDirectory(prefix="satdof-constants-") as folder:
        shown = cameras.arguments(camera, lamps, options)
        return cameras.reference_file(shown, options, pathlib.Path(folder), sources)


def row_of(name: str, factors: list[float], found: dict[tuple[str, float, str], float]) -> Row:
    row: Row = {"name": name, "file": FILES[name], "lamps": lamps_of(name), "layers": layers_of(name)}
    for factor in factors:
        changes = {
            camera: change - found["", 1, f"{camera}/{row['lamps']}/{row['layers']}"]
            for (of, by, camera), change in found.items()
            if (of, by) == (name, factor)
        }
        worst = min(changes, key=lambda camera: changes[camera])
        row[f"x{factor} mean dB"] = round(sum(changes.values()) / len(changes), 3)
        row[f"x{factor} worst dB"] = round(changes[worst], 2)
        row[f"x{factor} worst camera"] = worst
    return row


def report(rows: list[Row], factors: list[float]) -> str:
    text = "\n| constant | lamps | " + " | ".join(f"x {f:g}: mean | worst" for f in factors) + " |\n|---|---|"
    text += "---:|" * (2 * len(factors)) + "\n"
    for row in rows:
        cells = [f"{row[f'x{f} mean dB']:+.3f} | {row[f'x{f} worst dB']:+.2f}" for f in factors]
        text += f"| {row['name']} | {row['lamps']} | " + " | ".join(cells) + " |\n"
    return text


def main() -> None:
    parser = quality.parser(__doc__, "640x360")
    parser.add_argument("--names", type=quality.names_in(FILES), default=list(FILES), help="; ".join(FILES))
    parser.add_argument("--factors", type=float, nargs="+", default=FACTORS, help="0.8 and 1.25")
    names = quality.names_in(cameras.CAMERAS)
    parser.add_argument("--cameras", type=names, default=list(cameras.CAMERAS), help="some cameras")
    parser.add_argument(
        "--data", type=pathlib.Path, default=program.ROOT, help="folder of shaders, assets, fonts"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument(
        "--cache", type=pathlib.Path, default=program.ROOT / "build/references", help="references"
    )
    options = parser.parse_args()
    if not options.names or not options.cameras:
        parser.error("nothing to measure: see --help for the names")
    sources = cameras.sources_digest()
    lamps = sorted({lamps_of(name) for name in options.names})
    with (
        tempfile.TemporaryDirectory(prefix="satdof-data-") as name,
        concurrent.futures.ProcessPoolExecutor(options.jobs) as pool,
    ):
        copies = {("", 1.0): options.data.resolve()}
        for constant in options.names:
            for factor in options.factors:
                copy = copies[constant, factor] = pathlib.Path(name) / f"{constant}-{factor}"
                copy.mkdir()
                for entry in options.data.resolve().iterdir():
                    if entry.name in ("assets", "fonts", "cuda"):
                        (copy / entry.name).symlink_to(entry.resolve())
                shutil.copytree(options.data / "shaders", copy / "shaders")
                file = copy / FILES[constant]
                file.write_text(multiplied(file.read_text(), constant, factor))
        cases = [(camera, kind) for camera in options.cameras for kind in lamps]
        files = {case: pool.submit(reference, options, *case, sources) for case in cases}
        references = {case: file.result() for case, file in files.items()}
        print(f"{len(references)} references", file=sys.stderr)
        jobs = {}
        for (constant, factor), data in copies.items():
            kinds = {
                (lamps_of(name), layers_of(name)) for name in ([constant] if constant else options.names)
            }
            for camera in options.cameras:
                for kind, layers in kinds:
                    key = camera if constant else f"{camera}/{kind}/{layers}"
                    path = references[camera, kind]
                    jobs[constant, factor, key] = pool.submit(
                        measured, options, data, camera, kind, layers, path
                    )
        found = {key: job.result() for key, job in jobs.items()}
        stats = program.draw(options.satdof, pathlib.Path(name) / "last.png", "--size", "64x36")
    rows = [row_of(constant, options.factors, found) for constant in options.names]
    quality.finish(options, stats, rows, report(rows, options.factors))
