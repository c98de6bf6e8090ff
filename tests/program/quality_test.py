#!/usr/bin/env python3
"""scripts/quality measure, cameras, photographs and constants on small images: quality_test.py PATH_TO_SATDOF."""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from tools import constants  # noqa: E402

satdof = sys.argv[1]
QUALITY = [sys.executable, str(ROOT / "scripts/quality")]
with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    command = [*QUALITY, "measure", "--satdof", satdof, *"--size 160x90 --samples 16 --frames 1".split()]
    command += ["--techniques", "sharp;box", "--settings", "24 px", "--focus", "near"]
    subprocess.run([*command, "--out", folder, "--json", out / "data.json"], check=True)
    page, found = (out / "quality.md").read_text(), json.loads((out / "quality.json").read_text())
    assert (out / "data.json").read_text() == (out / "quality.json").read_text()

sharp, box = found["rows"]
assert (sharp["technique"], box["technique"]) == ("sharp", "box"), found
assert (sharp["name"], box["name"]) == ("24 px, near/sharp", "24 px, near/box"), found
assert sharp["psnrDb"] + 1 < box["psnrDb"] < box["noiseFloorPsnrDb"], found
assert sharp["ssim"] < box["ssim"] < 1, found
assert all(found["context"].values()) and found["context"]["samples"] == 16, found
assert abs(box["fNumber"] - 0.0025 * 1080 / (2 * 24 * 1.05 * 0.024)) < 1e-4, box
assert f"| box | {box['psnrDb']:.2f} |" in page, page

with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    command = [*QUALITY, "cameras", "--satdof", satdof, "--cameras", "front;close", "--size", "64x36"]
    command += ["--samples", "8", "--frames", "1", "--cache", str(out / "cache"), "--out", folder]
    found = []
    for _ in range(2):
        subprocess.run(command, check=True)
        found.append(json.loads((out / "quality.json").read_text())["rows"])
        cached = sorted((out / "cache").iterdir())
        assert len(cached) == 4, cached
    page = (out / "quality.md").read_text()

assert found[0] == found[1], found
assert [row["name"] for row in found[0]] == [
    "front/no lamps",
    "front/lamps",
    "close/no lamps",
    "close/lamps",
], found
assert all(25 < row["one layer psnrDb"] < 60 and 25 < row["two layers psnrDb"] < 60 for row in found[0]), (
    found
)
worst = min(row["two layers psnrDb"] for row in found[0] if row["lamps"] == "lamps")
assert f" {worst:.2f} |" in page.split("*worst*")[1], page

# An exported scene refocuses as the scene itself does.
with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    command = [*QUALITY, "photographs", "--satdof", satdof, "--cameras", "wide blur", "--size", "192x108"]
    command += ["--samples", "64", "--frames", "1", "--cache", str(out / "cache"), "--out", folder]
    subprocess.run(command, check=True)
    (row,) = json.loads((out / "quality.json").read_text())["rows"]
assert row["name"] == "wide blur" and row["pixels beside edges"] > 100, row
for layers in ("one layer", "two layers"):
    assert abs(row[f"off, {layers} psnrDb"] - row[f"live, {layers} psnrDb"]) < 0.3, row
assert row["off, two layers psnrDb"] > row["off, one layer psnrDb"] + 0.2, row

for name, file in constants.FILES.items():
    constants.multiplied((ROOT / file).read_text(), name, 2.0)
with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    command = [*QUALITY, "constants", "--satdof", satdof, "--cameras", "close", "--size", "64x36"]
    command += ["--samples", "8", "--names", "kNearFromPx;kFillGain", "--factors", "1", "1000"]
    subprocess.run([*command, "--cache", str(out / "cache"), "--out", folder], check=True)
    rows = json.loads((out / "quality.json").read_text())["rows"]
assert [(row["name"], row["lamps"], row["layers"]) for row in rows] == [
    ("kNearFromPx", "no lamps", 2),
    ("kFillGain", "no lamps", 1),
], rows
assert all(row["x1.0 mean dB"] == 0 != row["x1000.0 mean dB"] for row in rows), rows
