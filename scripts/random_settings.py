#!/usr/bin/env python3
"""Draws random valid settings and checks what must hold for each: random_settings.py PROGRAM COUNT [SEED].

The options and their ranges come from --help, so that new settings take part. Every image is drawn twice with every
OpenGL call checked: both runs give the same bytes, no value is NaN or infinite, and an image of the teapots is not
black. Tables in fixed point give the same image, within one of 255 steps, on every available device. Settings that the
program refuses must be refused with a message. Every tenth image also takes part in these relations:

  same       with technique B the same as A, the view `difference` is black
  split      a split at 0 shows B alone
  half       at half the size, where all radii are half as large, the image is a smaller version of the same image
  sharp      with scales 0 of the blur, every lens but gems, which ignores them, gives the sharp image

Prints the numbers of images and of checks. Exit status 1 if a check failed; prints the command that repeats it.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

# Ranges that keep an image small and quick to draw; other ranges are those of the option.
SMALL = {
    "--teapots": (0, 60),
    "--bodies": (2, 300),
    "--lens-samples": (1, 8),
    "--samples": (0, 4),
    "--time": (0.0, 3.0),
    "--time-step": (0.005, 0.02),
    "--filter-radius": (1, 8),
    "--exposure": (-2.0, 2.0),
    "--focus": (0.3, 50.0),
    "--f-number": (0.7, 22.0),
    "--focal-length": (15.0, 150.0),
    "--sensor-height": (10.0, 40.0),
    "--distance": (2.0, 12.0),
    "--near-scale": (0.0, 2.0),
    "--far-scale": (0.0, 2.0),
}
# The window alone, files, and what chooses the device here.
LEFT_OUT = {
    "--size",
    "--device",
    "--show-ui",
    "--full-screen",
    "--vsync",
    "--ui",
    "--mask",
    "--scan",
    "--lens-on",
}
LEFT_OUT |= {"--adaptive", "--converge", "--lower-resolution", "--autofocus", "--animate", "--solver"}
SIZES = ("48x32", "31x33", "64x20", "17x40")
STEP = 1.5 / 255
RUN_S = 280  # also on a busy machine
PROGRESS = re.compile(r"(frame|sample|build) \d+ of \d+\n?\n?")  # told to those who wait long


def options(help_text):
    """{option: ("number" or "whole", low, high) or ("one of", names) or ("flag",)} of --help."""
    found = {}
    for line in help_text.splitlines():
        if not (match := re.match(r"  (--[\w-]+)(?: (\S+))?\s+.*\((.*); [^;]*\)$", line)):
            continue
        name, _, what = match.groups()
        if name in LEFT_OUT:
            continue
        if number := re.match(r"(a number|a whole number|a power of two) from (\S+) to (\S+)", what):
            kind = "whole" if number[1] == "a whole number" else number[1].split()[-1]
            found[name] = (kind, *SMALL.get(name, (float(number[2]), float(number[3]))))
        elif what.startswith("one of "):
            names = [n for n in re.split(r", | or ", what[len("one of ") :]) if re.fullmatch(r"[\w-]+", n)]
            found[name] = ("one of", names)
        elif what == "true or false":
            found[name] = ("flag",)
    return found


def some(chosen, kind, *values):
    """A random value as text."""
    if kind == "one of":
        return chosen.choice(values[0])
    if kind == "whole":
        return str(chosen.randint(int(values[0]), int(values[1])))
    if kind == "two":
        return str(2 ** chosen.randint(int(values[0]).bit_length() - 1, int(values[1]).bit_length() - 1))
    return f"{chosen.uniform(values[0], values[1]):.4g}"


def some_settings(chosen, known):
    """Arguments of a random image: a third of the options, each with a random value."""
    arguments = ["--size", chosen.choice(SIZES), "--teapots", "12", "--lens-samples", "4", "--bodies", "60"]
    for name, (kind, *values) in known.items():
        if chosen.random() > 0.33:
            continue
        if kind == "flag":
            arguments.append(name if chosen.random() < 0.5 else "--no-" + name[2:])
        else:
            arguments += [name, some(chosen, kind, *values)]
    return arguments


def pixels(path):
    """The linear image of a portable float map, rows from the bottom."""
    data = path.read_bytes()
    kind, size, scale, rest = data.split(b"\n", 3)
    assert (kind, scale) == (b"PF", b"-1.0")
    width, height = map(int, size.split())
    return numpy.frombuffer(rest, "<f4").reshape(height, width, 3)


class Failure(Exception):
    pass


class Checker:
    def __init__(self, program, devices, folder):
        self.program, self.devices, self.folder = program, devices, folder

    def draw(self, name, *arguments, kind="pfm"):
        """The path of the image; None if the program refused the settings."""
        path = self.folder / f"{name}.{kind}"
        command = [
            self.program,
            "--headless",
            "--gl-debug",
            "--no-autofocus",
            *arguments,
            "--capture",
            str(path),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S)
        done.stderr = PROGRESS.sub("", done.stderr)
        if done.returncode in (1, 2) and done.stderr.startswith("satdof: "):
            if "OpenGL error" in done.stderr:
                raise Failure(f"{done.stderr}{shlex.join(command)}")
            return None
        if done.returncode != 0 or done.stderr:
            raise Failure(f"status {done.returncode}: {done.stderr}{shlex.join(command)}")
        return path

    def require(self, good, what, arguments):
        if not good:
            raise Failure(f"{what}: {shlex.join(arguments)}")

    def check(self, number, arguments):
        """The numbers of images drawn, refused settings and checks."""
        first = self.draw(f"{number}-a", *arguments)
        if first is None:
            return 0, 1, 0
        second = self.draw(f"{number}-b", *arguments)
        image = pixels(first)
        self.require(first.read_bytes() == second.read_bytes(), "two runs differ", arguments)
        self.require(numpy.isfinite(image).all(), "a value is no number", arguments)
        if not {"--view", "--scene", "--filter"} & set(arguments):
            self.require(image.max() > 0, "the image is black", arguments)
        images, checks = 2, 3
        if not {"--table-format", "--view", "--scene"} & set(arguments):
            drawn = [self.draw(f"{number}-{d}", *arguments, "--device", d, kind="png") for d in self.devices]
            shown = [numpy.asarray(Image.open(path), int) for path in drawn if path]
            for other in shown[1:]:
                self.require(abs(other - shown[0]).max() <= 1, "devices differ", arguments)
            images, checks = images + len(shown), checks + len(shown) - 1
        for path in self.folder.glob(f"{number}-*"):
            path.unlink()
        return images, 0, checks

    def relations(self, number, chosen):
        """Checks the relations for one random lens and camera."""
        lens = chosen.choice(["box", "tent", "layered", "gems"])
        base = ["--teapots", "12", "--lens", lens, "--no-bokeh", "--no-split-bokeh"]
        base += ["--yaw", str(chosen.randint(-180, 180))]
        base += ["--focus", f"{chosen.uniform(1, 9):.3g}", "--f-number", f"{chosen.uniform(1, 8):.3g}"]
        small = [*base, "--size", "64x48"]
        same = pixels(self.draw(f"{number}-same", *small, "--view", "difference", "--split-lens", lens))
        self.require(same.max() == 0, "A and B differ", small)
        split = self.draw(
            f"{number}-split", *small, "--split", "--split-position", "0", "--split-lens", "tent"
        )
        alone = self.draw(f"{number}-alone", *small, "--lens", "tent")
        self.require((pixels(split) == pixels(alone)).all(), "a split at 0 is not B", small)
        size = ["--samples", "4", "--size"]
        whole = pixels(self.draw(f"{number}-whole", *base, *size, "192x144"))
        half = pixels(self.draw(f"{number}-half", *base, *size, "96x72"))
        smaller = whole.reshape(72, 2, 96, 2, 3).mean(axis=(1, 3))
        error = numpy.abs(numpy.minimum(smaller, 1) - numpy.minimum(half, 1)).mean()
        self.require(error < 0.02, f"half the size differs by {error:.3f}", base)
        unscaled = [*small, "--near-scale", "0", "--far-scale", "0"]
        blurred = self.draw(f"{number}-zero", *unscaled)
        sharp = self.draw(f"{number}-sharp", *small, "--view", "sharp")
        error = numpy.abs(numpy.minimum(pixels(blurred), 1) - numpy.minimum(pixels(sharp), 1)).max()
        self.require(
            error <= STEP or lens == "gems",
            f"without blur the image differs by {error:.4f} from the sharp one",
            unscaled,
        )
        for path in self.folder.glob(f"{number}-*"):
            path.unlink()
        return 7, 0, 4


def main(program, count, seed=1):
    program = os.path.abspath(program)

    def answer(option):
        return subprocess.run([program, option], check=True, capture_output=True, text=True).stdout

    known = options(answer("--help"))
    assert len(known) > 25, f"only {len(known)} options found in --help"
    devices = re.findall(r"^device +(?!auto)(\S+) +available", answer("--list"), re.M)
    chosen = random.Random(seed)
    totals, failures = [0, 0, 0], []
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        checker = Checker(program, devices, pathlib.Path(folder))
        jobs = []
        for number in range(count):
            jobs.append(pool.submit(checker.check, f"s{number}", some_settings(chosen, known)))
            if number % 10 == 0:
                jobs.append(pool.submit(checker.relations, f"r{number}", random.Random(f"{seed} {number}")))
        for job in concurrent.futures.as_completed(jobs):
            try:
                totals = [a + b for a, b in zip(totals, job.result())]
            except (Failure, subprocess.TimeoutExpired) as failure:
                failures.append(str(failure))
                print(failure, file=sys.stderr, flush=True)
    images, refused, checks = totals
    print(
        f"random settings, seed {seed}: {count} settings of {len(known)} options, {refused} refused, {images} images, "
        f"{checks} checks on {', '.join(devices)}, {len(failures)} failures"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
