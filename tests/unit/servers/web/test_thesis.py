"""The examples of chapter 6 of the thesis: each picture shows what the thesis says is to be seen.

"Visual Debugging for Symbolic Execution": Listings 6.1 to 6.5, section 6.3.5, Figures 6.9 and 6.10,
and graph marking.
"""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Page, expect

from pitviper.servers.web.gallery import example_text
from tests.unit.servers.web.browsing import (
    Open,
    edges,
    graph,
    shot,
    told,
    too_wide,
    write,
)

LEAVES = "|ns| == 3; exists n: Ref :: n in ns && n.next != null && !(n.next in ns)"


def verify(page: Page, verdict: str) -> None:
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text(verdict)


def replaced(name: str, old: str, new: str) -> str:
    """The text of an example with something else in one place."""
    text = example_text(name)
    assert old in text
    return text.replace(old, new, 1)


def objects(page: Page, panel: str = "checks") -> dict[str, str]:
    """What is drawn in the box of each object."""
    graph(page, panel)
    found = page.locator(f"#panel-{panel} .canvas g.node[data-name^=o_]")
    pairs = found.evaluate_all("all => all.map(e => [e.dataset.name.slice(2), e.textContent])")
    return {name: " ".join(text.split()) for name, text in pairs}


def draw_state(page: Page, step: str) -> None:
    """Goes to the first step with a text, and draws an instance of the state before it."""
    go_to_state(page, step)
    graph(page, "states")


def go_to_state(page: Page, step: str) -> None:
    """Goes to the first step with a text; with a constraint, there may be nothing to draw."""
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".step[aria-selected=true]")).to_be_visible()
    text = page.locator("code", has_text=re.compile(f"^{re.escape(step)}"))
    find = page.get_by_label("Find in steps and state")
    find.fill(step)  # rows out of sight are not drawn
    row = page.locator(".step").filter(has=text).first
    number = row.get_attribute("data-step") or ""
    row.click()
    find.fill("")
    page.get_by_label("draw an instance").check()
    expect(page.locator("#panel-states section.graph")).to_have_attribute("data-step", number)


def test_a_link_leaves_the_set_though_nothing_fails(opened: Open) -> None:
    """Listing 6.1: three nodes are in the set, and one that has no fields is not."""
    page = opened("05_open_graph.vpr")
    expect(page.locator("#verdict")).to_have_text("verified")
    draw_state(page, "assert true")
    page.locator("#panel-states .where").fill(LEAVES)
    page.keyboard.press("Enter")
    expect(page.locator("#panel-states g.node[data-name^=o_]")).to_have_count(4)
    drawn = objects(page, "states")
    inside = [name for name, text in drawn.items() if "in ns" in text]
    (outside,) = drawn.keys() - set(inside)
    assert len(inside) == 3
    assert all("next" in drawn[name] for name in inside)
    assert drawn[outside] == outside
    links = [re.match(r"o_(\w+):f_next.*->o_(\w+)", e) for e in edges(page, "states")]
    assert any(m and m[1] in inside and m[2] == outside for m in links)
    shot(page, "listing-6.1")
    write(page, replaced("05_open_graph.vpr", "==> n in ns\n", "==> n.next in ns\n"))
    verify(page, "verified")
    go_to_state(page, "assert true")
    page.locator("#panel-states .where").fill(LEAVES)
    page.keyboard.press("Enter")
    expect(page.locator("#panel-states .caption")).to_contain_text("No instance")


def test_nodes_that_are_linked_need_not_form_a_ring(opened: Open) -> None:
    """Listing 6.2: all nodes have a successor in the set, and none has `n` as one."""
    page = opened("06_no_ring.vpr")
    found, drawn = told(page), objects(page)
    nodes = {name: text for name, text in found.items() if name in drawn}
    assert found["hasPred"] == "false"
    assert all(re.search(r"next = Ref\d", text) for text in nodes.values())
    assert not any(f"next = {found['n']} " in text for text in nodes.values())
    assert all("in nodes" in text for text in drawn.values())
    links = {e.partition("->")[2].partition(":")[0] for e in edges(page) if ":f_next" in e}
    assert links
    assert f"o_{found['n']}" not in links
    shot(page, "listing-6.2")


def test_a_node_may_be_its_own_successor(opened: Open) -> None:
    """Listing 6.3: `n.next` is `n`, whose value was given away; apart from itself it is not."""
    page = opened("07_own_successor.vpr")
    found = told(page)
    n = found["n"]
    assert f"next = {n} " in found[n]
    assert re.search(r"val was -?\d+ \(had write\)", found[n])
    assert any(re.match(rf"o_{n}:\w+->o_{n}:", e) for e in edges(page))
    expect(page.locator("#panel-checks .caption strong")).to_contain_text("not enough permission")
    verdicts = page.locator(".member-list > li.verified").all_text_contents()
    assert any("addBothApart" in text for text in verdicts)
    shot(page, "listing-6.3")


def test_what_unfolding_has_taught_holds_in_the_graph(opened: Open) -> None:
    """Listing 6.4: `x.val` is not 3, so `x.ref` is not null."""
    page = opened("08_learnt_unfolding.vpr")
    found = told(page)
    target = re.search(r"ref = (Ref\d+)", found[found["x"]])
    assert target is not None
    assert "val = 3" not in found[found["x"]]
    assert any(re.match(rf"o_{found['x']}:\w+->o_{target[1]}\b", e) for e in edges(page))
    shot(page, "listing-6.4")


