#!/usr/bin/env python3
"""Refocuses the Middlebury pair of scikit-image by its ground truth: middlebury_test.py PATH_TO_SATDOF.

Compares the radii of the circles of confusion with R = K (1 - (d + doffs) / (d_S + doffs)), for disparities d. Ends with
status 77 where scikit-image, or its data, is not installed: pip install scikit-image==0.26.0.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image

sys.path.append(str(pathlib.Path(__file__).parents[2] / "scripts"))
from tools.motorcycle import BASELINE_MM, DOFFS_PX, FOCAL_PX, data_folder, distance_m  # noqa: E402
from tools.pfm import read_pfm, write_pfm  # noqa: E402

SATDOF = os.path.abspath(sys.argv.pop(1))
CALIBRATION = (
    f"cam0=[{FOCAL_PX} 0 311.193; 0 {FOCAL_PX} 254.877; 0 0 1]\ndoffs={DOFFS_PX}\nbaseline={BASELINE_MM}\n"
)
FOCAL_MM, SENSOR_MM, F_NUMBER = 50.0, 24.0, 2.0
DATA = data_folder()
if DATA is None:
    print("skipped: scikit-image with its data is not installed (pip install scikit-image==0.26.0)")
    sys.exit(77)


class Middlebury(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-middlebury-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.disparity = numpy.load(DATA / "motorcycle_disp.npz")["arr_0"].astype("<f4")
        write_pfm(self.folder / "disp.pfm", self.disparity)
        (self.folder / "calib.txt").write_text(CALIBRATION)
        self.known = numpy.isfinite(self.disparity)

    def refocus(self, name, disparity, *options):
        """Writes the image focused on a disparity; returns the distance in metres."""
        focus_m = distance_m(disparity)
        done = subprocess.run(
            [SATDOF, "--headless", "--image", DATA / "motorcycle_left.png"]
            + ["--depth", self.folder / "disp.pfm", "--focus", repr(focus_m)]
            + [
                "--f-number",
                str(F_NUMBER),
                "--focal-length",
                str(FOCAL_MM),
                "--sensor-height",
                str(SENSOR_MM),
            ]
            + ["--depth-edge-radius", "0", "--lens", "layered", "--capture", self.folder / name, *options],
            capture_output=True,
            text=True,
            timeout=300,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return focus_m

    def test_radii_follow_the_disparity(self):
        height = self.disparity.shape[0]
        nearest, farthest = self.disparity[self.known].max(), self.disparity[self.known].min()
        for focused in (nearest, (nearest + farthest) / 2, farthest):
            focus_m = self.refocus("image.pfm", float(focused), "--export", "coc")
            radii = read_pfm(self.folder / "image-coc.pfm")
            self.assertEqual(radii.shape, self.disparity.shape)
            focal_m = FOCAL_MM * 1e-3
            k = focal_m**2 * height / (2 * F_NUMBER * (focus_m - focal_m) * SENSOR_MM * 1e-3)
            expected = k * (1 - (self.disparity + DOFFS_PX) / (focused + DOFFS_PX))
            error = numpy.abs(radii - expected)[self.known].max()
            print(f"focus at {focus_m:.3f} m: K = {k:.2f} px, largest error of R {error:.2g} px")
            self.assertLess(error, 1e-3)

    def test_what_is_in_focus_stays_sharp(self):
        with Image.open(DATA / "motorcycle_left.png") as image:
            original = numpy.asarray(image.convert("RGB")).astype(int)
        focused = float(self.disparity[self.known].max())
        self.refocus("image.png", focused, "--export", "coc")
        with Image.open(self.folder / "image.png") as image:
            shown = numpy.asarray(image.convert("RGB")).astype(int)
        with Image.open(self.folder / "image-coc.png") as image:
            stored = numpy.asarray(image).astype(float) - 32768
            scale = float(image.text["satdof-coc"].split('"scale": ')[1].split(",")[0].rstrip("}"))
        radii = numpy.abs(stored / scale)
        change = numpy.abs(shown - original).max(axis=2)
        sharp, blurred = change[self.known & (radii < 0.25)], change[self.known & (radii > 2)]
        print(
            f"largest blur {radii.max():.1f} px; mean change in focus {sharp.mean():.2f}, blurred {blurred.mean():.2f}"
        )
        self.assertGreater(sharp.size, 1000)
        self.assertLess(sharp.mean(), 1.0)
        self.assertGreater(blurred.mean(), 4 * sharp.mean())


if __name__ == "__main__":
    unittest.main()
