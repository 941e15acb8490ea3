// What the workbench itself works with, for those who look for a mistake in it.
import type { Bench, Panel } from "./bench";
import { copyButton, download, fill, h } from "./dom";

const FORMS: [string, string, string][] = [
  ["trace", "Recorded steps and questions (trace)", "txt"],
  ["model", "Values of the counterexamples (model)", "txt"],
  ["dot", "Heap graphs (DOT)", "dot"],
  ["alloy", "Failing states (Alloy)", "als"],
  ["smt", "Questions to the solver (SMT-LIB)", "smt2"],
  ["boogie", "Second verifier as Boogie", "bpl"],
  ["ivl", "Second verifier as intermediate language", "txt"],
  ["profile", "Statistics, and instances of quantifiers", "txt"],
];

export class RawPanel implements Panel {
  readonly element: HTMLElement;
  private readonly select = h("select", { "aria-label": "What to show", change: () => void this.load() });
  private readonly out = h("pre", { class: "raw", role: "region", tabindex: "0", "aria-label": "Text" });
  private readonly note = h("p", { class: "hint" });
  private shownFor = "";
  private text = "";

  constructor(private readonly bench: Bench) {
    fill(this.select, ...FORMS.map(([form, title]) => h("option", { value: form }, title)));
    const save = (): void => {
      const suffix = FORMS.find(([form]) => form === this.select.value)?.[2] ?? "txt";
      download(`${(bench.path() || "program").replace(/\.\w+$/, "")}.${suffix}`, this.text);
    };
    this.element = h("div", { class: "raw-panel" }, h("div", { class: "bar" }, this.select, copyButton(() => this.text), h("button", { type: "button", class: "small", click: save }, "Download")), this.note, this.out);
  }

  shown(): void {
    if (this.shownFor !== this.bench.text()) void this.load();
  }
  hidden(): void {}
  forget(): void {
    this.shownFor = "";
  }

  textChanged(): void {
    if (this.text) this.note.textContent = "The text has changed since. Come back to this tab to see it anew.";
  }

  private async load(): Promise<void> {
    const text = this.bench.text();
    const form = this.select.value;
    this.note.textContent = "working …";
    try {
      await this.bench.record();
      const answer = await this.bench.link.ask<{ text: string }>("emit", { form }).answer;
      if (form !== this.select.value) return; // another one was chosen since
      this.text = answer.text;
      this.note.textContent = answer.text.length > 200_000 ? "Only the first 200,000 characters are shown here; Copy and Download have all." : "";
      this.out.textContent = answer.text.slice(0, 200_000);
      this.shownFor = text;
    } catch (error) {
      if (form !== this.select.value) return;
      this.text = "";
      this.note.textContent = String((error as Error).message);
      this.out.textContent = "";
    }
  }
}
