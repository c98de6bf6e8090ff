#!/usr/bin/env python3
"""The real window under Xvfb, driven by xdotool, judged by screenshots and by the settings it leaves.

usage: window_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. Ends with 77 where a tool is missing.
"""

import contextlib
import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

NEEDED = ["Xvfb", "xdotool", "xwininfo"]
missing = [tool for tool in NEEDED if shutil.which(tool) is None]
try:
    import numpy as np
    import Xlib.display
    from PIL import Image
    from Xlib import X
except ImportError as error:
    missing.append(str(error))
if missing:
    print("SKIPPED: missing " + ", ".join(missing) + "; scripts/test.sh installs them")
    sys.exit(77)

PROGRAM, SOURCE_DIR = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FAULTS = PROGRAM.with_name("satdof_faults")
SCREEN = (800, 600)
SIZE = (640, 400)
PANELS_RIGHT = 320  # half of the window, see kLargestColumnFraction
TIMEOUT_S = 400  # a processor that others share, too
MESSAGES = 120  # pixels from the top that one message may cover
NOTICE_S = 3.5  # longer than a notice is shown
HINT_S = 6.5  # longer than the hint that panels are hidden
# Sanitizer builds look for everything but leaks: the driver, unloaded by the end, leaves some.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")


def until(what, condition, timeout_s=TIMEOUT_S):
    """Waits until condition() is true and returns its value."""
    end = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {timeout_s} s: {what}")
        time.sleep(0.05)


def read_image(file):
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


def difference(a, b):
    """Fraction of pixels that differ by more than rounding in some channel."""
    return np.mean(np.any(np.abs(a.astype(np.int16) - b) > 2, axis=2))


def sharpness(image):
    grey = image.astype(float).mean(axis=2)
    return np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean()


def send_close(window):
    """What a window manager sends when a window's close button is pressed."""
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]

    class ClientMessage(ctypes.Structure):
        _fields_ = [
            ("type", ctypes.c_int),
            ("serial", ctypes.c_ulong),
            ("send_event", ctypes.c_int),
            ("display", ctypes.c_void_p),
            ("window", ctypes.c_ulong),
            ("message_type", ctypes.c_ulong),
            ("format", ctypes.c_int),
            ("data", ctypes.c_long * 5),
            ("padding", ctypes.c_long * 24),
        ]

    display = x11.XOpenDisplay(os.environ["DISPLAY"].encode())
    client_message = 33
    event = ClientMessage(
        type=client_message,
        window=window,
        format=32,
        message_type=x11.XInternAtom(display, b"WM_PROTOCOLS", 0),
    )
    event.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(display)


def send_kill(window):
    """What xkill does: the server closes the connection of the program."""
    subprocess.run(["xdotool", "windowkill", str(window)], check=True)


def send_destroy(window):
    """Another program destroys the window."""
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x11.XDestroyWindow.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(os.environ["DISPLAY"].encode())
    x11.XDestroyWindow(display, window)
    x11.XCloseDisplay(display)


def without_driver(said):
    """What the program said: Mesa tells by itself which drivers it tried in vain."""
    return "".join(line for line in said.splitlines(True) if not line.startswith(("MESA: ", "glx: ")))


