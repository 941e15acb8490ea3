// The inside of a proof: a tree of recorded steps, and the symbolic state before each of them.
import type { Bench, Panel } from "./bench";
import { lineOf } from "./checks";
import { fill, h } from "./dom";
import type { Mark } from "./editor";
import { GraphView } from "./graph";
import { StepTree } from "./steps";
import type { Fact, HeldAt, RecordedMember, Step, SymbolicState } from "./types";

const DIRECTIONS = ["Parent", "Child", "Previous", "Next"] as const;
const FORESEEN: Direction[] = ["Next", "Child", "Previous"];
const MOST_TOLD = 200;
type Direction = (typeof DIRECTIONS)[number];

export class StatesPanel implements Panel {
  readonly element: HTMLElement;
  private readonly select = h("select", { "aria-label": "Member", change: () => void this.openMember(this.select.value) });
  private readonly tree = new StepTree((number) => this.choose(number));
  private readonly state = h("div", { class: "state", "aria-live": "polite" });
  private readonly note = h("p", { class: "hint" });
  private readonly mouse = h("input", { type: "checkbox", checked: true });
  private readonly internal = h("input", { type: "checkbox", change: () => this.renderState() });
  private readonly draws = h("input", { type: "checkbox", change: () => this.drawGraph() });
  private readonly filter = h("input", {
    type: "search",
    placeholder: "find in steps and state",
    "aria-label": "Find in steps and state",
    input: () => this.search(),
  });
  private readonly graph: GraphView;
  private readonly buttons = new Map<Direction, HTMLButtonElement>();
  private popup: HTMLElement | null = null;
  private members: RecordedMember[] = [];
  private member = "";
  private steps: Step[] = [];
  private told = new Map<number, Promise<SymbolicState>>(); // states that were asked for
  private here = -1;
  private current: SymbolicState | null = null;
  private recorded = "";
  private visible = false;

  constructor(private readonly bench: Bench) {
    this.graph = new GraphView(bench);
    this.graph.element.hidden = true;
    const buttons = DIRECTIONS.map((direction) => {
      const button = h("button", { type: "button", click: () => this.go(direction) }, direction);
      this.buttons.set(direction, button);
      return button;
    });
    this.tree.element.addEventListener("keydown", (event) => this.key(event));
    this.element = h(
      "div",
      { class: "states" },
      h("div", { class: "bar" }, this.select, ...buttons, this.filter),
      h(
        "div",
        { class: "bar options" },
        h("label", {}, this.mouse, " click on the text goes to a state"),
        h("label", {}, this.internal, " internal facts"),
        h("label", {}, this.draws, " draw an instance"),
      ),
      this.note,
      this.tree.element,
      this.graph.element,
      this.state,
    );
  }

  shown(): void {
    this.visible = true;
    if (this.recorded !== this.bench.text()) void this.load();
    else this.mark();
  }

  hidden(): void {
    this.visible = false;
    this.closePopup();
    this.bench.editor.draw("states", []);
  }

  forget(): void {
    this.recorded = "";
  }

  textChanged(): void {
    this.bench.editor.draw("states", []);
    this.closePopup();
    if (this.steps.length > 0) this.note.textContent = "The text has changed since. Come back to this tab, or verify, to see its states.";
  }

  async load(): Promise<void> {
    const text = this.bench.text();
    this.note.textContent = "recording the proof …";
    try {
      this.members = await this.bench.record();
    } catch (error) {
      this.note.textContent = String((error as Error).message);
      this.steps = [];
      this.tree.put([]);
      fill(this.state);
      return;
    }
    this.recorded = text;
    this.note.textContent = "";
    const before = this.member;
    fill(
      this.select,
      ...this.members.map((member) =>
        h("option", { value: member.name }, `${member.kind} ${member.name}${member.failures.length > 0 ? " ✗" : ""}`),
      ),
    );
    const written = this.members.filter((member) => this.bench.declared().includes(member.name)); // others were generated
    const failing = this.members.find((member) => member.failures.length > 0) ?? written.find((member) => member.kind === "method") ?? written[0] ?? this.members[0];
    const wanted = this.members.find((member) => member.name === before) ?? failing;
    if (wanted) await this.openMember(wanted.name);
  }

