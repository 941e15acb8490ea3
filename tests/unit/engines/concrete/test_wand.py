"""Magic wands: package, apply, inhaled wands, when two wands are one."""

from __future__ import annotations

from tests.unit.engines.concrete.running import CANNOT, FALSE, INFEASIBLE, PASSED, check

PACKAGE = "inhale acc(x.f) && acc(y.f)\nx.f := 1\ny.f := 2\n"


def test_package_takes_the_footprint_and_apply_gives_it_back() -> None:
    packaged = PACKAGE + "package acc(x.f) --* acc(x.f) && acc(y.f)\n"
    assert check(packaged + "assert perm(y.f) == none && perm(x.f) == write") == PASSED
    assert check(packaged + "y.f := 3") == "assignment.failed:insufficient.permission"
    applied = packaged + "x.f := 7\napply acc(x.f) --* acc(x.f) && acc(y.f)\n"
    assert check(applied + "assert x.f == 7 && y.f == 2\ny.f := 3") == PASSED


def test_the_right_hand_side_is_checked() -> None:
    assert check("package true --* acc(x.f)") == "package.failed:insufficient.permission"
    wrong = PACKAGE + "package acc(x.f) --* acc(x.f) && acc(y.f) && y.f == 3"
    assert check(wrong) == "package.failed:assertion.false"
    inside = "inhale acc(x.f, 1/3)\npackage acc(x.f, 1/3) --* acc(x.f)"
    assert check(inside) == "package.failed:insufficient.permission"


def test_a_wildcard_of_the_right_hand_side_is_a_part_of_the_left() -> None:
    wand = "acc(x.f, 1/8) --* acc(x.f, wildcard) && acc(x.f, 1/2)"
    assert check(f"inhale acc(x.f, 1/2)\npackage {wand}") == PASSED


def test_an_impossible_left_hand_side_says_nothing() -> None:
    text = "inhale acc(x.f, 1/3)\nx.f == 3\n".replace("x.f == 3", "assume x.f == 3")
    assert check(text + "package acc(x.f, 1/3) && x.f == 2 --* acc(x.f)") == INFEASIBLE


def test_apply_needs_the_wand_and_its_left_hand_side() -> None:
    wand = "acc(x.f) --* acc(y.f)"
    assert check(f"inhale acc(x.f)\napply {wand}") == "apply.failed:wand.not.found"
    assert check(f"inhale {wand}\napply {wand}") == "apply.failed:insufficient.permission"
    used = f"inhale {wand}\ninhale acc(x.f)\napply {wand}\n"
    assert check(used + "assert perm(x.f) == none && perm(y.f) == write") == PASSED
    assert check(used + f"assert perm({wand}) == none") == PASSED
    assert check(used + f"apply {wand}") == "apply.failed:wand.not.found"


def test_scripts() -> None:
    text = PACKAGE + (
        "package acc(x.f) && x.f == 5 --* acc(y.f) && y.f == 2\n"
        "{ assert x.f == 5\nassert acc(y.f) }\nassert perm(y.f) == none\n"
        "x.f := 5\napply acc(x.f) && x.f == 5 --* acc(y.f) && y.f == 2\nassert y.f == 2"
    )
    assert check(text) == PASSED


def test_a_footprint_that_depends_on_the_left_hand_side() -> None:
    text = PACKAGE + "package acc(x.f) --* acc(x.f) && (x.f == 0 ==> acc(y.f))"
    assert check(text) == CANNOT


def test_wands_with_equal_values_are_one() -> None:
    pure = "inhale acc(x.f) && i + 1 == 4 --* true\nexhale acc(x.f) && 4 == 2 + 2 --* true"
    assert check(pure) == PASSED
    turned = "inhale acc(x.f) && acc(x.g) --* true\nexhale acc(x.g) && acc(x.f) --* true"
    assert check(turned) == "exhale.failed:wand.not.found"
    same = "var z: Ref := x\ninhale acc(x.f, 1/2) --* acc(x.g)\nexhale acc(z.f, 2/4) --* acc(z.g)"
    assert check(same) == PASSED
    other = "inhale acc(x.f) --* acc(x.g)\nexhale acc(y.f) --* acc(y.g)"
    assert check(other) == "exhale.failed:wand.not.found"


def test_applying_is_temporary_and_repeatable() -> None:
    wand = "(acc(x.f) --* acc(y.f))"
    start = f"inhale {wand} && acc(x.f)\n"
    assert check(start + f"assert applying {wand} in perm(y.f) == write") in (PASSED, CANNOT)
    twice = f"var k: Int := applying {wand} in y.f\nassert k == applying {wand} in y.f\n"
    assert check(start + twice + "assert perm(y.f) == none && perm(x.f) == write") == PASSED


def test_old_lhs_is_the_left_hand_side() -> None:
    wand = "acc(x.f) --* acc(x.f) && x.f == old[lhs](x.f)"
    text = f"package {wand}\ninhale acc(x.f)\nx.f := 8\napply {wand}\nassert x.f == 8"
    assert check(text) == PASSED


def test_a_wand_in_a_loop_keeps_its_footprint() -> None:
    wand = "acc(x.f) --* acc(x.f) && acc(y.f)"
    text = PACKAGE + (
        f"package {wand}\nvar n: Int := 0\n"
        f"while (n < 2) invariant acc(x.f) && ({wand}) {{ n := n + 1 }}\n"
        f"apply {wand}\nassert y.f == 2"
    )
    assert check(text) == PASSED
    assert check(text.replace("y.f == 2", "y.f == 3")) == FALSE


def test_a_wand_that_takes_a_wand() -> None:
    inner = "acc(x.f) --* acc(x.f) && acc(y.f)"
    outer = f"acc(x.f) && ({inner}) --* acc(x.f) && acc(y.f)"
    text = PACKAGE + (f"package {inner}\npackage {outer} {{ apply {inner} }}\napply {outer}\n")
    assert check(text + "assert y.f == 2") == PASSED
    assert check(text + "assert y.f == 3") == FALSE
