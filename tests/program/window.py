"""The real window under Xvfb, driven by xdotool, judged by screenshots and by the settings it leaves.

For the scripts *_test.py that import it: SCRIPT PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. Ends with 77 where a tool is
missing.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
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
    from Xlib.protocol.event import ClientMessage
except ImportError as error:
    missing.append(str(error))
if missing:
    print("SKIPPED: missing " + ", ".join(missing) + "; scripts/test.sh installs them")
    sys.exit(77)

PROGRAM, SOURCE_DIR = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.append(str(SOURCE_DIR / "scripts"))
from tools import soak  # noqa: E402

FAULTS = PROGRAM.with_name("satdof_faults")
SCREEN = (800, 600)
SIZE = (640, 400)
PANELS_RIGHT = 320  # half of the window, see kLargestColumnFraction
TIMEOUT_S = 400  # a processor that others share, too
MESSAGES = 120  # pixels from the top that one message may cover
NOTICE_S = 3.5  # longer than a notice is shown
HINT_S = 6.5  # longer than the hint that panels are hidden
needs_compiler = unittest.skipUnless(shutil.which("cc"), "needs a compiler")
needs_ffmpeg = unittest.skipUnless(shutil.which("ffprobe"), "needs ffmpeg")
# Sanitizer builds look for everything but leaks: the driver, unloaded by the end, leaves some.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
# Not the portal of this desktop.
os.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/dev/null"


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
    channels = np.maximum(a, b) - np.minimum(a, b) > 2
    return np.mean(channels[:, :, 0] | channels[:, :, 1] | channels[:, :, 2])


def sharpness(image):
    grey = image.astype(float).mean(axis=2)
    return np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean()


@contextlib.contextmanager
def as_another_program(window):
    """The display and the window as another program has them."""
    display = Xlib.display.Display()
    try:
        yield display, display.create_resource_object("window", window)
        display.sync()  # a server may drop requests of a client that has left
    finally:
        display.close()


def send_close(window):
    """What a window manager sends when a window's close button is pressed."""
    with as_another_program(window) as (display, target):
        protocols, delete = (display.intern_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))
        data = (32, [delete, 0, 0, 0, 0])
        target.send_event(ClientMessage(window=target, client_type=protocols, data=data))


def send_kill(window):
    """What xkill does: the server closes the connection of the program."""
    subprocess.run(["xdotool", "windowkill", str(window)], check=True)


def send_destroy(window):
    """Another program destroys the window."""
    with as_another_program(window) as (_, target):
        target.destroy()


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
            *f"--gl-debug --size {SIZE[0]}x{SIZE[1]} --teapots 3 --samples 1".split(),
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
        self.xdotool("windowfocus", "--sync", self.window)
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
        way = ["mousemove", *middle, "sleep", 0.1, "mousemove", *end, "sleep", 0.1]
        self.xdotool(*held, "mousemove", *start, "mousedown", button, *way, "mouseup", button, *released)

    def screenshot(self):
        return self.image(*SCREEN)

    def image(self, width=SIZE[0], height=SIZE[1]):
        pixels = self.root.get_image(0, 0, width, height, X.ZPixmap, 0xFFFFFFFF).data
        return np.asarray(Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", 0, 1))

    def wakes(self):
        """How often each thread of the program has run; None while one runs or waits for a processor or a disk."""
        wakes = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
                status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines())
                if not status["State"].startswith("S"):
                    return None
                wakes[task.name] = status["voluntary_ctxt_switches"], status["nonvoluntary_ctxt_switches"]
        return wakes

    def settled(self):
        """The screen, once looks at it are the same: two while no thread ran, or those of a while.

        Of two seconds in which no look finds a thread that runs, else of six: a starved program seems still, too.
        """
        last = self.screenshot()
        since = idle_since = time.monotonic()

        def same():
            nonlocal last, since, idle_since
            wakes = self.wakes()
            time.sleep(0.25)
            image, now = self.screenshot(), time.monotonic()
            if not np.array_equal(image, last):
                last, since, idle_since = image, now, now
                return None
            if wakes is None:
                idle_since = now
            rested = wakes and self.wakes() == wakes
            return (image,) if rested or now > min(idle_since + 2, since + 6) else None

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

    def quit(self, told=""):
        """Ends the program; returns the settings left behind. told: a part of what it says; else it says nothing."""
        self.key("ctrl+q")
        status, settings = self.wait()
        assert status == 0, f"status {status}: {self.errors()}"
        assert told in self.errors() if told else self.errors() == "", self.errors()
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
    return soak.start_server(SCREEN)


