#!/usr/bin/env python3
"""Size and quality of the image in the window; actions that draw no frame.

usage: window_frame_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import subprocess
import time

import numpy as np
import window
from surroundings import saved_settings
from window import HINT_S, NOTICE_S, PANELS_RIGHT, SCREEN, SIZE, difference, read_image, until


class FrameTest(window.DisplayTest):
    def test_the_camera_is_centred_right_of_the_panels(self):
        self.remember(openSections={"Lens": False})
        run = self.start("--view", "sharp", "--no-lamps", "--focus", "9")
        run.key("a")
        time.sleep(NOTICE_S)
        run.settled()
        settings = run.quit()
        self.assertAlmostEqual(settings["camera"]["shiftX"], 0.5 * PANELS_RIGHT / SIZE[0], 4)
        self.assertLess(settings["lens"]["focusDistanceM"], 1.9)
        run.kill()
        run = self.start("--size", "700x400")  # wider than at the last end
        run.key("ctrl+z")
        self.assertAlmostEqual(run.quit()["camera"]["shiftX"], 0.5 * PANELS_RIGHT / SIZE[0], 4)
        run.kill()
        run = self.start("--fresh", "--view", "sharp")
        before = run.settled()
        run.xdotool("windowsize", run.window, 800, 400)
        run.changed_from(before, 0.05)
        run.key("ctrl+z")
        stored = saved_settings(self.saved(run))
        self.assertAlmostEqual(stored["camera"]["shiftX"], 0.5 * PANELS_RIGHT / 800, 4)
        run.quit()
        run.kill()
        run = self.start("--no-ui")
        run.key("r")
        self.assertEqual(run.quit()["camera"]["shiftX"], 0)

    def test_resize_hide_and_full_screen(self):
        run = self.start("--no-ui", "--animate")
        run.xdotool("windowsize", run.window, 501, 303)
        until("the new size", lambda: run.geometry()[:2] == (501, 303))
        large = until("an image as large", lambda: (s := run.screenshot())[:303, 490:501].max() > 0 and (s,))
        self.assertEqual(large[0][310:, :].max(), 0)
        self.assertEqual(read_image(self.saved(run)).shape, (303, 501, 3))

        run.xdotool("windowunmap", run.window)
        until("nothing on the screen", lambda: run.screenshot().max() == 0)

        until("rest", lambda: self.rests(run))
        run.xdotool("windowmap", run.window)
        until("an image again", lambda: run.screenshot()[:303, 490:501].max() > 0)

        run.xdotool("windowfocus", "--sync", run.window)
        before = run.geometry()
        run.key("f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        until("a full image", lambda: run.screenshot()[-20:, -20:].max() > 0)
        run.key("f")
        until("the window as before", lambda: run.geometry() == before)
        settings = run.quit()
        self.assertEqual(settings["size"], "501x303")
        self.assertFalse(settings["present"]["fullScreen"])

    def test_a_scene_that_cannot_move_rests(self):
        run = self.start("--scene", "image", "--animate", "--adaptive")
        until("rest", lambda: self.rests(run))
        run.key("space")
        self.assertEqual(self.lens_of_capture(run), "layered")
        self.assertTrue(run.quit()["scene"]["animate"])
        run.kill()
        model = self.folder / "pyramid.obj"  # without animation
        model.write_text(
            "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 1.5 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 4 3 2 1\n"
        )
        run = self.start(
            "--fresh", "--model", model, "--animate", "--adaptive", "--converge", "--lens-samples", "8"
        )
        time.sleep(NOTICE_S)
        run.settled()
        until("the whole reference", lambda: self.lens_of_capture(run) == "reference")
        run.quit()

    def test_the_autofocus_rests(self):
        run = self.start(
            *("--autofocus", "--adaptive", "--converge", "--lens-samples", "4"),
            # The best image is slow, and of another size than a quick one.
            *("--teapots", "12", "--samples", "0"),
        )
        time.sleep(HINT_S)
        until("the whole reference", lambda: self.lens_of_capture(run) == "reference")
        run.quit()

    def rests(self, run):
        """Whether the program uses at most 5 clock ticks of processor time in a second."""
        before = self.ticks(run)
        time.sleep(1)
        return self.ticks(run) - before <= 5

    def lens_of_capture(self, run):
        """The lens in the settings of a capture of the still image."""
        run.settled()
        (self.folder / "satdof-0001.png").unlink(missing_ok=True)
        return saved_settings(self.saved(run))["technique"]["lens"]["kind"]

    def test_a_still_image_is_not_drawn_again_for_the_mouse(self):
        run = self.start("--lens", "layered", "--samples", "8", "--teapots", "300")
        run.settled()
        before = self.ticks(run)
        for step in range(20):  # over the panels, whose controls light up
            run.xdotool("mousemove", 150 + step, 60 + 15 * step, "sleep", 0.05)
        run.settled()
        of_a_move = (self.ticks(run) - before) / 20
        before = self.ticks(run)
        for key in "2121":  # views, each of which draws an image
            run.key(key)
            run.settled()
        of_an_image = (self.ticks(run) - before) / 4
        self.assertLess(of_a_move, 0.4 * of_an_image)
        run.quit()

    def test_adaptive_quality(self):
        slow = ("--no-ui", "--teapots", "2000", "--samples", "4")  # no lens keeps 24 frames a second
        run = self.start(*slow)
        quick = run.settled()
        run.quit()
        run.kill()
        run = self.start("--adaptive", *slow)
        time.sleep(HINT_S)
        until("the best image", lambda: difference(run.screenshot(), quick) > 0.01)
        best = run.settled()
        run.xdotool("mousemove", 400, 200, "mousedown", 1, "mousemove", 440, 200)
        moved = run.changed_from(best)
        run.xdotool("mousemove", 400, 200)
        run.changed_from(moved)
        until("a quick image while held", lambda: difference(run.screenshot(), best) > 0.01)
        run.xdotool("mouseup", 1)
        until("the best image at rest", lambda: difference(run.screenshot(), best) < 0.01)
        self.assertEqual(saved_settings(self.saved(run))["technique"]["lens"]["kind"], "layered")
        run.quit()

    def test_converges_to_the_reference(self):
        run = self.start("--adaptive", "--no-ui")
        best = run.settled()
        run.quit()
        run.kill()
        run = self.start("--adaptive", "--converge", "--no-ui", "--lens-samples", "32")
        run.changed_from(best, 0.02)
        time.sleep(HINT_S)
        until("the whole reference", lambda: self.lens_of_capture(run) == "reference")
        captured = read_image(self.folder / "satdof-0001.png")
        until("no notice", lambda: difference(run.image(), captured) < 0.01)
        converged = run.settled()
        run.drag((400, 200), (460, 180))
        run.changed_from(converged, 0.1)
        run.quit()

    def test_a_window_fits_the_screen(self):
        run = self.start("--no-ui", "--size", "4000x3000")
        self.assertEqual(run.geometry()[:2], SCREEN)
        run.quit()

    def test_a_window_follows_the_dots_per_inch(self):
        resource = ["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s"]
        subprocess.run([*resource, "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192\n"], check=True)
        self.addCleanup(subprocess.run, ["xprop", "-root", "-remove", "RESOURCE_MANAGER"], check=True)
        run = self.start("--size", "320x240", "--view", "coc", "--lens", "box", "--f-number", "1")
        self.assertEqual(run.geometry()[:2], (640, 480))
        text = run.settled()[4:60, 10:90].max(axis=2) > 120
        self.assertGreater(
            np.nonzero(text.any(axis=1))[0][0], 12
        )  # the first line of the panels, from 6 to 8 at 96
        self.assertEqual(run.quit()["size"], "320x240")


if __name__ == "__main__":
    window.main()
