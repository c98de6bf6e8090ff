"""PSNR and SSIM of every technique against the thin-lens reference, on the built-in scene.

satdof measures both (--compare reference --stats). Mean FLIP is added if NVIDIA's flip-evaluator is installed; --flip installs it into
the virtual environment build/flip. Prints a report. --json writes the record; --out writes report and record to a folder. Quick run:
  scripts/quality measure --size 320x180 --samples 32 --frames 1 --focus middle
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping

from tools import program, records
from tools.program import ROOT
from tools.records import Row

FOCAL_LENGTH_M, SENSOR_HEIGHT_M, ROWS = 0.05, 0.024, 1080
FOCUS_M = {"near": 1.1, "middle": 1.7, "far": 2.6}
# Radius of the circle of confusion at infinity, in pixels at 1080 rows, which determines the f-number; and scene options.
SETTINGS = {"24 px": (24, ["--no-lamps"]), "48 px, lamps": (48, ["--lamps"])}


def gems(focus_m: float, radius_px: float) -> list[str]:
    """The blur of GPU Gems 3, chapter 39, with the slope R'(S) = K / S at the focus plane and a radius of at most K."""
    radius = math.sqrt(math.pi) / 2 * radius_px
    return f"--lens gems --table-format float32 --gems-range {focus_m} --gems-radius {radius}".split()


# Arguments of satdof, as a function of focus distance and radius.
TECHNIQUES: dict[str, Callable[[float, float], list[str]]] = {
    "sharp": lambda *_: ["--view", "sharp"],
    "gems": gems,
    "box": lambda *_: ["--lens", "box"],
    "tent": lambda *_: ["--lens", "tent"],
    "layered": lambda *_: ["--lens", "layered", "--layers", "1"],
    "layered, 2 layers": lambda *_: ["--lens", "layered", "--layers", "2"],
}
# Targets of PSNR in dB and SSIM at every focus.
TARGETS = {
    ("layered", "24 px"): (36, 0.97),
    ("layered", "48 px, lamps"): (33, 0.95),
    ("layered, 2 layers", "24 px"): (40, 0.985),
    ("layered, 2 layers", "48 px, lamps"): (36, 0.97),
}
GEMS_BELOW_DB = 6
COST_RATIO = 2.5


def f_number(focus_m: float, radius_px: float) -> float:
    """Solves radius_px = f^2 H / (2 N (S - f) h) for the f-number N. S: focus distance, h: sensor height, H: image height."""
    return FOCAL_LENGTH_M**2 * ROWS / (2 * radius_px * (focus_m - FOCAL_LENGTH_M) * SENSOR_HEIGHT_M)


FLIP_HOME = ROOT / "build/flip"
FLIP = "import sys, flip_evaluator; print(flip_evaluator.evaluate(sys.argv[1], sys.argv[2], 'LDR')[1])"


def flip_python(install: bool) -> pathlib.Path | None:
    """A Python interpreter with flip-evaluator; None if there is none and `install` is false."""
    ours = FLIP_HOME / "bin/python"
    for python in (pathlib.Path(sys.executable), ours):
        if not python.exists():
            continue
        found = subprocess.run(
            [python, "-c", "import flip_evaluator, numpy"], check=False, capture_output=True
        )
        if found.returncode == 0:
            return python
    if not install:
        return None
    venv.create(FLIP_HOME, with_pip=True)
    subprocess.run([ours, "-m", "pip", "install", "--quiet", "flip-evaluator", "numpy"], check=True)
    return ours


def mean_flip(python: pathlib.Path | None, reference: pathlib.Path, image: pathlib.Path) -> float | None:
    if python is None:
        return None
    found = subprocess.run([python, "-c", FLIP, reference, image], check=True, capture_output=True, text=True)
    return float(found.stdout)


