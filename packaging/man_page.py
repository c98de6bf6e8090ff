#!/usr/bin/env python3
"""Writes the man page from the program's --help: man_page.py PROGRAM FILE.1.gz."""

import gzip
import re
import subprocess
import sys


def answer(program, option):
    return subprocess.run([program, option], check=True, capture_output=True, text=True).stdout


def roff(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped


def page(help_text, version):
    """`help_text`: sections "Name:", options indented by two blanks, their texts continued further right."""
    out = [
        f'.TH SATDOF 1 "" "{version}" "User Commands"',
        ".SH NAME",
        "satdof \\- depth of field by summed\\-area tables, interactive",
        ".SH SYNOPSIS",
        ".B satdof",
        "[\\fIOPTION\\fR]...",
        ".SH DESCRIPTION",
        "Shows a scene with the depth of field of a lens, in a window or, with",
        ".BR \\-\\-headless ,",
        "in image files. Without options it starts with the settings of the last window.",
        ".SH OPTIONS",
    ]
    for line in help_text.splitlines():
        if section := re.fullmatch(r"(\S.*):", line):
            out += [f'.SS "{roff(section[1])}"']
        elif option := re.fullmatch(r"  (-\S.*?)(?:\s{2,}(\S.*))?", line):
            out += [".TP", ".B " + roff(option[1])] + ([roff(option[2])] if option[2] else [])
        elif line.startswith("   ") and line.strip():
            out.append(roff(line.strip()))
    out += [
        ".SH FILES",
        ".I ~/.config/satdof/settings.json",
        "keeps the settings of the last window.",
        ".PP",
        ".I ~/.local/state/satdof/crash\\-*.txt",
        "are reports of crashes, without names and paths.",
        ".SH EXIT STATUS",
        "0: done; 1: failed while running; 2: bad usage.",
    ]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    PROGRAM, PATH = sys.argv[1:3]
    TEXT = page(answer(PROGRAM, "--help"), answer(PROGRAM, "--version").strip())
    with open(PATH, "wb") as file:
        file.write(gzip.compress(TEXT.encode(), mtime=0))
