#!/usr/bin/env python3
"""Files opened by a dialog of the desktop and by the window's own file list.

usage: open_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import pathlib
import shutil
import time

import numpy as np
import window
from PIL import Image
from window import until

TIMELINE_TOP = 290
LOUPE = np.s_[240:315, 430:630]


class OpenTest(window.DisplayTest):
    def setUp(self):
        super().setUp()
        self.photos = self.folder / "photos"
        self.photos.mkdir()
        self.red_photograph(self.photos)
        self.environment = {"PATH": str(self.programs), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def start_image(self):
        return self.start("--scene", "image", environment=self.environment)

    def test_the_dialog_of_the_desktop(self):
        self.script("zenity", f'echo "$@" > {self.folder}/asked; /bin/sleep 1; echo "{self.photos}/red.png"')
        run = self.start_image()
        run.key("ctrl+o")
        until("the dialog", lambda: (self.folder / "asked").exists())
        until("the photo", lambda: self.is_red(run))
        self.assertTrue(run.quit()["scene"]["image"]["file"].endswith("photos/red.png"))

    def test_a_dialog_that_is_open_ends_with_the_window(self):
        self.script("zenity", f"/bin/sleep 60; echo late > {self.folder}/late")
        run = self.start_image()
        run.key("ctrl+o")
        time.sleep(0.5)
        run.quit()
        self.assertFalse((self.folder / "late").exists(), "the window did not wait for it")

    def test_a_dialog_that_floods_its_output(self):
        self.script("zenity", "exec /usr/bin/yes")
        run = self.start_image()
        before = run.settled()
        run.key("ctrl+o")
        run.changed_from(before, 0.1)  # the list of the window
        run.quit()

    def test_the_list_of_the_window_in_place_of_a_dialog_that_fails(self):
        self.script("zenity", "exit 5")
        run = self.start_image()
        before = run.settled()
        run.key("ctrl+o")
        shown = run.changed_from(before, 0.1)
        run.xdotool("type", "phot")
        run.changed_from(shown, 0.002)
        run.key("Return")
        run.xdotool("sleep", 0.3, "type", "red.")
        run.key("Return")
        until("the photo", lambda: self.is_red(run))
        run.key("ctrl+o")
        run.settled()
        run.key("Escape", "1")
        until("the list closed", lambda: self.is_red(run))
        run.quit()

    def test_an_estimate_of_a_depth_is_told_and_cancelled(self):
        (self.photos / "red_depth.png").unlink()
        pid, tool = self.folder / "pid", self.folder / "tool.sh"
        tool.write_text(f"echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 600\n")
        command = f"sh {tool} {{image}} {{depth}}"
        run = self.start(
            str(self.photos / "red.png"),
            "--depth-command",
            command,
            environment=self.environment | {"PATH": "/usr/bin:/bin"},
        )
        until("the command", pid.exists)
        run.settled()
        run.xdotool("mousemove", 273, 82, "sleep", 0.3, "click", 1)
        until("the end of the command", lambda: not pathlib.Path("/proc", pid.read_text().strip()).exists())
        run.quit()

    @window.needs_compiler
    def test_files_that_do_not_answer_stop_nothing(self):
        silent = self.folder / "silent"
        shutil.copytree(self.photos, silent)
        self.remember(recentImages=[{"file": str(silent / "red.png"), "depth": ""}])
        self.environment |= window.silent_folders(self.folder)
        run = self.start("--no-ui", environment=self.environment)
        before = run.settled()

        def open_list():
            shown = run.screenshot()
            run.key("ctrl+o")
            run.changed_from(shown, 0.1)

        open_list()  # of the silent folder
        run.key("Return")  # the recent photo
        run.xdotool("sleep", 1)
        run.key("2")
        until("the sharp image", lambda: window.sharpness(run.image()) > 1.3 * window.sharpness(before))
        open_list()
        run.key("alt+Up")
        run.xdotool("sleep", 0.5, "type", "photos")
        run.key("Return")
        run.xdotool("sleep", 0.5, "type", "red.")
        run.key("Return")
        until("the photo that answers", lambda: self.is_red(run))
        open_list()
        run.key("alt+Up")
        run.xdotool("sleep", 0.5, "type", "silent")
        run.key("Return")
        run.xdotool("sleep", 1)
        run.key("Escape", "ctrl+q")
        status, settings = run.wait()
        self.assertEqual(status, 0)
        self.assertTrue(settings["scene"]["image"]["file"].endswith("photos/red.png"))

    def test_a_folder_of_the_command_line_comes_before_the_last_photo(self):
        (self.folder / "satdof").mkdir()
        last = {"scene": {"kind": "image", "image": {"file": str(self.photos / "red.png")}}}
        (self.folder / "satdof/settings.json").write_text(json.dumps(last))
        new = self.folder / "new"
        new.mkdir()
        for name in ("a.png", "b.png"):
            Image.fromarray(np.full((30, 40, 3), [20, 20, 220], np.uint8)).save(new / name)
        run = self.start(str(new), environment=self.environment)
        until("the first photo", lambda: run.image()[200, 500, 2] > 200)
        run.settled()
        run.key("ctrl+z")
        run.settled()
        self.assertFalse(self.is_red(run), "there was no photo before")
        run.quit()

    def test_a_photo_fits_beside_the_panels_and_is_captured_alone(self):
        Image.fromarray(np.full((300, 450, 3), [250, 20, 20], np.uint8)).save(self.photos / "wide.png")
        Image.fromarray(np.full((30, 45), 128, np.uint8)).save(self.photos / "wide.depth.png")
        run = self.start_image()
        run.key("ctrl+o")
        self.assertFalse(self.is_red(run))
        run.settled()
        run.xdotool("type", "photos")
        run.key("Return")
        run.xdotool("sleep", 0.3, "type", "wide.p")
        run.key("Return")
        until("the photo", lambda: self.is_red(run))
        panels, (width, height) = window.PANELS_RIGHT, window.SIZE

        def red(screen):
            return (screen[:, :, 0] > 200) & (screen[:, :, 1] < 80)

        run.xdotool("sleep", window.NOTICE_S)
        shown = red(run.settled()[:height, :width])
        columns, rows = np.nonzero(shown.any(axis=0))[0], np.nonzero(shown.any(axis=1))[0]
        self.assertLessEqual(abs(columns.min() - panels), 1)
        self.assertEqual(columns.max(), width - 1)
        self.assertLessEqual(abs(len(rows) - (width - panels) * 2 / 3), 2)
        image = window.read_image(self.saved(run, "wide-refocused-0001.png"))
        self.assertEqual(image.shape, (300, 450, 3))
        self.assertTrue(red(image).all())
        run.key("F6")  # the timeline: the photo above it, as a whole

        def above():
            image = red(run.image())[:, panels:]
            columns, rows = np.nonzero(image.any(axis=0))[0], np.nonzero(image.any(axis=1))[0]
            return rows.max() < TIMELINE_TOP and abs(len(rows) - len(columns) * 2 / 3) <= 2

        until("the photo above the timeline", above)
        self.assertTrue(red(window.read_image(self.saved(run, "wide-refocused-0002.png"))).all())
        run.key("F6", "F2")
        until("the photo without panels", lambda: red(run.image())[height // 2].sum() == height * 3 // 2)
        run.quit()

    def test_captures_have_the_photo_that_is_shown(self):
        """The file of the photo is replaced, then deleted."""
        photo = self.photos / "red.png"
        exif = Image.Exif()
        for name in ("with depth", "flat"):
            with self.subTest(name):
                if name == "flat":
                    (self.photos / "red_depth.png").unlink()
                exif[0x0110] = "Camera One"
                Image.fromarray(np.full((30, 40, 3), [250, 20, 20], np.uint8)).save(photo, exif=exif)
                run = self.start("--image", str(photo), "--no-ui")
                until("the photo", lambda run=run: self.is_red(run))
                exif[0x0110] = "Camera Two"
                Image.fromarray(np.full((60, 50, 3), [20, 250, 20], np.uint8)).save(photo, exif=exif)
                files = [self.saved(run, "red-refocused-0001.png")]
                photo.unlink()
                files.append(self.saved(run, "red-refocused-0002.png"))
                run.quit()
                for captured in files:
                    with Image.open(captured) as image:
                        self.assertEqual((image.size, image.getexif().get(0x0110)), ((40, 30), "Camera One"))
                        self.assertGreater(np.asarray(image)[..., 0].min(), 200)
                    captured.unlink()

    def test_a_truncated_photo_is_told(self):
        whole, cut = (str(self.photos / name) for name in ("whole.jpg", "cut.jpg"))
        Image.fromarray(np.random.default_rng(1).integers(0, 255, (60, 80, 3)).astype(np.uint8)).save(whole)
        data = (self.photos / "whole.jpg").read_bytes()
        (self.photos / "cut.jpg").write_bytes(data[: len(data) // 2])
        depth = ("--depth", str(self.photos / "red_depth.png"), "--depth-means", "relative")
        notice = np.s_[340:390, 430:]  # between the photo and the bar of loading
        run = self.start("--image", whole, *depth, environment=self.environment)
        self.assertEqual(run.settled()[: window.SIZE[1], : window.SIZE[0]][notice].max(), 0)
        run.quit()
        run = self.start("--image", cut, *depth, environment=self.environment)
        until("the notice", lambda: run.image()[notice].max() > 0)
        run.quit()

    def test_another_photo_says_itself_what_its_depth_means(self):
        shutil.copy(self.photos / "red.png", self.photos / "other.png")
        first = self.start("--image", str(self.photos / "red.png"), "--depth-means", "disparity").quit()
        self.assertEqual(first["scene"]["image"]["meaning"], "disparity")
        again = self.start("--image", str(self.photos / "red.png")).quit()
        self.assertEqual(again["scene"]["image"]["meaning"], "disparity")
        other = self.start("--image", str(self.photos / "other.png")).quit()
        self.assertEqual(other["scene"]["image"]["meaning"], "auto")

    def test_a_film_shows_its_first_frame_until_it_is_read(self):
        Image.new("RGB", (40, 30), (20, 200, 20)).save(self.folder / "frame.png")
        (self.photos / "film.mkv").write_bytes(b"film")
        self.script(
            "ffmpeg",
            "while [ $1 != -frames:v ]; do shift; done\n"
            f"[ $2 = 1 ] || while [ ! -e {self.folder}/go ]; do echo waits; /bin/sleep 0.1; done\n"
            f'/bin/cp {self.folder}/frame.png "${{3%/*}}/000001.png"\n',
        )
        self.script("zenity", "exit 5")
        run = self.start("--image", str(self.photos / "red.png"), environment=self.environment)
        until("the photo", lambda: self.is_red(run))
        run.key("ctrl+o")
        run.xdotool("sleep", 0.5, "type", "film")

        def green(part):
            middle = part.reshape(-1, 3).astype(int)
            return (middle[:, 1] - middle.max(axis=1) >= 0) & (middle[:, 1] > 150) & (middle[:, 0] < 80)

        until("its first frame in the list", lambda: green(run.image()).sum() > 200)
        run.key("Return")
        corner = np.s_[100:130, 330:400]
        until("its first frame instead of the photo", lambda: green(run.image()[corner]).all())
        run.key("F12", "m")  # which wait for the film
        run.xdotool("sleep", window.NOTICE_S)
        self.assertTrue(green(run.image()[LOUPE]).all())
        self.assertFalse((self.folder / "go").exists())
        (self.folder / "go").touch()
        until("the film", lambda: "film.mkv" in str(self.preferences().get("film")))
        until("its frame", lambda: green(run.image()[corner]).all())
        until("the loupe", lambda: not green(run.image()[LOUPE]).all())
        self.assertEqual(list(self.folder.glob("*refocused*")), [])
        run.quit()


if __name__ == "__main__":
    window.main()
