"""Compares counted work with a record: CUDA kernels on the emulator, CPU instructions under callgrind.

bench counters SATDOF [--check RECORD | --renew RECORD] [--of kernels | processor] [--kernels NAMES]

--check (default: docs/bench/kernel_counters.json) prints counts that rose or fell by more than 2 %, and kernels that the record lacks.
--renew writes the record and keeps rows that were not counted. Kernels: satdof --trace, at three sizes. Processor: instructions of
satdof and of the satdof_bench beside it, compared only on the same kind of machine.
Exit status: 0; 1 if a count rose, a row is not in the record or a run failed; 2 for bad usage; 77 if nothing can be compared.
"""

import argparse
import concurrent.futures
import csv
import math
import os
import pathlib
import re
import shutil
import tempfile
from typing import NamedTuple

from tools import images, program, records

RECORD = program.ROOT / "docs/bench/kernel_counters.json"
MOST_PERCENT = 2
TIMEOUT_S = 500

COUNTS = (
    "sharedAccesses sharedPasses globalAccesses globalSectors atomics laneExchanges barriers launches depth"
).split()
SIZES = {"table": (256, 3249, 16384), "gravity": (64, 333, 1024)}  # squares; all pairs
DEFAULT_SIZES = (256, 3001, 16384)

Counts = dict[str, int]
Found = dict[str, Counts]  # by the name of the row


class Work(NamedTuple):
    """A run under callgrind."""

    program: str
    arguments: str
    functions: dict[str, str]  # by row: regular expression of the function whose inclusive instructions count
    by_call: bool  # count per call, because the number of calls varies from run to run


IMAGE_PX = (320, 180)
DRAW = "--headless --fresh --no-animate --no-autofocus --samples 1 --f-number 0.3 --device cpu --size 320x180 --capture out.png"
LOOPS = r"satdof::ThreadPool::drain\("  # the loops of all threads
WORKS = (
    Work(
        "satdof",
        f"{DRAW} --lens layered --focus 2 --scene image --image colour.png --depth depth.png --depth-means metres "
        "--depth-scale 0.001 --depth-edge-radius 0",
        {"processor/layered": LOOPS, "processor/png": r"satdof::decodePng\("},
        False,
    ),
    Work(
        "satdof",
        f"{DRAW} --lens box --focus 3 --scene model --model grid.obj --environment sky.hdr",
        {"processor/box": LOOPS, "processor/obj": r"satdof::parseObj\("},
        False,
    ),
    Work(
        "satdof_bench",
        "--benchmark_filter=^(table/cpu/uint32/512x512/threads:1"
        "|lab/(scan|compaction|convolution)/cpu-sequential/65536)/",
        {
            "processor/table": r"std::_Function_handler<.*satdof::CpuTableBuilder::run<.*::_M_invoke\(",
            "processor/scan": r"satdof::scanSequential<unsigned int>\(",
            "processor/compact": r"satdof::compactSequential\(",
            "processor/convolve": r"satdof::convolveSequential<int>\(",
        },
        True,
    ),
)


def output(command: list[str], folder: str | None = None) -> str:
    return program.output(command, pathlib.Path(folder) if folder else None, TIMEOUT_S)


def kernels(satdof: pathlib.Path) -> list[str]:
    """The kernels in --list. Raises RuntimeError with the reason if the program cannot trace them."""
    found = re.findall(r"^kernel +(\S+) +(.*)", output([str(satdof), "--list"]), re.MULTILINE)
    for name, state in found:
        if not state.startswith("available"):
            raise RuntimeError(f"{name}: {state}")
    if not found:
        raise RuntimeError(f"{satdof} --list names no kernel")
    return [name for name, _ in found]


def request(kernel: str, elements: int) -> list[str]:
    return ["--kernel", kernel, "--elements", str(elements), "--block-size", "256", "--data", "random"]


