#!/usr/bin/env python3
"""Checks that the numbers in the documentation follow from the records in docs/bench, and that links, paths and options exist."""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from tools import records  # noqa: E402
from tools.tables import DOCS, PAGES, problems, sentence_problems, tables_of, unmarked  # noqa: E402

# Options of scripts and of CMake that pages quote without the name of the script.
SCRIPT_OPTIONS = {
    "--build",
    "--count",
    "--cuda",
    "--flip",
    "--json",
    "--kind",
    "--patience",
    "--preset",
    "--target",
}
VERB = re.compile(r"scripts/(bench|fuzz|make|quality|soak)\s+([a-z][\w-]*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")


def options_of_satdof() -> set[str]:
    fields = (ROOT / "app/core/fields.h").read_text()
    line = (ROOT / "app/run/command_line/command_line.cpp").read_text()
    flags = re.findall(r'^ *(?:FIELD|UNKEYED)\([\w.]+, \w+, \w+,\s*"([\w-]+)"', fields, re.MULTILINE)
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

    def test_numbers_in_sentences_follow_from_the_records(self) -> None:
        found = [problem for page in PAGES for problem in sentence_problems(page, page.read_text())]
        self.assertEqual([], found)

    def test_measurements_in_sentences_name_their_records(self) -> None:
        for page in (ROOT / "README.md", DOCS / "performance.md"):
            self.assertEqual([], unmarked(page.read_text()), page.name)

    def test_records_say_where_they_come_from(self) -> None:
        for file in sorted((DOCS / "bench").glob("*.json")):
            context, _ = records.read(file)
            with self.subTest(file.name):
                for fields in (("commit",), ("gpu", "cpu"), ("date", "origin")):
                    self.assertTrue(any(context.get(field) for field in fields), fields)

    def test_times_on_the_h100_come_from_one_build(self) -> None:
        """A build that changed some kernels may have measured their rows again: its commit follows a semicolon."""
        builds = {
            records.read(DOCS / f"bench/{name}.json")[0]["commit"].split(";")[0]
            for name in ("h100", "lab-h100")
        }
        self.assertEqual(1, len(builds), builds)

    def test_rows_have_names_of_their_own(self) -> None:
        for file in sorted((DOCS / "bench").glob("*.json")):
            rows = json.loads(file.read_text())["rows"]
            self.assertEqual(len(rows), len({row["name"] for row in rows}), file.name)

    def test_figures_and_records_are_used(self) -> None:
        pages = " ".join(page.read_text() for page in PAGES)
        for file in [*DOCS.glob("*.jpg"), *DOCS.glob("*.svg"), *(DOCS / "bench").iterdir()]:
            self.assertIn(file.name, pages)

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

    def test_verbs_exist(self) -> None:
        named = [found for page in PAGES for found in VERB.findall(page.read_text())]
        self.assertGreater(len(named), 20)
        for tool, verb in named:
            with self.subTest(f"scripts/{tool} {verb}"):
                self.assertIn(f'        "{verb}": (', (ROOT / "scripts" / tool).read_text())

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
<!-- numbers: bench/gpu-gems-3.json {column}@totalMs; @scansMs
`tenth` = {column}@totalMs*0.1; @scansMs -->

| | 512 x 512 | 1024 x 1024 |
|---|---:|---:|
| `all` | 1.6 (0.97) | 3.5 (1.7) |
"""

    def found(self, text: str) -> str:
        (table,) = tables_of(DOCS / "page.md", text)
        self.assertTrue(table.holds_numbers())
        return "\n".join(problems(table))

    def test_right_numbers(self) -> None:
        self.assertEqual(self.found(self.PAGE), "")

    def test_wrong_number(self) -> None:
        self.assertIn("1.7, but the data say 1.64", self.found(self.PAGE.replace("1.6 ", "1.7 ")))
        self.assertIn("0.96, but the data say 0.97", self.found(self.PAGE.replace("0.97", "0.96")))
        self.assertIn("1.6, but the data say 0.164", self.found(self.PAGE.replace("| `all`", "| `tenth`")))

    def test_sentences(self) -> None:
        page = """<!-- numbers: bench/gpu-gems-3.json
least = min:*@totalMs
more = 1024x1024@totalMs - 512x512@totalMs -->
It takes 1.6<!--least--> ms, 1.86<!--more--> ms more than `4 us`; goal: 9<!--goal--> us.
"""
        self.assertEqual([], sentence_problems(DOCS / "page.md", page))
        self.assertEqual([], unmarked(page))
        for right, wrong, problem in (
            ("1.6<", "1.7<", "page.md: 1.7, but the record of least says 1.64"),
            ("<!--more-->", "<!--less-->", "page.md: no number names more"),
            ("1.86", "1.87", "page.md: 1.87, but the record of more says 1.86"),
        ):
            self.assertIn(problem, sentence_problems(DOCS / "page.md", page.replace(right, wrong)))
        self.assertEqual(["9 us"], unmarked(page.replace("<!--goal-->", "")))

    def test_stored_curves_agree_with_the_recorded_runs(self) -> None:
        check = [sys.executable, str(ROOT / "scripts/make"), "lab-curves", "--check"]
        self.assertEqual(subprocess.run(check, capture_output=True, text=True).stderr, "")

    def test_no_measurements(self) -> None:
        self.assertEqual(
            tables_of(DOCS / "page.md", "<!-- no measurements -->\n\n| a | b |\n|---|---|\n| c | 7 |\n"), []
        )

    def test_no_comment(self) -> None:
        self.assertIn("without a comment", self.found(self.PAGE.replace("numbers:", "")))
        self.assertIn("without a comment", self.found(self.PAGE.replace("-->", "-->\n\nother text")))

    def test_no_data(self) -> None:
        self.assertIn("1.6 has no data", self.found(self.PAGE.replace("512 x 512", "513 x 513")))

    def test_commands(self) -> None:
        page = "`--image`\n```\nsatdof --frames 2 \\\n  --wrong 3  # --not\ncmake --build\n```\n`satdof\n--list`, `x --y`"
        self.assertEqual(
            [OPTION.findall(command) for command in commands_of(page)],
            [["--frames", "--wrong"], ["--image"], ["--list"]],
        )
        self.assertIn("--no-bokeh", options_of_satdof())
        self.assertNotIn("--wrong", options_of_satdof())

    def test_left_out(self) -> None:
        self.assertIn("empty, but", self.found(self.PAGE.replace("1.6 (0.97)", "")))
        self.assertIn("1 numbers for 2 terms", self.found(self.PAGE.replace(" (0.97)", "")))


if __name__ == "__main__":
    unittest.main()
