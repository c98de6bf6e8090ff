"""Runs the program satdof, to render scenes and to trace kernels."""

from __future__ import annotations

import html
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def program() -> str:
    """The path of the program: the environment variable SATDOF_PROGRAM, else satdof on PATH. FileNotFoundError if it is missing."""
    found = os.environ.get("SATDOF_PROGRAM") or shutil.which("satdof")
    if not found:
        raise FileNotFoundError(
            "the program satdof is not found: install it, or set SATDOF_PROGRAM to its path"
        )
    return found


def _run(*arguments: str | os.PathLike[str]) -> None:
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return
    lines = [line.removeprefix("satdof: ") for line in done.stderr.splitlines()]
    said = next(
        (line for line in lines if not line.startswith("note: ")), f"satdof ended with {done.returncode}"
    )
    raise ValueError(said) if done.returncode == 2 else RuntimeError(said)


def _read_map(path: pathlib.Path) -> Array:
    """Reads a portable float map, top row first: shape (height, width[, 3])."""
    with path.open("rb") as file:
        channels = 3 if file.readline().strip() == b"PF" else 1
        width, height = map(int, file.readline().split())
        kind = "<f4" if float(file.readline()) < 0 else ">f4"
        values = np.frombuffer(file.read(), kind).reshape(height, width, channels)
    return np.ascontiguousarray(values[::-1].squeeze(2) if channels == 1 else values[::-1], np.float32)


def render(settings: dict[str, Any] | str | None = None, **options: Any) -> dict[str, Array]:
    """Renders an image of a scene with the program, without a window.

    settings: as in a settings file of the program, {"scene": {"kind": "teapots"}}; or the path of such a file, or of an image
        that satdof has captured.
    options: options of the program, with _ for -: size=(640, 360), scene="bodies", focus=1.7, f_number=1.4, bokeh=False.
        `satdof --help` explains them.

    Returns float32 arrays by name. "colour", shape (height, width, 3): the image in linear light, before exposure. "depth", shape
    (height, width): metres to the nearest surface, inf if there is none. "coc", shape (height, width): radii of the circle of
    confusion in pixels, negative in front of the focus plane.
    FileNotFoundError: no program. ValueError, RuntimeError: the error message of the program.
    """
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words.append(option if value else "--no-" + option[2:])
        else:
            size = "x".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
            words += [option, size]
    with tempfile.TemporaryDirectory(prefix="satdof-") as name:
        folder = pathlib.Path(name)
        if isinstance(settings, dict):
            file = folder / "settings.json"
            file.write_text(json.dumps(settings))
            settings = str(file)
        if settings is not None:
            words = ["--settings", settings, *words]
        _run("--headless", *words, "--export", "depth,coc", "--capture", folder / "image.pfm")
        return {
            name: _read_map(folder / f"image{suffix}.pfm")
            for name, suffix in (("colour", ""), ("depth", "-depth"), ("coc", "-coc"))
        }


class Trace:
    """The memory accesses of a kernel: see docs/trace.md.

    counts: accesses, passes of shared memory, sectors of global memory and others, over all launches.
    launches, lines: the same counts for each launch and each source line.
    theory: additions and steps of the algorithm, if known.
    fault: a hazard in the kernel, else "".
    result: the first elements of the result.
    data: the whole output of the program, for up to 4096 elements with every step.
    Notebooks show the drawing.
    """

    def __init__(self, data: dict[str, Any], svg: str | None) -> None:
        self.data, self.svg = data, svg
        self.kernel: str = data["request"]["kernel"]
        self.elements: int = data["request"]["elements"]
        self.counts: dict[str, float] = data["counts"]["total"]
        self.launches: list[dict[str, Any]] = data["counts"]["launches"]
        self.lines: list[dict[str, Any]] = data["counts"]["lines"]
        self.theory: dict[str, Any] = data.get("theory", {})
        self.fault: str = data["counts"]["fault"]
        self.result = data["result"]

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {value:g}" for name, value in self.counts.items())
        return f"Trace({self.kernel!r}, {self.elements}: {counts})"

    def _repr_svg_(self) -> str | None:
        return self.svg

    def _repr_html_(self) -> str | None:
        if self.svg is not None:
            return None
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{value:g}</td></tr>" for name, value in self.counts.items()
        )
        return f"<table><caption>{html.escape(self.kernel)}, {self.elements} elements</caption>{rows}</table>"


def trace(
    kernel: str,
    elements: int = 64,
    *,
    data: str = "random",
    block_size: int | None = None,
    what_if: str | None = None,
) -> Trace:
    """Runs a CUDA kernel on the processor and counts its memory accesses, without a GPU.

    kernel: "scan/blelloch-padded", "table/fused" or others, see `satdof --list`.
    elements: 1 to 4194304. Up to 4096, the trace has every step and a drawing.
    data: "ones", "ramp" or "random".
    what_if: a deliberate mistake in the kernel, see `satdof --list`.
    FileNotFoundError: no program. ValueError, RuntimeError: the error message of the program.
    """
    words = ["--kernel", kernel, "--elements", str(elements), "--data", data]
    if block_size is not None:
        words += ["--block-size", str(block_size)]
    if what_if is not None:
        words += ["--what-if", what_if]
    with tempfile.TemporaryDirectory(prefix="satdof-") as name:
        counts, drawing = pathlib.Path(name) / "trace.json", pathlib.Path(name) / "trace.svg"
        _run(*words, "--trace", counts)
        found = json.loads(counts.read_text())
        if "steps" in found:
            _run(*words, "--trace", drawing)
        return Trace(found, drawing.read_text() if drawing.exists() else None)
