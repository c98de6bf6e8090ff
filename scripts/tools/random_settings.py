"""Draws images with random valid settings and checks invariants: fuzz random-settings PROGRAM COUNT [SEED].

Options and ranges come from --help, so new settings are included. satdof_drawer beside PROGRAM draws many images in one process, one
process a core, with every OpenGL call checked. Invariants of each setting:

- Drawn a second time, after other settings in the opposite order, the image has the same bytes.
- No value is NaN or infinite. Teapots with their sky are not black, unless a view shows a pass.
- Fixed-point tables give the same image on every device, within one of 255 steps. Excludes filters and views that amplify rounding.
- Settings are refused with a message, the same one both times.
- Every 50th image, drawn by PROGRAM in a new process, has the same bytes or the same message.

Relations, checked for every tenth setting:

  same       if techniques A and B are equal, the view `difference` is black
  split      a split at 0 shows only B
  half       an image of half the size, with half the radii, is the downsampled image
  mirror     a mirrored photograph with mirrored depth gives the mirrored image, within the rounding of scattered light
  sharp      with near and far scale 0, every lens except gems gives the sharp image

Prints the numbers of images and checks, and the reasons of refusals. Exit status 1 if a check failed; prints the command and a file with
all lines that its process has drawn: satdof_drawer < FILE repeats them in the folder of the file.
"""

import collections
import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import numpy
from PIL import Image

from tools import program
from tools.pfm import read_pfm