def measure(
    options: argparse.Namespace, technique: str, setting: str, focus: str, folder: pathlib.Path
) -> tuple[Row, program.Stats]:
    """The row of a technique at a setting and focus, and the statistics of its image."""
    focus_m, (radius_px, scene) = FOCUS_M[focus], SETTINGS[setting]
    number = f_number(focus_m, radius_px)
    lens = ["--focal-length", FOCAL_LENGTH_M * 1e3, "--sensor-height", SENSOR_HEIGHT_M * 1e3]
    lens += ["--focus", focus_m, "--f-number", number, *scene, *TECHNIQUES[technique](focus_m, radius_px)]
    run = ["--size", options.size, "--frames", options.frames, *lens, *options.options]
    run += ["--lens-samples", options.samples, "--compare", "reference", "--bit-depth", 8]
    stats = program.draw(options.satdof, folder / "image.png", *run)
    compared = stats["compare"]
    row = {
        "name": f"{setting}, {focus}/{technique}",
        "technique": technique,
        "setting": setting,
        "focus": focus,
        "focusM": focus_m,
        "fNumber": round(number, 4),
        "psnrDb": compared["psnrDb"],
        "ssim": compared["ssim"],
        "flip": mean_flip(options.flip_python, folder / "image-reference.png", folder / "image.png"),
        "noiseFloorPsnrDb": compared["noiseFloorPsnrDb"],
        "noiseFloorSsim": compared["noiseFloorSsim"],
        "frameMs": stats["frameMedianUs"] / 1e3,
    }
    return row, stats


def verdict(row: Row, by_key: dict[tuple[str, str, str], Row]) -> str:
    """Whether the row reaches its target; empty without a target."""
    if row["technique"] == "gems":
        ours = by_key.get(("layered", row["setting"], row["focus"]))
        if ours is None:
            return ""
        below = ours["psnrDb"] - row["psnrDb"]
        return f"{below:.1f} dB below layered" + (
            "" if below >= GEMS_BELOW_DB else f" (target: {GEMS_BELOW_DB})"
        )
    target = TARGETS.get((row["technique"], row["setting"]))
    if target is None:
        return ""
    short = [
        f"{name} {by:.{digits}f} short"
        for name, by, digits in (("PSNR", target[0] - row["psnrDb"], 1), ("SSIM", target[1] - row["ssim"], 3))
        if by > 0
    ]
    return f"{target[0]} dB, {target[1]}: " + (", ".join(short) or "reached")


def costs(rows: list[Row]) -> str:
    """A table of the cost of techniques: the time added to a sharp frame over the time that the box lens adds, mean over settings."""
    by_key = {(row["technique"], row["setting"], row["focus"]): row["frameMs"] for row in rows}
    lines = []
    for technique in TECHNIQUES:
        ratios = []
        for (name, setting, focus), frame_ms in by_key.items():
            sharp, box = by_key.get(("sharp", setting, focus)), by_key.get(("box", setting, focus))
            if name == technique and sharp is not None and box is not None and box > sharp:
                ratios.append((frame_ms - sharp) / (box - sharp))
        if ratios and technique not in ("sharp", "box"):
            lines.append(f"| {technique} | {sum(ratios) / len(ratios):.2f} |")
    if not lines:
        return ""
    return (
        f"\nTime added to a sharp frame, over the time that the box lens adds. The target of the layered lens is at "
        f"most {COST_RATIO}.\n\n| technique | cost |\n|---|---:|\n" + "\n".join(lines) + "\n"
    )


def head(context: Row) -> str:
    return (
        f"{context['gpu']}, driver {context['driver']}, device {context['device']}, commit {context['commit']}; "
        f"{context['size']}, {context['samples']} points on the aperture, medians of {context['frames']} frames. "
        f"Made by `{context['command']}`.\n"
    )