  async openMember(name: string): Promise<void> {
    this.member = name;
    this.select.value = name;
    try {
      const { steps } = await this.bench.link.ask<{ steps: Step[] }>("steps", { member: name }).answer;
      if (name !== this.member) return;
      this.steps = steps;
    } catch (error) {
      this.note.textContent = String((error as Error).message);
      return;
    }
    this.told.clear();
    this.tree.put(this.steps);
    const failure = this.members.find((member) => member.name === name)?.failures[0];
    const last = [...this.steps].reverse().find((step) => step.state && this.depth(step) === 1);
    this.choose(failure?.step ?? last?.n ?? 0);
  }

  private depth(step: Step): number {
    let depth = 0;
    for (let at = step; at.in !== null; at = this.steps[at.in]) depth++;
    return depth;
  }

  // ------------------------------------------------------------ moving

  choose(number: number): void {
    const step = this.steps[number];
    if (!step) return;
    this.here = number;
    this.tree.select(step);
    for (const [direction, button] of this.buttons) button.disabled = this.target(direction) === null;
    this.mark();
    this.bench.editor.show(step.place);
    void this.load_state(number);
  }

  private async load_state(number: number): Promise<void> {
    const step = this.steps[number];
    if (!step.state) {
      this.current = null;
      fill(this.state, h("p", { class: "hint" }, "This step starts from no state."));
      this.state.dataset.step = String(number);
      return;
    }
    try {
      const state = await this.tell(number);
      if (this.here !== number) return;
      this.current = state;
      this.renderState();
      this.state.dataset.step = String(number);
      this.drawGraph();
      await this.foresee(number);
    } catch (error) {
      if (this.here === number) fill(this.state, h("p", { class: "bad" }, String((error as Error).message)));
    }
  }

  private tell(number: number): Promise<SymbolicState> {
    const member = this.member;
    let told = this.told.get(number);
    if (!told) {
      told = this.bench.link.ask<{ state: SymbolicState }>("state", { member, step: number }).answer.then(({ state }) => state);
      told.catch(() => this.told.delete(number));
      this.told.set(number, told);
      if (this.told.size > MOST_TOLD) this.told.delete(this.told.keys().next().value as number);
    }
    return told;
  }

  // Asks for the states that the next key may lead to, one after the other, while nobody waits.
  private async foresee(number: number): Promise<void> {
    const { steps } = this;
    for (const direction of FORESEEN) {
      const next = this.target(direction);
      if (next !== null && steps[next].state) await this.tell(next).catch(() => null);
      if (this.here !== number || this.steps !== steps) return;
    }
  }

  private target(direction: Direction): number | null {
    const step = this.steps[this.here];
    if (!step) return null;
    const siblings = this.tree.inner_of(step.in);
    const at = siblings.indexOf(step);
    switch (direction) {
      case "Parent":
        return step.in;
      case "Child":
        return this.tree.inner_of(step.n)[0]?.n ?? null;
      case "Previous":
        return siblings[at - 1]?.n ?? null;
      case "Next":
        return siblings[at + 1]?.n ?? null;
    }
  }

  go(direction: Direction): void {
    const target = this.target(direction);
    if (target !== null) this.choose(target);
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, Direction> = { ArrowUp: "Previous", ArrowDown: "Next", ArrowLeft: "Parent", ArrowRight: "Child", k: "Previous", j: "Next", h: "Parent", l: "Child" };
    const move = moves[event.key];
    if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(this.members.find((m) => m.name === this.member)?.failures[0]?.step ?? this.steps.length - 1);
    else if (move) this.go(move);
    else return;
    event.preventDefault();
  }

  private search(): void {
    this.tree.find(this.filter.value.trim().toLowerCase());
    this.renderState();
  }

  // ------------------------------------------------------------ the state

