"""Reads and writes the records in docs/bench: a context (machine, commit, command) and rows with unique names."""

import json
import pathlib
import shlex
import subprocess
import sys
from typing import Any

from tools.program import ROOT, Stats

Row = dict[str, Any]


def commit() -> str:
    """The commit of the working tree; "unknown" without git."""
    git = ["git", "-C", ROOT, "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty= and changes"]
    try:
        return subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def context(stats: Stats, **more: Any) -> Row:
    """The context of rows measured by the running verb. `stats`: of the program, with the machine."""
    return {
        **stats["machine"],
        "device": stats["device"],
        **more,
        "command": command(),
        "origin": "written by the command",
    }


def command() -> str:
    """The command line of the running verb."""
    return f"{sys.argv[0]} {shlex.join(sys.argv[1:])}"


def read(path: pathlib.Path) -> tuple[dict[str, Any], dict[str, Row]]:
    """Returns the context, and the rows by name, of a record or of the JSON of satdof_bench. Raises RuntimeError if it is damaged."""
    try:
        document = json.loads(path.read_text())
        rows = document.get("benchmarks") or document["rows"]
        return document["context"], {row["name"].split("/iterations:")[0]: row for row in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RuntimeError(f"cannot read the record {path}: {error!r}") from error


def write(path: pathlib.Path, context: dict[str, Any], rows: list[Row]) -> None:
    """Writes a record with one row a line. Throws ValueError if two rows share a name."""
    if len({row["name"] for row in rows}) != len(rows):
        raise ValueError(f"{path}: two rows share a name")
    head = json.dumps(context, indent=1).replace("\n", "\n ")
    body = ",\n".join("  " + json.dumps(row) for row in rows)
    path.write_text(f'{{\n "context": {head},\n "rows": [\n{body}\n ]\n}}\n')
