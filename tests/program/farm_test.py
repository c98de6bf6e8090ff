#!/usr/bin/env python3
"""Renders a sequence on a local Dask cluster of two workers, one of which is killed: farm_test.py SATDOF SCRIPT.

Compares the frames with those of one long run. Ends with status 77 where Dask is not installed.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from distributed import LocalCluster
except ImportError as missing:
    print(f"skipped: {missing}; install python3-distributed")
    sys.exit(77)

SATDOF, SCRIPT = "", ""  # workers import this file without arguments
FRAMES = 12
OPTIONS = ["--size", "64x36", "--fps", "24", "--animate", "focus=0.5:3", "--lens", "box"]


class Farm(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-farm-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def farm(self, *arguments, options=OPTIONS):
        command = [sys.executable, SCRIPT, "--program", SATDOF, "--frames", str(FRAMES), *arguments]
        return subprocess.Popen(
            [*command, "--sequence", str(self.folder / "a.png"), "--", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def frames(self, stem="a"):
        return {path.name[len(stem) :]: path.read_bytes() for path in self.folder.glob(f"{stem}-*.png")}

    def test_a_killed_worker_and_a_resumed_sequence(self):
        long_run = [SATDOF, "--headless", *OPTIONS, "--frames", str(FRAMES)]
        subprocess.run([*long_run, "--sequence", self.folder / "long.png"], check=True, capture_output=True)
        expected = self.frames("long")
        self.assertEqual(len(expected), FRAMES)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            to_cluster = ["--scheduler", cluster.scheduler_address, "--chunk", "2"]
            farm = self.farm(*to_cluster)
            end = time.monotonic() + 60
            while not self.frames() and time.monotonic() < end and farm.poll() is None:
                time.sleep(0.02)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            out, err = farm.communicate(timeout=120)
            self.assertEqual(farm.returncode, 0, out + err)
            self.assertIn(f"{FRAMES} frames are valid", out)
            self.assertEqual(self.frames(), expected)

            # Damaged, missing and foreign frames are rendered again, the others kept.
            (self.folder / "a-0003.png").write_bytes(expected["-0003.png"][:-100])
            (self.folder / "a-0007.png").unlink()
            shutil.copy(self.folder / "a-0001.png", self.folder / "a-0009.png")
            kept = self.folder / "a-0005.png"
            before = kept.stat().st_mtime_ns
            farm = self.farm(*to_cluster)
            out, err = farm.communicate(timeout=120)
            self.assertEqual(farm.returncode, 0, out + err)
            self.assertIn(f"{FRAMES - 3} of {FRAMES} frames are there", out)
            self.assertEqual(self.frames(), expected)
            self.assertEqual(kept.stat().st_mtime_ns, before)

    def test_a_program_that_refuses_ends_the_farm(self):
        farm = self.farm(options=["--f-number", "0"])
        out, err = farm.communicate(timeout=60)
        self.assertEqual((farm.returncode, out), (1, ""))
        self.assertIn("--f-number", err)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    SATDOF, SCRIPT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    unittest.main()
