// Runs instead of proofs: colours of assertions, coverage, flow graphs, tests and their replays.
import type { Bench, Panel } from "./bench";
import { lineOf } from "./checks";
import { fill, h } from "./dom";
import type { LineMark, Mark } from "./editor";
import { svgOf } from "./graph";
import type { Asked } from "./link";
import type { Coloured, Explored, ExploredMethod, Replay, TestView } from "./types";

const CLAIMS: Record<string, string> = {
  fails: "inputs make it fail",
  proved: "proved: every way was run",
  holds: "no way fails, with the bodies of callees",
  open: "not all ways were run",
};
const LEGEND: [string, string][] = [
  ["green", "proved"],
  ["yellow", "not decided"],
  ["red", "inputs make it fail"],
  ["unreached", "something before it fails"],
];

export class ExplorePanel implements Panel {
  readonly element: HTMLElement;
  private readonly start = h("button", { type: "button", class: "primary", click: () => (this.running ? this.running.cancel() : void this.explore()) }, "Explore");
  private readonly note = h("span", { class: "hint", role: "status" });
  private readonly body = h("div", {});
  private readonly player = h("section", { class: "replay", "aria-label": "Replay", hidden: true });
  private running: Asked<Explored> | null = null;
  private found: Explored | null = null;
  private text = "";
  private old = false; // the text, or a file that it imports, has changed since
  private asked = 0;
  private visible = false;
  private replay: Replay | null = null;
  private test: TestView | null = null;
  private at = 0;
  private watched: string[] = [];

