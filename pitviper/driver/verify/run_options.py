"""How members are verified: where, by how many, and what is remembered. No answer depends on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.record import record

if TYPE_CHECKING:
    from pitviper.driver.verify.profiling import Profiler


@record
class RunOptions:
    """`jobs` worker processes take over where members take long; None: all in this process.

    `memory` is what one of them may use, in bytes. `cache` is the folder of the answers of earlier
    runs, `cluster` the address of a Dask scheduler that has the workers instead.
    A `profiler` takes notes of what is verified in this process.
    """

    jobs: int | None = None
    memory: int | None = None
    cache: Path | None = None
    cluster: str | None = None
    profiler: Profiler | None = None
