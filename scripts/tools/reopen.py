"""Measures the recovery of the window from a lost OpenGL context: soak reopen [RUNS [OPTION...]].

Prints, for each run, the seconds from the loss to the message about it, and from the message to the first image of the new window.
"""

import os
import signal
import subprocess
import tempfile
import time

from Xlib import X
from Xlib.display import Display

from tools import program
from tools.soak import display

SIZE = (640, 400)
LOOKED_AT = (300, 100, 200, 200)  # screen area that must show an image: x, y, width, height
SETTLE_S = 5


def measure(program, options, lit):
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "reset", "at", "0", "--size", f"{SIZE[0]}x{SIZE[1]}", "--no-ui", "--animate", *options],
            env={**os.environ, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder},
            stderr=subprocess.PIPE,
            text=True,
        )
        while not lit():
            time.sleep(0.05)
        time.sleep(SETTLE_S)
        process.send_signal(signal.SIGUSR1)
        sent = time.monotonic()
        while "was reset" not in process.stderr.readline():
            pass
        told = time.monotonic()
        while lit():
            time.sleep(0.002)
        while not lit():
            time.sleep(0.005)
        print(f"{told - sent:.3f} s to the message, {time.monotonic() - told:.3f} s to the image", flush=True)
        process.terminate()
        process.wait()


def main():
    parser = program.parser(__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=3)
    parser.add_argument("options", nargs="*", help="of satdof, after --")
    parser.add_argument("--program", default=f"{program.SATDOF}_faults", help="satdof_faults")
    given = parser.parse_args()
    with display():
        root = Display().screen().root

        def lit():
            pixels = root.get_image(*LOOKED_AT, X.ZPixmap, 0xFFFFFFFF).data
            return max(pixels[0::4]) > 40

        for _ in range(given.runs):
            measure(given.program, given.options, lit)
