#!/usr/bin/env python3
"""Files dropped on the window by the XDND protocol.

usage: drop_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import shutil
import subprocess
import time

import numpy as np
import window
from moving_model import still_triangle
from PIL import Image
from tools.drag_source import DragSource
from window import NOTICE_S, SIZE, TIMEOUT_S, difference, until


def write_environment(path):
    """Writes a Radiance panorama of uniform blue light."""
    size = (16, 8)
    blue = bytes([0, 0, 128, 129])  # red, green, blue, exponent
    path.write_bytes(
        f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {size[1]} +X {size[0]}\n".encode()
        + blue * (size[0] * size[1])
    )


class DropTest(window.DisplayTest):
    def setUp(self):
        super().setUp()
        self.source = DragSource(TIMEOUT_S)
        self.addCleanup(self.source.close)

    def drop(self, run, *files, least=0.02):
        """Drops files and waits until the image changes."""
        before = run.screenshot()
        self.source.drop(run.window, files, at=(500, 200))
        until(f"a change by {files[0].name}", lambda: difference(run.screenshot(), before) > least)

    def test_settings(self):
        run = self.start("--no-ui", "--view", "sharp", "--f-number", "4")
        run.settled()
        captured = self.saved(run)
        written = self.folder / "other settings.json"
        written.write_text('{"lens": {"fNumber": 5.6}, "technique": {"view": "coc"}}')
        self.drop(run, written)
        self.drop(run, captured)
        unusable = self.folder / "not.json"
        unusable.write_text('{"lens": {"fNumber": "wide"}}')
        self.drop(run, unusable)  # shows an error
        run.key("Escape")
        run.settled()
        other = self.folder / "script.sh"
        other.write_text("true")
        self.drop(run, other)
        settings = run.quit()
        self.assertEqual(settings["lens"]["fNumber"], 4)
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertFalse(settings["present"]["showUi"])
        self.assertEqual(settings["scene"]["kind"], "teapots")

    def test_a_capture_finds_its_photograph(self):
        photos = self.folder / "photos"
        photos.mkdir()
        photo, other = photos / "photo.png", photos / "other.png"
        for file, grey in ((photo, 90), (other, 200)):
            Image.fromarray(np.full((60, 90, 3), grey, np.uint8)).save(file)
        run = self.start("--no-ui", "--view", "sharp", photo)  # as a desktop opens it
        run.settled()
        run.key("F12")
        captured = until("a capture", lambda: list(self.folder.glob("*-0001.png")))[0]
        self.drop(run, other)
        self.drop(run, captured)  # the photograph is one of the last
        run.settled()
        photo.rename(self.folder / "moved.png")
        self.drop(run, other)
        self.drop(run, captured)  # a picture
        run.key("Escape")
        run.settled()
        self.assertEqual(run.quit()["scene"]["image"]["file"], str(captured))

    def test_image_model_and_environment(self):
        run = self.start("--no-ui", "--view", "sharp")
        run.settled()
        image, depth = self.folder / "image.png", self.folder / "image depth.png"
        checks = np.indices((60, 80)).sum(axis=0) // 8 % 2 * 255
        Image.fromarray(np.dstack([checks, checks, 0 * checks]).astype(np.uint8)).save(image)
        Image.fromarray(np.tile(np.arange(80, dtype=np.uint8), (60, 1))).save(depth)
        self.drop(run, depth, image, least=0.2)
        until("the yellow of the image", lambda: np.any(np.all(run.image() == (255, 255, 0), axis=2)))

        model, light = self.folder / "triangle.gltf", self.folder / "blue.hdr"
        still_triangle(model)
        write_environment(light)
        self.drop(run, model, least=0.2)
        self.drop(run, light, least=0.2)

        def blue_sky():
            corner = run.image()[20, 40].astype(int)
            return corner[2] > corner[0] + 60 and corner[2] > corner[1] + 60

        until("the blue sky of the environment", blue_sky)
        broken = self.folder / "broken.png"
        broken.write_bytes(image.read_bytes()[:60])
        self.drop(run, broken)  # shows an error
        self.assertTrue(blue_sky())
        settings = run.quit()
        self.assertEqual(settings["scene"]["kind"], "model")
        self.assertEqual(settings["scene"]["model"]["file"], str(model))
        self.assertEqual(settings["scene"]["model"]["environment"], str(light))
        recent = self.preferences()["recentImages"][0]
        self.assertGreater(recent.pop("focusDistanceM"), 0)
        self.assertEqual(recent, {"file": str(image), "depth": str(depth)})

    def test_an_image_needs_no_depth_and_a_damaged_model_changes_nothing(self):
        run = self.start("--no-ui", "--view", "sharp")
        before = run.settled()
        image = self.folder / "image.png"
        Image.new("RGB", (80, 60), (255, 255, 0)).save(image)
        broken = self.folder / "broken.glb"
        broken.write_bytes(b"glTF")
        names_broken = self.folder / "settings.json"
        names_broken.write_text(
            json.dumps({"lens": {"fNumber": 22}, "scene": {"kind": "model", "model": {"file": str(broken)}}})
        )
        middle = np.s_[150:300, 100:500]
        for file in [broken, names_broken]:
            self.drop(run, file)  # shows an error
            time.sleep(NOTICE_S)
            np.testing.assert_array_equal(run.settled()[middle], before[middle])
            run.key("Escape")
            run.settled()
        self.drop(run, image, least=0.2)
        until("the yellow of the image", lambda: tuple(run.image()[-40, 400]) == (255, 255, 0))
        run.settled()
        run.key("ctrl+z")
        until("the teapots", lambda: difference(run.image()[middle], before[middle]) < 0.02)
        settings = run.quit()
        self.assertEqual(settings["scene"]["kind"], "teapots")
        self.assertEqual(settings["scene"]["model"]["file"], "")

    def test_undo_returns_to_the_scene_before_an_image(self):
        run = self.start("--no-ui", "--view", "sharp")
        run.settled()
        image, depth = self.folder / "image.png", self.folder / "image depth.png"
        Image.new("RGB", (80, 60), (255, 255, 0)).save(image)
        Image.fromarray(np.tile(np.arange(80, dtype=np.uint8), (60, 1))).save(depth)

        def yellow():
            return tuple(run.image()[-40, 400]) == (255, 255, 0)

        self.drop(run, depth, image, least=0.2)
        until("the yellow of the image", yellow)
        run.settled()
        run.key("ctrl+z")
        until("the teapots", lambda: not yellow())
        run.settled()
        run.key("ctrl+shift+z")
        until("the image again", yellow)
        run.key("ctrl+z")
        self.assertEqual(run.quit()["scene"]["kind"], "teapots")

    @window.needs_ffmpeg
    def test_a_video_is_a_film_that_the_window_remembers(self):
        frames, depths, film = (self.folder / name for name in ("frames", "depths", "film.mkv"))
        for number in range(3):
            colour = tuple(220 if channel == number else 40 for channel in range(3))
            for folder, image in (
                (frames, Image.new("RGB", SIZE, colour)),
                (depths, Image.new("L", SIZE, 99)),
            ):
                folder.mkdir(exist_ok=True)
                image.save(folder / f"{number}.png")
        for folder, file in ((frames, film), (depths, self.folder / "film-depth.mkv")):
            command = [*"ffmpeg -v error -framerate 5 -i".split(), folder / "%d.png", "-c:v", "ffv1", file]
            subprocess.run(command, check=True)
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        run = self.start("--view", "sharp", environment=cache)
        run.settled()

        def shows(run, number):
            pixel = run.image()[120, (window.PANELS_RIGHT + SIZE[0]) // 2]
            return pixel[number] > 150 and pixel.argmax() == number

        def ends(run):  # while the film is opened, its first frame is shown without a timeline
            run.key("End")
            return shows(run, 2)

        def plays(run):
            until("the first frame", lambda: shows(run, 0))
            until("the last frame", lambda: ends(run))

        self.source.drop(run.window, [film], at=(500, 200))
        plays(run)
        captured = window.read_image(self.saved(run, "film-refocused-0001.png"))
        self.assertEqual(captured[0, 0].argmax(), 2)
        run.quit()
        remembered = self.preferences()
        files = {"file": str(film), "depth": str(self.folder / "film-depth.mkv")}
        (recent,) = remembered["recentImages"]
        self.assertGreater(recent.pop("focusDistanceM"), 0)
        self.assertEqual((remembered["film"], recent), (files, files))
        self.assertEqual(remembered["capture"]["framesPerSecond"], 5)
        self.remember(**{**remembered, "openSections": {"Lens": False, "Scene": True}})
        again = self.start("--scene", "image", "--view", "sharp", environment=cache)
        plays(again)
        # The field names the film, not its frame: with another name it opens the film beside.
        other = shutil.copy(film, self.folder / "other.mkv")
        again.xdotool("mousemove", 220, 246, "click", 1, "sleep", 0.5)
        again.key("End", *["BackSpace"] * len(film.name))
        again.xdotool("type", "--delay", 100, other.name)
        again.key("Return")
        until("the other film", lambda: self.preferences()["film"]["file"] == str(other))
        again.quit()


if __name__ == "__main__":
    window.main()
