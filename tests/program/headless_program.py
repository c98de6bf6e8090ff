"""The headless program for tests that run it as a person would. Takes the first argument: PATH_TO_SATDOF."""

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


def without_progress(said):
    """What the program said but its progress, which it tells after ten seconds."""
    return re.sub(r"(?m)^(?:frame|focus|sample) \d+ of \d+\n", "", said)


def run(command, **options):
    """A command that has ended, with what it said."""
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def start(*arguments, **environment):
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


def pixels(path):
    """An image as integers, (rows, columns, 3)."""
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB"), dtype=int)


def mesa_vendor():
    return next(
        (path for path in ("/usr/share/glvnd/egl_vendor.d/50_mesa.json",) if os.path.exists(path)), ""
    )


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="satdof-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self):
        return sorted(os.listdir(self.folder))

    def draw(self, *arguments):
        """A successful headless run at the test's size."""
        done = start("--headless", "--size", "%dx%d" % SIZE, "--lens-samples", LENS_SAMPLES, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done

    def image(self, *arguments):
        """The pixels that a run captures, as integers (rows, columns, 3)."""
        path = self.path("image.png")
        self.draw("--capture", path, *arguments)
        with Image.open(path) as image:
            self.assertEqual((image.format, image.mode, image.size), ("PNG", "RGB", SIZE))
        return pixels(path)

    def refuse(self, status, says, *arguments, headless=True, **environment):
        """A run that ends with `status`, one line on stderr with all of `says`, and no new file."""
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
