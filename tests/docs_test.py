#!/usr/bin/env python3
"""Checks that the numbers in the documentation follow from the data in docs/bench.

    python3 tests/docs_test.py            # check
    python3 tests/docs_test.py --update   # rewrite the numbers of tables from the data
    python3 tests/docs_test.py --keep FULL.json docs/bench/h100.json   # the rows and fields that the pages show

A table of numbers stands below a comment that names its data:

    <!-- data: bench/h100.json table/{row}/uint32/{column}/warm@real_time; @ratioToLimit
    copy limit = table/fused/uint32/{column}/warm@limitUs -->

The first line names a file, relative to the page, and one term for each number of a cell. A further line gives the
terms of the row, else of the column, with that label. A term is [min:|max:][FILE:]NAME@FIELD[*FACTOR]: {row} and
{column} stand for the labels of the cell, an empty NAME for the one before, and with min: or max: NAME is a pattern.
A number is right if the data, rounded to the digits shown, give it. An empty cell must have no data.
"""

import dataclasses
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys
import unittest
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(DOCS.glob("*.md")),
]

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)")
CODE = re.compile(r"`[^`]*`")
DATA = re.compile(r"<!--\s*data:\s*(.*?)\s*-->", re.DOTALL)
# Above a table whose numbers are names, sizes, limits or counts of runs, or whose raw output was not kept.
NO_DATA = ("<!-- no measurements -->", "<!-- raw output not kept -->")
TERM = re.compile(r"(?:(min|max):)?(?:([^\s:]+\.json):)?([^@]*)@([^*]+)(?:\*([\d.]+))?")
COUNT = re.compile(r"(\d+) ?([KM])")

Records = dict[str, dict[str, Any]]


@functools.cache
def records(file: pathlib.Path) -> Records:
    """The rows of a data file, or of the JSON of satdof_bench, by name."""
    document = json.loads(file.read_text())
    rows = document.get("benchmarks", document.get("rows"))
    return {row["name"].split("/iterations:")[0]: row for row in rows}


@dataclasses.dataclass
class Table:
    page: pathlib.Path
    line: int  # of the header, from 0
    data: str | None  # what the comment above it says
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
        # Only a comment with nothing but blank lines below it belongs to the table.
        if lines[i].strip():
            above = above + "\n" + lines[i] if "<!--" in above and "-->" not in above else lines[i]
        i += 1
    return found


def key(label: str) -> str:
    """{row} or {column} for a label: 512 x 512 is 512x512, 1 K is 1024, `cub`, cold is cub."""
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
        """The number in the data; None where there is none."""
        rows = records(self.file)
        names = fnmatch.filter(rows, self.name) if self.aggregate else [self.name]
        values = [rows[name].get(self.field) for name in names if name in rows]
        numbers = [float(value) * self.factor for value in values if value is not None]
        if not numbers:
            return None
        return min(numbers) if self.aggregate == "min" else max(numbers)


class Data:
    """What the comment above a table says."""

    def __init__(self, page: pathlib.Path, text: str) -> None:
        first, *others = [line.strip() for line in text.split("\n")]
        self.folder = page.parent
        file, _, self.terms = first.partition(" ")
        self.file = self.folder / file
        self.by_label = dict(line.split(" = ", 1) for line in others)

    def terms_of(self, row: str, column: str) -> list[Term]:
        text = self.by_label.get(row, self.by_label.get(column, self.terms))
        found: list[Term] = []
        for part in filter(None, (part.strip() for part in text.split(";"))):
            match = TERM.fullmatch(part)
            if not match:
                raise ValueError(f'cannot read the term "{part}"')
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


def rounded(value: float, like: str) -> str:
    """The value with as many digits after the point as `like` shows."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def follows(shown: str, value: float) -> bool:
    return abs(float(shown) - value) <= 0.5 * 10.0 ** -len(shown.partition(".")[2]) * (1 + 1e-9)


def problems(table: Table) -> list[str]:
    """The wrong, missing and unnamed numbers of a table."""
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
    """Rewrites the numbers of the table's lines from the data, where they have as many."""
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


# Options of scripts that pages quote without the name of the script.
SCRIPT_OPTIONS = {"--build", "--flip", "--json", "--patience", "--preset", "--target"}  # of scripts and CMake
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")


def options_of_satdof() -> set[str]:
    fields = (ROOT / "app/core/fields.h").read_text()
    line = (ROOT / "app/run/command_line.cpp").read_text()
    flags = re.findall(r'Field\{Look::\w+,\s*"[^"]*",\s*"([\w-]+)"', fields)
    found = set(re.findall(r'"(?:-h,)?(--[a-z-]+[a-z])"', line))
    return found | {f"--{prefix}{flag}" for flag in flags for prefix in ("", "no-", "split-", "no-split-")}


