"""Answers about the inside of a proof: its steps, their states, instances, the proof debugger."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import islice

from pitviper.base.record import replace, struct
from pitviper.base.usage_error import UsageError
from pitviper.counterexample.question import Question
from pitviper.driver.counterexample.retelling import retold
from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.driver.debug.states import LookedAt, RecordedProgram, record_program
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.counterexample import NoCounterexample, Result
from pitviper.results.debugging import CounterexampleReply, Reply
from pitviper.results.heap_graph import graph_of
from pitviper.results.symbolic_states import RecordedStep
from pitviper.servers.web.messages import Data
from pitviper.servers.web.plain import Plainly
from pitviper.servers.web.worker import Say, Session
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import LIGHT, dot_text, svg_in_themes

MOST_INSTANCES = 24
MOST_OBJECTS = 12


@struct
class Kept:
    """The recorded program of a session, the instances found so far, and the debugger."""

    front: FrontEnd
    program: RecordedProgram
    plainly: Plainly
    options: VerifyOptions
    found: dict[object, tuple[list[Result], Iterator[Result]]]
    debugger: DebugSession | None = None


def record(session: Session, request: Data, _: Say) -> Data:
    """Verifies a text with a recorder and keeps all of it; gives the members."""
    session.kept.pop("program", None)  # that of another text
    gc.unfreeze()
    path, seconds = session.path_of(request), request.get("seconds")
    limit = seconds - 1 if isinstance(seconds, int | float) and seconds > 2 else None
    options = VerifyOptions(timeout=limit)
    front = completed(load_text(str(request["text"]), str(path)), options)
    plainly = Plainly(path)
    program = record_program(front, options)
    gc.collect()
    gc.freeze()  # it stays until another text is recorded: looking for garbage in it takes long
    session.kept["program"] = Kept(front, program, plainly, options, {})
    return {"members": plainly.value(program.members())}


def steps(session: Session, request: Data, _: Say) -> Data:
    """All steps of a member, in short form: the page has to be told thousands."""
    kept, member = _member(session, request)
    return {"steps": [_step(step, kept.plainly) for step in member.steps()]}


def _step(step: RecordedStep, plainly: Plainly) -> Data:
    place = plainly.place(step.span)
    return {
        "n": step.number,
        "in": step.parent,
        "rule": step.rule,
        "text": step.text[:200],
        "place": place,
        "ended": step.ended,
        "wrong": step.wrong,
        "state": step.has_state,
        "sides": list(step.sides),
        "way": step.way,
    }


def state(session: Session, request: Data, _: Say) -> Data:
    """The state before a step."""
    kept, member = _member(session, request)
    found = member.state(_number(request, "step"))
    return {"state": kept.plainly.value(found)}


def path(session: Session, request: Data, _: Say) -> Data:
    """The way through the program to a failed check."""
    kept, member = _member(session, request)
    points = member.path(_number(request, "failure"))
    return {"points": kept.plainly.value(points)}


# ---------------------------------------------------------------- instances


def instance(session: Session, request: Data, _: Say) -> Data:
    """The instance with a number, of a failed check or of the state before a step."""
    kept, where = kept_in(session), _lines(request, "where")
    number = min(_number(request, "number"), MOST_INSTANCES)
    objects = max(1, min(_number(request, "objects"), MOST_OBJECTS))
    name = str(request["member"])
    key = (name, request.get("step"), request.get("failure"), objects, where)
    if key not in kept.found:
        member = kept.program.member(name, where)
        question = _question(member, request)
        kept.found[key] = [], member.instances(question, objects, MOST_INSTANCES)
    known, more = kept.found[key]
    known.extend(islice(more, max(0, number + 1 - len(known))))
    if not known:
        raise UsageError("there is no instance")
    at = min(number, len(known) - 1)
    told = retold(known[at], kept.front.types) if kept.front.types else known[at]
    data = instance_data(told, kept.plainly, _lines(request, "folded"))
    return {**data, "last": number >= len(known)}


def first_instance(member: LookedAt, question: Question, objects: int) -> Result:
    """Returns an instance of a state, or why there is none."""
    found = next(member.instances(question, objects, 1), None)
    if found is None:
        raise UsageError("there is no instance")
    return found


def instance_data(result: Result, plainly: Plainly, folded: tuple[str, ...] = ()) -> Data:
    """An instance with its pictures, or why there is none; what is folded shows no inside."""
    if isinstance(result, NoCounterexample):
        return {"found": False, "result": plainly.value(result)}
    graph = graph_of(result)
    frames = [replace(f, owns=()) if f.text in folded else f for f in graph.frames]
    graph = replace(graph, frames=tuple(frames))
    bare = replace(graph, caption="", note="")
    return {
        "found": True,
        "result": plainly.value(result),
        "graph": plainly.value(graph),
        "dot": dot_text(graph, LIGHT),
        "svg": {
            **svg_in_themes(bare),
            "titled": rendered(dot_text(graph, LIGHT), "svg").decode(),
        },
    }


def _question(member: LookedAt, request: Data) -> Question:
    if request.get("failure") is not None:
        return member.question_of(_number(request, "failure"))
    return member.question_at(_number(request, "step"))


def alloy(session: Session, request: Data, _: Say) -> Data:
    """A state as a model for Alloy."""
    member = _member(session, request)[1]
    return {"text": member.alloy(_question(member, request), 4)}


# ---------------------------------------------------------------- the proof debugger


def command(session: Session, request: Data, _: Say) -> Data:
    """The answers of the proof debugger to one line; it is opened by the first one."""
    kept = kept_in(session)
    if kept.debugger is None:
        text, name = kept.front.source.text, str(kept.front.source.path)
        kept.debugger = open_debugger(text, kept.options, name=name)
    replies = kept.debugger.execute(str(request["line"]))
    return {
        "replies": [_reply(reply, kept.plainly) for reply in replies],
        "complete": list(kept.debugger.complete(str(request["line"]))),
    }


def _reply(reply: Reply, plainly: Plainly) -> Data:
    if isinstance(reply, CounterexampleReply):
        shown = [instance_data(result, plainly) for result in reply.results]
        return {"answer": "CounterexampleReply", "instances": shown}
    body = plainly.value(reply)
    assert isinstance(body, dict)
    return {"answer": type(reply).__name__, **body}


# ---------------------------------------------------------------- what is kept


def kept_in(session: Session) -> Kept:
    kept = session.kept.get("program")
    if not isinstance(kept, Kept):
        raise UsageError("nothing was recorded yet")
    return kept


def _member(session: Session, request: Data) -> tuple[Kept, LookedAt]:
    kept = kept_in(session)
    return kept, kept.program.member(str(request["member"]))


def _number(request: Data, name: str) -> int:
    value = request.get(name)
    if not isinstance(value, int):
        raise UsageError(f"`{name}` is missing")
    return value


def _lines(request: Data, name: str) -> tuple[str, ...]:
    value = request.get(name)
    return (
        tuple(str(line) for line in value if str(line).strip()) if isinstance(value, list) else ()
    )
