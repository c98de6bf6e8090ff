#!/usr/bin/env python3
"""scripts/soak attack on programs with known faults: attack_test.py."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOAK = pathlib.Path(__file__).resolve().parents[2] / "scripts/soak"

# A fake satdof with a fault: writes images without a renderer.
FAKE = """#!{python}
import io, os, pathlib, subprocess, sys, time
from PIL import Image

def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None

def image(number):
    stream = io.BytesIO()
    Image.new("RGB", (48, 48), (number, 0, 0)).save(stream, "PNG")
    return stream.getvalue()

def write(path, data):
    if fault == "empty":
        path.touch()
        time.sleep(0.002)
    if fault == "in place":
        path.write_bytes(data)
        return
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
    except OSError:
        part.unlink()
        raise
    if fault == "temporary":
        time.sleep(0.002)
    os.replace(part, path)

fault, frames = os.environ["FAULT"], int(option("--frames"))
try:
    if path := option("--sequence"):
        for number in range(1, frames + 1):
            write(pathlib.Path(f"{{path[:-4]}}-{{number:04d}}{{path[-4:]}}"), image(number))
    if path := option("--capture"):
        time.sleep(0.05)
        write(pathlib.Path(path), image(frames))
    if path := option("--video"):
        command = "ffmpeg -v quiet -y -f rawvideo -pixel_format rgb24 -video_size 48x48 -i pipe:0 -f matroska".split()
        with open(path, "wb") as film:
            os.dup2(film.fileno(), 3)
            subprocess.run([*command, "file:/proc/self/fd/3"], input=bytes(48 * 48 * 3 * frames), pass_fds=[3])
except OSError as error:
    sys.exit(0 if fault == "ignores" else f"{{error}}")
"""


class Attack(unittest.TestCase):
    def attack(self, what, fault, count):
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder) / "satdof"
            fake.write_text(FAKE.format(python=sys.executable))
            fake.chmod(0o755)
            command = [sys.executable, SOAK, "attack", what, "--count", str(count), "--program", str(fake)]
            done = subprocess.run(
                command, env={**os.environ, "FAULT": fault, "TMPDIR": folder}, capture_output=True, text=True
            )
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        return done.stdout

    def test_an_empty_file_is_noticed(self):
        self.assertIn("is no whole frame", self.attack("kills", "empty", 8))

    def test_a_temporary_file_is_noticed(self):
        self.assertRegex(self.attack("kills", "temporary", 8), r"more is left|no whole frame")

    def test_a_film_that_lacks_frames_is_noticed(self):
        self.assertIn("the new file is not whole", self.attack("encoders", "trusts", 6))

    def test_a_full_disk_is_noticed(self):
        self.assertIn("the status is 0 with", self.attack("disks", "ignores", 8))
        self.assertRegex(self.attack("disks", "in place", 8), "no whole frame|is not whole")


if __name__ == "__main__":
    unittest.main()
