#!/usr/bin/env python3
"""Photographs refocused by the headless program.

photographs_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import os
import unittest

import numpy
from headless_program import ProgramTest, pixels, start
from PIL import Image
from tools.pfm import write_pfm


class Photographs(ProgramTest):
    def photograph(self, name="photo.png", size=(96, 64)):
        """Noise whose left half is near, with its depth in metres."""
        noise = numpy.random.default_rng(3).integers(0, 256, (size[1], size[0], 3), dtype=numpy.uint8)
        Image.fromarray(noise).save(self.path(name))
        metres = numpy.where(numpy.arange(size[0]) < size[0] // 2, 1.0, 4.0)
        write_pfm(self.path("depth.pfm"), numpy.broadcast_to(metres, size[::-1]))
        return noise

    def refocus(self, *arguments, status=0):
        done = start("--headless", "--depth", self.path("depth.pfm"), "--lens", "box", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_focus_at_keeps_what_is_there_sharp(self):
        noise = self.photograph().astype(int)
        for at, sharp, blurred in (
            ("0.2,0.5", slice(8, 32), slice(64, 88)),
            ("0.8,0.5", slice(64, 88), slice(8, 32)),
        ):
            out = self.path("out.png")
            self.refocus(
                "--image", self.path("photo.png"), "--focus-at", at, "--f-number", "1", "--capture", out
            )
            shown = pixels(out)
            self.assertEqual(shown.shape, noise.shape, "the size of the image")
            self.assertLessEqual(numpy.abs(shown - noise)[:, sharp].max(), 2)
            self.assertLess(shown[:, blurred].std(), 0.7 * noise[:, blurred].std())

    def test_captures_and_statistics_name_no_folder(self):
        self.photograph()
        names = ("out.png", "out.exr", "out.hdr")
        for name in (*names, "sub/out.png"):
            os.makedirs(self.path("sub"), exist_ok=True)
            self.refocus(
                "--image", self.path("photo.png"), "--capture", self.path(name), "--export", "colour"
            )
        self.refocus("--image", self.path("photo.png"), "--stats", self.path("stats.json"), "--frames", "2")
        for name in (*names, "out-colour.png", "out-colour.exr", "sub/out.png", "stats.json"):
            with open(self.path(name), "rb") as file:
                content = file.read()
            if not name.endswith(".hdr"):  # whose lines are short
                self.assertIn(b"photo.png", content, name)
            self.assertNotIn(self.folder.encode(), content, name)
        # Found beside the capture from any working folder.
        done = self.run_ok(
            "--headless", "--settings", self.path("out.exr"), "--capture", self.path("again.png")
        )
        for line in done.stderr.splitlines():
            self.assertTrue(line.startswith("satdof: note: "), line)
        numpy.testing.assert_array_equal(pixels(self.path("again.png")), pixels(self.path("out.png")))

    def test_captures_keep_the_facts_of_the_photograph_without_its_place(self):
        self.photograph()
        exif = Image.Exif()
        exif.update({0x010F: "Cam", 0x0110: "Cam One", 0x0112: 6})
        exif[0x8769] = {0x9003: "2024:05:06 07:08:09", 0xA434: "Fifty"}
        exif[0x8825] = {1: "N"}
        with Image.open(self.path("photo.png")) as image:
            turned = image.transpose(Image.Transpose.ROTATE_90)
            turned.save(self.path("photo.jpg"), exif=exif, quality=95)
            size = image.size
        for out in ("out.png", "out.exr", "out.hdr"):
            self.refocus("--image", self.path("photo.jpg"), "--capture", self.path(out))
            with open(self.path(out), "rb") as file:
                content = file.read()
            for kept in (b"Camera", b"Cam One", b"Fifty", b"2024:05:06 07:08:09"):
                self.assertTrue(kept in content, (kept, out))
        with Image.open(self.path("out.png")) as image:
            self.assertEqual(image.size, size)
            kept = image.getexif()
            self.assertEqual((kept[0x0110], kept[0x0112]), ("Cam One", 1))
            self.assertEqual(kept.get_ifd(0x8769)[0xA434], "Fifty")
            self.assertNotIn(0x8825, kept)
        self.refocus(
            *("--image", self.path("photo.jpg"), "--capture", self.path("none.png")),
            *("--keep-metadata", "none", "--compare", "gems"),
        )
        for out in ("none.png", "none-gems.png", "none-difference.png"):
            with open(self.path(out), "rb") as file:
                self.assertNotIn(b"Cam One", file.read(), out)

    def test_names_need_not_be_utf8(self):
        inside = os.fsdecode(b"in\xff")
        os.mkdir(self.path(inside))
        for name in ("one.png", os.fsdecode(b"two\xfe.png")):
            self.photograph(f"{inside}/{name}")
        self.refocus("--image", self.path(inside), "--capture", self.path("out.png"))
        self.run_ok(
            *("--headless", "--settings", self.path(os.fsdecode(b"out-two\xfe.png"))),
            *("--capture", self.path("again.png")),
        )
        numpy.testing.assert_array_equal(
            pixels(self.path("again.png")), pixels(self.path(os.fsdecode(b"out-two\xfe.png")))
        )

    def test_one_bad_file_does_not_end_a_batch(self):
        self.photograph("a.png")
        self.photograph("c.png")
        with open(self.path("b.png"), "w") as file:
            file.write("no image")
        files = [self.path(name) for name in ("a.png", "b.png", "c.png")]
        done = self.refocus("--image", *files, "--capture", self.path("out.png"), status=1)
        self.assertIn("1 of 3: ", done.stdout)
        self.assertIn("2 of 3 files done", done.stdout)
        self.assertIn('b.png": it is no image', done.stderr)
        self.assertIn("1 of 3 files failed: ", done.stderr)
        self.assertEqual(
            [name for name in self.files() if name.startswith("out")], ["out-a.png", "out-c.png"]
        )

    def test_a_folder_is_a_batch(self):
        os.mkdir(self.path("in"))
        for name in ("in/one.png", "in/two.png"):
            self.photograph(name)
        done = self.refocus(
            "--image", self.path("in"), "--depth-means", "metres", "--capture", self.path("out.png")
        )
        self.assertIn("2 of 2 files done", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertTrue({"out-one.png", "out-two.png"} <= set(self.files()))
        os.mkdir(self.path("depths"))
        for name in ("one", "two"):
            with open(self.path(f"depths/{name}.pfm"), "wb") as file:
                file.write(b"Pf\n9")
        batch = ("--headless", "--image", self.path("in"), "--capture", self.path("none.png"))
        for more, said in (
            ([], 'in/{}.png": it holds no depth'),
            (["--depth", self.path("depths")], "depths/{}.pfm"),
        ):
            done = start(*batch, *more)
            self.assertEqual(done.returncode, 1)
            for name in ("one", "two"):
                self.assertIn(said.format(name), done.stderr)

    def test_notes_of_the_readers_are_on_stderr_and_in_the_statistics(self):
        self.photograph()
        with Image.open(self.path("photo.png")) as image:
            image.putalpha(200)
            image.save(self.path("glass.png"))
        write_pfm(self.path("depth.pfm"), numpy.array([[1, numpy.nan], [1, 4]]))
        stats = self.path("stats.json")
        done = self.refocus("--image", self.path("glass.png"), "--frames", "2", "--stats", stats)
        with open(stats) as file:
            notes = json.load(file)["notes"]
        said = [line.replace(self.folder + "/", "") for line in done.stderr.splitlines()]
        self.assertEqual(said, ["satdof: note: " + note for note in notes])
        depth = "depth.pfm"
        os.rename(self.path("glass.png"), self.path("g\nl\x1b[31m.png"))
        done = self.refocus("--image", self.path("g\nl\x1b[31m.png"), "--frames", "2", "--stats", stats)
        with open(stats) as file:
            self.assertTrue(json.load(file)["notes"][0].startswith("g\\nl\\u001b[31m.png: "))
        self.assertNotIn("\x1b", done.stderr)
        for file, said in (
            ("glass.png", "transparent"),
            (depth, "taken for metres"),
            (depth, "1 pixel without valid depth"),
            (depth, "stretched"),
        ):
            self.assertTrue(any(n.startswith(file + ": ") and said in n for n in notes), (said, notes))

    def test_a_damaged_correction_is_told(self):
        self.photograph()
        photo, depth = self.path("photo.png"), self.path("photo-depth.pfm")
        os.rename(self.path("depth.pfm"), depth)
        with open(self.path("photo.png.corrected-depth.exr"), "wb") as file:
            file.write(b"v/1\x01")
        done = self.run_ok("--headless", "--image", photo)
        self.assertIn("without this correction", done.stderr)
        os.remove(depth)
        self.refuse(1, ["corrected-depth.exr"], "--image", photo)

    def test_what_cannot_be_refocused_says_why(self):
        self.photograph()
        photo, depth = self.path("photo.png"), self.path("depth.pfm")
        self.refuse(1, ["no image", "--image FILE"], "--scene", "image")
        self.refuse(1, ["holds no depth", "--depth FILE"], "--image", photo)
        self.refuse(1, ["cannot read", "missing.pfm"], "--image", photo, "--depth", self.path("missing.pfm"))
        self.refuse(
            1, ["reference lens", "one viewpoint"], "--image", photo, "--depth", depth, "--lens", "reference"
        )
        self.refuse(2, ["--focus-at", "expected"], "--image", photo, "--focus-at", "middle")
        self.refuse(2, ["--headless"], "--image", photo, photo, "--frames", "1", headless=False)


if __name__ == "__main__":
    unittest.main()
