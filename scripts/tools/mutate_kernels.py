"""Mutation testing of the CUDA kernels on the emulator: fuzz mutate-kernels BUILD_DIR [--file TEXT].

Removes a barrier, shifts an index by one or narrows the mask of a warp intrinsic, one at a time; builds satdof_emulated_tests and runs
the tests of the kernel with the checks of the emulator. A mutant is caught if a test fails, and found if the emulator reports it.
Restores the sources. Exit status: 0 all mutants are caught, 1 some survive.
"""

import pathlib

from tools import program
from tools.mutate import failure

# MUTANTS: file, filter of the tests, text, replacement, and the occurrence of the text to replace, from 0.
BARRIER = ("__syncthreads();", "")
SHUFFLE = ("__shfl_up_sync(kAllLanes,", "__shfl_up_sync(kAllLanes >> 1,")
BALLOT = ("__ballot_sync(kAllLanes,", "__ballot_sync(kAllLanes >> 1,")
MUTANTS = [
    ("cuda/scan/tree.cuh", "*/blelloch*", *BARRIER, 0),
    ("cuda/scan/hillis_steele.cu", "*hillis*", *BARRIER, 0),
    ("cuda/compact/sequential.cu", "*Compactor*", *BARRIER, 0),
    ("cuda/sort/tile_sort.cuh", "*Sorter*/merge*", *BARRIER, 0),
    ("cuda/sat/planes.cu", "*Table*", *BARRIER, 0),
    ("cuda/nbody/tiled.cuh", "*AllPairs*", *BARRIER, 1),
    ("cuda/scan/tree.cuh", "*/blelloch*", "offset * (2 * i + 1) - 1", "offset * (2 * i + 1)", 0),
    ("cuda/scan/hillis_steele.cu", "*hillis*", "buffer[i - offset]", "buffer[i - offset + 1]", 0),
    ("cuda/scan/warp_tile.cuh", "*lookback*", "warp > 0 ? warp - 1 : 0", "warp", 0),
    (
        "cuda/sat/planes.cu",
        "*Table*",
        "tile[threadIdx.x][threadIdx.y + i];",
        "tile[threadIdx.x][threadIdx.y + i + 1];",
        0,
    ),
    (
        "cuda/nbody/tiled.cuh",
        "*AllPairs*",
        "positions[first + threadIdx.x]",
        "positions[first + threadIdx.x + 1]",
        0,
    ),
    ("cuda/block/warp.cuh", "*warp_shuffle*", *SHUFFLE, 0),
    ("cuda/scan/warp_tile.cuh", "*lookback*", *SHUFFLE, 0),
    ("cuda/compact/sequential.cu", "*Compactor*", *BALLOT, 0),
    ("cuda/sort/tile_sort.cuh", "*Sorter*/merge*", *BALLOT, 0),
    ("cuda/scan/lookback.cuh", "*lookback*", *BALLOT, 0),
]


def mutated(text: str, old: str, new: str, occurrence: int) -> str:
    parts = text.split(old)
    if len(parts) <= occurrence + 1:
        raise RuntimeError(f"no {old!r}: renew the table")
    return old.join(parts[: occurrence + 1]) + new + old.join(parts[occurrence + 1 :])


def main() -> int:
    parser = program.parser(__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--file", default="")
    given = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if given.file in mutant[0]]
    caught = found = 0
    for name, tests, *change in chosen:
        file = program.ROOT / name
        original = file.read_text()
        try:
            file.write_text(mutated(original, *change))
            program.output(["cmake", "--build", given.build, "--target", "satdof_emulated_tests"])
            output = failure(
                given.build / "bin/satdof_emulated_tests",
                f"{tests}-*cub*",
                SATDOF_EMULATOR_CHECKS="on",
                SATDOF_TEST_ELEMENTS="3000",
            )
        finally:
            file.write_text(original)
        message = next((line.strip() for line in (output or "").splitlines() if "CUDA kernel " in line), "")
        caught += output is not None
        found += message != ""
        verdict = "survives" if output is None else "found" if message else "caught"
        print(f"{verdict:8} {name}: {change[0]}  {message[:150]}", flush=True)
    print(f"{caught} of {len(chosen)} caught, {found} of them by a message of the emulator")
    return 0 if caught == len(chosen) else 1
