// The proof debugger: assumptions with check boxes, a goal, and a console that takes its commands.
import type { Bench, Panel } from "./bench";
import { lineOf } from "./checks";
import { fill, h } from "./dom";
import { svgOf } from "./graph";
import type { ErrorView, Fact, Held, InstanceAnswer, Reply, Step } from "./types";

type Proof = { goal: string; outcome: string; solver: string; seconds: number; why: string | null };

const BUTTONS: [string, string, string][] = [
  ["Prove", "prove", "Try the goal with the assumptions that are on"],
  ["Minimise", "minimise", "Which assumptions does the proof need?"],
  ["Why not?", "why-not", "What is missing"],
  ["Suggest", "suggest", "Assumptions that would prove the goal"],
  ["Undo", "undo", "Undo the last change"],
  ["Redo", "redo", "Do it again"],
];

export class ProofPanel implements Panel {
  readonly element: HTMLElement;
  private readonly errors = h("select", { "aria-label": "Failed check", change: () => void this.choose(Number(this.errors.value)) });
  private readonly goal = h("p", { class: "goal" });
  private readonly outcome = h("p", { class: "outcome", role: "status" });
  private readonly facts = h("div", { class: "assumptions" });
  private readonly log = h("div", { class: "log", role: "log", "aria-label": "Answers", tabindex: "0" });
  private readonly line = h("input", {
    type: "text",
    "aria-label": "Command",
    placeholder: "x > 0, or a command: help",
    spellcheck: "false",
    autocomplete: "off",
  });
  private readonly solver = h("select", { "aria-label": "Solver" }, h("option", {}, "z3"), h("option", {}, "cvc5"));
  private readonly limit = h("input", { type: "number", min: "1", placeholder: "usual", "aria-label": "Limit of the solver" });
  private readonly note = h("p", { class: "hint" });
  private readonly past: string[] = [];
  private at = 0;
  private recorded = "";
  private last: Promise<void> = Promise.resolve();
  private internal = false;

