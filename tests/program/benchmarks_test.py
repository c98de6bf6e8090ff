#!/usr/bin/env python3
"""Benchmarks of the headless program.

benchmarks_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import re
import unittest

from headless_program import CAN, SIZE, ProgramTest


class Benchmarks(ProgramTest):
    def test_every_available_technique_and_the_copy(self):
        path = self.path("benchmark.json")
        done = self.draw("--benchmark", path, "--gl-debug")
        with open(path) as file:
            result = json.load(file)
        self.assertEqual(list(result), ["machine", "size", "copyUs", "techniques"])
        self.assertEqual(set(result["machine"]), {"gpu", "driver", "gl", "cpu"})
        self.assertEqual(result["size"], "%dx%d" % SIZE)
        self.assertGreater(result["copyUs"], 0)
        expected = [device for device in CAN["device"] if device not in ("auto", "cuda", "cuda-emulated")]
        if "cuda" in CAN["device"]:
            expected += ["cuda " + scan for scan in CAN["scan"]]
        techniques = result["techniques"]
        self.assertEqual(sorted(technique["name"] for technique in techniques), sorted(expected))
        self.assertEqual(
            [technique["timeUs"] for technique in techniques],
            sorted(technique["timeUs"] for technique in techniques),
        )
        for technique in techniques:
            scan = {"scan"} if technique["device"] == "cuda" else set()
            self.assertEqual(set(technique), {"name", "device", "timeUs", "ratio", "stages"} | scan)
            self.assertEqual(
                technique["name"], " ".join([technique["device"]] + [technique[key] for key in scan])
            )
            self.assertGreater(technique["timeUs"], 0)
            self.assertAlmostEqual(
                technique["ratio"],
                technique["timeUs"] / result["copyUs"],
                delta=0.01 + 0.01 * technique["ratio"],
            )
            for stage in technique["stages"]:
                self.assertEqual(set(stage), {"name", "clock", "medianUs"})
            self.assertAlmostEqual(
                sum(stage["medianUs"] for stage in technique["stages"]),
                technique["timeUs"],
                delta=0.01 * (1 + len(technique["stages"])),
            )
        table = done.stdout.splitlines()[1:]
        self.assertEqual(
            [re.split("  +", line)[0] for line in table],
            ["copy"] + [technique["name"] for technique in techniques],
        )


if __name__ == "__main__":
    unittest.main()
