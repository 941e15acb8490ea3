"""What runs beside the editor: a version of a text in, what a process found out about it out.

Read `verification.py` first, whose process is `worker.py`. `questions.py` asks for counterexamples
and colours (`asking.py`), `states.py` for symbolic states (`recording.py`). A process may die or be
killed at any moment: what it has not said then was not found out.
"""
