#!/usr/bin/env python3
"""Change of the displayed image when the focus moves so far that radii change by 1/64 pixel.

For each case, focus distance and f-number: the largest change of a channel, in 255ths, and the number of pixels that
change by more than 4. Without arguments after -- every case of CASES runs; arguments after -- go to the program and are
the only case. Write the data, or take a quick look:
  scripts/steadiness.py --json steadiness.json
  scripts/steadiness.py --focus 1.7 --f-number 1.2 -- --lens layered
"""

import argparse
import array
import json
import pathlib
import subprocess
import sys
import tempfile

import bench_data
from image_files import displayed

FOCAL_LENGTH_M, SENSOR_HEIGHT_M = 0.05, 0.024
LIMIT = 4  # 255ths

CASES = {
    "layered, no lamps": ["--lens", "layered", "--no-lamps"],
    "layered, no lamps, two layers": ["--lens", "layered", "--layers", "2", "--no-lamps"],
    "layered, lamps": ["--lens", "layered"],
    "layered, lamps, two layers": ["--lens", "layered", "--layers", "2"],
    "layered, lamps, no bokeh": ["--lens", "layered", "--no-bokeh"],
    "reference, no lamps": ["--lens", "reference", "--lens-samples", "1024", "--no-lamps"],
    "reference, lamps": ["--lens", "reference", "--lens-samples", "1024"],
}


def render(
    options: argparse.Namespace, arguments: list[str], focus_m: float, f_number: float, folder: pathlib.Path
) -> array.array:
    """The channels of the image in linear light, row by row. Leaves stats.json in the folder."""
    path = folder / "image.pfm"
    subprocess.run(
        [
            options.program,
            "--headless",
            "--no-animate",
            "--size",
            options.size,
            "--focus",
            repr(focus_m),
            "--f-number",
            str(f_number),
            "--capture",
            path,
            "--stats",
            folder / "stats.json",
            *arguments,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    kind, _, order, data = path.read_bytes().split(b"\n", 3)
    assert kind == b"PF" and float(order) < 0
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def steadiness(
    options: argparse.Namespace, arguments: list[str], focus_m: float, f_number: float, folder: pathlib.Path
) -> tuple[float, int]:
    """The largest change in 255ths, and the number of pixels that change by more than LIMIT."""
    rows = int(options.size.split("x")[1])
    # K = f^2 H / (2 N (S - f) h). K S is nearly constant, so every radius changes by -K dS / (S - f).
    far_px = FOCAL_LENGTH_M**2 * rows / (2 * f_number * (focus_m - FOCAL_LENGTH_M) * SENSOR_HEIGHT_M)
    moved_m = focus_m + (focus_m - FOCAL_LENGTH_M) / (64 * far_px)
    before, after = (render(options, arguments, at, f_number, folder) for at in (focus_m, moved_m))
    pixels = []
    for i in range(0, len(before), 3):
        a, b = before[i : i + 3], after[i : i + 3]
        pixels.append(255 * max(abs(v - w) for v, w in zip(displayed(*a), displayed(*b))) if a != b else 0.0)
    return max(pixels), sum(change > LIMIT for change in pixels)


def measure(
    options: argparse.Namespace, name: str, arguments: list[str], folder: pathlib.Path
) -> list[bench_data.Row]:
    """One row for the case, then one for each of its settings."""
    settings = []
    for focus_m in options.focus:
        for f_number in options.f_number:
            largest, beyond = steadiness(options, arguments, focus_m, f_number, folder)
            settings.append(
                {
                    "name": f"{name}/{focus_m:g} m, f/{f_number:g}",
                    "largest": round(largest, 2),
                    "pixelsOver4": beyond,
                }
            )
            print(f"{settings[-1]['name']}: {largest:.2f}, {beyond} pixels over {LIMIT}", flush=True)
    case = {
        "name": name,
        "arguments": " ".join(arguments),
        "largest": max(row["largest"] for row in settings),
        "pixelsOver4": sum(row["pixelsOver4"] for row in settings),
        "mostPixelsOver4": max(row["pixelsOver4"] for row in settings),
    }
    print(
        f"{name}: largest {case['largest']:.2f}, {case['pixelsOver4']} pixels over {LIMIT}, at most "
        f"{case['mostPixelsOver4']} in one image",
        flush=True,
    )
    return [case, *settings]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=bench_data.ROOT / "build/release/bin/satdof")
    parser.add_argument("--size", default="480x270", help="of the image")
    parser.add_argument(
        "--focus", type=float, nargs="+", default=[0.9, 1.1, 1.4, 1.7, 2.1, 2.6], help="in metres"
    )
    parser.add_argument("--f-number", type=float, nargs="+", default=[0.7, 1.2, 2.0, 4.0])
    parser.add_argument("--json", type=pathlib.Path, help="data file to write, such as steadiness.json")
    parser.add_argument("--commit", default=bench_data.commit(), help="what was built")
    parser.add_argument(
        "arguments", nargs="*", help="after --: arguments of the program, in place of the cases"
    )
    options = parser.parse_args()
    cases = {" ".join(options.arguments): options.arguments} if options.arguments else CASES
    rows: list[bench_data.Row] = []
    with tempfile.TemporaryDirectory(prefix="satdof-steadiness-") as name:
        folder = pathlib.Path(name)
        for case, arguments in cases.items():
            rows += measure(options, case, arguments, folder)
        stats = json.loads((folder / "stats.json").read_text())
    if options.json:
        bench_data.write(
            options.json,
            {
                **bench_data.machine(stats),
                "commit": options.commit,
                "size": options.size,
                "command": bench_data.command(),
                "origin": "written by the command",
            },
            rows,
        )


if __name__ == "__main__":
    main()
