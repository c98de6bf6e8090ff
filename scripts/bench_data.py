"""Data files of docs/bench: a context (machine, commit, command) and rows, each with a unique name."""

import json
import pathlib
import shlex
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent

Row = dict[str, Any]


def commit() -> str:
    """The commit of the working tree; "unknown" without git."""
    git = ["git", "-C", str(ROOT)]
    try:
        name = subprocess.run(
            [*git, "rev-parse", "--short=10", "HEAD"], check=True, capture_output=True, text=True
        )
        changed = subprocess.run(
            [*git, "status", "--porcelain", "-uno"], check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name.stdout.strip() + (" and changes" if changed.stdout else "")


def command() -> str:
    """The command line of this script."""
    return shlex.join(["scripts/" + pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])


def machine(stats: dict[str, Any]) -> dict[str, Any]:
    """The part of a context that the program reports in its --stats file."""
    return {**stats["machine"], "device": stats["device"]}


def write(path: pathlib.Path, context: dict[str, Any], rows: list[Row]) -> None:
    """Writes a data file with one row a line. Throws ValueError if two rows share a name."""
    names = [row["name"] for row in rows]
    if len(set(names)) != len(names):
        raise ValueError(f"{path}: two rows share a name")
    head = json.dumps(context, indent=1).replace("\n", "\n ")
    body = ",\n".join("  " + json.dumps(row) for row in rows)
    path.write_text(f'{{\n "context": {head},\n "rows": [\n{body}\n ]\n}}\n')
