// What the verifier says: members with their verdicts, and each failed check as a story.
import type { Bench, Panel } from "./bench";
import { fill, h, marked } from "./dom";
import type { LineMark, Mark } from "./editor";
import { GraphView } from "./graph";
import type { MemberVerdict, Moment, Noted, PathPoint, Place, Problem, RecordedMember } from "./types";

const SIGNS: Record<string, string> = { verified: "✓", refuted: "✗", undecided: "?", rejected: "✗", running: "…" };
const WORDS: Record<string, string> = { verified: "verified", refuted: "fails", undecided: "undecided", rejected: "rejected" };

export function lineOf(place: Place | null): string {
  if (!place) return "";
  return place.file ? `${place.file}:${place.from[0] + 1}` : `line ${place.from[0] + 1}`;
}

export class ChecksPanel implements Panel {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "members" });
  private readonly story = h("div", { class: "story" });
  private readonly graph: GraphView;
  private members: MemberVerdict[] = [];
  private front: Problem[] = [];
  private chosen: string | null = null;
  private stale = false;
  private turn = 0;
  private pictured = ""; // the problem that the graph is about
  private points: PathPoint[] = [];
  private problem: Problem | null = null;
  private visible = true;
  private values: Moment[] = [];

  constructor(private readonly bench: Bench) {
    this.graph = new GraphView(bench);
    this.graph.element.hidden = true;
    this.graph.drawn = (answer) => this.trail(answer?.found ? answer.result.trail : []);
    this.element = h("div", { class: "checks" }, this.list, this.story, this.graph.element);
    this.render();
  }

  shown(): void {
    this.visible = true;
    this.mark();
  }

  hidden(): void {
    this.visible = false;
    this.bench.editor.draw("path", []);
  }

  textChanged(): void {
    this.stale = true;
    this.list.classList.add("stale");
    this.pictured = "";
    for (const offered of this.story.querySelectorAll(".apply")) offered.remove();
  }

  problems(): Problem[] {
    return [...this.front, ...this.members.flatMap((member) => member.problems)];
  }

  begin(): void {
    this.members = [];
    this.stale = false;
    this.list.classList.remove("stale");
  }

  checked(problems: Problem[]): void {
    this.front = problems;
    this.render();
  }

  add(member: MemberVerdict): void {
    this.members = [...this.members.filter((one) => one.member !== member.member), member];
    this.members.sort((a, b) => firstLine(a) - firstLine(b));
    this.render();
  }

  finish(order: Map<string, number>): void {
    this.members.sort((a, b) => (order.get(a.member) ?? 0) - (order.get(b.member) ?? 0));
    this.render();
    const same = this.all().find((problem) => keyOf(problem) === this.chosen);
    const next = same ?? this.all()[0];
    if (next) void this.choose(next, false);
    else this.close();
  }

  private all(): Problem[] {
    return this.members.flatMap((member) => member.problems.filter((problem) => problem.severity === "error"));
  }

  private render(): void {
    const front = this.front.map((problem) => this.card(problem));
    const members = this.members.map((member) => this.row(member));
    const empty = front.length + members.length === 0;
    fill(
      this.list,
      ...front,
      members.length > 0 && h("ul", { class: "member-list", "aria-label": "Members" }, ...members),
      empty && h("p", { class: "hint" }, "Nothing was verified yet. Press Verify, or Ctrl+Enter in the text."),
    );
  }

  private row(member: MemberVerdict): HTMLElement {
    const open = member.undecided.map((point) => h("p", { class: "undecided" }, ...marked(`undecided: ${point.text} (${lineOf(point.place)})`)));
    return h(
      "li",
      { class: `member ${member.verdict}` },
      h(
        "div",
        { class: "member-head" },
        h("span", { class: `sign ${member.verdict}`, "aria-hidden": "true" }, SIGNS[member.verdict]),
        h("span", {}, `${member.declared} `, h("strong", {}, member.member)),
        h("span", { class: "hint" }, ` ${WORDS[member.verdict]}${member.seconds >= 0.05 ? `, ${member.seconds.toFixed(1)} s` : ""}`),
      ),
      ...member.problems.map((problem) => this.card(problem)),
      ...open,
      member.crash !== null && h("p", { class: "undecided" }, `internal error of Pitviper: ${member.crash}`),
    );
  }

  private card(problem: Problem): HTMLElement {
    const chosen = keyOf(problem) === this.chosen;
    return h(
      "button",
      {
        type: "button",
        class: `card ${problem.severity}`,
        "aria-pressed": chosen ? "true" : "false",
        click: () => void this.choose(problem, true),
      },
      h("span", { class: "card-line" }, lineOf(problem.place)),
      h("span", { class: "card-text" }, ...marked(problem.message)),
    );
  }

  private close(): void {
    this.chosen = null;
    this.problem = null;
    this.points = [];
    fill(this.story);
    this.graph.element.hidden = true;
    this.graph.clear();
    this.bench.editor.draw("path", []);
  }

  async choose(problem: Problem, show: boolean): Promise<void> {
    const turn = ++this.turn;
    this.chosen = keyOf(problem);
    this.problem = problem;
    this.points = [];
    this.values = [];
    this.render();
    if (show) this.bench.editor.show(problem.place);
    this.tell(problem);
    this.mark();
    if (!problem.member || problem.severity !== "error" || this.stale) {
      this.graph.element.hidden = true;
      return;
    }
    if (this.pictured !== keyOf(problem)) this.graph.clear(); // a picture of something else
    this.graph.element.hidden = false;
    try {
      const members = await this.bench.record();
      const found = failureOf(members, problem);
      if (turn !== this.turn) return;
      if (!found) {
        this.graph.element.hidden = true;
        return;
      }
      const target = { member: found.member, failure: found.failure };
      this.pictured = keyOf(problem);
      const drawn = this.graph.show(target);
      const { points } = await this.bench.link.ask<{ points: PathPoint[] }>("path", target).answer;
      if (turn !== this.turn) return;
      this.points = points;
      this.mark();
      await drawn;
    } catch (error) {
      if (turn === this.turn) this.bench.say(String((error as Error).message));
    }
  }

  private tell(problem: Problem): void {
    const others = problem.other_paths > 0 && h("p", { class: "hint" }, `It fails on ${problem.other_paths} other path${problem.other_paths > 1 ? "s" : ""}, too.`);
    fill(
      this.story,
      h("h3", {}, ...marked(problem.title)),
      h("p", { class: "hint" }, `${lineOf(problem.place)} · ${problem.id}`),
      problem.help !== null && h("p", { class: "cure" }, h("strong", {}, "Cure: "), ...marked(problem.help)),
      this.cures(problem),
      problem.notes.length > 0 && h("ul", { class: "notes" }, ...problem.notes.map((note) => h("li", {}, ...marked(note)))),
      problem.conditions.length > 0 && h("h4", {}, "The way there"),
      problem.conditions.length > 0 &&
        h(
          "ol",
          { class: "conditions" },
          ...problem.conditions.map((condition) =>
            h("li", {}, this.jump(condition.used ?? condition.place, condition.holds), h("span", { class: "hint" }, ` ${lineOf(condition.used ?? condition.place)}`)),
          ),
        ),
      others,
      problem.history.length > 0 && h("h4", {}, "What became of the permission"),
      problem.history.length > 0 && this.noted(problem.history),
      problem.held.length > 0 && h("h4", {}, "What is held instead"),
      problem.held.length > 0 && h("ul", {}, ...problem.held.map((text) => h("li", {}, h("code", {}, text)))),
      problem.related.length > 0 && h("h4", {}, "In the text"),
      problem.related.length > 0 && this.noted(problem.related),
    );
  }

  // Buttons that write into the text what the cure names.
  private cures(problem: Problem): HTMLElement | false {
    const known = (problem.cures ?? []).filter((cure) => cure.edits.every(({ place }) => place && place.file === ""));
    if (known.length === 0 || this.stale || this.bench.editor.isReadOnly) return false;
    return h(
      "p",
      { class: "apply" },
      ...known.map((cure) => h("button", { type: "button", click: () => this.bench.editor.write(cure.edits) }, ...marked(cure.title))),
    );
  }

  private noted(items: Noted[]): HTMLElement {
    return h("ul", {}, ...items.map((item) => h("li", {}, this.jump(item.place, item.text), h("span", { class: "hint" }, ` ${lineOf(item.place)}`))));
  }

  private jump(place: Place | null, text: string): HTMLElement {
    if (!place || place.file) return h("code", {}, text);
    return h("button", { type: "button", class: "link", click: () => this.bench.editor.show(place, true) }, ...marked(text));
  }

  // Draws the way to the failure: lines that were passed, branches that were taken, what changed.
  private mark(): void {
    const problem = this.problem;
    const values = this.values.length > 0 ? this.values : null;
    if (!problem || this.stale || !this.visible) return;
    const marks: Mark[] = [{ place: problem.place, look: "failure" }];
    for (const related of problem.related) marks.push({ place: related.place, look: "related", title: related.text });
    const lines = new Map<number, LineMark>();
    const failing = problem.place && problem.place.file === "" ? problem.place.from[0] : -1;
    for (const point of this.points) {
      if (!point.span || point.span.file !== "") continue;
      const line = point.span.from[0];
      const known = lines.get(line);
      if (point.taken !== null) {
        const note = point.taken ? "taken" : "not taken";
        marks.push({ place: point.span, look: point.taken ? "taken" : "skipped" });
        lines.set(line, { line, look: "path", note: known?.note ? `${known.note}, ${note}` : `← ${note}` });
      } else if (!known) lines.set(line, { line, look: line === failing ? "failing" : "path" });
      if (point.changes.length > 0 && !values) {
        const text = point.changes.slice(0, 3).map(([name, value]) => `${name} = ${short(value)}`).join(", ");
        const before = lines.get(line)?.note;
        lines.set(line, { line, look: "path", note: before?.includes(text) ? before : before ? `${before}; ${text}` : `← ${text}` });
      }
    }
    for (const [line, found] of latest(values ?? [])) {
      if (line === failing) continue; // it ends there: what it would change is not changed
      const text = [...found].map(([name, value]) => `${name} = ${short(value)}`).join(", ");
      const before = lines.get(line)?.note;
      lines.set(line, { line, look: "path", note: before ? `${before}; ${text}` : `← ${text}` });
    }
    if (failing >= 0) lines.set(failing, { line: failing, look: "failing", note: lines.get(failing)?.note });
    this.bench.editor.draw("path", marks, [...lines.values()]);
  }

  private trail(values: Moment[]): void {
    this.values = values;
    this.mark();
  }
}

