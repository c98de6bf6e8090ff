"""Draws the figures of docs/performance.md and docs/primitives.md: bench plot [--out docs] FULL.json, written by satdof_bench.

Needs matplotlib. A figure is drawn when any of its rows are present.
"""

import collections
import pathlib
from collections.abc import Callable
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from tools import program, records

INK, FAINT, PAPER = "#20242b", "#9aa1ab", "#ffffff"
COLOURS = {
    "fused": "#d1312b",
    "cub": "#1f5fa8",
    "decoupled-lookback": "#d97a16",
    "warp-shuffle": "#2f8f4e",
    "reduce-then-scan": "#7b4fb0",
    "blelloch": "#8a6a3b",
    "blelloch-padded": "#b5924f",
    "blelloch-vectorized": "#5a4526",
    "hillis-steele": "#c2598f",
    "global-sweep": "#7d848e",
}
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "grid.color": "#e6e8eb",
    "grid.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 3.5,
    "svg.hashsalt": "satdof",
    "svg.fonttype": "path",
}


class Row(NamedTuple):
    path: list[str]
    time_us: float
    limit_us: float | None
    ratio: float | None
    machine: str


Series = dict[str, list[tuple[int, Row]]]
Ends = list[tuple[float, str, str]]


def read(files: list[pathlib.Path]) -> list[Row]:
    found = []
    for file in files:
        context, rows = records.read(file)
        machine = context.get("gpu") or context.get("cpu") or f"{context.get('num_cpus', '?')} CPU threads"
        found += [
            Row(name.split("/"), row["real_time"], row.get("limitUs"), row.get("ratioToLimit"), machine)
            for name, row in rows.items()
            if not row.get("error_occurred") and row.get("run_type") != "aggregate"
        ]
    return found


def select(rows: list[Row], *pattern: str | None) -> list[Row]:
    """Rows whose path matches, part by part; None matches anything."""
    return [
        r
        for r in rows
        if len(r.path) == len(pattern) and all(p in (None, q) for p, q in zip(pattern, r.path))
    ]


def series(rows: list[Row], name_at: int, x_of: Callable[[Row], int]) -> Series:
    """name -> sorted [(x, row)]."""
    lines = collections.defaultdict(list)
    for row in rows:
        lines[row.path[name_at]].append((x_of(row), row))
    return {name: sorted(points, key=lambda p: p[0]) for name, points in lines.items()}


def count_name(n: int) -> str:
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if n >= unit and n % unit == 0:
            return f"{n // unit}{name}"
    return str(n)


def time_name(us: float) -> str:
    if us >= 1000:
        return f"{us / 1000:g} ms"
    return f"{us:g} µs"


def pixels(size: str) -> int:
    width, height = size.split("x")
    return int(width) * int(height)


def label_ends(axes: Axes, ends: Ends) -> None:
    """Writes names at the right ends of lines, without overlaps. An end is (y, name, colour)."""
    axes.figure.canvas.draw()
    to_axes = axes.transScale + axes.transLimits
    places = sorted((to_axes.transform((axes.get_xlim()[1], y))[1], name, colour) for y, name, colour in ends)
    height = 0.043 * 4.6 / axes.figure.get_figheight()
    spread = []
    for place, name, colour in places:
        spread.append([max(place, spread[-1][0] + height) if spread else place, name, colour])
    overflow = spread[-1][0] - 1.0 if spread else 0
    if overflow > 0:
        limit = 1.0
        for item in reversed(spread):
            item[0] = min(item[0], limit)
            limit = item[0] - height
    for place, name, colour in spread:
        axes.annotate(
            name,
            (1.0, place),
            xycoords="axes fraction",
            xytext=(6, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            fontsize=8.5,
            annotation_clip=False,
        )


def new_figure(title: str, subtitle: str, xlabel: str, ylabel: str) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(7.6, 4.6))
    figure.subplots_adjust(left=0.115, right=0.78, top=0.85, bottom=0.145)
    figure.text(0.02, 0.955, title, fontsize=12.5, fontweight="bold", va="center")
    figure.text(0.02, 0.905, subtitle, fontsize=8.8, color="#5b626c", va="center")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, which="major")
    axes.set_axisbelow(True)
    return figure, axes


