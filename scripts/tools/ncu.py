"""Compares the counts of satdof --trace with Nsight Compute on a GPU.

bench ncu --bench SATDOF_BENCH --satdof SATDOF [--out FILE.json] [--kernels NAMES] [--elements N,N,...] [--ncu NCU]

Runs each kernel once at each size under ncu (satdof_bench --kernel) and on the emulator (satdof --trace). Compares shared-memory
wavefronts with counted bank passes, and 32-byte sectors of global memory, for loads, stores and atomics. Prints a Markdown table and
writes JSON. A failed run becomes a row with the reason. Exit status: 0, or 1 if any run failed.
"""

import argparse
import concurrent.futures
import csv
import os
import pathlib
import sys
from typing import Any

from tools import counters, program, records

# Only LDS, STS and ATOMS: the counters of the whole pipe include shuffles and global memory.
SHARED = tuple(
    f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")
)
GLOBAL = tuple(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st", "atom", "red"))
KERNELS = {
    "scan": "hillis-steele blelloch blelloch-padded blelloch-vectorized global-sweep blelloch-global warp-shuffle "
    "reduce-then-scan decoupled-lookback",
    "compact": "scan-scatter billeter decoupled-lookback",
    "sort": "merge merge-two-buffers split onesweep",
    "convolve": "naive constant tiled",
    "table": "deinterleave transpose interleave fused",
    "gravity": "naive tiled",
}
SIZES = {"gravity": (256, 1024, 4096)}  # all pairs
DEFAULT_SIZES = (1024, 16384, 262144)  # squares, for images
TIMEOUT_S = 900


def measured(text: str) -> dict[str, Any]:
    """Sums the metrics over all launches in the CSV output of ncu. Raises RuntimeError if there is no launch."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    sums = dict.fromkeys((*SHARED, *GLOBAL), 0)
    launches: dict[str, str] = {}
    for row in csv.DictReader(lines[start:]):
        if row.get("Metric Name") in sums:
            launches[row["ID"]] = row["Kernel Name"]
            sums[row["Metric Name"]] += round(float(row["Metric Value"].replace(",", "")))
    if not launches:
        raise RuntimeError("ncu measured no launch")
    return {
        "launches": len(launches),
        "sharedPasses": sum(sums[name] for name in SHARED),
        "globalSectors": sum(sums[name] for name in GLOBAL),
    }


def on_gpu(arguments: argparse.Namespace, kernel: str, elements: int) -> dict[str, Any]:
    metrics = ",".join((*SHARED, *GLOBAL))
    ncu = [arguments.ncu, "--csv", "--metrics", metrics, "--target-processes", "all"]
    command = [*ncu, arguments.bench, *counters.request(kernel, elements)]
    return measured(program.output(command, timeout_s=TIMEOUT_S))


def on_emulator(arguments: argparse.Namespace, kernel: str, elements: int) -> dict[str, Any]:
    total = counters.trace(arguments.satdof, kernel, elements)
    return {name: int(total[name]) for name in ("launches", "sharedPasses", "globalSectors")}


def difference(counted: int, found: int) -> str:
    if found == 0:
        return "0" if counted == 0 else "-"
    return f"{100 * (counted - found) / found:+.1f} %"


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| kernel | elements | passes counted | wavefronts measured | difference "
        "| sectors counted | sectors measured | difference |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [f"`{row['kernel']}`", str(row["elements"])]
        if "error" in row:
            cells += [row["error"].replace("|", "/"), *[""] * 5]
        else:
            for key in ("sharedPasses", "globalSectors"):
                counted, found = row["counted"][key], row["measured"][key]
                cells += [str(counted), str(found), difference(counted, found)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = program.parser(__doc__)
    parser.add_argument("--bench", required=True, help="satdof_bench of a build with CUDA")
    parser.add_argument("--satdof", required=True, help="satdof of a build with the emulator")
    parser.add_argument("--out", type=pathlib.Path, help="JSON file to write")
    parser.add_argument("--kernels", help="names separated by commas (default: all)")
    parser.add_argument("--elements", help="sizes separated by commas (default: three for each kernel)")
    parser.add_argument("--ncu", default="ncu")
    arguments = parser.parse_args()

    every = [f"{family}/{name}" for family, names in KERNELS.items() for name in names.split()]
    cases = []
    for name in arguments.kernels.split(",") if arguments.kernels else every:
        sizes = SIZES.get(name.split("/")[0], DEFAULT_SIZES)
        if arguments.elements:
            sizes = tuple(int(size) for size in arguments.elements.split(","))
        cases += [(name, size) for size in sizes]
    rows: list[dict[str, Any]] = []
    workers = max(1, (os.cpu_count() or 1) - 1)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        counted = [pool.submit(on_emulator, arguments, *case) for case in cases]
        for (name, size), count in zip(cases, counted):
            row: dict[str, Any] = {"name": f"{name}/{size}", "kernel": name, "elements": size}
            try:
                row["measured"] = on_gpu(arguments, name, size)
                row["counted"] = count.result()
            except RuntimeError as error:
                row["error"] = str(error)
            rows.append(row)
            print(f"{len(rows)}/{len(cases)} {row['name']} {row.get('error', '')}", file=sys.stderr)
    print(table(rows))
    if arguments.out:
        context = {"commit": records.commit(), "command": records.command()}
        records.write(arguments.out, context, rows)
    return 1 if any("error" in row for row in rows) else 0
