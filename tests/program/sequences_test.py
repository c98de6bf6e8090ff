#!/usr/bin/env python3
"""Sequences and videos of the headless program.

sequences_test.py PATH_TO_SATDOF [unittest arguments]
"""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

import numpy
from headless_program import (
    SATDOF,
    SIZE,
    ProgramTest,
    decoded,
    needs_ffmpeg,
    pixels,
    run,
    saved_settings,
    shot_text,
    start,
)
from moving_model import moving_triangle
from PIL import Image
from tools.pfm import read_pfm, write_pfm


class Sequences(ProgramTest):
    def range_of(self, name, first, last, *arguments):
        self.draw("--sequence", self.path(name), "--first", str(first), "--last", str(last), *arguments)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def fake_ffmpeg(self, script):
        """Writes a shell script as a fake ffmpeg. Returns its folder. Another call replaces the script."""
        tools = self.path("tools")
        os.makedirs(tools, exist_ok=True)
        with open(os.path.join(tools, "ffmpeg"), "w") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(os.path.join(tools, "ffmpeg"), 0o755)
        return tools

    def expect_equal_ranges(self, *arguments, extension="png"):
        """Fails unless ranges of frames, drawn in any order, have the bytes of one long run."""
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
        breathes = "--breathing 2 --autofocus --autofocus-on point --autofocus-y 0.8 --autofocus-delay 0"
        self.expect_equal_ranges(*breathes.split(), "--lens", "box", "--lamps")

    def test_ranges_of_bodies_simulate_from_the_start(self):
        for solver in ("cpu", "cpu-tree", "gl-compute"):
            bodies = ["--scene", "bodies", "--bodies", "300", "--body-speed", "1", "--lens", "box"]
            self.expect_equal_ranges(*bodies, "--solver", solver)

    def test_ranges_track_a_body_and_a_teapot(self):
        tracked = ["--autofocus", "--autofocus-on", "tracked", "--lens", "box", "--tracked-object"]
        self.expect_equal_ranges(*tracked, "5", "--scene", "bodies", "--bodies", "300", "--body-speed", "1")
        self.expect_equal_ranges(*tracked, "2", "--tracked-x", "0.2", "--tracked-y", "0.1", "--fps", "1")

    def test_the_autofocus_of_a_film_keeps_its_speed(self):
        speed, rate = 0.2, 12
        turn = self.shot(camera_yawDegrees=[(0, 0, "linear"), (2, 120)])
        film = ["--shot", turn, *f"--fps {rate} --lens box --autofocus --autofocus-on point".split()]
        film += f"--autofocus-x 0.7 --autofocus-y 0.4 --autofocus-speed {speed} --sequence".split()
        self.draw(*film, self.path("a.png"))
        names = [f"-{frame:04d}.png" for frame in range(1, 2 * rate + 1)]
        diopters = [1 / saved_settings(self.path("a" + name))["lens"]["focusDistanceM"] for name in names]
        steps = numpy.abs(numpy.diff(diopters))
        self.assertLess(steps.max(), 1.001 * speed / rate)
        self.assertGreater(numpy.sum(steps > 0.999 * speed / rate), 4, "the distance jumps")
        self.draw(*film, self.path("b.png"), "--first", "15", "--last", "17")
        whole = [self.content("a" + name) for name in names]
        self.assertEqual([self.content("b" + name) for name in names[14:17]], whole[14:17])
        for frame in (7, 20):
            os.remove(self.path("a" + names[frame]))
        self.assertIn("22 of 24 frames", self.draw(*film, self.path("a.png"), "--resume").stdout)
        self.assertEqual([self.content("a" + name) for name in names], whole)
        # The same frames, after another focus.
        self.shot(camera_yawDegrees=[(0, 110, "linear"), (0.5, 30, "linear"), (2, 120)])
        self.assertIn("0 of 24 frames", self.draw(*film, self.path("a.png"), "--resume").stdout)
        blur = ["--shutter-angle", "180", "--shutter-samples", "2", "--first", "2", "--last", "4"]
        self.draw(*film, self.path("c.png"), *blur)
        sharp = [saved_settings(self.path("a" + name))["lens"] for name in names[1:4]]
        self.assertEqual([saved_settings(self.path("c" + name))["lens"] for name in names[1:4]], sharp)

    def test_the_focus_before_a_film_does_not_count(self):
        film = "--frames 2 --fps 8 --lens box --breathing 2 --autofocus --autofocus-on point".split()
        film += ["--autofocus-y", "0.8", "--sequence"]
        self.draw(*film, self.path("a.png"), "--focus", "0.5")
        self.draw(*film, self.path("b.png"), "--focus", "9")
        for number in (1, 2):
            a, b = (saved_settings(self.path(f"{name}-000{number}.png"))["lens"] for name in "ab")
            self.assertEqual(a, b)

    def test_keys_of_the_focus_do_not_count_while_the_autofocus_is_on(self):
        keys = {"lens_focusDistanceM": [(0, 9), (0.5, 8)], "lens_autofocus": [(0, True)]}
        lens = ["--lens", "reference", "--lens-samples", "40"]
        film = ["--shot", self.shot(**keys), "--fps", "8", *lens, "--sequence"]
        self.draw(*film, self.path("a.png"))
        self.draw(*film, self.path("b.png"), "--shutter-angle", "1", "--shutter-samples", "1")
        drawn, blurred = self.path("a-0003.png"), self.path("b-0003.png")
        found = saved_settings(drawn)["lens"]["focusDistanceM"]
        self.assertLess(found, 5)
        self.assertEqual(saved_settings(blurred)["lens"]["focusDistanceM"], found)
        still = self.image(*lens, "--time", "0.25", "--focus", str(found))
        numpy.testing.assert_array_equal(pixels(drawn), still)
        self.assertLess(numpy.abs(pixels(blurred) - still).mean(), 0.5)

    def test_the_autofocus_tracks_what_moves_through_the_frames_of_a_film(self):
        random = numpy.random.default_rng(3)
        wall, box = (random.integers(0, 256, size, numpy.uint8) for size in ((90, 160, 3), (40, 40, 3)))
        for frame in range(6):
            image, depth, x = wall.copy(), numpy.full((90, 160), 50, numpy.uint8), 10 + 15 * frame
            if frame != 4:
                image[30:70, x : x + 40], depth[30:70, x : x + 40] = box, 200 - 10 * frame
            Image.fromarray(image).save(self.path(f"f{frame}.png"))
            Image.fromarray(depth).save(self.path(f"d{frame}.png"))
        film = [
            "--headless",
            "--image",
            self.path("f%d.png"),
            "--depth",
            self.path("d%d.png"),
            "--lens",
            "box",
        ]
        tracked = (
            "--autofocus --autofocus-on tracked --autofocus-x 0.19 --autofocus-y 0.56 --frames 6".split()
        )
        done = self.run_ok(*film, *tracked, "--depth-means", "relative", "--sequence", self.path("all.png"))
        self.assertIn("frame 5 does not show what the autofocus tracks", done.stderr)
        lenses = [saved_settings(self.path(f"all-000{n}.png"))["lens"] for n in (1, 2, 3, 4, 6)]
        places = [lens["autofocusX"] * 160 for lens in lenses]
        numpy.testing.assert_allclose(places, [30.4, 45.4, 60.4, 75.4, 105.4], atol=0.6)
        focus = [lens["focusDistanceM"] for lens in lenses]
        self.assertTrue(all(near < far for near, far in zip(focus, focus[1:])), focus)
        self.run_ok(
            *film, *tracked, *"--depth-means relative --first 3 --sequence".split(), self.path("part.png")
        )
        self.assertEqual(self.content("part-0006.png"), self.content("all-0006.png"))
        for number, keys in enumerate(
            (
                {"lens_autofocus": [(0, False), (0.5, True)], "lens_focusDistanceM": [(0, 3)]},
                {"lens_autofocusOn": [(0, "tracked"), (0.5, "point")]},
            )
        ):
            shot = ["--shot", self.shot(**keys), "--fps", "6", "--depth-means", "relative"]
            names = [self.path(f"{part}{number}.png") for part in ("all", "part")]
            for name, part in zip(names, ([], ["--first", "5"])):
                self.run_ok(*film, *tracked, *shot, "--sequence", name, *part)
            for frame in (5, 6):
                whole, part = (self.content(f"{name}{number}-000{frame}.png") for name in ("all", "part"))
                self.assertEqual(whole, part, (keys, frame))
            os.remove(self.path(f"all{number}-0005.png"))
            done = start(*film, *tracked, *shot, "--sequence", names[0], "--resume")
            self.assertIn("5 of 6 frames", done.stdout)

    def shot(self, name="shot.json", **tracks):
        with open(self.path(name), "w") as file:
            file.write(shot_text(**tracks))
        return self.path(name)

    def test_ranges_of_shots_equal_one_long_run(self):
        path = [
            (0, [0, 0.4, 2], [0, 0.1, 0]),
            (0.3, [0.7, 0.5, 1.8], [0, 0.1, 0]),
            (0.6, [1.2, 0.4, 1], [0.2, 0, 0]),
        ]
        pull = {"lens_focusDistanceM": [(0, 0.8), (0.25, 3), (0.5, 1.5)], "lens_fNumber": [(0, 1), (1, 8)]}
        plain = ["--no-animate", "--lens", "box", "--shot"]
        self.expect_equal_ranges(*plain, self.shot(camera=path, **pull), extension="exr")
        views = {"technique_view": [(0, "final"), (0.25, "coc")], "lens_autofocus": [(0, True)]}
        self.expect_equal_ranges(*plain, self.shot(camera_yawDegrees=[(0, 350), (0.5, 10)], **views))

    def test_a_shot_is_drawn_as_a_whole(self):
        options = ["--fps", "8", "--shot", self.shot(lens_focusDistanceM=[(0, 0.5, "linear"), (0.5, 3)])]
        self.draw("--sequence", self.path("whole.png"), *options)
        self.draw("--sequence", self.path("a.png"), "--frames", "5", "--fps", "8", "--animate", "focus=0.5:3")
        for frame in range(1, 5):
            name = f"-{frame:04d}.png"
            self.assertEqual(
                self.content("whole" + name), self.content("a" + name), "a pull of the same keys"
            )
        self.assertFalse(os.path.exists(self.path("whole-0005.png")), "half a second is four frames")
        lens = saved_settings(self.path("whole-0003.png"))["lens"]
        self.assertAlmostEqual(lens["focusDistanceM"], 2 / (1 / 0.5 + 1 / 3), 5)

    def test_the_examples_of_the_page_are_drawn(self):
        docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
        examples = re.findall(r"^```\n(\{.*?)^```", (docs / "shots.md").read_text(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(examples), 2)
        examples.append((docs / "pull.json").read_text())
        for number, example in enumerate(examples):
            with open(self.path("example.json"), "w") as file:
                file.write(example)
            sequence = ["--sequence", self.path(f"{number}.png"), "--fps", "1", "--frames", "11"]
            self.draw(*sequence, "--lens", "box", "--shot", self.path("example.json"))
        self.assertEqual(saved_settings(self.path("0-0005.png"))["lens"]["fNumber"], 4)
        self.assertAlmostEqual(saved_settings(self.path("1-0006.png"))["camera"]["targetXM"], 0.3, 5)
        self.assertEqual(saved_settings(self.path("2-0011.png"))["camera"]["yawDegrees"], -10)

    def test_a_camera_path_is_drawn_with_notes(self):
        cameras = [
            {
                "R": [1, 0, 0, 0],
                "T": [0.1 * i, 0.3, 2],
                "slice": 0,
                "scale": 2,
                "fov": 40,
                "aperture_size": 0.01,
            }
            for i in range(2)
        ]
        with open(self.path("base_cam.json"), "w") as file:
            json.dump({"path": cameras, "time": 1.0}, file)
        shot = ["--shot", self.path("base_cam.json"), "--fps", "2"]
        done = self.run_ok(
            "--headless", "--size", "64x36", *shot, "--lens", "box", "--sequence", self.path("a.png")
        )
        self.assertIn("base_cam.json: it has no times", done.stderr)
        self.assertEqual(self.files(), ["a-0001.png", "a-0002.png", "base_cam.json"])
        camera = saved_settings(self.path("a-0002.png"))["camera"]
        self.assertAlmostEqual(camera["targetXM"], 0.05, 4)
        self.assertAlmostEqual(camera["targetZM"], 0, 4)
        self.assertEqual(camera["verticalFovDegrees"], 40)

    def test_a_camera_of_a_model_is_a_shot(self):
        model = moving_triangle(self.path("moving.gltf"), camera=True)
        options = ["--lens", "box", "--shot", model, "--fps", "2", "--sequence", self.path("a.png")]
        done = self.run_ok(
            "--headless", "--size", "64x36", "--model", model, "--environment", "studio", *options
        )
        self.assertIn("the clip moves the camera of the file", done.stderr)
        self.assertEqual(self.files(), ["a-0001.png", "a-0002.png", "moving.gltf"])
        cameras = [saved_settings(self.path(f"a-{frame:04d}.png"))["camera"] for frame in (1, 2)]
        numpy.testing.assert_allclose([camera["targetXM"] for camera in cameras], [0, 2], atol=1e-2)
        numpy.testing.assert_allclose([camera["yawDegrees"] for camera in cameras], 0, atol=1e-2)
        self.assertAlmostEqual(cameras[0]["verticalFovDegrees"], 34.377, 2)
        os.rename(moving_triangle(self.path("moving.gltf")), self.path("still.gltf"))
        self.refuse(
            2, ["still.gltf", "moves no camera", "--clip"], *options, "--shot", self.path("still.gltf")
        )

    def test_ranges_of_a_moving_model_have_the_camera_of_the_first_frame(self):
        self.expect_equal_ranges(
            "--model", moving_triangle(self.path("moving.gltf")), "--lens", "box", "--environment", "studio"
        )

    def test_a_range_replaces_its_frames_alone(self):
        for name in ("a-0001.png", "a-0002.png", "a-0003.png"):
            with open(self.path(name), "w") as file:
                file.write("old")
        self.range_of("a.png", 2, 2, "--frames", "3", "--export", "depth")
        self.assertEqual(self.files(), ["a-0001.png", "a-0002-depth.png", "a-0002.png", "a-0003.png"])
        self.assertEqual((self.content("a-0001.png"), self.content("a-0003.png")), (b"old", b"old"))
        self.assertEqual(pixels(self.path("a-0002.png")).shape, (SIZE[1], SIZE[0], 3))

    def test_a_killed_sequence_is_resumed(self):
        options = [*"--frames 5 --fps 8 --lens box --autofocus --sequence".split(), self.path("a.png")]
        names = [f"a-{frame:04d}.png" for frame in range(1, 6)]
        self.draw(*options)
        whole = [self.content(name) for name in names]
        os.remove(self.path(names[3]))
        with open(self.path(names[1]), "wb") as file:
            file.write(whole[1][: len(whole[1]) // 2])
        self.draw(*options[:-1], self.path("b.png"), "--f-number", "8", "--first", "3", "--last", "3")
        os.rename(self.path("b-0003.png"), self.path(names[2]))
        stamps = [os.stat(self.path(names[i])).st_mtime_ns for i in (0, 4)]
        self.assertIn("2 of 5 frames are on the disk", self.draw("--resume", *options).stdout)
        self.assertEqual([self.content(name) for name in names], whole)
        self.assertEqual([os.stat(self.path(names[i])).st_mtime_ns for i in (0, 4)], stamps)
        self.assertIn("5 of 5 frames", self.draw("--resume", *options).stdout)
        # A shot with motion blur; then another shutter, and a newer file.
        shot = self.shot(camera_yawDegrees=[(0, 0, "linear"), (0.625, 90)])
        mask = self.path("mask.json")
        with open(mask, "w") as file:
            file.write('{"width": 1, "height": 1, "weights": [1]}')
        film = [
            *"--fps 8 --lens box --shot".split(),
            shot,
            "--filter",
            mask,
            "--sequence",
            self.path("c.exr"),
        ]
        blur = ["--shutter-samples", "2", "--shutter-angle"]
        self.draw(*film, *blur, "180")
        self.assertIn("5 of 5 frames", self.draw("--resume", *film, *blur, "180").stdout)
        self.assertIn("0 of 5 frames", self.draw("--resume", *film, *blur, "90").stdout)
        os.utime(mask)
        self.assertIn("0 of 5 frames", self.draw("--resume", *film, *blur, "90").stdout)
        for other in ([], ["--bit-depth", "32"], ["--keep-metadata", "none"]):
            self.assertIn("0 of 5 frames", self.draw("--resume", *film, *other).stdout, other)
            self.assertIn("5 of 5 frames", self.draw("--resume", *film, *other).stdout, other)

    def test_damaged_frames_and_layers_are_written_again(self):
        cuts = [lambda whole: whole[:-30], lambda whole: whole[: len(whole) // 2], lambda whole: b""]

        def flipped(whole):
            at = len(whole) * 9 // 10
            return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]

        changes = [*cuts, lambda whole: whole[:-30] + bytes(30)]
        for extension in ("png", "exr", "jpg", "tif", "hdr"):
            layers = changes if extension in ("png", "exr") else []
            damages = [("", cut) for cut in [*cuts, flipped]] + [("-depth", change) for change in layers]
            options = [
                "--frames",
                str(len(damages)),
                *"--lens box --sequence".split(),
                self.path(f"a.{extension}"),
            ]
            options += ["--export", "colour,depth"] if layers else []
            self.draw(*options)
            whole = {}
            for number, (layer, damage) in enumerate(damages, 1):
                name = f"a-{number:04d}{layer}.{extension}"
                whole[name] = self.content(name)
                with open(self.path(name), "wb") as file:
                    file.write(damage(whole[name]))
            said = self.draw("--resume", *options).stdout
            self.assertIn(f"0 of {len(damages)} frames", said, extension)
            self.assertEqual({name: self.content(name) for name in whole}, whole)
            self.assertIn(f"{len(damages)} of", self.draw("--resume", *options).stdout, extension)

    def test_a_file_that_a_model_names_is_an_input(self):
        def write(name, text):
            with open(self.path(name), "w") as file:
                file.write(text)

        write("m.obj", "mtllib my list.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        write("my list.mtl", "newmtl a\nKd 1 0 0\n")
        film = ["--frames", "2", "--model", self.path("m.obj"), "--sequence", self.path("m.png"), "--resume"]
        for kept in (0, 2):
            self.assertIn(f"{kept} of 2 frames", self.draw(*film).stdout)
        os.utime(self.path("my list.mtl"), (time.time() + 100,) * 2)
        self.assertIn("0 of 2 frames", self.draw(*film).stdout)

    def test_frames_of_other_inputs_are_drawn_again(self):
        def photo(folder, shade):
            os.makedirs(self.path(folder), exist_ok=True)
            Image.new("L", (32, 18), shade).save(self.path(f"{folder}/p.png"))
            write_pfm(self.path(f"{folder}/p.pfm"), numpy.ones((1, 1)))
            for name in ("p.png", "p.pfm"):
                os.utime(self.path(f"{folder}/{name}"), (0, 0))
            return ["--image", self.path(f"{folder}/p.png"), "--depth", self.path(f"{folder}/p.pfm")]

        frames = ["--frames", "1", "--sequence", self.path("s.png"), "--resume"]
        for options, kept in ((photo("a", 10), 0), (photo("a", 10), 1), (photo("b", 200), 0)):
            done = start("--headless", "--size", "32x18", *options, *frames)
            self.assertIn(f"{kept} of 1 frames", done.stdout, done.stderr)

        # A texture of the second material file changes, but not its date.
        faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 3/1 2/1 1/1\n"
        for name, text in (
            ("m.obj", "mtllib first.mtl m.mtl\n" + faces),
            ("first.mtl", "newmtl b\nmap_Kd other.png\n"),
            ("m.mtl", "newmtl a\nmap_Kd\ttex.png\n"),
        ):
            with open(self.path(name), "w") as file:
                file.write(text)
        frames = [
            "--model",
            self.path("m.obj"),
            *"--frames 1 --sequence".split(),
            self.path("m.png"),
            "--resume",
        ]
        # In the last run, the two textures are swapped.
        for shade, other, kept in ((10, 80, 0), (10, 80, 1), (200, 80, 0), (80, 200, 0)):
            for name, value in (("tex.png", shade), ("other.png", other)):
                Image.new("L", (8, 8), value).save(self.path(name))
                os.utime(self.path(name), (0, 0))
            self.assertIn(f"{kept} of 1 frames", self.draw(*frames).stdout)

    def test_frames_show_the_inputs_that_were_read(self):
        for name, level in (("in", 40), ("in-depth", 9), ("other", 200)):
            Image.new("L", (32, 18), level).save(self.path(name + ".png"))
        os.utime(self.path("other.png"), (1, 1))
        options = ["--size", "32x18", "--image", self.path("in.png"), "--depth", self.path("in-depth.png")]
        options += ["--frames", "40", "--sequence", self.path("out.png")]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([SATDOF, "--headless", *options], **silent) as run:
            while run.poll() is None and not os.path.exists(self.path("out-0001.png")):
                time.sleep(0.01)
            os.replace(self.path("other.png"), self.path("in.png"))
        self.assertEqual(run.returncode, 0)
        self.assertIn(
            "0 of 40 frames are on the disk", self.run_ok("--headless", *options, "--resume").stdout
        )
        self.assertGreater(pixels(self.path("out-0001.png")).mean(), 100)

    def test_blurred_frames_of_other_moments_are_drawn_again(self):
        frames = ["--lens", "box", "--frames", "1", "--shutter-angle", "360", "--shutter-samples", "2"]
        frames += ["--sequence", self.path("s.png"), "--resume"]
        slow, fast = (
            self.shot(f"{end}.json", lens_focusDistanceM=[(0, 1.2, "linear"), (1, end)]) for end in (2, 5)
        )
        for shot, rate, kept in ((slow, "1", 0), (slow, "1", 1), (fast, "1", 0), (fast, "30", 0)):
            done = self.draw(*frames, "--shot", shot, "--fps", rate)
            self.assertIn(f"{kept} of 1 frames", done.stdout)

    def film(self):
        """Writes three frames with depths. Returns the options of a film of them."""
        random = numpy.random.default_rng(5)
        for frame in (1, 2, 3):
            for name in (f"f{frame}.png", f"z{frame}.png"):
                Image.fromarray(random.integers(1, 255, (9, 16), numpy.uint8)).save(self.path(name))
        options = ["--image", self.path("f%d.png"), "--depth", self.path("z%d.png"), "--lens", "box"]
        return ["--headless", *options, "--depth-means", "relative", "--sequence", self.path("film.png")]

    def test_frames_with_a_smoothed_depth_are_kept(self):
        film = [*self.film(), "--depth-smooth", "2", "--frames", "3"]
        for kept in (0, 3, 3):
            done = self.run_ok(*film, "--resume", XDG_CACHE_HOME=self.path("cache"))
            self.assertIn(f"{kept} of 3 frames are on the disk", done.stdout)
            for file in pathlib.Path(self.path("cache")).glob("satdof/steady/*"):
                file.write_bytes(file.read_bytes()[:-20])  # damaged
        self.expect_note("f3.png: its depth is not averaged over 2 earlier frames", "film-0003.png")
        photo = ["--image", self.path("f1.png"), "--depth", self.path("z1.png"), "--depth-smooth", "2"]
        done = self.run_ok("--headless", *photo, "--capture", self.path("photo.png"))
        self.assertIn("f1.png: its depth is not averaged over 2 earlier frames: it is a single", done.stderr)

    def expect_note(self, note, name):
        """Draws a frame again by its settings. Fails unless stderr has the note, or none if it is empty."""
        again = ["--settings", self.path(name), "--capture", self.path("again.png")]
        done = self.run_ok("--headless", *again, XDG_CACHE_HOME=self.path("other"))
        if note:
            self.assertIn("satdof: note: ", done.stderr)
            self.assertIn(note, done.stderr)
        else:
            self.assertNotIn("drawn again", done.stderr)

    def test_keyed_levels_of_a_smoothed_depth_are_the_only_ones(self):
        options = ["--depth-smooth", "2", "--frames", "3", "--focus", "1.2", "--f-number", "1.4"]
        options += ["--fps", "2", "--shot", self.shot(scene_image_levelGamma=[(0, 3, "linear"), (1, 1)])]
        images = []
        for levels in ([], ["--depth-gamma", "2"]):
            self.run_ok(*self.film(), *options, *levels, XDG_CACHE_HOME=self.path("cache"))
            images.append([pixels(self.path(f"film-{frame:04d}.png")) for frame in (1, 2, 3)])
        numpy.testing.assert_array_equal(*images)
        self.assertEqual(len({image.tobytes() for image in images[0]}), 3)

    def test_a_smoothed_depth_follows_its_calibration(self):
        options = [*self.film(), *"--depth-smooth 2 --focus 0.5 --frames 3 --first 3 --last 3".split()]
        options[options.index("--depth") + 1] = self.path("disp%d.pfm")
        options[options.index("--depth-means") + 1] = "auto"
        for frame in (1, 2, 3):
            write_pfm(self.path(f"disp{frame}.pfm"), numpy.array([[5, 20]]))
        images = []
        for baseline, cache in ((100, "cache"), (400, "cache"), (400, "other")):
            with open(self.path("calib.txt"), "w") as file:
                file.write(f"cam0=[10 0 1; 0 10 1; 0 0 1]\nbaseline={baseline}\nwidth=2\n")
            self.run_ok(*options, XDG_CACHE_HOME=self.path(cache))
            images.append(pixels(self.path("film-0003.png")))
        self.assertFalse(numpy.array_equal(images[0], images[1]))
        numpy.testing.assert_array_equal(images[1], images[2])

    def test_names_that_begin_as_those_of_a_film_are_no_inputs(self):
        for _ in range(2):
            self.run_ok(*self.film())
        self.assertIn("film-0006.png", self.files())
        clash = start(*self.film()[:-1], self.path("f.png"), "--capture", self.path("f2.png"))
        self.assertEqual(clash.returncode, 2)
        self.assertIn("--capture writes the same file", clash.stderr)

    def test_frames_of_one_file_are_not_replaced(self):
        options = ["--size", "160x90", "--frames", "3", "--sequence", self.path("run.png")]
        self.draw(*options)
        old = self.content("run-0001.png")
        for link in (os.link, os.symlink):
            os.remove(self.path("run-0003.png"))
            link(self.path("run-0001.png"), self.path("run-0003.png"))
            for more in (["--resume"], ["--first", "3"]):
                self.refuse(2, ["another frame of --sequence writes the same file"], *options, *more)
            self.assertEqual(self.content("run-0001.png"), old)
            self.draw("--frames", "1", "--sequence", self.path("run.png"))

    def test_layers_of_others_keep_their_files(self):
        with open(self.path("z-0001-depth.png"), "wb") as file:
            file.write(b"mine")
        self.draw("--frames", "1", "--export", "depth", "--sequence", self.path("z.png"))
        self.assertEqual(self.content("z-0001-depth.png"), b"mine")
        self.assertEqual(self.files(), ["z-0001-depth.png", "z-0002-depth.png", "z-0002.png"])

    def test_a_sequence_that_cannot_be_resumed(self):
        frames = ["--frames", "2", "--resume"]
        self.refuse(2, ["--resume", "--sequence"], *frames, "--capture", self.path("a.png"))
        self.refuse(2, ["--resume", "a.pfm"], *frames, "--sequence", self.path("a.pfm"))

    def test_a_shutter_averages_images(self):
        shot = self.shot(camera_yawDegrees=[(0, 0, "linear"), (1, 90)], lens_fNumber=[(0, 1.2), (1, 8)])
        options = ["--lens", "box", "--shot", shot, "--frames"]
        blur = ["--shutter-angle", "180", "--shutter-samples", "2"]
        self.draw("--sequence", self.path("a.pfm"), *options, "2", "--fps", "8", *blur)
        # The second frame, from 8 / 64 s on: its images are 1 / 64 and 3 / 64 s later.
        moments = []
        for frame in ("10", "12"):
            self.range_of("b.pfm", frame, frame, *options, "12", "--fps", "64")
            moments.append(self.light(f"b-00{frame}.pfm"))
        blurred, mean = self.light("a-0002.pfm"), (moments[0] + moments[1]) / 2
        self.assertGreater(numpy.abs(moments[0] - moments[1]).max(), 0.1)
        self.assertLess(numpy.abs(blurred - mean).max(), 0.002 * mean.max())
        self.draw("--sequence", self.path("s.png"), *options, "1", *blur)
        self.expect_note(
            "s-0001.png: its motion blur is not drawn again: 180 degrees, 2 images", "s-0001.png"
        )
        # A video shows the same frames.
        if shutil.which("ffmpeg"):
            self.draw("--video", self.path("a.mkv"), *options, "2", "--fps", "8", *blur)
            self.draw("--sequence", self.path("a.png"), *options, "2", "--fps", "8", *blur)
            frames = self.frames_of(self.path("a.mkv"))
            image = pixels(self.path("a-0002.png"))
            self.assertLess(numpy.abs(frames[1].mean(axis=2) - image.mean(axis=2)).mean(), 4)
        # The reference divides its samples; none of them moves.
        still = ["--no-animate", "--lens", "reference", "--frames", "1", "--lens-samples", "32"]
        self.draw("--sequence", self.path("c.pfm"), *still)
        self.draw(
            "--sequence", self.path("d.pfm"), *still, "--shutter-angle", "180", "--shutter-samples", "4"
        )
        self.assertLess(numpy.abs(self.light("c-0001.pfm") - self.light("d-0001.pfm")).mean(), 0.02)
        self.refuse(2, ["--shutter-angle", "--sequence"], "--capture", self.path("e.png"), *blur)

    def light(self, name):
        """The pixels of a PFM."""
        return read_pfm(self.path(name))

    def frames_of(self, path):
        return numpy.frombuffer(decoded(path, "rgb24"), "uint8").reshape(-1, SIZE[1], SIZE[0], 3).astype(int)

    @needs_ffmpeg
    def test_a_killed_video_plays(self):
        for name in ("a.mp4", "a.mkv"):
            part = self.path(name.replace("a.", "a-unfinished-0001."))
            run = subprocess.Popen(
                [SATDOF, *"--headless --size 160x90 --lens box --frames 100000 --video".split(), name],
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                while not os.path.exists(part):
                    self.assertIsNone(run.poll())
                    time.sleep(0.02)
            finally:
                run.kill()
                run.wait()
            while self.is_open(part):
                time.sleep(0.02)
            self.assertGreaterEqual(len(self.frames_of(part)), 1, name)
            going = self.path(name.replace("a.", "a-unfinished-2."))  # of a run that goes on
            own = self.path(name.replace("a.", "a-unfinished-2024."))  # of the user
            pathlib.Path(own).touch()
            marks = "user.satdof.unfinished" in os.listxattr(part)
            with open(going, "wb") as other:
                fcntl.flock(other, fcntl.LOCK_SH)
                if marks:
                    os.setxattr(going, "user.satdof.unfinished", b"")
                self.draw("--frames", "2", "--video", self.path(name))
            left = [going, own, self.path(name)] + ([] if marks else [part])
            self.assertEqual(self.files(), sorted(os.path.basename(each) for each in left))
            self.assertEqual(os.listxattr(self.path(name)), [])
            for each in self.files():
                os.remove(self.path(each))

    @staticmethod
    def is_open(path):
        """Whether a program has the file open."""
        for link in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
            with contextlib.suppress(OSError):
                if os.path.samefile(link, path):
                    return True
        return False

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

    @needs_ffmpeg
    def test_a_video_shows_the_frames(self):
        path = self.path("-a.mp4")
        size = ["--size", "63x41"]
        self.draw("--frames", "6", "--fps", "12", "--sequence", self.path("a.png"), *size)
        options = [
            *"--headless --lens-samples 16".split(),
            *size,
            *"--frames 6 --fps 12 --video=-a.mp4".split(),
        ]
        done = run([SATDOF, *options], cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.files()), 7, "no other file is left")
        frames = numpy.frombuffer(decoded(path, "rgb24"), "uint8").reshape(6, 42, 64, 3).astype(int)
        for number, frame in enumerate(frames, 1):
            image = pixels(self.path(f"a-{number:04d}.png"))
            self.assertLess(numpy.abs(frame[:41, :63].mean(axis=2) - image.mean(axis=2)).mean(), 4)
            self.assertGreater(numpy.abs(frame[40::-1, :63].mean(axis=2) - image.mean(axis=2)).mean(), 8)

    def test_equal_numbers_of_depth_are_equal_distances_in_all_frames(self):
        for frame, (low, high) in enumerate(((0, 1), (0.2, 0.7), (0.5, 0.6)), 1):
            Image.new("RGB", (64, 48), (128, 128, 128)).save(self.path(f"c{frame}.png"))
            depth = numpy.full((48, 64), 0.5, "float32")
            depth[:24, 32:], depth[24:, 32:] = low, high
            write_pfm(self.path(f"d{frame}.pfm"), depth)
        film = ["--image", self.path("c%d.png"), "--depth", self.path("d%d.pfm"), "--depth-edge-radius", "0"]
        for meaning in ([], ["--depth-means", "relative"], ["--depth-smooth", "2"]):
            export = ["--sequence", self.path("z.pfm"), "--export", "depth", *film, *meaning]
            self.run_ok("--headless", *export)
            metres = [read_pfm(self.path(f"z-000{frame}-depth.pfm"))[24, 16] for frame in (1, 2, 3)]
            numpy.testing.assert_allclose(metres, 1 / 0.55, rtol=1e-3, err_msg=str(meaning))
        self.run_ok("--headless", *film, "--sequence", self.path("s.png"))
        self.expect_note("", "s-0001.png")
        self.expect_note(
            "s-0002.png: it is a frame of a film, and is drawn again as a single image", "s-0002.png"
        )

    @needs_ffmpeg
    def test_a_frame_of_a_video_is_drawn_again(self):
        Image.new("L", (32, 18), 128).save(self.path("depth.png"))
        self.run_ok(
            *"--headless --teapots 1 --size 32x18 --lens box --frames 2 --video".split(), self.path("v.mkv")
        )
        film = [
            "--image",
            self.path("v.mkv"),
            "--depth",
            self.path("depth.png"),
            "--sequence",
            self.path("f.png"),
        ]
        cache = {"XDG_CACHE_HOME": self.path("cache")}
        self.run_ok("--headless", *film, **cache)
        again = ["--headless", "--settings", self.path("f-0002.png"), "--capture", self.path("again.png")]
        self.run_ok(*again, **cache)
        numpy.testing.assert_array_equal(pixels(self.path("again.png")), pixels(self.path("f-0002.png")))
        shutil.rmtree(self.path("cache"))
        done = start(*again, **cache)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "000002.png: it is frame 2 of a video, .*open the video once more")
        self.run_ok("--headless", *film[:2], "--capture", self.path("once.png"), *film[2:4], **cache)
        self.run_ok(*again, **cache)

    @needs_ffmpeg
    def test_a_video_of_a_video_keeps_its_colours(self):
        colour = (100, 60, 200)
        Image.new("RGB", (160, 90), colour).save(self.path("a.png"))
        Image.new("L", (160, 90), 128).save(self.path("depth.png"))
        image = ["--depth", self.path("depth.png"), "--depth-means", "relative", "--view", "sharp", "--image"]
        self.draw("--frames", "2", "--fps", "8", "--video", self.path("1.mkv"), *image, self.path("a.png"))
        self.draw("--video", self.path("2.mkv"), *image, self.path("1.mkv"))
        self.draw("--sequence", self.path("b.png"), *image, self.path("2.mkv"))
        shown = numpy.asarray(Image.open(self.path("b-0002.png"))).astype(int)[..., :3]
        self.assertLessEqual(numpy.abs(shown - colour).max(), 3)

    @needs_ffmpeg
    def test_frames_of_a_video_are_as_players_show_them(self):
        def film(name, source, *options):
            command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, *options]
            subprocess.run([*command, self.path(name)], check=True)
            depth = ["--depth", self.path("depth.png"), "--depth-means", "relative"]
            return ["--headless", "--image", self.path(name), *depth, "--view", "sharp"]

        def frame(name, *arguments):
            done = self.run_ok(*film(name, *arguments), "--sequence", self.path(name + ".png"))
            return numpy.asarray(Image.open(self.path(name + "-0001.png"))).astype(int)[..., :3], done.stderr

        Image.new("L", (64, 48), 128).save(self.path("depth.png"))
        coded = ["-frames:v", "2", "-pix_fmt", "yuv420p"]
        wide = ["-vf", "setsar=4/3", *coded]
        self.assertEqual(frame("wide.mkv", "testsrc=size=72x48", *wide)[0].shape, (48, 96, 3))
        tall = ["-vf", "setsar=3/4", *coded]
        self.assertEqual(frame("tall.mkv", "testsrc=size=72x48", *tall)[0].shape, (64, 72, 3))
        untagged = ["-vf", "scale=out_color_matrix=bt709", *coded, "-c:v", "ffv1"]
        shown, _ = frame("hd.mkv", "color=c=0xb43c28:size=1280x720,format=rgb24", *untagged)
        self.assertLessEqual(numpy.abs(shown - (180, 60, 40)).max(), 8)  # BT.601: 14
        shown, _ = frame("wide-hd.mkv", "color=c=0xb43c28:size=1280x536,format=rgb24", *untagged)
        self.assertLessEqual(numpy.abs(shown - (180, 60, 40)).max(), 8)
        for tags in ([], ["-color_primaries", "smpte170m", "-colorspace", "smpte170m"]):
            grey = ["-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv444p", *tags]
            shown, _ = frame(f"grey{len(tags)}.mkv", "color=c=0x0a0a0a:size=64x48,format=rgb24", *grey)
            self.assertLessEqual(numpy.abs(shown - 10).max(), 1)  # by a gamma of 2.2: 3
        bt2020 = [*coded, "-color_primaries", "bt2020", "-colorspace", "bt709"]
        self.assertIn(
            "wide colours (BT.2020) are ignored", frame("2020.mkv", "testsrc=size=64x48", *bt2020)[1]
        )
        if "libvpx-vp9" in subprocess.run(["ffmpeg", "-decoders"], capture_output=True, text=True).stdout:
            clear = ["-frames:v", "2", "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0"]
            shown, notes = frame("clear.webm", "color=c=0xc86432@0.25:size=64x48,format=yuva420p", *clear)
            self.assertIn("transparent pixels blended over black", notes)
            self.assertLess(shown.max(), 130)

    @needs_ffmpeg
    def test_frames_of_an_interlaced_video_have_no_combs(self):
        """A bar that moves four pixels a field has the same place in neighbouring lines."""
        source = "color=c=black:size=96x64:rate=50,geq=lum='255*between(mod(X-4*N,96),0,15)':cb=128:cr=128"
        weave = "tinterlace=mode=interleave_top,setfield=tff"
        make = [
            "ffmpeg",
            "-nostdin",
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            source,
            "-vf",
            weave,
            "-frames:v",
            "4",
        ]
        coded = ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-q:v", "1", self.path("field.mkv")]
        subprocess.run([*make, *coded], check=True)
        Image.new("L", (96, 64), 128).save(self.path("depth.png"))
        film = [
            "--image",
            self.path("field.mkv"),
            "--depth",
            self.path("depth.png"),
            "--depth-means",
            "relative",
        ]
        self.run_ok("--headless", *film, "--view", "sharp", "--sequence", self.path("shown.png"))
        frames = [
            numpy.asarray(Image.open(self.path(f"shown-{n:04}.png")).convert("L")).astype(int)
            for n in (1, 2, 3)
        ]
        for frame in frames:
            self.assertGreater(frame.max(), 200)
            self.assertLess(numpy.abs(frame[20:41] - frame[21:42]).mean(), 2)

    @needs_ffmpeg
    def test_frames_of_a_video_are_not_repeated(self):
        """A gap of an hour in the time stamps, and a cover picture, which is no film."""
        Image.new("L", (64, 48), 128).save(self.path("depth.png"))
        gap = "settb=1/90000,setpts='N*3000+if(gt(N,5),90000*3600,0)'"
        timed = [
            "-vf",
            gap,
            "-vsync",
            "passthrough",
            "-enc_time_base",
            "1/90000",
            "-frames:v",
            "9",
            "-bf",
            "0",
        ]
        source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30"]
        make = ["ffmpeg", "-nostdin", "-v", "error"]
        subprocess.run([*make, *source, *timed, self.path("gap.mp4")], check=True)
        film = [
            "--depth",
            self.path("depth.png"),
            "--depth-means",
            "relative",
            "--sequence",
            self.path("out.png"),
        ]
        done = self.run_ok("--headless", "--image", self.path("gap.mp4"), *film)
        self.assertIn("its frames last unequal times: shown at 30 frames a second", done.stderr)
        self.assertEqual(len([name for name in self.files() if name.startswith("out-")]), 9)
        alone = ["--headless", "--image", self.path("gap.mp4"), "--sequence", self.path("none.png")]
        self.assertIn('gap.mp4, frame 1": it holds no depth', run([SATDOF, *alone]).stderr)
        sound = ["-f", "lavfi", "-i", "sine=duration=0.2", "-i", self.path("out-0001.png")]
        cover = ["-map", "0", "-map", "1", "-c:v", "png", "-disposition:v:0", "attached_pic"]
        subprocess.run([*make, *sound, *cover, self.path("song.mp4")], check=True)
        self.refuse(1, ["song.mp4: it holds no moving picture"], "--image", self.path("song.mp4"), *film)

    @needs_ffmpeg
    def test_notes_on_frames_name_the_film_once(self):
        grey = numpy.tile(numpy.arange(160, dtype=numpy.uint8), (90, 1))
        for name in ("1.jpg", "2.jpg", "3.jpg", "depth.png"):
            Image.fromarray(grey).save(self.path(name))
        frames, film = self.path("%d.jpg"), self.path("film.mkv")
        photo = ["--image", self.path("1.jpg"), "--depth", self.path("depth.png")]
        self.draw("--frames", "3", "--fps", "8", "--video", film, *photo, "--depth-means", "relative")
        small = ["--headless", "--size", "64x36", "--sequence"]
        done = self.run_ok(*small, self.path("a.png"), "--image", film, "--depth", film)
        note = ": its depth is taken for relative: large numbers are near, 1 to 10 m: assumed; --depth-means sets it"
        self.assertEqual(done.stderr.splitlines(), [f"satdof: note: {film}{note}"])
        with open(self.path("2.jpg"), "r+b") as file:
            file.truncate(os.path.getsize(self.path("2.jpg")) // 2)
        done = self.run_ok(*small, self.path("b.png"), "--image", frames, "--depth", frames)
        said = done.stderr.splitlines()
        self.assertEqual(said[0], f"satdof: note: {frames}{note}")
        self.assertTrue(said[1:], said)
        for line in said[1:]:
            self.assertIn(f"note: {frames}, frame 2: ", line)

    @needs_ffmpeg
    def test_a_video_needs_no_standard_files(self):
        for closed in ("<&-", ">&-", "<&- >&- 2>&-"):
            film = [SATDOF, "--headless", "--size", "32x18", "--lens", "box", "--frames", "2", "--fps", "8"]
            film += ["--video", self.path("v.mkv")]
            done = run(["sh", "-c", f'exec "$@" {closed}', "sh", *film])
            self.assertNotIn("ffmpeg", done.stderr, closed)
            self.assertTrue(os.path.exists(self.path("v.mkv")), closed)
            os.unlink(self.path("v.mkv"))

    @needs_ffmpeg
    def test_a_video_keeps_a_transparent_background(self):
        film = ["--lens", "box", "--background", "transparent", "--no-lamps", "--fps", "8", "--frames", "3"]
        film += ["--size", "64x42", "--shutter-angle", "180", "--shutter-samples", "2"]
        self.draw("--sequence", self.path("a.png"), *film)
        expected = [
            numpy.asarray(Image.open(self.path(f"a-000{number}.png"))).astype(int) for number in (1, 2, 3)
        ]
        alpha = numpy.stack(expected)[..., 3]
        self.assertGreater(numpy.mean(alpha == 0), 0.1)
        self.assertGreater(numpy.mean((alpha > 20) & (alpha < 235)), 0.01)
        for name, decoder, most in (
            ("a.mkv", [], 0),
            ("a.mov", [], 2),
            ("a.webm", ["-c:v", "libvpx-vp9"], 6),
        ):
            self.draw("--video", self.path(name), *film)
            raw = decoded(self.path(name), "rgba", *decoder)
            frames = numpy.frombuffer(raw, "uint8").reshape(3, 42, 64, 4).astype(int)
            solid = alpha == 255
            self.assertLessEqual(numpy.abs(frames[..., 3] - alpha).mean(), most, name)
            self.assertLessEqual(numpy.abs(frames - expected)[solid].mean(), 2 * most, name)
        done = start("--headless", "--video", self.path("a.mp4"), *film)
        self.assertIn(
            "note: the transparent background is black in a .mp4, which holds none: .mov", done.stderr
        )
        # Without the encoder.
        tools = self.fake_ffmpeg(
            f'case "$*" in *ffv1*) exit 1;; *) exec {shutil.which("ffmpeg")} "$@";; esac'
        )
        search = f"{tools}:{os.environ['PATH']}"
        done = self.run_ok("--headless", "--video", self.path("b.mkv"), *film, PATH=search)
        self.assertIn("ffmpeg has no encoder ffv1", done.stderr)
        self.assertIn("b.mkv", self.files())

    @needs_ffmpeg
    def test_a_gif_is_short(self):
        options = ["--lens", "box", "--frames", "5", "--fps", "10"]
        self.draw("--sequence", self.path("a.png"), *options)
        self.draw("--video", self.path("a.gif"), *options)
        frames = self.frames_of(self.path("a.gif"))
        self.assertEqual(len(frames), 5)
        for number, frame in enumerate(frames, 1):
            image = pixels(self.path(f"a-{number:04d}.png"))
            self.assertLess(numpy.abs(frame.mean(axis=2) - image.mean(axis=2)).mean(), 6)
        gif = ["--video", self.path("b.gif"), "--frames"]
        self.refuse(1, ["has at most 67 frames", "mp4"], *gif, "68", "--size", "2000x2000", "--fps", "10")
        self.refuse(1, ["50 frames a second"], *gif, "2", "--fps", "60")
        self.assertNotIn("b.gif", self.files())

    @needs_ffmpeg
    def test_a_video_without_its_frames_replaces_no_other(self):
        path = self.path("a.mkv")
        with open(path, "w") as file:
            file.write("old")
        tools = self.fake_ffmpeg(
            f'case "$*" in *pipe:0*) cat > /dev/null;; *) exec {shutil.which("ffmpeg")} "$@";; esac'
        )
        search = f"{tools}:{os.environ['PATH']}"
        done = start("--headless", "--size", "32x18", "--frames", "2", "--video", path, PATH=search)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot read the film", done.stderr)
        with open(path) as file:
            self.assertEqual(file.read(), "old")

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
            self.fake_ffmpeg(script)
            arguments = ["--size", "300x200", "--lens", "box", "--frames", "4", "--video", path]
            self.refuse(1, [path, reason], *arguments, PATH=tools + ":/usr/bin:/bin")
            self.assertEqual(self.content("a.mp4"), b"old")


if __name__ == "__main__":
    unittest.main()
