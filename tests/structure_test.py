#!/usr/bin/env python3
"""Checks the dependency rules of the folders: see ROOMS (from docs/architecture.md) and OUTSIDE.

structure_test.py             checks the #include lines and the libraries that app/CMakeLists.txt links
structure_test.py NM LIB...   also checks the symbols that the libraries libsatdof_ROOM.a take from each other
"""

import pathlib
import posixpath
import re
import subprocess
import sys
import unittest

NM, LIBRARIES = (sys.argv + [""])[1], sys.argv[2:]
ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".glsl", ".comp", ".vert", ".frag"}
FOLDERS = ["app", "cuda", "shaders", "library", "tests", "bench"]


def rooms() -> dict[str, set[str]]:
    """The folders of app/, each with the folders that docs/architecture.md lets it include."""
    found: dict[str, set[str]] = {}
    page = (ROOT / "docs/architecture.md").read_text()
    for name, others in re.findall(r"^\| `app/(\w+)` \|.*\|\s*([^|]*?)\s*\|$", page, re.MULTILINE):
        found[name] = (
            set(found) if others == "every folder above" else set(re.findall(r"`app/(\w+)`", others))
        )
    return found


ROOMS = rooms()
LOOSE = {"app/main.cpp", "app/CMakeLists.txt"}

# (files, included, why): where `files` matches the including file, `included` must not match the included one.
FORBIDDEN = [
    (
        r"app/(?!device/cuda/|lens/run/cuda_graph\.|(lens|scene|filter|lab|trace)/(\w+/)*cuda\.cpp$|trace/(recorder|what_if)\.)",
        r"cuda/(?!\w+/variants\.h$)",
        "only devices, cuda_graph and files named cuda.cpp include from cuda/",
    ),
    (
        r"app/(?!device/cuda/|lens/run/cuda_graph\.|(lens|scene|filter|lab|trace)/(\w+/)*cuda\.cpp$|core/)",
        r"cuda/\w+/variants\.h$",
        "core/settings.h gives the names of variants to all",
    ),
    (
        r"tests/(?!cuda/|emulator/|faults/cuda/)",
        r"cuda/",
        "tests of CUDA code are in folders named cuda, which a build without CUDA leaves out",
    ),
    (r"(cuda|shaders)/", r"app/", "cuda/ and shaders/ do not depend on the app"),
    (r"shaders/", r"cuda/", "shaders/ depends on nothing but itself"),
    (
        r"(app|cuda|shaders)/",
        r"(library|tests|bench)/",
        "the program does not depend on library, tests or benchmarks",
    ),
    (r"library/(?!src/cuda/)", r"cuda/", "only library/src/cuda needs CUDA"),
    (
        r"library/",
        r"(tests|bench)/|cuda/nbody/|app/(?!core/|device/cpu/|filter/|io/light\.h|lens/(?!.*(gl|cuda|reference|/cpu)\.h)|scene/image/depth_map\.h)",
        "the library needs no OpenGL",
    ),
]

# Symbols that a room takes from a room above it: the names of scenes, and of solvers and initial states of bodies, come
# from their registries.
UPWARD = {
    ("core", "_ZN6satdof7entriesENS_9SceneKindE"),
    ("core", "_ZN6satdof7entriesENS_10BodySolverE"),
    ("core", "_ZN6satdof7entriesENS_12InitialStateE"),
}

# Headers of libraries, and the only files that may include them.
OUTSIDE = {
    r"imgui.*": r"(app|tests)/ui/",
    r"glad/.*": r"app/gl/gl\.h|cuda/runtime/interop\.cu",
    r"GLFW/.*": r"(app/(run|ui)|tests/ui)/",
    r"EGL/.*": r"app/run/system/headless_context_linux\.cpp",
    r"xcb/.*": r"app/run/window/files/clipboard_owner_linux\.cpp",
    r"dbus/.*": r"app/run/system/portal_dialog_linux\.cpp",
    r"FLIP\.h": r"app/quality/flip\.cpp",
    r"CLI/.*": r"app/run/command_line/command_line\.cpp",
    r"(cuda_|cuda/|cub/|cooperative_groups).*": r"cuda/|tests/(faults/)?cuda/|bench/cuda_|app/device/cuda/|library/(src/cuda|example)/",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
LAYER = re.compile(r"satdof_layer\(\s*(\w+)([^)]*)\)")


def includes(files: dict[str, str]) -> list[tuple[str, str, bool]]:
    """(including file, included file, the included file is one of ours) of every #include line."""
    found = []
    for file, text in files.items():
        for quote, name in INCLUDE.findall(text):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
            ours = quote == '"' and name not in files and beside in files
            found.append((file, beside if ours else name, ours or name in files))
    return found


def room_of(file: str) -> str:
    """app/lens/box/box.h is in the room app/lens; app/main.cpp is in app."""
    return "/".join(file.split("/")[:2]) if file.count("/") > 1 else file.split("/")[0]


def cycle(edges: set[tuple[str, str]]) -> list[str]:
    """The nodes of a cycle, the first one again at the end; empty without a cycle."""
    done: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str]:
        if node in path:
            return path[path.index(node) :] + [node]
        if node not in done:
            for start, end in sorted(edges):
                if start == node and (found := visit(end, [*path, node])):
                    return found
            done.add(node)
        return []

    for start, _ in sorted(edges):
        if found := visit(start, []):
            return found
    return []


