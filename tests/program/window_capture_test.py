#!/usr/bin/env python3
"""Captures and recordings by the window.

usage: window_capture_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import os
import signal
import time

import numpy as np
import window
from PIL import Image
from surroundings import decoded, probed, saved_settings
from window import NOTICE_S, PANELS_RIGHT, SIZE, difference, read_image, send_close, until


class CaptureTest(window.DisplayTest):
    def test_capture(self):
        run = self.start("--no-ui")
        screen = run.settled()[: SIZE[1], : SIZE[0]]
        for name in ["satdof-0001.png", "satdof-0002.png"]:
            np.testing.assert_array_equal(read_image(self.saved(run, name)), screen)
        run.quit()

    def test_closing_waits_for_a_capture_unless_told_twice(self):
        told = "satdof: ends when the capture is written; close or interrupt again to abandon it\n"
        captured = self.folder / "satdof-0001.png"

        def close_during_capture(width, height):
            self.remember(windowSize=False, width=width, height=height)
            run = self.start("--no-ui", "--lens", "layered", "--layers", "2")
            run.settled()
            before = self.ticks(run)
            run.key("F12")
            until("a capture in progress", lambda: self.ticks(run) > before + 30)
            send_close(run.window)
            return run

        run = close_during_capture(1600, 1200)
        self.assertEqual(run.wait()[0], 0)
        self.assertIn(run.errors(), ["", told])
        self.assertEqual(read_image(captured).shape, (1200, 1600, 3))
        captured.unlink()
        run = close_during_capture(4000, 3000)
        until("a message", lambda: run.errors() == told)
        run.process.send_signal(signal.SIGINT)
        self.assertEqual(run.wait()[0], -signal.SIGINT)
        self.assertIn("the capture is abandoned", run.errors())
        self.assertFalse(captured.exists())

    def test_closing_before_the_last_frame_tells_of_the_capture(self):
        run = self.start("--frames", "100000", "--capture", "last.png")
        send_close(run.window)
        self.assertEqual(run.wait()[0], 0)
        self.assertIn("last.png is not written", run.errors())

    def remember(self, **capture):
        super().remember(capture=capture)

    @window.needs_ffmpeg
    def test_recording_is_a_video(self):
        self.remember(sequenceFrames=4, framesPerSecond=8)
        run = self.start("--no-ui", "--animate")
        video = self.saved(run, "satdof-0001.mp4", "ctrl+F12")
        expected = f"{SIZE[0] + SIZE[0] % 2},{SIZE[1] + SIZE[1] % 2},8/1,4"
        self.assertEqual(probed(video, "width,height,r_frame_rate,nb_read_frames"), expected)
        # Stopped before its end, a recording keeps what it has.
        run.quit()
        self.remember(sequenceFrames=1000)  # the window has written its own
        run = self.start("--no-ui", "--animate")
        run.key("ctrl+F12")
        time.sleep(2)
        run.key("ctrl+F12")
        self.written("satdof-0002.mp4")
        run.quit()
        # Ended before its end, a film of a shot leaves nothing that looks like one.
        keys = [{"time": time, "value": 2 + time} for time in (0, 100)]
        shot = {"format": "satdof-shot", "version": 1, "tracks": [{"field": "lens.fNumber", "keys": keys}]}
        (self.folder / "shot.json").write_text(json.dumps(shot))
        run = self.start("--ui", "--shot", "shot.json")
        run.key("ctrl+F12")
        until("a part of the film", lambda: list(self.folder.glob("satdof-unfinished-*.mp4")))
        run.process.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait()[0], -signal.SIGTERM)
        videos = sorted(path.name for path in self.folder.glob("*.mp4"))
        self.assertEqual(videos, ["satdof-0001.mp4", "satdof-0002.mp4"])

    @window.needs_ffmpeg
    def test_an_encoder_that_hangs_stops_nothing_else(self):
        self.remember(sequenceFrames=1000)
        self.script("ffmpeg", "sleep 1000\n")
        path = f"{self.programs}:{os.environ['PATH']}"
        run = self.start("--no-ui", "--animate", environment={"PATH": path})
        run.key("ctrl+F12")
        time.sleep(2)
        run.key("2")
        self.saved(run)
        run.key("ctrl+F12")  # ends the recording
        time.sleep(1)
        self.saved(run, "satdof-0002.png")
        run.process.send_signal(signal.SIGTERM)
        until("a message", lambda: "ends when the video is written" in run.errors())
        run.process.send_signal(signal.SIGTERM)
        status, settings = run.wait()
        self.assertEqual(status, -signal.SIGTERM)
        self.assertIn("the video is abandoned", run.errors())
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertEqual(list(self.folder.glob("*.mp4")), [])

    @window.needs_ffmpeg
    def test_a_transparent_background_is_recorded(self):
        self.remember(videoFormat="mov", sequenceFrames=2)
        run = self.start("--no-ui", "--animate", "--background", "transparent")
        video = self.saved(run, "satdof-0001.mov", "ctrl+F12")
        self.assertIn("yuva", probed(video, "pix_fmt,nb_read_frames"))
        run.quit()

    def test_an_ffmpeg_that_hangs_when_asked_for_its_encoders_stops_nothing(self):
        self.remember(videoFormat="mov")
        self.script("ffmpeg", "exec sleep 1000\n")
        path = f"{self.programs}:{os.environ['PATH']}"
        run = self.start(
            "--no-ui", "--view", "final", "--background", "transparent", environment={"PATH": path}
        )
        before = run.settled()[: SIZE[1], : SIZE[0]]
        run.key("ctrl+F12")
        time.sleep(0.5)
        run.key("5")
        until("another view", lambda: difference(run.image(), before) > 0.3, 8)
        run.process.send_signal(signal.SIGTERM)
        status, settings = run.wait()
        self.assertEqual(status, -signal.SIGTERM)
        self.assertNotEqual(settings["technique"]["view"], "final")
        self.assertEqual(list(self.folder.glob("*.mov")), [])

    @window.needs_ffmpeg
    def test_a_long_simulation_of_a_recording_is_cancelled(self):
        self.remember(sequenceFrames=3, framesPerSecond=1)  # an image: a million steps
        heavy = ["--scene", "bodies", "--bodies", "4096", "--body-speed", "10", "--time-step", "1e-5"]
        run = self.start("--no-ui", "--animate", *heavy)
        self.cancel_slow(run, "ctrl+F12")
        run.key("2")
        self.assertEqual(run.quit()["technique"]["view"], "sharp")
        self.assertEqual([path.name for path in self.folder.glob("*.mp4")], [])

    def test_a_slow_capture_with_panels_shows_its_progress_but_does_not_hold_it(self):
        self.remember(withUi=True)
        run = self.start("--adaptive", "--animate", "--lens", "reference", "--lens-samples", "1000")
        middle = (slice(185, 215), slice(420, 540))  # of the image right of the panels
        time.sleep(1)
        before = run.image()
        run.key("F12")
        until("the progress", lambda: difference(run.image()[middle], before[middle]) > 0.9)
        until("a capture", (self.folder / "satdof-0001.png").exists)
        captured = read_image(self.folder / "satdof-0001.png")
        run.quit()
        self.assertLess(difference(captured[middle], before[middle]), 0.9)
        panels = (slice(None), slice(200))
        self.assertLess(difference(captured[panels], before[panels]), 0.2)

    def test_a_capture_of_a_scene_that_stands_still_has_its_time(self):
        run = self.start("--no-ui", "--animate", "--scene", "bodies", "--body-speed", "0")
        time.sleep(2)
        captured = saved_settings(self.saved(run))
        self.assertEqual(captured["scene"]["timeS"], run.quit()["scene"]["timeS"])

    def test_a_film_is_scrubbed_refocused_and_recorded(self):
        for folder in ("film", "depth"):
            (self.folder / folder).mkdir()
        for number in range(3):
            colour = tuple(220 if channel == number else 40 for channel in range(3))
            Image.new("RGB", (160, 100), colour).save(self.folder / f"film/{number + 5:02}.png")
            Image.new("L", (160, 100), 200 - 40 * number).save(self.folder / f"depth/{number:02}.png")
        self.remember(video=False, framesPerSecond=4)
        files = [
            "--image",
            str(self.folder / "film/%02d.png"),
            "--depth",
            str(self.folder / "depth/%02d.png"),
        ]
        options = "--view sharp --depth-means relative --autofocus --autofocus-speed 0.1".split()
        run = self.start(*files, *options)

        def shows(number):
            pixel = run.image()[180, (PANELS_RIGHT + SIZE[0]) // 2]
            return pixel[number] > 150 and pixel.argmax() == number

        until("the first frame", lambda: shows(0))
        for key, number in (("End", 2), ("ctrl+Left", 1)):
            run.key(key)
            until(f"frame {number}", lambda number=number: shows(number))
        self.saved(run, "sequence-0003.png", "ctrl+F12")
        files = [self.folder / f"sequence-000{number + 1}.png" for number in range(3)]
        for number, file in enumerate(files):
            image = read_image(file)
            self.assertEqual(image[image.shape[0] // 2, image.shape[1] // 2].argmax(), number)
        diopters = [1 / saved_settings(file)["lens"]["focusDistanceM"] for file in files]
        self.assertLess(diopters[2], diopters[1])
        self.assertLess(max(near - far for near, far in zip(diopters, diopters[1:])), 0.02501)
        # The same film goes on with what is missing.
        whole = [file.read_bytes() for file in files]
        files[2].unlink()
        self.saved(run, "sequence-0003.png", "ctrl+F12")
        self.assertEqual([file.read_bytes() for file in files], whole)
        until("the frame before the recording", lambda: shows(1))
        self.assertTrue(run.quit()["scene"]["image"]["file"].endswith("06.png"))

    def test_images_of_a_recording_have_one_size(self):
        self.remember(sequenceFrames=1000, video=False)
        run = self.start("--no-ui", "--animate")
        run.key("ctrl+F12")
        self.written("sequence-0002.png")
        run.xdotool("windowsize", run.window, SIZE[0] - 60, SIZE[1] - 40)
        last = len(list(self.folder.glob("sequence-*.png"))) + 20
        self.written(f"sequence-{last:04d}.png")
        run.key("ctrl+F12")
        run.quit()
        self.assertEqual(
            {read_image(file).shape for file in self.folder.glob("sequence-*.png")}, {(*SIZE[::-1], 3)}
        )

    def test_images_of_a_film_have_alpha(self):
        self.remember(sequenceFrames=2, video=False)
        run = self.start("--no-ui", "--animate", "--background", "transparent", "--lens", "box")
        file = self.saved(run, "sequence-0002.png", "ctrl+F12")
        run.quit()
        with Image.open(file) as image:
            self.assertEqual(image.mode, "RGBA")
            self.assertEqual(image.getchannel("A").getextrema(), (0, 255))

    @window.needs_ffmpeg
    def test_a_video_has_alpha_if_its_format_holds_it(self):
        for name, most in (("satdof-0001.mkv", 0), ("satdof-0001.mp4", 255)):
            self.remember(sequenceFrames=2, videoFormat=name[-3:])
            run = self.start("--no-ui", "--animate", "--background", "transparent", "--lens", "box")
            file = self.saved(run, name, "ctrl+F12")
            run.quit()
            frames = np.frombuffer(decoded(file, "rgba"), np.uint8).reshape(2, *SIZE[::-1], 4)
            self.assertEqual((frames[..., 3].min(), frames[..., 3].max()), (most, 255), name)

    def test_recording_without_ffmpeg_writes_images(self):
        self.remember(sequenceFrames=2)
        run = self.start("--no-ui", "--animate", environment={"PATH": str(self.folder)})
        self.saved(run, "sequence-0002.png", "ctrl+F12")
        self.assertEqual(sorted(path.name for path in self.folder.glob("satdof-*")), [])
        run.quit()

    def test_a_capture_of_another_size_divides_a_view_where_the_window_does(self):
        self.remember(windowSize=False, width=200, height=120)
        run = self.start("--view", "table-error", "--lens", "box")
        run.settled()
        file = self.saved(run)
        run.quit()
        columns = read_image(file).astype(float).mean(axis=(0, 2))
        self.assertEqual(columns.size, 200)
        middle = round(200 * 0.5 * (1 + PANELS_RIGHT / SIZE[0]))
        self.assertGreater(columns[:middle].min(), 4 * columns[middle:].max())

    def comes_back_after_captures(self, scene):
        self.remember(windowSize=False, width=200, height=40, sequenceFrames=1000, video=False)
        run = self.start("--no-ui", "--scene", scene, "--lens", "box")
        screen = run.settled()
        self.saved(run)
        run.changed_from(screen, 0.002)  # the notice
        until("the image again", lambda: np.array_equal(run.screenshot(), screen))
        self.saved(run, "sequence-0002.png", "ctrl+F12")
        run.key("ctrl+F12")
        time.sleep(NOTICE_S)
        until("the image after a recording", lambda: np.array_equal(run.screenshot(), screen))
        run.quit()
        for file in self.folder.glob("*.png"):
            self.assertEqual(read_image(file).shape[:2], (40, 200))

    def test_the_image_comes_back_after_a_capture_of_another_size(self):
        self.comes_back_after_captures("teapots")

    def test_a_photograph_comes_back_after_a_capture_of_another_size(self):
        self.comes_back_after_captures("image")

    def test_a_refused_capture_is_told_and_offers_another_folder(self):
        (self.folder / "blocked").touch()  # no folder, so that root cannot write there, too
        self.remember(folder="blocked/images")
        run = self.start("--no-ui", environment={"PATH": str(self.folder)})  # no dialog of the desktop
        before = run.settled()
        run.key("F12")
        until("an error", lambda: self.has_box(run.image()[:60, SIZE[0] - 200 :]))
        middle = np.s_[100:300, 100:400]
        until("a list of files", lambda: difference(run.image()[middle], before[middle]) > 0.5)
        self.saved(run, "satdof.png", "Return")
        run.key("Escape")
        run.settled()
        self.saved(run)
        run.quit()

    def test_the_list_of_the_window_asks_for_a_name(self):
        run = self.start("--no-ui", environment={"PATH": str(self.folder)})  # no dialog of the desktop
        run.settled()

        def save_as(*keys):
            before = run.screenshot()
            run.key("ctrl+s")
            run.changed_from(before, 0.1)
            run.key(*keys, "Return")

        save_as(*"red")
        self.written("red.png")
        save_as("ctrl+a", *["BackSpace"] * 4, *"ab", "period", *"jpg", "Home", "Delete")
        self.written("b.jpg")
        run.quit()

    def test_a_cancelled_capture_is_told_at_once(self):
        photo = np.random.default_rng(1).integers(0, 255, (1000, 1500, 3)).astype(np.uint8)
        Image.fromarray(photo).save(self.folder / "photo.png")
        Image.fromarray(np.tile(np.arange(150, dtype=np.uint8), (100, 1))).save(self.folder / "depth.png")
        run = self.start("--image", "photo.png", "--depth", "depth.png", "--adaptive")
        notice = np.s_[340 : SIZE[1], SIZE[0] - 150 : SIZE[0]]
        middle = np.s_[185:215, 330:600]
        before = run.settled()
        looks = []
        run.key("F12")
        until("the progress", lambda: difference(run.image()[middle], before[middle]) > 0.5)
        run.key("Escape")

        def cancelled():
            looks.append(run.image())
            return difference(looks[-1][notice], before[notice]) > 0.1

        until("the notice", cancelled)
        shows = [difference(look[middle], before[middle]) > 0.5 for look in looks]
        self.assertEqual(shows, [True] * (len(looks) - 1) + [False], "the notice ends the progress")
        run.settled()
        self.assertEqual(list(self.folder.glob("photo-*")), [])
        run.quit()

    def test_a_recording_without_a_free_name_is_told(self):
        self.remember(sequenceFrames=2, video=False)
        (self.folder / "sequence-999999999.png").touch()
        run = self.start("--no-ui")
        run.key("ctrl+F12")
        until("an error", lambda: self.has_box(run.image()[:60, SIZE[0] - 200 :]))
        run.quit()

    def test_files_after_frames(self):
        options = "--frames 5 --capture last.png --stats stats.json --fps 25 --animate --with-ui".split()
        self.assertEqual(self.launch(*options).wait(), (0, None))
        self.assertEqual(json.loads((self.folder / "stats.json").read_text())["frames"], 5)
        image = read_image(self.folder / "last.png")
        self.assertEqual(image.shape[1::-1], SIZE)
        self.assertLess(np.median(image[:, :PANELS_RIGHT]), 0.7 * np.median(image[:, PANELS_RIGHT:]))


if __name__ == "__main__":
    window.main()
