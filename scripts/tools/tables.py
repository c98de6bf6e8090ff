"""Updates the numbers in the documentation from the records in docs/bench.

    scripts/bench tables                               # updates the numbers of the pages
    scripts/bench keep FULL.json docs/bench/FILE.json  # keeps the rows and fields of a run that the pages show

A table of numbers follows a comment that names its record:

    <!-- numbers: bench/h100.json table/{row}/uint32/{column}/warm@real_time; @ratioToLimit
    copy limit = table/fused/uint32/{column}/warm@limitUs -->

The first line names a file, relative to the page, and one term for each number of a cell. A further line replaces the terms of the row,
else of the column, with its label. A term is [min:|max:][FILE:]NAME@FIELD[*FACTOR]. {row} and {column} are the labels of the cell; an
empty NAME repeats the name of the term before; with min: or max:, NAME is a pattern. A number is correct if it equals the record rounded
to the digits shown. The record of an empty cell must be missing.

A number in a sentence refers to a label of a comment above it, which stands for a term or a difference of terms:

    <!-- numbers: bench/frames.json
    adds = cuda/layered@frame - cuda/sharp@frame -->
    The layered lens adds 1120<!--adds--> us to a frame.
"""

import dataclasses
import fnmatch
import functools
import pathlib
import re
import sys
from typing import Any

from tools import program, records
from tools.program import ROOT

DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(DOCS.glob("*.md")),
]

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)")
CODE = re.compile(r"`[^`]*`")
DATA = re.compile(r"<!--\s*numbers:\s*(.*?)\s*-->", re.DOTALL)
# Comments above tables without records: numbers that are names, sizes, limits or counts of runs, or whose raw output was not kept.
NO_DATA = ("<!-- no measurements -->", "<!-- raw output not kept -->")
# A number in a sentence with the label of its term. The label GOAL marks a goal, which is not measured.
MARKED = re.compile(r"(-?\d+(?:\.\d+)?)<!--([^>:]+?)-->")
GOAL = "goal"
UNIT = re.compile(r"(?<![\w.])\d+(?:\.\d+)?\s+(?:us|ms|dB|frames a second)\b")
TERM = re.compile(r"(?:(min|max):)?(?:([^\s:]+\.json):)?([^@]*)@([^*]+)(?:\*([\d.]+))?")
COUNT = re.compile(r"(\d+) ?([KM])")


@functools.cache
def rows_of(file: pathlib.Path) -> dict[str, records.Row]:
    return records.read(file)[1]


@dataclasses.dataclass
class Table:
    page: pathlib.Path
    line: int  # of the header, from 0
    data: str | None  # text of the comment above
    head: list[str]
    rows: list[list[str]]

    def holds_numbers(self) -> bool:
        return any(NUMBER.search(CODE.sub("", cell)) for row in self.rows for cell in row[1:])


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(page: pathlib.Path, text: str) -> list[Table]:
    lines, found, above, fenced = text.split("\n"), [], "", False
    i = 0
    while i < len(lines):
        fenced ^= lines[i].startswith("```")
        if (
            not fenced
            and lines[i].startswith("|")
            and i + 1 < len(lines)
            and re.fullmatch(r"\|[-:| ]+\|", lines[i + 1])
        ):
            end = i + 2
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            comment = DATA.search(above)
            if any(marker in above for marker in NO_DATA):
                i, above = end, ""
                continue
            found.append(
                Table(
                    page,
                    i,
                    comment[1] if comment else None,
                    cells_of(lines[i]),
                    [cells_of(line) for line in lines[i + 2 : end]],
                )
            )
            i, above = end, ""
            continue
        # A comment belongs to the table if only blank lines separate them.
        if lines[i].strip():
            above = above + "\n" + lines[i] if "<!--" in above and "-->" not in above else lines[i]
        i += 1
    return found


def key(label: str) -> str:
    """The value of {row} or {column} for a label: "512 x 512" gives 512x512, "1 K" 1024, "`cub`, cold" cub."""
    if count := COUNT.fullmatch(label):
        return str(int(count[1]) << {"K": 10, "M": 20}[count[2]])
    if label.startswith("`"):
        return label[1 : label.index("`", 1)]
    return re.sub(r"(\d) x (\d)", r"\1x\2", label).replace("`", "")


