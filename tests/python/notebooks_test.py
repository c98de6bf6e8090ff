#!/usr/bin/env python3
"""Runs the notebooks of docs/notebooks with the installed package. Exit status 77 without nbclient."""

import pathlib
import sys
import unittest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"

try:
    import nbformat
    from nbclient import NotebookClient
    from satdof._program import program
except ImportError as error:
    print(f"Skipped: {error}")
    sys.exit(77)


class Notebooks(unittest.TestCase):
    def test_run(self):
        names = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
        self.assertEqual(["bank-conflicts", "integral-images", "refocus"], names)
        for name in names:
            with self.subTest(name):
                notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
                nbformat.validate(notebook)
                self.assertTrue(
                    all(cell.get("outputs", []) == [] for cell in notebook.cells), "strip outputs"
                )
                if name == "bank-conflicts":
                    try:
                        program()
                    except FileNotFoundError as error:
                        self.skipTest(str(error))
                NotebookClient(notebook, timeout=600, startup_timeout=600, kernel_name="python3").execute()
                shown = {
                    kind
                    for cell in notebook.cells
                    for out in cell.get("outputs", [])
                    for kind in out.get("data", {})
                }
                self.assertIn("image/svg+xml" if name == "bank-conflicts" else "image/png", shown)


if __name__ == "__main__":
    unittest.main()
