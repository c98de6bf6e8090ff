#!/usr/bin/env python3
"""Comparisons of two lenses by the headless program.

comparisons_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import pathlib
import re
import unittest

import numpy
from headless_program import ProgramTest, pixels, start
from tools import compare

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"


class Comparisons(ProgramTest):
    def compare(self, lens, *arguments):
        """Runs --compare. Returns what it adds to the statistics."""
        path = self.path("stats.json")
        self.draw("--no-animate", "--compare", lens, "--stats", path, *arguments)
        with open(path) as file:
            return json.load(file)["compare"]

    def test_blur_is_nearer_to_the_reference_than_none(self):
        samples = ("--lens-samples", "64")
        box = self.compare("reference", "--lens", "box", *samples)
        sharp = self.compare("reference", "--view", "sharp", *samples)
        for result in (box, sharp):
            metrics = ("psnrDb", "ssim", "flip", "noiseFloorPsnrDb", "noiseFloorSsim", "noiseFloorFlip")
            self.assertEqual(set(result), {"lens", "samples", *metrics})
            self.assertEqual((result["lens"], result["samples"]), ("reference", 64))
            self.assertLess(result["ssim"], result["noiseFloorSsim"])
            self.assertLess(result["noiseFloorSsim"], 1)
            self.assertLess(result["psnrDb"], result["noiseFloorPsnrDb"])
        self.assertEqual(box["noiseFloorPsnrDb"], sharp["noiseFloorPsnrDb"])
        self.assertGreater(box["psnrDb"], sharp["psnrDb"] + 1)
        self.assertGreater(box["ssim"], sharp["ssim"] + 0.02)
        if box["flip"] is not None:
            self.assertLess(box["noiseFloorFlip"], box["flip"])
            self.assertLess(box["flip"], sharp["flip"])

    def test_any_two_lenses(self):
        same = self.compare("box", "--lens", "box")
        self.assertEqual((same["psnrDb"], same["ssim"], same["noiseFloorPsnrDb"]), (None, 1, None))
        self.assertLess(self.compare("gems", "--lens", "box")["ssim"], 1)

    def test_both_images_are_captured(self):
        image = self.path("image.png")
        result = self.compare("reference", "--lens", "box", "--capture", image)
        ours, theirs = pixels(image) / 255, pixels(self.path("image-reference.png")) / 255
        psnr = -10 * numpy.log10(((ours - theirs) ** 2).mean())
        self.assertAlmostEqual(psnr, result["psnrDb"], delta=0.05)
        heat = pixels(self.path("image-difference.png"))
        apart = numpy.abs(ours - theirs).max(axis=2)
        self.assertLess(heat[apart < 0.003].max(), 130, "dark where they agree")
        self.assertTrue((heat[apart > 0.13] >= 250).all(), "white where they are an eighth apart")

    def test_the_captures_of_two_builds_have_options_of_the_help(self):
        lines = (SCRIPTS / "tools/captures.txt").read_text().splitlines()
        used = " ".join([line.partition("#")[0] for line in lines] + compare.command_line(""))
        named = re.findall(r"^ *(--[a-z0-9-]+)", start("--help").stdout, re.MULTILINE)
        self.assertEqual(set(re.findall(r"--[a-z0-9-]+", used)) - set(named), set())


if __name__ == "__main__":
    unittest.main()
