#!/usr/bin/env python3
"""Estimates the depth of a photograph by an ONNX network, for satdof --depth-command.

usage: estimate_depth.py --model FILE.onnx IMAGE OUT [--kind KIND]

satdof --depth-command 'scripts/estimate_depth.py --model FILE.onnx {image} {depth.pfm}' --image photo.jpg

OUT is a PFM of the size of the photograph. KIND is a row of KINDS; default: the row whose name occurs in the file name of the model.
satdof contains no network: docs/files.md lists some with their licences. Needs onnxruntime, NumPy and Pillow:
pip install onnxruntime pillow.
"""

import argparse
import pathlib
import sys
from typing import NamedTuple

from tools.pfm import write_pfm

try:
    import numpy as np
    import onnxruntime
    from PIL import Image, ImageOps
except ImportError as error:
    sys.exit(f"estimate_depth.py: {error}; pip install onnxruntime pillow")


class Kind(NamedTuple):
    """The input and output conventions of a network."""

    side: int  # shorter side of the input, unless the network has a fixed size
    multiple: int  # both sides of the input are multiples of this
    mean: tuple  # of red, green and blue, from 0 to 1
    deviation: tuple  # standard deviation of red, green and blue
    metres: bool = False  # output in metres; else inverse depth of unknown scale: large numbers are near


IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
HALF = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
KINDS = {
    "midas": Kind(256, 32, *IMAGENET),
    "dpt": Kind(384, 32, *HALF),
    "depth_anything": Kind(518, 14, *IMAGENET),
    "zoe": Kind(384, 32, *HALF, metres=True),
}


def kind_of(model):
    name = pathlib.Path(model).name.lower().replace("-", "_")
    found = [kind for word, kind in KINDS.items() if word in name]
    return found[0] if found else KINDS["midas"]


def input_size(shape, image, kind):
    """Width and height of the input. `shape`: [1, 3, height, width], where symbolic sizes are names."""
    fixed = [size for size in shape[2:] if isinstance(size, int) and size > 0]
    if len(fixed) == 2:
        return fixed[1], fixed[0]
    scale = kind.side / min(image.size)
    return tuple(
        max(kind.multiple, round(side * scale / kind.multiple) * kind.multiple) for side in image.size
    )


def estimated(model, image, kind):
    """The output of the network, resized to the image: height x width."""
    session = onnxruntime.InferenceSession(str(model), providers=onnxruntime.get_available_providers())
    reads = session.get_inputs()[0]
    if len(reads.shape) != 4:
        raise ValueError(f"the model reads {reads.shape}, not an image of [1, 3, height, width]")
    small = image.resize(input_size(reads.shape, image, kind), Image.Resampling.BICUBIC)
    pixels = (np.asarray(small, np.float32) / 255 - kind.mean) / kind.deviation
    batch = pixels.transpose(2, 0, 1)[None].astype(np.float16 if "float16" in reads.type else np.float32)
    numbers = np.squeeze(session.run(None, {reads.name: batch})[0]).astype(np.float32)
    if numbers.ndim != 2 or not np.isfinite(numbers).all():
        raise ValueError(f"the model wrote {numbers.shape}, not one finite number a pixel")
    return np.asarray(Image.fromarray(numbers).resize(image.size, Image.Resampling.BICUBIC))


def as_depth(numbers, kind):
    """Metres, or relative depth from 0 (far) to 1 (near): satdof recognises relative depth by this range."""
    if kind.metres:
        return np.maximum(numbers, 1e-3)
    low, high = numbers.min(), numbers.max()
    return (numbers - low) / max(high - low, 1e-12)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True, help="an .onnx file")
    parser.add_argument("--kind", choices=KINDS, help="sizes, mean, deviation and meaning of the network")
    parser.add_argument("image")
    parser.add_argument("out", help="a .pfm file")
    options = parser.parse_args()
    kind = KINDS[options.kind] if options.kind else kind_of(options.model)
    try:
        with Image.open(options.image) as file:
            image = ImageOps.exif_transpose(file).convert("RGB")
        depth = as_depth(estimated(options.model, image, kind), kind)
        write_pfm(options.out, depth, (options.image, options.model))
    except Exception as error:  # of many libraries
        sys.exit(f"estimate_depth.py: {error}")


if __name__ == "__main__":
    main()
