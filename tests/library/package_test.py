#!/usr/bin/env python3
"""Installs the library of a build into an empty folder, and builds and runs library/example from there.

package_test.py BUILD CXX NM
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, CXX, NM = sys.argv[1:4]
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

    def libraries(self) -> set[str]:
        """cpu, lens, and cuda and lens_cuda if they were built."""
        return {"cpu", "lens"} | {
            file.stem.removeprefix("libsatdof_") for file in self.prefix.rglob("libsatdof_*cuda.a")
        }

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
        self.assertEqual(mean(), self.run_(build / "mean"))
        self.assertTrue((build / "refocus").exists())
        for name, library in (("mean_cuda", "cuda"), ("refocus_cuda", "lens_cuda")):
            self.assertEqual(library in self.libraries(), (build / name).exists())

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
    def test_pkg_config(self):
        (file,) = self.prefix.rglob("satdof.pc")
        flags = self.run_(
            "pkg-config", "--cflags", "--libs", "satdof", PKG_CONFIG_PATH=str(file.parent)
        ).split()
        program = self.folder / "example"
        self.run_(CXX, "-std=c++20", EXAMPLE / "mean.cpp", *flags, "-o", program)
        self.assertEqual(mean(), self.run_(program))
        if "cuda" in self.libraries():
            self.run_("pkg-config", "--libs", "satdof-cuda", PKG_CONFIG_PATH=str(file.parent))

    def test_installs_only_the_library(self):
        files = {
            file.relative_to(self.prefix).as_posix() for file in self.prefix.rglob("*") if file.is_file()
        }
        headers = {file for file in files if file.startswith("include/")}
        names = self.libraries()
        self.assertEqual({f"include/satdof/{name}.h" for name in names}, headers)
        for name in names:
            self.assertEqual(1, sum(file.endswith(f"libsatdof_{name}.a") for file in files))
        self.assertLessEqual(len(files), 5 * len(names), files)

    def test_defines_the_listed_functions(self):
        text = "".join(header.read_text() for header in self.prefix.rglob("*.h"))
        names = set(re.findall(r"^(?:[\w:<>]+ |class )(\w+)(?:\(| {)", text, re.MULTILINE))
        found = set()
        for library in self.prefix.rglob("*.a"):
            for line in self.run_(NM, "--demangle", "--defined-only", "--extern-only", library).splitlines():
                symbol = re.match(
                    r"\w{16} [TW] (?:[\w:]+ )?(satdof::(?:cpu|lens|cuda)::(\w+)(?:[<(]|::)(?!.*\bState\b).*)",
                    line,
                )
                if symbol and symbol[2] in names:
                    found.add(symbol[1])
        listed = (EXAMPLE.parent / "symbols.txt").read_text().splitlines()
        if "cuda" not in self.libraries():
            listed = [name for name in listed if not name.startswith("satdof::cuda::")]
        self.assertEqual(listed, sorted(found))

    @unittest.skipUnless(
        all(map(shutil.which, ("cpack", "dpkg-deb")))
        and (pathlib.Path(BUILD) / "CPackLibrary.cmake").exists(),
        "no cpack, no dpkg-deb, or a build without the program",
    )
    def test_debian_package(self):
        self.run_("cpack", "--config", pathlib.Path(BUILD) / "CPackLibrary.cmake", "-B", self.folder)
        (package,) = self.folder.glob("libsatdof-dev_*.deb")
        self.assertIn("\nSection: libdevel\n", self.run_("dpkg-deb", "--field", package))
        self.run_("dpkg-deb", "--extract", package, self.folder / "root")
        files = {
            file.relative_to(self.folder / "root/usr").as_posix()
            for file in (self.folder / "root").rglob("*.*")
        }
        for name in ("include/satdof/lens.h", "share/doc/libsatdof-dev/changelog.gz"):
            self.assertIn(name, files)
        for name in ("libsatdof_lens.a", "satdof.pc", "satdofConfig.cmake"):
            self.assertEqual(1, sum(file.endswith(name) for file in files), name)
        if shutil.which("lintian"):
            self.run_("lintian", "--fail-on", "error,warning", package)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
