"""python -m satdof: the program satdof."""

import os
import subprocess
import sys

from ._program import program

if __name__ == "__main__":
    try:
        command = [program(), *sys.argv[1:]]
        if os.name == "posix":  # signals and the status are those of the program
            os.execvp(command[0], command)
        sys.exit(subprocess.run(command).returncode)
    except FileNotFoundError as error:
        sys.exit(f"satdof: {error}")