def report(rows: list[Row]) -> str:
    by_key = {(row["technique"], row["setting"], row["focus"]): row for row in rows}
    text = ""
    for setting in SETTINGS:
        chosen = [row for row in rows if row["setting"] == setting]
        if not chosen:
            continue
        text += (
            f"\n## {setting}\n\n| focus | technique | PSNR, dB | SSIM | FLIP | frame, ms | target |\n"
            "|---|---|---:|---:|---:|---:|---|\n"
        )
        for focus in FOCUS_M:
            of_focus = [row for row in chosen if row["focus"] == focus]
            for row in of_focus:
                flip = "" if row["flip"] is None else f"{row['flip']:.4f}"
                text += (
                    f"| {focus}: {row['focusM']} m, f/{row['fNumber']:.2f} | {row['technique']} | {row['psnrDb']:.2f} | "
                    f"{row['ssim']:.4f} | {flip} | {row['frameMs']:.2f} | {verdict(row, by_key)} |\n"
                )
            if of_focus:
                text += (
                    f"| | *noise floor* | {of_focus[0]['noiseFloorPsnrDb']:.2f} | "
                    f"{of_focus[0]['noiseFloorSsim']:.4f} | | | |\n"
                )
    text += costs(rows)
    if all(row["flip"] is None for row in rows):
        text += "\nFLIP is missing: `--flip` installs its evaluator.\n"
    return text


def names_in(table: Mapping[str, object]) -> Callable[[str], list[str]]:
    """Returns a parser of names in the table, separated by semicolons."""
    return lambda text: [name for name in table if name in text.split(";")]


def parser(doc: str, size: str) -> argparse.ArgumentParser:
    """A parser of the common options of measurements."""
    parser = program.parser(doc)
    parser.add_argument("--satdof", default=program.SATDOF, help="the program")
    parser.add_argument("--size", default=size, help=f"of the image ({size})")
    parser.add_argument("--samples", type=int, default=1024, help="points on the aperture")
    parser.add_argument("--frames", type=int, default=60, help="frames to time")
    parser.add_argument("--json", type=pathlib.Path, help="record to write, such as quality.json")
    parser.add_argument("--out", type=pathlib.Path, help="folder for quality.md and quality.json")
    parser.add_argument("--commit", default=records.commit(), help="what was built")
    parser.add_argument("options", nargs="*", help="after --: further options of the program, for every run")
    return parser


def finish(options: argparse.Namespace, stats: program.Stats, rows: list[Row], report: str) -> None:
    """Prints the report. Writes report and record as --out and --json state."""
    context = records.context(
        stats, commit=options.commit, size=options.size, samples=options.samples, frames=options.frames
    )
    text = head(context) + report
    print(text)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "quality.md").write_text(text)
    for path in filter(None, (options.json, options.out and options.out / "quality.json")):
        records.write(path, context, rows)


def main() -> None:
    options = parser(__doc__, "1920x1080")
    for option, table in (("--techniques", TECHNIQUES), ("--settings", SETTINGS), ("--focus", FOCUS_M)):
        options.add_argument(
            option, type=names_in(table), default=list(table), help="separated by ; " + "; ".join(table)
        )
    options.add_argument(
        "--flip", action="store_true", help="install NVIDIA's flip-evaluator from PyPI if it is missing"
    )
    given = options.parse_args()
    if not (given.techniques and given.settings and given.focus):
        options.error("nothing to measure: see --help for the names of techniques, settings and focus")
    given.flip_python = flip_python(given.flip)
    rows: list[Row] = []
    stats: program.Stats = {}
    with tempfile.TemporaryDirectory(prefix="satdof-quality-") as folder:
        for setting in given.settings:
            for focus in given.focus:
                for technique in given.techniques:
                    row, stats = measure(given, technique, setting, focus, pathlib.Path(folder))
                    rows.append(row)
                    print(f"{row['name']}: {row['psnrDb']:.2f} dB, {row['ssim']:.4f}", file=sys.stderr)
    finish(given, stats, rows, report(rows))
