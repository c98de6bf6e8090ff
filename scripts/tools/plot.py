"""Draws docs/table-ratio.svg from the record of tables: bench plot [FILE.json]. Needs matplotlib."""

import pathlib
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
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
STYLE: dict[str, Any] = {
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
    "lines.markersize": 3.5,
    "svg.hashsalt": "satdof",
    "svg.fonttype": "path",
}

Lines = dict[str, list[tuple[int, float]]]  # points of each variant: pixels, time over that of a copy


def pixels(size: str) -> int:
    width, height = size.split("x")
    return int(width) * int(height)


def label_ends(axes: Axes, lines: Lines) -> None:
    """Writes names at the right ends of lines, without overlaps."""
    axes.figure.canvas.draw()
    to_axes, right = axes.transScale + axes.transLimits, axes.get_xlim()[1]
    places = sorted((to_axes.transform((right, points[-1][1]))[1], name) for name, points in lines.items())
    height, at = 0.043, -1.0
    for place, name in places:
        at = max(place, at + height)
        axes.annotate(
            name,
            (1.0, at),
            xycoords="axes fraction",
            xytext=(6, 0),
            textcoords="offset points",
            color=COLOURS.get(name, INK),
            va="center",
            fontsize=8.5,
            annotation_clip=False,
        )


def draw(lines: Lines, sizes: set[str], machine: str, file: pathlib.Path) -> None:
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(figsize=(7.6, 4.6))
    figure.subplots_adjust(left=0.115, right=0.78, top=0.85, bottom=0.145)
    title = "Summed-area table: time over the time of a copy"
    figure.text(0.02, 0.955, title, fontsize=12.5, fontweight="bold", va="center")
    text = f"{machine}; the copy reads the same image and writes as large a table, in the same run"
    figure.text(0.02, 0.905, text, fontsize=8.8, color="#5b626c", va="center")
    axes.set_xlabel("image")
    axes.set_ylabel("time / copy")
    axes.grid(True, which="major")
    axes.set_axisbelow(True)
    for name, points in lines.items():
        style: dict[str, Any] = {"marker": "o", "markeredgecolor": PAPER, "markeredgewidth": 0.6}
        order, width = (4, 2.4) if name == "fused" else (3, 1.8)
        axes.plot(*zip(*points), color=COLOURS.get(name, INK), zorder=order, linewidth=width, **style)
    axes.set_yscale("log", base=2)
    axes.set_ylim(bottom=0.9)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1, color=INK, linewidth=1.2, linestyle=(0, (4, 2)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}×"))
    axes.set_xscale("log")
    names = sorted(sizes, key=pixels)
    axes.xaxis.set_major_locator(FixedLocator([pixels(size) for size in names]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([size.replace("x", "\n×") for size in names], fontsize=8.2)
    label_ends(axes, lines)
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    parser = program.parser(__doc__)
    default = program.ROOT / "docs/bench/h100.json"
    parser.add_argument("record", nargs="?", type=pathlib.Path, default=default)
    context, rows = records.read(parser.parse_args().record)
    lines: Lines = {}
    sizes = set()
    for name, row in rows.items():
        task, variant, *rest = name.split("/")
        if (
            task == "table"
            and rest[0] == "uint32"
            and rest[2:] == ["warm"]
            and "-" not in variant.partition("fused")[2]
        ):
            lines.setdefault(variant, []).append((pixels(rest[1]), row["ratioToLimit"]))
            sizes.add(rest[1])
    draw(
        {name: sorted(points) for name, points in lines.items()},
        sizes,
        context["gpu"],
        program.ROOT / "docs/table-ratio.svg",
    )
