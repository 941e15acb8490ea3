"""The protocol of the library where ours differs: the answer to `initialize`, and what is kept.

Positions count UTF-16 units, which every client knows, whatever other units it would like.

NOTE(futures). The library keeps the future of every handler to cancel it, and takes that of a
request away with its answer. Notifications have no answer, so that a server that stays open kept
two of them for each edit. They are taken away when they are done.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from pitviper.servers.lsp.server import PitviperServer


class Offering(LanguageServerProtocol):
    """The protocol of the library, with an answer to `initialize` that its server has seen."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(
        self, params: lsp.InitializeParams
    ) -> Generator[Any, Any, lsp.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        result = yield from super().lsp_initialize(params)
        cast("PitviperServer", self._server).offered(result.capabilities)
        return result

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Any], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """As in the library, and nothing is kept when it is done: see NOTE(futures)."""

        def done(future: object) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)
