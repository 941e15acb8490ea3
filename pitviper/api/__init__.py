"""The Python API: programs in, results that a script or a notebook can show out.

What `import pitviper` offers is defined here and exported by the package itself, which loads this
only when it is used. Read `calls.py` first: one function for each question. `answers.py` has what
they return: values of the driver that know how to print themselves. Imports driver and views; no
command line, no server.
"""
