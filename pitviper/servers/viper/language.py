"""The language server as Viper's own extension expects it: its requests, states and diagnostics.

All that is standard is answered as by `pitviper lsp`. A verification is asked for by `Verify` and
ends with `StateChange`; the only success that is ever told is that of a whole text verified.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import IntEnum
from typing import Final, TypeAlias
from urllib.parse import unquote

from lsprotocol import types as lsp

from pitviper.base.record import record, struct
from pitviper.servers.lsp.processes.verification import Chosen, Request, State
from pitviper.servers.lsp.protocol.problems import Data
from pitviper.servers.lsp.requests import equip
from pitviper.servers.lsp.server import PitviperServer, ServerOptions
from pitviper.servers.lsp.texts.document import Document, path_of
from pitviper.servers.viper.asked import BACKENDS, Asked, Translate, asked_for, words_of
from pitviper.servers.viper.capabilities import TOKEN_TYPES, offer
from pitviper.servers.viper.diagnostics import refusal, viper_diagnostics
from pitviper.source.reading import decode, read_regular
from pitviper.views.json.lines import JsonObject

VIPER_SERVER: Final = "3.1.0"
"""The version of ViperServer whose messages are spoken; extensions refuse others."""

UNKNOWN: Final = -1.0
"""In the place of a number that is not told."""


class Phase(IntEnum):
    """`newState` of a StateChange."""

    RUNNING = 2
    POST_PROCESSING = 5
    READY = 6
    CONSTRUCTING_AST = 9


class Success(IntEnum):
    """`success` of a StateChange: how a verification ended."""

    NONE = 0
    SUCCESS = 1
    PARSING_FAILED = 2
    TYPE_CHECKING_FAILED = 3
    VERIFICATION_FAILED = 4
    ABORTED = 5
    ERROR = 6
    TIMEOUT = 7


Params: TypeAlias = "tuple[object, ...]"
"""Parameters of a request of Viper's own: a named tuple, with what the client has sent."""


@record
class Host:
    """What a connection knows of its server: its port, its cache, options of Viper's tools."""

    port: int
    options: ServerOptions
    translate: Translate
    flush: Callable[[], None]


@struct
class _Run:
    """A verification that goes on: since when, who asked for it, and how long it may take."""

    started: float
    manually: bool
    timeout: float | None = None
    progress: float | None = None
    done: int = 0


