"""Compares Nagini with Silicon and with Pitviper: `python compare.py [FILE...]`, by the same Java.

Prints a line for each program: whether both say the same, word by word, and what where they
do not. Without files, the programs beside it are taken. The exit code counts differences.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nagini_translation import main as nagini
from nagini_translation.lib import config
from nagini_translation.lib.jvmaccess import JVM
from nagini_with_pitviper import Pitviper

OF_SILICON = nagini.Silicon


def said(verifier, path, jvm):
    """What Nagini says of a program with a verifier, its errors in order."""
    modules, program = nagini.translate(str(path), jvm, 8)
    nagini.Silicon = verifier
    answer = nagini.verify(modules, program, str(path), jvm, [])
    first, *errors = answer.to_string(False, False).splitlines()
    return [first, *sorted(errors)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files or sorted((Path(__file__).parent / "programs").glob("*.py"))
    jvm = JVM(config.classpath)
    differing = 0
    for path in files:
        theirs, ours = said(OF_SILICON, path, jvm), said(Pitviper, path, jvm)
        same = theirs == ours
        differing += not same
        print(f"{path.name}: {'the same' if same else 'different'}: {theirs[0]}", flush=True)
        if not same:
            print("  silicon:  " + "\n            ".join(theirs))
            print("  pitviper: " + "\n            ".join(ours), flush=True)
    return differing


if __name__ == "__main__":
    sys.exit(main())
