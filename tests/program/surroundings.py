"""What surrounds a run, for tests."""

import subprocess


def probed(film, entries):
    """What ffprobe, which counts the frames, says of the stream of a film: "12/1,6" for "r_frame_rate,nb_read_frames"."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", f"stream={entries}"]
    done = subprocess.run([*command, "-of", "csv=p=0", film], capture_output=True, text=True, check=True)
    return done.stdout.strip()


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
