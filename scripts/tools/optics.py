"""PSNR of two layers with lens aberrations and presets, with lamps, against the reference, from the cameras of `cameras`.

Each row has the mean and the worst PSNR over the cameras, and the noise floor of the references. --jobs runs several programs at a
time: starting one takes as long as drawing.
  scripts/quality optics --optics "--cat-eye 0.7;--lens-preset swirl-58" --cameras "front;close"
"""

import concurrent.futures
import pathlib
import statistics
import sys
import tempfile

from tools import cameras, program, quality
from tools.records import Row

OPTICS = (
    "",
    "--tilt-x 6",
    "--tilt-y -6",
    "--field-curvature 5",
    "--axial-colour 0.2",
    "--lateral-colour 0.3",
    "--breathing 1",
    "--blades 6 --blade-curvature 0.5",
    "--aperture-image assets/lenses/mirror.png",
    "--spherical -0.1",
    "--spherical 0.1",
    "--diffraction --blades 6 --f-number 16",
    "--cat-eye 0.7",
    "--cat-eye 0.7 --vignetting 1",
    "--lens-preset modern-50",
    "--lens-preset swirl-58",
    "--lens-preset cine-anamorphic-75",
    "--lens-preset tilt-35",
    "--lens-preset macro-100",
    "--lens-preset mirror-500",
    "--lens-preset soap-bubble-100",
    "--lens-preset tele-135",
)


def report(rows: list[Row]) -> str:
    text = "\n| optics | mean | worst | camera | noise |\n|---|---:|---:|---|---:|\n"
    for row in rows:
        text += f"| {row['name']} | {row['meanDb']} | {row['worstDb']} | {row['worstCamera']} | {row['noiseDb']} |\n"
    return text


def main() -> None:
    parser = quality.parser(__doc__, "320x180")
    names = quality.names_in(cameras.CAMERAS)
    parser.add_argument("--cameras", type=names, default=list(cameras.CAMERAS), help="some of them")
    parser.add_argument(
        "--optics", type=lambda text: text.split(";"), default=OPTICS, help="options of the lens"
    )
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="satdof-optics-") as folder:

        def measure(optics: str, camera: str) -> program.Stats:
            shown = cameras.arguments(camera, "lamps", options)
            own = optics.split()
            if "--f-number" in own or "--lens-preset" in own:
                at = shown.index("--f-number")
                del shown[at : at + 2]
            lens = f"--lens layered --layers 2 --compare reference --lens-samples {options.samples}".split()
            place = pathlib.Path(tempfile.mkdtemp(dir=folder))
            return program.draw(options.satdof, place / "image.png", *shown, *own, *lens, *options.options)

        rows: list[Row] = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            drawn = {
                optics: [pool.submit(measure, optics, camera) for camera in options.cameras]
                for optics in options.optics
            }
            for optics, of in drawn.items():
                all_stats = [each.result() for each in of]
                psnr = [stats["compare"]["psnrDb"] for stats in all_stats]
                noise = [stats["compare"]["noiseFloorPsnrDb"] for stats in all_stats]
                rows.append(
                    {
                        "name": optics or "none",
                        "meanDb": round(statistics.mean(psnr), 1),
                        "worstDb": round(min(psnr), 1),
                        "worstCamera": options.cameras[psnr.index(min(psnr))],
                        "noiseDb": round(statistics.mean(noise), 1),
                        "worstNoiseDb": round(min(noise), 1),
                        "camerasDb": {name: round(db, 1) for name, db in zip(options.cameras, psnr)},
                    }
                )
                print(rows[-1], file=sys.stderr)
    quality.finish(options, all_stats[-1], rows, report(rows))
