"""Runs satdof and other programs; parses the command lines of the verbs."""

import argparse
import json
import pathlib
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
SATDOF = str(ROOT / "build/release/bin/satdof")

Stats = dict[str, Any]


def parser(doc: str) -> argparse.ArgumentParser:
    """A parser whose description is the docstring of a module, unchanged."""
    form = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(prog=sys.argv[0], description=doc, formatter_class=form)


def output(command: list[Any], folder: pathlib.Path | None = None, timeout_s: float | None = None) -> str:
    """The standard output of a command. Raises RuntimeError with the end of its output if it fails."""
    name = pathlib.Path(command[0]).name
    try:
        done = subprocess.run(
            [*map(str, command)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            cwd=folder,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"{name}: {error}") from error
    if done.returncode != 0:
        tail = (done.stdout + done.stderr).strip().splitlines()[-3:]
        raise RuntimeError(f"{name} ended with {done.returncode}: {' | '.join(tail)}")
    return done.stdout


def draw(satdof: str, image: pathlib.Path, *arguments: Any) -> Stats:
    """Draws an image headless, without animation. Returns the statistics of --stats, which stay in a file beside the image."""
    stats = image.with_name("stats.json")
    output([satdof, "--headless", "--no-animate", *arguments, "--stats", stats, "--capture", image])
    return json.loads(stats.read_text())
