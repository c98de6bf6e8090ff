"""Helpers of several tests: films, locales, saved settings, shots."""

import json
import pathlib
import subprocess
import sys

from PIL import Image

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))


def probed(film, entries):
    """Values of ffprobe for a film's stream, for example "12/1,6" for the entries "r_frame_rate,nb_read_frames"."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", f"stream={entries}"]
    done = subprocess.run([*command, "-of", "csv=p=0", film], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def decoded(film, pixels, *decoder):
    """The bytes of a film's frames, in a pixel format of ffmpeg."""
    command = ["ffmpeg", "-v", "error", *decoder, "-i", f"file:{film}", "-f", "rawvideo", "-pix_fmt", pixels]
    return subprocess.run([*command, "pipe:1"], capture_output=True, check=True).stdout


def turkish_locale(folder):
    """Makes a Turkish locale, in which lower("I") is not "i". Returns its environment variables.

    They are empty if the package `locales` is missing.
    """
    try:
        made = subprocess.run(
            ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(folder / "tr_TR.UTF-8")], capture_output=True
        )
    except FileNotFoundError:
        return {}
    return {"LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(folder)} if made.returncode == 0 else {}


def saved_settings(path):
    """The settings in the text chunk of a PNG file."""
    with Image.open(path) as image:
        return json.loads(image.text["satdof-settings"])


def shot_text(camera=None, **tracks):
    """JSON of a shot. Tracks: lens_fNumber=[(time, value, easing), ...], easing optional. Camera: [(time, eye, look-at), ...]."""
    file = {"format": "satdof-shot", "version": 1, "tracks": []}
    for name, keys in tracks.items():
        parts = [dict(zip(("time", "value", "easing"), key)) for key in keys]
        file["tracks"].append({"field": name.replace("_", "."), "keys": parts})
    if camera:
        file["camera"] = [dict(zip(("time", "eye", "lookAt"), key)) for key in camera]
    return json.dumps(file)
