#!/usr/bin/env python3
"""Checks the protections in the program: hardening_test.py READELF PROGRAM LIBRARY.

PROGRAM is satdof; LIBRARY is a static library of its own code, whose objects tell how they were compiled.
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import unittest

READELF, PROGRAM, LIBRARY = sys.argv[1:4]
SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent


def readelf(*arguments):
    return subprocess.run([READELF, "-W", *arguments], check=True, capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def test_addresses_are_random(self):
        self.assertRegex(readelf("-h", PROGRAM), r"Type:\s+DYN")

    def test_function_addresses_are_read_only(self):
        self.assertIn("GNU_RELRO", readelf("-l", PROGRAM))
        self.assertRegex(readelf("-d", PROGRAM), r"BIND_NOW|Flags:.*\bNOW\b")

    def test_libraries_come_from_no_writable_folder(self):
        paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", readelf("-d", PROGRAM))
        self.assertEqual(paths, ["$ORIGIN/../lib/satdof"])

    def test_no_path_tells_who_built_it(self):
        for file in (PROGRAM, LIBRARY):
            text = pathlib.Path(file).read_bytes()
            self.assertFalse(os.fsencode(SOURCE_DIR) + b"/" in text, file)

    def test_the_stack_is_no_code(self):
        self.assertRegex(readelf("-l", PROGRAM), r"GNU_STACK\s.*\sRW\s")

    def test_the_stack_is_checked(self):
        self.assertIn("__stack_chk_fail", readelf("--dyn-syms", PROGRAM))
        self.assertIn("__stack_chk_fail", readelf("-s", LIBRARY))

    def test_buffers_are_checked(self):
        self.assertTrue(re.search(r"\b__\w+_chk@", readelf("--dyn-syms", PROGRAM)))

    @unittest.skipUnless(platform.machine() == "x86_64", "a protection of x86 processors")
    def test_indirect_jumps_have_marked_targets(self):
        objects = readelf("-n", LIBRARY).split("\nFile: ")[1:]
        self.assertGreater(len(objects), 3)
        for text in objects:
            self.assertRegex(text, r"IBT, SHSTK", text.split("\n")[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
