"""Options of Silicon, Carbon and ViperServer: honoured, or accepted with a note about them.

Whoever has a command line for one of them can use it here. An option that means something here as
well is translated; one that steers the search of another verifier, or its machinery, is taken away
and a line says why it has no effect. Options that nobody knows stay, and are refused.
"""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import record

Words = list[str]


@record
class Foreign:
    """`becomes` are our words for the option with its value; `note` is what the user is told."""

    takes_value: bool = False
    becomes: Callable[[str], Words] = lambda value: []
    note: str = ""


def _flags(note: str, names: str) -> dict[str, Foreign]:
    return {f"--{name}": Foreign(note=note) for name in names.split()}


def _valued(note: str, names: str) -> dict[str, Foreign]:
    return {f"--{name}": Foreign(takes_value=True, note=note) for name in names.split()}


def _errors(value: str) -> Words:
    return ["--errors", "all" if value == "0" else value]


def _jobs(value: str) -> Words:
    return [] if value == "0" else ["--jobs", value]


SEARCH = "it steers the search of another verifier"
SOLVER = "the solver is a library, with options of our own"
LOGS = "logs are made by --solver-log, --profile and --debug"
PLUGINS = "plugins are built in, and used by programs that have something for them"
MACHINERY = "nothing here works like that"
AXIOMS = "axioms of collections are built in"
INJECTIVE = "that different values denote different locations is always checked"
BOOGIE = "nothing is given to Boogie; --emit boogie FILE.bpl writes a program for it"
ALL_MEMBERS = "all members are verified; --select chooses some"

OPTIONS: dict[str, Foreign] = {
    "--numberOfParallelVerifiers": Foreign(takes_value=True, becomes=_jobs),
    "--numberOfErrorsToReport": Foreign(
        takes_value=True, becomes=_errors, note="so many errors are shown for each member"
    ),
    "--disableCaching": Foreign(becomes=lambda value: ["--cache", "off"]),
    "--z3LogFile": Foreign(takes_value=True, becomes=lambda value: ["--solver-log", value]),
    "--proverLogFile": Foreign(takes_value=True, becomes=lambda value: ["--solver-log", value]),
    "--proverLog": Foreign(takes_value=True, becomes=lambda value: ["--solver-log", value]),
    **_flags(INJECTIVE, "assumeInjectivityOnInhale"),
    **_valued(
        SOLVER,
        "z3Exe cvc5Exe prover proverArgs z3Args proverConfigArgs z3ConfigArgs"
        " proverResourcesPerMillisecond z3ResourcesPerMillisecond proverSaturationTimeout"
        " z3SaturationTimeout proverSaturationTimeoutWeights z3SaturationTimeoutWeights"
        " cvc5ResourcesPerMillisecond",
    ),
    **_flags(
        SOLVER,
        "proverEnableResourceBounds z3EnableResourceBounds proverRandomizeSeeds z3RandomizeSeeds"
        " proverEnableTimeBounds disableNL",
    ),
    **_valued(
        SEARCH,
        "exhaleMode moreJoins stateConsolidationMode checkTimeout qpSplitTimeout pushTimeout"
        " assertionMode recursivePredicateUnfoldings maxHeuristicsDepth heapModel",
    ),
    **_flags(
        SEARCH,
        "enableMoreCompleteExhale conditionalizePermissions alternativeFunctionVerificationOrder"
        " disableChunkOrderHeuristics disableFunctionUnfoldTrigger disableHavocHack407"
        " disableISCTriggers disableInfeasibilityChecks disableMostStateConsolidations"
        " disableShortCircuitingEvaluations disableSubsumption disableValueMapCaching"
        " disableCaches enablePredicateTriggersOnInhale enableSimplifiedUnfolds"
        " handlePureConjunctsIndividually unsafeWildcardOptimization useFlyweight"
        " parallelizeBranches carbonQPs disableAllocEncoding",
    ),
    **_valued(
        AXIOMS,
        "setAxiomatizationFile multisetAxiomatizationFile sequenceAxiomatizationFile"
        " mapAxiomatizationFile",
    ),
    **_flags(AXIOMS, "useOldAxiomatization"),
    **_valued(LOGS, "logLevel logConfig logFile tempDirectory"),
    **_flags(
        LOGS,
        "disableTempDirectory enableTempDirectory printMethodCFGs printTranslatedProgram"
        " reportReasonUnknown enableBranchconditionReporting reportPartialResults writeTraceFile",
    ),
    **_valued(PLUGINS, "plugin"),
    **_flags(
        PLUGINS,
        "disableDefaultPlugins disableAdtPlugin disableRefutePlugin disablePredicateInstancePlugin"
        " disableReasoningPlugin",
    ),
    **_valued(BOOGIE, "boogieExe boogieOpt print"),
    **_flags(BOOGIE, "desugarPolymorphicMaps"),
    **_valued(ALL_MEMBERS, "includeMethods excludeMethods"),
    **_valued(MACHINERY, "config cacheFile"),
    **_flags(
        MACHINERY,
        "ideMode ideModeAdvanced disableCatchingExceptions enableDebugging copyright ignoreFile"
        " dependencies disableVersionPrinting backendSpecificCache submitForEvaluation",
    ),
}


def translated(argv: Words) -> tuple[Words, list[str]]:
    """The words with ours in the place of foreign ones, and what is to be said about these."""
    words: Words = []
    notes: dict[str, None] = {}
    rest = iter(argv)
    for word in rest:
        name, given, value = word.partition("=")
        option = OPTIONS.get(name)
        if option is None:
            words.append(word)
            continue
        if option.takes_value and not given:
            value = next(rest, "")
        ours = option.becomes(value)
        words += ours
        if option.note and ours:
            notes[f"{name} is read as {' '.join(ours)}: {option.note}"] = None
        elif option.note:
            notes[f"{name} has no effect here: {option.note}"] = None
    return words, list(notes)