@dataclasses.dataclass(frozen=True)
class Term:
    aggregate: str | None
    file: pathlib.Path
    name: str
    field: str
    factor: float

    def value(self) -> float | None:
        """The number in the record; None if it is missing."""
        rows = rows_of(self.file)
        names = fnmatch.filter(rows, self.name) if self.aggregate else [self.name]
        values = [rows[name].get(self.field) for name in names if name in rows]
        numbers = [float(value) * self.factor for value in values if value is not None]
        if not numbers:
            return None
        return min(numbers) if self.aggregate == "min" else max(numbers)


class Data:
    """The parsed comment above a table."""

    def __init__(self, page: pathlib.Path, text: str) -> None:
        first, *others = [line.strip() for line in text.split("\n")]
        self.folder = page.parent
        file, _, self.terms = first.partition(" ")
        self.file = self.folder / file
        self.by_label = dict(line.split(" = ", 1) for line in others)

    def terms_of(self, row: str, column: str) -> list[Term]:
        text = self.by_label.get(row, self.by_label.get(column, self.terms))
        return self.parsed(text.split(";"), row, column)

    def parsed(self, texts: list[str], row: str = "", column: str = "") -> list[Term]:
        found: list[Term] = []
        for text in filter(None, map(str.strip, texts)):
            match = TERM.fullmatch(text)
            if not match:
                raise ValueError(f'cannot read the term "{text}"')
            aggregate, file, name, field, factor = match.groups()
            name, field = (
                t.replace("{row}", key(row)).replace("{column}", key(column)) for t in (name, field)
            )
            before = found[-1] if found and not name else None
            found.append(
                Term(
                    aggregate,
                    before.file if before else self.folder / file if file else self.file,
                    before.name if before else name,
                    field,
                    float(factor or 1),
                )
            )
        return found


def labelled(page: pathlib.Path, text: str) -> dict[str, list[Term]]:
    """The terms of the labels for sentences of the page. The number is the first term minus the others."""
    found: dict[str, list[Term]] = {}
    for comment in DATA.finditer(text):
        if not text[comment.end() :].lstrip().startswith("|"):
            data = Data(page, comment[1])
            found |= {label: data.parsed(terms.split(" - ")) for label, terms in data.by_label.items()}
    return found


def of_sentence(label: str, terms: dict[str, list[Term]]) -> float | None:
    values = [term.value() for term in terms.get(label, [])]
    return None if not values or None in values else values[0] - sum(values[1:])


def sentence_problems(page: pathlib.Path, text: str) -> list[str]:
    """Lists wrong numbers in sentences, and labels that no sentence uses."""
    terms = labelled(page, text)
    named = [match.groups() for match in MARKED.finditer(text)]
    found = [f"{page.name}: no number names {label}" for label in terms if label not in {n for _, n in named}]
    for number, label in named:
        value = of_sentence(label, terms)
        if label != GOAL and (value is None or not follows(number, value)):
            found.append(
                f"{page.name}: {number}, but the record of {label} says {value if value is None else f'{value:.6g}'}"
            )
    return found


def unmarked(text: str) -> list[str]:
    """Lists numbers in sentences with a unit of time, rate or quality but without a label. Skips tables and code."""
    text = re.sub(
        r"```.*?```|<!--\s*numbers:.*?-->|^\|.*?$|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE
    )
    return UNIT.findall(text)


