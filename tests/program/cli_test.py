#!/usr/bin/env python3
"""Runs the real program as a person would, headless: cli_test.py PATH_TO_SATDOF [unittest arguments].

Decodes what it writes, compares devices, and checks that every bad input ends with the right status, one line on
stderr, and no file.
"""

import csv
import itertools
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import numpy
from PIL import Image

SATDOF = os.path.abspath(sys.argv.pop(1))
SIZE = (160, 90)
UINT32_TOLERANCE = 1  # of 255, between devices
LENS_SAMPLES = "16"


def start(*arguments, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [SATDOF, *arguments], env={**env, **environment}, capture_output=True, text=True, timeout=120
    )


def available():
    """{kind: [names that can run here]} from --list."""
    done = start("--list")
    assert done.returncode == 0, done.stderr
    kinds = {}
    for line in done.stdout.splitlines():
        kind, name, state = re.fullmatch(
            r"(\S+) +(\S+) +(available|not available: .+?)(?:: .*| - .*)?", line
        ).groups()
        kinds.setdefault(kind, [])
        if state == "available":
            kinds[kind].append(name)
    return kinds


CAN = available()


def pixels(path):
    """An image as integers, (rows, columns, 3)."""
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB"), dtype=int)


def saved_settings(path):
    """The settings in an image's text."""
    with Image.open(path) as image:
        return json.loads(image.text["satdof-settings"])


def mesa_vendor():
    return next(
        (path for path in ("/usr/share/glvnd/egl_vendor.d/50_mesa.json",) if os.path.exists(path)), ""
    )


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="satdof-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self):
        return sorted(os.listdir(self.folder))

    def draw(self, *arguments):
        """A successful headless run at the test's size."""
        done = start("--headless", "--size", "%dx%d" % SIZE, "--lens-samples", LENS_SAMPLES, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done

    def image(self, *arguments):
        """The pixels that a run captures, as integers (rows, columns, 3)."""
        path = self.path("image.png")
        self.draw("--capture", path, *arguments)
        with Image.open(path) as image:
            self.assertEqual((image.format, image.mode, image.size), ("PNG", "RGB", SIZE))
        return pixels(path)

    def refuse(self, status, says, *arguments, headless=True, **environment):
        """A run that ends with `status`, one line on stderr with all of `says`, and no new file."""
        before = self.files()
        done = start(*(["--headless"] if headless else []), *arguments, **environment)
        with self.subTest(arguments=arguments):
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("satdof: ") and done.stderr.endswith("\n"))
            for text in says:
                self.assertIn(text, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertEqual(self.files(), before)


class Images(ProgramTest):
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
        # The processor may encode an image alone, OpenGL one in parts: they round to bytes by up to one.
        for shown, side in (
            (both[:, : column - 2], left[:, : column - 2]),
            (both[:, column + 2 :], right[:, column + 2 :]),
        ):
            self.assertLessEqual(numpy.abs(shown.astype(int) - side.astype(int)).max(), 1)

    def test_names_of_version_0_1_still_work(self):
        old = self.image("--backend", "cpu", "--sat-format", "float32", "--no-highlights", "--stretch", "0.5")
        new = self.image(
            "--device", "cpu", "--table-format", "float32", "--no-bokeh", "--anamorphic-ratio", "0.5"
        )
        numpy.testing.assert_array_equal(old, new)
        self.assertGreater(numpy.abs(new - self.image("--device", "cpu")).max(), 8)

    def test_bodies_are_the_same_in_every_run(self):
        bodies = ["--scene", "bodies", "--bodies", "400", "--time", "0.5"]
        for solver in CAN["solver"]:
            image = self.image(*bodies, "--solver", solver)
            self.assertGreater(image.max(), 100, solver)
            self.assertEqual(abs(image - self.image(*bodies, "--solver", solver)).max(), 0, solver)
        seen = [self.image(*bodies, "--initial", initial) for initial in CAN["initial"]]
        for a, b in itertools.combinations(seen, 2):
            self.assertGreater(abs(a - b).max(), 50)

    def test_odd_sizes(self):
        for size in ("1x1", "1x77", "131x1", "37x53"):
            path = self.path("odd.png")
            done = start("--headless", "--size", size, "--capture", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""), size)
            self.assertEqual("%dx%d" % pixels(path).shape[1::-1], size)


