"""Writes the records of a machine (bench record NAME) and the stored curves of the laboratory (make lab-curves).

bench record measures with one build and writes docs/bench/NAME.json (the rows of satdof_bench that the pages show),
docs/bench/lab-NAME.json (all experiments of the laboratory) and docs/lab-*.svg. Then run scripts/bench tables to update the pages.

make lab-curves writes assets/lab-h100.json from docs/bench/lab-h100.json: the CUDA curves that the laboratory shows without an NVIDIA
GPU. --check only compares: exit status 1 if the file differs.
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from typing import Any

from tools import program, records, tables
from tools.program import ROOT

RUN = "docs/bench/lab-h100.json"
FILE = ROOT / "assets/lab-h100.json"
FEWEST_SAMPLES = 5
# Rows of satdof_bench to run: without the laboratory, frames only on GPUs.
ROWS = "^(bandwidth|compact|lens|limit|nbody|scan|sort|table|(frame|photograph)/(cuda|gl-[a-z]*)/)"


def machine(context: dict[str, str]) -> str:
    """Describes the machine like machineText() in app/lab/results.cpp."""
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
    """The row with times rounded to three digits."""
    return {key: float(f"{value:.3g}") if key.endswith("Us") else value for key, value in row.items()}


def stored_curves() -> str:
    """The contents of FILE."""
    experiments: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    data = json.loads((ROOT / RUN).read_text())
    for experiment in data["experiments"]:
        curves = [
            {"name": curve["name"], "device": "cuda", "machine": machine(data["context"])}
            for curve in experiment["curves"]
            if curve["device"] == "cuda" and not curve.get("published")
        ]
        start = tuple(f"{experiment['id']}/{curve['name']}/" for curve in curves)
        rows += [
            rounded(row)
            for row in data["rows"]
            if row["name"].startswith(start) and row["samples"] >= FEWEST_SAMPLES
        ]
        experiments.append({**experiment, "curves": curves})
    context = {"origin": RUN, "command": "scripts/make lab-curves"}

    def lines(values: list[Any]) -> str:
        return ",\n  ".join(json.dumps(value, separators=(",", ":")) for value in values)

    return (
        f'{{\n "context": {json.dumps(context)},\n "experiments": [\n  {lines(experiments)}\n ],\n'
        f' "rows": [\n  {lines(rows)}\n ]\n}}\n'
    )


def record(name: str, programs: pathlib.Path, measure: bool) -> None:
    def run(*arguments: object) -> None:
        if subprocess.run(list(map(str, arguments)), cwd=ROOT).returncode != 0:
            raise RuntimeError(f"{shlex.join(map(str, arguments))} failed")

    lab = f"docs/bench/lab-{name}.json"
    if measure:
        with tempfile.NamedTemporaryFile(suffix=".json") as full:
            run(
                programs / "satdof_bench",
                f"--benchmark_filter={ROWS}",
                f"--benchmark_out={full.name}",
                "--benchmark_out_format=json",
                f"--benchmark_context=commit={records.commit()}",
            )
            tables.keep(pathlib.Path(full.name), ROOT / f"docs/bench/{name}.json")
        run(programs / "satdof", "--lab", lab)
    for plot in ("scan", "tables"):
        drawn = f"docs/lab-{plot}.svg"
        run(
            programs / "satdof",
            "--lab",
            drawn,
            "--lab-from",
            lab,
            "--lab-only",
            plot,
            "--lab-timed",
            "kernel",
        )


def main() -> None:
    parser = program.parser(__doc__)
    if sys.argv.pop(1) == "record":
        parser.add_argument("name", help="of the machine")
        parser.add_argument(
            "--programs", type=pathlib.Path, default=pathlib.Path(program.SATDOF).parent, help="their folder"
        )
        parser.add_argument("--plot", action="store_true", help="only draw docs/lab-*.svg again")
        given = parser.parse_args()
        record(given.name, given.programs, not given.plot)
        return
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        FILE.write_text(stored_curves())
    elif not FILE.exists() or FILE.read_text() != stored_curves():
        sys.exit(f"{FILE.relative_to(ROOT)} does not agree with docs/bench: run scripts/make lab-curves")
