"""Compares the images of two builds of satdof: quality compare OLD_SATDOF NEW_SATDOF. Exit status 1 if any image differs.

A capture is a headless run of a build with fixed arguments. Most captures are linear floats (.pfm), compared bit for bit. The others
are .png, compared by pixels because their text contains settings, and one .hdr. captures.txt lists the captures. OLD's --list decides
which of them run. --quick keeps a capture only if it adds an option value, or a new pair of device, lens, view and table format.

OLD and NEW must support the options of captures.txt. Each build reads the shaders above its own binary. --cache keeps hashes of OLD's
images, so that the next comparison runs only NEW. The key is OLD's binary, its shaders and assets, its --list, and the arguments.

  mismatch  the images differ, or OLD cannot draw the capture
  unsteady  OLD differs from its own first image when it runs again
  note      different error messages for arguments that satdof must refuse
  warning   a constant image, or an option value that does not change the image: the capture tests nothing
"""

import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from tools import program
from tools.images import Image, difference, read_image

FIXED = {"--size": "203x131", "--time": "1", "--focus": "1.4", "--f-number": "0.4", "--lens-samples": "3"}
TIMEOUT_S = 300

# The result of a run: the hash of each image by file name, or the message under "error".
Record = dict[str, str]


class Capture(NamedTuple):
    arguments: str
    unlike: str = ""  # arguments of a capture whose image must differ
    refused: bool = False  # satdof must refuse the arguments


def expand(template: str) -> Iterator[Capture]:
    """Expands the choices of a template without {names}; see captures.txt."""
    if choice := re.search(r"\((.*?)\)", template):
        for text in filter(None, choice[1].split("|")):
            yield from expand(template[: choice.start()] + text + template[choice.end() :])
    elif choice := re.search(r" \[(.*?)\]", template):
        plain = template[: choice.start()] + template[choice.end() :]
        yield Capture(plain)
        for text in choice[1].split("|"):
            yield Capture(f"{template[: choice.start()]} {text}{template[choice.end() :]}", plain)
    else:
        yield Capture(template)


def capture_set(listing: str, devices: list[str]) -> list[Capture]:
    """The captures for everything available in `listing`, each once. `devices`: only these; empty: all."""
    names: dict[str, list[str]] = {"scan": [], "compaction": [], "sort": []}
    for kind, name in re.findall(r"^(\S+) +(\S+) +available", listing, re.MULTILINE):
        names.setdefault(kind, []).append(name)
    available = [name for name in names["device"] if name != "auto" and (not devices or name in devices)]
    if not available:
        sys.exit(f"no device of {', '.join(devices)} is available; see satdof --list")
    names |= {
        "all": available,
        "first": available[:1],
        "last": available[-1:],
        "lens-on": [name for name in names["lens-on"] if name.startswith("cuda")],
        "main": [name for name in available if name in ("cuda", "gl-compute", "cpu")],
    }
    found: dict[str, Capture] = {}
    for line in pathlib.Path(__file__).with_name("captures.txt").read_text().splitlines():
        template = re.sub(r"\{(.*?)\}", lambda field: "|".join(names[field[1]]), line.partition("#")[0])
        for capture in expand(template.lstrip("! ")) if template else ():
            device = re.match("--device (.*?) ", capture.arguments)
            if not device or device[1] in ("auto", *available):
                capture = capture._replace(refused=template.startswith("!"))
                found[capture.arguments] = max(capture, found.get(capture.arguments, capture))
    return list(found.values())


def quick(captures: list[Capture]) -> Iterator[Capture]:
    """The captures that add an option value, or a pair of device, lens, view and table format."""
    seen: set[object] = set()
    for capture in captures:
        options = re.split(" (?=--)", capture.arguments)
        technique = [o for o in options if o.split()[0] in ("--device", "--lens", "--view", "--table-format")]
        shown = {*options, *itertools.combinations(technique, 2)}
        if not shown <= seen:
            yield capture
        seen |= shown


def command_line(arguments: str) -> list[str]:
    """The command line: the arguments, and the FIXED options that the arguments do not set."""
    command = f"--headless --fresh {arguments}"
    for option, value in FIXED.items():
        command += f" {option} {value}" * (f"{option} " not in command)
    return (
        command
        + " --no-animate" * ("--animate" not in command)
        + " --capture image.pfm" * ("image." not in command)
    ).split()