def violations(files: dict[str, str]) -> list[str]:
    """One line for each broken rule; `files` gives the text of each path below the root."""
    broken = []
    for file in files:
        if file.startswith("app/") and room_of(file).removeprefix("app/") not in ROOMS and file not in LOOSE:
            broken.append(f"{file} is in none of the folders {', '.join(ROOMS)}")

    edges = set()
    for file, included, ours in includes(files):
        says = f"{file} includes {included}"
        if not ours:
            for header, allowed in OUTSIDE.items():
                if re.fullmatch(header, included) and not re.match(allowed, file):
                    broken.append(f"{says}: only {allowed} may")
            if re.match(rf"({'|'.join(FOLDERS)})/", included) and not included.startswith("cuda/"):
                broken.append(f"{says}: no such file")
            continue
        here, there = room_of(file), room_of(included)
        if here != there and here.split("/")[0] not in ("tests", "bench"):
            edges.add((here, there))
        if here.startswith("app/") and there.startswith("app/") and here != there:
            if there.removeprefix("app/") not in ROOMS.get(here.removeprefix("app/"), set()):
                broken.append(f"{says}: {here} must not depend on {there}")
        for files_in, forbidden, why in FORBIDDEN:
            if re.match(files_in, file) and re.match(forbidden, included):
                broken.append(f"{says}: {why}")
    if found := cycle(edges):
        broken.append("cycle between folders: " + " -> ".join(found))
    return broken


def unlinked(cmake: str) -> list[str]:
    """Rooms that may include from a room whose library they do not link; `cmake` is the text of app/CMakeLists.txt."""
    links = {name: re.findall(r"satdof_(\w+)", libraries) for name, libraries in LAYER.findall(cmake)}

    def reached(name: str) -> set[str]:
        return {name}.union(*(reached(other) for other in links.get(name, [])))

    broken = [f"{room} has no satdof_layer()" for room in ROOMS if room not in links]
    for room, allowed in ROOMS.items():
        if missing := allowed - reached(room):
            broken.append(f"satdof_{room} does not link {', '.join(sorted(missing))}")
    return broken


def upward_symbols(symbols: dict[str, str]) -> list[str]:
    """One line for each symbol that a room uses and a room above defines; `symbols` gives the output of nm -P by room."""
    found = {room: [line.split()[:2] for line in text.splitlines()] for room, text in symbols.items()}
    defined = {
        room: {line[0] for line in lines if line[1:] in (["T"], ["D"], ["B"], ["R"])}
        for room, lines in found.items()
    }
    broken = []
    for room, lines in found.items():
        used = {line[0] for line in lines if line[1:] == ["U"]} - defined[room]
        for other in sorted(set(found) - {room, *ROOMS[room]}):
            for symbol in sorted(used & defined[other]):
                if (room, symbol) not in UPWARD:
                    broken.append(f"satdof_{room} uses {symbol} of satdof_{other}")
    return broken


