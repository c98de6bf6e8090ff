"""Checks of types, sizes and names of arguments, for arrays in main memory and on devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

SMALL = {np.dtype(name) for name in ("bool", "u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8")}
ALL = SMALL | {np.dtype("u8"), np.dtype("i8")}
FLOATS = {np.dtype("f4"), np.dtype("f8")}
TABLES = {  # types of tables by kind of the image; the first is the default for images of 8 bits, the last for others
    "u": (np.dtype("u4"), np.dtype("u8")),
    "i": (np.dtype("i4"), np.dtype("i8")),
    "f": (np.dtype("f8"),),
}
FIXED = (np.dtype("i8"),)
BORDERS = {"inside": 0, "clamp": 1, "reflect": 2}
MOST = 2**31 - 1  # elements


def require_type(dtype: np.dtype[Any], name: str, allowed: set[np.dtype[Any]]) -> None:
    if dtype not in allowed:
        raise TypeError(f"{name} cannot be {dtype}: take {', '.join(sorted(each.name for each in allowed))}")


def require_image(shape: tuple[int, ...], name: str) -> None:
    if len(shape) not in (2, 3):
        raise ValueError(f"{name} must have shape (height, width) or (height, width, channels), not {shape}")
    if 0 in shape:
        raise ValueError(f"{name} is empty: its shape is {shape}")
    if shape[0] * shape[1] > MOST:
        raise ValueError(f"{name} has {shape[0]} x {shape[1]} pixels: the limit is 2**31 - 1")


def table_type(image: np.dtype[Any], dtype: npt.DTypeLike, scale: float | None) -> np.dtype[Any]:
    """The type of the table for an image type. TypeError if `dtype` or `scale` does not fit."""
    kind = image.kind
    if scale is not None and kind != "f":
        raise TypeError(f"scale is for images of floats, not {image}")
    allowed = FIXED if scale is not None else TABLES[kind]
    chosen = allowed[0 if image.itemsize == 1 else -1] if dtype is None else np.dtype(dtype)
    if chosen not in allowed:
        names = " or ".join(each.name for each in allowed)
        raise TypeError(f"the table of a {image} image cannot be {chosen}: choose {names}")
    return chosen


def border_number(border: str) -> int:
    if border not in BORDERS:
        raise ValueError(f"border must be {', '.join(map(repr, BORDERS))}, not {border!r}")
    return BORDERS[border]


def refocus_types(
    image: tuple[int, ...], image_type: np.dtype[Any], depth: tuple[int, ...], depth_type: np.dtype[Any]
) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The types to which refocus() converts image and depth. Raises if shapes or types are not supported."""
    if len(image) != 3 or image[2] != 3:
        raise ValueError(f"image must have shape (height, width, 3), not {image}")
    if len(depth) != 2:
        raise ValueError(f"depth must have shape (height, width), not {depth}")
    pixels, distances = image_type.newbyteorder("="), depth_type.newbyteorder("=")
    if pixels.kind == "f":
        pixels = np.dtype(np.float32)
    if pixels not in (np.uint8, np.uint16, np.float32):
        raise TypeError(f"image cannot be {pixels}: take uint8, uint16 or float32")
    if distances.kind not in "iuf":
        raise TypeError(f"depth cannot be {distances}: take numbers")
    if distances not in (np.uint8, np.uint16):
        distances = np.dtype(np.float32)
    return pixels, distances


def scan_axis(shape: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """(outer, length, inner): the numbers of elements before, along and after the axis."""
    if not shape:
        raise ValueError("x must have an axis: it is a single number")
    if not -len(shape) <= axis < len(shape):
        raise ValueError(f"axis must be {-len(shape)} to {len(shape) - 1}, not {axis}")
    axis %= len(shape)
    return product(shape[:axis]), shape[axis], product(shape[axis + 1 :])


def scan_type(x: np.dtype[Any]) -> np.dtype[Any]:
    return x if x.kind == "f" else np.dtype(np.int64 if x.kind == "i" else np.uint64)


def require_mask(mask: tuple[int, ...], x: tuple[int, ...]) -> None:
    if not mask or mask != x[: len(mask)]:
        raise ValueError(f"mask must have the shape of x or of its first axes: {mask} and {x}")


def require_keys(shape: tuple[int, ...]) -> None:
    if len(shape) != 1:
        raise ValueError(f"keys must have one axis, not shape {shape}")
    if shape[0] > MOST:
        raise ValueError(f"keys has {shape[0]} elements: the limit is 2**31 - 1")


def require_values(values: tuple[int, ...], keys: int) -> None:
    if not values or values[0] != keys:
        raise ValueError(f"values must have {keys} items on the first axis, not shape {values}")


def convolution_mask(mask: npt.ArrayLike) -> npt.NDArray[Any]:
    weights = np.atleast_2d(np.asarray(mask))
    if weights.dtype.kind not in "iuf" or weights.ndim != 2:
        raise ValueError(
            f"mask must be numbers of shape (h, w), not {weights.dtype} of shape {np.shape(mask)}"
        )
    return weights


def convolution_type(image: np.dtype[Any], weights: npt.NDArray[Any], largest: int) -> np.dtype[Any]:
    """The type of sums and result. largest: the largest magnitude of an integer image."""
    if image.kind == "f":
        return image
    if weights.dtype.kind == "f":
        return np.dtype(np.float64 if image.itemsize == 4 else np.float32)
    most = largest * sum(abs(int(w)) for w in weights.flat)
    if most >= 2**31:
        raise ValueError(f"integer sums can reach {most}, above int32: take a mask of floats")
    return np.dtype(np.int32)


def product(sides: tuple[int, ...]) -> int:
    result = 1
    for side in sides:
        result *= int(side)
    return result
