"""The program's window under Xvfb, driven by xdotool; tests check screenshots and the saved settings.

Scripts *_test.py that import this module take: PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. They exit with 77 if a
tool is missing.
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
PANELS_RIGHT = 320  # right edge of the panels: half of the window, see kMaxColumnFraction
TIMEOUT_S = 400  # long enough on a busy machine
MESSAGES = 120  # height in pixels of one message at the top
NOTICE_S = 3.5  # longer than a notice is shown
HINT_S = 6.5  # longer than the hint about hidden panels is shown
needs_compiler = unittest.skipUnless(shutil.which("cc"), "needs a compiler")
needs_ffmpeg = unittest.skipUnless(shutil.which("ffprobe"), "needs ffmpeg")
# No leak check in sanitizer builds: Mesa's driver leaks when it is unloaded.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
# No D-Bus: the program must not reach the desktop's portal.
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
    """Fraction of pixels with a channel that differs by more than 2 of 255."""
    channels = np.maximum(a, b) - np.minimum(a, b) > 2
    return np.mean(channels[:, :, 0] | channels[:, :, 1] | channels[:, :, 2])


def sharpness(image):
    grey = image.astype(float).mean(axis=2)
    return np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean()


@contextlib.contextmanager
def as_another_program(window):
    """The display and the window, on a connection of their own, as another program sees them."""
    display = Xlib.display.Display()
    try:
        yield display, display.create_resource_object("window", window)
        display.sync()  # else the server may drop requests of a closed connection
    finally:
        display.close()


def send_close(window):
    """Sends the message of a window's close button."""
    with as_another_program(window) as (display, target):
        protocols, delete = (display.intern_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))
        data = (32, [delete, 0, 0, 0, 0])
        target.send_event(ClientMessage(window=target, client_type=protocols, data=data))


def send_kill(window):
    """Lets the server close the program's connection, as xkill does."""
    subprocess.run(["xdotool", "windowkill", str(window)], check=True)


def send_destroy(window):
    """Destroys the window from another connection."""
    with as_another_program(window) as (_, target):
        target.destroy()


def without_driver(text):
    """The text without the lines of Mesa about drivers that it cannot load."""
    return "".join(line for line in text.splitlines(True) if not line.startswith(("MESA: ", "glx: ")))


class Run:
    """The program with a window, which keeps its settings in `folder`."""

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
        """{thread: numbers of its context switches}; None if a thread does not sleep."""
        wakes = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
                status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines())
                if not status["State"].startswith("S"):
                    return None
                wakes[task.name] = status["voluntary_ctxt_switches"], status["nonvoluntary_ctxt_switches"]
        return wakes

    def settled(self):
        """A screenshot of a still screen.

        The screen is still if two screenshots are equal and no thread ran between them. It also counts as still after two
        seconds without change in which all threads slept at each look, or after six seconds without change.
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
        """Waits for the end. Returns the exit status and the saved settings."""
        status = self.process.wait(TIMEOUT_S)
        return status, self.settings()

    def quit(self, told=""):
        """Ends the program by Ctrl+Q. Returns the saved settings. Stderr must contain `told`, or be empty without it."""
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
    """Starts an X server. Returns its process and its display."""
    return soak.start_server(SCREEN)


# Acts like a network folder whose server does not answer: calls on a folder named "silent" hang until a file "silent.answers" is
# beside it. A file "silent.fails" beside it makes the next fsync() fail.
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
    """Compiles SILENT in the folder. Returns the environment variables that preload the library."""
    library = folder / "silent.so"
    compiler = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"]
    subprocess.run(compiler, input=SILENT, text=True, check=True)
    return {"LD_PRELOAD": str(library)}


class DisplayTest(unittest.TestCase):
    """Tests that share an X server. Each test has a folder."""

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
        """The file of the preferences: what the window remembers beside the settings."""
        return self.config / "interface.json"

    def remember(self, **preferences):
        """Writes the preferences that the next window reads."""
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
        """A second X server, which ends with the test. New windows open on its display inside the context."""
        server, number = start_server()
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        with unittest.mock.patch.dict(os.environ, DISPLAY=number):
            yield server, number

    def script(self, name, body):
        """Writes a shell script to the folder `programs`."""
        self.programs.mkdir(exist_ok=True)
        (self.programs / name).write_text("#!/bin/sh\n" + body)
        (self.programs / name).chmod(0o755)

    def written(self, name):
        """Waits for a file. Returns its path. The program renames a file when it is complete."""
        path = self.folder / name
        until(name, path.exists)
        self.assertGreater(path.stat().st_size, 0)
        return path

    def saved(self, run, name="satdof-0001.png", key="F12"):
        """Presses a key, waits for the file that it writes, and returns its path."""
        run.key(key)
        return self.written(name)

    def until_set(self, run, what, holds):
        """Waits until holds(saved settings) is true."""
        until(what, lambda: run.settings() and holds(run.settings()))

    def cancel_slow(self, run, key):
        """Starts slow work by a key and cancels it, first by Escape, then by the button beside the progress bar."""
        middle = np.s_[170:230, 250:390]
        before = run.image()[middle]

        def shows_progress():
            return difference(run.image()[middle], before) > 0.9

        for cancel in (lambda: run.key("Escape"), lambda: run.xdotool("mousemove", 320, 223, "click", 1)):
            run.key(key)
            until("the progress", shows_progress)
            cancel()
            until("the image", lambda: not shows_progress())

    def ticks(self, run):
        """Processor time of the program, in clock ticks."""
        fields = pathlib.Path(f"/proc/{run.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def red_photograph(self, folder):
        """Writes a red photograph and its depth. Returns the photograph's path. is_red(run) says whether it is shown."""
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
        """Whether a box in the colour of errors covers the corner, an array of pixels."""
        red, green, blue = corner.astype(int).transpose(2, 0, 1)
        return np.sum((red > 150) & (red - blue > 80) & (green > blue)) > 30


class Part(unittest.TestLoader):
    """Every `step`-th test of a class, beginning with number `first`, from 1."""

    def __init__(self, first, step):
        super().__init__()
        self.part = slice(first - 1, None, step)

    def getTestCaseNames(self, case):
        return super().getTestCaseNames(case)[self.part]


def main():
    """Runs the tests of the started script: all, or part K of N."""
    arguments, loader = sys.argv[3:], unittest.defaultTestLoader
    if arguments[:1] == ["--part"]:
        loader = Part(int(arguments[1]), int(arguments[2]))
        arguments = arguments[3:]
    unittest.main(argv=[sys.argv[0], *arguments], testLoader=loader, verbosity=2)
