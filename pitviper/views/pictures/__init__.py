"""Pictures: the heap graph of a counterexample or the flow graph of a method in, SVG or PNG out.

`heap.py` and `flow.py` write DOT text, `graphviz.py` (read it first) has Graphviz lay it out and
draw it. Colours are attributes; `flow.css` has those of dark pages. Imports results only.
"""
