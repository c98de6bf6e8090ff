"""The functions for arrays of CuPy, PyTorch and JAX in the memory of CUDA devices, and for other arrays through CuPy.

Results are arrays of the same library on the same device. Work is enqueued on the current stream of the library; for JAX, on the
default stream.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core, _rules

_TYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64")
_NUMBERS = {np.dtype(name): number for number, name in enumerate(_TYPES)} | {np.dtype(bool): 0}
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6, "c": 5}  # DLPack type codes
_CUDA = 2  # DLPack device type
_OF_TORCH: dict[Any, np.dtype[Any]] = {}
_BUILT = hasattr(_core, "device_wait")


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous array, in elements."""
    strides, stride = [], 1
    for side in reversed(shape):
        strides.append(stride)
        stride *= side
    return tuple(reversed(strides))


class CuPy:
    name = "CuPy"

    @staticmethod
    def device(x: Any) -> int:
        return int(x.device.id)

    @staticmethod
    def dtype(x: Any) -> np.dtype[Any]:
        return np.dtype(x.dtype)

    @staticmethod
    def pointer(x: Any) -> int:
        return int(x.data.ptr)

    @staticmethod
    def strides(x: Any) -> tuple[int, ...]:
        size = x.itemsize
        return tuple([stride // size for stride in x.strides])

    @staticmethod
    def empty(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], device: int) -> Any:
        cupy = sys.modules["cupy"]
        if cupy.cuda.runtime.getDevice() == device:
            return cupy.empty(shape, dtype)
        with cupy.cuda.Device(device):
            return cupy.empty(shape, dtype)

    @staticmethod
    def stream(device: int) -> int:
        return int(sys.modules["cupy"].cuda.get_current_stream(device).ptr)

    @staticmethod
    def contiguous(x: Any) -> Any:
        cupy = sys.modules["cupy"]
        with x.device:
            return cupy.ascontiguousarray(x)

    @staticmethod
    def cast(x: Any, dtype: np.dtype[Any]) -> Any:
        with x.device:
            return x.astype(dtype, copy=False)

    @staticmethod
    def copy(x: Any) -> Any:
        with x.device:
            return x.copy()

    @staticmethod
    def finish(x: Any) -> Any:
        return x


def _torch_type(dtype: np.dtype[Any]) -> Any:
    return getattr(sys.modules["torch"], dtype.name)


class PyTorch:
    name = "PyTorch"

    @staticmethod
    def device(x: Any) -> int:
        return int(x.get_device())

    @staticmethod
    def dtype(x: Any) -> np.dtype[Any]:
        if x.dtype not in _OF_TORCH:
            name = str(x.dtype).rpartition(".")[2]
            try:
                _OF_TORCH[x.dtype] = np.dtype(name)
            except TypeError:
                raise TypeError(f"the array cannot be {name}") from None
        return _OF_TORCH[x.dtype]

    @staticmethod
    def pointer(x: Any) -> int:
        return int(x.data_ptr())

    @staticmethod
    def strides(x: Any) -> tuple[int, ...]:
        return tuple(x.stride())

    @staticmethod
    def empty(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], device: int) -> Any:
        return like.new_empty(shape, dtype=_torch_type(dtype))

    @staticmethod
    def stream(device: int) -> int:
        torch = sys.modules["torch"]
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # faster: creates no Stream object
        return int(raw(device) if raw else torch.cuda.current_stream(device).cuda_stream)

    @staticmethod
    def contiguous(x: Any) -> Any:
        return x.contiguous()

    @staticmethod
    def cast(x: Any, dtype: np.dtype[Any]) -> Any:
        return x.to(_torch_type(dtype))

    @staticmethod
    def copy(x: Any) -> Any:
        return x.clone()

    @staticmethod
    def finish(x: Any) -> Any:
        return x