# Calls as of a network folder whose server is gone: folders of the name "silent", while no file "silent.answers" is beside them. A
# file "silent.fails" lets the next file not reach its disk.
SILENT = """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define REAL(name) __typeof__(name)* real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)
static void ask(const char* path) {
  const char* at = strstr(path, "/silent");
  if (at == NULL || (at[7] != 0 && at[7] != '/')) return;
  char answers[4096];
  snprintf(answers, sizeof answers, "%.*s.answers", (int)(at + 7 - path), path);
  while (access(answers, F_OK) != 0) usleep(10000);
}
int stat(const char* path, struct stat* status) {
  REAL(stat);
  if (strstr(path, "/silent/")) ask(path);
  return real(path, status);
}
int open(const char* path, int flags, ...) {
  REAL(open);
  va_list rest;
  va_start(rest, flags);
  const int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  ask(path);
  return real(path, flags, mode);
}
int fsync(int file) {
  REAL(fsync);
  char link[64], path[4096], fails[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  const char* at = strstr(path, "/silent/");
  if (at == NULL) return real(file);
  snprintf(fails, sizeof fails, "%.*s.fails", (int)(at + 7 - path), path);
  if (unlink(fails) != 0) return real(file);
  errno = EIO;
  return -1;
}
DIR* opendir(const char* path) {
  REAL(opendir);
  ask(path);
  return real(path);
}
"""


def silent_folders(folder):
    """The environment of a program for which folders of the name "silent" do not answer, see SILENT. Makes a library in the folder."""
    library = folder / "silent.so"
    compiler = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"]
    subprocess.run(compiler, input=SILENT, text=True, check=True)
    return {"LD_PRELOAD": str(library)}


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
        self.config, self.programs = self.folder / "satdof", self.folder / "programs"

    @property
    def interface(self):
        """What the window remembers beside the settings."""
        return self.config / "interface.json"

    def remember(self, **preferences):
        """Before the start of a window: what it remembers of the one before."""
        self.interface.parent.mkdir(exist_ok=True)
        self.interface.write_text(json.dumps({"hintSeen": True, **preferences}))

    def preferences(self):
        return json.loads(self.interface.read_text())

    def launch(self, *arguments, **keywords):
        run = Run(self.folder, *arguments, **keywords)
        self.addCleanup(run.kill)
        return run

    def start(self, *arguments, **keywords):
        return self.launch(*arguments, **keywords).open()

    @contextlib.contextmanager
    def another_display(self):
        """A server with its display, on which windows open; it ends with the test."""
        server, number = start_server()
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        with unittest.mock.patch.dict(os.environ, DISPLAY=number):
            yield server, number

    def script(self, name, body):
        """Makes a program in the folder `programs`."""
        self.programs.mkdir(exist_ok=True)
        (self.programs / name).write_text("#!/bin/sh\n" + body)
        (self.programs / name).chmod(0o755)

    def written(self, name):
        """Waits for a file, which is complete when it has its name, and returns its path."""
        path = self.folder / name
        until(name, path.exists)
        self.assertGreater(path.stat().st_size, 0)
        return path

    def saved(self, run, name="satdof-0001.png", key="F12"):
        """The file of that name, once a key has made the window write it."""
        run.key(key)
        return self.written(name)

    def until_set(self, run, what, holds):
        """Waits until holds() is true of the saved settings."""
        until(what, lambda: run.settings() and holds(run.settings()))

    def cancel_slow(self, run, key):
        """Asks twice for what takes long, by a key, and cancels it: by Escape, and by the button of its progress."""
        middle = np.s_[170:230, 250:390]
        before = run.image()[middle]

        def asks():
            return difference(run.image()[middle], before) > 0.9

        for cancel in (lambda: run.key("Escape"), lambda: run.xdotool("mousemove", 320, 223, "click", 1)):
            run.key(key)
            until("the progress", asks)
            cancel()
            until("the image", lambda: not asks())

    def ticks(self, run):
        fields = pathlib.Path(f"/proc/{run.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def red_photograph(self, folder):
        """A photograph with its depth; is_red() tells whether it is shown."""
        photo = folder / "red.png"
        Image.fromarray(np.full((30, 40, 3), [250, 20, 20], np.uint8)).save(photo)
        Image.fromarray(np.full((30, 40), 128, np.uint8)).save(folder / "red_depth.png")
        return photo

    @staticmethod
    def is_red(run):
        middle = run.image()[150:250, 400:600].reshape(-1, 3).mean(axis=0)
        return middle[0] > 200 and middle[1] < 80

    @staticmethod
    def has_box(corner):
        """Whether a box with the colour of errors covers the corner."""
        red, green, blue = corner.astype(int).transpose(2, 0, 1)
        return np.sum((red > 150) & (red - blue > 80) & (green > blue)) > 30


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
