"""Compares two runs of satdof_bench row by row: bench guard BASE.json NEW.json.

The files come from `satdof_bench --benchmark_out=FILE --benchmark_out_format=json`. A row has changed if its median moved by more than
--least percent and by more than the larger spread of both runs. The spread is half the distance from the 10th to the 90th percentile, in
percent of the median. Prints every changed row, the largest change first; then the number of rows of each kind and the geometric mean of
new time over base time.
Exit status: 0 no row is slower, 1 a row is slower or missing, 2 the files cannot be compared.
"""

import math
import pathlib
import re
import sys
from typing import NamedTuple

from tools import program, records

MACHINE = ("gpu", "CUDA driver, runtime", "num_cpus", "cpu")


class Time(NamedTuple):
    median_us: float
    spread_percent: float


class Change(NamedTuple):
    name: str
    base: Time
    new: Time

    @property
    def percent(self) -> float:
        return 100 * (self.new.median_us / self.base.median_us - 1)

    @property
    def noise_percent(self) -> float:
        return max(self.base.spread_percent, self.new.spread_percent)

    def verdict(self, least_percent: float) -> str:
        if abs(self.percent) <= max(least_percent, self.noise_percent):
            return "same"
        return "slower" if self.percent > 0 else "faster"


def read(path: pathlib.Path) -> tuple[dict[str, str], dict[str, Time]]:
    """Returns the context of a run, and the times of its rows by name."""
    context, rows = records.read(path)
    try:
        return context, {
            name: Time(row["real_time"], 50 * row.get("scatter", row.get("spread", 0)))
            for name, row in rows.items()
            if "error_occurred" not in row
        }
    except KeyError as error:
        raise RuntimeError(f"cannot read {path}: no {error}; give a file that satdof_bench wrote") from error


def compare(
    base_file: pathlib.Path, new_file: pathlib.Path, least: float, pattern: str, any_machine: bool
) -> int:
    base_context, base = read(base_file)
    new_context, new = read(new_file)
    for key in MACHINE:
        if base_context.get(key) != new_context.get(key) and not any_machine:
            raise RuntimeError(
                f"the runs differ in {key}: {base_context.get(key)} and {new_context.get(key)}; "
                "--other-machine compares them all the same"
            )
    chosen = [name for name in base if re.search(pattern, name)]
    missing = [name for name in chosen if name not in new]
    changes = [Change(name, base[name], new[name]) for name in chosen if name in new]
    if not changes:
        raise RuntimeError("no row is in both runs")

    kinds: dict[str, list[Change]] = {"slower": [], "faster": [], "same": []}
    for change in changes:
        kinds[change.verdict(least)].append(change)
    width = max(len(change.name) for change in changes)
    for kind in ("slower", "faster"):
        for change in sorted(kinds[kind], key=lambda each: -abs(each.percent)):
            print(
                f"{kind}  {change.name:{width}}  {change.base.median_us:10.2f} us -> {change.new.median_us:10.2f} us"
                f"  {change.percent:+6.1f} %  (spread {change.noise_percent:.1f} %)"
            )
    for name in missing:
        print(f"missing {name}")
    mean = math.exp(
        sum(math.log(each.new.median_us / each.base.median_us) for each in changes) / len(changes)
    )
    print(
        f"{len(changes)} rows: {len(kinds['slower'])} slower, {len(kinds['faster'])} faster, "
        f"{len(kinds['same'])} within their spread, {len(missing)} missing; geometric mean {mean:.3f}"
    )
    return 1 if kinds["slower"] or missing else 0


def main() -> int:
    parser = program.parser(__doc__)
    parser.add_argument("base", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=1, help="smallest change that counts, in percent (1)")
    parser.add_argument("--filter", default="", help="regular expression: compare only rows that match")
    parser.add_argument("--other-machine", action="store_true", help="compare runs of different machines")
    given = parser.parse_args()
    try:
        return compare(given.base, given.new, given.least, given.filter, given.other_machine)
    except RuntimeError as error:
        print(f"guard: {error}", file=sys.stderr)
        return 2
