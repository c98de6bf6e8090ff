#!/usr/bin/env python3
"""satdof.exe under Wine: windows_test.py PROGRAM SATDOF_EXE [unittest arguments].

PROGRAM is the same version for Linux. Needs a display. Checks that images of both programs are equal, files are replaced,
refusals have the right status, and a window saves its settings.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
from PIL import Image

PROGRAM, EXE = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
DRAWN = ["--headless", "--size", "64x48", "--teapots", "3", "--samples", "1", "--no-animate", "--frames", "1"]


class Windows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_exe(self, *arguments):
        return subprocess.run(
            ["wine", EXE, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300
        )

    def test_images(self):
        for options in [
            ["--lens", "layered", "--device", "gl-compute"],
            ["--lens", "box", "--device", "cpu"],
            ["--scene", "bodies", "--bodies", "50", "--solver", "cpu-tree", "--lens", "tent"],
        ]:
            with self.subTest(options=options):
                done = self.run_exe(*DRAWN, *options, "--capture", "windows.png")
                self.assertEqual(done.returncode, 0, done.stderr)
                subprocess.run(
                    [PROGRAM, *DRAWN, *options, "--capture", "here.png"],
                    cwd=self.folder,
                    check=True,
                    capture_output=True,
                )
                images = [
                    np.asarray(Image.open(self.folder / name).convert("RGB")).astype(int)
                    for name in ["windows.png", "here.png"]
                ]
                self.assertGreater(images[0].max(), 100)
                self.assertLessEqual(np.abs(images[0] - images[1]).max(), 2)

    def test_files(self):
        stats = self.folder / "statistics.json"
        for _ in range(2):
            done = self.run_exe(*DRAWN, "--stats", stats.name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"settings"', stats.read_text())
        self.assertEqual([path.name for path in self.folder.iterdir()], [stats.name])

    def test_refusals(self):
        for status, *arguments in [
            (2, "--no-such-option"),
            (2, "--headless", "--capture", "missing/image.png"),
            (2, "--headless", "--frames", "3", "--video", "film.mp4"),
            (2, "--headless", "--stats", "NUL"),
            (2, "--headless", "--settings", "missing.json"),
        ]:
            with self.subTest(arguments=arguments):
                done = self.run_exe(*arguments)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertTrue(done.stderr.startswith("satdof: "), done.stderr)

    def test_window(self):
        folder = str(pathlib.PureWindowsPath("Z:" + str(self.folder)))
        window = subprocess.Popen(
            ["wine", EXE, *"--size 320x200 --teapots 3 --samples 1 --no-animate --f-number 4".split()],
            env={**os.environ, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(window.stderr.close)
        self.addCleanup(window.kill)
        found = subprocess.run(
            ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^satdof"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        subprocess.run(["xdotool", "windowfocus", found.stdout.split()[0]], check=True)
        end = time.monotonic() + 120
        while window.poll() is None and time.monotonic() < end:
            subprocess.run(["xdotool", "key", "ctrl+q"], check=True)
            time.sleep(1)
        self.assertEqual(window.returncode, 0, window.stderr.read())
        settings = json.loads((self.folder / "satdof/settings.json").read_text())
        self.assertEqual(settings["lens"]["fNumber"], 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