def draw(satdof: pathlib.Path, arguments: str) -> tuple[Record, dict[str, Image]]:
    environment = {name: value for name, value in os.environ.items() if name != "SATDOF_DATA"}
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(
                [satdof, *command_line(arguments)],
                check=True,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"still running after {TIMEOUT_S} s"}, {}
        except subprocess.CalledProcessError as failure:
            return {"error": f"status {failure.returncode}: {' '.join(failure.stderr.split())}"}, {}
        images = {path.name: read_image(path) for path in pathlib.Path(folder).iterdir()}
    return {name: image.digest() for name, image in images.items()}, images


def cache_key(satdof: pathlib.Path, listing: str) -> bytes:
    """Everything that the images of a build depend on: the binary, its shaders and assets, and the machine as --list shows it."""
    data = next((folder for folder in satdof.parents if (folder / "shaders").is_dir()), satdof)
    files = sorted(
        path for name in ("shaders", "assets") for path in (data / name).rglob("*") if path.is_file()
    )
    return listing.encode() + b"".join(
        hashlib.sha256(path.read_bytes()).digest() for path in [satdof, *files]
    )


def compare(arguments: str, old: pathlib.Path, new: pathlib.Path, record: Record) -> tuple[str, str]:
    """Draws with `new`. Returns "mismatch", "unsteady", "note" or "", and the difference from OLD's record."""
    new_record, images = draw(new, arguments)
    if new_record == record:
        return "", ""
    if error := record.get("error"):
        return "note", f"OLD: {error}; NEW: {new_record.get('error', 'succeeds')}"
    if error := new_record.get("error"):
        return "mismatch", f"NEW: {error}"
    again, old_images = draw(old, arguments)
    kind = "mismatch" if again == record else "unsteady"
    if old_images.keys() != images.keys():
        return kind, f"OLD writes {sorted(old_images)}, NEW writes {sorted(images)}"
    texts = {name: difference(image, images[name]) for name, image in old_images.items()}
    return kind, "; ".join(f"{name}: {text}" for name, text in texts.items() if text)


def main() -> None:
    parser = program.parser(__doc__)
    parser.add_argument("old", type=pathlib.Path, metavar="OLD_SATDOF")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW_SATDOF")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="captures at a time (2)")
    parser.add_argument("--quick", action="store_true", help="fewer captures")
    parser.add_argument("--only", default="", metavar="REGEX", help="captures whose arguments match")
    parser.add_argument(
        "--device", action="append", default=[], metavar="NAME", help="captures with this device"
    )
    parser.add_argument(
        "--cache", type=pathlib.Path, metavar="DIR", help="keep hashes of OLD's images in DIR"
    )
    options = parser.parse_args()
    old, new = options.old.resolve(), options.new.resolve()
    for missing in (path for path in (old, new) if not path.is_file()):
        parser.error(f"no program at {missing}")
    listing = subprocess.run([old, "--list"], capture_output=True, text=True, check=True).stdout
    captures = [c for c in capture_set(listing, options.device) if re.search(options.only, c.arguments)]
    captures = list(quick(captures)) if options.quick else captures
    if not captures:
        sys.exit(f"no capture matches {options.only!r}")

    counts: collections.Counter[str] = collections.Counter()
    records: dict[str, Record] = {}

    def say(kind: str, capture: Capture, text: str) -> None:
        counts[kind] += 1
        print(f"{kind}: {capture.arguments}: {text}", flush=True)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cache = options.cache or pathlib.Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        key = cache_key(old, listing)

        def run(capture: Capture) -> tuple[Record, str, str]:
            command = " ".join(command_line(capture.arguments))
            path = cache / hashlib.sha256(key + command.encode()).hexdigest()
            if not path.exists():
                part = path.with_suffix(f".{os.getpid()}")
                part.write_text(json.dumps(draw(old, capture.arguments)[0]))
                part.rename(path)
            record = json.loads(path.read_text())
            return record, *compare(capture.arguments, old, new, record)

        for capture, (record, kind, text) in zip(captures, pool.map(run, captures)):
            records[capture.arguments] = record
            if kind:
                say(kind, capture, text)
            if "error" in record and not capture.refused:
                say("mismatch", capture, f"nothing to compare; OLD: {record['error']}")
            if any(image.startswith("constant") for image in record.values()):
                say("warning", capture, "a constant image")
    for capture in captures:
        if not capture.refused and records[capture.arguments] == records.get(capture.unlike):
            say("warning", capture, f"looks like {capture.unlike}")
    images = [image for record in records.values() for name, image in record.items() if name != "error"]
    kinds = ", ".join(f"{kind}: {counts[kind]}" for kind in ("mismatch", "unsteady", "note", "warning"))
    print(f"{len(captures)} captures, {len(images)} images, {len(set(images))} distinct; {kinds}")
    sys.exit(counts["mismatch"] > 0)
