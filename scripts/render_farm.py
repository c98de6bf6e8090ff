#!/usr/bin/env python3
"""Renders a sequence on a Dask cluster: ranges of frames, resumed and checked.

  render_farm.py --frames 240 --sequence out/shot.png --scheduler tcp://head:8786 -- --scene bodies --fps 30
  render_farm.py --frames 240 --sequence out/shot.png --workers 4 --video shot.mp4 -- --f-number 2

Options after -- go to satdof. All workers need the current folder, the folder of --sequence, satdof and the inputs at the same paths. A
worker refuses to render if its program or an input differs. A manifest beside the frames, shot.manifest.json, stores the options, the
version and hash of the program, the hash of every input file, and the hash of each frame with its layers. A second call resumes: it
keeps the frames whose hash is in the manifest. It renders every frame if the options, the program or an input have changed. If a
worker dies, another one renders its range. docs/sequences.md shows the same with Slurm.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import errno
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
ATTEMPTS = 3  # at missing frames
POLL_S = 5.0  # between checks for workers
SOURCES = ("version", "program", "inputs")  # what frames depend on, besides the options
MANIFEST_KEYS = {"options", *SOURCES, "frames"}
RESERVED = {"--frames", "--sequence", "--first", "--last", "--video", "--resume"}  # set by the farm
ALONE = {"--lab", "--save-lens", "--share", "--trace"}  # runs without images
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters except line ends
PR_SET_PDEATHSIG = 1


def shown(text: object) -> str:
    """Escapes the control characters of a path or a message; also the line ends of a path."""
    escaped = CONTROL.sub(lambda found: f"\\x{ord(found[0]) & 255:02x}", str(text))
    return escaped.replace("\n", "\\n") if isinstance(text, pathlib.Path) else escaped


def default_program() -> pathlib.Path:
    """The program of a manual release build, else the one that run.sh builds."""
    by_hand = ROOT / "build/release/bin/satdof"
    return by_hand if by_hand.exists() else ROOT / "build/run/bin/satdof"


def digest(*paths: pathlib.Path) -> str:
    """The SHA-256 of the contents of files."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    return found.hexdigest()


def die_with_parent(ending: signal.Signals) -> Callable[[], None]:
    """Returns a preexec_fn that makes the kernel send `ending` to the child when this process dies."""
    libc = ctypes.CDLL(None)  # not global: Dask would pickle it for the workers
    return lambda: libc.prctl(PR_SET_PDEATHSIG, ending)