def swapped(page: Page) -> None:
    """The value at `i` is the one that was there, that at `j` is the one of `i`."""
    expect(page.locator("#panel-checks .caption strong")).to_contain_text("is false")
    found = told(page)
    names = {e: n for n, e in pointers(page).items()}
    at = {which: names[f"loc(Array1, {found[which]})"] for which in ("i", "j")}
    assert f"val = {found['tmp']}" in found[at["i"]]
    assert f"val = {found['tmp']}, was {found['other']}" in found[at["j"]]
    assert found["tmp"] != found["other"]


def pointers(page: Page) -> dict[str, str]:
    """The names that stand before arrows, by the objects that these lead to."""
    texts = dict(
        page.locator("#panel-checks .canvas g.node[data-name^=p]").evaluate_all(
            "all => all.map(e => [e.dataset.name, e.textContent.trim()])"
        )
    )
    ends = [e.split("->") for e in edges(page) if re.match(r"p\d+->", e)]
    return {end[1][2:]: texts[end[0]] for end in ends}


def test_a_wrong_swap_in_an_array_shows_old_and_new(opened: Open) -> None:
    """Listing 6.5, in the words of 6.3.5 that the thesis could not show: the check reads the array
    itself, and no variable has to hold what it compares."""
    page = opened("09_array_swap.vpr")
    swapped(page)
    shot(page, "listing-6.5")
    assert too_wide(page) == []
    old = "  assert loc(a, i).val == other\n"
    name = "09_array_swap.vpr"
    write(page, replaced(name, old, "  var b: Bool := loc(a, i).val == other\n  assert b\n"))
    verify(page, "1 check fails")
    swapped(page)


BRANCHES = """\
field value: Int
field next: Ref

predicate list(this: Ref) {
  acc(this.value) && acc(this.next) && (this.next != null ==> list(this.next))
}

method both(head: Ref)
  requires list(head)
{
  unfold list(head)
  assert head.value == 3
}
"""


def test_paths_behind_a_failure_are_recorded_too(opened: Open) -> None:
    """Section 6.3.5: a check that fails where `next` is null is also looked at where it is not."""
    page = opened("01_swap.vpr")
    write(page, BRANCHES)
    verify(page, "1 check fails")
    expect(page.locator(".story")).to_contain_text("other path")
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".step[aria-selected=true]")).to_be_visible()
    expect(page.locator(".step", has_text="assert head.value == 3")).to_have_count(2)
    page.locator(".cm-line", has_text="assert head.value").locator(
        "span", has_text="assert"
    ).last.click()
    ways = page.get_by_role("menu", name="States at this place").get_by_role("menuitem")
    expect(ways).not_to_have_count(0)
    said = " ".join(ways.all_text_contents())
    assert "this.next != null" in said
    assert "this.next == null" in said
    shot(page, "section-6.3.5")
    ways.first.click()


def test_a_failing_fold_and_the_same_place_when_it_is_mended(opened: Open) -> None:
    """Figures 6.9 and 6.10: `head.next` is the new node, and nothing about it is folded; once it
    is, the same state shows it in a predicate instance."""
    page = opened("17_failing_fold.vpr")
    found = told(page)
    node = found["node"]
    assert f"next = {node} " in found[found["head"]]
    assert found["missing"] == f"predicate list({node})"
    assert f"predicate list({node}), write" not in page.locator("#panel-checks").inner_text()
    expect(page.locator(".note", has_text=f"= {node}").first).to_be_visible()
    shot(page, "figure-6.9")
    old = "    head.next := node\n"
    write(page, replaced("17_failing_fold.vpr", old, "    fold list(node)\n" + old))
    verify(page, "verified")
    draw_state(page, "fold acc(list(head), write)")
    page.locator("#panel-states .as-table summary").click()
    lines = page.locator("#panel-states .as-table li").all_text_contents()
    values = dict(line.split(" = ", 1) for line in lines if re.match(r"\w+ = ", line))
    head, node = values["head"], values["node"]
    assert any(line.startswith(f"{head}: next = {node}") for line in lines)
    assert any(line.startswith(f"predicate list({node}), write") for line in lines)
    instance = page.locator("#panel-states g.node", has_text=f"list({node})")
    expect(instance).to_be_visible()
    shot(page, "figure-6.10")


def test_graph_marking_shows_its_nodes_and_marks(opened: Open) -> None:
    """The state behind the first mark: the root is marked and pending, all nodes have fields."""
    page = opened("18_graph_marking.vpr")
    expect(page.locator("#verdict")).to_have_text("verified")
    draw_state(page, "root.marked := true")
    told = page.locator("#panel-states .step").all_text_contents()
    assert any("forall n: Ref :: (n in nodes) ==> acc(n.left" in text for text in told)
    assert not any("$" in text for text in told)
    page.locator("#panel-states .where").fill("|nodes| == 3; root.left != null; root.right != null")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-states g.node[data-name^=o_]")).to_have_count(3)
    drawn = objects(page, "states")
    for text in drawn.values():
        assert "in nodes" in text
        assert all(f"{field} " in text for field in ("left", "right", "marked false"))
    assert sum("pending" in text for text in drawn.values()) == 1
    links = {e for e in edges(page, "states") if re.search(r":f_(left|right)", e)}
    assert links
    targets = {e.partition("->")[2].partition(":")[0][2:] for e in links}
    assert targets <= drawn.keys()
    shot(page, "graph-marking")
