#!/usr/bin/env python3
"""Images of the headless program: devices, views, filters and options.

images_test.py PATH_TO_SATDOF [unittest arguments]
"""

import itertools
import json
import pathlib
import unittest

import numpy
from headless_program import (
    CAN,
    LENS_SAMPLES,
    SATDOF,
    SIZE,
    UINT32_TOLERANCE,
    ProgramTest,
    pixels,
    start,
    without_progress,
)
from tools.random_settings import Drawer


class Images(ProgramTest):
    def image(self, *arguments):
        """ProgramTest.image(), but all runs of a test share one process."""
        if not hasattr(self, "drawer"):
            self.drawer = Drawer(pathlib.Path(SATDOF).with_name("satdof_drawer"), self.folder)
            self.addCleanup(lambda: self.assertEqual(self.drawer.end(), 0))
        size = ["--size", "%dx%d" % SIZE, "--lens-samples", LENS_SAMPLES]
        status, said = self.drawer.draw(["--headless", *size, "--capture", "image.png", *arguments])
        self.assertEqual((status, without_progress(said)), (0, ""), arguments)
        self.assertEqual(pixels(self.path("image.png")).shape[1::-1], SIZE)
        return pixels(self.path("image.png"))

    def test_software_opengl_of_four_lanes_draws_the_same(self):
        options = ["--size", "%dx%d" % SIZE, "--no-animate", "--device", "cpu", "--lens", "box"]
        # No shader cache: its keys in Mesa leave out the vector width.
        four_lanes = {"LP_NATIVE_VECTOR_WIDTH": "128", "MESA_SHADER_CACHE_DISABLE": "true"}
        self.run_ok("--headless", *options, "--capture", self.path("four.png"), **four_lanes)
        eight = self.image(*options[2:])
        self.assertLessEqual(numpy.abs(pixels(self.path("four.png")) - eight).max(), 1)

    def test_every_device_scan_and_lens_agree(self):
        techniques = []
        for device in CAN["device"]:
            scans = CAN["scan"] if device == "cuda" else [None]
            techniques += [["--device", device] + (["--scan", scan] if scan else []) for scan in scans]
        self.assertIn(["--device", "cpu-sequential"], techniques)
        for lens in CAN["lens"]:
            expected = self.image("--lens", lens, "--device", "cpu-sequential")
            self.assertGreater(expected.std(), 10, "an image, not a plain colour")
            for technique in techniques:
                with self.subTest(lens=lens, technique=technique):
                    difference = numpy.abs(self.image("--lens", lens, *technique) - expected)
                    self.assertLessEqual(difference.max(), UINT32_TOLERANCE)

    def test_float_tables_look_like_exact_ones(self):
        expected = self.image()
        for device, table_format in itertools.product(("gl-compute", "cpu"), ("float32", "float32-mean")):
            if device in CAN["device"]:
                difference = numpy.abs(
                    self.image("--device", device, "--table-format", table_format) - expected
                )
                self.assertLess(difference.mean(), 0.5, (device, table_format))

    def test_views_and_options_change_the_image(self):
        expected = self.image("--no-animate")
        options = [["--lens", "layered", "--view", view] for view in CAN["view"] if view != "final"]
        options += [
            ["--focus", "0.8"],
            ["--f-number", "8"],
            ["--focal-length", "100"],
            ["--teapots", "100"],
            ["--no-lamps"],
            ["--yaw", "60"],
            ["--pitch", "30"],
            ["--distance", "4"],
            ["--fov", "60"],
            ["--exposure", "-2"],
            ["--time", "3"],
            ["--lens", "gems"],
            ["--autofocus", "--focus", "50"],
            ["--split", "--split-view", "depth"],
        ]
        for option in options:
            with self.subTest(option=option):
                self.assertGreater(numpy.abs(self.image("--no-animate", *option) - expected).max(), 8)

    def test_every_filter_variant_agrees(self):
        for mask in ("blur", "sharpen", "edges", "emboss"):
            expected = self.image("--filter", mask, "--filter-variant", "cpu-sequential")
            self.assertGreater(numpy.abs(expected - self.image()).max(), 8)
            for variant in CAN["filter-variant"]:
                with self.subTest(mask=mask, variant=variant):
                    difference = numpy.abs(
                        self.image("--filter", mask, "--filter-variant", variant) - expected
                    )
                    self.assertLessEqual(difference.max(), 2)

    def test_a_mask_from_a_file(self):
        path = self.path("mask.json")
        with open(path, "w") as file:
            json.dump({"width": 1, "height": 3, "weights": [0, 0, 1]}, file)
        plain, filtered = self.image(), self.image("--filter", path)
        # Each pixel becomes the one below.
        self.assertLessEqual(numpy.abs(filtered[:-1] - plain[1:]).max(), 1)

    def test_split_shows_both_sides(self):
        left, right = self.image(), self.image("--view", "sharp")
        both = self.image("--split", "--split-view", "sharp", "--split-position", "0.25")
        column = SIZE[0] // 4
        # A whole image may be encoded on the processor, a split image by OpenGL: bytes may differ by 1.
        for shown, side in (
            (both[:, : column - 2], left[:, : column - 2]),
            (both[:, column + 2 :], right[:, column + 2 :]),
        ):
            self.assertLessEqual(numpy.abs(shown.astype(int) - side.astype(int)).max(), 1)

    def test_bodies_are_the_same_in_every_run(self):
        bodies = ["--scene", "bodies", "--bodies", "400", "--time", "0.5"]
        for solver in CAN["solver"]:
            image = self.image(*bodies, "--solver", solver)
            self.assertGreater(image.max(), 100, solver)
            again = super().image(*bodies, "--solver", solver)
            self.assertEqual(abs(image - again).max(), 0, solver)
        seen = [self.image(*bodies, "--initial", initial) for initial in CAN["initial"]]
        for a, b in itertools.combinations(seen, 2):
            self.assertGreater(abs(a - b).max(), 50)

    def test_odd_sizes(self):
        for size in ("1x1", "1x77", "131x1", "37x53"):
            path = self.path("odd.png")
            done = start("--headless", "--size", size, "--capture", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""), size)
            self.assertEqual("%dx%d" % pixels(path).shape[1::-1], size)


if __name__ == "__main__":
    unittest.main()
