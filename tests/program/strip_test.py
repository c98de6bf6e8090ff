#!/usr/bin/env python3
"""Several photographs in the window: the strip, its thumbnails, the export of all, other captures.

usage: strip_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import os
import unittest.mock

import numpy as np
import window
from PIL import Image
from surroundings import turkish_locale
from window import SIZE, difference, until

COLOURS = {"a": (230, 20, 20), "c": (20, 200, 20), "d": (20, 20, 230)}
MIDDLE = np.s_[SIZE[1] // 2 - 50 : SIZE[1] // 2 + 50, 400:600]


class StripTest(window.DisplayTest):
    def setUp(self):
        super().setUp()
        self.photos, self.out = (self.folder / name for name in ("photos", "out"))
        for folder in (self.photos, self.out):
            folder.mkdir()
        self.remember(capture={"sequenceFrames": 2, "video": False})
        for name, colour in COLOURS.items():
            file = "c.GIF" if name == "c" else f"{name}.png"
            Image.new("RGB", (90, 60), colour).save(self.photos / file)
            Image.new("L", (90, 60), 128).save(self.photos / f"{name}_depth.png")
        (self.photos / "b.png").write_bytes((self.photos / "a.png").read_bytes()[:60])
        self.script(
            "zenity", f"case $* in *--save*) echo '{self.out}/red.jpg';; *) echo '{self.photos}';; esac"
        )

    def shows(self, run, name):
        return np.abs(run.image()[MIDDLE].astype(int) - COLOURS[name]).max() < 12

    def thumbnail(self, run, name):
        """The centre of a thumbnail in the panels; None until it is made."""
        panels = run.image()[:, : window.PANELS_RIGHT].astype(int)
        rows, columns = np.nonzero(np.abs(panels - COLOURS[name]).max(axis=2) < 12)
        return (int(np.median(columns)), int(np.median(rows))) if len(rows) > 500 else None

    def test_a_folder_is_a_strip(self):
        locale = turkish_locale(self.folder)
        run = self.start("--scene", "image", environment={"PATH": str(self.programs), **locale})
        run.xdotool("mousemove", 100, 300, "click", "--repeat", 30, 5)
        run.settled()
        run.key("ctrl+o")  # the panels show the strip
        until("the first photograph", lambda: self.shows(run, "a"))
        until("its thumbnail", lambda: self.thumbnail(run, "a"))
        self.corrects_depth(run)

        run.key("Next")  # is damaged
        until("an error", lambda: self.has_box(run.image()[: window.MESSAGES, window.PANELS_RIGHT :]))
        self.assertEqual(np.median(run.image()[MIDDLE]), 0, "no other photograph stands for it")
        run.key("F12")
        run.settled()
        self.assertEqual(list(self.folder.glob("*.png")), [])
        run.key("Escape", "Next")
        until("the third photograph", lambda: self.shows(run, "c"))

        x, y = until("its thumbnail", lambda: self.thumbnail(run, "c"))
        run.xdotool("mousemove", x, y, "click", 1)
        run.key("Right")
        until("the next one by an arrow key", lambda: self.shows(run, "d"))
        run.key("Left", "Prior", "Prior")
        until("the first photograph", lambda: self.shows(run, "a"))

        run.key("bracketright")  # one look for all
        x, y = until("a thumbnail", lambda: self.thumbnail(run, "a"))
        run.xdotool("mousemove", 80, y + EXPORT_BELOW, "click", 1)
        run.settled()  # shows the names
        self.assertEqual(list(self.folder.glob("*.png")), [])
        run.xdotool("mousemove", 80, y + EXPORT_BELOW + NAMES, "click", 1)
        for name in COLOURS:
            self.written(f"{name}-refocused-0001.png")
            image = window.read_image(self.folder / f"{name}-refocused-0001.png")
            self.assertEqual(image.shape, (60, 90, 3))
            self.assertLess(np.abs(image.astype(int) - COLOURS[name]).max(), 12)
        until("the summary", lambda: self.has_box(run.image()[: window.MESSAGES, window.PANELS_RIGHT :]))
        until("the photograph before", lambda: self.shows(run, "a"))
        run.key("ctrl+z")  # the aperture: the export is no edit

        run.key("ctrl+s")
        for name in ("out/red.jpg", "out/a-refocused-0001.jpg", "out/sequence-0002.jpg"):
            self.written(name)
            self.assertEqual(window.read_image(self.folder / name).shape, (60, 90, 3))
            run.key({"out/red.jpg": "F12", "out/a-refocused-0001.jpg": "ctrl+F12"}.get(name, "Escape"))
        settings = run.quit()
        self.assertTrue(settings["scene"]["image"]["file"].endswith("photos/a.png"))
        self.assertTrue(settings["scene"]["image"]["depth"].endswith("photos/a.png.corrected-depth.exr"))
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.2, 5)
        self.assertFalse((self.folder / "b-refocused-0001.png").exists())
        capture = self.preferences()["capture"]
        self.assertEqual((capture.get("name", ""), capture["folder"]), ("", str(self.out)))

    def test_the_next_window_has_the_strip(self):
        run = self.start("--image", str(self.photos))
        until("the first photograph", lambda: self.shows(run, "a"))
        run.key("Next", "Next")
        until("the third photograph", lambda: self.shows(run, "c"))
        run.quit()
        run.kill()
        run = self.start()
        until("the same photograph", lambda: self.shows(run, "c"))
        until("thumbnails of others", lambda: self.thumbnail(run, "d"))
        run.key("Next")
        until("the next photograph", lambda: self.shows(run, "d"))
        run.quit()
        run.kill()
        run = self.start(str(self.photos / "a.png"))
        until("a photograph alone", lambda: self.shows(run, "a"))
        run.quit()
        self.assertEqual(self.preferences()["strip"], [])

    def test_the_strip_stays_in_its_place(self):
        (self.photos / "c_depth.png").unlink()
        (self.photos / "b.png").unlink()
        run = self.start("--image", str(self.photos))
        until("the first photograph", lambda: self.shows(run, "a"))
        x, y = until("its thumbnail", lambda: self.thumbnail(run, "a"))
        run.key("Next")
        until("a photograph without depth", lambda: self.shows(run, "c"))
        run.settled()
        self.assertEqual(self.thumbnail(run, "a")[1], y)
        before = run.settled()[:, : window.PANELS_RIGHT]
        run.xdotool("mousemove", 80, y + CLOSE_BELOW, "click", 1)
        run.settled()
        self.assertEqual(self.thumbnail(run, "a")[1], y, "closes when pressed twice")
        run.xdotool("mousemove", 80, y + CLOSE_BELOW, "click", 1)
        until("no strip", lambda: self.thumbnail(run, "a") is None)
        self.assertGreater(difference(run.settled()[:, : window.PANELS_RIGHT], before), 0.05)
        run.quit()

    def test_more_clicks_than_one_cancel_an_export(self):
        for file in self.photos.glob("b*"):
            file.unlink()
        for name in COLOURS:
            Image.new("RGB", (3000, 2000), COLOURS[name]).save(self.photos / f"{name}.png")
        (self.photos / "c.GIF").unlink()
        run = self.start("--image", str(self.photos))
        until("the first photograph", lambda: self.shows(run, "a"))
        x, y = until("its thumbnail", lambda: self.thumbnail(run, "a"))
        cancel = (240, y + CLOSE_BELOW)
        until("other thumbnails", lambda: self.thumbnail(run, "c"))
        run.xdotool("mousemove", *cancel)
        before = run.settled()[:, : window.PANELS_RIGHT]
        run.xdotool("mousemove", 80, y + EXPORT_BELOW, "click", 1)
        run.settled()
        run.xdotool("mousemove", 80, y + EXPORT_BELOW + NAMES_OF_THREE, "click", 1)
        run.xdotool("sleep", 0.2, "mousemove", *cancel, "click", "--repeat", 4, "--delay", 250, 1)
        until("the summary", lambda: self.has_box(run.image()[: window.MESSAGES, window.PANELS_RIGHT :]))
        self.assertLess(difference(run.settled()[:, : window.PANELS_RIGHT], before), 0.01)
        self.assertLess(len(list(self.folder.glob("*.png"))), len(COLOURS))
        run.key("Escape")
        run.quit()

    def start_large(self):
        """A window with four larger photographs. Returns it and the place of their thumbnails."""
        (self.photos / "c.GIF").unlink()
        for name in "abcd":
            Image.new("RGB", (2400, 1600), COLOURS.get(name, (90, 90, 90))).save(self.photos / f"{name}.png")
        run = self.start("--image", str(self.photos))
        until("the first photograph", lambda: self.shows(run, "a"))
        y = until("its thumbnail", lambda: self.thumbnail(run, "a"))[1]
        until("other thumbnails", lambda: self.thumbnail(run, "c"))
        return run, y

    def begin_export(self, run, y):
        run.xdotool("mousemove", 80, y + EXPORT_BELOW, "click", 1)
        run.settled()
        run.xdotool("mousemove", 80, y + EXPORT_BELOW + NAMES, "click", 1)
        until("a file", lambda: list(self.folder.glob("*.png")))

    def test_one_short_tap_cancels_an_export(self):
        run, y = self.start_large()
        run.xdotool("mousemove", 240, y + CLOSE_BELOW)
        before = run.settled()[: SIZE[1], : window.PANELS_RIGHT]
        for wait_s in (0.1, 0.5):
            self.begin_export(run, y)
            run.xdotool("mousemove", 240, y + CLOSE_BELOW, "sleep", wait_s, "mousedown", 1, "mouseup", 1)
            until("the end", lambda: difference(run.image()[:, : window.PANELS_RIGHT], before) < 0.01)
            written = list(self.folder.glob("*.png"))
            self.assertLess(len(written), 4)
            for file in written:
                file.unlink()
        run.quit()

    def test_an_export_ends_by_the_second_request_to_close(self):
        run, y = self.start_large()
        self.begin_export(run, y)
        window.send_close(run.window)
        for name in "abcd":
            self.written(f"{name}-refocused-0001.png")
        for file in self.folder.glob("*.png"):
            file.unlink()
        until("the first photograph", lambda: self.shows(run, "a"))
        run.settled()
        self.begin_export(run, y)
        window.send_close(run.window)
        run.xdotool("sleep", 1)
        window.send_close(run.window)
        self.assertEqual(run.wait()[0], 0)
        self.assertLess(len(list(self.folder.glob("*.png"))), 4)

    def test_a_click_on_a_panel_is_none_on_the_image_while_one_is_saved(self):
        size = (3000, 2000)
        noise = np.random.default_rng(1).integers(0, 256, (size[1] // 10, size[0] // 10, 3), np.uint8)
        Image.fromarray(noise).resize(size).save(self.photos / "a.png")
        metres = np.tile(np.linspace(1000, 4000, size[0]).astype(np.uint16), (size[1], 1))
        Image.fromarray(metres).save(self.photos / "a_depth.png")
        reading = ("--depth-means", "metres", "--depth-scale", "0.001")
        run = self.start("--image", self.photos / "a.png", *reading, "--focus", "2.5")
        until("the photograph", lambda: run.image()[MIDDLE].std() > 10)
        run.settled()
        run.xdotool("mousemove", 400, 200)
        run.key("z")  # the image reaches under the panels
        run.settled()
        run.key("F12")
        run.xdotool("mousemove", 25, 16, "click", "--repeat", 150, "--delay", 60, 1)
        self.written("a-refocused-0001.png")
        run.settled()
        self.assertEqual(run.quit()["lens"]["focusDistanceM"], 2.5)

    def test_another_strip_shows_its_first_photograph(self):
        many = self.folder / "many"
        many.mkdir()
        for at in range(9):
            Image.new("RGB", (90, 60), COLOURS["c" if at == 8 else "d"]).save(many / f"{at}.png")
        run = self.start("--image", str(many), environment={"PATH": str(self.programs)})
        until("the first photograph", lambda: self.shows(run, "d"))
        until("its thumbnail", lambda: self.thumbnail(run, "d"))
        for _ in range(8):
            run.key("Next")
        until("the last photograph", lambda: self.shows(run, "c"))
        until("its thumbnail", lambda: self.thumbnail(run, "c"))
        run.key("ctrl+o")
        until("another strip", lambda: self.shows(run, "a"))
        until("the thumbnail of its first", lambda: self.thumbnail(run, "a"))
        run.key("ctrl+z")
        until("the last photograph of the strip before", lambda: self.shows(run, "c"))
        run.key("Prior")
        until("the photograph before it", lambda: self.shows(run, "d"))
        run.quit()

    def test_an_export_estimates_missing_depths(self):
        for file in [*self.photos.glob("*_depth.png"), self.photos / "b.png"]:
            file.unlink()
        tool = self.folder / "tool.sh"
        tool.write_text("sleep 0.5; printf 'Pf\\n1 1\\n-1\\n\\000\\000\\000@' > \"$2\"\n")
        self.remember(depthCommand=f"sh {tool} {{image}} {{depth.pfm}}")
        cache = self.folder / "cache"
        run = self.start("--image", str(self.photos), environment={"XDG_CACHE_HOME": str(cache)})
        until("the first photograph", lambda: self.shows(run, "a"))
        _, y = until("its thumbnail", lambda: self.thumbnail(run, "a"))
        run.settled()
        run.xdotool("mousemove", 80, y + EXPORT_BELOW, "click", 1)
        run.settled()
        run.xdotool("mousemove", 80, y + EXPORT_BELOW + NAMES_OF_THREE, "click", 1)
        run.key("ctrl+q")  # says that the export is running
        for name in COLOURS:
            self.written(f"{name}-refocused-0001.png")
        until("the photograph before", lambda: self.shows(run, "a"))
        self.assertEqual(len(list((cache / "satdof/depth").glob("*.pfm"))), len(COLOURS))
        run.quit()

    def corrects_depth(self, run):
        """A brush pulls a place nearer; undo restores the image; a file beside the photograph keeps the strokes."""
        corrected = self.photos / "a.png.corrected-depth.exr"
        run.key("4")  # view depth
        run.xdotool("mousemove", 20, SIZE[1] - 20)
        before = run.settled()[MIDDLE]
        run.key("w", "W")
        run.drag((440, 200), (560, 200))
        run.xdotool("mousemove", 20, SIZE[1] - 20)
        until("a trace of the brush", lambda: difference(run.image()[MIDDLE], before) > 0.05)
        until("its file", corrected.exists)
        painted = corrected.read_bytes()
        run.key("ctrl+z")
        until("the depth before", lambda: difference(run.image()[MIDDLE], before) == 0)
        until("no file", lambda: not corrected.exists())
        run.key("ctrl+shift+z")
        until("the same file again", corrected.exists)
        self.assertEqual(corrected.read_bytes(), painted)
        run.key("Escape", "1")
        until("the photograph", lambda: self.shows(run, "a"))

    def test_a_correction_is_kept_if_its_photograph_is_left_at_once(self):
        (self.photos / "b.png").unlink()
        run = self.start("--image", str(self.photos))
        until("the first photograph", lambda: self.shows(run, "a"))
        run.key("w", "W")
        run.drag((440, 200), (560, 200))
        run.key("Next", "Prior")
        run.xdotool("mousemove", 20, SIZE[1] - 20)
        corrected = self.photos / "a.png.corrected-depth.exr"
        until("its file", corrected.exists)
        until("the first photograph", lambda: self.shows(run, "a"))
        self.until_set(run, "its depth", lambda s: corrected.name in s["scene"]["image"]["depth"])
        self.assertTrue(run.quit()["scene"]["image"]["depth"].endswith(corrected.name))

    def test_a_damaged_correction_is_told_and_kept(self):
        corrected = self.photos / "a.png.corrected-depth.exr"
        corrected.write_bytes(b"v/1\x01 damaged")
        (self.photos / "b.png").unlink()
        run = self.start("--image", str(self.photos))
        until("the photograph", lambda: self.shows(run, "a"))
        message = np.s_[: window.MESSAGES, window.PANELS_RIGHT : SIZE[0]]
        until("the message", lambda: self.has_box(run.image()[message]))
        told = run.settled()[message]
        run.key("w", "W")
        run.drag((440, 200), (560, 200))
        run.xdotool("mousemove", 20, SIZE[1] - 20)
        until("the refusal", lambda: window.difference(run.image()[message], told) > 0.02)
        run.quit("it is damaged: move it away")
        self.assertEqual(corrected.read_bytes(), b"v/1\x01 damaged")

    def test_two_windows_lose_no_strokes(self):
        corrected = self.photos / "a.png.corrected-depth.exr"

        def brush(run, y, *keys):
            run.key(*keys)
            run.drag((440, y), (560, y))
            run.xdotool("mousemove", 20, SIZE[1] - 20)

        run = self.start("--image", str(self.photos / "a.png"))
        brush(run, 150, "w", "W")
        until("its file", corrected.exists)
        run.quit()
        run.kill()
        begun = corrected.read_bytes()
        late = self.start("--image", str(self.photos / "a.png"))
        with self.another_display() as (_, number):
            first = self.start("--image", str(self.photos / "a.png"))
            brush(first, 200, "w", "W")
            until("its file", lambda: corrected.read_bytes() != begun)
            painted = corrected.read_bytes()
        refusals = ("another window corrects it", "another window has changed it")
        late.key("w", "W")
        for refusal in refusals:
            brush(late, 250)
            late.xdotool("sleep", 3)
            self.assertEqual(corrected.read_bytes(), painted)
            if refusal == refusals[0]:
                with unittest.mock.patch.dict(os.environ, DISPLAY=number):
                    first.quit()
        late.quit(refusals[1])

    def test_a_photograph_without_depth(self):
        """It is shown at once; a command estimates its depth while the window goes on; edges in focus are marked."""
        (self.photos / "a_depth.png").unlink()
        dots = np.random.default_rng(1).integers(0, 2, (60, 90, 1)) * np.array(COLOURS["c"])
        Image.fromarray(dots.astype(np.uint8)).save(self.photos / "c.png")
        (self.photos / "b.png").unlink()
        (self.photos / "c.GIF").unlink()
        tool = self.folder / "tool.sh"
        tool.write_text(
            f'echo "$1" >> {self.folder}/runs\n'
            f"while [ ! -e {self.folder}/go ]; do echo waits; sleep 0.1; done\n"
            "printf 'Pf\\n1 1\\n-1\\n\\000\\000\\000@' > \"$2\"\n"
        )
        run = self.start(
            *("--image", str(self.photos), "--depth-command", f"sh {tool} {{image}} {{depth.pfm}}"),
            environment={
                "PATH": f"{self.programs}:/usr/bin:/bin",
                "XDG_CACHE_HOME": str(self.folder / "cache"),
            },
        )
        until("the photograph without depth", lambda: self.shows(run, "a"))
        until("the command", (self.folder / "runs").exists)
        run.key("Next")

        def red(screen):
            shown = screen[MIDDLE].astype(int)
            return np.mean(shown[:, :, 0] > shown[:, :, 1] + 60)

        until("the next photograph while the command waits", lambda: red(run.image()) == 0)
        run.key("p")
        until("edges in red", lambda: red(run.image()) > 0.05)
        run.key("s")
        run.settled()
        compared = window.read_image(self.saved(run, "c-refocused-0001.png")).astype(int)
        run.key("s", "p")
        until("no edges in red", lambda: red(run.image()) == 0)
        plain = window.read_image(self.saved(run, "c-refocused-0002.png"))
        self.assertLess(np.abs(compared - plain).mean(), 1, "files hold neither the comparison nor the edges")
        (self.folder / "go").touch()
        kept = self.folder / "cache/satdof/depth"
        until("the depth", lambda: kept.exists() and list(kept.glob("*.pfm")))
        run.key("Prior")
        until("the first photograph", lambda: self.shows(run, "a"))
        self.until_set(run, "its depth", lambda s: str(kept) in s["scene"]["image"]["depth"])
        image = run.quit()["scene"]["image"]
        self.assertEqual(image["depth"], str(next(kept.glob("*.pfm"))))
        self.assertTrue(image["file"].endswith("photos/a.png"))
        self.assertEqual((self.folder / "runs").read_text().split(), [image["file"]], "once")
        self.assertEqual(self.preferences()["depthCommand"][:3], "sh ")


CLOSE_BELOW = 126
EXPORT_BELOW = 102  # pixels below the middle of a thumbnail: the button
NAMES_OF_THREE = 76
NAMES = 94  # that push it down

if __name__ == "__main__":
    window.main()