class Run:
    """The program in a window, in a folder of its own."""

    def __init__(self, folder, *arguments, environment=None, program=(PROGRAM,)):
        self.folder = folder
        if not (folder / "satdof/interface.json").exists():
            (folder / "satdof").mkdir(exist_ok=True)
            (folder / "satdof/interface.json").write_text('{"hintSeen": true}')
        self.stderr = open(folder / "stderr.txt", "w+")
        self.display = Xlib.display.Display()
        self.root = self.display.screen().root
        command = [
            *program,
            "--gl-debug",
            "--size",
            f"{SIZE[0]}x{SIZE[1]}",
            "--teapots",
            "3",
            "--samples",
            "1",
            *arguments,
            *([] if "--animate" in arguments else ["--no-animate"]),
            *([] if "--adaptive" in arguments else ["--no-adaptive"]),
            *([] if "--converge" in arguments else ["--no-converge"]),
        ]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stderr=self.stderr,
            env={
                **os.environ,
                "XDG_CONFIG_HOME": str(folder),
                "XDG_STATE_HOME": str(folder / "state"),
                **(environment or {}),
            },
        )

    def open(self):
        self.window = until("a window", self._find)
        self.xdotool("windowfocus", self.window)
        until("an image", lambda: self.screenshot()[: SIZE[1], PANELS_RIGHT : SIZE[0]].max() > 0)
        self.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20)
        return self

    def _find(self):
        if self.process.poll() is not None:
            raise AssertionError(f"ended with {self.process.returncode}: {self.errors()}")
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "^satdof$"], capture_output=True, text=True
        )
        return int(found.stdout.split()[0]) if found.stdout.split() else None

    def xdotool(self, *words):
        subprocess.run(["xdotool", *map(str, words)], check=True)

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", key)

    def drag(self, start, end, button=1, modifier=None):
        held = ["keydown", modifier] if modifier else []
        released = ["keyup", modifier] if modifier else []
        middle = [(a + b) // 2 for a, b in zip(start, end)]
        self.xdotool(
            *held,
            "mousemove",
            *start,
            "mousedown",
            button,
            "mousemove",
            *middle,
            "sleep",
            0.1,
            "mousemove",
            *end,
            "sleep",
            0.1,
            "mouseup",
            button,
            *released,
        )

    def screenshot(self):
        pixels = self.root.get_image(0, 0, *SCREEN, X.ZPixmap, 0xFFFFFFFF).data  # blue, green, red, unused
        return np.frombuffer(pixels, np.uint8).reshape(SCREEN[1], SCREEN[0], 4)[:, :, 2::-1].copy()

    def image(self):
        return self.screenshot()[: SIZE[1], : SIZE[0]]

    def is_resting(self):
        """Whether no thread of the program runs or waits for a processor."""
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
                if (task / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                    return False
        return True

    def settled(self):
        """The screen, once looks at it are the same: two of a program that rests, else those of two seconds."""
        last, since = self.screenshot(), time.monotonic()

        def same():
            nonlocal last, since
            rested = self.is_resting()
            time.sleep(0.25)
            now = self.screenshot()
            if not np.array_equal(now, last):
                last, since = now, time.monotonic()
                return None
            return (now,) if rested and self.is_resting() or time.monotonic() > since + 2 else None

        return until("a still image", same)[0]

    def changed_from(self, before, least=0.01):
        until("a change of the image", lambda: difference(self.screenshot(), before) > least)
        return self.settled()

    def geometry(self):
        text = subprocess.run(
            ["xwininfo", "-id", str(self.window)], check=True, capture_output=True, text=True
        ).stdout
        return tuple(
            int(re.search(word + r":\s+(-?\d+)", text).group(1))
            for word in ["Width", "Height", "Absolute upper-left X", "Absolute upper-left Y"]
        )

    def errors(self):
        self.stderr.seek(0)
        return without_driver(self.stderr.read())

    def settings(self):
        """The saved settings."""
        path = self.folder / "satdof/settings.json"
        return json.loads(path.read_text()) if path.exists() else None

    def wait(self):
        """The exit status and the settings left behind."""
        status = self.process.wait(TIMEOUT_S)
        return status, self.settings()

    def quit(self):
        self.key("ctrl+q")
        status, settings = self.wait()
        assert status == 0, f"status {status}: {self.errors()}"
        assert self.errors() == "", self.errors()
        return settings

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.stderr.close()
        with contextlib.suppress(Xlib.error.ConnectionClosedError):
            self.display.close()


def start_server():
    """An X server, and its display."""
    read, write = os.pipe()
    options = ["-noreset", "-nolisten", "tcp", "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), *options], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    os.close(write)
    with os.fdopen(read) as stream:
        number = stream.readline().strip()
    assert number, "Xvfb did not start"
    return server, ":" + number


class DisplayTest(unittest.TestCase):
    """A display, and for each test a folder."""

    @classmethod
    def setUpClass(cls):
        cls.server, os.environ["DISPLAY"] = start_server()
        os.environ.pop("WAYLAND_DISPLAY", None)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *arguments, **keywords):
        run = Run(self.folder, *arguments, **keywords)
        self.addCleanup(run.kill)
        return run.open()


class Part(unittest.TestLoader):
    """Every Nth test, from the Kth on."""

    def __init__(self, first, step):
        super().__init__()
        self.part = slice(first - 1, None, step)

    def getTestCaseNames(self, case):
        return super().getTestCaseNames(case)[self.part]


def main():
    """Runs the tests of the script that is started, or the part of them that its arguments name."""
    arguments, loader = sys.argv[3:], unittest.defaultTestLoader
    if arguments[:1] == ["--part"]:
        loader = Part(int(arguments[1]), int(arguments[2]))
        arguments = arguments[3:]
    unittest.main(argv=[sys.argv[0], *arguments], testLoader=loader, verbosity=2)


class WindowTest(DisplayTest):
    def test_panels_and_overlay(self):
        run = self.start()
        shown = run.image()
        run.key("F2")
        until(
            "hidden panels", lambda: difference(run.image()[:, :PANELS_RIGHT], shown[:, :PANELS_RIGHT]) > 0.5
        )
        screen = run.settled()
        hidden = screen[: SIZE[1], : SIZE[0]]
        self.assertLess(difference(hidden[:, PANELS_RIGHT:], shown[:, PANELS_RIGHT:]), 0.01)
        for open_key, close_key in [("F1", "F1"), ("question", "Escape")]:
            run.key(open_key)
            overlay = run.changed_from(screen, 0.1)[: SIZE[1], : SIZE[0]]
            self.assertGreater(difference(overlay[100:300, 250:400], hidden[100:300, 250:400]), 0.5)
            run.key(close_key)
            until("the image as before", lambda: np.array_equal(run.image(), hidden))
        run.key("F2")
        until(
            "panels again", lambda: difference(run.image()[:, :PANELS_RIGHT], hidden[:, :PANELS_RIGHT]) > 0.5
        )
        self.assertTrue(run.quit()["present"]["showUi"])

    def test_the_camera_is_centred_right_of_the_panels(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false}}'
        )
        run = self.start("--view", "sharp", "--no-lamps", "--focus", "9")
        run.key("a")
        time.sleep(NOTICE_S)
        run.settled()
        settings = run.quit()
        self.assertAlmostEqual(settings["camera"]["shiftX"], 0.5 * PANELS_RIGHT / SIZE[0], 4)
        self.assertLess(settings["lens"]["focusDistanceM"], 1.9)
        run.kill()
        run = self.start("--size", "700x400")  # wider than at the last end
        run.key("ctrl+z")
        self.assertAlmostEqual(run.quit()["camera"]["shiftX"], 0.5 * PANELS_RIGHT / SIZE[0], 4)
        run.kill()
        run = self.start("--fresh", "--view", "sharp")
        before = run.settled()
        run.xdotool("windowsize", run.window, 800, 400)
        run.changed_from(before, 0.05)
        run.key("ctrl+z", "F12")
        self.written("satdof-0001.png")
        with Image.open(self.folder / "satdof-0001.png") as image:
            stored = json.loads(image.text["satdof-settings"])
        self.assertAlmostEqual(stored["camera"]["shiftX"], 0.5 * PANELS_RIGHT / 800, 4)
        run.quit()
        run.kill()
        run = self.start("--no-ui")
        run.key("r")
        self.assertEqual(run.quit()["camera"]["shiftX"], 0)

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

    def test_progress_of_the_reference(self):
        run = self.start("--lens", "reference", "--lens-samples", "256")

        def bar():
            return tuple(run.image()[SIZE[1] - 2, PANELS_RIGHT + 10]) == (240, 178, 82)

        until("a bar", bar)
        until("the end of it", lambda: not bar())
        run.quit()

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

    def test_panels_keep_the_mouse(self):
        run = self.start("--no-vsync")
        run.drag((60, 150), (200, 150))
        run.xdotool("mousemove", 60, 150, "click", 4)
        run.xdotool(
            "mousemove",
            220,
            150,
            "mousedown",
            1,
            "sleep",
            0.3,
            "mousemove",
            280,
            150,
            "sleep",
            0.3,
            "mouseup",
            1,
        )
        settings = run.quit()
        self.assertEqual(settings["camera"]["yawDegrees"], 12)
        self.assertGreater(settings["lens"]["focusDistanceM"], 2)

    def test_lens_model_is_chosen_in_its_panel(self):
        run = self.start("--no-vsync", "--view", "sharp")
        for x, y in [(220, 127), (200, 190)]:  # "Lens model", an entry
            run.xdotool(
                "mousemove", x, y, "sleep", 0.3, "mousedown", 1, "sleep", 0.3, "mouseup", 1, "sleep", 0.5
            )
        self.assertIn(run.quit()["technique"]["lens"]["kind"], ("box", "tent", "layered"))

    def test_keys_edit_settings(self):
        run = self.start("--no-ui", "--view", "sharp")
        sharp = run.settled()
        run.key("3")
        run.changed_from(sharp, 0.5)
        run.key("bracketright", "bracketright", "bracketright", "a", "l", "l", "b", "t", "minus", "F2")
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

    def test_the_table_is_told_under_the_mouse(self):
        accent = np.array([240, 178, 82])

        def corners(image):
            """The middle of the marked corners: the box of the pixel under the mouse."""
            marked = np.all(np.abs(image.astype(int) - accent) < 12, axis=2)
            rows, columns = np.nonzero(marked[:340, PANELS_RIGHT + 90 :])  # without the axes at the origin
            if len(rows) < 8:
                return None
            columns = columns + PANELS_RIGHT + 90
            return (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2

        for view, device in (("table", "cpu"), ("footprint", "gl-fragment")):
            with self.subTest(view):
                run = self.start("--view", view, "--lens", "box", "--device", device, "--f-number", "0.5")
                run.key("F2")
                seen = []
                for x, y in ((480, 60), (520, 100)):  # far behind the focus plane
                    run.xdotool("mousemove", x, y)

                    def box_at(run=run, x=x, y=y):
                        middle = corners(run.image())
                        return middle and abs(middle[0] - x) < 3 and abs(middle[1] - y) < 3

                    until("the box of the pixel", box_at)
                    image = run.settled()[: SIZE[1], : SIZE[0]]
                    seen.append(image)
                    dark = image.max(axis=2) < 70  # below the numbers
                    self.assertGreater(dark.mean(), 0.05, "the numbers have a dark ground")
                self.assertGreater(difference(*seen), 0.01, "other numbers elsewhere")
                origin = np.s_[SIZE[1] - 60 :, :60]
                marks = np.all(np.abs(seen[0][origin].astype(int) - accent) < 12, axis=2).sum()
                (self.assertGreater if view == "table" else self.assertLess)(marks, 50)
                run.quit()

    def test_laboratory(self):
        run = self.start("--view", "sharp")
        run.settled()
        before = run.image()
        run.key("F3")
        until("the window of the laboratory", lambda: difference(run.image(), before) > 0.2)
        choices = run.settled()[66:88, 230:247].astype(int)
        self.assertTrue(np.any(choices[..., 0] - choices[..., 2] > 100), "the first choice is not indented")
        run.quit()

    def test_sections_of_a_narrow_panel_have_titles(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text('{"hintSeen": true, "uiScale": 2.5}')
        run = self.start("--view", "sharp")
        above_a_dot = run.settled()[356:370, 95:150]
        self.assertGreater(above_a_dot.min(axis=2).max(), 180, "Lens, not three points")
        run.quit()

    def test_the_panels_keep_their_width_while_it_is_dragged(self):
        interface = self.folder / "satdof/interface.json"
        interface.parent.mkdir()
        opened = {"Lens": False, "Timings": False, "Camera and display": True}
        interface.write_text(json.dumps({"hintSeen": True, "openSections": opened}))
        run = self.start("--view", "sharp")
        moves = [word for x in range(176, 159, -2) for word in ("mousemove", x, 318, "sleep", 0.1)]
        run.xdotool("mousemove", 177, 318, "sleep", 0.3, "mousedown", 1, *moves, "mouseup", 1, "sleep", 0.3)
        run.quit()
        width = json.loads(interface.read_text())["panelWidth"]
        self.assertAlmostEqual(width, 274, delta=12)

    def test_a_click_counts_where_the_mouse_has_just_arrived(self):
        interface = self.folder / "satdof/interface.json"
        interface.parent.mkdir()
        interface.write_text('{"hintSeen": true, "openSections": {"Lens": false, "Timings": false}}')
        run = self.start("--view", "sharp")
        for y in (174, 150, 126, 102):  # "Filter", "Scene", "Camera and display", "Lens"
            run.xdotool("mousemove", 150, y, "click", 1, "sleep", 0.5)
        run.quit()
        opened = json.loads(interface.read_text())["openSections"]
        for title in ("Filter", "Scene", "Camera and display", "Lens"):
            self.assertTrue(opened[title], title)

    def test_the_laboratory_measures_beside_a_converging_image(self):
        run = self.start("--adaptive", "--converge", "--lens-samples", "4096", "--gl-debug")
        best = run.settled()
        until("an image that converges", lambda: difference(run.screenshot(), best) > 0.0)
        run.key("F3")
        until("the window of the laboratory", lambda: difference(run.screenshot(), best) > 0.2)
        button = np.s_[44:60, 472:528]
        measure = run.image()[button]
        run.xdotool("mousemove", 500, 52, "sleep", 0.3, "click", 1, "mousemove", 500, 300)
        until("the measurement", lambda: difference(run.image()[button], measure) > 0.05)
        time.sleep(10)  # some of its programs come and go
        run.key("ctrl+q")
        self.assertEqual(run.wait()[0], 0)

    def test_split(self):
        run = self.start("--view", "sharp", "--split-view", "coc")
        before = run.image()
        run.key("s")
        right = np.s_[:, 480:]
        until("B on the right", lambda: difference(run.image()[right], before[right]) > 0.5)
        run.drag((480, 150), (560, 150))  # from the middle of the visible image
        middle = np.s_[:, 330:540]
        until("A in the middle", lambda: difference(run.image()[middle], before[middle]) < 0.05)
        settings = run.quit()
        self.assertAlmostEqual(settings["split"]["position"], 560 / SIZE[0], 2)
        self.assertEqual(settings["camera"]["yawDegrees"], 12)

    def test_memory_is_freed_after_a_comparison(self):
        run = self.start(
            "--device", "cpu", "--lens", "box", "--split", "--split-device", "cpu", "--split-lens", "layered"
        )

        def resident_mib():
            status = pathlib.Path(f"/proc/{run.process.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

        run.image()
        compared = resident_mib()
        run.key("s")
        until("memory is freed", lambda: resident_mib() < compared - 15, 30)
        run.quit()

    def test_split_starts_in_the_middle_of_the_visible_image(self):
        views = ("--view", "sharp", "--split-view", "coc", "--split")
        for arguments, position in [((), 0.75), (("--split-position", "0.5"), 0.5), (("--no-ui",), 0.5)]:
            run = self.start("--fresh", *views, *arguments)
            run.key("ctrl+z")  # nothing to undo
            run.key("F12")
            self.written("satdof-0001.png")
            run.quit()
            run.kill()
            with Image.open(self.folder / "satdof-0001.png") as image:
                stored = json.loads(image.text["satdof-settings"])
            self.assertEqual(stored["split"]["position"], position)
            self.assertTrue(stored["split"]["enabled"])
            (self.folder / "satdof-0001.png").unlink()

    def test_a_split_keeps_the_technique_that_was_asked_for(self):
        for arguments, equal in [((), False), (("--split-lens", "box"), True)]:
            run = self.start("--lens", "box", "--split", *arguments)
            settings = run.quit()
            self.assertEqual(settings["split"]["b"]["lens"]["kind"] == "box", equal)
            run.kill()

    def test_the_halves_of_a_view_meet_in_the_middle_of_the_visible_image(self):
        run = self.start("--fresh", "--view", "table-error", "--lens", "box", "--device", "cpu")
        between = (slice(20, 300), slice(340, 460))  # the middles: 320 without panels, 480 beside them
        exact = np.median(run.settled()[between])
        run.key("F2")
        until("the error", lambda: np.median(run.image()[between]) < 0.5 * exact)
        run.key("F2")
        until("the image", lambda: np.median(run.image()[between]) > 0.8 * exact)
        run.quit()

    def test_panels_keep_their_place_while_the_status_changes(self):
        run = self.start(
            *("--adaptive", "--split", "--split-position", "0.75", "--lens", "box", "--split-lens", "box"),
            *("--device", "cpu", "--split-device", "gl-compute"),
        )
        time.sleep(NOTICE_S)

        def letters(screen):
            return screen[:260, :120].min(axis=2) > 150

        best = run.settled()
        run.xdotool("mousemove", 400, 200, "mousedown", 1, "mousemove", 440, 200)
        moved = letters(run.changed_from(best))
        best = letters(best)
        self.assertTrue(np.any(moved[72:90] != best[72:90]), "the status")
        self.assertLess(np.mean(moved[90:] != best[90:]), 0.005, "the labels of the section Lens")
        run.xdotool("mouseup", 1)
        run.quit()

    def test_split_line_without_panels(self):
        run = self.start("--view", "sharp", "--split-view", "coc", "--split", "--split-position", "0.1")
        run.drag((PANELS_RIGHT, 150), (560, 150))  # under the panels: its handle is at their edge
        run.key("F2")
        run.drag((560, 150), (100, 150))
        self.assertAlmostEqual(run.quit()["split"]["position"], 100 / SIZE[0], 2)

    def test_capture(self):
        run = self.start("--no-ui")
        screen = run.settled()[: SIZE[1], : SIZE[0]]
        run.key("F12")
        self.written("satdof-0001.png")
        run.key("F12")
        self.written("satdof-0002.png")
        for name in ["satdof-0001.png", "satdof-0002.png"]:
            np.testing.assert_array_equal(read_image(self.folder / name), screen)
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
        (self.folder / "satdof").mkdir(exist_ok=True)
        (self.folder / "satdof/interface.json").write_text(json.dumps({"hintSeen": True, "capture": capture}))

    def test_recording_is_a_video(self):
        if not shutil.which("ffprobe"):
            self.skipTest("needs ffmpeg")
        self.remember(sequenceFrames=4, framesPerSecond=8)
        run = self.start("--no-ui", "--animate")
        run.key("ctrl+F12")
        self.written("satdof-0001.mp4")
        video = json.loads(
            subprocess.run(
                [
                    "ffprobe",
                    "-v",
                    "error",
                    "-count_frames",
                    "-show_streams",
                    "-of",
                    "json",
                    "satdof-0001.mp4",
                ],
                cwd=self.folder,
                capture_output=True,
                check=True,
            ).stdout
        )["streams"][0]
        self.assertEqual(
            (video["width"], video["height"], video["nb_read_frames"], video["r_frame_rate"]),
            (SIZE[0] + SIZE[0] % 2, SIZE[1] + SIZE[1] % 2, "4", "8/1"),
        )
        # Stopped before its end, a recording keeps what it has.
        self.remember(sequenceFrames=1000)
        run.quit()
        run = self.start("--no-ui", "--animate")
        run.key("ctrl+F12")
        time.sleep(2)
        run.key("ctrl+F12")
        self.written("satdof-0002.mp4")
        run.quit()

    def test_an_encoder_that_hangs_stops_nothing_else(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("needs ffmpeg")
        self.remember(sequenceFrames=1000)
        (self.folder / "ffmpeg").write_text("#!/bin/sh\nsleep 1000\n")
        (self.folder / "ffmpeg").chmod(0o755)
        run = self.start("--no-ui", "--animate", environment={"PATH": f"{self.folder}:{os.environ['PATH']}"})
        run.key("ctrl+F12")
        time.sleep(2)
        run.key("2", "F12")
        self.written("satdof-0001.png")
        run.key("ctrl+F12")  # ends the recording
        time.sleep(1)
        run.key("F12")
        self.written("satdof-0002.png")
        run.process.send_signal(signal.SIGTERM)
        until("a message", lambda: "ends when the video is written" in run.errors())
        run.process.send_signal(signal.SIGTERM)
        status, settings = run.wait()
        self.assertEqual(status, -signal.SIGTERM)
        self.assertIn("the video is abandoned", run.errors())
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertEqual(list(self.folder.glob("*.mp4")), [])

    def test_a_long_simulation_of_a_recording_is_cancelled(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("needs ffmpeg")
        self.remember(sequenceFrames=3, framesPerSecond=1)  # an image: a million steps
        heavy = ["--scene", "bodies", "--bodies", "4096", "--body-speed", "10", "--time-step", "1e-5"]
        run = self.start("--no-ui", "--animate", *heavy)
        middle = (slice(170, 230), slice(250, 390))
        before = run.image()[middle]

        def asks():
            return difference(run.image()[middle], before) > 0.9

        for cancel in (lambda: run.key("Escape"), lambda: run.xdotool("mousemove", 320, 223, "click", 1)):
            run.key("ctrl+F12")
            until("the progress", asks)
            cancel()
            until("the image", lambda: not asks())
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
        run.key("F12")
        self.written("satdof-0001.png")
        with Image.open(self.folder / "satdof-0001.png") as image:
            captured = json.loads(image.text["satdof-settings"])
        self.assertEqual(captured["scene"]["timeS"], run.quit()["scene"]["timeS"])

    def test_recording_without_ffmpeg_writes_images(self):
        self.remember(sequenceFrames=2)
        run = self.start("--no-ui", "--animate", environment={"PATH": str(self.folder)})
        run.key("ctrl+F12")
        self.written("sequence-0002.png")
        self.assertEqual(sorted(path.name for path in self.folder.glob("satdof-*")), [])
        run.quit()

    def test_resize_hide_and_full_screen(self):
        run = self.start("--no-ui", "--animate")
        run.xdotool("windowsize", run.window, 501, 303)
        until("the new size", lambda: run.geometry()[:2] == (501, 303))
        image = until("an image as large", lambda: (s := run.screenshot())[:303, 490:501].max() > 0 and (s,))[
            0
        ]
        self.assertEqual(image[310:, :].max(), 0)
        run.key("F12")
        self.written("satdof-0001.png")
        self.assertEqual(read_image(self.folder / "satdof-0001.png").shape, (303, 501, 3))

        run.xdotool("windowunmap", run.window)
        until("nothing on the screen", lambda: run.screenshot().max() == 0)

        time.sleep(0.3)
        before = self.ticks(run)
        time.sleep(0.5)
        self.assertLessEqual(self.ticks(run) - before, 5)
        run.xdotool("windowmap", run.window)
        until("an image again", lambda: run.screenshot()[:303, 490:501].max() > 0)

        run.xdotool("windowfocus", run.window)
        before = run.geometry()
        run.key("f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        until("a full image", lambda: run.screenshot()[-20:, -20:].max() > 0)
        run.key("f")
        until("the window as before", lambda: run.geometry() == before)
        settings = run.quit()
        self.assertEqual(settings["size"], "501x303")
        self.assertFalse(settings["present"]["fullScreen"])

    def test_panels_have_the_size_of_the_window_in_each_frame(self):
        run = self.start("--animate", "--teapots", "2000", "--samples", "8", "--lens", "tent")  # slow frames
        run.key("f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        first = until("a full image", lambda: (s := run.screenshot())[-20:, -20:].max() > 0 and (s,))[0]
        time.sleep(1)
        panels = np.s_[120:340, :PANELS_RIGHT]  # without times
        self.assertLess(difference(first[panels], run.screenshot()[panels]), 0.2)
        run.quit()

    def test_a_scene_that_cannot_move_rests(self):
        run = self.start("--scene", "image", "--animate", "--adaptive")

        def rests():
            before = self.ticks(run)
            time.sleep(1)
            return self.ticks(run) - before <= 5

        until("rest", rests, 20)
        run.key("space")
        self.assertEqual(self.lens_of_capture(run), "layered")
        self.assertTrue(run.quit()["scene"]["animate"])
        run.kill()
        model = self.folder / "pyramid.obj"  # without animation
        model.write_text(
            "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 1.5 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 4 3 2 1\n"
        )
        run = self.start(
            "--fresh", "--model", model, "--animate", "--adaptive", "--converge", "--lens-samples", "8"
        )
        time.sleep(NOTICE_S)
        run.settled()
        until("the whole reference", lambda: self.lens_of_capture(run) == "reference")
        run.quit()

    def test_the_autofocus_rests(self):
        run = self.start(
            *("--autofocus", "--adaptive", "--converge", "--lens-samples", "4"),
            # The best image is slow, and of another size than a quick one.
            *("--teapots", "12", "--samples", "0"),
        )
        time.sleep(HINT_S)
        until("the whole reference", lambda: self.lens_of_capture(run) == "reference")
        run.quit()

    def lens_of_capture(self, run):
        """The lens of what the window shows now."""
        file = self.folder / "satdof-0001.png"
        file.unlink(missing_ok=True)
        run.key("F12")
        self.written(file.name)
        with Image.open(file) as image:
            return json.loads(image.text["satdof-settings"])["technique"]["lens"]["kind"]

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

    def written(self, name):
        """Waits for a file, which is complete when it has its name."""
        path = self.folder / name
        until(name, path.exists)
        self.assertGreater(path.stat().st_size, 0)

    def ticks(self, run):
        fields = pathlib.Path(f"/proc/{run.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def test_a_still_image_is_not_drawn_again_for_the_mouse(self):
        run = self.start("--lens", "layered", "--samples", "8", "--teapots", "300")
        run.settled()
        before = self.ticks(run)
        for step in range(20):  # over the panels, whose controls light up
            run.xdotool("mousemove", 150 + step, 60 + 15 * step, "sleep", 0.05)
        of_a_move = (self.ticks(run) - before) / 20
        before = self.ticks(run)
        for key in "2121":  # views, each of which draws an image
            run.key(key)
            time.sleep(0.4)
        of_an_image = (self.ticks(run) - before) / 4
        self.assertLess(of_a_move, 0.4 * of_an_image)
        run.quit()

    def test_adaptive_quality(self):
        slow = ("--no-ui", "--teapots", "2000", "--samples", "4")  # no lens keeps 24 frames a second
        run = self.start(*slow)
        quick = run.settled()
        run.quit()
        run.kill()
        run = self.start("--adaptive", *slow)
        time.sleep(HINT_S)
        until("the best image", lambda: difference(run.screenshot(), quick) > 0.01)
        best = run.settled()
        run.xdotool("mousemove", 400, 200, "mousedown", 1, "mousemove", 440, 200)
        moved = run.changed_from(best)
        run.xdotool("mousemove", 400, 200)
        run.changed_from(moved)
        until("a quick image while held", lambda: difference(run.screenshot(), best) > 0.01)
        run.xdotool("mouseup", 1)
        until("the best image at rest", lambda: difference(run.screenshot(), best) < 0.01)
        run.key("F12")
        self.written("satdof-0001.png")
        with Image.open(self.folder / "satdof-0001.png") as image:
            stored = json.loads(image.text["satdof-settings"])
        self.assertEqual(stored["technique"]["lens"]["kind"], "layered")
        run.quit()

    def test_converges_to_the_reference(self):
        run = self.start("--adaptive", "--no-ui")
        best = run.settled()
        run.quit()
        run.kill()
        run = self.start("--adaptive", "--converge", "--no-ui", "--lens-samples", "32")
        run.changed_from(best, 0.02)
        time.sleep(HINT_S)
        until("the whole reference", lambda: np.array_equal(run.settled(), run.settled()))
        converged = run.settled()
        run.key("F12")
        self.written("satdof-0001.png")
        self.assertLess(
            difference(read_image(self.folder / "satdof-0001.png"), converged[: SIZE[1], : SIZE[0]]), 0.01
        )
        with Image.open(self.folder / "satdof-0001.png") as image:
            stored = json.loads(image.text["satdof-settings"])
        self.assertEqual(stored["technique"]["lens"]["kind"], "reference")
        run.drag((400, 200), (460, 180))
        run.changed_from(converged, 0.1)
        run.quit()

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
            server, number = start_server()
            self.addCleanup(server.kill)
            with unittest.mock.patch.dict(os.environ, DISPLAY=number):
                run = self.start("--no-ui", "--animate")
                run.key("bracketright")
                run.key("2")
                time.sleep(1)
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

    def test_the_settings_of_a_resting_window_outlive_a_kill(self):
        run = self.start("--no-ui")
        run.key("2")
        until("saved settings", lambda: (run.settings() or {}).get("technique", {}).get("view") == "sharp")
        stamp = (self.folder / "satdof/settings.json").stat().st_mtime_ns
        run.xdotool("mousemove", 300, 200)
        time.sleep(2)
        self.assertEqual((self.folder / "satdof/settings.json").stat().st_mtime_ns, stamp, "nothing to save")
        run.kill()

    def test_a_crash_is_told_at_the_next_start(self):
        run = self.start("--no-ui")
        run.key("2")
        until("saved settings", lambda: (run.settings() or {}).get("technique", {}).get("view") == "sharp")
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
        run.key("ctrl+q")
        status, settings = run.wait()
        self.assertEqual((status, settings["technique"]["view"]), (0, "sharp"))
        run = self.start("--no-ui")
        until("the image alone", lambda: np.array_equal(run.screenshot(), before))
        run.quit()

    @unittest.skipUnless(FAULTS.exists(), f"no {FAULTS.name}: build it")
    def test_a_driver_that_is_reset(self):
        def lose():
            run.process.send_signal(signal.SIGUSR1)
            run.key("equal")  # moves the camera, so that a frame is drawn

        run = self.start("--no-ui", "--f-number", "4", program=(FAULTS, "reset", "at", "0"))
        run.xdotool("windowmove", run.window, 60, 40)
        place = until("a moved window", lambda: run.geometry()[2:] == (60, 40) and run.geometry())
        run.key("2")
        run.settled()
        lose()
        until("a reset", lambda: "the window was opened again" in run.errors())
        run.window = until("another window", run._find)
        until("the window in its place", lambda: run.geometry() == place)
        until("an image", lambda: self.inside(run, place).max() > 0)
        run.xdotool("windowfocus", run.window)
        run.settled()
        lose()
        status, settings = run.wait()
        self.assertEqual(status, 1)
        self.assertIn("the OpenGL context is lost", run.errors().splitlines()[-1])
        self.assertEqual(settings["lens"]["fNumber"], 4)
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertLess(settings["camera"]["distanceM"], 2)

    @unittest.skipUnless(FAULTS.exists(), f"no {FAULTS.name}: build it")
    def test_a_cuda_that_is_lost(self):
        if not re.search(r"^device +cuda +available", self.listing(), re.MULTILINE):
            self.skipTest("needs a CUDA device")
        faults = (FAULTS, "cuda-lost", "at", "0")
        run = self.start("--no-ui", "--device", "cuda", "--f-number", "1.4", program=faults)
        before = run.settled()
        run.process.send_signal(signal.SIGUSR1)
        run.key("equal")  # moves the camera, so that frames are drawn
        until("a lost device", lambda: "CUDA failed" in run.errors())
        moved = run.settled()
        run.key("minus")
        after = run.changed_from(moved, 0.1)
        self.assertLess(difference(before[MESSAGES:], after[MESSAGES:]), 0.02)
        run.key("ctrl+q")
        status, settings = run.wait()
        self.assertEqual(status, 0)
        self.assertEqual(settings["technique"]["device"], "auto")
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.4, 4)

    def inside(self, run, place):
        width, height, x, y = place
        return run.screenshot()[y : y + height, x : x + width]

    def test_a_window_fits_the_screen(self):
        run = self.start("--no-ui", "--size", "4000x3000")
        self.assertEqual(run.geometry()[:2], SCREEN)
        run.quit()

    def test_own_presets_are_saved_and_chosen(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false, "Settings and presets": true}}'
        )
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
        run.xdotool("mousemove", 240, 366, "sleep", 0.2, "click", 1)  # "Delete preset"
        run.settled()
        self.assertTrue(preset.exists())
        run.xdotool("click", 1)  # "Delete for good"
        until("no preset", lambda: not preset.exists())
        settings = run.quit()
        self.assertEqual(settings["lens"]["fNumber"], 4)
        self.assertEqual(settings["technique"]["view"], "final")  # no part of a look

    def test_names_of_settings_files(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false, "Settings and presets": true}}'
        )
        run = self.start("--view", "coc", "--no-vsync")
        run.xdotool("mousemove", 220, 294, "sleep", 0.2, "click", 1, "sleep", 0.3, "type", "plain")  # "File"
        run.xdotool("sleep", 0.3, "mousemove", 240, 318, "sleep", 0.3, "click", 1)  # "Save"
        self.written("plain.json")
        run.xdotool("mousemove", 220, 342, "sleep", 0.2, "click", 1, "sleep", 0.3, "type", "a/b")  # a preset
        run.key("Return")
        run.xdotool("click", 1, "sleep", 0.3, "key", "End", "BackSpace", "BackSpace")
        run.xdotool("type", "c")
        run.key("Return")
        self.written("satdof/presets/ac.json")
        self.assertEqual([path.name for path in (self.folder / "satdof/presets").iterdir()], ["ac.json"])
        run.quit()

    def test_a_text_field_leaves_the_keys_of_the_window(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false, "Settings and presets": true}}'
        )
        run = self.start("--view", "sharp", "--no-vsync")
        run.xdotool("mousemove", 220, 342, "sleep", 0.2, "click", 1, "sleep", 0.3)  # the name of a preset
        run.xdotool("type", "t3")
        run.key("F12")
        self.written("satdof-0001.png")
        settings = run.quit()
        self.assertEqual(settings["technique"]["view"], "sharp")
        self.assertEqual(settings["technique"]["table"]["format"], "uint32")

    def test_a_window_follows_the_dots_per_inch(self):
        resource = ["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s"]
        subprocess.run([*resource, "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192\n"], check=True)
        self.addCleanup(subprocess.run, ["xprop", "-root", "-remove", "RESOURCE_MANAGER"], check=True)
        run = self.start("--size", "320x240", "--view", "coc", "--lens", "box", "--f-number", "1")
        self.assertEqual(run.geometry()[:2], (640, 480))
        text = run.settled()[4:60, 10:90].max(axis=2) > 120
        self.assertGreater(
            np.nonzero(text.any(axis=1))[0][0], 12
        )  # the first line of the panels, from 6 to 8 at 96
        self.assertEqual(run.quit()["size"], "320x240")

    def test_first_start_and_what_is_remembered(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text("{}")
        run = self.start("--view", "sharp")
        with_hint = run.image()
        until("no hint", lambda: difference(run.image()[300:380, 340:], with_hint[300:380, 340:]) > 0.05)
        run.key("ctrl+shift+2")
        run.quit()
        remembered = json.loads((self.folder / "satdof/interface.json").read_text())
        self.assertTrue(remembered["hintSeen"])
        self.assertEqual(remembered["bookmarks"][1]["yawDegrees"], 12)

    def test_flip_bookmarks_and_loupe(self):
        run = self.start("--view", "sharp", "--split-view", "coc", "--no-ui")
        a = run.settled()
        run.xdotool("keydown", "x")
        until("B", lambda: difference(run.screenshot(), a) > 0.4)
        run.xdotool("keyup", "x")
        until("A", lambda: np.array_equal(run.screenshot(), a))
        run.xdotool("keydown", "x")
        b = run.changed_from(a, 0.4)
        run.xdotool("keyup", "x")
        run.key("s")
        time.sleep(NOTICE_S)
        split = run.changed_from(a, 0.1)
        run.xdotool("keydown", "x")
        self.assertTrue(np.array_equal(run.changed_from(split, 0.1), b), "B with its label, no line")
        run.xdotool("keyup", "x")
        run.key("s")
        time.sleep(NOTICE_S)
        run.settled()
        run.key("ctrl+shift+1", "Left", "Left")
        run.key("ctrl+1")
        run.key("m", "m", "m")
        time.sleep(NOTICE_S)
        corner = np.s_[SIZE[1] - 190 : SIZE[1] - 20, SIZE[0] - 190 : SIZE[0] - 20]
        self.assertGreater(difference(run.image()[corner], a[: SIZE[1], : SIZE[0]][corner]), 0.1)
        settings = run.quit()
        self.assertEqual(settings["camera"]["yawDegrees"], 12)
        self.assertFalse(settings["split"]["enabled"])

    def test_a_second_look_at_b_draws_nothing(self):
        lenses = ["--lens", "layered", "--split-lens", "tent"]
        costly = ["--samples", "8", "--teapots", "4000"]
        run = self.start(
            *lenses, *costly, "--no-adaptive", "--no-lower-resolution", "--no-converge", "--no-ui"
        )
        a = run.settled()

        def ticks_of_a_look():
            before = self.ticks(run)
            run.xdotool("keydown", "x")
            b = run.changed_from(a, 0.05)
            run.xdotool("keyup", "x")
            until("A", lambda: np.array_equal(run.screenshot(), a))
            return self.ticks(run) - before, b

        first, b = ticks_of_a_look()
        second, again = ticks_of_a_look()
        self.assertTrue(np.array_equal(b, again))
        self.assertLess(second, 0.7 * first)
        run.key("Left")
        a = run.changed_from(a)
        moved = ticks_of_a_look()[1]
        self.assertGreater(difference(moved, b), 0.05, "B follows the camera")
        run.quit()

    def test_a_capture_of_another_size_divides_a_view_where_the_window_does(self):
        self.remember(windowSize=False, width=200, height=120)
        run = self.start("--view", "table-error", "--lens", "box")
        run.settled()
        run.key("F12")
        self.written("satdof-0001.png")
        run.quit()
        columns = read_image(self.folder / "satdof-0001.png").astype(float).mean(axis=(0, 2))
        self.assertEqual(columns.size, 200)
        middle = round(200 * 0.5 * (1 + PANELS_RIGHT / SIZE[0]))
        self.assertGreater(columns[:middle].min(), 4 * columns[middle:].max())

    def comes_back_after_captures(self, scene):
        self.remember(windowSize=False, width=200, height=40, sequenceFrames=1000, video=False)
        run = self.start("--no-ui", "--scene", scene, "--lens", "box")
        screen = run.settled()
        run.key("F12")
        self.written("satdof-0001.png")
        run.changed_from(screen, 0.002)  # the notice
        until("the image again", lambda: np.array_equal(run.screenshot(), screen))
        run.key("ctrl+F12")
        self.written("sequence-0002.png")
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

    def test_a_failed_capture_is_told_without_panels(self):
        run = self.start("--no-ui")
        before = run.settled()
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        run.key("F12")
        message = (slice(0, 60), slice(300, SIZE[0]))
        if os.geteuid() == 0:  # root may write everywhere
            self.written("satdof-0001.png")
        else:
            until("an error", lambda: difference(run.image()[message], before[message]) > 0.3)
            run.key("Escape")
            until("no error", lambda: np.array_equal(run.screenshot(), before))
        self.folder.chmod(0o700)
        run.quit()

    def test_a_recording_without_a_free_name_is_told(self):
        self.remember(sequenceFrames=2, video=False)
        (self.folder / "sequence-999999999.png").touch()
        run = self.start("--no-ui")
        run.key("ctrl+F12")
        until("an error", lambda: self.has_box(run.image()[:60, SIZE[0] - 200 :]))
        run.quit()

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
        run.xdotool("keydown", "ctrl", "mousemove", 220, 150, "click", 1, "keyup", "ctrl", "sleep", 0.3)
        run.xdotool("type", "2,5")
        run.key("Return", "bracketright", "f")
        until("full screen", lambda: run.geometry() == (*SCREEN, 0, 0))
        run.key("Escape")
        until("the window", lambda: run.geometry()[:2] == SIZE)
        settings = run.quit()
        self.assertAlmostEqual(settings["lens"]["focusDistanceM"], 2.5, 4)
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.4, 4)

    def test_a_typed_f_number_may_begin_with_its_letter(self):
        run = self.start("--view", "sharp")
        run.xdotool("keydown", "ctrl", "mousemove", 220, 198, "click", 1, "keyup", "ctrl", "sleep", 0.5)
        run.xdotool("type", "--delay", 100, "f/2.5")
        run.key("Return")
        time.sleep(0.5)
        self.assertAlmostEqual(run.quit()["lens"]["fNumber"], 2.5, 4)

    def test_a_path_that_cannot_be_used_stays_in_its_field(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false, "Scene": true}}'
        )
        run = self.start("--scene", "image", "--view", "sharp")
        field = np.s_[190:206, 142:310]
        before = run.settled()[field]
        run.xdotool("mousemove", 220, 198, "click", 1, "sleep", 0.5, "type", "--delay", 100, "missing.png")
        run.key("Return")
        run.xdotool("mousemove", SIZE[0] - 20, SIZE[1] - 20)
        until("the error", lambda: self.has_box(run.image()[:30, PANELS_RIGHT:]))
        typed = run.settled()[field]
        self.assertGreater(difference(typed, before), 0.05)
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

    def test_the_footprint_is_described_beside_the_mouse(self):
        run = self.start("--view", "footprint", "--lens", "box", "--no-lamps")
        run.settled()

        def described():
            image = run.image()[:, PANELS_RIGHT:]
            return np.sum(image.min(axis=2) > 230)

        run.xdotool("mousemove", 20, 20)
        until("no lines", lambda: described() < 20)
        run.xdotool("mousemove", 460, 180)
        until("the lines", lambda: described() > 60)
        image = np.s_[: SIZE[1], PANELS_RIGHT : SIZE[0]]
        first = run.settled()[image]
        run.xdotool("mousemove", 461, 180, "sleep", 1)
        self.assertGreater(difference(run.settled()[image], first), 0)
        run.xdotool("mousemove", 460, 180, "sleep", 1)
        self.assertEqual(difference(run.settled()[image], first), 0, "the numbers are of this pixel")
        run.quit()

    @staticmethod
    def listing():
        return subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout

    def test_lost_device(self):
        if not re.search(r"\bcuda\b.*not (built|available)", self.listing()):
            self.skipTest("every device can run here")
        (self.folder / "satdof").mkdir(exist_ok=True)
        (self.folder / "satdof/settings.json").write_text('{"technique": {"device": "cuda"}}')
        self.assertEqual(self.start().quit()["technique"]["device"], "auto")
        run = Run(self.folder, "--device", "cuda")
        self.addCleanup(run.kill)
        self.assertEqual(run.wait()[0], 1)
        self.assertIn("cuda", run.errors())

    def test_damaged_settings(self):
        (self.folder / "satdof").mkdir(exist_ok=True)
        (self.folder / "satdof/settings.json").write_text('{"lens": {"fNumber": "wide"}')
        run = self.start()
        self.assertEqual(run.errors().count("\n"), 1)
        self.assertIn("settings.json", run.errors())
        run.key("ctrl+q")
        status, settings = run.wait()
        self.assertEqual(status, 0)
        self.assertAlmostEqual(settings["lens"]["fNumber"], 1.2, 4)

    def test_a_config_folder_that_cannot_be_used(self):
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        run = self.start(environment={"XDG_CONFIG_HOME": str(loop)})
        self.assertIn("settings.json", run.errors())
        run.key("ctrl+q")
        self.assertEqual(run.wait()[0], 0)
        self.assertIn("cannot save the settings", run.errors())

    def copied_data(self):
        data = self.folder / "data"
        for name in ["shaders", "assets"]:
            shutil.copytree(SOURCE_DIR / name, data / name)
        return data

    def test_shader_reload(self):
        data = self.copied_data()
        run = self.start("--no-ui", environment={"SATDOF_DATA": str(data)})
        good = run.settled()
        shader = data / "shaders/common/present.frag"
        source = shader.read_text()
        shader.write_text(source + "\nthis is no GLSL\n")
        run.key("F5")
        until("the driver's log", lambda: "present.frag" in run.errors())
        until(
            "the error on the screen",
            lambda: difference(run.image()[:60, -200:], good[:60, SIZE[0] - 200 : SIZE[0]]) > 0.3,
        )
        run.key("Escape")
        until("the image", lambda: np.array_equal(run.screenshot(), good))
        output = re.search(r"\bout\s+vec4\s+(\w+)", source).group(1)
        end = source.rindex("}")
        shader.write_text(source[:end] + f"  {output} = vec4(0.0, 1.0, 0.0, 1.0);\n" + source[end:])
        run.key("F5")
        until("the new shader", lambda: tuple(run.image()[200, 400]) == (0, 255, 0))
        run.key("ctrl+q")
        self.assertEqual(run.wait()[0], 0)

    def test_a_lens_whose_shader_fails_leaves_the_image(self):
        data = self.copied_data()
        sources = {shader: shader.read_text() for shader in (data / "shaders/lens/tent").glob("*.comp")}
        for shader, source in sources.items():
            shader.write_text(source + "\nthis is no GLSL\n")
        run = self.start(
            *("--no-ui", "--lens", "box", "--device", "gl-compute"), environment={"SATDOF_DATA": str(data)}
        )
        good = run.settled()
        run.key("l")  # the tent lens
        until("the driver's log", lambda: difference(run.image()[:60, -200:], good[:60, -200:]) > 0.3)
        time.sleep(HINT_S)
        middle = (slice(150, 250), slice(200, 400))
        np.testing.assert_array_equal(run.screenshot()[middle], good[middle])
        for shader, source in sources.items():
            shader.write_text(source)
        run.key("F5")
        until("the tent lens", lambda: difference(run.screenshot()[middle], good[middle]) > 0.1)
        settings = run.quit()
        self.assertEqual(settings["technique"]["lens"]["kind"], "tent")

    def start_with_damage(self, damaged, *arguments):
        """Starts with a shader that does not compile. Returns the run, its screen, and what mends the shader."""
        data = self.copied_data()
        shader = data / "shaders" / damaged
        source = shader.read_text()
        shader.write_text(source + "\nthis is no GLSL\n")
        run = self.start("--no-ui", *arguments, environment={"SATDOF_DATA": str(data)})
        told = (slice(0, 60), slice(SIZE[0] - 200, SIZE[0]))
        box = until("the driver's log", lambda: self.has_box(run.image()[told]) and (run.settled(),))[0]
        return run, box, lambda: shader.write_text(source)

    @staticmethod
    def has_box(corner):
        """Whether a box with the colour of errors covers the corner."""
        red, green, blue = corner.astype(int).transpose(2, 0, 1)
        return np.sum((red > 150) & (red - blue > 80) & (green > blue)) > 30

    def test_a_filter_whose_shader_fails_leaves_the_image_until_it_is_mended(self):
        run, failed, mend = self.start_with_damage(
            "filter/convolve.frag", *("--filter", "edges", "--filter-variant", "gl-fragment", "--lens", "box")
        )
        teapots = (slice(150, 350), slice(0, SIZE[0]))
        self.assertGreater(failed[teapots].mean(), 20, "the image without a filter")
        mend()
        run.key("F5")
        until("the filtered image", lambda: difference(run.screenshot()[teapots], failed[teapots]) > 0.5)
        self.assertEqual(run.quit()["filter"]["mask"], "edges")

    def test_a_solver_whose_shader_fails_is_tried_again_once_mended(self):
        run, _, mend = self.start_with_damage(
            "scene/bodies/kick.comp", *("--scene", "bodies", "--bodies", "300", "--solver", "gl-compute")
        )
        told = (slice(0, 60), slice(SIZE[0] - 200, SIZE[0]))
        mend()
        run.key("F5")
        until("no error", lambda: not self.has_box(run.image()[told]))
        self.assertEqual(run.quit()["scene"]["bodies"]["solver"], "gl-compute")

    def test_files_after_frames(self):
        run = Run(
            self.folder,
            "--frames",
            "5",
            "--capture",
            "last.png",
            "--stats",
            "stats.json",
            "--fps",
            "25",
            "--animate",
            "--with-ui",
        )
        self.addCleanup(run.kill)
        self.assertEqual(run.wait(), (0, None))
        self.assertEqual(json.loads((self.folder / "stats.json").read_text())["frames"], 5)
        image = read_image(self.folder / "last.png")
        self.assertEqual(image.shape[1::-1], SIZE)
        self.assertLess(np.median(image[:, :PANELS_RIGHT]), 0.7 * np.median(image[:, PANELS_RIGHT:]))

    def test_a_list_closes_when_its_choice_is_seen(self):
        run = self.start("--animate", "--teapots", "300", "--samples", "8", "--lens", "tent")  # slow frames

        def letters(image):
            return image[60:210, 132:290].min(axis=2) > 150

        closed = letters(run.image())
        run.xdotool("mousemove", 220, 37, "click", 1)
        until("an open list", lambda: np.mean(letters(run.image()) != closed) > 0.02)
        time.sleep(1)
        entries = letters(run.image())
        run.xdotool("mousemove", 200, 206, "click", 1)  # "Circle of confusion | image"

        def chosen():
            image = run.image()
            return image[60, 400, 0] > 2 * image[60, 400, 2] and (image,)  # the far blur is orange

        first = letters(until("the circle of confusion", chosen)[0])
        self.assertLess(np.mean(first[entries]), 0.5)
        run.quit()

    def test_panels_describe_the_image_that_they_are_shown_with(self):
        def panels(frames):
            run = Run(
                self.folder,
                *("--lens", "reference", "--lens-samples", "4", "--with-ui"),
                *("--frames", frames, "--capture", "last.png"),
            )
            self.addCleanup(run.kill)
            self.assertEqual(run.wait()[0], 0)
            return read_image(self.folder / "last.png")[24:, :PANELS_RIGHT]  # below the time of a frame

        np.testing.assert_array_equal(panels("1"), panels("12"))

    def test_a_chosen_scene_has_its_own_camera(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false, "Scene": true}}'
        )
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
            return run.quit()

        def photograph(name, metres):
            noise = np.random.default_rng(3).integers(0, 256, (300, 480, 3), np.uint8)
            Image.fromarray(noise).save(self.folder / f"{name}.png")
            with open(self.folder / f"{name}.pfm", "wb") as file:
                file.write(b"Pf\n480 300\n-1.0\n" + np.full((300, 480), metres, "<f4").tobytes())
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
        Image.fromarray(np.zeros((8, 8, 3), np.uint8)).save(photograph)
        for arguments in ("--model", bad), ("--image", photograph):
            settings = without_file(*map(str, arguments))
            self.assertEqual(settings["scene"]["kind"], "teapots")
            self.assertEqual(settings["scene"]["model"]["file"], "")
            self.assertEqual(settings["scene"]["image"]["file"], "")

    def test_the_name_of_a_device_moves_no_panel(self):
        def right_ends(device):
            run = self.start("--adaptive", "--device", device, "--lens", "layered")
            ends = run.settled()[100 : SIZE[1], PANELS_RIGHT - 60 : PANELS_RIGHT - 40]
            run.quit()
            return ends

        self.assertLess(difference(right_ends("gl-fragment"), right_ends("cpu")), 0.01)

    def test_texts_of_large_panels_do_not_overlap(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            json.dumps(
                {
                    "hintSeen": True,
                    "uiScale": 2.5,
                    "openSections": {"Lens": False, "Camera and display": True},
                }
            )
        )
        run = self.start("--view", "depth")
        letters = run.settled()[: SIZE[1], :PANELS_RIGHT].min(axis=2) > 120
        self.assertFalse(letters[22:52, 219:231].any(), "before F1")
        self.assertTrue(letters[22:52, 233:270].any(), "F1")
        self.assertTrue(letters[297:327, 100:135].any(), "the title Camera and display, cut")
        self.assertFalse(letters[297:327, 270:282].any(), "within its header")
        self.assertTrue(letters[356:386, 105:190].any(), "Reset, below the title")
        run.quit()

    def test_a_warning_moves_no_panel(self):
        (self.folder / "satdof").mkdir()
        (self.folder / "satdof/interface.json").write_text(
            '{"hintSeen": true, "openSections": {"Lens": false}}'
        )

        def look(scene):
            run = self.start("--lens", "box", "--scene", scene, "--exposure", "8", "--ui")
            screen = run.settled()
            run.key("F2")
            without_panels = run.changed_from(screen)
            run.quit()
            run.kill()
            told = np.s_[0:60, SIZE[0] - 200 : SIZE[0]]
            headers = screen[90:370, :PANELS_RIGHT].min(axis=2) > 150
            return headers, self.has_box(screen[told]), self.has_box(without_panels[told])

        teapots, *told_of_teapots = look("teapots")
        image, *told_of_no_image = look("image")
        self.assertEqual((told_of_teapots, told_of_no_image), ([False, False], [True, True]))
        self.assertLess(np.mean(teapots != image), 0.005)

    def test_a_lens_replaces_what_cannot_compute_its_blur(self):
        run = self.start(
            *("--no-ui", "--device", "cpu", "--lens", "box", "--lens-on", "cpu", "--exposure", "8"),
        )
        run.settled()
        run.key("l")  # the tent lens
        time.sleep(NOTICE_S)
        self.assertFalse(self.has_box(run.settled()[0:60, SIZE[0] - 200 : SIZE[0]]))
        settings = run.quit()
        self.assertEqual(settings["technique"]["lens"], {"kind": "tent", "on": "auto"})

    def refused(self, environment):
        done = subprocess.run(
            [PROGRAM],
            cwd=self.folder,
            env={**environment, "XDG_CONFIG_HOME": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        self.assertEqual(done.returncode, 1)
        said = without_driver(done.stderr)
        self.assertEqual(said.count("\n"), 1)
        return said

    def test_no_display(self):
        self.assertIn("--headless", self.refused({k: v for k, v in os.environ.items() if k != "DISPLAY"}))

    def test_old_opengl(self):
        self.assertIn("OpenGL 4.5", self.refused({**os.environ, "MESA_GL_VERSION_OVERRIDE": "3.3"}))


if __name__ == "__main__":
    main()
