"""Exact summed-area tables, filters, scatters, scans, compaction, sorts, convolution and depth of field on all cores.

Images are arrays of shape (height, width) or (height, width, channels). Arrays may have any strides. An image is copied unless the
pixels of each row are contiguous; any other array is copied unless it is C-contiguous. Functions release the GIL, may be called
from several threads, and give the same bits with any number of threads. Wrong values and shapes raise ValueError, wrong types
TypeError.

The functions integral_image() to refocus() also take arrays of CuPy, PyTorch or JAX on a CUDA device. All arrays of a call must be
on the same device; results are arrays of the same library there. Other arrays with __cuda_array_interface__ or DLPack give results
of CuPy. Work is enqueued on the current stream of CuPy or PyTorch. Calls do not wait, except compact(), for the number of items,
and all functions with JAX, for arguments and results.

On a device, results are those of the processor, with these exceptions. Tables and scans of floats are sums in a unit as for
box_filter(), with n the number of pixels, or of elements of a scanned row. Values are not checked: if a float is not finite, all
results are NaN; negative radii and NaN count as 0, radii above the largest radius as the largest. Images have 1 to 8 channels, for
scatter() at most 7; arrays have fewer than 2**31 elements, for sort() and compact() at most 2**30. The scratch memory of the last
four sizes of each function is kept.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core, _device, _rules
from ._program import Trace, render, trace

__all__ = [
    "Trace",
    "box_filter",
    "compact",
    "convolve",
    "disc_filter",
    "integral_image",
    "lens_options",
    "looks",
    "refocus",
    "render",
    "scan",
    "scatter",
    "set_threads",
    "sort",
    "tent_filter",
    "threads",
    "trace",
]

Array = npt.NDArray[Any]

_LENSES = pathlib.Path(__file__).parent / "lenses"


def threads() -> int:
    """The number of threads of a call, including the caller. Default: one per core."""
    return _core.threads()


def set_threads(threads: int) -> None:
    """Sets the number of threads of the following calls, 1 to 256. A call during another call uses only its own thread."""
    _core.set_threads(threads)


def integral_image(
    image: npt.ArrayLike, exclusive: bool = False, *, dtype: npt.DTypeLike = None, scale: float | None = None
) -> Array:
    """Summed-area table: sums[y, x] = image[:y + 1, :x + 1].sum(), for each channel.

    image: integers of 8, 16 or 32 bits, bool, float32 or float64.
    exclusive: sums[y, x] = image[:y, :x].sum(), of shape (height + 1, width + 1[, channels]). The sum over
        image[y0:y1, x0:x1] is sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0].
    dtype: the type of the table. For integers: 32 or 64 bits, signed like the image; default 32 bits for images of 8 bits and
        bool, else 64 bits. For floats: float64.
    scale: for floats: the table has int64 sums of round(image * scale), exact in these units.

    Sums of integers are exact. Floats without a scale are summed in float64, in a fixed order.
    ValueError: sums could overflow, if every pixel had the largest value of its type (for 8 bits above 2**24 pixels: pass dtype);
    an empty image; with a scale, values that are not finite or a scale that is too large.
    Source: F. Crow, Summed-area tables for texture mapping, SIGGRAPH 1984.
    """
    if _device.has(image):
        return _device.integral_image(image, exclusive, dtype, scale)
    pixels = _image(image, "image")
    if pixels.dtype == bool:
        pixels = pixels.view(np.uint8)
    chosen = _rules.table_type(pixels.dtype, dtype, scale)
    shape = pixels.shape
    if exclusive:
        shape = (shape[0] + 1, shape[1] + 1, *shape[2:])
    table = np.empty(shape, chosen)
    _core.integral_image(pixels, table, bool(exclusive), None if scale is None else float(scale))
    return table


def box_filter(image: npt.ArrayLike, radius: npt.ArrayLike, border: str = "inside") -> Array:
    """Mean over the square of width 2 * radius + 1 pixels around every pixel, in the type of the image.

    image: integers of 8, 16 or 32 bits, float32 or float64.
    radius: pixels, a number or an array of shape (height, width); converted to float32. The fraction is the weight of the
        outermost pixels: 1.25 gives the weights 0.25, 1, 1, 1, 0.25 on both axes. The cost does not depend on the radius.
    border: the pixels outside. "inside": none, means are over the part of the square inside. "clamp": the nearest pixel.
        "reflect": the image mirrored at its edges (dcba|abcd|dcba). With the last two, radii are at most 32766.

    Sums are exact. Means of integers are rounded to nearest, ties to even. Floats are first rounded to multiples of a unit, at most
    max(2**-50, 2**-60 n) times the largest magnitude, with n the number of pixels of the image or, if larger, of the largest box.
    ValueError: an empty image; a radius that is negative, NaN, too large or of the wrong shape; a float that is not finite.
    Memory: a table of 4 bytes per element for images of 8 bits up to 2**24 pixels, else 8.
    """
    return _filtered("box_filter", image, radius, border)


def tent_filter(image: npt.ArrayLike, radius: npt.ArrayLike, border: str = "inside") -> Array:
    """Mean weighted by a tent around every pixel, (radius + 1 - |dx|) * (radius + 1 - |dy|) where positive.

    image, border: as for box_filter().
    radius: a number or an array of shape (height, width), also fractions; converted to float32. The cost does not depend on
        the radius.

    Sums are exact as for box_filter(), with n the sum of the weights of the largest tent, (ceil(radius) + 1)**4.
    ValueError: as for box_filter(); a radius for which sums could exceed 64 bits: above 13776 for uint8, 16383 for int8, 3443 for
    uint16, 4095 for int16, 214 for uint32, 255 for int32, 723 for floats. Memory: a table of 8 bytes per element.
    Source: P. Heckbert, Filtering by repeated integration, SIGGRAPH 1986.
    """
    return _filtered("tent_filter", image, radius, border)


def disc_filter(image: npt.ArrayLike, radius: npt.ArrayLike, border: str = "inside") -> Array:
    """Mean over the disc around every pixel: the pixels whose centres are at most the radius away.

    image, border: as for box_filter().
    radius: a number or an array of shape (height, width); converted to float32. The fraction is the weight of the pixels at a
        distance above floor(radius) and up to floor(radius) + 1. Cost: two look-ups for each row of the disc.

    Sums are exact as for box_filter(). ValueError: as for box_filter(). Memory: 8 bytes per element.
    """
    return _filtered("disc_filter", image, radius, border)


def scatter(image: npt.ArrayLike, radius: npt.ArrayLike) -> tuple[Array, Array]:
    """Scatter: spreads the value of every pixel over its own disc. Returns (sums, coverage).

    image: float32 or float64. Premultiply it to scatter pixels with transparency.
    radius: a number or an array of shape (height, width), up to 32766; converted to float32. Weights as for disc_filter().
    sums: the values that arrive at each pixel, in the shape and type of the image. coverage: the sums for an image of ones, of
        shape (height, width). Values that fall outside the image are lost; sums / coverage are means.

    The contribution of one pixel to another is rounded to a multiple of a unit: at most 2**-50 times the largest magnitude, and
    2**-50 for the coverage. Sums of these are exact. Cost: proportional to the radii. Memory: 8 bytes per element of both results.
    ValueError: an empty image; a radius that is negative, NaN, too large or of the wrong shape; a float that is not finite.
    Source: T. Kosloff, M. Tao and B. Barsky, Depth of field postprocessing for layered scenes using constant-time rectangle
    spreading, Graphics Interface 2009.
    """
    if _device.has(image, radius):
        return _device.scatter(image, radius)
    pixels = _image(image, "image")
    _rules.require_type(pixels.dtype, "image", _rules.FLOATS)
    reach = _radius(radius, pixels.shape)
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    both = np.empty((*pixels.shape[:2], channels + 1), pixels.dtype)
    _core.scatter(pixels, *_reach(reach), both)
    return both[..., :channels].reshape(np.shape(image)), both[..., channels]


def scan(x: npt.ArrayLike, axis: int = -1, exclusive: bool = False) -> Array:
    """Prefix sums along an axis, in the shape of x: sums[i] = x[0] + ... + x[i], or up to x[i - 1] if exclusive.

    x: bool, integers up to 64 bits, float32 or float64, fewer than 2**31 elements.
    Returns int64 or uint64 for integers, modulo 2**64, and the type of x for floats. float32 is summed in float64 and rounded
    once.
    ValueError: an axis that x does not have, too many elements.
    """
    if _device.has(x):
        return _device.scan(x, axis, exclusive)
    array = _dense(_typed(x, "x", _rules.ALL))
    outer, length, inner = _rules.scan_axis(array.shape, axis)
    if array.dtype == bool:
        array = array.view(np.uint8)
    out = np.empty(array.shape, _rules.scan_type(array.dtype))
    _core.scan(array, out, outer, length, inner, bool(exclusive))
    return out


def compact(x: npt.ArrayLike, mask: npt.ArrayLike) -> Array:
    """x[mask]: the items of x whose mask is set, in order.

    mask: bool, in the shape of x or of its first axes.
    Returns an array of shape (number of set flags, other axes of x); on a device, it may be a view of a larger array.
    ValueError: the shapes do not match. TypeError: the mask is not bool, or x has Python objects.
    """
    if _device.has(x, mask):
        return _device.compact(x, mask)
    items, flags = _dense(_plain(x, "x")), _dense(np.asarray(mask))
    if flags.dtype != bool:
        raise TypeError(f"mask must be bool, not {flags.dtype}")
    _rules.require_mask(flags.shape, items.shape)
    rest = items.shape[flags.ndim :]
    bytes_ = items.dtype.itemsize * _rules.product(rest)
    flags = flags.view(np.uint8).reshape(-1)
    kept = np.empty((_core.count(flags), *rest), items.dtype)
    _core.compact(_bytes(items), bytes_, flags, _bytes(kept))
    return kept


@overload
def sort(keys: npt.ArrayLike) -> Array: ...
@overload
def sort(keys: npt.ArrayLike, values: npt.ArrayLike) -> tuple[Array, Array]: ...
def sort(keys: npt.ArrayLike, values: npt.ArrayLike | None = None) -> Array | tuple[Array, Array]:
    """Keys in ascending order; equal keys keep their order, NaN comes last. With values: (keys, values moved along).

    keys: one axis; bool, integers up to 64 bits, float32 or float64; fewer than 2**31.
    values: an array whose first axis has the length of keys.
    ValueError: the shapes do not match. TypeError: keys of another type, values with Python objects.
    Source: radix sort, eight bits at a time; many integers of 8 or 16 bits without values: counting sort.
    """
    if _device.has(keys, values):
        return _device.sort(keys, values)
    array = _dense(_typed(keys, "keys", _rules.ALL))
    _rules.require_keys(array.shape)
    if array.dtype == bool:
        return sort(array.view(np.uint8)).view(bool) if values is None else _sorted_bools(array, values)
    moved = None
    if values is not None:
        moved = _dense(_plain(values, "values"))
        _rules.require_values(moved.shape, len(array))
    out = np.empty_like(array)
    order = None if moved is None else np.empty(array.shape, np.uint32)
    _core.sort(array, out, order)
    return out if moved is None else (out, _taken(moved, order))


def convolve(image: npt.ArrayLike, mask: npt.ArrayLike) -> Array:
    """out[y, x] = sum of mask[j, i] * image[y + j - h // 2, x + i - w // 2]: the mask is not flipped, edges are replicated.

    image: 1 to 4 channels; bool, integers of 8, 16 or 32 bits, float32 or float64.
    mask: shape (h, w), or (w,) for one row; odd sides up to 63.
    Returns the type of the image for floats, rounded after each operation. For integers: int32, exact, if the mask has
    integers; float32 if it has floats, or float64 for images of 32 bits.
    ValueError: an empty image, a mask of another shape, more channels, or integer sums that could exceed int32: by the values
    of the image, on a device by its type.
    """
    if _device.has(image, mask):
        return _device.convolve(image, mask)
    pixels = _dense(_image(image, "image"))
    weights = _rules.convolution_mask(mask)
    integers = pixels.dtype.kind != "f"
    kind = _rules.convolution_type(
        pixels.dtype, weights, max(abs(int(pixels.max())), abs(int(pixels.min()))) if integers else 0
    )
    pixels = pixels.astype(kind, copy=False)
    out = np.empty(pixels.shape, kind)
    _core.convolve(pixels, np.ascontiguousarray(weights, kind), out)
    return out


def refocus(
    image: npt.ArrayLike,
    depth: npt.ArrayLike,
    focus: float | None = None,
    f_number: float | None = None,
    *,
    depth_means: str = "auto",
    look: str | dict[str, Any] | None = None,
    **options: float | bool | str,
) -> Array:
    """Renders the image with the depth of field of a lens that is focused at `focus` metres.

    image: shape (height, width, 3). uint8, uint16: sRGB, whose highlights are restored before the blur. float32 and other
        floats: linear light from 0 to 65504, returned as float32.
    depth: shape (height, width), of any size: uint8, uint16, or numbers that are converted to float32. Invalid values, such as
        NaN, are filled from neighbours.
    focus: default: the depth of the middle of the image. f_number: default: that of the look, else 1.2.
    depth_means: "metres", "inverse-metres", "disparity" or "relative" (larger is nearer). "auto": floats are metres unless
        they fill the range from 0 to 1; integers are relative unless 16-bit values look like millimetres.
    look: one of looks(), the path of such a .json file, or its contents. An aperture image in it is ignored, with a warning.
    options: options of the program, with _ for -: lens="box", bokeh=False, focal_length=85, blades=7, depth_scale=0.001 and
        all others of lens_options().

    Results have the bits of the program's captures on the processor with --layers 1 in half floats; captures of 8 bits may differ
    by 1. On a device, the processor prepares the depth, which may be in main memory; results differ by the rounding of half floats.
    ValueError: an unknown option or look, a value out of range, wrong shapes, values that are not finite.
    Source: docs/optics.md.
    """
    chosen: dict[str, Any] = {} if look is None else _look(look)
    if chosen.pop("lens.apertureImage", None):
        warnings.warn("the image of the look's aperture is left out: discs are even", stacklevel=2)
    chosen.update({"focus": focus, "f-number": f_number, "depth-means": depth_means})
    chosen.update({name.replace("_", "-"): value for name, value in options.items()})
    given = {
        name: value if isinstance(value, (bool, str)) else float(value)
        for name, value in chosen.items()
        if value is not None
    }
    if _device.has(image, depth):
        return _device.refocus(image, depth, given)
    pixels, distances = np.asarray(image), np.asarray(depth)
    kinds = _rules.refocus_types(pixels.shape, pixels.dtype, distances.shape, distances.dtype)
    pixels, distances = (x.astype(kind, copy=False) for x, kind in zip((pixels, distances), kinds))
    out = np.empty(pixels.shape, pixels.dtype)
    _core.refocus(_image(pixels, "image"), _image(distances, "depth"), given, out)
    return out


def lens_options() -> list[str]:
    """The names of the options of refocus(); `satdof --help` explains them."""
    return [name.replace("-", "_") for name in _core.lens_options()]


def looks() -> list[str]:
    """The names of real lenses for refocus(look=...)."""
    return sorted(file.stem for file in _LENSES.glob("*.json"))


def _look(look: str | dict[str, Any]) -> dict[str, Any]:
    """The settings of a look by path, such as "lens.fNumber"."""
    if isinstance(look, str):
        file = pathlib.Path(look) if look.endswith(".json") else _LENSES / f"{look}.json"
        if not file.is_file():
            raise ValueError(
                f"no look is called {look!r}: take {', '.join(looks())} or the path of a .json file"
            )
        look = json.loads(file.read_text())
    found: dict[str, Any] = {}
    for name, value in look.items():
        if isinstance(value, dict):
            found.update({f"{name}.{path}": each for path, each in _look(value).items()})
        elif name not in ("title", "source"):
            found[name] = value
    return found


def _native(array: Array) -> Array:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _typed(x: npt.ArrayLike, name: str, allowed: set[np.dtype[Any]]) -> Array:
    """The array in native byte order. TypeError unless its type is allowed."""
    array = _native(np.asarray(x))
    _rules.require_type(array.dtype, name, allowed)
    return array


def _plain(x: npt.ArrayLike, name: str) -> Array:
    array = np.asarray(x)
    if array.dtype.hasobject:
        raise TypeError(f"{name} cannot have Python objects")
    return array


def _image(image: npt.ArrayLike, name: str) -> Array:
    """The image, copied unless the pixels of each row are contiguous."""
    array = _typed(image, name, _rules.SMALL)
    _rules.require_image(array.shape, name)
    return _rows(array)


def _radius(radius: npt.ArrayLike, image: tuple[int, ...]) -> Array:
    """The radius, or the radius of each pixel, as float32."""
    reach = np.asarray(radius)
    if reach.dtype.kind not in "iuf":
        raise TypeError(f"radius must be numbers, not {reach.dtype}")
    if reach.ndim != 0 and reach.shape != image[:2]:
        raise ValueError(f"radius must be a number or have shape {image[:2]}, not {reach.shape}")
    with np.errstate(over="ignore"):
        return reach.astype(np.float32, copy=False)


def _reach(radius: Array) -> tuple[float, Array | None]:
    """The radius as arguments of the extension: (radius, None), or (0.0, radius of each pixel)."""
    return (float(radius), None) if radius.ndim == 0 else (0.0, _rows(radius))


def _filtered(name: str, image: npt.ArrayLike, radius: npt.ArrayLike, border: str) -> Array:
    if _device.has(image, radius):
        return _device.filtered(name, image, radius, border)
    pixels = _image(image, "image")
    if pixels.dtype == bool:
        raise TypeError("image is bool: take image.astype('float32') or 'uint8'")
    outside = _rules.border_number(border)
    reach = _radius(radius, pixels.shape)
    out = np.empty(pixels.shape, pixels.dtype)
    getattr(_core, name)(pixels, *_reach(reach), out, outside)
    return out


def _dense(array: Array) -> Array:
    return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")


def _rows(array: Array) -> Array:
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return array
    pixels = array if array.ndim == 3 else array[:, :, np.newaxis]
    _, width, channels = pixels.shape
    row, pixel, element = pixels.strides
    size = array.itemsize
    dense = (
        (channels == 1 or element == size) and (width == 1 or pixel == channels * size) and row % size == 0
    )
    return array if dense and flags.aligned else np.array(array, order="C")


def _bytes(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)


def _taken(items: Array, order: Array) -> Array:
    out = np.empty_like(items)
    bytes_ = items.nbytes // len(items) if len(items) else 0
    _core.gather(_bytes(items), bytes_, len(items), order, _bytes(out))
    return out


def _sorted_bools(keys: Array, values: npt.ArrayLike) -> tuple[Array, Array]:
    sorted_keys, moved = sort(keys.view(np.uint8), values)
    return sorted_keys.view(bool), moved
