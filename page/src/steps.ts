// The tree of recorded steps: of thousands of rows only those that are seen are drawn.
import { RULES } from "./words";
import { lineOf } from "./checks";
import { fill, h } from "./dom";
import type { Step } from "./types";

const BEYOND = 20; // rows above and below what is seen

export class StepTree {
  readonly element = h("div", { class: "steps", role: "tree", "aria-label": "Steps of the proof", tabindex: "0" });
  private readonly inner = h("div", { class: "rows", role: "presentation" });
  private steps: Step[] = [];
  private inside = new Map<number | null, Step[]>();
  private open = new Set<number>();
  private rows: [Step, number][] = [];
  private at = new Map<number, number>(); // the row of each step
  private drawn = new Map<number, HTMLElement>();
  private here = -1;
  private height = 0;
  private wanted = "";

  constructor(private readonly chosen: (number: number) => void) {
    this.element.append(this.inner);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  put(steps: Step[]): void {
    this.steps = steps;
    this.inside = new Map();
    for (const step of steps) {
      const siblings = this.inside.get(step.in) ?? [];
      siblings.push(step);
      this.inside.set(step.in, siblings);
    }
    this.open = new Set(steps.filter((step) => step.in === null).map((step) => step.n));
    this.here = -1;
    this.element.dataset.count = String(steps.length);
    this.element.scrollTop = 0;
    this.arrange();
  }

  inner_of(step: number | null): Step[] {
    return this.inside.get(step) ?? [];
  }

  find(wanted: string): void {
    this.wanted = wanted;
    this.arrange();
    this.reveal();
  }

  select(step: Step): void {
    this.here = step.n;
    this.element.dataset.here = String(step.n);
    let folded = false;
    for (let at = step; at.in !== null; at = this.steps[at.in]) {
      folded ||= !this.open.has(at.in);
      this.open.add(at.in);
    }
    if (folded) this.arrange();
    this.reveal();
  }

  // Which rows there are: those inside of open ones, or those that a search has found.
  private arrange(): void {
    const hits = this.wanted ? this.hits(this.wanted) : null;
    const todo: [Step, number][] = this.inner_of(null).map((step): [Step, number] => [step, 0]).reverse();
    this.rows = [];
    while (todo.length > 0) {
      const [step, depth] = todo.pop() as [Step, number];
      if (hits && !hits.has(step.n)) continue;
      this.rows.push([step, depth]);
      if (!this.open.has(step.n) && !hits) continue;
      const inner = this.inner_of(step.n);
      for (let i = inner.length - 1; i >= 0; i--) todo.push([inner[i], depth + 1]);
    }
    this.at = new Map(this.rows.map(([step], row) => [step.n, row]));
    this.drawn.clear();
    fill(this.inner);
    this.draw();
  }

  private hits(wanted: string): Set<number> {
    const found = new Set<number>();
    for (const step of this.steps) {
      if (!`${step.rule} ${step.text}`.toLowerCase().includes(wanted)) continue;
      for (let at: Step | undefined = step; at && !found.has(at.n); at = at.in === null ? undefined : this.steps[at.in]) found.add(at.n);
    }
    return found;
  }

  private reveal(): void {
    const row = this.at.get(this.here);
    if (row !== undefined) {
      const [top, seen] = [row * this.rowHeight(), this.element.clientHeight];
      if (top < this.element.scrollTop) this.element.scrollTop = top;
      else if (top + this.rowHeight() > this.element.scrollTop + seen - 8) this.element.scrollTop = top + this.rowHeight() - seen + 8;
    }
    this.draw();
    if (row === undefined) this.element.removeAttribute("aria-activedescendant");
    else this.element.setAttribute("aria-activedescendant", `step-${this.here}`);
  }

  private rowHeight(): number {
    if (this.height === 0 && this.rows.length > 0) {
      const probe = this.row(...this.rows[0]);
      this.inner.append(probe);
      this.height = probe.getBoundingClientRect().height;
      probe.remove();
    }
    return this.height || 22;
  }

  private draw(): void {
    const each = this.rowHeight();
    const first = Math.max(0, Math.floor(this.element.scrollTop / each) - BEYOND);
    const last = Math.min(this.rows.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / each) + BEYOND);
    this.inner.style.height = `${this.rows.length * each}px`;
    for (const [row, element] of this.drawn) {
      if (row >= first && row < last) continue;
      element.remove();
      this.drawn.delete(row);
    }
    for (let row = first; row < last; row++) {
      if (this.drawn.has(row)) continue;
      const element = this.row(...this.rows[row]);
      element.style.top = `${row * each}px`;
      this.drawn.set(row, element);
      this.inner.append(element);
    }
    for (const [row, element] of this.drawn) {
      const chosen = String(this.rows[row][0].n === this.here);
      if (element.getAttribute("aria-selected") !== chosen) element.setAttribute("aria-selected", chosen);
    }
  }

  private row(step: Step, depth: number): HTMLElement {
    const siblings = this.inner_of(step.in);
    const inner = this.inner_of(step.n).length;
    const open = this.open.has(step.n);
    const twist = h("span", { class: "twist", "aria-hidden": "true" }, inner === 0 ? "·" : open ? "▾" : "▸");
    const row = h(
      "div",
      {
        class: `step ${step.wrong ? "wrong" : ""} ${step.ended === "no state left" ? "ended" : ""}`,
        id: `step-${step.n}`,
        role: "treeitem",
        "aria-level": depth + 1,
        "aria-posinset": siblings.indexOf(step) + 1,
        "aria-setsize": siblings.length,
        "aria-selected": "false",
        "aria-expanded": inner > 0 ? String(open) : null,
        "data-step": step.n,
        click: (event: MouseEvent) => {
          if (event.target === twist && inner > 0) this.fold(step);
          else this.chosen(step.n);
          this.element.focus({ preventScroll: true });
        },
      },
      twist,
      h("span", { class: `rule rule-${step.rule}`, title: RULES[step.rule] ?? null }, step.rule),
      h("code", { title: step.text }, step.text),
      h("span", { class: "hint", title: step.wrong ? step.ended : null }, `${lineOf(step.place)}${inner > 0 ? ` · ${inner}` : ""}${step.wrong ? " · fails" : ""}`),
    );
    row.style.paddingInlineStart = `${0.3 + depth * 0.9}rem`;
    return row;
  }

  private fold(step: Step): void {
    if (!this.open.delete(step.n)) this.open.add(step.n);
    this.arrange();
  }
}
