#!/usr/bin/env python3
"""A window under Xvfb beside owners of the clipboard that answer in every way, or do not.

usage: clipboard_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. Ends with 77 where a tool is missing.
"""

import json
import select
import sys
import threading
import time

try:
    import Xlib.display
    from Xlib import X, Xatom
    from Xlib.protocol import event
except ModuleNotFoundError as error:
    print(f"SKIPPED: missing {error.name}; scripts/test.sh installs python3-xlib")
    sys.exit(77)

import window_test
from window_test import until

SETTINGS = json.dumps({"lens": {"fNumber": 5.6}}).encode()
PIECE = 20
LIMIT_S = 2.0  # of the program's patience


class Owner:
    """Another program, which owns a selection. `answer` gets the owner and each request."""

    def __init__(self, answer, selection="CLIPBOARD"):
        self.answer = answer
        self.display = Xlib.display.Display()
        self.window = self.display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.window.set_selection_owner(self.atom(selection), X.CurrentTime)
        self.display.sync()
        self.ended = False
        self.requests = 0
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def atom(self, name):
        return self.display.intern_atom(name)

    def next_event(self):
        """None at the end."""
        while not self.ended:
            if self.display.pending_events():
                return self.display.next_event()
            select.select([self.display], [], [], 0.05)
        return None

    def serve(self):
        while got := self.next_event():
            if got.type == X.SelectionRequest:
                self.requests += 1
                self.answer(self, got)

    def notify(self, request, kind, bits, data):
        """Gives the property of a request a value, and tells so."""
        if data is not None:
            request.requestor.change_property(request.property, kind, bits, data)
        told = event.SelectionNotify(
            time=request.time,
            requestor=request.requestor,
            selection=request.selection,
            target=request.target,
            property=X.NONE if data is None else request.property,
        )
        request.requestor.send_event(told)
        self.display.flush()

    def close(self):
        self.ended = True
        self.thread.join()
        self.display.close()


def silent(owner, request):
    pass


def text(data):
    return lambda owner, request: owner.notify(request, request.target, 8, data)


def latin1_only(owner, request):
    owner.notify(request, Xatom.STRING, 8, SETTINGS if request.target == Xatom.STRING else None)


def no_text(owner, request):
    owner.notify(request, request.target, 8, None)


def pieces(data, end=True, pause_s=0.0):
    """Piece by piece, as the property is read; without an end the last piece is repeated."""

    def answer(owner, request):
        request.requestor.change_attributes(event_mask=X.PropertyChangeMask)
        owner.notify(request, owner.atom("INCR"), 32, [len(data)])
        rest = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        while got := owner.next_event():
            if got.type != X.PropertyNotify or got.state != X.PropertyDelete or got.atom != request.property:
                continue
            piece = rest.pop(0) if rest else b""
            if not end and not rest:
                rest = [data[-PIECE:]]
            time.sleep(pause_s)
            request.requestor.change_property(request.property, request.target, 8, piece)
            owner.display.flush()
            if not piece:
                return

    return answer


def stalls_between_pieces(owner, request):
    owner.notify(request, owner.atom("INCR"), 32, [len(SETTINGS)])


class Clipboard(window_test.DisplayTest):
    def own(self, answer, **keywords):
        owner = Owner(answer, **keywords)
        self.addCleanup(lambda: owner.ended or owner.close())
        return owner

    def paste_from(self, answer):
        owner = self.own(answer)
        run = self.start("--no-ui")
        run.key("ctrl+v")
        until("settings", lambda: (run.settings() or {}).get("lens", {}).get("fNumber") == 5.6)
        run.quit()
        run.kill()
        owner.close()
        (self.folder / "satdof/settings.json").unlink()

    def test_settings_of_every_owner_that_answers(self):
        for answer in (text(SETTINGS), latin1_only, pieces(SETTINGS), text(b"satdof --f-number 5.6")):
            self.paste_from(answer)

    def refuse_from(self, answer, hangs):
        owner = self.own(answer)
        run = self.start("--no-ui")
        message = (slice(0, 60), slice(300, 640))
        before = run.settled()[message]
        run.key("ctrl+v")
        until("a request", lambda: owner.requests > 0)
        start = time.monotonic()
        run.key("2", "F12")
        until("a capture", (self.folder / "satdof-0001.png").exists)
        if hangs:
            self.assertLess(time.monotonic() - start, LIMIT_S, "the capture did not wait")
        until("a message", lambda: window_test.difference(run.image()[message], before) > 0.3)
        self.assertEqual(run.quit()["technique"]["view"], "sharp")
        run.kill()
        owner.close()
        (self.folder / "satdof-0001.png").unlink()
        (self.folder / "satdof/settings.json").unlink()

    def test_an_owner_that_hangs_stops_nothing(self):
        self.refuse_from(silent, hangs=True)
        self.refuse_from(stalls_between_pieces, hangs=True)
        self.refuse_from(pieces(SETTINGS, end=False, pause_s=0.05), hangs=True)

    def test_texts_without_settings_are_refused(self):
        large = b"x" * 150000
        for answer in (text(large), pieces(large), no_text):
            self.refuse_from(answer, hangs=False)

    def test_a_text_field_takes_the_clipboard(self):
        self.own(text(b"5.6"))
        run = self.start()
        run.settled()
        run.xdotool("keydown", "ctrl", "mousemove", 220, 198, "click", 1, "keyup", "ctrl", "sleep", 0.5)
        run.key("ctrl+a", "ctrl+v")
        time.sleep(1)
        run.key("Return")
        time.sleep(0.5)
        self.assertAlmostEqual(run.quit()["lens"]["fNumber"], 5.6, 3)

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
            owner.notify(request, Xatom.ATOM, 32, [owner.atom("UTF8_STRING")])

        self.own(save, selection="CLIPBOARD_MANAGER")
        run = self.start("--no-ui")
        run.key("ctrl+c")
        time.sleep(0.5)
        run.quit()
        self.assertIn("SAVE_TARGETS", saved)


if __name__ == "__main__":
    window_test.main()
