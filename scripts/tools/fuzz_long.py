#!/usr/bin/env python3
"""Fuzzes every target for a long time on all cores: fuzz long OUT SECONDS [CORES].

Each core repeatedly runs a short slice, with a new seed, of the target with the fewest executions so far. The slices of a target share
the corpus OUT/corpus/TARGET. Prints a table and writes it to OUT/fuzz.json. Failing inputs are written to OUT/findings, the output of
each slice to OUT/logs. Exit status 1 if an input fails.

In the source tree, builds the targets first. With the folders bin/ and seeds/ beside it, as scripts/fuzz package packs them, needs
neither sources nor a compiler.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
MOST_FAILURES = 20  # a target with as many failures is not run again
LIMITS = "-timeout=5 -rss_limit_mb=2000 -malloc_limit_mb=256 -close_fd_mask=1 -report_slow_units=1 -print_final_stats=1".split()
COLUMNS = ("executions", "slices", "failures", "leaks", "slowest s", "coverage")


class Target:
    def __init__(self, program: pathlib.Path, seeds: pathlib.Path) -> None:
        self.program, self.seeds, self.name = program, seeds, program.name.removeprefix("fuzz_")
        self.running = 0
        self.counts = dict.fromkeys(COLUMNS, 0)
        largest = max(file.stat().st_size for file in seeds.iterdir())
        self.limits = [*LIMITS, f"-dict={seeds}.dict", f"-max_len={max(largest, 1024)}"]

    def expected(self) -> tuple[float, int]:
        """Sort key: executions including an estimate for running slices, then the number of running slices."""
        done = self.counts["slices"] - self.running
        share = 1 + self.running / done if done > 0 else 1
        return self.counts["executions"] * share, self.running

    def collect(self, log: str, failed: bool) -> None:
        def largest(pattern: str) -> int:
            return max(map(int, re.findall(pattern, log, re.MULTILINE)), default=0)

        self.running -= 1
        self.counts["executions"] += largest(r"^stat::number_of_executed_units: *(\d+)")
        self.counts["failures"] += failed
        self.counts["leaks"] += "LeakSanitizer: detected memory leaks" in log
        for column, pattern in (
            ("slowest s", r"^stat::slowest_unit_time_sec: *(\d+)"),
            ("coverage", r"^#.* cov: (\d+) "),
        ):
            self.counts[column] = max(self.counts[column], largest(pattern))


class Fuzzer:
    def __init__(
        self, targets: list[Target], out: pathlib.Path, environment: dict[str, str], leaks: bool
    ) -> None:
        self.targets, self.out, self.environment, self.leaks = targets, out, environment, leaks
        self.lock = threading.Lock()

    def run(self, end: float, length_s: int) -> None:
        """Runs slices on one core until the time `end`."""
        while (left := int(end - time.monotonic())) >= 3:
            with self.lock:
                good = [target for target in self.targets if target.counts["failures"] < MOST_FAILURES]
                if not good:
                    return
                target = min(good, key=Target.expected)
                number = target.counts["slices"]
                target.counts["slices"] += 1
                target.running += 1
            log = self.out / f"logs/{target.name}-{number}.log"
            corpus = self.out / "corpus" / target.name
            corpus.mkdir(exist_ok=True)
            command = [
                target.program,
                *target.limits,
                f"-seed={number + 1}",
                f"-max_total_time={min(left, length_s)}",
            ]
            command += [
                f"-detect_leaks={int(self.leaks)}",
                f"-artifact_prefix={self.out}/findings/{target.name}-",
            ]
            with open(log, "w") as file:
                done = subprocess.run(
                    [*command, corpus, target.seeds], stdout=file, stderr=file, env=self.environment
                )
            with self.lock:
                target.collect(log.read_text(errors="replace"), done.returncode != 0)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("cores", type=int, nargs="?", default=os.cpu_count() or 1)
    given = parser.parse_args()
    home, environment = HERE, {**os.environ, "ASAN_OPTIONS": "malloc_context_size=1"}
    if not (HERE / "seeds").is_dir():
        subprocess.run(["bash", HERE / "fuzz.sh", "build"], check=True)
        home = HERE.parents[1] / "build/fuzz"
    elif (HERE / "lib").is_dir():
        environment["LD_LIBRARY_PATH"] = ":".join(
            filter(None, (f"{HERE}/lib", os.environ.get("LD_LIBRARY_PATH")))
        )
    out = given.out.resolve()
    for name in ("corpus", "findings", "logs"):
        (out / name).mkdir(parents=True, exist_ok=True)
    programs = sorted((home / "bin").glob("fuzz_*"))
    targets = [Target(program, home / "seeds" / program.name.removeprefix("fuzz_")) for program in programs]

    # Some containers forbid ptrace, which the leak checker needs.
    said = subprocess.run(
        [programs[0], "-runs=1"], env=environment, capture_output=True, text=True, errors="replace"
    )
    leaks = "LeakSanitizer has encountered a fatal error" not in said.stderr
    if not leaks:
        environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        print(
            "leaks are not checked: this machine does not let the leak checker stop threads", file=sys.stderr
        )

    # Several slices for every target, but long enough that reading the corpus does not matter.
    length_s = min(max(given.seconds * given.cores // len(targets) // 8, 5), 60)
    fuzzer = Fuzzer(targets, out, environment, leaks)
    end = time.monotonic() + given.seconds
    with concurrent.futures.ThreadPoolExecutor(given.cores) as pool:
        for core in [pool.submit(fuzzer.run, end, length_s) for _ in range(given.cores)]:
            core.result()

    print(f"{'target':15}", *(f"{column:>12}" for column in COLUMNS))
    for target in targets:
        print(f"{target.name:15}", *(f"{target.counts[column]:12}" for column in COLUMNS))
    found = {"seconds": given.seconds, "cores": given.cores, "leaks checked": leaks}
    rows = [{"name": target.name, **target.counts} for target in targets]
    (out / "fuzz.json").write_text(json.dumps({**found, "targets": rows}, indent=1) + "\n")
    return 1 if any(target.counts["failures"] for target in targets) else 0


if __name__ == "__main__":
    sys.exit(main())
