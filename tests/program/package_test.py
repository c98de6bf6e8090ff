#!/usr/bin/env python3
"""Makes the packages of a build and uses them: package_test.py BUILD_DIR.

Unpacks the .deb and the tarball into empty folders and starts the program from another one. With SATDOF_TEST_INSTALL=1,
as root, also installs the .deb and removes it.
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
REAL = os.environ.get("SATDOF_TEST_INSTALL") == "1" and os.geteuid() == 0


def run(*command, **keywords):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=200, **keywords
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("cpack", "-B", cls.folder, cwd=BUILD)
        (cls.deb,) = cls.folder.glob("satdof_*.deb")
        (cls.tarball,) = cls.folder.glob("satdof-*.tar.gz")

    def starts(self, program):
        """Runs the program in an empty folder, without environment variables that lead to the build; checks the image."""
        with tempfile.TemporaryDirectory() as elsewhere:
            image = pathlib.Path(elsewhere) / "a.png"
            run(
                program,
                *"--headless --size 64x48 --capture".split(),
                image,
                cwd=elsewhere,
                env={"PATH": "/usr/bin:/bin", "HOME": elsewhere},
            )
            with Image.open(image) as opened:
                self.assertEqual(opened.size, (64, 48))
                self.assertGreater(numpy.asarray(opened.convert("RGB")).std(), 10)

    def test_debian_package(self):
        fields = run("dpkg-deb", "--field", self.deb)
        depends = re.search(r"^Depends: (.*)$", fields, re.M)[1]
        for package in ("libc6", "libegl1", "libgl1-mesa-dri", "fonts-dejavu-core"):
            self.assertIn(package, depends)
        root = self.folder / "root"
        run("dpkg-deb", "--extract", self.deb, root)
        with gzip.open(root / "usr/share/man/man1/satdof.1.gz", "rt") as page:
            self.assertIn("\\-\\-focus X", page.read())
        desktop = (root / "usr/share/applications/satdof.desktop").read_text()
        self.assertIn("\nExec=satdof %F\n", desktop)
        for size in (64, 256):
            with Image.open(root / f"usr/share/icons/hicolor/{size}x{size}/apps/satdof.png") as icon:
                self.assertEqual((icon.size, icon.mode), ((size, size), "RGBA"))
                self.assertGreater(numpy.asarray(icon).std(), 10)
        for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
            font = os.path.join(
                "/usr/share/satdof/fonts", os.readlink(root / "usr/share/satdof/fonts" / name)
            )
            self.assertTrue(os.path.isfile(os.path.normpath(font)), font)
        documents = root / "usr/share/doc/satdof"
        self.assertTrue((documents / "LICENSE").exists())
        self.assertTrue((documents / "copyright").read_text().startswith("Format: https://www.debian.org/"))
        with gzip.open(documents / "changelog.gz", "rt") as changelog:
            self.assertRegex(
                changelog.read(), r"^satdof \(\S+\) \S+; urgency=\S+\n\n  \* .+\n\n -- .+@.+>  \w{3}, "
            )
        self.assertRegex(fields, r"(?m)^Maintainer: .+@(?!localhost)\S+\.\S+>$")
        self.assertRegex(fields, r"(?m)^Description: .+\n \S+", "an extended description")
        metainfo = root / "usr/share/metainfo/org.satdof.satdof.metainfo.xml"
        self.assertIn('<launchable type="desktop-id">satdof.desktop</launchable>', metainfo.read_text())
        for tool in (
            ["appstreamcli", "validate", "--no-net", metainfo],
            ["lintian", "--fail-on", "error,warning", self.deb],
        ):
            if shutil.which(tool[0]):
                run(*tool)
        self.starts(root / "usr/bin/satdof")

    def test_tarball(self):
        run("tar", "-xf", self.tarball, "-C", self.folder)
        (root,) = self.folder.glob("satdof-*/")
        moved = self.folder / "a folder elsewhere"
        root.rename(moved)
        libraries = run("ldd", moved / "bin/satdof")
        self.assertNotIn("not found", libraries)
        own = {path.name for path in (moved / "lib/satdof").iterdir()}
        self.assertTrue(own)
        for name in own:
            if name in libraries:
                self.assertIn(str(moved), re.search(rf"{re.escape(name)} => (.*) \(", libraries)[1])
        self.starts(moved / "bin/satdof")

    @unittest.skipUnless(REAL, "SATDOF_TEST_INSTALL is not 1, or not root")
    def test_install_and_remove(self):
        run("dpkg", "--install", self.deb)
        try:
            self.starts("/usr/bin/satdof")
            self.assertTrue(pathlib.Path("/usr/share/applications/satdof.desktop").exists())
        finally:
            run("dpkg", "--purge", "satdof")
        for path in ("/usr/bin/satdof", "/usr/share/satdof", "/usr/share/doc/satdof"):
            self.assertFalse(pathlib.Path(path).exists(), path)


if __name__ == "__main__":
    if not all(map(shutil.which, ("cpack", "dpkg-deb", "dpkg-shlibdeps"))):
        print("Skipped: no cpack, dpkg-deb or dpkg-shlibdeps")
        sys.exit(77)
    unittest.main()
