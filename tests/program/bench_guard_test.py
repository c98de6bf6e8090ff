#!/usr/bin/env python3
"""scripts/bench guard on files with known changes."""

import json
import pathlib
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).parents[2] / "scripts/bench"


def run(path: pathlib.Path, gpu: str, times: dict[str, tuple[float, float]]) -> str:
    rows = [
        {"name": f"{name}/iterations:1/manual_time", "real_time": time, "scatter": scatter}
        for name, (time, scatter) in times.items()
    ]
    path.write_text(json.dumps({"context": {"gpu": gpu, "num_cpus": 2}, "benchmarks": rows}))
    return str(path)


def compare(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, BENCH, "guard", *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    base = run(
        out / "a.json", "G", {"steady": (10, 0.01), "noisy": (10, 0.4), "slow": (10, 0.01), "fast": (10, 0)}
    )
    same = run(
        out / "b.json", "G", {"steady": (10.05, 0), "noisy": (11.5, 0.1), "slow": (10.04, 0), "fast": (9, 0)}
    )
    worse = run(
        out / "c.json", "G", {"steady": (10, 0), "noisy": (10, 0), "slow": (10.3, 0.01), "fast": (10, 0)}
    )
    fewer = run(out / "d.json", "G", {"steady": (10, 0)})
    other = run(out / "e.json", "H", {"steady": (10, 0)})

    status, text = compare(base, same)
    assert status == 0, text
    assert "4 rows: 0 slower, 1 faster, 3 within their spread, 0 missing" in text, text
    status, text = compare(base, worse)
    assert status == 1 and "slower  slow" in text and "+3.0 %" in text, text
    assert compare(base, worse, "--least", "5")[0] == 0
    assert compare(base, worse, "--filter", "steady")[0] == 0
    status, text = compare(base, fewer)
    assert status == 1 and "3 missing" in text and "missing noisy" in text, text
    status, text = compare(base, other)
    assert status == 2 and "differ in gpu: G and H" in text, text
    assert compare(base, other, "--other-machine", "--filter", "steady")[0] == 0
    for bad in ("not JSON", "{}", '{"context": {}, "benchmarks": [{"name": "x"}]}'):
        (out / "bad.json").write_text(bad)
        status, text = compare(base, str(out / "bad.json"))
        assert status == 2 and "bad.json" in text, text
