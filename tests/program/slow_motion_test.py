#!/usr/bin/env python3
"""Kernels in slow motion, in the window by the keyboard alone, and as a film without a window.

usage: slow_motion_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import subprocess
import sys

import window
from surroundings import probed
from window import difference, until


class SlowMotionTest(window.DisplayTest):
    def opened(self, key):
        """Opens the window and presses the key. Returns the run, the image before, and the screen after it."""
        run = self.start()
        image = run.settled()
        run.key(key)
        return run, image, run.changed_from(image, 0.2)

    def test_steps_play_and_end_by_keys(self):
        run, image, start = self.opened("F4")
        run.key("Right")
        second = run.changed_from(start, 0.0005)
        run.key("Left")
        until("the step back", lambda: difference(run.screenshot(), start) < 0.0005)
        run.key("End")
        end = run.changed_from(second, 0.005)
        run.key("Home")
        run.changed_from(end, 0.005)
        run.key("space")
        until("the play", lambda: difference(run.screenshot(), start) > 0.005)
        run.key("F4")
        until("the window without it", lambda: difference(run.screenshot(), image) < 0.1)
        self.assertTrue(run.quit())

    def test_the_laboratory_opens_it(self):
        run, image, laboratory = self.opened("F3")
        run.key("F4")
        run.changed_from(laboratory, 0.05)
        run.key("Escape")
        run.key("Escape")
        until("the image", lambda: difference(run.screenshot(), image) < 0.1)
        self.assertTrue(run.quit())

    @window.needs_ffmpeg
    def test_a_film_without_a_window(self):
        film = self.folder / "film.mp4"
        command = [sys.argv[1], "--trace", film, *"--kernel scan/blelloch --elements 8 --fps 10".split()]
        done = subprocess.run([*map(str, command), "--block-size", "32"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("scan/blelloch, 8 elements", done.stdout)
        shown = probed(film, "width,height,nb_read_frames").split(",")
        self.assertEqual(shown[:2], ["1920", "1080"])
        self.assertGreater(int(shown[2]), 50)


if __name__ == "__main__":
    window.main()