  constructor(private readonly bench: Bench) {
    const send = (event: Event): void => {
      event.preventDefault();
      const text = this.line.value.trim();
      if (!text) return;
      this.past.push(text);
      this.at = this.past.length;
      this.line.value = "";
      void this.run(text);
    };
    this.line.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (step === 0) return;
      this.at = Math.max(0, Math.min(this.past.length, this.at + step));
      this.line.value = this.past[this.at] ?? "";
      event.preventDefault();
    });
    const buttons = BUTTONS.map(([label, command, title]) => h("button", { type: "button", title, click: () => void this.run(command) }, label));
    const internal = h("input", {
      type: "checkbox",
      change: (event: Event) => {
        this.internal = (event.target as HTMLInputElement).checked;
        void this.refresh();
      },
    });
    const typed = (command: string, title: string): HTMLButtonElement =>
      h("button", { type: "button", title, click: () => this.with(command) }, `${command[0].toUpperCase()}${command.slice(1)}`);
    const solver = h(
      "form",
      {
        class: "bar",
        submit: (event: Event) => {
          event.preventDefault();
          void this.run(`solver ${this.solver.value}${this.limit.value ? ` limit ${this.limit.value}` : ""}`);
        },
      },
      h("label", { class: "count" }, "solver ", this.solver),
      h("label", { class: "count" }, "limit ", this.limit),
      h("button", { type: "submit", class: "small", title: "Prove the goal with this solver" }, "Use"),
    );
    this.element = h(
      "div",
      { class: "proof" },
      this.note,
      h("div", { class: "bar" }, this.errors),
      this.goal,
      bench.link.live ? h("div", { class: "bar" }, ...buttons) : h("p", { class: "hint" }, "A report shows the goal and what is assumed. In the workbench (pitviper serve) both can be changed and tried."),
      this.outcome,
      h(
        "details",
        { open: true },
        h("summary", {}, "Assumptions"),
        h("p", { class: "hint" }, h("code", {}, "x@2"), " is the value of ", h("code", {}, "x"), " with number 2, and ", h("code", {}, "old[debug@1#l:9](e)"), " that of ", h("code", {}, "e"), bench.link.live ? " in front of line 9: both can be typed so." : " in front of line 9."),
        h("label", { class: "hint" }, internal, " internal ones"),
        this.facts,
      ),
      this.log,
      bench.link.live && h("form", { class: "console", submit: send }, h("span", { "aria-hidden": "true" }, "›"), this.line, h("button", { type: "submit" }, "Run"), typed("assume", "Add what is typed as an assumption"), typed("lemma", "Prove what is typed, then add it as an assumption")),
      bench.link.live && solver,
    );
  }

  // What was typed is an expression, or the command with it.
  private with(command: string): void {
    const text = this.line.value.trim().replace(new RegExp(`^${command}\\s+`), "");
    this.line.focus();
    if (!text) return;
    this.line.value = "";
    this.past.push(`${command} ${text}`);
    this.at = this.past.length;
    void this.run(`${command} ${text}`);
  }

  shown(): void {
    if (this.recorded !== this.bench.text()) void this.load();
  }
  hidden(): void {}
  forget(): void {
    this.recorded = "";
  }

  textChanged(): void {
    if (this.recorded) this.note.textContent = "The text has changed since this proof was recorded.";
  }

  private async load(): Promise<void> {
    const text = this.bench.text();
    this.note.textContent = "recording the proof …";
    fill(this.log);
    fill(this.facts);
    this.goal.textContent = "";
    this.outcome.textContent = "";
    try {
      await this.bench.record();
      const [reply] = await this.command("errors");
      const errors = (reply?.errors ?? []) as ErrorView[];
      fill(this.errors, ...errors.map((error) => h("option", { value: error.number }, `${lineOf(error.span)} ${error.member}: ${error.message}`)));
      this.recorded = text;
      this.note.textContent = errors.length > 0 ? "" : "Nothing failed: there is no proof to be debugged.";
      for (const one of this.element.querySelectorAll<HTMLButtonElement | HTMLInputElement | HTMLSelectElement>("button, .console input, .count input, .count select")) one.disabled = errors.length === 0 || !this.bench.link.live;
      if (errors.length > 0) await this.choose(errors[0].number);
    } catch (error) {
      this.note.textContent = String((error as Error).message);
    }
  }

  async choose(number: number): Promise<void> {
    this.errors.value = String(number);
    const [reply] = await this.command(`choose ${number}`);
    this.bench.editor.show((reply?.error as ErrorView | null)?.span ?? null);
    this.overview(reply);
    this.outcome.textContent = "";
  }

  private async command(line: string): Promise<Reply[]> {
    const { replies } = await this.bench.link.ask<{ replies: Reply[] }>("command", { line }).answer;
    return replies;
  }

  private overview(reply: Reply | undefined): void {
    const goal = reply?.goal as { text: string; final: string | null; original: boolean } | null | undefined;
    if (goal) fill(this.goal, h("strong", {}, "Goal "), h("code", {}, goal.text), goal.final !== null && goal.final !== goal.text && h("span", { class: "hint" }, ` as ${goal.final}`));
    const facts = reply?.assumptions as Fact[] | null | undefined;
    if (facts) fill(this.facts, h("ul", { class: "facts boxes" }, ...facts.map((fact) => this.fact(fact)).filter((one) => one !== null)));
  }

  private async refresh(): Promise<void> {
    const [reply] = await this.command("show assumptions goal");
    this.overview(reply);
  }

  private fact(fact: Fact): HTMLElement | null {
    const fixed = !this.bench.link.live;
    if (fact.internal && !this.internal) return null;
    const inner = fact.children.map((child) => this.fact(child)).filter((one) => one !== null);
    if (fact.children.length > 0 && inner.length === 0) return null;
    const title = fact.children.length > 0 ? (fact.description ?? fact.original) : (fact.final ?? fact.original ?? fact.description);
    const text = title ?? "internal";
    const box = h("input", {
      type: "checkbox",
      checked: !fact.removed,
      disabled: fixed,
      change: () => void this.run(`${box.checked ? "restore" : "remove"} ${fact.id}`),
    });
    const label = h("label", { class: fact.removed ? "removed" : fact.added ? "added" : null }, box, " ", h("span", { class: "hint" }, `[${fact.id}] `), h("code", {}, text));
    if (inner.length === 0) return h("li", {}, label);
    return h("li", {}, label, h("ul", {}, ...inner));
  }

  // One command after the other: each sees what those before it have changed.
  run(line: string): Promise<void> {
    this.last = this.last.then(() => this.runNow(line));
    return this.last;
  }

  private async runNow(line: string): Promise<void> {
    this.outcome.textContent = "…";
    this.outcome.className = "outcome";
    const entry = h("div", { class: "entry" }, h("p", { class: "asked" }, `› ${line}`));
    this.log.append(entry);
    try {
      const replies = await this.command(line);
      this.outcome.textContent = "";
      for (const reply of replies) entry.append(this.answer(reply));
      await this.refresh();
    } catch (error) {
      this.outcome.textContent = "";
      entry.append(h("p", { class: "bad" }, String((error as Error).message)));
    } finally {
      this.log.scrollTop = this.log.scrollHeight;
    }
  }

  private answer(reply: Reply): HTMLElement {
    switch (reply.answer) {
      case "ProofReply": {
        const proof = reply.proof as Proof;
        const look = proof.outcome === "proved" ? "proved" : proof.outcome === "undecided" ? "undecided" : "failed";
        const text = `${proof.outcome}${proof.why ? `: ${proof.why}` : ""}`;
        this.outcome.textContent = text;
        this.outcome.className = `outcome ${look}`;
        return h("p", { class: look }, `${proof.goal}: ${text}`, h("span", { class: "hint" }, ` ${proof.solver}, ${proof.seconds.toFixed(2)} s`));
      }
      case "Note":
        return h("p", { class: reply.warning ? "undecided" : null }, String(reply.text));
      case "Problem":
        return h("p", { class: "bad" }, String(reply.message));
      case "Listing":
        return h("div", {}, h("p", {}, String(reply.title)), h("pre", {}, (reply.lines as string[]).join("\n")));
      case "NodeReply":
        return h("div", {}, h("p", {}, String(reply.title)), h("ul", {}, ...(reply.nodes as Fact[]).map((node) => h("li", {}, h("code", {}, `[${node.id}] ${node.final ?? node.original ?? node.description ?? "internal"}`)))));
      case "StepsReply":
        return h("ul", { class: "plain" }, ...(reply.steps as (Step & { number: number; outcome: string; span: Step["place"] })[]).map((step) => h("li", {}, h("code", {}, `${step.number} ${step.rule} ${step.text}`), h("span", { class: "hint" }, ` ${lineOf(step.span)}`))));
      case "CounterexampleReply":
        return h("div", {}, ...(reply.instances as InstanceAnswer[]).map((one) => this.instance(one)));
      case "ObligationReply": {
        const state = reply.state as { store: [string, string][]; heap: Held[]; branch: string[] } | null;
        const error = reply.error as ErrorView | null;
        return h(
          "div",
          {},
          error && h("p", {}, error.message),
          state && h("pre", {}, [...state.branch.map((fact) => `branch ${fact}`), ...state.store.map(([name, value]) => `${name} = ${value}`), ...state.heap.map((held) => `${held.quantifier} acc(${held.location}, ${held.amount})${held.value === null ? "" : ` ↦ ${held.value}`}`.trim())].join("\n")),
        );
      }
      case "Errors":
        return h("ul", {}, ...(reply.errors as ErrorView[]).map((error) => h("li", {}, `${error.number}: ${error.message} (${lineOf(error.span)})`)));
      default:
        return h("pre", {}, JSON.stringify(reply, null, 1));
    }
  }

  private instance(answer: InstanceAnswer): HTMLElement {
    if (!answer.found) return h("p", {}, answer.result.message);
    const picture = svgOf(answer.svg[this.bench.theme()]);
    picture?.setAttribute("class", "small-picture");
    return h("figure", {}, picture as unknown as HTMLElement, h("figcaption", {}, answer.result.caption));
  }
}
