#!/usr/bin/env python3
"""Writes assets/lab-h100.json: the curves of CUDA that the laboratory shows where there is no NVIDIA GPU.

usage: lab_stored.py [--check]. Takes them from the recorded runs in docs/bench. --check ends with 1 if the file differs.
"""

import json
import pathlib
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The later run of an experiment wins.
RUNS = ["lab-h100.json", "lab-h100-curves.json", "lab-h100-convolution.json", "lab-h100-table-iii.json"]
FILE = ROOT / "assets/lab-h100.json"
FEWEST_SAMPLES = 5


def machine(context: dict[str, str]) -> str:
    """As machineText() in app/lab/results.cpp."""
    return ", ".join(
        before + context[key]
        for key, before in [
            ("gpu", ""),
            ("driver", "driver "),
            ("cpu", ""),
            ("date", ""),
            ("commit", "commit "),
        ]
    )


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """The row with times of three digits."""
    return {key: float(f"{value:.3g}") if key.endswith("Us") else value for key, value in row.items()}


def stored() -> str:
    """The text of the file."""
    experiments: dict[str, Any] = {}
    rows: dict[str, list[dict[str, Any]]] = {}
    for run in RUNS:
        data = json.loads((ROOT / "docs/bench" / run).read_text())
        for experiment in data["experiments"]:
            curves = [
                {"name": curve["name"], "device": "cuda", "machine": machine(data["context"])}
                for curve in experiment["curves"]
                if curve["device"] == "cuda" and not curve.get("published")
            ]
            start = tuple(f"{experiment['id']}/{curve['name']}/" for curve in curves)
            rows[experiment["id"]] = [
                rounded(row)
                for row in data["rows"]
                if row["name"].startswith(start) and row["samples"] >= FEWEST_SAMPLES
            ]
            experiments[experiment["id"]] = {**experiment, "curves": curves}
    context = {"origin": "docs/bench/" + ", ".join(RUNS), "command": "scripts/lab_stored.py"}

    def lines(values: list[Any]) -> str:
        return ",\n  ".join(json.dumps(value, separators=(",", ":")) for value in values)

    every = [row for group in rows.values() for row in group]
    return (
        f'{{\n "context": {json.dumps(context)},\n "experiments": [\n  {lines(list(experiments.values()))}\n ],\n'
        f' "rows": [\n  {lines(every)}\n ]\n}}\n'
    )


def main() -> None:
    text = stored()
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or FILE.read_text() != text:
            sys.exit(f"{FILE.relative_to(ROOT)} does not agree with docs/bench: run scripts/lab_stored.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main()
