"""Copies the tables of `satdof --formats` into docs/files.md.

scripts/make formats PROGRAM [--check]: --check only compares.
"""

import re
import sys

from tools import program

PAGE = program.ROOT / "docs/files.md"
BLOCK = re.compile(r"(?<=<!-- satdof --formats -->\n\n).*?(?=\n<!-- end of satdof --formats -->)", re.DOTALL)


def main() -> int:
    parser = program.parser(__doc__)
    parser.add_argument("satdof")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = PAGE.read_text()
    tables = program.output([options.satdof, "--formats"])
    changed, count = BLOCK.subn(lambda _: tables, text)
    if count != 1:
        raise RuntimeError(f"{PAGE} has {count} places for the tables")
    if changed == text:
        return 0
    if options.check:
        print(f"{PAGE} differs: scripts/make formats {options.satdof}", file=sys.stderr)
        return 1
    PAGE.write_text(changed)
    return 0
