#!/usr/bin/env python3
"""Shaders, devices, drivers and displays that fail.

usage: window_failure_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest
import unittest.mock

import numpy as np
import window
from window import (
    FAULTS,
    HINT_S,
    MESSAGES,
    NOTICE_S,
    PROGRAM,
    SIZE,
    SOURCE_DIR,
    TIMEOUT_S,
    difference,
    until,
    without_driver,
)


class FailureTest(window.DisplayTest):
    @unittest.skipUnless(FAULTS.exists(), f"no {FAULTS.name}: build it")
    def test_a_driver_that_is_reset(self):
        def lose():
            run.process.send_signal(signal.SIGUSR1)
            run.key("equal")  # moves the camera, so that a frame is drawn

        run = self.start("--no-ui", "--f-number", "4", program=(FAULTS, "reset", "at", "0"))
        run.xdotool("windowmove", run.window, 60, 40)
        place = until("a moved window", lambda: run.geometry()[2:] == (60, 40) and run.geometry())
        run.key("2")
        run.settled()
        lose()
        until("a reset", lambda: "the window was opened again" in run.errors())
        run.window = until("another window", run._find)
        until("the window in its place", lambda: run.geometry() == place)
        until("an image", lambda: self.inside(run, place).max() > 0)
        run.xdotool("windowfocus", "--sync", run.window)
        run.settled()
        resets = 1
        # Only a reset soon after another one ends the program. A slow machine may be too late and open the window again.
        while run.process.poll() is None:
            resets += 1
            lose()
            until(
                "the end, or a reset",
                lambda most=resets: (
                    run.process.poll() is not None or run.errors().count("opened again") >= most
                ),
            )
        status, settings = run.wait()
        self.assertEqual(status, 1)
        self.assertIn("the OpenGL context is lost", run.errors().splitlines()[-1])
        self.assertEqual(settings["lens"]["fNumber"], 4)
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertLess(settings["camera"]["distanceM"], 2)

    @unittest.skipUnless(FAULTS.exists(), f"no {FAULTS.name}: build it")
    def test_a_cuda_that_is_lost(self):
        if not re.search(r"^device +cuda +available", self.listing(), re.MULTILINE):
            self.skipTest("needs a CUDA device")
        faults = (FAULTS, "cuda-lost", "at", "0")
        run = self.start("--no-ui", "--device", "cuda", "--f-number", "1.4", program=faults)
        before = run.settled()
        run.process.send_signal(signal.SIGUSR1)
        run.key("equal")  # moves the camera, so that frames are drawn
        until("a lost device", lambda: "CUDA failed" in run.errors())
        moved = run.settled()
        run.key("minus")
        after = run.changed_from(moved, 0.1)
        self.assertLess(difference(before[MESSAGES:], after[MESSAGES:]), 0.02)
        settings = run.quit("CUDA failed")
        self.assertEqual(settings["technique"]["device"], "auto")
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.4, 4)

    def test_a_display_that_hangs_does_not_hold_the_end(self):
        for moves in ("--animate", "--no-animate"):  # waits for the display while it draws, or when it closes
            with self.another_display() as (server, _):
                run = self.start("--no-ui", moves)
                run.key("2")
                self.until_set(run, "the view", lambda s: s["technique"]["view"] == "sharp")
                server.send_signal(signal.SIGSTOP)
                run.process.send_signal(signal.SIGTERM)
                self.assertEqual(run.process.wait(60), -signal.SIGTERM)
                self.assertIn("the window does not answer", run.errors())
                self.assertEqual(run.settings()["technique"]["view"], "sharp")
                server.send_signal(signal.SIGCONT)
                run.kill()
                (self.folder / "satdof/settings.json").unlink()

    def inside(self, run, place):
        width, height, x, y = place
        return run.screenshot()[y : y + height, x : x + width]

    @staticmethod
    def listing():
        return subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout

    def test_lost_device(self):
        if not re.search(r"\bcuda\b.*not (built|available)", self.listing()):
            self.skipTest("every device can run here")
        (self.folder / "satdof").mkdir(exist_ok=True)
        (self.folder / "satdof/settings.json").write_text('{"technique": {"device": "cuda"}}')
        self.assertEqual(self.start().quit()["technique"]["device"], "auto")
        run = self.launch("--device", "cuda")
        self.assertEqual(run.wait()[0], 1)
        self.assertIn("cuda", run.errors())

    def copied_data(self):
        data = self.folder / "data"
        for name in ["shaders", "assets"]:
            shutil.copytree(SOURCE_DIR / name, data / name)
        return data

    def test_shader_reload(self):
        data = self.copied_data()
        run = self.start("--no-ui", environment={"SATDOF_DATA": str(data)})
        good = run.settled()
        shader = data / "shaders/common/present.frag"
        source = shader.read_text()
        shader.write_text(source + "\nthis is no GLSL\n")
        run.key("F5")
        until("the driver's log", lambda: "present.frag" in run.errors())
        until(
            "the error on the screen",
            lambda: difference(run.image()[:60, -200:], good[:60, SIZE[0] - 200 : SIZE[0]]) > 0.3,
        )
        run.key("Escape")
        until("the image", lambda: np.array_equal(run.screenshot(), good))
        output = re.search(r"\bout\s+vec4\s+(\w+)", source).group(1)
        end = source.rindex("}")
        shader.write_text(source[:end] + f"  {output} = vec4(0.0, 1.0, 0.0, 1.0);\n" + source[end:])
        run.key("F5")
        until("the new shader", lambda: tuple(run.image()[200, 400]) == (0, 255, 0))
        run.quit("present.frag")

    def test_a_lens_whose_shader_fails_leaves_the_image(self):
        data = self.copied_data()
        sources = {shader: shader.read_text() for shader in (data / "shaders/lens/tent").glob("*.comp")}
        for shader, source in sources.items():
            shader.write_text(source + "\nthis is no GLSL\n")
        run = self.start(
            *("--no-ui", "--lens", "box", "--device", "gl-compute"), environment={"SATDOF_DATA": str(data)}
        )
        good = run.settled()
        run.key("l")  # the tent lens
        until("the driver's log", lambda: difference(run.image()[:60, -200:], good[:60, -200:]) > 0.3)
        time.sleep(HINT_S)
        middle = (slice(150, 250), slice(200, 400))
        np.testing.assert_array_equal(run.screenshot()[middle], good[middle])
        for shader, source in sources.items():
            shader.write_text(source)
        run.key("F5")
        until("the tent lens", lambda: difference(run.screenshot()[middle], good[middle]) > 0.1)
        settings = run.quit()
        self.assertEqual(settings["technique"]["lens"]["kind"], "tent")

    def start_with_damage(self, damaged, *arguments):
        """Starts with a shader that does not compile. Returns the run, its screen and a function that repairs the shader."""
        data = self.copied_data()
        shader = data / "shaders" / damaged
        source = shader.read_text()
        shader.write_text(source + "\nthis is no GLSL\n")
        run = self.start("--no-ui", *arguments, environment={"SATDOF_DATA": str(data)})
        told = (slice(0, 60), slice(SIZE[0] - 200, SIZE[0]))
        box = until("the driver's log", lambda: self.has_box(run.image()[told]) and (run.settled(),))[0]
        return run, box, lambda: shader.write_text(source)

    def test_a_filter_whose_shader_fails_leaves_the_image_until_it_is_mended(self):
        run, failed, mend = self.start_with_damage(
            "filter/convolve.frag", *("--filter", "edges", "--filter-variant", "gl-fragment", "--lens", "box")
        )
        teapots = (slice(150, 350), slice(0, SIZE[0]))
        self.assertGreater(failed[teapots].mean(), 20, "the image without a filter")
        mend()
        run.key("F5")
        until("the filtered image", lambda: difference(run.screenshot()[teapots], failed[teapots]) > 0.5)
        self.assertEqual(run.quit()["filter"]["mask"], "edges")

    def test_a_solver_whose_shader_fails_is_tried_again_once_mended(self):
        run, _, mend = self.start_with_damage(
            "scene/bodies/kick.comp", *("--scene", "bodies", "--bodies", "300", "--solver", "gl-compute")
        )
        told = (slice(0, 60), slice(SIZE[0] - 200, SIZE[0]))
        mend()
        run.key("F5")
        until("no error", lambda: not self.has_box(run.image()[told]))
        self.assertEqual(run.quit()["scene"]["bodies"]["solver"], "gl-compute")

    def test_a_lens_replaces_what_cannot_compute_its_blur(self):
        run = self.start(
            *("--no-ui", "--device", "cpu", "--lens", "box", "--lens-on", "cpu", "--exposure", "8"),
        )
        run.settled()
        run.key("l")  # the tent lens
        time.sleep(NOTICE_S)
        self.assertFalse(self.has_box(run.settled()[0:60, SIZE[0] - 200 : SIZE[0]]))
        settings = run.quit()
        self.assertEqual(settings["technique"]["lens"], {"kind": "tent", "on": "auto"})

    def refused(self, environment):
        done = subprocess.run(
            [PROGRAM],
            cwd=self.folder,
            env={**environment, "XDG_CONFIG_HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        self.assertEqual(done.returncode, 1)
        said = without_driver(done.stderr)
        self.assertEqual(said.count("\n"), 1)
        return said

    def test_no_display(self):
        self.assertIn("--headless", self.refused({k: v for k, v in os.environ.items() if k != "DISPLAY"}))

    def test_old_opengl(self):
        self.assertIn("OpenGL 4.5", self.refused({**os.environ, "MESA_GL_VERSION_OVERRIDE": "3.3"}))


if __name__ == "__main__":
    window.main()
