"""python -m satdof: the program satdof."""

import subprocess
import sys

from ._program import program

if __name__ == "__main__":
    try:
        sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)
    except FileNotFoundError as error:
        sys.exit(f"satdof: {error}")