class _Block:
    """Device memory from _core.device_allocate(), for jax.dlpack."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int) -> None:
        self.shape, self.dtype, self.device = shape, dtype, device
        self.capsule, self.address = _core.device_allocate(
            device, list(shape), _CODES[dtype.kind], 8 * dtype.itemsize
        )

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule.__dlpack__() if hasattr(self.capsule, "__dlpack__") else self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device


class Jax:
    """Waits for arguments and results, since JAX does not expose their streams."""

    name = "JAX"

    @staticmethod
    def device(x: Any) -> int:
        if isinstance(x, _Block):
            return x.device
        x.block_until_ready()
        return int(x.__dlpack_device__()[1])

    @staticmethod
    def dtype(x: Any) -> np.dtype[Any]:
        return np.dtype(x.dtype)

    @staticmethod
    def pointer(x: Any) -> int:
        return int(x.address if isinstance(x, _Block) else x.unsafe_buffer_pointer())

    @staticmethod
    def strides(x: Any) -> tuple[int, ...]:
        return _strides(x.shape)

    @staticmethod
    def empty(like: Any, shape: tuple[int, ...], dtype: np.dtype[Any], device: int) -> Any:
        return _Block(shape, dtype, device)

    @staticmethod
    def stream(device: int) -> int:
        return 0

    @staticmethod
    def contiguous(x: Any) -> Any:
        return x

    @staticmethod
    def cast(x: Any, dtype: np.dtype[Any]) -> Any:
        return x.astype(dtype).block_until_ready()

    @staticmethod
    def copy(x: Any) -> Any:
        return x

    @staticmethod
    def finish(x: Any) -> Any:
        _core.device_wait(x.device, 0)
        return sys.modules["jax"].dlpack.from_dlpack(x)


_BY_TYPE: dict[type, Any] = {kind: None for kind in (type(None), bool, int, float, list, np.ndarray)}


def _kind(x: Any) -> Any:
    """The class of an array's library: CuPy, PyTorch or Jax; "other" for other arrays on a device; None in main memory."""
    of = type(x)
    if of in _BY_TYPE:
        return _BY_TYPE[of]
    module = of.__module__.partition(".")[0]
    if module == "numpy":
        return None
    if module == "torch":
        return PyTorch if x.is_cuda else None
    if module == "cupy":
        _BY_TYPE[of] = CuPy if hasattr(x, "data") and hasattr(x, "strides") else None
        return _BY_TYPE[of]
    if module.startswith("jax"):
        return Jax if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] == _CUDA else None
    if hasattr(x, "__cuda_array_interface__"):
        return "other"
    return "other" if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] == _CUDA else None


def has(*arrays: Any) -> bool:
    """Whether one of the arguments is an array on a CUDA device."""
    for x in arrays:
        if _kind(x) is not None:
            return True
    return False