  private renderState(): void {
    const state = this.current;
    if (!state) return;
    const wanted = this.filter.value.trim().toLowerCase();
    const fits = (text: string): boolean => !wanted || text.toLowerCase().includes(wanted);
    const store = state.store.filter((one) => fits(`${one.name} ${one.value}`));
    const heap = state.heap.filter((one) => fits(heldText(one.view)));
    const fresh = new Set(state.new_facts);
    const facts = state.facts.map((fact) => this.fact(fact, fresh, fits)).filter((found) => found !== null);
    const difference = state.previous === null ? "" : `Marked: what differs from the state before step ${state.previous}.`;
    fill(
      this.state,
      difference ? h("p", { class: "hint" }, difference) : null,
      heading("Store", "variables and their values"),
      h(
        "table",
        { class: "store" },
        h(
          "tbody",
          {},
          ...store.map((one) =>
            h(
              "tr",
              { class: one.is_new || one.before !== null ? "new" : null },
              h("th", { scope: "row" }, one.name),
              h("td", {}, h("code", {}, one.value), one.before !== null && h("span", { class: "was" }, ` was ${one.before}`)),
            ),
          ),
        ),
      ),
      heading("Heap", "what permission is held to, its value, and how much of it (write: all)"),
      this.held(heap.map((one) => ({ ...one, gone: false })).concat(state.gone.filter((view) => fits(heldText(view))).map((view) => ({ view, is_new: false, gone: true })))),
      ...state.old_heaps.map(([label, held]) =>
        h("details", {}, h("summary", {}, label === "old" ? "Heap at the start (old)" : label.startsWith("old") ? `Heap of ${label}` : `Heap: ${label}`), this.held(held.map((view) => ({ view, is_new: false, gone: false })))),
      ),
      heading("Path conditions", "what is known on this way"),
      facts.length > 0 ? h("ul", { class: "facts" }, ...facts) : h("p", { class: "hint" }, "Nothing is assumed."),
    );
  }

  private held(lines: { view: HeldAt; is_new: boolean; gone: boolean }[]): HTMLElement {
    if (lines.length === 0) return h("p", { class: "hint" }, "Nothing is held.");
    return h("table", { class: "heap" }, h("tbody", {}, ...lines.flatMap((line) => this.heldRows(line))));
  }

  private heldRows({ view, is_new, gone }: { view: HeldAt; is_new: boolean; gone: boolean }): HTMLElement[] {
    const amount = `${gone ? "had " : ""}${view.amount}`;
    const own = h(
      "tr",
      { class: gone ? "gone" : is_new ? "new" : null },
      h("th", { scope: "row" }, h("code", {}, view.quantifier ? `${view.quantifier} ${view.location}` : view.location)),
      h("td", {}, view.value !== null && h("code", {}, `↦ ${view.value}`)),
      h("td", { class: "amount" }, amount, view.when && h("span", { class: "when" }, " if ", h("code", {}, view.when))),
    );
    if (view.contents.length === 0) return [own];
    const inside = this.held(view.contents.map((one) => ({ view: one, is_new: false, gone })));
    return [own, h("tr", { class: "inside" }, h("td", { colspan: "3" }, h("details", {}, h("summary", {}, `inside of ${view.location}`), inside)))];
  }

  private fact(fact: Fact, fresh: Set<number>, fits: (text: string) => boolean): HTMLElement | null {
    if (fact.internal && !this.internal.checked) return null;
    const inner = fact.children.map((child) => this.fact(child, fresh, fits)).filter((found) => found !== null);
    const text = fact.final ?? fact.original ?? fact.description ?? "internal";
    if (fact.children.length === 0) return fits(text) ? h("li", { class: fresh.has(fact.id) ? "new" : null }, h("code", {}, text)) : null;
    if (inner.length === 0) return null;
    const title = fact.description ?? fact.original ?? text;
    return h("li", {}, h("details", { open: true }, h("summary", {}, title, h("span", { class: "hint" }, ` ${lineOf(fact.span)}`)), h("ul", {}, ...inner)));
  }

  private drawGraph(): void {
    const wanted = this.draws.checked && this.current !== null;
    this.graph.element.hidden = !wanted;
    if (!wanted) return;
    const failures = this.members.find((member) => member.name === this.member)?.failures ?? [];
    const failure = failures.findIndex((one) => one.step === this.here);
    void this.graph.show(failure >= 0 ? { member: this.member, failure } : { member: this.member, step: this.here });
  }

