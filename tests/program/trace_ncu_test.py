#!/usr/bin/env python3
"""scripts/bench ncu with a fake ncu."""

import json
import pathlib
import stat
import subprocess
import sys
import tempfile

NCU_VERB = [sys.executable, str(pathlib.Path(__file__).parents[2] / "scripts/bench"), "ncu"]
SHARED = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
LOADS, STORES = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st"))

NCU = f"""#!/usr/bin/env python3
import sys
if "scan/broken" in sys.argv:
    sys.exit("no such kernel")
print("==PROF== Connected")
print('"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"')
for launch in 0, 1:
    print(f'"{{launch}}","scanTiles(const T1 *, T1 *)","{SHARED}","","1,000"')
    print(f'"{{launch}}","scanTiles(const T1 *, T1 *)","{LOADS}","sector","30"')
    print(f'"{{launch}}","scanTiles(const T1 *, T1 *)","{STORES}","sector","20"')
"""
SATDOF = """#!/usr/bin/env python3
import pathlib, sys
pathlib.Path(sys.argv[sys.argv.index("--trace") + 1]).write_text(
    'scope,name,sharedPasses,globalSectors\\ntotal,"scan/blelloch",2020,100\\nlaunch,"a<b, c>",1010,50\\nlaunch,"a",1010,50\\n')
"""


def program(path: pathlib.Path, text: str) -> str:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder)
    ncu, satdof = program(out / "ncu", NCU), program(out / "satdof", SATDOF)
    done = subprocess.run(
        [*NCU_VERB, "--bench", "bench", "--satdof", satdof, "--ncu", ncu]
        + ["--kernels", "scan/blelloch,scan/broken", "--elements", "1024", "--out", str(out / "out.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "| `scan/blelloch` | 1024 | 2020 | 2000 | +1.0 % | 100 | 100 | +0.0 % |" in done.stdout, (
        done.stdout
    )
    assert "| `scan/broken` | 1024 | ncu ended with 1: no such kernel |" in done.stdout, done.stdout
    rows = {row["name"]: row for row in json.loads((out / "out.json").read_text())["rows"]}
    assert rows["scan/blelloch/1024"]["measured"] == {
        "launches": 2,
        "sharedPasses": 2000,
        "globalSectors": 100,
    }
    assert rows["scan/blelloch/1024"]["counted"]["launches"] == 2
    assert "no such kernel" in rows["scan/broken/1024"]["error"]