class Sequences(ProgramTest):
    def range_of(self, name, first, last, *arguments):
        self.draw("--sequence", self.path(name), "--first", str(first), "--last", str(last), *arguments)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def expect_equal_ranges(self, *arguments, extension="png"):
        """Ranges, drawn in any order, give the bytes of one long run."""
        options = ["--frames", "5", "--fps", "8", *arguments]
        self.draw("--sequence", self.path("long." + extension), *options)
        for first, last in ((4, 5), (1, 1), (2, 3)):
            self.range_of("part." + extension, first, last, *options)
        for frame in range(1, 6):
            name = f"-{frame:04d}.{extension}"
            self.assertEqual(self.content("part" + name), self.content("long" + name), (arguments, frame))
        images = {self.content(f"long-{frame:04d}.{extension}") for frame in range(1, 6)}
        self.assertEqual(len(images), 5, "the frames differ")
        for name in self.files():
            os.remove(self.path(name))

    def test_ranges_equal_one_long_run(self):
        self.expect_equal_ranges("--autofocus", "--lens", "box", "--table-format", "float32-mean")
        self.expect_equal_ranges("--animate", "focus=0.5:3", "--lens", "layered", extension="exr")
        self.expect_equal_ranges("--autofocus", "--lens", "reference", "--focus", "9")

    def test_ranges_of_bodies_simulate_from_the_start(self):
        for solver in ("cpu", "cpu-tree", "gl-compute"):
            bodies = ["--scene", "bodies", "--bodies", "300", "--body-speed", "1", "--lens", "box"]
            self.expect_equal_ranges(*bodies, "--solver", solver)

    def test_a_range_replaces_its_frames_alone(self):
        for name in ("a-0001.png", "a-0002.png", "a-0003.png"):
            with open(self.path(name), "w") as file:
                file.write("old")
        self.range_of("a.png", 2, 2, "--frames", "3", "--export", "depth")
        self.assertEqual(self.files(), ["a-0001.png", "a-0002-depth.png", "a-0002.png", "a-0003.png"])
        self.assertEqual((self.content("a-0001.png"), self.content("a-0003.png")), (b"old", b"old"))
        self.assertEqual(pixels(self.path("a-0002.png")).shape, (SIZE[1], SIZE[0], 3))

    def test_ranges_that_make_no_sense(self):
        sequence = ["--sequence", self.path("a.png")]
        self.refuse(2, ["--first", "--frames"], *sequence, "--first", "1")
        self.refuse(2, ["--first", "--sequence"], "--frames", "5", "--first", "1", "--last", "2")
        self.refuse(2, ["--first", "--headless"], *sequence, "--frames", "5", "--last", "2", headless=False)
        for first, last in (("3", "2"), ("1", "6"), ("6", "6")):
            self.refuse(
                2,
                ["--first " + first, "from 1 to 5"],
                *sequence,
                *("--frames", "5", "--first", first, "--last", last),
            )
        self.refuse(2, ["--first 0"], *sequence, "--frames", "5", "--first", "0")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_a_video_shows_the_frames(self):
        path = self.path("-a.mp4")
        size = ["--size", "63x41"]
        self.draw("--frames", "6", "--fps", "12", "--sequence", self.path("a.png"), *size)
        done = subprocess.run(
            [
                SATDOF,
                "--headless",
                "--lens-samples",
                "16",
                *size,
                "--frames",
                "6",
                "--fps",
                "12",
                "--video=-a.mp4",
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.files()), 7, "no other file is left")
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", "file:" + path, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"],
            capture_output=True,
            check=True,
        ).stdout
        frames = numpy.frombuffer(raw, "uint8").reshape(6, 42, 64, 3).astype(int)
        for number, frame in enumerate(frames, 1):
            image = pixels(self.path(f"a-{number:04d}.png"))
            self.assertLess(numpy.abs(frame[:41, :63].mean(axis=2) - image.mean(axis=2)).mean(), 4)
            self.assertGreater(numpy.abs(frame[40::-1, :63].mean(axis=2) - image.mean(axis=2)).mean(), 8)

    def test_a_video_that_fails_leaves_nothing(self):
        path = self.path("a.mp4")
        self.refuse(2, ["a.avi", ".mp4"], "--frames", "2", "--video", self.path("a.avi"))
        self.refuse(2, ["--video", "--frames"], "--video", path)
        tools = self.path("tools")
        os.mkdir(tools)
        self.refuse(
            2, [path, "ffmpeg is not installed", "--sequence"], "--frames", "2", "--video", path, PATH=tools
        )
        with open(path, "w") as file:
            file.write("old")
        for script, reason in (
            ("exit 3", "ffmpeg failed: it gave no reason"),
            (
                "head -c 1000 > /dev/null; echo first >&2; echo disk full >&2; exit 1",
                "ffmpeg failed: disk full",
            ),
            ("cat > /dev/null; echo at the end >&2; exit 1", "ffmpeg failed: at the end"),
        ):
            with open(os.path.join(tools, "ffmpeg"), "w") as file:
                file.write("#!/bin/sh\n" + script + "\n")
            os.chmod(os.path.join(tools, "ffmpeg"), 0o755)
            arguments = ["--size", "300x200", "--lens", "box", "--frames", "4", "--video", path]
            self.refuse(1, [path, reason], *arguments, PATH=tools + ":/usr/bin:/bin")
            self.assertEqual(self.content("a.mp4"), b"old")


