#!/usr/bin/env python3
"""Lists the OpenGL functions that the program calls: gl_calls.py APP_DIR FILE. FILE has X(glClear) for each.

Other names that look alike are left out by the preprocessor: glad defines a macro for each function.
"""

import pathlib
import re
import sys

APP, FILE = map(pathlib.Path, sys.argv[1:3])
names = {name for path in APP.rglob("*.cpp") for name in re.findall(r"\bgl[A-Z]\w+", path.read_text())}
FILE.parent.mkdir(parents=True, exist_ok=True)
FILE.write_text("".join(f"#ifdef {name}\nX({name})\n#endif\n" for name in sorted(names)))
