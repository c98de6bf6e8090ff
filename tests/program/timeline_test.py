#!/usr/bin/env python3
"""A shot in the window: played, scrubbed, edited by mouse and keys, undone, saved, filmed.

usage: timeline_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import subprocess

import numpy as np
import window
from moving_model import moving_triangle
from PIL import Image
from surroundings import saved_settings, shot_text
from tools.pfm import write_pfm
from window import SIZE, difference, read_image, until

RATE = 4.0
ROWS = (337, 357)  # of the focus and of the f-number
RULER, TIME_LEFT, TIME_RIGHT, LAST_S = 316, 140, 599, 4.0


class TimelineTest(window.DisplayTest):
    def remember(self, **capture):
        super().remember(capture={"framesPerSecond": RATE, "video": False, **capture})

    def begin(self, *arguments, capture=None, **tracks):
        self.remember(**(capture or {}))
        (self.folder / "pull.json").write_text(shot_text(**tracks))
        return self.start("--shot", "pull.json", *arguments)

    def kept(self):
        """The keys in the saved shot: {field: [(time, value)]}."""
        file = self.folder / "satdof/shot.json"
        tracks = json.loads(file.read_text())["tracks"] if file.exists() else []
        return {track["field"]: [(key["time"], key["value"]) for key in track["keys"]] for track in tracks}

    def until_kept(self, what, holds):
        until(what, lambda: holds(self.kept()))

    def run_program(self, *arguments):
        command = [window.PROGRAM, *arguments]
        subprocess.run(command, cwd=self.folder, stdout=subprocess.DEVNULL, check=True)

    def x(self, time_s):
        return round(TIME_LEFT + (TIME_RIGHT - TIME_LEFT) * time_s / LAST_S)

    def click(self, run, x, y):
        run.xdotool("mousemove", x, y, "sleep", 0.2, "mousedown", 1, "sleep", 0.2, "mouseup", 1, "sleep", 0.2)

    def test_a_shot_is_played_and_edited(self):
        focus, stops = "lens.focusDistanceM", "lens.fNumber"
        opened = {focus: [(1, 1.25), (2.5, 3)], stops: [(0, 2), (4, 8)]}
        run = self.begin(
            *("--view", "sharp"), lens_focusDistanceM=opened[focus], lens_fNumber=[(0, 2), (4, 8, "linear")]
        )
        # The playhead: by a key, and dragged along the ruler to a frame.
        run.key("End")
        run.drag((self.x(4), RULER), (self.x(1) + 8, RULER))
        self.until_set(
            run,
            "the first key of the focus",
            lambda s: s["lens"]["focusDistanceM"] == 1.25 and s["lens"]["fNumber"] > 2,
        )
        # A key is dragged to a frame, and copied with Ctrl.
        run.key("ctrl+Right")
        run.drag((self.x(2.5), ROWS[0]), (self.x(3) - 7, ROWS[0]))
        run.drag((self.x(3), ROWS[0]), (self.x(3.5), ROWS[0]), modifier="ctrl")
        self.until_kept("a copy", lambda keys: keys.get(focus) == [(1, 1.25), (3, 3), (3.5, 3)])
        # The copy is selected. The diamond beside the aperture's slider sets a key at the playhead.
        run.key("Delete")
        diamond = (305, 174)
        self.click(run, *diamond)
        self.until_kept("a key by the diamond", lambda keys: [key[0] for key in keys[stops]] == [0, 1.25, 4])
        self.assertEqual(self.kept()[focus], [(1, 1.25), (3, 3)])
        # It removes the key, too. The line below the rows has the value of a selected key.
        self.click(run, *diamond)
        self.click(run, self.x(4), ROWS[1])
        self.click(run, 200, 381)
        run.key("k")
        self.until_kept("keys of the camera", lambda keys: len(keys) == 10 and keys[stops][2][1] != 8)
        self.assertEqual([key[0] for key in self.kept()[stops]], [0, 1.25, 4])
        # Each edit is a step of undo: the keys, the value, the diamond twice, a deletion, a copy, a drag.
        run.key(*["ctrl+z"] * 7)
        self.until_kept("the opened shot", lambda keys: keys == opened)
        # The grips of all keys scale their times. A key is dragged along its curve.
        run.key("ctrl+a")
        run.drag((self.x(4), RULER + 5), (self.x(2), RULER + 5))
        self.until_kept("scaled times", lambda keys: [key[0] for key in keys[focus]] == [0.5, 1.25])
        run.key("ctrl+z", "ctrl+a")
        self.click(run, 182, 288)
        run.drag((self.x(2.5), 243), (self.x(2.5), 300))
        self.until_kept("a lower value", lambda keys: 1.25 < keys[focus][1][1] < 2.9)
        self.assertEqual([key[0] for key in self.kept()[focus]], [1, 2.5], "its time stays")
        run.key("ctrl+z")
        self.click(run, self.x(2.5), 243)
        run.drag((self.x(2.5), 243), (self.x(3), 290))
        self.until_kept(
            "another time and value", lambda keys: keys[focus][1][0] == 3 and 1.25 < keys[focus][1][1] < 2.9
        )
        run.key("ctrl+z")
        run.drag((self.x(2.5), 243), (self.x(3), 253), modifier="shift")
        self.until_kept("another time alone", lambda keys: keys[focus] == [(1, 1.25), (3, 3)])
        self.click(run, 182, 188)
        run.key("ctrl+z")
        self.until_kept("the opened shot again", lambda keys: keys == opened)
        # A click on one of several selected keys selects it alone.
        run.key("ctrl+a")
        self.click(run, self.x(2.5), ROWS[0])
        run.key("Delete")
        self.until_kept("a key less", lambda keys: keys == {focus: opened[focus][:1], stops: opened[stops]})
        run.key("ctrl+z")
        self.until_kept("no key less", lambda keys: keys == opened)
        # A rack focus ends at the surface that is clicked. With the red dot, edits set keys.
        self.click(run, 499, 288)  # Shots
        self.click(run, 320, 128)  # Rack focus
        self.click(run, 500, 140)  # a teapot
        self.until_kept("a rack focus", lambda keys: len(keys[focus]) == 3)
        (_, _), (from_s, from_m), (to_s, to_m) = self.kept()[focus]
        self.assertEqual(to_s - from_s, 4)
        self.assertNotEqual(from_m, to_m)
        self.click(run, 154, 288)
        run.key("bracketright", "ctrl+s")
        self.until_kept("a recorded edit", lambda keys: len(keys[stops]) == 3)
        self.assertEqual(
            (self.folder / "pull.json").read_text(), (self.folder / "satdof/shot.json").read_text()
        )
        # Space plays and pauses, whatever the machine can draw.
        kept, paused = self.kept(), run.settled()
        run.key("space")
        until("the play", lambda: difference(run.screenshot(), paused) > 0.001)
        run.key("space", "F6")
        until("no timeline", lambda: difference(run.image()[300:380, :300], paused[300:380, :300]) > 0.3)
        # The focus ring stores the focus and pulls it there.
        run.key("d")
        self.click(run, 357, 33)
        mark = until("a mark", lambda: self.preferences()["focusMarks"][0])
        run.xdotool("mousemove", 500, 300, "click", 4, "sleep", 0.3)
        self.until_set(run, "another focus", lambda s: abs(s["lens"]["focusDistanceM"] - mark) > 1e-3)
        run.key("1")
        self.until_set(run, "a pull", lambda s: abs(s["lens"]["focusDistanceM"] - mark) < 1e-4)
        run.quit()
        self.assertEqual(self.kept(), kept)

    def test_the_keyboard_reaches_all_of_the_timeline(self):
        focus, stops = "lens.focusDistanceM", "lens.fNumber"
        opened = {focus: [(1, 1.25), (2.5, 3)], stops: [(0, 2), (4, 8)]}
        run = self.begin(
            *("--view", "sharp"), lens_focusDistanceM=opened[focus], lens_fNumber=[(0, 2, "linear"), (4, 8)]
        )

        def press(*keys):
            run.key(*keys)
            run.settled()

        # With curves, Space at a row selects its next key, and arrows move it.
        run.settled()
        press("ctrl+Tab")
        press(*["Right"] * 6, "space")
        press("Tab", "Tab", "space")
        run.key("Up", "Right")
        self.until_kept("a later key", lambda keys: keys[focus][0][0] == 1.25 and keys[focus][0][1] > 1.25)
        press("Left", "Down", "space")
        run.key("Down")
        self.until_kept("a lower key", lambda keys: keys[focus][0][0] == 1 and keys[focus][1][1] < 2.9)
        self.assertAlmostEqual(self.kept()[focus][0][1], 1.25, 4)
        self.assertEqual(self.kept()[stops], opened[stops])
        run.key(*["ctrl+z"] * 5)
        self.until_kept("the opened shot", lambda keys: keys == opened)
        # The ruler, then the lane of the focus.
        press(*["shift+Tab"] * 2, *["Left"] * 12, *["Right"] * 6, "space")
        run.key("Tab", "Right", "Right")
        self.until_set(run, "the frame at 0.5 s", lambda s: 2 < s["lens"]["fNumber"] < 3)
        stop = run.settings()["lens"]["fNumber"]
        run.key("ctrl+Right")
        self.until_set(run, "a frame on", lambda s: s["lens"]["fNumber"] > stop)
        press("Tab", "space")
        run.key("Right", "Right", "Left")
        self.until_kept("a later key", lambda keys: keys[focus] == [(1.25, 1.25), (2.5, 3)])
        # The time of the selected key, in the line below.
        run.key("Tab", "Tab", "Left", "space", "Left", "Left", "space")
        self.until_kept("an earlier key", lambda keys: keys[focus] == [(0.75, 1.25), (2.5, 3)])
        # The handles of a bezier, in its list.
        press("Right", "Right", "space")
        press("Down", "Down", "Down", "space")
        press("Down", "Down")
        run.key("space", "Right", "Right")
        first = lambda: json.loads((self.folder / "satdof/shot.json").read_text())["tracks"][0]["keys"][0]
        until("a handle", lambda: first().get("handles", [0])[0] == 0.35)
        press("Escape")
        run.key("ctrl+a", "ctrl+shift+Left", "ctrl+shift+Left")
        self.until_kept("scaled times", lambda keys: [key[0] for key in keys[stops]] == [0, 3.5])
        self.assertEqual([key[0] for key in self.kept()[focus]], [0.75 * 3.5 / 4, 2.5 * 3.5 / 4])
        # The barrel of the focus ring.
        press("F6", "d")
        before = run.settings()["lens"]["focusDistanceM"]
        press("ctrl+Tab")
        run.key("Tab", "Right")
        self.until_set(run, "a farther focus", lambda s: s["lens"]["focusDistanceM"] > before)
        farther = run.settings()["lens"]["focusDistanceM"]
        run.key("shift+Left")
        self.until_set(run, "a finer step", lambda s: before < s["lens"]["focusDistanceM"] < farther)
        run.quit()

    def test_the_keyboard_selects_keys_and_leaves_the_timeline(self):
        focus, stops = "lens.focusDistanceM", "lens.fNumber"
        opened = {focus: [(1, 1.25), (2.5, 3), (3, 2)], stops: [(0, 2), (4, 8)]}
        run = self.begin("--view", "sharp", lens_focusDistanceM=opened[focus], lens_fNumber=opened[stops])

        def press(*keys):
            for key in keys:
                run.key(key)
                run.settled()

        run.settled()
        press("ctrl+Tab", "Tab", "Tab", "space", "shift+Right")
        run.key("Right")
        self.until_kept("two later keys", lambda keys: [key[0] for key in keys[focus]] == [1.25, 2.75, 3])
        run.key("ctrl+z", "ctrl+a", "Delete")
        self.until_kept("the keys of the other row", lambda keys: keys == {stops: opened[stops]})
        run.key("ctrl+z")
        press("Page_Down")
        self.until_set(run, "the first key", lambda s: s["lens"]["focusDistanceM"] == 1.25)
        press("End")
        self.until_set(run, "the end", lambda s: s["lens"]["fNumber"] == 8)
        # After the last row, the header of section Lens, its first slider and the diamond beside it.
        press("Tab", "Tab", "Tab", "Right")
        run.key("space")
        self.until_kept("a key of the diamond", lambda keys: keys[focus][3:] == [(4, 2)])
        # The help of the keys leaves the timeline free.
        run.key("Escape", "F1")
        run.settled()
        self.click(run, self.x(1), RULER)
        self.until_set(run, "the playhead", lambda s: s["lens"]["focusDistanceM"] == 1.25)
        run.quit()

    def test_a_film_of_the_shot(self):
        run = self.begin(
            "--view",
            "sharp",
            present_exposureStops=[(0, 0, "linear"), (0.75, -3)],
            capture={"shutterAngle": 360, "shutterSamples": 2},
            camera_yawDegrees=[(0, 0, "linear"), (0.75, 90)],
        )
        edge = run.settled()[275:400, SIZE[0] - 8 : SIZE[0]]
        self.assertLess(np.ptp(edge.astype(int), axis=1).max(), 60, "no text and no button at the edge")
        # The help of the ruler leaves the keys visible.
        still = run.settled()
        run.xdotool("mousemove", self.x(2), RULER)
        until("the help", lambda: difference(run.screenshot()[200:280], still[200:280]) > 0.05)
        self.assertEqual(difference(run.screenshot()[330:400], still[330:400]), 0)
        self.click(run, 577, 288)  # Film
        run.settled()
        self.click(run, 457, 248)  # Render
        for number in (1, 2, 3):
            self.written(f"sequence-{number:04}.png")
        run.settled()
        self.assertEqual(len(list(self.folder.glob("sequence-*"))), 3, "frames at 0, 0.25 and 0.5 s")
        with Image.open(self.folder / "sequence-0001.png") as image:
            self.assertRegex(
                image.text["Shutter"], "^360 degrees, 2 images, 4 frames a second, shot [0-9a-f]{32}$"
            )
        camera = saved_settings(self.folder / "sequence-0001.png")["camera"]
        self.assertEqual(camera["shiftX"], 0, "the middle of the film, not of the image beside the panels")
        light = [read_image(self.folder / f"sequence-{number:04}.png").mean() for number in (1, 2, 3)]
        self.assertGreater(light[0], light[1] + 5)
        self.assertGreater(light[1], light[2] + 5)
        # The same film again draws what is missing, another one takes other names.
        files = [self.folder / f"sequence-{number:04}.png" for number in (1, 2, 3)]
        bytes_, written = [file.read_bytes() for file in files], [file.stat().st_mtime_ns for file in files]
        files[1].unlink()
        self.saved(run, "sequence-0002.png", "ctrl+F12")
        run.settled()
        self.assertEqual([file.read_bytes() for file in files], bytes_)
        self.assertEqual([file.stat().st_mtime_ns for file in files[::2]], written[::2])
        run.key("bracketright")
        self.saved(run, "sequence-2-0003.png", "ctrl+F12")
        run.settled()
        self.assertEqual(len(list(self.folder.glob("sequence-*"))), 6)
        # A frame beside the panels shows all that is filmed, the whole window without them.
        film = Image.fromarray(read_image(self.saved(run)))
        left, top, right, bottom = 327, 40, 633, 231
        middle = np.s_[20:150, 10:-10]  # without the line and its text
        framed = run.settled()[top:bottom, left:right][middle].astype(int)
        small = film.resize((right - left, bottom - top), Image.BOX)
        self.assertLess(np.abs(framed - np.asarray(small)[middle]).mean(), 4)
        run.key("F2")
        above = np.s_[:300, : SIZE[0]]  # a notice
        self.assertLess(difference(run.settled()[above], np.asarray(film)[above]), 0.01)
        settings = run.quit()
        self.assertEqual(settings["present"]["exposureStops"], 0, "the playhead is where it was")
        self.assertEqual(settings["camera"]["shiftX"], 0)

    def test_a_film_has_the_bytes_of_a_headless_one(self):
        autofocus = "--autofocus --autofocus-on point --autofocus-x 0.7 --autofocus-y 0.4".split()
        tracks = {
            "camera_yawDegrees": [(0, 0, "linear"), (0.5, 90)],
            "lens_fNumber": [(0, 1.4), (0.5, 4)],
            "lens_highlightThreshold": [(0, 1), (0.25, 2)],
        }
        shutter = {"shutterAngle": 180, "shutterSamples": 2}
        run = self.begin("--adaptive", "--animate", *autofocus, capture=shutter, **tracks)
        run.settled()
        self.saved(run, "sequence-0002.png", "ctrl+F12")
        run.quit()
        options = ["--shot", "pull.json", *autofocus, "--size", f"{SIZE[0]}x{SIZE[1]}"]
        options += "--teapots 3 --samples 1 --no-converge --fps 4 --bit-depth 8 --sequence".split()

        def frames(name, *more):
            self.run_program(*options, name + ".png", *more)
            return [(self.folder / f"{name}-000{number}.png").read_bytes() for number in (1, 2)]

        film = [(self.folder / f"sequence-000{number}.png").read_bytes() for number in (1, 2)]
        blur = "--shutter-angle 180 --shutter-samples 2".split()
        self.assertEqual(frames("blurred", "--headless", *blur), film)
        self.assertEqual(frames("headless", "--headless"), frames("shown", "--fresh", "--frames", "2"))

    def test_the_camera_of_a_model_is_played_and_filmed(self):
        self.remember()
        model = moving_triangle(self.folder / "moving.gltf", camera=True)
        run = self.start("--model", model, "--environment", "studio", "--lens", "box", "--animate")
        run.key("F6")
        run.settled()
        self.click(run, 499, 288)  # Shots
        run.settled()
        run.key("Escape")  # closes the list alone
        run.settled()
        self.click(run, 499, 288)
        self.click(run, 388, 224)  # Camera of the model
        shot = self.folder / "satdof/shot.json"
        until("a camera", lambda: shot.exists() and json.loads(shot.read_text()).get("camera"))
        self.assertEqual([json.loads(shot.read_text())["camera"][i]["time"] for i in (0, -1)], [0, 1])
        still = run.settled()
        run.key("space")
        until("the play", lambda: difference(run.screenshot(), still) > 0.001)
        run.key("space", "Home", "ctrl+F12")
        files = [self.folder / f"sequence-000{number}.png" for number in range(1, 5)]
        self.written(files[-1].name)
        cameras = [saved_settings(file)["camera"] for file in files]
        np.testing.assert_allclose([camera["targetXM"] for camera in cameras], [0, 1, 2, 3], atol=1e-2)
        run.quit()

    def test_a_tracked_focus_goes_from_object_to_object(self):
        speed, tracked = 0.5, "lens.trackedObject"
        self.remember()
        run = self.start(*f"--lens box --autofocus --autofocus-on tracked --autofocus-speed {speed}".split())
        run.key("F6")
        run.settled()
        self.click(run, 500, 140)  # a teapot
        self.until_set(run, "a teapot", lambda s: s["lens"]["trackedObject"] > 1)
        self.click(run, 305, 198)  # the diamond of the point
        self.until_kept("a key", lambda keys: len(keys.get(tracked, [])) == 1)
        run.settled()
        self.click(run, 154, 288)  # the red dot
        self.click(run, self.x(2), RULER)
        self.click(run, 433, 120)  # another teapot
        self.until_kept("a key of the click", lambda keys: len(keys[tracked]) == 2)
        (_, first), (second_s, second) = self.kept()[tracked]
        self.assertGreater(second, 1)
        self.assertNotEqual(first, second)
        self.assertEqual({len(keys) for keys in self.kept().values()}, {2}, "the object and the place on it")
        run.key("ctrl+Right", *["ctrl+Right"] * 5)
        self.click(run, 305, 198)
        run.key("ctrl+F12")
        frames = round(RATE * second_s) + 6
        files = [self.folder / f"sequence-{number:04}.png" for number in range(1, frames + 1)]
        self.written(files[-1].name)
        lenses = [saved_settings(file)["lens"] for file in files]
        steps = np.abs(np.diff([1 / lens["focusDistanceM"] for lens in lenses]))
        pull = round(RATE * second_s) - 1
        np.testing.assert_allclose(steps[:pull], 0, atol=1e-6)
        self.assertAlmostEqual(steps[pull], speed / RATE, 4)
        self.assertLess(steps.max(), 1.001 * speed / RATE)
        run.quit()

    def test_the_autofocus_of_a_film_keeps_its_speed(self):
        autofocus = "--lens box --breathing 2 --autofocus --autofocus-on point --autofocus-speed 0.2".split()
        autofocus += "--autofocus-x 0.7 --autofocus-y 0.4".split()

        def expect_speed(files):
            diopters = [1 / saved_settings(file)["lens"]["focusDistanceM"] for file in files]
            steps = np.abs(np.diff(diopters))
            self.assertLess(steps.max(), 1.001 * 0.2 / RATE)
            self.assertGreater(steps.max(), 0.999 * 0.2 / RATE, "the distance jumps")

        run = self.begin(*autofocus, camera_yawDegrees=[(0, 0, "linear"), (2, 120)])
        run.settled()
        files = [self.folder / f"sequence-000{number}.png" for number in range(1, 9)]
        self.saved(run, files[-1].name, "ctrl+F12")
        whole = [file.read_bytes() for file in files]
        expect_speed(files)
        # A frame that is missing, and a film of the last frames alone.
        files[5].unlink()
        self.saved(run, files[5].name, "ctrl+F12")
        self.assertEqual(files[5].read_bytes(), whole[5])
        run.settled()
        for file in files:
            file.unlink()
        run.key("End", "ctrl+Left", "ctrl+Left", "ctrl+Home", "ctrl+F12")
        self.written(files[-1].name)
        self.assertEqual([file.read_bytes() for file in files[6:]], whole[6:])
        self.assertFalse(files[5].exists())
        run.quit()
        # A window that ends after its frames.
        frames = ["--fps", str(RATE), "--frames", "8", "--sequence", "frames.png"]
        self.start("--shot", "pull.json", *autofocus, *frames).wait()
        expect_speed(sorted(self.folder.glob("frames-*.png")))

    def film_of_images(self):
        """Writes a film of six frames with depths from 1 m to 3.5 m. Returns the options that show it."""
        random = np.random.default_rng(2)
        for number in range(1, 7):
            Image.fromarray(random.integers(0, 255, (40, 64), np.uint8)).save(self.folder / f"f{number}.png")
            write_pfm(self.folder / f"d{number}.pfm", np.full((40, 64), 0.5 + 0.5 * number))
        return "--image f%d.png --depth d%d.pfm --depth-means metres --lens box --autofocus".split()

    def test_the_autofocus_follows_the_frames_of_a_film_at_rest(self):
        self.remember()
        run = self.start(*self.film_of_images())
        for distance_m in (1.5, 2, 2.5):
            run.settled()
            run.key("ctrl+Right")
            near = lambda s, m=distance_m: abs(s["lens"]["focusDistanceM"] - m) < 0.03
            self.until_set(run, "its distance", near)
        run.quit()

    def test_a_tracked_film_has_the_bytes_of_a_headless_one(self):
        texture = np.random.default_rng(3).integers(0, 255, (100, 180), np.uint8)
        metres = np.tile(np.linspace(1, 4, 160, dtype="<f4"), (100, 1))
        for number in range(1, 7):
            Image.fromarray(texture[:, 20 - 3 * number :][:, :160]).save(self.folder / f"f{number}.png")
            (self.folder / f"d{number}.pfm").write_bytes(b"Pf\n160 100\n-1\n" + metres.tobytes())
        film = "--image f%d.png --depth d%d.pfm --depth-means metres --lens box".split()
        film += "--autofocus --autofocus-on tracked --autofocus-speed 9".split()
        self.remember()
        run = self.start("--adaptive", *film)
        run.settled()
        run.key("ctrl+Right", "ctrl+Right")
        run.settled()
        self.click(run, 450, 140)
        self.until_set(run, "the point", lambda s: s["lens"]["trackedObject"] == 3)
        lens = run.settings()["lens"]
        names = [f"-000{number}.png" for number in range(1, 7)]
        self.saved(run, "sequence" + names[-1], "ctrl+F12")
        run.quit()
        point = [("object", 3), ("x", lens["trackedX"]), ("y", lens["trackedY"])]
        options = [word for name, value in point for word in ("--tracked-" + name, str(value))]
        options += f"--teapots 3 --samples 1 --no-converge --no-animate --fps {RATE} --bit-depth 8 --sequence headless.png".split()
        self.run_program("--headless", *film, *options)
        lenses = [saved_settings(self.folder / ("sequence" + name))["lens"] for name in names]
        places = [lens["autofocusX"] for lens in lenses]
        np.testing.assert_allclose(np.diff(places), [0, 0, *[3 / 160] * 3], atol=0.01)
        for name in names:
            film, headless = (saved_settings(self.folder / (run + name)) for run in ("sequence", "headless"))
            self.assertEqual(film, headless)
            film, headless = ((self.folder / (run + name)).read_bytes() for run in ("sequence", "headless"))
            self.assertEqual(film, headless)

    def test_a_damaged_frame_ends_a_film_and_not_the_window(self):
        self.remember()
        run = self.start(*self.film_of_images())
        run.settled()
        (self.folder / "f2.png").write_bytes(b"damaged")
        run.key("End", "ctrl+Left", "ctrl+Home")
        corner = np.s_[: window.MESSAGES, window.PANELS_RIGHT : SIZE[0]]
        self.assertFalse(self.has_box(run.settled()[corner]))
        run.key("ctrl+F12")
        until("the error", lambda: self.has_box(run.image()[corner]))
        run.quit()
        self.assertFalse(list(self.folder.glob("sequence-*")))

    def test_the_autofocus_of_a_film_of_images_becomes_keys(self):
        self.remember()
        film = [*self.film_of_images(), "--autofocus-speed", "1"]
        run = self.start(*film)
        run.settled()
        run.key("End", "ctrl+Left")
        run.settled()
        self.click(run, 499, 288)  # Shots
        self.click(run, 388, 200)  # Keys of the autofocus
        self.until_kept("keys", lambda keys: keys.get("lens.focusDistanceM"))
        times, values = zip(*self.kept()["lens.focusDistanceM"])
        self.assertFalse(run.quit()["lens"]["autofocus"])
        self.run_program("--headless", *film, "--fps", str(RATE), "--sequence", "frame.png")
        files = sorted(self.folder.glob("frame-*.png"))
        self.assertEqual(len(files), 6)
        focus = [1 / saved_settings(file)["lens"]["focusDistanceM"] for file in files]
        keys = np.interp(np.arange(6) / RATE, times, 1 / np.array(values))
        np.testing.assert_allclose(keys, focus, atol=0.0021)
        self.assertLess(focus[-1], 0.5 * focus[0])


if __name__ == "__main__":
    window.main()
