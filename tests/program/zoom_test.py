#!/usr/bin/env python3
"""Zoom in the window.

usage: zoom_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import time

import numpy as np
import window
from PIL import Image
from window import SIZE, difference, read_image, until

PHOTO = (1600, 1000)  # the aspect of the window


def smooth_noise(size):
    random = np.random.default_rng(7)
    coarse = random.integers(0, 256, (size[1] // 8, size[0] // 8, 3), np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


class ZoomTest(window.DisplayTest):
    def start_photo(self, *arguments, size=PHOTO):
        """Starts the window with a photograph of noise; its left half is at 1 m, its right half at 4 m."""
        smooth_noise(size).save(self.folder / "photo.png")
        metres = np.full((size[1], size[0]), 4000, np.uint16)
        metres[:, : size[0] // 2] = 1000
        Image.fromarray(metres).save(self.folder / "depth.png")
        files = ["--image", self.folder / "photo.png", "--depth", self.folder / "depth.png"]
        return self.start("--no-ui", *files, "--depth-means", "metres", "--depth-scale", "0.001", *arguments)

    def zoom(self, run, at, steps):
        run.xdotool("mousemove", *at, "keydown", "alt")
        run.xdotool("click", "--repeat", abs(steps), "--delay", 100, 4 if steps > 0 else 5)
        run.xdotool("keyup", "alt")

    def rested(self, run):
        """The settled image, after notices have vanished."""
        time.sleep(window.NOTICE_S)
        return run.settled()[: SIZE[1], : SIZE[0]]

    def test_the_pixel_under_the_mouse_stays(self):
        run = self.start("--no-ui", "--view", "sharp", "--no-lamps")
        whole = self.rested(run)
        x, y = 290, 230
        self.zoom(run, (x, y), 2)
        zoomed = self.rested(run)

        def error(right):
            """Mean difference between the zoomed image at half size and the whole image shifted by `right` pixels."""
            large = zoomed[y - 60 : y + 60, x - 100 : x + 100].astype(float)
            half = large.reshape(60, 2, 100, 2, 3).mean(axis=(1, 3))
            return np.abs(half - whole[y - 30 : y + 30, x - 50 + right : x + 50 + right]).mean()

        self.assertLess(error(0), 6)
        for right in (-4, 4):
            self.assertGreater(error(right), 1.5 * error(0))
        self.zoom(run, (x, y), -2)
        self.assertLess(difference(self.rested(run), whole), 0.001)
        self.assertEqual(run.quit()["camera"]["distanceM"], 1.8)

    def test_z_shows_the_pixels_of_the_file(self):
        run = self.start_photo("--view", "sharp")
        photo = read_image(self.folder / "photo.png").astype(int)
        whole = self.rested(run)
        x, y = 200, 150
        run.xdotool("mousemove", x, y)
        run.key("z")
        zoomed = self.rested(run).astype(int)

        def found(at):
            """The position of a patch of the window in the photograph."""
            patch = zoomed[at[1] : at[1] + 40, at[0] : at[0] + 40]
            near = [(at[0] + i, at[1] + j) for i in range(290, 312) for j in range(215, 236)]
            errors = [np.abs(photo[v : v + 40, u : u + 40] - patch).max() for u, v in near]
            return near[np.argmin(errors)], min(errors)

        place, error = found((x, y))
        self.assertLessEqual(error, 3)
        self.assertLessEqual(abs(place[0] - x * PHOTO[0] / SIZE[0]), 2)
        self.assertLessEqual(abs(place[1] - y * PHOTO[1] / SIZE[1]), 2)
        run.drag((x, y), (x + 5, y - 7), button=2)
        zoomed = self.rested(run).astype(int)
        self.assertEqual(found((x, y)), ((place[0] - 5, place[1] + 7), error))
        run.xdotool("keydown", "space")
        run.drag((x, y), (x - 5, y + 7))
        run.xdotool("keyup", "space")
        zoomed = self.rested(run).astype(int)
        self.assertEqual(found((x, y)), (place, error))
        run.key("z")
        self.assertLess(difference(self.rested(run), whole), 0.001)
        run.quit()

    def test_the_thumbnail_moves_the_visible_part(self):
        run = self.start_photo("--view", "sharp")
        run.xdotool("mousemove", 20, 380)
        self.rested(run)
        run.key("z")
        corner = self.rested(run)
        run.xdotool("mousemove", SIZE[0] - 18, 18, "mousedown", 1, "sleep", 0.2, "mouseup", 1)
        other = self.rested(run)
        self.assertGreater(difference(other, corner), 0.5)
        photo = read_image(self.folder / "photo.png").astype(int)
        there = other[200:300, 400:600].astype(int)
        self.assertLessEqual(np.abs(photo[200:300, PHOTO[0] - 240 : PHOTO[0] - 40] - there).max(), 3)
        run.quit()

    def focus_after_click(self, x, zooms):
        """Focus distance after a click into a photograph that is out of focus."""
        run = self.start_photo("--focus", "2")
        before = self.rested(run)
        if zooms:
            self.zoom(run, (330, 200), 6)
            before = self.rested(run)
        run.xdotool("mousemove", x, 200, "click", 1)
        until("another focus", lambda: difference(run.image(), before) > 0.01)
        distance = run.quit()["lens"]["focusDistanceM"]
        run.kill()
        return distance

    def test_a_click_focuses_on_the_surface_under_the_mouse(self):
        # The step from 1 m to 4 m is in the middle of the photograph, left of the mouse that zooms.
        for x, zooms, metres in [(310, False, 1.0), (310, True, 4.0), (20, True, 1.0)]:
            self.assertAlmostEqual(self.focus_after_click(x, zooms), metres, 2)

    def test_captures_save_the_whole_image(self):
        run = self.start("--no-ui", "--lens", "box", "--overscan", "always")
        first = self.saved(run)
        whole = self.rested(run)
        self.zoom(run, (300, 200), 4)
        zoomed = self.rested(run)
        self.assertGreater(difference(zoomed, whole), 0.3)
        second = self.saved(run, "satdof-0002.png")
        time.sleep(window.NOTICE_S + 7)  # the name of a file is shown longer
        self.assertLess(difference(run.settled()[: SIZE[1], : SIZE[0]], zoomed), 0.001)
        self.assertLess(difference(read_image(second), read_image(first)), 0.001)
        settings = run.quit()
        self.assertNotIn("zoom", str(settings))

    def test_a_held_key_shows_the_image_before_depth_of_field(self):
        run = self.start("--no-ui", "--no-lamps", "--focus", "0.5")
        blurred = self.rested(run)
        run.xdotool("keydown", "o")
        until("the sharp image", lambda: difference(run.image(), blurred) > 0.1)
        sharp = run.settled()[: SIZE[1], : SIZE[0]]
        self.assertGreater(window.sharpness(sharp[:350]), 1.5 * window.sharpness(blurred[:350]))
        run.xdotool("keyup", "o")
        until("the blur", lambda: np.array_equal(run.image(), blurred))
        self.assertEqual(run.quit()["technique"]["view"], "final")

    def test_a_slow_capture_is_cancelled(self):
        run = self.start_photo("--lens", "layered", size=(4800, 3000))
        before = self.rested(run)
        self.cancel_slow(run, "F12")
        time.sleep(window.NOTICE_S)
        self.assertLess(difference(run.settled()[: SIZE[1], : SIZE[0]], before), 0.001)
        self.assertEqual(list(self.folder.glob("photo-refocused-*")), [])
        self.assertEqual(read_image(self.saved(run, "photo-refocused-0001.png")).shape, (3000, 4800, 3))
        run.quit()


if __name__ == "__main__":
    window.main()