def commands_of(text: str) -> list[str]:
    """Command lines of satdof, and options in code."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = "\n".join(blocks).replace("\\\n", " ").split("\n")
    commands = [line.partition(" #")[0] for line in lines if re.match(r"(\S* )*satdof ", line)]
    spans = [
        words(span) for span in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    ]
    return commands + [span for span in spans if span.startswith(("satdof ", "--"))]


def words(text: str) -> str:
    return " ".join(text.split())


class Documentation(unittest.TestCase):
    def test_numbers_in_tables_follow_from_the_data(self) -> None:
        tables = [t for page in PAGES for t in tables_of(page, page.read_text())]
        self.assertGreater(len(tables), 12)
        found = [problem for table in tables if table.holds_numbers() for problem in problems(table)]
        self.assertTrue(not found, "\n" + "\n".join(found))

    def test_data_files_say_where_they_come_from(self) -> None:
        for file in sorted((DOCS / "bench").glob("*.json")):
            document = json.loads(file.read_text())
            rows = document.get("rows")
            wanted = ("commit",) if rows is None else ("gpu", "driver", "commit", "command", "origin")
            with self.subTest(file.name):
                for field in wanted:
                    self.assertTrue(document["context"].get(field), field)
                if rows is not None:
                    self.assertEqual(len(rows), len({row["name"] for row in rows}), "two rows share a name")

    def test_options_exist(self) -> None:
        known = options_of_satdof() | SCRIPT_OPTIONS
        pages = [
            page for page in PAGES if page.name != "CHANGELOG.md"
        ]  # it names the options of its versions
        commands = [command for page in pages for command in commands_of(page.read_text())]
        self.assertGreater(len(commands), 60)
        for command in commands:
            with self.subTest(command):
                self.assertFalse(set(OPTION.findall(command)) - known)

    def test_links_and_paths_exist(self) -> None:
        for page in PAGES:
            text = page.read_text()
            links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
            paths = re.findall(r"`((?:app|bench|cmake|cuda|docs|scripts|shaders|tests)/[\w./-]+)`", text)
            missing = [p for p in links if not (page.parent / p).exists()] + [
                p for p in paths if not (ROOT / p).exists()
            ]
            with self.subTest(page.name):
                self.assertFalse(missing)


class Checker(unittest.TestCase):
    """The checks find errors."""

    PAGE = """text
<!-- data: bench/h100.json table/{row}/uint32/{column}/warm@real_time; @ratioToLimit -->

| | 512 x 512 | 1920 x 1080 |
|---|---:|---:|
| `fused` | 7.2 (2.92) | 23.2 (1.30) |
"""

    def found(self, text: str) -> str:
        (table,) = tables_of(DOCS / "page.md", text)
        self.assertTrue(table.holds_numbers())
        return "\n".join(problems(table))

    def test_right_numbers(self) -> None:
        self.assertEqual(self.found(self.PAGE), "")

    def test_wrong_number(self) -> None:
        self.assertIn("7.5, but the data say 7.23", self.found(self.PAGE.replace("7.2", "7.5")))
        self.assertIn("1.20, but the data say 1.299", self.found(self.PAGE.replace("1.30", "1.20")))

    def test_stored_curves_agree_with_the_recorded_runs(self) -> None:
        check = [sys.executable, str(ROOT / "scripts/lab_stored.py"), "--check"]
        self.assertEqual(subprocess.run(check, capture_output=True, text=True).stderr, "")

    def test_no_measurements(self) -> None:
        self.assertEqual(
            tables_of(DOCS / "page.md", "<!-- no measurements -->\n\n| a | b |\n|---|---|\n| c | 7 |\n"), []
        )

    def test_no_comment(self) -> None:
        self.assertIn("without a comment", self.found(self.PAGE.replace("data:", "")))
        self.assertIn("without a comment", self.found(self.PAGE.replace("-->", "-->\n\nother text")))

    def test_no_data(self) -> None:
        self.assertIn("7.2 has no data", self.found(self.PAGE.replace("`fused`", "`other`")))

    def test_commands(self) -> None:
        page = "`--image`\n```\nsatdof --frames 2 \\\n  --wrong 3  # --not\ncmake --build\n```\n`satdof\n--list`, `x --y`"
        self.assertEqual(
            [OPTION.findall(command) for command in commands_of(page)],
            [["--frames", "--wrong"], ["--image"], ["--list"]],
        )
        self.assertIn("--no-bokeh", options_of_satdof())
        self.assertNotIn("--wrong", options_of_satdof())

    def test_left_out(self) -> None:
        self.assertIn("empty, but", self.found(self.PAGE.replace("7.2 (2.92)", "")))
        self.assertIn("1 numbers for 2 terms", self.found(self.PAGE.replace(" (2.92)", "")))


def keep(full: pathlib.Path, small: pathlib.Path) -> None:
    """Writes to `small`, a data file of pages, the rows and fields of `full` that their tables show."""
    tables = [t for page in PAGES for t in tables_of(page, page.read_text()) if t.holds_numbers() and t.data]
    terms = [
        term
        for table in tables
        for row in table.rows
        for column in table.head[1:]
        for term in Data(table.page, table.data or "").terms_of(row[0], column)
        if term.file.resolve() == small.resolve()
    ]
    rows = records(full)
    shown = {name for t in terms for name in (fnmatch.filter(rows, t.name) if t.aggregate else [t.name])}
    fields = {"name", "real_time", "scatter", "samples", *(t.field for t in terms)}
    document = json.loads(full.read_text())
    context = json.dumps(document["context"])
    kind = "benchmarks" if "benchmarks" in document else "rows"
    body = ",\n".join(
        "  " + json.dumps({k: v for k, v in {**row, "name": name}.items() if k in fields})
        for name, row in rows.items()
        if name in shown
    )
    small.write_text(f'{{\n "context": {context},\n "{kind}": [\n{body}\n ]\n}}\n')


def update() -> None:
    for page in PAGES:
        lines = page.read_text().split("\n")
        for table in tables_of(page, "\n".join(lines)):
            if table.holds_numbers() and table.data:
                updated(table, lines)
        page.write_text("\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    elif sys.argv[1:2] == ["--keep"]:
        keep(*map(pathlib.Path, sys.argv[2:]))
    else:
        unittest.main()