class Files(ProgramTest):
    def test_settings_in_an_image_draw_it_again_bit_for_bit(self):
        first, again, third = self.path("first.png"), self.path("again.png"), self.path("third.png")
        self.draw(
            "--frames",
            "7",
            "--fps",
            "24",
            "--autofocus",
            "--yaw",
            "33",
            "--teapots",
            "40",
            "--exposure",
            "0.7",
            "--capture",
            first,
        )
        done = start("--headless", "--settings", first, "--capture", again)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(numpy.array_equal(pixels(first), pixels(again)))
        settings = saved_settings(first)
        self.assertEqual(settings, saved_settings(again))
        self.assertEqual(settings["size"], "%dx%d" % SIZE)
        self.assertEqual(settings["camera"]["yawDegrees"], 33)
        self.assertEqual(settings["scene"]["timeS"], 0.25)
        self.assertFalse(settings["lens"]["autofocus"])

        with open(self.path("settings.json"), "w") as file:
            json.dump(settings, file)
        start("--headless", "--settings", self.path("settings.json"), "--capture", third)
        self.assertTrue((pixels(first) == pixels(third)).all())

    def test_options_win_over_the_settings_file(self):
        with open(self.path("settings.json"), "w") as file:
            json.dump({"size": "40x30", "lens": {"fNumber": 8}}, file)
        stats = self.path("stats.json")
        done = start(
            "--headless", "--f-number", "5.6", "--settings", self.path("settings.json"), "--stats", stats
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(stats) as file:
            settings = json.load(file)["settings"]
        self.assertEqual((settings["size"], settings["lens"]["fNumber"]), ("40x30", 5.6))

    def test_sixteen_bit_and_linear_images(self):
        eight = self.image("--no-animate")
        deep, linear, radiance = self.path("deep.png"), self.path("linear.pfm"), self.path("linear.hdr")
        self.draw("--no-animate", "--capture", deep, "--bit-depth", "16")
        with open(deep, "rb") as file:
            self.assertEqual(file.read()[24:26], bytes([16, 2]), "16 bits, RGB")
        self.assertLessEqual(numpy.abs(pixels(deep) - eight).max(), 1)

        self.draw("--no-animate", "--capture", linear)
        with open(linear, "rb") as file:
            header = b"PF\n%d %d\n-1.0\n" % SIZE
            data = file.read()
        self.assertTrue(data.startswith(header))
        light = numpy.frombuffer(data[len(header) :], "<f4").reshape(SIZE[1], SIZE[0], 3)[::-1]
        self.assertTrue(numpy.isfinite(light).all() and (light >= 0).all())
        brightness = numpy.minimum(light.mean(axis=2), 1).ravel() ** 0.45
        self.assertGreater(numpy.corrcoef(brightness, eight.mean(axis=2).ravel())[0, 1], 0.9)
        self.assertLess(
            numpy.corrcoef(brightness, eight[::-1].mean(axis=2).ravel())[0, 1], 0.5, "upside down"
        )

        self.draw("--no-animate", "--capture", radiance)
        with open(radiance, "rb") as file:
            self.assertTrue(file.read().startswith(b"#?RADIANCE"))

    def test_layers_and_settings_in_every_format(self):
        self.draw("--capture", self.path("a.png"), "--f-number", "2", "--export", "colour,depth,coc")
        self.draw("--capture", self.path("a.exr"), "--f-number", "2", "--export", "depth")
        self.draw("--capture", self.path("a.hdr"), "--f-number", "2", "--export", "colour")
        names = ["a-coc.png", "a-colour.hdr", "a-colour.png", "a-depth.exr", "a-depth.png"]
        self.assertEqual(self.files(), sorted([*names, "a.exr", "a.hdr", "a.png"]))
        expected = saved_settings(self.path("a.png"))
        for name in ("a.exr", "a.hdr", "a-depth.exr", "a-depth.png"):
            self.draw("--settings", self.path(name), "--capture", self.path("again.png"))
            self.assertEqual(saved_settings(self.path("again.png")), expected)
            numpy.testing.assert_array_equal(pixels(self.path("again.png")), pixels(self.path("a.png")))
        with Image.open(self.path("a-depth.png")) as image:
            depth, scale = numpy.asarray(image), json.loads(image.text["satdof-depth"])["scale"]
        self.assertEqual(depth.shape, SIZE[::-1])
        self.assertGreater(int(depth.max()), 255, "16 bits, which Pillow gives as 16 or as 32")
        self.assertEqual(int(depth.min()), 0, "the sky")
        self.assertTrue(0.3 < scale / depth.max() < 3, "metres to the nearest teapot")
        if shutil.which("exrheader"):  # of the package openexr
            listing = subprocess.run(
                ["exrheader", self.path("a.exr")], capture_output=True, text=True, check=True
            ).stdout
            for channel in ("R, 16-bit", "Z, 32-bit", "coc.Y, 16-bit"):
                self.assertIn(channel, listing)

    def test_sequences_are_numbered_and_never_overwrite(self):
        pattern = self.path("run.png")
        self.draw("--sequence", pattern, "--frames", "3", "--fps", "10")
        self.assertEqual(self.files(), ["run-0001.png", "run-0002.png", "run-0003.png"])
        times = [saved_settings(self.path(f))["scene"]["timeS"] for f in self.files()]
        numpy.testing.assert_allclose(times, [0, 0.1, 0.2], atol=1e-6)
        with open(self.path("run-0001.png"), "rb") as file:
            first = file.read()
        self.draw("--sequence", pattern, "--frames", "2", "--time", "5")
        self.assertEqual(len(self.files()), 5)
        with open(self.path("run-0001.png"), "rb") as file:
            self.assertEqual(file.read(), first)
        again = self.path("again.png")
        self.draw("--capture", again, "--frames", "3", "--fps", "10")
        numpy.testing.assert_array_equal(
            pixels(again),
            pixels(self.path("run-0003.png")),
            "the last frame of a sequence is that of a capture",
        )
        self.assertEqual(saved_settings(again), saved_settings(self.path("run-0003.png")))

    def test_a_sequence_pulls_focus_evenly_in_diopters(self):
        self.draw(
            "--sequence",
            self.path("run.png"),
            "--frames",
            "5",
            "--no-animate",
            "--animate",
            "focus=0.5:4",
            "--autofocus",
        )
        lenses = [saved_settings(self.path(f))["lens"] for f in self.files()]
        distances = numpy.array([lens["focusDistanceM"] for lens in lenses])
        self.assertEqual((distances[0], distances[-1]), (0.5, 4))
        numpy.testing.assert_allclose(numpy.diff(1 / distances), -1.75 / 4, rtol=1e-5)
        self.assertFalse(any(lens["autofocus"] for lens in lenses))
        still = [saved_settings(self.path(f))["scene"]["timeS"] for f in self.files()]
        self.assertEqual(still, [0] * 5, "the scene moves by --animate alone")
        last = pixels(self.path("run-0005.png"))
        numpy.testing.assert_array_equal(self.image("--no-animate", "--no-adaptive", "--focus", "4"), last)
        self.assertGreater(numpy.abs(last - pixels(self.path("run-0001.png"))).max(), 20)

    def test_a_terminal_shows_how_far_the_reference_is(self):
        leader, follower = os.openpty()
        done = subprocess.run(
            [
                SATDOF,
                "--headless",
                "--size",
                "320x180",
                "--lens",
                "reference",
                "--lens-samples",
                "400",
                "--capture",
                self.path("image.png"),
            ],
            stderr=follower,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )
        os.close(follower)
        shown = os.read(leader, 65536).decode()
        os.close(leader)
        self.assertEqual(done.returncode, 0, shown)
        self.assertRegex(shown, r"\rsample \d+ of 400")

    def test_a_capture_replaces_what_was_there(self):
        path = self.path("image.png")
        with open(path, "w") as file:
            file.write("old")
        self.image()
        self.assertEqual(self.files(), ["image.png"])

    def test_statistics(self):
        path = self.path("stats.json")
        done = self.draw("--frames", "12", "--stats", path, "--gl-debug")
        self.assertRegex(done.stdout, r"^12 frames of 160x90, median [\d.]+ ms \(.+\)\n$")
        with open(path) as file:
            stats = json.load(file)
        self.assertEqual(
            set(stats),
            {
                "machine",
                "device",
                "state",
                "settings",
                "frames",
                "warmUpFrames",
                "frameMedianUs",
                "frameP99Us",
                "stages",
            },
        )
        self.assertEqual(set(stats["machine"]), {"gpu", "driver", "gl", "cpu"})
        self.assertTrue(all(stats["machine"].values()))
        self.assertRegex(stats["machine"]["gl"], r"^4\.[56]")
        self.assertIn(stats["device"], CAN["device"])
        self.assertEqual((stats["frames"], stats["warmUpFrames"]), (12, 6))
        self.assertGreater(stats["frameMedianUs"], 0)
        self.assertGreaterEqual(stats["frameP99Us"], stats["frameMedianUs"])
        names = [stage["name"] for stage in stats["stages"]]
        self.assertEqual(len(set(names)), len(names))
        for name in ("scene", "lens", "present"):
            self.assertIn(name, names)
        for stage in stats["stages"]:
            self.assertEqual(set(stage), {"name", "clock", "medianUs", "p99Us"})
            self.assertIn(stage["clock"], ("gpu", "cpu"))
            self.assertLessEqual(0, stage["medianUs"])
            self.assertLessEqual(stage["medianUs"], stage["p99Us"])
            self.assertLess(stage["medianUs"], 60e6)


class Photographs(ProgramTest):
    def photograph(self, name="photo.png", size=(96, 64)):
        """Noise whose left half is near, with its depth in metres."""
        noise = numpy.random.default_rng(3).integers(0, 256, (size[1], size[0], 3), dtype=numpy.uint8)
        Image.fromarray(noise).save(self.path(name))
        metres = numpy.where(numpy.arange(size[0]) < size[0] // 2, 1.0, 4.0)
        metres = numpy.broadcast_to(metres, size[::-1]).astype("<f4")
        with open(self.path("depth.pfm"), "wb") as file:
            file.write(b"Pf\n%d %d\n-1.0\n" % size + metres[::-1].tobytes())
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

    def test_one_bad_file_does_not_end_a_batch(self):
        self.photograph("a.png")
        self.photograph("c.png")
        with open(self.path("b.png"), "w") as file:
            file.write("no image")
        files = [self.path(name) for name in ("a.png", "b.png", "c.png")]
        done = self.refocus("--image", *files, "--capture", self.path("out.png"), status=1)
        self.assertIn("1 of 3: ", done.stdout)
        self.assertIn("2 of 3 files done", done.stdout)
        self.assertIn('b.png": stb_image: ', done.stderr)
        self.assertIn("1 of 3 files failed: ", done.stderr)
        self.assertEqual(
            [name for name in self.files() if name.startswith("out")], ["out-a.png", "out-c.png"]
        )

    def test_a_folder_is_a_batch(self):
        os.mkdir(self.path("in"))
        for name in ("in/one.png", "in/two.png"):
            self.photograph(name)
        done = self.refocus("--image", self.path("in"), "--capture", self.path("out.png"))
        self.assertIn("2 of 2 files done", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertTrue({"out-one.png", "out-two.png"} <= set(self.files()))

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
        self.refuse(2, ["--headless"], "--image", photo, photo, headless=False)


class Comparisons(ProgramTest):
    def compare(self, lens, *arguments):
        """What --compare adds to the statistics."""
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


class Benchmarks(ProgramTest):
    def test_every_available_technique_and_the_copy(self):
        path = self.path("benchmark.json")
        done = self.draw("--benchmark", path, "--gl-debug")
        with open(path) as file:
            result = json.load(file)
        self.assertEqual(list(result), ["machine", "size", "copyUs", "techniques"])
        self.assertEqual(set(result["machine"]), {"gpu", "driver", "gl", "cpu"})
        self.assertEqual(result["size"], "%dx%d" % SIZE)
        self.assertGreater(result["copyUs"], 0)
        expected = [device for device in CAN["device"] if device not in ("auto", "cuda")]
        expected += ["cuda " + scan for scan in CAN["scan"]]
        techniques = result["techniques"]
        self.assertEqual(sorted(technique["name"] for technique in techniques), sorted(expected))
        self.assertEqual(
            [technique["timeUs"] for technique in techniques],
            sorted(technique["timeUs"] for technique in techniques),
        )
        for technique in techniques:
            scan = {"scan"} if technique["device"] == "cuda" else set()
            self.assertEqual(set(technique), {"name", "device", "timeUs", "ratio", "stages"} | scan)
            self.assertEqual(
                technique["name"], " ".join([technique["device"]] + [technique[key] for key in scan])
            )
            self.assertGreater(technique["timeUs"], 0)
            self.assertAlmostEqual(
                technique["ratio"],
                technique["timeUs"] / result["copyUs"],
                delta=0.01 + 0.01 * technique["ratio"],
            )
            for stage in technique["stages"]:
                self.assertEqual(set(stage), {"name", "clock", "medianUs"})
            self.assertAlmostEqual(
                sum(stage["medianUs"] for stage in technique["stages"]),
                technique["timeUs"],
                delta=0.01 * (1 + len(technique["stages"])),
            )
        table = done.stdout.splitlines()[1:]
        self.assertEqual(
            [re.split("  +", line)[0] for line in table],
            ["copy"] + [technique["name"] for technique in techniques],
        )


class Laboratory(ProgramTest):
    """--lab and --share."""

    def run_ok(self, *arguments):
        done = start(*arguments)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def test_measures_and_converts(self):
        path = self.path("lab.json")
        self.run_ok("--lab", path, "--lab-only", "compaction")
        with open(path) as file:
            results = json.load(file)
        self.assertEqual(["compaction"], [experiment["id"] for experiment in results["experiments"]])
        self.assertIn("--lab-only compaction", results["context"]["command"])
        rows = {row["name"]: row for row in results["rows"]}
        self.assertGreater(rows["compaction/cpu/1024"]["kernelUs"], 0)
        for curve in results["experiments"][0]["curves"]:
            measured = any(name.startswith(f"compaction/{curve['name']}/") for name in rows)
            self.assertTrue(measured or curve.get("note"), curve)

        self.run_ok("--lab", self.path("lab.csv"), "--lab-from", path)
        with open(self.path("lab.csv"), newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(lines))
        for line in lines:
            row = rows[f"{line['experiment']}/{line['curve']}/{line['x']}"]
            self.assertEqual(row["kernelUs"], float(line["kernelUs"]))
        self.run_ok("--lab", self.path("none.csv"), "--lab-from", path, "--lab-only", "scan,sort")
        with open(self.path("none.csv")) as file:
            self.assertEqual(1, len(file.readlines()), "the titles of the columns")
        self.run_ok("--lab", self.path("lab.svg"), "--lab-from", path, "--lab-timed", "kernel")
        texts = [element.text for element in xml.etree.ElementTree.parse(self.path("lab.svg")).iter()]
        self.assertTrue(any(text and text.startswith("cpu-sequential") for text in texts), texts)
        self.run_ok("--lab", self.path("lab.png"), "--lab-from", path)
        self.assertGreater(len(numpy.unique(pixels(self.path("lab.png")).reshape(-1, 3), axis=0)), 5)

    def test_share_names_the_machine_and_no_person(self):
        path = self.path("mine.json")
        self.run_ok("--share", path)
        with open(path) as file:
            text = file.read()
        results = json.loads(text)
        for key in ("gpu", "driver", "cpu", "cuda", "os", "version", "commit", "date"):
            self.assertTrue(results["context"][key], key)
        self.assertGreater(len(results["rows"]), 20)
        self.assertEqual(set(), {row["name"] for row in results["rows"] if "kernelUs" not in row})
        for private in (self.folder, os.getcwd(), os.path.expanduser("~") + "/"):
            self.assertNotIn(private, text)

    def test_interrupt_keeps_what_was_measured(self):
        path = self.path("lab.json")
        terminal, theirs = os.openpty()  # progress is shown at once on a terminal
        process = subprocess.Popen([SATDOF, "--lab", path], stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        said = b""
        while b": point " not in said:
            said += os.read(terminal, 1000)
        process.send_signal(signal.SIGINT)
        while b"interrupted after" not in said:
            said += os.read(terminal, 1000)
        self.assertEqual(0, process.wait(timeout=60))
        os.close(terminal)
        with open(path) as file:
            results = json.load(file)
        self.assertIn("interrupted", results["context"]["origin"])


class Answers(ProgramTest):
    def test_list_names_everything(self):
        self.assertEqual(
            set(CAN),
            {
                "device",
                "scan",
                "compaction",
                "sort",
                "table-format",
                "lens",
                "lens-on",
                "scene",
                "solver",
                "traversal",
                "initial",
                "filter-variant",
                "filter-form",
                "experiment",
                "format",
                "view",
            },
        )
        for kind in ("table-format", "lens", "scene", "initial", "view"):
            self.assertTrue(CAN[kind])
        for name in ("auto", "cpu", "cpu-sequential"):
            self.assertIn(name, CAN["device"])
        self.assertEqual(bool(CAN["scan"]), "cuda" in CAN["device"])
        for name in ("auto", "cpu-loop", "cpu", "cpu-tree", "gl-compute"):
            self.assertIn(name, CAN["solver"])
        self.assertEqual(bool(CAN["traversal"]), "cuda" in CAN["device"])

    def test_help_and_version(self):
        done = start("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in (
            "--headless",
            "--size",
            "--frames",
            "--capture",
            "--stats",
            "--device",
            "--scan",
            "--table-format",
            "--lens",
            "--focus",
            "--f-number",
            "--focal-length",
            "--view",
            "--settings",
            "--list",
            "--gl-debug",
            "--version",
        ):
            self.assertIn(option + " ", done.stdout)
        done = start("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^satdof \d+\.\d+\.\d+\n$")


class BadInput(ProgramTest):
    def test_unknown_options_and_names(self):
        capture = self.path("a.png")
        self.refuse(2, ["--fokus", "--focus"], "--fokus", "3", "--capture", capture)
        self.refuse(2, ["stray"], "stray", "--capture", capture)
        self.refuse(2, ["--focus", "missing"], "--capture", capture, "--focus")
        for option, kind in (
            ("--device", "device"),
            ("--scan", "scan"),
            ("--table-format", "table-format"),
            ("--lens", "lens"),
            ("--scene", "scene"),
            ("--view", "view"),
            ("--filter-variant", "filter-variant"),
            ("--filter-form", "filter-form"),
        ):
            self.refuse(2, [option, "nonsense", *CAN[kind]], option, "nonsense", "--capture", capture)

    def test_masks(self):
        capture, path = self.path("a.png"), self.path("mask.json")
        self.refuse(2, ["--filter", "nonsense", "sharpen", ".json"], "--filter", "nonsense")
        self.refuse(2, [path, "No such file"], "--filter", path, "--capture", capture)
        for text, says in (
            ("{", "line 1"),
            ('{"width": 2, "height": 1, "weights": [1, 2]}', '"width" must be an odd whole number'),
            ('{"width": 3, "height": 1, "weights": [1, 2]}', '"weights" must have 3 numbers, not 2'),
            ('{"width": 1, "height": 1, "weights": [1e300]}', "number 1"),
        ):
            with open(path, "w") as file:
                file.write(text)
            self.refuse(2, [path, says], "--filter", path, "--capture", capture)
        self.refuse(
            1, ["not separable"], "--filter", "edges", "--filter-form", "separable", "--capture", capture
        )

    def test_views_that_a_lens_does_not_have(self):
        for view in ("near", "fill", "layers", "weights"):
            self.refuse(
                1,
                ["--view " + view, "layered", "not box"],
                "--lens",
                "box",
                "--view",
                view,
                "--capture",
                self.path("a.png"),
            )
        for arguments in (["--lens", "gems"], ["--lens", "box", "--no-bokeh"]):
            self.refuse(1, ["--view sprites", "bokeh sprites", "layered"], "--view", "sprites", *arguments)

    def test_comparisons(self):
        self.refuse(2, ["--compare", "nonsense", *CAN["lens"]], "--compare", "nonsense")
        self.refuse(2, ["--compare", "--headless"], "--compare", "box", headless=False)

    def test_two_outputs_of_one_name(self):
        path = self.path("a.png")
        self.refuse(2, [path, "--capture", "--stats"], "--capture", path, "--stats", path)
        self.refuse(2, [path, "--stats", "--benchmark"], "--stats", path, "--benchmark", path)

    def test_laboratory(self):
        path = self.path("a.json")
        for says, *arguments in (
            (["scans", "choose from", "segmented-scan"], "--lab", path, "--lab-only", "scans"),
            (["a.pdf", ".svg"], "--lab", self.path("a.pdf")),
            (["cannot write", "/nonexistent"], "--lab", "/nonexistent/a.json"),
            (["cannot write", "/nonexistent"], "--share", "/nonexistent/a.json"),
            (["--lab", "--share"], "--lab", path, "--share", self.path("b.json")),
            (["--lab-only", "--lab FILE"], "--lab-only", "scan"),
            (["cannot read", "missing.json"], "--lab", path, "--lab-from", self.path("missing.json")),
            (["wall", "kernel"], "--lab", path, "--lab-timed", "wall"),
        ):
            self.refuse(2, says, *arguments, headless=False)
        damaged = self.path("damaged.json")
        with open(damaged, "w") as file:
            file.write('{"context": {}, "rows": [')
        self.refuse(2, ["damaged.json"], "--lab", path, "--lab-from", damaged, headless=False)

    def test_benchmarks(self):
        self.refuse(2, ["--benchmark", "--headless"], "--benchmark", self.path("a.json"), headless=False)

    def test_sizes(self):
        for size in ("0x0", "100000x100000", "12x", "x12", "12", "-1x-1", "1e3x10", "nanxnan"):
            self.refuse(2, [size, "WIDTHxHEIGHT", "16384"], "--size", size, "--capture", self.path("a.png"))

    def test_too_large_for_this_machine(self):
        self.refuse(
            1,
            ["16384 x 16384 is too large", "free"],
            "--size",
            "16384x16384",
            "--samples",
            "16",
            "--split",
            "--capture",
            self.path("a.png"),
        )

    def test_tiles(self):
        scene = ("--size", "900x700", "--samples", "1", "--lens", "box", "--no-bokeh")
        whole, tiles = self.path("whole.png"), self.path("tiles.png")
        self.draw(*scene, "--capture", whole)
        done = self.draw(*scene, "--capture", tiles, "--memory", "68")
        self.assertIn("1 frame of 900x700", done.stdout)
        difference = numpy.abs(pixels(whole) - pixels(tiles))
        self.assertLessEqual(difference.max(), 2)
        self.assertLess((difference > 0).mean(), 0.02)
        small = (*scene, "--memory", "20")
        self.refuse(1, ["900 x 700", "tiles do not fit"], *small, "--capture", self.path("a.png"))
        self.refuse(1, ["900 x 700 is too large"], *small, "--sequence", self.path("a.png"))
        self.refuse(
            1, ["900 x 700 is too large"], *small, "--compare", "gems", "--capture", self.path("a.png")
        )
        self.refuse(2, ["--memory", "--headless"], "--memory", "68", headless=False)

    def test_numbers(self):
        for option, value, choice in (
            ("--focus", "nan", "from 0.1 to 10000"),
            ("--focus", "inf", "from 0.1"),
            ("--f-number", "0", "from 0.1 to 128"),
            ("--focal-length", "-5", "from 1 to"),
            ("--teapots", "2.5", "whole number"),
            ("--teapots", "0", "from 1 to 5000"),
            ("--block-size", "100", "power of two"),
            ("--bodies", "0", "from 1 to 16777216"),
            ("--bodies", "1e4", "whole number"),
            ("--solver", "fast", "cpu-tree"),
            ("--initial", "bang", "plummer, galaxies, collapse, disc"),
            ("--traversal", "sideways", "depth-first, breadth-first"),
            ("--softening", "0", "from 1e-04 to 1"),
            ("--time-step", "-1", "a number"),
            ("--opening-angle", "3", "from 0 to 2"),
            ("--frames", "0", "from 1"),
            ("--frames", "many", "whole number"),
            ("--fps", "nan", "a number"),
            ("--lamps=maybe", None, "true or false"),
            ("--bit-depth", "12", "8, 16 or 32"),
        ):
            arguments = [option] if value is None else [option, value]
            self.refuse(
                2,
                [option.split("=")[0], value or "maybe", choice],
                *arguments,
                "--capture",
                self.path("a.png"),
            )

    def test_focus_sweeps(self):
        for text in (
            "focus=",
            "focus=1",
            "focus=0:5",
            "focus=1:nan",
            "focus=1:",
            "focus=1:2:3",
            "focus=:2",
            "lamps=1:2",
            "image",
        ):
            self.refuse(2, ["--animate " + text, "focus=A:B"], "--animate", text, "--frames", "9")
        self.refuse(2, ["focus=A:B", "--frames"], "--animate", "focus=1:2", "--capture", self.path("a.png"))

    def test_settings_files(self):
        capture = self.path("a.png")

        def file(name, content):
            with open(self.path(name), "wb") as out:
                out.write(content)
            return self.path(name)

        def refuse(says, path):
            self.refuse(2, [path, *says], "--settings", path, "--capture", capture)

        refuse(["No such file"], self.path("missing.json"))
        refuse(["not an ordinary file"], self.folder)
        refuse(["JSON"], file("empty.json", b""))
        refuse(["line 2", "JSON"], file("cut.json", b'{"lens":\n{"fNumber": 2'))
        refuse(["JSON"], file("binary.json", bytes(range(256))))
        refuse(["JSON object"], file("list.json", b"[1, 2]"))
        refuse(["lens.fNumbr", "lens.fNumber"], file("key.json", b'{"lens": {"fNumbr": 2}}'))
        refuse(["lens.fNumber", '"2"', "a number"], file("type.json", b'{"lens": {"fNumber": "2"}}'))
        refuse(["lens.fNumber", "1000", "0.1 to 128"], file("range.json", b'{"lens": {"fNumber": 1000}}'))
        refuse(
            ["technique.table.scan", "bad", "cub"],
            file("name.json", b'{"technique": {"table": {"scan": "bad"}}}'),
        )
        Image.new("RGB", (4, 4)).save(self.path("plain.png"))
        refuse(["without satdof settings"], self.path("plain.png"))
        self.draw("--capture", self.path("good.png"))
        with open(self.path("good.png"), "rb") as good:
            refuse(["without satdof settings"], file("cut.png", good.read()[:300]))

        self.draw("--capture", self.path("good.exr"))
        with open(self.path("good.exr"), "rb") as good:
            refuse(["without satdof settings"], file("cut.exr", good.read()[:300]))
        self.draw("--capture", self.path("good.pfm"))
        refuse(["a PFM holds no settings"], self.path("good.pfm"))

    def test_formats_that_cannot_hold_what_is_asked_for(self):
        image = self.path("a.png")
        self.refuse(2, ["--bit-depth 32", "PNG", "8 or 16"], "--capture", image, "--bit-depth", "32")
        exr = self.path("a.exr")
        self.refuse(2, ["--bit-depth 8", "EXR", "16 or 32"], "--sequence", exr, "--bit-depth", "8")
        self.refuse(
            2, ["--export", '"sky"', "colour, depth, coc"], "--capture", image, "--export", "depth,sky"
        )
        self.refuse(2, ["--export", "--capture"], "--export", "depth")
        self.refuse(2, [".hdr", ".exr"], "--capture", self.path("a.hdr"), "--export", "depth")

    def test_hostile_settings_files(self):
        """Pipes, devices, huge and deep files: refused in seconds, with little memory."""

        def chunk(kind, data, claims=None):
            size = len(data) if claims is None else claims
            return struct.pack(">I", size) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        def text(data):
            return chunk(b"zTXt", b"satdof-settings\0\0" + zlib.compress(data, 9))

        header = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        end = chunk(b"IDAT", zlib.compress(b"\0\0\0\0")) + chunk(b"IEND", b"")
        deep = b'{"a":' * 25000 + b"1" + b"}" * 25000
        files = {
            "deep.json": deep,
            "large.json": b" " * (1 << 20) + b"{}",
            "deep.png": header + text(deep) + end,
            "many.png": header + text(b" " * (8 << 20)) * 990 + end,
            "claims.png": header + chunk(b"tEXt", b"satdof-settings\0{}", claims=0x7FFFFFFF) + end,
        }
        for name, data in files.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
        os.mkfifo(self.path("pipe"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        for name in [*map(self.path, files), self.path("pipe"), "/dev/zero", "/dev/full", self.folder]:
            self.refuse(2, ["cannot read", os.path.basename(name)], "--settings", name)
        kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(kilobytes, max(before, 1 << 20))

    def test_output_that_does_not_arrive(self):
        for option in ("--help", "--list", "--version"):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [SATDOF, option], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
                )
            self.assertEqual(done.returncode, 1, option)
            self.assertIn("cannot write standard output", done.stderr)

    def test_paths_that_cannot_be_written(self):
        with open(self.path("file"), "w") as file:
            file.write("kept")
        for option in ("--capture", "--sequence", "--stats", "--benchmark"):
            for path, reason in (
                ("/no/such/folder/a.png", "No such file or directory"),
                (self.path("file/a.png"), "Not a directory"),
                ("/proc/a.png", "cannot write"),
                (self.path("n" * 300 + ".png"), "File name too long"),
            ):
                self.refuse(2, [path, reason], option, path)
        os.mkdir(self.path("folder.png"))
        self.refuse(2, [self.path("folder.png"), "ordinary file"], "--capture", self.path("folder.png"))
        self.refuse(2, ["/dev/null", "ordinary file"], "--stats", "/dev/null")
        self.refuse(2, ["a.bmp", ".png, .exr, .hdr or .pfm"], "--capture", self.path("a.bmp"))
        self.refuse(2, ["--with-ui"], "--with-ui", "--capture", self.path("a.png"))
        with open(self.path("file")) as file:
            self.assertEqual(file.read(), "kept")

    def test_devices_that_cannot_run_here(self):
        for device in {"cuda", "gl-compute", "gl-fragment"} - set(CAN["device"]):
            self.refuse(1, [device, "--list"], "--device", device, "--capture", self.path("a.png"))

    def test_solvers_that_cannot_run_here(self):
        bodies = ["--scene", "bodies", "--capture", self.path("a.png")]
        for solver in {"cuda-naive", "cuda-tiled", "cuda-tree"} - set(CAN["solver"]):
            self.refuse(1, [solver, "--list"], *bodies, "--solver", solver)
        self.refuse(
            1, ["cpu-loop", "at most", "--bodies"], *bodies, "--solver", "cpu-loop", "--bodies", "1000000"
        )
        self.refuse(
            1, ["steps", "--time-step"], *bodies, "--bodies", "9", "--time", "1e6", "--time-step", "1e-4"
        )

    def test_no_opengl_4_5(self):
        self.refuse(
            1,
            ["OpenGL 4.5", "OpenGL 3.3", "llvmpipe"],
            "--capture",
            self.path("a.png"),
            MESA_GL_VERSION_OVERRIDE="3.3",
            LIBGL_ALWAYS_SOFTWARE="1",
            __EGL_VENDOR_LIBRARY_FILENAMES=mesa_vendor(),
        )

    def test_too_little_address_space(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))

        done = subprocess.run(
            [SATDOF, "--headless", "--size", "16x16"],
            capture_output=True,
            text=True,
            preexec_fn=limit,
            timeout=120,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("ulimit -v", done.stderr)

    def test_too_few_threads(self):
        """An account of its own, because the limit counts all processes of an account and spares root."""
        user = 65534 if os.geteuid() == 0 else None

        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

        try:
            done = subprocess.run(
                [SATDOF, "--headless", "--size", "16x16"],
                capture_output=True,
                text=True,
                preexec_fn=limit,
                user=user,
                timeout=120,
            )
        except PermissionError:
            self.skipTest("another account cannot start the program")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("ulimit -u", done.stderr)

    def test_no_display(self):
        self.refuse(1, ["DISPLAY", "--headless"], "--capture", self.path("a.png"), headless=False)

    def test_data_that_is_not_there(self):
        self.refuse(1, ["SATDOF_DATA", self.folder], "--capture", self.path("a.png"), SATDOF_DATA=self.folder)


if __name__ == "__main__":
    unittest.main()
