"""What surrounds a run, for tests."""

import subprocess


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
