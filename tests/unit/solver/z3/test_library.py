"""The C library: found without importing its package, errors become exceptions."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pitviper.solver.z3.library import SolverError, Z3Context, library_path, version


def test_the_pinned_library_is_used_without_importing_its_package() -> None:
    program = (
        "import sys; from pitviper.solver.z3.session import Z3Session; Z3Session().close();"
        "assert 'z3' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert library_path().exists()
    assert version() == "4.13.4.0"


def test_an_error_of_the_library_does_not_end_the_process() -> None:
    z3 = Z3Context({})
    number = z3.keep(z3.lib.mk_numeral(z3.pointer, b"1", z3.lib.mk_int_sort(z3.pointer)))
    truth = z3.keep(z3.lib.mk_true(z3.pointer))
    assert z3.lib.mk_and(z3.pointer, 2, z3.array([number, truth])) is None
    with pytest.raises(SolverError, match=r"[Ss]ort"):
        z3.checked()
    assert z3.checked("later calls are not affected") is not None
    with pytest.raises(SolverError):
        z3.keep(z3.lib.mk_numeral(z3.pointer, b"nonsense", z3.lib.mk_int_sort(z3.pointer)))
    z3.close()
    z3.close()
    assert z3.pointer is None
