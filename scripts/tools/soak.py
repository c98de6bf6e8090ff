"""Drives a window with random input and watches its memory, descriptors and threads: soak run MINUTES [SEED].

Presses random keys, clicks, drags and scrolls on the image, resizes the window, and drops files on it: random settings of every scene,
lens, device and view, images, and damaged files. Once a minute, restores the first settings and size, waits for a capture to prove that
the window answers, and measures. Starts its own Xvfb.

Reports growth if a measurement rises by more than its limit in LIMITS after the first WARM_UP of the minutes. The rise is estimated
robustly, so single outliers do not count.
"""

import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time

import numpy
from PIL import Image

from tools import program
from tools.drag_source import DragSource

SCREEN = (1000, 800)
SIZE = (480, 320)
PANELS = 250  # width of the panels in pixels; clicks avoid them because they could close files
ANSWER_S = 120  # time limit of the window to answer, on a busy machine with software OpenGL
TIDY_S = 7  # seconds until the window has freed unused memory: more than kTidyS in renderers.cpp
WARM_UP = 0.3  # fraction of the minutes
LIMITS = {"MiB": 30.0, "descriptors": 3.0, "threads": 2.0}  # largest rise
KEYS = [*"abcdefghijklmnoprstuvwxyz0123456789"]
KEYS += "bracketleft bracketright minus equal comma period space Tab Left Right Up Down Prior Next Home Escape".split()
KEYS += "F1 F2 F3 F5 F12 question slash ctrl+z ctrl+y ctrl+c ctrl+v ctrl+x ctrl+1 ctrl+shift+1".split()


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stderr=subprocess.DEVNULL)


def some_settings(chosen):
    """Settings as JSON: a technique for A and B, a lens and a scene."""

    def technique():
        return {
            "device": chosen.choice(["auto", "gl-compute", "gl-fragment", "cpu", "cpu-sequential"]),
            "lens": {
                "kind": chosen.choice(["auto", "box", "tent", "layered", "reference", "gems"]),
                "on": "auto",
            },
            "view": chosen.choice(["final", "final", "sharp", "coc", "depth", "table", "near", "footprint"]),
            "bokeh": {"enabled": chosen.random() < 0.3},
        }

    return {
        "technique": technique(),
        "split": {"enabled": chosen.random() < 0.4, "b": technique()},
        "lens": {
            "fNumber": chosen.uniform(0.5, 8),
            "focusDistanceM": chosen.uniform(0.5, 8),
            "lensSamples": 8,
        },
        "filter": {"mask": chosen.choice(["none", "none", "blur", "sharpen", "edges"])},
        "scene": {
            "kind": chosen.choice(["teapots", "bodies", "image", "model"]),
            "samples": chosen.choice([1, 2, 4]),
            "animate": chosen.random() < 0.5,
            "teapots": {"count": chosen.choice([1, 12, 60])},
            "bodies": {"count": chosen.choice([2, 100, 1000])},
        },
    }


