// The workbench: a text on one side, what is known about it on the other.
import "./style.css";
import type { Bench, Panel } from "./bench";
import { ChecksPanel } from "./checks";
import { byId, copy, fill, h } from "./dom";
import { Editor, completion } from "./editor";
import { ExplorePanel } from "./explore";
import { Failed, OfflineLink, SocketLink, type Asked, type Link, type Recorded } from "./link";
import { ProofPanel } from "./proof";
import { RawPanel } from "./raw";
import { decodeProgram, encodeProgram } from "./share";
import { StatesPanel } from "./states";
import { WORDS } from "./words";
import type { Checked, Hello, MemberVerdict, Opened, Problem, RecordedMember, Verified } from "./types";

const KEYS: [string, string][] = [
  ["Ctrl+Enter", "verify"],
  ["Ctrl+S", "save"],
  ["Ctrl+O", "open a program"],
  ["Alt+1 … Alt+5", "go to a tab"],
  ["Alt+0", "go to the text"],
  ["Arrow keys in the steps", "previous, next, parent, child state (also h j k l)"],
  ["End in the steps", "the step that failed"],
  ["Escape", "leave a list or a dialog; in the text: Tab then leaves it"],
  ["?", "this list, and what the words mean"],
];

const TABS: [string, string][] = [
  ["checks", "Checks"],
  ["states", "States"],
  ["proof", "Proof"],
  ["explore", "Explore"],
  ["raw", "Raw"],
];

type Report = Recorded & { name: string; text: string; explored: boolean };

class Workbench implements Bench {
  readonly link: Link;
  readonly editor: Editor;
  private readonly explored: ExplorePanel;
  private readonly panels: Record<string, Panel>;
  private readonly checks: ChecksPanel;
  private readonly states: StatesPanel;
  private active = "checks";
  private name = "";
  private title = "";
  private version: string | null = null;
  private saved = "";
  private hello: Hello | null = null;
  private running: Asked<Verified> | null = null;
  private concluded = 0;
  private moved = 0; // the last verification of which an imported file has changed since
  private pause = 0;
  private recorded: { text: string; members: Promise<RecordedMember[]> } | null = null;
  private readonly redraws: (() => void)[] = [];
  private members: string[] = [];
  private reply = 0;

  constructor(report: Report | null) {
    document.documentElement.dataset.theme = localTheme();
    this.build();
    const nonce = document.querySelector<HTMLMetaElement>("meta[name=nonce]")?.content ?? "";
    this.link = report
      ? new OfflineLink(report)
      : new SocketLink(`${location.origin.replace(/^http/, "ws")}/socket`, (state) => this.connection(state), (of) => this.stale(of));
    this.editor = new Editor(byId("editor"), nonce, {
      changed: () => this.changed(),
      hover: async (line, character) => {
        if (!this.link.live) return null;
        const answer = await this.link.ask<{ text: string | null }>("hover", { ...this.program(), line, character }).answer.catch(() => null);
        return answer?.text ?? null;
      },
      complete: async (line, character) => {
        const answer = await this.link
          .ask<{ items: { label: string; detail: string; kind: string; insert: string | null }[] }>("complete", { ...this.program(), line, character })
          .answer.catch(() => ({ items: [] }));
        return answer.items.map((item) => completion(item.label, item.detail, item.kind, item.insert));
      },
      clicked: (offset, event) => this.states.clicked(offset, event),
      keys: [
        { key: "Mod-Enter", run: () => (void this.verify(), true) },
        { key: "Mod-s", run: () => (void this.save(), true), preventDefault: true },
      ],
    });
    this.checks = new ChecksPanel(this);
    this.states = new StatesPanel(this);
    this.explored = new ExplorePanel(this);
    this.panels = {
      checks: this.checks,
      states: this.states,
      proof: new ProofPanel(this),
      explore: this.explored,
      raw: new RawPanel(this),
    };
    for (const [name, panel] of Object.entries(this.panels)) byId(`panel-${name}`).append(panel.element);
    if (report) void this.startReport(report);
  }

  // ------------------------------------------------------------ what parts share

  text = (): string => this.editor.text;
  path = (): string => this.name || this.title;
  theme = (): "light" | "dark" => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  themed = (redraw: () => void): void => void this.redraws.push(redraw);
  problems = (): Problem[] => this.checks.problems();
  declared = (): string[] => this.members;
  say = (text: string): void => void (byId("message").textContent = text);