def trace(satdof: pathlib.Path, kernel: str, elements: int) -> dict[str, str]:
    """The counts of a kernel by column. Raises RuntimeError if the emulator reports a fault."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "trace.csv"
        told = output([str(satdof), "--trace", str(file), *request(kernel, elements)])
        rows = list(csv.DictReader(file.read_text().splitlines()))
    if fault := re.search("^fault: .*", told, re.MULTILINE):
        raise RuntimeError(f"{kernel}, {elements} elements: {fault[0]}")
    (total,) = (row for row in rows if row["scope"] == "total")
    return {**total, "launches": str(sum(row["scope"] == "launch" for row in rows))}


def traced(satdof: pathlib.Path, kernel: str, elements: int) -> Found:
    total = trace(satdof, kernel, elements)
    return {f"{kernel}/{elements}": {name: int(total[name]) for name in COUNTS}}


def write_inputs(folder: pathlib.Path) -> None:
    """Writes colour.png (tiles and white dots), depth.png (four steps), grid.obj (80 x 80 vertices) and sky.hdr (grey)."""
    columns, rows = range(IMAGE_PX[0]), range(IMAGE_PX[1])

    def texel(x: int, y: int) -> tuple[int, int, int]:
        dot = (x % 16 - 8) ** 2 + (y % 16 - 8) ** 2 < 6
        return (255, 255, 255) if dot else (40 + 160 * ((x // 8 + y // 8) % 2), 60 + x // 2, 220 - y)

    colours = [[sample for x in columns for sample in texel(x, y)] for y in rows]
    (folder / "colour.png").write_bytes(images.encode_png(8, 2, colours, IMAGE_PX[0]))
    depths = [[1000 * (1 + x // 80) for x in columns] for _ in rows]
    (folder / "depth.png").write_bytes(images.encode_png(16, 0, depths, IMAGE_PX[0]))
    n = 80
    lines = [
        f"v {i / n:.4f} {0.1 * math.sin(0.2 * i):.4f} {j / n:.4f}\nvt {i / n:.4f} {j / n:.4f}"
        for i in range(n)
        for j in range(n)
    ]
    corners = [i * n + j + 1 for i in range(n - 1) for j in range(n - 1)]
    lines += ["f " + " ".join(f"{k}/{k}" for k in (a, a + 1, a + n + 1, a + n)) for a in corners]
    (folder / "grid.obj").write_text("\n".join(lines) + "\n")
    (folder / "sky.hdr").write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n" + b"\x80" * 128)


def instructions(profile: str, function: str, by_call: bool) -> int:
    """The inclusive instructions of a function. Raises RuntimeError if it was never called."""
    called = re.compile(f"cfn=(?:.* )?{function}")
    all_calls = cost = 0
    lines = iter(profile.splitlines())
    for line in lines:
        if called.match(line):
            all_calls += int(next(lines).removeprefix("calls=").split()[0])
            cost += int(next(lines).split()[1])
    if all_calls == 0:
        raise RuntimeError(f"callgrind saw no call of {function}")
    return cost // all_calls if by_call else cost


def profiled(satdof: pathlib.Path, work: Work) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(pathlib.Path(folder))
        profile = pathlib.Path(folder) / "profile"
        tool = ["valgrind", "--tool=callgrind", "--compress-strings=no", f"--callgrind-out-file={profile}"]
        output([*tool, str(satdof.with_name(work.program)), *work.arguments.split()], folder)
        text = profile.read_text(errors="replace")
    return {
        row: {"instructions": instructions(text, function, work.by_call)}
        for row, function in work.functions.items()
    }


def machine(satdof: pathlib.Path) -> str:
    """What the instruction counts depend on besides the sources: compilers, C library, valgrind, threads, AVX2."""
    compilers = sorted(set(re.findall(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", satdof.read_bytes())))
    libc, valgrind = os.confstr("CS_GNU_LIBC_VERSION"), output(["valgrind", "--version"]).strip()
    avx2 = "AVX2" if "avx2" in pathlib.Path("/proc/cpuinfo").read_text().split() else "no AVX2"
    return ", ".join(
        [*(name.decode() for name in compilers), str(libc), valgrind, f"{os.cpu_count()} threads", avx2]
    )


def changes(name: str, old: Counts, new: Counts) -> tuple[list[str], list[str]]:
    """Returns lines for the counts that rose, and lines for those that fell."""
    rose, fell = [], []
    for key, value in new.items():
        before = old.get(key, 0)
        if 100 * abs(value - before) <= MOST_PERCENT * before:
            continue
        percent = f"{100 * (value - before) / before:+.1f} %" if before else "new"
        (rose if value > before else fell).append(f"{name}: {key} {before} -> {value} ({percent})")
    return rose, fell


def check(rows: Found, found: Found) -> int:
    rose, fell = [], []
    for name, counts in found.items():
        if name not in rows:
            rose.append(f"{name}: not in the record")
            continue
        more, less = changes(name, rows[name], counts)
        rose += more
        fell += [f"fell: {line}" for line in less]
    for line in rose + fell:
        print(line)
    if rose or fell:
        print("If the changes are meant, renew the record: scripts/bench counters SATDOF --renew RECORD")
    print(f"{len(found)} rows: {len(rose)} findings, {len(fell)} counts below the record")
    return 1 if rose else 0


def run(arguments: argparse.Namespace) -> int:
    satdof, record = arguments.satdof.resolve(), arguments.renew or arguments.check
    context, rows = ({}, {}) if arguments.renew and not record.exists() else records.read(record)
    reason, here = "", ""
    if arguments.of != "kernels":
        if not shutil.which("valgrind"):
            reason = "valgrind is not installed"
        else:
            here, there = machine(satdof), context.get("processor")
            if here != there and not arguments.renew:
                reason = f"the record is of {there}; this is {here}"
        if reason:
            print(f"SKIPPED: the processor's instructions: {reason}")
        if reason and arguments.of == "processor":
            return 77
    works = () if arguments.of == "kernels" or reason else WORKS
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(profiled, satdof, work) for work in works]
        if arguments.of != "processor":
            for name in arguments.kernels.split(",") if arguments.kernels else kernels(satdof):
                sizes = SIZES.get(name.split("/")[0], DEFAULT_SIZES)
                jobs += [pool.submit(traced, satdof, name, size) for size in sizes]
        found = {name: counts for job in jobs for name, counts in job.result().items()}
    if not arguments.renew:
        return check(rows, found)
    context |= {
        "gpu": "none: the emulator counts",
        "driver": "none",
        "commit": records.commit(),
        "command": "scripts/bench counters SATDOF --renew docs/bench/kernel_counters.json",
        "origin": "satdof --trace, blocks of 256, --data random; processor: callgrind, instructions",
    }
    if works:
        context["processor"] = here
    if arguments.kernels or arguments.of or reason:
        found = {**rows, **found}
    records.write(record, context, [{"name": name, **counts} for name, counts in found.items()])
    return 0


def main() -> int:
    parser = program.parser(__doc__)
    parser.add_argument("satdof", type=pathlib.Path, help="of a build with the emulator")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", type=pathlib.Path, metavar="RECORD", default=RECORD)
    action.add_argument("--renew", type=pathlib.Path, metavar="RECORD")
    parser.add_argument("--of", choices=("kernels", "processor"), help="default: both")
    parser.add_argument("--kernels", help="names separated by commas (default: all)")
    return run(parser.parse_args())
