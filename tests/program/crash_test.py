#!/usr/bin/env python3
"""The headless program killed by fatal signals, and the reports that it leaves.

crash_test.py PATH_TO_SATDOF [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from headless_program import SATDOF, ProgramTest, run

SECRET = "somebody"  # part of every name and path that the run is given


def has_sanitizer():
    return b"__asan_init" in pathlib.Path(SATDOF).read_bytes()


def functions():
    """{name: (first address, end)} of the program."""
    listing = run(["nm", "-S", "--defined-only", SATDOF], check=True)
    rows = [line.split() for line in listing.stdout.splitlines()]
    return {row[3]: (int(row[0], 16), int(row[0], 16) + int(row[1], 16)) for row in rows if len(row) == 4}


@unittest.skipIf(has_sanitizer(), "the sanitizer handles the signals")
class Crash(ProgramTest):
    def crash(self, number, **environment):
        """Kills a run by a signal while it draws. Returns its status, its output and its crash reports."""
        home = pathlib.Path(self.folder) / SECRET
        home.mkdir(exist_ok=True)
        command = [SATDOF, "--headless", "--size", "16x16", "--teapots", "1", "--frames", "100000"]
        env = {**os.environ, "HOME": str(home), "USER": SECRET, **environment}
        env.pop("XDG_STATE_HOME", None)
        run = subprocess.Popen(
            [*command, "--sequence", str(home / f"{SECRET}.png")],
            cwd=home,
            env={**env, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + 100
        before = len(list(home.glob("*.png")))
        while len(list(home.glob("*.png"))) < before + 3 and time.monotonic() < end:
            time.sleep(0.01)
        run.send_signal(number)
        said = run.communicate(timeout=100)[1]
        return run.returncode, said, home

    def test_a_fatal_signal_leaves_a_report_without_names_and_paths(self):
        names = ["SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"]
        for count, name in enumerate(names, 1):
            number = getattr(signal, name)
            status, said, home = self.crash(number)
            reports = sorted((home / ".local/state/satdof").glob("crash-*.txt"), key=os.path.getmtime)
            with self.subTest(signal=name):
                self.assertEqual(status, -number)
                self.assertEqual(len(reports), count)
                self.assertEqual(
                    said, f"satdof: ended by {name}; report, without names and paths: {reports[-1]}\n"
                )
                text = reports[-1].read_text()
                self.assertRegex(text, r"^satdof \d+\.\d+\.\d+, commit ([0-9a-f]{7}|unknown)")
                self.assertRegex(text, r"\n20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\n")
                self.assertIn(f"\nsignal {number:d} ({name}), sent by another program\n", text)
                self.assertNotIn("/", text)
                self.assertNotIn(SECRET, text)
                self.assertEqual(reports[-1].stat().st_mode & 0o777, 0o600)

    @unittest.skipUnless(shutil.which("nm"), "needs nm")
    def test_the_addresses_are_those_of_the_file(self):
        known = functions()
        _, said, home = self.crash(signal.SIGSEGV)
        [report] = (home / ".local/state/satdof").glob("crash-*.txt")
        calls = [int(text, 16) for text in re.findall(r"^satdof\+0x([0-9a-f]+)$", report.read_text(), re.M)]
        called = [name for name, (first, end) in known.items() if any(first <= each < end for each in calls)]
        self.assertTrue(any("runProgram" in name for name in called), (called, report.read_text()))

    def test_the_folder_can_be_chosen(self):
        state = self.path("state")
        _, said, _ = self.crash(signal.SIGSEGV, XDG_STATE_HOME=state)
        self.assertEqual(len(os.listdir(os.path.join(state, "satdof"))), 1)
        self.assertIn(state, said)


if __name__ == "__main__":
    unittest.main()
