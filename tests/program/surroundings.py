"""What surrounds a run, for tests."""

import json
import pathlib
import subprocess
import sys

from PIL import Image

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))


def probed(film, entries):
    """What ffprobe, which counts the frames, says of the stream of a film: "12/1,6" for "r_frame_rate,nb_read_frames"."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", f"stream={entries}"]
    done = subprocess.run([*command, "-of", "csv=p=0", film], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def decoded(film, pixels, *decoder):
    """The bytes of a film's frames, in a pixel format of ffmpeg."""
    command = ["ffmpeg", "-v", "error", *decoder, "-i", f"file:{film}", "-f", "rawvideo", "-pix_fmt", pixels]
    return subprocess.run([*command, "pipe:1"], capture_output=True, check=True).stdout


def turkish_locale(folder):
    """Makes the locale, whose small i and large I are other letters than those of ASCII, and returns its environment.

    Empty where the package `locales` is missing.
    """
    try:
        made = subprocess.run(
            ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(folder / "tr_TR.UTF-8")], capture_output=True
        )
    except FileNotFoundError:
        return {}
    return {"LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(folder)} if made.returncode == 0 else {}


def saved_settings(path):
    """The settings in an image's text."""
    with Image.open(path) as image:
        return json.loads(image.text["satdof-settings"])


def shot_text(camera=None, **tracks):
    """The text of a shot: lens_fNumber=[(0, 2), (1, 4, "linear")]. Camera keys are (time, eye, place looked at)."""
    file = {"format": "satdof-shot", "version": 1, "tracks": []}
    for name, keys in tracks.items():
        parts = [dict(zip(("time", "value", "easing"), key)) for key in keys]
        file["tracks"].append({"field": name.replace("_", "."), "keys": parts})
    if camera:
        file["camera"] = [dict(zip(("time", "eye", "lookAt"), key)) for key in camera]
    return json.dumps(file)
