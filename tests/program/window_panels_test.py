#!/usr/bin/env python3
"""Panels, and text over the image.

usage: window_panels_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import time

import numpy as np
import window
from window import NOTICE_S, PANELS_RIGHT, SCREEN, SIZE, difference, read_image, until


class PanelsTest(window.DisplayTest):
    def test_panels_and_overlay(self):
        run = self.start()
        shown = run.image()
        run.key("F2")
        until(
            "hidden panels", lambda: difference(run.image()[:, :PANELS_RIGHT], shown[:, :PANELS_RIGHT]) > 0.5
        )
        screen = run.settled()
        hidden = screen[: SIZE[1], : SIZE[0]]
        self.assertLess(difference(hidden[:, PANELS_RIGHT:], shown[:, PANELS_RIGHT:]), 0.01)
        for open_key, close_key in [("F1", "F1"), ("question", "Escape")]:
            run.key(open_key)
            overlay = run.changed_from(screen, 0.1)[: SIZE[1], : SIZE[0]]
            self.assertGreater(difference(overlay[100:300, 250:400], hidden[100:300, 250:400]), 0.5)
            run.key(close_key)
            until("the image as before", lambda: np.array_equal(run.image(), hidden))
        run.key("F2")
        until(
            "panels again", lambda: difference(run.image()[:, :PANELS_RIGHT], hidden[:, :PANELS_RIGHT]) > 0.5
        )
        self.assertTrue(run.quit()["present"]["showUi"])

    def test_progress_of_the_reference(self):
        run = self.start("--lens", "reference", "--lens-samples", "256")

        def bar():
            return tuple(run.image()[SIZE[1] - 2, PANELS_RIGHT + 10]) == (240, 178, 82)

        until("a bar", bar)
        until("the end of it", lambda: not bar())
        run.quit()

    def test_panels_keep_the_mouse(self):
        run = self.start("--no-vsync")
        run.drag((60, 150), (200, 150))
        run.xdotool("mousemove", 60, 150, "click", 4)
        run.xdotool(*"mousemove 220 126 mousedown 1 sleep 0.3 mousemove 280 126 sleep 0.3 mouseup 1".split())
        settings = run.quit()
        self.assertEqual(settings["camera"]["yawDegrees"], 12)
        self.assertGreater(settings["lens"]["focusDistanceM"], 2)

    def test_lens_model_is_chosen_in_its_panel(self):
        run = self.start("--no-vsync", "--view", "sharp")
        for x, y in [(220, 318), (200, 240)]:  # "Lens model", an entry
            run.xdotool(
                "mousemove", x, y, "sleep", 0.3, "mousedown", 1, "sleep", 0.3, "mouseup", 1, "sleep", 0.5
            )
        self.assertIn(run.quit()["technique"]["lens"]["kind"], ("box", "tent", "layered"))

    def test_the_table_is_told_under_the_mouse(self):
        accent = np.array([240, 178, 82])

        def corners(image):
            """Centre of the box that marks the pixel under the mouse."""
            marked = np.all(np.abs(image.astype(int) - accent) < 12, axis=2)
            rows, columns = np.nonzero(marked[:340, PANELS_RIGHT + 90 :])  # without the axes at the origin
            if len(rows) < 8:
                return None
            columns = columns + PANELS_RIGHT + 90
            return (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2

        for view, device in (("table", "cpu"), ("footprint", "gl-fragment")):
            with self.subTest(view):
                run = self.start("--view", view, "--lens", "box", "--device", device, "--f-number", "0.5")
                run.key("F2")
                seen = []
                for x, y in ((480, 60), (520, 100)):  # far behind the focus plane
                    run.xdotool("mousemove", x, y)

                    def box_at(run=run, x=x, y=y):
                        middle = corners(run.image())
                        return middle and abs(middle[0] - x) < 3 and abs(middle[1] - y) < 3

                    until("the box of the pixel", box_at)
                    image = run.settled()[: SIZE[1], : SIZE[0]]
                    seen.append(image)
                    dark = image.max(axis=2) < 70  # below the numbers
                    self.assertGreater(dark.mean(), 0.05, "the numbers have a dark ground")
                self.assertGreater(difference(*seen), 0.01, "other numbers elsewhere")
                origin = np.s_[SIZE[1] - 60 :, :60]
                marks = np.all(np.abs(seen[0][origin].astype(int) - accent) < 12, axis=2).sum()
                (self.assertGreater if view == "table" else self.assertLess)(marks, 50)
                run.quit()

    def test_laboratory(self):
        run = self.start("--view", "sharp")
        run.settled()
        before = run.image()
        run.key("F3")
        until("the window of the laboratory", lambda: difference(run.image(), before) > 0.2)
        choices = run.settled()[66:88, 230:247].astype(int)
        self.assertTrue(np.any(choices[..., 0] - choices[..., 2] > 100), "the first choice is not indented")
        run.quit()

    def test_sections_of_a_narrow_panel_have_titles(self):
        self.remember(uiScale=2.5)
        run = self.start("--view", "sharp")
        above_a_dot = run.settled()[356:370, 95:150]
        self.assertGreater(above_a_dot.min(axis=2).max(), 180, "Lens, not three points")
        run.quit()

    def test_the_panels_keep_their_width_while_it_is_dragged(self):
        opened = {"Lens": False, "Timings": False, "Camera and display": True}
        self.remember(uiScale=0.6, openSections=opened)
        run = self.start("--view", "sharp")
        moves = [word for x in range(99, 92, -1) for word in ("mousemove", x, 237, "sleep", 0.1)]
        run.xdotool("mousemove", 100, 237, "sleep", 0.3, "mousedown", 1, *moves, "mouseup", 1, "sleep", 0.3)
        run.quit()
        width = self.preferences()["panelWidth"]
        self.assertAlmostEqual(width, 274, delta=12)

    def test_the_laboratory_measures_beside_a_converging_image(self):
        run = self.start("--adaptive", "--converge", "--lens-samples", "4096", "--gl-debug")
        until("an image", lambda: run.image().std() > 5)
        best = run.screenshot()  # not settled(): an image that converges changes for minutes
        until("an image that converges", lambda: difference(run.screenshot(), best) > 0.0)
        run.key("F3")
        until("the window of the laboratory", lambda: difference(run.screenshot(), best) > 0.2)
        button = np.s_[44:60, 472:528]
        measure = run.image()[button]
        run.xdotool("mousemove", 500, 52, "sleep", 0.3, "click", 1, "mousemove", 500, 300)
        until("the measurement", lambda: difference(run.image()[button], measure) > 0.05)
        time.sleep(10)  # some of its programs come and go
        run.key("ctrl+q")
        self.assertEqual(run.wait()[0], 0)

    def test_panels_keep_their_place_while_the_status_changes(self):
        run = self.start(
            *("--adaptive", "--split", "--split-position", "0.75", "--lens", "box", "--split-lens", "box"),
            *("--device", "cpu", "--split-device", "gl-compute"),
        )
        time.sleep(NOTICE_S)

        def letters(screen):
            return screen[:260, :120].min(axis=2) > 150

        best = run.settled()
        run.xdotool("mousemove", 400, 200, "mousedown", 1, "mousemove", 440, 200)
        moved = letters(run.changed_from(best))
        best = letters(best)
        self.assertTrue(np.any(moved[72:90] != best[72:90]), "the status")
        self.assertLess(np.mean(moved[90:] != best[90:]), 0.005, "the labels of the section Lens")
        run.xdotool("mouseup", 1)
        run.quit()

    def test_panels_have_the_size_of_the_window_in_each_frame(self):
        run = self.start("--animate", "--teapots", "2000", "--samples", "8", "--lens", "tent")  # slow frames
        run.key("f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        first = until("a full image", lambda: (s := run.screenshot())[-20:, -20:].max() > 0 and (s,))[0]
        time.sleep(1)
        panels = np.s_[120:340, :PANELS_RIGHT]  # without times
        self.assertLess(difference(first[panels], run.screenshot()[panels]), 0.2)
        run.quit()

    def test_the_footprint_is_described_beside_the_mouse(self):
        run = self.start("--view", "footprint", "--lens", "box", "--no-lamps")
        run.settled()

        def described():
            image = run.image()[:, PANELS_RIGHT:]
            return np.sum(image.min(axis=2) > 230)

        run.xdotool("mousemove", 20, 20)
        until("no lines", lambda: described() < 20)
        run.xdotool("mousemove", 460, 180)
        until("the lines", lambda: described() > 60)
        image = np.s_[: SIZE[1], PANELS_RIGHT : SIZE[0]]
        first = run.settled()[image]
        run.xdotool("mousemove", 461, 180, "sleep", 1)
        self.assertGreater(difference(run.settled()[image], first), 0)
        run.xdotool("mousemove", 460, 180, "sleep", 1)
        self.assertEqual(difference(run.settled()[image], first), 0, "the numbers are of this pixel")
        run.quit()

    def test_a_list_closes_when_its_choice_is_seen(self):
        run = self.start("--animate", "--teapots", "300", "--samples", "8", "--lens", "tent")  # slow frames

        def letters(image):
            return image[60:210, 132:290].min(axis=2) > 150

        closed = letters(run.image())
        run.xdotool("mousemove", 220, 37, "click", 1)
        until("an open list", lambda: np.mean(letters(run.image()) != closed) > 0.02)
        time.sleep(1)
        entries = letters(run.image())
        run.xdotool("mousemove", 200, 206, "click", 1)  # "Circle of confusion | image"

        def chosen():
            image = run.image()
            return image[60, 400, 0] > 2 * image[60, 400, 2] and (image,)  # the far blur is orange

        first = letters(until("the circle of confusion", chosen)[0])
        self.assertLess(np.mean(first[entries]), 0.5)
        run.quit()

    def test_panels_describe_the_image_that_they_are_shown_with(self):
        def panels(frames):
            options = "--lens reference --lens-samples 4 --with-ui --capture last.png --frames".split()
            self.assertEqual(self.launch(*options, frames).wait()[0], 0)
            return read_image(self.folder / "last.png")[24:, :PANELS_RIGHT]  # below the time of a frame

        np.testing.assert_array_equal(panels("1"), panels("12"))

    def test_the_name_of_a_device_moves_no_panel(self):
        def right_ends(device):
            run = self.start("--adaptive", "--device", device, "--lens", "layered")
            ends = run.settled()[100 : SIZE[1], PANELS_RIGHT - 60 : PANELS_RIGHT - 40]
            run.quit()
            return ends

        self.assertLess(difference(right_ends("gl-fragment"), right_ends("cpu")), 0.01)

    def test_texts_of_large_panels_do_not_overlap(self):
        self.remember(uiScale=2.5, openSections={"Lens": False, "Camera and display": True})
        run = self.start("--view", "depth")
        letters = run.settled()[: SIZE[1], :PANELS_RIGHT].min(axis=2) > 120
        self.assertFalse(letters[22:52, 219:231].any(), "before F1")
        self.assertTrue(letters[22:52, 233:270].any(), "F1")
        self.assertTrue(letters[297:327, 100:135].any(), "the title Camera and display, cut")
        self.assertFalse(letters[297:327, 270:282].any(), "within its header")
        self.assertTrue(letters[356:386, 105:190].any(), "Reset, below the title")
        run.quit()

    def test_a_warning_moves_no_panel(self):
        self.remember(openSections={"Lens": False})

        def look(scene):
            run = self.start("--lens", "box", "--scene", scene, "--exposure", "8", "--ui")
            screen = run.settled()
            run.key("F2")
            without_panels = run.changed_from(screen)
            run.quit()
            run.kill()
            told = np.s_[0:60, SIZE[0] - 200 : SIZE[0]]
            headers = screen[90:370, :PANELS_RIGHT].min(axis=2) > 150
            return headers, self.has_box(screen[told]), self.has_box(without_panels[told])

        teapots, *told_of_teapots = look("teapots")
        image, *told_of_no_image = look("image")
        self.assertEqual((told_of_teapots, told_of_no_image), ([False, False], [True, True]))
        self.assertLess(np.mean(teapots != image), 0.005)


if __name__ == "__main__":
    window.main()
