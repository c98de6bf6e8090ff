"""The stereo pair "motorcycle" (Middlebury 2014) at its size in scikit-image: files and calibration."""

import importlib.util
import pathlib

FOCAL_PX, BASELINE_MM, DOFFS_PX = 994.978, 193.001, 31.086


def data_folder() -> pathlib.Path | None:
    """The folder with motorcycle_left.png and motorcycle_disp.npz, or None. Does not import scikit-image, which needs SciPy."""
    found = importlib.util.find_spec("skimage")
    for folder in found.submodule_search_locations or [] if found else []:
        data = pathlib.Path(folder) / "data"
        if (data / "motorcycle_left.png").exists() and (data / "motorcycle_disp.npz").exists():
            return data
    return None


def distance_m(disparity_px):
    """The distance in metres at a disparity, or at an array of disparities."""
    return FOCAL_PX * BASELINE_MM * 1e-3 / (disparity_px + DOFFS_PX)