  // ------------------------------------------------------------ the text

  private mark(): void {
    const step = this.steps[this.here];
    if (!step || !this.visible || this.recorded !== this.bench.text()) {
      this.bench.editor.draw("states", []);
      return;
    }
    const marks: Mark[] = [];
    const top = this.tree.inner_of(this.tree.inner_of(null)[0]?.n ?? null);
    const known = new Set<string>();
    for (const one of top) {
      const place = JSON.stringify(one.place);
      if (!known.has(place)) marks.push({ place: one.place, look: "top" });
      known.add(place);
    }
    const beside = new Map(this.tree.inner_of(step.in).map((one) => [JSON.stringify(one.place), one.place]));
    beside.delete(JSON.stringify(step.place));
    for (const place of beside.values()) marks.push({ place, look: "sibling" });
    for (const one of this.tree.inner_of(step.n)) marks.push({ place: one.place, look: "child" });
    marks.push({ place: step.place, look: "here" });
    this.bench.editor.draw("states", marks);
  }

  clicked(offset: number, event: MouseEvent): void {
    this.closePopup();
    if (!this.visible || !this.mouse.checked || this.recorded !== this.bench.text()) return;
    const around = this.steps
      .filter((step) => step.state && step.place && step.place.file === "")
      .map((step) => ({ step, ...this.bench.editor.offsets(step.place as NonNullable<Step["place"]>) }))
      .filter(({ from, to }) => from <= offset && offset <= to && to > from);
    if (around.length === 0) return;
    const size = Math.min(...around.map(({ from, to }) => to - from));
    const nearest = around.filter(({ from, to }) => to - from === size).map(({ step }) => step);
    const enclosing = around.filter(({ step }) => step.rule === "execute").map(({ step }) => step);
    const found = [...new Set([...nearest, ...enclosing])].sort((a, b) => a.n - b.n);
    if (found.length === 1) this.choose(found[0].n);
    else this.ask(found, event);
  }

  private ask(found: Step[], event: MouseEvent): void {
    const items = found.slice(0, 40).map((step) =>
      h(
        "button",
        {
          type: "button",
          role: "menuitem",
          class: step.wrong ? "wrong" : null,
          click: () => {
            this.closePopup();
            this.choose(step.n);
          },
        },
        `${step.n}  ${step.rule}  ${step.text}`,
        h("span", { class: "hint" }, ` ${this.way(step)}`),
      ),
    );
    const popup = h("div", { class: "popup", role: "menu", "aria-label": "States at this place" }, h("p", { class: "hint" }, `${found.length} states share this place`), ...items);
    popup.style.left = `${Math.min(event.clientX, window.innerWidth - 340)}px`;
    popup.style.top = `${Math.min(event.clientY + 8, window.innerHeight - 260)}px`;
    popup.addEventListener("keydown", (key) => {
      const at = items.indexOf(document.activeElement as HTMLButtonElement);
      if (key.key === "Escape") this.closePopup();
      else if (key.key === "ArrowDown") items[(at + 1) % items.length].focus();
      else if (key.key === "ArrowUp") items[(at + items.length - 1) % items.length].focus();
      else return;
      key.preventDefault();
    });
    document.body.append(popup);
    this.popup = popup;
    items[0].focus();
  }

  // The decisions on the way to a step tell states at one place apart; the last ones matter most.
  private way(step: Step): string {
    return step.way.length > 60 ? `…${step.way.slice(-59)}` : step.way;
  }

  private closePopup(): void {
    this.popup?.remove();
    this.popup = null;
  }
}

function heldText(view: HeldAt): string {
  return [`${view.quantifier} ${view.location} ${view.value ?? ""} ${view.amount}`, ...view.contents.map(heldText)].join(" ");
}

function heading(title: string, meaning: string): HTMLElement {
  return h("h4", {}, title, h("span", { class: "hint" }, ` ${meaning}`));
}
