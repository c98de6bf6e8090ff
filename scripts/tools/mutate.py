"""Mutation testing of the CPU mathematics: fuzz mutate BUILD_DIR [--mutants N] [--seed N] [--file TEXT]...

Changes one operator or number at a time in FILES, compiles the file, links it with the processor tests, and runs the tests of the file,
then all others. A header of the shaders is compiled by the test in HEADERS alone. A mutant is killed if a test fails, crashes or hangs. Mutants that do not compile do not count. Prints the survivors and
the score. --mutants: number of mutants, chosen at random; --file: only files whose paths contain TEXT. BUILD_DIR needs the target
satdof_processor_tests.
"""

import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import tempfile

from tools import program
from tools.program import ROOT

# Mutated files, with the --gtest_filter of their tests.
FILES = {
    "app/device/cpu/cpu_table.cpp": "*Table*",
    "app/device/cpu/scan.cpp": "CpuScan*:CpuCompaction*",
    "app/device/cpu/compact.cpp": "CpuCompaction*",
    "app/device/cpu/sort.cpp": "CpuSort*",
    "app/filter/cpu_convolve.cpp": "CpuConvolve*",
    "app/lens/blur_rule.cpp": "*Plan*",
    "app/lens/thin_lens.cpp": "ThinLens*:*Plan*",
    "app/lens/fixed_point.cpp": "FixedPoint*:*Plan*",
    "app/lens/box/plan.cpp": "BoxPlan*",
    "app/lens/tent/plan.cpp": "TentPlan*",
    "app/lens/layered/plan.cpp": "LayeredPlan*",
    "app/scene/bodies/block.cpp": "BlockGravity*:CpuGravity*",
    "app/scene/bodies/cpu_pairs.cpp": "CpuGravity*",
    "app/scene/bodies/cpu_tree.cpp": "CpuGravity*",
    "shaders/lens/near_scatter.glsl": "NearWeights*:CutDisc*:LeaningShift*:DiscShift*:ScatterWords*",
}
HEADERS = {"shaders/lens/near_scatter.glsl": "tests/lens/near_scatter_test.cpp"}
# (pattern, replacements): each match gives one mutant for each replacement.
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
    (r"\bmin\b(?=[(<])", ["max"]),
    (r"\bmax\b(?=[(<])", ["min"]),
    (r"(?<![\w.])0(?![\w.])", ["1"]),
    (r"(?<![\w.])1(?![\w.])", ["2", "0"]),
    (r"(?<![\w.])2(?![\w.])", ["3"]),
    (r"(?<![\w.])(\d+\.\d+)(f?)(?![\w.])", [r"(\1\2 + 0.25\2)"]),
]
LONGEST_S = 300


def mutants(path):
    """Yields (line number, changed line) of every mutant. Skips comments, preprocessor lines and template headers."""
    for number, line in enumerate((ROOT / path).read_text().splitlines()):
        code = line.split("//")[0]
        if not code.strip() or code.lstrip().startswith(("#", "template", "static_assert", "case ")):
            continue
        for pattern, replacements in OPERATORS:
            for match in re.finditer(pattern, code):
                for replacement in replacements:
                    yield number, code[: match.start()] + match.expand(replacement) + code[match.end() :]


class Tester:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        database = json.loads((build / "compile_commands.json").read_text())
        # Other targets may compile the same test.
        database.sort(key=lambda entry: "satdof_processor_tests" in entry["command"])
        self.compile = {os.path.relpath(e["file"], ROOT): shlex.split(e["command"]) for e in database}
        commands = program.output(["ninja", "-t", "commands", "satdof_processor_tests"], build)
        self.link = commands.splitlines()[-1]

    def survives(self, path, number, changed):
        """Whether all tests pass with line `number` of `path` changed; None if the mutant does not compile."""
        lines = (ROOT / path).read_text().splitlines()
        lines[number] = changed
        mutant = self.folder / path
        mutant.parent.mkdir(parents=True, exist_ok=True)
        mutant.write_text("\n".join(lines) + "\n")
        compiled = HEADERS.get(path, path)
        command = [word for word in self.compile[compiled] if "ccache" not in word and word != "-Werror"]
        at = command.index("-o")
        original = command[at + 1]
        command[at + 1] = str(self.folder / "mutant.o")
        command = [str(mutant) if word.endswith(path) else word for word in command] + ["-O1", "-w"]
        command.insert(1, f"-I{self.folder}")  # before the folder of the original header
        status = subprocess.run(command, cwd=self.build, capture_output=True).returncode
        mutant.unlink()
        if status != 0:
            return None
        # The mutant precedes the libraries, so the linker does not use the original object.
        tests = self.folder / "tests"
        words = self.link.replace(f" {original} ", " ")
        words = words.replace("-o bin/satdof_processor_tests", f"-o {tests} {self.folder / 'mutant.o'}")
        assert str(tests) in words, (words, original)
        subprocess.run(words, shell=True, cwd=self.build, capture_output=True, check=True)
        return all(failure(tests, of) is None for of in (FILES[path], "-" + FILES[path]))


def failure(tests, chosen, *options, **environment):
    """The output of the tests if one fails, "no end" if they hang, None if all pass."""
    command = [tests, f"--gtest_filter={chosen}", "--gtest_fail_fast", *options]
    try:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return "no end"
    if "[==========] 0 tests" in done.stdout:
        raise RuntimeError(f"no tests are named {chosen}")
    return done.stdout + done.stderr if done.returncode != 0 else None


def main():
    parser = program.parser(__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, dest="count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", default=[])
    given = parser.parse_args()
    build, count = given.build.resolve(), given.count
    paths = [path for path in FILES if not given.file or any(text in path for text in given.file)]
    chosen = [(path, *mutant) for path in paths for mutant in mutants(path)]
    total = len(chosen)
    if count is not None and count < total:
        chosen = sorted(random.Random(given.seed).sample(chosen, count))
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
