"""The verbs of scripts/bench, quality, soak, fuzz and make. Each verb is main() of a module in this package, or a shell script."""

import importlib
import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def run(doc: str, verbs: dict[str, tuple[str, str]]) -> None:
    """Runs the verb on the command line. `verbs`: by verb, the module or script with its first arguments, and the help text."""
    name, verb = f"scripts/{pathlib.Path(sys.argv[0]).name}", "".join(sys.argv[1:2])
    if verb not in verbs:
        width = max(map(len, verbs))
        lines = [f"  {each:{width}}  {text}" for each, (_, text) in verbs.items()]
        print(f"usage: {name} VERB [ARGUMENT...]\n\n{doc}\n", *lines, sep="\n")
        sys.exit(0 if verb in ("-h", "--help") else 2)
    file, *arguments = [*verbs[verb][0].split(), *sys.argv[2:]]
    if file.endswith(".sh"):
        os.execvp("bash", ["bash", str(FOLDER / file), *arguments])
    sys.argv = [f"{name} {verb}", *arguments]
    try:
        sys.exit(importlib.import_module(f"tools.{file}").main())
    except (RuntimeError, OSError) as error:
        sys.exit(f"{name} {verb}: {error}")
