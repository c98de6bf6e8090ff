#!/usr/bin/env python3
"""Lists the CUDA runtime functions that libraries call: calls.py NM CALLS WRAPS LIBRARY...

CALLS has X(cudaMalloc) for each; WRAPS has the option --wrap=cudaMalloc of the linker for each. The functions that nvcc calls
at the start of a program and around a launch are left out; the launch itself is not.
"""

import pathlib
import re
import subprocess
import sys

nm, calls, wraps, *libraries = sys.argv[1:]
symbols = subprocess.run([nm, "-u", *libraries], capture_output=True, text=True, check=True).stdout
names = sorted(set(re.findall(r"^ +U (cuda[A-Z]\w*|__cudaLaunchKernel)$", symbols, re.MULTILINE)))
pathlib.Path(calls).write_text("".join(f"X({name})\n" for name in names))
pathlib.Path(wraps).write_text("".join(f"--wrap={name}\n" for name in names))
