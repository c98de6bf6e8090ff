#!/usr/bin/env python3
"""scripts/bench counters on fake programs, and twice on the real one: kernel_counters_test.py [SATDOF]."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

COUNTERS = [sys.executable, str(pathlib.Path(__file__).parents[2] / "scripts/bench"), "counters"]
COLUMNS = "sharedAccesses,sharedPasses,globalAccesses,globalSectors,atomics,laneExchanges,barriers,depth"

SATDOF = f"""#!{sys.executable}
import pathlib, sys
if sys.argv[1] == "--list":
    print("device      cpu                  available - all cores")
    for name in "scan/one", "table/two":
        print("kernel      " + name + "             available - a kernel")
else:
    if "scan/broken" in sys.argv:
        print("fault: hazard: thread 1 reads")
    pathlib.Path(sys.argv[sys.argv.index("--trace") + 1]).write_text(
        'scope,name,{COLUMNS}\\ntotal,"k",1000,2000,10,40,0,5,7,90\\nlaunch,"a<b, c>",500,1000,5,20,0,5,7,90\\n'
        'launch,"a<b, c>",500,1000,5,20,0,0,0,0\\n')
"""
# Writes a profile in which each function of the script is called twice, for 1000 instructions together.
VALGRIND = f"""#!{sys.executable}
import os, pathlib, sys
if sys.argv[1] == "--version":
    sys.exit(print("valgrind-" + os.environ.get("VALGRIND", "1")))
names = os.environ["FUNCTIONS"].split(";")
(out,) = (a.partition("=")[2] for a in sys.argv if a.startswith("--callgrind-out-file="))
pathlib.Path(out).write_text("fn=main\\n1 5\\n" + "".join(f"cfn={{n}}(int)\\ncalls=2 0 \\n7 1000\\n8 3\\n" for n in names))
"""
FUNCTIONS = [
    *"satdof::ThreadPool::drain satdof::decodePng satdof::parseObj".split(),
    "std::_Function_handler<void (int), satdof::CpuTableBuilder::run<satdof::(anonymous namespace)::A>(x)>::_M_invoke",
    "void satdof::scanSequential<unsigned int>",
    "satdof::compactSequential",
    "void satdof::convolveSequential<int>",
]


def program(path: pathlib.Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    satdof, record = program(folder / "satdof", SATDOF), folder / "record.json"
    program(folder / "valgrind", VALGRIND)
    path = f"{folder}:{os.environ['PATH']}"

    def run(*arguments: str, satdof: str = satdof, **environment: str) -> tuple[int, str]:
        env = {**os.environ, "PATH": path, "FUNCTIONS": ";".join(FUNCTIONS), **environment}
        done = subprocess.run([*COUNTERS, satdof, *arguments], capture_output=True, text=True, env=env)
        return done.returncode, done.stdout + done.stderr

    def check(*arguments: str, **environment: str) -> tuple[int, str]:
        return run("--check", str(record), *arguments, **environment)

    def change(row: str, **counts: float) -> None:
        """Multiplies counts of the stored record, or removes the row."""
        document = json.loads(stored)
        for entry in document["rows"]:
            if entry["name"] == row:
                for key, factor in counts.items():
                    entry[key] = round(entry[key] * factor)
        if not counts:
            document["rows"] = [entry for entry in document["rows"] if entry["name"] != row]
        record.write_text(json.dumps(document))

    status, text = check()
    assert status == 1 and "cannot read the record" in text, text
    status, text = run("--renew", str(record))
    assert (status, text) == (0, ""), text
    stored = record.read_text()
    rows = {row["name"]: row for row in json.loads(stored)["rows"]}
    assert len(rows) == 6 + 8, rows
    assert rows["scan/one/256"]["launches"] == 2 and rows["scan/one/256"]["sharedPasses"] == 2000, rows
    assert rows["processor/png"]["instructions"] == 1000 and rows["processor/scan"]["instructions"] == 500, (
        rows
    )
    status, text = check()
    assert status == 0 and "14 rows: 0 findings, 0 counts below" in text, text

    # The program counts 3 % more than the record, 1 % more, 3 % less, and 5 where the record has 0.
    change("scan/one/256", sharedPasses=1 / 1.03)
    status, text = check("--of", "kernels")
    assert status == 1 and "scan/one/256: sharedPasses 1942 -> 2000 (+3.0 %)\n" in text, text
    assert "6 rows: 1 findings" in text and "--renew" in text, text
    change("scan/one/256", sharedPasses=1 / 1.01)
    status, text = check("--of", "kernels")
    assert status == 0 and "sharedPasses" not in text and "--renew" not in text, text
    change("scan/one/256", sharedPasses=1 / 0.97)
    status, text = check("--of", "kernels")
    assert status == 0 and "fell: scan/one/256: sharedPasses 2062 -> 2000 (-3.0 %)\n" in text, text
    assert "--renew" in text, text
    change("table/two/3249", laneExchanges=0)
    status, text = check("--of", "kernels")
    assert status == 1 and "table/two/3249: laneExchanges 0 -> 5 (new)\n" in text, text
    change("table/two/16384")
    status, text = check("--of", "kernels")
    assert status == 1 and "table/two/16384: not in the record\n" in text, text

    change("processor/obj", instructions=1 / 1.03)
    status, text = check("--of", "processor")
    assert status == 1 and "processor/obj: instructions 971 -> 1000 (+3.0 %)\n" in text, text
    assert check("--of", "kernels")[0] == 0
    status, text = check("--of", "processor", VALGRIND="2")
    assert status == 77 and "SKIPPED" in text and "valgrind-1" in text and "valgrind-2" in text, text
    status, text = check(VALGRIND="2")
    assert status == 0 and "SKIPPED" in text and "6 rows: 0" in text, text
    status, text = check("--of", "processor", FUNCTIONS=";".join(FUNCTIONS[1:]))
    assert status == 1 and "callgrind saw no call of satdof::ThreadPool::drain" in text, text

    # Rows that are not counted stay.
    record.write_text(stored)
    assert run("--renew", str(record), "--of", "kernels", VALGRIND="2")[0] == 0
    assert (
        json.loads(record.read_text())["context"]["processor"] == json.loads(stored)["context"]["processor"]
    )
    assert check()[0] == 0

    status, text = check("--of", "kernels", "--kernels", "scan/broken")
    assert status == 1 and "scan/broken, 256 elements: fault: hazard" in text, text
    program(
        folder / "satdof", SATDOF.replace("available - a kernel", "not available: no emulator - a kernel")
    )
    status, text = check("--of", "kernels")
    assert status == 1 and "scan/one: not available: no emulator" in text, text

    if len(sys.argv) > 1:
        for out in "a.json", "b.json":
            options = ["--of", "kernels", "--kernels", "scan/decoupled-lookback"]
            status, text = run("--renew", str(folder / out), *options, satdof=sys.argv[1])
            assert status == 0, text
        a, b = ((folder / out).read_text() for out in ("a.json", "b.json"))
        assert a == b and '"scan/decoupled-lookback/3001", "sharedAccesses"' in a, (a, b)