def draw_lines(
    axes: Axes, lines: Series, y_of: Callable[[Row], float], limit: list[tuple[int, float]] | None = None
) -> Ends:
    """Draws the lines and the copy limit. Returns their right ends."""
    ends = []
    for name, points in lines.items():
        colour = COLOURS.get(name, INK)
        ys = [y_of(row) for _, row in points]
        axes.plot(
            [x for x, _ in points],
            ys,
            color=colour,
            marker="o",
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            zorder=4 if name == "fused" else 3,
            linewidth=2.4 if name == "fused" else 1.8,
        )
        ends.append((ys[-1], name, colour))
    if limit:
        axes.plot(
            [x for x, _ in limit], [y for _, y in limit], color=INK, linestyle=(0, (4, 2)), linewidth=1.2
        )
        ends.append((limit[-1][1], "copy limit", INK))
    return ends


def limits_of(rows: list[Row], x_of: Callable[[Row], int]) -> list[tuple[int, float]]:
    known = {}
    for row in rows:
        if row.limit_us:
            known[x_of(row)] = row.limit_us
    return sorted(known.items())


def log_time_axis(axes: Axes) -> None:
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    ticks = [10.0**e * f for e in range(-1, 8) for f in (1, 10**0.5) if low <= 10.0**e * f <= high]
    ticks = [
        t for t in ticks if abs(t - round(t, 1)) < 1e-9 and t in (0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7)
    ]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: time_name(v)))
    axes.yaxis.set_minor_locator(NullLocator())


def size_axis(axes: Axes, sizes: set[str]) -> None:
    axes.set_xscale("log")
    names = sorted(sizes, key=pixels)
    axes.xaxis.set_major_locator(FixedLocator([pixels(s) for s in names]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([s.replace("x", "\n×") for s in names], fontsize=8.2)


def save(figure: Figure, out: pathlib.Path, name: str) -> None:
    figure.savefig(out / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)
    print(out / f"{name}.svg")


def scan_times(rows: list[Row], out: pathlib.Path) -> None:
    """Every scan variant. GPU Gems 3, figure 39-8, compares the ones with and without bank-conflict avoidance."""
    chosen = select(rows, "scan", None, "float32", "exclusive", None, "warm")
    if not chosen:
        return
    figure, axes = new_figure(
        "Exclusive scan of floats: time against length",
        f"{chosen[0].machine}; median of graph replays, inputs warm",
        "elements",
        "time",
    )
    x_of = lambda row: int(row.path[4])
    ends = draw_lines(axes, series(chosen, 1, x_of), lambda row: row.time_us, limits_of(chosen, x_of))
    axes.set_xscale("log", base=2)
    ticks = [n for n in sorted({x_of(r) for r in chosen}) if n.bit_length() % 2 == 1]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: count_name(int(v))))
    axes.xaxis.set_minor_locator(NullLocator())
    log_time_axis(axes)
    label_ends(axes, ends)
    save(figure, out, "scan-time")


def device_tables(rows: list[Row], element: str) -> list[Row]:
    hidden = ("fused-",)
    return [r for r in select(rows, "table", None, element, None, "warm") if not r.path[1].startswith(hidden)]


def table_ratio(rows: list[Row], out: pathlib.Path) -> None:
    chosen = [r for r in device_tables(rows, "uint32") if r.ratio]
    if not chosen:
        return
    x_of = lambda row: pixels(row.path[3])
    figure, axes = new_figure(
        "Summed-area table: time over the time of a copy",
        f"{chosen[0].machine}; the copy reads the same image and writes as large a table, in the same run",
        "image",
        "time / copy",
    )
    ends = draw_lines(axes, series(chosen, 1, x_of), lambda row: row.ratio)
    axes.set_yscale("log", base=2)
    axes.set_ylim(bottom=0.9)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1, color=INK, linewidth=1.2, linestyle=(0, (4, 2)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}×"))
    size_axis(axes, {r.path[3] for r in chosen})
    label_ends(axes, ends)
    save(figure, out, "table-ratio")


def main() -> None:
    parser = program.parser(__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=program.ROOT / "docs")
    parser.add_argument("json", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    rows = read(given.json)
    given.out.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update(STYLE)
    for draw in (scan_times, table_ratio):
        draw(rows, given.out)
