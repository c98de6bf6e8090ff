"""Times satdof and NumPy, SciPy, scikit-image and OpenCV, as far as installed: python -m satdof.bench [--help].

Prints milliseconds: the fastest of at least three calls on all cores; the call allocates the result. `error`, at the smallest size:
the largest difference from the result in integers or long doubles, relative to the largest result.
--device: arrays on a CUDA device, with CuPy, PyTorch and NPP; the mean time of a call in the fastest of at least three series.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
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


def table_type(image: Any) -> str | None:
    """The type of the table: 64 bits for large images of bytes, whose sums can exceed 32 bits; None: the default."""
    return "uint64" if image.dtype == np.uint8 and image.shape[0] > 4096 else None


def calls(channels: int, modules: dict[str, Any]) -> Iterator[tuple[str, str, Call]]:
    """(task, library, call) for images with this number of channels."""
    side = 2 * RADIUS + 1
    mask = np.random.default_rng(2).random((7, 7), np.float32)
    yield "integral", "satdof", lambda image: satdof.integral_image(image, dtype=table_type(image))
    yield "integral", "numpy", lambda image: image.cumsum(0).cumsum(1)
    yield "box", "satdof", lambda image: satdof.box_filter(image, RADIUS, "clamp")
    yield "tent", "satdof", lambda image: satdof.tent_filter(image, RADIUS, "clamp")
    yield "disc", "satdof", lambda image: satdof.disc_filter(image, RADIUS, "clamp")
    yield "convolve", "satdof", lambda image: satdof.convolve(image, mask)
    skimage = modules["skimage.transform"]
    if skimage and channels == 1:  # it also sums over the channels
        yield "integral", "skimage", skimage.integral_image
    if cv2 := modules["cv2"]:
        yield (
            "integral",
            "cv2",
            lambda image: cv2.integral(image, sdepth=cv2.CV_64F if table_type(image) else -1)[1:, 1:],
        )
        yield "box", "cv2", lambda image: cv2.blur(image, (side, side), borderType=cv2.BORDER_REPLICATE)
        depth = cv2.CV_32F
        pyramid = np.float32(RADIUS + 1 - abs(np.arange(-RADIUS, RADIUS + 1))) / (RADIUS + 1) ** 2
        yield (
            "tent",
            "cv2",
            lambda image: cv2.sepFilter2D(image, -1, pyramid, pyramid, borderType=cv2.BORDER_REPLICATE),
        )
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
    """(task, library, call) for arrays of one axis."""
    yield "scan", "satdof", satdof.scan
    yield "scan", "numpy", np.cumsum
    yield "sort", "satdof", satdof.sort
    yield "sort", "numpy", lambda x: np.sort(x, kind="stable")
    yield "compact", "satdof", lambda x: satdof.compact(x, x > x.max() // 2)
    yield "compact", "numpy", lambda x: x[x > x.max() // 2]


class Sides(ctypes.Structure):
    """NppiSize or NppiPoint."""

    _fields_ = (("width", ctypes.c_int), ("height", ctypes.c_int))


class NppStreamContext(ctypes.Structure):
    _fields_ = (
        ("stream", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("device", "processors", "threads", "block_threads")),
        ("shared_bytes", ctypes.c_size_t),
        *((name, ctypes.c_int) for name in ("major", "minor", "flags", "reserved")),
    )


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.data.ptr)


class OnCuPy:
    """Arrays and calls of CuPy."""

    def __init__(self) -> None:
        self.cupy = importlib.import_module("cupy")
        self.ndimage = importlib.import_module("cupyx.scipy.ndimage")
        self.put, self.get = self.cupy.asarray, self.cupy.asnumpy
        self.wait = self.cupy.cuda.get_current_stream().synchronize
        self.version = self.cupy.__version__
        properties = self.cupy.cuda.runtime.getDeviceProperties(0)
        self.device = properties["name"].decode()

    def calls(self, channels: int, middle: float) -> Iterator[tuple[str, Call]]:
        side = 2 * RADIUS + 1
        size = (side, side, 1)[: 2 if channels == 1 else 3]
        mask = self.put(np.random.default_rng(2).random((7, 7), np.float32))
        weights = mask if channels == 1 else mask[:, :, np.newaxis]
        yield "integral", lambda image: image.cumsum(0).cumsum(1)
        yield "box", lambda image: self.ndimage.uniform_filter(image, size, mode="nearest")
        yield (
            "convolve",
            lambda image: self.ndimage.correlate(image, weights, output=np.float32, mode="nearest"),
        )
        if channels == 1:
            yield "scan", lambda image: image.reshape(-1).cumsum()
            yield "sort", lambda image: self.cupy.sort(image.reshape(-1))
            yield "compact", lambda image: image.reshape(-1)[image.reshape(-1) > middle]


class OnNpp(OnCuPy):
    """Arrays of CuPy and calls of NPP: int32 tables of bytes, with a row and a column of zeros, and box filters."""

    def __init__(self) -> None:
        super().__init__()
        self.statistics, self.filters = (
            ctypes.CDLL(ctypes.util.find_library(name) or f"/usr/local/cuda/lib64/lib{name}.so")
            for name in ("nppist", "nppif")
        )
        self.version = f"CUDA {self.cupy.cuda.runtime.runtimeGetVersion() // 1000}"
        of = self.cupy.cuda.runtime.getDeviceProperties(0)
        limits = [of[f"max{name}"] for name in ("ThreadsPerMultiProcessor", "ThreadsPerBlock")]
        self.context = NppStreamContext(
            0, 0, of["multiProcessorCount"], *limits, of["sharedMemPerBlock"], of["major"], of["minor"], 0, 0
        )

    def integral(self, image: Any) -> Any:
        height, width = image.shape
        if image.dtype != np.uint8:
            raise RuntimeError("NPP sums bytes alone")
        table, step = self.cupy.empty((height + 1, width + 1), np.int32), 4 * (width + 1)
        call = self.statistics.nppiIntegral_8u32s_C1R_Ctx
        self.done(call(address(image), width, address(table), step, Sides(width, height), 0, self.context))
        return table[1:, 1:]

    def box(self, image: Any) -> Any:
        height, width, channels = (*image.shape, 1)[:3]
        kind = "8u" if image.dtype == np.uint8 else "32f"
        call = getattr(self.filters, f"nppiFilterBoxBorder_{kind}_C{channels}R_Ctx")
        out, step, size = self.cupy.empty_like(image), image.itemsize * width * channels, Sides(width, height)
        mask, anchor, repeat = Sides(2 * RADIUS + 1, 2 * RADIUS + 1), Sides(RADIUS, RADIUS), 2
        to = (address(out), step, size)
        self.done(call(address(image), step, size, Sides(0, 0), *to, mask, anchor, repeat, self.context))
        return out

    def calls(self, channels: int, middle: float) -> Iterator[tuple[str, Call]]:
        if channels == 1:
            yield "integral", self.integral
        yield "box", self.box

    @staticmethod
    def done(status: int) -> None:
        if status != 0:
            raise RuntimeError(f"NPP failed with status {status}")


class OnPyTorch:
    """Arrays and calls of PyTorch."""

    def __init__(self) -> None:
        self.torch = torch = importlib.import_module("torch")
        self.wait, self.version = torch.cuda.synchronize, torch.__version__
        self.device = torch.cuda.get_device_name(0)

    def put(self, array: Any) -> Any:
        return self.torch.from_numpy(array).cuda()

    def get(self, array: Any) -> Any:
        return array.cpu().numpy()

    def planes(self, image: Any, around: int) -> Any:
        """The image as floats, channels first, extended by `around` pixels that repeat the edge."""
        planes = image.float()[None, None] if image.ndim == 2 else image.float().permute(2, 0, 1)[None]
        return self.torch.nn.functional.pad(planes, (around,) * 4, mode="replicate")

    def image(self, planes: Any, like: Any) -> Any:
        image = planes[0, 0] if like.ndim == 2 else planes[0].permute(1, 2, 0)
        return image if like.is_floating_point() else image.round().to(like.dtype)

    def calls(self, channels: int, middle: float) -> Iterator[tuple[str, Call]]:
        functional, side = self.torch.nn.functional, 2 * RADIUS + 1
        mask = self.put(np.random.default_rng(2).random((7, 7), np.float32)).expand(channels, 1, 7, 7)
        yield "integral", lambda image: image.cumsum(0).cumsum(1)
        yield (
            "box",
            lambda image: self.image(functional.avg_pool2d(self.planes(image, RADIUS), side, 1), image),
        )
        yield "convolve", lambda image: functional.conv2d(self.planes(image, 3), mask, groups=channels)
        if channels == 1:
            yield "scan", lambda image: image.reshape(-1).cumsum(0)
            yield "sort", lambda image: image.reshape(-1).sort(stable=True)
            yield "compact", lambda image: image.reshape(-1)[image.reshape(-1) > middle]


def device_calls(
    channels: int, middle: float, table: str | None, radii: Any, floats: bool
) -> Iterator[tuple[str, str, Call]]:
    """(task, variant, call) of satdof on a device."""
    mask = np.random.default_rng(2).random((7, 7), np.float32)
    yield "integral", "", lambda image: satdof.integral_image(image, dtype=table)
    yield "box", "", lambda image: satdof.box_filter(image, RADIUS, "clamp")
    yield "box", "-each", lambda image: satdof.box_filter(image, radii, "clamp")
    for task, filtered in (("tent", satdof.tent_filter), ("disc", satdof.disc_filter)):
        yield task, "", lambda image, filtered=filtered: filtered(image, RADIUS, "clamp")
        yield task, "-each", lambda image, filtered=filtered: filtered(image, radii, "clamp")
    if floats:
        yield "scatter", "-each", lambda image: satdof.scatter(image, radii)
    yield "convolve", "", lambda image: satdof.convolve(image, mask)
    if channels == 1:
        yield "scan", "", lambda image: satdof.scan(image.reshape(-1))
        yield "sort", "", lambda image: satdof.sort(image.reshape(-1))
        yield "compact", "", lambda image: satdof.compact(image.reshape(-1), image.reshape(-1) > middle)


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


def fastest_series(call: Call, image: Any, wait: Callable[[], Any], seconds: float) -> float:
    """Milliseconds per call in the fastest series of 1 to 50 calls, which takes about 20 ms: launches overlap with work."""
    call(image)
    wait()
    start = time.perf_counter()
    call(image)
    wait()
    count = max(1, min(50, int(0.02 / (time.perf_counter() - start))))
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        for _ in range(count):
            call(image)
        wait()
        times.append((time.perf_counter() - start) / count)
    return 1e3 * min(times)


def random_image(random: Any, name: str, size: int) -> tuple[Any, int]:
    """A random image, and its number of channels."""
    dtype, channels = TYPES[name]
    shape = (size, size) if channels == 1 else (size, size, channels)
    floats = dtype == "float32"
    return random.random(shape, np.float32) if floats else random.integers(0, 256, shape, np.uint8), channels


def measure_device(sizes: list[int], seconds: float, kinds: dict[str, Any]) -> Iterator[dict[str, Any]]:
    random = np.random.default_rng(1)
    for size in sizes:
        for name in TYPES:
            image, channels = random_image(random, name, size)
            radii = random.random((size, size), np.float32) * 2 * RADIUS
            middle = float(image.max()) / 2
            table = table_type(image)
            for kind, arrays in kinds.items():
                given = arrays.put(image)
                todo = [(f"{task}/{kind}", call) for task, call in arrays.calls(channels, middle)]
                if kind != "npp":
                    own = device_calls(channels, middle, table, arrays.put(radii), image.dtype.kind == "f")
                    todo += [(f"{task}/satdof-{kind}{more}", call) for task, more, call in own]
                for row_name, call in todo:
                    try:
                        time_ = fastest_series(call, given, arrays.wait, seconds)
                    except (RuntimeError, MemoryError) as problem:
                        print(f"{row_name}/{name}/{size}: {problem}")
                        continue
                    row = {"name": f"{row_name}/{name}/{size}", "ms": round(time_, 4)}
                    task = row_name.partition("/")[0]
                    if size == min(sizes) and not row_name.endswith("-each") and task != "sort":
                        flat = task in ("scan", "compact")
                        wrong = error(task, image.reshape(-1) if flat else image, arrays.get(call(given)))
                        if wrong is not None:
                            row["error"] = float(f"{wrong:.2g}")
                    yield row


def measure(sizes: list[int], seconds: float, modules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    random = np.random.default_rng(1)
    for size in sizes:
        for name in TYPES:
            image, channels = random_image(random, name, size)
            todo = list(calls(channels, modules))
            if channels == 1:
                todo += [(task, library, call) for task, library, call in array_calls()]
            radii = random.random((size, size), np.float32) * 2 * RADIUS
            for task in ("box", "tent", "disc"):
                filtered = getattr(satdof, f"{task}_filter")
                todo.append(
                    (task, "satdof-each", lambda image, f=filtered, radii=radii: f(image, radii, "clamp"))
                )
            if image.dtype.kind == "f":
                todo.append(
                    ("scatter", "satdof-each", lambda image, radii=radii: satdof.scatter(image, radii))
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
    parser.add_argument("--seconds", type=float, default=0.3, help="seconds per row")
    parser.add_argument("--device", action="store_true", help="arrays on a CUDA device")
    parser.add_argument("--json", help="also write the rows to this file")
    options = parser.parse_args()
    context: dict[str, Any] = {}
    if options.device:
        kinds: dict[str, Any] = {}
        for name, kind in (("cupy", OnCuPy), ("torch", OnPyTorch), ("npp", OnNpp)):
            try:
                kinds[name] = kind()
            except (ImportError, OSError) as problem:
                print(f"{name}: {problem}")
            else:
                context |= {"device": kinds[name].device, name: kinds[name].version}
        measured = measure_device(options.sizes, options.seconds, kinds)
    else:
        modules = {name: loaded(name) for name in LIBRARIES}
        context["threads"] = satdof.threads()
        for name in modules:
            root = name.partition(".")[0]
            if modules[name]:
                context[root] = importlib.import_module(root).__version__
        measured = measure(options.sizes, options.seconds, modules)
    rows = []
    print(f"{platform.machine()}, {context}")
    for row in measured:
        rows.append(row)
        wrong = f"   error {row['error']:.2g}" if "error" in row else ""
        print(f"{row['name']:40} {row['ms']:10.4f} ms{wrong}", flush=True)
    if options.json:
        body = ",\n".join("  " + json.dumps(row) for row in rows)
        with open(options.json, "w") as file:
            file.write(f'{{\n "context": {json.dumps(context)},\n "rows": [\n{body}\n ]\n}}\n')


if __name__ == "__main__":
    main()
