#!/usr/bin/env python3
"""Compares library/example/refocus with captures of the program, on the processor.

refocus_test.py REFOCUS SATDOF
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

REFOCUS, SATDOF = map(os.path.abspath, sys.argv[1:3])
WIDTH, HEIGHT = 131, 87


def write(path: pathlib.Path, values: numpy.ndarray) -> None:
    kind = "PF" if values.ndim == 3 else "Pf"
    path.write_bytes(b"%s\n%d %d\n-1.0\n" % (kind.encode(), WIDTH, HEIGHT) + values.astype("<f4").tobytes())


def read(path: pathlib.Path) -> numpy.ndarray:
    kind, size, _, values = path.read_bytes().split(b"\n", 3)
    assert (kind, size) == (b"PF", b"%d %d" % (WIDTH, HEIGHT)), path
    return numpy.frombuffer(values, "<f4")


class Refocus(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        random = numpy.random.default_rng(5)
        light = random.random((HEIGHT, WIDTH, 3)) ** 3
        light[random.random((HEIGHT, WIDTH)) < 0.01] *= 40  # bokeh sprites
        self.metres = (
            numpy.where(numpy.arange(WIDTH) < WIDTH // 3, 0.7, 3.0) + random.random((HEIGHT, WIDTH)) * 0.2
        )
        self.metres[: HEIGHT // 4] = 40.0
        write(self.folder / "image.pfm", light)

    def images(self, depth: numpy.ndarray, **options):
        """The images of the library and of the program, which stores half floats."""
        write(self.folder / "depth.pfm", depth)
        image, distances = self.folder / "image.pfm", self.folder / "depth.pfm"
        # The program replaces pixels that mix two surfaces, unless edges are exact.
        options = {"depth_edge_radius": 0, **options}
        pairs, words = [], []
        for name, value in options.items():
            option = name.replace("_", "-")
            pairs += [option, str(value).lower()]
            words += [f"--no-{option}"] if value is False else [f"--{option}", str(value)]
        found = []
        for file, command in (
            ("library.pfm", [REFOCUS, image, distances, self.folder / "library.pfm", *pairs]),
            (
                "program.pfm",
                [SATDOF, "--headless", "--device", "cpu", "--image", image, "--depth", distances]
                + ["--layers", 1, "--capture", self.folder / "program.pfm", *words],
            ),
        ):
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
            self.assertEqual(0, done.returncode, done.stderr)
            found.append(read(self.folder / file))
        return found

    def check(self, depth: numpy.ndarray, **options):
        library, program = self.images(depth, **options)
        rounded = library.astype(numpy.float16)
        # Drivers of OpenGL round to half floats, or cut.
        cut = numpy.where(abs(rounded) > abs(library), numpy.nextafter(rounded, numpy.float16(0)), rounded)
        halves = [values.astype("<f4").tobytes() for values in (rounded, cut)]
        self.assertIn(program.tobytes(), halves, options)
        blurred = numpy.abs(library - read(self.folder / "image.pfm")) > 0.01
        self.assertGreater(blurred.mean(), 0.3, options)

    def test_layered(self):
        self.check(self.metres, lens="layered", focus=1.2, f_number=0.4)

    def test_layered_aperture_of_blades_with_holes_in_the_depth(self):
        self.metres[30:40, 50:60] = numpy.nan
        self.check(self.metres, lens="layered", focus=3, f_number=0.5, blades=6, cat_eye=0.5, kernel_steps=4)

    def test_box_of_relative_depth(self):
        near = 1 / self.metres
        near = (near - near.min()) / (near.max() - near.min())
        self.check(near, lens="box", f_number=0.5, bokeh=False, depth_means="relative", depth_near=0.7)

    def test_a_lens_with_faults(self):
        """The tolerance is larger: the processor rounds tangents and means of four in its own way."""
        library, program = self.images(
            self.metres,
            **{"lens": "layered", "focus": 1.5, "f_number": 0.5, "tilt_x": 4, "field_curvature": 2},
            **{"axial_colour": 0.1, "lateral_colour": 0.5, "cat_eye": 0.4, "vignetting": 0.5},
        )
        apart = numpy.abs(library.astype(float) - program.astype(float)) / (program.astype(float) + 0.02)
        self.assertLess(numpy.quantile(apart, 0.99), 0.005)

    def test_says_what_is_wrong(self):
        write(self.folder / "depth.pfm", self.metres)
        for wrong, says in (
            (("f-number", "0"), "f-number must be 0.1 to 128, not 0"),
            (("f-stop", "2"), 'no option of the lens is called "f-stop"'),
            (("lens", "reference"), "lens must be one of box, layered, not reference"),
            (("blades", "2.5"), "blades must be a whole number, not 2.5"),
        ):
            command = [
                REFOCUS,
                self.folder / "image.pfm",
                self.folder / "depth.pfm",
                self.folder / "out.pfm",
                *wrong,
            ]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(1, done.returncode)
            self.assertIn(says, done.stderr)
            self.assertFalse((self.folder / "out.pfm").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
