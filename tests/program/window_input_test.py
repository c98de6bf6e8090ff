#!/usr/bin/env python3
"""Mouse, keys and text fields.

usage: window_input_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import time

import numpy as np
import window
from window import NOTICE_S, PANELS_RIGHT, SCREEN, SIZE, difference, sharpness, until


class InputTest(window.DisplayTest):
    def test_space_pauses(self):
        run = self.start("--animate", "--no-ui")
        first = run.image()
        until("motion", lambda: difference(run.image(), first) > 0.001)
        run.key("space")
        time.sleep(NOTICE_S)
        paused = run.settled()
        time.sleep(0.5)
        np.testing.assert_array_equal(run.screenshot(), paused)
        run.key("space")
        until("motion again", lambda: difference(run.screenshot(), paused) > 0.001)
        self.assertTrue(run.quit()["scene"]["animate"])

    def test_click_focuses(self):
        run = self.start("--no-ui", "--no-lamps", "--focus", "30")
        far = run.settled()
        x, y = SIZE[0] // 2, SIZE[1] // 2
        teapot = (slice(y - 50, y + 50), slice(x - 60, x + 60))
        run.xdotool("mousemove", x, y, "click", 1)
        near = run.changed_from(far)
        self.assertGreater(sharpness(near[teapot]), 1.3 * sharpness(far[teapot]))
        horizon = (slice(60, 140), slice(0, 120))
        self.assertLess(sharpness(near[horizon]), sharpness(far[horizon]))
        settings = run.quit()
        self.assertLess(settings["lens"]["focusDistanceM"], 3)
        self.assertEqual(settings["camera"]["yawDegrees"], 12)

    def test_mouse(self):
        run = self.start("--no-ui", "--view", "sharp")
        image = run.settled()
        for act in [
            lambda: run.drag((400, 200), (460, 180)),
            lambda: run.drag((400, 200), (400, 260), modifier="shift"),
            lambda: run.xdotool("keydown", "ctrl", "click", 4, "click", 4, "keyup", "ctrl"),
            lambda: run.key("Left"),
        ]:
            act()
            image = run.changed_from(image)
        run.xdotool("click", 4)
        settings = run.quit()
        self.assertGreater(settings["lens"]["focusDistanceM"], 1.7)
        self.assertLess(settings["camera"]["distanceM"], 1.8)
        self.assertNotEqual(settings["camera"]["yawDegrees"], 12)
        self.assertLess(settings["camera"]["pitchDegrees"], 7)
        self.assertNotEqual(settings["camera"]["targetYM"], 0.14)

    def test_keys_edit_settings(self):
        run = self.start("--no-ui", "--view", "sharp")
        sharp = run.settled()
        run.key("3")
        run.changed_from(sharp, 0.5)
        run.key("bracketright", "bracketright", "bracketright", "a", "l", "l", "minus", "F2")
        time.sleep(1.1)  # four letters within a second look like text
        run.key("b", "t")
        settings = run.quit()
        self.assertEqual(settings["technique"]["view"], "coc")
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.8, 4)
        self.assertTrue(settings["lens"]["autofocus"])
        self.assertNotEqual(settings["technique"]["lens"]["kind"], "auto")
        self.assertNotEqual(settings["technique"]["lens"]["kind"], "box")
        self.assertNotEqual(settings["technique"]["device"], "auto")
        self.assertEqual(settings["technique"]["table"]["format"], "float32")
        self.assertAlmostEqual(settings["camera"]["distanceM"], 1.98, 4)
        self.assertTrue(settings["present"]["showUi"])

    def test_a_click_counts_where_the_mouse_has_just_arrived(self):
        self.remember(openSections={"Lens": False, "Timings": False})
        run = self.start("--view", "sharp")
        for y in (174, 150, 126, 102):  # "Filter", "Scene", "Camera and display", "Lens"
            run.xdotool("mousemove", 150, y, "click", 1, "sleep", 0.5)
        run.quit()
        opened = self.preferences()["openSections"]
        for title in ("Filter", "Scene", "Camera and display", "Lens"):
            self.assertTrue(opened[title], title)

    def test_a_text_field_leaves_the_keys_of_the_window(self):
        self.remember(openSections={"Lens": False, "Settings and presets": True})
        run = self.start("--view", "sharp", "--no-vsync")
        run.xdotool("mousemove", 220, 342, "sleep", 0.2, "click", 1, "sleep", 0.3)  # the name of a preset
        run.xdotool("type", "t3")
        self.saved(run)
        settings = run.quit()
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertEqual(settings["technique"]["table"]["format"], "uint32")

    def test_short_presses_and_escape(self):
        run = self.start(
            "--no-vsync", "--size", "640x400", "--lens", "tent", "--samples", "8", "--teapots", "300"
        )
        shown = run.settled()
        run.xdotool("mousemove", 220, 60, "click", 1)  # the list of views
        opened = run.changed_from(shown, 0.02)
        run.key("Escape")
        run.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20)
        until(
            "a closed list", lambda: difference(run.image()[70:300, 130:300], shown[70:300, 130:300]) < 0.05
        )
        self.assertGreater(difference(opened[70:300, 130:300], shown[70:300, 130:300]), 0.2)
        run.xdotool("keydown", "ctrl", "mousemove", 220, 126, "click", 1, "keyup", "ctrl", "sleep", 0.3)
        run.xdotool("type", "2,5")
        run.key("Return", "bracketright", "f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        run.key("Escape")
        until("the window", lambda: run.geometry()[:2] == SIZE)
        settings = run.quit()
        self.assertAlmostEqual(settings["lens"]["focusDistanceM"], 2.5, 4)
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.4, 4)

    def test_every_control_is_reached_by_the_keyboard(self):
        run = self.start("--view", "sharp", "--no-vsync")
        shown = run.settled()
        focus = np.s_[114:138, :PANELS_RIGHT]
        run.key("Tab")  # focus
        until("a ring", lambda: difference(run.image()[focus], shown[focus]) > 0.005)
        run.settled()
        keys = ["space", "Right", "Right", "space"]
        keys += ["Tab", "Tab", "space", "Right", "space"]  # autofocus, aperture: the next standard number
        for key in [*keys, "Escape"]:
            run.key(key)
            shown = run.settled()
        run.key("space")  # for the window again
        until("motion", lambda: difference(run.screenshot(), shown) > 0.001)
        settings = run.quit()
        self.assertGreater(settings["lens"]["focusDistanceM"], 1.8)
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.4, 4)
        self.assertTrue(settings["scene"]["animate"])

    def test_a_typed_f_number_may_begin_with_its_letter(self):
        run = self.start("--view", "sharp")
        run.xdotool("keydown", "ctrl", "mousemove", 220, 174, "click", 1, "keyup", "ctrl", "sleep", 0.5)
        run.xdotool("type", "--delay", 100, "f/2.5")
        run.key("Return")
        time.sleep(0.5)
        self.assertAlmostEqual(run.quit()["lens"]["fNumber"], 2.5, 4)

    def test_a_refused_path_leaves_its_field(self):
        self.remember(openSections={"Lens": False, "Scene": True})
        run = self.start("--scene", "image", "--view", "sharp")
        field = np.s_[190:206, 142:310]
        before = run.settled()[field]
        run.xdotool("mousemove", 220, 198, "click", 1, "sleep", 0.5, "type", "--delay", 100, "missing.png")
        run.key("Return")
        run.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20)
        until("the error", lambda: self.has_box(run.image()[:30, PANELS_RIGHT:]))
        self.assertEqual(difference(run.settled()[field], before), 0)
        self.assertEqual(run.quit()["scene"]["image"]["file"], "")

    def test_a_click_where_nothing_is_says_so(self):
        run = self.start("--scene", "bodies", "--bodies", "16", "--view", "sharp")
        dark = run.settled()
        notice = np.s_[SIZE[1] - 40 : SIZE[1] - 16, SIZE[0] - 150 : SIZE[0] - 16]
        self.assertLess(dark[notice].max(), 100)
        run.xdotool("mousemove", SIZE[0] - 30, 30, "click", 1)
        until("a notice", lambda: run.image()[notice].max() > 200)
        time.sleep(NOTICE_S)
        self.assertGreater(run.quit()["lens"]["focusDistanceM"], 9000)


if __name__ == "__main__":
    window.main()