def rounded(value: float, like: str) -> str:
    """The value with as many decimals as `like`."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def follows(shown: str, value: float) -> bool:
    return abs(float(shown) - value) <= 0.5 * 10.0 ** -len(shown.partition(".")[2]) * (1 + 1e-9)


def problems(table: Table) -> list[str]:
    """Lists the wrong and missing numbers of a table, and numbers without data."""
    where = f"{table.page.name}:{table.line + 1}"
    if table.data is None:
        return [f"{where}: a table of numbers without a comment that names its data"]
    data, found = Data(table.page, table.data), []
    for row in table.rows:
        for column, cell in zip(table.head[1:], row[1:]):
            at = f'{where}: row "{row[0]}", column "{column}"'
            shown, values = (
                NUMBER.findall(CODE.sub("", cell)),
                [t.value() for t in data.terms_of(row[0], column)],
            )
            if not shown:
                if values and None not in values:
                    found.append(f"{at}: empty, but the data say {values}")
            elif len(shown) != len(values):
                found.append(f"{at}: {len(shown)} numbers for {len(values)} terms")
            else:
                found += [
                    f"{at}: {number} has no data"
                    if value is None
                    else f"{at}: {number}, but the data say {value:.6g}"
                    for number, value in zip(shown, values)
                    if value is None or not follows(number, value)
                ]
    return found


def updated(table: Table, lines: list[str]) -> None:
    """Updates the numbers of a table in `lines`. Skips cells whose number of terms differs."""
    data = Data(table.page, table.data or "")
    for i, row in enumerate(table.rows):
        for j, column in enumerate(table.head[1:], 1):
            cell = row[j]
            terms = data.terms_of(row[0], column)
            values = [value for value in (t.value() for t in terms) if value is not None]
            if not len(terms) == len(values) == len(NUMBER.findall(cell)):
                continue
            for match, value in zip(reversed(list(NUMBER.finditer(cell))), reversed(values)):
                if not follows(match[0], value):
                    cell = cell[: match.start()] + rounded(value, match[0]) + cell[match.end() :]
            row[j] = cell
        if cells_of(lines[table.line + 2 + i]) != row:
            lines[table.line + 2 + i] = "| " + " | ".join(row) + " |"


# Parts of the context of satdof_bench that records omit.
NOISE = "host_name executable mhz_per_cpu cpu_scaling_enabled caches load_avg library_build_type".split()


def keep(full: pathlib.Path, small: pathlib.Path) -> None:
    """Writes the record `small`: the rows and fields of `full` that the pages show."""
    terms: list[Term] = []
    for page in PAGES:
        text = page.read_text()
        terms += [term for group in labelled(page, text).values() for term in group]
        for table in tables_of(page, text):
            if table.holds_numbers() and table.data:
                data = Data(page, table.data)
                cells = [(row[0], column) for row in table.rows for column in table.head[1:]]
                terms += [term for cell in cells for term in data.terms_of(*cell)]
    terms = [term for term in terms if term.file.resolve() == small.resolve()]
    context, rows = records.read(full)
    shown = {name for t in terms for name in (fnmatch.filter(rows, t.name) if t.aggregate else [t.name])}
    fields = {"commit", "real_time", "scatter", "samples", *(term.field for term in terms)}

    def kept(value: Any) -> Any:
        return float(f"{value:.6g}") if isinstance(value, float) else value

    records.write(
        small,
        {key: value for key, value in context.items() if key not in NOISE},
        [
            {"name": name, **{field: kept(value) for field, value in row.items() if field in fields}}
            for name, row in rows.items()
            if name in shown
        ],
    )


def fill() -> None:
    """Updates the numbers of all pages from their records."""
    for page in PAGES:
        lines = page.read_text().split("\n")
        for table in tables_of(page, "\n".join(lines)):
            if table.holds_numbers() and table.data:
                updated(table, lines)
        text = "\n".join(lines)
        terms = labelled(page, text)

        def number(match: re.Match[str], terms: dict[str, list[Term]] = terms) -> str:
            value = of_sentence(match[2], terms)
            return match[0] if value is None else f"{rounded(value, match[1])}<!--{match[2]}-->"

        page.write_text(MARKED.sub(number, text))


def main() -> None:
    parser = program.parser(__doc__)
    if sys.argv.pop(1) == "fill":
        parser.parse_args()
        fill()
        return
    parser.add_argument("full", type=pathlib.Path)
    parser.add_argument("record", type=pathlib.Path)
    given = parser.parse_args()
    keep(given.full, given.record.resolve())
