"""What a worker of the tests does: it says what it was told, dies, or goes on for ever."""

from __future__ import annotations

import json
import os
import signal
import sys


def main() -> None:
    request = json.loads(sys.stdin.readline())
    for word in request["say"]:
        said = {"word": word, "folder": os.getcwd(), "process": os.getpid()}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
    if request.get("then") == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if request.get("then") == "stay":
        signal.pause()
