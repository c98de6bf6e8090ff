"""Draws lens effects and lens presets for docs.

optics-effects.jpg: effects at three strengths, each by two layers, by the reference, and their difference.
optics.jpg: the presets on four scenes, by two layers. lens-strip.jpg: six of them on the teapots.
  scripts/make effects --satdof build/release/bin/satdof
"""

import argparse
import pathlib
import tempfile

from PIL import Image, ImageChops, ImageDraw, ImageFont

from tools import motorcycle, program
from tools.pfm import write_pfm

STAND = "--yaw 40 --pitch 7 --distance 1.8 --focus 2.1 --f-number 1.2"
SKY = "--yaw 20 --pitch 4 --distance 1.8 --target-y 0.75"
LAMPS = f"{SKY} --focus 0.9 --f-number 1.5 --sensor-height 12 --shift-x 0.4 --shift-y -0.1"  # off the axis
SHARP_LAMPS = f"{SKY} --focus 20 --focal-length 100 --blades 6 --diffraction"
# The camera, and the options of each strength.
ROWS = (
    (STAND, "--tilt-x 2", "--tilt-x 5", "--tilt-x 10"),
    (STAND, "--field-curvature 2", "--field-curvature 5", "--field-curvature 10"),
    (LAMPS, "--axial-colour 0.1", "--axial-colour 0.2", "--axial-colour 0.4"),
    (LAMPS, "--lateral-colour 0.3", "--lateral-colour 0.6", "--lateral-colour 1"),
    (LAMPS, "--blades 5", "--blades 6 --blade-curvature 0.5", "--blades 8 --blade-rotation 15"),
    (LAMPS, *(f"--aperture-image {shape}.png" for shape in ("mirror", "heart", "star"))),
    (LAMPS, "--spherical -0.15", "--spherical -0.07", "--spherical 0.12"),
    (LAMPS, "--cat-eye 0.4", "--cat-eye 0.7", "--cat-eye 1 --vignetting 1"),
    (SHARP_LAMPS, "--f-number 8", "--f-number 16", "--f-number 22"),
)
PRESETS = (
    "modern-50",
    "swirl-58",
    "soap-bubble-100",
    "cine-anamorphic-75",
    "mirror-500",
    "tilt-35",
    "macro-100",
    "tele-135",
)
TEAPOTS = "--lamps --yaw 25 --pitch 6 --distance 1.2 --focus 1.05 --time 7.3"
STRIP = ("modern-50", "swirl-58", "soap-bubble-100", "mirror-500", "cine-anamorphic-75", "tele-135")
PRESET_SIZE, STRIP_SIZE = (300, 201), (400, 225)  # pixels of a picture
LENSES = ("--lens layered --layers 2", "--lens reference")
SIZE = (256, 144)  # of a panel, in pixels
OVERSAMPLING = 2  # pixels of a capture a pixel of a panel, along each axis
TITLE, GAP = 22, 10
DIFFERENCE_GAIN = 8
# Right halves of mirrored polygons, in the unit square.
SHAPES = {
    "heart": ((0.5, 0.95), (0.05, 0.45), (0.1, 0.2), (0.28, 0.08), (0.45, 0.15), (0.5, 0.25)),
    "star": ((0.5, 0.02), (0.62, 0.37), (0.98, 0.37), (0.69, 0.59), (0.8, 0.94), (0.5, 0.72)),
}


def write_apertures(folder: pathlib.Path) -> None:
    """Writes the aperture of the mirror lens, and SHAPES."""
    (folder / "mirror.png").write_bytes((program.ROOT / "assets/lenses/mirror.png").read_bytes())
    side = 256
    for name, half in SHAPES.items():
        around = [*half, *((1 - x, y) for x, y in reversed(half))]
        image = Image.new("L", (side, side))
        ImageDraw.Draw(image).polygon([(x * side, y * side) for x, y in around], fill=255)
        image.save(folder / f"{name}.png")


def panels(satdof: str, samples: int, folder: pathlib.Path, options: str) -> list[Image.Image]:
    """The images of LENSES with these options, and their difference."""
    size = "x".join(str(side * OVERSAMPLING) for side in SIZE)
    shown = []
    for lens in LENSES:
        words = f"--lamps {options} {lens} --lens-samples {samples} --size {size} --time 7.3".split()
        words = [str(folder / word) if word.endswith(".png") else word for word in words]
        program.draw(satdof, folder / "image.png", *words)
        shown.append(Image.open(folder / "image.png").convert("RGB").resize(SIZE, Image.Resampling.BOX))
    return [*shown, ImageChops.difference(*shown).point(lambda value: min(255, value * DIFFERENCE_GAIN))]