  constructor(private readonly bench: Bench) {
    const legend = LEGEND.map(([look, text]) => h("span", {}, h("span", { class: `dot ${look}` }), text));
    this.element = h(
      "div",
      { class: "explore" },
      h("div", { class: "bar" }, bench.link.live && this.start, this.note),
      h("p", { class: "legend hint" }, ...legend),
      this.player,
      this.body,
    );
    this.player.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0 || (event.target as Element).matches("input")) return;
      event.preventDefault();
      this.step(this.at + step);
    });
    bench.themed(() => this.render());
    fill(this.body, h("p", { class: "hint" }, "Explore runs all methods on inputs that a solver chooses, and colours every assertion."));
  }

  shown(): void {
    this.visible = true;
    if (!this.bench.link.live && !this.found) void this.explore();
    this.mark();
  }

  hidden(): void {
    this.visible = false;
    this.bench.editor.draw("explore", []);
    this.bench.editor.draw("replay", []);
  }

  textChanged(): void {
    this.outdated("The text has changed since: explore it again.");
  }

  // A file that an explored program imports is another one by now.
  moved(of: number): void {
    if (of === this.asked) this.outdated("An imported file has changed since: explore it again.");
  }

  private outdated(why: string): void {
    if (!this.found && !this.running) return;
    this.old = true;
    this.bench.editor.draw("explore", []);
    this.bench.editor.draw("replay", []);
    this.body.classList.add("stale");
    if (!this.running) this.note.textContent = why;
  }

  private async explore(): Promise<void> {
    const text = this.bench.text();
    this.player.hidden = true;
    this.replay = null;
    this.old = false;
    this.body.classList.remove("stale");
    this.note.textContent = "running …";
    this.start.textContent = "Stop";
    const asked = this.bench.link.ask<Explored>("explore", { text, path: this.bench.path() }, (event) => {
      if (event.kind === "stage") this.note.textContent = `${String(event.text)} …`;
    });
    this.running = asked;
    this.asked = asked.id;
    try {
      this.found = await asked.answer;
      this.text = text;
      this.note.textContent = this.old ? "The text has changed since: explore it again." : "";
      this.render();
      this.mark();
    } catch (error) {
      this.note.textContent = String((error as Error).message);
    } finally {
      this.running = null;
      this.start.textContent = "Explore";
    }
  }

  private render(): void {
    const found = this.found;
    if (!found) return;
    fill(
      this.body,
      h("h3", {}, "Assertions"),
      found.places.length > 0 ? h("ul", { class: "plain" }, ...found.places.map((place) => this.place(place))) : h("p", { class: "hint" }, "Nothing is asserted here."),
      h("h3", {}, "Tests"),
      found.tests.length > 0 ? h("ul", { class: "plain" }, ...found.tests.map((test) => this.testRow(test))) : h("p", { class: "hint" }, "No run is worth a test."),
      h("h3", {}, "Methods"),
      ...found.methods.map((method) => this.method(method)),
      found.skipped.length > 0 && h("p", { class: "hint" }, `Not run: ${found.skipped.map(([name, why]) => `${name} (${why})`).join(", ")}`),
    );
  }

  private place(place: Coloured): HTMLElement {
    const look = place.colour === "not reached" ? "unreached" : place.colour;
    return h(
      "li",
      { class: "place" },
      h("span", { class: `dot ${look}`, role: "img", "aria-label": place.colour }),
      h(
        "span",
        {},
        h("button", { type: "button", class: "link", click: () => this.bench.editor.show(place.span, true) }, place.text),
        h("span", { class: "hint" }, ` ${lineOf(place.span)} · ${place.why} `),
        place.test !== null && h("button", { type: "button", class: "small", click: () => void this.open(place.test as number) }, "Replay"),
      ),
    );
  }

  private testRow(test: TestView): HTMLElement {
    return h(
      "li",
      { class: "place" },
      h("span", { class: `dot ${test.finding ? "red" : "green"}`, role: "img", "aria-label": test.finding ? "fails" : test.status }),
      h("span", {}, h("strong", {}, test.method), ` ${test.inputs.join(", ") || "any input"} `, h("span", { class: "hint" }, test.finding ? `${test.finding}, line ${test.line} ` : `${test.status} `), h("button", { type: "button", class: "small", click: () => void this.open(test.number) }, "Replay")),
    );
  }

  private method(method: ExploredMethod): HTMLElement {
    const [covered, all] = method.covered;
    const share = all > 0 ? Math.round((100 * covered) / all) : 100;
    const bar = h("span", {});
    bar.style.width = `${share}%`;
    const picture = method.svg === null ? null : svgOf(method.svg);
    return h(
      "section",
      { class: "method" },
      h("h4", {}, `${method.method}: ${CLAIMS[method.claim] ?? method.claim}`),
      h("div", { class: "meter", role: "img", "aria-label": `${covered} of ${all} lines were run` }, bar),
      h("p", { class: "hint" }, `${method.runs} run${method.runs === 1 ? "" : "s"}, ${covered} of ${all} lines${method.open.length > 0 ? `; open: ${method.open.join("; ")}` : ""}`),
      picture && this.flow(method, picture),
    );
  }

  // The flow graph is zoomed by buttons, or by the wheel with a key; its lines lead to the source.
  private flow(method: ExploredMethod, picture: SVGSVGElement): HTMLElement {
    let size = 1;
    const apply = (to: number): void => {
      size = Math.min(8, Math.max(0.4, to));
      picture.style.maxWidth = size === 1 ? "" : "none";
      picture.style.width = size === 1 ? "" : `${Math.round(100 * size)}%`;
    };
    for (const line of picture.querySelectorAll<SVGTextElement>("text")) {
      const number = Number(/^(\d+):/.exec(line.textContent ?? "")?.[1]);
      if (method.own && number > 0) this.leads(line, number - 1);
    }
    const zoom = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom of the flow graph" },
      h("button", { type: "button", "aria-label": "Zoom in", click: () => apply(size * 1.3) }, "+"),
      h("button", { type: "button", "aria-label": "Zoom out", click: () => apply(size / 1.3) }, "−"),
      h("button", { type: "button", "aria-label": "Fit", click: () => apply(1) }, "⤢"),
    );
    const area = h("div", { class: "flow", tabindex: "0", role: "group", "aria-label": `Flow graph of ${method.method}` }, picture as unknown as HTMLElement);
    area.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return; // plain wheels move the panel
        event.preventDefault();
        apply(event.deltaY < 0 ? size * 1.15 : size / 1.15);
      },
      { passive: false },
    );
    return h("details", {}, h("summary", {}, "Flow graph"), h("div", { class: "graph-body" }, area, zoom));
  }

  private leads(line: SVGTextElement, row: number): void {
    const go = (): void => this.bench.editor.show({ file: "", from: [row, 0], to: [row, 0] }, true);
    line.classList.add("leads");
    line.setAttribute("tabindex", "0");
    line.setAttribute("role", "link");
    line.addEventListener("click", go);
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go();
    });
  }

  // ------------------------------------------------------------ replays

  private async open(number: number): Promise<void> {
    this.note.textContent = "replaying …";
    try {
      this.replay = await this.bench.link.ask<Replay>("replay", { test: number }).answer;
      this.test = this.found?.tests.find((test) => test.number === number) ?? null;
      this.note.textContent = "";
      this.at = 0;
      this.player.hidden = false;
      this.step(0);
      this.player.querySelector<HTMLElement>("button.forward")?.focus();
      this.player.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.note.textContent = String((error as Error).message);
    }
  }

  private step(to: number): void {
    const replay = this.replay;
    if (!replay || replay.steps.length === 0) return;
    this.at = Math.max(0, Math.min(replay.steps.length - 1, to));
    const step = replay.steps[this.at];
    const before = this.at > 0 ? new Map([...replay.steps[this.at - 1].values, ...replay.steps[this.at - 1].cells.map(([place, , value]): [string, string] => [place, value])]) : null;
    const changed = (name: string, value: string): string | null => (before && before.get(name) !== value ? "new" : null);
    const button = (label: string, title: string, target: number, look = ""): HTMLElement =>
      h("button", { type: "button", class: look, title, disabled: target < 0 || target >= replay.steps.length || target === this.at, click: () => this.again(target, look) }, label);
    const last = replay.steps.length - 1;
    const expression = h("input", { type: "text", placeholder: "watch an expression", "aria-label": "Watch an expression", spellcheck: "false" });
    const watches = h("tbody", {}, ...this.watched.map((text) => this.watch(text)));
    fill(
      this.player,
      h("h3", {}, `Replay of ${this.test?.method ?? ""}${this.test && this.test.inputs.length > 0 ? ` with ${this.test.inputs.join(", ")}` : ""}`),
      h("div", { class: "bar" }, button("|◀", "First step", 0), button("◀ Back", "One step back (arrow left)", this.at - 1, "back"), button("Step ▶", "One step (arrow right)", this.at + 1, "forward"), button("▶|", "Last step", last), h("span", { class: "hint", role: "status" }, `step ${this.at + 1} of ${last + 1}, ${lineOf(step.span)}`), h("button", { type: "button", class: "small", click: () => this.close() }, "Close")),
      this.at === last && h("p", { class: replay.fails ? "bad" : "proved" }, replay.ending),
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          ...step.values.map(([name, value]) => h("tr", { class: changed(name, value) }, h("th", { scope: "row" }, name), h("td", {}, value))),
          ...step.cells.map(([place, amount, value]) => h("tr", { class: changed(place, value) }, h("th", { scope: "row" }, place), h("td", {}, `${value}  (${amount})`))),
        ),
        watches,
      ),
      this.bench.link.live && h(
        "form",
        {
          class: "bar",
          submit: (event: Event) => {
            event.preventDefault();
            if (!expression.value.trim()) return;
            this.watched.push(expression.value.trim());
            this.step(this.at);
          },
        },
        expression,
        h("button", { type: "submit", class: "small" }, "Watch"),
      ),
    );
    this.mark();
    this.bench.editor.show(step.span);
  }

  private again(target: number, look: string): void {
    this.step(target);
    this.player.querySelector<HTMLElement>(look ? `button.${look}:enabled` : "button:enabled")?.focus();
  }

  private watch(text: string): HTMLElement {
    const value = h("td", {}, "…");
    void this.bench.link
      .ask<{ value: string; problem: string }>("watch", { step: this.at, expression: text })
      .answer.then((answer) => (value.textContent = answer.problem || answer.value), (error: Error) => (value.textContent = error.message));
    const drop = (): void => {
      this.watched = this.watched.filter((one) => one !== text);
      this.step(this.at);
    };
    return h("tr", {}, h("th", { scope: "row" }, text), value, h("td", {}, h("button", { type: "button", class: "small", "aria-label": `Stop watching ${text}`, click: drop }, "✕")));
  }

  private close(): void {
    this.replay = null;
    this.player.hidden = true;
    this.bench.editor.draw("replay", []);
    this.mark();
  }

  // ------------------------------------------------------------ the text

  private mark(): void {
    if (!this.visible || !this.found || this.old || this.text !== this.bench.text()) return;
    const marks: Mark[] = this.found.places.filter((place) => place.shown).map((place) => ({ place: place.span, look: place.colour === "not reached" ? "unreached" : place.colour, title: place.why }));
    const lines: LineMark[] = this.found.lines.map(([line, runs]) => ({ line, look: runs > 0 ? "covered" : "uncovered", title: `${runs} run${runs === 1 ? "" : "s"}` }));
    this.bench.editor.draw("explore", marks, lines);
    const step = this.replay?.steps[this.at];
    if (!step?.span || step.span.file !== "") this.bench.editor.draw("replay", []);
    else this.bench.editor.draw("replay", [{ place: step.span, look: "here" }], [{ line: step.span.from[0], look: "replay" }]);
  }
}