// For each line the last value of each name: a declaration with a value is two statements.
function latest(values: Moment[]): Map<number, Map<string, string>> {
  const found = new Map<number, Map<string, string>>();
  for (const { span, values: changed } of values) {
    if (!span || span.file !== "") continue;
    const line = found.get(span.from[0]) ?? new Map<string, string>();
    for (const [name, value] of changed) line.set(name, value);
    if (line.size > 0) found.set(span.from[0], line);
  }
  return found;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function firstLine(member: MemberVerdict): number {
  return member.problems[0]?.place?.from[0] ?? 0;
}

function keyOf(problem: Problem): string {
  return JSON.stringify([problem.member, problem.id, problem.message, problem.place?.from ?? null]);
}

export function failureOf(members: RecordedMember[], problem: Problem): { member: string; failure: number } | null {
  const at = JSON.stringify(problem.place);
  for (const member of members) {
    if (member.name !== problem.member) continue;
    const exact = member.failures.findIndex(({ error }) => error.id === problem.id && JSON.stringify(error.span) === at && error.message === problem.message);
    const close = exact >= 0 ? exact : member.failures.findIndex(({ error }) => error.id === problem.id && JSON.stringify(error.span) === at);
    if (close >= 0) return { member: member.name, failure: close };
  }
  return null;
}
