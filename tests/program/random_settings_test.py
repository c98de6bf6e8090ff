#!/usr/bin/env python3
"""satdof_drawer, and scripts/fuzz random-settings on programs with known faults: random_settings_test.py PROGRAM."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve()
FUZZ = pathlib.Path(__file__).resolve().parents[2] / "scripts/fuzz"

# A fake satdof or satdof_drawer, by its name, which draws grey images.
FAKE = """#!{python}
import os, pathlib, sys
fault, lines = os.environ["FAULT"], 0
drawer = pathlib.Path(sys.argv[0]).name == "satdof_drawer"

def draw(arguments):
    width, height = map(int, [b for a, b in zip(arguments, arguments[1:]) if a == "--size"][-1].split("x"))
    grey = 0.0 if "difference" in arguments else 0.5
    if fault == ("leak" if drawer else "fresh"):
        grey += lines + 1
    if fault == "nan":
        grey = float("nan")
    if fault == "error":
        sys.stderr.write("OpenGL 1282: invalid operation\\n")
    if fault == "refuses" and drawer and lines == 3:
        sys.stderr.write("satdof: no\\n")
        return 1
    if fault == "crashes" and drawer and lines == 6:
        os.abort()
    if arguments[-1].endswith(".png"):
        from PIL import Image
        Image.new("RGB", (width, height), (8 * len(arguments[-3]) if fault == "devices" else 5,) * 3).save(arguments[-1])
    else:
        import numpy
        data = numpy.full((height, width, 3), grey, "<f4").tobytes()
        pathlib.Path(arguments[-1]).write_bytes(b"PF\\n%d %d\\n-1.0\\n" % (width, height) + data)
    return 0

if not drawer:
    if sys.argv[1] in ("--help", "--list"):
        os.execv("{program}", sys.argv)
    sys.exit(draw(sys.argv[1:]))
for line in sys.stdin:
    status = draw(line.rstrip("\\n").split("\\t"))
    lines += 1
    print("status", status, flush=True)
"""
# What the script says of each fault.
COMPLAINTS = {
    "": None,
    "crashes": "the process ended with status -6",
    "devices": "devices differ",
    "error": "status 0: OpenGL 1282: invalid operation",
    "fresh": "a new process differs",
    "leak": "the second image differs",
    "nan": "a value is no number",
    "refuses": "the second image is refused otherwise",
}


def check_faults(folder):
    for name in ("satdof", "satdof_drawer"):
        (folder / name).write_text(FAKE.format(python=sys.executable, program=program))
        (folder / name).chmod(0o755)
    for fault, complaint in COMPLAINTS.items():
        done = subprocess.run(
            [sys.executable, FUZZ, "random-settings", folder / "satdof", "3"],
            capture_output=True,
            text=True,
            env={**os.environ, "FAULT": fault, "TMPDIR": str(folder)},
        )
        text = done.stdout + done.stderr
        if complaint is None:
            assert done.returncode == 0 and " 0 failures" in text, text
            assert not list(folder.glob("random-settings-*")), "temporary files are left"
            continue
        assert done.returncode == 1 and complaint in text and "--size" in text, (fault, text)
        drawn = pathlib.Path(re.search("all lines of the process: (.*)", text)[1]).read_text().splitlines()
        assert all(line.startswith("--headless\t") for line in drawn), drawn
        assert fault != "crashes" or len(drawn) == 7, drawn


def check_drawer(folder):
    # This table depends on the mean of its image. The mean of the previous image must not be used.
    image = ["--headless", "--size", "64x48", "--teapots", "2", "--lens", "box", "--f-number", "1"]
    image += ["--table-format", "float32-mean"]
    lines = [
        [*image, "--capture", "first.pfm"],
        [*image, "--teapots", "none"],
        [*image, "--view", "fill"],
        [*image, *"--scene bodies --bodies 20 --lens tent --size 31x9 --capture other.pfm".split()],
        [*image, "--capture", "second.pfm"],
    ]
    done = subprocess.run(
        [program.with_name("satdof_drawer")],
        input="".join("\t".join(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    statuses = re.findall(r"^status (\d)$", done.stdout, re.M)
    assert statuses == ["0", "2", "1", "0", "0"], (statuses, done.stderr)
    assert re.fullmatch("satdof: --teapots none: .*\nsatdof: --view fill needs .*\n", done.stderr), (
        done.stderr
    )
    first, other, second = ((folder / f"{name}.pfm").read_bytes() for name in ("first", "other", "second"))
    assert first == second and first != other


with tempfile.TemporaryDirectory() as made:
    check_drawer(pathlib.Path(made))
    check_faults(pathlib.Path(made))
