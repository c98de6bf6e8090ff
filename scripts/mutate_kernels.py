#!/usr/bin/env python3
"""Mutation testing of the CUDA kernels on the emulator: mutate_kernels.py BUILD_DIR [--file TEXT]

Removes a barrier, moves an index by one or cuts the mask of a shuffle in kernels of the library, one at a time; builds
satdof_emulated_tests and runs the kernel's own tests with the checks of the emulator on. A mutant is caught if a test fails,
found if a message of the emulator names the file. Restores the sources. Exit status: 0 all are caught, 1 some survive.
"""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Kind, file, which occurrence of the text, the text, its replacement, tests.
BARRIER = ("barrier", "__syncthreads();", "")
MUTANTS = [
    (*BARRIER[:1], "cuda/scan/tree.cuh", 0, *BARRIER[1:], "*/blelloch*"),
    (*BARRIER[:1], "cuda/scan/hillis_steele.cu", 0, *BARRIER[1:], "*hillis*"),
    (*BARRIER[:1], "cuda/compact/sequential.cu", 0, *BARRIER[1:], "*Compactor*"),
    (*BARRIER[:1], "cuda/sort/tile_sort.cuh", 0, *BARRIER[1:], "*Sorter*/merge*"),
    (*BARRIER[:1], "cuda/sat/planes.cu", 0, *BARRIER[1:], "*Table*"),
    (*BARRIER[:1], "cuda/nbody/tiled.cuh", 1, *BARRIER[1:], "*AllPairs*"),
    ("index", "cuda/scan/tree.cuh", 0, "offset * (2 * i + 1) - 1", "offset * (2 * i + 1)", "*/blelloch*"),
    ("index", "cuda/scan/hillis_steele.cu", 0, "buffer[i - offset]", "buffer[i - offset + 1]", "*hillis*"),
    ("index", "cuda/scan/warp_tile.cuh", 0, "warp > 0 ? warp - 1 : 0", "warp", "*lookback*"),
    (
        "index",
        "cuda/sat/planes.cu",
        0,
        "tile[threadIdx.x][threadIdx.y + i];",
        "tile[threadIdx.x][threadIdx.y + i + 1];",
        "*Table*",
    ),
    (
        "index",
        "cuda/nbody/tiled.cuh",
        0,
        "positions[first + threadIdx.x]",
        "positions[first + threadIdx.x + 1]",
        "*AllPairs*",
    ),
    (
        "mask",
        "cuda/scan/warp.cuh",
        0,
        "__shfl_up_sync(kAllLanes,",
        "__shfl_up_sync(kAllLanes >> 1,",
        "*warp_shuffle*",
    ),
    (
        "mask",
        "cuda/scan/warp_tile.cuh",
        0,
        "__shfl_up_sync(kAllLanes,",
        "__shfl_up_sync(kAllLanes >> 1,",
        "*lookback*",
    ),
    (
        "mask",
        "cuda/compact/sequential.cu",
        0,
        "__ballot_sync(kAllLanes,",
        "__ballot_sync(kAllLanes >> 1,",
        "*Compactor*",
    ),
    (
        "mask",
        "cuda/sort/tile_sort.cuh",
        0,
        "__ballot_sync(kAllLanes,",
        "__ballot_sync(kAllLanes >> 1,",
        "*Sorter*/merge*",
    ),
    (
        "mask",
        "cuda/scan/lookback.cuh",
        0,
        "__ballot_sync(kAllLanes,",
        "__ballot_sync(kAllLanes >> 1,",
        "*lookback*",
    ),
]


def mutated(text: str, occurrence: int, old: str, new: str) -> str:
    parts = text.split(old)
    if len(parts) <= occurrence + 1:
        sys.exit(f"mutate_kernels.py: no {old!r}: renew the table")
    return old.join(parts[: occurrence + 1]) + new + old.join(parts[occurrence + 1 :])


def run(build: pathlib.Path, tests: str) -> tuple[bool, str]:
    """Whether a test fails, and the output."""
    environment = os.environ | {"SATDOF_EMULATOR_CHECKS": "on", "SATDOF_TEST_ELEMENTS": "3000"}
    command = [build / "bin/satdof_emulated_tests", f"--gtest_filter={tests}-*cub*", "--gtest_fail_fast"]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return True, "no end"
    if "[==========] 0 tests" in done.stdout:
        sys.exit(f"mutate_kernels.py: no tests are named {tests}")
    return done.returncode != 0, done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--file", default="")
    arguments = parser.parse_args()
    caught = found = count = 0
    for kind, name, occurrence, old, new, tests in MUTANTS:
        if arguments.file not in name:
            continue
        file = ROOT / name
        original = file.read_text()
        count += 1
        try:
            file.write_text(mutated(original, occurrence, old, new))
            built = subprocess.run(
                ["cmake", "--build", arguments.build, "--target", "satdof_emulated_tests"],
                capture_output=True,
                text=True,
            )
            if built.returncode != 0:
                sys.exit(f"mutate_kernels.py: {name}: does not build\n{built.stdout[-2000:]}")
            fails, output = run(arguments.build, tests)
        finally:
            file.write_text(original)
        message = next((line.strip() for line in output.splitlines() if "CUDA kernel " in line), "")
        caught += fails
        found += fails and message != ""
        verdict = "survives" if not fails else "found" if message else "caught"
        print(f"{verdict:8} {kind:7} {name}  {message[:150]}", flush=True)
    print(f"{caught} of {count} caught, {found} of them by a message of the emulator")
    return 0 if caught == count else 1


if __name__ == "__main__":
    sys.exit(main())
