#!/usr/bin/env python3
"""Compares real files of the Debian packages python3-skimage and assimp-testmodels with tables of their contents.

real_files_test.py PATH_TO_SATDOF [unittest arguments]
"""

import pathlib
import unittest

import numpy
from headless_program import ProgramTest, pixels, start
from tools.pfm import read_pfm

IMAGES = pathlib.Path("/usr/lib/python3/dist-packages/skimage/data")
MODELS = pathlib.Path("/usr/share/assimp/models")
LATER, CLEAR = "its later images are left out", "transparent pixels blended over black"
ADOBE, LCD = (f"colours converted from the profile {name}" for name in ("Adobe RGB (1998)", "Color LCD"))

# File, size, notes, mean sRGB colour, and colours at places from the top left, by Pillow and Little CMS.
PICTURES = [
    (
        "chelsea.png",
        (451, 300),
        [],
        (148, 111, 87),
        {(150, 100): (149, 118, 63), (338, 200): (148, 119, 101)},
    ),
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
# File, notes, and the colour in the middle, in the light of the studio.
SPECULAR = "KHR_materials_pbrSpecularGlossiness is converted to metal and roughness"
SHOWN_MODELS = [
    ("OBJ/spider.obj", [], (100, 53, 22)),
    ("OBJ/cube_with_vertexcolors.obj", [], (45, 21, 198)),
    (
        "OBJ/testmixed.obj",
        ['the material "Default" is in no material file', "points and lines are left out"],
        (219, 218, 218),
    ),
    ("glTF2/draco/2CylinderEngine.gltf", [], (230, 229, 227)),
    ("glTF2/BoxTextured-glTF/BoxTextured.gltf", [], (140, 202, 224)),
    ("glTF2/BoxTextured-glTF-pbrSpecularGlossiness/BoxTextured.gltf", [SPECULAR], (126, 152, 97)),
    ("glTF2/ClearCoat-glTF/ClearCoatTest.gltf", ["KHR_materials_clearcoat is left out"], (10, 14, 46)),
    ("glTF2/cameras/Cameras.gltf", ["orthographic cameras are left out"], (215, 214, 213)),
]
# Option, file and reason.
REFUSED = [
    ("--image", IMAGES / "truncated.jpg", "its pixels are missing"),
    ("--model", MODELS / "OBJ/point_cloud.obj", "it has no triangles"),
    ("--model", MODELS / "OBJ/box_UTF16BE.obj", "the text is UTF-16: save the file as UTF-8"),
    ("--model", MODELS / "glTF/TwoBoxes/TwoBoxes.gltf", "asset.version: must be 2.x"),
    ("--model", MODELS / "glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "has an index beyond the vertices"),
    (
        "--model",
        MODELS / "glTF2/RecursiveNodes/RecursiveNodes.gltf",
        "has two parents or is its own ancestor",
    ),
]


def encoded(linear):
    v = numpy.clip(linear, 0, 1)
    return 255 * numpy.where(v <= 0.0031308, 12.92 * v, 1.055 * numpy.maximum(v, 1e-6) ** (1 / 2.4) - 0.055)


def note_lines(path, done):
    start_of_note = f"satdof: note: {path}: "
    return [
        line.removeprefix(start_of_note)
        for line in done.stderr.splitlines()
        if line.startswith(start_of_note)
    ]


class RealFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.depth = pathlib.Path(self.path("depth.pgm"))
        self.depth.write_bytes(b"P5 1 1 255\n\x40")

    def file(self, path):
        if not path.is_file():
            self.skipTest(f"this release of the package has no {path.name}")
        return path

    def sharp(self, size, *arguments):
        """Captures without blur."""
        size = f"{size[0]}x{size[1]}"
        return start("--headless", "--size", size, "--view", "sharp", "--restore-highlights", "1", *arguments)

    @unittest.skipUnless(IMAGES.is_dir(), "python3-skimage is not installed")
    def test_pictures(self):
        capture = pathlib.Path(self.path("image.pfm"))
        for name, size, notes, mean, places in PICTURES:
            with self.subTest(name):
                path = self.file(IMAGES / name)
                done = self.sharp(size, "--image", path, "--depth", self.depth, "--capture", capture)
                self.assertEqual((done.returncode, note_lines(path, done)), (0, notes), done.stderr)
                image = encoded(read_pfm(capture))
                numpy.testing.assert_allclose(image.reshape(-1, 3).mean(0), mean, atol=1.5)
                for (x, y), colour in places.items():
                    numpy.testing.assert_allclose(image[y, x], colour, atol=3)

    @unittest.skipUnless(MODELS.is_dir(), "assimp-testmodels is not installed")
    def test_models(self):
        capture = self.path("image.png")
        for name, notes, colour in SHOWN_MODELS:
            with self.subTest(name):
                path = self.file(MODELS / name)
                light = ("--environment", "studio", "--samples", "1")
                done = self.sharp((96, 64), "--model", path, *light, "--capture", capture)
                self.assertEqual((done.returncode, note_lines(path, done)), (0, notes), done.stderr)
                numpy.testing.assert_allclose(pixels(capture)[32, 48], colour, atol=10)

    def test_refusals(self):
        for option, path, reason in REFUSED:
            with self.subTest(path.name):
                self.refuse(1, [reason, path.name], option, str(self.file(path)), "--depth", str(self.depth))


if __name__ == "__main__":
    unittest.main()
