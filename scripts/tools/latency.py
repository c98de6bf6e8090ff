"""Measures the input latency of a window under load: bench latency [ROUNDS] [--program SATDOF].

In each round, a key hides or shows the panels. Prints, for each load, the milliseconds from the key event to the change on the screen.
Starts its own Xvfb.
"""

import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from tools import program
from tools.soak import display, xdotool

SIZE = (640, 400)
BOX = (8, 60, 60, 24)  # screen area inside the panels: x, y, width, height
PAUSE_S = 0.5
LIMIT_S = 30.0
LOADS = {
    "at rest": "--no-animate --no-converge",
    "animation": "--animate",
    "the image converges": "--no-animate --lens-samples 65536",
    "the reference lens": "--no-animate --lens reference --lens-samples 65536",
    "bodies": "--scene bodies --bodies 20000 --animate",
    "A beside the reference": "--no-animate --split --split-lens reference",
}


def measure(satdof: str, options: str, rounds: int) -> list[float]:
    server = Display()
    root, code = server.screen().root, server.keysym_to_keycode(XK.string_to_keysym("F2"))

    def box() -> bytes:
        return root.get_image(*BOX, X.ZPixmap, 0xFFFFFFFF).data

    def changed_ms(before: bytes) -> float:
        start = time.perf_counter()
        for event in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(server, event, code)
        server.sync()
        while (took_s := time.perf_counter() - start) < LIMIT_S:
            if box() != before:
                return 1000 * took_s
        raise RuntimeError(f"no answer within {LIMIT_S} s")

    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "satdof").mkdir()
        (pathlib.Path(folder) / "satdof/interface.json").write_text('{"hintSeen": true}')
        process = subprocess.Popen(
            [satdof, "--size", f"{SIZE[0]}x{SIZE[1]}", *options.split()],
            cwd=folder,
            env={**os.environ, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder},
            stderr=subprocess.DEVNULL,
        )
        try:
            search = ["xdotool", "search", "--onlyvisible", "--sync", "--pid", str(process.pid)]
            xdotool("windowfocus", subprocess.run(search, capture_output=True, text=True).stdout.split()[-1])
            while max(box()) < 100:
                time.sleep(0.1)
            time.sleep(8)  # for shaders, first images, and the start of the reference
            times = []
            for _ in range(rounds):
                time.sleep(PAUSE_S)
                times.append(changed_ms(box()))
            return times
        finally:
            process.kill()
            process.wait()


def main() -> int:
    parser = program.parser(__doc__ or "")
    parser.add_argument("rounds", type=int, nargs="?", default=40)
    parser.add_argument("--program", type=os.path.abspath, default=program.SATDOF)
    given = parser.parse_args()
    print(f"{'load':24} {'median':>8} {'95 %':>8} {'longest':>8}  ms")
    with display():
        for load, options in LOADS.items():
            times = sorted(measure(given.program, options, given.rounds))
            late = times[min(int(0.95 * len(times)), len(times) - 1)]
            print(f"{load:24} {statistics.median(times):8.1f} {late:8.1f} {times[-1]:8.1f}", flush=True)
    return 0
