#!/usr/bin/env python3
"""Folders that stop answering while the window reads and writes there.

usage: silent_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import time

import numpy as np
import window
from PIL import Image
from window import until


@window.needs_compiler
class SilentTest(window.DisplayTest):
    def setUp(self):
        super().setUp()
        self.silent = self.folder / "silent"
        self.silent.mkdir()
        self.answers(True)
        self.environment = window.silent_folders(self.folder)
        self.config.mkdir()

    def answers(self, whether):
        marker = self.folder / "silent.answers"
        marker.touch() if whether else marker.unlink(missing_ok=True)

    def config_is_silent(self):
        self.config = self.config.rename(self.silent / "satdof")
        self.environment["XDG_CONFIG_HOME"] = str(self.silent)

    def start_window(self, *arguments, **preferences):
        self.remember(**preferences)
        return self.start("--no-ui", *arguments, environment=self.environment)

    def choose(self, file):
        """Installs a fake dialog of the desktop, which chooses the file at once."""
        self.script("zenity", f"echo {file}\n")
        self.environment["PATH"] = str(self.programs)

    def assert_goes_on(self, run, view="1"):
        """Fails unless the window can change to another view and back."""
        before = run.image()
        run.key("5")
        until("another view", lambda: window.difference(run.image(), before) > 0.3)
        run.key(view)
        until("the image", lambda: window.difference(run.image(), before) < 0.2)

    def test_images_wait_for_their_folder(self):
        run = self.start_window(capture={"folder": str(self.silent)})
        run.settled()
        self.answers(False)
        run.key("F12", "F12")
        self.assert_goes_on(run)
        self.answers(True)
        for number in (1, 2):
            self.written(f"silent/satdof-000{number}.png")
        run.quit()

    def test_a_recording_stops_at_an_image_that_fails_late(self):
        frames = 100
        capture = {"folder": str(self.silent), "video": False, "sequenceFrames": frames}
        run = self.start_window(capture=capture)
        run.settled()
        self.saved(run, "silent/sequence-0001.png", "ctrl+F12")
        self.answers(False)
        (self.folder / "silent.fails").touch()
        run.xdotool("sleep", 4)
        self.answers(True)
        until("the failure", lambda: not (self.folder / "silent.fails").exists())
        until("an error", lambda: self.has_box(run.image()[: window.MESSAGES, window.PANELS_RIGHT :]))
        run.settled()
        self.assertLess(len(list(self.silent.glob("*.png"))), frames - 1)
        run.quit("satdof: cannot write")

    def test_a_window_ends_before_its_folder_answers(self):
        run = self.start_window(capture={"folder": str(self.silent)})
        run.settled()
        self.answers(False)
        run.key("F12")
        self.assert_goes_on(run)
        run.quit("satdof.png: its folder does not answer")

    def test_settings_wait_for_their_folder(self):
        self.config_is_silent()
        run = self.start_window()
        run.settled()
        self.answers(False)
        run.key("2")
        run.xdotool("sleep", 6)
        self.assert_goes_on(run, "2")
        self.answers(True)
        settings = self.config / "settings.json"
        until("settings", lambda: json.loads(settings.read_text())["technique"]["view"] == "sharp")
        self.answers(False)
        run.key("3")
        run.xdotool("sleep", 1)
        run.quit("cannot save the settings for the next start: the folder")

    def test_a_config_folder_that_does_not_answer_is_left_alone(self):
        self.config_is_silent()
        self.answers(False)
        run = self.start_window()
        self.assert_goes_on(run)
        self.answers(True)
        run.quit("settings are not remembered: the folder")
        self.assertEqual([file.name for file in self.config.iterdir()], ["interface.json"])

    def test_a_name_without_extension_replaces_no_file_of_a_folder_that_does_not_answer(self):
        (self.silent / "taken.png").write_bytes(b"mine")
        self.choose(self.silent / "taken")
        run = self.start_window()
        run.settled()
        self.answers(False)
        run.key("ctrl+s")
        run.xdotool("sleep", 3)
        self.assert_goes_on(run)
        self.answers(True)
        run.xdotool("sleep", 1)
        run.quit()
        self.assertEqual((self.silent / "taken.png").read_bytes(), b"mine")

    def test_files_of_settings_are_read_when_they_answer(self):
        (self.silent / "mask.json").write_text(
            json.dumps({"width": 1, "height": 1, "weights": [0.0], "offset": 0.5})
        )
        shape = np.zeros((32, 32), np.uint8)
        shape[8:24, 8:24] = 255
        Image.fromarray(shape).save(self.silent / "square.png")
        settings = self.folder / "wanted.json"
        files = {
            "filter": {"mask": str(self.silent / "mask.json")},
            "lens": {"apertureImage": str(self.silent / "square.png")},
        }
        settings.write_text(json.dumps(files))
        self.choose(settings)
        run = self.start_window()
        run.settled()
        self.answers(False)
        run.key("ctrl+o")
        run.xdotool("sleep", 1)
        self.assert_goes_on(run)
        self.answers(True)
        middle = np.s_[150:250, 400:600]
        until("the grey of the mask", lambda: np.ptp(run.image()[middle]) == 0)
        run.key("ctrl+q")
        self.assertEqual(run.wait()[0], 0)

    def test_a_brushed_depth_waits_for_its_folder(self):
        noise = np.random.default_rng(1).integers(0, 255, (60, 90, 3)).astype(np.uint8)
        Image.fromarray(noise).save(self.silent / "a.png")
        Image.fromarray(np.full((60, 90), 128, np.uint8)).save(self.silent / "a_depth.png")
        run = self.start_window("--image", str(self.silent / "a.png"))
        run.key("4")
        run.key("w", "W")
        run.drag((440, 100), (560, 100))
        corrected = self.silent / "a.png.corrected-depth.exr"
        until("its file", corrected.exists)
        painted = corrected.read_bytes()
        before = run.settled()
        self.answers(False)
        run.drag((440, 200), (560, 200))
        until("a trace of the brush", lambda: window.difference(run.image(), before[:400, :640]) > 0.01)
        run.xdotool("sleep", 4)
        run.key("Escape")
        self.assert_goes_on(run, "4")
        self.answers(True)
        until("its file", lambda: corrected.read_bytes() != painted)
        settings = run.quit()
        self.assertTrue(settings["scene"]["image"]["depth"].endswith("a.png.corrected-depth.exr"))

    def test_a_film_waits_for_its_folder(self):
        random = np.random.default_rng(1)
        for number in range(1, 7):
            noise = random.integers(0, 255, (60, 90, 3), np.uint8)
            Image.fromarray(noise).save(self.silent / f"f{number}.png")
            Image.fromarray(np.full((60, 90), 100 + number, np.uint8)).save(self.silent / f"d{number}.png")
        film = ["--image", str(self.silent / "f%d.png"), "--depth", str(self.silent / "d%d.png")]
        capture = {"framesPerSecond": 4, "video": False}
        run = self.start_window(*film, "--lens", "box", "--autofocus", capture=capture)
        run.settled()
        # The autofocus of the last frames begins at the first one.
        run.key("End", "ctrl+Left", "ctrl+Home")
        run.settled()
        self.answers(False)
        run.key("ctrl+F12")
        run.xdotool("sleep", 4)
        run.key("Escape")
        run.settled()
        self.assert_goes_on(run)
        self.answers(True)
        self.saved(run, "sequence-0006.png", "ctrl+F12")
        self.assertEqual(len(list(self.folder.glob("sequence-*"))), 2)
        time.sleep(window.NOTICE_S)
        before = run.settled()
        self.answers(False)
        run.key("ctrl+Left")  # a frame that was not read
        notice = np.s_[window.SIZE[1] - 60 : window.SIZE[1], 320 : window.SIZE[0]]
        until("a notice", lambda: window.difference(run.image()[notice], before[notice]) > 0.1)
        run.quit()


if __name__ == "__main__":
    window.main()