def output_of(command: list[str], folder: str) -> str:
    """The standard output of a command. Raises RuntimeError with its error message if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")
    return done.stdout


def sources(command: list[str], folder: str) -> dict[str, Any]:
    """What satdof --inputs reports for a command (version, hash of the program, outputs), with the hashes of all inputs by path."""
    report = json.loads(output_of([*command, "--inputs"], folder))
    files = {name: digest(pathlib.Path(folder, name)) for name in (command[0], *report["inputs"])}
    return {**report, "inputs": files}


def numbered(sequence: pathlib.Path, frame: int, layer: str = "") -> pathlib.Path:
    return sequence.with_name(f"{sequence.stem}-{frame:04d}{layer}{sequence.suffix}")


def frame_digest(sequence: pathlib.Path, frame: int, layers: list[str]) -> str:
    return digest(*(numbered(sequence, frame, layer) for layer in ("", *layers)))


@contextlib.contextmanager
def scratch(kind: str, output: pathlib.Path) -> Iterator[pathlib.Path]:
    """A locked temporary folder beside `output`. Removes the folders of killed calls. Raises RuntimeError if another call writes
    `output`."""
    folder = output.parent
    start = f".satdof-{kind}-{hashlib.sha256(os.fsencode(output.name)).hexdigest()[:8]}-"
    for old in folder.glob(f"{start}*"):
        with contextlib.suppress(OSError), open(old / "lock", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=start, dir=folder) as made:
        with open(os.path.join(made, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if len(list(folder.glob(f"{start}*"))) > 1:
                raise RuntimeError(
                    f"another call writes {shown(output)}: wait for its end, or choose another name"
                )
            yield pathlib.Path(made)


class Job:
    """A sequence: the command that renders a range of frames, and the hashes of the frames rendered so far."""

    def __init__(
        self,
        program: str,
        options: list[str],
        sequence: pathlib.Path,
        frames: int,
        video: pathlib.Path | None,
        folder: pathlib.Path,
    ) -> None:
        """`folder`: for temporary files. Raises RuntimeError if satdof refuses the options, if an output would replace an input, or if
        the options contain outputs."""
        if conflicts := sorted((RESERVED | ALONE) & {option.partition("=")[0] for option in options}):
            otherwise = "" if conflicts[0] in ALONE else "give it to render_farm.py, before --, or "
            raise RuntimeError(f"{conflicts[0]} after --: {otherwise}leave it out")
        self.sequence, self.frames, self.part = sequence.absolute(), frames, folder / "manifest"
        program = os.path.abspath(shutil.which(program) or program)
        self.command = [program, "--headless", *options, "--frames", str(frames)]
        self.manifest = sequence.with_suffix(".manifest.json")
        self.read = self.read_manifest()
        outputs = ["--sequence", str(self.sequence), *(("--video", str(video)) if video else ())]
        self.sources = sources([*self.command, *outputs], os.getcwd())
        if video and (missing := self.sources["video"]["alphaMissing"]):
            raise RuntimeError(f"cannot write {shown(video)}: {missing}")
        if others := sorted({*self.sources["outputs"]} - {"--video"}):
            raise RuntimeError(f"{others[0]} after --: every range would write that file; leave it out")
        trial = [*self.command, "--sequence", str(folder.absolute() / sequence.name)]
        render(trial, os.getcwd(), self.sources, 1, 1)
        sources_now = {name: self.sources[name] for name in SOURCES}
        self.provenance = {"options": [*options, "--frames", str(frames)], **sources_now}
        self.hashes: dict[str, str] = self.reusable_hashes()

    def read_manifest(self) -> dict[str, Any]:
        """The manifest; empty if there is none. Raises RuntimeError if the file is not a manifest."""
        try:
            read = json.loads(self.manifest.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict) or read.keys() != MANIFEST_KEYS or not isinstance(read["frames"], dict):
            raise RuntimeError(
                f"{shown(self.manifest)} is no manifest of this program: move it, or choose another --sequence"
            )
        return read

    def reusable_hashes(self) -> dict[str, str]:
        """The hashes of the frames in the manifest if options, program and inputs are unchanged; else empty."""
        if not self.read:
            return {}
        if {**self.provenance, "frames": self.read["frames"]} == self.read:
            return dict(self.read["frames"])
        print("the options, the program or an input have changed: every frame is rendered", flush=True)
        return {}

    def accept(self, hashes: dict[int, str]) -> None:
        """Adds the frames that a worker rendered to the manifest."""
        self.hashes |= {str(number): found for number, found in hashes.items()}
        self.part.write_text(json.dumps({**self.provenance, "frames": self.hashes}, indent=1) + "\n")
        put(self.part, self.manifest)

    def problem(self, number: int) -> str:
        """Why the file of a frame is invalid; empty if it is valid."""
        try:
            found = frame_digest(self.sequence, number, self.sources["layers"])
        except FileNotFoundError:
            return "is missing"
        except OSError as error:
            return f"cannot be read: {error}"
        return "" if self.hashes.get(str(number)) == found else "is not what this sequence rendered"

    def missing(self) -> list[int]:
        return [number for number in range(1, self.frames + 1) if self.problem(number)]


def render(command: list[str], folder: str, wanted: dict[str, Any], first: int, last: int) -> dict[int, str]:
    """Renders the frames `first` to `last` on a worker. Returns the hash of each frame. Raises RuntimeError with the message of the
    program, or if the sources differ from `wanted` before or after rendering."""

    def require_sources() -> None:
        found = sources(command, folder)
        inputs, others = wanted["inputs"], found["inputs"]
        differing = [name for name in ("version", "program") if found[name] != wanted[name]]
        differing += [name for name in sorted({*inputs, *others}) if inputs.get(name) != others.get(name)]
        if differing:
            raise RuntimeError(f"the worker on {socket.gethostname()} has another {differing[0]}")

    require_sources()
    output_of([*command, "--first", str(first), "--last", str(last)], folder)
    require_sources()
    sequence = pathlib.Path(command[command.index("--sequence") + 1])
    return {number: frame_digest(sequence, number, wanted["layers"]) for number in range(first, last + 1)}


def ranges(frames: list[int], longest: int) -> list[tuple[int, int]]:
    """Groups ascending frames into ranges (first, last) of at most `longest` frames."""
    found: list[tuple[int, int]] = []
    for frame in frames:
        if found and frame == found[-1][1] + 1 and frame - found[-1][0] < longest:
            found[-1] = (found[-1][0], frame)
        else:
            found.append((frame, frame))
    return found


def ended(client: Any, futures: Iterable[Any], patience_s: float) -> Iterator[Any]:
    """Yields the futures as they end. Prints a message if no worker is connected; raises RuntimeError after patience_s without one."""
    from distributed import TimeoutError as NoneEnded
    from distributed import wait

    waiting, without = set(futures), None  # `without`: the time since which no worker is connected
    while waiting:
        try:
            done = wait(waiting, timeout=POLL_S, return_when="FIRST_COMPLETED").done
        except NoneEnded:
            done = set()
        if done or client.scheduler_info()["workers"]:
            without = None
        elif without is None:
            without = time.monotonic()
            print(f"no worker is connected to {client.scheduler.address}: waiting", flush=True)
        elif time.monotonic() - without > patience_s:
            raise RuntimeError(f"no worker was connected to {client.scheduler.address} for {patience_s:g} s")
        waiting -= done
        yield from done


def run(job: Job, scheduler: str | None, workers: int, chunk: int, patience_s: float) -> None:
    """Renders the missing frames. Raises RuntimeError if some are still missing after ATTEMPTS attempts."""
    missing = job.missing()
    print(f"{job.frames - len(missing)} of {job.frames} frames are there", flush=True)
    if not missing:
        return
    # Imported here: a complete sequence needs no cluster.
    from distributed import Client, LocalCluster

    command = [*job.command, "--sequence", str(job.sequence)]
    cluster = None if scheduler else LocalCluster(n_workers=workers, threads_per_worker=1)
    with Client(scheduler or cluster) as client:
        failures: list[str] = []
        for _ in range(ATTEMPTS):
            failures.clear()
            futures = {
                client.submit(
                    render, command, os.getcwd(), job.sources, first, last, pure=False, retries=1
                ): (first, last)
                for first, last in ranges(missing, chunk)
            }
            for future in ended(client, futures, patience_s):
                first, last = futures[future]
                if future.status == "finished":
                    job.accept(future.result())
                    print(f"frames {first} to {last}", flush=True)
                else:
                    failures.append(f"frames {first} to {last}: {future.exception()}")
            missing = job.missing()
            if not missing:
                break
    if cluster:
        cluster.close()
    if missing:
        reason = failures[0] if failures else f"frame {missing[0]} {job.problem(missing[0])}"
        raise RuntimeError(f"{len(missing)} frames are not valid after {ATTEMPTS} attempts: {reason}")


def count_frames(video: pathlib.Path) -> int:
    """The number of frames of a video, by decoding it; 0 if it is damaged."""
    command = ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-i", f"file:{video}"]
    command += ["-map", "0:v:0", "-progress", "pipe:1", "-f", "null", "-"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        preexec_fn=die_with_parent(signal.SIGKILL),
    )
    counts = re.findall(r"^frame=\s*(\d+)", done.stdout, re.MULTILINE)
    return int(counts[-1]) if counts and done.returncode == 0 else 0


def put(part: pathlib.Path, path: pathlib.Path) -> None:
    """Replaces `path`, or the file that it links to, by `part`. A file with several names keeps them. Raises OSError if the disk is
    full; then the old file stays."""
    path = path.resolve()
    if not path.exists() or path.stat().st_nlink == 1:
        try:
            return os.replace(part, path)
        except OSError as error:
            if error.errno != errno.EXDEV:  # a link to another file system
                raise
    path.touch()
    with open(part, "rb") as source, open(path, "r+b") as file:
        before = os.fstat(file.fileno()).st_size
        try:
            os.posix_fallocate(file.fileno(), 0, max(part.stat().st_size, 1))
        except OSError:
            os.ftruncate(file.fileno(), before)
            raise
        shutil.copyfileobj(source, file)
        file.truncate()
    return None


def assemble(job: Job, video: pathlib.Path) -> None:
    """Encodes the frames by ffmpeg. Replaces `video`, or the file that it links to, once the film is complete."""
    video = video.resolve()
    with scratch("video", video) as folder:
        part = folder / f"video{video.suffix}"
        command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png"]
        command += ["-framerate", str(job.sources["fps"]), "-i", "pipe:0"]
        command += [*job.sources["video"]["encoder"], f"file:{part}"]
        with (
            open(folder / "errors", "w+", errors="replace") as errors,
            subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stderr=errors,
                preexec_fn=die_with_parent(signal.SIGKILL),
            ) as encoder,
        ):
            assert encoder.stdin
            try:
                with contextlib.suppress(BrokenPipeError):  # ffmpeg says why
                    for number in range(1, job.frames + 1):
                        rest = memoryview(numbered(job.sequence, number).read_bytes())
                        while rest:
                            rest = rest[encoder.stdin.write(rest) :]
                encoder.stdin.close()
                encoder.wait()
            finally:
                encoder.kill()
            errors.seek(0)
            said = errors.read().strip()
        if encoder.returncode != 0:
            raise RuntimeError(
                f"cannot write {shown(video)}: ffmpeg: {said.splitlines()[-1] if said else 'no reason'}"
            )
        if (found := count_frames(part)) != job.frames:
            raise RuntimeError(f"cannot write {shown(video)}: ffmpeg wrote {found} of {job.frames} frames")
        if video.exists():
            shutil.copymode(video, part)
        put(part, video)


def main() -> int:
    options = sys.argv[1:]
    passed = options[options.index("--") + 1 :] if "--" in options else []
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, required=True, help="of the whole sequence")
    parser.add_argument("--sequence", type=pathlib.Path, required=True, help=".png, .exr or .pfm")
    parser.add_argument("--program", default=str(default_program()), help="on every worker")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; default: workers on this machine")
    parser.add_argument("--workers", type=int, default=1, help="on this machine, without --scheduler")
    parser.add_argument("--patience", type=float, default=300, help="seconds to wait without any worker")
    parser.add_argument("--chunk", type=int, default=16, help="most frames of a range")
    parser.add_argument("--video", type=pathlib.Path, help="assemble the .png frames with ffmpeg")
    arguments = parser.parse_args(options[: options.index("--")] if "--" in options else options)
    if arguments.sequence.suffix not in (".png", ".exr", ".pfm"):
        parser.error(f"--sequence {arguments.sequence}: expected a name ending in .png, .exr or .pfm")
    if arguments.video and (arguments.sequence.suffix != ".png" or not shutil.which("ffmpeg")):
        parser.error("--video needs ffmpeg and a sequence of .png files")
    if arguments.frames < 1 or arguments.chunk < 1 or arguments.workers < 1:
        parser.error("--frames, --chunk and --workers are at least 1")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda found, _: sys.exit(128 + found))
    try:
        with scratch("farm", arguments.sequence) as folder:
            job = Job(
                arguments.program, passed, arguments.sequence, arguments.frames, arguments.video, folder
            )
            run(job, arguments.scheduler, arguments.workers, arguments.chunk, arguments.patience)
            if arguments.video:
                assemble(job, arguments.video)
    except (RuntimeError, OSError, ImportError, ValueError) as error:
        print(f"render_farm.py: {shown(error)}", file=sys.stderr)
        return 1
    print(f"{job.frames} frames are valid: {shown(job.sequence)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
