"""Nagini with Pitviper as its verifier: `python nagini_with_pitviper.py [options of nagini] FILE`.

Nagini translates a Python program to a tree of Viper, as always. The tree is printed, `pitviper
verify` is asked about the text, and what it finds is told by Nagini in the words and at the places
of the Python program. To map places back, the printed text is parsed by Nagini's own Viper parser,
and both trees are walked in step: they have the same shape, and the second one has places.

Needs a Python with Nagini (its Java libraries included), and the command `pitviper`, of the same
Python or of another one: the environment variable PITVIPER names it. What Pitviper has not proved
to the end is never reported as success.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from nagini_translation import main as nagini
from nagini_translation.lib.errors import error_manager
from nagini_translation.lib.errors.messages import ERRORS, REASONS, VAGUE_REASONS
from nagini_translation.lib.jvmaccess import getclass, getobject
from nagini_translation.verifier import Success, VerificationResult


class Pitviper:
    """Stands where Nagini has its class for Silicon."""

    def __init__(self, jvm, filename, viper_args, counterexample=False):
        self._jvm = jvm
        self._options = list(viper_args)

    def verify(self, modules, prog, arp=False, sif=False):
        """Returns Nagini's result for a program."""
        if arp:
            raise ValueError("Pitviper does not know abstract read permissions (--arp)")
        text = str(prog.toString())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "nagini.vpr"
            path.write_text(text, encoding="utf-8")
            found, why = _asked(path, self._options)
            if why is None and not found:
                return Success()
            nodes = Nodes(self._jvm, prog, text, path)
            errors = [finding_error(nodes, data) for data in found]
        return NotVerified(errors, self._jvm, modules, sif, why)


class NotVerified(VerificationResult):
    """Findings in Nagini's words; those that it has no words for, and what is open, as they are."""

    def __init__(self, errors, jvm, modules, sif, why):
        self.errors = error_manager.convert(errors, jvm, modules, sif)
        self.why = why

    def __bool__(self):
        return False

    def to_string(self, ide_mode, show_viper_errors):
        lines = dict.fromkeys(_told(e, ide_mode, show_viper_errors) for e in self.errors)
        if self.why is not None:
            lines[f"Not verified: {self.why}"] = None
        return "\n".join(["Verification failed", "Errors:", *lines])


def _told(error, ide_mode, show_viper_errors):
    known = error.identifier in ERRORS and (
        error.reason.identifier in REASONS or error.reason.identifier in VAGUE_REASONS
    )
    try:
        if known:
            return error.string(ide_mode, show_viper_errors)
    except ValueError:  # Nagini has no words for a node that was found by the place around it
        pass
    return f"{error.readable_message} ({error.position_string})"


