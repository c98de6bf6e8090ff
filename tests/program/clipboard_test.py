#!/usr/bin/env python3
"""The window beside owners of the clipboard that answer in every way, or not at all.

usage: clipboard_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import os
import shutil
import signal
import time

import window
from tools.selection_owner import Owner, latin1_only, no_text, pieces, silent, stalls_between_pieces, text
from window import until
from Xlib.Xatom import ATOM

SETTINGS = json.dumps({"lens": {"fNumber": 5.6}}).encode()


class Clipboard(window.DisplayTest):
    def own(self, answer, **keywords):
        owner = Owner(answer, **keywords)
        self.addCleanup(lambda: owner.ended or owner.close())
        return owner

    def paste_from(self, answer):
        owner = self.own(answer)
        run = self.start("--no-ui")
        run.key("ctrl+v")
        self.until_set(run, "settings", lambda s: s["lens"]["fNumber"] == 5.6)
        run.quit()
        run.kill()
        owner.close()
        (self.folder / "satdof/settings.json").unlink()

    def test_settings_of_every_owner_that_answers(self):
        for answer in (
            text(SETTINGS),
            latin1_only(SETTINGS),
            pieces(SETTINGS),
            text(b"satdof --f-number 5.6"),
        ):
            self.paste_from(answer)

    def refuse_from(self, answer):
        """Pastes and captures. Returns whether the capture was there before the message that nothing could be pasted."""
        owner = self.own(answer)
        run = self.start("--no-ui")
        message = (slice(0, 60), slice(300, 640))
        before = run.settled()[message]
        captures = [self.folder / f"satdof-000{number}.png" for number in (1, 2)]

        def is_told():
            return window.difference(run.image()[message], before) > 0.3

        run.key("F12")
        until("a capture", captures[0].exists)
        run.key("ctrl+v")
        until("a request", lambda: owner.requests > 0)
        run.key("2", "F12")
        until("a capture or a message", lambda: captures[1].exists() or is_told())
        captured_first = captures[1].exists() and not is_told()
        until("a capture", captures[1].exists)
        until("a message", is_told)
        self.assertEqual(run.quit()["technique"]["view"], "sharp")
        run.kill()
        owner.close()
        for file in (*captures, self.folder / "satdof/settings.json"):
            file.unlink()
        return captured_first

    def test_an_owner_that_hangs_stops_nothing(self):
        for answer in (silent, stalls_between_pieces, pieces(SETTINGS, end=False, pause_s=0.05)):
            # On a busy machine, a capture may take longer than the program's patience.
            captured_first = any(self.refuse_from(answer) for _ in range(6))
            self.assertTrue(captured_first, "the capture did not wait")

    def test_texts_without_settings_are_refused(self):
        large = b"x" * 150000
        for answer in (text(large), pieces(large), no_text):
            self.refuse_from(answer)

    def test_a_text_field_takes_the_clipboard(self):
        self.own(text(b"5.6"))
        run = self.start()
        run.settled()
        run.xdotool("keydown", "ctrl", "mousemove", 220, 174, "click", 1, "keyup", "ctrl", "sleep", 0.5)
        run.key("ctrl+a", "ctrl+v")
        time.sleep(1)
        run.key("Return")
        time.sleep(0.5)
        self.assertAlmostEqual(run.quit()["lens"]["fNumber"], 5.6, 3)

    def test_a_pasted_command_line_opens_its_film_in_the_background(self):
        self.script("ffmpeg", "exec sleep 900\n")
        film = self.folder / "film.mp4"
        film.write_bytes(bytes(99))
        self.own(text(f"satdof --headless --image {film} --f-number 5.6 --video o.mp4".encode()))
        environment = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }
        for ends in (lambda run: run.key("ctrl+q"), lambda run: run.process.send_signal(signal.SIGTERM)):
            run = self.start("--no-ui", "--view", "final", environment=environment)
            run.settled()
            run.key("ctrl+v")
            until("the decoding", lambda: list((self.folder / "cache/satdof/films").glob("*")))
            before = run.image()
            run.key("5")
            until("another view", lambda run=run, old=before: window.difference(run.image(), old) > 0.3, 30)
            ends(run)
            status, settings = run.wait()
            self.assertIn(status, (0, -signal.SIGTERM))
            self.assertNotEqual(settings["technique"]["view"], "final")
            self.assertNotEqual(settings["lens"]["fNumber"], 5.6)
            shutil.rmtree(self.folder / "cache")

    def test_a_manager_that_hangs_does_not_hold_the_end(self):
        manager = self.own(silent, selection="CLIPBOARD_MANAGER")
        run = self.start("--no-ui")
        run.key("ctrl+c")
        time.sleep(0.5)
        run.quit()
        self.assertGreater(manager.requests, 0)

    def test_a_manager_that_answers_gets_the_text(self):
        saved = []

        def save(owner, request):
            saved.append(owner.display.get_atom_name(request.target))
            owner.notify(request, ATOM, 32, [owner.atom("UTF8_STRING")])

        self.own(save, selection="CLIPBOARD_MANAGER")
        run = self.start("--no-ui")
        run.key("ctrl+c")
        time.sleep(0.5)
        run.quit()
        self.assertIn("SAVE_TARGETS", saved)


if __name__ == "__main__":
    window.main()
