#!/usr/bin/env python3
"""Every method's picture against the thin-lens reference, on the demo's own scene: PSNR and SSIM as the program
measures them (--compare reference --stats), mean FLIP where NVIDIA's flip-evaluator is installed, or with --flip, which
puts it into a virtual environment, build/flip.

Prints the table, writes it below the marker in docs/quality.md, and writes quality.json. Quick look:
  scripts/quality.py --size 320x180 --samples 32 --frames 1 --focus middle --out /tmp
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKER = "<!-- Below: written by scripts/quality.py -->"

FOCAL_LENGTH_M, SENSOR_HEIGHT_M, ROWS = 0.05, 0.024, 1080
FOCUS_M = {"near": 1.1, "middle": 1.7, "far": 2.6}
# Radius in pixels at 1080 rows of a point at infinity, by which the f-number is chosen.
SETTINGS = {"24 px": (24, ["--no-lamps"]), "48 px, lamps": (48, ["--lamps"])}


def gems(focus_m, radius_px):
    """The chapter's blur, of the same slope at the focus plane, R'(S) = K / S, and as wide at its widest."""
    return ["--lens", "gems", "--sat-format", "float32", "--gems-range", str(focus_m),
            "--gems-radius", str(math.sqrt(math.pi) / 2 * radius_px)]


METHODS = {
    "sharp": lambda *_: ["--view", "sharp"],
    "gems": gems,
    "box": lambda *_: ["--lens", "box"],
    "tent": lambda *_: ["--lens", "tent"],
    "layered": lambda *_: ["--lens", "layered", "--layers", "1"],
    "layered, 2 layers": lambda *_: ["--lens", "layered", "--layers", "2"],
}
# PSNR in dB and SSIM that a method is to reach at every focus.
TARGETS = {
    ("layered", "24 px"): (36, 0.97),
    ("layered", "48 px, lamps"): (33, 0.95),
    ("layered, 2 layers", "24 px"): (40, 0.985),
    ("layered, 2 layers", "48 px, lamps"): (36, 0.97),
}
GEMS_BELOW_DB = 6
COST_RATIO = 2.5


def f_number(focus_m, radius_px):
    """N with K = f^2 H / (2 N (S - f) h) = radius_px."""
    return FOCAL_LENGTH_M ** 2 * ROWS / (2 * radius_px * (focus_m - FOCAL_LENGTH_M) * SENSOR_HEIGHT_M)


FLIP_HOME = ROOT / "build/flip"
FLIP = "import sys, flip_evaluator; print(flip_evaluator.evaluate(sys.argv[1], sys.argv[2], 'LDR')[1])"


def flip_python(install):
    """A Python that has NVIDIA's evaluator; none where there is none and it is not to be installed."""
    own, ours = sys.executable, FLIP_HOME / "bin/python"
    for python in (own, ours):
        found = subprocess.run([python, "-c", "import flip_evaluator, numpy"], capture_output=True) if pathlib.Path(python).exists() else None
        if found is not None and found.returncode == 0:
            return python
    if not install:
        return None
    venv.create(FLIP_HOME, with_pip=True)
    subprocess.run([ours, "-m", "pip", "install", "--quiet", "flip-evaluator", "numpy"], check=True)
    return ours


def mean_flip(python, reference, picture):
    if python is None:
        return None
    return float(subprocess.run([python, "-c", FLIP, reference, picture], check=True, capture_output=True, text=True).stdout)


def measure(options, method, setting, focus, folder):
    focus_m, (radius_px, scene) = FOCUS_M[focus], SETTINGS[setting]
    stats, picture = folder / "stats.json", folder / "picture.png"
    number = f_number(focus_m, radius_px)
    subprocess.run(
        [options.satdof, "--headless", "--no-animate", "--size", options.size, "--frames", str(options.frames),
         "--focal-length", str(FOCAL_LENGTH_M * 1e3), "--sensor-height", str(SENSOR_HEIGHT_M * 1e3),
         "--focus", str(focus_m), "--f-number", str(number), *scene, *METHODS[method](focus_m, radius_px),
         *options.options, "--lens-samples", str(options.samples), "--compare", "reference", "--bit-depth", "8",
         "--stats", str(stats), "--capture", str(picture)],
        check=True, stdout=subprocess.DEVNULL)
    result = json.loads(stats.read_text())
    compared = result["compare"]
    row = {"method": method, "setting": setting, "focus": focus, "focusM": focus_m, "fNumber": round(number, 4),
           "psnrDb": compared["psnrDb"], "ssim": compared["ssim"],
           "flip": mean_flip(options.flip_python, folder / "picture-reference.png", picture),
           "noiseFloorPsnrDb": compared["noiseFloorPsnrDb"], "noiseFloorSsim": compared["noiseFloorSsim"],
           "frameMs": result["frameMedianUs"] / 1e3}
    return row, {**result["machine"], "backend": result["backend"]}


def verdict(row, by_key):
    """Whether the row's target is reached, and by how much it is not."""
    if row["method"] == "gems":
        ours = by_key.get(("layered", row["setting"], row["focus"]))
        if ours is None:
            return ""
        below = ours["psnrDb"] - row["psnrDb"]
        return f"{below:.1f} dB below layered" + ("" if below >= GEMS_BELOW_DB else f" (to be {GEMS_BELOW_DB})")
    target = TARGETS.get((row["method"], row["setting"]))
    if target is None:
        return ""
    short = [f"{name} {by:.{digits}f} short" for name, by, digits in
             (("PSNR", target[0] - row["psnrDb"], 1), ("SSIM", target[1] - row["ssim"], 3)) if by > 0]
    return f"{target[0]} dB, {target[1]}: " + (", ".join(short) or "reached")