class _Held:
    """An array on a device, its library, type, shape and strides in elements."""

    __slots__ = ("array", "device", "dtype", "kind", "name", "number", "shape", "strides")

    def __init__(self, x: Any, name: str) -> None:
        self.kind = _kind(x)
        if self.kind is None:
            raise TypeError(f"{name} is in main memory, but another argument is on a device")
        if self.kind == "other":
            try:
                import cupy
            except ImportError:
                raise TypeError(f"{name}: install CuPy, or pass an array of CuPy, PyTorch or JAX") from None
            x = cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)
            self.kind = CuPy
        if self.kind is PyTorch and x.requires_grad:
            raise ValueError(f"{name} requires a gradient, which satdof does not have: pass {name}.detach()")
        if not _BUILT:
            raise RuntimeError("this satdof was built without CUDA: install it again with nvcc on the PATH")
        self.array, self.name = x, name
        self.shape, self.strides = tuple(x.shape), self.kind.strides(x)
        self.dtype, self.device = self.kind.dtype(x), self.kind.device(x)
        self.number = _NUMBERS.get(self.dtype, -1)

    def beside(self, x: Any, name: str) -> _Held:
        """Another argument, which must be of the same library and on the same device."""
        other = _Held(x, name)
        if other.kind is not self.kind:
            raise TypeError(f"{name} is of {other.kind.name}, but {self.name} of {self.kind.name}")
        if other.device != self.device:
            raise ValueError(f"{name} is on device {other.device}, but {self.name} on device {self.device}")
        return other

    def require(self, allowed: set[np.dtype[Any]]) -> None:
        _rules.require_type(self.dtype, self.name, allowed)

    def cast(self, dtype: np.dtype[Any]) -> _Held:
        return self if self.dtype == dtype else _Held(self.kind.cast(self.array, dtype), self.name)

    def dense(self) -> _Held:
        """The array, copied unless it is C-contiguous."""
        wanted = 1
        for side, stride in zip(reversed(self.shape), reversed(self.strides)):
            if side > 1 and stride != wanted:
                return _Held(self.kind.contiguous(self.array), self.name)
            wanted *= side
        return self

    def new(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _Held:
        """An uninitialised array of the same library on the same device."""
        held = _Held.__new__(_Held)
        held.kind, held.device, held.shape, held.dtype = self.kind, self.device, shape, dtype
        held.number = _NUMBERS.get(dtype, -1)
        held.array = self.kind.empty(self.array, shape, dtype, self.device)
        held.strides = _strides(shape)
        return held

    @property
    def pointer(self) -> int:
        return int(self.kind.pointer(self.array))

    @property
    def stream(self) -> tuple[int, int]:
        """Device and stream."""
        return self.device, self.kind.stream(self.device)

    def finish(self) -> Any:
        return self.kind.finish(self.array)

    def rows(self) -> tuple[_Held, tuple[int, int, int]]:
        """The image, copied unless its rows are contiguous, and (height, width, channels)."""
        _rules.require_image(self.shape, self.name)
        height, width = self.shape[:2]
        channels = self.shape[2] if len(self.shape) == 3 else 1
        row, pixel, *element = self.strides
        dense = (
            (channels == 1 or element == [1])
            and (width == 1 or pixel == channels)
            and (height == 1 or abs(row) >= width * channels)
        )
        return (self if dense else self.dense()), (height, width, channels)

    def image(self) -> tuple[int, int, int]:
        """Address, type number and row stride, for an array from rows()."""
        return self.pointer, self.number, self.strides[0]


def integral_image(image: Any, exclusive: bool, dtype: npt.DTypeLike, scale: float | None) -> Any:
    held = _Held(image, "image")
    held.require(_rules.SMALL)
    pixels, size = held.rows()
    kind = np.dtype(np.uint8) if pixels.dtype == bool else pixels.dtype
    chosen = _rules.table_type(kind, dtype, scale)
    more = int(exclusive)
    table = pixels.new((size[0] + more, size[1] + more, *held.shape[2:]), chosen)
    _core.device_integral_image(
        *pixels.stream,
        size,
        pixels.image(),
        table.image(),
        bool(exclusive),
        None if scale is None else float(scale),
    )
    return table.finish()


def _radii(pixels: _Held, radius: Any, size: tuple[int, int, int]) -> tuple[float, _Held | None]:
    """(radius, None) for a single radius, (0.0, array) for a radius for each pixel."""
    if np.ndim(radius) == 0 and _kind(radius) is None:
        if np.asarray(radius).dtype.kind not in "iuf":
            raise TypeError(f"radius must be numbers, not {np.asarray(radius).dtype}")
        with np.errstate(over="ignore"):
            return float(np.float32(radius)), None
    radii = pixels.beside(radius, "radius")
    if radii.dtype.kind not in "iuf":
        raise TypeError(f"radius must be numbers, not {radii.dtype}")
    if radii.shape != size[:2]:
        raise ValueError(f"radius must be a number or have shape {size[:2]}, not {radii.shape}")
    return 0.0, radii.cast(np.dtype(np.float32)).rows()[0]


def filtered(name: str, image: Any, radius: Any, border: str) -> Any:
    held = _Held(image, "image")
    held.require(_rules.SMALL)
    pixels, size = held.rows()
    if pixels.dtype == bool:
        raise TypeError("image is bool: take uint8 or float32")
    outside = _rules.border_number(border)
    one, each = _radii(pixels, radius, size)
    out = pixels.new(held.shape, pixels.dtype)
    getattr(_core, f"device_{name}")(
        *pixels.stream, size, pixels.image(), out.image(), one, each.image() if each else None, outside
    )
    return out.finish()


def scatter(image: Any, radius: Any) -> tuple[Any, Any]:
    held = _Held(image, "image")
    held.require(_rules.FLOATS)
    pixels, size = held.rows()
    one, each = _radii(pixels, radius, size)
    out = pixels.new((*size[:2], size[2] + 1), pixels.dtype)
    _core.device_scatter(
        *pixels.stream, size, pixels.image(), out.image(), one, each.image() if each else None
    )
    both = out.finish()
    return both[..., : size[2]].reshape(held.shape), both[..., size[2]]


def scan(x: Any, axis: int, exclusive: bool) -> Any:
    array = _Held(x, "x")
    array.require(_rules.ALL)
    shape = _rules.scan_axis(array.shape, axis)
    array = array.dense()
    out = array.new(array.shape, _rules.scan_type(array.dtype))
    _core.device_scan(
        *array.stream, array.pointer, array.number, out.pointer, out.number, *shape, bool(exclusive)
    )
    return out.finish()


def compact(x: Any, mask: Any) -> Any:
    items = _Held(x, "x")
    flags = items.beside(mask, "mask")
    if flags.dtype != bool:
        raise TypeError(f"mask must be bool, not {flags.dtype}")
    _rules.require_mask(flags.shape, items.shape)
    items, flags = items.dense(), flags.dense()
    rest, count = items.shape[len(flags.shape) :], _rules.product(flags.shape)
    out = items.new((count, *rest), items.dtype)
    bytes_ = items.dtype.itemsize * _rules.product(rest)
    number = _core.device_compact(*items.stream, items.pointer, count, bytes_, flags.pointer, out.pointer)
    result = out.finish()[:number]
    return items.kind.copy(result) if 4 * number < count else result


def sort(keys: Any, values: Any) -> Any:
    array = _Held(keys, "keys")
    array.require(_rules.ALL)
    _rules.require_keys(array.shape)
    array = array.dense()
    count = array.shape[0]
    place, plain = array.stream, (array.pointer, array.number, count)
    if values is None:
        out = array.new(array.shape, array.dtype)
        _core.device_sort(*place, *plain, out.pointer, 0)
        return out.finish()
    moved = array.beside(values, "values").dense()
    _rules.require_values(moved.shape, count)
    order = array.new((max(count, 1),), np.dtype(np.int32))
    _core.device_sort(*place, *plain, 0, order.pointer)

    def taken(of: _Held) -> Any:
        out = of.new(of.shape, of.dtype)
        bytes_ = of.dtype.itemsize * _rules.product(of.shape[1:])
        _core.device_gather(*place, of.pointer, bytes_, count, order.pointer, out.pointer)
        return out.finish()

    return taken(array), taken(moved)


def convolve(image: Any, mask: npt.ArrayLike) -> Any:
    held = _Held(image, "image")
    held.require(_rules.SMALL)
    if _kind(mask) is not None:
        raise TypeError("mask must be in main memory")
    weights = _rules.convolution_mask(mask)
    largest = 0
    if held.dtype.kind in "iu":
        largest = max(-int(np.iinfo(held.dtype).min), int(np.iinfo(held.dtype).max))
    elif held.dtype == bool:
        largest = 1
    kind = _rules.convolution_type(held.dtype, weights, largest)
    pixels, size = (held if held.dtype.kind in "ub" and held.dtype.itemsize == 1 else held.cast(kind)).rows()
    out = pixels.new(held.shape, kind)
    _core.device_convolve(
        *pixels.stream,
        size,
        pixels.image(),
        out.image(),
        weights.shape[1],
        weights.astype(np.float64).reshape(-1).tolist(),
    )
    return out.finish()


def refocus(image: Any, depth: Any, options: dict[str, float | bool | str]) -> Any:
    held = _Held(image, "image")
    distances = np.asarray(depth) if _kind(depth) is None else held.beside(depth, "depth")
    kind, of_depth = _rules.refocus_types(held.shape, held.dtype, distances.shape, distances.dtype)
    pixels, size = held.cast(kind).rows()
    if isinstance(distances, _Held):
        distances = distances.cast(of_depth).rows()[0]
        rows = distances.image()
    else:
        _rules.require_image(distances.shape, "depth")
        distances = np.ascontiguousarray(distances, of_depth)
        rows = distances.ctypes.data, _NUMBERS[of_depth], distances.shape[1]
    out = pixels.new(held.shape, kind)
    _core.device_refocus(
        *pixels.stream, size[:2], pixels.image(), distances.shape, rows, options, out.image()
    )
    return out.finish()
