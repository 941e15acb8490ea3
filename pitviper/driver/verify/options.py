"""What a user can choose about a verification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.record import field, record, replace
from pitviper.checking.options import CheckOptions
from pitviper.engines.symbolic.options import Options as SymbolicOptions
from pitviper.engines.vcg.options import Options as VcgOptions
from pitviper.plugins.options import PluginOptions
from pitviper.solver.limits import ASSERT

if TYPE_CHECKING:
    from pitviper.driver.verify.profiling import Profiler
    from pitviper.languages.registry import Language


_LANGUAGE = CheckOptions()


@record
class VerifyOptions:
    """`errors` is the number of findings told of each member, None for all.

    `select` names the members to verify, with what they depend on; empty for all. `limit` is what
    one proof obligation may cost in solver resources, `timeout` are seconds for everything.
    `join` merges the states at the end of branches. `infer_ghost` tries fold and unfold statements
    where permission is missing. `no_inference` turns that off for languages that leave it to the
    verifier. `backend` is one of `BACKENDS`; with `whole`, vcg asks about all of a member in one
    formula. `cures` are tried, so that advice says what was seen to work.
    """

    check: CheckOptions = _LANGUAGE
    join: bool = True
    infer_ghost: bool = False
    errors: int | None = None
    select: tuple[str, ...] = ()
    limit: int = ASSERT
    timeout: float | None = None
    solver_log: Path | None = None
    backend: str = "symbolic"
    whole: bool = False
    no_inference: bool = False
    cures: bool = False

    def for_language(self, language: Language | None) -> VerifyOptions:
        """The options for programs of a language, which may leave ghost statements out."""
        if language is None or not language.infers_ghosts or self.infer_ghost:
            return self
        return replace(self, infer_ghost=not self.no_inference)

    @property
    def plugins(self) -> PluginOptions:
        return PluginOptions(
            smoke_detection=self.check.smoke_detection,
            termination=self.check.termination,
            respect_function_pre_perm_amounts=self.check.respect_function_perm_amounts,
        )

    @property
    def engine(self) -> EngineOptions:
        amounts = self.check.respect_function_perm_amounts
        vcg = VcgOptions(respect_function_amounts=amounts, whole=self.whole, told=True)
        if self.backend == "both":
            return Both(self.symbolic, vcg)
        return vcg if self.backend == "vcg" else self.symbolic

    @property
    def symbolic(self) -> SymbolicOptions:
        """For those who need symbolic execution, whatever the backend is."""
        return SymbolicOptions(
            respect_function_amounts=self.check.respect_function_perm_amounts,
            join=self.join,
            infer_ghost=self.infer_ghost,
            infer_depth=self.check.infer_depth,
        )


@record
class Both:
    """Two verifiers that know nothing of each other: where they differ, one of them is wrong."""

    symbolic: SymbolicOptions = field(default_factory=SymbolicOptions)
    vcg: VcgOptions = field(default_factory=VcgOptions)


EngineOptions: TypeAlias = SymbolicOptions | VcgOptions | Both

BACKENDS = ("symbolic", "vcg", "both")

__all__ = [
    "ASSERT",
    "BACKENDS",
    "Both",
    "CheckOptions",
    "EngineOptions",
    "RunOptions",
    "SymbolicOptions",
    "VcgOptions",
    "VerifyOptions",
]


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
