"""Injects faults at the disk and at other programs, and checks the results: soak attack [WHAT...] [--count N] [--seed S].

  kills      SIGKILL at a random moment during --sequence, --capture or --video, sometimes also of the encoder
  encoders   an ffmpeg that fails, exits early or damages the film, during --video
  disks      a disk with a random number of free bytes, during --sequence, --capture and --video
  clipboard  clipboard owners that hang, exit or send wrong data, while a window pastes
  windows    SIGKILL at a random moment of a window, while keys of a shot are set or a film is rendered

The first three run headless and check:
- Status 0: all files are complete.
- Any other status: the old file is left, or complete numbered files equal to those of an undisturbed run, and nothing else. A
  killed run may also leave an unfinished film, which must play.
- A run that fails by itself names the file in its message. No encoder survives its run.
A small disk is a tmpfs, which needs root; else the size of files is limited. The others run a window under Xvfb: it must answer
with a capture after each paste; a killed window must have saved all keys older than five seconds, and must continue an interrupted
film to the same bytes.
Prints the number of runs by outcome. Exit status 1 if a check fails; the folder of the run is kept.
"""

import collections
import contextlib
import json
import os
import pathlib
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image

from tools import program

FRAMES = 120
SIZE = 48  # width and height of the images
OLD = b"old"  # contents of the file that a run replaces
MARK = "SATDOF_ATTACK"  # environment variable that marks the processes of a run
LIMIT_S = 120  # time limit of a run, on a busy machine
PROGRESS = 100  # runs between two progress lines
CHILD_S = 20  # time for an encoder to end after its run
SCENE = f"--headless --size {SIZE}x{SIZE} --teapots 1 --samples 1 --frames {FRAMES} --fps 24".split()
# Output files, with the options before their path.
OUTPUTS = {
    "run.png": ["--sequence"],
    "run.exr": ["--sequence"],
    "still.png": ["--capture"],
    "film.mkv": ["--video"],
    "film.mp4": ["--video"],
}
FILMS = [name for name, options in OUTPUTS.items() if options == ["--video"]]


class Fault(Exception):
    """A check has failed."""


