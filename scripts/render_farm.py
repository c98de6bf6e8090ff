#!/usr/bin/env python3
"""Renders a sequence on a Dask cluster: ranges of frames, resumed and checked.

  render_farm.py --frames 240 --sequence out/shot.png --scheduler tcp://head:8786 -- --scene bodies --fps 30
  render_farm.py --frames 240 --sequence out/shot.png --workers 4 --video shot.mp4 -- --f-number 2

Options after -- go to satdof. The workers write to the folder of --sequence, which all of them must share, and need
satdof at the same path. Frames that exist and are valid are kept, so a second call resumes. A frame is valid if it
decodes and has the size, the settings and the time of this sequence; one frame rendered at the start says which. A worker that
dies loses its range to another worker. docs/sequences.md shows the same with GNU parallel and Slurm.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
ATTEMPTS = 3  # at a range whose frames do not arrive
KEYWORD = "satdof-settings"


class Frame(NamedTuple):
    """What a file says about itself."""

    size: tuple[int, int]
    settings: dict[str, Any] | None  # None: the format holds no text


def read_png(data: bytes) -> Frame:
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    at, pixels, header, text = 8, b"", b"", None
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + length)[0]:
            raise ValueError("damaged")
        at += length + 12
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            pixels += body
        elif kind == b"tEXt" and body.startswith(KEYWORD.encode() + b"\0"):
            text = body[len(KEYWORD) + 1 :].decode("latin-1")
        elif kind == b"IEND":
            break
    width, height, depth, colour = struct.unpack(">IIBB", header[:10])
    row = width * {0: 1, 2: 3}[colour] * depth // 8 + 1
    if len(zlib.decompress(pixels)) != row * height:
        raise ValueError("cut short")
    return Frame((width, height), json.loads(text) if text else {})


def read_exr(data: bytes) -> Frame:
    """Scanlines in chunks of ZIP, as satdof writes them."""
    if data[:8] != b"\x76\x2f\x31\x01\x02\0\0\0":
        raise ValueError("not an EXR with scanlines")
    at, found = 8, {}
    while data[at] != 0:
        name, kind, rest = data[at:].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        (length,) = struct.unpack_from("<I", data, at)
        found[name] = data[at + 4 : at + 4 + length]
        at += 4 + length
        del rest, kind
    left, bottom, right, top = struct.unpack("<4i", found[b"dataWindow"])
    width, height = right - left + 1, top - bottom + 1
    pixel, channels = 0, found[b"channels"]
    while channels[0] != 0:
        _, channels = channels.split(b"\0", 1)
        pixel += 2 if struct.unpack_from("<i", channels)[0] == 1 else 4
        channels = channels[16:]
    for first in range(0, height, 16):
        (offset,) = struct.unpack_from("<Q", data, at + 1 + first // 16 * 8)
        y, length = struct.unpack_from("<ii", data, offset)
        body, full = data[offset + 8 : offset + 8 + length], pixel * width * min(16, height - first)
        if y != bottom + first or (len(body) if length == full else len(zlib.decompress(body))) != full:
            raise ValueError("cut short")
    return Frame((width, height), json.loads(found.get(KEYWORD.encode(), b"{}")))


def read_pfm(data: bytes) -> Frame:
    kind, size, _, values = data.split(b"\n", 3)
    width, height = map(int, size.split())
    if kind != b"PF" or len(values) != 12 * width * height:
        raise ValueError("cut short")
    return Frame((width, height), None)


READERS = {".png": read_png, ".exr": read_exr, ".pfm": read_pfm}


def numbered(sequence: pathlib.Path, frame: int) -> pathlib.Path:
    return sequence.with_name(f"{sequence.stem}-{frame:04d}{sequence.suffix}")


class Job:
    """A sequence: how to render a range of it, and what its frames must be."""

    def __init__(self, program: str, options: list[str], sequence: pathlib.Path, frames: int) -> None:
        self.sequence, self.frames = sequence, frames
        self.command = [program, "--headless", *options, "--frames", str(frames)]
        with tempfile.TemporaryDirectory(prefix=".satdof-farm-", dir=sequence.parent) as folder:
            probe = pathlib.Path(folder) / sequence.name
            render([*self.command, "--sequence", str(probe)], 1, 1)
            self.expected = self.comparable(self.read(numbered(probe, 1)))
            self.first_s = self.time_s(self.read(numbered(probe, 1)))
            self.step_s = 0.0
            if frames > 1:
                render([*self.command, "--sequence", str(probe)], frames, frames)
                last_s = self.time_s(self.read(numbered(probe, frames)))
                self.step_s = (last_s - self.first_s) / (frames - 1)

    def read(self, path: pathlib.Path) -> Frame:
        return READERS[self.sequence.suffix](path.read_bytes())

    @staticmethod
    def time_s(frame: Frame) -> float:
        return frame.settings["scene"]["timeS"] if frame.settings else 0.0

    @staticmethod
    def comparable(frame: Frame) -> str:
        """The size and the settings, without those that differ from frame to frame."""
        settings = json.loads(json.dumps(frame.settings))
        if settings:
            del settings["scene"]["timeS"], settings["lens"]["focusDistanceM"]
        return json.dumps([frame.size, settings])

    def problem(self, number: int) -> str:
        """Why the file of a frame is not valid; empty if it is."""
        path = numbered(self.sequence, number)
        try:
            frame = self.read(path)
            if self.comparable(frame) != self.expected:
                return "has another size or other settings"
            time_s = self.first_s + (number - 1) * self.step_s
            if frame.settings and abs(self.time_s(frame) - time_s) > 1e-5 * max(1.0, abs(time_s)):
                return "shows another time"
        except FileNotFoundError:
            return "is missing"
        except (OSError, ValueError, KeyError, IndexError, struct.error, zlib.error) as error:
            return f"cannot be read: {error}"
        return ""

    def missing(self) -> list[int]:
        return [number for number in range(1, self.frames + 1) if self.problem(number)]


def render(command: list[str], first: int, last: int) -> None:
    """Runs on a worker. Raises RuntimeError with the message of the program."""
    done = subprocess.run(
        [*command, "--first", str(first), "--last", str(last)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")


def ranges(frames: list[int], longest: int) -> list[tuple[int, int]]:
    """Frames as ranges of at most `longest`, first and last included."""
    found: list[tuple[int, int]] = []
    for frame in frames:
        if found and frame == found[-1][1] + 1 and frame - found[-1][0] < longest:
            found[-1] = (found[-1][0], frame)
        else:
            found.append((frame, frame))
    return found


def run(job: Job, scheduler: str | None, workers: int, chunk: int) -> None:
    """Renders what is missing. Raises RuntimeError if frames do not arrive."""
    missing = job.missing()
    print(f"{job.frames - len(missing)} of {job.frames} frames are there", flush=True)
    if not missing:
        return
    # Imported here: a complete sequence needs no cluster.
    from distributed import Client, LocalCluster, as_completed

    command = [*job.command, "--sequence", str(job.sequence.absolute())]
    cluster = None if scheduler else LocalCluster(n_workers=workers, threads_per_worker=1)
    with Client(scheduler or cluster) as client:
        failures: list[str] = []
        for _ in range(ATTEMPTS):
            failures.clear()
            futures = {
                client.submit(render, command, first, last, pure=False, retries=1): (first, last)
                for first, last in ranges(missing, chunk)
            }
            for future in as_completed(futures):
                first, last = futures[future]
                if future.status == "finished":
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


def assemble(job: Job, video: pathlib.Path, rate: str) -> None:
    """Pipes the frames to ffmpeg; replaces `video` when it is complete."""
    with tempfile.TemporaryDirectory(prefix=".satdof-video-", dir=video.parent) as folder:
        part = pathlib.Path(folder) / f"video{video.suffix}"
        filters = "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png"]
        command += ["-framerate", rate, "-i", "pipe:0", "-vf", filters, "-colorspace", "bt709"]
        command += ["-color_primaries", "bt709", "-color_trc", "bt709", f"file:{part}"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
            assert encoder.stdin and encoder.stderr
            try:
                for number in range(1, job.frames + 1):
                    encoder.stdin.write(numbered(job.sequence, number).read_bytes())
                encoder.stdin.close()
            except BrokenPipeError:
                pass  # ffmpeg says why
            said = encoder.stderr.read().decode(errors="replace").strip()
        if encoder.returncode != 0:
            raise RuntimeError(
                f"cannot write {video}: ffmpeg: {said.splitlines()[-1] if said else 'no reason'}"
            )
        os.replace(part, video)


def main() -> int:
    options = sys.argv[1:]
    passed = options[options.index("--") + 1 :] if "--" in options else []
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, required=True, help="of the whole sequence")
    parser.add_argument("--sequence", type=pathlib.Path, required=True, help=".png, .exr or .pfm")
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/satdof"), help="on every worker")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; default: workers on this machine")
    parser.add_argument("--workers", type=int, default=1, help="on this machine, without --scheduler")
    parser.add_argument("--chunk", type=int, default=16, help="most frames of a range")
    parser.add_argument("--video", type=pathlib.Path, help="assemble the .png frames with ffmpeg")
    arguments = parser.parse_args(options[: options.index("--")] if "--" in options else options)
    if arguments.sequence.suffix not in READERS:
        parser.error(f"--sequence {arguments.sequence}: expected a name ending in .png, .exr or .pfm")
    if arguments.video and (arguments.sequence.suffix != ".png" or not shutil.which("ffmpeg")):
        parser.error("--video needs ffmpeg and a sequence of .png files")
    if arguments.frames < 1 or arguments.chunk < 1 or arguments.workers < 1:
        parser.error("--frames, --chunk and --workers are at least 1")
    try:
        job = Job(arguments.program, passed, arguments.sequence, arguments.frames)
        run(job, arguments.scheduler, arguments.workers, arguments.chunk)
        if arguments.video:
            rate = passed[passed.index("--fps") + 1] if "--fps" in passed else "60"
            assemble(job, arguments.video, rate)
    except (RuntimeError, OSError, ImportError) as error:
        print(f"render_farm.py: {error}", file=sys.stderr)
        return 1
    print(f"{job.frames} frames are valid: {job.sequence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
