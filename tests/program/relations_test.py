#!/usr/bin/env python3
"""Runs that must agree: in other environments, or of other files with the same content.

relations_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import os
import pathlib
import re
import unittest

import headless_program
import numpy
from headless_program import SATDOF, ProgramTest, pixels, saved_settings, start
from PIL import Image
from surroundings import turkish_locale

# A format: its extension, and what Pillow needs to write it without losses.
LOSSLESS = {"png": {}, "bmp": {}, "tga": {}, "ppm": {}, "gif": {}, "tif": {}, "webp": {"lossless": True}}
LIBRARIES = {"tif": "libtiff", "webp": "libwebp"}


class Relations(ProgramTest):
    def test_locale_time_zone_and_working_folder_change_nothing(self):
        here, there = pathlib.Path(self.folder), pathlib.Path(self.path("elsewhere"))
        there.mkdir()
        (here / "model.obj").write_text(
            "mtllib MODEL.MTL\nusemtl m\nv -0.5 0.25 0\nv 0.75 0.125 1e-1\nv 0 1.5 -0.25\nf 1 2 3\n"
        )
        (here / "model.mtl").write_text("newmtl m\nKd 0.25 0.5 0.75\nNs 12.5\n")
        (here / "given.json").write_text('{"lens": {"fNumber": 2.8125, "focusDistanceM": 1.75}}')

        def run(folder, **environment):
            to = os.path.relpath(here, folder)
            command = f"--headless --size 64x48 --frames 2 --exposure 0.5 --settings {to}/given.json"
            files = f"--model {to}/model.obj --capture image.png --export depth --stats stats.json"
            options = [*command.split(), *files.split()]
            done = headless_program.run([SATDOF, *options], cwd=folder, env={**os.environ, **environment})
            self.assertEqual(done.returncode, 0, done.stderr)
            stats = json.loads((folder / "stats.json").read_text())
            return (
                saved_settings(folder / "image.png"),
                stats["settings"],
                stats["notes"],
                pixels(folder / "image.png").tolist(),
                pixels(folder / "image-depth.png").tolist(),
            )

        locale = turkish_locale(here)
        expected = run(here, LC_ALL="C.UTF-8", TZ="UTC")
        other = run(there, **{"LC_ALL": "tr_TR.UTF-8", **locale}, TZ="Pacific/Chatham")
        self.assertEqual(expected[0]["lens"]["fNumber"], 2.8125)
        self.assertGreater(numpy.std(expected[3]), 5, "an image, not a plain colour")
        for group in (expected[0], expected[1], other[0], other[1]):
            path = group["scene"]["model"].pop("file")
            self.assertEqual(os.path.basename(path), "model.obj")
        self.assertEqual(other, expected)

    def test_formats_and_batches_give_the_same_image(self):
        noise = numpy.random.default_rng(5).integers(0, 2, (48, 64, 3), dtype=numpy.uint8) * 255
        Image.fromarray(numpy.tile(numpy.arange(64, dtype=numpy.uint8) * 4, (48, 1))).save(
            self.path("depth.png")
        )
        listed = start("--list").stdout
        names = []
        for extension, options in LOSSLESS.items():
            library = LIBRARIES.get(extension)
            if library is None or re.search(rf"{library} .*\d", listed):
                names.append(f"as-{extension}")
                image = Image.fromarray(noise)
                if extension == "gif":  # of eight colours
                    image = image.quantize(8)
                image.save(self.path(f"{names[-1]}.{extension}"), **options)
        files = [self.path(f"{name}.{name[3:]}") for name in names]
        lens = ["--depth", self.path("depth.png"), "--lens", "box", "--f-number", "1.5"]
        self.run_ok("--headless", *lens, "--image", *files, "--capture", self.path("out.png"))
        self.run_ok("--headless", *lens, "--image", files[0], "--capture", self.path("alone.png"))
        alone = pixels(self.path("alone.png"))
        self.assertGreater(alone.std(), 5)
        self.assertGreater(len(names), 4)
        for name in names:
            numpy.testing.assert_array_equal(pixels(self.path(f"out-{name}.png")), alone, name)


if __name__ == "__main__":
    unittest.main()