# Ranges that keep images small and fast; other options use their full range.
SMALL = {
    "--teapots": (1, 60),
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
# Options of the window, of files, and of the device, which is chosen here.
LEFT_OUT = set(
    "--size --device --show-ui --full-screen --vsync --ui --mask --scan --lens-on --adaptive --converge "
    "--lower-resolution --autofocus --animate --solver".split()
)
SIZES = ("48x32", "31x33", "64x20", "17x40")
STEP = 1.5 / 255
RUN_S = 280  # time limit of an image, on a busy machine
# Float tables, which round differently on every device, and filters and views that amplify rounding.
UNEVEN = {"float32", "float32-mean", "difference", "table-error", "sharpen", "edges", "emboss"}
GROUP = 10  # settings drawn before the same settings are drawn again in the opposite order
FRESH = 50  # every 50th setting is also drawn in a new process
TOLD_S = 30  # seconds between two lines of progress
PHOTO = ("--image", "photo.png", "--depth", "depth.png")  # for the scene `image`
MIRRORED = ("--image", "photo-mirrored.png", "--depth", "depth-mirrored.png")
PROGRESS = re.compile(r"(frame|sample|build) \d+ of \d+\n?\n?")  # progress lines of slow images
NOTE = re.compile(r"^satdof: note: .*\n", re.MULTILINE)


def options(help_text):
    """Parses --help. Returns {option: (kind, ...)}: ("number", "whole" or "two", low, high), ("one of", names) or ("flag",)."""
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
    """A random value of an option, as text."""
    if kind == "one of":
        return chosen.choice(values[0])
    if kind == "whole":
        return str(chosen.randint(int(values[0]), int(values[1])))
    if kind == "two":
        return str(2 ** chosen.randint(int(values[0]).bit_length() - 1, int(values[1]).bit_length() - 1))
    return f"{chosen.uniform(values[0], values[1]):.4g}"


def some_settings(chosen, known):
    """The arguments of a random image: a third of the options, each with a random value."""
    arguments = ["--size", chosen.choice(SIZES), "--teapots", "12", "--lens-samples", "4", "--bodies", "60"]
    for name, (kind, *values) in known.items():
        if chosen.random() > 0.33:
            continue
        if kind == "flag":
            arguments.append(name if chosen.random() < 0.5 else "--no-" + name[2:])
        else:
            arguments += [name, some(chosen, kind, *values)]
    return [*arguments, *PHOTO] if "image" in arguments else arguments


def write_photo(folder):
    """Writes the images and depths of PHOTO and MIRRORED."""
    noise = numpy.random.default_rng(1).integers(0, 256, (24, 36, 3), "u1")
    for names, pixels in ((PHOTO, noise), (MIRRORED, noise[:, ::-1])):
        Image.fromarray(pixels).resize((144, 96)).save(folder / names[1])
        Image.fromarray(pixels[..., 0]).resize((144, 96)).save(folder / names[3])


class Failure(Exception):
    pass


class Drawer:
    """A process that draws many images."""

    def __init__(self, program, folder):
        self.folder, self.lines = folder, []
        self.said = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True, cwd=folder
        )

    def draw(self, command):
        """Draws an image. Returns the exit status and the error output. Raises Failure if the process ends."""
        self.lines.append("\t".join(command))
        before = self.said.tell()
        watch = threading.Timer(RUN_S, self.process.kill)
        watch.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(self.lines[-1] + "\n")
                self.process.stdin.flush()
            answer = next((line for line in self.process.stdout if line.startswith("status ")), None)
        finally:
            watch.cancel()
        self.said.seek(before)
        said = self.said.read()
        if answer is None:
            raise Failure(f"the process ended with status {self.process.wait()}: {said}{shlex.join(command)}")
        return int(answer.split()[1]), said

    def history(self):
        """Writes all commands of this process to a file. Returns its path."""
        path = self.folder / f"drawn-{self.process.pid}.txt"
        path.write_text("\n".join(self.lines) + "\n")
        return path

    def end(self):
        """Ends the process. Returns its exit status."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.said.close()
        return self.process.wait()


class Checker:
    def __init__(self, program, devices, folder):
        self.program, self.devices, self.folder = program, devices, folder
        self.drawer_program = str(pathlib.Path(program).with_name("satdof_drawer"))
        self.lock, self.own = threading.Lock(), threading.local()  # own.drawer: the process of a thread
        self.running, self.failures = set(), []
        self.counts, self.refusals = collections.Counter(), collections.Counter()

    @contextlib.contextmanager
    def attempt(self):
        """Reports a Failure and ends the process of this thread, so that the next image starts a new one."""
        try:
            yield
        except Failure as failure:
            drawer, self.own.drawer = self.own.drawer, None
            drawer.end()
            self.fail(str(failure), drawer)

    def fail(self, what, drawer):
        text = f"{what}\nall lines of the process: {drawer.history()}"
        with self.lock:
            self.failures.append(text)
            self.running.discard(drawer)
        print(text, file=sys.stderr, flush=True)

    def end(self):
        """Ends all processes."""
        for drawer in list(self.running):
            if (status := drawer.end()) != 0:
                self.fail(f"status {status} at the end", drawer)

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def command(self, name, *arguments):
        return ["--headless", "--gl-debug", "--no-autofocus", *arguments, "--capture", name]

    def drawer(self):
        """The process of this thread."""
        if getattr(self.own, "drawer", None) is None:
            self.own.drawer = Drawer(self.drawer_program, self.folder)
            self.count("processes")
            with self.lock:
                self.running.add(self.own.drawer)
        return self.own.drawer

    def outcome(self, command, status, said):
        """Returns the message if the settings were refused; empty if the image was drawn. Raises Failure for anything else."""
        said = NOTE.sub("", PROGRESS.sub("", said))
        if status in (1, 2) and said.startswith("satdof: ") and "OpenGL error" not in said:
            return said
        if status != 0 or said:
            raise Failure(f"status {status}: {said}{shlex.join(command)}")
        self.count("images")
        return ""

    def draw(self, name, *arguments):
        """Draws the image `name`. Returns the message if the settings were refused; else empty."""
        command = self.command(name, *arguments)
        return self.outcome(command, *self.drawer().draw(command))

    def drawn(self, name, *arguments):
        """Draws settings that must not be refused. Returns the linear image."""
        refused = self.draw(name, *arguments)
        self.require(not refused, refused, arguments)
        return read_pfm(self.folder / name)

    def draw_fresh(self, name, *arguments):
        """Like draw(), in a new process."""
        command = self.command(name, *arguments)
        try:
            done = subprocess.run(
                [self.program, *command], capture_output=True, text=True, timeout=RUN_S, cwd=self.folder
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"no end after {RUN_S} s: {shlex.join(command)}") from None
        self.count("in new processes")
        return self.outcome(command, done.returncode, done.stderr)

    def require(self, good, what, arguments):
        self.count("checks")
        if not good:
            raise Failure(f"{what}: {shlex.join(arguments)}")

    def require_same(self, first, refused, name, refused_too, what, arguments):
        """Checks that settings drawn twice have the same outcome."""
        self.require(
            refused_too == refused, f"{what} is refused otherwise: {refused}{refused_too}", arguments
        )
        if not refused:
            same = (self.folder / first).read_bytes() == (self.folder / name).read_bytes()
            self.require(same, f"{what} differs, {first} and {name}", arguments)

    def check(self, number, arguments, refused):
        """Draws settings a second time and checks the invariants. The first image is NUMBER-a.pfm."""
        first, second, fresh = (f"{number}-{which}.pfm" for which in ("a", "b", "fresh"))
        if refused:
            self.count("refused")
            with self.lock:
                self.refusals[re.sub(r"[\d.]+", "N", refused.splitlines()[0])] += 1
        self.require_same(
            first, refused, second, self.draw(second, *arguments), "the second image", arguments
        )
        if number % FRESH == 0:
            again = self.draw_fresh(fresh, *arguments)
            self.require_same(first, refused, fresh, again, "a new process", arguments)
        if not refused:
            self.check_image(number, arguments, read_pfm(self.folder / first))
        for path in self.folder.glob(f"{number}-*"):
            path.unlink()

    def check_image(self, number, arguments, image):
        self.require(numpy.isfinite(image).all(), "a value is no number", arguments)
        if not {"--view", "--split-view", "--scene", "--filter", "transparent"} & set(arguments):
            self.require(image.max() > 0, "the image is black", arguments)
        if UNEVEN & set(arguments):
            return
        names = {device: f"{number}-{device}.png" for device in self.devices}
        shown = [
            numpy.asarray(Image.open(self.folder / name), int)
            for device, name in names.items()
            if not self.draw(name, *arguments, "--device", device)
        ]
        for other in shown[1:]:
            steps = abs(other - shown[0])
            if steps.shape[2] == 4:  # colours are not premultiplied: weight their differences by alpha
                alpha = numpy.maximum(other, shown[0])[:, :, 3:]
                steps[:, :, :3] = steps[:, :, :3] * alpha // 255
            self.require(steps.max() <= 1, "devices differ", arguments)

    def relations(self, number, chosen):
        """Checks the relations for one random lens and camera."""
        lens = chosen.choice(["box", "tent", "layered", "gems"])
        base = ["--teapots", "12", "--lens", lens, "--no-bokeh", "--no-split-bokeh"]
        base += ["--yaw", str(chosen.randint(-180, 180))]
        base += ["--focus", f"{chosen.uniform(1, 9):.3g}", "--f-number", f"{chosen.uniform(1, 8):.3g}"]
        small = [*base, "--size", "64x48"]

        def drawn(which, *arguments):
            return self.drawn(f"{number}-{which}.pfm", *arguments)

        same = drawn("same", *small, "--view", "difference", "--split-lens", lens)
        self.require(same.max() == 0, "A and B differ", small)
        split = drawn("split", *small, "--split", "--split-position", "0", "--split-lens", "tent")
        alone = drawn("alone", *small, "--lens", "tent")
        self.require((split == alone).all(), "a split at 0 is not B", small)
        size = ["--samples", "4", "--size"]
        whole = drawn("whole", *base, *size, "192x144")
        half = drawn("half", *base, *size, "96x72")
        smaller = whole.reshape(72, 2, 96, 2, 3).mean(axis=(1, 3))
        error = numpy.abs(numpy.minimum(smaller, 1) - numpy.minimum(half, 1)).mean()
        self.require(error < 0.02, f"half the size differs by {error:.3f}", base)
        unscaled = [*small, "--near-scale", "0", "--far-scale", "0"]
        blurred = drawn("zero", *unscaled)
        sharp = drawn("sharp", *small, "--view", "sharp")
        error = numpy.abs(numpy.minimum(blurred, 1) - numpy.minimum(sharp, 1)).max()
        self.require(
            error <= STEP or lens == "gems",
            f"without blur the image differs by {error:.4f} from the sharp one",
            unscaled,
        )
        photo = ["--lens", lens, *base[-4:], "--no-bokeh", "--size", "96x64", "--depth-edge-radius", "0"]
        photo += ["--anamorphic-ratio", f"{chosen.uniform(0.5, 2):.3g}"]
        photo += ["--device", chosen.choice(self.devices)]
        plain, mirrored = drawn("photo", *photo, *PHOTO), drawn("mirrored", *photo, *MIRRORED)
        error = numpy.abs(numpy.minimum(plain, 1) - numpy.minimum(mirrored[:, ::-1], 1)).mean()
        self.require(error < 0.002, f"the mirrored image differs by {error:.4f}", photo)
        for path in self.folder.glob(f"{number}-*"):
            path.unlink()

    def group(self, settings, seed):
        """Checks settings, pairs of number and arguments, in the process of this thread."""
        first = []
        for number, arguments in settings:
            with self.attempt():
                first.append((number, arguments, self.draw(f"{number}-a.pfm", *arguments)))
        for number, arguments, refused in reversed(first):
            with self.attempt():
                self.check(number, arguments, refused)
            if number % 10 == 0:
                with self.attempt():
                    self.relations(f"r{number}", random.Random(f"{seed} {number}"))
        self.count("settings", len(settings))

    def tell(self, count, stop):
        """Prints the progress from time to time until `stop` is set."""
        began = time.monotonic()
        while not stop.wait(TOLD_S):
            done, minutes = self.counts["settings"], (time.monotonic() - began) / 60
            print(
                f"{done} of {count} settings, {done / minutes:.0f} a minute, {len(self.failures)} failures",
                file=sys.stderr,
                flush=True,
            )


def run(program, count, seed=1):

    def answer(option):
        return subprocess.run([program, option], check=True, capture_output=True, text=True).stdout

    known = options(answer("--help"))
    assert len(known) > 25, f"only {len(known)} options found in --help"
    devices = re.findall(r"^device +(?!auto)(\S+) +available", answer("--list"), re.M)
    chosen = random.Random(seed)
    settings = [(number, some_settings(chosen, known)) for number in range(count)]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="random-settings-"))
    write_photo(folder)
    checker = Checker(program, devices, folder)
    stop = threading.Event()
    threading.Thread(target=checker.tell, args=(count, stop), daemon=True).start()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(checker.group, settings[at : at + GROUP], seed) for at in range(0, count, GROUP)]
        for job in jobs:
            job.result()
    stop.set()
    checker.end()
    for refused, times in checker.refusals.most_common():
        print(f"{times} refused: {refused}")
    counts = checker.counts
    print(
        f"random settings, seed {seed}: {count} settings of {len(known)} options, {counts['refused']} refused, "
        f"{counts['images']} images, {counts['in new processes']} of them in new processes, {counts['checks']} checks on "
        f"{', '.join(devices)}, {counts['processes']} processes, {len(checker.failures)} failures"
    )
    if checker.failures:
        return 1
    shutil.rmtree(folder)
    return 0


def main():
    parser = program.parser(__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    given = parser.parse_args()
    return run(given.program, given.count, given.seed)