  private program(): { text: string; path: string } {
    return { text: this.editor.text, path: this.path() };
  }

  record(): Promise<RecordedMember[]> {
    const text = this.editor.text;
    if (this.recorded?.text !== text) {
      const members = this.link.ask<{ members: RecordedMember[] }>("record", this.program()).answer.then((answer) => answer.members);
      this.recorded = { text, members };
      members.catch(() => (this.recorded = null));
    }
    return this.recorded.members;
  }

  tab(name: string): void {
    if (!this.panels[name]) return;
    this.panels[this.active].hidden();
    this.active = name;
    for (const [key] of TABS) {
      const chosen = key === name;
      const tab = byId(`tab-${key}`);
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      byId(`panel-${key}`).hidden = !chosen;
    }
    this.panels[name].shown();
  }

  // ------------------------------------------------------------ the frame

  private build(): void {
    const button = (id: string, label: string, title: string, click: () => void): HTMLButtonElement => h("button", { type: "button", id, title, click }, label);
    const tabs = TABS.map(([name, label]) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "aria-selected": name === "checks" ? "true" : "false", tabindex: name === "checks" ? "0" : "-1", click: () => this.tab(name) }, label),
    );
    const list = h("div", { role: "tablist", "aria-label": "What is known about the program", class: "tabs" }, ...tabs);
    list.addEventListener("keydown", (event) => {
      const at = TABS.findIndex(([name]) => name === this.active);
      const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : -1;
      const next = to < 0 ? undefined : TABS[to % TABS.length];
      if (!next) return;
      this.tab(next[0]);
      byId(`tab-${next[0]}`).focus();
      event.preventDefault();
    });
    const panels = TABS.map(([name]) => h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel", tabindex: "0", hidden: name !== "checks" }));
    const divider = h("div", { class: "divider", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the text", "aria-valuenow": "50", "aria-valuemin": "20", "aria-valuemax": "80" });
    this.divide(divider);
    fill(
      byId("page"),
      h("a", { class: "skip", href: "#panel-checks" }, "Skip to results"),
      h(
        "header",
        { class: "top" },
        h("h1", {}, "Pitviper"),
        h("span", { id: "file", class: "file" }, "untitled"),
        h(
          "nav",
          { "aria-label": "Program" },
          button("open", "Open", "Open a program or an example (Ctrl+O)", () => this.openDialog()),
          button("save", "Save", "Save in the folder (Ctrl+S)", () => void this.save()),
          button("format", "Format", "Lay the text out", () => void this.format()),
          button("share", "Share", "Copy a link that holds the program", () => void this.share()),
          h("button", { type: "button", id: "verify", class: "primary", title: "Verify (Ctrl+Enter)", click: () => (this.running ? this.stop() : void this.verify()) }, "Verify"),
        ),
        h("span", { id: "verdict", class: "verdict", role: "status" }, "not verified"),
        h("span", { id: "message", class: "message", role: "status" }),
        h(
          "span",
          { class: "right" },
          h("button", { type: "button", id: "theme", "aria-label": "Dark or light", title: "Dark or light", click: () => this.switchTheme() }, "◐"),
          h("button", { type: "button", id: "help", "aria-label": "Keys and words", title: "Keys and words (?)", click: () => this.keys() }, "?"),
        ),
      ),
      h("main", { class: "split", id: "split" }, h("section", { id: "editor", class: "editor", "aria-label": "Text" }), divider, h("section", { class: "side", "aria-label": "Results" }, list, ...panels)),
      h("dialog", { id: "dialog", "aria-label": "Dialog" }),
    );
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.link.live && this.name && this.editor.text !== this.saved) event.preventDefault();
    });
    window.addEventListener("hashchange", () => void this.fromHash());
  }

  private divide(divider: HTMLElement): void {
    const set = (share: number): void => {
      const bounded = Math.max(20, Math.min(80, share));
      byId("split").style.setProperty("--share", `${bounded}%`);
      divider.setAttribute("aria-valuenow", String(Math.round(bounded)));
    };
    divider.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const move = (later: PointerEvent): void => set((later.clientX / window.innerWidth) * 100);
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", () => window.removeEventListener("pointermove", move), { once: true });
    });
    divider.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowLeft" ? -5 : event.key === "ArrowRight" ? 5 : 0;
      if (step) set(Number(divider.getAttribute("aria-valuenow")) + step);
    });
  }

  private key(event: KeyboardEvent): void {
    const typing = (event.target as Element).closest("input, select, textarea, .cm-content") !== null;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === "Enter") void this.verify();
    else if (mod && event.key === "s") void this.save();
    else if (mod && event.key === "o") this.openDialog();
    else if (event.altKey && /^[0-5]$/.test(event.key)) this.jump(Number(event.key));
    else if (event.key === "?" && !typing) this.keys();
    else return;
    event.preventDefault();
  }

  private jump(number: number): void {
    if (number === 0) this.editor.view.focus();
    else {
      const [name] = TABS[number - 1];
      this.tab(name);
      const panel = byId(`panel-${name}`);
      (panel.querySelector<HTMLElement>("[role=tree]") ?? panel.querySelector<HTMLElement>("select, button") ?? panel).focus();
    }
  }

  private dialog(title: string, ...content: (Node | string | false)[]): HTMLDialogElement {
    const dialog = byId<HTMLDialogElement>("dialog");
    dialog.setAttribute("aria-label", title);
    fill(dialog, h("form", { method: "dialog", class: "dialog-head" }, h("h2", {}, title), h("button", { "aria-label": "Close" }, "✕")), ...content);
    if (!dialog.open) dialog.showModal();
    return dialog;
  }

  private keys(): void {
    this.dialog("Keys and words", h("table", { class: "keys" }, h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, what))))), h("h3", {}, "Words"), h("table", { class: "keys words" }, h("tbody", {}, ...WORDS.map(([word, what]) => h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, what))))));
  }

  private switchTheme(): void {
    const next = this.theme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    store("theme", next);
    for (const redraw of this.redraws) redraw();
  }

  private verdict(text: string, look: string): void {
    const element = byId("verdict");
    element.textContent = text;
    element.className = `verdict ${look}`;
    const button = byId("verify");
    button.textContent = look === "running" ? "Stop" : "Verify";
  }

  // ------------------------------------------------------------ programs

  private async connection(state: "open" | "lost"): Promise<void> {
    if (state === "lost") {
      this.say("The server is gone: waiting for it to come back. The text stays here.");
      if (this.running) this.verdict("not verified: the server is gone", "undecided");
      this.running = null;
      this.recorded = null;
      for (const panel of Object.values(this.panels ?? {})) panel.forget?.();
      return;
    }
    this.say("");
    try {
      const first = this.hello === null;
      this.hello = await this.link.ask<Hello>("hello").answer;
      byId<HTMLButtonElement>("save").disabled = !this.hello.writable;
      if (first) await this.start();
      else if (this.active !== "checks") this.panels[this.active].shown();
    } catch (error) {
      this.say(String((error as Error).message));
    }
  }

  private async start(): Promise<void> {
    if (await this.fromHash()) return;
    const kept = store("text");
    if (kept) this.put("", kept, null);
    else await this.openExample(this.hello?.examples[0]?.name ?? "");
  }

  private async fromHash(): Promise<boolean> {
    const hash = location.hash.slice(1);
    if (!hash) return false;
    history.replaceState(null, "", location.pathname);
    const [kind, value] = [hash.slice(0, hash.indexOf("=")), hash.slice(hash.indexOf("=") + 1)];
    try {
      if (kind === "open") await this.open(decodeURIComponent(value));
      else if (kind === "program") this.put("", await decodeProgram(value), null);
      else if (kind === "example") await this.openExample(decodeURIComponent(value));
      else return false;
      return true;
    } catch (error) {
      this.say(String((error as Error).message));
      return false;
    }
  }

  private openDialog(): void {
    if (!this.hello) return;
    const { files, examples, folder } = this.hello;
    const filter = h("input", { type: "search", placeholder: "find", "aria-label": "Find a program", input: () => render() });
    const lists = h("div", { class: "choices" });
    const dialog = this.dialog("Open", filter, lists);
    const item = (label: string, title: string, act: () => Promise<void>): HTMLElement =>
      h("li", {}, h("button", { type: "button", class: "choice", click: () => (dialog.close(), void act()) }, label, title && h("span", { class: "hint" }, ` ${title}`)));
    const render = (): void => {
      const wanted = filter.value.toLowerCase();
      const fits = (text: string): boolean => text.toLowerCase().includes(wanted);
      const own = files.filter(fits).map((name) => item(name, "", () => this.open(name)));
      const shown = examples.filter((one) => fits(one.title + one.name)).map((one) => item(one.title, "", () => this.openExample(one.name)));
      fill(
        lists,
        h("h3", {}, "Examples"),
        h("ul", { class: "plain" }, ...shown),
        h("h3", {}, `Folder ${folder}`),
        own.length > 0 ? h("ul", { class: "plain" }, ...own) : h("p", { class: "hint" }, "It has no programs (.vpr, .sil, .cool)."),
      );
    };
    render();
    void this.link.ask<Hello>("hello").answer.then((hello) => {
      this.hello = hello;
      files.splice(0, files.length, ...hello.files);
      render();
    }, () => {});
    filter.focus();
  }

  private async open(name: string): Promise<void> {
    try {
      const { path, text, version } = await this.link.ask<Opened>("open", { path: name }).answer;
      this.put(path, text, version);
    } catch (error) {
      this.say(String((error as Error).message));
    }
  }

  private async openExample(name: string): Promise<void> {
    try {
      const { text } = await this.link.ask<{ text: string }>("example", { name }).answer;
      this.put("", text, null, name.replace(/^\d+_/, ""));
    } catch (error) {
      this.say(String((error as Error).message));
    }
  }

  private put(name: string, text: string, version: string | null, title = ""): void {
    this.name = name;
    this.title = title;
    this.version = version;
    this.saved = text;
    this.editor.text = text;
    byId("file").textContent = this.path() || "untitled";
    this.say("");
    this.changed();
    void this.verify();
  }

  private async save(): Promise<void> {
    if (!this.link.live || !this.hello?.writable) return;
    let name = this.name;
    if (!name) {
      const input = h("input", { type: "text", value: this.title || "program.vpr", "aria-label": "Name of the file", required: true });
      const form = h("form", { method: "dialog", class: "bar" }, input, h("button", { value: "save", class: "primary" }, "Save"));
      const dialog = this.dialog("Save as", h("p", {}, `In the folder ${this.hello.folder}.`), form);
      input.select();
      const answer = await new Promise<string>((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
      if (answer !== "save" || !input.value.trim()) return;
      name = input.value.trim();
    }
    try {
      const text = this.editor.text;
      const opened = await this.link.ask<Opened>("save", { path: name, text, known: this.version }).answer;
      this.name = opened.path;
      this.version = opened.version;
      this.saved = text;
      byId("file").textContent = this.name;
      this.say(`Saved ${this.name}.`);
    } catch (error) {
      this.say(String((error as Error).message));
    }
  }

  private async format(): Promise<void> {
    if (!this.link.live) return;
    try {
      const { text } = await this.link.ask<{ text: string | null }>("format", this.program()).answer;
      if (text === null) this.say("The text cannot be parsed, so it stays as it is.");
      else this.editor.text = text;
    } catch (error) {
      this.say(String((error as Error).message));
    }
  }

  private async share(): Promise<void> {
    const link = `${location.origin === "null" ? "http://127.0.0.1:7717" : location.origin}/#program=${await encodeProgram(this.editor.text)}`;
    try {
      await copy(link);
      this.say("Copied a link that holds the program.");
    } catch {
      this.dialog("Share", h("textarea", { readonly: true, rows: "6", "aria-label": "Link" }, link));
    }
  }

  // ------------------------------------------------------------ checking and verifying

  private changed(): void {
    if (!this.link?.live || !this.panels) return;
    if (!this.name) store("text", this.editor.text);
    byId("file").classList.toggle("modified", this.editor.text !== this.saved);
    for (const panel of Object.values(this.panels)) panel.textChanged();
    if (!this.running) this.verdict("not verified", "");
    clearTimeout(this.pause);
    this.pause = window.setTimeout(() => void this.check(), 250);
  }

  private async check(): Promise<Checked | null> {
    const reply = ++this.reply;
    const checked = await this.link.ask<Checked>("check", this.program()).answer.catch((error: Error) => (this.say(error.message), null));
    if (!checked || reply !== this.reply) return checked;
    this.members = checked.members.sort((a, b) => (a.place?.from[0] ?? 0) - (b.place?.from[0] ?? 0)).map((member) => member.name);
    this.editor.diagnose(checked.problems);
    this.checks.checked(checked.problems);
    if (!checked.accepted && !this.running) this.verdict(`${checked.problems.filter((one) => one.severity === "error").length || 1} error${checked.problems.length > 1 ? "s" : ""} in the text`, "refuted");
    return checked;
  }

  // A file that the verified program imports is another one by now.
  private stale(of: number): void {
    this.explored.moved(of);
    if (this.concluded !== of && this.running?.id !== of) return;
    this.moved = of;
    if (this.running || this.concluded !== of) return;
    this.recorded = null;
    for (const panel of Object.values(this.panels)) panel.textChanged();
    this.verdict("not verified: an imported file has changed", "");
    void this.check();
  }

  private stop(): void {
    this.running?.cancel();
  }

  async verify(): Promise<void> {
    if (!this.link.live) return;
    clearTimeout(this.pause);
    this.running?.cancel();
    const text = this.editor.text;
    const found: MemberVerdict[] = [];
    this.checks.begin();
    this.verdict("verifying …", "running");
    const checking = this.check();
    const asked = this.link.ask<Verified>("verify", this.program(), (event) => {
      if (this.running !== asked) return;
      if (event.kind === "started") {
        const [done, total] = event.of as [number, number];
        this.verdict(`verifying ${done + 1} of ${total} …`, "running");
      } else if (event.kind === "member") {
        this.heard(event as unknown as MemberVerdict, found);
      }
    });
    this.running = asked;
    try {
      const done = await asked.answer;
      const checked = await checking;
      if (this.running !== asked) return;
      this.running = null;
      this.concluded = asked.id;
      this.conclude(done, found, checked, text);
      if (this.moved === asked.id) this.stale(asked.id);
    } catch (error) {
      if (this.running !== asked) return;
      this.running = null;
      this.verdict(error instanceof Failed ? String(error.message) : "failed", "undecided");
    }
  }

  // A member may be told a second time, with a cure that was tried.
  private heard(told: MemberVerdict, found: MemberVerdict[]): void {
    const before = found.findIndex((one) => one.member === told.member);
    if (before < 0) found.push(told);
    else found[before] = told;
    this.checks.add(told);
  }

  private conclude(done: Verified, found: MemberVerdict[], checked: Checked | null, text: string): void {
    if (text !== this.editor.text) {
      this.verdict("not verified: the text has changed", "");
      return;
    }
    const errors = found.reduce((sum, member) => sum + member.problems.filter((one) => one.severity === "error").length, 0);
    const words = {
      verified: "verified",
      refuted: `${errors} check${errors === 1 ? " fails" : "s fail"}`,
      undecided: "undecided",
      rejected: "errors in the text",
    };
    this.verdict(words[done.verdict], done.verdict);
    const front = [...(checked?.problems ?? []), ...done.problems];
    this.checks.checked(front);
    this.editor.diagnose([...front, ...found.flatMap((member) => member.problems)]);
    this.checks.finish(new Map(this.members.map((name, at) => [name, at])));
    if (this.active !== "checks") this.panels[this.active].shown();
  }

  // ------------------------------------------------------------ a report

  private async startReport(report: Report): Promise<void> {
    document.body.classList.add("report");
    byId("file").textContent = report.name;
    for (const id of ["open", "save", "format", "share", "verify"]) byId(id).hidden = true;
    byId("tab-explore").hidden = !report.explored;
    this.name = report.name;
    this.editor.text = report.text;
    this.editor.readOnly();
    const found: MemberVerdict[] = [];
    const checked = await this.link.ask<Checked>("check").answer;
    this.members = checked.members.sort((a, b) => (a.place?.from[0] ?? 0) - (b.place?.from[0] ?? 0)).map((member) => member.name);
    this.checks.begin();
    const done = await this.link.ask<Verified>("verify", {}, (event) => {
      this.heard(event as unknown as MemberVerdict, found);
    }).answer;
    this.conclude(done, found, checked, report.text);
  }
}

function store(key: string, value?: string): string | null {
  try {
    if (value !== undefined) sessionStorage.setItem(key, value);
    return sessionStorage.getItem(key);
  } catch {
    return null; // a browser may forbid it: nothing is kept then
  }
}

function localTheme(): string {
  return store("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

const embedded = document.getElementById("report-data")?.textContent;
new Workbench(embedded ? JSON.parse(embedded) : null);
