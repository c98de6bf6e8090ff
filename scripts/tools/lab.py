"""The laboratory of this machine: bench lab NAME, and the curves that the program brings: make lab-curves.

bench lab writes docs/bench/lab-NAME.json (the published figures), docs/bench/lab-NAME-curves.json (all experiments by size) and
docs/lab-*.svg. --plot draws the plots of existing files alone.

make lab-curves writes assets/lab-h100.json: the curves of CUDA that the laboratory shows where there is no NVIDIA GPU, from the
recorded runs in docs/bench. --check ends with 1 if the file differs.
"""

import json
import subprocess
import sys
from typing import Any

from tools import program
from tools.program import ROOT

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
    context = {"origin": "docs/bench/" + ", ".join(RUNS), "command": "scripts/make lab-curves"}

    def lines(values: list[Any]) -> str:
        return ",\n  ".join(json.dumps(value, separators=(",", ":")) for value in values)

    every = [row for group in rows.values() for row in group]
    return (
        f'{{\n "context": {json.dumps(context)},\n "experiments": [\n  {lines(list(experiments.values()))}\n ],\n'
        f' "rows": [\n  {lines(every)}\n ]\n}}\n'
    )


def measure(name: str, satdof: str, plot: bool) -> None:
    figures, curves = (f"docs/bench/lab-{name}{part}.json" for part in ("", "-curves"))
    runs = [] if plot else [[figures, "--lab-only", "figures"], [curves, "--lab-only", "curves"]]
    for plot in ("scan", "tables"):
        runs.append(
            [f"docs/lab-{plot}.svg", "--lab-from", curves, "--lab-only", plot, "--lab-timed", "kernel"]
        )
    for run in runs:
        if subprocess.run([satdof, "--lab", *run], cwd=ROOT).returncode != 0:
            raise RuntimeError(f"{satdof} --lab {' '.join(run)} failed")


def main() -> None:
    parser = program.parser(__doc__)
    if sys.argv.pop(1) == "measure":
        parser.add_argument("name", help="of the machine")
        parser.add_argument("--program", default=program.SATDOF)
        parser.add_argument("--plot", action="store_true")
        given = parser.parse_args()
        measure(given.name, given.program, given.plot)
        return
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        FILE.write_text(stored())
    elif not FILE.exists() or FILE.read_text() != stored():
        sys.exit(f"{FILE.relative_to(ROOT)} does not agree with docs/bench: run scripts/make lab-curves")
