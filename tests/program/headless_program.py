"""Runs the program headless. The first argument of a script that imports this module is PATH_TO_SATDOF."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image
from surroundings import decoded, saved_settings, shot_text  # noqa: F401

SATDOF = os.path.abspath(sys.argv.pop(1))
SIZE = (160, 90)
UINT32_TOLERANCE = 1  # of 255, between devices
LENS_SAMPLES = "16"


def without_progress(text):
    """The text without the progress lines, which the program prints after ten seconds."""
    return re.sub(r"(?m)^(?:frame|focus|sample) \d+ of \d+\n", "", text)


def run(command, **options):
    """Runs a command to its end. Returns the subprocess.CompletedProcess."""
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def start(*arguments, **environment):
    """Runs the program without a display. Returns its subprocess.CompletedProcess, without progress lines."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = run([SATDOF, *arguments], env={**env, **environment})
    done.stderr = without_progress(done.stderr)
    return done


def available():
    """{kind: [names that can run here]} from --list."""
    done = start("--list")
    assert done.returncode == 0, done.stderr
    kinds = {}
    for line in done.stdout.splitlines():
        kind, name, state = re.fullmatch(
            r"(\S+) +(\S+) +(available|not available: .+?)(?:: .*| - .*)?", line
        ).groups()
        kinds.setdefault(kind, [])
        if state == "available":
            kinds[kind].append(name)
    return kinds


CAN = available()
needs_ffmpeg = unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")


def pixels(path):
    """An image as integers, (rows, columns, 3)."""
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB"), dtype=int)


def mesa_vendor():
    """The file that selects Mesa for EGL; empty if it is missing."""
    path = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"
    return path if os.path.exists(path) else ""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="satdof-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self):
        return sorted(os.listdir(self.folder))

    def run_ok(self, *arguments, **environment):
        """Runs start(). Fails unless the program ends with 0."""
        done = start(*arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def draw(self, *arguments):
        """Runs the program at SIZE. Fails unless it ends with 0 and prints no errors."""
        done = start("--headless", "--size", "%dx%d" % SIZE, "--lens-samples", LENS_SAMPLES, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done

    def image(self, *arguments):
        """The captured image of draw(), as integers, (rows, columns, 3)."""
        path = self.path("image.png")
        self.draw("--capture", path, *arguments)
        with Image.open(path) as image:
            self.assertEqual((image.format, image.mode, image.size), ("PNG", "RGB", SIZE))
        return pixels(path)

    def refuse(self, status, says, *arguments, headless=True, **environment):
        """Fails unless a run ends with `status`, prints one line with all of `says` on stderr, and writes no file."""
        before = self.files()
        done = start(*(["--headless"] if headless else []), *arguments, **environment)
        with self.subTest(arguments=arguments):
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("satdof: ") and done.stderr.endswith("\n"))
            for text in says:
                self.assertIn(text, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertEqual(self.files(), before)
