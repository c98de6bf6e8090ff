"""Times satdof beside NumPy, SciPy, scikit-image and OpenCV, whichever are installed: python -m satdof.bench [--help].

Prints tables of milliseconds: the fastest of at least three calls on all cores, results allocated by the call. `error`: the
largest difference from the result in integers or long doubles, as a part of the largest result, at the smallest size.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import satdof

RADIUS = 20
LIBRARIES = ("numpy", "scipy.ndimage", "skimage.transform", "cv2")
TYPES = {
    "uint8": ("uint8", 1),
    "uint8-4": ("uint8", 4),
    "float32": ("float32", 1),
    "float32-4": ("float32", 4),
}

Call = Callable[[Any], Any]


def loaded(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def calls(channels: int, modules: dict[str, Any]) -> Iterator[tuple[str, str, Call]]:
    """(task, library, call) of an image."""
    side = 2 * RADIUS + 1
    mask = np.random.default_rng(2).random((7, 7), np.float32)
    yield "integral", "satdof", satdof.integral_image
    yield "integral", "numpy", lambda image: image.cumsum(0).cumsum(1)
    yield "box", "satdof", lambda image: satdof.box_filter(image, RADIUS, "clamp")
    yield "convolve", "satdof", lambda image: satdof.convolve(image, mask)
    skimage = modules["skimage.transform"]
    if skimage and channels == 1:  # it would sum the channels, too
        yield "integral", "skimage", skimage.integral_image
    if cv2 := modules["cv2"]:
        yield "integral", "cv2", lambda image: cv2.integral(image)[1:, 1:]
        yield "box", "cv2", lambda image: cv2.blur(image, (side, side), borderType=cv2.BORDER_REPLICATE)
        depth = cv2.CV_32F
        yield (
            "convolve",
            "cv2",
            lambda image: cv2.filter2D(image, depth, mask, borderType=cv2.BORDER_REPLICATE),
        )
    if ndimage := modules["scipy.ndimage"]:
        size = (side, side, 1)[: 2 if channels == 1 else 3]
        yield "box", "scipy", lambda image: ndimage.uniform_filter(image, size, mode="nearest")
        weights = mask if channels == 1 else mask[:, :, np.newaxis]
        yield (
            "convolve",
            "scipy",
            lambda image: ndimage.correlate(image, weights, output=np.float32, mode="nearest"),
        )


def array_calls() -> Iterator[tuple[str, str, Call]]:
    """(task, library, call) of one axis."""
    yield "scan", "satdof", satdof.scan
    yield "scan", "numpy", np.cumsum
    yield "sort", "satdof", satdof.sort
    yield "sort", "numpy", lambda x: np.sort(x, kind="stable")
    yield "compact", "satdof", lambda x: satdof.compact(x, x > x.max() // 2)
    yield "compact", "numpy", lambda x: x[x > x.max() // 2]


def expected(task: str, image: Any) -> Any:
    wide = image.astype(np.int64 if image.dtype.kind == "u" else np.longdouble)
    if task == "integral":
        return wide.cumsum(0).cumsum(1)
    if task == "scan":
        return wide.cumsum()
    if task == "box":
        r, side = RADIUS, 2 * RADIUS + 1
        edges = [(r + 1, r), (r + 1, r)] + [(0, 0)] * (image.ndim - 2)
        sums = np.pad(wide, edges, "edge").cumsum(0).cumsum(1)
        return (
            sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]
        ) / side**2
    return None


def error(task: str, image: Any, result: Any) -> float | None:
    exact = expected(task, image)
    if exact is None:
        return None
    if task == "box" and image.dtype.kind == "u":
        exact = np.rint(exact)
    return float(np.abs(result.astype(np.longdouble) - exact).max() / np.abs(exact).max())


def fastest(call: Call, image: Any, seconds: float) -> float:
    """Milliseconds of the fastest call."""
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        call(image)
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def measure(sizes: list[int], seconds: float, modules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    random = np.random.default_rng(1)
    for size in sizes:
        for name, (dtype, channels) in TYPES.items():
            shape = (size, size) if channels == 1 else (size, size, channels)
            image = (
                random.integers(0, 256, shape, np.uint8)
                if dtype == "uint8"
                else random.random(shape, np.float32)
            )
            todo = list(calls(channels, modules))
            if channels == 1:
                todo += [(task, library, call) for task, library, call in array_calls()]
            radii = random.random((size, size), np.float32) * 2 * RADIUS
            todo.append(
                ("box", "satdof-each", lambda image, radii=radii: satdof.box_filter(image, radii, "clamp"))
            )
            for task, library, call in todo:
                given = image.reshape(-1) if task in ("scan", "sort", "compact") else image
                row = {
                    "name": f"{task}/{library}/{name}/{size}",
                    "ms": round(fastest(call, given, seconds), 4),
                }
                if size == min(sizes) and library != "satdof-each":
                    wrong = error(task, given, call(given))
                    if wrong is not None:
                        row["error"] = float(f"{wrong:.2g}")
                yield row


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m satdof.bench", description=__doc__)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[256, 512, 1024, 2048, 4096], help="sides of images"
    )
    parser.add_argument("--seconds", type=float, default=0.3, help="time of a row")
    parser.add_argument("--json", help="also write the rows to this file")
    options = parser.parse_args()
    modules = {name: loaded(name) for name in LIBRARIES}
    versions = {
        name.split(".")[0]: importlib.import_module(name.split(".")[0]).__version__
        for name in modules
        if modules[name]
    }
    rows = []
    print(f"{platform.machine()}, {satdof.threads()} threads, {versions}")
    for row in measure(options.sizes, options.seconds, modules):
        rows.append(row)
        wrong = f"   error {row['error']:.2g}" if "error" in row else ""
        print(f"{row['name']:40} {row['ms']:10.3f} ms{wrong}", flush=True)
    if options.json:
        context = json.dumps({"threads": satdof.threads(), **versions})
        body = ",\n".join("  " + json.dumps(row) for row in rows)
        with open(options.json, "w") as file:
            file.write(f'{{\n "context": {context},\n "rows": [\n{body}\n ]\n}}\n')


if __name__ == "__main__":
    main()
