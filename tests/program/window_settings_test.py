#!/usr/bin/env python3
"""Settings, presets and undo that outlive the window; all ways in which the program ends.

usage: window_settings_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import shutil
import signal
import time

import numpy as np
import window
from PIL import Image
from tools.pfm import write_pfm
from window import (
    PANELS_RIGHT,
    PROGRAM,
    SIZE,
    difference,
    send_close,
    send_destroy,
    send_kill,
    sharpness,
    until,
)


class SettingsTest(window.DisplayTest):
    def sharpen(self, run):
        blurred = sharpness(run.image())
        run.key("2")
        until("the sharp image", lambda: sharpness(run.image()) > 1.3 * blurred)

    def test_close_and_remember(self):
        run = self.start("--view", "coc", "--no-ui", "--f-number", "2")
        before = run.settled()
        send_close(run.window)
        status, settings = run.wait()
        self.assertEqual(status, 0)
        self.assertEqual(settings["lens"]["fNumber"], 2)
        run.kill()
        run = self.start()
        until(
            "the image, after the hint that panels are hidden",
            lambda: np.array_equal(run.screenshot(), before),
        )
        self.assertEqual(run.quit(), settings)
        run.kill()
        run = self.start("--fresh")
        self.assertGreater(difference(run.settled(), before), 0.5)
        self.assertEqual(run.quit(), settings)

    def test_undo_redo_and_the_clipboard(self):
        run = self.start("--no-ui", "--view", "sharp")
        run.key("bracketright", "bracketright")
        time.sleep(1)
        run.key("3")
        run.key("ctrl+z", "ctrl+z")
        run.key("ctrl+shift+z")
        run.key("ctrl+c")
        time.sleep(0.5)
        run.key("Left", "t", "ctrl+v")
        settings = run.quit()
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.6, 4)
        self.assertEqual(settings["technique"]["table"]["format"], "uint32")
        self.assertEqual(settings["camera"]["yawDegrees"], 12)

    def test_signals_save_the_settings(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
            run = self.start("--fresh" if number == signal.SIGTERM else "--no-ui", "--f-number", "4")
            run.process.send_signal(number)
            status, settings = run.wait()
            self.assertEqual(status, -number)
            self.assertEqual(run.errors(), "")
            self.assertEqual(
                settings and settings["lens"]["fNumber"], None if number == signal.SIGTERM else 4
            )
            run.kill()
            (self.folder / "satdof/settings.json").unlink(missing_ok=True)

    def test_the_settings_outlive_the_display(self):
        def server_dies(_):
            server.terminate()
            server.wait()

        for end in [send_kill, send_destroy, server_dies]:
            with self.another_display() as (server, _):
                run = self.start("--no-ui", "--animate")
                run.key("bracketright")
                self.sharpen(run)
                end(run.window)
                status, settings = run.wait()
            self.assertEqual(status, 1)
            self.assertIn("the settings are saved", run.errors())
            self.assertEqual(settings["technique"]["view"], "sharp", end)
            self.assertEqual(settings["size"], f"{SIZE[0]}x{SIZE[1]}", end)
            run.kill()
            server.kill()
            server.wait()
            (self.folder / "satdof/settings.json").unlink()

    def test_settings_outlive_a_kill(self):
        # Settings are written while the image moves, but not for changes by time alone.
        run = self.start("--no-ui", "--animate")
        run.key("bracketright")
        self.until_set(run, "saved settings of a moving window", lambda s: s["lens"]["fNumber"] != 1.2)
        moved, stamp = run.screenshot(), (self.folder / "satdof/settings.json").stat().st_mtime_ns
        time.sleep(6)
        self.assertGreater(difference(run.screenshot(), moved), 0.01)
        self.assertEqual((self.folder / "satdof/settings.json").stat().st_mtime_ns, stamp, "nothing to save")
        # At rest.
        run.key("space", "2")
        self.until_set(run, "saved settings", lambda s: s["technique"]["view"] == "sharp")
        stamp = (self.folder / "satdof/settings.json").stat().st_mtime_ns
        run.xdotool("mousemove", 300, 200)
        time.sleep(2)
        self.assertEqual((self.folder / "satdof/settings.json").stat().st_mtime_ns, stamp, "nothing to save")
        f_number = run.settings()["lens"]["fNumber"]
        run.kill()
        # The next window takes the edits back.
        run = self.start("--no-ui")
        self.assertEqual(run.settings()["lens"]["fNumber"], f_number)
        run.key("ctrl+z", "ctrl+z", "ctrl+z")
        self.assertEqual(run.quit()["lens"]["fNumber"], 1.2)

    def test_an_idle_window_keeps_what_another_one_saves(self):
        idle, shot = self.start(), self.folder / "satdof/shot.json"
        until("saved settings", idle.settings)
        with self.another_display():
            run = self.start("--f-number", "4")
            run.key("F6", "k")
            until("a saved shot", shot.exists)
            saved = run.quit()
        idle.key("F1")
        idle.settled()
        self.assertEqual(idle.quit(), saved)
        self.assertTrue(shot.exists())

    def test_a_window_goes_on_when_nobody_reads_what_it_says(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/settings.json").write_text("{")
        self.start(program=("bash", "-c", 'exec "$0" "$@" 2> >(:)', PROGRAM)).quit()

    @window.needs_compiler
    def test_a_folder_that_does_not_answer_is_left_out(self):
        folder = self.folder / "silent"
        folder.mkdir()
        for name in ("a.png", "a_depth.png"):
            Image.new("L", (32, 18), 99).save(folder / name)
        run = self.start("--image", str(folder / "a.png"))
        self.assertEqual(run.quit()["scene"]["kind"], "image")
        run.kill()
        run = self.start(environment=window.silent_folders(self.folder))
        settings = run.quit("a.png: its folder does not answer")
        self.assertEqual(settings["scene"]["kind"], "teapots")

    def test_a_crash_is_told_at_the_next_start(self):
        run = self.start("--no-ui")
        run.key("2")
        self.until_set(run, "saved settings", lambda s: s["technique"]["view"] == "sharp")
        run.process.send_signal(signal.SIGSEGV)
        self.assertEqual(run.wait()[0], -signal.SIGSEGV)
        reports = list((self.folder / "state/satdof").glob("crash-*.txt"))
        if "AddressSanitizer" in run.errors():
            self.assertEqual(reports, [])
            return
        self.assertEqual(len(reports), 1)
        self.assertIn("(SIGSEGV)", reports[0].read_text())
        message = (slice(0, 60), slice(300, SIZE[0]))
        run = self.start("--no-ui")
        told = run.settled()
        self.assertIn(f"satdof crashed; the report {reports[0]} has no names", run.errors())
        run.key("Escape")
        until("no message", lambda: difference(run.screenshot()[message], told[message]) > 0.3)
        before = run.settled()
        self.assertEqual(run.quit("satdof crashed")["technique"]["view"], "sharp")
        run = self.start("--no-ui")
        until("the image alone", lambda: np.array_equal(run.screenshot(), before))
        run.quit()

    def test_own_presets_are_saved_and_chosen(self):
        self.remember(openSections={"Lens": False, "Settings and presets": True})
        run = self.start("--view", "coc", "--f-number", "4", "--no-vsync")
        fields = run.settled()[:, 145:290].min(axis=2) > 110
        self.assertTrue(fields[286:300].any() and fields[335:350].any(), "what the fields expect")
        for x, y in [(220, 342), (100, 366)]:  # the name, "Save preset"
            run.xdotool("mousemove", x, y, "sleep", 0.2, "click", 1, "sleep", 0.3)
            if y == 342:
                run.xdotool("type", "mine")
        preset = self.folder / "satdof/presets/mine.json"
        until("the preset", lambda: preset.exists() and preset.stat().st_size > 0)
        look = json.loads(preset.read_text())
        self.assertEqual(look["lens"]["fNumber"], 4)
        self.assertFalse({"size", "camera", "split", "quality"} & set(look))
        run.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20, "click", 1, "sleep", 0.3)
        run.key("1", "bracketright", "bracketright", "bracketright")
        shown = run.settled()

        def letters(screen):  # of the list of presets
            return np.sum(screen[30:45, 132:270].min(axis=2) > 150)

        changed = letters(shown)  # "mine, changed"
        run.xdotool("mousemove", 220, 37, "click", 1)
        run.changed_from(shown, 0.02)
        run.xdotool("mousemove", 200, 226, "sleep", 0.3, "click", 1)  # below the nine ready-made presets
        until(
            "the aperture of the preset",
            lambda: difference(run.image()[:, 330:], shown[: SIZE[1], 330 : SIZE[0]]) > 0.02,
        )
        run.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20)
        until("the name alone", lambda: letters(run.image()) < 0.6 * changed)
        run.key("bracketright")
        until("that it changed", lambda: letters(run.image()) > 0.8 * changed)
        run.key("bracketleft")
        until("the name alone again", lambda: letters(run.image()) < 0.6 * changed)
        # Saved again, it is replaced the second time.
        run.key("bracketright")
        for ask in (["mousemove", 100, 366, "sleep", 0.3, "click", 1], ["key", "Return"]):
            saved = preset.read_bytes()
            if "key" in ask:
                run.key("bracketright")
                run.xdotool("mousemove", 220, 342, "sleep", 0.2, "click", 1, "sleep", 0.3)
            run.xdotool(*ask)
            run.settled()
            self.assertEqual(preset.read_bytes(), saved)
            run.xdotool(*ask[-2:])
            until("another preset", lambda saved=saved: preset.read_bytes() not in (saved, b""))
        run.key("bracketleft", "bracketleft")
        run.xdotool("mousemove", 240, 366, "sleep", 0.2, "click", 1)  # "Delete preset"
        run.settled()
        self.assertTrue(preset.exists())
        run.xdotool("click", 1)  # "Delete for good"
        until("no preset", lambda: not preset.exists())
        settings = run.quit()
        self.assertEqual(settings["lens"]["fNumber"], 4)
        self.assertEqual(settings["technique"]["view"], "final")  # no part of a look

    def test_names_of_settings_files(self):
        self.remember(openSections={"Lens": False, "Settings and presets": True})
        run = self.start("--view", "coc", "--no-vsync")
        run.xdotool("mousemove", 220, 294, "sleep", 0.2, "click", 1, "sleep", 0.3, "type", "plain")  # "File"
        run.xdotool("sleep", 0.3, "mousemove", 155, 318, "sleep", 0.3, "click", 1)  # "Save"
        self.written("plain.json")
        run.xdotool("mousemove", 220, 342, "sleep", 0.2, "click", 1, "sleep", 0.3, "type", "a/b")  # a preset
        run.key("Return")
        run.xdotool("click", 1, "sleep", 0.3, "key", "End", "BackSpace", "BackSpace")
        run.xdotool("type", "c")
        run.key("Return")
        self.written("satdof/presets/ac.json")
        self.assertEqual([path.name for path in (self.folder / "satdof/presets").iterdir()], ["ac.json"])
        run.quit()

    def test_first_start_and_what_is_remembered(self):
        self.remember(hintSeen=False)
        # The animation rests until the image has converged, here never, or a key is pressed.
        run = self.start("--animate", "--adaptive", "--converge", "--lens-samples", "65536")
        saved = until("saved settings", run.settings, 50)
        self.assertEqual(saved["scene"]["timeS"], 0)
        run.key("space", "2")
        sharp = run.screenshot()
        until("an image that moves", lambda: difference(run.screenshot(), sharp) > 0.02)
        run.quit()
        self.assertTrue(run.settings()["scene"]["animate"])
        (self.folder / "satdof/settings.json").unlink()
        self.remember(hintSeen=False)
        run = self.start("--view", "sharp")
        with_hint = run.image()
        until("no hint", lambda: difference(run.image()[300:380, 340:], with_hint[300:380, 340:]) > 0.05)
        run.key("ctrl+shift+2")
        run.quit()
        remembered = self.preferences()
        self.assertTrue(remembered["hintSeen"])
        self.assertEqual(remembered["bookmarks"][1]["yawDegrees"], 12)

    def test_damaged_settings(self):
        (self.folder / "satdof").mkdir(exist_ok=True)
        (self.folder / "satdof/settings.json").write_text('{"lens": {"fNumber": "wide"}')
        run = self.start()
        self.assertEqual(run.errors().count("\n"), 1)
        self.assertAlmostEqual(run.quit("settings.json")["lens"]["fNumber"], 1.2, 4)

    def test_a_config_folder_that_cannot_be_used(self):
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        run = self.start(environment={"XDG_CONFIG_HOME": str(loop)})
        self.assertIn("settings.json", run.errors())
        run.quit("cannot save the settings")

    def test_settings_that_cannot_be_saved_are_told_once(self):
        config, message = self.folder / "satdof", np.s_[: window.MESSAGES, : SIZE[0]]
        run = self.start("--no-ui", "--view", "sharp")
        until("saved settings", run.settings)
        before = run.settled()[message]
        shutil.rmtree(config)
        config.write_text("")
        run.key("bracketright")
        until("a message", lambda: difference(run.screenshot()[message], before) > 0.3)
        run.key("Escape", "bracketright")
        run.xdotool("sleep", 8)
        self.assertLess(difference(run.screenshot()[message], before), 0.3)
        self.assertEqual(run.errors().count("cannot save the settings"), 1)
        config.unlink()
        self.assertEqual(run.quit("cannot save the settings")["technique"]["view"], "sharp")

    def test_a_config_folder_that_vanishes_is_written_again(self):
        config = self.folder / "satdof"
        run = self.start("--no-ui")
        run.key("F6", "k")
        until("a saved shot", (config / "shot.json").exists)
        run.settled()
        names, shot = sorted(path.name for path in config.iterdir()), (config / "shot.json").read_bytes()
        shutil.rmtree(config)
        run.quit()
        self.assertEqual(sorted(path.name for path in config.iterdir()), names)
        self.assertEqual((config / "shot.json").read_bytes(), shot)

    def test_a_chosen_scene_has_its_own_camera(self):
        self.remember(openSections={"Lens": False, "Scene": True})
        run = self.start("--view", "sharp", "--yaw", "40")
        visible = np.s_[: SIZE[1], PANELS_RIGHT : SIZE[0]]
        teapots = run.settled()[visible]

        def choose(entry):
            run.xdotool("mousemove", 220, 174, "sleep", 0.2)
            below = np.s_[190:260, 130:300]
            closed = run.settled()[below]
            run.xdotool("click", 1)
            until("the list of scenes", lambda: difference(run.image()[below], closed) > 0.1)
            run.xdotool("mousemove", 160, entry, "sleep", 0.2, "click", 1)

        choose(254)  # "model"
        until("the model", lambda: difference(run.image()[:, PANELS_RIGHT:], teapots) > 0.5)
        time.sleep(1)  # until its file is framed
        run.settled()
        choose(199)  # "teapots"
        until("the teapots as before", lambda: difference(run.image()[:, PANELS_RIGHT:], teapots) < 0.01)
        run.key("ctrl+z")
        until("the model again", lambda: difference(run.image()[:, PANELS_RIGHT:], teapots) > 0.5)
        settings = run.quit()
        self.assertEqual(settings["scene"]["kind"], "model")
        self.assertFalse(settings["scene"]["frame"])
        self.assertNotEqual(settings["camera"]["yawDegrees"], 40)

    def test_a_scene_of_the_command_line_has_its_own_camera(self):
        def left(*arguments):
            run = self.start("--view", "sharp", *arguments)
            until("the scene", lambda: run.settled()[50:150, PANELS_RIGHT:].std() > 1)
            if "--image" in arguments:
                until("its file is framed", lambda: framed(run.settings(), arguments))
            return run.quit()

        def framed(settings, arguments):
            scene = (settings or {"scene": {"frame": True}})["scene"]
            return not scene["frame"] and scene["image"]["file"] in arguments

        def photograph(name, metres):
            noise = np.random.default_rng(3).integers(0, 256, (300, 480, 3), np.uint8)
            Image.fromarray(noise).save(self.folder / f"{name}.png")
            write_pfm(self.folder / f"{name}.pfm", np.full((300, 480), metres))
            return ("--image", f"{self.folder}/{name}.png", "--depth", f"{self.folder}/{name}.pfm")

        near, far = photograph("near", 1.5), photograph("far", 6)
        teapots = left("--scene", "teapots", "--yaw", "40", "--focus", "3.5")
        self.assertEqual(left(*near, "--focus", "2.25")["lens"]["focusDistanceM"], 2.25)
        again = left("--scene", "teapots")
        self.assertEqual(again["camera"], teapots["camera"])
        self.assertEqual(again["lens"], teapots["lens"])
        self.assertEqual(left(*near)["lens"]["focusDistanceM"], 2.25)
        self.assertAlmostEqual(left(*far)["lens"]["focusDistanceM"], 6, 2)

    def test_a_file_that_failed_is_not_remembered(self):
        def without_file(*arguments):
            run = self.start("--view", "coc", "--no-ui", *arguments)
            told = (slice(20, 40), slice(SIZE[0] - 200, SIZE[0] - 20))

            def has_error():  # text in the colour of errors on a dark box
                shown = run.image()[told]
                return np.mean(shown.max(axis=2) < 25) > 0.5 and self.has_box(shown)

            until("the error", has_error)
            run.key("Escape")
            until("no error", lambda: not has_error())
            return run.quit()

        bad = self.folder / "bad.glb"
        bad.write_text("no model")
        photograph = self.folder / "photograph.png"
        photograph.write_text("no image")
        for arguments in ("--model", bad), ("--image", photograph):
            settings = without_file(*map(str, arguments))
            self.assertEqual(settings["scene"]["kind"], "teapots")
            self.assertEqual(settings["scene"]["model"]["file"], "")
            self.assertEqual(settings["scene"]["image"]["file"], "")


if __name__ == "__main__":
    window.main()
