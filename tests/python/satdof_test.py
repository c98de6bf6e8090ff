#!/usr/bin/env python3
"""Tests the Python package against NumPy in integers and doubles.

satdof_test.py [CASES [SEED]]   CASES: random calls, 400 by default
"""

import importlib
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np
import satdof

os.environ.setdefault(
    "XLA_PYTHON_CLIENT_PREALLOCATE", "false"
)  # JAX must leave device memory to the other libraries

CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 400
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1

INTEGERS = ("uint8", "int8", "uint16", "int16", "uint32", "int32")
FLOATS = ("float32", "float64")
EPSILON = {"float32": 2.0**-24, "float64": 2.0**-53}


CALLERS, CALLS = 4, 20


def right_results(expected, call):
    """Makes CALLS calls in each of CALLERS threads. Returns how many results are as expected."""
    right = []

    def calls():
        for _ in range(CALLS):
            right.append(np.array_equal(expected, call()))

    callers = [threading.Thread(target=calls) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return sum(right)


def values(random, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind == "f":
        return (random.random(shape) * 2 - 1).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, shape, dtype, endpoint=True)


def strided(random, array):
    """The same values with other strides, byte order or alignment."""
    way = random.integers(7)
    if way == 1:
        return np.asfortranarray(array)
    if way == 2:  # every second element of a larger array
        wide = np.zeros([2 * n for n in array.shape], array.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view
    if way == 3:
        return np.ascontiguousarray(array[::-1])[::-1]
    if way == 4:  # rows with gaps
        wide = np.zeros((*array.shape[:-1], array.shape[-1] + 3), array.dtype)
        wide[..., : array.shape[-1]] = array
        return wide[..., : array.shape[-1]]
    if way == 5:
        return array.astype(array.dtype.newbyteorder())
    if way == 6:  # not aligned
        raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
        view = raw.view(array.dtype).reshape(array.shape)
        view[...] = array
        return view
    return array


def exact(array):
    return array.astype(np.float64 if array.dtype.kind == "f" else object)


def table_of(image, exclusive):
    sums = exact(image).cumsum(0).cumsum(1)
    return np.pad(sums, [(1, 0), (1, 0)] + [(0, 0)] * (image.ndim - 2)) if exclusive else sums


def box_weight(i, j, radius):
    rim = radius - int(radius)
    return (rim if abs(i) > radius else 1.0) * (rim if abs(j) > radius else 1.0)


def tent_weight(i, j, radius):
    return max(0.0, radius + 1 - abs(i)) * max(0.0, radius + 1 - abs(j))


def disc_weight(i, j, radius):
    beyond = math.sqrt(i * i + j * j) - int(radius)
    return 1.0 if beyond <= 0 else radius - int(radius) if beyond <= 1 else 0.0


WEIGHTS = {"box_filter": box_weight, "tent_filter": tent_weight, "disc_filter": disc_weight}


def mean_of(weight_of, image, y, x, radius, border):
    """The mean around one pixel, one product at a time."""
    whole, total, area = int(radius), 0.0, 0.0
    height, width = image.shape[:2]
    wide = image.astype(np.float64)
    ys, xs = range(y - whole - 1, y + whole + 2), range(x - whole - 1, x + whole + 2)

    def place(k, size):
        if border == "clamp":
            return min(max(k, 0), size - 1)
        if border == "reflect":
            k %= 2 * size
            return min(k, 2 * size - 1 - k)
        return k if 0 <= k < size else None

    for j in ys:
        for i in xs:
            weight = weight_of(i - x, j - y, radius)
            row, column = place(j, height), place(i, width)
            if row is not None and column is not None:
                total = total + weight * wide[row, column]
                area += weight
    return total / area


def scatter_of(image, radius):
    """Sums and coverage, one disc at a time."""
    height, width = radius.shape
    ones = np.ones((height, width, 1))
    values_ = np.concatenate([image.astype(np.float64).reshape(height, width, -1), ones], 2)
    sums = np.zeros(values_.shape)
    for y, x in np.ndindex(height, width):
        r, reach = float(radius[y, x]), int(radius[y, x]) + 1
        around = range(-reach, reach + 1)
        weights = np.array([[disc_weight(i, j, r) for i in around] for j in around])
        top, left = max(0, y - reach), max(0, x - reach)
        part = weights[top - y + reach : height - y + reach, left - x + reach : width - x + reach]
        share = part[:, :, np.newaxis] * values_[y, x] / weights.sum()
        sums[top : top + part.shape[0], left : left + part.shape[1]] += share
    return sums[..., :-1].reshape(image.shape), sums[..., -1]


def convolution_of(image, mask):
    h, w = mask.shape
    padded = np.pad(exact(image), [(h // 2,) * 2, (w // 2,) * 2] + [(0, 0)] * (image.ndim - 2), "edge")
    height, width = image.shape[:2]
    return sum(exact(mask)[j, i] * padded[j : j + height, i : i + width] for j in range(h) for i in range(w))


NAMES = ("integral_image", *WEIGHTS, "scatter", "scan", "compact", "sort", "convolve", "refocus")


class Campaign:
    """Random calls: shapes, types, strides, arguments."""

    def __init__(self, case):
        self.random = np.random.default_rng([SEED, case])

    def shape(self, most=40):
        return tuple(int(n) for n in self.random.integers(1, most, 2)) + self.random.choice(
            np.array([(), (1,), (2,), (3,), (4,), (5,)], object)
        )

    def image(self, dtypes, most=40):
        plain = values(self.random, self.shape(most), self.random.choice(dtypes))
        return plain, strided(self.random, plain)

    def integral_image(self):
        plain, image = self.image((*INTEGERS, *FLOATS, "bool"), 200)
        exclusive = bool(self.random.integers(2))
        sums = satdof.integral_image(image, exclusive)
        expected = table_of(plain, exclusive)
        if plain.dtype.kind == "f":
            np.testing.assert_allclose(sums, expected, rtol=0, atol=plain.size**2 * 2.0**-52)
            sums = satdof.integral_image(image, exclusive, scale=2.0**20)
            assert sums.dtype == np.int64
            expected = table_of(np.rint(plain.astype(np.float64) * 2**20).astype(np.int64), exclusive)
        np.testing.assert_array_equal(sums.astype(object), expected.astype(object))

    def radii(self, shape, most):
        radius = self.random.random(shape) * most
        return np.where(self.random.random(shape) < 0.5, np.floor(radius), radius).astype(np.float32)

    def box_filter(self, name="box_filter"):
        function = getattr(satdof, name)
        plain, image = self.image((*INTEGERS, *FLOATS), 24)
        border = str(self.random.choice(["inside", "clamp", "reflect"]))
        radius = self.radii(plain.shape[:2], 12)
        if self.random.integers(2):
            radius[...] = radius[0, 0]
            out = function(image, float(radius[0, 0]), border)
        else:
            out = function(image, strided(self.random, radius), border)
        assert out.dtype == plain.dtype and out.shape == plain.shape
        for _ in range(12):
            y, x = (int(self.random.integers(n)) for n in plain.shape[:2])
            expected = mean_of(WEIGHTS[name], plain, y, x, float(radius[y, x]), border)
            bound = (
                EPSILON[plain.dtype.name] + 1e-11
                if plain.dtype.kind == "f"
                else 0.5 + 1e-11 * np.abs(expected)
            )
            assert np.all(np.abs(out[y, x] - expected) <= bound), (border, radius[y, x], y, x)

    def tent_filter(self):
        self.box_filter("tent_filter")

    def disc_filter(self):
        self.box_filter("disc_filter")

    def scatter(self):
        plain, image = self.image(FLOATS, 16)
        radius = self.radii(plain.shape[:2], 9)
        given = strided(self.random, radius)
        if self.random.integers(2):
            radius[...] = radius[0, 0]
            given = float(radius[0, 0])
        sums, coverage = satdof.scatter(image, given)
        assert sums.dtype == coverage.dtype == plain.dtype
        expected = scatter_of(plain, radius)
        for actual, wanted in zip((sums, coverage), expected):
            bound = 4 * EPSILON[plain.dtype.name]
            np.testing.assert_allclose(actual, wanted, rtol=bound, atol=bound + 1e-11)

    def numbers_to_scan(self):
        """Numbers, an axis, and whether the scan is exclusive."""
        dtype = self.random.choice((*INTEGERS, *FLOATS, "bool", "int64", "uint64"))
        shape = tuple(int(n) for n in self.random.integers(1, 13, self.random.integers(1, 5)))
        if self.random.integers(4) == 0:
            shape = (int(self.random.integers(1, 90000)),)
        axis = int(self.random.integers(-len(shape), len(shape)))
        return values(self.random, shape, dtype), axis, bool(self.random.integers(2))

    def scan(self):
        plain, axis, exclusive = self.numbers_to_scan()
        out = satdof.scan(strided(self.random, plain), axis, exclusive)
        assert out.shape == plain.shape
        wide = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.uint64}[plain.dtype.kind]
        expected = np.cumsum(plain, axis, dtype=wide)
        if exclusive:
            expected -= plain.astype(wide)
        if plain.dtype.kind == "f":
            assert out.dtype == plain.dtype
            np.testing.assert_allclose(out, expected, rtol=2 * EPSILON[plain.dtype.name], atol=1e-9)
        else:
            assert out.dtype == wide
            np.testing.assert_array_equal(out, expected)

    def compact(self):
        dtype = self.random.choice([*INTEGERS, *FLOATS, "bool", "complex128", "U3", "datetime64[s]"])
        shape = tuple(int(n) for n in self.random.integers(0, 30, self.random.integers(1, 4)))
        raw = values(self.random, shape, "int16")
        plain = raw.astype("int64").astype(dtype) if dtype == "datetime64[s]" else raw.astype(dtype)
        axes = int(self.random.integers(1, len(shape) + 1))
        mask = self.random.random(shape[:axes]) < self.random.random()
        out = satdof.compact(plain if plain.size == 0 else strided(self.random, plain), mask)
        np.testing.assert_array_equal(out, plain[mask])

    def keys(self, most):
        dtype = self.random.choice((*INTEGERS, *FLOATS, "bool", "int64", "uint64"))
        plain = values(self.random, int(self.random.integers(1, most)), dtype)
        plain[:: int(self.random.integers(1, 9))] = plain[0]
        if plain.dtype.kind == "f":
            plain[self.random.random(plain.shape) < 0.1] = self.random.choice(
                [np.nan, -np.nan, np.inf, -0.0, 0.0]
            )
        return plain

    def sort(self):
        plain = self.keys(3000)
        order = np.argsort(plain, kind="stable")
        keys = strided(self.random, plain)
        np.testing.assert_array_equal(satdof.sort(keys), plain[order])
        payload = values(
            self.random, (len(plain), *self.random.choice(np.array([(), (1,), (3,)], object))), "int16"
        )
        sorted_keys, moved = satdof.sort(keys, strided(self.random, payload))
        np.testing.assert_array_equal(sorted_keys, plain[order])
        np.testing.assert_array_equal(moved, payload[order])

    def convolve(self):
        plain, image = self.image(("bool", "uint8", "int8", "uint16", *FLOATS), 24)
        if plain.ndim == 3 and plain.shape[2] > 4:
            plain, image = plain[..., :4], image[..., :4]
        sides = tuple(int(n) for n in self.random.integers(0, 3, 2) * 2 + 1)
        mask = (
            values(self.random, sides, "float64")
            if self.random.integers(2)
            else self.random.integers(-20, 20, sides)
        )
        out = satdof.convolve(image, mask)
        assert out.shape == plain.shape
        expected = convolution_of(plain, mask)
        if out.dtype == np.int32:
            np.testing.assert_array_equal(out, expected.astype(np.int64))
        else:
            bound = (
                4
                * mask.size
                * EPSILON[out.dtype.name]
                * max(1.0, float(np.abs(plain.astype(np.float64)).max()))
            )
            np.testing.assert_allclose(
                out, expected.astype(np.float64), rtol=0, atol=bound * max(1.0, float(np.abs(mask).max()))
            )

    def photograph(self):
        """An image, its depth, and options of refocus()."""
        height, width = (int(n) for n in self.random.integers(1, 60, 2))
        plain = values(self.random, (height, width, 3), self.random.choice(["uint8", "uint16", "float32"]))
        plain = abs(plain) if plain.dtype.kind == "f" else plain
        depth = values(
            self.random,
            tuple(int(n) for n in self.random.integers(1, 60, 2)),
            self.random.choice(["uint8", "uint16", "int32", "float32", "float64"]),
        )
        depth.flat[0] = 3
        if depth.dtype.kind == "f":
            depth[self.random.random(depth.shape) < 0.1] = self.random.choice([np.nan, np.inf, -np.inf])
        options = {
            "lens": str(self.random.choice(["layered", "box"])),
            "focus": float(self.random.uniform(0.1, 20)),
            "f_number": float(10 ** self.random.uniform(-1, 2)),
            "bokeh": bool(self.random.integers(2)),
            "blades": int(self.random.integers(0, 9)),
            "cat_eye": float(self.random.uniform(0, 1)),
            "depth_means": str(
                self.random.choice(["auto", "metres", "inverse-metres", "disparity", "relative"])
            ),
        }
        if self.random.integers(4) == 0:
            options["look"] = str(self.random.choice(satdof.looks()))
        return plain, depth, options

    def refocus(self):
        plain, depth, options = self.photograph()
        try:
            out = satdof.refocus(strided(self.random, plain), strided(self.random, depth), **options)
        except ValueError as error:
            assert "no pixel has a valid depth" in str(error), error
            return
        assert out.dtype == plain.dtype and out.shape == plain.shape
        assert np.isfinite(out).all() and (out >= 0).all()
        np.testing.assert_array_equal(out, satdof.refocus(plain, depth, **options))
        grey = np.full(plain.shape, 0.4, np.float32)
        metres = self.random.uniform(1, 20, depth.shape)
        options |= {
            "focus": options["focus"] + 1,
            "f_number": options["f_number"] + 1.4,
            "depth_means": "metres",
        }
        if "look" not in options:  # whose corners are dark
            np.testing.assert_allclose(satdof.refocus(grey, metres, **options), grey, rtol=0.02)


class Random(unittest.TestCase):
    def test_random_calls(self):
        for case in range(CASES):
            campaign = Campaign(case)
            name = NAMES[case % len(NAMES)]
            satdof.set_threads(case % 3 + 1)
            with self.subTest(name, case=case):
                getattr(campaign, name)()


class CuPyArrays:
    module = "cupy"

    def __init__(self, cupy):
        self.of, self.get = cupy, cupy.asnumpy
        cupy.cuda.runtime.getDevice()

    def put(self, array):
        return self.of.asarray(array)

    def stream(self):
        return self.of.cuda.Stream(non_blocking=True)


class PyTorchArrays:
    module = "torch"

    def __init__(self, torch):
        self.of = torch
        torch.cuda.current_device()

    def put(self, array):
        return self.of.from_numpy(np.array(array)).cuda()

    def get(self, array):
        return array.cpu().numpy()

    def stream(self):
        return self.of.cuda.stream(self.of.cuda.Stream())


class JaxArrays:
    module = "jax"

    def __init__(self, jax):
        self.of = jax
        jax.config.update("jax_enable_x64", True)
        self.device = jax.devices("gpu")[0]

    def put(self, array):
        return self.of.device_put(np.array(array), self.device)

    def get(self, array):
        return np.asarray(array)


class DeviceCampaign(Campaign):
    """Random calls with arrays on a device, compared with the same calls on arrays in main memory."""

    def __init__(self, case, arrays):
        super().__init__(case)
        self.arrays = arrays

    def put(self, array):
        """The array, or a part of a larger one."""
        way = self.random.integers(4)
        if way == 0 and array.size:
            wide = np.zeros([2 * n for n in array.shape], array.dtype)
            wide[tuple(slice(None, None, 2) for _ in array.shape)] = array
            return self.arrays.put(wide)[tuple(slice(None, None, 2) for _ in array.shape)]
        if way == 1 and array.size:
            wide = np.zeros((*array.shape[:-1], array.shape[-1] + 3), array.dtype)
            wide[..., : array.shape[-1]] = array
            return self.arrays.put(wide)[..., : array.shape[-1]]
        return self.arrays.put(array)

    def same(self, function, *arrays, bound=0.0, **named):
        expected = function(*arrays, **named)
        result = function(*(self.put(x) if isinstance(x, np.ndarray) else x for x in arrays), **named)
        for actual, wanted in zip(*(x if isinstance(x, tuple) else (x,) for x in (result, expected))):
            assert type(actual) is type(self.arrays.put(np.zeros(1))), type(actual)
            actual = self.arrays.get(actual)
            assert actual.dtype == wanted.dtype and actual.shape == wanted.shape, (actual.dtype, actual.shape)
            if bound and wanted.dtype.kind == "f":
                rtol = 2 * EPSILON[wanted.dtype.name]
                np.testing.assert_allclose(actual, wanted, rtol=rtol, atol=bound)
            else:
                np.testing.assert_array_equal(actual, wanted)

    def integral_image(self):
        plain = values(self.random, self.shape(300), self.random.choice((*INTEGERS, *FLOATS, "bool")))
        exclusive = bool(self.random.integers(2))
        # Units of at most max(2^-50, 2^-60 n), and the processor's sums of doubles.
        bound = plain.size**2 * 2.0**-51
        self.same(satdof.integral_image, plain, exclusive=exclusive, bound=bound)
        if plain.dtype.kind == "f":
            self.same(satdof.integral_image, plain, exclusive=exclusive, scale=2.0**20)

    def box_filter(self, name="box_filter"):
        plain = values(self.random, self.shape(80), self.random.choice((*INTEGERS, *FLOATS)))
        radius = self.radii(plain.shape[:2], 30)
        border = str(self.random.choice(["inside", "clamp", "reflect"]))
        self.same(
            getattr(satdof, name),
            plain,
            radius if self.random.integers(2) else float(radius[0, 0]),
            border=border,
        )

    def scatter(self):
        plain = values(self.random, self.shape(60), self.random.choice(FLOATS))
        radius = self.radii(plain.shape[:2], 20)
        self.same(satdof.scatter, plain, radius if self.random.integers(2) else float(radius[0, 0]))

    def scan(self):
        plain, axis, exclusive = self.numbers_to_scan()
        self.same(satdof.scan, plain, axis=axis, exclusive=exclusive, bound=1e-9)

    def compact(self):
        dtype = self.random.choice([*INTEGERS, *FLOATS, "bool", "complex128"])
        shape = tuple(int(n) for n in self.random.integers(1, 30, self.random.integers(1, 4)))
        plain = values(self.random, shape, "int16").astype(dtype)
        axes = int(self.random.integers(1, len(shape) + 1))
        self.same(satdof.compact, plain, self.random.random(shape[:axes]) < self.random.random())

    def sort(self):
        plain = self.keys(30000)
        self.same(satdof.sort, plain)
        self.same(satdof.sort, plain, values(self.random, (len(plain), 3), "int16"))

    def convolve(self):
        plain = values(self.random, self.shape(60), self.random.choice(("bool", "uint8", "uint16", *FLOATS)))
        plain = plain[..., :4] if plain.ndim == 3 else plain
        sides = tuple(int(n) for n in self.random.integers(0, 5, 2) * 2 + 1)
        mask = values(self.random, sides, "float64")
        if self.random.integers(2):
            mask = self.random.integers(-20, 20, sides)
        self.same(lambda x: satdof.convolve(x, mask), plain)

    def refocus(self):
        plain, depth, options = self.photograph()
        given = self.put(plain), self.put(depth) if self.random.integers(2) else depth
        try:
            expected = satdof.refocus(plain, depth, **options)
        except ValueError as error:
            BadInput.raises(unittest.TestCase(), ValueError, str(error), satdof.refocus, *given, **options)
            return
        result = satdof.refocus(*given, **options)
        assert type(result) is type(given[0])
        require_near(self.arrays.get(result), expected)


def require_near(actual, expected):
    """Compares images. Half floats are rounded after each pass; rounding decides whether a surface just hides a sprite."""
    assert actual.dtype == expected.dtype and actual.shape == expected.shape, (actual.dtype, actual.shape)
    floats = expected.dtype.kind == "f"
    one, step = (1.0, 0.0) if floats else (float(np.iinfo(expected.dtype).max), 1.0)
    difference = np.abs(actual.astype(np.float64) - expected)
    allowed = 2.0**-8 * np.maximum(expected, 0.25 * one) + step
    assert np.all(difference <= 16 * allowed), np.max(difference / allowed)
    assert np.sum(difference > allowed) <= 3 + expected.size / 250, np.sum(difference > allowed)


class OnDevice:
    """Tests of one kind of arrays."""

    def setUp(self):
        try:
            module = importlib.import_module(self.kind.module)
        except ImportError as error:
            self.skipTest(f"no {self.kind.module}: {error}")
        try:
            self.arrays = self.kind(module)
        except Exception as error:
            self.skipTest(f"no CUDA device: {error}")

    def test_random_calls(self):
        for case in range(CASES):
            name = NAMES[case % len(NAMES)]
            with self.subTest(name, case=case):
                getattr(DeviceCampaign(case, self.arrays), name)()

    def test_large_arrays(self):
        random = np.random.default_rng(5)
        for shape, dtype in (
            ((3001, 1999), "uint8"),
            ((1024, 1500, 3), "uint16"),
            ((1100, 1024, 4), "float32"),
        ):
            plain = values(random, shape, dtype)
            given = self.arrays.put(plain)
            bound = plain.size * 2.0**-40 if dtype == "float32" else 0
            for function in (satdof.integral_image, lambda x: satdof.scan(x.reshape(-1))):
                actual, wanted = self.arrays.get(function(given)), function(plain)
                np.testing.assert_allclose(actual, wanted, rtol=2.0**-23 if bound else 0, atol=bound)
            for name in WEIGHTS:
                function = getattr(satdof, name)
                for radius in (20, 3.25):
                    actual = self.arrays.get(function(given, radius, "clamp"))
                    np.testing.assert_array_equal(actual, function(plain, radius, "clamp"))
            flat = plain.reshape(-1)
            np.testing.assert_array_equal(
                self.arrays.get(satdof.sort(self.arrays.put(flat))), satdof.sort(flat)
            )

    def test_calls_from_many_threads(self):
        image = values(np.random.default_rng(3), (300, 400, 3), "uint8")
        given, expected = self.arrays.put(image), satdof.box_filter(image, 5)
        right = right_results(expected, lambda: self.arrays.get(satdof.box_filter(given, 5)))
        self.assertEqual(CALLERS * CALLS, right)
        small = self.arrays.put(image[:32, :48])
        depth = values(np.random.default_rng(4), (32, 48), "uint8")

        def refocused():
            return self.arrays.get(satdof.refocus(small, depth, 1.5, 0.4))

        self.assertEqual(CALLERS * CALLS, right_results(refocused(), refocused))

    def test_refocus_of_a_large_image(self):
        random = np.random.default_rng(6)
        image = values(random, (701, 1003, 3), "uint8")
        depth = np.add.outer(np.arange(701), np.arange(1003)).astype(np.float32) / 300 + 0.5
        for lens in ("layered", "box"):
            options = {"focus": 2, "f_number": 0.7, "lens": lens, "axial_colour": 0.2, "cat_eye": 0.5}
            result = satdof.refocus(self.arrays.put(image), self.arrays.put(depth), **options)
            require_near(self.arrays.get(result), satdof.refocus(image, depth, **options))

    def test_empty_arrays(self):
        empty = self.arrays.put(np.zeros(0, np.float32))
        self.assertEqual((0,), satdof.scan(empty).shape)
        self.assertEqual((0,), satdof.sort(empty).shape)
        self.assertEqual((0,), satdof.compact(empty, self.arrays.put(np.zeros(0, bool))).shape)

    def test_bad_input(self):
        raises = BadInput.raises
        image = self.arrays.put(np.ones((4, 6), np.uint8))
        one = self.arrays.put(np.ones(3, np.float32))
        half = self.arrays.put(np.ones((4, 6), np.float16))
        for function in (satdof.integral_image, lambda x: satdof.box_filter(x, 1)):
            raises(self, ValueError, "must have shape (height, width)", function, one)
            raises(self, TypeError, "cannot be float16", function, half)
        wide = self.arrays.put(np.ones((4, 6, 9), np.uint8))
        raises(self, ValueError, "1 to 8 channels", satdof.integral_image, wide)
        raises(self, TypeError, "cannot be int32", satdof.integral_image, image, dtype="int32")
        raises(self, ValueError, "a radius must be 0 or more", satdof.box_filter, image, -1)
        raises(self, ValueError, "is above 32766", satdof.box_filter, image, 32767, "clamp")
        raises(self, ValueError, "is above 13776", satdof.tent_filter, image, 13777)
        raises(self, ValueError, "is above 32766", satdof.disc_filter, image, 32767, "clamp")
        raises(self, TypeError, "image cannot be uint8", satdof.scatter, image, 1)
        raises(self, ValueError, "1 to 7 channels", satdof.scatter, self.arrays.put(np.ones((2, 2, 8))), 1)
        raises(self, ValueError, "border must be", satdof.box_filter, image, 1, "wrap")
        raises(self, TypeError, "radius is in main memory", satdof.box_filter, image, np.ones((4, 6)))
        raises(self, TypeError, "image is in main memory", satdof.box_filter, np.ones((4, 6)), image)
        raises(self, ValueError, "axis must be", satdof.scan, image, 2)
        raises(self, TypeError, "mask must be bool", satdof.compact, image, image)
        raises(self, TypeError, "mask is in main memory", satdof.compact, image, np.ones((4, 6), bool))
        raises(self, ValueError, "keys must have one axis", satdof.sort, image)
        raises(self, ValueError, "values must have 3 items", satdof.sort, one, image)
        raises(self, TypeError, "mask must be in main memory", satdof.convolve, image, half)
        raises(self, ValueError, "odd sides", satdof.convolve, image, np.ones((2, 3)))
        colours, depth = self.arrays.put(np.ones((4, 6, 3), np.float32)), np.ones((4, 6))
        raises(self, TypeError, "image is in main memory", satdof.refocus, np.ones((4, 6, 3)), image)
        raises(self, ValueError, "(height, width, 3)", satdof.refocus, image, depth)
        raises(self, ValueError, "(height, width)", satdof.refocus, colours, colours)
        raises(
            self, ValueError, "infinite", satdof.refocus, self.arrays.put(np.inf * np.ones((4, 6, 3))), depth
        )
        raises(self, ValueError, "valid depth", satdof.refocus, colours, np.nan * depth)
        raises(self, ValueError, "focus must be 0.1 to 10000", satdof.refocus, colours, depth, 0)
        raises(self, ValueError, "no option", satdof.refocus, colours, depth, f_stop=2)

    def test_work_follows_the_current_stream(self):
        if not hasattr(self.arrays, "stream"):
            self.skipTest("no streams")
        with self.arrays.stream():
            image = self.arrays.put(np.zeros((2048, 2048), np.float32))
            for _ in range(200):
                image += 1
            sums = satdof.integral_image(image)
            image -= 100
            means = satdof.box_filter(image, 9)
            self.assertEqual(200 * 2048**2, float(sums[-1, -1]))
            self.assertEqual(100, float(means[1000, 1000]))


class CuPyTests(OnDevice, unittest.TestCase):
    kind = CuPyArrays

    def test_other_arrays_come_back_as_cupy(self):
        class Other:
            def __init__(self, array):
                self.__cuda_array_interface__ = array.__cuda_array_interface__

        array = self.arrays.put(np.arange(5))
        self.assertIsInstance(satdof.scan(Other(array)), self.arrays.of.ndarray)


class PyTorchTests(OnDevice, unittest.TestCase):
    kind = PyTorchArrays

    def test_calls_in_a_graph_neither_allocate_nor_wait(self):
        torch = self.arrays.of
        image = self.arrays.put(values(np.random.default_rng(1), (300, 400), "uint8"))

        def call():
            filtered = [getattr(satdof, name)(image, 3) for name in WEIGHTS]
            return satdof.integral_image(image), *filtered, satdof.scan(image.reshape(-1))

        call()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = call()
        image += 1
        graph.replay()
        for actual, wanted in zip(results, call()):
            np.testing.assert_array_equal(self.arrays.get(actual), self.arrays.get(wanted))

    def test_gradients_are_refused(self):
        image = self.arrays.of.ones((4, 6), device="cuda", requires_grad=True)
        BadInput.raises(self, ValueError, "image.detach()", satdof.integral_image, image)


class JaxTests(OnDevice, unittest.TestCase):
    kind = JaxArrays


class Arrays(unittest.TestCase):
    def test_large_images_are_exact(self):
        random = np.random.default_rng(2)
        for shape in ((3001, 1999), (1024, 1500, 3), (1100, 1024, 4)):
            image = values(random, shape, "uint8")
            expected = image.astype(np.int64).cumsum(0).cumsum(1)
            np.testing.assert_array_equal(satdof.integral_image(image), expected)
            np.testing.assert_array_equal(
                satdof.integral_image(image, dtype="uint64")[-1, -1], expected[-1, -1]
            )

    def test_sums_of_many_floats(self):
        ones = np.full(20_000_000, 0.1, np.float32)
        self.assertEqual(np.float32(20_000_000 * float(np.float32(0.1))), satdof.scan(ones)[-1])
        self.assertGreater(abs(float(np.cumsum(ones)[-1]) / 2e6 - 1), 1e-3)  # what the scan is for

    def test_input_is_not_changed_and_may_be_read_only(self):
        image = values(np.random.default_rng(1), (50, 40), "float32")
        image.flags.writeable = False
        before = image.copy()
        satdof.box_filter(image, 2)
        satdof.integral_image(image)
        satdof.sort(image.reshape(-1))
        np.testing.assert_array_equal(before, image)

    def test_lists_are_arrays(self):
        self.assertEqual([[1.0, 3.0], [4.0, 10.0]], satdof.integral_image([[1.0, 2.0], [3.0, 4.0]]).tolist())
        self.assertEqual([0, 1, 3], satdof.scan([1, 2, 3], exclusive=True).tolist())

    def test_threads_change_no_bit(self):
        image = values(np.random.default_rng(3), (700, 900, 3), "float32")
        results = []
        for threads in (1, 2, 5):
            satdof.set_threads(threads)
            self.assertEqual(threads, satdof.threads())
            results.append(
                [
                    satdof.integral_image(image),
                    *(getattr(satdof, name)(image, 7.5) for name in WEIGHTS),
                    *satdof.scatter(image, 4.5),
                    satdof.scan(image.reshape(-1)),
                ]
            )
        for other in results[1:]:
            for a, b in zip(results[0], other):
                self.assertEqual(a.tobytes(), b.tobytes())

    def test_calls_from_many_threads(self):
        satdof.set_threads(2)
        image = values(np.random.default_rng(3), (300, 400, 3), "uint8")
        expected = satdof.box_filter(image, 5)
        right = right_results(expected, lambda: satdof.box_filter(image, 5))
        self.assertEqual(CALLERS * CALLS, right)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_calls_after_a_fork(self):
        satdof.set_threads(2)
        image = np.ones((512, 512), np.uint8)
        satdof.integral_image(image)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            sums = pool.map_async(satdof.integral_image, [image] * 4).get(timeout=60)
        self.assertEqual([512 * 512] * 4, [int(table[-1, -1]) for table in sums])

    def test_types_are_declared(self):
        for name in satdof.__all__:
            function = getattr(satdof, name)
            self.assertTrue(function.__doc__, name)
            self.assertTrue(isinstance(function, type) or "return" in function.__annotations__, name)
        package = os.path.dirname(satdof.__file__)
        for file in ("py.typed", "_core.pyi"):
            self.assertTrue(os.path.exists(os.path.join(package, file)), file)


@unittest.skipUnless("SATDOF_PROGRAM" in os.environ, "SATDOF_PROGRAM is not set")
class Program(unittest.TestCase):
    def test_render(self):
        drawn = satdof.render({"scene": {"teapots": {"count": 3}}}, size=(64, 48), f_number=0.5, bokeh=False)
        self.assertEqual((48, 64, 3), drawn["colour"].shape)
        self.assertEqual({(48, 64)}, {drawn[name].shape for name in ("depth", "coc")})
        self.assertGreater(float(drawn["colour"].std()), 0.01)
        near, far = drawn["depth"].min(), drawn["depth"].max()
        self.assertLess(
            float(drawn["coc"][drawn["depth"] == near][0]), float(drawn["coc"][drawn["depth"] == far][0])
        )

    def test_trace(self):
        plain = satdof.trace("scan/blelloch", 1024)
        padded = satdof.trace("scan/blelloch-padded", 1024)
        self.assertLess(padded.counts["sharedPasses"], plain.counts["sharedPasses"])
        self.assertIn("<svg", padded._repr_svg_())
        large = satdof.trace("scan/blelloch-padded", 8192)
        self.assertIsNone(large._repr_svg_())
        self.assertIn("<td>sharedPasses</td>", large._repr_html_())

    def test_says_what_the_program_says(self):
        for function, arguments, words in (
            (satdof.render, {"f_number": 1000}, "--f-number 1000"),
            (satdof.render, {"settings": {"lens": {"fNumbr": 2}}}, "lens.fNumber"),
            (satdof.trace, {"kernel": "scan/none"}, "scan/none"),
        ):
            with self.assertRaises(ValueError) as raised:
                function(**arguments)
            self.assertIn(words, str(raised.exception))


class CommandLine(unittest.TestCase):
    def test_the_module_is_the_program(self):
        for script, status in (("exit 3", 3), ("kill -TERM $$", -signal.SIGTERM)):
            done = subprocess.run(
                [sys.executable, "-m", "satdof", "-c", script], env={**os.environ, "SATDOF_PROGRAM": "sh"}
            )
            self.assertEqual(done.returncode, status, script)


class BadInput(unittest.TestCase):
    image = np.ones((4, 6), np.uint8)

    def raises(self, error, words, function, *arguments, **named):
        with self.assertRaises(error) as raised:
            function(*arguments, **named)
        self.assertIn(words, str(raised.exception))

    def test_refocus(self):
        image, depth = np.ones((4, 6, 3), np.float32), np.ones((4, 6))
        for error, words, arguments in (
            (ValueError, "(height, width, 3)", (self.image, depth)),
            (ValueError, "(height, width)", (image, image)),
            (TypeError, "bool", (image.astype(bool), depth)),
            (TypeError, "complex", (image, depth.astype(complex))),
            (ValueError, "infinite", (image * np.inf, depth)),
            (ValueError, "valid depth", (image, depth * np.nan)),
            (ValueError, "focus must be 0.1 to 10000", (image, depth, 0)),
            (ValueError, "16384", (np.ones((1, 20000, 3), np.uint8), depth)),
        ):
            self.raises(error, words, satdof.refocus, *arguments)
        with self.assertWarnsRegex(UserWarning, "aperture"):
            satdof.refocus(image, depth, look="mirror-500")
        self.raises(ValueError, "swirl-58", satdof.refocus, image, depth, look="none")
        self.raises(ValueError, "no option", satdof.refocus, image, depth, f_stop=2)
        self.raises(ValueError, "true or false", satdof.refocus, image, depth, bokeh=1)
        self.assertIn("tilt_x", satdof.lens_options())

    def test_images(self):
        for function in (
            satdof.integral_image,
            *(lambda x, name=name: getattr(satdof, name)(x, 1) for name in WEIGHTS),
            lambda x: satdof.convolve(x, [[1]]),
        ):
            self.raises(ValueError, "must have shape (height, width)", function, np.ones(4, np.uint8))
            self.raises(
                ValueError, "must have shape (height, width)", function, np.ones((2, 2, 2, 2), np.uint8)
            )
            for shape in ((0, 4), (4, 0), (4, 4, 0)):
                self.raises(ValueError, "is empty", function, np.ones(shape, np.uint8))
            for dtype in ("complex64", "float16", "uint64", "int64", object, "U3", "datetime64[s]"):
                self.raises(TypeError, "cannot be", function, np.ones((2, 2)).astype("int64").astype(dtype))
            huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (1 << 16, 1 << 15), (0, 0))
            self.raises(ValueError, "the limit is 2**31 - 1", function, huge)

    def test_tables(self):
        self.raises(TypeError, "cannot be int32", satdof.integral_image, self.image, dtype="int32")
        self.raises(
            TypeError,
            "cannot be float32",
            satdof.integral_image,
            self.image.astype("float32"),
            dtype="float32",
        )
        self.raises(TypeError, "scale is for images of floats", satdof.integral_image, self.image, scale=2.0)
        wide = np.zeros((300, 300), np.uint16)
        self.raises(ValueError, "can exceed 32 bits", satdof.integral_image, wide, dtype="uint32")
        large = np.broadcast_to(np.zeros((1, 4200), np.uint8), (4200, 4200))
        self.raises(ValueError, "take a table of 64 bits", satdof.integral_image, large)
        self.assertEqual(0, satdof.integral_image(large, dtype="uint64").max())
        floats = np.ones((3, 3), np.float32)
        for scale in (0.0, -1.0, math.nan, math.inf):
            self.raises(ValueError, "the scale must be positive", satdof.integral_image, floats, scale=scale)
        self.raises(ValueError, "too large", satdof.integral_image, floats, scale=1e300)
        floats[1, 1] = np.nan
        self.raises(ValueError, "not a number", satdof.integral_image, floats, scale=1.0)

    def test_filters(self):
        for name in WEIGHTS:
            with self.subTest(name):
                self.refusals_of(getattr(satdof, name))
        for dtype, most in (("uint8", 13776), ("int16", 4095), ("uint32", 214), ("float32", 723)):
            tall = np.full((3, 2), 100, dtype)
            np.testing.assert_array_equal(tall, satdof.tent_filter(tall, most))
            for radius in (most + 1, math.inf, np.full((3, 2), most + 0.5)):
                self.raises(ValueError, f"is above {most}", satdof.tent_filter, tall, radius)
        for function in (satdof.box_filter, satdof.disc_filter):
            for border in ("clamp", "reflect"):
                self.raises(ValueError, "is above 32766", function, self.image, 32767, border)
            self.assertEqual(1, function(self.image, 1e300).max())

    def test_scatters(self):
        floats = np.ones((4, 6, 2), np.float32)
        self.refusals_of_radii(satdof.scatter, floats)
        self.raises(ValueError, "is above 32766", satdof.scatter, floats, 32767)
        for dtype in ("uint8", "bool", "float16"):
            self.raises(TypeError, "image cannot be", satdof.scatter, floats.astype(dtype), 1)
        self.raises(ValueError, "is empty", satdof.scatter, floats[:0], 1)

    def refusals_of_radii(self, function, image):
        for radius in (-1, math.nan, -math.inf):
            self.raises(ValueError, "a radius must be 0 or more", function, image, radius)
            radii = np.ones((4, 6))
            radii[3, 5] = radius
            self.raises(ValueError, "a radius must be 0 or more", function, image, radii)
        self.raises(ValueError, "radius must be a number or have shape", function, image, np.ones((6, 4)))
        self.raises(TypeError, "radius must be numbers", function, image, "3")
        for bad in (math.nan, math.inf):
            floats = np.ones((4, 6), np.float32)
            floats[2, 5] = bad
            self.raises(ValueError, "infinite or not a number", function, floats, 1)

    def refusals_of(self, function):
        self.refusals_of_radii(function, self.image)
        self.raises(ValueError, "border must be", function, self.image, 1, "wrap")
        self.raises(TypeError, "image is bool", function, self.image > 0, 1)

    def test_arrays(self):
        self.raises(ValueError, "axis must be", satdof.scan, np.ones(3), 1)
        self.raises(ValueError, "must have an axis", satdof.scan, 3.0)
        self.raises(TypeError, "cannot be complex128", satdof.scan, np.ones(3, complex))
        self.raises(TypeError, "mask must be bool", satdof.compact, np.ones(3), np.ones(3))
        self.raises(ValueError, "mask must have the shape", satdof.compact, np.ones(3), np.ones(4, bool))
        self.raises(ValueError, "mask must have the shape", satdof.compact, np.ones(3), np.bool_(True))
        self.raises(TypeError, "Python objects", satdof.compact, np.array([None]), np.array([True]))
        self.raises(ValueError, "keys must have one axis", satdof.sort, np.ones((2, 2)))
        self.raises(ValueError, "values must have 3 items", satdof.sort, np.ones(3), np.ones(2))
        self.raises(TypeError, "keys cannot be", satdof.sort, np.array(["a", "b"]))
        self.raises(ValueError, "odd sides", satdof.convolve, self.image, np.ones((2, 3)))
        self.raises(ValueError, "odd sides", satdof.convolve, self.image, np.ones((65, 1)))
        self.raises(ValueError, "1 to 4 channels", satdof.convolve, np.ones((2, 2, 5), np.float32), [[1.0]])
        self.raises(ValueError, "above int32", satdof.convolve, np.full((2, 2), 2**30, np.int32), [[1, 1, 1]])
        self.raises(ValueError, "mask must be numbers", satdof.convolve, self.image, np.ones((1, 1, 1)))
        self.raises(ValueError, "threads must be 1 to 256", satdof.set_threads, 0)

    def test_empty_arrays(self):
        self.assertEqual((0,), satdof.scan(np.zeros(0)).shape)
        self.assertEqual((0,), satdof.sort(np.zeros(0)).shape)
        self.assertEqual((0,), satdof.compact(np.zeros(0), np.zeros(0, bool)).shape)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
