"""Verifier and exploration work at the same time, until nothing changes (chapter 4 of the paper).

Both work in other processes, whose memory is limited. What the verifier proves is not attacked
from then on; what exploration proves by running all ways, the verifier assumes in the next turn,
and may then prove more. A turn looks only at what the last one has changed.
"""

from __future__ import annotations

import time

from pitviper.base.record import field, replace, struct
from pitviper.base.time_box import left_of
from pitviper.driver.explore.explore import chosen_methods, with_functions
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import DEFAULT_OPTIONS, Verifier, open_verifier
from pitviper.driver.wizard.background import BackgroundExploration, NobodyWatches, WizardWatch
from pitviper.driver.wizard.colours import Knowledge, colours, is_proved, trust_of
from pitviper.engines.explore.search.extensions import Trust
from pitviper.plugins.build import statements_in
from pitviper.plugins.verified_under import can_be_assumed, marking
from pitviper.program.member import Program
from pitviper.program.stmt import Assert
from pitviper.results.exploration import Claim, MethodExploration
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.results.wizard import WizardReport
from pitviper.source.span import Span

TURNS = 8
"""Each turn proves something new; programs that need so many have not been met."""

NOBODY = NobodyWatches()


def run_wizard(
    front: FrontEnd,
    options: ExploreOptions,
    checks: VerifyOptions = DEFAULT_OPTIONS,
    watch: WizardWatch = NOBODY,
) -> WizardReport:
    """The colours of all assertions in methods and functions with a body.

    Marks in the text are looked away from: assertions that stand behind them are proved anew.
    """
    assert front.program is not None
    runnable = with_functions(front, options.methods)
    assert runnable.program is not None
    methods, _ = chosen_methods(runnable.program, options.methods)
    program = marking(front.program, ())
    wizard = _Wizard(program, front, methods, Knowledge(program))
    until = None if checks.timeout is None else time.monotonic() + left_of(checks.timeout)
    background = BackgroundExploration(front, options, watch, until)
    wizard.watch = _Listener(wizard, background, watch)
    turns, interrupted = 0, False
    try:
        how = RunOptions(jobs=1, memory=options.memory << 20)
        with open_verifier(checks, options.library, wizard.watch, how) as verifier:
            while turns < TURNS and wizard.turn(background, verifier, turns + 1):
                turns += 1
                if background.was_late or background.is_gone:
                    break
    except KeyboardInterrupt:
        interrupted = True
        wizard.hear_out(_halted(background))
    finally:
        background.close()
    late = background.was_late
    file, chosen = str(front.source.path), bool(options.methods) or interrupted or late
    report = colours(wizard.known, methods, file, chosen=chosen, turns=turns)
    return replace(report, interrupted=interrupted, late=late)


def _halted(background: BackgroundExploration) -> dict[str, MethodExploration]:
    """What exploration knows so far; a second Ctrl-C ends its processes at once."""
    try:
        return background.halt()
    except BaseException:
        background.kill()
        raise


@struct
class _Wizard:
    """What is known so far, and what is worth another turn."""

    program: Program
    front: FrontEnd
    methods: tuple[str, ...]
    known: Knowledge
    watch: _Listener | None = None
    used: dict[str, tuple[Trust, ...]] = field(default_factory=dict)
    verifying: dict[str, None] = field(default_factory=dict)
    fresh: dict[str, None] = field(default_factory=dict)
    heard: dict[str, MemberOutcome] = field(default_factory=dict)

    def turn(self, background: BackgroundExploration, verifier: Verifier, number: int) -> bool:
        """Let both work on what has changed; False if nothing has."""
        first = number == 1
        methods = self.methods[::-1] if first else self._worth_another_search()
        if not first and not methods and not self.fresh:
            return False
        assert self.watch is not None
        self.watch.watch.turn(number, len(methods))
        self.used.update({m: () if first else self._relevant(m) for m in methods})
        self.verifying = dict.fromkeys(self._members()) if first else self.fresh
        self.fresh = {}
        background.begin(methods)
        if self.verifying:
            self._verify(verifier)
        self._learn(background.finish())
        return True

    def hear_out(self, found: dict[str, MethodExploration]) -> None:
        """Takes what both sides know in the middle of a turn."""
        for name, outcome in self.heard.items():
            self.known.outcomes.setdefault(name, outcome)
            self.known.first.setdefault(name, outcome)
        self._learn(found)

    def _members(self) -> list[str]:
        program = self.program
        return [*program.methods, *program.functions, *program.predicates]

    def _verify(self, verifier: Verifier) -> None:
        """Other methods lose their bodies: what is known about them has not changed."""
        program = marking(self.program, self.known.assumed)
        bodies = {
            name: method if name in self.verifying else replace(method, body=None)
            for name, method in program.methods.items()
        }
        done = verifier.verify(replace(self.front, program=replace(program, methods=bodies)))
        for name, outcome in done.members.items():
            if name in self.verifying:
                self.known.outcomes[name] = outcome
                self.known.first.setdefault(name, outcome)

    def _learn(self, found: dict[str, MethodExploration]) -> None:
        """What exploration proved and the verifier did not is assumed from now on."""
        for name, done in found.items():
            self.known.explored[name] = done
            outcome = self.known.outcomes.get(name)
            trust = None if outcome is None else trust_of(outcome)
            assumable = _assumable(self.program, name)
            for place in done.places:
                key = (name, place.span)
                is_new = place.span in assumable and key not in self.known.assumed
                verified = trust is not None and trust.covers(place.span, place.error)
                if is_new and not verified and is_proved(place, done):
                    self.known.assumed[key] = None
                    self.fresh[name] = None

    def _worth_another_search(self) -> tuple[str, ...]:
        """Open methods for which more was proved than when they were searched."""
        return tuple(
            [
                name
                for name in self.methods
                if (done := self.known.explored.get(name)) is not None
                and done.claim is Claim.OPEN
                and not self._is_verified(name)
                and self._relevant(name) != self.used[name]
            ]
        )

    def _relevant(self, method: str) -> tuple[Trust, ...]:
        done = self.known.explored[method]
        trusts = [
            trust_of(self.known.outcomes[name])
            for name in (method, *done.inlined)
            if name in self.known.outcomes
        ]
        return tuple([trust for trust in trusts if trust is not None])

    def _is_verified(self, name: str) -> bool:
        outcome = self.known.outcomes.get(name)
        return outcome is not None and outcome.verdict is Verdict.VERIFIED


@struct
class _Listener:
    """Hears the verifier, and tells the other side at once what need not be explored."""

    wizard: _Wizard
    background: BackgroundExploration
    watch: WizardWatch

    def started(self, member: str, done: int, total: int) -> None:
        self.watch.started(member, done, total)

    def finished(self, outcome: MemberOutcome) -> None:
        self.watch.finished(outcome)
        if outcome.name not in self.wizard.verifying:
            return
        self.wizard.heard[outcome.name] = outcome
        trust = trust_of(outcome)
        if trust is not None:
            self.background.trust(trust)
        if outcome.verdict is Verdict.VERIFIED:
            self.background.stop(outcome.name)


def _assumable(program: Program, method: str) -> dict[Span, None]:
    found = program.methods.get(method)
    statements = () if found is None or found.body is None else statements_in(found.body)
    return {
        s.assertion.span: None for s in statements if isinstance(s, Assert) and can_be_assumed(s)
    }
