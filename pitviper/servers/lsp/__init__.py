"""The language server: programs in an editor in, diagnostics, answers and verdicts out.

Read `server.py` first: which request is answered by which function. `document.py` is what is known
about one text, `index.py` what its names mean, `verification.py` the run of a verifier beside the
editor, whose process is `worker.py`. Nothing is called verified that was not verified to the end in
the text that the editor has now. Imports driver and views; pygls is
imported here and by the room for clients of ViperServer only.
"""
