#!/usr/bin/env python3
"""How much the displayed picture of the demo's scene changes when the focus moves so far that radii change by 1/64 pixel:
the largest change of a channel, in 255ths, and how many pixels change by more than 4, for each focus and f-number.

What follows -- goes to the program, such as --lens reference --lens-samples 1024, or --no-lamps. Quick look:
  scripts/steadiness.py --focus 1.7 --f-number 1.2 -- --lens layered
"""
import argparse
import array
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOCAL_LENGTH_M, SENSOR_HEIGHT_M = 0.05, 0.024


def displayed(v):
    """shaders/tone.glsl, in 255ths."""
    v = min(max(v, 0.0), 1000.0)
    v = min(v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14), 1.0)
    return 255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055)


def picture(options, focus_m, f_number, folder):
    """The channels in linear light, row by row."""
    path = pathlib.Path(folder) / "picture.pfm"
    subprocess.run([options.program, "--headless", "--no-animate", "--size", options.size, "--focus", repr(focus_m),
                    "--f-number", str(f_number), "--capture", path, *options.arguments],
                   check=True, stdout=subprocess.DEVNULL)
    kind, size, order, data = path.read_bytes().split(b"\n", 3)
    assert kind == b"PF" and float(order) < 0
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def steadiness(options, focus_m, f_number, folder):
    rows = int(options.size.split("x")[1])
    # K = f^2 H / (2 N (S - f) h), K S as good as constant: every radius changes by -K dS / (S - f).
    far_px = FOCAL_LENGTH_M ** 2 * rows / (2 * f_number * (focus_m - FOCAL_LENGTH_M) * SENSOR_HEIGHT_M)
    moved_m = focus_m + (focus_m - FOCAL_LENGTH_M) / (64 * far_px)
    before, after = (picture(options, at, f_number, folder) for at in (focus_m, moved_m))
    changes = [abs(displayed(a) - displayed(b)) if a != b else 0.0 for a, b in zip(before, after)]
    pixels = [max(changes[i:i + 3]) for i in range(0, len(changes), 3)]
    return max(pixels), sum(change > 4 for change in pixels)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/release/bin/satdof")
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--focus", type=float, nargs="+", default=[0.9, 1.1, 1.4, 1.7, 2.1, 2.6])
    parser.add_argument("--f-number", type=float, nargs="+", default=[0.7, 1.2, 2.0, 4.0])
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    worst, total = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for focus_m in options.focus:
            for f_number in options.f_number:
                largest, beyond = steadiness(options, focus_m, f_number, folder)
                worst, total = max(worst, largest), total + beyond
                print(f"{focus_m} m, f/{f_number}: {largest:.2f}, {beyond} pixels over 4", flush=True)
    print(f"largest {worst:.2f}, {total} pixels over 4")


if __name__ == "__main__":
    main()
