#!/usr/bin/env python3
"""scripts/quality.py on a small image: quality_test.py PATH_TO_SATDOF PATH_TO_QUALITY_PY."""
import json
import pathlib
import subprocess
import sys
import tempfile

satdof, script = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    (out / "quality.md").write_text("# Kept\n\n<!-- Below: written by scripts/quality.py -->\nreplaced\n")
    subprocess.run([sys.executable, script, "--satdof", satdof, "--size", "160x90", "--samples", "16", "--frames", "1",
                    "--methods", "sharp;box", "--settings", "24 px", "--focus", "near", "--out", folder], check=True)
    page, found = (out / "quality.md").read_text(), json.loads((out / "quality.json").read_text())

sharp, box = found["rows"]
assert (sharp["technique"], box["technique"]) == ("sharp", "box"), found
assert sharp["psnrDb"] + 1 < box["psnrDb"] < box["noiseFloorPsnrDb"], found
assert sharp["ssim"] < box["ssim"] < 1, found
assert all(found["machine"].values()) and found["samples"] == 16, found
assert abs(box["fNumber"] - 0.0025 * 1080 / (2 * 24 * 1.05 * 0.024)) < 1e-4, box
assert page.startswith("# Kept\n") and "replaced" not in page and f"| box | {box['psnrDb']:.2f} |" in page, page