def sources() -> dict[str, str]:
    """All sources; of app/, every file, so that a misplaced one is found."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text() if path.suffix in SUFFIXES else ""
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and (folder == "app" or path.suffix in SUFFIXES)
    }


class Structure(unittest.TestCase):
    maxDiff = None

    def test_sources_keep_the_rules(self):
        files = sources()
        self.assertGreater(len([found for found in includes(files) if found[2]]), 300)
        self.assertEqual([], violations(files))

    def test_every_room_exists_and_the_table_has_no_cycle(self):
        self.assertEqual(
            set(ROOMS), {path.name for path in (ROOT / "app").iterdir() if path.is_dir()} - {"__pycache__"}
        )
        self.assertEqual([], cycle({(room, other) for room, allowed in ROOMS.items() for other in allowed}))

    def test_libraries_follow_the_table(self):
        self.assertEqual([], unlinked((ROOT / "app/CMakeLists.txt").read_text()))

    def test_symbols_of_the_libraries(self):
        if not LIBRARIES:
            self.skipTest("no libraries given")
        rooms = [pathlib.Path(library).stem.removeprefix("libsatdof_") for library in LIBRARIES]
        self.assertEqual(set(ROOMS), set(rooms))
        symbols = {
            room: subprocess.run([NM, "-P", library], check=True, capture_output=True, text=True).stdout
            for room, library in zip(rooms, LIBRARIES)
        }
        self.assertGreater(sum(text.count(" U ") for text in symbols.values()), 100)
        self.assertEqual([], upward_symbols(symbols))


class Checker(unittest.TestCase):
    """The checker itself, on small trees."""

    def broken(self, file: str, included: str, quotes: str = '""') -> list[str]:
        files = {included: ""} if quotes == '""' else {}
        return violations({**files, file: f"#pragma once\n#include {quotes[0]}{included}{quotes[1]}\n"})

    def test_allowed(self):
        for file, included in (
            ("app/main.cpp", "app/run/window/window.h"),
            ("app/render/renderer.cpp", "app/views/views.h"),
            ("app/scene/targets.h", "app/device/scene_frame.h"),
            ("app/scene/bodies/cuda.cpp", "cuda/runtime/work.h"),
            ("app/device/cuda/cuda_pass.h", "cuda/runtime/work.h"),
            ("app/lens/box/cuda.cpp", "cuda/lens/gather.h"),
            ("app/filter/cuda.cpp", "cuda/convolve/convolve.h"),
            ("app/core/settings.h", "cuda/scan/variants.h"),
            ("cuda/lens/bokeh.h", "shaders/bokeh/bokeh.h"),
            ("library/src/cuda/sums.cu", "cuda/scan/lookback.cuh"),
        ):
            self.assertEqual([], self.broken(file, included), file)
        self.assertEqual([], self.broken("app/ui/ui.cpp", "imgui.h", "<>"))
        self.assertEqual([], self.broken("cuda/runtime/interop.cu", "glad/gl.h", "<>"))
        self.assertEqual([], self.broken("app/core/settings.h", "vector", "<>"))

    def test_upward_includes(self):
        for file, included in (
            ("app/core/settings.cpp", "app/gl/gl.h"),
            ("app/gl/program.cpp", "app/scene/scene.h"),
            ("app/device/device.cpp", "app/lens/lens.h"),
            ("app/device/device.cpp", "app/scene/scene.h"),
            ("app/lens/registry.cpp", "app/views/views.h"),
            ("app/quality/comparison.h", "app/render/renderer.h"),
            ("app/ui/ui.cpp", "app/run/window/window.h"),
            ("app/render/renderer.cpp", "cuda/runtime/work.h"),
            ("app/render/renderer.cpp", "cuda/scan/variants.h"),
            ("app/lens/box/box.cpp", "cuda/lens/gather.h"),
            ("cuda/scan/scan.h", "app/core/settings.h"),
            ("shaders/sat/box_sum.h", "app/core/settings.h"),
            ("shaders/sat/box_sum.h", "cuda/scan/scan.h"),
            ("tests/lens/box_test.cpp", "cuda/lens/gather.h"),
            ("app/run/window/window.cpp", "tests/support/gl_fixture.h"),
            ("app/filter/filter.cpp", "library/src/pool.h"),
            ("library/src/scan.cpp", "cuda/scan/scan.h"),
            ("library/src/scan.cpp", "app/gl/gl.h"),
        ):
            self.assertEqual(1, len(self.broken(file, included)), f"{file} includes {included}")

    def test_libraries(self):
        for file, included in (
            ("app/run/window/window.cpp", "imgui.h"),
            ("app/ui/ui.cpp", "glad/gl.h"),
            ("app/quality/metrics.cpp", "FLIP.h"),
            ("app/render/renderer.cpp", "cuda_runtime_api.h"),
        ):
            self.assertEqual(1, len(self.broken(file, included, "<>")), f"{file} includes {included}")

    def test_missing_files(self):
        self.assertEqual(1, len(violations({"app/run/a.cpp": '#include "app/run/missing.h"\n'})))

    def test_misplaced_files(self):
        self.assertEqual(1, len(violations({"app/loose.cpp": ""})))
        self.assertEqual(1, len(violations({"app/unknown/file.cpp": ""})))

    def test_cycles(self):
        back = {
            "cuda/scan/a.h": '#include "cuda/sat/b.h"\n',
            "cuda/sat/b.h": '#include "cuda/runtime/c.h"\n',
            "cuda/runtime/c.h": '#  include "../scan/a.h"\n',
        }
        self.assertEqual(
            ["cycle between folders: cuda/runtime -> cuda/scan -> cuda/sat -> cuda/runtime"], violations(back)
        )

    def test_links(self):
        self.assertIn("satdof_gl does not link core", unlinked("satdof_layer(gl PUBLIC glad)"))
        self.assertIn("core has no satdof_layer()", unlinked(""))

    def test_symbols(self):
        gl, lens = "draw T 0 0\nread U \n", "draw U \nplan T 0 0\nshared W 0 0\n"
        self.assertEqual([], upward_symbols({"gl": gl, "lens": lens}))
        self.assertEqual(
            ["satdof_gl uses plan of satdof_lens"],
            upward_symbols({"gl": gl + "plan U \nshared U \n", "lens": lens}),
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
