#!/usr/bin/env python3
"""Real files of Debian packages, against tables of what they show: python3-skimage, assimp-testmodels.

real_files_test.py PATH_TO_SATDOF [unittest arguments]
"""

import pathlib
import unittest

import numpy
from headless_program import ProgramTest, pixels, start

IMAGES = pathlib.Path("/usr/lib/python3/dist-packages/skimage/data")
MODELS = pathlib.Path("/usr/share/assimp/models")
LATER, CLEAR = "its later images are left out", "transparent pixels blended over black"
ADOBE, LCD = (f"colours converted from the profile {name}" for name in ("Adobe RGB (1998)", "Color LCD"))

# File, size, notes, mean sRGB colour, and colours at places from the top left, by Pillow and Little CMS.
PICTURES = [
    ("chelsea.png", (451, 300), [], (148, 111, 87), {(150, 100): (149, 118, 63), (338, 200): (148, 119, 101)}),
    ("camera.png", (512, 512), [], (129, 129, 129), {(170, 170): (237, 237, 237)}),
    ("checker_bilevel.png", (10, 10), [], (128, 128, 128), {(3, 3): (0, 0, 0), (7, 6): (255, 255, 255)}),
    ("palette_color.png", (10, 10), [], (116, 114, 124), {(3, 3): (153, 255, 0), (7, 6): (153, 51, 204)}),
    ("foo3x5x4indexed.png", (5, 3), [CLEAR], (42, 10, 170), {(1, 1): (0, 0, 0), (3, 2): (0, 31, 255)}),
    ("horse.png", (400, 328), [CLEAR], (171, 171, 171), {(133, 109): (0, 0, 0), (300, 218): (255, 255, 255)}),
    ("color.png", (371, 370), [LCD], (92, 92, 88), {(123, 123): (238, 94, 210), (278, 246): (98, 223, 46)}),
    ("rocket.jpg", (640, 427), [ADOBE], (41, 58, 82), {(213, 142): (30, 62, 101), (480, 284): (34, 57, 87)}),
    ("multipage.tif", (10, 15), [LATER], (128, 128, 128), {(3, 5): (91, 91, 91), (7, 10): (183, 183, 183)}),
    ("_blobs_3d_fiji_skeleton.tif", (32, 32), [LATER], (20, 20, 20), {(10, 10): (0, 0, 0)}),
    ("no_time_for_that_tiny.gif", (14, 25), [LATER], (112, 117, 107), {(10, 16): (86, 73, 67)}),
]
# File and reason.
NO_PICTURES = [
    ("truncated.jpg", "a segment of its metadata exceeds the file"),
    ("multipage_rgb.tif", "can not handle images with 64-bit samples"),
]


def linear_pixels(path):
    """A PFM, top row first."""
    magic, size, _, samples = path.read_bytes().split(b"\n", 3)
    assert magic == b"PF"
    width, height = (int(word) for word in size.split())
    return numpy.frombuffer(samples, "<f4").reshape(height, width, 3)[::-1]


def encoded(linear):
    v = numpy.clip(linear, 0, 1)
    return 255 * numpy.where(v <= 0.0031308, 12.92 * v, 1.055 * numpy.maximum(v, 1e-6) ** (1 / 2.4) - 0.055)


def needs(folder, package):
    return unittest.skipUnless(folder.is_dir(), f"needs the files of {package} in {folder}")


class RealFiles(ProgramTest):
    def file(self, folder, name):
        """The file, if this release of the package has it."""
        path = folder / name
        if not path.is_file():
            self.skipTest(f"this release of the package has no {name}")
        return path

    def run_of(self, path, *arguments):
        """A run, and its notes about the file."""
        done = start("--headless", *arguments)
        start_of_note = f"satdof: note: {path}: "
        notes = [line[len(start_of_note) :] for line in done.stderr.splitlines() if line.startswith(start_of_note)]
        return done, notes

    def sharp(self, path, size, capture):
        depth = pathlib.Path(self.path("depth.pgm"))
        depth.write_bytes(b"P5 1 1 255\n\x40")
        arguments = ["--size", f"{size[0]}x{size[1]}", "--image", str(path), "--depth", str(depth)]
        return self.run_of(
            path, *arguments, "--view", "sharp", "--restore-highlights", "1", "--capture", str(capture)
        )

    @needs(IMAGES, "python3-skimage")
    def test_pictures(self):
        for name, size, notes, mean, places in PICTURES:
            with self.subTest(name):
                path, capture = self.file(IMAGES, name), pathlib.Path(self.path("image.pfm"))
                done, found = self.sharp(path, size, capture)
                self.assertEqual((done.returncode, found), (0, notes), done.stderr)
                image = encoded(linear_pixels(capture))
                numpy.testing.assert_allclose(image.reshape(-1, 3).mean(0), mean, atol=1.5)
                for (x, y), colour in places.items():
                    numpy.testing.assert_allclose(image[y, x], colour, atol=3)

    @needs(IMAGES, "python3-skimage")
    def test_pictures_that_are_refused(self):
        for name, reason in NO_PICTURES:
            with self.subTest(name):
                path = self.file(IMAGES, name)
                done, _ = self.sharp(path, (64, 64), self.path("image.pfm"))
                self.assertEqual(done.returncode, 1)
                self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
