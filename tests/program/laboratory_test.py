#!/usr/bin/env python3
"""The laboratory of the headless program.

laboratory_test.py PATH_TO_SATDOF [unittest arguments]
"""

import csv
import json
import os
import pathlib
import signal
import subprocess
import unittest
import xml.etree.ElementTree

import numpy
from headless_program import SATDOF, ProgramTest, pixels


class Laboratory(ProgramTest):
    """--lab and --share."""

    def test_measures_and_converts(self):
        path = self.path("lab.json")
        self.run_ok("--lab", path, "--lab-only", "compaction")
        with open(path) as file:
            results = json.load(file)
        self.assertEqual(["compaction"], [experiment["id"] for experiment in results["experiments"]])
        self.assertIn("--lab-only compaction", results["context"]["command"])
        rows = {row["name"]: row for row in results["rows"]}
        self.assertGreater(rows["compaction/cpu/1024"]["kernelUs"], 0)
        for curve in results["experiments"][0]["curves"]:
            measured = any(name.startswith(f"compaction/{curve['name']}/") for name in rows)
            self.assertTrue(measured or curve.get("note"), curve)

        self.run_ok("--lab", self.path("lab.csv"), "--lab-from", path)
        with open(self.path("lab.csv"), newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(lines))
        for line in lines:
            row = rows[f"{line['experiment']}/{line['curve']}/{line['x']}"]
            self.assertEqual(row["kernelUs"], float(line["kernelUs"]))
        self.run_ok("--lab", self.path("none.csv"), "--lab-from", path, "--lab-only", "scan,sort")
        with open(self.path("none.csv")) as file:
            self.assertEqual(1, len(file.readlines()), "the titles of the columns")
        self.run_ok("--lab", self.path("lab.svg"), "--lab-from", path, "--lab-timed", "kernel")
        texts = [element.text for element in xml.etree.ElementTree.parse(self.path("lab.svg")).iter()]
        self.assertTrue(any(text and text.startswith("cpu-sequential") for text in texts), texts)
        self.run_ok("--lab", self.path("lab.png"), "--lab-from", path)
        self.assertGreater(len(numpy.unique(pixels(self.path("lab.png")).reshape(-1, 3), axis=0)), 5)

    def test_the_plots_of_the_documents_follow_from_their_data(self):
        docs = pathlib.Path(__file__).parents[2] / "docs"
        committed = sorted(docs.glob("lab-*.svg"))
        self.assertTrue(committed)
        for plot in committed:
            experiment = plot.stem.removeprefix("lab-")
            path = self.path("lab.svg")
            data = str(docs / "bench/lab-h100.json")
            self.run_ok("--lab", path, "--lab-from", data, "--lab-only", experiment, "--lab-timed", "kernel")
            drawn = pathlib.Path(path).read_text()
            self.assertTrue(drawn == plot.read_text(), f"{plot.name}: run scripts/bench record h100 --plot")

    def test_share_names_the_machine_and_no_person(self):
        path = self.path("mine.json")
        self.run_ok("--share", path)
        with open(path) as file:
            text = file.read()
        results = json.loads(text)
        for key in ("gpu", "driver", "cpu", "cuda", "os", "version", "commit", "date"):
            self.assertTrue(results["context"][key], key)
        self.assertGreater(len(results["rows"]), 20)
        self.assertEqual(set(), {row["name"] for row in results["rows"] if "kernelUs" not in row})
        for private in (self.folder, os.getcwd(), os.path.expanduser("~") + "/"):
            self.assertNotIn(private, text)

    def test_interrupt_keeps_what_was_measured(self):
        path = self.path("lab.json")
        pathlib.Path(path).write_text("complete results")
        terminal, theirs = os.openpty()  # progress is shown at once on a terminal
        process = subprocess.Popen([SATDOF, "--lab", path], stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        said = b""
        while b": point " not in said:
            said += os.read(terminal, 1000)
        process.send_signal(signal.SIGINT)
        while b"interrupted after" not in said:
            said += os.read(terminal, 1000)
        self.assertEqual(-signal.SIGINT, process.wait(timeout=60))
        os.close(terminal)
        self.assertEqual(pathlib.Path(path).read_text(), "complete results")
        with open(self.path("lab-2.json")) as file:
            results = json.load(file)
        self.assertIn("interrupted", results["context"]["origin"])


if __name__ == "__main__":
    unittest.main()
