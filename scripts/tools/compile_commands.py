"""Writes one compile command for each source of a configured build: compile_commands.py BUILD FOLDER

Reads BUILD/compile_commands.json, writes FOLDER/compile_commands.json. A source in a unity build gets the command of the joined source.
A source compiled for CUDA and for the emulator gets the command for CUDA. Removes precompiled headers: clang cannot read those of GCC,
and every source includes what it uses.
"""

import json
import pathlib
import re
import sys

build, folder = map(pathlib.Path, sys.argv[1:])
commands: dict[str, dict[str, str]] = {}
entries = json.loads((build / "compile_commands.json").read_text())
for entry in sorted(entries, key=lambda entry: "SATDOF_EMULATED" in entry["command"]):
    file = pathlib.Path(entry["file"])
    if file.name == "cmake_pch.hxx.cxx":
        continue
    sources = re.findall('#include "(.+)"', file.read_text()) if file.parent.name == "Unity" else [str(file)]
    for source in sources:
        command = entry["command"].replace(str(file), source)
        command = re.sub(r"-Winvalid-pch|-include \S+cmake_pch\.hxx", "", command)
        commands.setdefault(source, {**entry, "file": source, "command": command})
folder.mkdir(parents=True, exist_ok=True)
(folder / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=1))
