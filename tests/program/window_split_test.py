#!/usr/bin/env python3
"""Sides A and B: the split image, flips, views in one half, the loupe.

usage: window_split_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import pathlib
import re
import time

import numpy as np
import window
from surroundings import saved_settings
from window import NOTICE_S, PANELS_RIGHT, SIZE, difference, until
from Xlib import X


class SplitTest(window.DisplayTest):
    def test_split(self):
        run = self.start("--view", "sharp", "--split-view", "coc")
        before = run.image()
        run.key("s")
        right = np.s_[:, 480:]
        until("B on the right", lambda: difference(run.image()[right], before[right]) > 0.5)
        run.drag((480, 150), (560, 150))  # from the middle of the visible image
        middle = np.s_[:, 330:540]
        until("A in the middle", lambda: difference(run.image()[middle], before[middle]) < 0.05)
        settings = run.quit()
        self.assertAlmostEqual(settings["split"]["position"], 560 / SIZE[0], 2)
        self.assertEqual(settings["camera"]["yawDegrees"], 12)

    def test_memory_is_freed_after_a_comparison(self):
        run = self.start(
            "--device", "cpu", "--lens", "box", "--split", "--split-device", "cpu", "--split-lens", "layered"
        )

        def resident_mib():
            status = pathlib.Path(f"/proc/{run.process.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

        run.settled()
        compared = resident_mib()
        run.key("s")
        until("memory is freed", lambda: resident_mib() < compared - 15)
        run.quit()

    def test_split_starts_in_the_middle_of_the_visible_image(self):
        views = ("--view", "sharp", "--split-view", "coc", "--split")
        for arguments, position in [((), 0.75), (("--split-position", "0.5"), 0.5), (("--no-ui",), 0.5)]:
            run = self.start("--fresh", *views, *arguments)
            run.key("ctrl+z")  # nothing to undo
            file = self.saved(run)
            run.quit()
            run.kill()
            stored = saved_settings(file)
            self.assertEqual(stored["split"]["position"], position)
            self.assertTrue(stored["split"]["enabled"])
            file.unlink()

    def test_a_split_keeps_the_technique_that_was_asked_for(self):
        for arguments, equal in [((), False), (("--split-lens", "box"), True)]:
            run = self.start("--lens", "box", "--split", *arguments)
            settings = run.quit()
            self.assertEqual(settings["split"]["b"]["lens"]["kind"] == "box", equal)
            run.kill()

    def test_the_halves_of_a_view_meet_in_the_middle_of_the_visible_image(self):
        run = self.start("--fresh", "--view", "table-error", "--lens", "box", "--device", "cpu")
        between = (slice(20, 300), slice(340, 460))  # the middles: 320 without panels, 480 beside them
        exact = np.median(run.settled()[between])
        run.key("F2")
        until("the error", lambda: np.median(run.image()[between]) < 0.5 * exact)
        run.key("F2")
        until("the image", lambda: np.median(run.image()[between]) > 0.8 * exact)
        run.quit()

    def test_split_line_without_panels(self):
        run = self.start("--view", "sharp", "--split-view", "coc", "--split", "--split-position", "0.1")
        run.drag((PANELS_RIGHT, 150), (560, 150))  # under the panels: its handle is at their edge
        run.key("F2")
        run.drag((560, 150), (100, 150))
        self.assertAlmostEqual(run.quit()["split"]["position"], 100 / SIZE[0], 2)

    def test_flip_bookmarks_and_loupe(self):
        run = self.start("--view", "sharp", "--split-view", "coc", "--no-ui")
        a = run.settled()
        run.xdotool("keydown", "x")
        until("B", lambda: difference(run.screenshot(), a) > 0.4)
        run.xdotool("keyup", "x")
        until("A", lambda: np.array_equal(run.screenshot(), a))
        run.xdotool("keydown", "x")
        b = run.changed_from(a, 0.4)
        run.xdotool("keyup", "x")
        run.key("s")
        time.sleep(NOTICE_S)
        split = run.changed_from(a, 0.1)
        run.xdotool("keydown", "x")
        self.assertTrue(np.array_equal(run.changed_from(split, 0.1), b), "B with its label, no line")
        run.xdotool("keyup", "x")
        run.key("s")
        time.sleep(NOTICE_S)
        run.settled()
        run.key("ctrl+shift+1", "Left", "Left")
        run.key("ctrl+1")
        run.key("m", "m", "m")
        time.sleep(NOTICE_S)
        corner = np.s_[SIZE[1] - 190 : SIZE[1] - 20, SIZE[0] - 190 : SIZE[0] - 20]
        self.assertGreater(difference(run.image()[corner], a[: SIZE[1], : SIZE[0]][corner]), 0.1)
        settings = run.quit()
        self.assertEqual(settings["camera"]["yawDegrees"], 12)
        self.assertFalse(settings["split"]["enabled"])

    def test_a_second_look_at_b_draws_nothing(self):
        # Views that take most of the processor time. No key repeat, which would show the image again and again.
        costly = ["--split-lens", "reference", "--lens-samples", "48", "--samples", "4", "--teapots", "400"]
        still = ["--no-adaptive", "--no-lower-resolution", "--no-converge", "--no-ui"]
        run = self.start("--lens", "layered", *costly, *still)
        repeats = run.display.change_keyboard_control
        repeats(auto_repeat_mode=X.AutoRepeatModeOff)
        self.addCleanup(repeats, auto_repeat_mode=X.AutoRepeatModeOn)
        a = run.settled()

        def ticks_of_a_look():
            before = self.ticks(run)
            run.xdotool("keydown", "x")
            b = run.changed_from(a, 0.02)
            run.xdotool("keyup", "x")
            until("A", lambda: np.array_equal(run.screenshot(), a))
            return self.ticks(run) - before, b

        first, b = ticks_of_a_look()
        for _ in range(2):
            later, again = ticks_of_a_look()
            self.assertTrue(np.array_equal(b, again))
            self.assertLess(later, 0.7 * first)
        run.key("Left")
        a = run.changed_from(a)
        moved = ticks_of_a_look()[1]
        self.assertGreater(difference(moved, b), 0.05, "B follows the camera")
        run.quit()


if __name__ == "__main__":
    window.main()
