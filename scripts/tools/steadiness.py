"""Temporal stability: change of the displayed image when the focus moves so far that radii change by 1/64 pixel.

Prints, for each case, focus distance and f-number, the largest change of a channel in 255ths, and the number of pixels that change by
more than 4. Runs all of CASES; with arguments of satdof after --, only these. Write the data, or run quickly:
  scripts/quality steadiness --json steadiness.json
  scripts/quality steadiness --focus 1.7 --f-number 1.2 -- --lens layered
"""

import argparse
import pathlib
import tempfile

from tools import program, records
from tools.images import Image, displayed_differences, read_image

FOCAL_LENGTH_M, SENSOR_HEIGHT_M = 0.05, 0.024
LIMIT = 4  # 255ths

CASES = {
    "layered, no lamps": "--lens layered --no-lamps",
    "layered, no lamps, two layers": "--lens layered --layers 2 --no-lamps",
    "layered, lamps": "--lens layered",
    "layered, lamps, two layers": "--lens layered --layers 2",
    "layered, lamps, no bokeh": "--lens layered --no-bokeh",
    "reference, no lamps": "--lens reference --lens-samples 1024 --no-lamps",
    "reference, lamps": "--lens reference --lens-samples 1024",
}


class Bench:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options, self.folder = options, folder
        self.stats: program.Stats = {}

    def render(self, arguments: list[str], focus_m: float, f_number: float) -> Image:
        """Draws an image in linear light."""
        image = self.folder / "image.pfm"
        lens = ["--size", self.options.size, "--focus", repr(focus_m), "--f-number", f_number]
        self.stats = program.draw(self.options.program, image, *lens, *arguments)
        return read_image(image)

    def steadiness(self, arguments: list[str], focus_m: float, f_number: float) -> tuple[float, int]:
        """Returns the largest change in 255ths, and the number of pixels that change by more than LIMIT."""
        rows = int(self.options.size.split("x")[1])
        # K = f^2 H / (2 N (S - f) h) is the radius at infinity. K S is nearly constant, so every radius changes by -K dS / (S - f).
        far_px = FOCAL_LENGTH_M**2 * rows / (2 * f_number * (focus_m - FOCAL_LENGTH_M) * SENSOR_HEIGHT_M)
        moved_m = focus_m + (focus_m - FOCAL_LENGTH_M) / (64 * far_px)
        before, after = (self.render(arguments, at, f_number) for at in (focus_m, moved_m))
        changes = [255 * max(pixel) for pixel in displayed_differences(before, after)]
        return max(changes), sum(change > LIMIT for change in changes)

    def measure(self, name: str, arguments: list[str]) -> list[records.Row]:
        """Returns one row for the case, then one for each focus distance and f-number."""
        settings: list[records.Row] = []
        for focus_m in self.options.focus:
            for f_number in self.options.f_number:
                largest, beyond = self.steadiness(arguments, focus_m, f_number)
                row = {"name": f"{name}/{focus_m:g} m, f/{f_number:g}", "largest": round(largest, 2)}
                settings.append({**row, "pixelsOver4": beyond})
                print(f"{row['name']}: {largest:.2f}, {beyond} pixels over {LIMIT}", flush=True)
        counts = [row["pixelsOver4"] for row in settings]
        case = {
            "name": name,
            "arguments": " ".join(arguments),
            "largest": max(row["largest"] for row in settings),
            "pixelsOver4": sum(counts),
            "mostPixelsOver4": max(counts),
        }
        print(
            f"{name}: largest {case['largest']:.2f}, {sum(counts)} pixels over {LIMIT}, at most {max(counts)} in one image",
            flush=True,
        )
        return [case, *settings]


def main() -> None:
    parser = program.parser(__doc__)
    parser.add_argument("--program", default=program.SATDOF)
    parser.add_argument("--size", default="480x270", help="of the image")
    parser.add_argument(
        "--focus", type=float, nargs="+", default=[0.9, 1.1, 1.4, 1.7, 2.1, 2.6], help="in metres"
    )
    parser.add_argument("--f-number", type=float, nargs="+", default=[0.7, 1.2, 2.0, 4.0])
    parser.add_argument("--json", type=pathlib.Path, help="record to write, such as steadiness.json")
    parser.add_argument("--commit", default=records.commit(), help="what was built")
    parser.add_argument(
        "arguments", nargs="*", help="after --: arguments of the program, in place of the cases"
    )
    options = parser.parse_args()
    cases = {" ".join(options.arguments): options.arguments} if options.arguments else CASES
    rows: list[records.Row] = []
    with tempfile.TemporaryDirectory(prefix="satdof-steadiness-") as name:
        bench = Bench(options, pathlib.Path(name))
        for case, arguments in cases.items():
            rows += bench.measure(case, arguments if isinstance(arguments, list) else arguments.split())
    if options.json:
        context = records.context(bench.stats, commit=options.commit, size=options.size)
        records.write(options.json, context, rows)
