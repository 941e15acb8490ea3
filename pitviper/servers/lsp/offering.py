"""What a server says that it can do: its answer to `initialize`.

Positions count UTF-16 units, which every client knows, whatever other units it would like.
"""

from __future__ import annotations

from collections.abc import Generator
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
