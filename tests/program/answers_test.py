#!/usr/bin/env python3
"""Output of the headless program about itself: help, version, lists.

answers_test.py PATH_TO_SATDOF [unittest arguments]
"""

import pathlib
import unittest

from headless_program import CAN, ProgramTest, start


class Answers(ProgramTest):
    def test_list_names_everything(self):
        self.assertEqual(
            set(CAN),
            {
                *"device dialog scan compaction sort table-format lens lens-on lens-preset".split(),
                *"scene solver traversal initial filter-variant filter-form experiment format".split(),
                *"kernel what-if view".split(),
            },
        )
        for kind in ("table-format", "lens", "scene", "initial", "view"):
            self.assertTrue(CAN[kind])
        for name in ("auto", "cpu", "cpu-sequential"):
            self.assertIn(name, CAN["device"])
        kernels_run = bool({"cuda", "cuda-emulated"} & set(CAN["device"]))
        self.assertEqual(bool(CAN["scan"]), kernels_run)
        for name in ("auto", "cpu-loop", "cpu", "cpu-tree", "gl-compute"):
            self.assertIn(name, CAN["solver"])
        self.assertEqual(bool(CAN["traversal"]), kernels_run)

    def test_the_page_has_the_tables_of_formats(self):
        done = start("--formats")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/files.md").read_text()
        self.assertIn(done.stdout, page, "scripts/make formats PROGRAM renews it")
        rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        for extension in ("`.png`", "`.jpg`", "`.tif`", "`.glb`", "`.obj`", "`KHR_texture_transform`"):
            self.assertTrue(any(extension in row for row in rows), extension)
        for row in rows:
            self.assertIn(row.count("|"), (4, 6, 7), row)

    def test_help_and_version(self):
        done = start("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("store none", " ".join(done.stdout.split()))
        for option in (
            *"--headless --size --frames --capture --stats --device --scan --table-format".split(),
            *"--lens --focus --f-number --focal-length --view --settings --list --formats".split(),
            *"--gl-debug --version".split(),
        ):
            self.assertIn(option + " ", done.stdout)
        done = start("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^satdof \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
