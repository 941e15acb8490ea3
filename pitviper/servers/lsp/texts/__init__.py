"""The texts of an editor: what is typed in, what is known about each and about its folders out.

Read `document.py` first: one text, its front end and what the verifier said. `index.py` is what its
names mean, `project.py` which programs below the open folders mean the same. Nothing here runs a
verifier or answers a request.
"""
