#!/usr/bin/env python3
"""Checks docs/adding.md, and the table of folders in docs/architecture.md.

    python3 tests/adding_test.py

An entry of a registry, such as DeviceId::cpu, is named only in the files of REGISTRIES and EXCEPTIONS.
A table that docs/adding.md names is in the file that the page names.
The folders in docs/architecture.md have the dependencies that tests/structure_test.py checks.
"""

import functools
import pathlib
import re
import unittest
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".glsl", ".vert", ".frag", ".comp"}
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
NO_ENTRIES = {"automatic"}

# Where the entries of an enumeration are named: where it is defined, and the only other files, its tables.
REGISTRIES = {
    "Scan": ("cuda/scan/variants.h", {"cuda/scan/variants.h", "cuda/scan/scan.cu"}),
    "Compaction": ("cuda/compact/variants.h", {"cuda/compact/variants.h", "cuda/compact/compactor.cu"}),
    "Sort": ("cuda/sort/variants.h", {"cuda/sort/variants.h", "cuda/sort/sorter.cu"}),
    "Traversal": ("cuda/nbody/variants.h", {"cuda/nbody/variants.h", "cuda/nbody/tree.cu"}),
    "Convolve": (
        "cuda/convolve/variants.h",
        {"cuda/convolve/variants.h", "cuda/convolve/pass.cuh", "app/filter/filter.cpp"},
    ),
    "FilterVariant": ("app/core/settings.h", {"app/core/settings.cpp", "app/filter/filter.cpp"}),
    "LensKind": ("app/core/settings.h", {"app/core/settings.cpp", "app/lens/registry.cpp"}),
    "SceneKind": ("app/core/settings.h", {"app/scene/registry.cpp"}),
    "BodySolver": ("app/core/settings.h", {"app/scene/bodies/solver.cpp"}),
    "InitialState": ("app/core/settings.h", {"app/scene/bodies/initial.cpp"}),
    "View": ("app/core/settings.h", {"app/core/settings.cpp", "app/views/views.cpp"}),
    "DeviceId": ("app/core/settings.h", {"app/core/settings.cpp", "app/device/device.cpp"}),
}
# Entries that other files name, too.
EXCEPTIONS = [
    # Builds whole tables in place of scanning rows, so kVariants has no row.
    (["Scan::fused"], ["cuda/sat/table_builder.cu", "app/lab/scan.cpp", "app/trace/trace.cpp"]),
    # The scan of the stages that the chapter lists.
    (["Scan::blellochVectorized"], ["app/lab/cuda.cpp"]),
    # Data of presets.
    (
        ["LensKind::gems", "Scan::blelloch", "SceneKind::bodies", "View::coc", "View::tableError"],
        ["app/ui/presets.cpp"],
    ),
    # Data: sliders that only this lens reads.
    (["LensKind::gems", "LensKind::layered", "LensKind::reference"], ["app/ui/panels/lens_panel.cpp"]),
    # The lens that others are compared with.
    (["LensKind::reference"], ["app/quality/comparison.cpp"]),
    # The two views of the key P.
    (["View::final", "View::peaking"], ["app/ui/keys.cpp"]),
    # The images that a comparison asks for.
    (["View::final", "View::difference"], ["app/quality/comparison.cpp"]),
    # showsB(): the difference needs technique B.
    (["View::difference"], ["app/core/settings.h"]),
    # The title of a side names other views.
    (["View::final"], ["app/ui/image/overlay.cpp"]),
    # The scene without blur: while O is held, and in the navigator.
    (["View::sharp"], ["app/run/small_settings.cpp", "app/run/window/window_image.cpp"]),
    # A technique without layers, whose table and lens the view leaves out.
    (["LensKind::box", "DeviceId::glCompute"], ["app/run/small_settings.cpp"]),
    # Memory of a second table.
    (["View::tableError"], ["app/run/limits.cpp"]),
]

Sources = dict[str, str]  # path from the root, text without comments


def without_comments(text: str) -> str:
    return COMMENT.sub(lambda match: match[1] or " ", text)


