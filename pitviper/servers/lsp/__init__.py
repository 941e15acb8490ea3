"""The language server: programs in an editor in, diagnostics, answers and verdicts out.

Read `server.py` first: the open texts and when a verifier runs; `requests.py` says which request is
answered by which function. `texts/` is what is known about texts, `answers/` what is said about
them, `processes/` what runs beside the editor, `protocol/` our values as values of the protocol.
Nothing is called verified that was not verified to the end in the text that the editor has now.
Imports driver and views; pygls is imported here and by the room for clients of ViperServer only.
"""