def write_motorcycle(folder: pathlib.Path) -> pathlib.Path:
    """Writes motorcycle.pfm, the depth in metres of a photograph of scikit-image (Middlebury 2014). Returns the photograph."""
    import numpy

    data = motorcycle.data_folder()
    if data is None:
        raise SystemExit(
            "scripts/make effects: the photograph is part of scikit-image: pip install scikit-image"
        )
    disparity_px = numpy.load(data / "motorcycle_disp.npz")["arr_0"]
    write_pfm(folder / "motorcycle.pfm", motorcycle.distance_m(disparity_px))
    return data / "motorcycle_left.png"


def effects(options: argparse.Namespace, folder: pathlib.Path, font: ImageFont.FreeTypeFont) -> None:
    strengths, of_each = len(ROWS[0]) - 1, len(LENSES) + 1
    column, row = of_each * SIZE[0] + GAP, SIZE[1] + TITLE
    figure = Image.new("RGB", (strengths * column - GAP, len(ROWS) * row), "white")
    draw = ImageDraw.Draw(figure)
    write_apertures(folder)
    for j, (camera, *strengths_of) in enumerate(ROWS):
        for i, effect in enumerate(strengths_of):
            draw.text((i * column + 4, j * row + 5), effect, "black", font)
            images = panels(options.satdof, options.samples, folder, f"{camera} {effect}")
            for k, image in enumerate(images):
                figure.paste(image, (i * column + k * SIZE[0], j * row + TITLE))
    figure.save(options.out / "optics-effects.jpg", quality=88)


def preset(
    options: argparse.Namespace, image: pathlib.Path, size: tuple[int, int], name: str, *scene: str
) -> Image.Image:
    """A scene through a lens preset, two layers, in pixels of the page."""
    large = "x".join(str(side * OVERSAMPLING) for side in size)
    lens = f"--lens-preset {name} --lens layered --layers 2 --overscan always --size {large}"
    program.draw(options.satdof, image, *scene, *lens.split())
    return Image.open(image).convert("RGB").resize(size, Image.Resampling.BOX)


def presets(options: argparse.Namespace, folder: pathlib.Path, font: ImageFont.FreeTypeFont) -> None:
    photograph = ("--image", str(write_motorcycle(folder)), "--depth", str(folder / "motorcycle.pfm"))
    scenes = (
        TEAPOTS.split(),
        ("--scene", "bodies"),
        ("--scene", "model"),
        (*photograph, "--depth-means", "metres", "--focus-at", "0.5,0.5"),
    )
    width, height = PRESET_SIZE
    row = height + TITLE
    figure = Image.new("RGB", (len(scenes) * (width + 4) - 4, len(PRESETS) * row), "white")
    draw = ImageDraw.Draw(figure)
    for j, name in enumerate(PRESETS):
        draw.text((4, j * row + 3), name, "black", font)
        for i, scene in enumerate(scenes):
            shown = preset(options, folder / "preset.png", PRESET_SIZE, name, *scene)
            figure.paste(shown, (i * (width + 4), j * row + TITLE))
    figure.save(options.out / "optics.jpg", quality=80)

    width, height = STRIP_SIZE
    figure = Image.new("RGB", (3 * width, 2 * height))
    for i, name in enumerate(STRIP):
        shown = preset(options, folder / "preset.png", STRIP_SIZE, name, *TEAPOTS.split())
        figure.paste(shown, (i % 3 * width, i // 3 * height))
    figure.save(options.out / "lens-strip.jpg", quality=90)


def main() -> None:
    parser = program.parser(__doc__)
    parser.add_argument("--satdof", default=program.SATDOF)
    parser.add_argument("--samples", type=int, default=512, help="views of the reference")
    parser.add_argument("--out", type=pathlib.Path, default=program.ROOT / "docs", help="a folder")
    parser.add_argument("--presets", action="store_true", help="the presets only")
    options = parser.parse_args()

    font = ImageFont.truetype("DejaVuSans.ttf", 14)
    with tempfile.TemporaryDirectory(prefix="satdof-effects-") as name:
        folder = pathlib.Path(name)
        if not options.presets:
            effects(options, folder, font)
        presets(options, folder, font)


if __name__ == "__main__":
    main()