@functools.cache
def sources() -> Sources:
    files = (
        file
        for top in ("app", "cuda", "shaders")
        for file in (ROOT / top).rglob("*")
        if file.suffix in SUFFIXES
    )
    return {file.relative_to(ROOT).as_posix(): without_comments(file.read_text()) for file in sorted(files)}


def table(page: str, head: str) -> list[list[str]]:
    """The cells of the table of docs/`page` whose first column has this title."""
    rows: list[list[str]] = []
    for line in (ROOT / "docs" / page).read_text().split("\n"):
        if line.startswith(f"| {head} |") or (rows and line.startswith("|")):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    if len(rows) < 3:
        raise ValueError(f'docs/{page} has no table that begins with "{head}"')
    return rows[2:]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


class Registry(NamedTuple):
    enumeration: str
    defined: str
    places: set[str]


def exceptions() -> set[tuple[str, str]]:
    """(entry, file) for each exception."""
    return {(entry, file) for entries, files in EXCEPTIONS for entry in entries for file in files}


def entries(registry: Registry, texts: Sources) -> list[str]:
    body = re.search(rf"enum class {registry.enumeration}\s*{{([^}}]*)}}", texts[registry.defined])
    if not body:
        raise ValueError(f"{registry.defined} does not define {registry.enumeration}")
    return [entry for entry in re.findall(r"\w+", body[1]) if entry not in NO_ENTRIES]


def files_that_name(enumeration: str, entry: str, texts: Sources) -> set[str]:
    """The files that name the entry, except defaults in headers."""
    name = rf"\b{enumeration}\s*::\s*{entry}\b"
    pattern, in_header = re.compile(name), re.compile(rf"(?<![^=!<>]=\s){name}")
    return {
        file
        for file, text in texts.items()
        if entry in text and (in_header if file.endswith(".h") else pattern).search(text)
    }


def misplaced(texts: Sources) -> list[str]:
    """One line for each disagreement with REGISTRIES and EXCEPTIONS."""
    found, allowed, used = [], exceptions(), set()
    for registry in (Registry(name, *row) for name, row in REGISTRIES.items()):
        for entry in entries(registry, texts):
            name = f"{registry.enumeration}::{entry}"
            files = files_that_name(registry.enumeration, entry, texts)
            if not files & registry.places:
                found.append(f"{name} has no row in {' or '.join(sorted(registry.places))}")
            for file in sorted(files - registry.places):
                if (name, file) in allowed:
                    used.add((name, file))
                else:
                    found.append(f"{file} names {name}: ask its row instead")
    return found + [
        f"{file} does not name {name}: remove the exception" for name, file in sorted(allowed - used)
    ]


def quoted_comparisons(texts: Sources) -> list[str]:
    """Comparisons with a text that is the name of a device, a lens, a view or a scene."""
    rows = re.compile(r'(?:^ *|SceneRow)\{\s*\w+::\w+,\s*"([^"]+)"', re.MULTILINE)
    names = "|".join(map(re.escape, sorted({name for text in texts.values() for name in rows.findall(text)})))
    pattern = re.compile(rf'[=!]=\s*"(?:{names})"|"(?:{names})"\s*[=!]=')
    return [f"{file}: {match[0]}" for file, text in texts.items() for match in pattern.finditer(text)]


def spelled(text: str) -> str:
    """A spelling that is the same for myScan, MyScan, my_scan and my-scan."""
    return re.sub("[_-]", "", text.lower())


def costs(texts: Sources) -> list[str]:
    """One line for each row of docs/adding.md whose number is not that of the files that name its example."""
    spelt = {file: spelled(f"{file} {text}") for file, text in texts.items()}
    wrong = []
    for row, _, number, example in table("adding.md", "addition"):
        if number:
            (name,) = code(example)
            files = [file for file, text in spelt.items() if spelled(name) in text]
            if len(files) != int(number):
                wrong.append(f"{row}: {number}, but {len(files)} files name {name}: {', '.join(files)}")
    return wrong


