"""What ViperServer offers an editor, as it says it; recorded with ViperServer 3.1.

Commands and diagnostics that are pulled are not among it: an extension of ours beside Viper's would
have the commands twice, and every finding would be shown twice.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types as lsp

TOKEN_TYPES: Final = (
    *("namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter"),
    *("variable", "property", "enumMember", "event", "function", "method", "macro", "keyword"),
    *("modifier", "comment", "string", "number", "regexp", "operator", "decorator", "constant"),
)
"""The legend of semantic tokens, in ViperServer's order."""

_MODIFIERS: Final = (
    *("declaration", "definition", "readonly", "static", "deprecated", "abstract", "async"),
    *("modification", "documentation", "defaultLibrary", "controlFlow"),
)


def offer(capabilities: lsp.ServerCapabilities) -> None:
    """Writes what ViperServer says over what a language server of ours would."""
    capabilities.position_encoding = None
    capabilities.text_document_sync = lsp.TextDocumentSyncKind.Incremental
    capabilities.completion_provider = lsp.CompletionOptions(
        trigger_characters=[".", ":", "(", "["], resolve_provider=False
    )
    capabilities.signature_help_provider = lsp.SignatureHelpOptions(
        trigger_characters=["(", ","], retrigger_characters=[]
    )
    capabilities.code_action_provider = True
    capabilities.rename_provider = lsp.RenameOptions(prepare_provider=True)
    capabilities.linked_editing_range_provider = False
    capabilities.inlay_hint_provider = True
    legend = lsp.SemanticTokensLegend(TOKEN_TYPES, _MODIFIERS)
    capabilities.semantic_tokens_provider = lsp.SemanticTokensOptions(legend, full=True)
    capabilities.diagnostic_provider = None
    capabilities.execute_command_provider = None
    capabilities.workspace = None