class Soak:
    def __init__(self, program, folder, seed):
        self.chosen, self.folder = random.Random(seed), folder
        self.actions = self.dropped = 0
        self.source = DragSource(ANSWER_S)
        self.write_files(program)
        command = [program, "--settings", folder / "base.json", "--size", f"{SIZE[0]}x{SIZE[1]}"]
        self.errors = open(folder / "stderr.txt", "w+")
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)},
            stderr=self.errors,
        )
        self.window = self.until("a window", self.find)
        xdotool("windowfocus", self.window)
        self.until("an image", self.answers)

    def write_files(self, program):
        stats, base = self.folder / "stats.json", self.folder / "base.json"
        command = [
            program,
            *"--headless --size 48x32 --teapots 12 --samples 1 --no-animate --stats".split(),
            stats,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        settings = json.loads(stats.read_text())["settings"]
        base.write_text(json.dumps(settings))
        rows = numpy.random.default_rng(1).integers(0, 256, (90, 160, 3), numpy.uint8)
        Image.fromarray(rows).save(self.folder / "colour.png")
        Image.fromarray(rows[:, :, 0]).save(self.folder / "depth.png")
        (self.folder / "damaged.png").write_bytes((self.folder / "colour.png").read_bytes()[:700])
        (self.folder / "damaged.json").write_text('{"lens": {"fNumber": "wide"}}')

    def until(self, what, condition):
        end = time.monotonic() + ANSWER_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with status {self.process.returncode}")
            if found := condition():
                return found
            time.sleep(0.1)
        raise AssertionError(f"no {what} within {ANSWER_S} s")

    def find(self):
        command = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)]
        found = subprocess.run(command, capture_output=True, text=True).stdout.split()
        return int(found[-1]) if found else None

    def answers(self):
        """Whether the window writes an image when F12 is pressed."""
        xdotool("key", "Escape", "F12")
        time.sleep(0.5)
        images = list(self.folder.glob("satdof-*"))
        done = any(path.stat().st_size > 0 for path in images)
        for path in images if done else []:
            path.unlink()
        return done

    def drop(self, *names):
        self.dropped += 1
        self.source.drop(self.window, [self.folder / name for name in names], at=(300, 100))

    def act(self):
        chosen = self.chosen
        self.actions += 1
        kind = chosen.random()
        if kind < 0.6:
            xdotool("key", chosen.choice(KEYS))
        elif kind < 0.75:
            place = chosen.randint(PANELS, SCREEN[0] - 1), chosen.randint(0, SCREEN[1] - 1)
            xdotool("mousemove", *place, "click", chosen.choice([1, 2, 3, 4, 5]))
        elif kind < 0.8:
            drag = ["mousedown", 1, "mousemove", chosen.randint(260, 420), 90, "mouseup", 1]
            xdotool("mousemove", 300, 200, *drag)
        elif kind < 0.85:
            xdotool("windowsize", self.window, chosen.randint(160, 900), chosen.randint(120, 700))
        elif kind < 0.95:
            (self.folder / "random.json").write_text(json.dumps(some_settings(chosen)))
            self.drop("random.json")
        else:
            files = ["colour.png depth.png", "colour.png", "damaged.png", "damaged.json"]
            self.drop(*chosen.choice(files).split())
        time.sleep(chosen.choice([0.0, 0.05, 0.3]))

    def rest(self):
        """Restores the first settings and size of the window, and waits until it answers and is tidy."""
        xdotool("key", "Escape", "Escape")
        self.drop("base.json")
        xdotool("windowsize", self.window, *SIZE)
        self.until("capture", self.answers)
        time.sleep(TIDY_S)

    def measure(self):
        process = pathlib.Path(f"/proc/{self.process.pid}")
        status = (process / "status").read_text()
        return {
            "MiB": int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024,
            "descriptors": len(list((process / "fd").iterdir())),
            "threads": int(re.search(r"Threads:\s+(\d+)", status).group(1)),
        }

    def minute(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.act()
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with status {self.process.returncode}")
        self.rest()
        return self.measure()

    def close(self):
        """Asks the window to end. Returns its exit status."""
        self.process.terminate()
        return self.process.wait(ANSWER_S)


def risen(values):
    """The rise of the values after the warm-up, by the Theil-Sen estimator: the median of the slopes of all pairs."""
    kept = values[int(len(values) * WARM_UP) :]
    if len(kept) < 2:
        return 0.0
    pairs = itertools.combinations(enumerate(kept), 2)
    slope = statistics.median((b - a) / (j - i) for (i, a), (j, b) in pairs)
    return slope * (len(kept) - 1)


def start_server(size=SCREEN):
    """Starts Xvfb. Returns the process and the name of the display."""
    read, write = os.pipe()
    options = ["-noreset", "-nolisten", "tcp", "-screen", "0", f"{size[0]}x{size[1]}x24"]
    command = ["Xvfb", "-displayfd", str(write), *options]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as stream:
        number = stream.readline().strip()
    assert number, "Xvfb did not start"
    return server, ":" + number


@contextlib.contextmanager
def display():
    """Runs Xvfb and sets DISPLAY while in the context."""
    server, os.environ["DISPLAY"] = start_server()
    os.environ.pop("WAYLAND_DISPLAY", None)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def run(program, minutes, seed):
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(program, pathlib.Path(folder), seed)
        measured = []
        try:
            for number in range(1, minutes + 1):
                found = soak.minute()
                measured.append(found)
                numbers = ", ".join(f"{value:.0f} {name}" for name, value in found.items())
                print(f"minute {number}: {soak.actions} actions, {soak.dropped} drops, {numbers}", flush=True)
            status = soak.close()
            if status != -15:
                raise AssertionError(f"ended with status {status} when told to end")
        except (AssertionError, subprocess.SubprocessError) as failure:
            print(f"FAILED after {soak.actions} actions: {failure}")
            print((pathlib.Path(folder) / "stderr.txt").read_text(errors="replace")[-2000:])
            soak.process.kill()
            return 1
    rises = {name: risen([found[name] for found in measured]) for name in LIMITS}
    grown = [name for name, rise in rises.items() if rise > LIMITS[name]]
    text = ", ".join(f"{rise:+.1f} {name}" for name, rise in rises.items())
    print(f"{'GREW' if grown else 'flat'}, seed {seed}, {soak.actions} actions: after the warm-up {text}")
    return 1 if grown else 0


def main():
    parser = program.parser(__doc__)
    parser.add_argument("minutes", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--program", type=os.path.abspath, default=program.SATDOF)
    given = parser.parse_args()
    with display():
        return run(given.program, given.minutes, given.seed)
