#!/usr/bin/env python3
"""Files that the headless program writes and reads.

files_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import numpy
from headless_program import CAN, LENS_SAMPLES, SATDOF, SIZE, ProgramTest, pixels, run, saved_settings, start
from PIL import Image
from tools.pfm import read_pfm


class Files(ProgramTest):
    def test_settings_in_an_image_draw_it_again_bit_for_bit(self):
        first, again, third = self.path("first.png"), self.path("again.png"), self.path("third.png")
        self.draw(
            *"--frames 7 --fps 24 --autofocus --yaw 33 --teapots 40 --exposure 0.7 --capture".split(), first
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

    def test_without_proc_and_with_a_relative_cache(self):
        command = 'mount -t tmpfs none /proc && [ ! -e /proc/self ] || exit 77; exec "$@"'
        environment = {**os.environ, "XDG_CACHE_HOME": "cache"}
        for entries in (["unshare", "-m"], ["unshare", "-rm"]):
            shell = [*entries, "sh", "-c", command, "sh", SATDOF, "--headless", "--size", "16x16"]
            done = run([*shell, "--capture", "a.png"], cwd=self.folder, env=environment)
            if done.returncode == 0:
                break
        if "unshare" in done.stderr or done.returncode == 77:
            self.skipTest("no mount can be made")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(), ["a.png"])

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
        light = read_pfm(linear)
        self.assertEqual(light.shape, (SIZE[1], SIZE[0], 3))
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
            listing = run(["exrheader", self.path("a.exr")], check=True).stdout
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
        self.draw("--capture", again, "--time", "0.2")
        numpy.testing.assert_array_equal(
            pixels(again),
            pixels(self.path("run-0003.png")),
            "a frame of a sequence is the best image, as a capture of its time",
        )
        self.assertEqual(saved_settings(again), saved_settings(self.path("run-0003.png")))

    @unittest.skipUnless(os.geteuid() == 0, "needs two users")
    def test_a_file_of_another_user_in_a_sticky_folder_is_written(self):
        nobody, shared, file = 65534, self.path("shared"), self.path("shared/a.png")
        os.mkdir(shared)
        self.draw("--capture", file)
        for path, mode in ((self.folder, 0o755), (shared, 0o1777), (file, 0o666)):
            os.chmod(path, mode)
        command = [SATDOF, "--headless", "--size", "16x16", "--f-number", "8", "--capture", file]
        done = run(command, user=nobody)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(saved_settings(file)["lens"]["fNumber"], 8)
        self.assertEqual((os.stat(file).st_uid, os.listdir(shared)), (0, ["a.png"]))

    def test_two_runs_of_a_sequence_do_not_mix(self):
        def stopped(*arguments):
            """A run that is stopped by SIGSTOP after its first frame."""
            before = len(self.files())
            run = subprocess.Popen(
                [SATDOF, "--headless", "--lens-samples", LENS_SAMPLES, *other, "--frames", "600", *arguments],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while len(self.files()) == before:
                self.assertIsNone(run.poll())
                time.sleep(0.005)
            run.send_signal(signal.SIGSTOP)
            os.waitpid(run.pid, os.WUNTRACED)
            return run

        pattern = self.path("run.png")
        part = ["--frames", "600", "--first", "598", "--last", "600"]
        other = ["--sequence", pattern, "--size", "16x16", "--teapots", "1", "--lens", "box"]
        run = stopped()
        for arguments in (["--frames", "2"], part, ["--frames", "2", "--resume"]):
            self.refuse(1, ["run.png", "another run of satdof"], *other, *arguments)
        self.draw(*other[2:], "--sequence", self.path("else.png"), "--frames", "2", "--size", "16x16")
        run.kill()
        run.wait()
        run = stopped("--first", "1", "--last", "597")
        self.refuse(1, ["run.png", "another run of satdof"], *other, "--frames", "2")
        self.draw(*other, *part)
        self.draw(*other, "--frames", "600", "--first", "599", "--resume")
        for more in (["--resume"], ["--first", "599"]):
            brighter = ["--exposure", "1", "--frames", "600", *more]
            self.refuse(1, ["run.png", "another run of satdof"], *other, *brighter)
        run.kill()
        run.wait()
        self.draw(*other, "--frames", "2")
        self.assertTrue({"run-0600.png", "run-0601.png", "run-0602.png"} <= set(self.files()))

    def test_a_captured_frame_is_that_of_the_sequence(self):
        for options in (
            ("--autofocus", "--f-number", "1"),
            ("--table-format", "float32-mean", "--lens", "box", "--device", "cpu"),
            ("--table-format", "float32-mean", "--lens", "box", "--device", "gl-compute"),
        ):
            with self.subTest(options=options):
                options += ("--frames", "7", "--fps", "5", "--animate", "--no-adaptive")
                self.draw("--sequence", self.path("run.png"), *options)
                self.draw("--capture", self.path("last.png"), *options)
                numpy.testing.assert_array_equal(
                    pixels(self.path("last.png")), pixels(self.path("run-0007.png"))
                )
                self.assertEqual(
                    saved_settings(self.path("last.png")), saved_settings(self.path("run-0007.png"))
                )
                for name in self.files():
                    os.remove(self.path(name))

    def test_a_killed_sequence_leaves_whole_files(self):
        for pattern in ("run.png", "run.exr"):
            for round_ in range(4):
                before = len(self.files())
                run = subprocess.Popen(
                    [SATDOF, "--headless", "--size", "16x16", "--teapots", "1", "--frames", "100000"]
                    + ["--sequence", self.path(pattern)],
                    stdout=subprocess.DEVNULL,
                )
                end = time.monotonic() + 60
                while len(self.files()) < before + 3 + round_ and time.monotonic() < end:
                    sizes = [os.path.getsize(self.path(name)) for name in self.files()]
                    self.assertNotIn(0, sizes)
                run.kill()
                run.wait()
                self.assertGreater(len(self.files()), before)
        for name in self.files():
            self.assertGreater(os.path.getsize(self.path(name)), 0, name)
            if name.endswith(".png"):
                self.assertEqual(pixels(self.path(name)).shape, (16, 16, 3))
        self.assertFalse([name for name in self.files() if not name.startswith("run-")])

    def test_a_sequence_pulls_focus_evenly_in_diopters(self):
        self.draw(
            "--sequence",
            self.path("run.png"),
            *"--frames 5 --no-animate --animate focus=0.5:4 --autofocus".split(),
        )
        lenses = [saved_settings(self.path(f))["lens"] for f in self.files()]
        distances = numpy.array([lens["focusDistanceM"] for lens in lenses])
        self.assertEqual((distances[0], distances[-1]), (0.5, 4))
        numpy.testing.assert_allclose(numpy.diff(1 / distances), -1.75 / 4, rtol=1e-5)
        self.assertFalse(any(lens["autofocus"] for lens in lenses))
        still = [saved_settings(self.path(f))["scene"]["timeS"] for f in self.files()]
        self.assertEqual(still, [0] * 5, "the scene moves by --animate alone")
        last = pixels(self.path("run-0005.png"))
        numpy.testing.assert_array_equal(self.image("--no-animate", "--focus", "4"), last)
        self.assertGreater(numpy.abs(last - pixels(self.path("run-0001.png"))).max(), 20)

    def test_a_terminal_shows_how_far_the_reference_is(self):
        leader, follower = os.openpty()
        done = subprocess.run(
            [
                SATDOF,
                *"--headless --size 320x180 --lens reference --lens-samples 400 --capture".split(),
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

    def test_an_open_file_is_not_replaced(self):
        with open(self.path("log"), "a+") as log:
            print("earlier", file=log, flush=True)
            options = ["--headless", "--size", "16x16", "--stats", "/dev/stdout"]
            done = subprocess.run(
                [SATDOF, *options], check=False, stdout=log, stderr=subprocess.PIPE, text=True
            )
        self.assertEqual(done.returncode, 2)
        self.assertIn("- is standard output", done.stderr)
        with open(self.path("log")) as log:
            self.assertEqual(log.read(), "earlier\n")

    def test_statistics(self):
        path = self.path("stats.json")
        done = self.draw("--frames", "12", "--stats", path, "--gl-debug")
        self.assertRegex(done.stdout, r"^12 frames of 160x90, median [\d.]+ ms \(.+\)\n$")
        with open(path) as file:
            stats = json.load(file)
        piped = start("--headless", "--size", "16x16", "--stats", "-", "--compare", "gems", "--lens", "box")
        self.assertEqual(set(json.loads(piped.stdout)), {*stats, "compare"}, "standard output is JSON")
        self.assertIn("1 frame of 16x16", piped.stderr)
        self.assertEqual(
            set(stats),
            {
                *"machine device state notes settings frames warmUpFrames frameMedianUs".split(),
                *"frameP99Us stages".split(),
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


if __name__ == "__main__":
    unittest.main()