def missing_tables(page: str, texts: Sources) -> list[str]:
    """One line for each table of the page, such as "in kScans" or "`kBlur` of `FILE`", that its file lacks."""
    named = re.findall(r"`(k[A-Z]\w+)`\s+(?:in|of)\s+`([^`]+)`", page)
    file = ""
    for line in page.split("\n"):
        if found := re.match(r"(?:new )? {2,}((?:\w+/)+[\w.]+)", line):
            file = found[1]
        named += [(name, file) for name in re.findall(r"\bin (k[A-Z]\w+)", line) if "Mine" not in name]
    return [
        f"{file} has no {name}" for name, file in named if not re.search(rf"\b{name}\b", texts.get(file, ""))
    ]


def changed(texts: Sources, file: str, line: str) -> Sources:
    return {**texts, file: f"{texts[file]}\n{line}\n"}


class Adding(unittest.TestCase):
    def test_entries_are_named_in_their_tables(self) -> None:
        found = misplaced(sources())
        self.assertTrue(not found, "\n" + "\n".join(found))

    def test_additions_cost_what_the_page_says(self) -> None:
        self.assertEqual(costs(sources()), [])

    def test_tables_of_the_page_exist(self) -> None:
        self.assertEqual(missing_tables((ROOT / "docs/adding.md").read_text(), sources()), [])

    def test_no_comparison_with_a_quoted_name(self) -> None:
        self.assertEqual(quoted_comparisons(sources()), [])


class Checker(unittest.TestCase):
    """The checks find errors."""

    def setUp(self) -> None:
        self.texts = sources()

    def test_entry_in_the_wrong_file(self) -> None:
        for line in ("if (technique.device == DeviceId::glFragment) return;", "case LensKind :: tent:"):
            new = set(misplaced(changed(self.texts, "app/render/side.cpp", line))) - set(
                misplaced(self.texts)
            )
            self.assertEqual(len(new), 1, line)

    def test_comment(self) -> None:
        text = without_comments('a; // DeviceId::cpu\nb("// DeviceId::cuda"); /* DeviceId::\ncpu */ c')
        self.assertEqual(text, 'a;  \nb("// DeviceId::cuda");   c')

    def test_default_in_a_header(self) -> None:
        for line, count in (("View v = View::near;", 0), ("if (v == View::near) return;", 1)):
            texts = changed(self.texts, "app/render/side.h", line)
            self.assertEqual(len(set(misplaced(texts)) - set(misplaced(self.texts))), count, line)

    def test_entry_without_a_row(self) -> None:
        texts = {
            **self.texts,
            "app/core/settings.h": self.texts["app/core/settings.h"].replace(
                "glFragment,", "glFragment, npu,"
            ),
        }
        self.assertIn(
            "DeviceId::npu has no row in app/core/settings.cpp or app/device/device.cpp", misplaced(texts)
        )

    def test_costs(self) -> None:
        texts = changed(self.texts, "app/render/side.cpp", "if (x) makeMergeTwoBuffersSorter();")
        (wrong,) = costs(texts)
        self.assertRegex(wrong, "^a compaction, a sort: 4, but 5 files name .*app/render/side.cpp")

    def test_missing_table(self) -> None:
        page = """
new   app/a.cpp       a function
      app/b.cpp       {a row},   in kHere
                      {a row},   in kGone, at the end
A row of `kHere` in `app/a.cpp` and of `kHere`
of `app/b.cpp`.
"""
        self.assertEqual(
            missing_tables(page, {"app/a.cpp": "", "app/b.cpp": "kHere = {};"}),
            ["app/a.cpp has no kHere", "app/b.cpp has no kGone"],
        )

    def test_quoted_name(self) -> None:
        texts = changed(
            self.texts,
            "app/run/window/window.cpp",
            'if (name(device) == std::string("x") || text == "gl-compute") {}',
        )
        self.assertEqual(quoted_comparisons(texts), ['app/run/window/window.cpp: == "gl-compute"'])


if __name__ == "__main__":
    unittest.main()
