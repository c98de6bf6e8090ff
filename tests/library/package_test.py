#!/usr/bin/env python3
"""Installs the library of a build into an empty folder, and builds and runs library/example from there.

package_test.py BUILD CXX
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, CXX = sys.argv[1:3]
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "library" / "example"


def mean() -> str:
    values = [(x ^ y) & 255 for y in range(64, 320) for x in range(100, 356)]
    return f"mean {sum(values) / len(values):.3f}\n"


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.prefix = self.folder / "prefix"
        self.run_("cmake", "--install", BUILD, "--prefix", self.prefix, "--component", "library")

    def run_(self, *command, **environment) -> str:
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(0, done.returncode, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_cmake(self):
        build = self.folder / "build"
        self.run_(
            "cmake",
            "-S",
            EXAMPLE,
            "-B",
            build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={CXX}",
        )
        self.run_("cmake", "--build", build)
        self.assertEqual(mean(), self.run_(build / "example"))

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
    def test_pkg_config(self):
        (file,) = self.prefix.rglob("satdof.pc")
        flags = self.run_(
            "pkg-config", "--cflags", "--libs", "satdof", PKG_CONFIG_PATH=str(file.parent)
        ).split()
        program = self.folder / "example"
        self.run_(CXX, "-std=c++20", EXAMPLE / "main.cpp", *flags, "-o", program)
        self.assertEqual(mean(), self.run_(program))

    def test_installs_only_the_library(self):
        files = {
            file.relative_to(self.prefix).as_posix() for file in self.prefix.rglob("*") if file.is_file()
        }
        headers = {file for file in files if file.startswith("include/")}
        self.assertEqual({"include/satdof/cpu.h"}, headers)
        self.assertEqual(1, sum(file.endswith("libsatdof_cpu.a") for file in files))
        self.assertLessEqual(len(files), 8, files)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
