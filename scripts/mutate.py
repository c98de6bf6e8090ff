#!/usr/bin/env python3
"""Mutation testing of the mathematics on the processor: mutate.py BUILD_DIR [MUTANTS [SEED]].

Changes one operator or number at a time in FILES, compiles that file, links the processor tests with it and runs them. A
mutant that fails a test, crashes, hangs or does not compile is killed. Prints the survivors and the score. MUTANTS
chooses that many at random; without it, all are tried. BUILD_DIR needs the target satdof_processor_tests.
"""

import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = [
    "app/device/cpu/cpu_table.cpp",
    "app/device/cpu/scan.cpp",
    "app/device/cpu/compact.cpp",
    "app/device/cpu/sort.cpp",
    "app/filter/cpu_convolve.cpp",
    "app/lens/thin_lens.cpp",
    "app/lens/fixed_point.cpp",
    "app/lens/box/plan.cpp",
    "app/lens/tent/plan.cpp",
    "app/lens/layered/plan.cpp",
]
# (pattern, replacements): each match gives one mutant a replacement.
OPERATORS = [
    (r"(?<=\s)\+(?=\s)", ["-"]),
    (r"(?<=\s)-(?=\s)", ["+"]),
    (r"(?<=\s)\*(?=\s)", ["/"]),
    (r"(?<=\s)/(?=\s)", ["*"]),
    (r"(?<=\s)%(?=\s)", ["/"]),
    (r"(?<=\s)<(?=\s)", ["<=", ">"]),
    (r"(?<=\s)>(?=\s)", [">=", "<"]),
    (r"(?<=\s)<=(?=\s)", ["<"]),
    (r"(?<=\s)>=(?=\s)", [">"]),
    (r"(?<=\s)==(?=\s)", ["!="]),
    (r"(?<=\s)!=(?=\s)", ["=="]),
    (r"(?<=\s)&&(?=\s)", ["||"]),
    (r"(?<=\s)\|\|(?=\s)", ["&&"]),
    (r"(?<=\s)\+=(?=\s)", ["-=", "="]),
    (r"(?<=\s)-=(?=\s)", ["+="]),
    (r"(?<=\s)\*=(?=\s)", ["/="]),
    (r"\bstd::min\b", ["std::max"]),
    (r"\bstd::max\b", ["std::min"]),
    (r"(?<![\w.])0(?![\w.])", ["1"]),
    (r"(?<![\w.])1(?![\w.])", ["2", "0"]),
    (r"(?<![\w.])2(?![\w.])", ["3"]),
    (r"(?<![\w.])(\d+\.\d+)(f?)(?![\w.])", [r"(\1\2 + 0.25\2)"]),
]
LONGEST_S = 120


def mutants(path):
    """(line number, changed line) of every mutant, comments, includes and template arguments aside."""
    for number, line in enumerate((ROOT / path).read_text().splitlines()):
        code = line.split("//")[0]
        if not code.strip() or code.lstrip().startswith(("#", "template", "static_assert", "case ")):
            continue
        for pattern, replacements in OPERATORS:
            for match in re.finditer(pattern, code):
                for replacement in replacements:
                    yield number, code[: match.start()] + match.expand(replacement) + code[match.end() :]


def link_command(build, target):
    commands = subprocess.run(
        ["ninja", "-t", "commands", target], cwd=build, capture_output=True, text=True, check=True
    )
    return commands.stdout.splitlines()[-1]


class Tester:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        database = json.loads((build / "compile_commands.json").read_text())
        self.compile = {os.path.relpath(e["file"], ROOT): shlex.split(e["command"]) for e in database}
        self.link = link_command(build, "satdof_processor_tests")

    def survives(self, path, number, changed):
        lines = (ROOT / path).read_text().splitlines()
        lines[number] = changed
        source = self.folder / "mutant.cpp"
        source.write_text("\n".join(lines) + "\n")
        command = [word for word in self.compile[path] if "ccache" not in word and word != "-Werror"]
        at = command.index("-o")
        original = command[at + 1]
        command[at + 1] = str(self.folder / "mutant.o")
        command = [str(source) if word.endswith(path) else word for word in command] + ["-O1", "-w"]
        if subprocess.run(command, cwd=self.build, capture_output=True).returncode != 0:
            return None
        # The mutant stands before the libraries, so the linker takes nothing from the original.
        program = self.folder / "tests"
        words = self.link.replace("-o bin/satdof_processor_tests", f"-o {program} {self.folder / 'mutant.o'}")
        assert str(program) in words, (words, original)
        subprocess.run(words, shell=True, cwd=self.build, capture_output=True, check=True)
        try:
            return (
                subprocess.run(
                    [program, "--gtest_brief=1"], capture_output=True, timeout=LONGEST_S
                ).returncode
                == 0
            )
        except subprocess.TimeoutExpired:
            return False


def main(build, count=None, seed=1):
    build = pathlib.Path(build).resolve()
    chosen = [(path, *mutant) for path in FILES for mutant in mutants(path)]
    total = len(chosen)
    if count is not None and count < total:
        chosen = sorted(random.Random(seed).sample(chosen, count))
    killed = invalid = 0
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(build, pathlib.Path(folder))
        for path, number, changed in chosen:
            survives = tester.survives(path, number, changed)
            invalid += survives is None
            killed += survives is False
            if survives:
                print(f"survives: {path}:{number + 1}: {changed.strip()}", flush=True)
    tried = len(chosen) - invalid
    print(
        f"{killed} of {tried} mutants killed, {100 * killed / max(tried, 1):.1f} %; {invalid} do not compile; {total} exist"
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:4]))
