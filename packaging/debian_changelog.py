#!/usr/bin/env python3
"""Writes the changelog of the Debian package from CHANGELOG.md: debian_changelog.py CHANGELOG.md FILE.gz MAINTAINER.

An entry a version. A version that is not released has the date of the day after the newest release.
"""

import datetime
import gzip
import pathlib
import re
import sys


def entries(markdown, maintainer):
    versions = re.findall(r"^## \[(.+?)\] - (.+)$", markdown, re.MULTILINE)
    newest = next(datetime.date.fromisoformat(date) for _, date in versions if date != "Unreleased")
    for version, date in versions:
        later = date == "Unreleased"
        day = newest + datetime.timedelta(days=1) if later else datetime.date.fromisoformat(date)
        yield (
            f"satdof ({version}) unstable; urgency=medium\n\n"
            f"  * Version {version}: see /usr/share/doc/satdof/CHANGELOG.md.\n\n"
            f" -- {maintainer}  {day:%a, %d %b %Y} 00:00:00 +0000\n"
        )


if __name__ == "__main__":
    MARKDOWN, PATH, MAINTAINER = sys.argv[1:]
    TEXT = "\n".join(entries(pathlib.Path(MARKDOWN).read_text(encoding="utf-8"), MAINTAINER))
    pathlib.Path(PATH).write_bytes(gzip.compress(TEXT.encode(), 9, mtime=0))