def _asked(path, options):
    """What Pitviper finds, and why nothing was proved where that is so."""
    command = shlex.split(os.environ.get("PITVIPER", "pitviper"))
    usual = ["--assumeInjectivityOnInhale", "--errors", "1"]  # of a member, as Silicon tells
    words = [*command, "verify", "--format", "json", *usual, *options]
    done = subprocess.run(
        [*words, str(path)], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    found, why = [], None
    for line in done.stdout.splitlines():
        data = json.loads(line)
        if data.get("kind") == "finding" and data.get("severity") == "error":
            found.append(data)
    if done.returncode != 0 and not found:
        said = done.stderr.strip() or f"pitviper ended with code {done.returncode}"
        why = f"undecided, or no answer: {said}"
    return found, why


class Nodes:
    """Nodes of the program by their places in the printed text, looked up member by member."""

    def __init__(self, jvm, prog, text, path):
        self._prog = prog
        self._printed = _parsed(jvm, text, path)
        self._of = {}

    def at(self, member, place):
        """The node that stands at a place, or the smallest one around it.

        What fails may stand in another member than the one that is verified: in the contract of
        what is called, in the body of what is folded.
        """
        member = self._member_around(place) or member
        known = self._of.get(member)
        if known is None:
            known = self._of[member] = {}
            for stands, node in self._walked(member):
                known.setdefault(stands, node)  # outer nodes come first
        if place in known:
            return known[place]
        around = [(_size(p), n) for p, n in known.items() if _holds(p, place)]
        if around:
            return min(around, key=lambda item: item[0])[1]
        return self._member(self._prog, member) or self._prog

    def _member_around(self, place):
        for member in _members(self._printed):
            where = _place(member)
            if where is not None and _holds(where, place):
                return str(member.name())
        return None

    def _walked(self, member):
        ours, printed = self._member(self._prog, member), self._member(self._printed, member)
        todo = [] if ours is None or printed is None else [(ours, printed)]
        while todo:
            node, twin = todo.pop()
            place = _place(twin)
            if place is not None:
                yield place, node
            below, beside = _below(node), _below(twin)
            if len(below) == len(beside):
                todo.extend(zip(below, beside, strict=True))

    @staticmethod
    def _member(prog, name):
        return next((m for m in _members(prog) if str(m.name()) == name), None)


def _members(prog):
    kinds = (prog.methods(), prog.functions(), prog.predicates(), prog.domains())
    return [member for members in kinds for member in _list(members)]


CHAINS = ("And", "Or")
"""Operators that are printed without parentheses, however they were nested."""


def _kind(node):
    return str(node.getClass().getSimpleName())


def _below(node):
    """The nodes below one, as a parser sees them: blocks in blocks and chains are flat."""
    kind = _kind(node)
    if kind == "Seqn":
        return [inner for statement in _list(node.ss()) for inner in _statements(statement)]
    if kind in CHAINS:
        return [part for side in (node.left(), node.right()) for part in _parts(side, kind)]
    return _list(node.subnodes())


def _statements(statement):
    if _kind(statement) == "Seqn":
        return _below(statement)
    return [] if _kind(statement) == "LocalVarDeclStmt" else [statement]


def _parts(node, kind):
    return _below(node) if _kind(node) == kind else [node]


def _list(seq):
    items, found = seq.iterator(), []
    while items.hasNext():
        found.append(items.next())
    return found


def _place(node):
    """The place of a node, None where it has none."""
    position = node.pos() if hasattr(node, "pos") else None
    if position is None or not hasattr(position, "line") or not position.end().isDefined():
        return None
    end = position.end().get()
    return int(position.line()), int(position.column()), int(end.line()), int(end.column())


def _holds(outer, inner):
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _size(place):
    return place[2] - place[0], place[3] - place[1]


def _parsed(jvm, text, path):
    """The printed text as a tree of Viper, by the parser that Nagini brings along."""
    parser = getclass(jvm.java, jvm.viper.silver.parser, "FastParser")()
    plugins = jvm.viper.silver.plugin.standard.termination
    plugins.TerminationPlugin(None, None, None, parser).beforeParse(text, False)
    none = getobject(jvm.java, jvm.scala, "None")
    loader = getobject(jvm.java, jvm.viper.silver.ast.utility, "DiskLoader")
    where = jvm.java.nio.file.Paths.get(str(path), [])
    tree = parser.parse(text, where, none, loader, True)
    tree.initProperties()
    resolved = jvm.viper.silver.parser.Resolver(tree).run(False).get()
    jvm.viper.silver.ast.utility.Consistency.resetMessages()
    translator = getobject(jvm.java, jvm.viper.silver.parser, "Translator")
    return translator.apply(resolved).translate().get()


def finding_error(nodes, data):
    """A finding as the error object that Nagini converts."""
    member = data.get("member") or ""
    node = nodes.at(member, (*data["start"], *data["end"]))
    related = data.get("related") or []
    part = related[0] if related else data
    offending = nodes.at(member, (*part["start"], *part["end"]))
    error_id, _, reason_id = str(data["id"]).partition(":")
    return FoundError(error_id, node, FoundReason(reason_id, offending, data), data)


class FoundReason:
    """Why a check fails; methods are those that Nagini calls on Viper's objects."""

    def __init__(self, reason_id, node, data):
        self._id, self._node, self._data = reason_id, node, data

    def id(self):
        return self._id

    def offendingNode(self):
        return self._node

    def readableMessage(self):
        return self._data["message"]


class FoundError:
    """A failed check; methods are those that Nagini calls on Viper's objects."""

    def __init__(self, error_id, node, reason, data):
        self._id, self._node, self._reason, self._data = error_id, node, reason, data

    def id(self):
        return self._id

    def reason(self):
        return self._reason

    def offendingNode(self):
        return self._node

    def pos(self):
        return self._node.pos()

    def transformedError(self):
        return self

    def failureContexts(self):
        return NoContexts()

    def text(self):
        return self._data["message"]

    def readableMessage(self):
        return self._data["message"]


class NoContexts:
    """Nagini looks for counterexamples of Silicon there; none come along."""

    def nonEmpty(self):
        return False


def main():
    """Runs Nagini with its options, and Pitviper in the place of Silicon."""
    nagini.Silicon = Pitviper
    nagini.main()


if __name__ == "__main__":
    sys.exit(main())