class Run:
    """A headless run that writes `name` into `folder`. `path`: the PATH in which it finds ffmpeg; `limit`: largest size of a file."""

    def __init__(
        self,
        satdof: str,
        folder: pathlib.Path,
        name: str,
        path: str = os.environ["PATH"],
        limit: int | None = None,
    ):
        self.folder, self.name, self.mark = folder, name, f"{os.getpid()}-{time.monotonic_ns()}"
        self.said: str | None = None
        self.encoder_killed = False
        if not is_sequence(name):
            (folder / name).write_bytes(OLD)

        def confine() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit or 0, limit or 0))

        self.process = subprocess.Popen(
            [satdof, *SCENE, *OUTPUTS[name], str(folder / name)],
            env={**os.environ, "PATH": path, MARK: self.mark},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=confine if limit is not None else None,
        )

    def wait(self) -> int:
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired as error:
            for process in [self.process.pid, *self.children()]:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            raise Fault(f"the run does not end within {LIMIT_S} s") from error

    def message(self) -> str:
        if self.said is None:
            self.said = self.process.communicate()[1].decode(errors="replace")
        return self.said

    def children(self) -> list[int]:
        """The live processes of the run."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"{MARK}={self.mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

    def end_children(self) -> None:
        """Waits for the children. Kills those that run on for CHILD_S seconds, and raises Fault."""
        end = time.monotonic() + CHILD_S
        while left := self.children():
            if time.monotonic() > end:
                for child in left:
                    os.kill(child, signal.SIGKILL)
                raise Fault(f"an encoder goes on: {left}")
            time.sleep(0.02)


def is_sequence(name: str) -> bool:
    return OUTPUTS[name] == ["--sequence"]


def frame_name(name: str, number: int) -> str:
    stem, extension = os.path.splitext(name)
    return f"{stem}-{number:04d}{extension}"


def unfinished(name: str) -> str:
    stem, extension = os.path.splitext(name)
    return f"{stem}-unfinished-0001{extension}"


def frames_of(film: pathlib.Path) -> int:
    """The number of frames that can be decoded; 0 if the file is not a film."""
    command = "ffprobe -v quiet -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0".split()
    text = subprocess.run([*command, str(film)], capture_output=True, text=True).stdout.strip().strip(",")
    return int(text) if text.isdigit() else 0


class Expected:
    """The files of undisturbed runs, and their durations."""

    def __init__(self, satdof: str, names: list[str]):
        self.files: dict[str, list[bytes]] = {}
        self.took_s: dict[str, float] = {}
        for name in names:
            with tempfile.TemporaryDirectory() as text:
                folder, start = pathlib.Path(text), time.monotonic()
                run = Run(satdof, folder, name)
                if run.wait() != 0:
                    raise RuntimeError(f"an undisturbed run of {name} fails: {run.message()}")
                self.took_s[name] = time.monotonic() - start
                self.files[name] = [path.read_bytes() for path in sorted(folder.iterdir())]
                complete = FRAMES if is_sequence(name) else 1
                if len(self.files[name]) != complete or not all(self.files[name]):
                    raise RuntimeError(f"an undisturbed run of {name} writes {len(self.files[name])} files")
                if name == "still.png":
                    self.still = pixels(folder / name)

    def check(self, run: Run, status: int) -> str:
        """Describes the files that a run has left. Raises Fault if they are not allowed; see the rules above."""
        run.end_children()
        left = {path.name: path for path in run.folder.iterdir()}
        name = run.name
        if is_sequence(name):
            count = len(left)
            for number in range(1, count + 1):
                path = left.pop(frame_name(name, number), None)
                if path is None or path.read_bytes() != self.files[name][number - 1]:
                    raise Fault(f"frame {number} of {count} is missing or is no whole frame")
            complete = count == FRAMES
            found = "all frames" if complete else "no frame" if count == 0 else "some frames"
        else:
            path = left.pop(name, None)
            if path is None:
                raise Fault("the old file is gone")
            complete = path.read_bytes() != OLD
            if complete and not self.is_whole(path):
                raise Fault("the new file is not whole")
            found = "the new file" if complete else "the old file"
        part = left.pop(unfinished(name), None) if status < 0 and name in FILMS else None
        if part is not None and not (0 < frames_of(part) <= FRAMES or run.encoder_killed):
            raise Fault("the unfinished film does not play")
        if left:
            raise Fault(f"more is left: {sorted(left)}")
        if status == 0 and not complete:
            raise Fault(f"the status is 0 with {found}")
        if status > 0 and complete:
            raise Fault(f"the status is {status} with {found}")
        if status > 0 and (status != 1 or run.folder.name not in run.message()):
            raise Fault(f"the status is {status} with the message {run.message()!r}")
        if status < 0 and status != -signal.SIGKILL:
            raise Fault(f"the run ended by signal {-status}: {run.message()}")
        return found

    def is_whole(self, path: pathlib.Path) -> bool:
        if path.name in FILMS:
            return frames_of(path) == FRAMES
        return pixels(path) == self.still  # not its bytes: the texts contain the date


def pixels(path: pathlib.Path) -> bytes:
    try:
        with Image.open(path) as image:
            return image.convert("RGB").tobytes()
    except (OSError, SyntaxError):
        return b""


def kill(satdof: str, expected: Expected, name: str, folder: pathlib.Path, chosen: random.Random) -> str:
    run = Run(satdof, folder, name)
    # Mostly in the second half, while files are written: the first half compiles shaders.
    with contextlib.suppress(subprocess.TimeoutExpired):
        run.process.wait(expected.took_s[name] * chosen.triangular(0.0, 1.1, 0.8))
    if name in FILMS and chosen.random() < 0.5:
        run.encoder_killed = True
        for child in run.children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
    run.process.kill()
    status = run.wait()
    return f"{'killed' if status < 0 else 'done'}, {expected.check(run, status)}"


# Shell commands of a fake ffmpeg; "real" is the real one, N a random number of bytes.
ENCODERS = {
    "the real one": 'real "$@"',
    "ends at once": "exit 0",
    "ends at once with status 3": "echo of all reasons >&2; exit 3",
    "writes nothing": "cat > /dev/null",
    "ends within the input": "head -c N > /dev/null",
    "encodes a part": 'head -c N | real "$@"; cat > /dev/null',
    "is killed": "head -c N > /dev/null; kill -9 $$",
    "cuts the film": 'real "$@"; truncate -s -$((N % 4000)) /proc/self/fd/3',
    "damages the film": 'real "$@"; head -c 500 /dev/urandom | dd of=/proc/self/fd/3 bs=1 seek=$((N % 20000)) conv=notrunc 2>/dev/null',
    "writes noise": "cat > /dev/null; head -c N /dev/urandom >&3",
    "leaves a child": 'real "$@"; sleep 1000 & exit 0',
    "fails after all": 'real "$@"; exit 1',
}


def encode(satdof: str, expected: Expected, name: str, folder: pathlib.Path, chosen: random.Random) -> str:
    what = chosen.choice(list(ENCODERS))
    does = ENCODERS[what].replace("N", str(chosen.randrange(SIZE * SIZE * 3 * FRAMES)))
    real = shlex.quote(str(shutil.which("ffmpeg")))
    with tempfile.TemporaryDirectory() as tools:
        fake = pathlib.Path(tools) / "ffmpeg"
        fake.write_text(
            f'#!/bin/bash\nreal() {{ {real} "$@"; }}\ncase "$*" in *pipe:0*) {does};; *) real "$@";; esac\n'
        )
        fake.chmod(0o755)
        run = Run(satdof, folder, name, path=f"{tools}:{os.environ['PATH']}")
        found = expected.check(run, run.wait())
    if what == "the real one" and found != "the new file":
        raise Fault(f"the real ffmpeg leaves {found}: {run.message()}")
    return f"{what}: {found}"


@contextlib.contextmanager
def small_disk(folder: pathlib.Path, size: int) -> Iterator[bool]:
    """Mounts a tmpfs of `size` bytes at the folder. Yields whether that worked. After a Fault, copies its files into the folder."""
    kept = folder.with_name(f"{folder.name}-kept")
    mounted = os.geteuid() == 0 and (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], stderr=subprocess.DEVNULL
        ).returncode
        == 0
    )
    try:
        yield mounted
    except Fault:
        if mounted:
            shutil.copytree(folder, kept)
        raise
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)
        if kept.exists():
            shutil.copytree(kept, folder, dirs_exist_ok=True)
            shutil.rmtree(kept)


def fill(satdof: str, expected: Expected, name: str, folder: pathlib.Path, chosen: random.Random) -> str:
    needs = sum(map(len, expected.files[name]))
    room = 4096 * chosen.randint(1, 3 + needs // 3000)  # the old file takes a page, too
    with small_disk(folder, room) as mounted:
        limit = None if mounted else chosen.randint(1, 2 * max(map(len, expected.files[name])))
        run = Run(satdof, folder, name, limit=limit)
        found = expected.check(run, run.wait())
        return f"{'disk' if mounted else 'limit'}: {found}"


Attack = Callable[[str, Expected, str, pathlib.Path, random.Random], str]
ATTACKS: dict[str, tuple[Attack, list[str]]] = {
    "kills": (kill, list(OUTPUTS)),
    "encoders": (encode, FILMS),
    "disks": (fill, list(OUTPUTS)),
}


def paste(satdof: str, count: int, seed: int) -> bool:
    """Pastes from faulty clipboard owners into a window. Returns whether the window answers after each paste."""
    # Imported here: only windows need these packages.
    from tools import selection_owner as owners
    from tools import soak

    def answer(chosen: random.Random) -> tuple[str, Callable[..., None]]:
        data = chosen.choice(
            [b'{"lens": {"fNumber": %d}}' % chosen.randint(1, 9), chosen.randbytes(chosen.randrange(100_000))]
        )
        pause_s = chosen.choice([0.0, 0.0, 0.05, 3.0])
        ways: dict[str, Callable[..., None]] = {
            "silent": owners.silent,
            "text": owners.text(data),
            "Latin-1 alone": owners.latin1_only(data),
            "no text": owners.no_text,
            "pieces": owners.pieces(data[:400], pause_s=pause_s),
            "pieces without end": owners.pieces(data[:400], end=False, pause_s=pause_s),
            "stalls": owners.stalls_between_pieces,
            "ends": lambda owner, request: setattr(owner, "ended", True),
        }
        return chosen.choice(list(ways.items()))

    ways: collections.Counter[str] = collections.Counter()
    longest_s = 0.0
    with soak.display(), tempfile.TemporaryDirectory() as folder:
        window = soak.Soak(satdof, pathlib.Path(folder), seed)
        try:
            for number in range(seed, seed + count):
                way, does = answer(random.Random(number))
                owner = owners.Owner(does)
                try:
                    soak.xdotool("key", "ctrl+v")
                    start = time.monotonic()
                    window.until("capture", window.answers)
                    longest_s = max(longest_s, time.monotonic() - start)
                finally:
                    owner.close()
                ways[way] += 1
            if (status := window.close()) != -signal.SIGTERM:
                raise AssertionError(f"ended with status {status} when told to end")
        except AssertionError as fault:
            print(f"FAILED: clipboard, seed {number}, {way}: {fault}")
            window.process.kill()
            return False
    for way, times in sorted(ways.items()):
        print(f"{times:6} clipboard: {way}")
    print(f"clipboard: {count} pastes, the slowest capture after {longest_s:.1f} s, 0 faults", flush=True)
    return True


KEPT_S = 5.0  # a killed window may lose the changes of this time
FILM_FRAMES = 40
ROWS = (130, 300, 350, 100)  # screen area of the rows of the timeline: x, y, width, height
SHOT = {
    "format": "satdof-shot",
    "version": 1,
    "tracks": [
        {"field": "lens.focusDistanceM", "keys": [{"time": 0, "value": 1}, {"time": 1, "value": 3}]},
        {"field": "camera.yawDegrees", "keys": [{"time": 0, "value": 0}, {"time": 1, "value": 30}]},
    ],
}


class Window:
    """A window with a timeline, whose files are in `folder`."""

    def __init__(self, satdof: str, folder: pathlib.Path):
        from Xlib import X, display  # imported here: only windows need these packages

        from tools import soak

        self.xdotool, self.folder = soak.xdotool, folder
        root = display.Display().screen().root
        self.screen = lambda: root.get_image(*ROWS, X.ZPixmap, 0xFFFFFFFF).data
        kept = folder / "satdof"
        kept.mkdir(exist_ok=True)
        capture = {"framesPerSecond": FILM_FRAMES - 1, "video": False}
        (kept / "interface.json").write_text(json.dumps({"hintSeen": True, "capture": capture}))
        (folder / "shot.json").write_text(json.dumps(SHOT))
        command = [satdof, *"--size 640x400 --teapots 3 --samples 1 --no-animate --shot shot.json".split()]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)},
            stderr=subprocess.DEVNULL,
        )
        window = self.until("a window", self.find)
        self.xdotool("windowfocus", window)
        self.until("panels", lambda: max(self.screen()[::4]) > 100)

    def find(self) -> str:
        command = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)]
        return "".join(subprocess.run(command, capture_output=True, text=True).stdout.split()[-1:])

    def until(self, what: str, condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + LIMIT_S
        while not (found := condition()):
            if self.process.poll() is not None:
                raise Fault(f"the window ended with status {self.process.returncode}")
            if time.monotonic() > end:
                raise Fault(f"no {what} within {LIMIT_S} s")
            time.sleep(0.02)
        return found

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def key_times(self) -> list[float]:
        """The times of the saved keys of the f-number; SHOT has none."""
        file = self.folder / "satdof/shot.json"
        tracks = json.loads(file.read_text())["tracks"] if file.exists() else []
        return [key["time"] for track in tracks if track["field"] == "lens.fNumber" for key in track["keys"]]

    def frames(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.folder.glob("sequence-*"))}

    def film(self) -> dict[str, bytes]:
        """Renders the film. Returns its frames by file name."""
        self.xdotool("key", "ctrl+F12")
        self.until("film", lambda: len(self.frames()) == FILM_FRAMES)
        return self.frames()


def kill_edits(window: Window, chosen: random.Random) -> tuple[str, float]:
    """Sets keys until a random time, kills the window, and returns the seconds of lost work."""
    done: list[float] = []  # times at which a new key was visible
    end = time.monotonic() + chosen.uniform(0.5, 14.0)
    while time.monotonic() < end:
        window.xdotool("key", "ctrl+Right")
        time.sleep(0.3)
        before = window.screen()
        window.xdotool("key", "k")
        window.until("key", lambda before=before: window.screen() != before)
        done.append(time.monotonic())
        time.sleep(chosen.choice([0.0, 0.2, 1.0]))
    killed = time.monotonic()
    window.kill()
    kept = len(window.key_times())
    lost_s = killed - done[kept] if kept < len(done) else 0.0
    if lost_s > KEPT_S:
        raise Fault(f"{lost_s:.1f} s are lost: {kept} of {len(done)} keys are kept")
    return "edits", lost_s


def kill_windows(satdof: str, count: int, seed: int) -> bool:
    """Kills windows and continues their work. Prints the outcomes. Returns whether all checks pass."""
    from tools import soak

    faults, longest_s, ways = 0, 0.0, collections.Counter[str]()
    with soak.display(), tempfile.TemporaryDirectory() as text:
        window = Window(satdof, pathlib.Path(text))
        expected, took_s = {}, -time.monotonic()
        expected = window.film()
        took_s += time.monotonic()
        window.kill()
        for number in range(seed, seed + count):
            chosen = random.Random(number)
            folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-attack-"))
            try:
                window = Window(satdof, folder)
                if chosen.random() < 0.5:
                    what, lost_s = kill_edits(window, chosen)
                    longest_s = max(longest_s, lost_s)
                    ways["edits, some lost" if lost_s else "edits, none lost"] += 1
                else:
                    window.xdotool("key", "ctrl+F12")
                    time.sleep(took_s * chosen.uniform(0.0, 0.9))
                    window.kill()
                    found = window.frames()
                    if any(expected.get(name) != frame for name, frame in found.items()):
                        raise Fault("a frame is not whole")
                    what = "film"
                    ways[
                        f"film, {'all' if len(found) == FILM_FRAMES else 'some' if found else 'no'} frames"
                    ] += 1
                window = Window(satdof, folder)
                if what == "film" and window.film() != expected:
                    raise Fault("the film that goes on differs")
            except Fault as fault:
                faults += 1
                print(f"FAILED: windows, seed {number}: {fault}; see {folder}", flush=True)
            else:
                window.kill()  # it may be saving
                shutil.rmtree(folder)
            finally:
                window.kill()
            if (done := number - seed + 1) % 10 == 0 and done < count:
                print(f"windows: {done} kills, at most {longest_s:.1f} s lost, {faults} faults", flush=True)
    for way, times in sorted(ways.items()):
        print(f"{times:6} windows: {way}")
    print(f"windows: {count} kills, at most {longest_s:.1f} s lost, {faults} faults", flush=True)
    return faults == 0


def attack(satdof: str, what: str, count: int, seed: int) -> bool:
    """Runs an attack `count` times. Prints the outcomes. Returns whether all checks pass."""
    if what in ALONE:
        return ALONE[what](satdof, count, seed)
    act, names = ATTACKS[what]
    if shutil.which("ffmpeg") is None:
        print("no ffmpeg: no films")
        names = [name for name in names if name not in FILMS]
    expected = Expected(satdof, names)
    ways: collections.Counter[str] = collections.Counter()
    faults = 0
    for number in range(seed, seed + count if names else seed):
        chosen = random.Random(number)
        name = chosen.choice(names)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-attack-"))
        try:
            ways[f"{name}, {act(satdof, expected, name, folder, chosen)}"] += 1
        except Fault as fault:
            faults += 1
            print(f"FAILED: {what}, seed {number}, {name}: {fault}; see {folder}", flush=True)
        else:
            shutil.rmtree(folder)
        if (done := number - seed + 1) % PROGRESS == 0 and done < count:
            print(f"{what}: {done} of {count} runs, {faults} faults", flush=True)
    for way, times in sorted(ways.items()):
        print(f"{times:6} {what}: {way}")
    print(f"{what}: {sum(ways.values()) + faults} runs, {faults} faults", flush=True)
    return faults == 0


ALONE = {"clipboard": paste, "windows": kill_windows}  # attacks on a window


def main() -> int:
    parser = program.parser(__doc__ or "")
    parser.add_argument("what", nargs="*", choices=[*ATTACKS, *ALONE, []], default=[])
    parser.add_argument("--count", type=int, default=100, help="runs of each attack")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first run; it grows by 1 a run")
    parser.add_argument("--program", type=os.path.abspath, default=program.SATDOF)
    given = parser.parse_args()
    results = [
        attack(given.program, what, given.count, given.seed) for what in given.what or [*ATTACKS, *ALONE]
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