class ViperServer(PitviperServer):
    """One connection of an extension."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.options)
        self.host = host
        self.token_types = TOKEN_TYPES
        self.has_commands = False
        self._going: dict[str, _Run] = {}
        self._cached: dict[str, set[str]] = {}
        self._refused: dict[str, tuple[str, ...]] = {}
        """Words that were passed for a text and mean nothing."""

    def offered(self, capabilities: lsp.ServerCapabilities) -> None:
        offer(capabilities)

    def asked(self, params: object) -> None:
        """Starts the verification that the notification `Verify` asks for."""
        uri = getattr(params, "uri", None)
        if not isinstance(uri, str):
            return
        document = self._text(uri, getattr(params, "content", None))
        verifier = str(getattr(params, "backend", None) or "silicon").lower()
        names = [name for name in BACKENDS if name in verifier]
        if document is None or not names:
            self.protocol.notify("VerificationNotStarted", {"uri": uri})
            return
        words = words_of(str(getattr(params, "customArgs", None) or ""))
        wanted = asked_for(names[0], words, document.path, self.host.translate)
        self._end_silently(uri)
        self._change(uri, Phase.CONSTRUCTING_AST)
        manually = bool(getattr(params, "manuallyTriggered", False))
        chosen = self.chosen[uri] = self._chosen(wanted)
        self._going[uri] = _Run(time.monotonic(), manually, chosen.timeout)
        self._cached.pop(uri, None)
        self._refused[uri] = wanted.wrong
        document.problems = None
        self.publish(uri)
        self.refresh()
        if wanted.wrong:
            self.tell(uri, State.REFUTED)
        else:
            self.verify(uri, wanted.select)

    def _text(self, uri: str, content: object) -> Document | None:
        """The text that is to be verified: the one that is sent, an open one, that of the file."""
        document = self.documents.get(uri)
        if not isinstance(content, str):
            if document is not None:
                return document
            try:
                content = decode(path_of(uri), read_regular(path_of(uri))).source.text
            except OSError:
                return None
        if document is None:
            document = self.document(uri, content, 0)
        elif document.text != content:
            self.replace(document, content, document.version)
        return document

    def _chosen(self, wanted: Asked) -> Chosen:
        usual = self.options
        return Chosen(
            BACKENDS[wanted.verifier],
            wanted.timeout or usual.timeout,
            usual.cache if wanted.remembers else None,
            more=wanted.choices(),
        )

    def _end_silently(self, uri: str) -> bool:
        """Whether a verification went on: it ends, and nobody is told how."""
        self._going.pop(uri, None)
        return self.verifications.cancel(uri)

    def changed(self, uri: str) -> None:
        """Takes over a text; what was refused for an earlier one is not its fault."""
        self._refused.pop(uri, None)
        super().changed(uri)

    # ------------------------------------------------------------ what is told

    def tell(self, uri: str, state: State, progress: Data | None = None) -> None:
        """Sends a change of state in the numbers of ViperServer."""
        self.states[uri] = state
        run = self._going.get(uri)
        if state is State.RUNNING:
            if run is None:
                usual = self.options.timeout
                run = self._going[uri] = _Run(time.monotonic(), manually=False, timeout=usual)
            done, total = (progress or {}).get("done"), (progress or {}).get("total")
            share = run.progress or 0.0
            if isinstance(done, int) and isinstance(total, int) and total >= done > 0:
                share = max(share, round(100 * done / total, 1))
            if share != run.progress:
                run.progress = share
                self._change(uri, Phase.RUNNING, progress=share)
            return
        if run is None:
            return
        del self._going[uri]
        self._ended_with(uri, run, self._success(uri, state, run))
        self.refresh()

    def _success(self, uri: str, state: State, run: _Run) -> Success:
        match state:
            case State.VERIFIED:
                return Success.SUCCESS
            case State.REJECTED:
                document = self.documents.get(uri)
                errors = () if document is None else document.current().reading.front.errors
                parsed = not any(error.code == "parser.error" for error in errors)
                return Success.TYPE_CHECKING_FAILED if parsed else Success.PARSING_FAILED
            case State.CRASHED:
                return Success.ERROR
            case State.CANCELLED | State.STALE:
                return Success.ABORTED
            case State.UNDECIDED if run.timeout and time.monotonic() - run.started >= run.timeout:
                return Success.TIMEOUT
            case _:
                return Success.VERIFICATION_FAILED

    def _ended_with(self, uri: str, run: _Run, success: Success) -> None:
        completed = success is not Success.ABORTED
        if completed:
            self._change(uri, Phase.POST_PROCESSING)
        self._change(
            uri,
            Phase.READY,
            success=int(success),
            verificationCompleted=1.0 if completed else 0.0,
            manuallyTriggered=1.0 if run.manually else 0.0,
            time=round(time.monotonic() - run.started, 3),
            uri=uri,
            error="" if success is not Success.ERROR else "the verification ended without answer",
        )

    def _change(self, about: str, phase: Phase, /, **more: str | float) -> None:
        name = unquote(about.rsplit("/", 1)[-1])
        self.protocol.notify(
            "StateChange",
            {
                "newState": int(phase),
                "progress": UNKNOWN,
                "success": 0,
                "verificationCompleted": UNKNOWN,
                "manuallyTriggered": UNKNOWN,
                "filename": name,
                "time": UNKNOWN,
                "verificationNeeded": UNKNOWN,
                **more,
            },
        )

    def heard(self, request: Request, data: Data) -> None:
        """Notes which answers are known from earlier runs; else as every language server."""
        if data.get("kind") == "member" and data.get("remembered"):
            self._cached.setdefault(request.uri, set()).add(str(data["member"]))
        super().heard(request, data)
        run, document = self._going.get(request.uri), self.documents.get(request.uri)
        if data.get("kind") == "member" and run is not None and document is not None:
            run.done += 1
            total = len(document.current().verified_members)
            self.tell(request.uri, State.RUNNING, {"done": run.done, "total": total})

    def publish(self, uri: str) -> None:
        """Sends all that is known to be wrong, in the words of Viper's tools."""
        document = self.documents.get(uri)
        if document is not None:
            found = viper_diagnostics(document, self._cached.get(uri, set()))
            found += [refusal(word) for word in self._refused.get(uri, ())]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    # ------------------------------------------------------------ requests

    def stop(self, uri: str) -> JsonObject:
        """Ends the verification of a text; where there is none, the state is told all the same."""
        self._end_silently(uri)
        self.protocol.notify(
            "StateChange",
            {
                "newState": int(Phase.READY),
                "progress": UNKNOWN,
                "success": int(Success.NONE),
                "verificationCompleted": 0.0,
                "manuallyTriggered": UNKNOWN,
                "time": UNKNOWN,
                "verificationNeeded": 0.0,
                "uri": uri,
            },
        )
        return {"success": True}

    def remove_diagnostics(self, uri: object) -> JsonObject:
        """Takes what is shown about a text away; without a text, about all."""
        for about in [uri] if isinstance(uri, str) else list(self.documents):
            self._refused.pop(about, None)
            document = self.documents.get(about)
            if document is not None:
                document.problems = None
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(about, []))
        self.refresh()
        return {"success": True}


def make_viper_server(host: Host) -> ViperServer:
    """Returns a server for one connection that knows the requests of Viper's extension."""
    server = ViperServer(host)
    equip(server)

    @server.feature("GetVersion")
    def version(_: Params) -> JsonObject:
        return {"serverVersion": VIPER_SERVER}

    @server.feature("Verify")
    async def verify(params: Params) -> None:
        server.asked(params)

    @server.feature("StopVerification")
    async def stop(params: Params) -> JsonObject:
        return server.stop(str(getattr(params, "uri", "")))

    @server.feature("RemoveDiagnostics")
    async def remove(params: Params) -> JsonObject:
        return server.remove_diagnostics(getattr(params, "uri", None))

    @server.feature("FlushCache")
    def flush(_: Params) -> JsonObject:
        host.flush()
        return {}

    @server.feature("GetLanguageServerUrl")
    def address(*_: object) -> JsonObject:
        return {"url": f"127.0.0.1:{host.port}"}

    return server
