"""Reports as HTML pages: an exploration or the colours of a wizard in, the text of one file out.

Read `page.py` first, then `exploration.py` beside `templates/exploration.html`: Python decides what
is shown, the templates of `templates/` how, and Jinja2 escapes all of it but our own pictures.
Imports results, the pictures of `views/pictures/` and the totals of `views/coverage/`; no engine,
no driver, no command line.
"""
