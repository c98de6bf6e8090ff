"""Repeats the same actions in a window and prints its memory after each round: soak memory ROUNDS.

A round uses several window sizes, a split, every scene, lenses on the CPU and in OpenGL, and a photograph of 24 megapixels; then it
returns to the first settings and size. Exit status 1 if the window leaks memory: the median of the rounds exceeds the start by more than
MOST_MIB.
"""

import json
import os
import pathlib
import statistics
import tempfile
import time

from PIL import Image

from tools import program
from tools.soak import Soak, display, xdotool

MOST_MIB = 60.0  # measured: 26 and 33 MiB; 784 MiB without returning freed memory
PHOTOGRAPH = ("photograph.jpg", "depth-of-it.png")


def technique(device, lens, view="final", bokeh=True):
    return {"device": device, "lens": {"kind": lens, "on": "auto"}, "view": view, "bokeh": {"enabled": bokeh}}


def settings(scene, a, b=None, **more):
    return {
        "scene": {"kind": scene, "animate": False, **more},
        "technique": a,
        "split": {"enabled": b is not None, "b": b or a},
        "lens": {"lensSamples": 4},
    }


ROUND = [
    ((900, 700), settings("teapots", technique("cpu", "layered"), technique("gl-compute", "box"))),
    ((300, 200), settings("bodies", technique("gl-fragment", "gems", "coc"))),
    ((860, 640), settings("model", technique("gl-compute", "tent"), technique("cpu", "layered", "near"))),
    ((420, 610), settings("teapots", technique("cpu-sequential", "layered", bokeh=False), samples=4)),
    ((700, 500), settings("teapots", technique("cpu", "box", "table"))),
]


def visit(soak, size, chosen):
    (soak.folder / "round.json").write_text(json.dumps(chosen))
    xdotool("windowsize", soak.window, *size)
    soak.drop("round.json")
    soak.until("capture", soak.answers)


def round_of(soak):
    """Visits all of ROUND and the photograph, rests, and returns the memory in MiB."""
    for size, chosen in ROUND:
        visit(soak, size, chosen)
    soak.drop(*PHOTOGRAPH)
    soak.until("capture", soak.answers)
    soak.rest()
    return soak.measure()["MiB"]


def run(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(program, pathlib.Path(folder), seed=1)
        Image.effect_noise((6000, 4000), 60).convert("RGB").save(soak.folder / PHOTOGRAPH[0], quality=80)
        Image.new("L", (1500, 1000), 128).save(soak.folder / PHOTOGRAPH[1])
        try:
            soak.rest()
            measured = [soak.measure()["MiB"]]
            print(f"start: {measured[0]:.0f} MiB", flush=True)
            for number in range(1, rounds + 1):
                start = time.monotonic()
                measured.append(round_of(soak))
                print(f"round {number}: {measured[-1]:.0f} MiB, {time.monotonic() - start:.0f} s", flush=True)
        finally:
            soak.close()
    kept = statistics.median(measured[1:]) - measured[0]
    print(f"{'KEEPS MEMORY' if kept > MOST_MIB else 'flat'}: {kept:+.0f} MiB, median of {rounds} rounds")
    return 1 if kept > MOST_MIB else 0


def main():
    parser = program.parser(__doc__)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--program", type=os.path.abspath, default=program.SATDOF)
    given = parser.parse_args()
    with display():
        return run(given.program, given.rounds)