def commit():
    git = ["git", "-C", str(ROOT)]
    try:
        name = subprocess.run([*git, "rev-parse", "--short=10", "HEAD"], check=True, capture_output=True, text=True)
        changed = subprocess.run([*git, "status", "--porcelain", "-uno"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name.stdout.strip() + (" and changes" if changed.stdout else "")


def costs(rows):
    """Time a method adds to the frame without blur, over what the single table adds: the mean over the settings."""
    by_key = {(row["method"], row["setting"], row["focus"]): row["frameMs"] for row in rows}
    lines = []
    for method in METHODS:
        ratios = []
        for (name, setting, focus), frame_ms in by_key.items():
            sharp, box = by_key.get(("sharp", setting, focus)), by_key.get(("box", setting, focus))
            if name == method and sharp is not None and box is not None and box > sharp:
                ratios.append((frame_ms - sharp) / (box - sharp))
        if ratios and method not in ("sharp", "box"):
            lines.append(f"| {method} | {sum(ratios) / len(ratios):.2f} x |")
    if not lines:
        return ""
    return (f"\nTime added to the frame without blur, over what the single table (box) adds; the default method is to "
            f"cost at most {COST_RATIO} x.\n\n| method | cost |\n|---|---:|\n" + "\n".join(lines) + "\n")


def report(rows, machine, options):
    by_key = {(row["method"], row["setting"], row["focus"]): row for row in rows}
    text = (f"{machine['gpu']}, driver {machine['driver']}, backend {machine['backend']}, commit {options.commit}; "
            f"{options.size}, {options.samples} points on the aperture a picture, medians of {options.frames} frames. "
            f"Made by `scripts/quality.py{''.join(' ' + a for a in options.made_by)}`.\n")
    for setting in SETTINGS:
        chosen = [row for row in rows if row["setting"] == setting]
        if not chosen:
            continue
        text += (f"\n## {setting}\n\n| focus | method | PSNR, dB | SSIM | FLIP | frame, ms | target |\n"
                 "|---|---|---:|---:|---:|---:|---|\n")
        for focus in FOCUS_M:
            of_focus = [row for row in chosen if row["focus"] == focus]
            for row in of_focus:
                flip = "" if row["flip"] is None else f"{row['flip']:.4f}"
                text += (f"| {focus}: {row['focusM']} m, f/{row['fNumber']:.2f} | {row['method']} | {row['psnrDb']:.2f} | "
                         f"{row['ssim']:.4f} | {flip} | {row['frameMs']:.2f} | {verdict(row, by_key)} |\n")
            if of_focus:
                text += (f"| | *another seed: the noise floor* | {of_focus[0]['noiseFloorPsnrDb']:.2f} | "
                         f"{of_focus[0]['noiseFloorSsim']:.4f} | | | |\n")
    text += costs(rows)
    if all(row["flip"] is None for row in rows):
        text += "\nFLIP is missing: `--flip` installs its evaluator.\n"
    return text


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda table: lambda text: [name for name in table if name in text.split(";")]
    parser.add_argument("--satdof", default=str(ROOT / "build/release/bin/satdof"), help="the program")
    parser.add_argument("--size", default="1920x1080", help="of the picture")
    parser.add_argument("--samples", type=int, default=1024, help="points on the aperture")
    parser.add_argument("--frames", type=int, default=60, help="frames to take times of")
    parser.add_argument("--methods", type=names(METHODS), default=list(METHODS), help="; between: " + "; ".join(METHODS))
    parser.add_argument("--settings", type=names(SETTINGS), default=list(SETTINGS), help="; between: " + "; ".join(SETTINGS))
    parser.add_argument("--focus", type=names(FOCUS_M), default=list(FOCUS_M), help="; between: " + "; ".join(FOCUS_M))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs", help="folder for quality.md and quality.json")
    parser.add_argument("--flip", action="store_true", help="install NVIDIA's flip-evaluator from PyPI where it is missing")
    parser.add_argument("--commit", default=commit(), help="what was built")
    parser.add_argument("options", nargs="*", help="after --: further options of the program, for every run")
    options = parser.parse_args()
    options.made_by = sys.argv[1:]
    options.flip_python = flip_python(options.flip)
    return options


def main():
    options = parse()
    rows, machine = [], {}
    with tempfile.TemporaryDirectory(prefix="satdof-quality-") as folder:
        for setting in options.settings:
            for focus in options.focus:
                for method in options.methods:
                    row, machine = measure(options, method, setting, focus, pathlib.Path(folder))
                    rows.append(row)
                    print(f"{setting}, {focus}, {method}: {row['psnrDb']:.2f} dB, {row['ssim']:.4f}", file=sys.stderr)
    if not rows:
        sys.exit("nothing to measure: see --help for the names of methods, settings and focus")
    text = report(rows, machine, options)
    print(text)
    options.out.mkdir(parents=True, exist_ok=True)
    page = options.out / "quality.md"
    head = (page if page.exists() else ROOT / "docs/quality.md").read_text().split(MARKER)[0]
    page.write_text(head + MARKER + "\n\n" + text)
    machine["commit"] = options.commit
    (options.out / "quality.json").write_text(
        json.dumps({"machine": machine, "size": options.size, "samples": options.samples, "rows": rows}, indent=2) + "\n")


main()
