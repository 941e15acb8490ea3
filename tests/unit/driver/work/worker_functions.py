"""What worker processes do in tests: behave well, hang, die."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from pitviper.driver.suite.programs import SuiteOptions
from pitviper.results.annotations import Output
from pitviper.results.suite import EngineRun
from pitviper.results.verdict import Verdict
from pitviper.source.reading import Decoded


def act(task: str) -> str:
    match task:
        case "hang" | "killed" | "fault":
            if task != "hang":  # the signal may come to another thread, later
                os.kill(os.getpid(), signal.SIGKILL if task == "killed" else signal.SIGTRAP)
            while True:
                time.sleep(0.01)
        case "die":
            os._exit(7)
        case "unreachable":  # what Z3 does where one of its assertions is wrong
            os._exit(114)
        case "raise":
            raise ValueError("as asked")
        case _:
            return task.upper()


def named_engine(file: Path | Decoded, options: SuiteOptions) -> EngineRun:
    """What happens is in the name of the file."""
    path = file if isinstance(file, Path) else file.source.path
    said = act(path.stem)
    outputs = (Output("parser.error", 1),) if said == "REJECTED" else ()
    return EngineRun(outputs, Verdict.REJECTED if outputs else Verdict.VERIFIED)
