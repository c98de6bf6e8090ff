#!/usr/bin/env python3
"""Disparity of a rectified pair of photographs by semi-global matching (OpenCV), for satdof --depth.

usage: stereo_depth.py LEFT RIGHT OUT [--most PIXELS] [--block PIXELS]

OUT is a PFM with the disparity of each pixel of the left photograph, in pixels: --depth OUT --depth-means disparity. Pixels that fail
the left-right consistency check are infinite; satdof fills them. A calib.txt in the format of the Middlebury data sets beside OUT
gives baseline and focal length. Needs OpenCV and NumPy: apt install python3-opencv, or pip install opencv-python-headless.
"""

import argparse
import sys

from tools.pfm import write_pfm

try:
    import cv2
    import numpy as np
except ImportError as error:
    sys.exit(f"stereo_depth.py: {error}; apt install python3-opencv, or pip install opencv-python-headless")

MULTIPLE = 16  # numDisparities must be a multiple of this
SCALE = 16  # StereoSGBM returns disparities in 1/16 pixel


def read(path):
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        sys.exit(f"stereo_depth.py: cannot read the image {path}")
    return image


def matcher(most, block):
    """Semi-global matching (Hirschmueller 2008) with the penalties from OpenCV's documentation."""
    area = 3 * block * block
    return cv2.StereoSGBM_create(
        minDisparity=0,
        numDisparities=most,
        blockSize=block,
        P1=8 * area,
        P2=32 * area,
        uniquenessRatio=5,
        speckleWindowSize=100,
        speckleRange=2,
        mode=cv2.STEREO_SGBM_MODE_SGBM_3WAY,
    )


def matched(left, right, most, block):
    """Disparities of the left image. Extends both images to the left, so that the leftmost columns are matched, too."""
    wide = [cv2.copyMakeBorder(side, 0, 0, most, 0, cv2.BORDER_REPLICATE) for side in (left, right)]
    return matcher(most, block).compute(*wide)[:, most:].astype(np.float32) / SCALE


def confirmed(left, right, most, block):
    """Disparities that pass the left-right consistency check within a pixel; others are infinite."""
    disparity = matched(left, right, most, block)
    mirrored = matched(right[:, ::-1], left[:, ::-1], most, block)[:, ::-1]
    columns = np.arange(disparity.shape[1])[None, :]
    there = np.clip(np.rint(columns - disparity), 0, disparity.shape[1] - 1).astype(int)
    agrees = np.abs(np.take_along_axis(mirrored, there, axis=1) - disparity) <= 1
    return np.where(agrees & (disparity > 0), disparity, np.float32(np.inf))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("left")
    parser.add_argument("right")
    parser.add_argument("out", help="a .pfm file")
    parser.add_argument("--most", type=int, default=0, help="largest disparity (an eighth of the width)")
    parser.add_argument("--block", type=int, default=3, help="width of the blocks that are compared, odd (3)")
    options = parser.parse_args()
    left, right = read(options.left), read(options.right)
    if left.shape != right.shape:
        sys.exit(f"stereo_depth.py: the images have {left.shape[1::-1]} and {right.shape[1::-1]} pixels")
    if options.block < 1 or options.block % 2 == 0:
        sys.exit("stereo_depth.py: --block must be odd")
    most = options.most or left.shape[1] // 8
    disparity = confirmed(left, right, -(-most // MULTIPLE) * MULTIPLE, options.block)
    if not np.isfinite(disparity).any():
        sys.exit("stereo_depth.py: nothing matches: is the pair rectified, and the left image first?")
    try:
        write_pfm(options.out, disparity, (options.left, options.right))
    except (OSError, ValueError) as error:
        sys.exit(f"stereo_depth.py: {error}")
    print(f"{np.isfinite(disparity).mean():.1%} of the pixels matched")


if __name__ == "__main__":
    main()
